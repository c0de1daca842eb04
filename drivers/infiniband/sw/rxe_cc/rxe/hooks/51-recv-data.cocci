// SPDX-License-Identifier: GPL-2.0
// Receive: a packet of a QP passed its ICRC.
// target: rxe_recv.c
// hits: 1 rxe_hook_rcv(

@@
expression pkt;
identifier skb;
@@
rxe_rcv(struct sk_buff *skb)
{
<...
- rxe_rcv_pkt(pkt, skb);
+ {
+	if (rxe_hook_rcv(pkt, skb))
+		goto drop;
+	rxe_rcv_pkt(pkt, skb);
+ }
...>
}
