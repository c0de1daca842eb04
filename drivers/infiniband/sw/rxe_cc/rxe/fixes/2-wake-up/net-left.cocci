// SPDX-License-Identifier: GPL-2.0
// A packet has left: is the requester to be woken?
// target: rxe_net.c
// hits: 1 READ_ONCE(qp->need_req_skb)

@@
identifier qp;
@@
  rxe_skb_tx_dtor(...)
  {
<...
-	qp->need_req_skb
+	READ_ONCE(qp->need_req_skb)
...>
  }
