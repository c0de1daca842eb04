// SPDX-License-Identifier: GPL-2.0
/*
 * Panels one below the other: one time axis, the same margins to the pixel,
 * names beside what they name instead of a legend.
 */
#include <math.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

/* The @i'th of @n shades of an algorithm's colour, all dark enough for text. */
unsigned int rpt_shade(unsigned int rgb, size_t i, size_t n)
{
	double x = n > 1 ? 0.65 * i / (n - 1) - 0.4 : 0;

	return x < 0 ? rpt_mix(rgb, 0, -x) : rpt_mix(rgb, 0xffffff, x);
}

/**
 * rpt_stack_begin() - algorithm and time axis of all panels
 * @st: the stack: picture, sizes and colour are set
 * @c: the run; NULL: all algorithms are in it
 * @t1: end of the time axis, ns
 */
void rpt_stack_begin(struct rpt_stack *st, const struct rpt_course *c, double t1)
{
	st->ts = rpt_scale_of(RPT_NS, t1);
	st->t1 = t1;
	if (c) {
		pic_say(st->p, "algorithm", c->algo->cc);
		pic_set(st->p, "algorithm_rgb", c->algo->style.rgb);
	}
}

/**
 * rpt_stack_panel() - place the next panel
 * @st: the stack, moved on
 * @panel: its height, titles, y axis; the rest is filled in
 * @last: it has the time axis
 */
void rpt_stack_panel(struct rpt_stack *st, struct pic_panel *panel, bool last)
{
	/* Names beside a narrow panel have the room that the longest usual ones need. */
	if (rpt_narrow()) {
		st->left = fmin(st->left, RPT_STACK_LEFT);
		st->right = fmin(st->right, RPT_STACK_RIGHT);
	}
	panel->x = st->left;
	panel->y = st->y;
	panel->w = rpt_width() - st->left - st->right;
	panel->xlabel = !last ? NULL : st->xlabel ? st->xlabel : rpt_axis("time", st->ts);
	if (!panel->xdiv) {
		panel->xdiv = st->ts.div;
		panel->x1 = st->t1 / st->ts.div;
	}
	pic_panel(st->p, panel);
	st->panel = panel->h;
	st->y += panel->h + RPT_STACK_GAP;
}

/* @v to three digits, which is what a picture needs. */
double rpt_round3(double v)
{
	double unit = v > 0 ? pow(10, floor(log10(v)) - 2) : 1;

	return round(v / unit) * unit;
}

/* Time paused and its share, mean of the row's ports, beside each row. */
static void rpt_stack_totals(struct rpt_stack *st, const struct rpt_strips *ss)
{
	char total[32];
	size_t i;

	for (i = 0; i < ss->n; i++) {
		const struct rpt_strip *s = &ss->strip[i];
		double mean = s->total_ns / s->nports;

		rpt_fmt_auto(total, sizeof(total), RPT_NS, rpt_round3(mean));
		pic_note(st->p, rpt_text("%s%s, %.2g %%", total, s->nports > 1 ? " each" : "",
					 100 * mean / ss->run_ns),
			 1.012, (ss->n - i - 0.5) / ss->n, -1, 0x333333);
	}
}

/**
 * rpt_stack_strips() - the panel of pauses, a bar a row, and their data
 * @st: the stack
 * @ss: rows
 * @last: it has the time axis
 */
void rpt_stack_strips(struct rpt_stack *st, const struct rpt_strips *ss, bool last)
{
	struct pic_panel panel = {
		.h = rpt_strips_height(ss), .title = "paused ports",
		.more = ": by PFC from their peer, full height is all the time",
		.y1 = ss->n,
	};
	size_t i;

	rpt_stack_panel(st, &panel, last);
	pic_set(st->p, "pause_panel", st->p->panels);
	for (i = 0; i < ss->n; i++) {
		const struct rpt_strip *s = &ss->strip[i];
		struct pic_look look = {
			.rgb = s->strong ? 0x111111 : rpt_mix(st->rgb, 0, 0.25),
		};

		pic_tic(st->p, 'y', s->label, ss->n - i - 0.5);
		pic_num(st->p, "row_strong", s->strong);
		pic_curve(st->p, &look, "paused_share", st->cc, s->label);
		rpt_strip_data(st->p, ss, s);
	}
	rpt_stack_totals(st, ss);
}
