// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip times, as a NIC that stamps packets measures them: from the first
 * bit of a packet on the wire of the own port to the arrival of its answer there,
 * less the time that the receiver says it took. Of a port that does not report when
 * a packet left, its queue is in as well: from when it was handed down.
 *
 * A packet that is measured asks for an answer of its own and was never sent before
 * (Karn: else the answer would not show which one it is for). A request is answered
 * by an ACK, a READ response with INT by a report. The transport says when it hands
 * the packet down, when the port has let go of it, and when the answer came.
 *
 * That is one packet at a time; with RXE_CC_WANT_RTTS each request that asks for an
 * ACK, which are kept in an array by the low bits of their PSNs. Every request that is
 * sent then takes its place in it, or clears that, so what is found there was sent as
 * the last of all with those bits. Where more packets are out than there are places
 * the older ones are not measured.
 */
#include <kunit/visibility.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rxe_cc/cc_math.h>

#include "cc_core.h"

/* slot->left: a PSN above the low bits of a time. */
#define RXE_CC_LEFT_BITS	40
#define RXE_CC_LEFT_MASK	(BIT_ULL(RXE_CC_LEFT_BITS) - 1)

/* From 1 us to a second. */
#define RXE_CC_RTT_SAMPLE_MISSES	20

static struct rxe_cc_slot *rxe_cc_slot_of(const struct rxe_cc_qp *qp, u32 psn)
{
	return &qp->slots[psn & qp->slot_mask];
}

/* What is under way counts no longer. Under qp->lock. */
void rxe_cc_rtts_forget(struct rxe_cc_qp *qp)
{
	unsigned int i;

	for (i = 0; qp->slots && i <= qp->slot_mask; i++)
		qp->slots[i].sent_ns = 0;
}

static void rxe_cc_slots_new(struct rxe_cc_qp *qp)
{
	/* rxe goes one beyond the limit. */
	u32 nr = roundup_pow_of_two(min(READ_ONCE(qp->port->unacked_psns) + 1,
					RXE_CC_MAX_SLOTS));
	struct rxe_cc_slot *slots = kcalloc(nr, sizeof(*slots),
					    GFP_ATOMIC | __GFP_NOWARN);

	if (!slots)
		return;
	qp->slot_mask = nr - 1;
	/* Pairs with rxe_cc_tx_left(). */
	smp_store_release(&qp->slots, slots);
}

/* The flow wants another kind of measurement, perhaps. Without memory it is one at a
 * time. Under qp->lock.
 */
void rxe_cc_rtts_wanted(struct rxe_cc_qp *qp)
{
	bool wanted = qp->wants & RXE_CC_WANT_RTTS && !qp->info.uc;

	if (wanted && !qp->slots)
		rxe_cc_slots_new(qp);
	wanted = wanted && qp->slots;
	if (wanted == qp->rtts)
		return;
	qp->rtts = wanted;
	/* What was sent in the meantime is not there. */
	rxe_cc_rtts_forget(qp);
	if (!qp->rtt_sample_resp)
		qp->rtt_sampling = false;
}

/* A request that asks for an ACK while nothing is measured is measured, and its
 * ACK is to report how long the receiver took. Under qp->lock.
 */
bool rxe_cc_asks_time(const struct rxe_cc_qp *qp)
{
	return qp->handle->caps & qp->handle->peer & RXE_CC_CAP_TLV &&
	       (qp->rtts || !qp->rtt_sampling);
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_asks_time);

/* From here on a departure of this packet is noted. Under qp->lock. */
static void rxe_cc_slot_prime(struct rxe_cc_slot *slot, u32 psn)
{
	atomic64_set(&slot->left, (u64)psn << RXE_CC_LEFT_BITS);
}

/* It was handed to the port. Under qp->lock. */
static void rxe_cc_slot_fill(struct rxe_cc_slot *slot, const struct rxe_cc_sent *p,
			     u64 now_ns)
{
	slot->psn = p->psn;
	slot->sent_ns = p->handed_ns ? p->handed_ns : max(now_ns, 1ULL);
	slot->wire_bytes = p->wire_bytes;
	slot->reported = !!p->handed_ns;
}

