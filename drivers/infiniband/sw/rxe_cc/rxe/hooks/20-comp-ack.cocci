// SPDX-License-Identifier: GPL-2.0
// Completer: an ACK, NAK or response left the queue.
// target: rxe_comp.c
// hits: 1 rxe_hook_rx_ack(

@@
expression qp, pkt, skb;
@@
  pkt = SKB_TO_PKT(skb);
  qp->comp.timeout_retry = 0;
+ if (rxe_hook_rx_ack(qp, pkt))
+	goto done;
