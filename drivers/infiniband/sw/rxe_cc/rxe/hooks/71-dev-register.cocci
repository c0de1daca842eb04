// SPDX-License-Identifier: GPL-2.0
// Device life cycle: register.
// target: rxe_verbs.c
// hits: 1 rxe_hook_register(
// hits: 1 rxe_hook_dev_init(

@@
identifier dev, name;
@@
rxe_register_device(...)
{
...
- err = ib_register_device(dev, name, NULL);
+ err = rxe_hook_dev_init(rxe, ndev);
+ if (err)
+	return err;
+ err = rxe_hook_register(rxe, name, ndev);
...
}
