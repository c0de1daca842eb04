// SPDX-License-Identifier: GPL-2.0
// Receive: INT is taken off before anybody looks at the packet.
// target: rxe_net.c
// hits: 1 rxe_hook_int_sink(

@@
identifier recv =~ "^rxe_udp_encap_recv$", skb, pkt;
expression len;
@@
recv(...)
{
<...
  pkt->paylen = len;
+ if (unlikely(rxe_hook_int_sink(pkt, skb))) {
+	ib_device_put(&pkt->rxe->ib_dev);
+	goto drop;
+ }
  skb_pull(skb, ...);
  rxe_rcv(skb);
...>
}
