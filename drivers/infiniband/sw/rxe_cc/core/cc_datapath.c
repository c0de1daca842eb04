// SPDX-License-Identifier: GPL-2.0
/*
 * The data path of a queue pair under congestion control: whether it may send now, what was
 * sent, ACKs, NAKs and retries.
 *
 * The transport reports what happens (a packet left, an ACK or CNP came, data
 * arrived) and asks before each packet whether it may go. Each report becomes a
 * sample for the algorithm; what that leaves in the flow is clamped, and the
 * pacer and the timers follow. See cc_core.h for the locks.
 */
#include <linux/slab.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "cc_trace.h"

/* Behind the BTH of an ACK. */
#define RXE_CC_AETH_BYTES	4

/* Must the next packet of a side wait? Then that is woken once it may go. Under qp->lock. */
static bool rxe_cc_gate(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns)
{
	/* The packet that is measured next is to ask for its ACK's times. */
	rxe_cc_rtt_sample_expire(qp, now_ns);
	/* Neither the end of a switch's window nor who shares it is an event of the flow. */
	if (unlikely(READ_ONCE(qp->cap->bytes) || qp->cap_paced)) {
		rxe_cc_cap_expire(qp, now_ns);
		rxe_cc_qp_pace(qp, now_ns);
	}
	if (side == RXE_CC_REQUESTER && !qp->info.uc && rxe_cc_window_full(qp)) {
		if (!qp->win_waiting) {
			qp->counter[RXE_CC_QCNT_WINDOW_STALLS]++;
			rxe_cc_count(qp->port, RXE_CC_CNT_WINDOW_STALLS);
			trace_rxe_cc_stall(qp, true, now_ns, 0,
					   rxe_cc_inflight_bytes(qp));
		}
		qp->win_waiting = true;
		return true;
	}
	if (!rxe_cc_pacer_hold(&qp->pacer, now_ns))
		return false;
	if (!test_and_set_bit(side, &qp->pkt_waiting)) {
		qp->counter[RXE_CC_QCNT_PACING_STALLS]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_PACING_STALLS);
		trace_rxe_cc_stall(qp, false, now_ns,
				   rxe_cc_pacer_due_ns(&qp->pacer),
				   rxe_cc_inflight_bytes(qp));
		rxe_cc_pace_arm(qp);
	}
	return true;
}

/**
 * rxe_cc_tx_next() - may the next packet leave, and how?
 * @qp: queue pair
 * @next: the packet
 * @tx: receives all that is to be decided about it
 *
 * May be asked again about the same packet, which then is decided anew. When it must wait,
 * its side is woken once it may go. Sends a probe before it, if one is due.
 *
 * Context: work.
 */
void rxe_cc_tx_next(struct rxe_cc_qp *qp, const struct rxe_cc_next *next,
		    struct rxe_cc_tx *tx)
{
	bool tokens = READ_ONCE(qp->port->handle->tokens);
	bool read = next->kind == RXE_CC_PKT_READ_REQ;
	bool probe = false;
	u64 now_ns = 0;
	u32 psn;

	*tx = (struct rxe_cc_tx) { };
	/* A READ request is a few bytes; its data is paced at the responder. */
	if (read && !tokens)
		return;

	spin_lock_bh(&qp->lock);
	if (unlikely(tokens) && next->side == RXE_CC_REQUESTER) {
		tx->wait = next->start &&
			   !rxe_cc_tokens_next(qp, next->answer ? RXE_CC_PKT_READ_REQ :
							   next->kind, next->msg_bytes);
		tx->resv6 = qp->resv6;
		if (tx->wait || read)
			goto out;
	}
	if (qp->algo_on) {
		now_ns = rxe_cc_now(qp);
		tx->wait = rxe_cc_gate(qp, next->side, now_ns);
		if (tx->wait)
			goto out;
		probe = rxe_cc_int_before(qp, next->side, now_ns, &psn);
	}
	rxe_cc_tx_decide(qp, next, now_ns, tx);
out:
	spin_unlock_bh(&qp->lock);
	if (probe)
		rxe_cc_int_probe(qp, psn);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_next);

/**
 * rxe_cc_tx_held() - does the pacer hold a side back now?
 * @qp: queue pair
 * @side: which
 *
 * Context: any.
 *
 * Return: true when it does.
 */
bool rxe_cc_tx_held(const struct rxe_cc_qp *qp, enum rxe_cc_side side)
{
	return test_bit(side, &qp->pkt_waiting);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_held);

