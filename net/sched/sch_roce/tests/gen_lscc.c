// SPDX-License-Identifier: GPL-2.0
/*
 * Writes roce_lscc_vectors.h: feedback rates and who is told, by Algorithms 1 and 2 of the
 * paper (Long et al., LSCC), written from it line by line, in floating point and 128-bit
 * integers. User space; only the sequences of events are common with the kernel's test.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce_lscc_events.h"

typedef unsigned __int128 u128;
typedef long double real;

#define UNIT	8000000000ULL	/* bit ns in a byte */

static struct {
	u64 free, up, down, low, high;
	u64 heard, old, expired, told, damped, innocent, small, ce, cnp, idle;
} ways;

/* How far rates with no rounding at all get away from those with whole bit/s. */
static real apart;

/*
 * Algorithm 1. BR and (Qcur - Qref)/T are whole bit/s here if @whole: the only
 * rounding that the kernel has.
 */
struct rate_calculation {
	bool whole;
	int n;
	real ra_list[1024], r_last;
};

static real rounded(const struct rate_calculation *c, real bps)
{
	return c->whole ? truncl(bps) : bps;
}

static real calculate(struct rate_calculation *c, const struct lscc_link *l)
{
	real br = (real)l->out_bytes * 8e9L / l->period_ns;
	real ra_sent = 0, ra, r;
	int i;

	br = fminl(rounded(c, br), 4398046511103.0L);		/* 2^42 - 1 */
	for (i = 0; i < c->n; i++)				/* line 1 */
		ra_sent += c->ra_list[i];
	ra = rounded(c, ((real)l->queue_bytes - l->qref_bytes) * 8e9L / l->period_ns) -
	     ra_sent;						/* line 2 */
	r = br - ra;						/* line 3 */
	if (r - c->r_last > l->step_bps) {			/* lines 4 to 7 */
		r = c->r_last + l->step_bps;
		ways.up += c->whole;
	} else if (c->r_last - r > l->step_bps) {
		r = c->r_last - l->step_bps;
		ways.down += c->whole;
	} else {
		ways.free += c->whole;
	}
	if (r < l->min_bps) {					/* lines 8 to 11 */
		r = l->min_bps;
		ways.low += c->whole;
	} else if (r > l->max_bps) {
		r = l->max_bps;
		ways.high += c->whole;
	}
	c->r_last = r;						/* line 12 */
	ra = br - r;						/* line 13 */
	for (i = c->n - 1; i > 0; i--)				/* lines 14 to 16 */
		c->ra_list[i] = c->ra_list[i - 1];
	c->ra_list[0] = ra;
	return r;
}

static void calculations(struct lscc_row *row, u32 number)
{
	struct rate_calculation whole = { .whole = true }, exact = {};
	struct lscc_link l;
	real n, r, e;
	int i;

	lscc_link_begin(&l, number);
	n = floorl((real)l.rtt_ns / l.period_ns + 0.5L);
	whole.n = n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
	whole.r_last = l.min_bps;
	exact.n = whole.n;
	exact.r_last = l.min_bps;
	for (i = 0; i < LSCC_STEPS; i++) {
		lscc_link_next(&l);
		r = calculate(&whole, &l);
		e = calculate(&exact, &l);
		if (fabsl(e - r) > apart)
			apart = fabsl(e - r);
		row->digest = lscc_digest(row->digest, (u64)r);
		row->sum += (u64)r;
	}
}

/* Algorithm 2. */
struct entry {
	bool cnp;		/* the paper's bit */
	u64 tx_bytes;
	u64 last_ns;		/* of its packets */
	bool sent;
	u64 sent_ns;
};

struct rate_limiting {
	struct entry ftb[LSCC_FLOWS];
	u64 rate, heard_ns, peer_ns, reset_ns, at_ns;
	u32 seq;
	u128 q;			/* pseudo queue in 1/8e9 byte */
	real qf;		/* and in floating point */
};

static void reset_table(struct rate_limiting *m, const struct lscc_outlet *o, u64 now_ns)
{
	int i;

	if (now_ns < m->reset_ns + o->period_ns)
		return;
	while (now_ns >= m->reset_ns + o->period_ns)
		m->reset_ns += o->period_ns;
	for (i = 0; i < LSCC_FLOWS; i++)
		m->ftb[i].cnp = false;
}

/* Equation 10, and no rate is in force for ever. */
static void pseudo_queue(struct rate_limiting *m, const struct lscc_outlet *o, u64 now_ns)
{
	u128 served = (u128)m->rate * (now_ns - m->at_ns);

	if (m->rate && now_ns >= m->heard_ns + o->expiry_ns) {
		ways.expired++;
		m->rate = 0;
		m->q = 0;
		m->qf = 0;
	}
	m->q = m->q > served ? m->q - served : 0;
	m->qf = fmaxl(m->qf - (real)m->rate * (now_ns - m->at_ns) / UNIT, 0);
	if (fabsl(m->qf - (real)m->q / UNIT) > 0.001L) {
		fprintf(stderr, "gen_lscc: the two pseudo queues differ\n");
		exit(EXIT_FAILURE);
	}
	m->at_ns = now_ns;
}