/* Measure the RTT of a packet that was sent. Under qp->lock. */
static void rxe_cc_rtt_sample_start(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p,
				    u64 now_ns)
{
	rxe_cc_slot_fill(&qp->slot, p, now_ns);
	qp->rtt_sample_resp = p->kind == RXE_CC_PKT_RESP;
	qp->rtt_sampling = true;
}

/* No measurement is under way any more. Under qp->lock. */
void rxe_cc_rtt_sample_end(struct rxe_cc_qp *qp)
{
	qp->rtt_sampling = false;
}

/* How long to wait for the report on a READ response. Where the path has become longer than
 * twice what is known the report comes later than that: so each that does not come in time
 * doubles it, or no round trip would be measured again.
 */
static u64 rxe_cc_rtt_sample_wait_ns(const struct rxe_cc_qp *qp)
{
	u64 lost_ns = rxe_cc_lost_ns(qp->flow.srtt_ns, qp->flow.base_rtt_ns);
	u64 most_ns = max_t(u64, lost_ns, RXE_CC_LIFE_NS);

	return min(min_t(u64, lost_ns, RXE_CC_LIFE_NS) << qp->rtt_sample_misses, most_ns);
}

/* Is a measurement under way? A lost report is not sent again, so one that waits
 * for it is given up. Under qp->lock.
 */
bool rxe_cc_rtt_sampling(const struct rxe_cc_qp *qp, u64 now_ns)
{
	if (!qp->rtt_sampling || !qp->rtt_sample_resp)
		return qp->rtt_sampling;
	return now_ns - qp->slot.sent_ns < rxe_cc_rtt_sample_wait_ns(qp);
}

/* Give it up, if it is time. Under qp->lock. */
void rxe_cc_rtt_sample_expire(struct rxe_cc_qp *qp, u64 now_ns)
{
	if (!qp->rtt_sampling || rxe_cc_rtt_sampling(qp, now_ns))
		return;
	rxe_cc_rtt_sample_end(qp);
	if (qp->rtt_sample_misses < RXE_CC_RTT_SAMPLE_MISSES)
		qp->rtt_sample_misses++;
}

/* Does an algorithm that needs RTTs have one to come? Where all are measured, one does
 * while an ACK is on its way. Under qp->lock.
 */
bool rxe_cc_measuring(const struct rxe_cc_qp *qp, u64 now_ns)
{
	if (!qp->rtts)
		return rxe_cc_rtt_sampling(qp, now_ns);
	return qp->asked && rxe_cc_psn_diff(qp->asked_psn, qp->psns.una) >= 0;
}

/* Is this packet sent for the first time? */
static bool rxe_cc_first_copy(const struct rxe_cc_qp *qp, bool resp, u32 psn)
{
	if (resp)
		return !rxe_cc_resp_again(qp, psn);
	return !qp->psns.valid || rxe_cc_psn_diff(psn, qp->psns.max) >= 0;
}

/**
 * rxe_cc_rtt_sample_next() - is a packet that will be answered measured?
 * @qp: queue pair
 * @resp: it is a READ response with INT; else a request that asks for an ACK
 * @psn: its PSN
 * @now_ns: time
 *
 * It may leave before rxe_cc_tx_sent() is called for it, so its departure finds its place from
 * here on. The measurement itself begins when it has been handed to the port: it may wait,
 * or be asked about again, before that.
 *
 * Context: qp->lock held.
 *
 * Return: true when rxe_cc_tx_left() is wanted once it has left.
 */
bool rxe_cc_rtt_sample_next(struct rxe_cc_qp *qp, bool resp, u32 psn, u64 now_ns)
{
	struct rxe_cc_slot *slot;

	if (qp->info.uc || !rxe_cc_first_copy(qp, resp, psn))
		return false;
	if (!resp && qp->rtts) {
		slot = rxe_cc_slot_of(qp, psn);
		/* An older packet that had the place is measured no longer. */
		slot->sent_ns = 0;
	} else {
		if (rxe_cc_rtt_sampling(qp, now_ns))
			return false;
		slot = &qp->slot;
	}
	rxe_cc_slot_prime(slot, psn);
	return true;
}

