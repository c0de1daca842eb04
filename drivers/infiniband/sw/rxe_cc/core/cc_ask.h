/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What packets ask for, bear and expect.
 */
#ifndef _RXE_CC_ASK_H
#define _RXE_CC_ASK_H

#include "cc_qp.h"

/* cc_ask.c */
void rxe_cc_tx_decide(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		      u64 now_ns, struct rxe_cc_tx *tx);
bool rxe_cc_int_before(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns,
		       u32 *psn);
void rxe_cc_int_probe(struct rxe_cc_qp *qp, u32 psn);

/* cc_tokens.c */
bool rxe_cc_tokens_next(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes);
void rxe_cc_tokens_sent(struct rxe_cc_qp *qp);

/* cc_expect_rx.c */
void rxe_cc_rx_read(struct rxe_cc_qp *qp, u32 bytes);

/* cc_rx.c */
void rxe_cc_qp_unheard(struct rxe_cc_qp *qp);

#endif /* _RXE_CC_ASK_H */
