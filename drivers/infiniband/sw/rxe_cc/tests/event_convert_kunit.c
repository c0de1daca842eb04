// SPDX-License-Identifier: GPL-2.0
/*
 * What the core does around an algorithm's calls, and records of events: pure
 * functions that recording and replay rest on.
 */
#include <linux/array_size.h>
#include <linux/slab.h>

#include "core/cc_flow_update.h"
#include "events/event_convert.h"
#include "cc_test.h"

#define GBIT(n)	((u64)(n) * 1000 * 1000 * 1000)

static const struct rxe_cc_ops test_ops; /* needs nothing, remembers nothing */

static const struct rxe_cc_env test_env = {
	.line_rate_bps = GBIT(100), .min_rate_bps = 1000000, .pkt_bytes = 1106,
};

struct settle_case {
	u64 rate_bps, cwnd_bytes, timer_ns, set_ns;	/* as the algorithm leaves them */
	u64 want_rate_bps, want_cwnd_bytes, want_timer_ns;
	bool want_arm;
};

/* At 5000 ns. */
static const struct settle_case settle_cases[] = {
	{ GBIT(7), 4000, 9000, 9000, GBIT(7), 4000, 9000, false },
	{ GBIT(101), 4000, 9000, 8000, GBIT(100), 4000, 9000, true },
	{ 0, 0, RXE_CC_NO_TIMER, 8000, 1000000, 1, RXE_CC_NO_TIMER, true },
	{ U64_MAX, RXE_CC_NO_WINDOW, RXE_CC_NO_TIMER, RXE_CC_NO_TIMER,
	  GBIT(100), RXE_CC_NO_WINDOW, RXE_CC_NO_TIMER, false },
	/* Not sooner than a microsecond from now, and not in the past. */
	{ GBIT(1), 1, 5999, RXE_CC_NO_TIMER, GBIT(1), 1, 6000, true },
	{ GBIT(1), 1, 0, RXE_CC_NO_TIMER, GBIT(1), 1, 6000, true },
	{ GBIT(1), 1, 6001, RXE_CC_NO_TIMER, GBIT(1), 1, 6001, true },
	/* One that is armed already is left alone, however close. */
	{ GBIT(1), 1, 5001, 5001, GBIT(1), 1, 5001, false },
};

static void flow__settle(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(settle_cases); i++) {
		const struct settle_case *c = &settle_cases[i];
		struct rxe_cc_flow f = {};
		u64 set_ns = c->set_ns;
		bool arm;

		rxe_cc_flow_reset(&f, &test_env, &test_ops, NULL, NULL, NULL);
		f.rate_bps = c->rate_bps;
		f.cwnd_bytes = c->cwnd_bytes;
		f.timer_ns = c->timer_ns;
		arm = rxe_cc_flow_settle(&f, 5000, &set_ns);
		KUNIT_EXPECT_EQ_MSG(test, f.rate_bps, c->want_rate_bps, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f.cwnd_bytes, c->want_cwnd_bytes, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f.timer_ns, c->want_timer_ns, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, set_ns, c->want_timer_ns, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, arm, c->want_arm, "row %u", i);
	}
}

static void flow__expire(struct kunit *test)
{
	struct rxe_cc_flow f = { .timer_ns = 700 };
	u64 set_ns = 700;

	KUNIT_EXPECT_FALSE(test, rxe_cc_flow_expire(&f, 699, &set_ns));
	KUNIT_EXPECT_EQ(test, f.timer_ns, 700);
	KUNIT_EXPECT_TRUE(test, rxe_cc_flow_expire(&f, 700, &set_ns));
	KUNIT_EXPECT_EQ(test, f.timer_ns, RXE_CC_NO_TIMER);
	KUNIT_EXPECT_EQ(test, set_ns, RXE_CC_NO_TIMER);
	KUNIT_EXPECT_FALSE(test, rxe_cc_flow_expire(&f, U64_MAX - 1, &set_ns));
}

