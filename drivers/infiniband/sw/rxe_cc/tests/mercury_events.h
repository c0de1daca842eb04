/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for Mercury's test: the same on both sides, in the kernel's suite and in the
 * generator of the expected values. Integers only.
 */
#ifndef _MERCURY_EVENTS_H
#define _MERCURY_EVENTS_H

#include "cc_prng.h"

#define MERCURY_PER_POINT	500	/* events between two rows of the table */
#define MERCURY_POINTS		240	/* rows */
#define MERCURY_PKT_BYTES	1106
#define MERCURY_MAX_PORTS	3	/* that send windows */

enum mercury_kind { MERCURY_SENT, MERCURY_ACK, MERCURY_CNP, MERCURY_WIN };

/**
 * struct mercury_source - where events come from
 * @prng: random numbers
 * @phase: 0 and 1: quiet; 2: a switch is congested; 3: a plain switch marks; 4: both
 * @left: for so many events more
 * @rtt_ns: base round-trip time as of the last ACK
 */
struct mercury_source {
	struct cc_test_prng prng;
	unsigned int phase, left;
	unsigned int rtt_ns;
};

/**
 * struct mercury_event - an event of a sender
 * @kind: data was sent, an ACK came, a CNP of a host, one of a switch
 * @dt_ns: since the last one
 * @bytes: wire bytes that were sent
 * @rtt_ns: base round-trip time from now on
 * @window_bytes: of the switch
 */
struct mercury_event {
	enum mercury_kind kind;
	unsigned int dt_ns, bytes, rtt_ns;
	unsigned long long window_bytes;
};

static inline unsigned int mercury_rand(struct mercury_source *s, unsigned int n)
{
	return (unsigned int)cc_test_below(&s->prng, n);
}

static inline unsigned long long mercury_window_of(struct mercury_source *s)
{
	static const unsigned long long odd[] = { 1, 1105, 1106, 0xffffffff };

	return mercury_rand(s, 10) ? 1 + mercury_rand(s, 200000) : odd[mercury_rand(s, 4)];
}

static inline struct mercury_event mercury_next_event(struct mercury_source *s)
{
	struct mercury_event e = { .kind = MERCURY_SENT };

	if (!s->left--) {
		s->phase = mercury_rand(s, 5);
		s->left = 10 + mercury_rand(s, 300);
	}
	e.dt_ns = mercury_rand(s, 30) ? mercury_rand(s, 4000) : mercury_rand(s, 120000);
	e.bytes = mercury_rand(s, 5) ? MERCURY_PKT_BYTES : 82 + mercury_rand(s, 1024);
	/* The byte counter of 10 MB shows in large steps only. */
	if (!mercury_rand(s, 12))
		e.bytes = mercury_rand(s, 3000000);
	if (!mercury_rand(s, 3))
		e.kind = MERCURY_ACK;
	if (s->phase >= 3 && !mercury_rand(s, 25))
		e.kind = MERCURY_CNP;
	if ((s->phase == 2 || s->phase == 4) && !mercury_rand(s, 9))
		e.kind = MERCURY_WIN;
	if (e.kind == MERCURY_ACK && !mercury_rand(s, 40))
		s->rtt_ns = mercury_rand(s, 8) ? 5000 + mercury_rand(s, 50000) : 0;
	e.rtt_ns = s->rtt_ns;
	e.window_bytes = mercury_window_of(s);
	return e;
}

/* Which of @ports ports sends the window of an event. */
static inline int mercury_port_of(const struct mercury_event *e, int ports)
{
	return (int)(e->window_bytes % (unsigned int)ports);
}

#endif /* _MERCURY_EVENTS_H */
