// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip times of every packet that requests an ACK, for algorithms that want them all.
 */
#include <linux/ktime.h>
#include <linux/slab.h>

#include "core_fixture.h"

#define RTT_WANTS	(RXE_CC_WANT_ACKS | RXE_CC_WANT_RTTS)
#define RTT_US		200
#define RTT_NS		(RTT_US * NSEC_PER_USEC)

/* Send packets that ask for ACKs. */
static void rtt_send(struct kunit *test, struct core_rig *rig, u32 psn, u32 nr)
{
	for (; nr; nr--, psn = (psn + 1) & RXE_CC_PSN_MASK) {
		core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_DATA, psn);
		core_rig_send(rig, psn, 1);
	}
}

/* An ACK; returns the RTT that it measured. */
static u64 rtt_ack(struct core_rig *rig, u32 psn)
{
	rig->ack.rtt_ns = 0;
	core_rig_ack(rig, psn);
	return rig->ack.rtt_ns;
}

/* Packets a millisecond apart, all answered at one time: each has its own RTT. */
static void rtts__each(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);
	unsigned int i;
	u64 rtt_ns;

	for (i = 0; i < 3; i++) {
		rtt_send(test, rig, i, 1);
		KUNIT_EXPECT_TRUE(test, core_rig_asks_time(rig->h.qp));
		core_rig_pass(1000);
	}
	for (i = 0; i < 3; i++) {
		rtt_ns = rtt_ack(rig, i);
		KUNIT_EXPECT_GE(test, rtt_ns, (3 - i) * NSEC_PER_MSEC);
		KUNIT_EXPECT_LT(test, rtt_ns, (4 - i) * NSEC_PER_MSEC);
	}
	/* Each once. */
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 2), 0ULL);
}

/* An ACK measures the packet that it names, not those that it covers besides; one that
 * acknowledges nothing new none; nor does a NAK, or the ACK of one that did not ask.
 */
static void rtts__named(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);

	rtt_send(test, rig, 0, 1);
	core_rig_pass(1000);
	rtt_send(test, rig, 1, 2);
	core_rig_pass(RTT_US);
	KUNIT_EXPECT_LT(test, rtt_ack(rig, 2), NSEC_PER_MSEC);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, RTT_NS);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 1), 0ULL);

	rtt_send(test, rig, 3, 3);
	rig->ack.rtt_ns = 0;
	rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, 4, ktime_get_ns(), 0, NULL, 0);
	KUNIT_EXPECT_EQ(test, rig->ack.rtt_ns, 0ULL);
	rtt_ack(rig, 5);

	core_rig_send(rig, 6, 1);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 6), 0ULL);
	KUNIT_EXPECT_FALSE(test, core_rig_ack(rig, 7));
}

/* More packets out than there are places, where PSNs come round: the newest are measured,
 * and none has the time of another.
 */
static void rtts__wrap(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);
	const u32 first = RXE_CC_PSN_MASK - 9;
	u32 i, places;

	KUNIT_ASSERT_NOT_NULL(test, rig->h.qp->slots);
	places = rig->h.qp->slot_mask + 1;
	KUNIT_EXPECT_GT(test, places, (u32)RXE_CC_DEF_MAX_UNACKED_PSNS);
	rtt_send(test, rig, first, 20);
	core_rig_pass(1000);
	rtt_send(test, rig, first + 20, places);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ_MSG(test, rtt_ack(rig, first + i), 0ULL, "packet %u", i);
	for (; i < 20 + places; i++) {
		KUNIT_EXPECT_GT_MSG(test, rtt_ack(rig, first + i), 0ULL, "packet %u", i);
		KUNIT_EXPECT_LT_MSG(test, rig->ack.rtt_ns, NSEC_PER_MSEC, "packet %u", i);
	}
}

/* After a go-back what is sent again is not measured (Karn), whatever was known of its
 * first copy; what was not sent again yet has one copy only, and is; new packets are.
 */
static void rtts__again(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);

	rtt_send(test, rig, 0, 6);
	core_rig_pass(RTT_US);
	rxe_cc_retry(rig->h.qp, true);
	rtt_send(test, rig, 0, 3);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 2), 0ULL);
	KUNIT_EXPECT_GE(test, rtt_ack(rig, 4), RTT_NS);
	rtt_send(test, rig, 5, 2);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 5), 0ULL);
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 6), 0ULL);
}

/* Without memory it is one at a time, as for those who do not want all. */
static void rtts__no_memory(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);
	struct rxe_cc_qp *qp = rig->h.qp;

	kfree(qp->slots);
	qp->slots = NULL;
	qp->rtts = false;
	rtt_send(test, rig, 0, 3);
	KUNIT_EXPECT_FALSE(test, core_rig_asks_time(rig->h.qp));
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 1), 0ULL);
	/* The next change of what is wanted tries again. */
	rxe_cc_peer_caps(qp, RXE_CC_CAP_TLV);
	KUNIT_EXPECT_TRUE(test, qp->rtts);
	KUNIT_EXPECT_TRUE(test, core_rig_asks_time(rig->h.qp));
	rtt_send(test, rig, 3, 2);
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 3), 0ULL);
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 4), 0ULL);
}

/* What was sent while one at a time was measured has no place; a measurement that is under
 * way ends with the change. The places stay for the life of the queue pair.
 */
