// SPDX-License-Identifier: GPL-2.0
/*
 * Writes dart_vectors.h: what DASR must do, computed in double precision from section
 * III of the paper and what algos/cc_dart.c says it has settled. User space; only the
 * events are common with the kernel's test, and DCQCN with the model of its own table.
 * A row is written every DART_PER_POINT events: the rate, the sum of the rates after
 * each of the sender's events since the row before, the sum of the n that were told;
 * CNPs, marks held back, changes of the kind of congestion and values out of range so
 * far.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dcqcn_model.h"
#include "dart_events.h"

struct conf {
	const char *name, *values;
	struct dcqcn_conf c;
	double base, eta, busy, window, hold, np, n_max, n_hold, line_mbps;
	unsigned long long seed;
};

#define PAPER .c.time_reset = 55e3, .c.byte_reset = 10e6, .c.ai = 40e6, .c.hai = 400e6,	\
	.c.unit = 40e9, .c.min = 1e6, .c.gd_div = 2, .c.one_minus_g = 255.0 / 256,	\
	.c.alpha_period = 55e3, .c.alpha0 = 1, .c.f = 5, .c.clamp = true,		\
	.c.clamp_ati = true, .np = 50e3, .eta = 1, .busy = 0.95, .n_max = 4096,		\
	.n_hold = 1e9
#define MLX5 .c.time_reset = 300e3, .c.byte_reset = 32767 * 64, .c.ai = 5e6,		\
	.c.hai = 50e6, .c.min = 1e6, .c.gd_div = 2, .c.min_dec_fac = 0.5,		\
	.c.one_minus_g = 1019.0 / 1024, .c.alpha_period = 1e3,				\
	.c.alpha0 = 1023.0 / 1024, .c.cut_period = 4e3, .c.f = 1, .c.clamp_ati = true,	\
	.np = 4e3

static const struct conf confs[] = {
	{ .name = "paper_10g", .values = "", .c.line = 10e9, PAPER, .base = 22e3,
	  .line_mbps = 10e3, .seed = 11 },
	{ .name = "paper_100g", .values = "", .c.line = 100e9, PAPER, .base = 8e3,
	  .line_mbps = 100e3, .seed = 12 },
	/* The receiver's port is slower, and nobody knows how far away it is. */
	{ .name = "mixed", .values = "", .c.line = 100e9, PAPER, .base = 0,
	  .line_mbps = 25e3, .seed = 13 },
	{ .name = "odd_40g", .c.line = 40e9, MLX5, .base = 12e3, .eta = 0.875,
	  .busy = 0.75, .window = 5e3, .hold = 31e3, .n_max = 20, .n_hold = 40e3,
	  .line_mbps = 40e3, .seed = 14,
	  .values = "{ \"eta\", RXE_CC_Q24(7, 8) }, { \"rx_busy\", RXE_CC_Q24(3, 4) },\n"
		    "\t{ \"rate_window\", 5000 }, { \"ce_hold\", 31000 }, { \"n_max\", 20 },\n"
		    "\t{ \"n_hold\", 40000 }, " },
	{ .name = NULL }
};

/* Both halves of a queue pair. */
struct model {
	const struct conf *k;
	struct dcqcn_model rp;
	double now;
	/* sender */
	double rate, n, line, told_at, idle_at;
	bool told, open, busy;
	int bad;
	/* receiver */
	bool met, marked;
	double prev, since, last, prev_bytes, bytes, mark_at, cnp_at, told_n;
	double gap, gap_bytes;
	bool slow;
	int state, changes, cnps, held;
	double told_sum, rate_sum;
};

static double base_of(const struct conf *k)
{
	return k->base ? k->base : 50e3;
}

static double share_of(const struct model *m)
{
	if (!m->told || m->now - m->told_at > m->k->n_hold)
		return m->k->c.line;
	return fmin(m->k->eta * m->line / m->n, m->k->c.line);
}

static void set_rate(struct model *m)
{
	m->rate = fmin(m->rp.rc, share_of(m));
	m->rate_sum += m->rate;
}

static void set_busy(struct model *m, const struct dart_event *e)
{
	bool busy = m->open || e->inflight_bytes;

	if (busy && !m->busy &&
	    m->now - m->idle_at > base_of(m->k) + ceil(DART_PKT_BYTES * 8e9 / m->rate))
		m->told = false;
	if (!busy && m->busy)
		m->idle_at = m->now;
	m->busy = busy;
}

static void hear(struct model *m, const struct dart_event *e)
{
	m->n = fmin(fmax(e->n, 1), m->k->n_max);
	m->line = e->line_bps ? fmin(fmax(e->line_bps, 1e3), 800e9) : m->k->c.line;
	m->bad += e->n < 1 || e->n > m->k->n_max || e->line_bps < 1000 ||
		  e->line_bps > 800000000000ULL;
	m->told = true;
	m->told_at = m->now;
}

static double window_of(const struct conf *k)
{
	return k->window ? k->window : base_of(k);
}

static bool settled(const struct model *m)
{
	double span = m->last - m->prev;

	return span > 0 && span >= floor(window_of(m->k) / 8);
}

/* Rounds end with the first packet that comes when a window is over. A gap of more than
 * that ends all, but says how rare packets are, if there was no end of a message in it or
 * nothing could be said before it either.
 */
