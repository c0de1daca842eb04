// SPDX-License-Identifier: GPL-2.0
/*
 * Writes rcc_vectors.h: what RCC must do, computed in double precision from
 * ToN 31(1), 2023, Algorithm 1 and equations 1 to 5, with the choices that
 * Documentation/algorithms/rcc.md lists. User space; only the events are common with
 * the kernel's test. A row is written every RCC_PER_POINT events: the rate, the sum of
 * the rates and of the windows after each event since the row before, and how often PID
 * has begun.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "rcc_events.h"

struct conf {
	const char *name;
	const char *preset;	/* NULL: all values are given to the kernel */
	double line, t;
	double eta, hyst, delta, kp, kd, unit, umax, leak;
	int n, scale, n_max;
	bool ewa, side, linger, confirm, hold, reach, own, reset;
	unsigned long long seed;
};

#define STABLE	.eta = .95, .hyst = .05, .delta = .2, .n = 3, .kp = 1e4, .kd = 1e4, \
		.unit = 12e3, .umax = .55, .leak = .25, .n_max = 16384, .ewa = true, \
		.linger = true, .confirm = true, .hold = true, .reach = true, \
		.own = true, .reset = true

static const struct conf confs[] = {
	{ .name = "stable_100g", .preset = "stable", .line = 100e9, .t = 12000, STABLE,
	  .seed = 1 },
	{ .name = "stable_10g", .preset = "stable", .line = 10e9, .t = 50123, STABLE,
	  .seed = 2 },
	{ .name = "paper_100g", .preset = "paper", .line = 100e9, .t = 12000, .eta = .95,
	  .delta = .2, .n = 3, .kp = 1e4, .kd = 1e5, .umax = 16, .n_max = 16384,
	  .ewa = true, .seed = 3 },
	{ .name = "sigmoid_400g", .line = 400e9, .t = 2003, .eta = .9375, .hyst = .0625,
	  .delta = .5, .n = 1, .kp = 16, .kd = 7e3, .umax = 4, .scale = 1, .n_max = 1000,
	  .ewa = true, .confirm = true, .seed = 4 },
	{ .name = "twice_25g", .line = 25e9, .t = 100e3, .eta = .95, .hyst = .05,
	  .delta = .125, .n = 5, .kp = 500, .kd = 3e4, .umax = 1, .leak = 1, .scale = 2,
	  .n_max = 64, .linger = true, .own = true, .seed = 5 },
	{ .name = "sender_100g", .line = 100e9, .t = 12000, STABLE, .side = true,
	  .seed = 6 },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double u, w, rate, e;	/* of PID */
	double due, before, since, end;
	double from, bytes, sum;	/* what the flow gets, and its delays */
	int over, pkts;
	unsigned int entries;
	bool on, busy, congested, ended, starved;
	double told_rate, told_w;
};

/* A full packet on the wire. */
#define PKT	1106.0

static double q24(double v)
{
	return floor(v * (1 << 24) + .5) / (1 << 24);
}

static double factor(const struct conf *c, double u)
{
	double s = 1 / (1 + exp(-u));

	return c->scale == 0 ? 1 - tanh(u) : c->scale == 1 ? 1 - s : 2 - 2 * s;
}

static double fair_rate(const struct conf *c, int n)
{
	double give = q24(c->eta) * c->line;

	if (!c->ewa)
		return c->line;
	return fmax(give / n, give / c->n_max);
}

/* The bound of W. */
static double most_bytes(const struct conf *c, double fair)
{
	return fair * c->t / 8e9 * (c->reach ? 1 + q24(c->delta) / 2 : 1);
}

static double in_force(const struct model *m, double fair)
{
	return m->on ? fmin(m->w, most_bytes(m->c, fair)) : fair * m->c->t / 8e9;
}

/* From packet to packet, in whole ns. */
static double own_round(const struct model *m, double fair)
{
	double w = in_force(m, fair);

	return m->c->own && w < PKT ? floor(fmin(m->c->t * PKT / w, 1e9)) : m->c->t;
}

