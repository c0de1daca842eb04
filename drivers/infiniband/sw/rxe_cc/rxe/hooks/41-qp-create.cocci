// SPDX-License-Identifier: GPL-2.0
// QP life cycle: create.
// target: rxe_qp.c
// hits: 1 rxe_hook_qp_create(

@@
identifier qp, flags;
@@
rxe_qp_from_init(...)
{
...
+ err = rxe_hook_qp_create(qp);
+ if (err)
+	goto err2;
  spin_lock_irqsave(&qp->state_lock, flags);
  qp->attr.qp_state = IB_QPS_RESET;
...
}
