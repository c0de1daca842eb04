// SPDX-License-Identifier: GPL-2.0
// Responder: READ responses are data. While one waits, its MR is not held (see rxe_hook_resp_wait).
// target: rxe_resp.c
// hits: 1 rxe_hook_resp_wait(
// hits: 1 rxe_hook_resp_sent(
// hits: 1 !res->replay && qp->resp.mr

@@
identifier qp, res, pkt, ack_pkt;
@@
read_reply(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
...
  if (!res) {
	...
  }
+
+ if (unlikely(rxe_hook_resp_wait(qp)))
+	return RESPST_EXIT;
  if (res->state == rdatm_res_state_new) {
	if (
-	    !res->replay
+	    (!res->replay && qp->resp.mr)
	    || qp->resp.length == 0) { ... } else { ... }
	...
  } else { ... }
...
  rxe_xmit_packet(qp, &ack_pkt, ...);
+ rxe_hook_resp_sent(qp, &ack_pkt, (res->cur_psn + 1) & BTH_PSN_MASK);
...
}
