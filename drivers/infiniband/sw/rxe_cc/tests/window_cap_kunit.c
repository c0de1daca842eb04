// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that a switch dictates: what holds a packet back, for how long, how queue
 * pairs of one peer share the window, who may send it.
 */
#include <linux/hrtimer.h>

#include "core_fixture.h"

#define CAP_EXPIRY_NS	(10 * NSEC_PER_MSEC)
#define CAP_BASE_NS	10000

static void cap_send(struct rxe_cc_qp *qp, u32 psn, u32 nr)
{
	for (; nr; nr--, psn++) {
		core_rig_ack_due(qp, 0);
		core_rig_sent(qp, RXE_CC_PKT_DATA, psn, false, false);
	}
	/* The pacer holds nothing back here. */
	core_rig_pass(100);
}

/* A port that believes switches, and a queue pair with @nr packets out. */
static struct core_rig *cap_new(struct kunit *test, u32 nr)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS);

	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 1);
	core_rig_knob(test, rig, RXE_CC_KNOB_CAP_EXPIRY, CAP_EXPIRY_NS);
	cap_send(rig->h.qp, 0, nr);
	return rig;
}

static void cap_tell_from(struct rxe_cc_qp *qp, u16 port, u32 psn, u64 window_bytes, u8 origin)
{
	const struct rxe_cc_cnp cnp = {
		.window_bytes = window_bytes, .psn = psn, .psn_valid = true,
		.forward = true, .origin = origin, .port = port,
	};

	rxe_cc_rx_cnp(qp, &cnp);
}

static void cap_tell(struct rxe_cc_qp *qp, u32 psn, u64 window_bytes, u8 origin)
{
	cap_tell_from(qp, 0, psn, window_bytes, origin);
}

static u64 cap_locked(struct rxe_cc_qp *qp, u64 (*get)(const struct rxe_cc_qp *qp))
{
	u64 bytes;

	spin_lock_bh(&qp->lock);
	bytes = get(qp);
	spin_unlock_bh(&qp->lock);
	return bytes;
}

/* The window in force now, in packets. */
static u64 cap_pkts(struct rxe_cc_qp *qp)
{
	cap_send(qp, qp->psns.nxt, 1);
	return div_u64(cap_locked(qp, rxe_cc_cap_bytes), RIG_PKT_BYTES);
}

static u64 cap_share(struct rxe_cc_qp *qp)
{
	return cap_locked(qp, rxe_cc_cap_share);
}

