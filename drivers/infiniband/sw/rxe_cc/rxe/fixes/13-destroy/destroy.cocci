// SPDX-License-Identifier: GPL-2.0
// Destroy: do not wait for what others have asked for.
// target: rxe_verbs.c
// hits: 1 qp->resp.stop = 1

@@
identifier destroy =~ "^rxe_destroy_qp$", err;
expression qp;
@@
destroy(...)
{
  <...
  int err;
+ unsigned long flags;
  ...>
}

@@
identifier destroy =~ "^rxe_destroy_qp$";
expression qp, err;
@@
destroy(...)
{
  <...
+ /* Requests that wait hold references. */
+ spin_lock_irqsave(&qp->state_lock, flags);
+ qp->resp.stop = 1;
+ rxe_sched_task(&qp->recv_task);
+ spin_unlock_irqrestore(&qp->state_lock, flags);
+
  err = rxe_cleanup(qp);
  ...>
}
