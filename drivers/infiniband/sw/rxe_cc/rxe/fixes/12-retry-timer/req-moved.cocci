// SPDX-License-Identifier: GPL-2.0
// Requester: a packet was sent; a retry asks for some once more.
// target: rxe_req.c
// hits: 1 qp->comp.moved = 1
// hits: 1 qp->comp.again_psn = qp->comp.retry_psn
// hits: 1 qp->comp.again_end = qp->req.unsent_psn

@@
identifier update =~ "^update_state$", qp, pkt;
@@
update(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
  qp->req.opcode = pkt->opcode;
+ qp->comp.moved = 1;
  ...
}

@@
expression qp;
@@
  qp->req.psn = qp->comp.psn;
+ if (qp->comp.psn != qp->comp.retry_psn) {
+	qp->comp.again_psn = qp->comp.retry_psn;
+	qp->comp.retry_psn = qp->comp.psn;
+ }
+ qp->comp.again_end = qp->req.unsent_psn;
