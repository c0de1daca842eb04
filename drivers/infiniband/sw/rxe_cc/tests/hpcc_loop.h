/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows in a loop with a bottleneck, for the suites of hpcc and hpccpp: a fluid
 * port whose telemetry comes back a round trip later, in every ACK, once per round
 * trip, or as a window that the receiver computed.
 */
#ifndef _RXE_CC_HPCC_LOOP_H
#define _RXE_CC_HPCC_LOOP_H

#include <kunit/test.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/hpcc_rp.h>

#include "cc_test.h"

#define LOOP_LINE_BPS	100000000000ULL
#define LOOP_T_NS	12000
#define LOOP_BDP	150000		/* wire bytes */
#define LOOP_STEP_NS	120
#define LOOP_ROUND	(LOOP_T_NS / LOOP_STEP_NS)
#define LOOP_STEP_BYTES	1500		/* that the line carries in a step */
#define LOOP_FLOWS	16
#define LOOP_MBPS	1000000ULL

/**
 * struct loop_flow - a flow
 * @flow: what the sender's algorithm sees
 * @rx: what the receiver's sees
 * @told: what it told last
 * @told_step: when that reaches the sender; 0: nothing under way
 * @shown: telemetry of which steps, modulo a round trip, the receiver found worth an answer
 * @heard_step: when a switch last reported
 * @active: it has data
 * @bits: sent beyond whole bytes, in bit ns
 */
struct loop_flow {
	struct rxe_cc_flow flow;
	struct rxe_cc_flow rx;
	struct rxe_cc_report told;
	u64 told_step;
	bool shown[LOOP_ROUND];
	u64 heard_step;
	bool active;
	u64 bits;
};

/**
 * struct loop_rig - a bottleneck and its flows
 * @ops: algorithm
 * @params: its parameters, of all flows and both ends
 * @tx_port: state of the port of all senders
 * @rx_port: of all receivers
 * @f: flows
 * @own: the algorithm's state of each, at the sender and at the receiver
 * @hop: the port, as of each step of the last round trip
 * @every: every how many steps a flow hears telemetry: 1 or LOOP_ROUND
 * @report_bytes: queue of which a switch reports, once per T and flow; 0: never
 * @now_ns: time
 * @step: steps so far; serves as PSN too
 * @sent_bytes: by the port
 * @queue_bytes: at the port
 * @peak_bytes: largest queue since loop_mark()
 * @mark_bytes: @sent_bytes at loop_mark()
 * @mark_ns: time of loop_mark()
 */
struct loop_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	u64 tx_port;
	u64 rx_port;
	struct loop_flow f[LOOP_FLOWS];
	void *own[LOOP_FLOWS][2];
	struct rxe_cc_int_hop hop[LOOP_ROUND];
	u64 every;
	u64 report_bytes;
	u64 now_ns;
	u64 step;
	u64 sent_bytes;
	u64 queue_bytes;
	u64 peak_bytes;
	u64 mark_bytes;
	u64 mark_ns;
};

static inline struct loop_rig *loop_new(struct kunit *test, const char *name)
{
	struct loop_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, name);
	KUNIT_ASSERT_LE(test, rig->ops->port_priv_size, (u32)sizeof(u64));
	cc_test_defaults(rig->ops, rig->params);
	for (i = 0; i < LOOP_FLOWS; i++) {
		rig->own[i][0] = cc_test_own(test, rig->ops);
		rig->own[i][1] = cc_test_own(test, rig->ops);
	}
	rig->every = 1;
	rig->now_ns = NSEC_PER_SEC;
	/* No step of the first round trip is before the first. */
	rig->step = LOOP_ROUND;
	return rig;
}

static inline void loop_param(struct kunit *test, struct loop_rig *rig,
			      const char *name, u64 value)
{
	cc_test_param(test, rig->ops, rig->params, name, value);
}

