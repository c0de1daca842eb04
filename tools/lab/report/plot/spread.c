// SPDX-License-Identifier: GPL-2.0
/*
 * How pauses spread to a flow that has no part in the congestion: its way, its
 * goodput beside what its receiver's port could carry, pauses, queues.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_SPREAD_RATE_PX 190
#define RPT_SPREAD_QUEUE_PX 130
#define RPT_SPREAD_RGB 0x111111	/* the victim */

static const char rpt_spread_help[] =
	"Top: the way of the victim and, below, that to the port for which it waits;\n"
	"shares are of the time between the dashed lines, where";

struct rpt_spread {
	struct rpt_victim v;
	struct rpt_strips strips;
	struct rpt_binned bin;
	const struct rpt_port *q[3];
	size_t nq;
	double t1, rate, queue;		/* ends of the axes */
	struct rpt_scale ts, gs, qs;
};

/* Begin and end of the time that the figures are of. */
static void rpt_spread_window(struct rpt_stack *st, const struct rpt_spread *p)
{
	double at[2] = { p->v.from, p->v.to };
	int i;

	for (i = 0; i < 2; i++)
		fprintf(st->f,
			"set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dt 2 lw 1 lc rgb \"#777777\" front\n",
			at[i] / p->ts.div, at[i] / p->ts.div);
}

/* What was seen in one sentence, over two lines. */
static void rpt_spread_story(struct rpt_stack *st, const struct rpt_spread *p)
{
	const struct rpt_victim *v = &p->v;
	bool before = v->before > 0;
	char than[32], got[32];

	rpt_fmt_auto(than, sizeof(than), RPT_BPS,
		     rpt_round3(before ? v->before : v->alone));
	rpt_fmt_auto(got, sizeof(got), RPT_BPS, rpt_round3(v->during));
	fprintf(st->f,
		"set label \"While %s is paused %.0f %% of the time (between the dashed lines), %s to %s gets %s instead of %s%s.\" at screen 0.012, screen %.5f left tc rgb \"#333333\"\n",
		v->paused->name,
		100 * rpt_port_share(v->paused, v->from, v->to), v->e->src,
		v->e->dst, got, than, before ? "" : " alone",
		1 - 48.0 / st->height);
	fprintf(st->f,
		"set label \"It never uses %s, whose queue is the cause; the port to its receiver%s%s%s is idle %.0f %% of that time.\" at screen 0.012, screen %.5f left tc rgb \"#333333\"\n",
		v->root->name, v->access ? ", " : "",
		v->access ? v->access->name : "", v->access ? "," : "",
		100 * v->idle,
		1 - 66.0 / st->height);
}

static void rpt_spread_rate_labels(struct rpt_stack *st,
				   const struct rpt_spread *p, char **text)
{
	const struct rpt_victim *v = &p->v;
	double mid = (v->from + v->to) / 2;
	struct rpt_label l[2] = {
		{ text[0], fmin(v->during / p->rate + 0.02, 1),
		  RPT_SPREAD_RGB, 1 },
		{ text[1], 0.93 * v->line / p->rate, st->rgb, 1 },
	};

	rpt_stack_labels(st, l, v->ncrowd ? 2 : 1);
	mid = fmin(fmax(mid, 0.2 * p->t1), 0.8 * p->t1);
	if (v->idle > 0.2)
		fprintf(st->f, "set label \"idle\" at %.6g, %.6g center tc rgb \"#5a6b7d\" front\n",
			mid / p->ts.div,
			(v->during + v->line) / 2 / p->gs.div);
}

static void rpt_spread_rate_panel(struct rpt_stack *st,
				  const struct rpt_spread *p)
{
	const struct rpt_victim *v = &p->v;
	char *text[2], *axis;

	text[0] = rpt_printf("victim %s to %s", v->e->src, v->e->dst);
	text[1] = rpt_printf("%zu flow%s via %s", v->ncrowd,
			     v->ncrowd == 1 ? "" : "s", v->root->name);
	axis = rpt_printf("goodput (%s)", p->gs.name);
	rpt_stack_panel(st, RPT_SPREAD_RATE_PX,
			"{/:Bold goodput}, and what the port to the victim's receiver could carry besides",
			axis, false);
	fprintf(st->f, "set yrange [0:%.6g]\n", p->rate / p->gs.div);
	rpt_spread_window(st, p);
	rpt_spread_rate_labels(st, p, text);
	fprintf(st->f,
		"plot $g index 0 using 1:2:(%.6g) with filledcurves fs solid 1 noborder lc rgb \"#dfe7ef\" notitle, \\\n"
		"     $g index 1 using 1:2 with lines lw 1.8 lc rgb \"#%06x\" notitle, \\\n"
		"     $g index 0 using 1:2 with lines lw 2.8 lc rgb \"#%06x\" notitle\n"
		"unset label\nunset arrow\nunset object\n",
		v->line / p->gs.div, st->rgb, RPT_SPREAD_RGB);
	free(text[0]);
	free(text[1]);
	free(axis);
}

