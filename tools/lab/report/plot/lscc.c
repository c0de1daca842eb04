// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: picture of what LSCC (Link-Segmented Congestion Control) did at the two ends of a
 * long link, over time, for each algorithm. It shows two rates: the one that the far end told,
 * and the one at which traffic left it. It shows two queues: the one at the far end, and the
 * pseudo queue at the near end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_LSCC_PX 190

/* Columns of lscc.csv that have a curve, in this order, and which end they are of. */
enum { RPT_LSCC_BR, RPT_LSCC_R, RPT_LSCC_Q, RPT_LSCC_PSEUDO, RPT_LSCC_NR };

static const char *const rpt_lscc_name[] = { "BR", "R" };

struct rpt_lscc_port {
	char *name;
	struct rpt_series s[RPT_LSCC_NR];
	double sum;			/* of BR: of two ends the one where data comes in */
};

struct rpt_lscc {
	const struct rpt_course *c;
	struct rpt_lscc_port *port;
	size_t n;
	const struct rpt_lscc_port *far, *near;
	double t1, max[2];		/* of rates, of queues */
};

static struct rpt_lscc_port *rpt_lscc_port(struct rpt_lscc *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->port[i].name, name))
			return &l->port[i];
	l->port = xreallocarray(l->port, l->n + 1, sizeof(*l->port));
	l->port[l->n] = (struct rpt_lscc_port){ .name = rpt_text("%s", name) };
	return &l->port[l->n++];
}

/* "er-es" and "es-er" are the ends of one link. */
static bool rpt_lscc_peers(const char *a, const char *b)
{
	const char *dash = strchr(a, '-');
	size_t n = dash ? (size_t)(dash - a) : 0, len = strlen(b);

	return dash && len == strlen(a) && !strncmp(b, dash + 1, len - n - 1) &&
	       b[len - n - 1] == '-' && !strncmp(b + len - n, a, n);
}

static const struct rpt_series *rpt_lscc_series(const struct rpt_lscc *l, int what)
{
	return &(what == RPT_LSCC_PSEUDO ? l->near : l->far)->s[what];
}

/* The end where most came in, and the other one. */
static bool rpt_lscc_pick(struct rpt_lscc *l)
{
	size_t i, k;

	for (i = 0; i < l->n; i++)
		if (!l->far || l->port[i].sum > l->far->sum)
			l->far = &l->port[i];
	for (i = 0; i < l->n && l->far; i++)
		if (rpt_lscc_peers(l->far->name, l->port[i].name))
			l->near = &l->port[i];
	if (!l->near)
		return false;
	for (i = 0; i < RPT_LSCC_NR; i++) {
		const struct rpt_series *s = rpt_lscc_series(l, i);

		for (k = 0; k < s->n; k++) {
			l->max[i / 2] = fmax(l->max[i / 2], s->v[k]);
			l->t1 = fmax(l->t1, s->t[k]);
		}
	}
	return l->t1 > 0 && l->max[0] > 0 && l->max[1] > 0;
}

static void rpt_lscc_read(struct rpt *r, struct rpt_lscc *l)
{
	struct csv csv;
	int i;

	if (!rpt_csv_open(r, &csv, l->c->run, "lscc.csv",
			  "t_ns,port,out_bps,rate_bps,queue_bytes,pseudo_bytes"))
		return;
	while (rpt_csv_next(&csv)) {
		struct rpt_lscc_port *p;

		if (!*csv.field[1] || isnan(csv_double(csv.field[0]))) {
			csv.bad++;
			continue;
		}
		p = rpt_lscc_port(l, csv.field[1]);
		for (i = 0; i < RPT_LSCC_NR; i++)
			rpt_series_add(&p->s[i], csv_double(csv.field[0]),
				       csv_double(csv.field[2 + i]));
		p->sum += fmax(csv_double(csv.field[2 + RPT_LSCC_BR]), 0);
	}
	rpt_csv_close(r, &csv);
}