/* A round trip at a time, ms, with a window of 10 s. */
static u64 flow_trip(struct rxe_cc_flow *f, struct rxe_cc_idle *idle, u64 now_ms,
		     u64 took_ns, u64 turnaround_ns, u64 given_ns)
{
	const struct rxe_cc_idle_pkt pkt = {
		.now_ns = now_ms * NSEC_PER_MSEC, .at_ns = now_ms * NSEC_PER_MSEC,
		.ns = max(took_ns, 1ULL), .window_ns = 10 * (u64)NSEC_PER_SEC,
		.line_bps = f->line_rate_bps, .bytes = 1106,
	};
	struct rxe_cc_trip trip = {
		.now_ns = now_ms * NSEC_PER_MSEC, .took_ns = took_ns,
		.turnaround_ns = turnaround_ns, .given_ns = given_ns,
	};
	s64 longest_ns;

	trip.least_ns = rxe_cc_idle_sample(idle, &pkt, &longest_ns);
	return rxe_cc_flow_rtt(f, &trip);
}

/* Too much for a stack. */
static struct rxe_cc_flow *test_flow(struct kunit *test)
{
	struct rxe_cc_flow *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	return f;
}

static void flow__rtt(struct kunit *test)
{
	struct rxe_cc_env env = test_env;
	struct rxe_cc_flow *f = test_flow(test);
	struct rxe_cc_idle least = { };

	env.min_rate_bps = GBIT(200);
	rxe_cc_flow_reset(f, &env, &test_ops, NULL, NULL, NULL);
	KUNIT_EXPECT_EQ(test, f->min_rate_bps, GBIT(100));
	KUNIT_EXPECT_EQ(test, f->base_rtt_ns, 0);
	KUNIT_EXPECT_EQ(test, flow_trip(f, &least, 0, 8000, 0, 0), 8000);
	KUNIT_EXPECT_EQ(test, f->srtt_ns, 8000);
	KUNIT_EXPECT_EQ(test, f->base_rtt_ns, 8000);
	flow_trip(f, &least, 1, 16000, 0, 0);
	KUNIT_EXPECT_EQ(test, f->srtt_ns, 9000);
	KUNIT_EXPECT_EQ(test, f->base_rtt_ns, 8000);
	flow_trip(f, &least, 2, 7000, 0, 5000);
	KUNIT_EXPECT_EQ(test, f->min_rtt_ns, 7000);
	KUNIT_EXPECT_EQ(test, f->base_rtt_ns, 5000);
	/* No longer given: the smallest measured. */
	rxe_cc_flow_env(f, &test_env);
	KUNIT_EXPECT_EQ(test, f->base_rtt_ns, 7000);
	KUNIT_EXPECT_EQ(test, flow_trip(f, &least, 3, 0, 0, 0), 1);
	KUNIT_EXPECT_EQ(test, f->min_rtt_ns, 1);
	/* Longer than 32 bits hold, of another path. */
	memset(&least, 0, sizeof(least));
	rxe_cc_flow_reset(f, &test_env, &test_ops, NULL, NULL, NULL);
	KUNIT_EXPECT_EQ(test, flow_trip(f, &least, 4, 5ULL << 32, 0, 0),
			5ULL << 32);
	KUNIT_EXPECT_EQ(test, f->min_rtt_ns, 5ULL << 32);
}

/* One measurement a second. The path gets longer at 5 s and once more at 40 s: its base follows
 * at the end of the first window of 10 s in which no packet was as fast as before, the one
 * that began with the last that was. So not before 8 s, and not after two windows and the
 * two packets that were the last of the shorter path. A round trip that was longer never
 * counts.
 */
static void flow__rtt_window(struct kunit *test)
{
	struct rxe_cc_flow *f = test_flow(test);
	struct rxe_cc_idle least = { };
	unsigned int s;

	rxe_cc_flow_reset(f, &test_env, &test_ops, NULL, NULL, NULL);
	for (s = 0; s < 70; s++) {
		u64 path_ns = s < 5 ? 8000 : s < 40 ? 20000 : 90000;
		u64 old_ns = s < 40 ? 8000 : 20000;
		unsigned int since = s < 5 ? 0 : s < 40 ? s - 5 : s - 40;

		flow_trip(f, &least, 1000 * s, path_ns + s % 3 * 5000, 0, 0);
		if (s < 5)
			KUNIT_EXPECT_EQ_MSG(test, f->min_rtt_ns, 8000, "%u s", s);
		else if (since < 8)
			KUNIT_EXPECT_EQ_MSG(test, f->min_rtt_ns, old_ns, "%u s", s);
		else if (since > 22)
			KUNIT_EXPECT_EQ_MSG(test, f->min_rtt_ns, path_ns, "%u s", s);
		KUNIT_EXPECT_EQ(test, f->base_rtt_ns, f->min_rtt_ns);
	}
	/* After a silence, also one of 75 minutes, eight packets tell that the path is longer. */
	for (s = 0; s < 9; s++) {
		KUNIT_EXPECT_EQ_MSG(test, f->min_rtt_ns, 90000, "%u s", s);
		flow_trip(f, &least, 1000 * (70 + 75 * 60 + s), 200000, 0, 0);
	}
	KUNIT_EXPECT_EQ(test, f->min_rtt_ns, 200000);
}

