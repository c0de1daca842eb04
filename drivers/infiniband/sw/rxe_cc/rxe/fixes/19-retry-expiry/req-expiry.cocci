// SPDX-License-Identifier: GPL-2.0
// Requester: the retry that an expiry asks for begins.
// target: rxe_req.c
// hits: 1 WRITE_ONCE(qp->comp.timeout, 0)

@@
expression qp;
@@
  qp->comp.again_end = qp->req.unsent_psn;
+ WRITE_ONCE(qp->comp.timeout, 0);