static int send_direct_cnp(struct rate_limiting *m, const struct lscc_outlet *o,
			   const struct lscc_event *e)
{
	struct entry *flow = &m->ftb[e->flow];

	if (!m->rate || m->q < (u128)o->qref_bytes * UNIT)
		return 0;
	if (!flow->cnp && flow->tx_bytes >= o->threshold_bytes) {
		ways.innocent++;
		return 0;
	}
	if (flow->sent && e->now_ns - flow->sent_ns < o->interval_ns) {
		ways.damped++;
		return 1;
	}
	ways.told++;
	ways.small += !flow->cnp;
	flow->sent = true;
	flow->sent_ns = e->now_ns;
	return 2;
}

static int receive_packet(struct rate_limiting *m, const struct lscc_outlet *o,
			  const struct lscc_event *e)
{
	if (m->rate) {
		m->q += (u128)e->bytes * UNIT;
		m->qf += e->bytes;
	}
	/* Not in the paper: TxBytes ends with a silence. */
	if (m->ftb[e->flow].tx_bytes && e->now_ns >= m->ftb[e->flow].last_ns + o->idle_ns) {
		ways.idle++;
		m->ftb[e->flow].tx_bytes = 0;
	}
	m->ftb[e->flow].last_ns = e->now_ns;
	m->ftb[e->flow].tx_bytes += e->bytes;
	if (e->ce) {
		ways.ce++;
		m->ftb[e->flow].cnp = true;
	}
	return send_direct_cnp(m, o, e);
}

static void receive_cnp(struct rate_limiting *m, const struct lscc_event *e)
{
	u32 pair = e->flow / LSCC_FLOWS_OF_PAIR, i;

	ways.cnp++;
	for (i = 0; i < LSCC_FLOWS; i++)
		if (i / LSCC_FLOWS_OF_PAIR == pair)
			m->ftb[i].cnp = true;
}

static void receive_feedback(struct rate_limiting *m, const struct lscc_event *e)
{
	if (m->rate && ((u32)(e->seq - m->seq - 1) >= 0x7fffffff || e->peer_ns <= m->peer_ns)) {
		ways.old++;
		return;
	}
	ways.heard++;
	m->rate = e->rate_bps;
	m->heard_ns = e->now_ns;
	m->seq = e->seq;
	m->peer_ns = e->peer_ns;
}

static void limitations(struct lscc_row *row, u32 number)
{
	struct rate_limiting m = {};
	struct lscc_outlet o;
	int i, answer;

	lscc_outlet_begin(&o, number);
	m.reset_ns = o.begin_ns;
	m.at_ns = o.begin_ns;
	for (i = 0; i < LSCC_STEPS; i++) {
		struct lscc_event e = lscc_outlet_next(&o);

		answer = 0;
		reset_table(&m, &o, e.now_ns);
		pseudo_queue(&m, &o, e.now_ns);
		if (e.kind == LSCC_PACKET)
			answer = receive_packet(&m, &o, &e);
		else if (e.kind == LSCC_CNP)
			receive_cnp(&m, &e);
		else
			receive_feedback(&m, &e);
		row->digest = lscc_digest(row->digest, (u64)((m.q + UNIT - 1) / UNIT));
		row->digest = lscc_digest(row->digest, m.rate << 2 | answer);
		row->sum += answer == 2;
	}
}

static void table(const char *name, void (*sequence)(struct lscc_row *row, u32 number))
{
	u32 r, i;

	printf("static const struct lscc_row %s[LSCC_ROWS] = {\n", name);
	for (r = 0; r < LSCC_ROWS; r++) {
		struct lscc_row row = { .digest = LSCC_DIGEST };

		for (i = 0; i < LSCC_SEQUENCES; i++)
			sequence(&row, r * LSCC_SEQUENCES + i);
		printf("\t{ 0x%016llx, %llu },\n", row.digest, row.sum);
	}
	printf("};\n\n");
}

int main(void)
{
	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated by gen_lscc, do not edit. Of each %d sequences of %d: digest of all\n"
	       " * answers, sum of the rates or number of CNPs.\n */\n\n",
	       "SPDX", LSCC_SEQUENCES, LSCC_STEPS);
	table("lscc_rates", calculations);
	printf("/* The ways through Algorithm 1: R as it comes %llu, a step up %llu, down %llu, Rmin %llu,\n"
	       " * Rmax %llu. Without rounding to whole bit/s no R differs by more than %.0Lf bit/s.\n */\n\n",
	       ways.free, ways.up, ways.down, ways.low, ways.high, ceill(apart));
	table("lscc_limits", limitations);
	printf("/* The ways through Algorithm 2: feedback %llu, old %llu, expired %llu; CE %llu, CNPs of\n"
	       " * receivers %llu; told %llu, of them short flows %llu; damped %llu, long and not marked\n"
	       " * %llu; silences %llu.\n */\n",
	       ways.heard, ways.old, ways.expired, ways.ce, ways.cnp, ways.told, ways.small,
	       ways.damped, ways.innocent, ways.idle);
	return ferror(stdout) || fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
