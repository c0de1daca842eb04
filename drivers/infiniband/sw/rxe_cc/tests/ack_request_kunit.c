// SPDX-License-Identifier: GPL-2.0
/*
 * What outgoing packets request: in-band network telemetry (INT), on a packet or by a probe, and
 * when the next is due; ACKs by algorithm and window; the receiver's turnaround.
 */
#include <linux/ktime.h>

#include "core_fixture.h"

/* A round trip, long beside what the calls of a test may take. */
#define ASK_RTT_US	10000
#define ASK_RTT_NS	(1000ULL * ASK_RTT_US)

#define ASK_SPARSE	RXE_CC_WANT_INT_SPARSE
#define ASK_PROBE	RXE_CC_WANT_INT_PROBE

/**
 * struct due_case - what is out, and whether the next is due
 * @any: something was sent with telemetry
 * @out: and is not answered
 * @ago_ns: when
 * @srtt_ns: smoothed round-trip time
 * @base_ns: that of the idle path
 * @due: the next is
 */
struct due_case {
	bool any, out;
	u64 ago_ns, srtt_ns, base_ns;
	bool due;
};

static const struct due_case due_cases[] = {
	{ false, false, 0, 0, 0, true },
	{ false, false, 0, 20000, 10000, true },
	/* Answered: not closer than the base round trip. */
	{ true, false, 0, 20000, 10000, false },
	{ true, false, 9999, 20000, 10000, false },
	{ true, false, 10000, 20000, 10000, true },
	{ true, false, 0, 0, 0, true },
	/* Not answered: lost after two round trips. */
	{ true, true, 39999, 20000, 10000, false },
	{ true, true, 40000, 20000, 10000, true },
	{ true, true, 39999, 10000, 20000, false },
	{ true, true, 40000, 10000, 20000, true },
	{ true, true, 19999, 0, 10000, false },
	{ true, true, 20000, 0, 10000, true },
	/* Nothing known of the path. */
	{ true, true, RXE_CC_LOST_NS - 1, 0, 0, false },
	{ true, true, RXE_CC_LOST_NS, 0, 0, true },
	{ true, true, U64_MAX - 5, U64_MAX / 2 + 1, 0, false },
};

static void sparse_due__table(struct kunit *test)
{
	const struct due_case *c;

	for (c = due_cases; c < due_cases + ARRAY_SIZE(due_cases); c++) {
		struct rxe_cc_sparse s = {
			.any = c->any, .out = c->out, .sent_ns = 5,
		};

		KUNIT_EXPECT_EQ_MSG(test,
				    rxe_cc_sparse_due(&s, 5 + c->ago_ns,
						      c->srtt_ns, c->base_ns),
				    c->due, "case %td", c - due_cases);
	}
}

static void sparse_answered__by_what(struct kunit *test)
{
	struct rxe_cc_sparse s = { };

	rxe_cc_sparse_begin(&s, 100, false);
	KUNIT_EXPECT_TRUE(test, s.out);
	/* Nothing can answer a packet that has not left. */
	rxe_cc_sparse_answered(&s, 0, false);
	KUNIT_EXPECT_TRUE(test, s.out);
	/* A READ response that leaves meanwhile is another one. */
	rxe_cc_sparse_sent(&s, 110, 3, true);
	KUNIT_EXPECT_TRUE(test, s.building);
	rxe_cc_sparse_sent(&s, 120, 0xffffff, false);
	KUNIT_EXPECT_FALSE(test, s.building);
	KUNIT_EXPECT_EQ(test, s.sent_ns, 120ULL);
	/* So is the next packet of its own side. */
	rxe_cc_sparse_sent(&s, 130, 0, false);
	KUNIT_EXPECT_EQ(test, s.psn, 0xffffffU);
	rxe_cc_sparse_answered(&s, 0xfffffe, false);
	KUNIT_EXPECT_TRUE(test, s.out);
	rxe_cc_sparse_answered(&s, 1, true);
	KUNIT_EXPECT_TRUE(test, s.out);
	rxe_cc_sparse_answered(&s, 1, false);
	KUNIT_EXPECT_FALSE(test, s.out);
}

