// SPDX-License-Identifier: GPL-2.0
/*
 * The algorithm hpccpp in a loop with a bottleneck, variant by variant, and with
 * ends that are configured differently.
 */
#include "hpcc_loop.h"

/**
 * struct variant - who computes, from what
 * @name: for people
 * @every: a flow hears telemetry every how many steps
 * @report_bytes: queue of which a switch reports; 0: never
 * @rx: parameter rx
 * @n_auto: parameter n_auto
 * @delay_ns: parameter delay_acks
 * @permille: utilization that it settles at
 * @slack: give or take
 * @queue_bytes: queue at most
 */
struct variant {
	const char *name;
	u64 every;
	u64 report_bytes;
	u64 rx;
	u64 n_auto;
	u64 delay_ns;
	u64 permille;
	u64 slack;
	u64 queue_bytes;
};

/*
 * With N known the increases of all make up for what eta leaves:
 * W = W eta / U + (1 - eta) B T, so U settles at 1. A receiver that computes commits
 * once per T although what it told shows only a T later: it does so in waves of two
 * such increases.
 */
static const struct variant variants[] = {
	{ "draft", 1, 0, 0, 0, 0, 950, 10, LOOP_BDP / 20 },
	{ "sparse", LOOP_ROUND, 0, 0, 0, 0, 950, 10, LOOP_BDP / 20 },
	{ "rx", 1, 0, 1, 0, 0, 950, 10, LOOP_BDP / 20 },
	{ "fair", 1, 0, 0, 1, 0, 1000, 10, LOOP_BDP / 20 },
	{ "fair_rx", 1, 0, 1, 1, 0, 975, 25, LOOP_BDP / 10 },
	{ "switch", 1, LOOP_BDP / 10, 0, 0, 0, 950, 10, LOOP_BDP / 20 },
	{ "switch_sparse", LOOP_ROUND, LOOP_BDP / 10, 0, 0, 0, 950, 10,
	  LOOP_BDP / 20 },
	{ "switch_rx", 1, LOOP_BDP / 10, 1, 0, 0, 950, 10, LOOP_BDP / 20 },
	/* An ACK for an eighth of the window: without a look at what it leaves out, and with. */
	{ "delayed", LOOP_ROUND / 8, 0, 0, 0, NSEC_PER_SEC, 950, 10, LOOP_BDP / 20 },
	{ "delayed_looks", LOOP_ROUND / 8, 0, 0, 0, LOOP_T_NS / 20, 950, 10, LOOP_BDP / 20 },
};

KUNIT_ARRAY_PARAM_DESC(variant, variants, name);

static struct loop_rig *loop_variant(struct kunit *test,
				     const struct variant *v)
{
	struct loop_rig *rig = loop_new(test, "hpccpp");

	loop_param(test, rig, "rx", v->rx);
	loop_param(test, rig, "n_auto", v->n_auto);
	loop_param(test, rig, "delay_acks", v->delay_ns);
	rig->every = v->every;
	rig->report_bytes = v->report_bytes;
	return rig;
}

static void loop_expect_good(struct kunit *test, struct loop_rig *rig,
			     const struct variant *v)
{
	loop_mark(rig);
	loop_rounds(rig, 200);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, v->queue_bytes);
	KUNIT_EXPECT_GE(test, loop_permille(rig), v->permille - v->slack);
	KUNIT_EXPECT_LE(test, loop_permille(rig), v->permille + v->slack);
}

/* W_init as it is in force: where not each packet asks for an ACK, with what waits for
 * one, which is an eighth of all less one packet.
 */
static u64 loop_w_init(const struct loop_rig *rig)
{
	if (rig->f[0].flow.wants & RXE_CC_WANT_ACKS)
		return LOOP_BDP;
	return (LOOP_BDP - 1106) * 8 / 7;
}

static void loop__steady(struct kunit *test)
{
	const struct variant *v = test->param_value;
	struct loop_rig *rig = loop_variant(test, v);

	loop_join(rig, 0, LOOP_T_NS);
	KUNIT_EXPECT_EQ(test, rig->f[0].flow.cwnd_bytes, loop_w_init(rig));
	loop_rounds(rig, 50);
	loop_expect_good(test, rig, v);
}