/* What a receiver claims to have taken: { round trip, claim, what remains }. The
 * smallest round trip is 10 us all the time.
 */
static void flow__rtt_turnaround(struct kunit *test)
{
	static const u64 row[][3] = {
		{ 10000, 9000, 10000 },	/* the first proves no less */
		{ 30000, 5000, 25000 },
		{ 30000, 19999, 10001 },
		{ 30000, 20000, 10000 },
		{ 30000, 29999, 10000 },
		{ 30000, 30000, 30000 }, /* a whole round trip or more: not true */
		{ 30000, U64_MAX, 30000 },
		{ 10000, 1, 10000 },
	};
	struct rxe_cc_flow *f = test_flow(test);
	struct rxe_cc_idle least = { };
	unsigned int i;

	rxe_cc_flow_reset(f, &test_env, &test_ops, NULL, NULL, NULL);
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		KUNIT_EXPECT_EQ_MSG(test, flow_trip(f, &least, i, row[i][0],
						    row[i][1], 0),
				    row[i][2], "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f->min_rtt_ns, 10000, "row %u", i);
	}
}

/* A sample with every field of its own value and as many hops as fit. */
static void events__round_trip(struct kunit *test)
{
	struct rxe_cc_int_hop *hops, *back;
	struct rxe_cc_evt *e;
	struct rxe_cc_sample out, in = {
		.now_ns = 1, .bytes = 2, .inflight_bytes = 3, .rtt_ns = 4,
		.cnp_window_bytes = 5, .seq = 6, .next_seq = 7,
		.nr_hops = RXE_CC_EVT_HOPS_MAX, .loss = RXE_CC_LOSS_RNR,
		.fb = { 8, 9, 10, 11 }, .nr_fb = 4,
		.kind = RXE_CC_DATA_ATOMIC, .msg_bytes = 12,
		.turnaround_ns = 13, .owd_ns = 14, .owd_over_ns = 15, .min_rtt_ns = 19,
		.path_hops = 16, .cnp_origin = RXE_CC_CNP_LSCC, .has_owd = true,
		.start = true, .retransmit = true, .partial = true, .direct = true,
	};
	unsigned int i;

	e = kunit_kzalloc(test, RXE_CC_EVT_LEN_MAX, GFP_KERNEL);
	hops = kunit_kcalloc(test, RXE_CC_EVT_HOPS_MAX, sizeof(*hops), GFP_KERNEL);
	back = kunit_kcalloc(test, RXE_CC_EVT_HOPS_MAX, sizeof(*hops), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_ASSERT_NOT_NULL(test, hops);
	KUNIT_ASSERT_NOT_NULL(test, back);
	for (i = 0; i < RXE_CC_EVT_HOPS_MAX; i++) {
		hops[i].ts_ns = U64_MAX - i;
		hops[i].tx_bytes = 1000 + i;
		hops[i].rate_bps = GBIT(i + 1);
		hops[i].qlen_bytes = U32_MAX - i;
		hops[i].node = 3000 + i;
		hops[i].port = U16_MAX - i;
	}
	in.hops = hops;
	rxe_cc_evt_of_sample(e, RXE_CC_EVT_ACK, &in);
	KUNIT_EXPECT_LE(test, e->len, RXE_CC_EVT_LEN_MAX);
	KUNIT_EXPECT_NULL(test, rxe_cc_evt_check(e, e->len));
	rxe_cc_evt_to_sample(e, &out, back);
	KUNIT_EXPECT_PTR_EQ(test, out.hops, (const struct rxe_cc_int_hop *)back);
	for (i = 0; i < RXE_CC_EVT_HOPS_MAX; i++) {
		KUNIT_EXPECT_EQ_MSG(test, back[i].ts_ns, U64_MAX - i, "hop %u", i);
		KUNIT_EXPECT_EQ_MSG(test, back[i].tx_bytes, 1000 + i, "hop %u", i);
		KUNIT_EXPECT_EQ_MSG(test, back[i].rate_bps, GBIT(i + 1), "hop %u", i);
		KUNIT_EXPECT_EQ_MSG(test, back[i].qlen_bytes, U32_MAX - i, "hop %u", i);
		KUNIT_EXPECT_EQ_MSG(test, back[i].node, 3000 + i, "hop %u", i);
		KUNIT_EXPECT_EQ_MSG(test, back[i].port, U16_MAX - i, "hop %u", i);
	}
	KUNIT_EXPECT_EQ(test, out.now_ns, 1);
	KUNIT_EXPECT_EQ(test, out.bytes, 2);
	KUNIT_EXPECT_EQ(test, out.inflight_bytes, 3);
	KUNIT_EXPECT_EQ(test, out.rtt_ns, 4);
	KUNIT_EXPECT_EQ(test, out.cnp_window_bytes, 5);
	KUNIT_EXPECT_EQ(test, out.seq, 6);
	KUNIT_EXPECT_EQ(test, out.next_seq, 7);
	KUNIT_EXPECT_EQ(test, out.nr_hops, RXE_CC_EVT_HOPS_MAX);
	KUNIT_EXPECT_EQ(test, out.loss, RXE_CC_LOSS_RNR);
	KUNIT_EXPECT_EQ(test, out.nr_fb, 4);
	for (i = 0; i < out.nr_fb; i++)
		KUNIT_EXPECT_EQ(test, out.fb[i], 8 + i);
	KUNIT_EXPECT_EQ(test, out.kind, RXE_CC_DATA_ATOMIC);
	KUNIT_EXPECT_EQ(test, out.msg_bytes, 12);
	KUNIT_EXPECT_EQ(test, out.turnaround_ns, 13);
	KUNIT_EXPECT_EQ(test, out.owd_ns, 14);
	KUNIT_EXPECT_EQ(test, out.owd_over_ns, 15);
	KUNIT_EXPECT_EQ(test, out.min_rtt_ns, 19);
	KUNIT_EXPECT_EQ(test, out.path_hops, 16);
	KUNIT_EXPECT_EQ(test, out.cnp_origin, RXE_CC_CNP_LSCC);
	KUNIT_EXPECT_TRUE(test, out.has_owd);
	KUNIT_EXPECT_TRUE(test, out.start && out.retransmit && out.partial && out.direct);
	KUNIT_EXPECT_FALSE(test, out.ce || out.end);

	in.nr_hops = 0;
	in.now_ns = 1000;
	in.arrived_ns = 990;
	rxe_cc_evt_of_sample(e, RXE_CC_EVT_DATA, &in);
	rxe_cc_evt_to_sample(e, &out, back);
	KUNIT_EXPECT_NULL(test, out.hops);
	KUNIT_EXPECT_EQ(test, out.arrived_ns, 990);
}

/* What a receiver decides: its verdict, and what it tells the sender. */
static void events__decision(struct kunit *test)
{
	static const struct {
		bool always;
		u32 verdict;
		u16 flags;
	} cases[] = {
		{ false, 0, 0 },
		{ true, 0, RXE_CC_EVT_F_ALWAYS },
		{ false, RXE_CC_RX_CNP, RXE_CC_EVT_F_CNP },
		{ false, RXE_CC_RX_REPORT, RXE_CC_EVT_F_REPORT },
		{ true, RXE_CC_RX_CNP | RXE_CC_RX_REPORT,
		  RXE_CC_EVT_F_ALWAYS | RXE_CC_EVT_F_CNP | RXE_CC_EVT_F_REPORT },
	};
	struct rxe_cc_flow f = {
		.rate_bps = 1, .cwnd_bytes = 2, .timer_ns = 3,
		.report = { .fb = { U64_MAX, U32_MAX }, .nr = 2 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		static struct rxe_cc_evt e;

		memset(&e, 0, sizeof(e));
		f.report.always = cases[i].always;
		rxe_cc_evt_of_decision(&e, &f, RXE_CC_EVT_DATA, cases[i].verdict);
		KUNIT_EXPECT_EQ_MSG(test, e.flags, cases[i].flags, "row %u", i);
		KUNIT_EXPECT_EQ(test, e.cause, RXE_CC_EVT_DATA);
		KUNIT_EXPECT_EQ(test, e.decision.rate_bps, 1);
		KUNIT_EXPECT_EQ(test, e.decision.cwnd_bytes, 2);
		KUNIT_EXPECT_EQ(test, e.decision.timer_ns, 3);
		KUNIT_EXPECT_EQ(test, e.decision.nr_fb, 2);
		KUNIT_EXPECT_EQ(test, e.decision.fb[0], U64_MAX);
		KUNIT_EXPECT_EQ(test, e.decision.fb[1], U32_MAX);
	}
}

static u32 hears_data(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	return 0;
}

/* Which data packets an algorithm is told of. */
static void flow__hears(struct kunit *test)
{
	static const struct {
		u32 (*on_data)(struct rxe_cc_flow *f, const struct rxe_cc_sample *s);
		bool all, ce, hops;
		u16 wants;
		bool want;
	} cases[] = {
		{ NULL, true, true, true, RXE_CC_WANT_RX_HOPS, false },
		{ hears_data, false, false, false, RXE_CC_WANT_RX_HOPS, false },
		{ hears_data, false, false, true, RXE_CC_WANT_RX_HOPS, true },
		{ hears_data, false, false, true, 0xff & ~RXE_CC_WANT_RX_HOPS, false },
		{ hears_data, false, true, false, 0, true },
		{ hears_data, true, false, false, 0, true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct rxe_cc_ops ops = {
			.on_data = cases[i].on_data, .all_data = cases[i].all,
		};
		const struct rxe_cc_sample s = {
			.ce = cases[i].ce, .nr_hops = cases[i].hops,
		};
		const struct rxe_cc_flow f = { .wants = cases[i].wants };

		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_flow_hears(&f, &ops, &s),
				    cases[i].want, "row %u", i);
	}
}

/* Files have these numbers: they stay. Causes are those of the core, whatever its order. */
static void events__kinds(struct kunit *test)
{
	static const u8 kind[] = {
		[RXE_CC_EV_ACK] = 0, [RXE_CC_EV_SENT] = 1, [RXE_CC_EV_CNP] = 2,
		[RXE_CC_EV_TIMER] = 3, [RXE_CC_EV_LOSS] = 4, [RXE_CC_EV_DATA] = 5,
		[RXE_CC_EV_FILL] = 6, [RXE_CC_EV_GROUP] = 7, [RXE_CC_EV_INIT] = 8,
		[RXE_CC_EV_CHANGE] = 9, [RXE_CC_EV_ENV] = 10, [RXE_CC_EV_END] = 11,
		[RXE_CC_EV_CMD] = 17,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kind); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_evt_kind(i), kind[i], "event %u", i);
	KUNIT_EXPECT_EQ(test, (int)RXE_CC_EVT_PORT, 12);
	KUNIT_EXPECT_EQ(test, (int)RXE_CC_EVT_DECISION, 13);
	KUNIT_EXPECT_EQ(test, (int)RXE_CC_EVT_ERROR, 16);
	KUNIT_EXPECT_EQ(test, (int)RXE_CC_EVT_CMD, 17);
}

/* As those of algorithm "testalg": one of each scope. */
static int cmd_to_qp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
		     struct rxe_cc_cmd_call *c)
{
	return 0;
}

