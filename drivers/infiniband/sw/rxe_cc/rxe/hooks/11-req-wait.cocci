// SPDX-License-Identifier: GPL-2.0
// Requester: how many packets may be on their way, then the pacing and window gate.
// target: rxe_req.c
// hits: 1 rxe->cc.skbs_out_high
// hits: 1 rxe_hook_tx_wait(

@@
@@
- RXE_INFLIGHT_SKBS_PER_QP_HIGH
+ READ_ONCE(rxe->cc.skbs_out_high)

@@
identifier qp, wqe, f;
@@
f(...)
{
<...
+ if (unlikely(rxe_hook_tx_wait(qp, wqe)))
+	goto exit;
  opcode = next_opcode(qp, wqe, ...);
...>
}
