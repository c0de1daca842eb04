// SPDX-License-Identifier: GPL-2.0
/*
 * Writes mercury_vectors.h: what Mercury's sender must do, computed in double precision
 * from algorithm 2 of the paper and from what algos/cc_mercury.c says it has settled. User
 * space; only the events are common with the kernel's test, and DCQCN with the model of
 * its own table. A row is written every MERCURY_PER_POINT events: the rate, the sum of the
 * rates after each event since the row before, the sum of the windows in force that a
 * single queue pair would have, for which a switch's window never expires; windows
 * lifted and cuts held back so far.
 *
 * Of a port's windows the newest holds; to the letter of line 17, cwnd = min(cwnd, Win), the
 * smallest does, until all are lifted. Of several ports the smallest holds either way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dcqcn_model.h"
#include "mercury_events.h"

struct conf {
	const char *name, *values, *preset;
	struct dcqcn_conf c;
	double interval, w0;
	unsigned long long seed;
	int ports;		/* that tell windows */
	bool least;		/* line 17 to the letter */
};

#define PAPER .preset = "paper", .c.time_reset = 55e3, .c.byte_reset = 10e6,		\
	.c.ai = 40e6, .c.hai = 400e6, .c.unit = 40e9, .c.min = 1e6, .c.gd_div = 2,	\
	.c.one_minus_g = 255.0 / 256, .c.alpha_period = 55e3, .c.alpha0 = 1, .c.f = 5,	\
	.c.clamp = true, .c.clamp_ati = true
#define MLX5 .preset = "mlx5", .c.time_reset = 300e3, .c.byte_reset = 32767 * 64,	\
	.c.ai = 5e6, .c.hai = 50e6, .c.min = 1e6, .c.gd_div = 2, .c.min_dec_fac = 0.5,	\
	.c.one_minus_g = 1019.0 / 1024, .c.alpha_period = 1e3, .c.alpha0 = 1023.0 / 1024, \
	.c.cut_period = 4e3, .c.f = 1, .c.clamp_ati = true

static const struct conf confs[] = {
	{ .name = "paper_40g", .values = "", PAPER, .c.line = 40e9, .interval = 50e3,
	  .w0 = 1.125, .seed = 21, .ports = 1 },
	{ .name = "ports_40g", .values = "", PAPER, .c.line = 40e9, .interval = 50e3,
	  .w0 = 1.125, .seed = 24, .ports = 3 },
	/* To the letter: each CNP cuts, the window is C base RTT, and the least holds. */
	{ .name = "letter_100g", PAPER, .c.line = 100e9, .w0 = 1, .seed = 22,
	  .ports = 1, .least = true,
	  .values = "{ \"cut_interval\", 0 }, { \"initial_window\", RXE_CC_Q24(1, 1) }, " },
	{ .name = "mlx5_25g", MLX5, .c.line = 25e9, .interval = 20e3, .w0 = 0, .seed = 23,
	  .ports = 1,
	  .values = "{ \"cut_interval\", 20000 }, { \"initial_window\", 0 }, " },
	{ .name = NULL }
};

struct model {
	const struct conf *k;
	struct dcqcn_model rp;
	double now, rtt, told_at, cut_at;
	double win[MERCURY_MAX_PORTS];
	bool told;
	int lifted, held;
	double rate_sum, win_sum;
};

static double base_window(const struct model *m)
{
	double bytes;

	if (!m->k->w0 || !m->rtt)
		return HUGE_VAL;
	/* Whole bytes, then whole packets. */
	bytes = floor(floor(m->k->c.line * m->rtt / 8e9) * m->k->w0 + 0.5);
	return fmax(ceil(bytes / MERCURY_PKT_BYTES), 1) * MERCURY_PKT_BYTES;
}

static double least_window(const struct model *m)
{
	double least = HUGE_VAL;
	int i;

	for (i = 0; i < MERCURY_MAX_PORTS; i++)
		least = fmin(least, m->win[i]);
	return least;
}

static void no_windows(struct model *m)
{
	int i;

	for (i = 0; i < MERCURY_MAX_PORTS; i++)
		m->win[i] = HUGE_VAL;
}

