// SPDX-License-Identifier: GPL-2.0
// Requester: packets on their way (without a lost wake-up), then the pacing and window gate.
// target: rxe_req.c
// hits: 1 rxe_hook_skbs_wait(
// hits: 1 rxe_hook_tx_wait(

@@
identifier qp, wqe, f;
@@
f(...)
{
<...
- if (unlikely(atomic_read(&qp->skb_out) > RXE_INFLIGHT_SKBS_PER_QP_HIGH)) {
-	qp->need_req_skb = 1;
-	goto exit;
- }
-
+ if (unlikely(rxe_hook_skbs_wait(qp, rxe)))
+	goto exit;
+ if (unlikely(rxe_hook_tx_wait(qp, wqe)))
+	goto exit;
  opcode = next_opcode(qp, wqe, ...);
...>
}