/* One packet in the middle of a message: decided with its ACK. Returns whether it
 * went with INT.
 */
static bool ask_build(struct kunit *test, struct core_rig *rig, u32 psn,
		      bool end)
{
	struct rxe_cc_tx tx = core_rig_decide(rig->h.qp, RXE_CC_PKT_DATA, 0, end);

	KUNIT_EXPECT_TRUE_MSG(test, end || tx.ack || !tx.int_md, "INT without an ACK");
	core_rig_sent(rig->h.qp, RXE_CC_PKT_DATA, psn, false, end);
	return tx.int_md;
}

static struct core_rig *ask_new(struct kunit *test, u16 wants)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, wants);

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, ASK_RTT_NS);
	return rig;
}

/* One out at a time, the next after its answer and a base round trip. */
static void sparse__requests(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_SPARSE);
	bool end;
	u32 psn = 0;

	KUNIT_ASSERT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ASK);
	for (end = false;; end = true) {
		KUNIT_EXPECT_TRUE(test, ask_build(test, rig, psn, end));
		KUNIT_EXPECT_FALSE(test, ask_build(test, rig, psn + 1, false));
		KUNIT_EXPECT_FALSE(test, ask_build(test, rig, psn + 2, true));
		core_rig_ack(rig, psn);
		KUNIT_EXPECT_FALSE(test, ask_build(test, rig, psn + 3, end));
		core_rig_ack(rig, psn + 3);
		core_rig_pass(ASK_RTT_US + 100);
		psn += 4;
		if (end)
			break;
	}
	/* An answer that never comes, though a round trip has passed. */
	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, psn, false));
	core_rig_pass(ASK_RTT_US + 100);
	KUNIT_EXPECT_FALSE(test, ask_build(test, rig, psn + 1, false));
	core_rig_pass(10 * ASK_RTT_US);
	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, psn + 2, false));
	/* A late ACK of the first is none of the second. */
	core_rig_ack(rig, psn);
	core_rig_pass(ASK_RTT_US + 100);
	KUNIT_EXPECT_FALSE(test, ask_build(test, rig, psn + 3, false));
}

/* The ACKs of a sparse flow are as few as without telemetry. */
static void sparse__acks(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_SPARSE);
	unsigned int i, due = 0;

	for (i = 0; i < 10; i++) {
		due += core_rig_ack_due(rig->h.qp, i);
		core_rig_send(rig, i, 1);
	}
	KUNIT_EXPECT_EQ(test, due, 1U);
}

/* A READ response is answered by a report, not by ACKs of the own requests. */
static void sparse__responses(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_SPARSE);
	struct rxe_cc_tx tx;

	KUNIT_EXPECT_TRUE(test, core_rig_int(rig->h.qp, RXE_CC_PKT_RESP));
	/* A request that is built meanwhile is another packet. */
	tx = core_rig_decide(rig->h.qp, RXE_CC_PKT_DATA, 0, false);
	KUNIT_EXPECT_FALSE(test, tx.ack);
	KUNIT_EXPECT_FALSE(test, tx.int_md);
	core_rig_resp(rig, 500, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_int(rig->h.qp, RXE_CC_PKT_RESP));
	core_rig_resp(rig, 501, 1);
	KUNIT_EXPECT_FALSE(test, ask_build(test, rig, 600, true));
	core_rig_ack(rig, 600);
	core_rig_pass(ASK_RTT_US + 100);
	KUNIT_EXPECT_FALSE(test, ask_build(test, rig, 601, false));
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 500);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 1);
	core_rig_pass(ASK_RTT_US + 100);
	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, 602, false));
	KUNIT_EXPECT_FALSE(test, core_rig_int(rig->h.qp, RXE_CC_PKT_RESP));
}

/* A receiver that keeps the hops to itself answers by an ACK, or by a report. */
static void sparse__answered_by_a_report(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_SPARSE);

	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, 0, true));
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_SWITCH, 0);
	core_rig_pass(ASK_RTT_US + 100);
	KUNIT_EXPECT_FALSE(test, ask_build(test, rig, 1, true));
	core_rig_tlv_told(rig, 1, 9999, 0);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 0);
	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, 2, true));
}

