// SPDX-License-Identifier: GPL-2.0
/*
 * Telemetry of constant size (<rxe_cc/int_worst.h>): the word and back, T in 16 bits, which of
 * two ports is the worse; and the hop that the core makes of the words for algorithms.
 */
#include <kunit/test.h>
#include <linux/unaligned.h>
#include <rxe_cc/int_worst.h>

#include "core/cc_int_unwrap.h"
#include "core_fixture.h"

#define GBPS		1000000000ULL
#define LINE_BPS	(100 * GBPS)
#define ONE_Q16		BIT(16)
#define WORST		(RXE_CC_WANT_INT | RXE_CC_WANT_ACKS | RXE_CC_WANT_INT_WORST)

/* 100 Gbit/s is class 9. */
static void worst_word__bits(struct kunit *test)
{
	u64 word = rxe_cc_worst_word(100000, 0xabcd, 0x12345, 0x6789ab);

	KUNIT_EXPECT_EQ(test, word, 0x9abcd123456789abULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_util_q16(word), 0x12345);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_drain_ns(word), 0x6789ab);
	/* Above the largest value stands that; no field runs into its neighbour. */
	word = rxe_cc_worst_word(99999, 0, U64_MAX, U64_MAX);
	KUNIT_EXPECT_EQ(test, word, 0x00000fffffffffffULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_word(0, U16_MAX, 0, 0), 0x0ffff00000000000ULL);
}

/* At most 1/2048 too small, monotone, and whole over the range of real round trips. */
static void worst_t__code(struct kunit *test)
{
	u64 t_ns, last = 0, back;

	for (t_ns = 1000; t_ns < 134ULL * NSEC_PER_MSEC; t_ns += t_ns / 97 + 1) {
		back = rxe_cc_worst_t_ns(rxe_cc_worst_t_code(t_ns));
		KUNIT_EXPECT_LE(test, back, t_ns);
		KUNIT_EXPECT_LE(test, (t_ns - back) * 2048, t_ns);
		KUNIT_EXPECT_GE(test, back, last);
		last = back;
	}
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_ns(rxe_cc_worst_t_code(4000)), 4000);
	/* Unknown, and too short to be true. */
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_ns(0), 1000);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_ns(rxe_cc_worst_t_code(999)), 1000);
	/* Too long. */
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_code(U64_MAX), U16_MAX);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_ns(U16_MAX), 0xfffU << 15);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_t_code(135ULL * NSEC_PER_MSEC), U16_MAX);
}

/* u = utilization + drain / T: with a long T the busier port is worse, with a short one that
 * with the queue.
 */
static void worst_load__depends_on_t(struct kunit *test)
{
	u64 busy = rxe_cc_worst_word(100000, 1, ONE_Q16, 0);
	u64 queue = rxe_cc_worst_word(10000, 2, ONE_Q16 / 2, 5000);

	KUNIT_EXPECT_EQ(test, rxe_cc_worst_load(busy, 8000), ONE_Q16);
	KUNIT_EXPECT_EQ(test, rxe_cc_worst_load(queue, 8000), ONE_Q16 / 2 + ONE_Q16 * 5 / 8);
	KUNIT_EXPECT_GT(test, rxe_cc_worst_load(queue, 8000), rxe_cc_worst_load(busy, 8000));
	KUNIT_EXPECT_LT(test, rxe_cc_worst_load(queue, 20000), rxe_cc_worst_load(busy, 20000));
	KUNIT_EXPECT_LT(test, rxe_cc_worst_load(U64_MAX, 1000), 1ULL << 41);
}

/* Differences of hops give the words back: u at any step, and no byte is lost over many. */
static void worst_hop__gives_back(struct kunit *test)
{
	static const u32 util_q16[] = { 0, 1, 62259, ONE_Q16, ONE_Q16 + 1, 0xfffff };
	static const u32 step_ns[] = { 1, 95, 1000, 13000, NSEC_PER_SEC };
	u64 word, sum, want, t_ns;
	struct rxe_cc_int_hop a, b;
	unsigned int i, k, n;

	for (i = 0; i < ARRAY_SIZE(util_q16); i++) {
		for (k = 0; k < ARRAY_SIZE(step_ns); k++) {
			struct rxe_cc_worst_sum w = {};

			t_ns = 5;
			word = rxe_cc_worst_word(0, 7, util_q16[i], 800);
			a = rxe_cc_worst_hop(&w, word, LINE_BPS, t_ns);
			KUNIT_EXPECT_EQ(test, a.tx_bytes, 0);
			KUNIT_EXPECT_EQ(test, a.rate_bps, LINE_BPS);
			KUNIT_EXPECT_EQ(test, a.qlen_bytes, 10000);
			for (n = 0; n < 1000; n++) {
				t_ns += step_ns[k];
				b = rxe_cc_worst_hop(&w, word, LINE_BPS, t_ns);
			}
			KUNIT_EXPECT_EQ(test, b.node, a.node);
			KUNIT_EXPECT_EQ(test, b.ts_ns - a.ts_ns, 1000ULL * step_ns[k]);
			sum = b.tx_bytes - a.tx_bytes;
			/* 12.5 bytes a ns; each step loses less than 2/65536 bytes. */
			want = 12500ULL * step_ns[k] / 65536 * util_q16[i] +
			       12500ULL * step_ns[k] % 65536 * util_q16[i] / 65536;
			KUNIT_EXPECT_LE(test, sum, want);
			KUNIT_EXPECT_LE(test, want - sum, 1);
		}
	}
}