/**
 * rxe_cc_rtt_sample_resp() - a READ response was handed to the port
 * @qp: queue pair
 * @p: the response
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_rtt_sample_resp(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, u64 now_ns)
{
	rxe_cc_rtt_sample_expire(qp, now_ns);
	if (p->handed_ns && p->int_md && !qp->rtt_sampling)
		rxe_cc_rtt_sample_start(qp, p, now_ns);
}

/**
 * rxe_cc_rtt_sample_req() - a request was handed to the port
 * @qp: queue pair
 * @p: the request
 * @asks: it asks for an ACK, and is not a READ request
 * @again: it was sent before
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_rtt_sample_req(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, bool asks,
			   bool again, u64 now_ns)
{
	struct rxe_cc_slot *slot;

	if (!qp->rtts) {
		if (again && !qp->rtt_sample_resp)
			rxe_cc_rtt_sample_end(qp);
		else if (asks && !again && !rxe_cc_rtt_sampling(qp, now_ns))
			rxe_cc_rtt_sample_start(qp, p, now_ns);
		return;
	}
	slot = rxe_cc_slot_of(qp, p->psn);
	if (!asks || again)
		slot->sent_ns = 0;
	else
		rxe_cc_slot_fill(slot, p, now_ns);
}

/* Write down when a packet left, if that is what the slot waits for. */
static bool rxe_cc_slot_left(struct rxe_cc_slot *slot, u32 psn, u64 left_ns)
{
	s64 waiting = (u64)psn << RXE_CC_LEFT_BITS;

	return atomic64_cmpxchg(&slot->left, waiting, waiting | left_ns) ==
	       waiting;
}

/**
 * rxe_cc_tx_left() - the last bit of a packet has left the port
 * @qp: queue pair
 * @kind: %RXE_CC_PKT_DATA or %RXE_CC_PKT_RESP
 * @psn: its PSN
 * @left_ns: when, by the port's word; ignored when that cannot be a time of
 *	CLOCK_MONOTONIC
 *
 * Takes no lock: PSN and time, of which the low 40 bits are enough, fit into one
 * word, and it is written only while it has the same PSN and no time.
 *
 * Context: any, within the port's transmission too.
 */
void rxe_cc_tx_left(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn,
		    u64 left_ns)
{
	struct rxe_cc_slot *slots = NULL;

	/* A clock of a device, from the future or from long ago. */
	if (ktime_get_ns() - left_ns > RXE_CC_LEFT_MASK / 2)
		return;
	left_ns = max(left_ns & RXE_CC_LEFT_MASK, 1ULL);
	if (kind == RXE_CC_PKT_DATA) {
		/* Pairs with rxe_cc_slots_new(). */
		slots = smp_load_acquire(&qp->slots);
	}
	if (!slots || !rxe_cc_slot_left(&slots[psn & qp->slot_mask], psn, left_ns))
		rxe_cc_slot_left(&qp->slot, psn, left_ns);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_left);

/* When the first bit was on the wire. When the packet was handed down, if the port
 * reported no departure, or one from before that.
 */
static u64 rxe_cc_first_bit_ns(const struct rxe_cc_qp *qp,
			       const struct rxe_cc_slot *slot, u64 now_ns)
{
	u64 noted = atomic64_read(&slot->left), left = noted & RXE_CC_LEFT_MASK;
	u64 left_ago_ns = (now_ns - left) & RXE_CC_LEFT_MASK;
	u64 ago_ns = now_ns - slot->sent_ns;

	if (!left || noted >> RXE_CC_LEFT_BITS != slot->psn || !slot->reported ||
	    left_ago_ns > ago_ns)
		return slot->sent_ns;
	left_ago_ns += rxe_cc_ns_for(slot->wire_bytes, qp->flow.line_rate_bps);
	/* A line rate that is not the port's must not make it older than it is. */
	return now_ns - min(left_ago_ns, ago_ns);
}

