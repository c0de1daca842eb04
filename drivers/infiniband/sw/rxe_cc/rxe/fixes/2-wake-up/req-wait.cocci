// SPDX-License-Identifier: GPL-2.0
// Requester: packets on their way, without a lost wake-up.
// target: rxe_req.c
// hits: 1 smp_mb();
// hits: 1 RXE_INFLIGHT_SKBS_PER_QP_HIGH
// hits: 1 RXE_INFLIGHT_SKBS_PER_QP_LOW
// hits: 2 WRITE_ONCE(qp->need_req_skb

@@
identifier qp;
@@
  if (unlikely(atomic_read(&qp->skb_out) > RXE_INFLIGHT_SKBS_PER_QP_HIGH)) {
-	qp->need_req_skb = 1;
-	goto exit;
+	WRITE_ONCE(qp->need_req_skb, 1);
+	/* Pairs with atomic_dec_return() in rxe_skb_tx_dtor(). */
+	smp_mb();
+	if (atomic_read(&qp->skb_out) >= RXE_INFLIGHT_SKBS_PER_QP_LOW)
+		goto exit;
  }

@@
identifier qp;
@@
-	qp->need_req_skb = 0;
+	WRITE_ONCE(qp->need_req_skb, 0);
