/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ACKs and direct INT for a flow of HPCC*, from a seed: the same in the test and in the
 * program that writes its table. Two paths of hpcc_events.h, one far and one near, and
 * phases in which no direct INT comes from the near one.
 */
#ifndef _RXE_CC_HPCCSTAR_EVENTS_H
#define _RXE_CC_HPCCSTAR_EVENTS_H

#include "hpcc_events.h"

/**
 * struct hpccstar_ev_conf - one kind of flow
 * @far: of the path that ACKs report
 * @near: of the path that direct INT reports; its T and the like are not used
 * @near_rtt_ns: T* that is given; 0: measured
 */
struct hpccstar_ev_conf {
	struct hpcc_ev_conf far;
	struct hpcc_ev_conf near;
	u64 near_rtt_ns;
};

static const struct hpccstar_ev_conf hpccstar_ev_confs[] = {
	{ { "far_40g", 51, 40000000000, 10000000, 0, 2020000, 400, 95, 100, 100, 5, 4, true },
	  { "far_40g", 151, 40000000000, 10000000, 0, 6000, 400, 95, 100, 100, 5, 3, true },
	  0 },
	{ { "given_100g", 52, 100000000000, 10000000, 0, 1010000, 400, 95, 100, 100, 5, 6, true },
	  { "given_100g", 152, 100000000000, 10000000, 0, 6000, 400, 95, 100, 100, 5, 3, true },
	  5000 },
	{ { "slow_25g", 53, 25000000000, 10000000, 500000000, 300000, 400, 95, 100, 100, 1, 2,
	    false },
	  { "slow_25g", 153, 25000000000, 10000000, 500000000, 6000, 400, 95, 100, 100, 1, 3,
	    false },
	  0 },
};

/**
 * struct hpccstar_ev - an event
 * @e: ACK or direct INT; @e.t_ns is the far T
 * @direct: which
 */
struct hpccstar_ev {
	struct hpcc_ev e;
	bool direct;
};

/**
 * struct hpccstar_ev_source - where events come from
 * @far: path
 * @near: path
 * @r: randomness
 * @now_ns: time: what passes on either path
 * @stamp_ns: time of the last event of each path, its own
 * @next_seq: next to be sent
 * @phase: events left in this phase
 * @events: so far
 * @mute: no direct INT comes in this phase
 */
struct hpccstar_ev_source {
	struct hpcc_ev_source far, near;
	struct cc_test_prng r;
	u64 now_ns, stamp_ns[2], next_seq;
	u32 phase, events;
	bool mute;
};

static inline void hpccstar_ev_start(struct hpccstar_ev_source *s,
				     const struct hpccstar_ev_conf *c)
{
	*s = (struct hpccstar_ev_source) {
		.r = { c->far.seed + 1000 }, .now_ns = 1000000,
		.next_seq = 0xfff000,
		.stamp_ns = { 1000000, 1000000 },
	};
	hpcc_ev_start(&s->far, &c->far);
	hpcc_ev_start(&s->near, &c->near);
}

/* The last near port is the pseudo queue: of a speed that changes, and more may come. */
static inline void hpccstar_ev_pseudo(struct hpccstar_ev_source *s,
				      struct hpcc_ev *e)
{
	static const u32 div[] = { 1, 2, 30, 3, 1, 8 };

	if (e->nr && e->nr < HPCC_EV_HOPS)
		e->hop[e->nr - 1].rate_bps /= div[s->events / 200 % 6];
}

static inline void hpccstar_ev_next(struct hpccstar_ev_source *s,
				    struct hpccstar_ev *ev)
{
	struct hpcc_ev_source *from;
	u64 lag;

	if (!s->phase--) {
		s->phase = 1 + cc_test_below(&s->r, 1000);
		s->mute = !cc_test_below(&s->r, 5);
	}
	ev->direct = !s->mute && cc_test_below(&s->r, 4);
	from = ev->direct ? &s->near : &s->far;
	hpcc_ev_next(from, &ev->e);
	s->now_ns += ev->e.now_ns - s->stamp_ns[ev->direct];
	s->stamp_ns[ev->direct] = ev->e.now_ns;
	s->next_seq += cc_test_below(&s->r, 4);
	s->events++;
	lag = ev->direct ? 60 + cc_test_below(&s->r, 20) :
			   200 + cc_test_below(&s->r, 50);
	ev->e.now_ns = s->now_ns;
	ev->e.next_seq = s->next_seq;
	ev->e.seq = s->next_seq - lag;
	ev->e.t_ns = s->far.t_ns;
	if (ev->direct)
		hpccstar_ev_pseudo(s, &ev->e);
}

#endif /* _RXE_CC_HPCCSTAR_EVENTS_H */