/* A READ response was sent. Returns true when it had been sent before. */
static bool rxe_cc_resp_sent(struct rxe_cc_qp *qp, u32 psn, u32 next_psn,
			     u64 now_ns)
{
	bool again = rxe_cc_resp_again(qp, psn);
	bool back = again && psn != qp->resp_nxt;

	/* The requester's timeout, or its loss. */
	if (back)
		rxe_cc_tel_timeout(qp, now_ns);
	qp->resp_nxt = next_psn & RXE_CC_PSN_MASK;

	rxe_cc_vseq_sent(&qp->vseq, RXE_CC_RESPONDER, psn, next_psn);
	if (again) {
		if (qp->rtt_sample_resp)
			rxe_cc_rtt_sample_end(qp);
		qp->reports_seen &= ~BIT(RXE_CC_REPORT_RESP);
		rxe_cc_cnps_again(qp, RXE_CC_RESPONDER);
		return true;
	}
	qp->resp_sent = true;
	qp->resp_max = next_psn & RXE_CC_PSN_MASK;
	return false;
}

/* A request was sent. Returns true when it had been sent before. */
static bool rxe_cc_req_sent(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p,
			    u64 now_ns)
{
	bool read = p->kind == RXE_CC_PKT_READ_REQ;
	bool asks = p->end || p->ack;
	bool again;

	if (read && !qp->psns.hole)
		qp->psns.hole = kcalloc(RXE_CC_MAX_HOLES,
					sizeof(*qp->psns.hole), GFP_ATOMIC);
	if (!qp->psns.valid)
		rxe_cc_psns_begin(&qp->psns, p->psn,
				  p->unsent_psn == p->next_psn ? p->psn : p->unsent_psn);
	again = rxe_cc_psns_sent(&qp->psns, p->psn, p->next_psn, read);
	/* Behind a READ response, the PSNs of a READ request would be a gap. */
	if (!read || !qp->vseq.valid || qp->vseq.last == RXE_CC_REQUESTER)
		rxe_cc_vseq_sent(&qp->vseq, RXE_CC_REQUESTER, p->psn, p->next_psn);
	if (again) {
		qp->counter[RXE_CC_QCNT_RETRANSMITS]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_RETRANSMITS);
	}
	rxe_cc_rtt_sample_req(qp, p, asks && !read, again, now_ns);
	if (asks) {
		qp->asked = true;
		qp->asked_psn = p->psn;
	}
	rxe_cc_tokens_sent(qp);
	if (qp->info.uc)
		qp->psns.una = qp->psns.nxt;
	rxe_cc_cap_busy(qp, RXE_CC_REQUESTER,
			qp->info.uc ? !p->end : rxe_cc_psns_inflight(&qp->psns));
	return again;
}

/* The same for the algorithm, and for who believes feedback. Under qp->lock. */
static void rxe_cc_data_sent(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p,
			     u64 now_ns)
{
	bool resp = p->kind == RXE_CC_PKT_RESP;

	if (resp)
		rxe_cc_cap_busy(qp, RXE_CC_RESPONDER, !p->end);
	rxe_cc_psn_sent(qp, resp ? RXE_CC_RESPONDER : RXE_CC_REQUESTER, p->psn,
			p->next_psn, now_ns);
	qp->counter[RXE_CC_QCNT_TX_PACKETS]++;
	qp->counter[RXE_CC_QCNT_TX_BYTES] += p->wire_bytes;
	qp->counter[RXE_CC_QCNT_INT_PACKETS] += p->int_md;
	rxe_cc_pacer_charge(&qp->pacer, now_ns, p->wire_bytes,
			    rxe_cc_knob(qp->port, RXE_CC_KNOB_BURST));
	rxe_cc_sparse_sent(&qp->sparse, now_ns, p->psn, resp);
}

/**
 * rxe_cc_tx_sent() - a packet was handed to the port
 * @qp: queue pair
 * @p: the packet
 *
 * Context: work.
 */
