// SPDX-License-Identifier: GPL-2.0
/*
 * A queue pair under congestion control: the data path.
 *
 * The transport reports what happens (a packet left, an ACK or CNP came, data
 * arrived) and asks before each packet whether it may go. Each report becomes a
 * sample for the algorithm; what that leaves in the flow is clamped, and the
 * pacer and the timers follow. See cc_core.h for the locks.
 */
#include <linux/slab.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "ctl/cc_trace.h"

/* Behind the BTH of an ACK. */
#define RXE_CC_AETH_BYTES	4

/* Call the transport for each side in the mask, BIT(enum rxe_cc_side). Without
 * the lock.
 */
void rxe_cc_wake(struct rxe_cc_qp *qp, unsigned long sides)
{
	if (sides & BIT(RXE_CC_REQUESTER))
		qp->port->host_ops->wake(qp->host_qp, RXE_CC_REQUESTER);
	if (sides & BIT(RXE_CC_RESPONDER))
		qp->port->host_ops->wake(qp->host_qp, RXE_CC_RESPONDER);
}

/* Reading the clock with bottom halves off costs no virtual time in UML, so
 * a sample bears the very time of its event.
 */
u64 rxe_cc_now(struct rxe_cc_qp *qp)
{
	u64 now_ns = ktime_get_ns();

	lockdep_assert_held(&qp->lock);
	qp->last_ns = max(qp->last_ns, now_ns);
	return qp->last_ns;
}

u64 rxe_cc_inflight_bytes(const struct rxe_cc_qp *qp)
{
	return (u64)rxe_cc_psns_inflight(&qp->psns) * qp->flow.pkt_bytes;
}

static bool rxe_cc_ack_coming(const struct rxe_cc_qp *qp)
{
	return qp->asked && rxe_cc_psn_diff(qp->asked_psn, qp->psns.una) >= 0;
}

static bool rxe_cc_window_full(const struct rxe_cc_qp *qp)
{
	u64 inflight = rxe_cc_inflight_bytes(qp);

	/* One packet may always be out: below that, the pacer does the work.
	 * And an ACK must be on its way: packets of the time before there was a
	 * window need not have asked for one.
	 */
	return inflight &&
	       !rxe_cc_flow_fits(&qp->flow, rxe_cc_cwnd_bytes(qp), inflight) &&
	       rxe_cc_ack_coming(qp);
}

/* The rate, or what a window below one packet stands for if that is less: when one packet
 * has come back after some time, the next waits for (packet / window - 1) such times. Not
 * for smoothed ones, in which a queue that has gone would last for many packets, and each
 * of these waits for it. Where a packet need not fit, such a window lets one go each
 * round trip.
 */
static u64 rxe_cc_pace_bps(const struct rxe_cc_qp *qp)
{
	const struct rxe_cc_flow *f = &qp->flow;
	u64 rtt_ns = qp->rtt_ns ? qp->rtt_ns : f->base_rtt_ns;
	u64 cwnd_bytes = rxe_cc_cwnd_bytes(qp);
	u64 cap_bps = rxe_cc_cap_bps(qp);
	u64 bps;

	if (cwnd_bytes >= f->pkt_bytes || !rtt_ns || qp->info.uc ||
	    f->wants & RXE_CC_WANT_FILL_WINDOW)
		return min(f->rate_bps, cap_bps);
	bps = rxe_cc_window_rate_bps(cwnd_bytes, rtt_ns);
	return min3(f->rate_bps, cap_bps, max(bps, f->min_rate_bps));
}

/* Wake who waits for the pacer in time; a window of a switch may be over before. */
static void rxe_cc_pace_arm(struct rxe_cc_qp *qp)
{
	u64 at_ns = rxe_cc_pacer_due_ns(&qp->pacer);

	if (unlikely(qp->cap_paced))
		at_ns = min(at_ns, READ_ONCE(qp->peer->cap_until_ns));
	hrtimer_start(&qp->pace_timer, ns_to_ktime(at_ns), HRTIMER_MODE_ABS);
}

