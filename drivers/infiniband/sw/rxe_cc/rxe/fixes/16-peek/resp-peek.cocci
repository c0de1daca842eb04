// SPDX-License-Identifier: GPL-2.0
// Responder: whether something waits, without the lock.
// target: rxe_resp.c
// hits: 1 skb_queue_empty_lockless(&qp->req_pkts)

@@
identifier get =~ "^get_req$", qp, skb;
@@
get(struct rxe_qp *qp, ...)
{
  ...
+ if (skb_queue_empty_lockless(&qp->req_pkts))
+	return RESPST_EXIT;
  skb = skb_peek(&qp->req_pkts);
- if (!skb)
-	return RESPST_EXIT;
  ...
}
