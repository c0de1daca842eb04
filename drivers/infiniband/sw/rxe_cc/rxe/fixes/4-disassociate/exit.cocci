// SPDX-License-Identifier: GPL-2.0
// Module text may still be on a stack when the last mapping has let go of the module.
// target: rxe.c
// hits: 1 synchronize_rcu_tasks();

@@
@@
rxe_module_exit(...)
{
...
  rxe_destroy_wq();
+ /* rxe_vma_close() may be preempted right behind its module_put(). */
+ synchronize_rcu_tasks();
...
}