/* Bring the pacer in line with the flow's rate. When that falls and no ACK is on its way,
 * the flow would not hear before its next packet that it may rise again, which for one at
 * its floor is tens of ms: a single false word of the receiver's would do. So that packet,
 * which asks for an ACK, goes soon. Returns whether it is another rate.
 */
static bool rxe_cc_pace(struct rxe_cc_qp *qp, u64 now_ns, u64 bps)
{
	if (!rxe_cc_pacer_set_rate(&qp->pacer, now_ns, bps))
		return false;
	if (rxe_cc_psns_inflight(&qp->psns) && !rxe_cc_ack_coming(qp))
		rxe_cc_pacer_within(&qp->pacer, RXE_CC_ACK_QUIET_NS);
	return true;
}

/**
 * rxe_cc_qp_pace() - bring the pacer in line with rate and window
 * @qp: queue pair
 * @now_ns: time
 *
 * Context: qp->lock held.
 *
 * Return: sides to wake.
 */
unsigned long rxe_cc_qp_pace(struct rxe_cc_qp *qp, u64 now_ns)
{
	u64 bps = rxe_cc_pace_bps(qp);

	qp->cap_paced = rxe_cc_cap_bytes(qp) && bps < qp->flow.rate_bps;
	if (rxe_cc_pace(qp, now_ns, bps) && READ_ONCE(qp->pkt_waiting))
		rxe_cc_pace_arm(qp);
	if (!qp->win_waiting || rxe_cc_window_full(qp))
		return 0;
	qp->win_waiting = false;
	return BIT(RXE_CC_REQUESTER);
}

/* What a call has left for state that is shared: a timer, and others to be told.
 * Under qp->lock.
 */
void rxe_cc_qp_share(struct rxe_cc_qp *qp, u64 now_ns)
{
	struct rxe_cc_flow *f = &qp->flow;

	if (f->port_timer_ns != RXE_CC_NO_TIMER)
		rxe_cc_inst_timer(qp->inst, f->port_timer_ns, now_ns);
	if (f->lift_cap)
		rxe_cc_cap_lift(qp, now_ns);
	if (f->kick_peer)
		rxe_cc_peer_kick(qp);
	if (f->kick_port)
		rxe_cc_group_kick(&qp->inst->group);
	rxe_cc_flow_shared(f);
}

/* Bring pacer and timers in line with what the algorithm left in the flow.
 * Returns the sides to wake.
 */
unsigned long rxe_cc_qp_apply(struct rxe_cc_qp *qp, u64 now_ns, u8 event)
{
	struct rxe_cc_flow *f = &qp->flow;
	unsigned long wake;
	bool timer;

	timer = rxe_cc_flow_settle(f, now_ns, &qp->timer_set_ns);
	/* The pace goes by it. rxe_cc_qp_share() is for calls that set none. */
	if (f->lift_cap)
		rxe_cc_cap_lift(qp, now_ns);
	wake = rxe_cc_qp_pace(qp, now_ns);
	/* When its handler runs already, that sees timer_ns. */
	if (timer && f->timer_ns == RXE_CC_NO_TIMER)
		hrtimer_try_to_cancel(&qp->algo_timer);
	else if (timer)
		hrtimer_start(&qp->algo_timer, ns_to_ktime(f->timer_ns),
			      HRTIMER_MODE_ABS_SOFT);
	trace_rxe_cc_decision(qp, event, now_ns);
	rxe_cc_qp_share(qp, now_ns);
	if (f->wants != qp->wants || qp->compact.due) {
		rxe_cc_qp_set_env(qp);
		trace_rxe_cc_flow(qp, RXE_CC_EV_ENV, now_ns);
	}
	return wake;
}

/* Call a function of the algorithm. Returns the sides to wake. Under qp->lock. */
unsigned long rxe_cc_call(struct rxe_cc_qp *qp, u8 event,
			  void (*fn)(struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s),
			  const struct rxe_cc_sample *s)
{
	trace_rxe_cc_sample(qp, event, s);
	if (fn)
		fn(&qp->flow, s);
	return rxe_cc_qp_apply(qp, s->now_ns, event);
}

