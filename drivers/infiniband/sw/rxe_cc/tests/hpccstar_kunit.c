// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC*: the near loop beside the far one, and both against the table of an independent
 * floating-point model (gen_hpccstar.c).
 */
#include "hpcc_vector_rows.h"
#include "hpccstar_events.h"
#include "hpccstar_vectors.h"

#define LINE		(40 * GBPS)
#define FAR_NS		2000000ULL	/* T */
#define NEAR_NS		5000ULL		/* T* */
#define NODE		100

/* The head of the algorithm's state. */
struct star_state {
	struct rxe_hpcc far;
	struct rxe_hpcc near;
};

/**
 * struct star_rig - a flow, and what it hears
 * @ops: hpccstar
 * @params: of the flow
 * @flow: flow
 * @far: port behind the long link
 * @near: port in front of it, and the pseudo queue
 * @now_ns: time
 * @seq: of the newest packet that was reported
 * @next_seq: next to be sent
 */
struct star_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_flow flow;
	struct rxe_cc_int_hop far[1];
	struct rxe_cc_int_hop near[2];
	u64 now_ns;
	u64 seq;
	u64 next_seq;
};

static struct star_rig *star_new(struct kunit *test)
{
	struct star_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, "hpccstar");
	cc_test_defaults(rig->ops, rig->params);
	rig->flow = (struct rxe_cc_flow) {
		.rate_bps = LINE, .line_rate_bps = LINE,
		.min_rate_bps = 10000000, .base_rtt_ns = FAR_NS,
		.pkt_bytes = 4178, .cwnd_bytes = RXE_CC_NO_WINDOW,
		.timer_ns = RXE_CC_NO_TIMER, .params = rig->params,
	};
	cc_test_flow_own(test, &rig->flow, rig->ops);
	rig->far[0] = (struct rxe_cc_int_hop) {
		.rate_bps = 200 * GBPS, .node = NODE,
	};
	for (i = 0; i < 2; i++)
		rig->near[i] = (struct rxe_cc_int_hop) {
			.rate_bps = (i ? 4 : 100) * GBPS, .node = NODE + 1 + i,
		};
	rig->now_ns = NSEC_PER_SEC;
	rig->next_seq = 100;
	return rig;
}

static struct star_rig *star_started(struct kunit *test)
{
	struct star_rig *rig = star_new(test);

	rig->ops->init(&rig->flow, rig->now_ns);
	return rig;
}

static struct star_state *star_of(struct star_rig *rig)
{
	return rig->flow.priv;
}

static u64 star_var(struct kunit *test, const struct star_rig *rig, const char *name)
{
	struct rxe_cc_var vars[RXE_CC_MAX_VARS];
	unsigned int n = rig->ops->dump(&rig->flow, vars);

	while (n--) {
		if (!strcmp(vars[n].name, name))
			return vars[n].value;
	}
	KUNIT_FAIL_AND_ABORT(test, "no variable %s", name);
	return 0;
}

/* Direct INT of a packet sent @lag packets ago; the pseudo queue has got @bps since. */
static void star_near(struct star_rig *rig, u64 ns, u64 bps, u64 lag)
{
	struct rxe_cc_sample s;

	rig->now_ns += ns;
	rig->near[0].ts_ns += ns;
	rig->near[1].ts_ns += ns;
	rig->near[0].tx_bytes += rxe_cc_bytes_in(bps, ns);
	rig->near[1].tx_bytes += rxe_cc_bytes_in(bps, ns);
	rig->next_seq++;
	s = (struct rxe_cc_sample) {
		.now_ns = rig->now_ns, .hops = rig->near, .nr_hops = 2,
		.seq = rig->next_seq - lag, .next_seq = rig->next_seq,
		.partial = true, .direct = true,
	};
	rig->ops->on_ack(&rig->flow, &s);
}

/* The ACK of a packet sent @lag packets ago; the far port has had @bps since. */
static void star_far(struct star_rig *rig, u64 ns, u64 bps, u64 lag)
{
	struct rxe_cc_sample s;

	rig->now_ns += ns;
	rig->far[0].ts_ns += ns;
	rig->far[0].tx_bytes += rxe_cc_bytes_in(bps, ns);
	s = (struct rxe_cc_sample) {
		.now_ns = rig->now_ns, .hops = rig->far, .nr_hops = 1,
		.seq = rig->next_seq - lag, .next_seq = rig->next_seq,
		.bytes = 4178,
	};
	rig->ops->on_ack(&rig->flow, &s);
}

