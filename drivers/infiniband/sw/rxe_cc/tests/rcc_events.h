/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for RCC's test: the same on both sides, in the kernel's suite and in the
 * generator of the expected values. Integers only.
 */
#ifndef _RCC_EVENTS_H
#define _RCC_EVENTS_H

#include "cc_prng.h"

#define RCC_PER_POINT	100	/* events between two rows of the table */
#define RCC_POINTS	250	/* rows */

/**
 * struct rcc_source - where events come from
 * @prng: random numbers
 * @line_bps: speed of the port
 * @t_ns: base RTT
 * @high_ns: delays above the idle path's are congestion from here
 * @now_ns: time
 * @over_ns: present delay above the idle path's
 * @phase: what that does
 * @left: for so many events more
 * @n: messages in flight
 * @load: what the last hop carries, in thousandths of its speed
 * @load_left: for so many events more
 * @open: a message is under way
 */
struct rcc_source {
	struct cc_test_prng prng;
	u64 line_bps;
	unsigned int t_ns, high_ns;
	u64 now_ns;
	unsigned int over_ns, phase, left, n, load, load_left;
	bool open;
};

/**
 * struct rcc_event - a packet came, or with side 1 an ACK
 * @now_ns: time
 * @over_ns: its delay above the idle path's
 * @n: messages in flight
 * @load: what the last hop carries, in thousandths
 * @has_owd: the delay was measured
 * @start: first packet of a message
 * @end: last packet of a message, or nothing is under way
 */
struct rcc_event {
	u64 now_ns;
	unsigned int over_ns, n, load;
	bool has_owd, start, end;
};

static inline unsigned int rcc_rand(struct rcc_source *s, unsigned int n)
{
	return (unsigned int)cc_test_below(&s->prng, n);
}

static inline void rcc_next_over(struct rcc_source *s)
{
	static const unsigned int most[] = { 300, 100, 300, 30, 400, 20 };
	unsigned int target_ns = s->high_ns / 2;

	if (!s->left) {
		s->phase = rcc_rand(s, 6);
		s->left = 1 + rcc_rand(s, most[s->phase]);
	}
	s->left--;
	switch (s->phase) {
	case 0: /* little */
		s->over_ns = rcc_rand(s, target_ns + 1);
		break;
	case 1: /* rises, to a few thresholds */
		s->over_ns += rcc_rand(s, s->high_ns / 32 + 2);
		if (s->over_ns > 8 * s->high_ns)
			s->over_ns = s->high_ns;
		break;
	case 2: /* falls */
		s->over_ns -= rcc_rand(s, s->over_ns / 64 + 1);
		break;
	case 3: /* as it is */
		break;
	case 4: /* about the target */
		s->over_ns = target_ns / 2 + rcc_rand(s, target_ns + 1);
		break;
	default: /* about the threshold, or anything */
		s->over_ns = rcc_rand(s, 2) ? s->high_ns - 2 + rcc_rand(s, 5) :
			     rcc_rand(s, 6 * s->high_ns);
	}
}

/* Never within 1/1000 of 0.9 and 0.95, where two arithmetics might disagree. */
static inline void rcc_next_load(struct rcc_source *s)
{
	if (!s->load_left) {
		s->load_left = 1 + rcc_rand(s, 400);
		s->load = rcc_rand(s, 3) ? 5 + 10 * rcc_rand(s, 88) :
					   875 + 10 * rcc_rand(s, 13);
	}
	s->load_left--;
}

static inline struct rcc_event rcc_next_event(struct rcc_source *s)
{
	struct rcc_event e = { 0 };

	/* Between messages a pause, or about a round trip with its queue. */
	if (!s->open && !rcc_rand(s, 2))
		s->now_ns += rcc_rand(s, 64 * s->t_ns);
	else if (!s->open && !rcc_rand(s, 2))
		s->now_ns += s->t_ns + rcc_rand(s, 2 * s->over_ns + 1);
	switch (rcc_rand(s, 64)) {
	case 0: /* a pause of some round trips */
		s->now_ns += rcc_rand(s, 4 * s->t_ns);
		break;
	case 1:
		s->n = 1 + rcc_rand(s, 8);
		break;
	case 2:
		s->n = rcc_rand(s, 8) ? s->n + 1 : 1 + rcc_rand(s, 2000);
		break;
	default:
		s->now_ns += 1 + rcc_rand(s, s->t_ns / 8);
	}
	rcc_next_over(s);
	rcc_next_load(s);
	e.start = !s->open;
	e.end = !rcc_rand(s, 300);
	s->open = !e.end;
	e.now_ns = s->now_ns;
	e.over_ns = s->over_ns;
	e.n = s->n;
	e.load = s->load;
	e.has_owd = rcc_rand(s, 16);
	return e;
}

#endif /* _RCC_EVENTS_H */
