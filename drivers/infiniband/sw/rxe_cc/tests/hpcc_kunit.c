// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC's reaction to telemetry, case by case.
 */
#include "hpcc_test.h"

#define PKT_BYTES	1106

/* Nothing but L: rate, U and stage as they were, the window is known. */
static void hpcc_first__is_only_remembered(struct kunit *test)
{
	struct hpcc_rig *rig = rig_new(test);

	rig->hop[1].qlen_bytes = 10000000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 125000ULL);
	KUNIT_EXPECT_EQ(test, rig_u(rig), U_ONE);
	KUNIT_EXPECT_EQ(test, rig->h.update, 60U);
	KUNIT_EXPECT_EQ(test, (int)rig->h.path.nr, NR_HOPS);
}

struct u_case {
	u64 dt_ns, permille;
	u32 q_before, q_now;
	u64 num, den;	/* U expected */
};

/* Eq. (2) and the average, by hand: T is 10 us and B T 125 kB. */
static void hpcc_measure__eq2(struct kunit *test)
{
	static const struct u_case t[] = {
		{ 10000, 800, 0, 0, 8, 10 },
		{ 10000, 800, 50000, 25000, 10, 10 },
		{ 10000, 800, 25000, 50000, 10, 10 },
		{ 10000, 800, 0, 50000, 8, 10 },
		{ 5000, 800, 0, 0, 9, 10 },
		{ 2500, 400, 125000, 125000, 11, 10 },
		{ 20000, 600, 0, 0, 6, 10 },
		{ 1000, 0, 0, 0, 9, 10 },
		{ 10000, 0, 0, 0, 0, 1 },
		{ 100000, 1000, 250000, 250000, 3, 1 },
	};
	unsigned int i, j;

	/* The port that decides may be any, and slower than the others. */
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		for (j = 0; j < NR_HOPS; j++) {
			struct hpcc_rig *rig = rig_new(test);
			u64 want = q36(t[i].num, t[i].den);

			rig->hop[j].qlen_bytes = t[i].q_before;
			rig_ack(rig);
			rig->hop[j].qlen_bytes = t[i].q_now;
			rig_pass(rig, t[i].dt_ns, t[i].permille);
			KUNIT_EXPECT_EQ(test, rxe_hpcc_measure(&rig->h, &rig->ctx,
							       &rig->s),
					RXE_CC_TELEMETRY_USED);
			KUNIT_EXPECT_LE_MSG(test, off_by(rig_u(rig), want),
					    4ULL, "row %u port %u: U %llu", i, j,
					    rig_u(rig));
		}
	}
}

/* tau is the time of the port that decides, not of another. */
static void hpcc_measure__tau_of_the_busiest(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);

	rig->hop[0].ts_ns += 10000;
	rig->hop[0].tx_bytes += 12500;		/* u = 0.1, tau = T */
	rig->hop[1].ts_ns += 5000;
	rig->hop[1].tx_bytes += 31250;		/* u = 0.5, tau = T / 2 */
	rig->hop[2].ts_ns += 2500;
	rig->hop[2].tx_bytes += 3125;		/* u = 0.1, tau = T / 4 */
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(75, 100)), 4ULL);
}

static void hpcc_measure__saturates(struct kunit *test)
{
	struct hpcc_rig *rig = rig_new(test);

	rig->hop[0].qlen_bytes = U32_MAX;
	rig_ack(rig);
	rig_round(rig, 1000);
	KUNIT_EXPECT_EQ(test, rig_u(rig), RXE_HPCC_U_MAX);
	/* 100 x 0.95 / 256 and the additive step; eta is 6e-8 too small. */
	KUNIT_EXPECT_LE(test, off_by(rig->flow.rate_bps, 371093750 + 50000000),
			25ULL);
	rig_pass(rig, T_NS, 500);
	rig->ctx.t_ns = U64_MAX;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
	rig_pass(rig, T_NS, 500);
	rig->ctx.t_ns = 1;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_EQ(test, rig_u(rig), RXE_HPCC_U_MAX);
}