/* Call on_ack for what an ACK or a report says. Under qp->lock. */
unsigned long rxe_cc_call_ack(struct rxe_cc_qp *qp,
			      const struct rxe_cc_sample *s)
{
	u8 before = rxe_cc_congestion(qp);
	unsigned long wake;

	qp->flow.telemetry = RXE_CC_TELEMETRY_NONE;
	wake = rxe_cc_call(qp, RXE_CC_EV_ACK, qp->inst->ops->on_ack, s);
	rxe_cc_congestion_done(qp, before, s->now_ns);
	rxe_cc_tel_count(qp);
	return wake;
}

/**
 * rxe_cc_qp_cmd() - a command for a flow
 * @qp: queue pair
 * @cmd: command to a queue pair
 * @c: arguments; receives the answer
 *
 * Context: process, port->mutex held.
 *
 * Return: what the algorithm returns.
 */
int rxe_cc_qp_cmd(struct rxe_cc_qp *qp, const struct rxe_cc_cmd *cmd,
		  struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_sample s = {};
	unsigned long wake = 0;
	int err;

	lockdep_assert_held(&qp->port->mutex);
	spin_lock_bh(&qp->lock);
	s.now_ns = rxe_cc_now(qp);
	s.next_seq = qp->vseq.next;
	s.inflight_bytes = rxe_cc_inflight_bytes(qp);
	err = cmd->to_qp(&qp->flow, &s, c);
	trace_rxe_cc_qp_cmd(qp, cmd, c, &s, err);
	if (!err)
		wake = rxe_cc_qp_apply(qp, s.now_ns, RXE_CC_EV_CMD);
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	return err;
}

static enum hrtimer_restart rxe_cc_pace_expired(struct hrtimer *t)
{
	struct rxe_cc_qp *qp = container_of(t, struct rxe_cc_qp, pace_timer);