void rxe_cc_tx_sent(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p)
{
	struct rxe_cc_sample s = {
		.bytes = p->wire_bytes, .start = p->start, .end = p->end,
	};
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on)
		goto out;
	s.now_ns = rxe_cc_now(qp);
	if (p->kind == RXE_CC_PKT_RESP) {
		s.retransmit = rxe_cc_resp_sent(qp, p->psn, p->next_psn, s.now_ns);
		if (!s.retransmit)
			rxe_cc_rtt_sample_resp(qp, p, s.now_ns);
	} else {
		s.retransmit = rxe_cc_req_sent(qp, p, s.now_ns);
	}
	if (p->kind == RXE_CC_PKT_READ_REQ)
		goto out;
	rxe_cc_data_sent(qp, p, s.now_ns);
	if (qp->inst->ops->on_sent) {
		s.seq = rxe_cc_vseq_of(&qp->vseq, qp->vseq.last, p->psn);
		s.next_seq = qp->vseq.next;
		s.inflight_bytes = rxe_cc_inflight_bytes(qp);
		wake = rxe_cc_call(qp, RXE_CC_EV_SENT, qp->inst->ops->on_sent,
				   &s);
	}
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_sent);

/* TLVs of an ACK into its sample. @newest: it names the newest packet acknowledged.
 * The feedback of an older one is older than what the algorithm has seen; a NAK, which
 * names the packet behind the newest, has none about that.
 */
static void rxe_cc_ack_feedback(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
				struct rxe_cc_feedback *fb, const void *tlv,
				unsigned int tlv_bytes, bool newest)
{
	if (!rxe_cc_qp_feedback(qp, fb, tlv, tlv_bytes))
		return;
	if (!newest) {
		if (fb->hops)
			rxe_cc_count(qp->port, RXE_CC_CNT_ECHO_UNUSED);
		return;
	}
	rxe_cc_tel_heard(qp, fb);
	rxe_cc_sample_feedback(qp, s, fb);
	if (fb->hops)
		rxe_cc_qp_echo(qp, s, fb);
	rxe_cc_ack_path(qp, s, fb);
}

/* A NAK for packet @psn, at the time of @ack, which is what it acknowledges. */
static unsigned long rxe_cc_nak(struct rxe_cc_qp *qp, bool rnr, u32 psn,
				const struct rxe_cc_sample *ack)
{
	const struct rxe_cc_sample s = {
		.now_ns = ack->now_ns,
		.seq = rxe_cc_vseq_of(&qp->vseq, RXE_CC_REQUESTER, psn),
		.next_seq = ack->next_seq,
		.inflight_bytes = ack->inflight_bytes,
		.loss = rnr ? RXE_CC_LOSS_RNR : RXE_CC_LOSS_NAK,
	};

	qp->counter[rnr ? RXE_CC_QCNT_RNR_NAKS : RXE_CC_QCNT_NAKS]++;
	return rxe_cc_call(qp, RXE_CC_EV_LOSS, qp->inst->ops->on_loss, &s);
}

/**
 * rxe_cc_rx_ack() - an acknowledgment or a READ response arrived
 * @qp: queue pair
 * @kind: what it says
 * @psn: its PSN
 * @arrived_ns: when it came in from the port, CLOCK_MONOTONIC
 * @caps: RXE_CC_CAP_* that it shows: believed when it acknowledges something
 * @tlv: TLVs behind its AETH; NULL: it is a READ response
 * @tlv_bytes: their length; 0 when there are none
 *
 * A PSN that was never sent is counted and changes nothing.
 *
 * Context: work.
 *
 * Return: false when it was never sent: the transport must not believe the packet
 *	either.
 */