/* The low 32 bits of counters and clocks come round, at each port and together. */
static void hpcc_measure__wrap(struct kunit *test)
{
	unsigned int i, which;

	for (which = 0; which < 4; which++) {
		struct hpcc_rig *rig = rig_new(test);

		for (i = 0; i < NR_HOPS; i++) {
			if (which & 1)
				rig->hop[i].ts_ns = U32_MAX - 2000 * i;
			if (which & 2)
				rig->hop[i].tx_bytes = U32_MAX - 7000 * i;
		}
		rig_ack(rig);
		for (i = 0; i < 20; i++) {
			KUNIT_EXPECT_EQ(test, rig_round(rig, 700),
					RXE_CC_TELEMETRY_USED);
			KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(7, 10)),
					4ULL);
		}
	}
}

struct guard_case {
	const char *name;
	u8 nr, hop;
	s64 ts, tx;		/* added to that hop's, after an ordinary round */
	u32 node, port;		/* added likewise */
	bool no_speed;
	enum rxe_cc_telemetry want;
	bool kept;		/* L is still the one before */
};

static const struct guard_case hpcc_guards[] = {
	{ "no hops", 0, 0, 0, 0, 0, 0, false, RXE_CC_TELEMETRY_COUNT, true },
	{ "nine hops", 9, 0, 0, 0, 0, 0, false, RXE_CC_TELEMETRY_COUNT, true },
	{ "speed", 3, 2, 0, 0, 0, 0, true, RXE_CC_TELEMETRY_SPEED, true },
	{ "one less", 2, 0, 0, 0, 0, 0, false, RXE_CC_TELEMETRY_HOPS, false },
	{ "one more", 4, 0, 0, 0, 0, 0, false, RXE_CC_TELEMETRY_HOPS, false },
	{ "node", 3, 1, 0, 0, 1, 0, false, RXE_CC_TELEMETRY_PATH, false },
	{ "first node", 3, 0, 0, 0, 1U << 31, 0, false, RXE_CC_TELEMETRY_PATH, false },
	{ "port", 3, 2, 0, 0, 0, 1, false, RXE_CC_TELEMETRY_PATH, false },
	{ "port's high bit", 3, 0, 0, 0, 0, 0x8000, false, RXE_CC_TELEMETRY_PATH, false },
	{ "time back", 3, 0, -T_NS - 1, 0, 0, 0, false, RXE_CC_TELEMETRY_TIME, false },
	{ "time back 2 s", 3, 2, -2000000000LL, 0, 0, 0, false,
	  RXE_CC_TELEMETRY_TIME, false },
	{ "bytes back", 3, 1, 0, -62501, 0, 0, false, RXE_CC_TELEMETRY_BYTES, false },
	{ "too many bytes", 3, 1, 0, 62500 + 65700, 0, 0, false,
	  RXE_CC_TELEMETRY_BYTES, false },
	{ "just not too many", 3, 1, 0, 62500 + 65650, 0, 0, false,
	  RXE_CC_TELEMETRY_USED, false },
	{ "2^32 bytes more", 3, 1, 0, 1LL << 32, 0, 0, false, RXE_CC_TELEMETRY_BYTES, false },
	{ "2^32 bytes less", 3, 1, 0, -(1LL << 32), 0, 0, false,
	  RXE_CC_TELEMETRY_BYTES, false },
	{ "2^32 ns back", 3, 1, -(1LL << 32), 0, 0, 0, false, RXE_CC_TELEMETRY_TIME, false },
	{ "2^32 ns on", 3, 1, 1LL << 32, 0, 0, 0, false, RXE_CC_TELEMETRY_TIME, false },
	/* Twice T, of which a T has passed, and 100 ms. */
	{ "just not too far on", 3, 1, 100000000 + T_NS, 0, 0, 0, false,
	  RXE_CC_TELEMETRY_USED, false },
	{ "too far on", 3, 1, 100000000 + T_NS + 1, 0, 0, 0, false,
	  RXE_CC_TELEMETRY_TIME, false },
};

KUNIT_ARRAY_PARAM_DESC(hpcc_guard, hpcc_guards, name);

/*
 * One bad sample in a stream of good ones: told by its reason; neither U nor the
 * reference nor the rate moves; and what comes after it is used again.
 */