/* Sixteen at line rate. What they share at the end is even: they start alike. */
static void loop__incast(struct kunit *test)
{
	const struct variant *v = test->param_value;
	struct loop_rig *rig = loop_variant(test, v);
	u64 first_peak;
	unsigned int i;

	for (i = 0; i < LOOP_FLOWS; i++)
		loop_join(rig, i, LOOP_T_NS);
	loop_rounds(rig, 20);
	first_peak = rig->peak_bytes;
	KUNIT_EXPECT_LE(test, first_peak, LOOP_FLOWS * (u64)LOOP_BDP);
	loop_rounds(rig, 180);
	loop_expect_good(test, rig, v);
	KUNIT_EXPECT_GE(test, loop_jain(rig, LOOP_FLOWS), 980ULL);
	kunit_info(test, "%s: first peak %llu, then %llu bytes, %llu permille, Jain %llu",
		   v->name, first_peak, rig->peak_bytes, loop_permille(rig),
		   loop_jain(rig, LOOP_FLOWS));
}

/* How large the queue gets in an incast before anything is under control. */
static u64 loop_first_peak(struct kunit *test, const struct variant *v)
{
	struct loop_rig *rig = loop_variant(test, v);
	unsigned int i;

	for (i = 0; i < LOOP_FLOWS; i++)
		loop_join(rig, i, LOOP_T_NS);
	loop_rounds(rig, 10);
	return rig->peak_bytes;
}

/* A switch reports within a quarter of a round trip, an ACK after one: with telemetry
 * once per round trip that saves most.
 */
static void loop__reports_shorten_the_first_queue(struct kunit *test)
{
	KUNIT_EXPECT_LT(test, loop_first_peak(test, &variants[5]),
			loop_first_peak(test, &variants[0]) * 9 / 10);
	KUNIT_EXPECT_LT(test, loop_first_peak(test, &variants[6]),
			loop_first_peak(test, &variants[1]) * 3 / 4);
	KUNIT_EXPECT_LT(test, loop_first_peak(test, &variants[7]),
			loop_first_peak(test, &variants[2]) * 3 / 4);
}

/* With delayed ACKs a sender hears up to an eighth of a round trip later of the first queue, and
 * no later than half of that in the mean; with the look of the receiver when a twentieth of what
 * the line carries in a T has come.
 */
static void loop__a_look_makes_up_for_the_delay(struct kunit *test)
{
	u64 each = loop_first_peak(test, &variants[0]);
	u64 delayed = loop_first_peak(test, &variants[8]);
	u64 looks = loop_first_peak(test, &variants[9]);

	kunit_info(test, "first peak %llu with each ACK, %llu delayed, %llu with a look",
		   each, delayed, looks);
	KUNIT_EXPECT_LT(test, looks, delayed);
	KUNIT_EXPECT_LT(test, each, delayed);
}

/* With N = 2 instead of 100 the step is fifty times as large. */
static void loop__known_n_is_fair_sooner(struct kunit *test)
{
	struct loop_rig *rig;
	struct rxe_hpcc *h;
	unsigned int n[2], i, known;

	for (known = 0; known < 2; known++) {
		rig = loop_variant(test, &variants[known ? 3 : 0]);
		loop_join(rig, 0, LOOP_T_NS);
		loop_rounds(rig, 50);
		loop_join(rig, 1, LOOP_T_NS);
		/* It got no more than a twentieth so far. */
		h = rig->f[1].flow.priv;
		h->rc_q16 /= 20;
		rig->f[1].flow.rate_bps /= 20;
		rig->f[1].flow.cwnd_bytes /= 20;
		for (i = 0; i < 3000 && (i < 2 || loop_jain(rig, 2) < 990); i++)
			loop_rounds(rig, 1);
		n[known] = i;
	}
	kunit_info(test, "%u round trips to Jain 0.99, %u with N known", n[0],
		   n[1]);
	KUNIT_EXPECT_LT(test, n[1] * 10, n[0]);
}

