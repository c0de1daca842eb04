/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ACKs with telemetry, by the thousands, from a seed: the same in the test and
 * in the program that writes its table. Integers only; nothing of HPCC here.
 *
 * The paths are made up: each phase gives every port a utilization and a queue,
 * so that flows meet everything between idle and several times too much. Now and
 * then something is wrong.
 */
#ifndef _RXE_CC_HPCC_EVENTS_H
#define _RXE_CC_HPCC_EVENTS_H

#include "cc_prng.h"

#ifdef __KERNEL__
#include <rxe_cc/cc.h>
#else
struct rxe_cc_int_hop {
	u64 ts_ns, tx_bytes, rate_bps;
	u32 qlen_bytes, node;
	u16 port;
};
#endif

#define HPCC_EV_HOPS	9	/* one more than is accepted */
#define HPCC_EV_NR	24000	/* events of a configuration */
#define HPCC_EV_ROW	128	/* events of a row of the table */
#define HPCC_EV_SILENCE	3000000000ULL

/**
 * struct hpcc_ev_conf - one kind of flow
 * @name: of the configuration
 * @seed: of its events
 * @line_bps: line rate
 * @min_bps: floor
 * @ai_bps: W_ai / T; 0: by @n
 * @t_ns: T
 * @gap_ns: mean time between ACKs
 * @eta_num: numerator of eta
 * @eta_den: its denominator
 * @n: flows of the rule of thumb for W_ai
 * @max_stage: maxStage
 * @nr: hops
 * @fast: fast reaction
 */
struct hpcc_ev_conf {
	const char *name;
	u64 seed;
	u64 line_bps;
	u64 min_bps;
	u64 ai_bps;
	u64 t_ns;
	u64 gap_ns;
	u32 eta_num;
	u32 eta_den;
	u32 n;
	u32 max_stage;
	u32 nr;
	bool fast;
};

/**
 * struct hpcc_ev_port - a port on the path
 * @ts_ns: time, all bits
 * @tx_bytes: counter, all bits
 * @mbps: speed
 * @util: utilization in this phase, thousandths
 * @queue_bytes: mean queue in this phase
 * @node: identity
 */
struct hpcc_ev_port {
	u64 ts_ns;
	u64 tx_bytes;
	u64 mbps;
	u64 util;
	u64 queue_bytes;
	u32 node;
};

/**
 * struct hpcc_ev - one ACK
 * @now_ns: time
 * @t_ns: T
 * @seq: sequence number of the packet, which never wraps
 * @next_seq: next to be sent
 * @nr: hops
 * @hop: telemetry
 */
struct hpcc_ev {
	u64 now_ns;
	u64 t_ns;
	u64 seq;
	u64 next_seq;
	u32 nr;
	struct rxe_cc_int_hop hop[HPCC_EV_HOPS];
};

/**
 * struct hpcc_ev_source - where events come from
 * @c: kind of flow
 * @r: randomness
 * @now_ns: time
 * @t_ns: T now
 * @seq: last packet acknowledged
 * @next_seq: next to be sent
 * @phase: events left in this phase
 * @nr: hops now
 * @port: path
 */
struct hpcc_ev_source {
	const struct hpcc_ev_conf *c;
	struct cc_test_prng r;
	u64 now_ns;
	u64 t_ns;
	u64 seq;
	u64 next_seq;
	u32 phase;
	u32 nr;
	struct hpcc_ev_port port[HPCC_EV_HOPS];
};

/* Half of the counters are about to wrap. */
static inline u64 hpcc_ev_counter(struct cc_test_prng *r)
{
	u64 high = cc_test_rand(r) >> 40 << 32;

	return high + (cc_test_below(r, 2) ? 0xffff0000 : 0);
}

/* A port that nobody has heard of. */
static inline void hpcc_ev_port(struct hpcc_ev_source *s, u32 i)
{
	struct hpcc_ev_port *p = &s->port[i];
	struct cc_test_prng *r = &s->r;

	p->ts_ns = hpcc_ev_counter(r);
	p->tx_bytes = hpcc_ev_counter(r);
	p->mbps = s->c->line_bps / 1000000 / (1 + cc_test_below(r, 4));
	p->util = 900;
	p->queue_bytes = 0;
	p->node = cc_test_rand(r);
}

static inline void hpcc_ev_start(struct hpcc_ev_source *s,
				 const struct hpcc_ev_conf *c)
{
	u32 i;

	*s = (struct hpcc_ev_source) {
		.c = c, .r = { c->seed }, .now_ns = 1000000, .t_ns = c->t_ns,
		.seq = 0xfff000, .nr = c->nr,
	};
	for (i = 0; i < HPCC_EV_HOPS; i++)
		hpcc_ev_port(s, i);
}