bool rxe_cc_rx_ack(struct rxe_cc_qp *qp, enum rxe_cc_ack kind, u32 psn,
		   u64 arrived_ns, u8 caps, const void *tlv,
		   unsigned int tlv_bytes)
{
	u32 covered = kind == RXE_CC_ACK ? psn : psn - 1;
	struct rxe_cc_feedback fb = { };
	struct rxe_cc_sample s = { };
	unsigned long wake = 0;
	s32 pkts = 0;
	u32 una;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on || !qp->psns.valid || kind == RXE_CC_NAK_OTHER)
		goto out;
	/* rxe drops a NAK for what was acknowledged before: a late or forged one. */
	if (kind != RXE_CC_ACK && rxe_cc_psn_diff(psn, qp->psns.una) < 0)
		goto out;
	s.now_ns = rxe_cc_now(qp);
	una = qp->psns.una;
	/* What was not sent cannot be missing either. */
	if (kind != RXE_CC_ACK && rxe_cc_psn_diff(psn, qp->psns.max) >= 0)
		pkts = -1;
	else
		pkts = rxe_cc_psns_acked(&qp->psns, covered + 1);
	if (pkts < 0) {
		qp->counter[RXE_CC_QCNT_BAD_ACKS]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_BAD_ACKS);
		goto out;
	}
	/* Of the line, ACKs have their part. */
	if (tlv && rxe_cc_rxp_on(qp->inst->rx))
		rxe_cc_rxp_bytes(qp->inst->rx,
				 qp->info.hdr_bytes + RXE_CC_AETH_BYTES + tlv_bytes,
				 min(arrived_ns, s.now_ns));
	if (qp->psns.una != una) {
		qp->older_out = false;
		rxe_cc_learn_caps(qp, caps, s.now_ns);
	}
	s.seq = rxe_cc_vseq_of(&qp->vseq, RXE_CC_REQUESTER, covered);
	s.bytes = (u64)pkts * qp->flow.pkt_bytes;
	s.next_seq = qp->vseq.next;
	s.inflight_bytes = rxe_cc_inflight_bytes(qp);
	rxe_cc_cap_busy(qp, RXE_CC_REQUESTER, s.inflight_bytes);
	qp->counter[RXE_CC_QCNT_ACKED_BYTES] += s.bytes;
	if (!qp->int_probe)
		rxe_cc_sparse_answered(&qp->sparse, covered, false);
	/* Whatever else is behind an AETH is none of ours. */
	if (tlv_bytes && qp->handle->peer & RXE_CC_CAP_TLV)
		rxe_cc_ack_feedback(qp, &s, &fb, tlv, tlv_bytes,
				    !rxe_cc_psn_diff(psn + 1, qp->psns.una));
	fb.tlv_bytes = min_t(unsigned int, tlv_bytes, U16_MAX);
	rxe_cc_ack_rtt(qp, covered, kind == RXE_CC_ACK && qp->psns.una != una,
		       arrived_ns, &s, &fb);
	if (pkts || s.rtt_ns || s.nr_hops || s.nr_fb)
		wake = rxe_cc_call_ack(qp, &s);
	if (kind != RXE_CC_ACK)
		wake |= rxe_cc_nak(qp, kind == RXE_CC_NAK_RNR, psn, &s);
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	return pkts >= 0;
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_ack);

/**
 * rxe_cc_retry() - the requester is about to go back to the oldest packet
 * @qp: queue pair
 * @timeout: the retransmission timer did it; else a NAK that was reported
 *
 * Context: work.
 */
void rxe_cc_retry(struct rxe_cc_qp *qp, bool timeout)
{
	struct rxe_cc_sample s = { .loss = RXE_CC_LOSS_TIMEOUT };
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on)
		goto out;
	/* What was out counts as gone: go-back-N fills the window again. */
	qp->psns.nxt = qp->psns.una;
	qp->psns.nr_holes = 0;
	qp->psns.hole_psns = 0;
	rxe_cc_cap_busy(qp, RXE_CC_REQUESTER, false);
	if (!qp->rtt_sample_resp)
		rxe_cc_rtt_sample_end(qp);
	/* What is sent again is before what was reported on, but newer. */
	qp->reports_seen &= BIT(RXE_CC_REPORT_RESP);
	rxe_cc_cnps_again(qp, RXE_CC_REQUESTER);
	qp->asked = false;
	if (timeout) {
		s.now_ns = rxe_cc_now(qp);
		rxe_cc_tel_timeout(qp, s.now_ns);
		s.next_seq = qp->vseq.next;
		qp->counter[RXE_CC_QCNT_TIMEOUTS]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_TIMEOUTS);
		wake = rxe_cc_call(qp, RXE_CC_EV_LOSS, qp->inst->ops->on_loss,
				   &s);
	}
	/* The requester itself goes on now; nothing is left to wait for. */
	qp->win_waiting = false;
out:
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
}
EXPORT_SYMBOL_GPL(rxe_cc_retry);

static u8 rxe_cc_tos(u8 dscp, u8 tos, bool ect)
{
	/* ECT(0) is 2; the application's own ECN bits never go out. */
	return (dscp == RXE_CC_DSCP_KEEP ? tos & 0xfc : dscp << 2) |
	       (ect ? 2 : 0);
}

/**
 * rxe_cc_tx_tos() - TOS or traffic class of a packet
 * @qp: queue pair
 * @what: what it is
 * @tos: what the application's address vector says
 *
 * Context: any.
 *
 * Return: the octet to send.
 */
u8 rxe_cc_tx_tos(struct rxe_cc_qp *qp, enum rxe_cc_class what, u8 tos)
{
	return rxe_cc_tos(READ_ONCE(qp->dscp[what]), tos,
			  what == RXE_CC_CLASS_DATA && READ_ONCE(qp->ect));
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_tos);
