// SPDX-License-Identifier: GPL-2.0
/*
 * Caps the bytes in flight of all queue pairs of a port to one host and DSCP at the window that
 * a switch has sent in a congestion notification packet (Mercury), whatever algorithm they run.
 *
 * The switch knows a flow by its two addresses and by the queue, so the cap is that of the
 * peer, and of the queue pairs whose data has the DSCP of the one that got the CNP: another
 * DSCP may be another priority, whose queue is another one. A port knows the DSCP of what it
 * sends, not the priorities of switches: two DSCPs of one priority are two caps, too.
 * The queue pairs that have something under way share a cap equally: each may have the cap
 * over their number, and if that is less than a packet, it is paced, as with any window.
 * A queue pair that uses less than its share leaves the rest of it unused: lending it to others
 * would need a sum that every packet of every queue pair changes.
 *
 * Several ports of switches may report windows. Each has its own place (cc_port_windows.h), and the
 * smallest that has not expired is the cap. Of a port's windows the newest holds, or the
 * smallest: knob cap_least.
 *
 * READ responses and packets of UC queue pairs are not acknowledged, so nobody knows
 * how many are in flight. They are paced instead, at the share of the cap in a base
 * round-trip time. Where that is not known they are not held. Such a queue pair has
 * something under way from the first packet of a message to the last.
 *
 * A window holds until the knob cap_expiry has passed since its port repeated it, or
 * until an algorithm lifts them all. Nobody waits longer: who is paced by it is woken when
 * it expires, and who waits for room in a window has an ACK to come.
 *
 * Only CNPs that the core believes, and that a switch has made, set a cap: see
 * cc_cnp_rx.c and the knob switch_feedback.
 *
 * Locks: cap->lock, inside of qp->lock, guards the windows. What is in force, @bytes and
 * @until_ns, is read without it. The time is written before the bytes, so a new window does
 * not end with the old one.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "cc_core.h"
#include "cc_trace.h"

/* The cap that queue pairs of a DSCP have. There are more DSCPs than caps: whoever finds
 * none free shares one.
 */
static struct rxe_cc_cap *rxe_cc_cap_of(struct rxe_cc_peer *peer, u8 dscp)
{
	unsigned int i;

	for (i = 0; i < RXE_CC_CAP_CLASSES; i++) {
		u32 key = cmpxchg(&peer->caps[i].key, 0, dscp + 1);

		if (!key || key == dscp + 1)
			return &peer->caps[i];
	}
	return &peer->caps[dscp % RXE_CC_CAP_CLASSES];
}

/**
 * rxe_cc_cap_class() - a queue pair sends with that DSCP, to its present peer
 * @qp: queue pair
 * @dscp: of its data
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_class(struct rxe_cc_qp *qp, u8 dscp)
{
	struct rxe_cc_cap *cap = rxe_cc_cap_of(qp->peer, dscp);

	if (cap == qp->cap)
		return;
	if (qp->cap_busy) {
		atomic_inc(&cap->busy);
		atomic_dec(&qp->cap->busy);
	}
	qp->cap = cap;
}

/* What is in force now. Under cap->lock. */
static void rxe_cc_cap_show(struct rxe_cc_cap *cap, u64 now_ns)
{
	struct rxe_cc_window least = rxe_cc_windows_least(&cap->windows, now_ns);

	WRITE_ONCE(cap->until_ns, least.until_ns);
	WRITE_ONCE(cap->bytes, least.bytes);
}

