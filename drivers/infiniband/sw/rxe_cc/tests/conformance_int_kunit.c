// SPDX-License-Identifier: GPL-2.0
/*
 * Conformance of every algorithm that needs in-band network telemetry (INT): true telemetry,
 * with counters that wrap, and false telemetry among it. The suite knows no algorithm by its
 * workings.
 */
#include <kunit/test.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"

#define TM_HOPS		5
#define TM_LINE_BPS	100000000000ULL
#define TM_RTT_NS	12000
#define TM_ACK_NS	120
#define TM_ROUND	(TM_RTT_NS / TM_ACK_NS)

/**
 * struct tm_rig - a flow and the path that its packets report
 * @ops: algorithm
 * @flow: the flow
 * @params: defaults
 * @s: next ACK
 * @hop: the path as it is
 * @wrong: telemetry that a sample brings instead
 * @r: randomness
 */
struct tm_rig {
	const struct rxe_cc_ops *ops;
	struct rxe_cc_flow flow;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_sample s;
	struct rxe_cc_int_hop hop[TM_HOPS];
	struct rxe_cc_int_hop wrong[16];
	struct cc_test_prng r;
};

static struct tm_rig *tm_new(struct kunit *test, u32 tx_bytes, u32 ts_ns)
{
	struct tm_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	struct rxe_cc_flow *f;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = test->param_value;
	for (i = 0; i < rig->ops->nr_params; i++)
		rig->params[i] = rig->ops->params[i].def;
	f = &rig->flow;
	*f = (struct rxe_cc_flow) {
		.rate_bps = TM_LINE_BPS, .line_rate_bps = TM_LINE_BPS,
		.min_rate_bps = 1000000, .base_rtt_ns = TM_RTT_NS,
		.min_rtt_ns = TM_RTT_NS, .srtt_ns = TM_RTT_NS,
		.pkt_bytes = 1106, .cwnd_bytes = RXE_CC_NO_WINDOW,
		.timer_ns = RXE_CC_NO_TIMER, .params = rig->params,
	};
	cc_test_flow_own(test, f, rig->ops);
	if (rig->ops->port_priv_size) {
		f->port_priv = kunit_kzalloc(test, rig->ops->port_priv_size,
					     GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, f->port_priv);
	}
	for (i = 0; i < TM_HOPS; i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.ts_ns = (1ULL << 32) + ts_ns + i * 500,
			.tx_bytes = (1ULL << 32) + tx_bytes + i * 50000,
			.rate_bps = TM_LINE_BPS, .node = 1000 + i, .port = i,
		};
	rig->s.now_ns = NSEC_PER_SEC;
	rig->s.nr_hops = TM_HOPS;
	rig->ops->init(f, rig->s.now_ns);
	return rig;
}

/* Time passes; the third port sends at @permille and has a queue. */
static void tm_pass(struct tm_rig *rig, u64 permille, u32 queue_bytes)
{
	u64 bytes = rxe_cc_bytes_in(TM_LINE_BPS, TM_ACK_NS);
	unsigned int i;

	rig->s.now_ns += TM_ACK_NS;
	rig->s.seq = rig->s.seq + 1;
	rig->s.next_seq = rig->s.seq + TM_ROUND;
	rig->s.bytes = 1106;
	rig->s.inflight_bytes = TM_ROUND * 1106;
	rig->s.rtt_ns = TM_RTT_NS;
	for (i = 0; i < TM_HOPS; i++) {
		rig->hop[i].ts_ns += TM_ACK_NS;
		rig->hop[i].tx_bytes += bytes / 10;
		rig->hop[i].qlen_bytes = 0;
	}
	rig->hop[2].tx_bytes += bytes * permille / 1000 - bytes / 10;
	rig->hop[2].qlen_bytes = queue_bytes;
}

static void tm_ack(struct kunit *test, struct tm_rig *rig,
		   const struct rxe_cc_int_hop *hops, unsigned int nr)
{
	struct rxe_cc_flow *f = &rig->flow;

	rig->s.hops = nr ? hops : NULL;
	rig->s.nr_hops = nr;
	rig->ops->on_ack(f, &rig->s);
	KUNIT_ASSERT_NE(test, f->cwnd_bytes, 0ULL);
	KUNIT_ASSERT_LT(test, (int)f->telemetry, (int)RXE_CC_NR_TELEMETRY);
	f->rate_bps = clamp(f->rate_bps, f->min_rate_bps, f->line_rate_bps);
}

static void tm_rounds(struct kunit *test, struct tm_rig *rig, unsigned int n,
		      u64 permille, u32 queue_bytes)
{
	for (n *= TM_ROUND; n; n--) {
		tm_pass(rig, permille, queue_bytes);
		tm_ack(test, rig, rig->hop, TM_HOPS);
	}
}

