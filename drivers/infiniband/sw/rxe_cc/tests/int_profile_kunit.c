// SPDX-License-Identifier: GPL-2.0
/*
 * Which INT profile (set of telemetry fields per hop) a queue pair uses: what its algorithm
 * wants, as far as the peer knows it and compact hops can be told apart.
 */
#include <linux/unaligned.h>

#include "core_fixture.h"

#define COMPACT		(RXE_CC_WANT_INT | RXE_CC_WANT_ACKS | RXE_CC_WANT_INT_COMPACT)
#define FIRST		(RXE_CC_WANT_INT | RXE_CC_WANT_ACKS | RXE_CC_WANT_INT_FIRST)
#define MBPS		100000
#define HOPS		2
/* Half a wrap of txBytes at that speed is 671 us, a quarter 335. */
#define FAR_US		800

/* Two ports of 100 Gbit/s tell their time now, and that they have sent @tx_bytes. */
static void profile_echo(struct core_rig *rig, u64 mbps, u64 tx_bytes, u32 psn)
{
	u64 now_ns = ktime_get_ns();
	unsigned int i;
	u8 *p;

	p = rxe_cc_tlv_int_write(rig->tlv, RXE_CC_INT_COMPACT,
				 HOPS * RXE_CC_COMPACT_BYTES, RXE_CC_INT_VERSION, 0x4711);
	for (i = 0; i < HOPS; i++)
		put_unaligned_be64(rxe_cc_compact_hop(mbps, now_ns, tx_bytes, 1280),
				   p + i * RXE_CC_COMPACT_BYTES);
	rig->tlv_bytes = rxe_cc_tlv_int_bytes(RXE_CC_INT_COMPACT,
					      HOPS * RXE_CC_COMPACT_BYTES);
	core_rig_send(rig, psn, 1);
	core_rig_ack(rig, psn);
}

static void profile_full(struct core_rig *rig, u32 psn)
{
	core_rig_tlv_hops(rig, HOPS, ktime_get_ns());
	core_rig_send(rig, psn, 1);
	core_rig_ack(rig, psn);
}

/* Never to a peer that has not said it: not before it is known either. */
static void profile__to_whom(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, COMPACT);

	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 8);
	KUNIT_EXPECT_TRUE(test, rig->h.caps & RXE_CC_CAP_INT_PROFILES);

	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_TLV | RXE_CC_CAP_INT_SINK);
	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 32);

	/* The administrator's word is that it is a sink, no more. */
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_KNOWN);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
	rxe_cc_peer_forget(&rig->h);
	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);

	core_rig_knob(test, rig, RXE_CC_KNOB_INT, RXE_CC_INT_OFF);
	KUNIT_EXPECT_FALSE(test, rig->h.caps & RXE_CC_CAP_INT_PROFILES);
}

/* Hops of an echo reach the algorithm with counters that go on. */
static void profile__compact_echo(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, COMPACT);
	struct rxe_cc_int_hop first;

	profile_echo(rig, MBPS, 0xfffff0, 0);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, HOPS);
	first = rig->hop[0];
	KUNIT_EXPECT_EQ(test, (u16)first.node, 0x4711);
	KUNIT_EXPECT_EQ(test, first.rate_bps, MBPS * 1000000ULL);
	KUNIT_EXPECT_EQ(test, first.qlen_bytes, 1280);
	/* txBytes wraps after 2^24 bytes at this speed. */
	profile_echo(rig, MBPS, 0x1001000, 1);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, HOPS);
	KUNIT_EXPECT_EQ(test, rig->hop[0].tx_bytes - first.tx_bytes, 0x1010);
	KUNIT_EXPECT_EQ(test, rig->hop[0].node, first.node);
	KUNIT_EXPECT_GE(test, rig->hop[0].ts_ns, first.ts_ns);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_received"), 2ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_compact_far"), 0ULL);
}

/* A flow whose echoes are far apart gets all in full, until they are near again. */
static void profile__far_and_near(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, COMPACT);
	u32 psn = 0;
	int i;

	profile_echo(rig, MBPS, 0, psn++);
	/* Once: it may have been idle. */
	core_rig_pass(FAR_US);
	profile_echo(rig, MBPS, 0, psn++);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
	profile_echo(rig, MBPS, 0, psn++);
	core_rig_pass(FAR_US);
	profile_echo(rig, MBPS, 0, psn++);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
	core_rig_pass(FAR_US);
	profile_echo(rig, MBPS, 0, psn++);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 32);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_compact_far"), 3ULL);
	/* 63 that are near are not enough when the next is far. */
	for (i = 0; i < 63; i++)
		profile_full(rig, psn++);
	core_rig_pass(FAR_US);
	for (i = 0; i < 64; i++) {
		KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
		profile_full(rig, psn++);
	}
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
	profile_full(rig, psn++);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 8);
}

