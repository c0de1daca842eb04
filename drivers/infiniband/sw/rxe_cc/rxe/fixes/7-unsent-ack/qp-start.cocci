// SPDX-License-Identifier: GPL-2.0
// QP: at first nothing was sent.
// target: rxe_qp.c
// hits: 1 unsent_psn

@@
expression qp;
@@
  qp->req.psn = qp->attr.sq_psn;
+ qp->req.unsent_psn = qp->req.psn;
