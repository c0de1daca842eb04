// SPDX-License-Identifier: GPL-2.0
// Responder: the task cannot take the packet before it is told of it.
// target: rxe_resp.c
// hits: 1 __skb_queue_tail(&qp->req_pkts, skb)

@@
identifier queue =~ "^rxe_resp_queue_pkt$", qp, skb;
@@
queue(struct rxe_qp *qp, struct sk_buff *skb)
{
+ unsigned long flags;
+
- skb_queue_tail(&qp->req_pkts, skb);
+ spin_lock_irqsave(&qp->req_pkts.lock, flags);
+ /* It holds a reference to qp, and to take it needs the lock. */
+ __skb_queue_tail(&qp->req_pkts, skb);
  rxe_sched_task(&qp->recv_task);
+ spin_unlock_irqrestore(&qp->req_pkts.lock, flags);
}