/* No packet before holds the next one back. Returns the time. */
static u64 ask_open(struct core_rig *rig)
{
	struct rxe_cc_pacer *pacer = &rig->h.qp->pacer;

	*pacer = (struct rxe_cc_pacer) {
		.rate_bps = pacer->rate_bps, .since_ns = ktime_get_ns(),
	};
	return pacer->since_ns;
}

/* The gate lets a packet pass, and it is sent. */
static void ask_pass(struct kunit *test, struct core_rig *rig,
		     enum rxe_cc_pkt kind, u32 psn)
{
	bool resp = kind == RXE_CC_PKT_RESP;

	ask_open(rig);
	KUNIT_EXPECT_FALSE(test, core_rig_wait(rig->h.qp, resp ? RXE_CC_RESPONDER :
					       RXE_CC_REQUESTER, kind));
	if (resp)
		core_rig_resp(rig, psn, 1);
	else
		core_rig_send(rig, psn, 1);
}

static void probe__before_data(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_PROBE);
	u64 before;

	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_NONE);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, (u32)RIG_PKT_BYTES);
	core_rig_read(rig, 0, 5);
	KUNIT_EXPECT_EQ(test, rig->probes, 0U);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 5);
	KUNIT_EXPECT_EQ(test, rig->probes, 1U);
	KUNIT_EXPECT_EQ(test, rig->probe_psn, 4U);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 6);
	/* Neither an ACK of the packet behind it is an answer, nor a report. */
	core_rig_ack(rig, 5);
	core_rig_tlv_hops(rig, 1, 500);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 6);
	core_rig_ack(rig, 6);
	core_rig_pass(ASK_RTT_US + 100);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 7);
	KUNIT_EXPECT_EQ(test, rig->probes, 1U);
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_PROBE, 4);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 2);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 5U);
	/* It needs a packet that it can name. */
	ask_pass(test, rig, RXE_CC_PKT_RESP, 900);
	KUNIT_EXPECT_EQ(test, rig->probes, 1U);
	ask_pass(test, rig, RXE_CC_PKT_RESP, 901);
	KUNIT_EXPECT_EQ(test, rig->probes, 2U);
	KUNIT_EXPECT_EQ(test, rig->probe_psn, 900U);
	/* That one's answer is about the sequence of responses. */
	core_rig_tlv_hops(rig, 2, 2000);
	core_rig_report(rig, RXE_CC_REPORT_PROBE, 900);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 3ULL);
	/* Nobody probed this far. */
	core_rig_tlv_hops(rig, 2, 2000);
	core_rig_report(rig, RXE_CC_REPORT_PROBE, 901);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_bad_psn"), 1ULL);

	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "probe_sent"), 2ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "probe_sent_bytes"),
			2ULL * RIG_HDR_BYTES);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_PROBES_SENT), 2ULL);
	/* One that could not be sent counts as out, and as lost later. */
	rig->probe_result = -ENOMEM;
	core_rig_pass(ASK_RTT_US + 100);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 8);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 9);
	KUNIT_EXPECT_EQ(test, rig->probes, 3U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "probe_failed"), 1ULL);
	before = core_rig_counter(rig, "probe_sent");
	KUNIT_EXPECT_EQ(test, before, 2ULL);
}

/* A probe takes its time on the wire like any packet, and waits like one. */
static void probe__paced(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_PROBE);
	struct rxe_cc_pacer *pacer = &rig->h.qp->pacer;
	u64 bytes = RIG_HDR_BYTES + rxe_cc_int_first_link(RXE_CC_INT_FULL), start_ns;

	core_rig_send(rig, 0, 1);
	pacer->debt_nbit = pacer->rate_bps * 10 * NSEC_PER_MSEC;
	KUNIT_EXPECT_TRUE(test, core_rig_wait(rig->h.qp, RXE_CC_REQUESTER,
					      RXE_CC_PKT_DATA));
	KUNIT_EXPECT_EQ(test, rig->probes, 0U);
	start_ns = ask_open(rig);
	KUNIT_EXPECT_FALSE(test, core_rig_wait(rig->h.qp, RXE_CC_REQUESTER,
					       RXE_CC_PKT_DATA));
	KUNIT_ASSERT_EQ(test, rig->probes, 1U);
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(pacer) - start_ns,
			bytes * 8 / 100 + 1);
}

