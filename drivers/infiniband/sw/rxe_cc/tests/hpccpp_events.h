/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What senders and receivers under HPCC++ hear, by the thousands, from a seed: the
 * same in the test and in the program that writes its table. Paths, their loads
 * and what is wrong with them now and then come from hpcc_events.h; here it is
 * decided what of it reaches the flow, and how.
 */
#ifndef _RXE_CC_HPCCPP_EVENTS_H
#define _RXE_CC_HPCCPP_EVENTS_H

#include "hpcc_events.h"

/**
 * enum hpccpp_ev_kind - variants
 * @HPCCPP_EV_SWITCH: telemetry in every ACK, and now and then a switch reports
 * @HPCCPP_EV_SPARSE: telemetry in one of HPCCPP_EV_EVERY ACKs, always of a packet
 *	sent after the last such ACK
 * @HPCCPP_EV_RX: data with telemetry, at a receiver
 * @HPCCPP_EV_N: telemetry in every ACK, and N from the receiver in most
 * @HPCCPP_EV_MIXED: phases of telemetry, of windows, of nothing, of all
 */
enum hpccpp_ev_kind {
	HPCCPP_EV_SWITCH,
	HPCCPP_EV_SPARSE,
	HPCCPP_EV_RX,
	HPCCPP_EV_N,
	HPCCPP_EV_MIXED,
};

#define HPCCPP_EV_EVERY	4

/**
 * struct hpccpp_ev_conf - one kind of flow
 * @c: path and HPCC's parameters
 * @kind: variant
 */
struct hpccpp_ev_conf {
	struct hpcc_ev_conf c;
	enum hpccpp_ev_kind kind;
};

static const struct hpccpp_ev_conf hpccpp_ev_confs[] = {
	{ { "switch_100g", 11, 100000000000, 10000000, 0, 12000, 85, 95, 100,
	    100, 5, 3, true }, HPCCPP_EV_SWITCH },
	{ { "sparse_100g", 12, 100000000000, 10000000, 0, 12000, 3000, 95, 100,
	    30, 5, 5, true }, HPCCPP_EV_SPARSE },
	{ { "rx_100g", 13, 100000000000, 10000000, 0, 12000, 300, 95, 100, 100,
	    5, 3, true }, HPCCPP_EV_RX },
	{ { "rx_10g", 14, 10000000000, 10000000, 4000000, 5600, 870, 95, 100, 1,
	    0, 2, true }, HPCCPP_EV_RX },
	{ { "n_25g", 15, 25000000000, 10000000, 20000000, 20000, 400, 95, 100, 1,
	    1, 4, true }, HPCCPP_EV_N },
	{ { "mixed_400g", 16, 400000000000, 50000000, 0, 4100, 25, 7, 8, 16, 3,
	    6, true }, HPCCPP_EV_MIXED },
};

/**
 * struct hpccpp_ev - what a flow hears
 * @e: telemetry, time, sequence
 * @window_bytes: window told; 0: none
 * @window_t_ns: T for which the receiver computed it; 0: it does not say
 * @senders: N told; 0: none
 * @partial: it is a switch's report
 */
struct hpccpp_ev {
	struct hpcc_ev e;
	u64 window_bytes;
	u64 window_t_ns;
	u32 senders;
	bool partial;
};

/**
 * struct hpccpp_ev_source - where events come from
 * @s: the path
 * @kind: variant
 * @what: HPCCPP_EV_SWITCH to HPCCPP_EV_MIXED for this phase of HPCCPP_EV_MIXED:
 *	reports too, nothing, windows, N, and anything
 * @left: events left in that phase
 * @n: N that the receiver counts now; 0: it does not
 * @number: of the event
 */
struct hpccpp_ev_source {
	struct hpcc_ev_source s;
	enum hpccpp_ev_kind kind;
	u32 what;
	u32 left;
	u32 n;
	u32 number;
};

static inline void hpccpp_ev_start(struct hpccpp_ev_source *s,
				   const struct hpccpp_ev_conf *c)
{
	*s = (struct hpccpp_ev_source) { .kind = c->kind };
	hpcc_ev_start(&s->s, &c->c);
}

static inline void hpccpp_ev_nothing(struct hpccpp_ev *e)
{
	e->e.nr = 0;
	e->partial = false;
	e->window_bytes = 0;
}

