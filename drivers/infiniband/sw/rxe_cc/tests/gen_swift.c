// SPDX-License-Identifier: GPL-2.0
/*
 * Writes swift_vectors.h: what Swift must do, computed in double precision from
 * SIGCOMM 2020, section 3. User space; only the events are common with the kernel's
 * test. A row is written every SWIFT_PER_POINT events: the window in 2^-10 bytes, the sum
 * of the windows after each event since the row before, cuts so far.
 *
 * No event may be decided by how a target is rounded: the first seed from that of a
 * configuration on is taken with which no round-trip time is within 2 ns of its target.
 */
#include <math.h>
#include <stdio.h>

#include "swift_events.h"

struct conf {
	const char *name;
	double line, base, pkt;
	double ai, beta, max_mdf, queue, hop, fs_range, fs_min, fs_max, min_cwnd;
	int retx_reset;
	unsigned long long seed;
};

static struct conf confs[] = {
	{ "defaults_100g", 100e9, 4177, 1106, 1, .8, .5, .25, 0, 5, .1, 100, .001, 5, 1000 },
	{ "defaults_10g", 10e9, 20e3, 1106, 1, .8, .5, .25, 0, 5, .1, 100, .001, 5, 2000 },
	{ "long_400g", 400e9, 1e6, 4178, 4, .5, .25, .0625, 1000, .5, 1, 4096, .5, 2, 3000 },
	{ "odd_25g", 25e9, 12e3, 554, .125, 1, 1, 0, 250, 20, .5, 30, .03125, 1, 4000 },
	{ "no_scaling", 100e9, 8e3, 1106, 2, .8, .5, 1, 0, 0, .1, 100, .001, 3, 5000 },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double w;		/* packets */
	double acked;		/* packets */
	double cut_at, rtt;
	long cuts;
	int timeouts;
	int close;		/* events that rounding might decide */
};

static double fs(const struct conf *c, double w)
{
	double a = c->fs_range / (1 / sqrt(c->fs_min) - 1 / sqrt(c->fs_max));
	double b = -a / sqrt(c->fs_max);

	return fmax(0, fmin(a / sqrt(w) + b, c->fs_range));
}

static double target(const struct model *m, unsigned int hops)
{
	const struct conf *c = m->c;

	return c->base * (1 + c->queue + fs(c, m->w)) + (hops < 16 ? hops : 16) * c->hop;
}

static void limit(struct model *m)
{
	const struct conf *c = m->c;
	double longest = c->base * (1 + c->queue + c->fs_range) + 16 * c->hop;
	double most = fmax(floor(c->line * floor(longest) / 8e9) / c->pkt, 16);

	m->w = fmin(fmax(m->w, fmax(c->min_cwnd, 1 / c->pkt)), most);
}

static void cut(struct model *m, double now, double rtt, double factor)
{
	if (m->cuts && now - m->cut_at < rtt)
		return;
	m->cuts++;
	m->cut_at = now;
	m->w *= factor;
}

static void event(struct model *m, const struct swift_event *e)
{
	const struct conf *c = m->c;
	double t;

	if (e->kind == SWIFT_RNR)
		return;
	if (e->kind != SWIFT_ACK) {
		m->timeouts = e->kind == SWIFT_TIMEOUT ? m->timeouts + 1 : 0;
		if (m->timeouts >= c->retx_reset)
			m->w = 0;
		else
			cut(m, e->now_ns, m->rtt, 1 - c->max_mdf);
		limit(m);
		return;
	}
	m->timeouts = 0;
	m->acked += e->bytes / c->pkt;
	if (!e->rtt_ns)
		return;
	m->rtt = e->rtt_ns;
	t = target(m, e->hops);
	m->close += fabs(e->rtt_ns - t) <= 2;
	if (e->rtt_ns < t)
		m->w += m->w >= 1 ? c->ai * m->acked / m->w : c->ai * m->acked;
	else
		cut(m, e->now_ns, e->rtt_ns,
		    fmax(1 - c->beta * (e->rtt_ns - t) / e->rtt_ns, 1 - c->max_mdf));
	m->acked = 0;
	limit(m);
}

static struct swift_source source(const struct conf *c)
{
	return (struct swift_source){
		.prng = { c->seed }, .base_ns = c->base,
		.top_ns = c->base * (1 + c->queue + c->fs_range), .pkt_bytes = c->pkt,
		.rtt_ns = c->base,
	};
}

static struct model begin(const struct conf *c)
{
	return (struct model){ .c = c, .w = floor(c->line * c->base / 8e9) / c->pkt };
}

static void choose_seed(struct conf *c)
{
	struct swift_source src;
	struct swift_event e;
	struct model m;
	int i;

	for (;; c->seed++) {
		src = source(c);
		m = begin(c);
		for (i = 0; i < SWIFT_POINTS * SWIFT_PER_POINT && !m.close; i++) {
			e = swift_next_event(&src);
			event(&m, &e);
		}
		if (!m.close)
			return;
	}
}

static void scenario(const struct conf *c)
{
	struct swift_source src = source(c);
	struct model m = begin(c);
	int i, j;

	printf("\nstatic const struct swift_point swift_points_%s[SWIFT_POINTS] = {\n",
	       c->name);
	for (i = 0; i < SWIFT_POINTS; i++) {
		double sum = 0;

		for (j = 0; j < SWIFT_PER_POINT; j++) {
			struct swift_event e = swift_next_event(&src);

			event(&m, &e);
			sum += m.w * c->pkt;
		}
		printf("%s{ %.0f, %.0f, %ld },%s", i % 2 ? " " : "\t", m.w * c->pkt * 1024,
		       sum * 1024, m.cuts, i % 2 ? "\n" : "");
	}
	printf("};\n");
}

static void table(void)
{
	const struct conf *c;
	double q = 1 << 24;

	printf("\nstatic const struct swift_table swift_tables[] = {\n");
	for (c = confs; c->name; c++)
		printf("\t{ \"%s\", swift_points_%s, %.0f,\n"
		       "\t  { { \"ai\", %.0f }, { \"beta\", %.0f }, { \"max_mdf\", %.0f },\n"
		       "\t    { \"queue\", %.0f }, { \"hop\", %.0f }, { \"fs_range\", %.0f },\n"
		       "\t    { \"fs_min\", %.0f }, { \"fs_max\", %.0f },\n"
		       "\t    { \"min_cwnd\", %.0f }, { \"retx_reset\", %d } },\n"
		       "\t  { { %llu }, %.0f, %u, %.0f, 0, %.0f, 0, 0 } },\n",
		       c->name, c->name, c->line, c->ai * q, c->beta * q, c->max_mdf * q,
		       c->queue * q, c->hop, c->fs_range * q, c->fs_min * q, c->fs_max * q,
		       c->min_cwnd * q, c->retx_reset, c->seed, c->base,
		       (unsigned int)(c->base * (1 + c->queue + c->fs_range)), c->pkt, c->base);
	printf("};\n");
}

int main(void)
{
	struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected window in 2^-10\n"
	       " * bytes, sum of windows since the last row, cuts.\n */\n", "SPDX");
	for (c = confs; c->name; c++) {
		choose_seed(c);
		scenario(c);
	}
	table();
	return 0;
}
