// SPDX-License-Identifier: GPL-2.0
// Requester: packets on their way at which it goes on at once.
// target: rxe_req.c
// needs: 2-wake-up
// hits: 1 rxe->cc.skbs_out_low

@@
@@
- RXE_INFLIGHT_SKBS_PER_QP_LOW
+ READ_ONCE(rxe->cc.skbs_out_low)