/* Anything may be in a word, and any time may have passed. */
static void worst_hop__bounds(struct kunit *test)
{
	struct rxe_cc_worst_sum w = {};
	struct rxe_cc_int_hop a, b;

	a = rxe_cc_worst_hop(&w, U64_MAX, RXE_CC_RATE_MAX_BPS, 1);
	KUNIT_EXPECT_EQ(test, a.qlen_bytes, 1677721500);	/* 16.8 ms */
	/* A year is not more than the second for which a word holds. */
	b = rxe_cc_worst_hop(&w, U64_MAX, RXE_CC_RATE_MAX_BPS, 31536000 * (u64)NSEC_PER_SEC);
	KUNIT_EXPECT_LE(test, b.tx_bytes - a.tx_bytes, 16 * RXE_CC_RATE_MAX_BPS / 8);
	a = b;
	/* The same time, and an earlier one. */
	b = rxe_cc_worst_hop(&w, U64_MAX, RXE_CC_RATE_MAX_BPS, 31536000 * (u64)NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, b.tx_bytes, a.tx_bytes);
	b = rxe_cc_worst_hop(&w, U64_MAX, RXE_CC_RATE_MAX_BPS, 5);
	KUNIT_EXPECT_LE(test, b.tx_bytes - a.tx_bytes, 16 * RXE_CC_RATE_MAX_BPS / 8);
}

static void worst_echo(struct core_rig *rig, u64 word, u32 psn)
{
	u8 *p = rxe_cc_tlv_int_write(rig->tlv, RXE_CC_INT_WORST, RXE_CC_WORST_BYTES,
				     RXE_CC_INT_VERSION, 0);

	put_unaligned_be64(word, p);
	rig->tlv_bytes = rxe_cc_tlv_int_bytes(RXE_CC_INT_WORST, RXE_CC_WORST_BYTES);
	core_rig_send(rig, psn, 1);
	core_rig_ack(rig, psn);
}

/* An echo reaches the algorithm as one hop that stays the same hop, whoever is worst; it says
 * nothing of how long the path is. A peer that is not known to take it gets all in full.
 */
static void worst_core__echo(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, WORST);
	struct rxe_cc_int_hop first;

	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_WORST);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 8);
	KUNIT_EXPECT_EQ(test, rig->h.int_flags,
			rxe_cc_worst_t_code(rig->h.qp->flow.base_rtt_ns));
	worst_echo(rig, rxe_cc_worst_word(100000, 1, ONE_Q16, 800), 0);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, 1);
	KUNIT_EXPECT_EQ(test, rig->ack.path_hops, 0);
	first = rig->hop[0];
	KUNIT_EXPECT_EQ(test, first.rate_bps, rig->h.qp->flow.line_rate_bps);
	worst_echo(rig, rxe_cc_worst_word(25000, 2, ONE_Q16 / 2, 0), 1);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, 1);
	KUNIT_EXPECT_EQ(test, rig->hop[0].node, first.node);
	KUNIT_EXPECT_EQ(test, rig->hop[0].rate_bps, first.rate_bps);
	KUNIT_EXPECT_EQ(test, rig->hop[0].qlen_bytes, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_received"), 2ULL);

	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_TLV | RXE_CC_CAP_INT_SINK);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
	KUNIT_EXPECT_EQ(test, rig->h.int_flags, 0);
}

/* T follows the base round-trip time, given or measured. */
static void worst_core__t(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, WORST);

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, 13000);
	KUNIT_EXPECT_EQ(test, rig->h.int_flags, rxe_cc_worst_t_code(13000));
	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, 0);
	worst_echo(rig, 0, 0);
	KUNIT_EXPECT_EQ(test, rig->h.int_flags,
			rxe_cc_worst_t_code(rig->h.qp->flow.base_rtt_ns));
}

static struct kunit_case worst_cases[] = {
	KUNIT_CASE(worst_word__bits),
	KUNIT_CASE(worst_t__code),
	KUNIT_CASE(worst_load__depends_on_t),
	KUNIT_CASE(worst_hop__gives_back),
	KUNIT_CASE(worst_hop__bounds),
	KUNIT_CASE(worst_core__echo),
	KUNIT_CASE(worst_core__t),
	{}
};

static struct kunit_suite worst_suite = {
	.name = "rxe_cc_int_worst",
	.test_cases = worst_cases,
};

kunit_test_suite(worst_suite);
