/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CNPs and reports are believed: those about packets that are out.
 */
#ifndef _RXE_CC_CNP_H
#define _RXE_CC_CNP_H

#include "cc_qp.h"

bool rxe_cc_psn_out(const struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		    u64 now_ns);
void rxe_cc_psn_sent(struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		     u32 next_psn, u64 now_ns);
void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side);

#endif /* _RXE_CC_CNP_H */
