// SPDX-License-Identifier: GPL-2.0
// A device is counted in its network namespace before it is registered.
// target: rxe_verbs.c
// hits: 1 rxe_netns_register(rxe, ndev,
// hits: 1 "rxe_netns.h"

@@
@@
  #include "rxe.h"
+ #include "rxe_netns.h"

@@
identifier dev, name;
@@
rxe_register_device(...)
{
...
- err = ib_register_device(dev, name, NULL);
+ err = rxe_netns_register(rxe, ndev, name);
...
}
