// SPDX-License-Identifier: GPL-2.0
/*
 * A queue pair as receiver: data that arrives, the CNPs and reports sent for it, and the
 * feedback put in ACKs.
 */
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "cc_trace.h"

static void rxe_cc_send_cnp(struct rxe_cc_qp *qp, u32 psn)
{
	int err = qp->port->host_ops->send_cnp(qp->host_qp, psn);

	trace_rxe_cc_cnp(qp, true, err, 0);
	if (err) {
		rxe_cc_count(qp->port, RXE_CC_CNT_NP_CNP_FAILED);
		return;
	}
	rxe_cc_count(qp->port, RXE_CC_CNT_NP_CNP_SENT);
	rxe_cc_count_made(qp, RXE_CC_MADE_CNP);
}

/* Telemetry of the packet into its sample. */
static void rxe_cc_rx_hops(struct rxe_cc_qp *qp, const struct rxe_cc_rx *rx,
			   struct rxe_cc_sample *s)
{
	const struct rxe_cc_feedback fb = {
		.hops = rx->hops, .nr_hops = rx->nr_hops,
		.profile = rx->profile, .path = rx->path,
	};

	if (!rxe_cc_qp_hops(qp, qp->ext ? &qp->ext[RXE_CC_EXT_DATA] : NULL, &fb,
			    rxe_cc_now(qp))) {
		rxe_cc_count(qp->port, RXE_CC_CNT_RX_BAD_HOP);
		return;
	}
	s->hops = this_cpu_ptr(&rxe_cc_hops)->hop;
	s->nr_hops = rx->nr_hops;
	if (rxe_cc_int_is_path(rx->profile) && !rx->hops_missing)
		s->path_hops = rx->nr_hops;
	if (rx->arrived_ns)
		rxe_cc_rx_owd(qp, s, rx);
}

/* What the packet is to who counts: on the last link it had its telemetry. Under qp->lock. */
static void rxe_cc_rx_count(struct rxe_cc_qp *qp, const struct rxe_cc_rx *rx,
			    const struct rxe_cc_sample *s)
{
	struct rxe_cc_rx_port *rp = qp->inst->rx;
	const struct rxe_cc_flow *f = &qp->flow;
	u32 bytes = rx->wire_bytes;

	if (rx->hops)
		bytes += RXE_CC_INT_HDR_BYTES +
			 rx->nr_hops * rxe_cc_int_hop_bytes(rx->profile);

	/* The path takes longer for full packets than for the short ones that have been measured.
	 * The port counts what arrives in a round trip. If that were too short, one full packet
	 * would look like a full line.
	 */
	if (rxe_cc_idle_knows(&qp->idle_rtt, f->pkt_bytes))
		rxe_cc_rxp_rtt(rp, f->base_rtt_ns, s->now_ns);
	if (s->owd_ns && rxe_cc_idle_knows(&qp->owd_rx.idle, f->pkt_bytes))
		rxe_cc_rxp_owd(rp, s->owd_ns - s->owd_over_ns, s->now_ns);
	rxe_cc_rxp_packet(rp, &qp->rx, &qp->peer_priv->rx, s->kind, bytes, s->end,
			  s->now_ns);
	rxe_cc_rxp_bytes(rp, bytes, s->arrived_ns);
}

/**
 * rxe_cc_qp_unheard() - a queue pair no longer receives what it did
 * @qp: queue pair, which is reset, destroyed, or about to have another peer or algorithm
 *
 * Context: qp->lock held.
 */
void rxe_cc_qp_unheard(struct rxe_cc_qp *qp)
{
	rxe_cc_rxp_leave(qp->inst->rx, &qp->rx, ktime_get_ns());
	qp->rx.open = 0;
}

/* Ask the algorithm. Returns RXE_CC_RX_*. Under qp->lock. */
static u32 rxe_cc_hear(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		       u32 psn, unsigned long *wake)
{
	bool resp = s->kind == RXE_CC_DATA_READ_RESP;
	struct rxe_cc_flow *f = &qp->flow;
	u32 verdict;
	u8 before;

	/* Accepted packets come in order, so the number never goes down. */
	s->seq = qp->rx_heard[resp] ?
		 qp->rx_seq[resp] +
		 ((psn - (u32)qp->rx_seq[resp]) & RXE_CC_PSN_MASK) : psn;
	qp->rx_heard[resp] = true;
	qp->rx_seq[resp] = s->seq;
	rxe_cc_qp_view(qp, s->now_ns);
	trace_rxe_cc_sample(qp, RXE_CC_EV_DATA, s);
	f->telemetry = RXE_CC_TELEMETRY_NONE;
	before = rxe_cc_congestion(qp);
	verdict = qp->inst->ops->on_data(f, s);
	rxe_cc_congestion_done(qp, before, s->now_ns);
	rxe_cc_tel_count(qp);
	if (verdict || f->report.always)
		trace_rxe_cc_verdict(qp, RXE_CC_EV_DATA, s->now_ns, verdict);
	if (f->timer_ns != qp->timer_set_ns || f->wants != qp->wants)
		*wake = rxe_cc_qp_apply(qp, s->now_ns, RXE_CC_EV_DATA);
	else
		rxe_cc_qp_kick(qp, s->now_ns);
	if (verdict & RXE_CC_RX_REPORT)
		rxe_cc_qp_report_due(qp);
	return verdict;
}

/* May a report of the algorithm go now? What must wait goes with the next answer, or
 * at the next packet. Under qp->lock.
 */