/* The lower of rate and what the window allows in a round trip. */
static u64 tm_bps(const struct tm_rig *rig)
{
	return min(rig->flow.rate_bps, rxe_cc_rate_of(rig->flow.cwnd_bytes,
						      TM_RTT_NS));
}

static bool tm_needs_int(struct kunit *test)
{
	const struct rxe_cc_ops *ops = test->param_value;

	return ops->on_ack && ops->needs & RXE_CC_ALGO_NEED_INT;
}

/* A port with too much to send slows the flow; an idle one lets it go again. */
static void tm_true__reacts(struct kunit *test)
{
	struct tm_rig *rig;
	u64 slow;

	if (!tm_needs_int(test))
		return;
	rig = tm_new(test, 0, 0);
	/* It is the receiver that reacts. */
	if (rig->flow.wants & RXE_CC_WANT_RX_HOPS)
		return;
	tm_rounds(test, rig, 50, 1000, 300000);
	slow = tm_bps(rig);
	KUNIT_EXPECT_LT(test, slow, TM_LINE_BPS / 2);
	tm_rounds(test, rig, 300, 200, 0);
	KUNIT_EXPECT_GT(test, tm_bps(rig), 2 * slow);
	KUNIT_EXPECT_EQ(test, (int)rig->flow.telemetry,
			(int)RXE_CC_TELEMETRY_USED);
}

/* Only differences count: where counters and clocks begin makes none. */
static void tm_true__wraps(struct kunit *test)
{
	struct tm_rig *a, *b;
	unsigned int i;

	if (!tm_needs_int(test))
		return;
	a = tm_new(test, 0, 0);
	b = tm_new(test, U32_MAX - 1000000, U32_MAX - 150000);
	for (i = 0; i < 40; i++) {
		u32 queue = i % 7 * 20000;

		tm_rounds(test, a, 1, 1000 - 60 * (i % 5), queue);
		tm_rounds(test, b, 1, 1000 - 60 * (i % 5), queue);
		KUNIT_ASSERT_EQ_MSG(test, a->flow.rate_bps, b->flow.rate_bps,
				    "round %u", i);
		KUNIT_ASSERT_EQ_MSG(test, a->flow.cwnd_bytes, b->flow.cwnd_bytes,
				    "round %u", i);
	}
}

/* What nobody should send, into @wrong. Returns the number of hops. */
static unsigned int tm_false(struct tm_rig *rig)
{
	struct cc_test_prng *r = &rig->r;
	struct rxe_cc_int_hop *h = &rig->wrong[cc_test_below(r, TM_HOPS)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rig->wrong); i++)
		rig->wrong[i] = rig->hop[i % TM_HOPS];
	switch (cc_test_below(r, 8)) {
	case 0:
		h->rate_bps = 0;
		break;
	case 1:
		h->ts_ns -= 1 + cc_test_below(r, 2000000000);
		break;
	case 2:
		h->tx_bytes -= 100000 + cc_test_below(r, 1000000000);
		break;
	case 3:
		h->tx_bytes += 1000000 + cc_test_below(r, 1000000000);
		break;
	case 4:
		return 9 + cc_test_below(r, 8);
	case 5:
		return 0;
	case 6:
		return 1 + cc_test_below(r, TM_HOPS - 1);
	case 7:
		h->node ^= 1U << cc_test_below(r, 32);
		break;
	}
	return TM_HOPS;
}

/*
 * Every tenth sample false, on a path that is steady otherwise: the flow ends up
 * where it does without them. A tenth of the rate is left for the samples lost.
 */
static void tm_false__unharmed(struct kunit *test)
{
	struct tm_rig *a, *b;
	unsigned int i;

	if (!tm_needs_int(test))
		return;
	a = tm_new(test, 0, 0);
	b = tm_new(test, 0, 0);
	for (i = 0; i < 100 * TM_ROUND; i++) {
		tm_pass(a, 980, 2000);
		tm_ack(test, a, a->hop, TM_HOPS);
		tm_pass(b, 980, 2000);
		if (i % 10 == 5)
			tm_ack(test, b, b->wrong, tm_false(b));
		else
			tm_ack(test, b, b->hop, TM_HOPS);
	}
	KUNIT_EXPECT_GE(test, tm_bps(b), tm_bps(a) - tm_bps(a) / 10);
	KUNIT_EXPECT_LE(test, tm_bps(b), tm_bps(a) + tm_bps(a) / 10);
}

static struct kunit_case tm_cases[] = {
	KUNIT_CASE_PARAM(tm_true__reacts, cc_test_algo_gen),
	KUNIT_CASE_PARAM(tm_true__wraps, cc_test_algo_gen),
	KUNIT_CASE_PARAM(tm_false__unharmed, cc_test_algo_gen),
	{}
};

static struct kunit_suite tm_suite = {
	.name = "rxe_cc_telemetry",
	.test_cases = tm_cases,
};

kunit_test_suite(tm_suite);
