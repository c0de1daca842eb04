// SPDX-License-Identifier: GPL-2.0
/*
 * Writes timely_vectors.h: what TIMELY must do, computed in double precision from
 * SIGCOMM 2015, section 4.3. User space; only the events are common with the
 * kernel's test. A row is written every TIMELY_PER_POINT events: the rate, the sum
 * of the rates after each event since the row before, updates and cuts so far.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "timely_events.h"

struct conf {
	const char *name;
	const char *preset;	/* NULL: all values are given to the kernel */
	double line, t_low, t_high, rtt_unit, min_rtt, beta, ewma, delta;
	double rate_unit, min_rate, base;
	int hai_n;
	bool hai_low;
	unsigned long long seed;
};

static const struct conf confs[] = {
	{ .name = "paper_10g", .preset = "paper", .line = 10e9, .t_low = 50e3,
	  .t_high = 500e3, .rtt_unit = 20e3, .beta = 0.8, .ewma = 0.875,
	  .delta = 10e6, .rate_unit = 10e9, .min_rate = 10e6, .base = 20e3,
	  .hai_n = 5, .seed = 1 },
	{ .name = "paper_100g", .preset = "paper", .line = 100e9, .t_low = 50e3,
	  .t_high = 500e3, .rtt_unit = 20e3, .beta = 0.8, .ewma = 0.875,
	  .delta = 10e6, .rate_unit = 10e9, .min_rate = 10e6, .base = 4177,
	  .hai_n = 5, .seed = 2 },
	{ .name = "ns3_10g", .preset = "ns3", .line = 10e9, .t_low = 50e3,
	  .t_high = 500e3, .min_rtt = 20e3, .beta = 0.8, .ewma = 0.875,
	  .delta = 10e6, .rate_unit = 10e9, .min_rate = 100e6, .base = 5600,
	  .hai_n = 5, .hai_low = true, .seed = 3 },
	{ .name = "odd_1g", .line = 1e9, .t_low = 1e6, .t_high = 3e6,
	  .min_rtt = 300e3, .beta = 0.5, .ewma = 0.02, .delta = 1e6,
	  .min_rate = 1e3, .base = 200e3, .hai_n = 3, .seed = 4 },
	{ .name = "odd_400g", .line = 400e9, .t_high = 30e3, .rtt_unit = 1999,
	  .beta = 1, .ewma = 1, .delta = 5e6, .rate_unit = 100e9,
	  .min_rate = 1e6, .base = 2003, .hai_n = 7, .hai_low = true,
	  .seed = 5 },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double rate, avg, rtt;
	bool started;
	int raised, updates, cuts;
	unsigned long long until;
};

static void raise(struct model *m, bool low)
{
	const struct conf *c = m->c;
	double step = c->delta;

	if (c->rate_unit)
		step *= c->line / c->rate_unit;
	if (m->raised >= c->hai_n && (c->hai_low || !low))
		step *= c->hai_n;
	m->raised++;
	m->rate = fmin(m->rate + step, c->line);
}

static void cut(struct model *m, double part)
{
	const struct conf *c = m->c;
	double scale = c->rate_unit ? c->line / c->rate_unit : 1;

	m->raised = 0;
	m->cuts++;
	m->rate = fmax(m->rate * (1 - part), c->min_rate * scale);
}

static void ack(struct model *m, const struct timely_event *e)
{
	const struct conf *c = m->c;
	double scale = c->rtt_unit ? c->base / c->rtt_unit : 1;
	double min_rtt = c->min_rtt ? c->min_rtt : c->base;

	if (!e->rtt_ns || (m->started && e->seq < m->until))
		return;
	if (m->started) {
		m->updates++;
		m->avg = (1 - c->ewma) * m->avg + c->ewma * (e->rtt_ns - m->rtt);
		if (e->rtt_ns < c->t_low * scale)
			raise(m, true);
		else if (e->rtt_ns > c->t_high * scale)
			cut(m, c->beta * (1 - c->t_high * scale / e->rtt_ns));
		else if (m->avg < 1.0 / 1024)
			raise(m, false);
		else
			cut(m, c->beta * m->avg / min_rtt);
	}
	m->started = true;
	m->rtt = e->rtt_ns;
	m->until = e->next_seq;
}

static void values(const struct conf *c)
{
	double q24 = 1 << 24;

	printf("\nstatic const struct timely_value timely_values_%s[] = {\n"
	       "\t{ \"t_low\", %.0f }, { \"t_high\", %.0f }, { \"rtt_unit\", %.0f },\n"
	       "\t{ \"min_rtt\", %.0f }, { \"beta\", %.0f }, { \"ewma\", %.0f },\n"
	       "\t{ \"delta\", %.0f }, { \"hai_n\", %d }, { \"hai_low\", %d },\n"
	       "\t{ \"rate_unit\", %.0f }, { \"min_rate\", %.0f }, { NULL, 0 }\n};\n",
	       c->name, c->t_low, c->t_high, c->rtt_unit, c->min_rtt,
	       c->beta * q24, c->ewma * q24, c->delta, c->hai_n, c->hai_low,
	       c->rate_unit, c->min_rate);
}

static void scenario(const struct conf *c)
{
	double scale = c->rtt_unit ? c->base / c->rtt_unit : 1;
	struct timely_source src = {
		.prng = { c->seed }, .base_ns = c->base, .low_ns = c->t_low * scale,
		.high_ns = c->t_high * scale, .rtt_ns = c->base,
	};
	struct model m = { .c = c, .rate = c->line };
	int i, j, column = 0;

	printf("\nstatic const struct timely_point timely_points_%s[TIMELY_POINTS] = {",
	       c->name);
	for (i = 0; i < TIMELY_POINTS; i++) {
		double sum = 0;
		char text[80];
		int n;

		for (j = 0; j < TIMELY_PER_POINT; j++) {
			struct timely_event e = timely_next_event(&src);

			ack(&m, &e);
			sum += m.rate;
		}
		n = snprintf(text, sizeof(text), " { %.0f, %.0f, %d, %d },",
			     m.rate, sum, m.updates, m.cuts);
		if (!column || column + n > 98) {
			printf("\n\t%s", text + 1);
			column = 8 + n - 1;
		} else {
			printf("%s", text);
			column += n;
		}
	}
	printf("\n};\n");
}

static void table(void)
{
	const struct conf *c;

	printf("\nstatic const struct timely_table timely_tables[] = {\n");
	for (c = confs; c->name; c++) {
		double scale = c->rtt_unit ? c->base / c->rtt_unit : 1;

		printf("\t{ \"%s\", ", c->name);
		if (c->preset)
			printf("\"%s\", NULL,\n", c->preset);
		else
			printf("NULL, timely_values_%s,\n", c->name);
		printf("\t  timely_points_%s, %.0f,\n"
		       "\t  { { %llu }, %.0f, %u, %u, %.0f, 0, 0, 0 } },\n",
		       c->name, c->line, c->seed, c->base,
		       (unsigned int)(c->t_low * scale),
		       (unsigned int)(c->t_high * scale), c->base);
	}
	printf("};\n");
}

int main(void)
{
	const struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected rate in bit/s,\n"
	       " * sum of rates since the last row, updates, cuts.\n */\n", "SPDX");
	for (c = confs; c->name; c++) {
		if (!c->preset)
			values(c);
		scenario(c);
	}
	table();
	return 0;
}
