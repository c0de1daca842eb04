// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC++ case by case: what it asks of packets, reports of switches, windows and
 * numbers told, the count of flows.
 */
#include "hpcc_test.h"

#define PP_FLOWS	4
#define PP_ETA		RXE_CC_Q24(95, 100)

/**
 * struct pp_rig - flows under hpccpp at one port
 * @ops: hpccpp
 * @params: of all
 * @f: flows
 * @hop: telemetry
 * @s: next sample
 */
struct pp_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_flow f[PP_FLOWS];
	struct rxe_cc_int_hop hop[RXE_CC_MAX_HOPS + 1];
	struct rxe_cc_sample s;
};

static void pp_flow(struct kunit *test, struct pp_rig *rig, unsigned int i)
{
	rig->f[i] = (struct rxe_cc_flow) {
		.rate_bps = 100 * GBPS, .line_rate_bps = 100 * GBPS,
		.min_rate_bps = 1000000, .base_rtt_ns = T_NS, .pkt_bytes = 1106,
		.cwnd_bytes = RXE_CC_NO_WINDOW, .timer_ns = RXE_CC_NO_TIMER,
		.params = rig->params, .peer_obeys = true,
	};
	cc_test_flow_own(test, &rig->f[i], rig->ops);
	rig->ops->init(&rig->f[i], rig->s.now_ns);
}

static struct pp_rig *pp_new(struct kunit *test)
{
	struct pp_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, "hpccpp");
	cc_test_defaults(rig->ops, rig->params);
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.ts_ns = 5000, .rate_bps = 100 * GBPS, .node = i,
		};
	rig->s = (struct rxe_cc_sample) {
		.now_ns = NSEC_PER_SEC, .hops = rig->hop, .nr_hops = NR_HOPS,
		.seq = 10, .next_seq = 60,
	};
	for (i = 0; i < PP_FLOWS; i++)
		pp_flow(test, rig, i);
	return rig;
}

static void pp_param(struct kunit *test, struct pp_rig *rig, const char *name,
		     u64 value)
{
	unsigned int i;

	cc_test_param(test, rig->ops, rig->params, name, value);
	for (i = 0; i < PP_FLOWS; i++)
		rig->ops->params_changed(&rig->f[i], rig->s.now_ns);
}

static struct rxe_hpcc *pp_hpcc(struct pp_rig *rig)
{
	return rig->f[0].priv;
}

/* A T passes, each port sends at @permille of its speed. */
static void pp_pass(struct pp_rig *rig, u64 permille)
{
	unsigned int i;

	rig->s.now_ns += T_NS;
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++) {
		rig->hop[i].ts_ns += T_NS;
		rig->hop[i].tx_bytes +=
			rxe_cc_bytes_in(rig->hop[i].rate_bps / 1000 * permille,
					T_NS);
	}
}

/* The same, and an ACK of what was sent after the last comes. */
static u8 pp_round(struct pp_rig *rig, u64 permille)
{
	pp_pass(rig, permille);
	rig->s.seq = rig->s.next_seq;
	rig->s.next_seq += 50;
	rig->ops->on_ack(&rig->f[0], &rig->s);
	return rig->f[0].telemetry;
}

/* A switch: the first @nr ports, of which the last has a queue. */
static u8 pp_report(struct pp_rig *rig, u8 nr, u32 qlen_bytes, u32 psn)
{
	struct rxe_cc_int_hop hop[RXE_CC_MAX_HOPS + 1];
	struct rxe_cc_sample s = rig->s;

	memcpy(hop, rig->hop, sizeof(hop));
	if (nr)
		hop[nr - 1].qlen_bytes = qlen_bytes;
	s.hops = hop;
	s.nr_hops = nr;
	s.seq = psn;
	s.partial = true;
	rig->ops->on_ack(&rig->f[0], &s);
	return rig->f[0].telemetry;
}

/* A window, and nothing else. */
static void pp_told(struct pp_rig *rig, u64 bytes)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->s.now_ns, .seq = rig->s.seq,
		.next_seq = rig->s.next_seq, .fb = { bytes }, .nr_fb = 1,
	};

	rig->ops->on_ack(&rig->f[0], &s);
}

/* A packet comes while so many messages are in flight. */
static u32 pp_data(struct pp_rig *rig, unsigned int i, u32 msgs)
{
	struct rxe_cc_sample s = { .now_ns = rig->s.now_ns, .bytes = 1106 };

	rig->f[i].rx.msgs = msgs;
	rig->ops->on_data(&rig->f[i], &s);
	return rig->f[i].report.fb[1];
}