/* The rate was @before, and is whole bit/s in the kernel. */
static void risen(struct model *m, double before, double at)
{
	if (m->rp.rc - before < 0.5 || least_window(m) == HUGE_VAL ||
	    at - m->told_at < m->k->interval)
		return;
	no_windows(m);
	m->lifted++;
}

static double next_due(const struct dcqcn_model *m)
{
	return fmin(m->next_inc, fmin(m->next_cut, m->next_alpha));
}

static void pass(struct model *m, double until)
{
	while (next_due(&m->rp) <= until) {
		double before = m->rp.rc, at = next_due(&m->rp);

		dcqcn_run_until(&m->rp, at);
		risen(m, before, at);
	}
	dcqcn_run_until(&m->rp, until);
}

static void window(struct model *m, int port, double bytes)
{
	bool hold = m->told && m->now - m->cut_at < m->k->interval;

	m->win[port] = m->k->least ? fmin(m->win[port], bytes) : bytes;
	m->told = true;
	m->told_at = m->now;
	if (hold) {
		m->held++;
		return;
	}
	m->cut_at = m->now;
	dcqcn_cnp(&m->rp);
}

static void event(struct model *m, const struct mercury_event *e)
{
	bool cnp = e->kind == MERCURY_CNP || e->kind == MERCURY_WIN;
	double before;

	m->now += e->dt_ns;
	/* A CNP and an update of alpha at one time: see cc_dcqcn_rp.c */
	if (cnp && !m->k->c.cut_period && m->now == m->rp.next_alpha) {
		fprintf(stderr, "%s: take another seed\n", m->k->name);
		exit(1);
	}
	pass(m, m->now);
	switch (e->kind) {
	case MERCURY_SENT:
		before = m->rp.rc;
		dcqcn_sent(&m->rp, e->bytes);
		risen(m, before, m->now);
		break;
	case MERCURY_ACK:
		m->rtt = e->rtt_ns;
		break;
	case MERCURY_CNP:
		dcqcn_cnp(&m->rp);
		break;
	case MERCURY_WIN:
		window(m, mercury_port_of(e, m->k->ports), e->window_bytes);
		break;
	}
	m->rate_sum += m->rp.rc;
	before = fmin(base_window(m), least_window(m));
	m->win_sum += before == HUGE_VAL ? 0 : before;
}

static void table(const struct conf *k)
{
	struct mercury_source src = { .prng = { k->seed } };
	struct model m = { .k = k, .now = 1e9 };
	int i, j;

	no_windows(&m);
	m.rp = (struct dcqcn_model) { .c = &k->c, .now = 1e9, .rc = k->c.line,
				      .rt = k->c.line, .next_alpha = NEVER,
				      .next_cut = NEVER, .next_inc = NEVER };
	printf("\nstatic const struct mercury_value mercury_values_%s[] = {\n\t%s{ NULL, 0 }\n};\n",
	       k->name, k->values);
	printf("\nstatic const struct mercury_point mercury_points_%s[MERCURY_POINTS] = {\n",
	       k->name);
	for (i = 0; i < MERCURY_POINTS; i++) {
		m.rate_sum = 0;
		m.win_sum = 0;
		for (j = 0; j < MERCURY_PER_POINT; j++) {
			struct mercury_event e = mercury_next_event(&src);

			event(&m, &e);
		}
		printf("\t{ %.0f, %.0f, %.0f, %d, %d },\n", m.rp.rc, m.rate_sum, m.win_sum,
		       m.lifted, m.held);
	}
	printf("};\n");
}

int main(void)
{
	const struct conf *k;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected rate in bit/s,\n"
	       " * sum of rates, sum of windows; windows lifted, cuts held back so far.\n */\n",
	       "SPDX");
	for (k = confs; k->name; k++)
		table(k);
	printf("\nstatic const struct mercury_table mercury_tables[] = {\n");
	for (k = confs; k->name; k++)
		printf("\t{ .name = \"%s\", .preset = \"%s\", .line_bps = %.0f,\n"
		       "\t  .source = { .prng = { %llu } }, .ports = %d, .least = %s,\n"
		       "\t  .values = mercury_values_%s, .points = mercury_points_%s },\n",
		       k->name, k->preset, k->c.line, k->seed, k->ports,
		       k->least ? "true" : "false", k->name, k->name);
	printf("};\n");
	return 0;
}
