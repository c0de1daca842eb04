// SPDX-License-Identifier: GPL-2.0
/*
 * Decides what an outgoing packet requests: an ACK, or in-band network telemetry (INT), by INT
 * on a data packet or by a probe. Where one packet per round trip is enough, cc_int_sampling.h
 * says when the next is due.
 */
#include <kunit/visibility.h>
#include <linux/module.h>

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
	rxe_cc_sparse_begin(&qp->sparse, now_ns, false);
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
static bool rxe_cc_flow_asks(struct rxe_cc_qp *qp, u32 unasked_pkts, u64 now_ns)
{
	/* First: it takes the packet for telemetry. */
	return rxe_cc_int_due(qp, now_ns) ||
	       qp->flow.wants & RXE_CC_WANT_ACKS ||
	       rxe_cc_window_asks(qp, unasked_pkts) ||
	       (qp->inst->ops->needs & RXE_CC_ALGO_NEED_RTT &&
		!rxe_cc_measuring(qp, now_ns)) ||
	       rxe_cc_quiet(qp, unasked_pkts + 1);
}

/* Is a request that is not the last of its message to ask for an ACK? A slow flow asks at
 * least every RXE_CC_ACK_QUIET_NS: else the retransmission timer would expire between two
 * ACKs. An algorithm that needs RTTs has one packet in each round trip ask. Packets with
 * INT ask, or nobody would see it. Under qp->lock.
 */
static bool rxe_cc_ack_due(struct rxe_cc_qp *qp, u32 unasked_pkts, u64 now_ns)
{
	/* First: it may take the packet for telemetry. */
	bool due = qp->algo_on && rxe_cc_flow_asks(qp, unasked_pkts, now_ns);

	return due || (s64)unasked_pkts > READ_ONCE(qp->port->handle->ack_limit);
}

/* A probe measures no round trip, and READ responses have no ACKs that would. Where the base
 * RTT is not given, one response at a time goes with INT, as its answer does. Under qp->lock.
 */
static bool rxe_cc_resp_measured(const struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
				 u64 now_ns)
{
	return qp->int_probe && next->side == RXE_CC_RESPONDER && next->payload &&
	       !rxe_cc_knob(qp->port, RXE_CC_KNOB_BASE_RTT) && !rxe_cc_rtt_sampling(qp, now_ns);
}

/* Does the packet go with INT? Under qp->lock. @asked: rxe_cc_ack_due() has taken it for
 * that, or not.
 */
static bool rxe_cc_int_next(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
			    bool asked, u64 now_ns)
{
	bool resp = next->side == RXE_CC_RESPONDER;

	switch (qp->handle->int_tx) {
	case RXE_CC_INT_TX_ALL:
		return next->payload;
	case RXE_CC_INT_TX_ASK:
		if (asked)
			return qp->sparse.building && !qp->sparse.resp;
		if (!next->payload || !rxe_cc_sparse_free(qp, now_ns))
			return false;
		rxe_cc_sparse_begin(&qp->sparse, now_ns, resp);
		return true;
	default:
		return rxe_cc_resp_measured(qp, next, now_ns);
	}
}

/**
 * rxe_cc_tx_decide() - what a packet that may go asks for on its way
 * @qp: queue pair
 * @next: the packet; no READ request
 * @now_ns: time
 * @tx: receives it
 *
 * Context: qp->lock held.
 */
void rxe_cc_tx_decide(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		      u64 now_ns, struct rxe_cc_tx *tx)
{
	bool req = next->side == RXE_CC_REQUESTER;
	bool asked = req && !next->end && !qp->info.uc;

	tx->decided = true;
	if (asked)
		tx->ack = rxe_cc_ack_due(qp, next->unasked_pkts, now_ns);
	if (!qp->algo_on)
		return;
	tx->int_md = rxe_cc_int_next(qp, next, asked, now_ns);
	tx->ask_time = req && rxe_cc_asks_time(qp);
	tx->measure = (req ? next->end || tx->ack : tx->int_md) &&
		      rxe_cc_rtt_sample_next(qp, !req, next->psn, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_tx_decide);

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
	rxe_cc_sparse_begin(&qp->sparse, now_ns, resp);
	rxe_cc_sparse_sent(&qp->sparse, now_ns, *psn, resp);
	rxe_cc_pacer_charge(&qp->pacer, now_ns,
			    info->hdr_bytes +
			    rxe_cc_int_first_link(qp->handle->int_profile),
			    rxe_cc_knob(qp->port, RXE_CC_KNOB_BURST));
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
	rxe_cc_count_made(qp, RXE_CC_MADE_PROBE);
}
