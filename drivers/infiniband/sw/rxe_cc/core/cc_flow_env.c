// SPDX-License-Identifier: GPL-2.0
/*
 * Fills in what a flow knows of its surroundings (line rate, packet size, base round-trip time,
 * peer), and chooses its profile of in-band network telemetry (INT).
 *
 * cc_int_feedback.c says what an algorithm that needs INT gets where the peer is no sink of it.
 */
#include <rxe_cc/wire.h>

#include "cc_core.h"

/* Kind of INT that goes to the peer, RXE_CC_WANT_*, or 0. Under qp->lock. */
static u8 rxe_cc_int_kind(const struct rxe_cc_qp *qp)
{
	u64 mode = rxe_cc_knob(qp->port, RXE_CC_KNOB_INT);
	u8 peer = qp->handle->peer;

	if (mode == RXE_CC_INT_OFF)
		return 0;
	if (!(peer & RXE_CC_CAP_INT_SINK) &&
	    (mode != RXE_CC_INT_ON || peer & RXE_CC_PEER_KNOWN))
		return 0;
	return rxe_cc_flow_int(&qp->flow);
}

/* In which profile. What a peer has not said it knows it does not get. Under
 * qp->lock.
 */
static u8 rxe_cc_int_profile(const struct rxe_cc_qp *qp)
{
	enum rxe_cc_int_profile profile = rxe_cc_flow_profile(&qp->flow);

	if (!(qp->handle->peer & RXE_CC_CAP_INT_PROFILES) ||
	    (profile == RXE_CC_INT_COMPACT && qp->compact.full))
		return RXE_CC_INT_FULL;
	return profile;
}

/* Ports weigh queues by T, which only the source knows. The handle is written to only where
 * that has changed. Under qp->lock.
 */
void rxe_cc_int_flags(struct rxe_cc_qp *qp)
{
	struct rxe_cc_qp_handle *h = qp->handle;
	u16 flags = h->int_profile == RXE_CC_INT_WORST ?
		    rxe_cc_worst_t_code(qp->flow.base_rtt_ns) : 0;

	if (h->int_flags != flags)
		WRITE_ONCE(h->int_flags, flags);
}

/* Does its sender go by what receivers say? */
static bool rxe_cc_qp_obeys(const struct rxe_cc_qp *qp)
{
	return qp->inst->ops->obeys || qp->flow.wants & RXE_CC_WANT_FB;
}

/* Whose hops the own algorithm may keep: of a peer that gets no feedback, or does
 * not go by it, telemetry is echoed.
 */
static u8 rxe_cc_rx_hops_cap(const struct rxe_cc_qp *qp)
{
	return rxe_cc_qp_obeys(qp) ? RXE_CC_CAP_OBEYS : RXE_CC_CAP_FB;
}

/* What the QP does, from its algorithm, the port's mode and the peer. Under
 * qp->lock.
 */
static void rxe_cc_qp_telemetry(struct rxe_cc_qp *qp)
{
	u64 mode = rxe_cc_knob(qp->port, RXE_CC_KNOB_INT);
	struct rxe_cc_qp_handle *h = qp->handle;
	u8 int_tx = RXE_CC_INT_TX_NONE;
	u8 caps = 0, kind = 0;

	/* Feedback is in ACKs, which UC has not. */
	if (qp->inst->ops != &rxe_cc_none_ops && !qp->info.uc) {
		caps = RXE_CC_CAP_TLV | RXE_CC_CAP_FB | RXE_CC_CAP_CNP_PSN;
		if (rxe_cc_qp_obeys(qp))
			caps |= RXE_CC_CAP_OBEYS;
		if (mode != RXE_CC_INT_OFF)
			caps |= RXE_CC_CAP_INT_SINK | RXE_CC_CAP_INT_PROFILES;
		kind = rxe_cc_int_kind(qp);
	}
	if (kind == RXE_CC_WANT_INT)
		int_tx = RXE_CC_INT_TX_ALL;
	else if (kind == RXE_CC_WANT_INT_SPARSE)
		int_tx = RXE_CC_INT_TX_ASK;
	/* A probe is a packet of its own, which strangers must not get. */
	qp->int_probe = kind == RXE_CC_WANT_INT_PROBE &&
			h->peer & RXE_CC_CAP_INT_SINK &&
			qp->port->host_ops->send_probe;
	qp->wants = qp->flow.wants;
	WRITE_ONCE(qp->rx_hops,
		   caps && qp->wants & RXE_CC_WANT_RX_HOPS &&
		   h->peer & rxe_cc_rx_hops_cap(qp));
	/* What it sees it says in a report, which a peer must understand. */
	WRITE_ONCE(qp->rx_looks,
		   caps && qp->wants & RXE_CC_WANT_RX_LOOK && h->peer & RXE_CC_CAP_FB);
	WRITE_ONCE(qp->sync_rx, qp->inst->ops->all_data || rxe_cc_rxp_on(qp->inst->rx));
	WRITE_ONCE(h->stamps, qp->rx_hops || qp->rx_looks || qp->sync_rx);
	WRITE_ONCE(h->caps, caps);
	qp->compact.due = false;
	WRITE_ONCE(h->int_profile, rxe_cc_int_profile(qp));
	WRITE_ONCE(h->int_tx, int_tx);
	rxe_cc_rtts_wanted(qp);
}

