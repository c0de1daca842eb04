/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for TIMELY's test: the same on both sides, in the kernel's suite and in
 * the generator of the expected values. Integers only.
 */
#ifndef _TIMELY_EVENTS_H
#define _TIMELY_EVENTS_H

#include "cc_prng.h"

/* So that numbers soon take more than 32 bits. */
#define TIMELY_FIRST_SEQ	0xffff0000ULL
#define TIMELY_PER_POINT	100	/* events between two rows of the table */
#define TIMELY_POINTS		250	/* rows */

/**
 * struct timely_source - where events come from
 * @prng: random numbers
 * @base_ns: base RTT
 * @low_ns: T_low in force
 * @high_ns: T_high in force
 * @rtt_ns: present RTT
 * @phase: what it does
 * @left: for so many events more
 * @until_seq: the next update is for this packet or one after it
 */
struct timely_source {
	struct cc_test_prng prng;
	unsigned int base_ns, low_ns, high_ns, rtt_ns;
	unsigned int phase, left;
	unsigned long long until_seq;
};

/**
 * struct timely_event - one acknowledgment
 * @rtt_ns: RTT that it measured, or 0
 * @seq: packet acknowledged
 * @next_seq: next to be sent
 */
struct timely_event {
	unsigned int rtt_ns;
	unsigned long long seq, next_seq;
};

static inline unsigned int timely_rand(struct timely_source *s, unsigned int n)
{
	return (unsigned int)cc_test_below(&s->prng, n);
}

static inline unsigned int timely_next_rtt(struct timely_source *s)
{
	/* Long climbs, short falls: else the rate would stay at the floor. */
	static const unsigned int most[] = { 300, 80, 4, 3, 40, 6 };
	unsigned int span = s->high_ns - s->low_ns + 1;

	if (!s->left) {
		s->phase = timely_rand(s, 6);
		s->left = 1 + timely_rand(s, most[s->phase]);
	}
	s->left--;
	switch (s->phase) {
	case 0: /* below T_low, or at it */
		s->rtt_ns = s->base_ns;
		if (s->low_ns > s->base_ns)
			s->rtt_ns += timely_rand(s, s->low_ns - s->base_ns + 1);
		break;
	case 1: /* falls, but not below T_low */
		s->rtt_ns -= timely_rand(s, s->rtt_ns / 16 + 1);
		if (s->rtt_ns < s->low_ns)
			s->rtt_ns = s->low_ns;
		break;
	case 2: /* rises, past T_high at times */
		s->rtt_ns += timely_rand(s, s->rtt_ns / 16 + 1);
		if (s->rtt_ns > s->high_ns + s->high_ns / 4)
			s->rtt_ns = s->high_ns;
		break;
	case 3: /* above T_high, or just below */
		s->rtt_ns = s->high_ns - 5 + timely_rand(s, 3 * s->high_ns);
		break;
	case 4: /* stays as it is */
		break;
	default: /* anything in between */
		s->rtt_ns = s->low_ns + timely_rand(s, span);
	}
	return s->rtt_ns;
}

/* One in eight measures nothing; one in eight comes within the same RTT. */
static inline struct timely_event timely_next_event(struct timely_source *s)
{
	struct timely_event e = { 0 };

	if (!s->until_seq)
		s->until_seq = TIMELY_FIRST_SEQ;
	switch (timely_rand(s, 8)) {
	case 0:
		e.seq = s->until_seq + timely_rand(s, 32);
		e.next_seq = e.seq + 1;
		break;
	case 1:
		e.rtt_ns = 1 + timely_rand(s, 4 * s->high_ns);
		e.seq = s->until_seq - 1 - timely_rand(s, 64);
		e.next_seq = s->until_seq + timely_rand(s, 64);
		break;
	default:
		e.rtt_ns = timely_next_rtt(s);
		e.seq = s->until_seq + timely_rand(s, 32);
		e.next_seq = e.seq + 1 + timely_rand(s, 4000);
		s->until_seq = e.next_seq;
	}
	return e;
}

#endif /* _TIMELY_EVENTS_H */
