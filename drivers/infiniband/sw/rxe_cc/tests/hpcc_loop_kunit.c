// SPDX-License-Identifier: GPL-2.0
/*
 * The algorithm hpcc in a loop with a bottleneck: a fluid port whose telemetry
 * comes back a round trip later. Steady state, incast, join and leave, an idle
 * gap, changes while running. What packets do is the lab's matter.
 */
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
 * struct loop_flow - a sender
 * @flow: what the algorithm sees
 * @active: it has data
 * @bits: sent beyond whole bytes, in bit ns
 */
struct loop_flow {
	struct rxe_cc_flow flow;
	bool active;
	u64 bits;
};

/**
 * struct loop_rig - a bottleneck and its flows
 * @ops: hpcc
 * @params: its parameters, of all flows
 * @f: flows
 * @hop: the port, as of each step of the last round trip
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
	struct loop_flow f[LOOP_FLOWS];
	struct rxe_cc_int_hop hop[LOOP_ROUND];
	u64 now_ns;
	u64 step;
	u64 sent_bytes;
	u64 queue_bytes;
	u64 peak_bytes;
	u64 mark_bytes;
	u64 mark_ns;
};

static struct loop_rig *loop_new(struct kunit *test)
{
	struct loop_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	const struct rxe_cc_ops *ops = NULL;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	while ((ops = rxe_cc_test_next_algo(ops))) {
		if (!strcmp(ops->name, "hpcc"))
			break;
	}
	if (!ops)
		kunit_skip(test, "the module rxe_cc_hpcc is not loaded");
	rig->ops = ops;
	for (i = 0; i < ops->nr_params; i++)
		rig->params[i] = ops->params[i].def;
	rig->now_ns = NSEC_PER_SEC;
	return rig;
}

static void loop_param(struct kunit *test, struct loop_rig *rig,
		       const char *name, u64 value)
{
	unsigned int i;

	for (i = 0; i < rig->ops->nr_params; i++) {
		if (strcmp(rig->ops->params[i].name, name))
			continue;
		rig->params[i] = value;
		return;
	}
	KUNIT_FAIL_AND_ABORT(test, "no parameter %s", name);
}

/* A flow comes and starts as the algorithm likes. */
static void loop_join(struct loop_rig *rig, unsigned int i, u64 base_rtt_ns)
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
		},
		.active = true,
	};
	rig->ops->init(&f->flow, rig->now_ns);
}

/* The rate at which a flow can send: pacing, and a window a round trip. */
static u64 loop_bps(const struct loop_rig *rig, unsigned int i)
{
	const struct rxe_cc_flow *f = &rig->f[i].flow;
	u64 rtt_ns = LOOP_T_NS + rxe_cc_ns_for(rig->queue_bytes, LOOP_LINE_BPS);

	return min(f->rate_bps, rxe_cc_rate_of(f->cwnd_bytes, rtt_ns));
}

static void loop_step(struct loop_rig *rig)
{
	struct rxe_cc_int_hop *hop = &rig->hop[rig->step % LOOP_ROUND];
	struct rxe_cc_sample s = {
		.hops = hop, .nr_hops = 1,
		.psn = (rig->step - LOOP_ROUND) & RXE_CC_PSN_MASK,
		.next_psn = rig->step & RXE_CC_PSN_MASK,
	};
	u64 out, bits, in = 0;
	unsigned int i;

	/* What the port told a round trip ago is here, if a packet went then. */
	rig->now_ns += LOOP_STEP_NS;
	s.now_ns = rig->now_ns;
	for (i = 0; i < LOOP_FLOWS && hop->rate_bps; i++) {
		if (rig->f[i].active)
			rig->ops->on_ack(&rig->f[i].flow, &s);
	}
	for (i = 0; i < LOOP_FLOWS; i++) {
		if (!rig->f[i].active)
			continue;
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

static void loop_mark(struct loop_rig *rig)
{
	rig->peak_bytes = rig->queue_bytes;
	rig->mark_bytes = rig->sent_bytes;
	rig->mark_ns = rig->now_ns;
}

static void loop_rounds(struct loop_rig *rig, unsigned int n)
{
	for (n *= LOOP_ROUND; n; n--)
		loop_step(rig);
}

/* Of the line since loop_mark(), in thousandths. */
static u64 loop_permille(const struct loop_rig *rig)
{
	u64 line = rxe_cc_bytes_in(LOOP_LINE_BPS, rig->now_ns - rig->mark_ns);

	return div64_u64((rig->sent_bytes - rig->mark_bytes) * 1000, line);
}

/* Jain's index of the first flows, in thousandths. */
static u64 loop_jain(const struct loop_rig *rig, unsigned int n)
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

/* One flow: utilization within a point of eta, no queue. */
static void loop__steady(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);

	loop_join(rig, 0, LOOP_T_NS);
	KUNIT_EXPECT_EQ(test, rig->f[0].flow.cwnd_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 50);
	loop_mark(rig);
	loop_rounds(rig, 200);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 960ULL);
}

/* Sixteen at line rate: at most their windows in the queue; soon it is short,
 * and the line is used.
 */
