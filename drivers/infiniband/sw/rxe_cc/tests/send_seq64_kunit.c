// SPDX-License-Identifier: GPL-2.0
/*
 * Requests and READ responses in one sequence: runs of either side, wraps, what is
 * sent again; and what an algorithm sees of it.
 */
#include "core_fixture.h"

#define VS_REQ		RXE_CC_REQUESTER
#define VS_RESP		RXE_CC_RESPONDER

static void vs_send(struct rxe_cc_vseq *v, enum rxe_cc_side who, u32 psn, u32 nr)
{
	for (; nr; nr--, psn++)
		rxe_cc_vseq_sent(v, who, psn & RXE_CC_PSN_MASK,
				 (psn + 1) & RXE_CC_PSN_MASK);
}

/* Numbers of a QP that only sends requests are its PSNs, but never come round. */
static void vseq__requests_only(struct kunit *test)
{
	struct rxe_cc_vseq v = { };
	u64 seq;

	for (seq = 0xffff00; seq < 0x1000100; seq++) {
		vs_send(&v, VS_REQ, seq, 1);
		KUNIT_ASSERT_EQ(test, rxe_cc_vseq_of(&v, VS_REQ, seq & RXE_CC_PSN_MASK),
				seq);
		KUNIT_ASSERT_EQ(test, v.next, seq + 1);
	}
	/* What is sent again has the number it had. */
	vs_send(&v, VS_REQ, 0x50, 10);
	KUNIT_EXPECT_EQ(test, rxe_cc_vseq_of(&v, VS_REQ, 0x55),
			0x1000055ULL);
	KUNIT_EXPECT_EQ(test, v.next, 0x1000100ULL);
}

static void vseq__responses_only(struct kunit *test)
{
	struct rxe_cc_vseq v = { };

	vs_send(&v, VS_RESP, 0xfffffe, 4);
	KUNIT_EXPECT_EQ(test, rxe_cc_vseq_of(&v, VS_RESP, 0xffffff),
			0xffffffULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_vseq_of(&v, VS_RESP, 1), 0x1000001ULL);
	KUNIT_EXPECT_EQ(test, v.next, 0x1000002ULL);
}

/* Runs of both sides in turn, whose PSNs are far apart and wrap: numbers without
 * gap, and the last two runs of a side keep theirs.
 */
static void vseq__alternates(struct kunit *test)
{
	struct rxe_cc_vseq v = { };
	u32 psn[2] = { 0xfffff0, 0x7ffffa };
	u64 number = 0xfffff0, before[2] = { }, first[2] = { };
	u32 run, i, nr;

	for (run = 0; run < 2000; run++) {
		enum rxe_cc_side who = run % 2 ? VS_RESP : VS_REQ;

		nr = 1 + run * 7 % 23;
		for (i = 0; i < nr; i++) {
			vs_send(&v, who, psn[who] + i, 1);
			KUNIT_ASSERT_EQ(test,
					rxe_cc_vseq_of(&v, who, psn[who] + i),
					number + i);
		}
		/* The run before this one, of the same side. */
		if (run >= 2)
			KUNIT_ASSERT_EQ(test,
					rxe_cc_vseq_of(&v, who, psn[who] - 1),
					before[who]);
		psn[who] += nr;
		number += nr;
		before[who] = number - 1;
		KUNIT_ASSERT_EQ(test, v.next, number);
		first[who] = number;
	}
	KUNIT_EXPECT_NE(test, first[0], first[1]);
}

/* A run that is longer than PSNs can be compared. */
static void vseq__long_run(struct kunit *test)
{
	struct rxe_cc_vseq v = { };
	u32 psn;

	vs_send(&v, VS_REQ, 990, 10);
	vs_send(&v, VS_RESP, 50, 7);
	for (psn = 1000; psn < BIT(25); psn += 1000) {
		vs_send(&v, VS_REQ, psn, 1000);
		KUNIT_ASSERT_EQ(test, rxe_cc_vseq_of(&v, VS_REQ, psn),
				psn + 7ULL);
	}
	/* Back to the other side and here again. */
	vs_send(&v, VS_RESP, 57, 1);
	vs_send(&v, VS_REQ, psn, 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_vseq_of(&v, VS_REQ, psn - 1),
			psn - 1 + 7ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_vseq_of(&v, VS_REQ, psn),
			psn + 8ULL);
}

