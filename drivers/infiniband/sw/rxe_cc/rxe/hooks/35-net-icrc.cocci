// SPDX-License-Identifier: GPL-2.0
// Send: capabilities before the ICRC, INT after it.
// target: rxe_net.c
// hits: 1 rxe_hook_icrc_generate(

@@
identifier xmit =~ "^rxe_xmit_packet$", qp, pkt, skb;
@@
xmit(struct rxe_qp *qp, struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
<...
- rxe_icrc_generate(skb, pkt);
+ rxe_hook_icrc_generate(qp, pkt, skb);
...>
}
