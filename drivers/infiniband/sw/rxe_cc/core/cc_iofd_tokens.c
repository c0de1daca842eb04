// SPDX-License-Identifier: GPL-2.0
/*
 * Deflection tokens: marks the packets of short messages that a switch may send by another port
 * (in-order flow deflection, IOFD, net/sched/sch_roce/features/iofd/), and keeps a queue pair's
 * packets in order.
 *
 * A switch decides about a flow once, at a packet that bears %RXE_CC_TOKENS_FIRST, and has all
 * that follow go the same way. So that bit says: nothing of this queue pair is under
 * way. The packets from there until all are acknowledged are a burst, and all of them
 * bear the tokens that its first message was given. By these switches tell bursts apart, and
 * visits of one burst. A short message that comes while a burst is under way joins it, whether
 * that has tokens or not. A long one must not be deflected, so it waits for the end of a burst that
 * bears tokens: a round trip at most, and only behind short messages of its own queue
 * pair.
 *
 * READ responses and what UC sends have no acknowledgment: they bear no tokens.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"

/* Nothing is under way. What was sent under algorithm none may be. */
static bool rxe_cc_burst_over(const struct rxe_cc_qp *qp)
{
	return !qp->psns.valid || qp->psns.una == qp->psns.max;
}

static bool rxe_cc_is_short(const struct rxe_cc_qp *qp, enum rxe_cc_pkt kind,
			    u32 bytes)
{
	return kind == RXE_CC_PKT_DATA &&
	       bytes <= rxe_cc_knob(qp->port, RXE_CC_KNOB_IOFD_SHORT);
}

/**
 * rxe_cc_tokens_next() - may a message begin?
 * @qp: queue pair, on a port whose packets bear tokens
 * @kind: what its first packet is; %RXE_CC_PKT_READ_REQ for whatever has an answer of its own
 * @bytes: its payload; of a READ, what is asked for
 *
 * Decides what its packets bear. To be asked before each first packet of a message, also
 * when it is sent again. When it must wait, the requester is woken by the next ACK.
 *
 * Context: qp->lock held.
 *
 * Return: false when it must wait.
 */
bool rxe_cc_tokens_next(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 bytes)
{
	bool is_short = rxe_cc_is_short(qp, kind, bytes);

	if (!qp->algo_on)
		return true;
	if (rxe_cc_burst_over(qp)) {
		qp->resv6 = is_short && !qp->info.uc && !qp->older_out ?
			    rxe_cc_knob(qp->port, RXE_CC_KNOB_IOFD_TOKENS) |
			    RXE_CC_TOKENS_FIRST : 0;
	} else if (qp->resv6 && kind == RXE_CC_PKT_DATA && !is_short) {
		if (!qp->win_waiting)
			rxe_cc_count(qp->port, RXE_CC_CNT_IOFD_WAITS);
		qp->win_waiting = true;
		return false;
	}
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_tokens_next);

/**
 * rxe_cc_tokens_sent() - a request was sent
 * @qp: queue pair
 *
 * Context: qp->lock held.
 */
void rxe_cc_tokens_sent(struct rxe_cc_qp *qp)
{
	if (likely(!(qp->resv6 & RXE_CC_TOKENS_FIRST)))
		return;
	qp->resv6 &= ~RXE_CC_TOKENS_FIRST;
	rxe_cc_count(qp->port, RXE_CC_CNT_IOFD_BURSTS);
}