static void hpcc_guards__unharmed(struct kunit *test)
{
	const struct guard_case *g = test->param_value;
	struct hpcc_rig *rig = rig_started(test);
	struct rxe_cc_int_hop good[RXE_CC_MAX_HOPS + 1];
	struct rxe_cc_flow flow;
	struct rxe_hpcc *before;

	rig_round(rig, 900);
	rig_round(rig, 900);
	before = kunit_kmalloc(test, sizeof(*before), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, before);
	*before = rig->h;
	flow = rig->flow;
	/* A round trip at half load, with the fault. */
	rig_pass(rig, T_NS, 500);
	rig->s.seq += 50;
	memcpy(good, rig->hop, sizeof(good));
	rig->s.nr_hops = g->nr;
	rig->hop[g->hop].ts_ns += g->ts;
	rig->hop[g->hop].tx_bytes += g->tx;
	rig->hop[g->hop].node += g->node;
	rig->hop[g->hop].port += g->port;
	if (g->no_speed)
		rig->hop[g->hop].rate_bps = 0;
	KUNIT_ASSERT_EQ(test, rig_ack(rig), g->want);
	if (g->want == RXE_CC_TELEMETRY_USED)
		return;
	KUNIT_EXPECT_EQ(test, rig_u(rig), (u64)before->u_q36);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), (u64)before->rc_q16);
	KUNIT_EXPECT_EQ(test, rig_stage(rig), (int)before->inc_stage);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, flow.rate_bps);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, flow.cwnd_bytes);
	if (g->kept)
		KUNIT_EXPECT_MEMEQ(test, &rig->h, before, sizeof(*before));
	else
		KUNIT_EXPECT_NE(test, rig->h.path.port[0].ts_ns + 1,
				before->path.port[0].ts_ns + 1);
	/* Good ones again: at most one more is lost, then U is right. */
	memcpy(rig->hop, good, sizeof(good));
	rig->s.nr_hops = NR_HOPS;
	rig_round(rig, 600);
	KUNIT_EXPECT_EQ(test, rig_round(rig, 600), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(6, 10)), 4ULL);
}

struct forged_case {
	const char *name;
	s64 ts, tx;		/* added to the truth at one port */
	enum rxe_cc_telemetry forged, next;
};

static const struct forged_case hpcc_forgeds[] = {
	/* No bytes in the longest time that is believed, and a ns more. */
	{ "idle, far on", 100000000 + T_NS, -62500, RXE_CC_TELEMETRY_USED, RXE_CC_TELEMETRY_TIME },
	{ "idle, too far on", 100000000 + T_NS + 1, -62500, RXE_CC_TELEMETRY_TIME,
	  RXE_CC_TELEMETRY_TIME },
	/* 50 ms at line rate. */
	{ "full, far on", 50000000, 625000000, RXE_CC_TELEMETRY_USED, RXE_CC_TELEMETRY_TIME },
	{ "idle, between two true ones", -(s64)T_NS / 2, -62500, RXE_CC_TELEMETRY_USED,
	  RXE_CC_TELEMETRY_USED },
	/* The next true one tells as many bytes as this one. */
	{ "back, idle afterwards", -2 * (s64)T_NS, 75000, RXE_CC_TELEMETRY_TIME,
	  RXE_CC_TELEMETRY_USED },
	{ "far back", -1000000000, 0, RXE_CC_TELEMETRY_TIME, RXE_CC_TELEMETRY_TIME },
};

KUNIT_ARRAY_PARAM_DESC(hpcc_forged, hpcc_forgeds, name);

/*
 * One false sample, whatever its time and bytes: it can be believed, or spoil the next true
 * one, or both. The second true one after it is compared with a true one, and used.
 */
static void hpcc_guards__one_forged(struct kunit *test)
{
	const struct forged_case *f = test->param_value;
	struct hpcc_rig *rig = rig_started(test);
	struct rxe_cc_int_hop truth;

	rig_round(rig, 900);
	rig_pass(rig, T_NS, 500);
	rig->s.seq += 50;
	truth = rig->hop[1];
	rig->hop[1].ts_ns += f->ts;
	rig->hop[1].tx_bytes += f->tx;
	/* The other ports: nothing new, so that this one decides. */
	rig->hop[0].ts_ns = rig->h.path.port[0].ts_ns;
	rig->hop[2].ts_ns = rig->h.path.port[2].ts_ns;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), f->forged);
	rig->hop[1] = truth;
	KUNIT_EXPECT_EQ(test, rig_round(rig, 600), f->next);
	KUNIT_EXPECT_EQ(test, rig_round(rig, 600), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(6, 10)), 4ULL);
	KUNIT_EXPECT_LE(test, rig->flow.rate_bps, 100 * GBPS);
}