/* A peer that is not known to answer gets none, nor one that is known not to. */
static void probe__to_whom(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_PROBE);

	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_TLV);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 0);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 1);
	rxe_cc_peer_forget(&rig->h);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 2);
	KUNIT_EXPECT_EQ(test, rig->probes, 0U);
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_KNOWN);
	core_rig_knob(test, rig, RXE_CC_KNOB_INT, RXE_CC_INT_OFF);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 3);
	KUNIT_EXPECT_EQ(test, rig->probes, 0U);
	core_rig_knob(test, rig, RXE_CC_KNOB_INT, RXE_CC_INT_AUTO);
	ask_pass(test, rig, RXE_CC_PKT_DATA, 4);
	KUNIT_EXPECT_EQ(test, rig->probes, 1U);
}

/* What was decided for a packet of the last connection is not for the first of
 * this one.
 */
static void sparse__another_connection(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, ASK_SPARSE);
	struct rxe_cc_tx tx;

	tx = core_rig_decide(rig->h.qp, RXE_CC_PKT_DATA, 0, false);
	KUNIT_EXPECT_TRUE(test, tx.ack);
	KUNIT_EXPECT_TRUE(test, tx.int_md);
	rxe_cc_qp_reset(&rig->h);
	KUNIT_EXPECT_TRUE(test, ask_build(test, rig, 0, true));
}

/* Of several kinds the one that carries most; what it is may change in any call. */
static void wants__int(struct kunit *test)
{
	static const struct {
		u16 wants;
		u8 int_tx;
		bool probe;
		u32 more_bytes;
		u8 profile;
	} cases[] = {
		{ 0, RXE_CC_INT_TX_NONE },
		{ RXE_CC_WANT_ACKS | RXE_CC_WANT_RX_HOPS, RXE_CC_INT_TX_NONE },
		{ RXE_CC_WANT_INT, RXE_CC_INT_TX_ALL, false, 16 + 32 },
		{ RXE_CC_WANT_INT | RXE_CC_WANT_INT_COMPACT, RXE_CC_INT_TX_ALL,
		  false, 16 + 8, RXE_CC_INT_COMPACT },
		{ RXE_CC_WANT_INT | RXE_CC_WANT_INT_FIRST, RXE_CC_INT_TX_ALL,
		  false, 16 + 8, RXE_CC_INT_FIRST },
		{ ASK_SPARSE, RXE_CC_INT_TX_ASK },
		{ ASK_SPARSE | RXE_CC_WANT_INT_COMPACT, RXE_CC_INT_TX_ASK, false, 0,
		  RXE_CC_INT_COMPACT },
		{ ASK_PROBE, RXE_CC_INT_TX_NONE, true },
		{ ASK_PROBE | ASK_SPARSE, RXE_CC_INT_TX_ASK },
		{ 0xff, RXE_CC_INT_TX_ALL, false, 16 + 8, RXE_CC_INT_COMPACT },
	};
	struct core_rig *rig = ask_new(test, 0);
	unsigned int i, j, probes;
	u32 psn = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (j = 0; j < ARRAY_SIZE(cases); j++) {
			/* By way of every other, one call each. */
			rig->wants = cases[j].wants;
			core_rig_send(rig, psn++, 1);
			rig->wants = cases[i].wants;
			core_rig_send(rig, psn++, 1);
			KUNIT_EXPECT_EQ_MSG(test, rig->h.int_tx, cases[i].int_tx,
					    "%u after %u", i, j);
			KUNIT_EXPECT_EQ_MSG(test, rig->h.int_profile,
					    cases[i].profile, "%u after %u", i, j);
			KUNIT_EXPECT_EQ_MSG(test, rig->h.qp->flow.pkt_bytes,
					    RIG_PKT_BYTES + cases[i].more_bytes,
					    "%u after %u", i, j);
			rxe_cc_qp_reset(&rig->h);
			probes = rig->probes;
			ask_pass(test, rig, RXE_CC_PKT_DATA, psn++);
			ask_pass(test, rig, RXE_CC_PKT_DATA, psn++);
			KUNIT_EXPECT_EQ_MSG(test, rig->probes - probes,
					    cases[i].probe, "%u after %u", i, j);
		}
	}
}

