// SPDX-License-Identifier: GPL-2.0
/*
 * How pauses spread to a flow that has no part in the congestion: its way, its
 * goodput beside what its receiver's port could carry, pauses, queues.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

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
	struct rpt_scale gs, qs;
};

/* Begin and end of the time that the figures are of, across the present panel. */
static void rpt_spread_window(struct rpt_stack *st, const struct rpt_spread *p)
{
	pic_line(st->p, 'x', p->v.from / st->ts.div);
	pic_line(st->p, 'x', p->v.to / st->ts.div);
}

#define RPT_STORY_CHAR 6.9	/* pixels of a letter */
#define RPT_STORY_LINE 18

/* A sentence in lines that fit the picture; returns their number. Without @p it only counts. */
static size_t rpt_spread_lines(struct pic *p, const char *text)
{
	size_t most = (rpt_width() - 20) / RPT_STORY_CHAR, lines = 0, len;

	for (; *text; lines++) {
		len = strlen(text);
		if (rpt_narrow() && len > most)
			for (len = most; len > 1 && text[len] != ' '; len--)
				;
		if (p)
			pic_text(p, "story", rpt_text("%.*s", (int)len, text));
		text += len + (text[len] == ' ');
	}
	return lines;
}

/* What was seen in two sentences; returns the number of lines. */
static size_t rpt_spread_story(struct pic *pic, const struct rpt_spread *p)
{
	const struct rpt_victim *v = &p->v;
	bool before = v->before > 0;
	char than[32], got[32];
	size_t lines;

	rpt_fmt_auto(than, sizeof(than), RPT_BPS, rpt_round3(before ? v->before : v->alone));
	rpt_fmt_auto(got, sizeof(got), RPT_BPS, rpt_round3(v->during));
	lines = rpt_spread_lines(pic, rpt_text("While %s is paused %.0f %% of the time (between the dashed lines), %s to %s gets %s instead of %s%s.",
					       v->paused->name,
					       100 * rpt_port_share(v->paused, v->from, v->to),
					       v->e->src, v->e->dst, got, than,
					       before ? "" : " alone"));
	lines += rpt_spread_lines(pic, rpt_text("It never uses %s, whose queue is the cause; the port to its receiver%s%s%s is idle %.0f %% of that time.",
						v->root->name, v->access ? ", " : "",
						v->access ? v->access->name : "",
						v->access ? "," : "", 100 * v->idle));
	return lines;
}

/* What the port could carry, filled; then the crowd, then the victim on top. */
static void rpt_spread_rates(struct rpt_stack *st, const struct rpt_spread *p, char **text)
{
	const struct rpt_victim *v = &p->v;
	double dt = p->t1 / p->bin.nbins;
	struct pic_look crowd = { .rgb = st->rgb };
	struct pic_look victim = { .rgb = RPT_SPREAD_RGB, .width = 2.8 };

	pic_set(st->p, "rate_panel", st->p->panels);
	pic_set(st->p, "line_bps", v->line);
	pic_curve(st->p, &crowd, "goodput_bps", st->cc, text[1]);
	rpt_put_line(st->p, &p->bin, 1, dt);
	pic_curve(st->p, &victim, "goodput_bps", st->cc, text[0]);
	rpt_put_line(st->p, &p->bin, 0, dt);
}

static void rpt_spread_rate_panel(struct rpt_stack *st, const struct rpt_spread *p)
{
	const struct rpt_victim *v = &p->v;
	double mid = fmin(fmax((v->from + v->to) / 2, 0.2 * p->t1), 0.8 * p->t1);
	char *text[2] = {
		rpt_text("victim %s to %s", v->e->src, v->e->dst),
		rpt_text("%zu flow%s via %s", v->ncrowd, v->ncrowd == 1 ? "" : "s", v->root->name),
	};
	struct rpt_label l[2] = {
		{ text[0], fmin(v->during / p->rate + 0.02, 1), RPT_SPREAD_RGB, 1 },
		{ text[1], 0.93 * v->line / p->rate, st->rgb, 1 },
	};
	struct pic_panel panel = {
		.h = RPT_SPREAD_RATE_PX, .title = "goodput",
		.more = ", and what the port to the victim's receiver could carry besides",
		.ylabel = rpt_axis("goodput", p->gs), .y1 = p->rate / p->gs.div, .ydiv = p->gs.div,
	};

	rpt_stack_panel(st, &panel, false);
	rpt_spread_window(st, p);
	pic_names(st->p, l, v->ncrowd ? 2 : 1, st->panel);
	if (v->idle > 0.2)
		pic_note(st->p, "idle", mid / p->t1, (v->during + v->line) / 2 / p->rate, 0,
			 0x5a6b7d);
	rpt_spread_rates(st, p, text);
}

