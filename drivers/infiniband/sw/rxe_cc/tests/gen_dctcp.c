// SPDX-License-Identifier: GPL-2.0
/*
 * Writes dctcp_vectors.h: what DCTCP must do, computed in double precision from RFC 8257, section
 * 3, and RFC 5681. User space; only the events are common with the kernel's test. A row is written
 * every DCTCP_PER_POINT events: the window in 2^-10 bytes, the sum of the windows after each event
 * since the row before, alpha in Q24, cuts so far.
 *
 * No event may be decided by how a window is rounded: the first seed from that of a configuration
 * on is taken with which nothing that a window is compared with is within a byte of it.
 */
#include <math.h>
#include <stdio.h>

#include "dctcp_events.h"

struct conf {
	const char *name;
	double line, base, pkt, g, min_cwnd;
	unsigned long long seed;
};

static struct conf confs[] = {
	{ "defaults_100g", 100e9, 4177, 1106, 1. / 16, 2, 1000 },
	{ "defaults_10g", 10e9, 20e3, 1106, 1. / 16, 2, 2000 },
	{ "long_400g", 400e9, 1e6, 4178, 1. / 256, .5, 3000 },
	{ "odd_25g", 25e9, 12e3, 554, 1, .03125, 4000 },
	{ "unknown_100g", 100e9, 0, 1106, .25, 1, 5000 },
	{ .name = NULL }
};

struct model {
	const struct conf *c;
	double w, ssthresh;	/* bytes */
	double alpha, came, came_marked;
	double bytes, marked;
	bool told;
	u64 window_end, cut_end;
	u32 cuts;
	int close;
};

static void limit(struct model *m)
{
	m->w = fmax(m->w, fmax(m->c->min_cwnd * m->c->pkt, 1));
}

static void cut(struct model *m, const struct dctcp_event *e, double factor)
{
	if (m->cuts && e->seq < m->cut_end)
		return;
	m->cuts++;
	m->cut_end = e->next_seq;
	m->w *= factor;
	limit(m);
	m->ssthresh = m->w;
}

static void timeout(struct model *m, const struct dctcp_event *e)
{
	m->cuts++;
	m->cut_end = e->next_seq;
	m->ssthresh = fmax(m->w / 2, 2 * m->c->pkt);
	m->w = m->c->pkt;
	limit(m);
}

static void raise(struct model *m, const struct dctcp_event *e)
{
	double was = (double)e->inflight + e->acked + m->c->pkt;

	m->close += fabs(was - m->w) <= 1 || (m->w != m->ssthresh && fabs(m->w - m->ssthresh) <= 1);
	if (was <= m->w)
		return;
	m->w += m->w < m->ssthresh ? e->acked : e->acked * m->c->pkt / m->w;
}

static void ack(struct model *m, const struct dctcp_event *e)
{
	double bytes = (double)e->bytes - m->bytes, marked = (double)e->marked - m->marked;
	bool use = m->told && bytes >= 0 && marked >= 0 && marked <= bytes;

	if (!e->fb)
		return;
	m->told = true;
	m->bytes = e->bytes;
	m->marked = e->marked;
	if (!use)
		return;
	m->came += bytes;
	m->came_marked += marked;
	if (e->seq >= m->window_end && m->came) {
		m->alpha = (1 - m->c->g) * m->alpha + m->c->g * m->came_marked / m->came;
		m->window_end = e->next_seq;
		m->came = 0;
		m->came_marked = 0;
	}
	if (marked)
		cut(m, e, 1 - m->alpha / 2);
	else
		raise(m, e);
}

static void event(struct model *m, const struct dctcp_event *e)
{
	if (e->kind == DCTCP_ACK)
		ack(m, e);
	if (e->kind == DCTCP_NAK)
		cut(m, e, .5);
	if (e->kind == DCTCP_TIMEOUT)
		timeout(m, e);
}

static struct dctcp_source source(const struct conf *c)
{
	return (struct dctcp_source){ .prng = { c->seed }, .pkt_bytes = c->pkt };
}

static struct model begin(const struct conf *c)
{
	return (struct model){
		.c = c, .alpha = 1, .ssthresh = INFINITY,
		.w = c->base ? floor(c->line * c->base / 8e9) : 10 * c->pkt,
	};
}

static void choose_seed(struct conf *c)
{
	struct dctcp_source src;
	struct dctcp_event e;
	struct model m;
	int i;

	for (;; c->seed++) {
		src = source(c);
		m = begin(c);
		for (i = 0; i < DCTCP_POINTS * DCTCP_PER_POINT && !m.close; i++) {
			e = dctcp_next_event(&src);
			event(&m, &e);
		}
		if (!m.close)
			return;
	}
}

static void scenario(const struct conf *c)
{
	struct dctcp_source src = source(c);
	struct model m = begin(c);
	int i, j;

	printf("\nstatic const struct dctcp_point dctcp_points_%s[DCTCP_POINTS] = {\n", c->name);
	for (i = 0; i < DCTCP_POINTS; i++) {
		double sum = 0;

		for (j = 0; j < DCTCP_PER_POINT; j++) {
			struct dctcp_event e = dctcp_next_event(&src);

			event(&m, &e);
			sum += m.w;
		}
		printf("%s{ %.0f, %.0f, %.0f, %u },%s", i % 2 ? " " : "\t", m.w * 1024, sum * 1024,
		       m.alpha * (1 << 24), m.cuts, i % 2 ? "\n" : "");
	}
	printf("};\n");
	fprintf(stderr, "%s: seed %llu, %u cuts\n", c->name, c->seed, m.cuts);
}

int main(void)
{
	struct conf *c;

	printf("/* %s-License-Identifier: GPL-2.0 */\n"
	       "/* Generated from the floating-point model, do not edit. Expected window in 2^-10\n"
	       " * bytes, sum of windows since the last row, alpha in Q24, cuts.\n */\n", "SPDX");
	for (c = confs; c->name; c++) {
		choose_seed(c);
		scenario(c);
	}
	printf("\nstatic const struct dctcp_table dctcp_tables[] = {\n");
	for (c = confs; c->name; c++)
		printf("\t{ \"%s\", dctcp_points_%s, %.0f, %.0f, %.0f, %.0f,\n"
		       "\t  { { %llu }, %.0f, 0, 0, 0, 0, 0, 0 } },\n",
		       c->name, c->name, c->line, c->base, c->g * (1 << 24),
		       c->min_cwnd * (1 << 24), c->seed, c->pkt);
	printf("};\n");
	return 0;
}
