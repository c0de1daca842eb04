// SPDX-License-Identifier: GPL-2.0
/*
 * What an algorithm pays for what it gets: the bottleneck's queue against its
 * utilization, a point an algorithm.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_SC_PX (rpt_narrow() ? 380 : 470)	/* height of the picture */
#define RPT_SC_LEFT 84
#define RPT_SC_RIGHT 26
#define RPT_SC_TOP 84
#define RPT_SC_BOTTOM 62
#define RPT_SC_CHAR 8.2			/* width of a letter */
#define RPT_SC_LINE 17.0		/* height of a line */
#define RPT_SC_MARK 8.0			/* radius of a point, with some air */
#define RPT_SC_FLOOR 102.4		/* bytes; less is drawn as this */
#define RPT_SC_UNIT 1024.0		/* of the axis, bytes */

#define RPT_SC_CAPTION \
	"The bottleneck's mean queue (filled) and its 99th percentile over time\n" \
	"(hollow) against its utilization, %s;\n" \
	"medians over the seeds. Right and down is better."

struct rpt_box {
	double x0, y0, x1, y1;		/* pixels */
};

struct rpt_spot {
	const struct rpt_algo *a;
	double util, mean, p99;		/* share, bytes; @p99 may be NAN */
	double x, y, y99;		/* pixels from the plot's lower left */
	struct rpt_box text;
};

struct rpt_scatter {
	struct rpt_spot *spot;
	size_t n;
	double u0, u1, q0, q1;		/* ends of the axes */
	double w, h;			/* of the plot area */
	bool window;			/* figures of a part of the runs */
	bool floored;
};

static double rpt_scatter_x(const struct rpt_scatter *sc, double util)
{
	return (util - sc->u0) / (sc->u1 - sc->u0) * sc->w;
}

static double rpt_scatter_y(const struct rpt_scatter *sc, double bytes)
{
	bytes = fmax(bytes, RPT_SC_FLOOR);
	return log(bytes / sc->q0) / log(sc->q1 / sc->q0) * sc->h;
}

/* A figure of the bottleneck, in the window of the run or in all of it. */
static double rpt_scatter_figure(const struct rpt_run *run, const char *figure, bool window)
{
	struct json_object *port = js_path(run->summary, "bottleneck.port");
	char *path;
	double v;

	if (window)
		path = rpt_text("window.ports.%s.%s", port ?
				 json_object_get_string(port) : "", figure);
	else
		path = rpt_text("bottleneck.%s", figure);
	v = rpt_json_double(run->summary, path);
	return v;
}

/* Its median over the seeds, or NAN. */
static double rpt_scatter_median(const struct rpt_algo *a, const char *figure, bool window)
{
	double *v = xreallocarray(NULL, a->nr_runs, sizeof(*v)), x;
	size_t i, n = 0;

	for (i = 0; i < a->nr_runs; i++) {
		x = rpt_scatter_figure(&a->runs[i], figure, window);
		if (!isnan(x))
			v[n++] = x;
	}
	x = stats_spread_of(v, n).median;
	free(v);
	return x;
}

/* Of a window of the runs where all have one, which leaves starts and ends out. */
static void rpt_scatter_read(const struct rpt_scenario *s, struct rpt_scatter *sc)
{
	size_t i;

	sc->window = true;
	for (i = 0; i < s->nr_algos; i++)
		sc->window &= !isnan(rpt_scatter_median(&s->algos[i], "utilization", true));
	sc->spot = xreallocarray(NULL, s->nr_algos, sizeof(*sc->spot));
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_algo *a = &s->algos[i];
		struct rpt_spot t = {
			.a = a,
			.util = rpt_scatter_median(a, "utilization", sc->window),
			.mean = rpt_scatter_median(a, "queue_bytes.mean", sc->window),
			.p99 = rpt_scatter_median(a, "queue_bytes.p99", sc->window),
		};

		if (!isnan(t.util) && !isnan(t.mean))
			sc->spot[sc->n++] = t;
	}
}

