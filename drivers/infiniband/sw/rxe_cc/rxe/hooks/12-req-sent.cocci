// SPDX-License-Identifier: GPL-2.0
// Requester: a packet was handed down and the PSNs are up to date.
// target: rxe_req.c
// hits: 1 rxe_hook_tx_sent(

@@
identifier qp, pkt;
@@
  update_state(qp, &pkt);
+ rxe_hook_tx_sent(qp, &pkt);
