// SPDX-License-Identifier: GPL-2.0
/*
 * What packets ask for on their way: an ACK; telemetry, for one packet per round
 * trip, by INT on a data packet or by a probe. When that is due is in cc_sparse.h.
 */
#include "cc_core.h"

/* Is the next packet of the flow to have telemetry? Under qp->lock. */
static bool rxe_cc_sparse_free(const struct rxe_cc_qp *qp, u64 now_ns)
{
	return rxe_cc_sparse_due(&qp->sparse, now_ns, qp->flow.srtt_ns,
				 qp->flow.base_rtt_ns);
}

/* Does the request that is being built go with INT and so ask for an ACK? It is
 * taken for that then. Under qp->lock.
 */
static bool rxe_cc_int_due(struct rxe_cc_qp *qp, u64 now_ns)
{
	if (qp->handle->int_tx != RXE_CC_INT_TX_ASK ||
	    !rxe_cc_sparse_free(qp, now_ns))
		return false;
	rxe_cc_sparse_take(&qp->sparse, now_ns, false);
	return true;
}

/* At the present pace, are packets that ask for no ACK out for too long? */
static bool rxe_cc_quiet(const struct rxe_cc_qp *qp, u32 pkts)
{
	u64 bytes = (u64)pkts * qp->flow.pkt_bytes;

	return rxe_cc_ns_for(bytes, qp->pacer.rate_bps) >= RXE_CC_ACK_QUIET_NS;
}

/* With a window, an ACK is needed for each eighth of it, and for the last packet
 * that it lets go: else the flow would stand until the retransmission timer. Packets
 * that wait for another's ACK take up room: windows below 16 packets are full of
 * them, so there each asks.
 */
static bool rxe_cc_window_asks(const struct rxe_cc_qp *qp, u32 unasked_pkts)
{
	u64 cwnd_bytes = rxe_cc_cwnd_bytes(qp);
	u32 pkt_bytes = qp->flow.pkt_bytes;

	if (cwnd_bytes == RXE_CC_NO_WINDOW)
		return false;
	return unasked_pkts + 1ULL >= cwnd_bytes / 8 / pkt_bytes ||
	       !rxe_cc_flow_fits(&qp->flow, cwnd_bytes,
				 rxe_cc_inflight_bytes(qp) + pkt_bytes);
}

/* Does the algorithm, or what the core does for it, need an ACK? */
static bool rxe_cc_flow_asks(struct rxe_cc_qp *qp, u32 unasked_pkts)
{
	u64 now_ns = rxe_cc_now(qp);

	/* First: it takes the packet for telemetry. */
	return rxe_cc_int_due(qp, now_ns) ||
	       qp->flow.wants & RXE_CC_WANT_ACKS ||
	       rxe_cc_window_asks(qp, unasked_pkts) ||
	       (qp->inst->ops->needs & RXE_CC_ALGO_NEED_RTT &&
		!rxe_cc_measuring(qp, now_ns)) ||
	       rxe_cc_quiet(qp, unasked_pkts + 1);
}

/**
 * rxe_cc_ack_due() - should the packet being built ask for an ACK?
 * @qp: queue pair
 * @unasked_pkts: packets before it that did not
 *
 * A slow flow asks at least every RXE_CC_ACK_QUIET_NS: else the retransmission
 * timer would expire between two ACKs. An algorithm that needs RTTs has one packet
 * in each round trip ask. Packets with INT ask, or nobody would see it.
 *
 * Context: work.
 *
 * Return: true when it should.
 */
bool rxe_cc_ack_due(struct rxe_cc_qp *qp, u32 unasked_pkts)
{
	bool due;

	spin_lock_bh(&qp->lock);
	due = (s64)unasked_pkts > READ_ONCE(qp->port->handle->ack_limit);
	if (qp->algo_on && rxe_cc_flow_asks(qp, unasked_pkts))
		due = true;
	qp->ack_asked = due;
	qp->ack_decided = true;
	spin_unlock_bh(&qp->lock);
	return due;
}
EXPORT_SYMBOL_GPL(rxe_cc_ack_due);

/**
 * rxe_cc_tx_int() - does the data packet that is being built go with INT?
 * @qp: queue pair
 * @kind: what it is: %RXE_CC_PKT_DATA or %RXE_CC_PKT_RESP
 *
 * For a request rxe_cc_ack_due() has answered that already, unless it was not
 * asked: the last packet of a message asks for an ACK anyway.
 *
 * Context: work.
 *
 * Return: true when it does.
 */
bool rxe_cc_tx_int(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind)
{
	bool resp = kind == RXE_CC_PKT_RESP;
	u64 now_ns;
	bool yes;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on || qp->handle->int_tx != RXE_CC_INT_TX_ASK) {
		yes = false;
	} else if (!resp && qp->ack_decided) {
		yes = qp->sparse.building && !qp->sparse.resp;
	} else {
		now_ns = rxe_cc_now(qp);
		yes = rxe_cc_sparse_free(qp, now_ns);
		if (yes)
			rxe_cc_sparse_take(&qp->sparse, now_ns, resp);
	}
	spin_unlock_bh(&qp->lock);
	return yes;
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_int);

/**
 * rxe_cc_tx_int_sent() - a packet of a queue pair goes with INT
 * @qp: queue pair
 *
 * Context: work.
 */
void rxe_cc_tx_int_sent(struct rxe_cc_qp *qp)
{
	spin_lock_bh(&qp->lock);
	qp->counter[RXE_CC_QCNT_INT_PACKETS]++;
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_int_sent);

/* Is a probe to go before the data packet that may be sent now? Behind a packet it
 * would wait for that to be transmitted at every port, and see what others sent
 * meanwhile: the more the smaller its own flow. It bears the PSN of the last packet
 * sent, since there must be one for the answer to be believed. Under qp->lock.
 */
bool rxe_cc_int_before(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns,
		       u32 *psn)
{
	bool resp = side == RXE_CC_RESPONDER;
	struct rxe_cc_qp_info *info = &qp->info;

	if (!qp->int_probe || !(resp ? qp->resp_sent : qp->psns.valid) ||
	    !rxe_cc_sparse_free(qp, now_ns))
		return false;
	*psn = ((resp ? qp->resp_max : qp->psns.max) - 1) & RXE_CC_PSN_MASK;
	rxe_cc_sparse_take(&qp->sparse, now_ns, resp);
	rxe_cc_sparse_sent(&qp->sparse, now_ns, *psn, resp);
	rxe_cc_pacer_charge(&qp->pacer, now_ns,
			    info->hdr_bytes +
			    rxe_cc_int_first_link(qp->handle->int_profile),
			    READ_ONCE(qp->port->knob[RXE_CC_KNOB_BURST]));
	return true;
}

/* Send a probe. Without the lock. */
void rxe_cc_int_probe(struct rxe_cc_qp *qp, u32 psn)
{
	int bytes = qp->port->host_ops->send_probe(qp->host_qp, psn);

	if (bytes < 0) {
		rxe_cc_count(qp->port, RXE_CC_CNT_PROBE_FAILED);
		return;
	}
	rxe_cc_count(qp->port, RXE_CC_CNT_PROBE_SENT);
	rxe_cc_count_add(qp->port, RXE_CC_CNT_PROBE_BYTES, bytes);
	spin_lock_bh(&qp->lock);
	qp->counter[RXE_CC_QCNT_PROBES_SENT]++;
	spin_unlock_bh(&qp->lock);
}
