// SPDX-License-Identifier: GPL-2.0
// Responder: a READ response that cannot be made is a lost packet.
// target: rxe_resp.c
// hits: 1 goto lost;
// hits: 1 lost:
// hits: 1 min_t(u32, res->read.resid, mtu)

@@
identifier reply =~ "^read_reply$", ack_pkt, res, payload, mtu;
expression qp, skb, state, err;
@@
reply(...)
{
...
- payload = min_t(int, res->read.resid, mtu);
+ payload = min_t(u32, res->read.resid, mtu);
  skb = prepare_ack_packet(qp, &ack_pkt, ...);
  if (!skb)
- {
-	state = RESPST_ERR_RNR;
-	goto err_out;
+	goto lost;
- }
...
(
  rxe_xmit_packet(qp, &ack_pkt, skb);
+lost:
+ /* A response that cannot be made is as one lost on the way: the requester asks again. */
|
  err = rxe_xmit_packet(qp, &ack_pkt, skb);
  if (err) { ... }
+lost:
)
  res->read.va += payload;
...
}
