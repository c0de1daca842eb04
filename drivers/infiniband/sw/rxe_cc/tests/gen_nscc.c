// SPDX-License-Identifier: GPL-2.0
/*
 * Writes nscc_vectors.h: what NSCC must do, computed in double precision from section 3.6.13 of the
 * Ultra Ethernet Specification. User space; only the events are common with the kernel's test. A
 * row is written every NSCC_PER_POINT events: the window in 2^-10 bytes, the sum of the windows
 * after each event since the row before, the average delay in 2^-4 ns, how often the window was
 * multiplied and how often set to what had arrived.
 *
 * No event may be decided by how a number is rounded: the first seed from that of a configuration
 * on is taken with which nothing that is compared is closer than what rounding may do. Delays,
 * times and targets of the configurations are whole ns, so equal ones are equal.
 */
#include <math.h>
#include <stdio.h>

#include "nscc_events.h"

struct conf {
	const char *name;
	double line, base, pkt, gap;
	double target, max_wnd, alpha, fi, fi_scale, eta, gamma, jump, clear;
	double qa, qa_gate, bytes, period;
	unsigned long long seed;
};

#define NR_Q24	12

static struct conf confs[] = {
	{ "defaults_100g", 100e9, 4176, 1106, 200, 1, 1.5, 4, 5, .25, .15, .8, .5, 1. / 12, 4, 3,
	  8, 1, 1000 },
	{ "defaults_10g", 10e9, 20000, 1106, 2000, 1, 1.5, 4, 5, .25, .15, .8, .5, 1. / 12, 4, 3,
	  8, 1, 2000 },
	{ "defaults_400g", 400e9, 12000, 4178, 170, 1, 1.5, 4, 5, .25, .15, .8, .5, 1. / 12, 4, 3,
	  8, 1, 3000 },
	{ "gate_25g", 25e9, 12000, 554, 1500, .75, 1.5, 8, 2, .5, 1, 1, .125, .125, 2, 0, 3, .25,
	  4000 },
	{ "long_400g", 400e9, 1e6, 4178, 9000, .25, 1, 1, 1, .03125, 0, .5, .75, .0625, 3, 5, 64,
	  2, 5000 },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double w, inc, avg, avg_time, dec_time, adjust_time, qa_end;
	double achieved, received, idle, ignore, ignored, marked;
	bool told, fast, trigger;
	u32 cuts, adapts;
	int close;
};

static double bdp(const struct conf *c)
{
	return c->line * c->base / 8e9;
}

/* Is @a above @b; the two must not be within @eps unless they are equal. */
static bool above(struct model *m, double a, double b, double eps)
{
	m->close += a != b && fabs(a - b) < eps;
	return a > b;
}

static void set(struct model *m, double w)
{
	m->w = fmin(fmax(w, m->c->pkt), fmax(m->c->max_wnd * bdp(m->c), m->c->pkt));
}

static double per_rtt(const struct model *m, double packets)
{
	return packets * m->c->pkt * bdp(m->c) / 150000;
}

/* Section 3.6.13.6, quick_adapt() */
static bool quick_adapt(struct model *m, const struct nscc_event *e, bool loss, bool mark,
			double delay)
{
	const struct conf *c = m->c;
	double most = c->qa * c->target * c->base;
	bool done = false;

	if (m->ignored < m->ignore && mark) {
		done = true;
	} else if (e->now_ns >= m->qa_end) {
		if (m->qa_end && (m->trigger || loss || above(m, delay, most, .01)) &&
		    above(m, c->max_wnd * bdp(c) / pow(2, c->qa_gate), m->achieved, 1.5)) {
			set(m, m->achieved);
			m->ignore = e->inflight;
			m->ignored = 0;
			m->trigger = false;
			m->adapts++;
			done = true;
		}
		m->achieved = 0;
		m->qa_end = e->now_ns + c->base + floor(c->target * c->base);
	}
	if (done) {
		m->inc = 0;
		m->received = 0;
	}
	return done;
}

static void decrease(struct model *m, const struct nscc_event *e)
{
	double target = m->c->target * m->c->base;

	m->fast = false;
	m->idle = 0;
	if (!above(m, m->avg, target, .01) || e->now_ns - m->dec_time <= m->c->base)
		return;
	set(m, m->w * fmax(1 - m->c->gamma * (m->avg - target) / m->avg, m->c->jump));
	m->dec_time = e->now_ns;
	m->cuts++;
}

static void increase(struct model *m, const struct nscc_event *e, double delay)
{
	const struct conf *c = m->c;
	bool was = m->fast;

	m->fast = false;
	if (above(m, c->clear * c->base, delay, .001)) {
		m->idle += e->acked;
		if (was || above(m, m->idle, m->w, 2)) {
			set(m, m->w + e->acked * c->fi_scale * bdp(c) / 150000);
			m->fast = true;
			return;
		}
	} else {
		m->idle = 0;
	}
	m->inc += per_rtt(m, c->alpha) * e->acked * (c->target * c->base - delay) / 12000;
}

