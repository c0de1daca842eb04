// SPDX-License-Identifier: GPL-2.0
/*
 * Forged packets: which CNPs, capability bits, NAKs, requests and probes the core believes and
 * which it ignores.
 */
#include <linux/ktime.h>
#include <linux/module.h>

#include "core_fixture.h"

#define TR_NEEDS	(RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)

static struct core_rig *tr_new(struct kunit *test)
{
	return core_rig_new(test, TR_NEEDS, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS);
}

/* A CNP; one without a PSN when that is negative. Returns how often the algorithm
 * heard of it.
 */
static unsigned int tr_cnp(struct core_rig *rig, s32 psn, bool forward)
{
	const struct rxe_cc_cnp cnp = {
		.psn = psn & RXE_CC_PSN_MASK, .psn_valid = psn >= 0,
		.forward = forward, .origin = forward ? RXE_CC_CNP_LSCC : 0,
	};
	unsigned int before = rig->cnps_heard;

	rxe_cc_rx_cnp(rig->h.qp, &cnp);
	return rig->cnps_heard - before;
}

/* A CNP of a port of a switch; how often the algorithm heard of it. */
static unsigned int tr_port(struct core_rig *rig, u16 port, u32 psn)
{
	const struct rxe_cc_cnp cnp = {
		.psn = psn, .psn_valid = true, .forward = true,
		.origin = RXE_CC_CNP_MERCURY, .port = port,
	};
	unsigned int before = rig->cnps_heard;

	rxe_cc_rx_cnp(rig->h.qp, &cnp);
	return rig->cnps_heard - before;
}

/* The packet that it names must be under way, and later than the last one named. */
static void cnp__named(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 0, false), 0U);
	core_rig_send(rig, 0, 10);
	core_rig_ack(rig, 2);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 2, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 10, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 0x800005, false), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_forged"), 4ULL);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 3, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 9, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 9, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 8, false), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_late"), 2ULL);
	/* What is sent again may be marked again. */
	rxe_cc_retry(rig->h.qp, false);
	core_rig_send(rig, 3, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 3, false), 1U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_handled"), 3ULL);
}

/* Of a READ request only its own PSN is the sender's. */
static void cnp__not_of_others(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	core_rig_send(rig, 0, 2);
	core_rig_read(rig, 2, BIT(20));
	core_rig_send(rig, 2 + BIT(20), 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 3, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, BIT(20), false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 2, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 2 + BIT(20), false), 1U);
}

/* READ responses are not acknowledged: they count for a second, and up to a quarter more. How
 * long round trips were does not matter: a queue of half a second may have built since.
 */
static void cnp__of_responses(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, 100000);
	core_rig_resp(rig, 100, 10);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 99, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 110, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 102, false), 1U);
	core_rig_pass(500 * USEC_PER_MSEC);
	core_rig_resp(rig, 110, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 104, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 104, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 110, false), 1U);
	core_rig_pass(1500 * USEC_PER_MSEC);
	core_rig_resp(rig, 111, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 110, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 111, false), 1U);
}

/* And no more of them than may be under way where they are acknowledged, or 2048: where
 * it sends now, and what it has gone back from.
 */
static void cnp__of_many_responses(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	const u32 most = 2048;

	core_rig_resp(rig, 0, 6000);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 6000 - most - 1, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 6000 - most, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 5999, false), 1U);
	core_rig_resp(rig, 1000, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 1001, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 1000, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 6000 - most, false), 1U);
	core_rig_knob(test, rig, RXE_CC_KNOB_MAX_UNACKED, 4096);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 6000 - 4096 - 1, false), 0U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 5999, false), 1U);
}

/* A switch's needs the port's word, and a PSN whatever the peer can do. */
static void cnp__of_a_switch(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	core_rig_send(rig, 0, 10);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 5, true), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_refused"), 1ULL);
	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 5, true), 1U);
	KUNIT_EXPECT_EQ(test, rig->cnp.cnp_origin, RXE_CC_CNP_LSCC);
	/* The receiver's, which comes later, is about an older packet. */
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 4, false), 1U);
	KUNIT_EXPECT_EQ(test, rig->cnp.cnp_origin, RXE_CC_CNP_NP);
	rxe_cc_peer_caps(rig->h.qp, 0);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, -1, true), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_forged"), 1ULL);
}

