// SPDX-License-Identifier: GPL-2.0
// QP: at first nothing was asked for twice.
// target: rxe_qp.c
// hits: 1 again_psn
// hits: 1 retry_psn
// hits: 1 again_end

@@
expression qp;
@@
  qp->comp.psn = qp->attr.sq_psn;
+ qp->comp.again_psn = qp->comp.psn;
+ qp->comp.retry_psn = qp->comp.psn;
+ qp->comp.again_end = qp->comp.psn;