struct want_case {
	u64 int_mode, rx, t_ns;
	u16 wants;
	bool fill;
};

static void hpccpp_wants__table(struct kunit *test)
{
	static const struct want_case t[] = {
		{ 0, 0, T_NS, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS },
		{ 1, 0, T_NS, RXE_CC_WANT_INT_SPARSE },
		{ 2, 0, T_NS, RXE_CC_WANT_INT_PROBE },
		{ 0, 1, T_NS, RXE_CC_WANT_INT | RXE_CC_WANT_FB |
			      RXE_CC_WANT_RX_HOPS },
		{ 1, 1, T_NS, RXE_CC_WANT_INT_SPARSE | RXE_CC_WANT_FB |
			      RXE_CC_WANT_RX_HOPS },
		{ 0, 1, 0, RXE_CC_WANT_INT | RXE_CC_WANT_FB },
		{ 1, 0, 0, RXE_CC_WANT_INT_SPARSE },
		{ 0, 0, T_NS, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS |
			      RXE_CC_WANT_FILL_WINDOW, true },
		{ 1, 1, T_NS, RXE_CC_WANT_INT_SPARSE | RXE_CC_WANT_FB |
			      RXE_CC_WANT_RX_HOPS | RXE_CC_WANT_FILL_WINDOW, true },
		{ 1, 0, T_NS, RXE_CC_WANT_INT_SPARSE },
	};
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		pp_param(test, rig, "int_mode", t[i].int_mode);
		pp_param(test, rig, "rx", t[i].rx);
		pp_param(test, rig, "fill_window", t[i].fill);
		f->base_rtt_ns = t[i].t_ns;
		rig->ops->params_changed(f, rig->s.now_ns);
		KUNIT_EXPECT_EQ_MSG(test, f->wants, t[i].wants, "row %u", i);
		/* Only windows that were asked for are taken, and their T. */
		KUNIT_EXPECT_EQ_MSG(test, f->fb_ignore, t[i].rx ? 0 : BIT(0) | BIT(2),
				    "row %u", i);
		/* And so from the start. */
		f->wants = 0;
		rig->ops->init(f, rig->s.now_ns);
		KUNIT_EXPECT_EQ_MSG(test, f->wants, t[i].wants, "row %u", i);
	}
}

static void hpccpp_check__rx_with_probes(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	unsigned int bad = UINT_MAX;

	cc_test_param(test, rig->ops, rig->params, "rx", 1);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	cc_test_param(test, rig->ops, rig->params, "int_mode", 2);
	KUNIT_ASSERT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "rx");
	cc_test_param(test, rig->ops, rig->params, "rx", 0);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
}

struct start_case {
	u64 rate_bps, cwnd_bytes, t_ns, want_bps, want_cwnd_bytes;
};

/* Recordings of others begin with a rate or a window of their own. */
static void hpccpp_init__preset(struct kunit *test)
{
	static const struct start_case t[] = {
		{ 25 * GBPS, RXE_CC_NO_WINDOW, T_NS, 25 * GBPS, 31250 },
		{ 7 * GBPS, RXE_CC_NO_WINDOW, T_NS, 7 * GBPS, 8750 },
		{ 25 * GBPS, 10000, T_NS, 8 * GBPS, 10000 },
		{ 7 * GBPS, RXE_CC_NO_WINDOW, 0, 7 * GBPS, RXE_CC_NO_WINDOW },
		{ 7 * GBPS, 10000, 0, 7 * GBPS, RXE_CC_NO_WINDOW },
		{ 90 * GBPS, RXE_CC_NO_WINDOW, T_NS, 25 * GBPS, 31250 },
		{ 1, RXE_CC_NO_WINDOW, T_NS, 1000000, 1 },
		{ U64_MAX, 0, T_NS, 1000000, 1 },
	};
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	unsigned int i;

	f->line_rate_bps = 25 * GBPS;
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		f->rate_bps = t[i].rate_bps;
		f->cwnd_bytes = t[i].cwnd_bytes;
		f->base_rtt_ns = t[i].t_ns;
		rig->ops->init(f, rig->s.now_ns);
		KUNIT_EXPECT_EQ_MSG(test, f->rate_bps, t[i].want_bps, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, (u64)pp_hpcc(rig)->rc_q16,
				    q16(t[i].want_bps), "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f->cwnd_bytes, t[i].want_cwnd_bytes,
				    "row %u", i);
	}
}

