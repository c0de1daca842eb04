// SPDX-License-Identifier: GPL-2.0
// Completer: the task cannot take the packet before it is told of it.
// target: rxe_comp.c
// hits: 1 __skb_queue_tail(&qp->resp_pkts, skb)

@@
identifier queue =~ "^rxe_comp_queue_pkt$", qp, skb;
@@
queue(struct rxe_qp *qp, struct sk_buff *skb)
{
+ unsigned long flags;
+
  ...
- skb_queue_tail(&qp->resp_pkts, skb);
+ spin_lock_irqsave(&qp->resp_pkts.lock, flags);
+ /* It holds a reference to qp, and to take it needs the lock. */
+ __skb_queue_tail(&qp->resp_pkts, skb);
  rxe_sched_task(&qp->send_task);
+ spin_unlock_irqrestore(&qp->resp_pkts.lock, flags);
}
