// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that a switch dictates (Mercury): a cap on what all flows of a port to one
 * host may have in flight together, whatever algorithm they run.
 *
 * The switch knows a flow by its two addresses, so the cap is the peer's. The queue
 * pairs that have something in flight share it equally: each may have the cap over
 * their number, and if that is less than a packet, it is paced, as with any window.
 * The cap holds until the knob cap_expiry has passed since a switch repeated it, or
 * until an algorithm lifts it.
 *
 * Only CNPs that the core believes, and that a switch has made, set a cap: see
 * cc_cnp.c and the knob switch_feedback.
 */
#include "cc_core.h"

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
}

/**
 * rxe_cc_cap_lift() - an algorithm says that the cap holds no longer
 * @qp: queue pair of that algorithm
 *
 * Context: qp->lock held.
 */
void rxe_cc_cap_lift(struct rxe_cc_qp *qp)
{
	if (!READ_ONCE(qp->peer->cap_bytes))
		return;
	WRITE_ONCE(qp->peer->cap_bytes, 0);
	rxe_cc_count(qp->port, RXE_CC_CNT_CAP_LIFTED);
}

/**
 * rxe_cc_cap_busy() - has a queue pair something in flight?
 * @qp: queue pair; counted among those that share its peer's cap, or not any more
 * @busy: it has
 *
 * Context: qp->lock held, or the queue pair's life cycle.
 */
void rxe_cc_cap_busy(struct rxe_cc_qp *qp, bool busy)
{
	if (qp->cap_busy == busy || !qp->peer)
		return;
	qp->cap_busy = busy;
	if (busy)
		atomic_inc(&qp->peer->busy);
	else
		atomic_dec(&qp->peer->busy);
}

/**
 * rxe_cc_cwnd_bytes() - window of a flow that is in force
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: the algorithm's window, or the flow's share of the cap where that is less;
 *	RXE_CC_NO_WINDOW: none.
 */
u64 rxe_cc_cwnd_bytes(const struct rxe_cc_qp *qp)
{
	const struct rxe_cc_peer *peer = qp->peer;
	u64 cap_bytes = READ_ONCE(peer->cap_bytes);

	if (likely(!cap_bytes) || qp->last_ns >= READ_ONCE(peer->cap_until_ns))
		return qp->flow.cwnd_bytes;
	cap_bytes = div_u64(cap_bytes, max(atomic_read(&peer->busy), 1));
	return min(qp->flow.cwnd_bytes, max(cap_bytes, 1ULL));
}
