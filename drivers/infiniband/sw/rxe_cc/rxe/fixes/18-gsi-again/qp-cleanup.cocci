// SPDX-License-Identifier: GPL-2.0
// QP: its port forgets it.
// target: rxe_qp.c
// hits: 1 port.qp_gsi_index = 0

@@
identifier qp;
@@
rxe_qp_do_cleanup(...)
{
  <...
  qp->qp_timeout_jiffies = 0;
+
+ if (to_rdev(qp->ibqp.device)->port.qp_gsi_index == qp->elem.index)
+	to_rdev(qp->ibqp.device)->port.qp_gsi_index = 0;
  ...>
}