static void rpt_lscc_free(struct rpt_lscc *l)
{
	size_t i, k;

	for (i = 0; i < l->n; i++) {
		for (k = 0; k < RPT_LSCC_NR; k++)
			rpt_series_free(&l->port[i].s[k]);
	}
	free(l->port);
}

static double rpt_lscc_mean(const struct rpt_series *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		sum += s->v[i];
	return s->n ? sum / s->n : 0;
}

/* Two curves; the first is what is, the second, in the algorithm's colour, what LSCC makes. */
static void rpt_lscc_panel(struct rpt_stack *st, const struct rpt_lscc *l, int first,
			   struct pic_panel *panel, struct rpt_scale vs, double line)
{
	static const char *const what[] = { "out_bps", "rate_bps", "queue_bytes", "pseudo_bytes" };
	double top = 1.08 * l->max[first / 2];
	unsigned int rgb[] = { 0x555555, st->rgb };
	struct rpt_label label[3];
	size_t n = 0;
	int i;

	panel->h = RPT_LSCC_PX;
	panel->ylabel = rpt_axis(panel->ylabel, vs);
	panel->y1 = top / vs.div;
	panel->ydiv = vs.div;
	rpt_stack_panel(st, panel, first > 0);
	if (line > 0 && line < top) {
		pic_line(st->p, 'y', line / vs.div);
		label[n++] = (struct rpt_label){
			.text = "reference", .y = line / top, .rgb = 0x999999, .dash = 3,
		};
	}
	for (i = 0; i < 2; i++) {
		const struct rpt_series *s = rpt_lscc_series(l, first + i);
		struct pic_look look = { .rgb = rgb[i] };

		label[n++] = (struct rpt_label){
			.text = (char *)(first ? (i ? "pseudo queue" : "queue") : rpt_lscc_name[i]),
			.y = rpt_lscc_mean(s) / top, .rgb = rgb[i], .dash = 1,
		};
		pic_curve(st->p, &look, what[first + i], st->cc, (i ? l->near : l->far)->name);
		rpt_series_put(st->p, s, l->t1);
	}
	pic_names(st->p, label, n, st->panel);
}

static void rpt_lscc_panels(struct rpt_stack *st, const struct rpt_lscc *l)
{
	double qref = rpt_setting_num(l->c->run, "lscc_qref");
	struct pic_panel rates = {
		.title = "rates", .ylabel = "rate",
		.more = ": BR, at which what came leaves, and R, which the other end is told",
	}, queues = {
		.title = "queues", .ylabel = "queue",
		.more = ": of what came, at the far end; pseudo queue, at the near end",
	};

	rpt_stack_begin(st, l->c, l->t1);
	rpt_lscc_panel(st, l, RPT_LSCC_BR, &rates, rpt_scale_of(RPT_BPS, l->max[0]), 0);
	rpt_lscc_panel(st, l, RPT_LSCC_Q, &queues, rpt_scale_of(RPT_BYTES, l->max[1]), qref);
}

static void rpt_lscc_plot(struct rpt *r, const struct rpt_scenario *s, const struct rpt_lscc *l)
{
	struct rpt_stack st = {
		.left = 92, .right = 172, .y = 74, .rgb = l->c->algo->style.rgb,
		.cc = l->c->algo->cc, .height = 74 + 2 * (RPT_LSCC_PX + 40) + 24,
	};
	struct pic pic;

	if (pic_open(r, &pic, s, l->c, P_LSCC, st.height)) {
		st.p = &pic;
		rpt_lscc_panels(&st, l);
		pic_close(&pic, "%s, seed %lu. Far end: port %s, near end: port %s.",
			  l->c->algo->cc, l->c->run->seed, l->far->name, l->near->name);
	}
}

/**
 * rpt_plot_lscc() - a picture of a run in which switches ran LSCC
 * @r: the report
 * @s: scenario
 * @c: the run
 */
void rpt_plot_lscc(struct rpt *r, const struct rpt_scenario *s, struct rpt_course *c)
{
	struct rpt_lscc l = { .c = c };

	rpt_lscc_read(r, &l);
	if (rpt_lscc_pick(&l))
		rpt_lscc_plot(r, s, &l);
	rpt_lscc_free(&l);
}
