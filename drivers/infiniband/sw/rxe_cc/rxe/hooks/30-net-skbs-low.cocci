// SPDX-License-Identifier: GPL-2.0
// Packets on their way at which the requester goes on: a parameter of the device.
// target: rxe_net.c
// hits: 1 rxe_hook_skbs_low(

@@
idexpression n;
@@
- n < RXE_INFLIGHT_SKBS_PER_QP_LOW
+ rxe_hook_skbs_low(qp, n)