static bool rxe_cc_report_free(struct rxe_cc_qp *qp, u64 now_ns)
{
	u64 interval_ns = rxe_cc_knob(qp->port, RXE_CC_KNOB_REPORT_INTERVAL);

	if (qp->report_ns && now_ns - qp->report_ns < interval_ns)
		return false;
	qp->report_ns = now_ns;
	return true;
}

/**
 * rxe_cc_rx_data() - the transport accepted a data packet
 * @qp: queue pair
 * @rx: the packet
 *
 * May send a CNP through the transport.
 *
 * Context: work.
 *
 * Return: true when a report about this packet is to be sent now: the algorithm
 *	wants one and no ACK will carry it; or it is a READ response, which no ACK
 *	answers, and its sender waits for its telemetry.
 */
bool rxe_cc_rx_data(struct rxe_cc_qp *qp, const struct rxe_cc_rx *rx)
{
	struct rxe_cc_sample s = {
		.bytes = rx->wire_bytes, .ce = rx->ce,
		.start = rx->start, .end = rx->end, .kind = rx->kind,
		.msg_bytes = rx->msg_bytes, .arrived_ns = rx->arrived_ns,
	};
	bool kept = READ_ONCE(qp->rx_hops);
	bool mine = rx->hops && (kept || READ_ONCE(qp->rx_looks));
	bool takes_tlv = READ_ONCE(qp->handle->peer) & RXE_CC_CAP_TLV;
	bool echo = rx->kind == RXE_CC_DATA_READ_RESP && rx->hops && !kept;
	bool read = rx->kind == RXE_CC_DATA_READ_REQ;
	unsigned long wake = 0;
	bool report = false;
	u32 verdict = 0;
	bool hears;

	hears = rx->ce || READ_ONCE(qp->sync_rx) || mine;
	if (!hears && !read)
		return takes_tlv && echo;
	spin_lock_bh(&qp->lock);
	if (read)
		rxe_cc_rx_read(qp, rx->msg_bytes);
	if (!hears || !qp->algo_on)
		goto out;
	if (rx->ce) {
		qp->counter[RXE_CC_QCNT_RX_CE]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_NP_ECN_MARKED);
	}
	if (mine)
		rxe_cc_rx_hops(qp, rx, &s);
	s.now_ns = rxe_cc_now(qp);
	s.arrived_ns = s.arrived_ns ? min(s.arrived_ns, s.now_ns) : s.now_ns;
	if (rxe_cc_rxp_on(qp->inst->rx))
		rxe_cc_rx_count(qp, rx, &s);
	if (rxe_cc_flow_hears(&qp->flow, qp->inst->ops, &s))
		verdict = rxe_cc_hear(qp, &s, rx->psn, &wake);
	/* An ACK carries it anyway. */
	report = qp->report_due && !rx->ack && rxe_cc_report_free(qp, s.now_ns);
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	if (verdict & RXE_CC_RX_CNP)
		rxe_cc_send_cnp(qp, rx->psn);
	return takes_tlv && (echo || report);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_data);

/**
 * rxe_cc_tx_feedback() - feedback for an answer, besides the telemetry it echoes
 * @qp: queue pair
 * @fb: receives it
 *
 * The algorithm's report with each answer, or once: repeating that
 * would keep a stale value alive, so it is sent once. Of most algorithms there is nothing,
 * and then no lock is taken.
 *
 * Context: any.
 */
void rxe_cc_tx_feedback(struct rxe_cc_qp *qp, struct rxe_cc_tx_fb *fb)
{
	struct rxe_cc_flow *f = &qp->flow;
	const struct rxe_cc_ops *ops;
	u8 before;

	*fb = (struct rxe_cc_tx_fb) { .no_echo = READ_ONCE(qp->rx_hops) };
	if (!READ_ONCE(qp->has_fb) || !(READ_ONCE(qp->handle->peer) & RXE_CC_CAP_FB))
		return;
	spin_lock_bh(&qp->lock);
	if (!qp->algo_on)
		goto out;
	ops = qp->inst->ops;
	if (ops->fill_ack) {
		struct rxe_cc_sample s = { .now_ns = rxe_cc_now(qp) };

		rxe_cc_qp_view(qp, s.now_ns);
		trace_rxe_cc_sample(qp, RXE_CC_EV_FILL, &s);
		before = rxe_cc_congestion(qp);
		ops->fill_ack(f, s.now_ns);
		rxe_cc_congestion_done(qp, before, s.now_ns);
		trace_rxe_cc_verdict(qp, RXE_CC_EV_FILL, s.now_ns, 0);
	}
	if (f->report.always || qp->report_due) {
		memcpy(fb->fb, f->report.fb, sizeof(fb->fb));
		fb->nr_fb = min(f->report.nr, RXE_CC_FB_MAX);
		fb->algo_id = qp->inst->algo_id;
	}
	qp->report_due = false;
	rxe_cc_qp_set_has_fb(qp);
out:
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_feedback);

/**
 * rxe_cc_tx_report() - a report was sent
 * @qp: queue pair
 * @wire_bytes: its length on the wire
 *
 * Context: any.
 */
void rxe_cc_tx_report(struct rxe_cc_qp *qp, u32 wire_bytes)
{
	rxe_cc_count(qp->port, RXE_CC_CNT_REPORT_SENT);
	rxe_cc_count_add(qp->port, RXE_CC_CNT_REPORT_BYTES, wire_bytes);
	rxe_cc_count_made(qp, RXE_CC_MADE_REPORT);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_report);