static int cmd_to_peer(void *peer_priv, void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c)
{
	return 0;
}

static int cmd_to_port(void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c)
{
	return 0;
}

static const struct rxe_cc_param cmd_window_args[] = {
	{ "bytes", "bytes", 1, 1ULL << 40, 1, "window" },
};

static const struct rxe_cc_param cmd_announce_args[] = {
	{ "bytes", "bytes", 1, 1ULL << 40, 1, "bytes of each flow" },
	{ "flows", "count", 1, 1000, 7, "how many of them" },
};

static const struct rxe_cc_cmd cmds[] = {
	{ .name = "window", .help = "h", .args = cmd_window_args, .nr_args = 1,
	  .required = BIT(0), .to_qp = cmd_to_qp },
	{ .name = "announce", .help = "h", .args = cmd_announce_args, .nr_args = 2,
	  .required = BIT(0), .to_peer = cmd_to_peer },
	{ .name = "forget", .help = "h", .to_port = cmd_to_port },
};

/* A command as a record and back, of each scope; the answer counts if it was taken. */
static void events__cmd(struct kunit *test)
{
	static const u32 scopes[] = {
		RXE_CC_COMMAND_SCOPE_QP, RXE_CC_COMMAND_SCOPE_PEER,
		RXE_CC_COMMAND_SCOPE_PORT,
	};
	const u64 args[] = { 1ULL << 40, 999 };
	struct rxe_cc_cmd_call c = {
		.args = args, .var = { { "was_bytes", U64_MAX } }, .nr_vars = 1,
	};
	struct rxe_cc_evt *e;
	const char *name;
	unsigned int i, j;
	u64 back[RXE_CC_MAX_CMD_ARGS];

	e = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, e);
	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		memset(e, 0, sizeof(*e));
		memset(back, 0, sizeof(back));
		rxe_cc_evt_of_cmd(e, &cmds[i], &c, 0);
		KUNIT_EXPECT_EQ(test, e->kind, RXE_CC_EVT_CMD);
		KUNIT_EXPECT_NULL(test, rxe_cc_evt_check(e, e->len));
		KUNIT_EXPECT_EQ_MSG(test, e->cmd.scope, scopes[i], "row %u", i);
		KUNIT_EXPECT_STREQ(test, e->cmd.name, cmds[i].name);
		KUNIT_EXPECT_EQ(test, e->cmd.nr_args, cmds[i].nr_args);
		KUNIT_EXPECT_EQ(test, e->cmd.nr_answers, 1);
		KUNIT_EXPECT_STREQ(test, e->cmd.answer[0].name, "was_bytes");
		KUNIT_EXPECT_EQ(test, e->cmd.answer[0].value, U64_MAX);
		KUNIT_EXPECT_NULL(test, rxe_cc_evt_to_args(e, &cmds[i], back, &name));
		for (j = 0; j < cmds[i].nr_args; j++)
			KUNIT_EXPECT_EQ_MSG(test, back[j], args[j], "row %u", i);
	}
	memset(e, 0, sizeof(*e));
	rxe_cc_evt_of_cmd(e, &cmds[1], &c, -EDQUOT);
	KUNIT_EXPECT_EQ(test, e->cmd.err, EDQUOT);
	KUNIT_EXPECT_EQ(test, e->cmd.nr_answers, 0);
	KUNIT_EXPECT_EQ(test, e->cmd.nr_args, 2);
}

