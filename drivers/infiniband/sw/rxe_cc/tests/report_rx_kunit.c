// SPDX-License-Identifier: GPL-2.0
/*
 * Reports and ACKs that bring telemetry, windows and counts: what is believed, what
 * the algorithm is told, what is counted.
 */
#include <linux/ktime.h>
#include <linux/module.h>

#include "core_fixture.h"

#define RP_NEEDS	(RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)

static struct core_rig *rp_new(struct kunit *test)
{
	return core_rig_new(test, RP_NEEDS, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS);
}

/* Everything in one report; the sample is that of an ACK that covers nothing. */
static void report__told(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_tlv_hops(rig, 3, 1000);
	core_rig_tlv_told(rig, 2, 123456789012ULL, 77);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 4);
	KUNIT_ASSERT_EQ(test, rig->acks, 1U);
	KUNIT_EXPECT_EQ(test, rig->ack.bytes, 0ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.rtt_ns, 0ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 4U);
	KUNIT_EXPECT_EQ(test, rig->ack.next_seq, 10U);
	KUNIT_EXPECT_EQ(test, rig->ack.inflight_bytes,
			10ULL * (RIG_PKT_BYTES + rxe_cc_int_first_link(RXE_CC_INT_FULL)));
	KUNIT_EXPECT_EQ(test, rig->ack.nr_fb, 2);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[0], 123456789012ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[1], 77ULL);
	KUNIT_EXPECT_FALSE(test, rig->ack.partial);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, 3);
	KUNIT_EXPECT_EQ(test, rig->hop[0].node, 0U);
	KUNIT_EXPECT_EQ(test, rig->hop[2].node, 2U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 1ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_received"), 1ULL);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_REPORTS_RECEIVED), 1ULL);
	KUNIT_EXPECT_EQ(test, core_rig_qp_counter(rig, RXE_CC_QCNT_INT_ECHOES), 1ULL);
}

static void report__of_a_switch(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	/* Only where the administrator says that switches send them. */
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_SWITCH, 9);
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_refused"), 1ULL);
	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_SWITCH, 9);
	KUNIT_ASSERT_EQ(test, rig->acks, 1U);
	KUNIT_EXPECT_TRUE(test, rig->ack.partial);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 9U);
	/* Nothing the switch says makes an ACK's telemetry old. */
	core_rig_tlv_hops(rig, 3, 900);
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 3);
	KUNIT_EXPECT_FALSE(test, rig->ack.partial);
}

/* Direct INT is for algorithms that ask for it, and believed as other reports of switches. */
static void report__direct(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_DIRECT, 8);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_refused"), 1ULL);
	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_DIRECT, 8);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_unused"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	rig->h.qp->flow.wants |= RXE_CC_WANT_DIRECT;
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_DIRECT, 9);
	KUNIT_ASSERT_EQ(test, rig->acks, 1U);
	KUNIT_EXPECT_TRUE(test, rig->ack.partial && rig->ack.direct);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 9U);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 2);
	/* A packet goes by such a switch once. */
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_DIRECT, 9);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_late"), 1ULL);
	/* What met a queue on the way is another matter. */
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_report(rig, RXE_CC_REPORT_SWITCH, 9);
	KUNIT_ASSERT_EQ(test, rig->acks, 2U);
	KUNIT_EXPECT_FALSE(test, rig->ack.direct);
}

/**
 * struct rp_case - a report after PSNs up to @max were sent and those before @una
 *	acknowledged
 * @una: oldest not acknowledged
 * @max: next to be sent
 * @last: PSN of a report before, if not negative
 * @psn: PSN of the report
 * @kind: of both reports
 * @counter: where it is counted
 */
struct rp_case {
	u32 una;
	u32 max;
	s32 last;
	u32 psn;
	u8 kind;
	const char *counter;
};

#define RP_OK	"report_received"