/* What is to be shown: enum rxe_cc_qp_telemetry, or -1 for a queue pair whose
 * algorithm needs none, or goes by something else with its parameters. Under qp->lock.
 */
int rxe_cc_qp_telemetry_state(const struct rxe_cc_qp *qp)
{
	const u8 kinds = RXE_CC_WANT_INT | RXE_CC_WANT_INT_SPARSE | RXE_CC_WANT_INT_PROBE;
	const struct rxe_cc_qp_handle *h = qp->handle;

	if (!(rxe_cc_needs(qp->inst->ops, qp->inst->params) & RXE_CC_ALGO_NEED_INT) ||
	    !(qp->flow.wants & kinds))
		return -1;
	if (h->int_tx != RXE_CC_INT_TX_NONE || qp->int_probe)
		return RXE_CC_QP_TELEMETRY_ACTIVE;
	return h->peer & RXE_CC_PEER_KNOWN ? RXE_CC_QP_TELEMETRY_FALLBACK :
					     RXE_CC_QP_TELEMETRY_WAITING;
}

/**
 * rxe_cc_qp_env() - what the port and the path say
 * @qp: queue pair
 * @env: receives it
 *
 * Context: qp->lock held.
 */
void rxe_cc_qp_env(const struct rxe_cc_qp *qp, struct rxe_cc_env *env)
{
	const struct rxe_cc_port *port = qp->port;

	*env = (struct rxe_cc_env) {
		.line_rate_bps = READ_ONCE(port->line_rate_bps),
		.min_rate_bps = rxe_cc_knob(port, RXE_CC_KNOB_MIN_RATE),
		.base_rtt_ns = rxe_cc_knob(port, RXE_CC_KNOB_BASE_RTT),
		.rtt_window_ns = rxe_cc_knob(port, RXE_CC_KNOB_RTT_WINDOW),
		.clock_common = rxe_cc_knob(port, RXE_CC_KNOB_CLOCK_COMMON),
		.peer_obeys = qp->handle->peer & RXE_CC_CAP_OBEYS,
		.pkt_bytes = qp->info.mtu_bytes + qp->info.hdr_bytes +
			     (qp->handle->int_tx == RXE_CC_INT_TX_ALL ?
			      rxe_cc_int_first_link(qp->handle->int_profile) :
			      0),
	};
}
EXPORT_SYMBOL_GPL(rxe_cc_qp_env);

/* No one-way delay is known. Under qp->lock. */
void rxe_cc_owd_forget(struct rxe_cc_qp *qp)
{
	memset(&qp->owd_tx, 0, sizeof(qp->owd_tx));
	memset(&qp->owd_rx, 0, sizeof(qp->owd_rx));
}

/* The same into the flow and into what is not the algorithm's. Under qp->lock. */
void rxe_cc_qp_set_env(struct rxe_cc_qp *qp)
{
	u64 data = rxe_cc_knob(qp->port, RXE_CC_KNOB_DATA_DSCP);
	u64 ack = rxe_cc_knob(qp->port, RXE_CC_KNOB_ACK_DSCP);
	struct rxe_cc_env env;

	rxe_cc_qp_telemetry(qp);
	rxe_cc_qp_env(qp, &env);
	/* Differences that were believed before may be impossible now. */
	if (env.clock_common != qp->flow.clock_common)
		rxe_cc_owd_forget(qp);
	rxe_cc_flow_env(&qp->flow, &env);
	rxe_cc_int_flags(qp);
	if (!rxe_cc_rxp_on(qp->inst->rx))
		qp->flow.rx = (struct rxe_cc_rx_view) {};
	WRITE_ONCE(qp->dscp[RXE_CC_CLASS_DATA], data);
	rxe_cc_cap_class(qp, data == RXE_CC_DSCP_KEEP ? qp->info.tos >> 2 : data);
	WRITE_ONCE(qp->dscp[RXE_CC_CLASS_ACK], ack == RXE_CC_DSCP_DATA ? data : ack);
	WRITE_ONCE(qp->dscp[RXE_CC_CLASS_CNP], rxe_cc_knob(qp->port, RXE_CC_KNOB_CNP_DSCP));
}