static void loop__incast(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);
	unsigned int i;

	for (i = 0; i < LOOP_FLOWS; i++)
		loop_join(rig, i, LOOP_T_NS);
	loop_rounds(rig, 20);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_FLOWS * (u64)LOOP_BDP);
	KUNIT_EXPECT_GE(test, rig->peak_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 100);
	loop_mark(rig);
	loop_rounds(rig, 200);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 930ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 970ULL);
	KUNIT_EXPECT_GE(test, loop_jain(rig, LOOP_FLOWS), 990ULL);
}

/* A second flow gets its share by additive increase: fast with a large step. Once
 * it leaves, the first takes all within the additive rounds and a few more.
 */
static void loop__join_and_leave(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);

	loop_param(test, rig, "ai_rate", 1000 * LOOP_MBPS);
	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	/* It comes when there is little left; the first one has the more. */
	loop_join(rig, 1, LOOP_T_NS);
	loop_rounds(rig, 300);
	KUNIT_EXPECT_GE(test, loop_jain(rig, 2), 990ULL);
	loop_mark(rig);
	loop_rounds(rig, 100);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 930ULL);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 10ULL);
	rig->f[1].active = false;
	loop_rounds(rig, 12);
	KUNIT_EXPECT_GE(test, loop_bps(rig, 0), 90000 * LOOP_MBPS);
}

/* An idle flow keeps its rate, and finds its way again afterwards. */
static void loop__idle_gap(struct kunit *test)
{
	static const u64 gap_ns[] = { 100000, 3000000000ULL, 8590000000ULL };
	struct loop_rig *rig = loop_new(test);
	unsigned int i;
	u64 rate;

	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	for (i = 0; i < ARRAY_SIZE(gap_ns); i++) {
		rate = rig->f[0].flow.rate_bps;
		rig->f[0].active = false;
		loop_rounds(rig, 2);
		rig->now_ns += gap_ns[i];
		KUNIT_EXPECT_EQ(test, rig->f[0].flow.rate_bps, rate);
		rig->f[0].active = true;
		loop_rounds(rig, 30);
		loop_mark(rig);
		loop_rounds(rig, 50);
		KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
		KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	}
}

/* Line rate without a window until T is known; a smaller T shrinks the window. */
static void loop__base_rtt(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);
	struct rxe_cc_flow *f = &rig->f[0].flow;

	loop_join(rig, 0, 0);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);
	KUNIT_EXPECT_EQ(test, f->rate_bps, LOOP_LINE_BPS);
	loop_rounds(rig, 3);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);
	f->base_rtt_ns = 2 * LOOP_T_NS;
	loop_step(rig);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 2ULL * LOOP_BDP);
	loop_rounds(rig, 30);
	f->base_rtt_ns = LOOP_T_NS;
	loop_step(rig);
	KUNIT_EXPECT_LE(test, f->cwnd_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 30);
	loop_mark(rig);
	loop_rounds(rig, 50);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
	/* An ACK without telemetry: the window follows T, the rate stays. */
	f->rate_bps = 8000 * LOOP_MBPS;
	f->base_rtt_ns = 5000;
	rig->ops->on_ack(f, &(struct rxe_cc_sample) { .now_ns = rig->now_ns });
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 5000ULL);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 8000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, (int)f->telemetry, (int)RXE_CC_TELEMETRY_NONE);
}

/* Parameters, line rate and floor while the flow runs. */
static void loop__changes(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);
	struct rxe_cc_flow *f = &rig->f[0].flow;

	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	loop_param(test, rig, "eta", RXE_CC_Q24(3, 4));
	rig->ops->params_changed(f, rig->now_ns);
	loop_rounds(rig, 50);
	loop_mark(rig);
	loop_rounds(rig, 50);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 740ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 760ULL);

	f->line_rate_bps = 10000 * LOOP_MBPS;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 10000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 15000ULL);
	loop_rounds(rig, 30);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 10000 * LOOP_MBPS);
	f->line_rate_bps = LOOP_LINE_BPS;
	f->min_rate_bps = 20000 * LOOP_MBPS;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 20000 * LOOP_MBPS);
	loop_rounds(rig, 30);
	KUNIT_EXPECT_GE(test, f->rate_bps, 70000 * LOOP_MBPS);
	f->base_rtt_ns = 0;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);

	/* One that has heard nothing is at line rate, whatever that is. */
	loop_join(rig, 1, LOOP_T_NS);
	rig->f[1].flow.line_rate_bps = 400000 * LOOP_MBPS;
	rig->ops->params_changed(&rig->f[1].flow, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->f[1].flow.rate_bps, 400000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, rig->f[1].flow.cwnd_bytes, 600000ULL);
}

static void loop__check_params(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test);
	unsigned int bad = UINT_MAX;

	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	loop_param(test, rig, "eta", RXE_CC_Q24_ONE);
	KUNIT_ASSERT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "eta");
	loop_param(test, rig, "ai_rate", LOOP_MBPS);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
}

static struct kunit_case loop_cases[] = {
	KUNIT_CASE(loop__steady),
	KUNIT_CASE(loop__incast),
	KUNIT_CASE(loop__join_and_leave),
	KUNIT_CASE(loop__idle_gap),
	KUNIT_CASE(loop__base_rtt),
	KUNIT_CASE(loop__changes),
	KUNIT_CASE(loop__check_params),
	{}
};

static struct kunit_suite loop_suite = {
	.name = "rxe_cc_hpcc_loop",
	.test_cases = loop_cases,
};

kunit_test_suite(loop_suite);