static const struct rp_case rp_cases[] = {
	{ 5, 10, -1, 9, RXE_CC_REPORT_DATA, RP_OK },
	{ 5, 10, -1, 10, RXE_CC_REPORT_DATA, "report_bad_psn" },
	{ 5, 10, -1, 0x800000, RXE_CC_REPORT_DATA, "report_bad_psn" },
	{ 5, 10, -1, 5, RXE_CC_REPORT_DATA, RP_OK },
	{ 5, 10, -1, 4, RXE_CC_REPORT_DATA, "report_bad_psn" },
	{ 0, 1, -1, 0xffffff, RXE_CC_REPORT_DATA, "report_bad_psn" },
	{ 5, 10, 7, 8, RXE_CC_REPORT_DATA, RP_OK },
	{ 5, 10, 7, 7, RXE_CC_REPORT_DATA, "report_late" },
	{ 5, 10, 7, 7, RXE_CC_REPORT_SWITCH, RP_OK },
	{ 5, 10, 7, 6, RXE_CC_REPORT_DATA, "report_late" },
	{ 5, 10, 7, 6, RXE_CC_REPORT_SWITCH, "report_late" },
	{ 5, 10, -1, 10, RXE_CC_REPORT_DIRECT, "report_bad_psn" },
	{ 5, 10, -1, 4, RXE_CC_REPORT_DIRECT, "report_bad_psn" },
	{ 5, 10, -1, 6, 0, "report_bad_kind" },
	{ 5, 10, -1, 6, RXE_CC_NR_REPORT_KINDS, "report_bad_kind" },
	{ 5, 10, -1, 6, 255, "report_bad_kind" },
	/* No READ response and no probe was ever sent. */
	{ 5, 10, -1, 6, RXE_CC_REPORT_RESP, "report_bad_psn" },
	{ 5, 10, -1, 6, RXE_CC_REPORT_PROBE, "report_bad_psn" },
};

static void rp_report(struct core_rig *rig, u8 kind, u32 psn)
{
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, kind, psn);
}

static void report__validated(struct kunit *test)
{
	const struct rp_case *c;
	struct core_rig *rig;
	unsigned int acks;
	u64 before;

	for (c = rp_cases; c < rp_cases + ARRAY_SIZE(rp_cases); c++) {
		rig = rp_new(test);
		core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
		core_rig_send(rig, 0, c->max);
		if (c->una)
			core_rig_ack(rig, c->una - 1);
		if (c->last >= 0)
			rp_report(rig, c->kind, c->last);
		acks = rig->acks;
		before = core_rig_counter(rig, c->counter);
		rp_report(rig, c->kind, c->psn);
		KUNIT_EXPECT_EQ_MSG(test, core_rig_counter(rig, c->counter),
				    before + 1, "case %td: %s", c - rp_cases,
				    c->counter);
		KUNIT_EXPECT_EQ_MSG(test, rig->acks - acks,
				    !strcmp(c->counter, RP_OK), "case %td",
				    c - rp_cases);
		kunit_release_action(test, core_rig_end, rig);
	}
}

/* Between two READs the peer may use PSNs for anything else, half of all and more. */
static void report__responses_far_apart(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);
	u32 psn, next = 10;
	unsigned int i;

	core_rig_resp(rig, 0, 10);
	for (i = 0, psn = 0; i < 40; i++) {
		psn = (psn + 0x900000) & RXE_CC_PSN_MASK;
		core_rig_resp(rig, psn, 10);
		next += 10;
		KUNIT_ASSERT_FALSE(test, rig->sent.retransmit);
		KUNIT_ASSERT_EQ(test, rig->sent.seq, next - 1);
		KUNIT_ASSERT_TRUE(test, core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP,
							    psn + 10));
		core_rig_resp(rig, psn + 10, 1);
		next++;
		rp_report(rig, RXE_CC_REPORT_RESP, psn + 10);
		KUNIT_ASSERT_EQ(test, rig->ack.seq, next - 1);
		KUNIT_ASSERT_GT(test, rig->ack.rtt_ns, 0ULL);
	}
}