/* Two ACKs of one time; then one port only that has moved on. */
static void hpcc_guards__no_time(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);
	u64 rate;

	rig_round(rig, 900);
	rate = rig->flow.rate_bps;
	rig->s.seq += 50;
	rig->hop[1].qlen_bytes = 1000000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_SAME);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, rate);
	KUNIT_EXPECT_EQ(test, rig_stage(rig), 1);
	rig->hop[0].ts_ns += 5000;
	rig->hop[0].tx_bytes += 12500;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(55, 100)), 4ULL);
}

/* However long nothing was heard, U is what the ports have sent meanwhile. Its error is that of
 * @tx_bytes, less than a byte in each of two times, and of the arithmetic.
 */
static void hpcc_guards__silence(struct kunit *test)
{
	static const u64 ms[] = { 1900, 2100, 4295, 8590, 60000, 86400000 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(ms); i++) {
		struct hpcc_rig *rig = rig_new(test);

		for (j = 0; j < NR_HOPS; j++)
			rig->hop[j].rate_bps = GBPS;
		rig_ack(rig);
		rig_round(rig, 900);
		rig_pass(rig, ms[i] * NSEC_PER_MSEC, 100);
		KUNIT_EXPECT_EQ_MSG(test, rig_round(rig, 100), RXE_CC_TELEMETRY_USED,
				    "%llu ms", ms[i]);
		KUNIT_EXPECT_LE_MSG(test, off_by(rig_u(rig), q36(1, 10)), U_ONE / 100000000,
				    "%llu ms", ms[i]);
		KUNIT_EXPECT_EQ(test, rig_round(rig, 800), RXE_CC_TELEMETRY_USED);
		KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(8, 10)), 4ULL);
	}
}

/* 2^32 bytes in a time that the line takes for them, and bytes x 4e9 beyond 64 bits. */
static void hpcc_measure__much(struct kunit *test)
{
	static const u64 ms[] = { 400, 1000, 86400000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ms); i++) {
		struct hpcc_rig *rig = rig_started(test);

		rig_pass(rig, ms[i] * NSEC_PER_MSEC, 900);
		KUNIT_EXPECT_EQ(test, rxe_hpcc_measure(&rig->h, &rig->ctx, &rig->s),
				RXE_CC_TELEMETRY_USED);
		KUNIT_EXPECT_LE_MSG(test, off_by(rig_u(rig), q36(9, 10)), U_ONE / 1000000000,
				    "%llu ms", ms[i]);
	}
}

struct rate_case {
	u64 rc_gbps, u_num, u_den;
	u8 stage, max_stage;
	u64 want_kbps;
	u8 stage_after;
};

/* ComputeWind, with eta 0.5 (no rounding) and W_ai / T of 1 Gbit/s. */
static void hpcc_rate__steps(struct kunit *test)
{
	static const struct rate_case t[] = {
		{ 40, 1, 1, 0, 5, 21000000, 0 },	/* twice eta: half */
		{ 40, 1, 2, 0, 5, 41000000, 0 },	/* at eta: a step */
		{ 40, 1, 4, 0, 5, 41000000, 1 },	/* below: additive */
		{ 40, 1, 4, 4, 5, 41000000, 5 },
		{ 40, 1, 4, 5, 5, 81000000, 0 },	/* then to the mark */
		{ 40, 1, 4, 0, 0, 81000000, 0 },
		{ 40, 1, 8, 0, 0, 100000000, 0 },	/* line rate */
		{ 40, 0, 1, 0, 0, 100000000, 0 },	/* idle */
		{ 40, 0, 1, 254, 255, 41000000, 255 },
		{ 40, 4, 1, 3, 5, 6000000, 0 },
		{ 100, 1, 4, 0, 5, 100000000, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct hpcc_rig *rig = rig_new(test);
		struct rxe_hpcc *h = &rig->h;
		u64 got;

		rig->ctx.eta_q24 = RXE_CC_Q24(1, 2);
		rig->ctx.ai_q16 = q16(GBPS);
		rig->ctx.max_stage = t[i].max_stage;
		h->rc_q16 = q16(t[i].rc_gbps * GBPS);
		h->u_q36 = q36(t[i].u_num, t[i].u_den);
		h->inc_stage = t[i].stage;
		got = rxe_hpcc_rate(h, &rig->ctx, false);
		KUNIT_EXPECT_EQ_MSG(test, got, q16(t[i].want_kbps * 1000),
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig_rc(rig), q16(t[i].rc_gbps * GBPS),
				    "row %u: not committed", i);
		KUNIT_EXPECT_EQ_MSG(test, rig_stage(rig), t[i].stage, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rxe_hpcc_rate(h, &rig->ctx, true), got,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig_rc(rig), got, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig_stage(rig), t[i].stage_after,
				    "row %u", i);
	}
}

/* Down to the floor and no further, up to line rate and no further. */
static void hpcc_rate__bounds(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);
	unsigned int i;

	rig->ctx.ai_q16 = 0;
	for (i = 0; i < NR_HOPS; i++)
		rig->hop[i].qlen_bytes = 1000000;
	for (i = 0; i < 30; i++)
		rig_round(rig, 1000);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 1000000ULL);
	/* 1 Mbit/s for 10 us: a byte and a quarter, far below a packet. */
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 1ULL);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), rig->ctx.min_q16);
	for (i = 0; i < NR_HOPS; i++)
		rig->hop[i].qlen_bytes = 0;
	rig->ctx.ai_q16 = q16(GBPS);
	for (i = 0; i < 300; i++)
		rig_round(rig, 10);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 125000ULL);
}