static void cap_tell_pkts(struct rxe_cc_qp *qp, u16 port, u32 psn, u32 pkts)
{
	cap_tell_from(qp, port, psn, pkts * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
}

static bool cap_waits(struct rxe_cc_qp *qp)
{
	return core_rig_wait(qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA);
}

static void cap__holds(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;

	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	/* Five are out; with one more there would be six. */
	cap_tell(qp, 4, 6 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_set"), 1ULL);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	cap_send(qp, 5, 1);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	/* A smaller window of the algorithm goes before it. */
	rig->cwnd_bytes = 3 * RIG_PKT_BYTES;
	core_rig_ack(rig, 1);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
}

static void cap__expires(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;

	cap_tell(qp, 3, 2 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
	/* Told again, it holds for as long again. */
	core_rig_pass(6 * USEC_PER_MSEC);
	cap_tell(qp, 4, 2 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	core_rig_pass(6 * USEC_PER_MSEC);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
	core_rig_pass(6 * USEC_PER_MSEC);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
}

static void cap__lifted(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;

	cap_tell(qp, 4, 2 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
	rig->lift_cap = true;
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_lifted"), 1ULL);
}

/* Two queue pairs with something in flight have half of it each; alone, one has all. */
static void cap__shared(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 4);
	struct rxe_cc_qp_handle other = { };
	struct rxe_cc_qp *a = rig->h.qp, *b;

	core_rig_other(test, rig, &other);
	b = other.qp;
	cap_tell(a, 3, 8 * RIG_PKT_BYTES, RXE_CC_CNP_LSCC);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
	cap_send(b, 0, 1);
	KUNIT_EXPECT_FALSE(test, cap_waits(b));
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	rxe_cc_rx_ack(b, RXE_CC_ACK, 0, ktime_get_ns(), RXE_CC_CAP_KNOWN, NULL, 0);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
	/* Who goes shares no more. */
	cap_send(b, 1, 1);
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
}

/* It counts who was busy before there was a window, and does so where packets that
 * look for one read nothing.
 */
static void cap__busy_before(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 4);
	struct rxe_cc_qp_handle other = { };
	struct rxe_cc_qp *a = rig->h.qp;
	unsigned long busy, bytes;

	core_rig_other(test, rig, &other);
	cap_send(other.qp, 0, 1);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
	cap_tell(a, 3, 8 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));

	busy = (unsigned long)&a->cap->busy;
	bytes = (unsigned long)&a->cap->bytes;
	KUNIT_EXPECT_NE(test, busy / L1_CACHE_BYTES, bytes / L1_CACHE_BYTES);
}

/* Not the receiver, and no switch where none is believed. */
static void cap__who(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;

	cap_tell(qp, 3, 2 * RIG_PKT_BYTES, RXE_CC_CNP_NP);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	cap_tell(qp, 100, 2 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	core_rig_knob(test, rig, RXE_CC_KNOB_SWITCH_FEEDBACK, 0);
	cap_tell(qp, 4, 2 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_set"), 0ULL);
}

/* What the pacer would let go now, bit/s. */
static u64 cap_pace(struct rxe_cc_qp *qp, enum rxe_cc_side side)
{
	core_rig_wait(qp, side, side == RXE_CC_RESPONDER ? RXE_CC_PKT_RESP :
		       RXE_CC_PKT_DATA);
	return qp->pacer.rate_bps;
}

/* A window below a packet is a pace, of which the packet before may owe a long time. Who
 * waits for that is woken when the window expires.
 */
static void cap__wakes(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;
	u64 until_ns;

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, CAP_BASE_NS);
	core_rig_knob(test, rig, RXE_CC_KNOB_MIN_RATE, 1000);
	cap_tell(qp, 4, 1, RXE_CC_CNP_MERCURY);
	core_rig_ack(rig, 4);
	/* A packet in the 100 us that it was out, and a byte in each of those of the idle path
	 * that follow.
	 */
	KUNIT_EXPECT_LE(test, cap_pace(qp, RXE_CC_REQUESTER),
			RIG_PKT_BYTES * 8 * NSEC_PER_SEC /
			(100 * NSEC_PER_USEC + (RIG_PKT_BYTES - 1) * CAP_BASE_NS));
	core_rig_sent(qp, RXE_CC_PKT_DATA, 5, true, true);
	core_rig_pass(100);
	core_rig_ack(rig, 5);
	KUNIT_EXPECT_TRUE(test, cap_waits(qp));
	until_ns = qp->cap->until_ns;
	KUNIT_EXPECT_GT(test, rxe_cc_pacer_due_ns(&qp->pacer), until_ns);
	KUNIT_EXPECT_EQ(test, (u64)ktime_to_ns(hrtimer_get_expires(&qp->pace_timer)), until_ns);
	core_rig_pass(CAP_EXPIRY_NS / NSEC_PER_USEC + 1);
	/* What it owes still it does at the line rate. */
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_REQUESTER), RIG_LINE_BPS);
	core_rig_pass(1);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_expired"), 1ULL);
}

/* A packet met a queue, and its window is a fifth of a packet. What follows waits for four round
 * trips of the idle path, not of the queue: that may have gone, and nobody would know.
 */
static void cap__met_a_queue(struct kunit *test)
{
	/* Told too long, or not at all, it is the packet's own. */
	static const u64 base_ns[] = { CAP_BASE_NS, 2 * CAP_BASE_NS, NSEC_PER_SEC, 0 };
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;
	unsigned int i;

	cap_tell(qp, 4, RIG_PKT_BYTES / 5, RXE_CC_CNP_MERCURY);
	core_rig_ack(rig, 4);
	KUNIT_ASSERT_GT(test, qp->rtt_ns, 5ULL * CAP_BASE_NS);
	for (i = 0; i < ARRAY_SIZE(base_ns); i++) {
		u64 idle_ns = base_ns[i] ? min(base_ns[i], qp->rtt_ns) : qp->rtt_ns;
		u64 want_bps = div64_u64(RIG_PKT_BYTES * 8 * NSEC_PER_SEC,
					 qp->rtt_ns + 4 * idle_ns);

		core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, base_ns[i]);
		/* A packet has no fifth part of whole bytes. */
		KUNIT_EXPECT_LE_MSG(test, abs_diff(cap_pace(qp, RXE_CC_REQUESTER), want_bps),
				    want_bps / 200, "%llu", base_ns[i]);
	}
}

/* Nor do others that share it wait for more when it is lifted. */
static void cap__lift_lets_go(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp_handle other = { };
	struct rxe_cc_qp *a = rig->h.qp, *b;

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, CAP_BASE_NS);
	core_rig_other(test, rig, &other);
	b = other.qp;
	cap_send(b, 0, 1);
	cap_tell(a, 4, RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	/* Half a packet a round trip each. */
	KUNIT_EXPECT_EQ(test, cap_pace(b, RXE_CC_REQUESTER),
			RIG_PKT_BYTES / 2 * 8 * (NSEC_PER_SEC / CAP_BASE_NS));
	rig->lift_cap = true;
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_EQ(test, a->pacer.rate_bps, RIG_LINE_BPS);
	flush_work(&b->peer_priv->group.work);
	KUNIT_EXPECT_EQ(test, b->pacer.rate_bps, RIG_LINE_BPS);
	rxe_cc_qp_del(&other);
}