/*
 * u' = qlen / (B T) + 1 with B T of 125 kB. From 100 Gbit/s, with 0.05 of it over
 * 100 flows: 95 / u' + 0.05. eta is 6e-8 too small.
 */
static void hpccpp_early__by_hand(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	struct rxe_hpcc *h = pp_hpcc(rig);

	/* Before anything else was heard; nothing is committed by it. */
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 125000, 5),
			RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, 47550000000), 6000ULL);
	KUNIT_EXPECT_EQ(test, off_by(h->u_q36, 2 * U_ONE), 0ULL);
	KUNIT_EXPECT_EQ(test, (u64)h->rc_q16, q16(100 * GBPS));
	/* The same or less again: nothing. More: from the same reference. */
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 125000, 6),
			RXE_CC_TELEMETRY_NONE);
	KUNIT_EXPECT_EQ(test, pp_report(rig, 3, 60000, 6),
			RXE_CC_TELEMETRY_NONE);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, 47550000000), 6000ULL);
	KUNIT_EXPECT_EQ(test, pp_report(rig, 1, 375000, 7),
			RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, 23800000000), 6000ULL);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 29750ULL);
	/* ACKs go on: L was not touched, U comes down with tau = T at once. */
	KUNIT_EXPECT_EQ(test, pp_round(rig, 900), RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, 23800000000), 6000ULL);
	KUNIT_EXPECT_EQ(test, pp_round(rig, 950), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(h->u_q36, q36(95, 100)), 4ULL);
	KUNIT_EXPECT_GT(test, f->rate_bps, 99 * GBPS);
}

/* It commits when the packet was sent after the last commit, and only then. */
static void hpccpp_early__commits_by_the_rule(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_hpcc *h = pp_hpcc(rig);
	u64 rc;

	pp_round(rig, 900);
	pp_round(rig, 900);
	rc = h->rc_q16;
	KUNIT_EXPECT_EQ(test, h->update, rig->s.next_seq);
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 125000, h->update - 1),
			RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_EQ(test, (u64)h->rc_q16, rc);
	rig->s.next_seq += 30;
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 250000, h->update),
			RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_EQ(test, h->update, rig->s.next_seq);
	KUNIT_EXPECT_EQ(test, (u64)h->rc_q16 >> RXE_HPCC_RATE_SHIFT,
			rig->f[0].rate_bps);
	/* No second time for the same round trip. */
	rc = h->rc_q16;
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 1000000, h->update - 1),
			RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_EQ(test, (u64)h->rc_q16, rc);
	/* L is as before the reports: the next ACK compares with it. */
	KUNIT_EXPECT_EQ(test, pp_round(rig, 900), RXE_CC_TELEMETRY_USED);
}

/* What cannot be, and what would raise the rate. */
static void hpccpp_early__only_down(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0], before;
	struct rxe_hpcc state;

	pp_round(rig, 900);
	/* A reference far below what W_ai adds. */
	pp_param(test, rig, "ai_rate", 5 * GBPS);
	f->rate_bps = GBPS;
	pp_hpcc(rig)->rc_q16 = q16(GBPS);
	before = *f;
	state = *pp_hpcc(rig);
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 125000, 200),
			RXE_CC_TELEMETRY_NONE);
	before.telemetry = RXE_CC_TELEMETRY_NONE;
	KUNIT_EXPECT_MEMEQ(test, f, &before, sizeof(before));
	KUNIT_EXPECT_MEMEQ(test, pp_hpcc(rig), &state, sizeof(state));
	KUNIT_EXPECT_EQ(test, pp_report(rig, 0, 0, 200), RXE_CC_TELEMETRY_COUNT);
	KUNIT_EXPECT_EQ(test, pp_report(rig, RXE_CC_MAX_HOPS + 1, 0, 200),
			RXE_CC_TELEMETRY_COUNT);
	rig->hop[1].rate_bps = 0;
	KUNIT_EXPECT_EQ(test, pp_report(rig, 2, 125000, 200),
			RXE_CC_TELEMETRY_SPEED);
	before.telemetry = RXE_CC_TELEMETRY_SPEED;
	KUNIT_EXPECT_MEMEQ(test, f, &before, sizeof(before));
	KUNIT_EXPECT_MEMEQ(test, pp_hpcc(rig), &state, sizeof(state));
}

