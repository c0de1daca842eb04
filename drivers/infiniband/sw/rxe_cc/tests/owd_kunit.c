// SPDX-License-Identifier: GPL-2.0
/*
 * One-way delays, and lengths of paths.
 */
#include <linux/ktime.h>

#include "core_fixture.h"

#define OWD_WINDOW_NS	((u64)NSEC_PER_SEC)
/* 2^-12 of it, for drift. */
#define OWD_SLACK_NS	244140
/* What two clocks may be apart. */
#define OWD_APART_NS	1700000000000000000LL
#define OWD_US		200
#define OWD_NS		(OWD_US * NSEC_PER_USEC)

/**
 * struct owd_row - a packet's times
 * @now_ms: when
 * @diff_ns: difference, less what the clocks are apart
 * @took_ns: its round trip
 * @ok: it is taken
 * @over_ns: excess
 */
struct owd_row {
	u64 now_ms;
	s64 diff_ns;
	u64 took_ns;
	bool ok;
	u64 over_ns;
};

static void owd_rows(struct kunit *test, const struct owd_row *row,
		     unsigned int nr, s64 apart_ns, bool common)
{
	struct rxe_cc_owd o = { };
	unsigned int i;
	u64 over_ns, lift_ns;
	bool ok;

	for (i = 0; i < nr; i++) {
		const struct rxe_cc_way w = {
			.now_ns = row[i].now_ms * NSEC_PER_MSEC,
			.diff_ns = apart_ns + row[i].diff_ns,
			.took_ns = row[i].took_ns, .window_ns = OWD_WINDOW_NS,
			.bytes = RIG_PKT_BYTES, .line_bps = 100000000000ULL,
			.common = common,
		};

		over_ns = 0;
		ok = rxe_cc_owd_sample(&o, &w, &over_ns, &lift_ns);
		KUNIT_EXPECT_EQ_MSG(test, ok, row[i].ok, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, over_ns, row[i].over_ns, "row %u", i);
	}
}

/* The path takes 5 us, round trips twice that and more. */
static void owd__apart(struct kunit *test)
{
	static const struct owd_row row[] = {
		{ 0, 8000, 12000, true, 0 },
		{ 1, 9000, 13000, true, 1000 },
		{ 2, 5000, 10000, true, 0 },
		{ 3, 8000, 12000, true, 3000 },
		/* Longer than the round trip above the smallest; and slack. */
		{ 4, 5000 + 12001 + OWD_SLACK_NS, 12000, false, 0 },
		{ 4, 5000 + 12000 + OWD_SLACK_NS, 12000, true, 12000 + OWD_SLACK_NS },
		/* The offset is not below 5000 - 12000, or the one above is true. */
		{ 5, -OWD_SLACK_NS * 2, 10000, false, 0 },
		{ 5, 5000, 10000, true, 0 },
		/* Not before a window has passed in which nothing was as fast ... */
		{ 751, 6000, 10000, true, 1000 },
		/* ... and not after it. */
		{ 1006, 7000, 10000, true, 2000 },
		{ 1760, 7500, 10000, true, 1500 },
		/* Silence. */
		{ 9000, 90000, 200000, true, 0 },
		/* One of the clocks was set: after a window all is well again. */
		{ 9001, 1000000000, 10000, false, 0 },
		{ 9999, 1000000000, 10000, false, 0 },
		{ 10000, 1000000000, 10000, true, 0 },
		{ 10001, 1000000500, 10000, true, 500 },
	};

	owd_rows(test, row, ARRAY_SIZE(row), OWD_APART_NS, false);
	owd_rows(test, row, ARRAY_SIZE(row), -OWD_APART_NS, false);
	owd_rows(test, row, ARRAY_SIZE(row), 0, false);
}

static void owd__common(struct kunit *test)
{
	static const struct owd_row row[] = {
		{ 0, 8000, 12000, true, 0 },
		{ 1, 5000, 12000, true, 0 },
		{ 2, 0, 12000, true, 0 },
		{ 3, 12000, 12000, true, 12000 },
		{ 4, 12001, 12000, false, 0 },
		{ 5, -1, 12000, false, 0 },
		{ 6, S64_MAX, U64_MAX, false, 0 },
		{ 7, S64_MIN, U64_MAX, false, 0 },
		{ 8, S64_MIN + 1, 0, false, 0 },
	};

	owd_rows(test, row, ARRAY_SIZE(row), 0, true);
}