/* Responses whose reports come 15 ms later, where the path's round trip is known to be 0.1 ms:
 * all are believed.
 */
static void report__behind_a_long_queue(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);
	u32 psn;

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, 100000);
	for (psn = 0; psn < 40; psn++) {
		core_rig_resp(rig, psn, 1);
		core_rig_pass(USEC_PER_MSEC);
		if (psn >= 15)
			rp_report(rig, RXE_CC_REPORT_RESP, psn - 15);
	}
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 25ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_bad_psn"), 0ULL);
}

/* A kind's last report is forgotten when PSNs have come round since. */
static void report__psns_come_round(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);
	u32 psn;

	core_rig_send(rig, 0, 1);
	rp_report(rig, RXE_CC_REPORT_DATA, 0);
	for (psn = 1; psn <= 0x900000; psn += 0x100000) {
		core_rig_read(rig, psn, 0x100000);
		core_rig_ack(rig, psn + 0xfffff);
	}
	/* 0 is after this one, counted in 24 bits. */
	core_rig_send(rig, psn & RXE_CC_PSN_MASK, 1);
	rp_report(rig, RXE_CC_REPORT_DATA, psn);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 2ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_late"), 0ULL);
}

/* What is sent again may be reported on again. */
static void report__after_a_retry(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	rp_report(rig, RXE_CC_REPORT_DATA, 9);
	rxe_cc_retry(rig->h.qp, true);
	core_rig_send(rig, 0, 1);
	rp_report(rig, RXE_CC_REPORT_DATA, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 2ULL);
}

static void report__another_connection(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_resp(rig, 100, 10);
	rp_report(rig, RXE_CC_REPORT_DATA, 9);
	rxe_cc_qp_reset(&rig->h);
	rp_report(rig, RXE_CC_REPORT_DATA, 9);
	rp_report(rig, RXE_CC_REPORT_RESP, 105);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_bad_psn"), 2ULL);
	core_rig_send(rig, 0, 10);
	rp_report(rig, RXE_CC_REPORT_DATA, 3);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_received"), 2ULL);
}

static void report__tlvs(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	/* Malformed: nothing of it is believed, and a later one may be older. */
	core_rig_tlv_told(rig, 1, 1000, 0);
	core_rig_tlv(rig, RXE_CC_TLV_INT, 7);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 5);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_bad_tlv"), 1ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "ack_tlv_bad_length"), 1ULL);
	/* Nothing in it. */
	core_rig_report(rig, RXE_CC_REPORT_DATA, 3);
	core_rig_tlv(rig, 200, 3);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 4);
	core_rig_tlv_time(rig, 5);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 5);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_unused"), 3ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "ack_tlv_unknown"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	/* A hop that does not tell its speed; the window beside it counts. */
	core_rig_tlv_hops(rig, 2, 1000);
	memset(rig->tlv + 4 + 28, 0, 4);
	core_rig_tlv_told(rig, 1, 1000, 0);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 6);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_bad_hop"), 1ULL);
	KUNIT_ASSERT_EQ(test, rig->acks, 1U);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 0);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[0], 1000ULL);
}

static void report__no_algorithm(struct kunit *test)
{
	const struct rxe_cc_ops *none = rxe_cc_algo_get("none");
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	KUNIT_ASSERT_NOT_NULL(test, none);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_test_set(&rig->ph, none, NULL));
	module_put(none->owner);
	rp_report(rig, RXE_CC_REPORT_DATA, 3);
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_unused"), 1ULL);
	rxe_cc_rx_report_ignored(&rig->ph);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_ignored"), 1ULL);
}