/* What the sender shows it goes by decides at once, without a call for it: N is told, or
 * windows are computed, from where the last time ended: so that a packet which lies about it
 * once does not bring back line rate.
 */
static void hpccpp_rx__goes_by_the_sender(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	struct rxe_hpcc *rx = f->rx_priv;
	unsigned int i, j;
	u64 rc_q16 = 0;

	pp_param(test, rig, "rx", 1);
	pp_param(test, rig, "n_auto", 1);
	f->rx.msgs = 7;
	for (i = 0; i < 4; i++) {
		f->peer_obeys = i % 2;
		for (j = 0; j < 3; j++) {
			pp_pass(rig, 900);
			rig->ops->on_data(f, &rig->s);
		}
		if (!(i % 2))
			KUNIT_EXPECT_EQ_MSG(test, rx->rc_q16, rc_q16, "step %u", i);
		rc_q16 = rx->rc_q16;
		KUNIT_EXPECT_EQ_MSG(test, f->report.always, !(i % 2), "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, !!f->report.fb[0], i % 2, "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f->report.fb[1], i % 2 ? 0ULL : 7ULL, "step %u", i);
		KUNIT_EXPECT_TRUE(test, f->wants & RXE_CC_WANT_RX_HOPS);
	}
}

struct told_case {
	u64 bytes, t_ns, want_bps, rx_t_ns;
};

/* From line rate to the floor of 1 Mbit/s it takes three round trips, each with no less
 * than eta / 2^8 left of the rate.
 */
#define PP_TOLD_ROUNDS	3

static void hpccpp_told__within_bounds(struct kunit *test)
{
	static const struct told_case t[] = {
		{ 62500, T_NS, 50 * GBPS }, { 125000, T_NS, 100 * GBPS },
		{ 125001, T_NS, 100 * GBPS }, { U64_MAX, T_NS, 100 * GBPS },
		{ 1, T_NS, 1000000 }, { 2, T_NS, 1600000 },
		{ U64_MAX, 1, 100 * GBPS }, { 62500, 2 * T_NS, 25 * GBPS },
		/* Computed for another T, or by somebody who makes one up. */
		{ 62500, 2 * T_NS, 50 * GBPS, T_NS },
		{ 62500, T_NS, 25 * GBPS, 2 * T_NS },
		{ 1, T_NS, 8 * GBPS, 1 }, { U64_MAX, T_NS, 100 * GBPS, 1 },
		{ 125000, T_NS, 1000000, U64_MAX },
		{ U64_MAX, T_NS, 8 * GBPS, U64_MAX },
		{ 62500, 2 * T_NS, 25 * GBPS },
	};
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	unsigned int i, j;

	pp_round(rig, 900);
	rig->s.nr_hops = 0;
	rig->s.hops = NULL;
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		f->base_rtt_ns = t[i].t_ns;
		rig->s.fb[0] = t[i].bytes;
		rig->s.fb[2] = t[i].rx_t_ns;
		for (j = 0; j < PP_TOLD_ROUNDS; j++) {
			rig->s.now_ns += f->base_rtt_ns;
			rig->ops->on_ack(f, &rig->s);
		}
		KUNIT_EXPECT_EQ_MSG(test, f->rate_bps, t[i].want_bps, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, f->cwnd_bytes,
				    rxe_hpcc_window(q16(t[i].want_bps),
						    t[i].t_ns),
				    "row %u", i);
		KUNIT_EXPECT_EQ(test, f->telemetry, RXE_CC_TELEMETRY_NONE);
	}
	/* Without a T it says nothing. */
	f->base_rtt_ns = 0;
	rig->s.fb[0] = 5000;
	rig->ops->on_ack(f, &rig->s);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 25 * GBPS);
}

/* U is below 256, so of one window an honest receiver leaves eta / 256 or more. However
 * often somebody tells less within a T, and whatever packets that names, the rate falls
 * no further; and the next window that is true repairs it at once.
 */
