// SPDX-License-Identifier: GPL-2.0
// Device life cycle: the last call, also when registration failed.
// target: rxe.c
// hits: 1 rxe_hook_dev_exit(

@@
identifier d, rxe;
@@
rxe_dealloc(struct ib_device *d)
{
  struct rxe_dev *rxe = ...;
+
+ rxe_hook_dev_exit(rxe);
...
}