/* A window below one packet follows U like any other. */
static void hpcc_rate__tiny_window(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);

	rig->ctx.ai_q16 = 0;
	rig->h.rc_q16 = q16(101000000);
	rig->hop[0].qlen_bytes = 125000;
	rig_round(rig, 900);
	rig_round(rig, 900);
	/* u = 1.9, so a half: 50.5 Mbit/s for 10 us. */
	KUNIT_EXPECT_LT(test, rig->flow.cwnd_bytes, (u64)PKT_BYTES);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 63ULL);
}

/* Within a round trip W follows each ACK, always from the same reference. */
static void hpcc_ack__commits_once_a_round(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);
	u64 rc = rig_rc(rig);
	u32 psn;

	rig->hop[1].qlen_bytes = 125000;
	for (psn = 11; psn < 60; psn++) {
		rig_pass(rig, T_NS, 1000);
		rig->s.seq = psn;
		rig->s.next_seq = psn + 50;
		KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
		KUNIT_EXPECT_EQ(test, rig_rc(rig), rc);
	}
	/* u = 2: 100 x 0.95 / 2 + 0.05, and not its square. */
	KUNIT_EXPECT_LE(test, off_by(rig->flow.rate_bps, 47550000000), 2000ULL);
	rig_pass(rig, T_NS, 1000);
	rig->s.seq = 60;
	rig->s.next_seq = 85;
	rig_ack(rig);
	KUNIT_EXPECT_LE(test, off_by(rig_rc(rig), q16(47550000000)),
			q16(2000));
	KUNIT_EXPECT_EQ(test, rig->h.update, 85U);
	rc = rig_rc(rig);
	for (psn = 61; psn < 85; psn++) {
		rig_pass(rig, 100, 1000);
		rig->s.seq = psn;
		rig_ack(rig);
		KUNIT_EXPECT_EQ(test, rig_rc(rig), rc);
	}
}

struct seq_case {
	u64 update;
	u64 seq, next_seq;
	bool want;
};