/* A port without a class of speed: at once. */
static void profile__no_speed(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, COMPACT);
	unsigned int acks;

	profile_echo(rig, MBPS, 0, 0);
	acks = rig->acks;
	profile_echo(rig, 30000, 0, 1);
	KUNIT_EXPECT_EQ(test, rig->acks, acks + 1);
	KUNIT_EXPECT_EQ(test, rig->ack.nr_hops, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_bad_hop"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FULL);
	/* Another connection knows nothing of that. */
	rxe_cc_qp_reset(&rig->h);
	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_COMPACT);
}

/* A switch's report stands alone: queue and speed, and the sequence goes on. */
static void profile__switch_report(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, COMPACT);
	struct rxe_cc_int_hop before;
	u8 *p;

	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	profile_echo(rig, MBPS, 1600, 0);
	before = rig->hop[0];
	core_rig_send(rig, 1, 1);
	p = rxe_cc_tlv_int_write(rig->tlv, RXE_CC_INT_COMPACT, RXE_CC_COMPACT_BYTES,
				 RXE_CC_INT_VERSION, 0x1234);
	put_unaligned_be64(rxe_cc_compact_hop(MBPS, 1, 1, 128000), p);
	rig->tlv_bytes = rxe_cc_tlv_int_bytes(RXE_CC_INT_COMPACT, RXE_CC_COMPACT_BYTES);
	core_rig_report(rig, RXE_CC_REPORT_SWITCH, 1);
	KUNIT_EXPECT_TRUE(test, rig->ack.partial);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, 1);
	KUNIT_EXPECT_EQ(test, rig->hop[0].qlen_bytes, 128000);
	KUNIT_EXPECT_EQ(test, rig->hop[0].rate_bps, MBPS * 1000000ULL);
	profile_echo(rig, MBPS, 3200, 2);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, HOPS);
	KUNIT_EXPECT_EQ(test, rig->hop[0].node, before.node);
	KUNIT_EXPECT_EQ(test, rig->hop[0].tx_bytes - before.tx_bytes, 1600);
}

static void profile__first_port(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT, FIRST);
	u8 *p;

	KUNIT_EXPECT_EQ(test, rig->h.int_profile, RXE_CC_INT_FIRST);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.pkt_bytes, RIG_PKT_BYTES + 16 + 8);
	/* The next port finds that no more may push, and says so. */
	p = rxe_cc_tlv_int_write(rig->tlv, RXE_CC_INT_FIRST, 8,
				 RXE_CC_INT_VERSION | RXE_CC_INT_E, 0);
	put_unaligned_be64(1700000000000000001ULL, p);
	rig->tlv_bytes = rxe_cc_tlv_int_bytes(RXE_CC_INT_FIRST, 8);
	core_rig_send(rig, 0, 1);
	core_rig_ack(rig, 0);
	KUNIT_ASSERT_EQ(test, rig->ack.nr_hops, 1);
	KUNIT_EXPECT_EQ(test, rig->hop[0].ts_ns, 1700000000000000001ULL);
	KUNIT_EXPECT_EQ(test, rig->hop[0].rate_bps, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_echo_partial"), 0ULL);
}

/* What a receiver's algorithm hears goes by a sequence of its own. */
static void profile__receiver(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, RXE_CC_ALGO_NEED_INT,
					    COMPACT | RXE_CC_WANT_RX_HOPS);
	struct rxe_cc_rx rx = {
		.wire_bytes = RIG_PKT_BYTES, .nr_hops = 1,
		.profile = RXE_CC_INT_COMPACT, .path = 0x4711,
	};
	u8 hop[RXE_CC_COMPACT_BYTES];
	u64 tx_bytes;

	rx.hops = hop;
	put_unaligned_be64(rxe_cc_compact_hop(MBPS, ktime_get_ns(), 0xfffff0, 0), hop);
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_ASSERT_EQ(test, rig->data.nr_hops, 1);
	tx_bytes = rig->hop[0].tx_bytes;
	profile_echo(rig, MBPS, 0, 0);
	put_unaligned_be64(rxe_cc_compact_hop(MBPS, ktime_get_ns(), 0x1000010, 0), hop);
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_EQ(test, rig->hop[0].tx_bytes - tx_bytes, 0x20);
	put_unaligned_be64(0, hop);
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_rx_bad_hop"), 1ULL);
}

static struct kunit_case profile_cases[] = {
	KUNIT_CASE(profile__to_whom),
	KUNIT_CASE(profile__compact_echo),
	KUNIT_CASE(profile__far_and_near),
	KUNIT_CASE(profile__no_speed),
	KUNIT_CASE(profile__switch_report),
	KUNIT_CASE(profile__first_port),
	KUNIT_CASE(profile__receiver),
	{}
};

static struct kunit_suite profile_suite = {
	.name = "rxe_cc_profile",
	.test_cases = profile_cases,
};

kunit_test_suite(profile_suite);