/* The algorithm has other commands than when its recording was made. */
static void events__cmd_changed(struct kunit *test)
{
	static const struct rxe_cc_param swapped[] = {
		{ "flows", "count", 1, 1000, 7, "" }, { "bytes", "bytes", 1, 500, 1, "" },
		{ "late", "ns", 0, 9, 5, "" },
	};
	static const struct rxe_cc_param renamed[] = {
		{ "octets", "bytes", 1, 500, 1, "" }, { "flows", "count", 1, 1000, 7, "" },
	};
	static const struct rxe_cc_param narrow[] = {
		{ "bytes", "bytes", 1, 99, 1, "" }, { "flows", "count", 1, 1000, 7, "" },
	};
	const struct {
		struct rxe_cc_cmd cmd;
		const char *why, *name;
	} rows[] = {
		{ { .args = renamed, .nr_args = 2, .to_peer = cmd_to_peer },
		  "no such argument", "bytes" },
		{ { .args = narrow, .nr_args = 2, .to_peer = cmd_to_peer },
		  "argument out of range", "bytes" },
		{ { .args = cmd_announce_args, .nr_args = 1, .to_peer = cmd_to_peer },
		  "no such argument", "flows" },
		{ { .name = "announce", .args = cmd_announce_args, .nr_args = 2,
		    .to_port = cmd_to_port }, "a command for something else", "announce" },
		{ { .args = swapped, .nr_args = 3, .required = BIT(2),
		    .to_peer = cmd_to_peer }, "argument missing", "late" },
		{ { .args = swapped, .nr_args = 3, .to_peer = cmd_to_peer }, NULL, NULL },
	};
	const u64 args[] = { 100, 3 };
	const struct rxe_cc_cmd_call c = { .args = args };
	u64 back[RXE_CC_MAX_CMD_ARGS];
	struct rxe_cc_evt *e;
	const char *name, *why;
	unsigned int i;

	e = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, e);
	rxe_cc_evt_of_cmd(e, &cmds[1], &c, 0);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		why = rxe_cc_evt_to_args(e, &rows[i].cmd, back, &name);
		KUNIT_EXPECT_STREQ_MSG(test, why ? why : "", rows[i].why ? rows[i].why : "",
				       "row %u", i);
		if (why && rows[i].name)
			KUNIT_EXPECT_STREQ_MSG(test, name, rows[i].name, "row %u", i);
	}
	/* By name, whatever the order; what is new has its default. */
	KUNIT_EXPECT_EQ(test, back[0], 3);
	KUNIT_EXPECT_EQ(test, back[1], 100);
	KUNIT_EXPECT_EQ(test, back[2], 5);

	/* Whatever a program writes. */
	memset(e->cmd.arg[1].name, 'x', sizeof(e->cmd.arg[1].name));
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(e, e->len));
	e->cmd.nr_args = 1;
	KUNIT_EXPECT_NULL(test, rxe_cc_evt_check(e, e->len));
	e->cmd.nr_args = RXE_CC_EVT_VALUES_MAX + 1;
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(e, e->len));
	e->cmd.nr_args = 0;
	memset(e->cmd.name, 'x', sizeof(e->cmd.name));
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(e, e->len));
}

