// SPDX-License-Identifier: GPL-2.0
// Device life cycle: register.
// target: rxe_verbs.c
// hits: 1 rxe_hook_register(rxe, ndev,

@@
expression dev, name;
@@
rxe_register_device(...)
{
...
(
- rxe_netns_register(rxe, ndev, name)
+ rxe_hook_register(rxe, ndev, name)
|
- ib_register_device(dev, name, NULL)
+ rxe_hook_register(rxe, ndev, name)
)
...
}