/* lastUpdateSeq. */
static void hpcc_ack__sequence(struct kunit *test)
{
	static const struct seq_case t[] = {
		{ 100, 99, 150, false }, { 100, 100, 150, true },
		{ 100, 101, 150, true }, { 100, 99, 100, false },
		{ 0x100000005, 0xffffffff, 0x100000014, false },
		{ 0x100000005, 0x100000005, 0x100000014, true },
		{ 0xfffffffe, 0xfffffffd, 0x100000003, false },
		{ 0xfffffffe, 0xfffffffe, 0x100000003, true },
		{ 0xfffffffe, 0x100000001, 0x100000003, true },
		/* More packets than there are PSNs. */
		{ 100, 0x1000050, 0x1000063, true },
		/* No commit for very long. */
		{ 100, 0x80000200, 0x80000210, true }, { 100, 0x100000050, 0x100000063, true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct hpcc_rig *rig = rig_started(test);

		rig->h.update = t[i].update;
		rig_pass(rig, 100, 500);
		rig->s.seq = t[i].seq;
		rig->s.next_seq = t[i].next_seq;
		KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
		KUNIT_EXPECT_EQ_MSG(test, rig->h.update,
				    t[i].want ? t[i].next_seq : t[i].update,
				    "row %u", i);
	}
}

/* Without fast reaction what comes between two commits is not looked at. */
static void hpcc_ack__not_fast(struct kunit *test)
{
	struct hpcc_rig *rig = rig_started(test);
	struct rxe_hpcc before = rig->h;
	u32 psn;

	rig->ctx.fast = false;
	for (psn = 11; psn < 60; psn++) {
		rig_pass(rig, 100, 800);
		rig->s.seq = psn;
		KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_NONE);
		KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	}
	KUNIT_EXPECT_MEMEQ(test, &rig->h, &before, sizeof(before));
	/* The one that commits sees 4900 ns at 80 % and 5100 at 60 %. */
	rig_pass(rig, 5100, 600);
	rig->s.seq = 60;
	KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(rig_u(rig), q36(698, 1000)),
			U_ONE / 100000);
	KUNIT_EXPECT_EQ(test, rig_stage(rig), 1);
}

/* T changes: the rate stays, the window follows at once. */
static void hpcc_ack__t_changes(struct kunit *test)
{
	static const u64 t_ns[] = { 20000, 5000, 5600, 1, 1000000, 9000000000ULL };
	struct hpcc_rig *rig = rig_started(test);
	unsigned int i;
	u64 rate;

	rig_round(rig, 1000);
	rig_round(rig, 1000);
	rate = rig->flow.rate_bps;
	for (i = 0; i < ARRAY_SIZE(t_ns); i++) {
		rig->ctx.t_ns = t_ns[i];
		KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_SAME);
		KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, rate);
		hpcc_expect_consistent(test, rig);
		rig_pass(rig, 100, 950);
		KUNIT_EXPECT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_USED);
		hpcc_expect_consistent(test, rig);
		rate = rig->flow.rate_bps;
	}
}

/* Rx-HPCC: one commit a T and a word to the sender with each, none between. */
static void hpcc_data__once_a_t(struct kunit *test)
{
	struct hpcc_rig *rig = rig_new(test);
	u64 rate, told = 0, last_ns = 0;
	unsigned int i;

	rig->s.now_ns = U32_MAX - 50000;
	KUNIT_EXPECT_EQ(test, rxe_hpcc_data(&rig->h, &rig->ctx, &rig->s, &rate),
			RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, rate, 0ULL);
	last_ns = rig->s.now_ns;
	for (i = 0; i < 2000; i++) {
		u64 rc = rig_rc(rig);

		rig_pass(rig, 100, 1000);
		KUNIT_ASSERT_EQ(test, rxe_hpcc_data(&rig->h, &rig->ctx, &rig->s,
						    &rate),
				RXE_CC_TELEMETRY_USED);
		if (!rate) {
			KUNIT_ASSERT_EQ(test, rig_rc(rig), rc);
			continue;
		}
		told++;
		KUNIT_ASSERT_EQ(test, rig_rc(rig), rate);
		KUNIT_ASSERT_EQ(test, rig->s.now_ns - last_ns, T_NS + 100);
		last_ns = rig->s.now_ns;
	}
	/* 200 us by steps of 10.1. */
	KUNIT_EXPECT_EQ(test, told, 19ULL);
	/* The same as a sender computes: 0.95 of the rate each time. */
	KUNIT_EXPECT_LT(test, rig_rc(rig), q16(40 * GBPS));
	KUNIT_EXPECT_GT(test, rig_rc(rig), q16(36 * GBPS));
}