/* A packet a microsecond, reported five later, and 40 Gbit/s where 4 are allowed: from the
 * sixth on T* is known, the first with it is L, the next says ten times too much. W* lowers
 * the pace; the window is that of W.
 */
static void hpccstar__near(struct kunit *test)
{
	struct star_rig *rig = star_started(test);
	u64 window = rxe_hpcc_window(q16(LINE), FAR_NS);
	int i;

	for (i = 0; i < 6; i++) {
		star_near(rig, 1000, LINE, 6);
		KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, LINE);
	}
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_rtt_ns"), 0);
	star_near(rig, 1000, LINE, 6);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_rtt_ns"), 6000);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, LINE);
	/* tau is T*: U = 10 at once, and no queue. */
	star_near(rig, 6000, LINE, 6);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(star_of(rig)->near.u_q36, 10 * U_ONE), U_ONE / 1000);
	KUNIT_EXPECT_LE(test, off_by(rig->flow.rate_bps, LINE / 10 * 95 / 100 + LINE / 2000),
			LINE / 10000);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, window);
}

/* min(W, W*), either way. */
static void hpccstar__min(struct kunit *test)
{
	struct star_rig *rig;

	rig = star_new(test);
	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 8 * GBPS, 2);
	KUNIT_EXPECT_LE(test, rig->flow.rate_bps - star_var(test, rig, "near_bps"), 1);
	KUNIT_EXPECT_LT(test, rig->flow.rate_bps, LINE / 2 + LINE / 1000);
	/* The far port is ten times too full. */
	rig->far[0].rate_bps = GBPS;
	star_far(rig, 1000, 0, 40);
	star_far(rig, FAR_NS, 20 * GBPS, 38);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_BYTES);
	rig->far[0].qlen_bytes = 20 * FAR_NS / 8;
	star_far(rig, FAR_NS, GBPS, 35);
	star_far(rig, FAR_NS, GBPS, 35);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, rig->flow.rate_bps - star_var(test, rig, "far_bps"), 1);
	KUNIT_EXPECT_LT(test, rig->flow.rate_bps, star_var(test, rig, "near_bps"));
	KUNIT_EXPECT_LE(test, off_by(rig->flow.cwnd_bytes,
				     rxe_hpcc_window(q16(rig->flow.rate_bps), FAR_NS)), 1);
}

/* ACKs of what was sent before the last direct INT say nothing of it; the first of what was
 * sent after ends W*.
 */
static void hpccstar__end(struct kunit *test)
{
	struct star_rig *rig = star_new(test);
	u64 limit;

	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 8 * GBPS, 2);
	limit = rig->flow.rate_bps;
	KUNIT_ASSERT_LT(test, limit, LINE);
	rig->next_seq += 10;
	star_far(rig, FAR_NS, GBPS, 12);
	star_far(rig, 1000, GBPS, 11);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, limit);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_voided"), 0);
	star_far(rig, 1000, GBPS, 10);
	KUNIT_EXPECT_LE(test, rig->flow.rate_bps - star_var(test, rig, "far_bps"), 1);
	KUNIT_EXPECT_GT(test, rig->flow.rate_bps, LINE / 2);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_voided"), 1);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_bps"), 0);
	/* Once; and the next one begins anew. */
	star_far(rig, 1000, GBPS, 9);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_voided"), 1);
	star_near(rig, 1000, 0, 2);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_GT(test, rig->flow.rate_bps, LINE / 2);
}

/* A pseudo queue of @bytes at 4 Gbit/s that gets just that. */
static u64 star_u_queue(struct kunit *test, u32 bytes)
{
	struct star_rig *rig = star_new(test);

	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	rig->near[1].qlen_bytes = bytes;
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 4 * GBPS, 2);
	return star_of(rig)->near.u_q36;
}

/* The pseudo queue is to be gone within T, not within T*: 4 Gbit/s x 2 ms are 1 MB. What
 * comes may be more than R, up to what a port can send.
 */
