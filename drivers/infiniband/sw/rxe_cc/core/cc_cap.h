/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows that switches dictate, for all that a port sends to one host.
 */
#ifndef _RXE_CC_CAP_H
#define _RXE_CC_CAP_H

#include "cc_qp.h"

enum rxe_cc_cap_event {
	RXE_CC_CAP_SET,
	RXE_CC_CAP_LIFTED,
	RXE_CC_CAP_EXPIRED,
};

void rxe_cc_cap_class(struct rxe_cc_qp *qp, u8 dscp);
void rxe_cc_cap_set(struct rxe_cc_qp *qp, u16 port, u64 window_bytes, u64 now_ns);
void rxe_cc_cap_lift(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_expire(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, enum rxe_cc_side side, bool busy);
void rxe_cc_cap_idle(struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bytes(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_share(const struct rxe_cc_qp *qp);
u64 rxe_cc_cap_bps(const struct rxe_cc_qp *qp);
u64 rxe_cc_cwnd_bytes(const struct rxe_cc_qp *qp);

#endif /* _RXE_CC_CAP_H */
