// SPDX-License-Identifier: GPL-2.0
// Receive: the task may be done with the packet before it is told of it.
// target: rxe_recv.c
// hits: 1 reference may go before the task

@@
identifier rcv =~ "^rxe_rcv_pkt$", pkt, skb;
@@
rcv(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
+ struct rxe_qp *qp = pkt->qp;
+
+ /* The packet's reference may go before the task is scheduled. */
+ rxe_get(qp);
  if (pkt->mask & RXE_REQ_MASK)
	rxe_resp_queue_pkt(pkt->qp, skb);
  else
	rxe_comp_queue_pkt(pkt->qp, skb);
+ rxe_put(qp);
}
