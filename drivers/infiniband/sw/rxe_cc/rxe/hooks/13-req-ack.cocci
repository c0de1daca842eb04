// SPDX-License-Identifier: GPL-2.0
// Requester: how often to ask for an ACK.
// target: rxe_req.c
// hits: 1 rxe_hook_ack_due(

@@
expression qp;
@@
- (qp->req.noack_pkts++ > RXE_MAX_PKT_PER_ACK)
+ rxe_hook_ack_due(qp)
