// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that a switch dictates (Mercury): a cap on what all flows of a port to one
 * host may have in flight together, whatever algorithm they run.
 *
 * The switch knows a flow by its two addresses, so the cap is the peer's. The queue
 * pairs that have something under way share it equally: each may have the cap over
 * their number, and if that is less than a packet, it is paced, as with any window.
 * A queue pair that uses less than its share leaves the rest of it unused: to lend it
 * to others would take a sum that each packet of each changes.
 *
 * READ responses and packets of UC queue pairs are not acknowledged, so nobody knows
 * how many are in flight. They are paced instead, at the share of the cap in a base
 * round-trip time. Where that is not known they are not held. Such a queue pair has
 * something under way from the first packet of a message to the last.
 *
 * The cap holds until the knob cap_expiry has passed since a switch repeated it, or
 * until an algorithm lifts it. Nobody waits longer: who is paced by it is woken when
 * it expires, and who waits for room in a window has an ACK to come.
 *
 * Only CNPs that the core believes, and that a switch has made, set a cap: see
 * cc_cnp.c and the knob switch_feedback.
 *
 * Locks: none but qp->lock of the queue pair that is served. @cap_bytes and
 * @cap_until_ns of a peer are written by any of its queue pairs, each as a whole. The
 * time is written before the bytes, so a new window does not end with the old one.
 * Two CNPs at a time leave the window of one and the time of either, which are alike.
 */
#include "cc_cap.h"
#include "ctl/cc_trace.h"

/**
 * rxe_cc_cap_set() - a switch tells a window
 * @qp: queue pair that it was told to
 * @window_bytes: the window, not 0
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_set(struct rxe_cc_qp *qp, u64 window_bytes, u64 now_ns)
{
	struct rxe_cc_peer *peer = qp->peer;
	u64 expiry_ns = READ_ONCE(qp->port->knob[RXE_CC_KNOB_CAP_EXPIRY]);

	WRITE_ONCE(peer->cap_until_ns, rxe_cc_sat_add(now_ns, expiry_ns));
	WRITE_ONCE(peer->cap_bytes, window_bytes);
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_SET);
	trace_rxe_cc_cap(qp, RXE_CC_CAP_SET, now_ns);
}

/* It holds no longer. False when another call has said so. */
static bool rxe_cc_cap_end(struct rxe_cc_qp *qp, enum rxe_cc_cap_event what,
			   u64 now_ns)
{
	u64 cap_bytes = READ_ONCE(qp->peer->cap_bytes);

	if (!cap_bytes || cmpxchg64(&qp->peer->cap_bytes, cap_bytes, 0) != cap_bytes)
		return false;
	trace_rxe_cc_cap(qp, what, now_ns);
	return true;
}

/**
 * rxe_cc_cap_lift() - an algorithm says that the cap holds no longer
 * @qp: queue pair of that algorithm
 * @now_ns: time
 *
 * Others of the algorithm that share it go on at once, those of another algorithm with
 * their next packet or ACK, or when it would have expired.
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_lift(struct rxe_cc_qp *qp, u64 now_ns)
{
	if (!rxe_cc_cap_end(qp, RXE_CC_CAP_LIFTED, now_ns))
		return;
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_LIFTED);
	if (atomic_read(&qp->peer->busy) > 1)
		rxe_cc_peer_kick(qp);
}

/**
 * rxe_cc_cap_expire() - is the cap too old?
 * @qp: queue pair; what it has to wait for is to be asked again
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_expire(struct rxe_cc_qp *qp, u64 now_ns)
{
	if (now_ns >= READ_ONCE(qp->peer->cap_until_ns) &&
	    rxe_cc_cap_end(qp, RXE_CC_CAP_EXPIRED, now_ns))
		rxe_cc_count(qp->port, RXE_CC_CNT_CAP_EXPIRED);
}

/**
 * rxe_cc_cap_busy() - has a side of a queue pair something under way?
 * @qp: queue pair; while it has, it is counted among those that share its peer's cap
 * @side: which
 * @busy: it has
 *
 * Context: qp->lock held, or the queue pair's life cycle.
 */
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, enum rxe_cc_side side, bool busy)
{
	u8 sides = busy ? qp->cap_busy | BIT(side) : qp->cap_busy & ~BIT(side);

	if (sides == qp->cap_busy || !qp->peer)
		return;
	if (!qp->cap_busy)
		atomic_inc(&qp->peer->busy);
	else if (!sides)
		atomic_dec(&qp->peer->busy);
	qp->cap_busy = sides;
}

/**
 * rxe_cc_cap_idle() - a queue pair starts anew, or goes
 * @qp: queue pair
 *
 * Context: qp->lock held, or the queue pair's life cycle.
 */
void rxe_cc_cap_idle(struct rxe_cc_qp *qp)
{
	rxe_cc_cap_busy(qp, RXE_CC_REQUESTER, false);
	rxe_cc_cap_busy(qp, RXE_CC_RESPONDER, false);
	qp->cap_paced = false;
}

/**
 * rxe_cc_cap_bytes() - window of a switch that is in force
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: bytes for all queue pairs to its peer; 0: none.
 */
u64 rxe_cc_cap_bytes(const struct rxe_cc_qp *qp)
{
	u64 cap_bytes = READ_ONCE(qp->peer->cap_bytes);

	if (likely(!cap_bytes) || qp->last_ns >= READ_ONCE(qp->peer->cap_until_ns))
		return 0;
	return cap_bytes;
}

/* What a queue pair has of something that those with something under way share. */
static u64 rxe_cc_pair_share(const struct rxe_cc_qp *qp, u64 bytes)
{
	return max(div_u64(bytes, max(atomic_read(&qp->peer->busy), 1)), 1ULL);
}

/**
 * rxe_cc_cap_share() - what a queue pair has of its peer's cap
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: bytes; RXE_CC_NO_WINDOW: no cap.
 */
u64 rxe_cc_cap_share(const struct rxe_cc_qp *qp)
{
	u64 cap_bytes = rxe_cc_cap_bytes(qp);

	return likely(!cap_bytes) ? RXE_CC_NO_WINDOW : rxe_cc_pair_share(qp, cap_bytes);
}

/**
 * rxe_cc_cap_bps() - pace of what nobody acknowledges, by the cap
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: bit/s, not below the flow's floor; the line rate: the cap is none, or holds
 *	this queue pair by its window.
 */
u64 rxe_cc_cap_bps(const struct rxe_cc_qp *qp)
{
	const struct rxe_cc_flow *f = &qp->flow;
	u64 share = rxe_cc_cap_share(qp);

	if (likely(share == RXE_CC_NO_WINDOW) || !f->base_rtt_ns ||
	    !(qp->info.uc || qp->cap_busy & BIT(RXE_CC_RESPONDER)))
		return f->line_rate_bps;
	return max(rxe_cc_window_rate_bps(share, f->base_rtt_ns), f->min_rate_bps);
}

/**
 * rxe_cc_cwnd_bytes() - window of a flow that is in force
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: the algorithm's window, or the flow's share of it, or of the cap where that
 *	is less; RXE_CC_NO_WINDOW: none.
 */
u64 rxe_cc_cwnd_bytes(const struct rxe_cc_qp *qp)
{
	u64 cwnd_bytes = qp->flow.cwnd_bytes;

	if (qp->flow.wants & RXE_CC_WANT_PAIR_WINDOW && cwnd_bytes != RXE_CC_NO_WINDOW)
		cwnd_bytes = rxe_cc_pair_share(qp, cwnd_bytes);
	return min(cwnd_bytes, rxe_cc_cap_share(qp));
}