/* With a window, one ACK for each eighth of it, and for the last that fits. */
static void ack_due__window(struct kunit *test)
{
	static const struct {
		u32 cwnd_pkts, inflight, unasked;
		bool due;
	} cases[] = {
		{ 80, 0, 0, false }, { 80, 20, 8, false }, { 80, 20, 9, true },
		{ 80, 77, 0, false }, { 80, 78, 1, false }, { 80, 79, 1, true },
		{ 80, 79, 0, true }, { 16, 3, 0, false }, { 16, 3, 1, true },
		/* Windows of a few packets: each asks. */
		{ 15, 3, 0, true }, { 2, 0, 0, true }, { 1, 0, 0, true },
	};
	struct core_rig *rig;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		rig = core_rig_new(test, 0, 0);
		rig->cwnd_bytes = cases[i].cwnd_pkts * RIG_PKT_BYTES;
		rxe_cc_qp_reset(&rig->h);
		core_rig_send(rig, 0, cases[i].inflight);
		rig->cwnd_bytes = 0;
		KUNIT_EXPECT_EQ_MSG(test, cases[i].due,
				    core_rig_ack_due(rig->h.qp, cases[i].unasked),
				    "case %u", i);
		kunit_release_action(test, core_rig_end, rig);
	}
}

/* A packet goes when it fits, or while the window is not full; then the flow stands,
 * and its last packet has asked for an ACK. One packet may always be out.
 */
static void window__rule(struct kunit *test)
{
	static const struct {
		u32 cwnd_bytes, fits, fills;
	} cases[] = {
		{ 1, 1, 1 },
		{ RIG_PKT_BYTES - 1, 1, 1 },
		{ RIG_PKT_BYTES, 1, 1 },
		{ RIG_PKT_BYTES + 1, 1, 2 },
		{ 2 * RIG_PKT_BYTES - 1, 1, 2 },
		{ 2 * RIG_PKT_BYTES, 2, 2 },
		{ 2 * RIG_PKT_BYTES + 1, 2, 3 },
		{ 7 * RIG_PKT_BYTES + RIG_PKT_BYTES / 2, 7, 8 },
		/* Where not every packet asks for an ACK. */
		{ 40 * RIG_PKT_BYTES, 40, 40 },
		{ 40 * RIG_PKT_BYTES + 1, 40, 41 },
		{ 41 * RIG_PKT_BYTES - 1, 40, 41 },
	};
	unsigned int i, fill, unasked;
	struct core_rig *rig;
	u32 psn, want;

	for (i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		fill = i % 2;
		rig = core_rig_new(test, 0, fill ? RXE_CC_WANT_FILL_WINDOW : 0);
		rig->cwnd_bytes = cases[i / 2].cwnd_bytes;
		rxe_cc_qp_reset(&rig->h);
		unasked = 0;
		for (psn = 0; psn < 100; psn++) {
			ask_open(rig);
			if (core_rig_wait(rig->h.qp, RXE_CC_REQUESTER,
					  RXE_CC_PKT_DATA))
				break;
			unasked++;
			if (core_rig_ack_due(rig->h.qp, unasked - 1))
				unasked = 0;
			core_rig_send(rig, psn, 1);
		}
		want = cases[i / 2].fits;
		if (fill)
			want = cases[i / 2].fills;
		KUNIT_EXPECT_EQ_MSG(test, psn, want,
				    "%u bytes, rule %u",
				    cases[i / 2].cwnd_bytes, fill);
		KUNIT_EXPECT_EQ(test, unasked, 0U);
		kunit_release_action(test, core_rig_end, rig);
	}
}

/* A window below one packet is kept by pacing where a packet must fit; where it need
 * not, one goes each round trip at the algorithm's own rate.
 */