static void hpcc_changed__bounds(struct kunit *test)
{
	struct hpcc_rig *rig = rig_new(test);

	/* Nothing heard: with the line rate, up and down. */
	rig->ctx.line_q16 = q16(400 * GBPS);
	rxe_hpcc_changed(&rig->h, &rig->ctx);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), q16(400 * GBPS));
	rig->ctx.line_q16 = q16(25 * GBPS);
	rxe_hpcc_changed(&rig->h, &rig->ctx);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), q16(25 * GBPS));
	/* Then only within the bounds. */
	rig_ack(rig);
	rig->ctx.line_q16 = q16(100 * GBPS);
	rxe_hpcc_changed(&rig->h, &rig->ctx);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), q16(25 * GBPS));
	rig->ctx.line_q16 = q16(10 * GBPS);
	rxe_hpcc_changed(&rig->h, &rig->ctx);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), q16(10 * GBPS));
	rig->ctx.line_q16 = q16(100 * GBPS);
	rig->ctx.min_q16 = q16(20 * GBPS);
	rxe_hpcc_changed(&rig->h, &rig->ctx);
	KUNIT_EXPECT_EQ(test, rig_rc(rig), q16(20 * GBPS));
}

struct window_case {
	u64 bps, t_ns, want;
};

static void hpcc_window__table(struct kunit *test)
{
	static const struct window_case t[] = {
		{ 100 * GBPS, 12000, 150000 }, { 10 * GBPS, 5600, 7000 },
		{ 1000, 1000, 1 }, { 0, 0, 1 }, { 1000000, 13000, 2 },
		{ 37 * GBPS, 4321, 19985 }, { 800 * GBPS, NSEC_PER_SEC, 100 * GBPS },
		{ 800 * GBPS, 10 * NSEC_PER_SEC, 1000 * GBPS },
		{ 800 * GBPS, U64_MAX, U64_MAX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		u64 w = rxe_hpcc_window(q16(t[i].bps), t[i].t_ns);

		/* To the byte; 1e-10 of it where that is more. */
		KUNIT_EXPECT_LE_MSG(test, off_by(w, t[i].want),
				    t[i].want == U64_MAX ? 0 :
				    div64_u64(t[i].want, 8 * GBPS),
				    "row %u: %llu", i, w);
	}
}

static void hpcc_ai__rule_of_thumb(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rxe_hpcc_ai_q16(100 * GBPS, RXE_CC_Q24(3, 4), 25),
			q16(GBPS));
	KUNIT_EXPECT_EQ(test, rxe_hpcc_ai_q16(100 * GBPS, RXE_CC_Q24_ONE, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, rxe_hpcc_ai_q16(RXE_HPCC_RATE_MAX_BPS, 0, 1),
			q16(RXE_HPCC_RATE_MAX_BPS));
	/* 0.05 of 10 Gbit/s for 1000 flows, as near as eta is to 0.95. */
	KUNIT_EXPECT_LE(test, off_by(rxe_hpcc_ai_q16(10 * GBPS,
						     RXE_CC_Q24(95, 100), 1000),
				     q16(500000)), q16(1));
}

static struct kunit_case hpcc_cases[] = {
	KUNIT_CASE(hpcc_first__is_only_remembered),
	KUNIT_CASE(hpcc_measure__eq2),
	KUNIT_CASE(hpcc_measure__tau_of_the_busiest),
	KUNIT_CASE(hpcc_measure__saturates),
	KUNIT_CASE(hpcc_measure__wrap),
	KUNIT_CASE(hpcc_measure__much),
	KUNIT_CASE_PARAM(hpcc_guards__unharmed, hpcc_guard_gen_params),
	KUNIT_CASE_PARAM(hpcc_guards__one_forged, hpcc_forged_gen_params),
	KUNIT_CASE(hpcc_guards__no_time),
	KUNIT_CASE(hpcc_guards__silence),
	KUNIT_CASE(hpcc_rate__steps),
	KUNIT_CASE(hpcc_rate__bounds),
	KUNIT_CASE(hpcc_rate__tiny_window),
	KUNIT_CASE(hpcc_ack__commits_once_a_round),
	KUNIT_CASE(hpcc_ack__sequence),
	KUNIT_CASE(hpcc_ack__not_fast),
	KUNIT_CASE(hpcc_ack__t_changes),
	KUNIT_CASE(hpcc_data__once_a_t),
	KUNIT_CASE(hpcc_changed__bounds),
	KUNIT_CASE(hpcc_window__table),
	KUNIT_CASE(hpcc_ai__rule_of_thumb),
	{}
};

static struct kunit_suite hpcc_suite = {
	.name = "rxe_cc_hpcc",
	.test_cases = hpcc_cases,
};

kunit_test_suite(hpcc_suite);