static void hpccpp_told__bounded_within_t(struct kunit *test)
{
	const u64 first_bps = rxe_cc_muldiv(100 * GBPS, PP_ETA,
					    256 * RXE_CC_Q24_ONE);
	const u64 second_bps = rxe_cc_muldiv(first_bps, PP_ETA,
					     256 * RXE_CC_Q24_ONE);
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		pp_told(rig, 1 + i % 2);
		KUNIT_ASSERT_LE(test, off_by(f->rate_bps, first_bps), 1ULL);
		/* The packet that was sent last, whatever was before. */
		rig->s.now_ns += (T_NS - 1) / 1000;
		rig->s.seq = rig->s.next_seq++;
	}
	/* The round goes by its first window, not by its last. */
	rig->s.now_ns = NSEC_PER_SEC + T_NS - 1;
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, first_bps), 1ULL);
	rig->s.now_ns++;
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, second_bps), 2ULL);
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, second_bps), 2ULL);
	/* A true one, and a forged one behind it. */
	pp_told(rig, 62500);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 50 * GBPS);
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, second_bps), 2ULL);
	/* The low 32 bits of the clock come round: a round is over by then. */
	pp_told(rig, 125000);
	rig->s.now_ns += BIT_ULL(32);
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, first_bps), 1ULL);
	/* A T beyond 2^32 ns. */
	f->base_rtt_ns = 10ULL * NSEC_PER_SEC;
	rig->s.now_ns += 10ULL * NSEC_PER_SEC - 1;
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, first_bps), 1ULL);
	rig->s.now_ns++;
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, second_bps), 2ULL);
}

/* Where a round is kept are ports when telemetry comes between: neither is taken for the
 * other.
 */
static void hpccpp_told__bound_after_telemetry(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	u64 rc_bps;

	/* A port's time and bytes that would be a T of now and a floor of line rate. */
	pp_round(rig, 900);
	rig->hop[0].ts_ns = rig->s.now_ns;
	rig->hop[0].tx_bytes = U32_MAX;
	rig->s.fb[0] = 0;
	rig->ops->on_ack(f, &rig->s);
	rc_bps = pp_hpcc(rig)->rc_q16 >> RXE_HPCC_RATE_SHIFT;
	pp_told(rig, 1);
	KUNIT_EXPECT_LE(test,
			off_by(f->rate_bps,
			       rxe_cc_muldiv(rc_bps, PP_ETA,
					     256 * RXE_CC_Q24_ONE)), 1ULL);
	/* And the round is no L. */
	KUNIT_EXPECT_EQ(test, pp_round(rig, 900), RXE_CC_TELEMETRY_FIRST);
}

/* Telemetry after windows: first L, then on from the last window. */
static void hpccpp_told__then_telemetry(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];

	pp_round(rig, 900);
	pp_round(rig, 900);
	KUNIT_EXPECT_EQ(test, (unsigned int)pp_hpcc(rig)->inc_stage, 1U);
	pp_told(rig, 62500);
	KUNIT_EXPECT_EQ(test, (unsigned int)pp_hpcc(rig)->inc_stage, 0U);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 50 * GBPS);
	/* A window that comes with telemetry may be an old one. */
	rig->s.fb[0] = 125;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 900), RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 50 * GBPS);
	/* Below eta: one additive step. */
	KUNIT_EXPECT_EQ(test, pp_round(rig, 900), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps, 50050000000), 100ULL);
}

/* Additive steps by N only while the last port is the busiest, and for two seconds
 * after it was told; with the speed of that port when it is slower.
 */
static void hpccpp_n__only_at_the_last_hop(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[0];
	u64 before;

	pp_param(test, rig, "n_auto", 1);
	rig->hop[NR_HOPS - 1].rate_bps = 40 * GBPS;
	rig->s.fb[1] = 4;
	pp_told(rig, 12500);
	pp_round(rig, 500);
	before = f->rate_bps;
	rig->hop[NR_HOPS - 1].tx_bytes += 100;
	rig->s.fb[1] = 0;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 500), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps - before, 500000000), 1000ULL);
	before = f->rate_bps;
	rig->hop[1].tx_bytes += 10000;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 500), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps - before, 50000000), 1000ULL);
	/* 1.9 s later it still holds; 2.1 s later not. */
	rig->s.now_ns += 1900 * NSEC_PER_MSEC;
	before = f->rate_bps;
	rig->hop[NR_HOPS - 1].tx_bytes += 100;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 500), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps - before, 500000000), 1000ULL);
	rig->s.now_ns += 200 * NSEC_PER_MSEC;
	before = f->rate_bps;
	rig->hop[NR_HOPS - 1].tx_bytes += 100;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 500), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps - before, 50000000), 1000ULL);
	/* Who does not want it does not use it. */
	rig->s.fb[1] = 4;
	pp_param(test, rig, "n_auto", 0);
	before = f->rate_bps;
	rig->hop[NR_HOPS - 1].tx_bytes += 100;
	KUNIT_EXPECT_EQ(test, pp_round(rig, 500), RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_LE(test, off_by(f->rate_bps - before, 50000000), 1000ULL);
}