/* Whatever is claimed: nothing that was refused counts, and no excess is above that of
 * drift and the longest round trip.
 */
static void owd__forged(struct kunit *test)
{
	static const s64 claim_ns[] = {
		S64_MIN, S64_MIN + 1, -(s64)BIT_ULL(61), -(s64)BIT_ULL(61) + 1,
		-OWD_APART_NS, -20000, -1, 0, 20000, OWD_APART_NS,
		(s64)BIT_ULL(61) - 1, (s64)BIT_ULL(61), S64_MAX,
	};
	unsigned int i, j;
	u64 over_ns, lift_ns;

	for (i = 0; i < ARRAY_SIZE(claim_ns); i++) {
		struct rxe_cc_owd o = { };
		struct rxe_cc_way w = {
			.window_ns = OWD_WINDOW_NS, .diff_ns = OWD_APART_NS,
			.took_ns = 10000,
		};

		KUNIT_EXPECT_TRUE(test, rxe_cc_owd_sample(&o, &w, &over_ns, &lift_ns));
		for (j = 0; j < 10; j++) {
			w.now_ns += NSEC_PER_MSEC;
			w.diff_ns = claim_ns[i];
			over_ns = 0;
			rxe_cc_owd_sample(&o, &w, &over_ns, &lift_ns);
			KUNIT_EXPECT_LE_MSG(test, over_ns, 10000 + OWD_SLACK_NS,
					    "claim %u", i);
			w.diff_ns = OWD_APART_NS + 1000;
			KUNIT_EXPECT_TRUE_MSG(test, rxe_cc_owd_sample(&o, &w, &over_ns, &lift_ns),
					      "claim %u", i);
			KUNIT_EXPECT_EQ_MSG(test, over_ns, 1000ULL, "claim %u", i);
		}
	}
}

static u64 owd_tai_ns(void)
{
	return ktime_to_ns(ktime_mono_to_any(ktime_get(), TK_OFFS_TAI));
}

/* A packet that arrives after OWD_NS at the earliest, and whose answer takes as long; its
 * receiver's clock is ahead.
 */
static void owd_trip(struct core_rig *rig, u32 psn, u64 ahead_ns, u8 ttl)
{
	u64 rx_ns;

	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, psn);
	core_rig_send(rig, psn, 1);
	core_rig_pass(OWD_US);
	rx_ns = owd_tai_ns() + ahead_ns;
	core_rig_pass(OWD_US);
	core_rig_tlv_times(rig, rx_ns, 0, ttl);
	core_rig_ack(rig, psn);
}

static void owd__of_acks(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS |
					    RXE_CC_WANT_RTTS);
	const struct rxe_cc_flow *f = &rig->h.qp->flow;
	static const u64 wrong_ns[] = {
		(u64)NSEC_PER_SEC, -(u64)NSEC_PER_SEC, BIT_ULL(63), BIT_ULL(62),
	};
	unsigned int i;

	KUNIT_EXPECT_FALSE(test, f->clock_common);
	owd_trip(rig, 0, -OWD_APART_NS, 0);
	KUNIT_EXPECT_TRUE(test, rig->ack.has_owd);
	KUNIT_EXPECT_EQ(test, rig->ack.owd_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.owd_over_ns, 0ULL);
	owd_trip(rig, 1, -OWD_APART_NS + OWD_NS, 0);
	KUNIT_EXPECT_TRUE(test, rig->ack.has_owd);
	KUNIT_EXPECT_GT(test, rig->ack.owd_over_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "owd_refused"), 0ULL);

	/* What was believed of two clocks says nothing of one. */
	core_rig_knob(test, rig, RXE_CC_KNOB_CLOCK_COMMON, 1);
	KUNIT_EXPECT_TRUE(test, f->clock_common);
	owd_trip(rig, 2, 0, 0);
	KUNIT_EXPECT_TRUE(test, rig->ack.has_owd);
	KUNIT_EXPECT_GE(test, rig->ack.owd_ns, OWD_NS);
	KUNIT_EXPECT_LE(test, rig->ack.owd_ns, rig->ack.rtt_ns - OWD_NS);
	KUNIT_EXPECT_EQ(test, rig->ack.owd_over_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, f->min_owd_ns, rig->ack.owd_ns);
	for (i = 0; i < ARRAY_SIZE(wrong_ns); i++) {
		owd_trip(rig, 3 + i, wrong_ns[i], 0);
		KUNIT_EXPECT_FALSE_MSG(test, rig->ack.has_owd, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->ack.owd_ns, 0ULL, "row %u", i);
		KUNIT_EXPECT_GT_MSG(test, rig->ack.rtt_ns, 0ULL, "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "owd_refused"),
			(u64)ARRAY_SIZE(wrong_ns));
	KUNIT_EXPECT_GE(test, f->min_owd_ns, OWD_NS);
	/* An ACK without times. */
	core_rig_send(rig, 7, 1);
	core_rig_ack(rig, 7);
	KUNIT_EXPECT_FALSE(test, rig->ack.has_owd);
	core_rig_knob(test, rig, RXE_CC_KNOB_CLOCK_COMMON, 0);
	KUNIT_EXPECT_EQ(test, f->min_owd_ns, 0ULL);
}

