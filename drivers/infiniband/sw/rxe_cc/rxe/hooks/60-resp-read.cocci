// SPDX-License-Identifier: GPL-2.0
// Responder: READ responses are data. While one waits, its MR is not held (see rxe_hook_resp_wait).
// target: rxe_resp.c
// hits: 1 rxe_hook_resp_wait(
// hits: 1 rxe_hook_resp_sent(
// hits: 1 !res->replay && qp->resp.mr

@@
identifier qp, res, pkt, ack_pkt, opcode, payload;
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
(
-	    !res->replay
+	    !res->replay && qp->resp.mr
|
-	    !res->replay || qp->resp.length == 0
+	    (!res->replay && qp->resp.mr) || qp->resp.length == 0
)
	    ) { ... } else { ... }
	...
  } else { ... }
...
  prepare_ack_packet(qp, &ack_pkt, opcode, payload, ...)
...
+ rxe_hook_resp_sent(qp, res->cur_psn, opcode, payload);
  res->read.va += payload;
...
}