/* Telemetry of an ACK is used when it is that of the newest packet acknowledged. */
static void ack__echo(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_tlv_hops(rig, 2, 1000);
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 2);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 4U);
	/* The same again covers nothing new, and is no older either. */
	core_rig_tlv_hops(rig, 3, 2000);
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, rig->acks, 2U);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 3);
	KUNIT_EXPECT_EQ(test, rig->ack.bytes, 0ULL);
	core_rig_tlv_hops(rig, 2, 3000);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_EQ(test, rig->acks, 2U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_unused"), 1ULL);
	/* Without TLVs it says nothing new. */
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, rig->acks, 2U);
}

/* Neither an ACK nor a NAK for it: rxe would take all that is out for acknowledged. */
static void ack__never_sent(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, 10));
	KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, 1 << 22));
	KUNIT_EXPECT_FALSE(test, rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, 11,
					       ktime_get_ns(), 0, NULL, 0));
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_bad_acks"), 3ULL);
	KUNIT_EXPECT_TRUE(test, core_rig_ack(rig, 9));
	KUNIT_EXPECT_EQ(test, rig->acks, 1U);
	/* Old ones are harmless. */
	KUNIT_EXPECT_TRUE(test, core_rig_ack(rig, 3));
	KUNIT_EXPECT_TRUE(test, core_rig_ack(rig, -1000));
}

/* Packets out, then another algorithm, whose first packet is one sent again: the
 * peer, which has them all, acknowledges the newest. Not to believe it would end
 * the connection. What was never sent is known by what the transport has sent.
 */
static void ack__algorithm_came_late(struct kunit *test)
{
	const struct rxe_cc_ops *none = rxe_cc_algo_get("none");
	struct core_rig *rig = rp_new(test);
	struct rxe_cc_ops other = rig->ops;
	u32 psn = 100, i;

	KUNIT_ASSERT_NOT_NULL(test, none);
	for (i = 0; i < 2; i++) {
		core_rig_send(rig, psn - 100, 100);
		KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, i ? none : &other, NULL));
		KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &rig->ops,
							 NULL));
		KUNIT_EXPECT_TRUE(test, rig->h.qp->older_out);
		core_rig_send(rig, psn - 100, 1);
		KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, psn));
		KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, psn + BIT(22)));
		KUNIT_EXPECT_FALSE(test, rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, psn,
						       ktime_get_ns(), 0, NULL, 0));
		KUNIT_EXPECT_TRUE(test, rig->h.qp->older_out);
		KUNIT_EXPECT_TRUE(test, core_rig_ack(rig, psn - 1));
		KUNIT_EXPECT_FALSE(test, rig->h.qp->older_out);
		KUNIT_EXPECT_EQ(test, rig->h.qp->psns.una, psn);
		KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(&rig->h.qp->psns), 0U);
		core_rig_read(rig, psn, BIT(22));
		psn = (psn + BIT(22)) & RXE_CC_PSN_MASK;
		KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, psn));
		KUNIT_EXPECT_TRUE(test, core_rig_ack(rig, psn - 1));
		psn += 100;
	}
	module_put(none->owner);
}

static void ack__nak(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_tlv_hops(rig, 2, 1000);
	rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, 4, ktime_get_ns(),
		      RXE_CC_CAP_KNOWN, rig->tlv, rig->tlv_bytes);
	KUNIT_ASSERT_EQ(test, rig->acks, 1U);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 3U);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 0);
	KUNIT_EXPECT_EQ(test, rig->ack.bytes,
			4ULL * (RIG_PKT_BYTES + rxe_cc_int_first_link(RXE_CC_INT_FULL)));
	KUNIT_ASSERT_EQ(test, rig->losses, 1U);
	KUNIT_EXPECT_EQ(test, rig->loss.seq, 4U);
	KUNIT_EXPECT_EQ(test, rig->loss.bytes, 0ULL);
}