static void rtts__wanted_later(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);
	struct rxe_cc_slot *slots = rig->h.qp->slots;

	rtt_send(test, rig, 0, 2);
	rig->wants = RXE_CC_WANT_ACKS;
	rtt_ack(rig, 0);
	KUNIT_EXPECT_FALSE(test, rig->h.qp->rtts);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 1), 0ULL);
	rtt_send(test, rig, 2, 3);
	rig->wants = RTT_WANTS;
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 2), 0ULL);
	KUNIT_EXPECT_TRUE(test, rig->h.qp->rtts);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 3), 0ULL);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 4), 0ULL);
	rtt_send(test, rig, 5, 1);
	KUNIT_EXPECT_GT(test, rtt_ack(rig, 5), 0ULL);
	KUNIT_EXPECT_PTR_EQ(test, rig->h.qp->slots, slots);
	/* Another connection with the same numbers. */
	rtt_send(test, rig, 6, 1);
	rxe_cc_qp_reset(&rig->h);
	core_rig_send(rig, 6, 1);
	KUNIT_EXPECT_EQ(test, rtt_ack(rig, 6), 0ULL);
}

/* Departures of a request and of a READ response with the same PSN: each to its own. */
static void rtts__departure(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    RTT_WANTS | RXE_CC_WANT_INT);
	struct rxe_cc_qp *qp = rig->h.qp;

	rtt_send(test, rig, 7, 1);
	KUNIT_EXPECT_TRUE(test, core_rig_rtt_sample(qp, RXE_CC_PKT_RESP, 7));
	core_rig_resp(rig, 7, 1);
	core_rig_pass(1000);
	rxe_cc_tx_left(qp, RXE_CC_PKT_RESP, 7, ktime_get_ns());
	core_rig_pass(1000);
	rxe_cc_tx_left(qp, RXE_CC_PKT_DATA, 7, ktime_get_ns());
	KUNIT_EXPECT_LT(test, rtt_ack(rig, 7), NSEC_PER_MSEC);
	KUNIT_EXPECT_GT(test, rig->ack.rtt_ns, 0ULL);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_report(rig, RXE_CC_REPORT_RESP, 7);
	KUNIT_EXPECT_GE(test, rig->ack.rtt_ns, NSEC_PER_MSEC);
	KUNIT_EXPECT_LT(test, rig->ack.rtt_ns, 2 * NSEC_PER_MSEC);
}

/* READ responses each millisecond, on a path of 6 ms of which nothing is known, or that was
 * 0.1 ms: a measurement that is given up is followed by one that waits twice as long, so the
 * first that waits longer than the path ends it: 1, 2, 4, 8 ms, so one of the first 15
 * responses is measured, and reported on 6 ms later. From 0.2 ms on, seven: 25 ms, and the
 * time to the next response each time.
 */
static void rtts__longer_path(struct kunit *test)
{
	static const u64 base_ns[] = { 0, 100 * NSEC_PER_USEC };
	struct core_rig *rig;
	unsigned int i;
	u32 psn;

	for (i = 0; i < ARRAY_SIZE(base_ns); i++) {
		rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, RXE_CC_WANT_INT);
		core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, base_ns[i]);
		for (psn = 0; psn < 40 && !rig->ack.rtt_ns; psn++) {
			core_rig_rtt_sample(rig->h.qp, RXE_CC_PKT_RESP, psn);
			core_rig_resp(rig, psn, 1);
			core_rig_pass(USEC_PER_MSEC);
			if (psn < 5)
				continue;
			core_rig_tlv_hops(rig, 1, 1000);
			core_rig_report(rig, RXE_CC_REPORT_RESP, psn - 5);
		}
		KUNIT_EXPECT_GE_MSG(test, rig->ack.rtt_ns, 6 * NSEC_PER_MSEC, "row %u", i);
		KUNIT_EXPECT_LT_MSG(test, rig->ack.rtt_ns, 7 * NSEC_PER_MSEC, "row %u", i);
		kunit_release_action(test, core_rig_end, rig);
	}
}

/* What is taken off for the receiver, and what is left, are the time that passed. */
static void rtts__turnaround(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RTT_WANTS);
	static const u64 told_ns[] = { 0, RTT_NS, 4 * RTT_NS, U64_MAX };
	unsigned int i;

	rtt_send(test, rig, 0, 1);
	core_rig_pass(RTT_US);
	KUNIT_EXPECT_GE(test, rtt_ack(rig, 0), RTT_NS);
	for (i = 0; i < ARRAY_SIZE(told_ns); i++) {
		rtt_send(test, rig, 1 + i, 1);
		core_rig_pass(4 * RTT_US);
		core_rig_tlv_time(rig, told_ns[i]);
		KUNIT_EXPECT_GE_MSG(test, rtt_ack(rig, 1 + i),
				    rig->h.qp->flow.min_rtt_ns, "row %u", i);
		KUNIT_EXPECT_GE_MSG(test, rig->ack.rtt_ns + rig->ack.turnaround_ns,
				    4 * RTT_NS, "row %u", i);
		KUNIT_EXPECT_LT_MSG(test, rig->ack.rtt_ns + rig->ack.turnaround_ns,
				    8 * RTT_NS, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->ack.turnaround_ns,
				    i == 1 ? RTT_NS : i == 2 ?
				    rig->ack.turnaround_ns : 0ULL, "row %u", i);
	}
}

static struct kunit_case rtt_cases[] = {
	KUNIT_CASE(rtts__each),
	KUNIT_CASE(rtts__named),
	KUNIT_CASE(rtts__wrap),
	KUNIT_CASE(rtts__again),
	KUNIT_CASE(rtts__no_memory),
	KUNIT_CASE(rtts__wanted_later),
	KUNIT_CASE(rtts__departure),
	KUNIT_CASE(rtts__longer_path),
	KUNIT_CASE(rtts__turnaround),
	{}
};

static struct kunit_suite rtt_suite = {
	.name = "rxe_cc_rtt",
	.test_cases = rtt_cases,
};

kunit_test_suite(rtt_suite);