/* READ responses have no window: they are paced, until the last of a message, which
 * is as many packets in a round trip as the cap has.
 */
static void cap__reads(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 0);
	struct rxe_cc_qp *qp = rig->h.qp;
	u64 bps = 10ULL * RIG_PKT_BYTES * 8 * (NSEC_PER_SEC / CAP_BASE_NS);

	core_rig_resp(rig, 100, 2);
	cap_tell(qp, 100, 10 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	/* Nobody knows how long a round trip is. */
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_RESPONDER), RIG_LINE_BPS);
	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, CAP_BASE_NS);
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_RESPONDER), bps);
	KUNIT_EXPECT_EQ(test, atomic_read(&qp->cap->busy), 1);
	core_rig_sent(qp, RXE_CC_PKT_RESP, 102, false, true);
	KUNIT_EXPECT_EQ(test, atomic_read(&qp->cap->busy), 0);
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_RESPONDER), RIG_LINE_BPS);
	core_rig_resp(rig, 103, 1);
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_RESPONDER), bps);
	core_rig_pass(CAP_EXPIRY_NS / NSEC_PER_USEC + 1);
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_RESPONDER), RIG_LINE_BPS);
}

/* Both sides of a queue pair are one of those that share. */
static void cap__both_sides(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 4);
	struct rxe_cc_qp *qp = rig->h.qp;

	core_rig_resp(rig, 100, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&qp->cap->busy), 1);
	core_rig_sent(qp, RXE_CC_PKT_RESP, 101, false, true);
	KUNIT_EXPECT_EQ(test, atomic_read(&qp->cap->busy), 1);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_EQ(test, atomic_read(&qp->cap->busy), 0);
}

/* A window of the algorithm's may be that of all flows to a host, too. */
static void cap__pair_window(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 4);
	struct rxe_cc_qp_handle other = { };
	struct rxe_cc_qp *a = rig->h.qp;

	rig->cwnd_bytes = 9 * RIG_PKT_BYTES;
	rig->wants |= RXE_CC_WANT_PAIR_WINDOW;
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
	core_rig_other(test, rig, &other);
	cap_send(other.qp, 0, 1);
	cap_send(a, 4, 1);
	/* Four are out, half of nine is not enough for another. */
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	core_rig_ack(rig, 1);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
	/* The cap, where that is less: three, which are out. */
	cap_tell(a, 4, 6 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_FALSE(test, cap_waits(a));
}

/* The ends of the range: the floor, and as good as none. */
static void cap__extremes(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 5);
	struct rxe_cc_qp *qp = rig->h.qp;

	core_rig_knob(test, rig, RXE_CC_KNOB_BASE_RTT, CAP_BASE_NS);
	core_rig_knob(test, rig, RXE_CC_KNOB_MIN_RATE, 5000000);
	cap_tell(qp, 3, U32_MAX, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	KUNIT_EXPECT_EQ(test, qp->pacer.rate_bps, RIG_LINE_BPS);
	cap_tell(qp, 4, 1, RXE_CC_CNP_MERCURY);
	core_rig_ack(rig, 4);
	KUNIT_EXPECT_EQ(test, cap_pace(qp, RXE_CC_REQUESTER), 5000000ULL);
	/* The same one again is a replay. */
	cap_tell(qp, 4, 1, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_set"), 2ULL);
}

/* Each port has its window, whichever names the newer packet; the smallest holds until it
 * expires, then the next. What is lifted are all.
 */
static void cap__ports(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 40);
	struct rxe_cc_qp *qp = rig->h.qp;

	cap_tell_pkts(qp, 1, 30, 60);
	/* The farther port has seen less. */
	cap_tell_pkts(qp, 2, 10, 50);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 50ULL);
	cap_tell_pkts(qp, 1, 31, 80);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 50ULL);
	core_rig_pass(6 * USEC_PER_MSEC);
	cap_tell_pkts(qp, 1, 32, 70);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 50ULL);
	core_rig_pass(6 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 70ULL);
	KUNIT_EXPECT_FALSE(test, cap_waits(qp));
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "rp_cap_expired"), 1ULL);
	KUNIT_EXPECT_EQ(test, qp->cap->bytes, 70ULL * RIG_PKT_BYTES);
	cap_tell_pkts(qp, 2, 11, 55);
	rig->lift_cap = true;
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 0ULL);
	core_rig_pass(1);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 0ULL);
}