/* CLOCK_TAI at a time of CLOCK_MONOTONIC: the clock of ports and receivers. */
static u64 rxe_cc_tai_ns(u64 mono_ns)
{
	return ktime_to_ns(ktime_mono_to_any(ns_to_ktime(mono_ns), TK_OFFS_TAI));
}

/* A packet's times at both ends, into the sample. Under qp->lock. */
static void rxe_cc_way_ends(struct rxe_cc_qp *qp, struct rxe_cc_owd *o,
			    struct rxe_cc_way *w, struct rxe_cc_sample *s)
{
	u64 lift_ns;

	w->window_ns = rxe_cc_knob(qp->port, RXE_CC_KNOB_RTT_WINDOW);
	w->common = qp->flow.clock_common;
	w->line_bps = qp->flow.line_rate_bps;
	s->has_owd = rxe_cc_owd_sample(o, w, &s->owd_over_ns, &lift_ns);
	if (!s->has_owd)
		rxe_cc_count(qp->port, RXE_CC_CNT_OWD_REFUSED);
	else if (w->common)
		s->owd_ns = max(w->diff_ns + lift_ns, 1ULL);
}

/**
 * rxe_cc_rx_owd() - one-way delay of a packet received
 * @qp: queue pair
 * @s: its sample, with hops, and @arrived_ns
 * @rx: the packet
 *
 * Compact hops have their times in part, which the own clock completes: good for one-way
 * delays only where the clocks are one.
 *
 * Context: qp->lock held.
 */
void rxe_cc_rx_owd(struct rxe_cc_qp *qp, struct rxe_cc_sample *s, const struct rxe_cc_rx *rx)
{
	bool compact = rx->profile == RXE_CC_INT_COMPACT;
	/* On its way it had half of its hops in the mean. */
	u32 int_bytes = RXE_CC_INT_HDR_BYTES +
			(rx->nr_hops + 1) * rxe_cc_int_hop_bytes(rx->profile) / 2;
	struct rxe_cc_way w = {
		.now_ns = rxe_cc_now(qp),
		.diff_ns = rxe_cc_tai_ns(s->arrived_ns) - s->hops[0].ts_ns,
		.took_ns = RXE_CC_MAX_OWD_NS,
		.at_ns = s->arrived_ns, .bytes = rx->wire_bytes + int_bytes, .psn = rx->psn,
		.ttl = rx->ttl,
	};

	/* The worst hop has no time. */
	if (rx->profile != RXE_CC_INT_WORST && (!compact || qp->flow.clock_common))
		rxe_cc_way_ends(qp, &qp->owd_rx, &w, s);
}

/* What the idle path takes, the longest packet so far and its answer: @trip becomes theirs.
 * Both ways may have the same links, so the lengths of packet and answer add up. Returns
 * what was added.
 */
static u64 rxe_cc_trip_idle(struct rxe_cc_qp *qp, const struct rxe_cc_slot *slot,
			    u64 arrived_ns, const struct rxe_cc_feedback *fb,
			    struct rxe_cc_trip *trip)
{
	const struct rxe_cc_idle_pkt p = {
		.now_ns = trip->now_ns, .at_ns = arrived_ns,
		.ns = min_t(u64, trip->took_ns, RXE_CC_IDLE_MAX_NS),
		.window_ns = rxe_cc_knob(qp->port, RXE_CC_KNOB_RTT_WINDOW),
		.line_bps = qp->flow.line_rate_bps,
		.bytes = clamp_t(u32, slot->wire_bytes + fb->tlv_bytes, 1, U16_MAX),
		.psn = slot->psn, .ttl = fb->ttl,
	};
	s64 longest_ns, idle_ns = rxe_cc_idle_sample(&qp->idle_rtt, &p, &longest_ns);

	trip->least_ns = max(longest_ns, 1LL);
	trip->took_ns += longest_ns - idle_ns;
	return longest_ns - idle_ns;
}

/* A packet was answered. @fb: its feedback. If that is not its @own, it still
 * bounds the time that the packet took. Under qp->lock.
 */
