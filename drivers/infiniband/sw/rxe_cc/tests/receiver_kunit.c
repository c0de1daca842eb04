// SPDX-License-Identifier: GPL-2.0
/*
 * The receiver: which packets the algorithm hears of, when a report is to be sent,
 * what an answer tells.
 */
#include "core_fixture.h"

#define RX_WANTS	(RXE_CC_WANT_INT | RXE_CC_WANT_RX_HOPS)
#define RX_LOOKS	(RXE_CC_WANT_INT | RXE_CC_WANT_RX_LOOK)

/* A packet with two hops. */
static struct rxe_cc_rx rx_packet(struct core_rig *rig)
{
	core_rig_hops(rig->tlv, 2, 1000);
	return (struct rxe_cc_rx) {
		.psn = 7, .wire_bytes = RIG_PKT_BYTES, .hops = rig->tlv,
		.nr_hops = 2,
	};
}

/**
 * struct rx_case - a packet and what becomes of it
 * @wants: of the receiver's algorithm
 * @verdict: of on_data
 * @ce: the packet is marked
 * @bare: it has no hops
 * @ack: it asks for an ACK
 * @resp: it is a READ response
 * @all_data: the algorithm wants every packet
 * @heard: on_data is called
 * @hops: hops that it sees
 * @report: a report is to be sent
 * @cnp: a CNP was sent
 */
struct rx_case {
	u16 wants;
	u8 verdict;
	bool ce, bare, ack, resp, all_data;
	bool heard;
	u8 hops;
	bool report, cnp;
};

static const struct rx_case rx_cases[] = {
	/* The sender's algorithm works: hops are its own. */
	{ RXE_CC_WANT_INT },
	{ RXE_CC_WANT_INT, .ce = true, .heard = true },
	{ RXE_CC_WANT_INT, .all_data = true, .heard = true },
	{ RXE_CC_WANT_INT, RXE_CC_RX_CNP, .ce = true, .heard = true, .cnp = true },
	/* On READ responses they go back by a report. */
	{ RXE_CC_WANT_INT, .resp = true, .report = true },
	{ RXE_CC_WANT_INT, .resp = true, .ce = true, .heard = true, .report = true },
	{ RXE_CC_WANT_INT, .resp = true, .bare = true },
	/* The receiver's algorithm works. */
	{ RX_WANTS, .heard = true, .hops = 2 },
	{ RX_WANTS, .bare = true },
	{ RX_WANTS, .bare = true, .ce = true, .heard = true },
	{ RX_WANTS, RXE_CC_RX_REPORT, .heard = true, .hops = 2, .report = true },
	{ RX_WANTS, RXE_CC_RX_REPORT, .ack = true, .heard = true, .hops = 2 },
	{ RX_WANTS, RXE_CC_RX_REPORT | RXE_CC_RX_CNP, .ce = true, .heard = true,
	  .hops = 2, .report = true, .cnp = true },
	{ RX_WANTS, .resp = true, .heard = true, .hops = 2 },
	{ RX_WANTS, RXE_CC_RX_REPORT, .resp = true, .heard = true, .hops = 2,
	  .report = true },
	/* It looks at hops that are the sender's. */
	{ RX_LOOKS, .heard = true, .hops = 2 },
	{ RX_LOOKS, .bare = true },
	{ RX_LOOKS, RXE_CC_RX_REPORT, .heard = true, .hops = 2, .report = true },
	{ RX_LOOKS, RXE_CC_RX_REPORT, .ack = true, .heard = true, .hops = 2 },
	{ RX_LOOKS, .resp = true, .heard = true, .hops = 2, .report = true },
};

static void rx__heard(struct kunit *test)
{
	const struct rx_case *c;
	struct core_rig *rig;
	struct rxe_cc_rx rx;

	for (c = rx_cases; c < rx_cases + ARRAY_SIZE(rx_cases); c++) {
		long i = c - rx_cases;
		bool report;

		rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, c->wants);
		rig->ops.all_data = c->all_data;
		/* Read when the flow starts. */
		rxe_cc_qp_reset(&rig->h);
		rig->verdict = c->verdict;
		rx = rx_packet(rig);
		rx.ce = c->ce;
		rx.ack = c->ack;
		if (c->resp)
			rx.kind = RXE_CC_DATA_READ_RESP;
		if (c->bare)
			rx.hops = NULL;
		report = rxe_cc_rx_data(rig->h.qp, &rx);
		KUNIT_EXPECT_EQ_MSG(test, report, c->report, "case %ld", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->datas, c->heard, "case %ld", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->cnps, c->cnp, "case %ld", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->data.nr_hops, c->hops, "case %ld", i);
		/* To a peer that would not understand it, no report. */
		rxe_cc_peer_caps(rig->h.qp, 0);
		KUNIT_EXPECT_FALSE_MSG(test, rxe_cc_rx_data(rig->h.qp, &rx),
				       "case %ld", i);
		kunit_release_action(test, core_rig_end, rig);
	}
}

static void rx__sample(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);
	struct rxe_cc_rx rx = rx_packet(rig);

	rx.start = true;
	rig->telemetry = RXE_CC_TELEMETRY_PATH;
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_EQ(test, rig->data.seq, 7U);
	KUNIT_EXPECT_EQ(test, rig->data.bytes, (u64)RIG_PKT_BYTES);
	KUNIT_EXPECT_TRUE(test, rig->data.start);
	KUNIT_EXPECT_FALSE(test, rig->data.end);
	/* Nearest first. */
	KUNIT_EXPECT_EQ(test, rig->hop[0].node, 0U);
	KUNIT_EXPECT_EQ(test, rig->hop[1].node, 1U);
	KUNIT_EXPECT_EQ(test, rig->hop[1].rate_bps, RIG_LINE_BPS);
	rig->telemetry = RIG_SILENT;
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "cc_tel_path"), 1ULL);
}