/* Each port names newer packets than it has named, whatever others have: the nearest sees
 * the newest. Four at a time: who has guessed a PSN is believed so often.
 */
static void cnp__of_ports(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	unsigned int port, heard = 0;

	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	core_rig_send(rig, 0, 20);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 7, 10), 1U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 8, 5), 1U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 7, 10), 0U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 8, 5), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_late"), 2ULL);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 8, 6), 1U);
	/* No place, until what a port has named has arrived. */
	KUNIT_EXPECT_EQ(test, tr_port(rig, 9, 12), 1U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 10, 12), 1U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 11, 12), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_limited"), 1ULL);
	core_rig_ack(rig, 6);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 11, 6), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_forged"), 1ULL);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 11, 12), 1U);
	KUNIT_EXPECT_EQ(test, tr_port(rig, 8, 13), 0U);
	core_rig_ack(rig, 15);
	for (port = 100; port < 200; port++)
		heard += tr_port(rig, port, 18);
	KUNIT_EXPECT_EQ(test, heard, 4U);
	/* The peer's own are not a port's. */
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 17, false), 1U);
}

/* A NIC has nothing to show: one an interval, and none without data. A right PSN needs
 * no bound, a wrong one is forged, also before anything is known of the peer.
 */
static void cnp__of_a_nic(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	u64 began_ns, passed_ns;
	unsigned int i, heard = 0;

	core_rig_send(rig, 0, 1);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, -1, false), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_forged"), 1ULL);
	rxe_cc_peer_caps(rig->h.qp, 0);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, -1, false), 1U);
	core_rig_pass(100);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, -1, false), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_limited"), 1ULL);

	began_ns = ktime_get_ns();
	for (i = 0; i < 1000; i++) {
		core_rig_send(rig, 1 + i, 1);
		heard += tr_cnp(rig, -1, false);
	}
	passed_ns = ktime_get_ns() - began_ns;
	KUNIT_EXPECT_GE(test, heard, 1U);
	KUNIT_EXPECT_LE(test, heard, passed_ns / RXE_CC_CNP_GAP_NS + 2);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 1000, false), 1U);
	KUNIT_EXPECT_EQ(test, tr_cnp(rig, 1001, false), 0U);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cnp_forged"), 2ULL);
}

/* What an ACK says of its sender counts when it acknowledges something. */
static void caps__of_acks(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	rxe_cc_peer_caps(rig->h.qp, 0);
	core_rig_send(rig, 0, 10);
	core_rig_ack(rig, 10);
	core_rig_ack(rig, 0x900000);
	KUNIT_EXPECT_EQ(test, rig->h.peer, RXE_CC_PEER_KNOWN);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_EQ(test, rig->h.peer, RXE_CC_PEER_KNOWN | RXE_CC_CAP_KNOWN);
	rig->ack_caps = 0;
	core_rig_ack(rig, 3);
	core_rig_ack(rig, 2);
	KUNIT_EXPECT_EQ(test, rig->h.peer, RXE_CC_PEER_KNOWN | RXE_CC_CAP_KNOWN);
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, rig->h.peer, RXE_CC_PEER_KNOWN);
}