static void meter(struct model *m, double bytes, bool goes_on)
{
	double before = m->last;

	if (!m->met || m->now - m->last > window_of(m->k)) {
		m->gap = m->met ? m->now - m->prev : 0;
		m->gap_bytes = m->prev_bytes + m->bytes + bytes;
		m->slow = m->met && !settled(m);
		m->prev = m->now;
		m->since = m->now;
		m->prev_bytes = 0;
		m->bytes = 0;
	} else {
		m->bytes += bytes;
		if (m->now - m->since >= window_of(m->k)) {
			m->prev = m->since;
			m->prev_bytes = m->bytes;
			m->since = m->now;
			m->bytes = 0;
		}
	}
	if (goes_on && before < m->prev)
		m->slow = true;
	m->met = true;
	m->last = m->now;
}

static void classify(struct model *m)
{
	double span = 0, bytes = 0, rate;
	int state = 0;

	if (settled(m)) {
		span = m->last - m->prev;
		bytes = m->prev_bytes + m->bytes;
	} else if (m->slow) {
		span = m->gap;
		bytes = m->gap_bytes;
	}
	if (m->marked && m->now - m->mark_at < (m->k->hold ? m->k->hold : base_of(m->k)) &&
	    span > 0) {
		rate = bytes * 8e9 / span;
		state = rate >= m->k->busy * m->k->c.line ? 1 : 2;
	}
	m->changes += state != m->state;
	m->state = state;
}

static double n_of(const struct model *m, const struct dart_event *e)
{
	return m->state == 2 ? 1 : fmin(fmax(e->senders, 1), m->k->n_max);
}

static void data(struct model *m, const struct dart_event *e)
{
	meter(m, e->bytes, !e->start);
	if (e->ce) {
		m->marked = true;
		m->mark_at = m->now;
	}
	classify(m);
	if (!e->ce)
		return;
	if (m->state != 2 && e->obeys) {
		m->held++;
	} else if (!m->cnp_at || m->now - m->cnp_at >= m->k->np) {
		m->cnp_at = m->now;
		m->cnps++;
	}
}

static void event(struct model *m, const struct dart_event *e)
{
	m->now += e->dt_ns;
	switch (e->kind) {
	case DART_DATA:
		data(m, e);
		return;
	case DART_FILL:
		classify(m);
		m->told_sum += n_of(m, e);
		return;
	default:
		break;
	}
	/* A CNP and an update of alpha at one time: see cc_dcqcn_rp.c */
	if (e->kind == DART_CNP && !m->k->c.cut_period && m->now == m->rp.next_alpha) {
		fprintf(stderr, "%s: take another seed\n", m->k->name);
		exit(1);
	}
	dcqcn_run_until(&m->rp, m->now);
	if (e->kind == DART_TOLD)
		hear(m, e);
	if (e->kind == DART_SENT) {
		m->open = !e->end;
		dcqcn_sent(&m->rp, e->bytes);
	}
	if (e->kind == DART_CNP)
		dcqcn_cnp(&m->rp);
	else
		set_busy(m, e);
	set_rate(m);
}

static void table(const struct conf *k)
{
	struct dart_source src = { .prng = { k->seed }, .line_mbps = k->line_mbps };
	struct model m = { .k = k, .now = 1e9, .rate = k->c.line };
	int i, j;

	m.rp = (struct dcqcn_model) { .c = &k->c, .now = 1e9, .rc = k->c.line,
				      .rt = k->c.line, .next_alpha = NEVER,
				      .next_cut = NEVER, .next_inc = NEVER };
	printf("\nstatic const struct dart_value dart_values_%s[] = {\n\t%s{ NULL, 0 }\n};\n",
	       k->name, k->values);
	printf("\nstatic const struct dart_point dart_points_%s[DART_POINTS] = {\n", k->name);
	for (i = 0; i < DART_POINTS; i++) {
		m.rate_sum = 0;
		m.told_sum = 0;
		for (j = 0; j < DART_PER_POINT; j++) {
			struct dart_event e = dart_next_event(&src);

			event(&m, &e);
		}
		printf("\t{ %.0f, %.0f, %.0f, %d, %d, %d, %d },\n", m.rate, m.rate_sum,
		       m.told_sum, m.cnps, m.held, m.changes, m.bad);
	}
	printf("};\n");
}

static void row(const struct conf *k)
{
	printf("\t{ .name = \"%s\", .preset = \"%s\", .line_bps = %.0f, .base_ns = %.0f,\n"
	       "\t  .source = { .prng = { %llu }, .line_mbps = %.0f },\n"
	       "\t  .values = dart_values_%s, .points = dart_points_%s },\n", k->name,
	       k->c.cut_period ? "mlx5" : "paper", k->c.line, k->base, k->seed,
	       k->line_mbps, k->name, k->name);
}

int main(void)
{
	const struct conf *k;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected rate in bit/s,\n"
	       " * sum of rates, sum of n; CNPs, marks held back, changes, bad values so far.\n */\n",
	       "SPDX");
	for (k = confs; k->name; k++)
		table(k);
	printf("\nstatic const struct dart_table dart_tables[] = {\n");
	for (k = confs; k->name; k++)
		row(k);
	printf("};\n");
	return 0;
}