static void rpt_scatter_axes(struct rpt_scatter *sc)
{
	double u0 = HUGE_VAL, u1 = -HUGE_VAL, q0 = HUGE_VAL, q1 = 0, pad;
	size_t i;

	for (i = 0; i < sc->n; i++) {
		const struct rpt_spot *t = &sc->spot[i];
		double high = isnan(t->p99) ? t->mean : t->p99;
		double low = fmin(t->mean, high);

		sc->floored |= low < RPT_SC_FLOOR;
		u0 = fmin(u0, t->util);
		u1 = fmax(u1, t->util);
		q0 = fmin(q0, fmax(low, RPT_SC_FLOOR));
		q1 = fmax(q1, fmax(fmax(t->mean, high), RPT_SC_FLOOR));
	}
	pad = fmax(0.12 * (u1 - u0), 0.01);
	sc->u0 = fmax(u0 - pad, 0);
	sc->u1 = u1 + pad;
	sc->q0 = q0 / 2.2;		/* room for names below */
	sc->q1 = fmax(q1, 10 * q0) * 1.8;
	sc->w = rpt_width() - RPT_SC_LEFT - RPT_SC_RIGHT;
	sc->h = RPT_SC_PX - RPT_SC_TOP - RPT_SC_BOTTOM;
	for (i = 0; i < sc->n; i++) {
		struct rpt_spot *t = &sc->spot[i];

		t->x = rpt_scatter_x(sc, t->util);
		t->y = rpt_scatter_y(sc, t->mean);
		t->y99 = isnan(t->p99) ? t->y : rpt_scatter_y(sc, t->p99);
	}
}

static double rpt_overlap(const struct rpt_box *a, const struct rpt_box *b)
{
	double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0);
	double h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);

	return w > 0 && h > 0 ? w * h : 0;
}

/* Pixels that a name at @b would hide, or lose beyond the frame. */
static double rpt_scatter_cost(const struct rpt_scatter *sc, size_t mine, const struct rpt_box *b)
{
	struct rpt_box frame = { 0, 0, sc->w, sc->h };
	double cost = 10 * ((b->x1 - b->x0) * (b->y1 - b->y0) - rpt_overlap(b, &frame));
	size_t i;

	for (i = 0; i < sc->n; i++) {
		const struct rpt_spot *t = &sc->spot[i];
		double lo = fmin(t->y, t->y99), hi = fmax(t->y, t->y99);
		struct rpt_box marks[] = {
			{ t->x - RPT_SC_MARK, t->y - RPT_SC_MARK,
			  t->x + RPT_SC_MARK, t->y + RPT_SC_MARK },
			{ t->x - RPT_SC_MARK, t->y99 - RPT_SC_MARK,
			  t->x + RPT_SC_MARK, t->y99 + RPT_SC_MARK },
			/* A name across a line seems to belong to it. */
			{ t->x - RPT_SC_MARK, lo, t->x + RPT_SC_MARK, hi },
		};
		size_t k;

		for (k = 0; k < ARRAY_SIZE(marks); k++)
			cost += rpt_overlap(b, &marks[k]);
		if (i < mine)
			cost += rpt_overlap(b, &t->text);
	}
	return cost;
}

/*
 * A name stands where it hides least: beside or above a point of its own, each
 * place tried from the best to the worst.
 */