/* Whatever a program writes: refused before anything beyond it is read. */
static void events__bad_records(struct kunit *test)
{
	static struct rxe_cc_evt e;
	const u32 len = rxe_cc_evt_len(RXE_CC_EVT_ACK);
	u8 kind;

	for (kind = 0; kind < RXE_CC_EVT_KINDS; kind++) {
		KUNIT_EXPECT_GT_MSG(test, rxe_cc_evt_len(kind), 0, "kind %u", kind);
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_evt_len(kind) % 8, 0, "kind %u", kind);
	}
	KUNIT_EXPECT_EQ(test, rxe_cc_evt_len(RXE_CC_EVT_KINDS), 0);

	memset(&e, 0, sizeof(e));
	e.kind = RXE_CC_EVT_ACK;
	e.len = len;
	KUNIT_EXPECT_NULL(test, rxe_cc_evt_check(&e, sizeof(e)));
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, len - 1));
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, 4));
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, 0));
	e.len = len + 8;
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, sizeof(e)));
	e.sample.nr_hops = 1;
	e.len = len + sizeof(struct rxe_cc_evt_hop);
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, e.len - 1));
	KUNIT_EXPECT_NULL(test, rxe_cc_evt_check(&e, e.len));
	e.sample.nr_hops = RXE_CC_EVT_HOPS_MAX + 1;
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, SIZE_MAX));
	e.kind = RXE_CC_EVT_KINDS;
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_evt_check(&e, sizeof(e)));
}