/* A flow comes and starts as the algorithm likes. */
static inline void loop_join(struct loop_rig *rig, unsigned int i,
			     u64 base_rtt_ns)
{
	struct loop_flow *f = &rig->f[i];

	*f = (struct loop_flow) {
		.flow = {
			.rate_bps = LOOP_LINE_BPS,
			.line_rate_bps = LOOP_LINE_BPS,
			.min_rate_bps = LOOP_MBPS,
			.base_rtt_ns = base_rtt_ns, .pkt_bytes = 1106,
			.cwnd_bytes = RXE_CC_NO_WINDOW,
			.timer_ns = RXE_CC_NO_TIMER, .params = rig->params,
			.port_priv = &rig->tx_port,
		},
		.active = true,
	};
	f->rx = f->flow;
	memset(rig->own[i][0], 0, rxe_cc_flow_own_bytes(rig->ops));
	memset(rig->own[i][1], 0, rxe_cc_flow_own_bytes(rig->ops));
	rxe_cc_flow_own(&f->flow, rig->ops, rig->own[i][0]);
	rxe_cc_flow_own(&f->rx, rig->ops, rig->own[i][1]);
	f->rx.port_priv = &rig->rx_port;
	rig->ops->init(&f->flow, rig->now_ns);
	rig->ops->init(&f->rx, rig->now_ns);
}

/* The rate at which a flow can send: pacing, and a window a round trip. */
static inline u64 loop_bps(const struct loop_rig *rig, unsigned int i)
{
	const struct rxe_cc_flow *f = &rig->f[i].flow;
	u64 rtt_ns = LOOP_T_NS + rxe_cc_ns_for(rig->queue_bytes, LOOP_LINE_BPS);

	return min(f->rate_bps, rxe_cc_rate_of(f->cwnd_bytes, rtt_ns));
}

/* What the core counts at the receiver. */
static inline u32 loop_active(const struct loop_rig *rig)
{
	u32 n = 0;
	unsigned int i;

	for (i = 0; i < LOOP_FLOWS; i++)
		n += rig->f[i].active;
	return n;
}

/* The port as it was so many steps ago; no packet went then: no speed. */
static inline const struct rxe_cc_int_hop *loop_hop(const struct loop_rig *rig,
						    u64 ago)
{
	return &rig->hop[(rig->step - ago) % LOOP_ROUND];
}

/* Does the receiver's algorithm get the hops? As the core. */
static inline bool loop_takes_hops(const struct loop_flow *f)
{
	return f->rx.wants & RXE_CC_WANT_RX_HOPS &&
	       (f->rx.peer_obeys || !(f->rx.wants & RXE_CC_WANT_FB));
}

/* What the receiver makes of a packet; the sender has it half a round later. */
static inline void loop_data(struct loop_rig *rig, struct loop_flow *f)
{
	const struct rxe_cc_int_hop *hop = loop_hop(rig, LOOP_ROUND / 2);
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .bytes = 1106, .hops = hop,
		.nr_hops = 1,
	};
	u32 verdict;
	bool computes;

	if (!rig->ops->on_data || !hop->rate_bps)
		return;
	f->rx.rx.msgs = loop_active(rig);
	f->rx.peer_obeys = f->flow.wants & RXE_CC_WANT_FB;
	computes = loop_takes_hops(f);
	if (!computes && !(f->rx.wants & RXE_CC_WANT_RX_LOOK)) {
		s.hops = NULL;
		s.nr_hops = 0;
	}
	verdict = rig->ops->on_data(&f->rx, &s);
	f->shown[(rig->step + LOOP_ROUND / 2) % LOOP_ROUND] =
		verdict & RXE_CC_RX_REPORT && !computes;
	if (verdict & RXE_CC_RX_REPORT || !computes) {
		f->told = f->rx.report;
		f->told_step = rig->step + LOOP_ROUND / 2;
	}
}

static inline void loop_report(struct loop_rig *rig, struct loop_flow *f)
{
	const struct rxe_cc_int_hop *hop = loop_hop(rig, LOOP_ROUND / 4);
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .hops = hop, .nr_hops = 1, .partial = true,
		.seq = rig->step - LOOP_ROUND / 2,
		.next_seq = rig->step,
	};

	if (!rig->report_bytes || !hop->rate_bps ||
	    hop->qlen_bytes < rig->report_bytes ||
	    rig->step - f->heard_step < LOOP_ROUND)
		return;
	f->heard_step = rig->step;
	rig->ops->on_ack(&f->flow, &s);
}