/* Ends that are configured differently: a parameter that only one of them has, or both;
 * and T. Whichever end computes, its u is of its own T, which only a queue shows, and
 * there is none at eta. So a T that is twice the other's changes nothing of where it
 * settles.
 */
struct mismatch {
	const char *name;
	const char *tx;
	const char *rx;
	u64 tx_base_rtt_ns;
	u64 rx_base_rtt_ns;
	u64 every;
};

static const struct mismatch mismatches[] = {
	{ "only the receiver computes", NULL, "rx", LOOP_T_NS, LOOP_T_NS, 1 },
	{ "only the sender would let it", "rx", NULL, LOOP_T_NS, LOOP_T_NS, 1 },
	{ "the receiver has no T", "rx", "rx", LOOP_T_NS, 0, 1 },
	{ "only the receiver counts", NULL, "n_auto", LOOP_T_NS, LOOP_T_NS, 1 },
	{ "only the sender would hear N", "n_auto", NULL, LOOP_T_NS, LOOP_T_NS, 1 },
	{ "sparse and a receiver that computes", NULL, "rx", LOOP_T_NS,
	  LOOP_T_NS, LOOP_ROUND },
	{ "the sender's T is twice the receiver's", "rx", "rx", 2 * LOOP_T_NS,
	  LOOP_T_NS, 1 },
	{ "the sender's T is half the receiver's", "rx", "rx", LOOP_T_NS,
	  2 * LOOP_T_NS, 1 },
};

KUNIT_ARRAY_PARAM_DESC(mismatch, mismatches, name);

static void loop__mismatch(struct kunit *test)
{
	const struct mismatch *m = test->param_value;
	struct loop_rig *rig = loop_new(test, "hpccpp");
	u64 *params = kunit_kzalloc(test, sizeof(rig->params), GFP_KERNEL);
	struct loop_flow *f = &rig->f[0];

	KUNIT_ASSERT_NOT_NULL(test, params);
	memcpy(params, rig->params, sizeof(rig->params));
	if (m->tx)
		loop_param(test, rig, m->tx, 1);
	if (m->rx)
		cc_test_param(test, rig->ops, params, m->rx, 1);
	rig->every = m->every;
	loop_join(rig, 0, m->tx_base_rtt_ns);
	f->rx.params = params;
	f->rx.base_rtt_ns = m->rx_base_rtt_ns;
	rig->ops->params_changed(&f->rx, rig->now_ns);
	loop_rounds(rig, 50);
	loop_expect_good(test, rig, &variants[0]);
}

/* A receiver begins to compute and ceases to, as its T comes and goes. */
static void loop__computes_when_it_can(struct kunit *test)
{
	struct loop_rig *rig = loop_variant(test, &variants[2]);
	struct rxe_cc_flow *rx = &rig->f[0].rx;
	unsigned int i;

	loop_join(rig, 0, LOOP_T_NS);
	for (i = 0; i < 4; i++) {
		rx->base_rtt_ns = i % 2 ? 0 : LOOP_T_NS;
		if (!rx->base_rtt_ns)
			rig->ops->params_changed(rx, rig->now_ns);
		loop_step(rig);
		KUNIT_EXPECT_EQ(test, !!(rx->wants & RXE_CC_WANT_RX_HOPS),
				!!rx->base_rtt_ns);
		loop_rounds(rig, 50);
		loop_expect_good(test, rig, &variants[2]);
		KUNIT_EXPECT_EQ(test, !!rx->report.fb[0],
				!!rx->base_rtt_ns);
	}
}

/* A window of one byte is believed that the receiver has not told. What the receiver knows
 * is as before: its windows come more than a T apart, which is a step more, and what was
 * under way brings about the next.
 */