/* What is to be counted: who sent something within n_expiry, if anybody wants to know. */
static void hpccpp_count__rules(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_rx_rules rules = {};

	rig->ops->rx_rules(rig->params, &rules);
	KUNIT_EXPECT_FALSE(test, rules.on);
	pp_param(test, rig, "n_auto", 1);
	pp_param(test, rig, "n_expiry", 1234567);
	rig->ops->rx_rules(rig->params, &rules);
	KUNIT_EXPECT_TRUE(test, rules.on);
	KUNIT_EXPECT_EQ(test, rules.linger_ns, 1234567ULL);
	KUNIT_EXPECT_EQ(test, rules.idle_ns, 1234567ULL);
	KUNIT_EXPECT_EQ(test, rules.peer_max, 0U);
	KUNIT_EXPECT_FALSE(test, rules.round);
}

/* What is told, and by whom: nothing when not asked, N when not computing. */
static void hpccpp_count__report(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_report *report = &rig->f[0].report;

	KUNIT_EXPECT_EQ(test, pp_data(rig, 0, 7), 0U);
	KUNIT_EXPECT_FALSE(test, report->always);
	pp_param(test, rig, "n_auto", 1);
	KUNIT_EXPECT_EQ(test, pp_data(rig, 0, 1), 1U);
	KUNIT_EXPECT_EQ(test, pp_data(rig, 0, 2), 2U);
	KUNIT_EXPECT_TRUE(test, report->always);
	/* A READ request does not count, but it is answered. */
	KUNIT_EXPECT_EQ(test, pp_data(rig, 1, 0), 1U);
	/* The sender has no room for more. */
	KUNIT_EXPECT_EQ(test, pp_data(rig, 2, U32_MAX), (u32)BIT(20) - 1);
	pp_param(test, rig, "rx", 1);
	KUNIT_EXPECT_EQ(test, pp_data(rig, 0, 3), 0U);
	KUNIT_EXPECT_FALSE(test, report->always);
}

/* A port on the way that is slower than the own floor: the floor is then its line rate. A
 * receiver has no other way to say it, since the window is all that it tells.
 */
static void hpccpp_rx__port_below_the_floor(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	struct rxe_cc_flow *f = &rig->f[1];
	unsigned int i;

	pp_param(test, rig, "rx", 1);
	f->min_rate_bps = 10 * GBPS;
	rig->hop[1].rate_bps = GBPS;
	rig->hop[1].qlen_bytes = 1000000;
	for (i = 0; i < 2; i++) {
		/* More than the time that the queue takes, after which it tells again. */
		rig->s.now_ns += 20 * NSEC_PER_MSEC;
		rig->hop[0].ts_ns += 20 * NSEC_PER_MSEC;
		rig->hop[1].ts_ns += 20 * NSEC_PER_MSEC;
		rig->hop[2].ts_ns += 20 * NSEC_PER_MSEC;
		rig->ops->on_data(f, &rig->s);
	}
	KUNIT_EXPECT_EQ(test, f->telemetry, RXE_CC_TELEMETRY_USED);
	KUNIT_EXPECT_EQ(test, f->report.nr, 3);
	KUNIT_EXPECT_EQ(test, f->report.fb[0], GBPS / 8 * T_NS / NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, f->report.fb[1], 0ULL);
	KUNIT_EXPECT_EQ(test, f->report.fb[2], (u64)T_NS);
}

/* With delayed ACKs a packet asks for one as any window needs it, and the receiver looks at
 * what the sender gets. Only where all telemetry is echoed there is something to delay.
 */
