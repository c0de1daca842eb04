// SPDX-License-Identifier: GPL-2.0
// Completer: what answers something that was never sent is ignored.
// target: rxe_comp.c
// hits: 1 qp->req.unsent_psn
// hits: 1 RXE_CNT_RESP_BAD_PSN

@@
identifier check =~ "^check_psn$", qp, pkt, wqe, diff;
@@
check(struct rxe_qp *qp, struct rxe_pkt_info *pkt, struct rxe_send_wqe *wqe)
{
  s32 diff;
+
+ /* Half of all PSNs look later than what waits. */
+ if (psn_compare(pkt->psn, qp->req.unsent_psn) >= 0) {
+	rxe_counter_inc(to_rdev(qp->ibqp.device), RXE_CNT_RESP_BAD_PSN);
+	return COMPST_DONE;
+ }
  ...
}
