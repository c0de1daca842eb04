/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for Swift's test: the same on both sides, in the kernel's suite and in the
 * generator of the expected values. Integers only.
 */
#ifndef _SWIFT_EVENTS_H
#define _SWIFT_EVENTS_H

#include "cc_prng.h"

#define SWIFT_PER_POINT		100	/* events between two rows of the table */
#define SWIFT_POINTS		200	/* rows */

enum swift_event_kind {
	SWIFT_ACK,
	SWIFT_NAK,
	SWIFT_TIMEOUT,
	SWIFT_RNR,
};

/**
 * struct swift_source - where events come from
 * @prng: random numbers
 * @base_ns: base RTT
 * @top_ns: longest target
 * @pkt_bytes: a packet
 * @now_ns: time
 * @rtt_ns: present RTT
 * @phase: what it does
 * @left: for so many events more
 */
struct swift_source {
	struct cc_test_prng prng;
	unsigned int base_ns, top_ns, pkt_bytes;
	unsigned long long now_ns;
	unsigned int rtt_ns;
	unsigned int phase, left;
};

/**
 * struct swift_event - an acknowledgment or a loss
 * @kind: enum swift_event_kind
 * @now_ns: when
 * @rtt_ns: RTT that an ACK measured, or 0
 * @bytes: what it acknowledges
 * @hops: ports of the path
 */
struct swift_event {
	enum swift_event_kind kind;
	unsigned long long now_ns;
	unsigned int rtt_ns, bytes, hops;
};

static inline unsigned int swift_rand(struct swift_source *s, unsigned int n)
{
	return (unsigned int)cc_test_below(&s->prng, n);
}

static inline unsigned int swift_next_rtt(struct swift_source *s)
{
	static const unsigned int most[] = { 300, 100, 40, 10, 60 };
	unsigned int span = s->top_ns - s->base_ns + 1;

	if (!s->left) {
		s->phase = swift_rand(s, 5);
		s->left = 1 + swift_rand(s, most[s->phase]);
	}
	s->left--;
	switch (s->phase) {
	case 0: /* no queue to speak of */
		s->rtt_ns = s->base_ns + swift_rand(s, s->base_ns / 16 + 1);
		break;
	case 1: /* falls */
		s->rtt_ns -= swift_rand(s, s->rtt_ns / 16 + 1);
		if (s->rtt_ns < s->base_ns)
			s->rtt_ns = s->base_ns;
		break;
	case 2: /* rises */
		s->rtt_ns += swift_rand(s, s->rtt_ns / 16 + 1);
		if (s->rtt_ns > 2 * s->top_ns)
			s->rtt_ns = s->top_ns + s->top_ns / 16;
		break;
	case 3: /* far above any target */
		s->rtt_ns = s->top_ns + swift_rand(s, 8 * s->top_ns);
		break;
	default: /* anything in between */
		s->rtt_ns = s->base_ns + swift_rand(s, span);
	}
	return s->rtt_ns;
}

/* One ACK in four measures nothing, one event in 64 is a loss. */
static inline struct swift_event swift_next_event(struct swift_source *s)
{
	struct swift_event e = { SWIFT_ACK, 0, 0, 0, 0 };

	s->now_ns += 1 + swift_rand(s, s->base_ns / 2);
	e.now_ns = s->now_ns;
	switch (swift_rand(s, 64)) {
	case 0:
		e.kind = (enum swift_event_kind)(1 + swift_rand(s, 3));
		return e;
	default:
		e.bytes = s->pkt_bytes * (1 + swift_rand(s, 8));
		e.hops = swift_rand(s, 20);
		if (swift_rand(s, 4))
			e.rtt_ns = swift_next_rtt(s);
	}
	return e;
}

#endif /* _SWIFT_EVENTS_H */
