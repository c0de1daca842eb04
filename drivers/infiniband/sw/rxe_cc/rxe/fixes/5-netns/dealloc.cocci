// SPDX-License-Identifier: GPL-2.0
// A device leaves its network namespace with the last call, also when registration failed.
// target: rxe.c
// hits: 1 rxe_netns_put(rxe);
// hits: 1 "rxe_netns.h"

@@
@@
  #include "rxe_loc.h"
+ #include "rxe_netns.h"

@@
identifier d, rxe;
@@
rxe_dealloc(struct ib_device *d)
{
  struct rxe_dev *rxe = ...;
+
+ rxe_netns_put(rxe);
...
}