/* When a timer of a replayed flow goes off. */
static void events__timers(struct kunit *test)
{
	/* With its recorded event, up to 20 ns late; never before it is due. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_evt_await(100, 100, 0));
	KUNIT_EXPECT_TRUE(test, rxe_cc_evt_await(100, 120, 20));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_await(100, 121, 20));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_await(100, 99, 20));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_await(100, RXE_CC_NO_TIMER, U64_MAX));
	/* By itself, after all events of that instant. */
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_overdue(100, 99, 0));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_overdue(100, 100, 0));
	KUNIT_EXPECT_TRUE(test, rxe_cc_evt_overdue(100, 101, 0));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_overdue(100, 120, 20));
	KUNIT_EXPECT_TRUE(test, rxe_cc_evt_overdue(100, 121, 20));
	KUNIT_EXPECT_FALSE(test, rxe_cc_evt_overdue(RXE_CC_NO_TIMER, U64_MAX, 0));
}

static struct kunit_case events_cases[] = {
	KUNIT_CASE(flow__settle),
	KUNIT_CASE(flow__expire),
	KUNIT_CASE(flow__rtt),
	KUNIT_CASE(flow__rtt_window),
	KUNIT_CASE(flow__rtt_turnaround),
	KUNIT_CASE(events__round_trip),
	KUNIT_CASE(events__decision),
	KUNIT_CASE(flow__hears),
	KUNIT_CASE(events__kinds),
	KUNIT_CASE(events__cmd),
	KUNIT_CASE(events__cmd_changed),
	KUNIT_CASE(events__bad_records),
	KUNIT_CASE(events__timers),
	{}
};

static struct kunit_suite events_suite = {
	.name = "rxe_cc_events",
	.test_cases = events_cases,
};

kunit_test_suite(events_suite);