/* From the time that the first port has put into the packet. */
static void owd__of_data(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT | RXE_CC_WANT_RX_HOPS);
	struct rxe_cc_rx rx = {
		.wire_bytes = RIG_PKT_BYTES, .hops = rig->tlv, .nr_hops = 2,
	};
	unsigned int i;

	for (i = 0; i < 2; i++) {
		core_rig_knob(test, rig, RXE_CC_KNOB_CLOCK_COMMON, i);
		rx.psn++;
		rx.arrived_ns = ktime_get_ns();
		core_rig_hops(rig->tlv, 2, owd_tai_ns() - 5000);
		rx.arrived_ns = ktime_get_ns();
		rxe_cc_rx_data(rig->h.qp, &rx);
		KUNIT_EXPECT_TRUE(test, rig->data.has_owd);
		KUNIT_EXPECT_EQ(test, rig->data.owd_over_ns, 0ULL);
		if (!i) {
			KUNIT_EXPECT_EQ(test, rig->data.owd_ns, 0ULL);
			continue;
		}
		KUNIT_EXPECT_GE(test, rig->data.owd_ns, 5000ULL);
		KUNIT_EXPECT_LT(test, rig->data.owd_ns, (u64)NSEC_PER_MSEC);
	}
	KUNIT_EXPECT_EQ(test, rig->data.path_hops, 2);
	rx.psn++;
	rx.hops_missing = true;
	core_rig_hops(rig->tlv, 2, owd_tai_ns() + NSEC_PER_SEC);
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_FALSE(test, rig->data.has_owd);
	KUNIT_EXPECT_EQ(test, rig->data.path_hops, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "owd_refused"), 1ULL);
	/* Not stamped. */
	rx.psn++;
	rx.arrived_ns = 0;
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_FALSE(test, rig->data.has_owd);
}

/* Packets leave with 64: { told, hops in the echo, its flags, ports }. */
static void path__hops(struct kunit *test)
{
	static const u8 row[][4] = {
		{ 64, 0, 0, 1 }, { 61, 0, 0, 4 }, { 1, 0, 0, 64 },
		/* Not given; more than there was. */
		{ 0, 0, 0, 0 }, { 65, 0, 0, 0 }, { 255, 0, 0, 0 },
		/* Ports of switches that do not route, ports without telemetry. */
		{ 64, 3, 0, 3 }, { 61, 3, 0, 4 }, { 0, 3, 0, 3 },
		/* Some could not tell. */
		{ 0, 3, 1, 0 }, { 0, 3, 2, 0 }, { 62, 1, 1, 3 },
	};
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT | RXE_CC_WANT_ACKS);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		core_rig_send(rig, i, 1);
		core_rig_tlv_times(rig, 0, 0, row[i][0]);
		if (row[i][1]) {
			u8 *tlv = rig->tlv + rig->tlv_bytes;

			core_rig_tlv_hops(rig, row[i][1], 1000 + i);
			tlv[3] = row[i][2];
		}
		core_rig_ack(rig, i);
		KUNIT_EXPECT_EQ_MSG(test, rig->ack.path_hops, row[i][3], "row %u", i);
	}
}

static struct kunit_case owd_cases[] = {
	KUNIT_CASE(owd__apart),
	KUNIT_CASE(owd__common),
	KUNIT_CASE(owd__forged),
	KUNIT_CASE(owd__of_acks),
	KUNIT_CASE(owd__of_data),
	KUNIT_CASE(path__hops),
	{}
};

static struct kunit_suite owd_suite = {
	.name = "rxe_cc_owd",
	.test_cases = owd_cases,
};

kunit_test_suite(owd_suite);
