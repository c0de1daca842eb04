// SPDX-License-Identifier: GPL-2.0
// Device life cycle: the last call, also when registration failed. Module text may still be on a stack at exit.
// target: rxe.c
// hits: 1 rxe_hook_dev_exit(
// hits: 1 rxe_hook_module_exit(

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

@@
@@
rxe_module_exit(...)
{
...
  rxe_destroy_wq();
+ rxe_hook_module_exit();
...
}
