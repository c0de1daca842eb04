// SPDX-License-Identifier: GPL-2.0
// Receive: a CNP is consumed before the checks that are for requests and responses.
// target: rxe_recv.c
// hits: 1 rxe_hook_rcv_cnp(

@@
expression pkt;
identifier skb;
@@
rxe_rcv(struct sk_buff *skb)
{
<...
  pkt->mask |= rxe_opcode[pkt->opcode].mask;
+
+ if (unlikely(pkt->opcode == IB_BTH_OPCODE_CNP)) {
+	rxe_hook_rcv_cnp(pkt, skb);
+	goto drop;
+ }
...>
}