/* A hop without a speed: the packet counts as one without telemetry. */
static void rx__bad_hop(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);
	struct rxe_cc_rx rx = rx_packet(rig);

	memset(rig->tlv + 28, 0, 4);
	KUNIT_EXPECT_FALSE(test, rxe_cc_rx_data(rig->h.qp, &rx));
	KUNIT_EXPECT_EQ(test, rig->datas, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_rx_bad_hop"), 1ULL);
	rx.ce = true;
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_EQ(test, rig->datas, 1U);
	KUNIT_EXPECT_EQ(test, rig->data.nr_hops, 0);
}

/* An answer carries these two values, or nothing when both are 0. */
static void rx_says(struct kunit *test, struct core_rig *rig, u64 first,
		    u64 second, bool no_echo)
{
	struct rxe_cc_tx_fb fb = { { 1, 1 }, .nr_fb = 1, .no_echo = true };

	rxe_cc_tx_feedback(rig->h.qp, &fb);
	KUNIT_EXPECT_EQ(test, fb.nr_fb, first || second ? 2 : 0);
	KUNIT_EXPECT_EQ(test, fb.fb[0], first);
	KUNIT_EXPECT_EQ(test, fb.fb[1], second);
	KUNIT_EXPECT_EQ(test, fb.no_echo, no_echo);
	if (fb.nr_fb)
		KUNIT_EXPECT_EQ(test, fb.algo_id, rxe_cc_algo_id(rig->ops.name));
}

/* Feedback that was asked for is sent once, by whatever answer comes first. */
static void say__once(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);
	struct rxe_cc_rx rx = rx_packet(rig);

	rx.ack = true;
	rx_says(test, rig, 0, 0, true);
	rig->report = (struct rxe_cc_report) { { 5000, 3 }, 2 };
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 0, true);
	rig->verdict = RXE_CC_RX_REPORT;
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 5000, 3, true);
	rx_says(test, rig, 0, 0, true);
	/* Another flow has nothing to say. */
	rxe_cc_rx_data(rig->h.qp, &rx);
	rxe_cc_qp_reset(&rig->h);
	rx_says(test, rig, 0, 0, true);
	rx_says(test, rig, 0, 0, true);
	rxe_cc_rx_data(rig->h.qp, &rx);
	rxe_cc_qp_reset(&rig->h);
	rig->verdict = 0;
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 0, true);
}

static void say__always(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);
	struct rxe_cc_rx rx = rx_packet(rig);

	rig->report = (struct rxe_cc_report) { { 0, 9 }, 2, .always = true };
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 9, true);
	rx_says(test, rig, 0, 9, true);
}

/* A call brings the feedback up to date, for each answer. */
static void say__fill(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);

	rig->ops.fill_ack = core_rig_fill;
	rxe_cc_qp_reset(&rig->h);
	rx_says(test, rig, 1, 100, true);
	rx_says(test, rig, 2, 100, true);
	/* To a peer that cannot hear it, nothing; then telemetry is echoed. */
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_TLV | RXE_CC_CAP_INT_SINK);
	rx_says(test, rig, 0, 0, false);
	KUNIT_EXPECT_EQ(test, rig->fills, 2U);
}

/* Whose hops they are may change in any call. */
static void say__wants_change(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT);
	struct rxe_cc_rx rx = rx_packet(rig);

	rx_says(test, rig, 0, 0, false);
	rig->wants = RX_WANTS;
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 0, false);
	rx.ce = true;
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 0, true);
	rx.ce = false;
	rig->wants = 0;
	rxe_cc_rx_data(rig->h.qp, &rx);
	rx_says(test, rig, 0, 0, false);
}

static void report__sent(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RX_WANTS);

	rxe_cc_tx_report(rig->h.qp, 126);
	rxe_cc_tx_report(rig->h.qp, 94);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_sent"), 2ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_sent_bytes"), 220ULL);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_REPORTS_SENT), 2ULL);
	/* A packet with INT is counted when it has been sent. */
	rig->wants = RX_WANTS | RXE_CC_WANT_INT;
	core_rig_send(rig, 0, 1);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_INT_PACKETS), 0ULL);
	KUNIT_EXPECT_TRUE(test, core_rig_int(rig->h.qp, RXE_CC_PKT_DATA));
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_INT_PACKETS), 0ULL);
	core_rig_send(rig, 1, 2);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_INT_PACKETS), 1ULL);
}

static struct kunit_case rx_cases_list[] = {
	KUNIT_CASE(rx__heard),
	KUNIT_CASE(rx__sample),
	KUNIT_CASE(rx__bad_hop),
	KUNIT_CASE(say__once),
	KUNIT_CASE(say__always),
	KUNIT_CASE(say__fill),
	KUNIT_CASE(say__wants_change),
	KUNIT_CASE(report__sent),
	{}
};

static struct kunit_suite rx_suite = {
	.name = "rxe_cc_rx",
	.test_cases = rx_cases_list,
};

kunit_test_suite(rx_suite);