static double pid_rate(const struct conf *c, double w, double over)
{
	if (c->own)
		over = fmin(over * fmin(1, w / PKT), c->t * q24(c->delta));
	return w * 8e9 / (c->t + over);
}

static void next(struct model *m, const struct rcc_event *e)
{
	m->due = e->now_ns + (m->c->own ? 0 : m->c->t + e->over_ns);
}

static void update(struct model *m, const struct rcc_event *e, double fair, double err,
		   double round)
{
	const struct conf *c = m->c;
	double scale = c->unit ? c->unit / round : 1;
	double most = most_bytes(c, fair), least = q24(c->eta) * c->line / c->n_max * c->t / 8e9;

	if (c->hold && c->ewa && err > 0 &&
	    (m->busy || (e->over_ns > q24(c->delta) * round && !m->congested))) {
		m->rate = m->w * 8e9 / c->t;
		m->u = 0;
		m->e = err;
		next(m, e);
		return;
	}
	if (c->reset && (err > 0 ? m->u < 0 : m->u > 0))
		m->u = 0;
	m->u *= 1 - q24(c->leak);
	m->u += scale * (c->kp * err + c->kd * (err - m->e)) / 1e9;
	m->u = fmax(fmin(m->u, q24(c->umax)), -q24(c->umax));
	m->w *= factor(c, m->u);
	if (m->w >= most) {
		m->w = most;
		m->u = fmax(m->u, 0);
	} else if (m->w <= least) {
		m->w = least;
		m->u = fmin(m->u, 0);
	}
	m->e = err;
	m->rate = pid_rate(c, m->w, e->over_ns);
	next(m, e);
}

static void measure_from(struct model *m, double now)
{
	m->from = now;
	m->bytes = 0;
	m->sum = 0;
	m->pkts = 0;
}

/* The window is full, and the share is not had, over 16 packets and a round trip. */
static void measure(struct model *m, const struct rcc_event *e, double fair)
{
	double t = m->c->t, span = e->now_ns - m->from, full;

	m->bytes += PKT;
	if (!e->has_owd)
		return;
	m->pkts++;
	m->sum += e->over_ns;
	if (m->pkts < 16 || span < t + m->sum / m->pkts)
		return;
	full = floor(in_force(m, fair)) * span / (t + floor(m->sum / m->pkts));
	m->starved = m->bytes >= .9 * full && m->bytes < .9 * fair * span / 8e9;
	measure_from(m, e->now_ns);
}

/* Algorithm 1, lines 6 to 19. */
static void delay(struct model *m, const struct rcc_event *e, double fair)
{
	const struct conf *c = m->c;
	double round = own_round(m, fair);
	double err = e->over_ns - q24(c->delta) * round / 2;
	bool high = e->over_ns > q24(c->delta) * round;
	bool due = e->now_ns >= m->due + (c->own ? round + m->before : 0);

	m->before = e->over_ns;
	if (high && !m->over++)
		m->since = e->now_ns;
	if (!high)
		m->over = 0;
	m->congested = m->over >= c->n && (!c->confirm || e->now_ns - m->since >= c->t);
	if (!m->on) {
		if (c->ewa && (!m->congested || m->busy))
			return;
		m->on = true;
		m->entries++;
		m->u = 0;
		m->w = m->told_w;
		m->rate = m->told_rate;
		m->e = err;
		next(m, e);
	} else if (due) {
		update(m, e, fair, err, round);
	}
}

static void off(struct model *m)
{
	m->on = false;
	m->starved = false;
	m->over = 0;
}

static void event(struct model *m, const struct rcc_event *e)
{
	const struct conf *c = m->c;
	double fair = fair_rate(c, e->n);

	if (e->start && m->ended) {
		double gap = ceil(PKT * 8e9 / floor(c->side ? m->told_rate : m->rate));
		double round = c->t + (e->has_owd && !c->side ? e->over_ns : 0);
		bool silent = e->now_ns - m->end > round + gap;

		if (c->side ? silent : e->now_ns - m->end > round)
			measure_from(m, e->now_ns);
		if (silent && (m->on || c->side))
			off(m);
	}
	measure(m, e, fair);
	m->busy = e->load / 1e3 >= q24(c->eta) - (m->busy && !m->starved ? q24(c->hyst) : 0);
	if (e->has_owd) {
		if (!m->on) {
			m->told_rate = fair;
			m->told_w = fair * c->t / 8e9;
		}
		delay(m, e, fair);
	}
	m->told_w = fair * c->t / 8e9;
	m->told_rate = fair;
	if (m->on && m->w >= most_bytes(c, fair)) {
		m->told_w = most_bytes(c, fair);
	} else if (m->on) {
		m->told_w = m->w;
		m->told_rate = fmin(m->rate, fair);
	}
	m->ended = e->end;
	m->end = e->now_ns;
	if (e->end && !c->linger && !c->side)
		off(m);
}

