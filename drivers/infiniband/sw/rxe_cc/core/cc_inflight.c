// SPDX-License-Identifier: GPL-2.0
/*
 * Tells whether a PSN that a CNP or report names is of a packet that a queue pair may have under
 * way.
 */
#include "cc_port.h"
#include "cc_qp.h"

/* How many are looked for where nobody acknowledges: as many as may be under way where
 * somebody does.
 */
static s32 rxe_cc_psn_most(const struct rxe_cc_qp *qp)
{
	return max_t(u32, READ_ONCE(qp->port->handle->max_unacked_psns),
		     RXE_CC_RECENT_MIN);
}

static bool rxe_cc_unacked(const struct rxe_cc_qp *qp, enum rxe_cc_side side)
{
	return side == RXE_CC_RESPONDER || qp->info.uc;
}

/* A packet was sent, or sent again. Under qp->lock. */
void rxe_cc_psn_sent(struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		     u32 next_psn, u64 now_ns)
{
	if (rxe_cc_unacked(qp, side))
		rxe_cc_recent_sent(&qp->recent, psn, next_psn, now_ns,
				   RXE_CC_LIFE_NS);
	qp->cnp.sent = true;
}

/* Is it the PSN of a packet that somebody on its way may have seen just now: sent
 * and not acknowledged, or not long ago if nobody does that? Under qp->lock.
 */
bool rxe_cc_psn_out(const struct rxe_cc_qp *qp, enum rxe_cc_side side, u32 psn,
		    u64 now_ns)
{
	if (rxe_cc_unacked(qp, side))
		return rxe_cc_recent_has(&qp->recent, psn, now_ns,
					 RXE_CC_LIFE_NS, rxe_cc_psn_most(qp));
	return rxe_cc_psns_out(&qp->psns, psn);
}