/* Who follows feedback says so, if the algorithm does; and is heard. */
static void caps__obeys(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	struct rxe_cc_flow *f = &rig->h.qp->flow;

	KUNIT_EXPECT_FALSE(test, rig->h.caps & RXE_CC_CAP_OBEYS);
	rig->ops.obeys = true;
	core_rig_knob(test, rig, RXE_CC_KNOB_BURST, 0);
	KUNIT_EXPECT_TRUE(test, rig->h.caps & RXE_CC_CAP_OBEYS);
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_TLV | RXE_CC_CAP_FB);
	KUNIT_EXPECT_FALSE(test, f->peer_obeys);
	rxe_cc_peer_caps(rig->h.qp, RXE_CC_CAP_KNOWN);
	KUNIT_EXPECT_TRUE(test, f->peer_obeys);
	rxe_cc_peer_forget(&rig->h);
	KUNIT_EXPECT_FALSE(test, f->peer_obeys);
	/* Or by its parameters, as the flow says from one call to the next. */
	rig->ops.obeys = false;
	rig->wants |= RXE_CC_WANT_FB;
	core_rig_send(rig, 0, 1);
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_TRUE(test, rig->h.caps & RXE_CC_CAP_OBEYS);
	rig->wants &= ~RXE_CC_WANT_FB;
	core_rig_send(rig, 1, 1);
	core_rig_ack(rig, 1);
	KUNIT_EXPECT_FALSE(test, rig->h.caps & RXE_CC_CAP_OBEYS);
}

/* Telemetry is kept from the peer's ACKs only when it follows windows instead:
 * that is for an algorithm that sends windows. One that has no use for an echo keeps that
 * of every peer that can be told something.
 */
static void caps__hops_kept(struct kunit *test)
{
	static const struct {
		u16 wants;
		bool obeys;
		u8 peer;
		bool kept;
	} t[] = {
		{ RXE_CC_WANT_RX_HOPS, false, RXE_CC_CAP_TLV, false },
		{ RXE_CC_WANT_RX_HOPS, false, RXE_CC_CAP_TLV | RXE_CC_CAP_FB, true },
		{ RXE_CC_WANT_RX_HOPS | RXE_CC_WANT_FB, false,
		  RXE_CC_CAP_TLV | RXE_CC_CAP_FB, false },
		{ RXE_CC_WANT_RX_HOPS | RXE_CC_WANT_FB, false, RXE_CC_CAP_KNOWN, true },
		{ RXE_CC_WANT_RX_HOPS, true, RXE_CC_CAP_TLV | RXE_CC_CAP_FB, false },
		{ RXE_CC_WANT_RX_HOPS, true, RXE_CC_CAP_KNOWN, true },
		{ RXE_CC_WANT_FB, false, RXE_CC_CAP_KNOWN, false },
	};
	struct core_rig *rig = tr_new(test);
	struct rxe_cc_flow *f = &rig->h.qp->flow;
	const u16 wants = f->wants;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		f->wants = wants | t[i].wants;
		rig->ops.obeys = t[i].obeys;
		rxe_cc_peer_caps(rig->h.qp, 0);
		KUNIT_EXPECT_FALSE_MSG(test, rig->h.qp->rx_hops, "row %u", i);
		rxe_cc_peer_caps(rig->h.qp, t[i].peer);
		KUNIT_EXPECT_EQ_MSG(test, rig->h.qp->rx_hops, t[i].kept, "row %u", i);
	}
}

/* Telemetry that nobody answers is off after a timeout, and on again later: after 10 ms,
 * then 20. An answer makes that 10 again.
 */
static void caps__taken_back(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	u32 psn = 0, off_us;

	for (off_us = 10000; off_us <= 20000; off_us *= 2) {
		KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
		core_rig_send(rig, psn, 1);
		rxe_cc_retry(rig->h.qp, true);
		KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_NONE);
		/* No need to look closer at its requests until then. */
		KUNIT_EXPECT_TRUE(test, rxe_cc_peer_shown(&rig->h, RXE_CC_CAP_KNOWN));
		KUNIT_EXPECT_FALSE(test, rxe_cc_peer_shown(&rig->h, 0));
		core_rig_send(rig, psn, 1);
		core_rig_ack(rig, psn++);
		KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_NONE);
		core_rig_pass(off_us - 1000);
		core_rig_send(rig, psn, 1);
		core_rig_ack(rig, psn++);
		KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_NONE);
		core_rig_pass(2000);
		KUNIT_EXPECT_FALSE(test, rxe_cc_peer_shown(&rig->h, RXE_CC_CAP_KNOWN));
		core_rig_send(rig, psn, 1);
		core_rig_ack(rig, psn++);
		KUNIT_EXPECT_TRUE(test, rxe_cc_peer_shown(&rig->h, RXE_CC_CAP_KNOWN));
	}
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "int_taken_back"), 2ULL);
	/* After an answer it takes a second timeout. */
	core_rig_send(rig, psn, 1);
	core_rig_tlv_hops(rig, 1, 1000);
	core_rig_ack(rig, psn++);
	core_rig_send(rig, psn, 1);
	rxe_cc_retry(rig->h.qp, true);
	rxe_cc_retry(rig->h.qp, true);
	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
	core_rig_pass(1100);
	rxe_cc_retry(rig->h.qp, true);
	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_NONE);
	core_rig_pass(11000);
	core_rig_send(rig, psn, 1);
	core_rig_ack(rig, psn++);
	KUNIT_EXPECT_EQ(test, rig->h.int_tx, RXE_CC_INT_TX_ALL);
}