static void values(const struct conf *c)
{
	double one = 1 << 24;

	printf("\nstatic const struct rcc_value rcc_values_%s[] = {\n"
	       "\t{ \"eta\", %.0f }, { \"eta_hyst\", %.0f }, { \"delta\", %.0f },\n"
	       "\t{ \"kp\", %.0f }, { \"kd\", %.0f }, { \"rtt_unit\", %.0f }, { \"umax\", %.0f },\n"
	       "\t{ \"n\", %d }, { \"leak\", %.0f }, { \"scale\", %d }, { \"n_max\", %d }, { \"ewa\", %d },\n"
	       "\t{ \"side\", %d }, { \"linger\", %d }, { \"confirm\", %d },\n"
	       "\t{ \"hold\", %d }, { \"reach\", %d }, { \"own_round\", %d }, { \"reset\", %d },\n"
	       "\t{ NULL, 0 }\n};\n",
	       c->name, q24(c->eta) * one, q24(c->hyst) * one, q24(c->delta) * one,
	       c->kp * one, c->kd * one, c->unit, q24(c->umax) * one, c->n,
	       q24(c->leak) * one, c->scale, c->n_max, c->ewa, c->side, c->linger, c->confirm,
	       c->hold, c->reach, c->own, c->reset);
}

static void source(const struct conf *c, struct rcc_source *src)
{
	*src = (struct rcc_source) {
		.prng = { c->seed }, .line_bps = c->line, .t_ns = c->t,
		.high_ns = q24(c->delta) * c->t, .now_ns = 1000000, .n = 1,
	};
}

static void scenario(const struct conf *c)
{
	struct model m = { .c = c };
	struct rcc_source src;
	int i, j, column = 0;

	source(c, &src);
	printf("\nstatic const struct rcc_point rcc_points_%s[RCC_POINTS] = {", c->name);
	for (i = 0; i < RCC_POINTS; i++) {
		double sum = 0, sum_w = 0;
		char text[100];
		int n;

		for (j = 0; j < RCC_PER_POINT; j++) {
			struct rcc_event e = rcc_next_event(&src);

			event(&m, &e);
			sum += m.told_rate;
			sum_w += m.told_w;
		}
		n = snprintf(text, sizeof(text), " { %.0f, %.0f, %.0f, %u },",
			     m.told_rate, sum, sum_w, m.entries);
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

	printf("\nstatic const struct rcc_table rcc_tables[] = {\n");
	for (c = confs; c->name; c++) {
		struct rcc_source src;

		source(c, &src);
		printf("\t{ \"%s\", ", c->name);
		if (c->preset)
			printf("\"%s\", NULL,\n", c->preset);
		else
			printf("NULL, rcc_values_%s,\n", c->name);
		printf("\t  rcc_points_%s,\n"
		       "\t  { .prng = { %llu }, .line_bps = %llu, .t_ns = %u, .high_ns = %u,\n"
		       "\t    .now_ns = %llu, .n = %u } },\n",
		       c->name, src.prng.state, src.line_bps, src.t_ns, src.high_ns,
		       src.now_ns, src.n);
	}
	printf("};\n");
}

int main(void)
{
	const struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected rate in bit/s,\n"
	       " * sum of rates and of windows in bytes since the last row, how often PID began.\n */\n",
	       "SPDX");
	for (c = confs; c->name; c++) {
		if (!c->preset)
			values(c);
		scenario(c);
	}
	table();
	return 0;
}