static void fulfill(struct model *m, const struct nscc_event *e)
{
	const struct conf *c = m->c;
	bool period = e->now_ns - m->adjust_time >= floor(c->period * c->base);

	if (!period && m->received <= c->bytes * c->pkt)
		return;
	m->inc /= m->w;
	if (period) {
		m->adjust_time = e->now_ns;
		m->inc += per_rtt(m, c->eta);
	}
	set(m, m->w + m->inc);
	m->inc = 0;
	m->received = 0;
}

static void ack(struct model *m, const struct nscc_event *e)
{
	const struct conf *c = m->c;
	double delay = e->rtt_ns - c->base;
	bool use, mark;

	m->achieved += e->acked;
	m->received += e->acked;
	m->ignored += e->acked;
	if (!e->rtt_ns || !e->fb)
		return;
	use = m->told && e->marked >= m->marked;
	mark = e->marked > m->marked;
	m->told = true;
	m->marked = e->marked;
	if (!use)
		return;
	m->avg += (delay - m->avg) * fmin(1, (e->now_ns - m->avg_time) / c->base);
	m->avg_time = e->now_ns;
	if (quick_adapt(m, e, false, mark, delay))
		return;
	if (!mark && delay >= c->target * c->base)
		m->inc += per_rtt(m, c->fi) * e->acked;
	else if (!mark)
		increase(m, e, delay);
	else if (delay >= c->target * c->base)
		decrease(m, e);
	fulfill(m, e);
}

static void event(struct model *m, const struct nscc_event *e)
{
	if (e->kind == NSCC_ACK)
		ack(m, e);
	if (e->kind == NSCC_TIMEOUT)
		set(m, 0);
	if (e->kind != NSCC_NAK)
		return;
	m->trigger = true;
	m->ignored += m->c->pkt;
	if (!quick_adapt(m, e, true, true, 0))
		set(m, m->w - m->c->pkt);
}

static struct nscc_source source(const struct conf *c)
{
	return (struct nscc_source){
		.prng = { c->seed }, .pkt_bytes = c->pkt, .base_ns = c->base, .gap_ns = c->gap,
	};
}

static struct model begin(const struct conf *c)
{
	struct model m = { .c = c };

	set(&m, INFINITY);
	return m;
}

static void choose_seed(struct conf *c)
{
	struct nscc_source src;
	struct nscc_event e;
	struct model m;
	int i;

	for (;; c->seed++) {
		src = source(c);
		m = begin(c);
		for (i = 0; i < NSCC_POINTS * NSCC_PER_POINT && !m.close; i++) {
			e = nscc_next_event(&src);
			event(&m, &e);
		}
		if (!m.close)
			return;
	}
}

static void scenario(const struct conf *c)
{
	struct nscc_source src = source(c);
	struct model m = begin(c);
	int i, j;

	printf("\nstatic const struct nscc_point nscc_points_%s[NSCC_POINTS] = {\n", c->name);
	for (i = 0; i < NSCC_POINTS; i++) {
		double sum = 0;

		for (j = 0; j < NSCC_PER_POINT; j++) {
			struct nscc_event e = nscc_next_event(&src);

			event(&m, &e);
			sum += m.w;
		}
		printf("%s{ %.0f, %.0f, %.0f, %u, %u },%s", i % 2 ? " " : "\t", m.w * 1024,
		       sum * 1024, m.avg * 16, m.cuts, m.adapts, i % 2 ? "\n" : "");
	}
	printf("};\n");
	fprintf(stderr, "%s: seed %llu, %u cuts, %u adapts\n", c->name, c->seed, m.cuts, m.adapts);
}

int main(void)
{
	struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected window in 2^-10\n"
	       " * bytes, sum of windows since the last row, average delay in 2^-4 ns, cuts, adapts.\n"
	       " */\n", "SPDX");
	for (c = confs; c->name; c++) {
		choose_seed(c);
		scenario(c);
	}
	printf("\nstatic const struct nscc_table nscc_tables[] = {\n");
	for (c = confs; c->name; c++) {
		const double q24[NR_Q24] = {
			c->target, c->max_wnd, c->alpha, c->fi, c->fi_scale, c->eta, c->gamma,
			c->jump, c->clear, c->qa, c->bytes, c->period,
		};
		unsigned int i;

		printf("\t{ \"%s\", nscc_points_%s, %.0f, %.0f,\n\t  {", c->name, c->name, c->line,
		       c->qa_gate);
		for (i = 0; i < NR_Q24; i++)
			printf(" %.0f,%s", q24[i] * (1 << 24), i % 6 == 5 ? "\n\t   " : "");
		printf("},\n\t  { { %llu }, %.0f, %.0f, %.0f, 0, 0, 0, 0 } },\n", c->seed, c->pkt,
		       c->base, c->gap);
	}
	printf("};\n");
	return 0;
}