/* A NAK for a packet that was never sent, as a forged request causes: no loss. */
static void nak__of_nothing(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	core_rig_send(rig, 0, 3);
	KUNIT_EXPECT_FALSE(test, rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, 3,
					       ktime_get_ns(), 0, NULL, 0));
	KUNIT_EXPECT_EQ(test, rig->losses, 0U);
	KUNIT_EXPECT_TRUE(test, rxe_cc_rx_ack(rig->h.qp, RXE_CC_NAK_SEQ, 2,
					      ktime_get_ns(), 0, NULL, 0));
	KUNIT_EXPECT_EQ(test, rig->losses, 1U);
}

/* A request that is further ahead than packets may be under way is believed once in
 * 10 ms, whatever follows it: who makes up one can make up two.
 */
static void request__too_far(struct kunit *test)
{
	struct rxe_cc_expect e = { };
	const u32 most = RXE_CC_EXPECT_MIN;
	u64 now_ns = 5;
	u32 i;

	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 10, 9, 128, now_ns));
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 9 + most, 9, 128, now_ns));
	KUNIT_EXPECT_EQ(test, e.far_ns, 0ULL);
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 10 + most, 9, 128, now_ns));
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_FALSE(test, rxe_cc_expect_request(&e, 0x300000 + i,
							       9, 128, now_ns));
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 9 + most, 9, 128, now_ns));
	/* The PSNs come round. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 3, 0xfffff0, 128, now_ns));
	KUNIT_EXPECT_FALSE(test, rxe_cc_expect_request(&e, 3 + most, 0xfffff0,
						       128, now_ns));
	/* A port that lets its own have more under way thinks the same of others. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 9 + 4096, 9, 4096, now_ns));
	KUNIT_EXPECT_FALSE(test, rxe_cc_expect_request(&e, 10 + 4096, 9, 4096, now_ns));
	now_ns += RXE_CC_EXPECT_FAR_NS - 1;
	KUNIT_EXPECT_FALSE(test, rxe_cc_expect_request(&e, 0x300003, 9, 128, now_ns));
	KUNIT_EXPECT_TRUE(test, rxe_cc_expect_request(&e, 0x300004, 9, 128, now_ns + 1));
	KUNIT_EXPECT_FALSE(test, rxe_cc_expect_request(&e, 0x300005, 9, 128, now_ns + 1));
}

/* Of a peer that READs, requests may be missing that take many PSNs. What is not
 * believed is counted, and a queue pair that begins anew knows nothing.
 */