/* Numbers of one side never go down as its PSNs go up, and none is beyond what was
 * sent, whatever is asked.
 */
static void vseq__ordered(struct kunit *test)
{
	struct rxe_cc_vseq v = { };
	u32 psn[2] = { 100, 500 };
	u64 n, last;
	u32 run, i;

	for (run = 0; run < 40; run++) {
		enum rxe_cc_side who = run % 2;

		vs_send(&v, who, psn[who], 1 + run % 5);
		psn[who] += 1 + run % 5;
		last = rxe_cc_vseq_of(&v, who, psn[who] - 60);
		for (i = 60; i; i--) {
			n = rxe_cc_vseq_of(&v, who, psn[who] - i);
			KUNIT_ASSERT_GE(test, n, last);
			last = n;
		}
		n = rxe_cc_vseq_of(&v, who, psn[who] + 1000);
		KUNIT_ASSERT_EQ(test, n, v.next - 1);
	}
}

/* The same by way of samples: a READ request is no data and makes no gap. */
static void vseq__samples(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT);

	core_rig_send(rig, 0xfffffe, 4);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 0x1000001ULL);
	KUNIT_EXPECT_EQ(test, rig->sent.next_seq, 0x1000002ULL);
	core_rig_resp(rig, 0x500000, 10);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 0x100000bULL);
	KUNIT_EXPECT_EQ(test, rig->sent.next_seq, 0x100000cULL);
	core_rig_read(rig, 2, 1000);
	core_rig_resp(rig, 0x50000a, 1);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 0x100000cULL);
	core_rig_send(rig, 1002, 1);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 0x100000dULL);
	KUNIT_EXPECT_EQ(test, rig->sent.next_seq, 0x100000eULL);
	/* Answers: of the first run, of the responses, of the last request. */
	core_rig_ack(rig, 0xffffff);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 0xffffffULL);
	KUNIT_EXPECT_EQ(test, rig->ack.next_seq, 0x100000eULL);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 0x500005);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 0x1000007ULL);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 0x50000a);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 0x100000cULL);
	core_rig_ack(rig, 1002);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 0x100000dULL);
	KUNIT_EXPECT_EQ(test, rig->ack.bytes, 3ULL * rig->h.qp->flow.pkt_bytes);
	/* The next connection starts anew. */
	rxe_cc_qp_reset(&rig->h);
	core_rig_send(rig, 77, 1);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 77ULL);
}

/* A response that is sent again has its old number, and is told as such. */
static void vseq__response_again(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RXE_CC_WANT_INT);

	core_rig_resp(rig, 100, 10);
	KUNIT_EXPECT_FALSE(test, rig->sent.retransmit);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 109);
	core_rig_resp(rig, 104, 1);
	KUNIT_EXPECT_TRUE(test, rig->sent.retransmit);
	KUNIT_EXPECT_EQ(test, rig->sent.seq, 104ULL);
	KUNIT_EXPECT_EQ(test, rig->sent.next_seq, 110ULL);
	/* And may be reported on, after later ones have been. */
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 104);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 2ULL);
}

static struct kunit_case vseq_cases[] = {
	KUNIT_CASE(vseq__requests_only),
	KUNIT_CASE(vseq__responses_only),
	KUNIT_CASE(vseq__alternates),
	KUNIT_CASE(vseq__long_run),
	KUNIT_CASE(vseq__ordered),
	KUNIT_CASE(vseq__samples),
	KUNIT_CASE(vseq__response_again),
	{}
};

static struct kunit_suite vseq_suite = {
	.name = "rxe_cc_vseq",
	.test_cases = vseq_cases,
};

kunit_test_suite(vseq_suite);