static void loop__a_forged_window_is_repaired(struct kunit *test)
{
	struct loop_rig *rig = loop_variant(test, &variants[2]);
	struct rxe_cc_sample ack = { .fb = { 1 }, .nr_fb = 1 };
	struct rxe_cc_flow *tx = &rig->f[0].flow;
	u64 before_bps, least_bps, worst = 0;
	unsigned int i, n;

	loop_join(rig, 0, LOOP_T_NS);
	for (i = 0; i < LOOP_ROUND; i++) {
		/* Wherever in the receiver's period. */
		loop_rounds(rig, 50);
		for (n = 0; n < i; n++)
			loop_step(rig);
		before_bps = tx->rate_bps;
		least_bps = rxe_cc_muldiv(before_bps, RXE_CC_Q24(95, 100),
					  256 * RXE_CC_Q24_ONE);
		ack.now_ns = rig->now_ns;
		rig->ops->on_ack(tx, &ack);
		/* Of the rate before this T's first window, within a point. */
		KUNIT_EXPECT_GE(test, tx->rate_bps, least_bps / 100 * 99);
		for (n = 0; n < 3 * LOOP_ROUND; n++) {
			if (tx->rate_bps >= before_bps / 10 * 9)
				break;
			loop_step(rig);
		}
		worst = max_t(u64, worst, n);
	}
	kunit_info(test, "%llu steps of %u a round trip", worst, LOOP_ROUND);
	KUNIT_EXPECT_LE(test, worst, LOOP_ROUND + 1ULL);
}

/* The receiver leaves the algorithm: neither echoes nor windows any more. */
static void loop__a_word_does_not_hold_for_ever(struct kunit *test)
{
	struct loop_rig *rig = loop_variant(test, &variants[2]);
	struct rxe_cc_sample ack = { .now_ns = rig->now_ns };
	struct rxe_cc_flow *tx = &rig->f[0].flow;
	unsigned int i;

	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 20);
	ack.now_ns = rig->now_ns;
	ack.fb[0] = 1;
	ack.nr_fb = 1;
	/* A T each leaves 1/270 of it: 100 Gbit/s, 370 Mbit/s, 1.4 Mbit/s, the floor. */
	for (i = 0; i < 3; i++) {
		ack.now_ns += LOOP_T_NS;
		rig->ops->on_ack(tx, &ack);
	}
	KUNIT_EXPECT_EQ(test, tx->rate_bps, LOOP_MBPS);
	ack.fb[0] = 0;
	ack.nr_fb = 0;
	/* An idle time and ACKs after it change nothing, for two seconds. */
	ack.now_ns += 100ULL * NSEC_PER_SEC;
	for (i = 0; i < 19; i++) {
		rig->ops->on_ack(tx, &ack);
		KUNIT_EXPECT_EQ(test, tx->rate_bps, LOOP_MBPS);
		ack.now_ns += 100 * NSEC_PER_MSEC;
	}
	ack.now_ns += 300 * NSEC_PER_MSEC;
	rig->ops->on_ack(tx, &ack);
	KUNIT_EXPECT_EQ(test, tx->rate_bps, LOOP_LINE_BPS);
	KUNIT_EXPECT_EQ(test, tx->cwnd_bytes, loop_w_init(rig));
	/* Nothing heard yet: it stays there. */
	ack.now_ns += 100ULL * NSEC_PER_SEC;
	rig->ops->on_ack(tx, &ack);
	KUNIT_EXPECT_EQ(test, tx->rate_bps, LOOP_LINE_BPS);
}

static struct kunit_case loop_cases[] = {
	KUNIT_CASE_PARAM(loop__steady, variant_gen_params),
	KUNIT_CASE_PARAM(loop__incast, variant_gen_params),
	KUNIT_CASE(loop__reports_shorten_the_first_queue),
	KUNIT_CASE(loop__a_look_makes_up_for_the_delay),
	KUNIT_CASE(loop__known_n_is_fair_sooner),
	KUNIT_CASE_PARAM(loop__mismatch, mismatch_gen_params),
	KUNIT_CASE(loop__computes_when_it_can),
	KUNIT_CASE(loop__a_forged_window_is_repaired),
	KUNIT_CASE(loop__a_word_does_not_hold_for_ever),
	{}
};

static struct kunit_suite loop_suite = {
	.name = "rxe_cc_hpccpp_loop",
	.test_cases = loop_cases,
};

kunit_test_suite(loop_suite);
