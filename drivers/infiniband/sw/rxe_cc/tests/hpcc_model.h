/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HPCC in double precision, from Algorithm 1 of SIGCOMM 2019 and the guards of
 * Documentation/algorithms/hpcc.md. User space; shares nothing with the kernel's
 * implementation but the events.
 *
 * Windows here are windows, in bytes; counters have all their bits; sequence
 * numbers do not wrap.
 */
#ifndef _RXE_CC_HPCC_MODEL_H
#define _RXE_CC_HPCC_MODEL_H

#include <stdio.h>

#include "path_model.h"

struct model {
	const struct hpcc_ev_conf *c;
	struct hpcc_ev last;	/* L; last.nr = 0: none */
	double rc, r, u, t;
	double pseudo_t;	/* the last port is a pseudo queue: its T; 0: a port */
	double line_bps, ai_bps;
	u64 update_seq;
	u32 inc_stage, commits, used, busiest;
};

/* As the parameter has it, with 24 fractional bits. */
static double eta(const struct hpcc_ev_conf *c)
{
	return (double)((1ULL << 24) * c->eta_num / c->eta_den) / (1 << 24);
}

/* W_ai / T, once and for all: W_init (1 - eta) / N over T. */
static double ai(const struct hpcc_ev_conf *c)
{
	if (c->ai_bps)
		return c->ai_bps;
	return c->line_bps * (1 - eta(c)) / c->n;
}

static void model_start(struct model *m, const struct hpcc_ev_conf *c)
{
	*m = (struct model) {
		.c = c, .rc = c->line_bps, .r = c->line_bps, .u = 1,
		.line_bps = c->line_bps, .ai_bps = ai(c),
	};
}

/* More than its speed may come to a pseudo queue. */
static bool is_pseudo(const struct model *m, const struct hpcc_ev *e, u32 i)
{
	return m->pseudo_t && i == e->nr - 1;
}

/* Algorithm 1, MeasureInflight. Returns false when U is as it was. */
static bool measure(struct model *m, const struct hpcc_ev *e)
{
	double u = -1, tau = 0;
	u32 i;

	for (i = 0; i < e->nr; i++) {
		const struct rxe_cc_int_hop *h = &e->hop[i];
		const struct rxe_cc_int_hop *l = &m->last.hop[i];
		double dt = h->ts_ns - l->ts_ns, b = h->rate_bps / 8e9, ui;
		u32 q = h->qlen_bytes < l->qlen_bytes ? h->qlen_bytes :
							l->qlen_bytes;

		if (!dt)
			continue;
		ui = q / (b * (is_pseudo(m, e, i) ? m->pseudo_t : m->t)) +
		     (h->tx_bytes - l->tx_bytes) / dt / b;
		if (ui > u) {
			u = ui;
			tau = dt;
			m->busiest = i;
		}
	}
	if (!tau)
		return false;
	if (tau > m->t)
		tau = m->t;
	m->u = (1 - tau / m->t) * m->u + tau / m->t * u;
	return true;
}

/* What L and a new sample make of U. L is the sample afterwards, unless that is
 * impossible in itself. Returns whether U was updated.
 */
static bool sample(struct model *m, const struct hpcc_ev *e)
{
	bool use = comparable(&m->last, e, m->pseudo_t);

	if (!possible(e))
		return false;
	use = use && measure(m, e);
	m->last = *e;
	m->used += use;
	return use;
}

/* Algorithm 1, ComputeWind. Windows in bytes; rates are made of them. */
static void compute(struct model *m, bool commit)
{
	const struct hpcc_ev_conf *c = m->c;
	double bytes = m->t / 8e9, wc = m->rc * bytes, w;
	bool step = m->u >= eta(c) || m->inc_stage >= c->max_stage;

	w = (step ? wc / (m->u / eta(c)) : wc) + m->ai_bps * bytes;
	if (w > m->line_bps * bytes)
		w = m->line_bps * bytes;
	if (w < c->min_bps * bytes)
		w = c->min_bps * bytes;
	m->r = w / bytes;
	if (!commit)
		return;
	m->rc = m->r;
	m->inc_stage = step ? 0 : m->inc_stage + 1;
	m->commits++;
}

static void heading(void)
{
	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. After each %d events: rate in\n"
	       " * sixteenths of a bit/s, sum of the rates after each of them in bit/s, U in Q32, and how\n"
	       " * often so far telemetry was used and the reference window committed.\n */\n",
	       "SPDX", HPCC_EV_ROW);
}

/* One row after each HPCC_EV_ROW events; the caller adds up the sum. */
static void row(const struct model *m, double rate, double sum, int event)
{
	printf("%s{ %llu, %llu, %llu, %u, %u },",
	       event / HPCC_EV_ROW % 2 ? "\n\t" : " ", (u64)(rate * 16 + 0.5),
	       (u64)(sum + 0.5), (u64)(m->u * (1 << 24) * 256 + 0.5), m->used,
	       m->commits);
}

#endif /* _RXE_CC_HPCC_MODEL_H */