static void hpccstar__pseudo(struct kunit *test)
{
	struct star_rig *rig;

	KUNIT_EXPECT_LE(test, off_by(star_u_queue(test, 0), U_ONE), U_ONE / 1000);
	KUNIT_EXPECT_LE(test, off_by(star_u_queue(test, 1000000), 2 * U_ONE), U_ONE / 1000);
	KUNIT_EXPECT_LE(test, off_by(star_u_queue(test, 500000), 3 * U_ONE / 2), U_ONE / 1000);

	rig = star_new(test);
	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	rig->near[0].rate_bps = 800 * GBPS;
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 700 * GBPS, 2);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_USED);
	/* 1000 Gbit/s in 0.5 ms are 62 MB, 12 more than the fastest port sends. */
	star_near(rig, 500000, 1000 * GBPS, 2);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_BYTES);
}

/* Another path is another distance. */
static void hpccstar__path(struct kunit *test)
{
	struct star_rig *rig = star_started(test);
	int i;

	for (i = 0; i < 8; i++)
		star_near(rig, 1000, GBPS, 6);
	KUNIT_ASSERT_EQ(test, star_var(test, rig, "near_rtt_ns"), 6000);
	rig->near[0].node++;
	star_near(rig, 1000, GBPS, 6);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_PATH);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_rtt_ns"), 0);
	for (i = 0; i < 7; i++)
		star_near(rig, 2000, GBPS, 6);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_rtt_ns"), 12000);
}

/* Nobody makes a txRate of his own choice with a time of his own choice. */
static void hpccstar__clock(struct kunit *test)
{
	struct star_rig *rig = star_new(test);
	u64 before;

	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 4 * GBPS, 2);
	before = rig->flow.rate_bps;
	/* As far as may be: 5 us twice, and T*. */
	rig->near[1].ts_ns += 2 * NEAR_NS;
	star_near(rig, NEAR_NS, 4 * GBPS, 2);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_USED);
	/* 0.4 s, in which a port may send anything. */
	rig->near[1].ts_ns += 400000000;
	rig->near[1].tx_bytes += 2000000000;
	rig->near[1].rate_bps = 1000000;
	before = rig->flow.rate_bps;
	star_near(rig, NEAR_NS, 4 * GBPS, 2);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, before);
}

/* What a switch reports that is no direct INT is for others; T may be unknown. */
static void hpccstar__others(struct kunit *test)
{
	struct star_rig *rig = star_new(test);
	struct rxe_cc_sample s = {
		.now_ns = NSEC_PER_SEC, .hops = rig->near, .nr_hops = 2,
		.seq = 99, .next_seq = 100, .partial = true,
	};

	rig->flow.base_rtt_ns = 0;
	cc_test_param(test, rig->ops, rig->params, "near_rtt", NEAR_NS);
	rig->ops->init(&rig->flow, rig->now_ns);
	KUNIT_EXPECT_TRUE(test, rig->flow.wants & RXE_CC_WANT_DIRECT);
	rig->ops->on_ack(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.telemetry, RXE_CC_TELEMETRY_NONE);
	KUNIT_EXPECT_EQ(test, star_of(rig)->near.path.nr + star_of(rig)->far.path.nr, 0);
	/* The near loop needs no T, and no window is made of what is not known. */
	star_near(rig, 1000, 0, 2);
	star_near(rig, NEAR_NS, 8 * GBPS, 2);
	KUNIT_EXPECT_LT(test, rig->flow.rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, RXE_CC_NO_WINDOW);
	/* Bounds hold for both loops. */
	rig->flow.line_rate_bps = GBPS;
	rig->ops->params_changed(&rig->flow, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, GBPS);
	KUNIT_EXPECT_EQ(test, star_var(test, rig, "near_reference_bps"), GBPS);
}

static void hpccstar__params(struct kunit *test)
{
	struct star_rig *rig = star_new(test);
	unsigned int bad = RXE_CC_MAX_PARAMS;

	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	cc_test_param(test, rig->ops, rig->params, "int_profile", 1);
	KUNIT_EXPECT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_ASSERT_LT(test, bad, rig->ops->nr_params);
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "int_profile");
}

