// SPDX-License-Identifier: GPL-2.0
// Responder: what comes while too much waits is lost.
// target: rxe_resp.c
// hits: 1 RXE_MAX_WAITING_REQS

@@
identifier queue =~ "^rxe_resp_queue_pkt$", first =~ "^(skb_queue_tail|spin_lock_irqsave)$", qp, skb;
@@
queue(struct rxe_qp *qp, struct sk_buff *skb)
{
+ struct rxe_dev *rxe = to_rdev(qp->ibqp.device);
  ...
+ if (unlikely(skb_queue_len_lockless(&qp->req_pkts) >= RXE_MAX_WAITING_REQS)) {
+	rxe_counter_inc(rxe, RXE_CNT_REQ_QUEUE_FULL);
+	kfree_skb(skb);
+	rxe_put(qp);
+	ib_device_put(&rxe->ib_dev);
+	return;
+ }
  first(...);
  ...
}
