// SPDX-License-Identifier: GPL-2.0
// Requester: a packet was sent.
// target: rxe_req.c
// hits: 0 err = rxe_xmit_packet(

@@
expression err;
@@
- err = rxe_xmit_packet(
+ rxe_xmit_packet(
  ...);
- if (err) { ... }