static void hpccpp_delayed__wants(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	unsigned int bad = UINT_MAX;

	pp_param(test, rig, "delay_acks", 1000);
	KUNIT_EXPECT_EQ(test, rig->f[0].wants, RXE_CC_WANT_INT | RXE_CC_WANT_RX_LOOK);
	/* W_init, and what waits for an ACK. */
	KUNIT_EXPECT_EQ(test, rig->f[0].cwnd_bytes, 125000ULL + (125000 - 8 * 1106) / 7);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	cc_test_param(test, rig->ops, rig->params, "int_mode", 1);
	KUNIT_ASSERT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "delay_acks");
	cc_test_param(test, rig->ops, rig->params, "int_mode", 0);
	cc_test_param(test, rig->ops, rig->params, "rx", 1);
	KUNIT_EXPECT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	pp_param(test, rig, "rx", 0);
	pp_param(test, rig, "delay_acks", 0);
	KUNIT_EXPECT_EQ(test, rig->f[0].wants, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS);
}

#define PP_DELAYED_EVENTS	100000
#define PP_DELAYED_NS		2000

/* The rule with nothing kept but the packets themselves: one is answered when some packet
 * since the last that was met PP_DELAYED_NS less. Queues in steps of 100 bytes are whole ns at
 * both speeds. They wander by less than what is answered, so that answers are rare.
 */
static void hpccpp_delayed__model(struct kunit *test)
{
	struct pp_rig *rig = pp_new(test);
	u32 *queue_ns = kunit_kcalloc(test, PP_DELAYED_EVENTS + 1, sizeof(u32), GFP_KERNEL);
	unsigned int i, j, hop, since = 0, answers = 0;
	struct cc_test_prng r = { .state = 44 };
	u32 step[NR_HOPS] = {};
	bool due;

	KUNIT_ASSERT_NOT_NULL(test, queue_ns);
	pp_param(test, rig, "delay_acks", PP_DELAYED_NS);
	rig->hop[1].rate_bps = 25 * GBPS;
	/* The first one stands for the sender, who knows of no queue. */
	for (i = 1; i <= PP_DELAYED_EVENTS; i++) {
		hop = cc_test_below(&r, NR_HOPS);
		step[hop] += cc_test_below(&r, 41);
		step[hop] -= min(step[hop], 20U);
		if (!cc_test_below(&r, 50))
			step[hop] = 0;
		for (j = 0; j < NR_HOPS; j++) {
			rig->hop[j].qlen_bytes = 100 * step[j];
			queue_ns[i] = max(queue_ns[i], step[j] * (j == 1 ? 32 : 8));
		}
		due = false;
		for (j = since; j < i && !due; j++)
			due = queue_ns[i] >= queue_ns[j] + PP_DELAYED_NS;
		if (due)
			since = i;
		answers += due;
		KUNIT_ASSERT_EQ_MSG(test, !!(rig->ops->on_data(&rig->f[0], &rig->s) &
					     RXE_CC_RX_REPORT), due, "packet %u", i);
	}
	/* Each has at least one packet that met less before it, and there were some. */
	KUNIT_EXPECT_GT(test, answers, 0U);
	KUNIT_EXPECT_LT(test, answers, PP_DELAYED_EVENTS / 2U);
	/* Nothing is told beside the telemetry. */
	KUNIT_EXPECT_EQ(test, rig->f[0].report.nr, 0);
}

static struct kunit_case hpccpp_cases[] = {
	KUNIT_CASE(hpccpp_delayed__wants),
	KUNIT_CASE(hpccpp_delayed__model),
	KUNIT_CASE(hpccpp_wants__table),
	KUNIT_CASE(hpccpp_check__rx_with_probes),
	KUNIT_CASE(hpccpp_init__preset),
	KUNIT_CASE(hpccpp_early__by_hand),
	KUNIT_CASE(hpccpp_early__commits_by_the_rule),
	KUNIT_CASE(hpccpp_early__only_down),
	KUNIT_CASE(hpccpp_told__within_bounds),
	KUNIT_CASE(hpccpp_told__bounded_within_t),
	KUNIT_CASE(hpccpp_told__bound_after_telemetry),
	KUNIT_CASE(hpccpp_told__then_telemetry),
	KUNIT_CASE(hpccpp_n__only_at_the_last_hop),
	KUNIT_CASE(hpccpp_count__rules),
	KUNIT_CASE(hpccpp_rx__goes_by_the_sender),
	KUNIT_CASE(hpccpp_rx__port_below_the_floor),
	KUNIT_CASE(hpccpp_count__report),
	{}
};

static struct kunit_suite hpccpp_suite = {
	.name = "rxe_cc_hpccpp",
	.test_cases = hpccpp_cases,
};

kunit_test_suite(hpccpp_suite);