static void rxe_cc_trip_ends(struct rxe_cc_qp *qp, const struct rxe_cc_slot *slot,
			     u64 arrived_ns, struct rxe_cc_sample *s,
			     const struct rxe_cc_feedback *fb, bool own)
{
	const u64 *knob = qp->port->knob;
	struct rxe_cc_trip trip = {
		.now_ns = s->now_ns,
		.given_ns = READ_ONCE(knob[RXE_CC_KNOB_BASE_RTT]),
	};
	u64 sent_ns = rxe_cc_first_bit_ns(qp, slot, s->now_ns), lift_ns;

	trip.took_ns = max(clamp(arrived_ns, sent_ns, s->now_ns) - sent_ns, 1ULL);
	lift_ns = rxe_cc_trip_idle(qp, slot, arrived_ns, fb, &trip);
	if (own && fb->has_time)
		trip.turnaround_ns = fb->turnaround_ns;
	s->rtt_ns = rxe_cc_flow_rtt(&qp->flow, &trip);
	rxe_cc_int_flags(qp);
	s->min_rtt_ns = qp->flow.min_rtt_ns;
	qp->rtt_ns = s->rtt_ns;
	s->turnaround_ns = trip.took_ns - s->rtt_ns;
	if (own && fb->has_time) {
		struct rxe_cc_way w = {
			.now_ns = s->now_ns,
			.diff_ns = fb->rx_ns - rxe_cc_tai_ns(sent_ns),
			.took_ns = max(rxe_cc_sat_sub(s->rtt_ns, lift_ns), 1ULL),
			.at_ns = fb->rx_ns,
			.bytes = slot->wire_bytes, .psn = slot->psn, .ttl = fb->ttl,
		};

		rxe_cc_way_ends(qp, &qp->owd_tx, &w, s);
		if (s->owd_ns)
			qp->flow.min_owd_ns = s->owd_ns - s->owd_over_ns;
	}
}

/**
 * rxe_cc_ack_rtt() - an ACK came: does it measure a round trip?
 * @qp: queue pair
 * @psn: the last packet that it acknowledges, and no ACK before has
 * @own: it names that packet, which may be the one that has asked for it
 * @arrived_ns: when it came in from the port
 * @s: its sample, with its time; receives what was measured
 * @fb: its feedback
 *
 * Where one packet is measured at a time, an ACK that covers it without being its own
 * still bounds the time it took. Where all are, an ACK measures the one that it names.
 *
 * Context: qp->lock held.
 */
void rxe_cc_ack_rtt(struct rxe_cc_qp *qp, u32 psn, bool own, u64 arrived_ns,
		    struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb)
{
	struct rxe_cc_slot *slot;
	s32 after;

	if (qp->rtts) {
		slot = rxe_cc_slot_of(qp, psn);
		if (!own || slot->psn != (psn & RXE_CC_PSN_MASK) || !slot->sent_ns)
			return;
		rxe_cc_trip_ends(qp, slot, arrived_ns, s, fb, true);
		slot->sent_ns = 0;
		return;
	}
	after = rxe_cc_psn_diff(psn, qp->slot.psn);
	if (!qp->rtt_sampling || qp->rtt_sample_resp || after < 0)
		return;
	rxe_cc_rtt_sample_end(qp);
	rxe_cc_trip_ends(qp, &qp->slot, arrived_ns, s, fb, !after);
}

/**
 * rxe_cc_resp_rtt() - a report on a READ response came: does it measure a round trip?
 * @qp: queue pair
 * @psn: the response
 * @arrived_ns: when the report came in from the port
 * @s: its sample, with its time; receives what was measured
 * @fb: its feedback
 *
 * A report on a later response says nothing of the time that this one took.
 *
 * Context: qp->lock held.
 */
void rxe_cc_resp_rtt(struct rxe_cc_qp *qp, u32 psn, u64 arrived_ns,
		     struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb)
{
	s32 after = rxe_cc_psn_diff(psn, qp->slot.psn);

	if (!qp->rtt_sampling || !qp->rtt_sample_resp || after < 0)
		return;
	rxe_cc_rtt_sample_end(qp);
	if (after)
		return;
	qp->rtt_sample_misses = 0;
	rxe_cc_trip_ends(qp, &qp->slot, arrived_ns, s, fb, true);
}