	rxe_cc_wake(qp, xchg(&qp->pkt_waiting, 0));
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart rxe_cc_algo_expired(struct hrtimer *t)
{
	struct rxe_cc_qp *qp = container_of(t, struct rxe_cc_qp, algo_timer);
	struct rxe_cc_sample s = {};
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	s.now_ns = rxe_cc_now(qp);
	/* It may have been moved or stopped while this waited for the lock. */
	if (qp->algo_on &&
	    rxe_cc_flow_expire(&qp->flow, s.now_ns, &qp->timer_set_ns)) {
		s.inflight_bytes = rxe_cc_inflight_bytes(qp);
		s.next_seq = qp->vseq.next;
		wake = rxe_cc_call(qp, RXE_CC_EV_TIMER,
				   qp->inst->ops->on_timer, &s);
	}
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	return HRTIMER_NORESTART;
}

void rxe_cc_qp_timers_init(struct rxe_cc_qp *qp)
{
	/* The pacer's handler only wakes a work item: it runs in hard
	 * interrupt, for its precision (with PREEMPT_RT in softirq).
	 */
	hrtimer_init(&qp->pace_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	qp->pace_timer.function = rxe_cc_pace_expired;
	hrtimer_init(&qp->algo_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	qp->algo_timer.function = rxe_cc_algo_expired;
}

/* Must the next packet of a side wait? Then that is woken once it may go. Under qp->lock. */
static bool rxe_cc_gate(struct rxe_cc_qp *qp, enum rxe_cc_side side, u64 now_ns)
{
	/* The packet that is measured next is to ask for its ACK's times. */
	if (qp->probing && !rxe_cc_probing(qp, now_ns))
		rxe_cc_probe_end(qp);
	/* Neither the end of a switch's window nor who shares it is an event of the flow. */
	if (unlikely(READ_ONCE(qp->peer->cap_bytes) || qp->cap_paced)) {
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
	u64 now_ns;
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
	rxe_cc_tx_decide(qp, next, tx);
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
		if (qp->probe_resp)
			rxe_cc_probe_end(qp);
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
		qp->unsure_from = p->psn;
	again = rxe_cc_psns_sent(&qp->psns, p->psn, p->next_psn, read);
	/* Behind a READ response, the PSNs of a READ request would be a gap. */
	if (!read || !qp->vseq.valid || qp->vseq.last == RXE_CC_REQUESTER)
		rxe_cc_vseq_sent(&qp->vseq, RXE_CC_REQUESTER, p->psn, p->next_psn);
	if (again) {
		qp->counter[RXE_CC_QCNT_RETRANSMITS]++;
		rxe_cc_count(qp->port, RXE_CC_CNT_RETRANSMITS);
	}
	rxe_cc_probe_req(qp, p, asks && !read, again, now_ns);
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
			    READ_ONCE(qp->port->knob[RXE_CC_KNOB_BURST]));
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
			rxe_cc_probe_resp(qp, p, s.now_ns);
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
 * What an older one tells is older than what the algorithm has seen; a NAK, which
 * names the packet behind the newest, has nothing to tell of that.
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
	rxe_cc_qp_told(qp, s, fb);
	if (fb->hops)
		rxe_cc_qp_echo(qp, s, fb);
	rxe_cc_ack_path(qp, s, fb);
}

/* Packets newly acknowledged, or negative for what was never sent. An algorithm that
 * came under load may have seen a packet that was sent again before any new one: the
 * peer's ACKs then name packets sent before it came. They are believed as far as
 * packets may be out; and after a timeout, which can come of not believing, as far
 * as a READ may reach that was among them.
 */
static s32 rxe_cc_newly_acked(struct rxe_cc_qp *qp, u32 psn)
{
	s32 pkts = rxe_cc_psns_acked(&qp->psns, psn);

	if (!qp->unsure)
		return pkts;
	if (pkts < 0 &&
	    rxe_cc_psn_diff(psn, qp->unsure_from) <= qp->unsure_psns) {
		rxe_cc_psns_learn(&qp->psns, psn);
		pkts = rxe_cc_psns_acked(&qp->psns, psn);
	}
	if (rxe_cc_psn_diff(qp->psns.una, qp->unsure_from) >= qp->unsure_psns)
		qp->unsure = false;
	return pkts;
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
	if (kind != RXE_CC_ACK && !qp->unsure &&
	    rxe_cc_psn_diff(psn, qp->psns.max) >= 0)
		pkts = -1;
	else
		pkts = rxe_cc_newly_acked(qp, covered + 1);
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
	if (qp->psns.una != una)
		rxe_cc_learn_caps(qp, caps, s.now_ns);
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
	rxe_cc_ack_rtt(qp, covered, kind == RXE_CC_ACK && qp->psns.una != una,
		       arrived_ns, &s, &fb);
	if (pkts || s.rtt_ns || s.nr_hops || s.nr_told)
		wake = rxe_cc_call_ack(qp, &s);
	if (kind != RXE_CC_ACK) {
		bool rnr = kind == RXE_CC_NAK_RNR;

		qp->counter[rnr ? RXE_CC_QCNT_RNR_NAKS : RXE_CC_QCNT_NAKS]++;
		s.loss = rnr ? RXE_CC_LOSS_RNR : RXE_CC_LOSS_NAK;
		s.bytes = 0;
		s.rtt_ns = 0;
		s.turnaround_ns = 0;
		s.has_owd = false;
		s.owd_ns = 0;
		s.owd_over_ns = 0;
		s.path_hops = 0;
		s.seq = rxe_cc_vseq_of(&qp->vseq, RXE_CC_REQUESTER, psn);
		s.nr_told = 0;
		memset(s.told, 0, sizeof(s.told));
		wake |= rxe_cc_call(qp, RXE_CC_EV_LOSS, qp->inst->ops->on_loss,
				    &s);
	}
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
	if (!qp->probe_resp)
		rxe_cc_probe_end(qp);
	/* What is sent again is before what was reported on, but newer. */
	qp->reports_seen &= BIT(RXE_CC_REPORT_RESP);
	rxe_cc_cnps_again(qp, RXE_CC_REQUESTER);
	qp->asked = false;
	if (timeout) {
		s.now_ns = rxe_cc_now(qp);
		rxe_cc_tel_timeout(qp, s.now_ns);
		qp->unsure_psns = RXE_CC_UNSURE_PSNS;
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