/* Values come with ACKs as with reports. */
static void ack__told(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);

	core_rig_send(rig, 0, 10);
	core_rig_tlv_told(rig, 2, 4000, 3);
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_fb, 2);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[0], 4000ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[1], 3ULL);
	/* That of an older packet is older. */
	core_rig_tlv_told(rig, 1, 8000, 0);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_EQ(test, rig->acks, 1U);
	/* A stranger's packet may end in anything. */
	rxe_cc_peer_caps(rig->h.qp, 0);
	rig->ack_caps = 0;
	core_rig_tlv_told(rig, 1, 4000, 0);
	core_rig_ack(rig, 5);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_fb, 0);
	KUNIT_EXPECT_EQ(test, rig->ack.seq, 5U);
}

/* Another algorithm's feedback is counted, and not heard. */
static void ack__other_algorithm(struct kunit *test)
{
	struct core_rig *rig = rp_new(test);
	static const u64 fb[] = { 4000 };

	core_rig_send(rig, 0, 10);
	rxe_cc_tlv_fb_write(rig->tlv, rxe_cc_algo_id("another"), fb, 1);
	rig->tlv_bytes = RXE_CC_TLV_FB_BYTES(1);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 4);
	KUNIT_EXPECT_EQ(test, rig->acks, 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "ack_tlv_other_algo"), 1ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_unused"), 1ULL);
}

/* What the algorithm says of telemetry is counted once a call, by reason. */
static void telemetry__verdicts(struct kunit *test)
{
	static const char *const names[] = {
		NULL, "cc_tel_used", "cc_tel_first", "cc_tel_same", "cc_tel_path",
		"cc_tel_hops", "cc_tel_time", "cc_tel_bytes", "cc_tel_speed",
		"cc_tel_count", NULL, NULL,
	};
	struct core_rig *rig = rp_new(test);
	u64 total, before = core_rig_counter(rig, "peer_added");
	unsigned int i, j;

	BUILD_BUG_ON(ARRAY_SIZE(names) != RXE_CC_NR_TELEMETRY + 2);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		rig->telemetry = i;
		core_rig_send(rig, i, 1);
		core_rig_ack(rig, i);
		/* Nothing else is counted, whatever an algorithm says. */
		for (j = 0, total = 0; j < rxe_cc_nr_hw_counters(); j++)
			total += rxe_cc_hw_counter(&rig->ph, j);
		if (names[i])
			KUNIT_EXPECT_EQ_MSG(test,
					    core_rig_counter(rig, names[i]),
					    1ULL, "%s", names[i]);
		KUNIT_EXPECT_EQ(test, total - before,
				min(i, RXE_CC_NR_TELEMETRY - 1U));
	}
	/* It has not looked at the next one's. */
	rig->telemetry = RXE_CC_TELEMETRY_PATH;
	core_rig_send(rig, i, 2);
	core_rig_ack(rig, i);
	rig->telemetry = RIG_SILENT;
	core_rig_ack(rig, i + 1);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "cc_tel_path"), 2ULL);
}

static struct kunit_case report_cases[] = {
	KUNIT_CASE(report__told),
	KUNIT_CASE(report__of_a_switch),
	KUNIT_CASE(report__direct),
	KUNIT_CASE(report__validated),
	KUNIT_CASE(report__responses_far_apart),
	KUNIT_CASE(report__behind_a_long_queue),
	KUNIT_CASE(report__psns_come_round),
	KUNIT_CASE(report__after_a_retry),
	KUNIT_CASE(report__another_connection),
	KUNIT_CASE(report__tlvs),
	KUNIT_CASE(report__no_algorithm),
	KUNIT_CASE(ack__echo),
	KUNIT_CASE(ack__never_sent),
	KUNIT_CASE(ack__algorithm_came_late),
	KUNIT_CASE(ack__nak),
	KUNIT_CASE(ack__told),
	KUNIT_CASE(ack__other_algorithm),
	KUNIT_CASE(telemetry__verdicts),
	{}
};

static struct kunit_suite report_suite = {
	.name = "rxe_cc_report",
	.test_cases = report_cases,
};

kunit_test_suite(report_suite);
