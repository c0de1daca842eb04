// SPDX-License-Identifier: GPL-2.0
// QP life cycle: reset, while neither task runs.
// target: rxe_qp.c
// hits: 1 rxe_hook_qp_reset(

@@
identifier qp;
@@
rxe_qp_reset(...)
{
...
  cleanup_rd_atomic_resources(qp);
+ rxe_hook_qp_reset(qp);
...
}
