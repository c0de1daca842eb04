// SPDX-License-Identifier: GPL-2.0
// Unacknowledged PSNs a QP may have: a parameter of the device.
// target: rxe_req.c
// hits: 1 rxe->cc.max_unacked_psns

@@
@@
- RXE_MAX_UNACKED_PSNS
+ READ_ONCE(rxe->cc.max_unacked_psns)
