// SPDX-License-Identifier: GPL-2.0
/*
 * Calls a queue pair's algorithm, clamps the rate and window that it leaves, and sets the pacer
 * and timers accordingly. Flows that share state with this one are called afterwards, if it asks
 * for that.
 */
#include "cc_core.h"
#include "cc_trace.h"

static bool rxe_cc_ack_coming(const struct rxe_cc_qp *qp)
{
	return qp->asked && rxe_cc_psn_diff(qp->asked_psn, qp->psns.una) >= 0;
}

bool rxe_cc_window_full(const struct rxe_cc_qp *qp)
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
 * has come back, the next waits for (packet / window - 1) round trips of the idle path. The last
 * round trip may contain a queue. While the flow waits, no packet of it is out, so it would not
 * learn that the queue has gone. A queue that stays lengthens each packet's own round trip.
 * Where a packet need not fit, such a window lets one go each round trip.
 */
static u64 rxe_cc_pace_bps(const struct rxe_cc_qp *qp)
{
	const struct rxe_cc_flow *f = &qp->flow;
	u64 rtt_ns = qp->rtt_ns ? qp->rtt_ns : f->base_rtt_ns;
	u64 cwnd_bytes = rxe_cc_cwnd_bytes(qp);
	u64 cap_bps = rxe_cc_cap_bps(qp);
	u64 idle_ns, bps;

	if (cwnd_bytes >= f->pkt_bytes || !rtt_ns || qp->info.uc ||
	    f->wants & RXE_CC_WANT_FILL_WINDOW)
		return min(f->rate_bps, cap_bps);
	idle_ns = f->base_rtt_ns ? min(f->base_rtt_ns, rtt_ns) : rtt_ns;
	cwnd_bytes = max(cwnd_bytes, 1ULL);
	rtt_ns = rxe_cc_sat_add(rtt_ns, rxe_cc_muldiv(idle_ns, f->pkt_bytes - cwnd_bytes,
						      cwnd_bytes));
	bps = rxe_cc_window_rate_bps(f->pkt_bytes, rtt_ns);
	return min3(f->rate_bps, cap_bps, max(bps, f->min_rate_bps));
}

/* Wake who waits for the pacer in time; a window of a switch may be over before. */
void rxe_cc_pace_arm(struct rxe_cc_qp *qp)
{
	u64 at_ns = rxe_cc_pacer_due_ns(&qp->pacer);

	if (unlikely(qp->cap_paced))
		at_ns = min(at_ns, READ_ONCE(qp->cap->until_ns));
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

/* What a call has left for state that is shared: a timer, and others that look at it.
 * Under qp->lock.
 */
void rxe_cc_qp_kick(struct rxe_cc_qp *qp, u64 now_ns)
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
	rxe_cc_flow_kicked(f);
	rxe_cc_qp_set_has_fb(qp);
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
	/* The pace goes by it. rxe_cc_qp_kick() is for calls that set none. */
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
	rxe_cc_qp_kick(qp, now_ns);
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

/**
 * rxe_cc_congested() - the algorithm sees another type of congestion than before a call
 * @qp: queue pair
 * @before: enum rxe_cc_congestion before the call
 * @now_ns: time
 *
 * Of flows that report their port's type at the same time one is the first.
 *
 * Context: qp->lock held.
 */
void rxe_cc_congested(struct rxe_cc_qp *qp, u8 before, u64 now_ns)
{
	u8 type = min_t(u8, qp->flow.congestion, RXE_CC_NR_CONGESTION - 1);

	qp->flow.congestion = type;
	if (qp->inst->ops->port_congestion)
		before = xchg(&qp->inst->congestion, type);
	if (before != type)
		trace_rxe_cc_congestion(qp, before, now_ns);
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
	struct rxe_cc_sample s;
	unsigned long wake = 0;
	int err;

	lockdep_assert_held(&qp->port->mutex);
	spin_lock_bh(&qp->lock);
	s = rxe_cc_sample_now(qp);
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
	struct rxe_cc_sample s;
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	s = rxe_cc_sample_now(qp);
	/* It may have been moved or stopped while this waited for the lock. */
	if (qp->algo_on &&
	    rxe_cc_flow_expire(&qp->flow, s.now_ns, &qp->timer_set_ns))
		wake = rxe_cc_call(qp, RXE_CC_EV_TIMER,
				   qp->inst->ops->on_timer, &s);
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	return HRTIMER_NORESTART;
}

void rxe_cc_qp_timers_init(struct rxe_cc_qp *qp)
{
	/* The pacer's handler only wakes a work item: it runs in hard
	 * interrupt, for its precision (with PREEMPT_RT in softirq).
	 */
	hrtimer_setup(&qp->pace_timer, rxe_cc_pace_expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	hrtimer_setup(&qp->algo_timer, rxe_cc_algo_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}