static void window__below_one_packet(struct kunit *test)
{
	struct core_rig *rig = ask_new(test, 0);
	struct rxe_cc_pacer *pacer = &rig->h.qp->pacer;

	core_rig_knob(test, rig, RXE_CC_KNOB_MIN_RATE, RXE_CC_RATE_MIN_BPS);
	rig->cwnd_bytes = RIG_PKT_BYTES / 2;
	core_rig_send(rig, 0, 1);
	KUNIT_EXPECT_EQ(test, pacer->rate_bps,
			rxe_cc_window_rate_bps(RIG_PKT_BYTES / 2, ASK_RTT_NS));
	rig->wants = RXE_CC_WANT_FILL_WINDOW;
	core_rig_send(rig, 1, 1);
	KUNIT_EXPECT_EQ(test, pacer->rate_bps, RIG_LINE_BPS);
	rig->wants = 0;
	core_rig_send(rig, 2, 1);
	KUNIT_EXPECT_LT(test, pacer->rate_bps, RIG_LINE_BPS);
}

/* A packet that asked is sent again and may not ask any more. Then no ACK is on its way, and
 * a full window must not hold the flow back: nothing but a timeout would end that.
 */
static void window__after_a_retry(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);

	rig->cwnd_bytes = 4 * RIG_PKT_BYTES;
	core_rig_send(rig, 0, 3);
	KUNIT_EXPECT_TRUE(test, core_rig_ack_due(rig->h.qp, 3));
	core_rig_send(rig, 3, 1);
	ask_open(rig);
	KUNIT_EXPECT_TRUE(test, core_rig_wait(rig->h.qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA));
	rxe_cc_retry(rig->h.qp, false);
	core_rig_send(rig, 0, 4);
	ask_open(rig);
	KUNIT_EXPECT_FALSE(test, core_rig_wait(rig->h.qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA));
}

/* When the rate falls and nothing under way has asked for an ACK, the next packet goes soon;
 * it asks, and the one after it goes when it is due.
 */
static void pace__no_ack_is_coming(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_pacer *pacer = &rig->h.qp->pacer;
	u64 full_ns = rxe_cc_ns_for(RIG_PKT_BYTES, RXE_CC_RATE_MIN_BPS);

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, ASK_RTT_NS);
	core_rig_knob(test, rig, RXE_CC_KNOB_MIN_RATE, RXE_CC_RATE_MIN_BPS);
	KUNIT_ASSERT_GT(test, full_ns, 2 * RXE_CC_ACK_QUIET_NS);
	/* A window of nearly nothing, from the first packet on. */
	rig->cwnd_bytes = 1;
	ask_build(test, rig, 0, false);
	KUNIT_EXPECT_EQ(test, pacer->rate_bps, RXE_CC_RATE_MIN_BPS);
	KUNIT_EXPECT_FALSE(test, rig->h.qp->asked);
	KUNIT_EXPECT_LE(test, rxe_cc_pacer_due_ns(pacer) - pacer->since_ns,
			RXE_CC_ACK_QUIET_NS);
	ask_build(test, rig, 1, false);
	KUNIT_EXPECT_TRUE(test, rig->h.qp->asked);
	KUNIT_EXPECT_GE(test, rxe_cc_pacer_due_ns(pacer) - pacer->since_ns, full_ns);
}

static void ack_due__wants_and_needs(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_RTT,
					    RXE_CC_WANT_ACKS);

	/* The first is measured: that is not why the second asks. */
	KUNIT_EXPECT_TRUE(test, core_rig_ack_due(rig->h.qp, 0));
	core_rig_send(rig, 0, 1);
	KUNIT_EXPECT_TRUE(test, core_rig_ack_due(rig->h.qp, 0));
	/* The algorithm takes it back. */
	rig->wants = 0;
	core_rig_send(rig, 1, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_ack_due(rig->h.qp, 0));
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_TRUE(test, core_rig_ack_due(rig->h.qp, 0));
	/* A window below one packet: each packet is the last that fits. */
	rig->cwnd_bytes = 1;
	core_rig_send(rig, 2, 1);
	KUNIT_EXPECT_TRUE(test, core_rig_ack_due(rig->h.qp, 0));
}

