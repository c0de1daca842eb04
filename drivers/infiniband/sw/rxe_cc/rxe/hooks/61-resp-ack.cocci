// SPDX-License-Identifier: GPL-2.0
// Responder: an ACK carries feedback for its requester's algorithm.
// target: rxe_resp.c
// hits: 1 rxe_hook_ack_bytes(
// hits: 1 rxe_hook_ack_fill(

@@
identifier send =~ "^send_common_ack$", qp, ack, opcode, psn, syndrome, skb;
expression err;
@@
send(struct rxe_qp *qp, u8 syndrome, u32 psn, int opcode, ...)
{
...
  skb = prepare_ack_packet(qp, &ack, opcode,
- 0
+ rxe_hook_ack_bytes(qp, opcode, syndrome, psn)
  , psn, syndrome);
  if (!skb)
	return err;
+ rxe_hook_ack_fill(qp, &ack);
...
}
