// SPDX-License-Identifier: GPL-2.0
/*
 * The way of a victim as boxes and lines, and below it the way to the port
 * that it waits for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_SKETCH_ROW 66	/* pixels from one row to the other */
#define RPT_SKETCH_LEFT 60
#define RPT_SKETCH_RIGHT 780
#define RPT_VICTIM_RGB 0x111111

struct rpt_sketch {
	struct rpt_stack *st;
	const struct rpt_victim *v;
	double step, y;			/* pixels */
	int objects;
};

static double rpt_sx(double px)
{
	return px / RPT_PLOT_WIDTH;
}

static double rpt_sy(const struct rpt_sketch *k, double px)
{
	return 1 - px / k->st->height;
}

static void rpt_sketch_node(struct rpt_sketch *k, double x, double y,
			    const char *name, bool strong)
{
	double w = 18 + 8.5 * strlen(name);

	fprintf(k->st->f,
		"set object %d rectangle center screen %.5f, screen %.5f size screen %.5f, screen %.5f fc rgb \"%s\" fs solid border rgb \"%s\" lw 1.4 front\n",
		++k->objects, rpt_sx(x), rpt_sy(k, y), rpt_sx(w),
		26.0 / k->st->height, strong ? "#e4e4e4" : "#ffffff",
		strong ? "#111111" : "#888888");
	fprintf(k->st->f, "set label \"%s", strong ? "{/:Bold " : "");
	rpt_plot_text(k->st->f, name);
	fprintf(k->st->f, "%s\" at screen %.5f, screen %.5f center front\n",
		strong ? "}" : "", rpt_sx(x), rpt_sy(k, y));
}

/* A link with what is to be said about it. */
static void rpt_sketch_link(struct rpt_sketch *k, double x0, double y0,
			    double x1, double y1, const char *style,
			    unsigned int rgb, const char *text)
{
	fprintf(k->st->f,
		"set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f nohead %s lc rgb \"#%06x\" back\n",
		rpt_sx(x0), rpt_sy(k, y0), rpt_sx(x1), rpt_sy(k, y1), style,
		rgb);
	if (!text)
		return;
	fputs("set label \"", k->st->f);
	rpt_plot_text(k->st->f, text);
	/* Beside a slope, above a level line. */
	fprintf(k->st->f, "\" at screen %.5f, screen %.5f %s tc rgb \"#%06x\" front\n",
		rpt_sx((x0 + x1) / 2 - (y1 != y0 ? 8 : 0)),
		rpt_sy(k, (y0 + y1) / 2 + (y1 != y0 ? 8 : -12)),
		y1 != y0 ? "right" : "center", rgb);
}

/* One link of either way: paused, idle, full, or nothing special. */
static void rpt_sketch_hop(struct rpt_sketch *k, const char *const *way,
			   double x0, double y0, double y1, bool mine)
{
	char *name = rpt_printf("%s-%s", way[0], way[1]), *text = NULL;
	const struct rpt_port *p = rpt_port_find(&k->v->c->ports, name);
	unsigned int rgb = mine ? RPT_VICTIM_RGB : 0x555555;
	const char *style = mine ? "lw 2" : "lw 1.2";
	char buf[32];

	if (p && p == k->v->root) {
		rpt_fmt_auto(buf, sizeof(buf), RPT_BYTES,
			     rpt_round3(p->peak));
		text = rpt_printf("queue %s", buf);
		style = "lw 4";
		rgb = k->st->rgb;
	} else if (p && rpt_port_paused(p)) {
		text = rpt_printf("paused %.0f %%", 100 *
				  rpt_port_share(p, k->v->from, k->v->to));
		style = "lw 4";
	} else if (p && p == k->v->access && !isnan(k->v->idle)) {
		text = rpt_printf("idle %.0f %%", 100 * k->v->idle);
		style = "lw 2 dt 2";
	}
	rpt_sketch_link(k, x0, y0, x0 + k->step, y1, style, rgb, text);
	free(text);
	free(name);
}

/**
 * rpt_sketch() - draw the two ways with the next plot
 * @st: the stack, moved on by RPT_SKETCH_PX
 * @v: the victim
 *
 * What it sets must be unset after that plot: labels, arrows, objects.
 */
void rpt_sketch(struct rpt_stack *st, const struct rpt_victim *v)
{
	struct rpt_sketch k = { .st = st, .v = v, .y = st->y + 20 };
	size_t cols = v->n, i;
	double x;

	if (v->fork + v->ntail > cols)
		cols = v->fork + v->ntail;
	k.step = (double)(RPT_SKETCH_RIGHT - RPT_SKETCH_LEFT) / (cols - 1);
	for (i = 0; i + 1 < v->n; i++)
		rpt_sketch_hop(&k, v->path + i, RPT_SKETCH_LEFT + i * k.step,
			       k.y, k.y, true);
	for (i = 0; i + 1 < v->ntail; i++)
		rpt_sketch_hop(&k, v->tail + i,
			       RPT_SKETCH_LEFT + (v->fork + i) * k.step,
			       k.y + (i ? RPT_SKETCH_ROW : 0),
			       k.y + RPT_SKETCH_ROW, false);
	for (i = 0; i < v->n; i++)
		rpt_sketch_node(&k, RPT_SKETCH_LEFT + i * k.step, k.y,
				v->path[i], true);
	for (i = 1; i < v->ntail; i++)
		rpt_sketch_node(&k, RPT_SKETCH_LEFT + (v->fork + i) * k.step,
				k.y + RPT_SKETCH_ROW, v->tail[i], false);
	x = RPT_SKETCH_LEFT + (v->n - 1) * k.step;
	fprintf(st->f, "set label \"{/:Bold victim}\" at screen %.5f, screen %.5f left\n",
		rpt_sx(x + 18 + 4.5 * strlen(v->path[v->n - 1])),
		rpt_sy(&k, k.y));
	x = RPT_SKETCH_LEFT + (v->fork + v->ntail - 1) * k.step;
	fprintf(st->f,
		"set label \"%zu flow%s\" at screen %.5f, screen %.5f left tc rgb \"#%06x\"\n",
		v->ncrowd, v->ncrowd == 1 ? "" : "s",
		rpt_sx(x + 18 + 4.5 * strlen(v->tail[v->ntail - 1])),
		rpt_sy(&k, k.y + RPT_SKETCH_ROW), st->rgb);
	st->y += RPT_SKETCH_PX;
}