/* An ACK, with what it tells. */
static inline void loop_ack(struct loop_rig *rig, unsigned int i)
{
	const struct rxe_cc_int_hop *hop = loop_hop(rig, LOOP_ROUND);
	struct loop_flow *f = &rig->f[i];
	bool told = f->told_step == rig->step;
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns,
		.seq = rig->step - LOOP_ROUND,
		.next_seq = rig->step,
	};
	unsigned int v;

	if (!hop->rate_bps)
		return;
	if ((rig->step % rig->every == i % rig->every && !loop_takes_hops(f)) ||
	    f->shown[rig->step % LOOP_ROUND]) {
		s.hops = hop;
		s.nr_hops = 1;
	}
	if (f->told.always || told) {
		memcpy(s.fb, f->told.fb, sizeof(s.fb));
		s.nr_fb = f->told.nr;
		/* Only a number of senders is told again. */
		s.fb[0] = told ? s.fb[0] : 0;
		/* As the core. */
		for (v = 0; v < s.nr_fb; v++)
			s.fb[v] = f->flow.fb_ignore & BIT(v) ? 0 : s.fb[v];
	}
	rig->ops->on_ack(&f->flow, &s);
}

static inline void loop_step(struct loop_rig *rig)
{
	struct rxe_cc_int_hop *hop = &rig->hop[rig->step % LOOP_ROUND];
	u64 out, bits, in = 0;
	unsigned int i;

	/* What the port told a round trip ago is here, if a packet went then. */
	rig->now_ns += LOOP_STEP_NS;
	for (i = 0; i < LOOP_FLOWS; i++) {
		if (!rig->f[i].active)
			continue;
		loop_data(rig, &rig->f[i]);
		loop_report(rig, &rig->f[i]);
		loop_ack(rig, i);
		bits = rig->f[i].bits + loop_bps(rig, i) * LOOP_STEP_NS;
		in += div64_u64_rem(bits, RXE_CC_BIT_NS_PER_BYTE,
				    &rig->f[i].bits);
	}
	rig->queue_bytes += in;
	out = min_t(u64, rig->queue_bytes, LOOP_STEP_BYTES);
	rig->queue_bytes -= out;
	rig->sent_bytes += out;
	rig->peak_bytes = max(rig->peak_bytes, rig->queue_bytes);
	*hop = (struct rxe_cc_int_hop) {
		.ts_ns = rig->now_ns, .tx_bytes = rig->sent_bytes,
		.qlen_bytes = rig->queue_bytes, .node = 1,
		.rate_bps = in ? LOOP_LINE_BPS : 0,
	};
	rig->step++;
}

static inline void loop_mark(struct loop_rig *rig)
{
	rig->peak_bytes = rig->queue_bytes;
	rig->mark_bytes = rig->sent_bytes;
	rig->mark_ns = rig->now_ns;
}

static inline void loop_rounds(struct loop_rig *rig, unsigned int n)
{
	for (n *= LOOP_ROUND; n; n--)
		loop_step(rig);
}

/* Of the line since loop_mark(), in thousandths. */
static inline u64 loop_permille(const struct loop_rig *rig)
{
	u64 line = rxe_cc_bytes_in(LOOP_LINE_BPS, rig->now_ns - rig->mark_ns);

	return div64_u64((rig->sent_bytes - rig->mark_bytes) * 1000, line);
}

/* Jain's index of the first flows, in thousandths. */
static inline u64 loop_jain(const struct loop_rig *rig, unsigned int n)
{
	u64 sum = 0, squares = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		u64 mbps = div64_u64(loop_bps(rig, i), LOOP_MBPS);

		sum += mbps;
		squares += mbps * mbps;
	}
	return div64_u64(sum * sum * 1000, n * squares);
}

#endif /* _RXE_CC_HPCC_LOOP_H */