static void rpt_spread_queue_panel(struct rpt_stack *st, const struct rpt_spread *p)
{
	struct pic_panel panel = {
		.h = RPT_SPREAD_QUEUE_PX, .title = "queue", .more = ", wire bytes",
		.ylabel = rpt_axis("queue", p->qs), .y1 = p->queue / p->qs.div, .ydiv = p->qs.div,
	};
	struct rpt_label l[3];
	size_t i;

	rpt_stack_panel(st, &panel, true);
	rpt_spread_window(st, p);
	for (i = 0; i < p->nq; i++) {
		const struct rpt_port *q = p->q[i];
		struct pic_look look = {
			.kind = rpt_series_dense(&q->q) ? PIC_LINE : PIC_STEPS,
			.rgb = q == p->v.root ? st->rgb :
			       q == p->v.paused ? RPT_SPREAD_RGB : 0x5a6b7d,
			.dash = q == p->v.access ? 2 : 1, .width = 2,
		};

		l[i] = (struct rpt_label){
			rpt_text("%s%s", q->name, q == p->v.paused ? ": victim waits" :
				  q == p->v.access ? ": its receiver" : ": the cause"),
			q->peak / p->queue, look.rgb, look.dash,
		};
		pic_curve(st->p, &look, "queue_bytes", st->cc, q->name);
		rpt_series_put(st->p, &q->q, p->t1);
	}
	pic_names(st->p, l, p->nq, st->panel);
}

static void rpt_spread_panels(struct rpt_stack *st, const struct rpt_spread *p)
{
	rpt_stack_begin(st, p->v.c, p->t1);
	rpt_spread_story(st->p, p);
	rpt_sketch(st, &p->v);
	rpt_spread_rate_panel(st, p);
	rpt_stack_strips(st, &p->strips, false);
	rpt_spread_window(st, p);
	rpt_spread_queue_panel(st, p);
}

static void rpt_spread_make(const struct rpt_course *c, struct rpt_spread *p)
{
	size_t i;

	p->t1 = c->ports.t1;
	rpt_strips_make(c, p->t1, rpt_victim_port, &p->v, &p->strips);
	for (i = 0; i < p->strips.n; i++)
		p->strips.strip[i].strong =
			rpt_on_path(p->v.path, p->v.n, p->strips.strip[i].first);
	rpt_bin_panel(&p->v.fs, RPT_Q_GOODPUT, p->t1, &p->bin);
	p->rate = fmax(p->bin.high, isnan(p->v.line) ? 0 : p->v.line) * 1.08;
	p->q[p->nq++] = p->v.root;
	if (p->v.paused->sampled)
		p->q[p->nq++] = p->v.paused;
	if (p->v.access && p->v.access->sampled)
		p->q[p->nq++] = p->v.access;
	for (i = 0; i < p->nq; i++)
		p->queue = fmax(p->queue, 1.08 * p->q[i]->peak);
	p->gs = rpt_scale_of(RPT_BPS, p->rate);
	p->qs = rpt_scale_of(RPT_BYTES, p->queue);
}

static void rpt_spread_plot(struct rpt *r, const struct rpt_scenario *s, struct rpt_spread *p)
{
	const char *cc = p->v.c->algo->cc;
	struct rpt_stack st = {
		.left = rpt_strips_left(&p->strips), .right = 190,
		.y = 58 + RPT_STORY_LINE * (int)rpt_spread_story(NULL, p),
		.rgb = p->v.c->algo->style.rgb, .cc = cc,
	};
	struct pic pic;

	st.height = st.y + RPT_SKETCH_PX + RPT_SPREAD_RATE_PX + 40 +
		    rpt_strips_height(&p->strips) + 40 + RPT_SPREAD_QUEUE_PX +
		    56;
	if (pic_open(r, &pic, s, p->v.c, P_SPREAD, st.height)) {
		st.p = &pic;
		rpt_spread_panels(&st, p);
		pic_close(&pic, "%s, seed %lu. %s %s had 96 %% of its pauses. %s", cc,
			  p->v.c->run->seed, rpt_spread_help, p->v.spread->name,
			  rpt_strips_caption(p->v.c, &p->strips));
	}
}

/**
 * rpt_plot_spread() - a picture of a run in which pauses had a victim
 * @r: the report
 * @s: scenario
 * @c: the run
 */
void rpt_plot_spread(struct rpt *r, const struct rpt_scenario *s, struct rpt_course *c)
{
	struct rpt_spread p = { 0 };

	if (!c->pauses || !c->ports.rows || !rpt_victim_find(c, &p.v))
		return;
	rpt_spread_make(c, &p);
	if (p.bin.max > 0)
		rpt_spread_plot(r, s, &p);
	rpt_strips_free(&p.strips);
	free(p.bin.v);
	rpt_victim_free(&p.v);
}