/* A round trip of ASK_RTT_US; returns what the core makes of it. */
static u64 ask_rtt(struct kunit *test, struct core_rig *rig, u32 psn,
		   unsigned int trips, u64 turnaround_ns)
{
	KUNIT_EXPECT_TRUE(test, core_rig_asks_time(rig->h.qp));
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, psn);
	core_rig_send(rig, psn, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_asks_time(rig->h.qp));
	core_rig_pass(trips * ASK_RTT_US);
	if (turnaround_ns)
		core_rig_tlv_time(rig, turnaround_ns);
	core_rig_ack(rig, psn);
	return rig->ack.rtt_ns;
}

/* The path takes ASK_RTT_NS, the receiver now and then four times as long. */
static void rtt__turnaround(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS);
	const struct rxe_cc_flow *f = &rig->h.qp->flow;
	u64 least_ns;

	least_ns = ask_rtt(test, rig, 0, 1, 0);
	KUNIT_EXPECT_GE(test, least_ns, ASK_RTT_NS);
	KUNIT_EXPECT_LT(test, ask_rtt(test, rig, 1, 5, 4 * ASK_RTT_NS),
			ASK_RTT_NS * 4);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, ASK_RTT_NS);
	/* Too much: no less than the path was seen to take, nor is that less. The answer with times
	 * is longer, by no more than 28 bytes on 384 links of line rate, rounded up.
	 */
	KUNIT_EXPECT_EQ(test, ask_rtt(test, rig, 2, 5, 5 * ASK_RTT_NS - 1),
			f->min_rtt_ns);
	KUNIT_EXPECT_GE(test, f->min_rtt_ns, least_ns);
	KUNIT_EXPECT_LE(test, f->min_rtt_ns,
			least_ns + div64_u64(28ULL * 384 * 8 * NSEC_PER_SEC, f->line_rate_bps) + 1);
	/* Longer than the round trip itself: not believed. */
	KUNIT_EXPECT_GE(test, ask_rtt(test, rig, 3, 1, 1000 * ASK_RTT_NS),
			ASK_RTT_NS);
	KUNIT_EXPECT_LT(test, rig->ack.rtt_ns, 100 * ASK_RTT_NS);
	KUNIT_EXPECT_GE(test, ask_rtt(test, rig, 4, 1, U64_MAX), ASK_RTT_NS);
	KUNIT_EXPECT_LT(test, rig->ack.rtt_ns, 100 * ASK_RTT_NS);
	/* That of another packet. */
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, 5);
	core_rig_send(rig, 5, 2);
	core_rig_pass(5 * ASK_RTT_US);
	core_rig_tlv_time(rig, 4 * ASK_RTT_NS);
	core_rig_ack(rig, 6);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, 5 * ASK_RTT_NS);
	KUNIT_EXPECT_GE(test, f->min_rtt_ns, ASK_RTT_NS);
	/* A peer that would not understand is not asked. */
	rxe_cc_peer_caps(rig->h.qp, 0);
	KUNIT_EXPECT_FALSE(test, core_rig_asks_time(rig->h.qp));
}

/* One packet waits a round trip's time in the own port, then takes as long on its
 * way; the port says that it left at @left_ns. Returns the RTT.
 */
static u64 ask_departed(struct core_rig *rig, u32 psn, u64 left_ns)
{
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, psn);
	core_rig_send(rig, psn, 1);
	core_rig_pass(ASK_RTT_US);
	rxe_cc_tx_left(rig->h.qp, RXE_CC_PKT_DATA, psn,
		       left_ns ? left_ns : ktime_get_ns());
	core_rig_pass(ASK_RTT_US);
	core_rig_ack(rig, psn);
	return rig->ack.rtt_ns;
}

