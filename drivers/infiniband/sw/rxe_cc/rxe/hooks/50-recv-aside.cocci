// SPDX-License-Identifier: GPL-2.0
// Receive: what is neither request nor response is consumed before the checks that are for those.
// target: rxe_recv.c
// hits: 1 rxe_hook_is_aside(
// hits: 1 rxe_hook_rcv_aside(

@@
expression pkt;
identifier skb;
@@
rxe_rcv(struct sk_buff *skb)
{
<...
  pkt->mask |= rxe_opcode[pkt->opcode].mask;
+
+ if (unlikely(rxe_hook_is_aside(pkt))) {
+	rxe_hook_rcv_aside(pkt, skb);
+	goto drop;
+ }
...>
}