static void request__behind_reads(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	const struct rxe_cc_rx rx = {
		.kind = RXE_CC_DATA_READ_REQ, .msg_bytes = 1000 * RIG_MTU_BYTES,
		.start = true, .end = true,
	};
	struct rxe_cc_expect *e = &rig->h.qp->expect;

	KUNIT_EXPECT_TRUE(test, rxe_cc_rx_ahead(rig->h.qp, 6000, 9));
	KUNIT_EXPECT_NE(test, e->far_ns, 0ULL);
	/* As if that were just now, however slow this machine is. */
	e->far_ns = U64_MAX / 2;
	rig->h.qp->last_ns = U64_MAX / 2;
	KUNIT_EXPECT_FALSE(test, rxe_cc_rx_ahead(rig->h.qp, 6000, 9));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "request_bad_psn"), 1ULL);
	rxe_cc_rx_data(rig->h.qp, &rx);
	KUNIT_EXPECT_TRUE(test, rxe_cc_rx_ahead(rig->h.qp, 6000, 9));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "request_bad_psn"), 1ULL);
	rxe_cc_qp_reset(&rig->h);
	KUNIT_EXPECT_EQ(test, e->read_psns, 0U);
	KUNIT_EXPECT_EQ(test, e->far_ns, 0ULL);
}

/* A probe names a packet that the peer may have sent last: a request, or a response to
 * what this side READs. Of others one a millisecond gets an answer.
 */
static void probe__of_the_peer(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);
	struct rxe_cc_qp *qp = rig->h.qp;
	const u32 window = RXE_CC_DEF_MAX_UNACKED_PSNS;
	u64 began_ns, passed_ns;
	unsigned int i, answers = 0;

	core_rig_send(rig, 0x500000, 1);
	core_rig_read(rig, 0x500001, 1000);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_TRUE(test, rxe_cc_rx_probe(qp, 999, 1000));
		KUNIT_EXPECT_TRUE(test, rxe_cc_rx_probe(qp, 1000 - window, 1000));
		KUNIT_EXPECT_TRUE(test, rxe_cc_rx_probe(qp, 1000 + window, 1000));
		KUNIT_EXPECT_TRUE(test, rxe_cc_rx_probe(qp, 0x500000 + 1000, 1000));
	}
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "probe_bad_psn"), 0ULL);
	began_ns = ktime_get_ns();
	for (i = 0; i < 1000; i++) {
		answers += rxe_cc_rx_probe(qp, 1001 + window, 1000);
		answers += rxe_cc_rx_probe(qp, 999 - window, 1000);
		answers += rxe_cc_rx_probe(qp, 0x500000 + 1001, 1000);
	}
	passed_ns = ktime_get_ns() - began_ns;
	KUNIT_EXPECT_GE(test, answers, 1U);
	KUNIT_EXPECT_LE(test, answers, passed_ns / RXE_CC_LOST_NS + 1);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "probe_bad_psn"),
			3000ULL - answers);
}

/* Values are for those who want them. */
static void told__wanted(struct kunit *test)
{
	struct core_rig *rig = tr_new(test);

	core_rig_send(rig, 0, 10);
	rig->h.qp->flow.fb_ignore = BIT(0);
	core_rig_tlv_told(rig, 2, 7, 8);
	core_rig_report(rig, RXE_CC_REPORT_DATA, 3);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[0], 0ULL);
	KUNIT_EXPECT_EQ(test, rig->ack.fb[1], 8ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "told_unused"), 1ULL);
}

static struct kunit_case trust_cases[] = {
	KUNIT_CASE(cnp__named),
	KUNIT_CASE(cnp__not_of_others),
	KUNIT_CASE(cnp__of_responses),
	KUNIT_CASE(cnp__of_many_responses),
	KUNIT_CASE(cnp__of_a_switch),
	KUNIT_CASE(cnp__of_ports),
	KUNIT_CASE(cnp__of_a_nic),
	KUNIT_CASE(caps__of_acks),
	KUNIT_CASE(caps__obeys),
	KUNIT_CASE(caps__hops_kept),
	KUNIT_CASE(caps__taken_back),
	KUNIT_CASE(nak__of_nothing),
	KUNIT_CASE(request__too_far),
	KUNIT_CASE(request__behind_reads),
	KUNIT_CASE(probe__of_the_peer),
	KUNIT_CASE(told__wanted),
	{}
};

static struct kunit_suite trust_suite = {
	.name = "rxe_cc_trust",
	.test_cases = trust_cases,
};

kunit_test_suite(trust_suite);
