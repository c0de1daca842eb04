// SPDX-License-Identifier: GPL-2.0
// Completer: what answers nothing that may be under way does not put off a retry.
// target: rxe_comp.c
// needs: 7-unsent-ack
// hits: 1 qp->comp.again_psn = qp->comp.psn
// hits: 1 qp->comp.moved = 1
// hits: 1 !timer_pending(&qp->retrans_timer)
// hits: 1 qp->comp.moved = 0

@@
identifier check =~ "^check_psn$", qp, pkt, wqe;
@@
check(struct rxe_qp *qp, struct rxe_pkt_info *pkt, struct rxe_send_wqe *wqe)
{
  ...
  if (psn_compare(pkt->psn, qp->req.unsent_psn) >= 0) { ... }
+
+ /* What was asked for after a retry is answered: so is all before. */
+ if (psn_compare(qp->comp.psn, qp->comp.again_end) > 0) {
+	qp->comp.again_psn = qp->comp.psn;
+	qp->comp.retry_psn = qp->comp.psn;
+	qp->comp.again_end = qp->comp.psn;
+ }
+
+ /* A request that comes twice is answered by the PSN before the one that is waited for. */
+ if (psn_compare(pkt->psn, qp->comp.again_psn - 1) >= 0)
+	qp->comp.moved = 1;
  ...
}

@@
identifier reset =~ "^reset_retry_timer$", qp;
expression state, sent, expires;
@@
reset(struct rxe_qp *qp)
{
  <...
  if (state &&
-     sent
+     sent &&
+     (qp->comp.moved || !timer_pending(&qp->retrans_timer))
     )
	mod_timer(&qp->retrans_timer, expires);
+ qp->comp.moved = 0;
  ...>
}