/* Other loads: mostly near full, sometimes anything. */
static inline void hpcc_ev_phase(struct hpcc_ev_source *s)
{
	struct cc_test_prng *r = &s->r;
	u32 i;

	s->phase = 1 + cc_test_below(r, 2000);
	for (i = 0; i < HPCC_EV_HOPS; i++) {
		struct hpcc_ev_port *p = &s->port[i];
		u64 bdp = p->mbps * s->t_ns / 8000;

		p->util = cc_test_below(r, 4) ? 850 + cc_test_below(r, 151) :
						1 + cc_test_below(r, 1000);
		p->queue_bytes = 0;
		if (!cc_test_below(r, 3))
			p->queue_bytes = bdp / 16;
		if (!cc_test_below(r, 12))
			p->queue_bytes = cc_test_below(r, 4 * bdp);
	}
}

static inline void hpcc_ev_pass(struct hpcc_ev_source *s, u64 ns)
{
	u32 i;

	s->now_ns += ns;
	for (i = 0; i < HPCC_EV_HOPS; i++) {
		struct hpcc_ev_port *p = &s->port[i];
		u64 dt = ns - cc_test_below(&s->r, ns / 4 + 1);

		p->ts_ns += dt;
		p->tx_bytes += p->mbps * dt / 8000 * p->util / 1000;
	}
}

/* What the path is, as of now. */
static inline void hpcc_ev_stamp(struct hpcc_ev_source *s, struct hpcc_ev *e)
{
	u32 i;

	e->now_ns = s->now_ns;
	e->t_ns = s->t_ns;
	e->seq = s->seq;
	e->next_seq = s->next_seq;
	e->nr = s->nr;
	for (i = 0; i < HPCC_EV_HOPS; i++) {
		struct hpcc_ev_port *p = &s->port[i];

		e->hop[i].ts_ns = p->ts_ns;
		e->hop[i].tx_bytes = p->tx_bytes;
		e->hop[i].rate_bps = p->mbps * 1000000;
		e->hop[i].qlen_bytes = p->queue_bytes / 2 +
				       cc_test_below(&s->r, p->queue_bytes + 1);
		e->hop[i].node = p->node;
		e->hop[i].port = i;
	}
}

/* Once in fifty: what should not be, or seldom is. */
static inline void hpcc_ev_odd(struct hpcc_ev_source *s, struct hpcc_ev *e)
{
	struct cc_test_prng *r = &s->r;
	u32 i = cc_test_below(r, s->nr);

	switch (cc_test_below(r, 500)) {
	case 0:
		e->hop[i].rate_bps = 0;
		break;
	case 1:
		e->hop[i].ts_ns -= 1000000 + cc_test_below(r, 1000);
		break;
	case 2:
		e->hop[i].tx_bytes -= 100000000;
		break;
	case 3:
		e->hop[i].tx_bytes += 100000000;
		break;
	case 4:
		hpcc_ev_port(s, i);
		break;
	case 5:
		e->hop[i].port++;
		break;
	case 6:
		s->nr = 1 + cc_test_below(r, HPCC_EV_HOPS - 1);
		break;
	case 7:
		e->nr = cc_test_below(r, 2) ? HPCC_EV_HOPS : 0;
		break;
	case 8:
		if (!cc_test_below(r, 8))
			hpcc_ev_pass(s, HPCC_EV_SILENCE);
		break;
	case 9:
		s->t_ns = s->c->t_ns - cc_test_below(r, s->c->t_ns / 2);
		break;
	}
}

static inline void hpcc_ev_next(struct hpcc_ev_source *s, struct hpcc_ev *e)
{
	struct cc_test_prng *r = &s->r;

	if (!s->phase--)
		hpcc_ev_phase(s);
	/* A whole path stands still now and then: two ACKs for one packet. */
	if (cc_test_below(r, 100))
		hpcc_ev_pass(s, 1 + cc_test_below(r, 2 * s->c->gap_ns - 1));
	s->seq += 1 + cc_test_below(r, 2);
	if (s->next_seq < s->seq + 100)
		s->next_seq += cc_test_below(r, 4);
	if (s->next_seq <= s->seq)
		s->next_seq = s->seq + 1 + cc_test_below(r, 40);
	hpcc_ev_stamp(s, e);
	hpcc_ev_odd(s, e);
}

#endif /* _RXE_CC_HPCC_EVENTS_H */