static void rpt_scatter_place(struct rpt_scatter *sc, size_t mine)
{
	struct rpt_spot *t = &sc->spot[mine];
	double w = RPT_SC_CHAR * strlen(t->a->cc), gap = RPT_SC_MARK + 3;
	double up = RPT_SC_MARK + RPT_SC_LINE / 2 + 1;
	double mid = (t->y + t->y99) / 2, best = HUGE_VAL, cost;
	const struct {
		double x, y;		/* left end, middle */
	} at[] = {
		{ t->x + gap, t->y }, { t->x - gap - w, t->y },
		{ t->x + gap, t->y99 }, { t->x - gap - w, t->y99 },
		{ t->x + gap, mid }, { t->x - gap - w, mid },
		{ t->x - w / 2, t->y - gap - 8 }, { t->x - w / 2, t->y99 + gap + 8 },
		{ t->x + gap, t->y - gap }, { t->x - gap - w, t->y - gap },
		{ t->x + gap, t->y99 + gap }, { t->x - gap - w, t->y99 + gap },
		{ t->x + gap, t->y + gap }, { t->x - gap - w, t->y + gap },
		{ t->x + gap, t->y99 - gap }, { t->x - gap - w, t->y99 - gap },
		{ t->x - 4, t->y99 + up }, { t->x + 4 - w, t->y99 + up },
		{ t->x - 4, t->y - up }, { t->x + 4 - w, t->y - up },
		{ t->x - 4, t->y99 + 2 * up }, { t->x + 4 - w, t->y99 + 2 * up },
	};
	size_t k;

	for (k = 0; k < ARRAY_SIZE(at); k++) {
		struct rpt_box b = {
			at[k].x, at[k].y - RPT_SC_LINE / 2,
			at[k].x + w, at[k].y + RPT_SC_LINE / 2,
		};

		cost = rpt_scatter_cost(sc, mine, &b);
		if (cost < best) {
			best = cost;
			t->text = b;
		}
	}
}

static void rpt_scatter_draw(struct pic *p, const struct rpt_scatter *sc)
{
	struct rpt_scale vs = rpt_scale_of(RPT_BYTES, RPT_SC_UNIT);
	struct pic_panel panel = {
		.x = RPT_SC_LEFT, .y = RPT_SC_TOP, .w = sc->w, .h = sc->h,
		.more = "filled: mean queue; hollow: its 99th percentile", .rgb = 0x444444,
		.xlabel = "utilization of the bottleneck (%)",
		.ylabel = rpt_axis("queue of the bottleneck", vs),
		.x0 = 100 * sc->u0, .x1 = 100 * sc->u1, .xdiv = 0.01,
		.y0 = sc->q0 / vs.div, .y1 = sc->q1 / vs.div, .ydiv = vs.div,
		.ylog = true, .floor = RPT_SC_FLOOR,
	};
	size_t i;

	pic_panel(p, &panel);
	if (sc->floored) {
		pic_more_tics(p, 'y');
		pic_tic(p, 'y', rpt_text("<= %.3g", RPT_SC_FLOOR / vs.div), RPT_SC_FLOOR / vs.div);
	}
	for (i = 0; i < sc->n; i++) {
		const struct rpt_spot *t = &sc->spot[i];
		struct pic_look look = { .rgb = t->a->style.rgb, .point = t->a->style.point };

		pic_note(p, t->a->cc, t->text.x0 / sc->w, (t->text.y0 + t->text.y1) / 2 / sc->h, -1,
			 rpt_mix(t->a->style.rgb, 0, 0.3));
		pic_block(p, t->a->cc, (const char *)NULL);
		pic_look(p, &look);
		pic_row(p, 3, t->util, t->mean, isnan(t->p99) ? t->mean : t->p99);
	}
}

/**
 * rpt_plot_scatter() - queue against utilization, all algorithms
 * @r: the report
 * @s: the scenario
 */
void rpt_plot_scatter(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_scatter sc = { 0 };
	struct pic p;
	size_t i;

	rpt_scatter_read(s, &sc);
	if (sc.n > 1) {
		rpt_scatter_axes(&sc);
		for (i = 0; i < sc.n; i++)
			rpt_scatter_place(&sc, i);
	}
	if (sc.n > 1 && pic_open(r, &p, s, NULL, P_SCATTER, RPT_SC_PX)) {
		rpt_scatter_draw(&p, &sc);
		pic_close(&p, RPT_SC_CAPTION, sc.window ? "in the window of the runs" :
			  "from the first start to the last completion");
	}
	free(sc.spot);
}
