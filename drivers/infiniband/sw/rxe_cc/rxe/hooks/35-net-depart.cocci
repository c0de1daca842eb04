// SPDX-License-Identifier: GPL-2.0
// Departure of a packet from the port: announced, and reported by its destructor.
// target: rxe_net.c
// hits: 1 rxe_hook_tx_probe(
// hits: 1 rxe_hook_tx_left(

@@
identifier send =~ "^rxe_send$", skb, pkt;
@@
send(struct sk_buff *skb, struct rxe_pkt_info *pkt)
{
...
  atomic_inc(&pkt->qp->skb_out);
+ rxe_hook_tx_probe(pkt, skb);
...
}

@@
expression qp;
identifier dtor, skb, skb_out;
@@
dtor(struct sk_buff *skb)
{
...
+ rxe_hook_tx_left(qp, skb);
  skb_out = atomic_dec_return(&qp->skb_out);
...
}
