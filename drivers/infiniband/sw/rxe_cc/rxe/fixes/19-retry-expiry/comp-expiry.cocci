// SPDX-License-Identifier: GPL-2.0
// Completer: an expiry waits for what is in the queue, and an answer among it ends it.
// target: rxe_comp.c
// needs: 12-retry-timer
// hits: 1 the timer has expired meanwhile
// hits: 1 skb_queue_empty_lockless(&qp->resp_pkts)

@@
expression qp;
@@
- qp->comp.moved = 1;
+ {
+	qp->comp.moved = 1;
+	/* If the timer has expired meanwhile, it was too early. */
+	WRITE_ONCE(qp->comp.timeout, 0);
+ }

@@
expression qp, expired;
@@
  if (
-     expired
+     expired && skb_queue_empty_lockless(&qp->resp_pkts)
     ) {
	qp->comp.timeout_retry = 1;
	...
  }
  else
  { ... }
