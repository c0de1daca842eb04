// SPDX-License-Identifier: GPL-2.0
// QP life cycle: modify. A READ request that waits at the gate must not keep its MR.
// target: rxe_qp.c
// hits: 1 rxe_hook_qp_modify(
// hits: 1 rxe_hook_resp_abort(

@@
identifier qp, mask;
@@
rxe_qp_from_attr(struct rxe_qp *qp, ..., int mask, ...)
{
...
+ rxe_hook_qp_modify(qp, mask);
  return 0;
}

@@
identifier qp, err;
expression n;
@@
+ rxe_hook_resp_abort(qp);
  free_rd_atomic_resources(qp);
  ...
  err = alloc_rd_atomic_resources(qp, n);