/* A switch reports: a packet on its way, the ports up to the one it waits in. */
static inline void hpccpp_ev_switch(struct hpccpp_ev_source *s,
				    struct hpccpp_ev *e)
{
	struct cc_test_prng *r = &s->s.r;
	u32 i = cc_test_below(r, s->s.nr), last;

	e->partial = true;
	e->e.nr = e->e.nr > i ? i + 1 : e->e.nr;
	last = e->e.nr ? e->e.nr - 1 : 0;
	e->e.hop[last].qlen_bytes += cc_test_below(r, 400000);
	e->e.seq += cc_test_below(r, e->e.next_seq - e->e.seq);
}

static inline void hpccpp_ev_window(struct hpccpp_ev_source *s,
				    struct hpccpp_ev *e)
{
	u64 bdp = s->s.c->line_bps / 1000 * s->s.t_ns / 8000000;

	hpccpp_ev_nothing(e);
	e->window_bytes = 1 + cc_test_below(&s->s.r, bdp + bdp / 8);
	/* Less than any receiver would tell. */
	if (!cc_test_below(&s->s.r, 16))
		e->window_bytes = 1 + e->window_bytes % 16;
	/* From half of the sender's T to 4.5 times that, or anything. */
	if (cc_test_below(&s->s.r, 3))
		e->window_t_ns = s->s.t_ns / 2 + cc_test_below(&s->s.r, 4 * s->s.t_ns);
	if (!cc_test_below(&s->s.r, 64))
		e->window_t_ns = cc_test_wild(&s->s.r);
}

static inline void hpccpp_ev_n(struct hpccpp_ev_source *s, struct hpccpp_ev *e)
{
	struct cc_test_prng *r = &s->s.r;

	if (!cc_test_below(r, 200))
		s->n = cc_test_below(r, 4) ? 1 + cc_test_below(r, 300) : 0;
	if (!cc_test_below(r, 2000))
		s->n = 0x100005;
	if (cc_test_below(r, 8))
		e->senders = s->n;
}

static inline void hpccpp_ev_phase(struct hpccpp_ev_source *s)
{
	struct cc_test_prng *r = &s->s.r;

	if (s->left--)
		return;
	s->what = cc_test_below(r, HPCCPP_EV_MIXED + 1);
	s->left = 1 + cc_test_below(r, 300);
}

static inline void hpccpp_ev_mixed(struct hpccpp_ev_source *s,
				   struct hpccpp_ev *e)
{
	u32 what;

	hpccpp_ev_phase(s);
	hpccpp_ev_n(s, e);
	what = s->what;
	if (what == HPCCPP_EV_MIXED)
		what = cc_test_below(&s->s.r, HPCCPP_EV_MIXED);
	if (what == HPCCPP_EV_SWITCH && !cc_test_below(&s->s.r, 8)) {
		hpccpp_ev_switch(s, e);
	} else if (what == HPCCPP_EV_RX) {
		hpccpp_ev_window(s, e);
	} else if (what == HPCCPP_EV_SPARSE) {
		hpccpp_ev_nothing(e);
		if (!cc_test_below(&s->s.r, 20))
			hpcc_ev_pass(&s->s, HPCC_EV_SILENCE);
	}
}

static inline void hpccpp_ev_next(struct hpccpp_ev_source *s,
				  struct hpccpp_ev *e)
{
	*e = (struct hpccpp_ev) {};
	/* The packet that bears telemetry is sent when the last is answered. */
	if (s->kind == HPCCPP_EV_SPARSE && !(s->number % HPCCPP_EV_EVERY))
		s->s.seq = s->s.next_seq;
	hpcc_ev_next(&s->s, &e->e);
	switch (s->kind) {
	case HPCCPP_EV_SWITCH:
		if (!cc_test_below(&s->s.r, 40))
			hpccpp_ev_switch(s, e);
		break;
	case HPCCPP_EV_SPARSE:
		if (s->number % HPCCPP_EV_EVERY)
			hpccpp_ev_nothing(e);
		break;
	case HPCCPP_EV_RX:
		break;
	case HPCCPP_EV_N:
		hpccpp_ev_n(s, e);
		break;
	case HPCCPP_EV_MIXED:
		hpccpp_ev_mixed(s, e);
		break;
	}
	s->number++;
}

#endif /* _RXE_CC_HPCCPP_EVENTS_H */
