// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notification packets (CNPs) that arrive: checks whether each is believed, and gives
 * it to the algorithm.
 *
 * Anybody can send a CNP in the name of a peer, and nothing in the standard's shows
 * that its author saw the flow. Ours name the packet that caused them. From a peer
 * that has shown to send such, by a capability bit, a CNP must name a packet that is
 * out now and is newer than the last one named: who sees none of the flow's packets
 * has to guess one of 2^24 numbers. From others, which have nothing to show, no more
 * are believed than a notification point of theirs could have sent: one an interval,
 * and none unless data was sent since the last.
 *
 * Switches number their ports in CNPs. Several ports of a path may be congested, and the
 * nearest names the newest packets. So a packet may be named once by each port, and each
 * names newer ones only. At most RXE_CC_CNP_PORTS ports are believed at a time: whoever has
 * guessed a number may say that it comes from any port, and is believed so often at most.
 */
#include "cc_core.h"
#include "cc_trace.h"

/* Packets of a side are sent again, so older ones may be marked after newer ones.
 * Under qp->lock.
 */
void rxe_cc_cnps_again(struct rxe_cc_qp *qp, enum rxe_cc_side side)
{
	struct rxe_cc_cnps *c = &qp->cnp;
	unsigned int i;

	c->peer.seen &= ~BIT(side);
	for (i = 0; i < RXE_CC_CNP_PORTS; i++)
		c->port[i].seen &= ~BIT(side);
}

/* Is the packet still under way that was named last? PSNs may have come round since. */
static bool rxe_cc_cnp_fresh(const struct rxe_cc_qp *qp, const struct rxe_cc_cnp_from *from,
			     enum rxe_cc_side side, u64 now_ns)
{
	return from->seen & BIT(side) &&
	       rxe_cc_psn_out(qp, side, from->psn[side], now_ns);
}

/* Place of the author of a CNP, or NULL: too many ports have named packets that are still
 * under way. A place is free when none is: then no packet that its port has named can be
 * named again.
 */
static struct rxe_cc_cnp_from *rxe_cc_cnp_from(struct rxe_cc_qp *qp,
					       const struct rxe_cc_cnp *cnp, u64 now_ns)
{
	struct rxe_cc_cnp_from *from, *spare = NULL;
	unsigned int i;

	if (!cnp->forward)
		return &qp->cnp.peer;
	for (i = 0; i < RXE_CC_CNP_PORTS; i++) {
		from = &qp->cnp.port[i];
		if (from->seen && from->port == cnp->port)
			return from;
		if (!rxe_cc_cnp_fresh(qp, from, RXE_CC_REQUESTER, now_ns) &&
		    !rxe_cc_cnp_fresh(qp, from, RXE_CC_RESPONDER, now_ns))
			spare = from;
	}
	return spare;
}

/* The place is this author's from now on. */
static void rxe_cc_cnp_note(struct rxe_cc_cnp_from *from, const struct rxe_cc_cnp *cnp,
			    enum rxe_cc_side side)
{
	if (from->port != cnp->port)
		from->seen = 0;
	from->port = cnp->port;
	from->seen |= BIT(side);
	from->psn[side] = cnp->psn;
}

/* A CNP that names a packet. It does not say whether that is a request or a READ
 * response.
 */
static enum rxe_cc_counter rxe_cc_cnp_named(struct rxe_cc_qp *qp,
					    const struct rxe_cc_cnp *cnp,
					    u64 now_ns)
{
	struct rxe_cc_cnp_from *from = rxe_cc_cnp_from(qp, cnp, now_ns);
	enum rxe_cc_counter what = RXE_CC_CNT_RP_CNP_FORGED;
	enum rxe_cc_side side;

	for (side = RXE_CC_REQUESTER; side <= RXE_CC_RESPONDER; side++) {
		if (!rxe_cc_psn_out(qp, side, cnp->psn, now_ns))
			continue;
		if (!from)
			return RXE_CC_CNT_RP_CNP_LIMITED;
		if ((!cnp->forward || from->port == cnp->port) &&
		    rxe_cc_cnp_fresh(qp, from, side, now_ns) &&
		    rxe_cc_psn_diff(cnp->psn, from->psn[side]) <= 0) {
			what = RXE_CC_CNT_RP_CNP_LATE;
			continue;
		}
		rxe_cc_cnp_note(from, cnp, side);
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
	    !rxe_cc_knob(qp->port, RXE_CC_KNOB_SWITCH_FEEDBACK))
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
		rxe_cc_cap_set(qp, cnp->port, cnp->window_bytes, s.now_ns);
	s.next_seq = qp->vseq.next;
	s.inflight_bytes = rxe_cc_inflight_bytes(qp);
	wake = rxe_cc_call(qp, RXE_CC_EV_CNP, qp->inst->ops->on_cnp, &s);
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_cnp);