/* Two times ASK_RTT_NS where the departure is not believed. */
static void rtt__departure(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS);
	/* Clocks of devices: since 1970, since the device came up, all ones. */
	static const u64 other_ns[] = {
		1700000000ULL * NSEC_PER_SEC, 1, U64_MAX,
	};
	unsigned int i;
	u64 rtt_ns;

	rtt_ns = ask_departed(rig, 0, 0);
	KUNIT_EXPECT_GE(test, rtt_ns, ASK_RTT_NS);
	KUNIT_EXPECT_LT(test, rtt_ns, 2 * ASK_RTT_NS);
	for (i = 0; i < ARRAY_SIZE(other_ns); i++)
		KUNIT_EXPECT_GE_MSG(test, ask_departed(rig, 1 + i, other_ns[i]),
				    2 * ASK_RTT_NS, "clock %u", i);
	/* Before it was handed down. */
	KUNIT_EXPECT_GE(test, ask_departed(rig, 10, ktime_get_ns() - ASK_RTT_NS),
			2 * ASK_RTT_NS);
}

static void rtt__of_a_response(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT);

	KUNIT_EXPECT_TRUE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 70));
	core_rig_resp(rig, 70, 3);
	/* One at a time. */
	KUNIT_EXPECT_FALSE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 74));
	core_rig_pass(ASK_RTT_US);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_tlv_time(rig, ASK_RTT_NS * 6 / 10);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 70);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, ASK_RTT_NS);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.srtt_ns, rig->ack.rtt_ns);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.min_rtt_ns, rig->ack.rtt_ns);

	/* What the requester says it took is not in it. */
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 73);
	core_rig_resp(rig, 73, 1);
	core_rig_pass(5 * ASK_RTT_US);
	core_rig_tlv_hops(rig, 1, 1500);
	core_rig_tlv_time(rig, 4 * ASK_RTT_NS);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 73);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, ASK_RTT_NS);
	KUNIT_EXPECT_LT(test, rig->ack.rtt_ns, 4 * ASK_RTT_NS);

	/* The report on a later one says nothing of this one's time. */
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 74);
	core_rig_resp(rig, 74, 2);
	core_rig_tlv_hops(rig, 1, 2000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 75);
	KUNIT_EXPECT_EQ(test, rig->ack.rtt_ns, 0ULL);

	/* Sent again: which copy would be answered is not known (Karn). */
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 76);
	core_rig_resp(rig, 76, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 76));
	core_rig_resp(rig, 76, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 76));
	core_rig_tlv_hops(rig, 1, 3000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 76);
	KUNIT_EXPECT_EQ(test, rig->ack.rtt_ns, 0ULL);

	/* A report that never comes does not end all measuring, nor asking. */
	core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, 77);
	core_rig_resp(rig, 77, 1);
	KUNIT_EXPECT_FALSE(test, core_rig_asks_time(rig->h.qp));
	core_rig_pass(10 * ASK_RTT_US);
	core_rig_wait(rig->h.qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA);
	KUNIT_EXPECT_TRUE(test, core_rig_asks_time(rig->h.qp));
	KUNIT_EXPECT_TRUE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, 0));
	core_rig_send(rig, 0, 1);
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_GT(test, rig->ack.rtt_ns, 0ULL);
}

static struct kunit_case ask_cases[] = {
	KUNIT_CASE(sparse_due__table),
	KUNIT_CASE(sparse_answered__by_what),
	KUNIT_CASE(sparse__requests),
	KUNIT_CASE(sparse__another_connection),
	KUNIT_CASE(sparse__acks),
	KUNIT_CASE(sparse__responses),
	KUNIT_CASE(sparse__answered_by_a_report),
	KUNIT_CASE(probe__before_data),
	KUNIT_CASE(probe__paced),
	KUNIT_CASE(probe__to_whom),
	KUNIT_CASE(wants__int),
	KUNIT_CASE(ack_due__window),
	KUNIT_CASE(window__rule),
	KUNIT_CASE(window__below_one_packet),
	KUNIT_CASE(window__after_a_retry),
	KUNIT_CASE(pace__no_ack_is_coming),
	KUNIT_CASE(ack_due__wants_and_needs),
	KUNIT_CASE(rtt__turnaround),
	KUNIT_CASE(rtt__departure),
	KUNIT_CASE(rtt__of_a_response),
	{}
};

static struct kunit_suite ask_suite = {
	.name = "rxe_cc_ask",
	.test_cases = ask_cases,
};

kunit_test_suite(ask_suite);