/* Of more than four ports, as several queue pairs may meet, the smallest windows stay. */
static void cap__many_ports(struct kunit *test)
{
	static const struct rxe_cc_window windows[] = {
		{ 50, 100, 1 }, { 40, 100, 2 }, { 60, 100, 3 }, { 70, 100, 4 },
		{ 80, 100, 5 }, { 30, 60, 6 }, { 55, 100, 7 },
	};
	struct rxe_cc_windows ws = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(windows); i++)
		rxe_cc_windows_set(&ws, &windows[i], false, 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 59).bytes, 30ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 60).bytes, 40ULL);
	/* In its place, and then those of 50 and 55: 60 and more have given way. */
	rxe_cc_windows_set(&ws, &(struct rxe_cc_window) { 90, 200, 2 }, false, 61);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 61).bytes, 50ULL);
	rxe_cc_windows_set(&ws, &(struct rxe_cc_window) { 90, 200, 1 }, false, 62);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 62).bytes, 55ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 100).bytes, 90ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_windows_least(&ws, 200).bytes, 0ULL);
}

/* Line 17 to the letter: a larger window of the port leaves the smaller, and prolongs it. */
static void cap__least(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 10);
	struct rxe_cc_qp *qp = rig->h.qp;

	core_rig_knob(test, rig, RXE_CC_KNOB_CAP_LEAST, 1);
	cap_tell_pkts(qp, 1, 3, 20);
	cap_tell_pkts(qp, 1, 4, 30);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 20ULL);
	core_rig_pass(6 * USEC_PER_MSEC);
	cap_tell_pkts(qp, 1, 5, 30);
	core_rig_pass(6 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 20ULL);
	core_rig_pass(6 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 0ULL);
	cap_tell_pkts(qp, 1, 6, 30);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 30ULL);
	core_rig_knob(test, rig, RXE_CC_KNOB_CAP_LEAST, 0);
	cap_tell_pkts(qp, 1, 7, 40);
	KUNIT_EXPECT_EQ(test, cap_pkts(qp), 40ULL);
}

/* A window is that of a queue of the switch: queue pairs whose data has another DSCP may
 * be in another, so they are not held, and have no share.
 */
static void cap__of_a_priority(struct kunit *test)
{
	struct core_rig *rig = cap_new(test, 0);
	struct rxe_cc_qp_info info = rig->info;
	struct rxe_cc_qp_handle other = { };
	struct rxe_cc_qp *a = rig->h.qp, *b;

	core_rig_knob(test, rig, RXE_CC_KNOB_DATA_DSCP, RXE_CC_DSCP_KEEP);
	core_rig_other(test, rig, &other);
	b = other.qp;
	info = b->info;
	info.tos = 10 << 2;
	rxe_cc_qp_modify(&other, &info);
	KUNIT_ASSERT_PTR_EQ(test, a->peer, b->peer);
	cap_send(a, 0, 5);
	cap_send(b, 0, 5);
	cap_tell(a, 3, 5 * RIG_PKT_BYTES, RXE_CC_CNP_MERCURY);
	KUNIT_EXPECT_TRUE(test, cap_waits(a));
	KUNIT_EXPECT_EQ(test, cap_share(a), 5ULL * RIG_PKT_BYTES);
	KUNIT_EXPECT_FALSE(test, cap_waits(b));
	/* The same DSCP: both have half of it. */
	info.tos = 0;
	rxe_cc_qp_modify(&other, &info);
	KUNIT_EXPECT_EQ(test, cap_share(a), 5ULL * RIG_PKT_BYTES / 2);
	KUNIT_EXPECT_TRUE(test, cap_waits(b));
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_EQ(test, atomic_read(&a->cap->busy), 1);
}

static struct kunit_case cap_cases[] = {
	KUNIT_CASE(cap__holds),
	KUNIT_CASE(cap__expires),
	KUNIT_CASE(cap__lifted),
	KUNIT_CASE(cap__shared),
	KUNIT_CASE(cap__busy_before),
	KUNIT_CASE(cap__who),
	KUNIT_CASE(cap__wakes),
	KUNIT_CASE(cap__met_a_queue),
	KUNIT_CASE(cap__lift_lets_go),
	KUNIT_CASE(cap__reads),
	KUNIT_CASE(cap__both_sides),
	KUNIT_CASE(cap__pair_window),
	KUNIT_CASE(cap__extremes),
	KUNIT_CASE(cap__ports),
	KUNIT_CASE(cap__many_ports),
	KUNIT_CASE(cap__least),
	KUNIT_CASE(cap__of_a_priority),
	{}
};

static struct kunit_suite cap_suite = {
	.name = "rxe_cc_cap",
	.test_cases = cap_cases,
};

kunit_test_suite(cap_suite);