static const struct hpccstar_table {
	const struct hpccstar_ev_conf *c;
	const struct hpcc_row *row;
} hpccstar_tables[] = {
	{ &hpccstar_ev_confs[0], hpccstar_far_40g },
	{ &hpccstar_ev_confs[1], hpccstar_given_100g },
	{ &hpccstar_ev_confs[2], hpccstar_slow_25g },
};

static void hpccstar_table_desc(const struct hpccstar_table *t, char *desc)
{
	strscpy(desc, t->c->far.name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(hpccstar_table, hpccstar_tables, hpccstar_table_desc);

static struct star_rig *star_of_conf(struct kunit *test, const struct hpccstar_ev_conf *c)
{
	struct star_rig *rig = star_new(test);
	const struct {
		const char *name;
		u64 value;
	} set[] = {
		{ "eta", RXE_CC_Q24(c->far.eta_num, c->far.eta_den) },
		{ "max_stage", c->far.max_stage }, { "n", c->far.n },
		{ "ai_rate", c->far.ai_bps }, { "fast_react", c->far.fast },
		{ "near_rtt", c->near_rtt_ns },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(set); i++)
		cc_test_param(test, rig->ops, rig->params, set[i].name, set[i].value);
	rig->flow.rate_bps = c->far.line_bps;
	rig->flow.line_rate_bps = c->far.line_bps;
	rig->flow.min_rate_bps = c->far.min_bps;
	rig->flow.base_rtt_ns = c->far.t_ns;
	rig->ops->init(&rig->flow, 1000);
	return rig;
}

static void hpccstar__model(struct kunit *test)
{
	const struct hpccstar_table *t = test->param_value;
	struct star_rig *rig = star_of_conf(test, t->c);
	struct star_state *st = star_of(rig);
	struct hpcc_tally tally = { .row = t->row };
	struct star_events {
		struct hpccstar_ev_source source;
		struct hpccstar_ev ev;
	} *events = kunit_kzalloc(test, sizeof(*events), GFP_KERNEL);
	struct hpccstar_ev *ev = &events->ev;
	u64 ends = 0, now;
	unsigned int i;
	u64 before;

	KUNIT_ASSERT_NOT_NULL(test, events);
	hpccstar_ev_start(&events->source, t->c);
	for (i = 0; i < HPCC_EV_NR; i++) {
		struct rxe_hpcc *loop;
		struct rxe_cc_sample s;

		hpccstar_ev_next(&events->source, ev);
		loop = ev->direct ? &st->near : &st->far;
		before = loop->update;
		s = (struct rxe_cc_sample) {
			.now_ns = ev->e.now_ns, .seq = ev->e.seq,
			.next_seq = ev->e.next_seq, .nr_hops = ev->e.nr,
			.hops = ev->e.nr ? ev->e.hop : NULL,
			.partial = ev->direct, .direct = ev->direct,
		};
		rig->flow.base_rtt_ns = ev->e.t_ns;
		rig->ops->on_ack(&rig->flow, &s);
		if (rig->flow.telemetry == RXE_CC_TELEMETRY_USED) {
			tally.used++;
			tally.commits += loop->update != before;
		}
		now = star_var(test, rig, "near_voided");
		tally.used += now - ends;
		ends = now;
		hpcc_tally(test, &tally, rig->flow.rate_bps, st->near.u_q36);
	}
	KUNIT_EXPECT_GT(test, ends, 0);
	hpcc_tally_print(test, &tally);
}

static struct kunit_case hpccstar_cases[] = {
	KUNIT_CASE(hpccstar__near),
	KUNIT_CASE(hpccstar__min),
	KUNIT_CASE(hpccstar__end),
	KUNIT_CASE(hpccstar__pseudo),
	KUNIT_CASE(hpccstar__path),
	KUNIT_CASE(hpccstar__clock),
	KUNIT_CASE(hpccstar__others),
	KUNIT_CASE(hpccstar__params),
	KUNIT_CASE_PARAM(hpccstar__model, hpccstar_table_gen_params),
	{}
};

static struct kunit_suite hpccstar_suite = {
	.name = "rxe_cc_hpccstar",
	.test_cases = hpccstar_cases,
};

kunit_test_suite(hpccstar_suite);