/**
 * rxe_cc_cap_set() - a switch reports a window
 * @qp: queue pair that got the CNP
 * @port: number of the port that reports it
 * @window_bytes: the window, not 0
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_set(struct rxe_cc_qp *qp, u16 port, u64 window_bytes, u64 now_ns)
{
	u64 expiry_ns = rxe_cc_knob(qp->port, RXE_CC_KNOB_CAP_EXPIRY);
	bool least = rxe_cc_knob(qp->port, RXE_CC_KNOB_CAP_LEAST);
	const struct rxe_cc_window new = {
		.bytes = window_bytes,
		.until_ns = rxe_cc_sat_add(now_ns, expiry_ns),
		.port = port,
	};
	struct rxe_cc_cap *cap = qp->cap;

	spin_lock(&cap->lock);
	rxe_cc_windows_set(&cap->windows, &new, least, now_ns);
	rxe_cc_cap_show(cap, now_ns);
	spin_unlock(&cap->lock);
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_SET);
	trace_rxe_cc_cap(qp, RXE_CC_CAP_SET, now_ns);
}

/* No window holds any longer. False when none did. */
static bool rxe_cc_cap_clear(struct rxe_cc_cap *cap)
{
	bool held;

	if (!READ_ONCE(cap->bytes))
		return false;
	spin_lock(&cap->lock);
	held = cap->bytes;
	memset(&cap->windows, 0, sizeof(cap->windows));
	WRITE_ONCE(cap->bytes, 0);
	spin_unlock(&cap->lock);
	return held;
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
	if (!rxe_cc_cap_clear(qp->cap))
		return;
	trace_rxe_cc_cap(qp, RXE_CC_CAP_LIFTED, now_ns);
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_LIFTED);
	if (atomic_read(&qp->cap->busy) > 1)
		rxe_cc_peer_kick(qp);
}

/**
 * rxe_cc_cap_expire() - is the window in force too old? The next smallest takes its place
 * @qp: queue pair; what it has to wait for is to be asked again
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_expire(struct rxe_cc_qp *qp, u64 now_ns)
{
	struct rxe_cc_cap *cap = qp->cap;
	bool over;

	if (!READ_ONCE(cap->bytes) || now_ns < READ_ONCE(cap->until_ns))
		return;
	spin_lock(&cap->lock);
	/* Another queue pair may have said so. */
	over = cap->bytes && now_ns >= cap->until_ns;
	if (over)
		rxe_cc_cap_show(cap, now_ns);
	spin_unlock(&cap->lock);
	if (!over)
		return;
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_EXPIRED);
	trace_rxe_cc_cap(qp, RXE_CC_CAP_EXPIRED, now_ns);
}

/**
 * rxe_cc_cap_busy() - has a side of a queue pair something under way?
 * @qp: queue pair; while it has, it is counted among those that share its cap
 * @side: which
 * @busy: it has
 *
 * Context: qp->lock held, or the queue pair's life cycle.
 */
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, enum rxe_cc_side side, bool busy)
{
	u8 sides = busy ? qp->cap_busy | BIT(side) : qp->cap_busy & ~BIT(side);

	if (sides == qp->cap_busy || !qp->cap)
		return;
	if (!qp->cap_busy)
		atomic_inc(&qp->cap->busy);
	else if (!sides)
		atomic_dec(&qp->cap->busy);
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
 * Return: bytes for all queue pairs to its peer that have its DSCP; 0: none.
 */
u64 rxe_cc_cap_bytes(const struct rxe_cc_qp *qp)
{
	struct rxe_cc_cap *cap = qp->cap;
	u64 bytes = READ_ONCE(cap->bytes);

	if (likely(!bytes) || qp->last_ns < READ_ONCE(cap->until_ns))
		return bytes;
	spin_lock(&cap->lock);
	bytes = rxe_cc_windows_least(&cap->windows, qp->last_ns).bytes;
	spin_unlock(&cap->lock);
	return bytes;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_cap_bytes);

/* What a queue pair has of something that those with something under way share. */
static u64 rxe_cc_busy_share(const struct rxe_cc_qp *qp, u64 bytes)
{
	return max(div_u64(bytes, max(atomic_read(&qp->cap->busy), 1)), 1ULL);
}

/**
 * rxe_cc_cap_share() - what a queue pair has of its cap
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: bytes; RXE_CC_NO_WINDOW: no cap.
 */
u64 rxe_cc_cap_share(const struct rxe_cc_qp *qp)
{
	u64 cap_bytes = rxe_cc_cap_bytes(qp);

	return likely(!cap_bytes) ? RXE_CC_NO_WINDOW : rxe_cc_busy_share(qp, cap_bytes);
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_cap_share);

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
		cwnd_bytes = rxe_cc_busy_share(qp, cwnd_bytes);
	return min(cwnd_bytes, rxe_cc_cap_share(qp));
}
