/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for NSCC's test: the same in the kernel's suite and in the generator of the expected
 * values. Integers only.
 */
#ifndef _NSCC_EVENTS_H
#define _NSCC_EVENTS_H

#include "cc_prng.h"

#define NSCC_PER_POINT		100	/* events between two rows of the table */
#define NSCC_POINTS		240	/* rows */

enum nscc_event_kind {
	NSCC_ACK,
	NSCC_NAK,
	NSCC_TIMEOUT,
	NSCC_RNR,
};

/**
 * struct nscc_source - where events come from
 * @prng: random numbers
 * @pkt_bytes: a packet
 * @base_ns: base RTT
 * @gap_ns: between two ACKs, at most
 * @now_ns: time
 * @marked: the receiver's total
 * @phase: how long the queue is
 * @left: for so many events more
 */
struct nscc_source {
	struct cc_test_prng prng;
	u32 pkt_bytes, base_ns, gap_ns;
	u64 now_ns, marked;
	u32 phase, left;
};

/**
 * struct nscc_event - an acknowledgment or a loss
 * @kind: enum nscc_event_kind
 * @fb: values of feedback, 0 or 1
 * @acked: bytes that an ACK acknowledges
 * @inflight: bytes that are left
 * @rtt_ns: its round trip, or 0
 * @now_ns: time
 * @marked: total that it tells
 */
struct nscc_event {
	enum nscc_event_kind kind;
	u32 fb, acked, inflight;
	u64 rtt_ns, now_ns, marked;
};

/* None, up to a base RTT, about one, several: marks come from two thirds of a base RTT on. */
static inline u64 nscc_delay(struct nscc_source *s)
{
	static const u32 most[] = { 400, 200, 200, 150, 30 };
	u64 base = s->base_ns;

	if (!s->left--) {
		s->phase = cc_test_below(&s->prng, 5);
		s->left = cc_test_below(&s->prng, most[s->phase]);
	}
	switch (s->phase) {
	case 0:
		return cc_test_below(&s->prng, base / 20);
	case 1:
		return cc_test_below(&s->prng, base);
	case 2:
		return base * 3 / 4 + cc_test_below(&s->prng, base / 2);
	case 3:
		return base / 2 + cc_test_below(&s->prng, base * 3);
	default:
		return base * 3 + cc_test_below(&s->prng, base * 4);
	}
}

/* One ACK in 16 is not measured, one in 20 tells nothing, one in 400 comes from a receiver that
 * has begun anew; one event in 300 is a loss, and after one in 500 nothing comes for a while.
 */
static inline struct nscc_event nscc_next_event(struct nscc_source *s)
{
	struct cc_test_prng *r = &s->prng;
	u32 pkts = 1 + cc_test_below(r, 3), loss = cc_test_below(r, 900);
	struct nscc_event e = { .kind = NSCC_ACK };
	u64 delay = nscc_delay(s);

	s->now_ns += 1 + cc_test_below(r, s->gap_ns);
	if (!cc_test_below(r, 500))
		s->now_ns += (u64)s->base_ns * 20;
	if (loss < 3) {
		e.kind = (enum nscc_event_kind)(1 + loss);
	} else {
		e.acked = pkts * s->pkt_bytes;
		e.fb = cc_test_below(r, 20) ? 1 : 0;
		e.rtt_ns = cc_test_below(r, 16) ? s->base_ns + delay : 0;
		if (delay * 3 > s->base_ns * 2ULL && cc_test_below(r, 8))
			s->marked += e.acked;
	}
	e.inflight = cc_test_below(r, 60) * s->pkt_bytes;
	if (!cc_test_below(r, 400))
		s->marked = cc_test_below(r, 100000);
	e.now_ns = s->now_ns;
	e.marked = s->marked;
	return e;
}

#endif /* _NSCC_EVENTS_H */
