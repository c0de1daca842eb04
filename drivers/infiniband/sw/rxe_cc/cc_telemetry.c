// SPDX-License-Identifier: GPL-2.0
/*
 * Telemetry of a queue pair: what its peer can do, whether its data carries INT,
 * and what comes back in ACKs.
 *
 * A peer that is no INT sink, a stock rxe or a NIC, gets plain packets and sends
 * plain ACKs. An algorithm that needs INT then sees acknowledgments and round-trip
 * times but never a hop: it stays with the rate and window of its start, which is
 * all that can be justified without knowing the path.
 */
#include <linux/build_bug.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "cc_trace.h"

/* What the QP does, from its algorithm, the port's mode and the peer. Under
 * qp->lock.
 */
void rxe_cc_qp_telemetry(struct rxe_cc_qp *qp)
{
	u64 mode = READ_ONCE(qp->port->knob[RXE_CC_KNOB_INT]);
	const struct rxe_cc_ops *ops = qp->inst->ops;
	struct rxe_cc_qp_handle *h = qp->handle;
	bool int_tx = false;
	u8 caps = 0;

	/* Feedback is in ACKs, which UC has not. */
	if (ops != &rxe_cc_none_ops && !qp->info.uc) {
		caps = RXE_CC_CAP_TLV;
		if (mode != RXE_CC_INT_OFF)
			caps |= RXE_CC_CAP_INT_SINK;
		int_tx = (ops->needs & RXE_CC_ALGO_NEED_INT) &&
			 (h->peer & RXE_CC_CAP_INT_SINK ||
			  (mode == RXE_CC_INT_ON &&
			   !(h->peer & RXE_CC_PEER_KNOWN)));
		int_tx &= mode != RXE_CC_INT_OFF;
	}
	WRITE_ONCE(h->caps, caps);
	WRITE_ONCE(h->int_tx, int_tx);
}

/* What is to be shown: enum rxe_cc_qp_telemetry, or -1 for a queue pair whose
 * algorithm needs none. Under qp->lock.
 */
int rxe_cc_qp_telemetry_state(const struct rxe_cc_qp *qp)
{
	const struct rxe_cc_qp_handle *h = qp->handle;

	if (!(qp->inst->ops->needs & RXE_CC_ALGO_NEED_INT))
		return -1;
	if (h->int_tx)
		return RXE_CC_QP_TELEMETRY_ACTIVE;
	return h->peer & RXE_CC_PEER_KNOWN ? RXE_CC_QP_TELEMETRY_FALLBACK :
					     RXE_CC_QP_TELEMETRY_WAITING;
}

/**
 * rxe_cc_peer_caps() - the peer has other capabilities than it had
 * @qp: queue pair
 * @caps: RXE_CC_CAP_* from a packet that passed its ICRC
 *
 * Context: softirq or work.
 */
void rxe_cc_peer_caps(struct rxe_cc_qp *qp, u8 caps)
{
	spin_lock_bh(&qp->lock);
	WRITE_ONCE(qp->handle->peer, caps | RXE_CC_PEER_KNOWN);
	rxe_cc_qp_set_env(qp);
	trace_rxe_cc_flow(qp, RXE_CC_EV_ENV, ktime_get_ns());
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_peer_caps);

/**
 * rxe_cc_peer_forget() - the queue pair will have another peer
 * @h: handle
 *
 * Context: process.
 */
void rxe_cc_peer_forget(struct rxe_cc_qp_handle *h)
{
	struct rxe_cc_qp *qp = h->qp;

	if (!qp)
		return;
	spin_lock_bh(&qp->lock);
	WRITE_ONCE(h->peer, 0);
	rxe_cc_qp_set_env(qp);
	trace_rxe_cc_flow(qp, RXE_CC_EV_ENV, ktime_get_ns());
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_peer_forget);

/**
 * rxe_cc_int_count() - count what became of an INT packet
 * @h: port
 * @what: that
 *
 * Context: any.
 */
void rxe_cc_int_count(struct rxe_cc_port_handle *h, enum rxe_cc_int_event what)
{
	BUILD_BUG_ON(RXE_CC_INT_EV_SHORT - RXE_CC_INT_SHORT !=
		     RXE_CC_INT_EV_RECEIVED);
	BUILD_BUG_ON(RXE_CC_INT_EV_LENGTH - RXE_CC_INT_LENGTH !=
		     RXE_CC_INT_EV_RECEIVED);

	if (h->port)
		rxe_cc_count(h->port, RXE_CC_CNT_INT + what);
}
EXPORT_SYMBOL_GPL(rxe_cc_int_count);

/**
 * rxe_cc_qp_feedback() - the TLVs of an ACK, into the sample
 * @qp: queue pair
 * @s: sample of an acknowledgment for something that was sent
 * @hops: room for RXE_CC_INT_MAX_HOPS
 * @tlv: TLVs
 * @tlv_bytes: their length
 *
 * Telemetry of a packet that was acknowledged before is older than what the
 * algorithm has seen, and that of a queue pair whose algorithm has no use for it
 * was not asked for: both are counted as unused.
 *
 * Context: work, qp->lock held.
 */
void rxe_cc_qp_feedback(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
			struct rxe_cc_int_hop *hops, const void *tlv,
			unsigned int tlv_bytes)
{
	struct rxe_cc_port *port = qp->port;
	enum rxe_cc_tlv_verdict verdict;
	struct rxe_cc_feedback fb;

	BUILD_BUG_ON(RXE_CC_CNT_TLV_TWICE - RXE_CC_TLV_TWICE !=
		     RXE_CC_CNT_TLV_SHORT - RXE_CC_TLV_SHORT);

	/* Whatever else is behind an AETH is none of ours. */
	if (!(qp->handle->peer & RXE_CC_CAP_TLV))
		return;
	verdict = rxe_cc_tlv_parse(tlv, tlv_bytes, &fb);
	if (verdict != RXE_CC_TLV_OK) {
		rxe_cc_count(port, RXE_CC_CNT_TLV_SHORT + verdict -
			     RXE_CC_TLV_SHORT);
		return;
	}
	if (fb.unknown)
		rxe_cc_count(port, RXE_CC_CNT_TLV_UNKNOWN);
	if (!fb.hops)
		return;

	if (!s->bytes || !(qp->inst->ops->needs & RXE_CC_ALGO_NEED_INT)) {
		rxe_cc_count(port, RXE_CC_CNT_ECHO_UNUSED);
		return;
	}
	if (!rxe_cc_hops_read(&fb, hops)) {
		rxe_cc_count(port, RXE_CC_CNT_ECHO_BAD_HOP);
		return;
	}
	/* Hops that are there are true, so they are used. The counter tells that
	 * others are missing.
	 */
	if (fb.int_flags & (RXE_CC_TLV_INT_E | RXE_CC_TLV_INT_M))
		rxe_cc_count(port, RXE_CC_CNT_ECHO_PARTIAL);
	rxe_cc_count(port, RXE_CC_CNT_ECHO);
	qp->counter[RXE_CC_QCNT_INT_ECHOES]++;
	s->hops = hops;
	s->nr_hops = fb.nr_hops;
}