static void rpt_spread_queue_panel(struct rpt_stack *st,
				   const struct rpt_spread *p)
{
	static const int dash[] = { 1, 1, 2 };
	unsigned int rgb[] = { st->rgb, RPT_SPREAD_RGB, 0x5a6b7d };
	const char *sep = "plot";
	struct rpt_label l[3];
	char *axis, *text[3];
	size_t i;

	axis = rpt_printf("queue (%s)", p->qs.name);
	rpt_stack_panel(st, RPT_SPREAD_QUEUE_PX, "{/:Bold queue}, wire bytes",
			axis, true);
	free(axis);
	fprintf(st->f, "set yrange [0:%.6g]\n", p->queue / p->qs.div);
	rpt_spread_window(st, p);
	for (i = 0; i < p->nq; i++) {
		text[i] = rpt_printf("%s%s", p->q[i]->name,
				     p->q[i] == p->v.paused ? ": victim waits" :
				     p->q[i] == p->v.access ? ": its receiver" :
				     ": the cause");
		l[i] = (struct rpt_label){
			text[i], p->q[i]->peak / p->queue, rgb[i], dash[i],
		};
	}
	rpt_stack_labels(st, l, p->nq);
	for (i = 0; i < p->nq; i++) {
		fprintf(st->f, "%s $q%zu using 1:2 with %s lw 2 dt %d lc rgb \"#%06x\" notitle",
			sep, i, rpt_series_dense(&p->q[i]->q) ? "lines" :
			"steps", dash[i], rgb[i]);
		sep = ", \\\n    ";
		free(text[i]);
	}
	fputs("\nunset label\nunset arrow\n", st->f);
}

static void rpt_spread_script(struct rpt_stack *st, const struct rpt_scenario *s,
			      const struct rpt_spread *p)
{
	size_t i;

	for (i = 0; i < p->nq; i++) {
		fprintf(st->f, "$q%zu << EOD\n", i);
		rpt_series_put(st->f, &p->q[i]->q, p->t1, p->ts.div,
			       p->qs.div, 0);
		fputs("EOD\n", st->f);
	}
	rpt_strips_data(st->f, &p->strips, p->ts.div);
	fputs("$g << EOD\n", st->f);
	rpt_put_lines(st->f, &p->v.fs, &p->bin,
		      p->t1 / p->bin.nbins / p->ts.div, p->gs.div);
	fputs("EOD\n", st->f);
	st->unit = p->ts.name;
	fprintf(st->f, "unset key\nset xrange [0:%.6g]\n", p->t1 / p->ts.div);
	rpt_stack_title(st, p->v.c, s->name, "a victim of pauses");
	rpt_spread_story(st, p);
	rpt_sketch(st, &p->v);
	rpt_spread_rate_panel(st, p);
	rpt_spread_window(st, p);
	rpt_stack_strips(st, &p->strips, false);
	rpt_spread_queue_panel(st, p);
	fputs("unset multiplot\n", st->f);
}

static void rpt_spread_make(const struct rpt_course *c, struct rpt_spread *p)
{
	size_t i;

	p->t1 = c->ports.t1;
	rpt_strips_make(c, p->t1, rpt_victim_port, &p->v, &p->strips);
	for (i = 0; i < p->strips.n; i++)
		p->strips.strip[i].strong =
			rpt_on_path(p->v.path, p->v.n,
				    p->strips.strip[i].first);
	rpt_bin_panel(&p->v.fs, RPT_Q_GOODPUT, p->t1, &p->bin);
	p->rate = fmax(p->bin.high, isnan(p->v.line) ? 0 : p->v.line) * 1.08;
	p->q[p->nq++] = p->v.root;
	p->q[p->nq++] = p->v.paused;
	if (p->v.access)
		p->q[p->nq++] = p->v.access;
	for (i = 0; i < p->nq; i++)
		p->queue = fmax(p->queue, 1.08 * p->q[i]->peak);
	p->ts = rpt_scale_of(RPT_NS, p->t1);
	p->gs = rpt_scale_of(RPT_BPS, p->rate);
	p->qs = rpt_scale_of(RPT_BYTES, p->queue);
}

static void rpt_spread_plot(struct rpt *r, const struct rpt_scenario *s,
			    struct rpt_spread *p)
{
	const char *cc = p->v.c->algo->cc;
	struct rpt_stack st = {
		.left = rpt_strips_left(&p->strips), .right = 190, .y = 94,
		.rgb = p->v.c->algo->style.rgb,
	};
	char *kind = rpt_printf("spread_%s", cc), *bars, *caption;
	struct rpt_plot plot;

	st.height = st.y + RPT_SKETCH_PX + RPT_SPREAD_RATE_PX + 40 +
		    rpt_strips_height(&p->strips) + 40 + RPT_SPREAD_QUEUE_PX +
		    56;
	if (rpt_plot_begin(r, &plot, s->name, kind, st.height)) {
		st.f = plot.f;
		rpt_spread_script(&st, s, p);
		bars = rpt_strips_caption(p->v.c, &p->strips);
		caption = rpt_printf("%s, seed %lu. %s %s had 96 %% of its pauses. %s",
				     cc, p->v.c->run->seed, rpt_spread_help,
				     p->v.spread->name, bars);
		rpt_plot_end(r, &plot, s->name, "A victim of pauses", caption);
		free(bars);
		free(caption);
	}
	free(kind);
}

/**
 * rpt_plot_spread() - a picture for each algorithm under which pauses had a
 * victim
 * @r: the report
 * @s: scenario
 * @c: a run of each of its algorithms
 */
void rpt_plot_spread(struct rpt *r, const struct rpt_scenario *s,
		     const struct rpt_course *c)
{
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		struct rpt_spread p = { 0 };

		if (!c[i].pauses || !c[i].ports.rows ||
		    !rpt_victim_find(&c[i], &p.v))
			continue;
		rpt_spread_make(&c[i], &p);
		if (p.bin.max > 0)
			rpt_spread_plot(r, s, &p);
		rpt_strips_free(&p.strips);
		free(p.bin.v);
		rpt_victim_free(&p.v);
	}
}
