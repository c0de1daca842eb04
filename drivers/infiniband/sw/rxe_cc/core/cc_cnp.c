// SPDX-License-Identifier: GPL-2.0
/*
 * CNPs that arrive: which are believed.
 *
 * Anybody can send a CNP in the name of a peer, and nothing in the standard's tells
 * that its author saw the flow. Ours name the packet that caused them. From a peer
 * that has shown to send such, by a capability bit, a CNP must name a packet that is
 * out now and is newer than the last one named: who sees none of the flow's packets
 * has to guess one of 2^24 numbers. From others, which have nothing to show, no more
 * are believed than a notification point of theirs could have sent: one an interval,
 * and none unless data was sent since the last.
 */
#include "cc_apply.h"
#include "cc_cap.h"
#include "cc_cnp.h"
#include "ctl/cc_trace.h"

/* And how many: as many as may be under way where they are acknowledged. */
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

/* Packets of a side are sent again, so older ones may be marked after newer ones.
 * Under qp->lock.
 */
void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side)
{
	qp->cnp.seen &= ~(3 << 2 * side);
}

/* A CNP that names a packet. It does not say whether that is a request or a READ
 * response.
 */
static enum rxe_cc_counter rxe_cc_cnp_named(struct rxe_cc_qp *qp,
					    const struct rxe_cc_cnp *cnp,
					    u64 now_ns)
{
	enum rxe_cc_counter what = RXE_CC_CNT_RP_CNP_FORGED;
	struct rxe_cc_cnps *c = &qp->cnp;
	enum rxe_cc_side side;

	for (side = RXE_CC_REQUESTER; side <= RXE_CC_RESPONDER; side++) {
		u32 *last = &c->psn[side][cnp->forward];
		u8 bit = BIT(2 * side + cnp->forward);

		if (!rxe_cc_psn_out(qp, side, cnp->psn, now_ns))
			continue;
		/* The last one may be so old that PSNs have come round since. */
		if (c->seen & bit && rxe_cc_psn_out(qp, side, *last, now_ns) &&
		    rxe_cc_psn_diff(cnp->psn, *last) <= 0) {
			what = RXE_CC_CNT_RP_CNP_LATE;
			continue;
		}
		c->seen |= bit;
		*last = cnp->psn;
		return RXE_CC_CNT_RP_CNP_HANDLED;
	}
	return what;
}

/* Does a switch dictate a window? The core sees to that, whatever the algorithm. */
static bool rxe_cc_cnp_caps(const struct rxe_cc_cnp *cnp)
{
	return cnp->forward && cnp->window_bytes &&
	       cnp->origin != RXE_CC_CNP_NP;
}

/* What is wrong with it, or RXE_CC_CNT_RP_CNP_HANDLED. Under qp->lock. */
static enum rxe_cc_counter rxe_cc_cnp_check(struct rxe_cc_qp *qp,
					    const struct rxe_cc_cnp *cnp,
					    u64 now_ns)
{
	u64 gap_ns = qp->flow.cnp_gap_ns;

	if (!qp->algo_on ||
	    !(qp->inst->ops->on_cnp || rxe_cc_cnp_caps(cnp)))
		return RXE_CC_CNT_RP_CNP_IGNORED;
	if (cnp->forward &&
	    !READ_ONCE(qp->port->knob[RXE_CC_KNOB_SWITCH_FEEDBACK]))
		return RXE_CC_CNT_RP_CNP_REFUSED;
	if (cnp->psn_valid)
		return rxe_cc_cnp_named(qp, cnp, now_ns);
	if (cnp->forward || qp->handle->peer & RXE_CC_CAP_CNP_PSN)
		return RXE_CC_CNT_RP_CNP_FORGED;
	/* On its way one may gain up to half an interval on the one before it. */
	if (!qp->cnp.sent || now_ns + gap_ns / 2 < qp->cnp.due_ns)
		return RXE_CC_CNT_RP_CNP_LIMITED;
	qp->cnp.due_ns = rxe_cc_sat_add(max(qp->cnp.due_ns, now_ns), gap_ns);
	return RXE_CC_CNT_RP_CNP_HANDLED;
}

/**
 * rxe_cc_rx_cnp() - a CNP arrived
 * @qp: queue pair that it is for
 * @cnp: what it says
 *
 * One that is not believed, or that the algorithm has no use for, is counted by
 * reason and changes nothing.
 *
 * Context: softirq.
 */
void rxe_cc_rx_cnp(struct rxe_cc_qp *qp, const struct rxe_cc_cnp *cnp)
{
	struct rxe_cc_sample s = {
		.cnp_window_bytes = cnp->window_bytes,
		.cnp_origin = cnp->origin,
	};
	enum rxe_cc_counter what;
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	s.now_ns = rxe_cc_now(qp);
	what = rxe_cc_cnp_check(qp, cnp, s.now_ns);
	rxe_cc_count(qp->port, what);
	if (what != RXE_CC_CNT_RP_CNP_HANDLED)
		goto out;
	qp->cnp.sent = false;
	qp->counter[RXE_CC_QCNT_CNP_HANDLED]++;
	trace_rxe_cc_cnp(qp, false, 0, cnp->window_bytes);
	if (rxe_cc_cnp_caps(cnp))
		rxe_cc_cap_set(qp, cnp->window_bytes, s.now_ns);
	s.next_seq = qp->vseq.next;
	s.inflight_bytes = rxe_cc_inflight_bytes(qp);
	wake = rxe_cc_call(qp, RXE_CC_EV_CNP, qp->inst->ops->on_cnp, &s);
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_cnp);
