// SPDX-License-Identifier: GPL-2.0
// Responder: a response was sent.
// target: rxe_resp.c
// hits: 0 err = rxe_xmit_packet(
// hits: 2 rxe_xmit_packet(qp, &ack_pkt, skb);

@@
identifier reply =~ "^read_reply$", err;
@@
reply(...)
{
...
- err = rxe_xmit_packet(
+ rxe_xmit_packet(
  ...);
- if (err) { ... }
...
}

@@
identifier send =~ "^send_common_ack$", opcode, msg, err;
@@
send(..., int opcode
-	, const char *msg
  )
{
- int err;
...
- err = rxe_xmit_packet(
+ rxe_xmit_packet(
  ...);
- if (err) { ... }
- return err;
+ return 0;
}

@@
identifier send =~ "^send_common_ack$";
expression qp, syndrome, psn, opcode, msg;
@@
  send(qp, syndrome, psn, opcode
-	, msg
  )
