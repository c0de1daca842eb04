// SPDX-License-Identifier: GPL-2.0
// Requester: a packet was sent, and a READ has taken the PSNs of its responses.
// target: rxe_req.c
// hits: 2 unsent_psn

@@
identifier update =~ "^update_state$", qp, pkt;
@@
update(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
  qp->req.opcode = pkt->opcode;
+
+ /* By the packet's own PSN: a READ may take half of all, too many to compare. */
+ if (psn_compare(pkt->psn, qp->req.unsent_psn) >= 0)
+	qp->req.unsent_psn = qp->req.psn;
  ...
}
