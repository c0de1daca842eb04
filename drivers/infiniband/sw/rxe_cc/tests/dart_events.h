/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events for dart's test: the same on both sides, in the kernel's suite and in the
 * generator of the expected values. Integers only.
 */
#ifndef _DART_EVENTS_H
#define _DART_EVENTS_H

#include "cc_prng.h"

#define DART_PER_POINT	120	/* events between two rows of the table */
#define DART_POINTS	250	/* rows */
#define DART_PKT_BYTES	1106

enum dart_kind { DART_DATA, DART_FILL, DART_TOLD, DART_ACK, DART_SENT, DART_CNP };

/**
 * struct dart_source - where events come from
 * @prng: random numbers
 * @line_mbps: rate of the receiver's port
 * @phase: how data comes
 * @left: for so many events more
 * @marks: of 8 packets so many are marked
 * @senders: that the port counts
 * @obeys: the peer follows feedback
 */
struct dart_source {
	struct cc_test_prng prng;
	unsigned int line_mbps;
	unsigned int phase, left, marks, senders;
	bool obeys;
};

/**
 * struct dart_event - one event of either half
 * @kind: which
 * @dt_ns: since the last one
 * @bytes: wire bytes of data that came or was sent
 * @senders: that the port counts
 * @ce: it is marked
 * @obeys: the peer follows feedback
 * @start: data: first packet of its message
 * @end: last packet of its message
 * @inflight_bytes: at the sender
 * @n: of the feedback
 * @line_bps: of the feedback
 */
struct dart_event {
	enum dart_kind kind;
	unsigned int dt_ns, bytes, senders;
	bool ce, obeys, start, end;
	unsigned long long inflight_bytes, n, line_bps;
};

static inline unsigned int dart_rand(struct dart_source *s, unsigned int n)
{
	return (unsigned int)cc_test_below(&s->prng, n);
}

static inline void dart_next_phase(struct dart_source *s)
{
	if (s->left--)
		return;
	s->phase = dart_rand(s, 6);
	s->left = 20 + dart_rand(s, 400);
	s->marks = dart_rand(s, 4) * dart_rand(s, 4);
	s->senders = dart_rand(s, 8) ? dart_rand(s, 40) : dart_rand(s, 1000000);
	s->obeys = dart_rand(s, 8);
}

/* Time from one packet to the next: of a busy line, of one that is nearly busy, half
 * busy, of bursts, hardly at all, anything.
 */
static inline unsigned int dart_gap_ns(struct dart_source *s, unsigned int bytes)
{
	unsigned int ns = bytes * 8000ULL / s->line_mbps;

	switch (s->phase) {
	case 0:
		return ns;
	case 1:
		return ns + dart_rand(s, ns / 8 + 2);
	case 2:
		return 2 * ns + dart_rand(s, 10);
	case 3:
		return dart_rand(s, 50) ? ns : 40 * ns + dart_rand(s, 200000);
	case 4:
		return dart_rand(s, 100000);
	default:
		return dart_rand(s, 4 * ns + 1);
	}
}

/* A receiver's feedback: mostly something sensible. */
static inline void dart_next_told(struct dart_source *s, struct dart_event *e)
{
	static const unsigned long long odd[] = { 0, 1, ~0ULL, 1ULL << 32 };

	e->n = dart_rand(s, 10) ? 1 + dart_rand(s, 30) : odd[dart_rand(s, 4)];
	e->line_bps = dart_rand(s, 10) ? s->line_mbps * 1000000ULL : odd[dart_rand(s, 4)];
	if (!dart_rand(s, 20))
		e->line_bps = 1 + cc_test_rand(&s->prng) % (2000ULL * 1000000000);
}

static inline struct dart_event dart_next_event(struct dart_source *s)
{
	struct dart_event e = { .kind = DART_DATA };

	dart_next_phase(s);
	e.bytes = dart_rand(s, 5) ? DART_PKT_BYTES : 82 + dart_rand(s, 1024);
	e.dt_ns = dart_gap_ns(s, e.bytes);
	e.senders = s->senders;
	e.obeys = s->obeys;
	e.ce = dart_rand(s, 9) < s->marks;
	e.start = !dart_rand(s, 3);
	if (dart_rand(s, 2))
		return e;
	e.kind = DART_FILL + dart_rand(s, DART_CNP - DART_FILL + 1);
	/* Two halves in one stream: the receiver's packets keep their distance. */
	e.dt_ns = dart_rand(s, 20) ? 0 : dart_rand(s, 20000);
	e.end = !dart_rand(s, 4);
	e.inflight_bytes = dart_rand(s, 3) ? DART_PKT_BYTES * dart_rand(s, 20) : 0;
	/* Cuts come rarely, else nothing but DCQCN would show. */
	if (e.kind == DART_CNP && dart_rand(s, 60))
		e.kind = DART_ACK;
	if (e.kind == DART_TOLD)
		dart_next_told(s, &e);
	return e;
}

#endif /* _DART_EVENTS_H */
