// SPDX-License-Identifier: GPL-2.0
/*
 * What an algorithm decides and what it decides by: rate and signal of every
 * flow on one time axis.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_SIGNAL_PX 190
#define RPT_SIGNAL_LOG 2.5	/* times further up: logarithmic axis */

#define RPT_SIGNALS 4		/* that one algorithm may declare */
#define RPT_SIGNAL_FLAT 0.01	/* a rate that moves no more says nothing */

/* Of results whose run.json has no declaration: what the variables are, without lines. */
static const struct rpt_signal rpt_known[] = {
	{ "u_q24", "U", "", RPT_PLAIN, 1 << 24, { NULL }, NULL },
	{ "alpha_q24", "alpha", "", RPT_PLAIN, 1 << 24, { NULL }, NULL },
	{ "rtt_ns", "RTT", "", RPT_NS, 1, { NULL }, NULL },
};

static const char *rpt_signal_text(struct json_object *o, const char *key)
{
	struct json_object *v = js_path(o, key);

	return json_object_is_type(v, json_type_string) ? json_object_get_string(v) : NULL;
}

/* One of "signals" of run.json: struct rxe_cc_signal of the kernel. */
static bool rpt_signal_declared(struct json_object *o, struct rpt_signal *s)
{
	static const struct {
		const char *name;
		enum rpt_unit unit;
		double div;
	} units[] = {
		{ "ns", RPT_NS, 1 }, { "bps", RPT_BPS, 1 }, { "bytes", RPT_BYTES, 1 },
		{ "q24", RPT_PLAIN, 1 << 24 }, { "ppm", RPT_PLAIN, 1e6 },
	};
	const char *unit = rpt_signal_text(o, "unit");
	struct json_object *lines = js_path(o, "lines");
	size_t i;

	*s = (struct rpt_signal){
		.var = rpt_signal_text(o, "var"), .name = rpt_signal_text(o, "name"),
		.note = rpt_signal_text(o, "help"), .unit = RPT_PLAIN, .div = 1,
		.rtt_unit = rpt_signal_text(o, "rtt_unit"),
	};
	if (!s->var || !s->name || !s->note || !unit)
		return false;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name)) {
			s->unit = units[i].unit;
			s->div = units[i].div;
		}
	for (i = 0; i < RPT_SIGNAL_LINES && json_object_is_type(lines, json_type_array) &&
	     i < json_object_array_length(lines); i++)
		s->line[i] = json_object_get_string(json_object_array_get_idx(lines, i));
	return true;
}

/* What the run's algorithm may go by, in its order. Return: how many. */
static size_t rpt_signal_all(const struct rpt_run *run, struct rpt_signal *s)
{
	struct json_object *list = js_path(run->info, "signals");
	size_t i, n = 0;

	if (!json_object_is_type(list, json_type_array)) {
		memcpy(s, rpt_known, sizeof(rpt_known));
		return ARRAY_SIZE(rpt_known);
	}
	for (i = 0; i < json_object_array_length(list) && n < RPT_SIGNALS; i++)
		n += rpt_signal_declared(json_object_array_get_idx(list, i), &s[n]);
	return n;
}

/*
 * The first that changes; a constant tells something only beside those of others. state.csv
 * has changes only, so what changes has values that are not the same.
 */
static bool rpt_signal_of(struct rpt *r, struct rpt_course *c)
{
	size_t n, i, best;
	struct rpt_signal sig[RPT_SIGNALS];
	double min[RPT_SIGNALS], max[RPT_SIGNALS];
	struct csv csv;

	n = rpt_signal_all(c->run, sig);
	for (i = 0; i < n; i++) {
		min[i] = HUGE_VAL;
		max[i] = -HUGE_VAL;
	}
	if (!rpt_csv_open(r, &csv, c->run, "state.csv", "t_ns,flow,name,value"))
		return false;
	while (rpt_csv_next(&csv))
		for (i = 0; i < n; i++)
			if (!strcmp(sig[i].var, csv.field[2])) {
				min[i] = fmin(min[i], csv_double(csv.field[3]));
				max[i] = fmax(max[i], csv_double(csv.field[3]));
			}
	rpt_csv_close(r, &csv);
	for (best = 0; best < n && !(max[best] > min[best]); best++)
		;
	c->constant = best == n;
	for (i = 0; i < n && c->constant && best == n; i++)
		if (max[i] >= min[i])
			best = i;
	if (best == n)
		return false;
	c->declared = sig[best];
	c->signal = &c->declared;
	return true;
}

/**
 * rpt_decides() - what an algorithm sets: the rate, or the window where its rate is flat
 * @c: the run
 *
 * Return: the quantity to show.
 */
enum rpt_quantity rpt_decides(const struct rpt_course *c)
{
	double min = HUGE_VAL, max = 0;
	size_t i, k, windows = 0;

	for (i = 0; i < c->flows.n; i++) {
		const struct rpt_series *s = &c->flows.flow[i].s[RPT_Q_RATE];

		windows += c->flows.flow[i].s[RPT_Q_WINDOW].n > 2;
		for (k = 0; k < s->n; k++) {
			min = fmin(min, s->v[k]);
			max = fmax(max, s->v[k]);
		}
	}
	return windows && !(max - min > RPT_SIGNAL_FLAT * max) ? RPT_Q_WINDOW : RPT_Q_RATE;
}

/*
 * state.csv has changes only: between them the value is that of the last one,
 * at every sample of the rate.
 */
static void rpt_signal_hold(struct rpt_flow *f, const struct rpt_series *s)
{
	const struct rpt_series *rate = &f->s[RPT_Q_RATE];
	size_t i, k = 0;

	for (i = 0; i < rate->n; i++) {
		while (k + 1 < s->n && s->t[k + 1] <= rate->t[i])
			k++;
		if (s->n && s->t[k] <= rate->t[i])
			rpt_series_add(&f->s[RPT_Q_SIGNAL], rate->t[i], s->v[k]);
	}
}

static void rpt_signal_read(struct rpt *r, const struct rpt_signal *sig, struct rpt_course *c)
{
	struct rpt_series *s = xreallocarray(NULL, c->flows.n, sizeof(*s));
	struct csv csv;
	size_t i;

	memset(s, 0, c->flows.n * sizeof(*s));
	if (rpt_csv_open(r, &csv, c->run, "state.csv", "t_ns,flow,name,value")) {
		while (rpt_csv_next(&csv)) {
			long id = strtol(csv.field[1], NULL, 10);
			double v = csv_double(csv.field[3]);

			for (i = 0; i < c->flows.n; i++)
				if (c->flows.flow[i].id == id)
					break;
			if (i < c->flows.n && !isnan(v) && !strcmp(csv.field[2], sig->var))
				rpt_series_add(&s[i], csv_double(csv.field[0]), v / sig->div);
		}
		rpt_csv_close(r, &csv);
	}
	for (i = 0; i < c->flows.n; i++) {
		rpt_signal_hold(&c->flows.flow[i], &s[i]);
		rpt_series_free(&s[i]);
	}
	free(s);
}

/* The value that a @share of what is shown stays below. */
static double rpt_half_share(const struct rpt_half *h, size_t flows, double share)
{
	size_t i, n = 0, total = flows * h->bin.nbins;
	double *v = xreallocarray(NULL, total + 1, sizeof(*v)), ret = 0;

	for (i = 0; i < total; i++)
		if (!isnan(h->bin.v[i]))
			v[n++] = h->bin.v[i];
	if (n) {
		qsort(v, n, sizeof(*v), stats_cmp_double);
		ret = v[(size_t)(share * (n - 1))];
	}
	free(v);
	return ret;
}

void rpt_half_make(struct rpt_half *h, const struct rpt_course *c, enum rpt_quantity k, double t1)
{
	rpt_bin_panel(&c->flows, k, t1, &h->bin);
	h->cut = h->bin.high > 0 && h->bin.max > 2 * h->bin.high;
	h->top = 1.05 * (h->cut ? 1.25 * h->bin.high : h->bin.max);
	if (!(h->top > 0))
		h->top = 1;
}

static double rpt_algo_param(const struct rpt_run *run, const char *param)
{
	double v = rpt_json_double(run->summary, rpt_text("algo_params.%s", param));

	return v;
}

/* A line where the algorithm has it: NAN when that is not known. */
double rpt_signal_line(const struct rpt_run *run, const struct rpt_signal *sig, size_t i)
{
	double v = rpt_algo_param(run, sig->line[i]), unit;

	if (!sig->rtt_unit)
		return v;
	unit = rpt_algo_param(run, sig->rtt_unit);
	if (!(unit > 0))
		return v;
	return v * rpt_json_double(run->summary, "knobs.base_rtt") / unit;
}

/*
 * A signal that hardly moves fills the panel; one whose marks or peaks are
 * far above has a logarithmic axis.
 */
void rpt_half_axis(struct rpt_half *h, const struct rpt_course *c, const struct rpt_signal *sig)
{
	double low = rpt_half_share(h, c->flows.n, 0.02), high = h->bin.max;
	size_t i;

	for (i = 0; i < RPT_SIGNAL_LINES && sig->line[i]; i++)
		high = fmax(high, rpt_signal_line(c->run, sig, i));
	if (!(low > 0))
		return;
	if (high > RPT_SIGNAL_LOG * h->top) {
		h->log = true;
		h->cut = false;
		h->bottom = low / 1.6;
		h->top = high * 1.6;
	} else if (low > 0.6 * h->top) {
		h->bottom = fmax(low - 0.7 * (h->top - low), 0);
	}
}

/* Height of @v in the panel. */
double rpt_half_y(const struct rpt_half *h, double v)
{
	if (h->log)
		return log(v / h->bottom) / log(h->top / h->bottom);
	return (v - h->bottom) / (h->top - h->bottom);
}

/* Names of the flows, once: both panels have the same shades. */
static void rpt_half_names(struct rpt_stack *st, const struct rpt_course *c)
{
	struct rpt_label l[RPT_LINES];
	size_t i, n = c->flows.n;
	char *all;

	if (n > RPT_LINES) {
		all = rpt_text("shade: all %zu", n);
		pic_note(st->p, all, 1.012, 0.95, -1, st->rgb);
		pic_note(st->p, "line: median", 1.012, 0.86, -1, st->rgb);
		return;
	}
	for (i = 0; i < n; i++)
		l[i] = (struct rpt_label){
			.text = rpt_text("flow %ld", c->flows.flow[i].id),
			.y = 0.95 - 0.09 * i, .dash = 1,
			.rgb = rpt_flow_shade(st->rgb, i, n),
		};
	pic_names(st->p, l, n, st->panel);
}

/* The algorithm's own marks, where the axis shows them. */
static void rpt_signal_marks(struct rpt_stack *st, const struct rpt_half *h,
			     const struct rpt_signal *sig, const struct rpt_course *c)
{
	struct rpt_label l[RPT_SIGNAL_LINES];
	size_t i, n = 0;

	for (i = 0; i < RPT_SIGNAL_LINES && sig->line[i]; i++) {
		double v = rpt_signal_line(c->run, sig, i);
		char num[32];

		if (!(v > h->bottom) || v > h->top)
			continue;
		rpt_fmt_auto(num, sizeof(num), sig->unit, rpt_round3(v));
		pic_line(st->p, 'y', v / h->scale.div);
		l[n++] = (struct rpt_label){
			.text = rpt_text("%s %s", sig->line[i], num),
			.y = rpt_half_y(h, v), .rgb = 0x222222,
		};
	}
	pic_names(st->p, l, n, st->panel);
}

static void rpt_half_panel(struct rpt_stack *st, struct rpt_half *h, const struct rpt_course *c,
			   bool last)
{
	h->scale = rpt_scale_of(h->unit, h->log ? h->bottom : h->top);
	struct pic_panel panel = {
		.h = RPT_SIGNAL_PX, .title = h->name, .more = rpt_text(" of each flow%s", h->note),
		.ylabel = rpt_axis(h->name, h->scale),
		.y0 = h->bottom / h->scale.div, .y1 = h->top / h->scale.div,
		.ydiv = h->scale.div, .ylog = h->log,
	};
	rpt_stack_panel(st, &panel, last);
	rpt_put_flows(st->p, h->what, &c->flows, &h->bin, st->t1, false);
}

static void rpt_signal_panels(struct rpt_stack *st, const struct rpt_course *c,
			      const struct rpt_signal *sig, struct rpt_half *h, double t1)
{
	rpt_stack_begin(st, c, t1);
	rpt_half_panel(st, &h[0], c, false);
	rpt_half_names(st, c);
	rpt_half_panel(st, &h[1], c, true);
	rpt_signal_marks(st, &h[1], sig, c);
}

static char *rpt_signal_caption(const struct rpt_course *c, const struct rpt_half *h)
{
	char cut[2][96] = { "", "" }, num[32];
	int i;

	for (i = 0; i < 2; i++) {
		if (!h[i].cut)
			continue;
		rpt_fmt_auto(num, sizeof(num), h[i].unit, h[i].bin.max);
		snprintf(cut[i], sizeof(cut[i]), " Short peaks of %s reach %s.", h[i].name, num);
	}
	return rpt_text("%s, seed %lu: what the algorithm sets, and what it goes by.\n"
			 "Each point is a mean over at least 1/%d of the time shown.%s%s",
			 c->algo->cc, c->run->seed, RPT_BINS, cut[0], cut[1]);
}

static double rpt_signal_end(const struct rpt_course *c)
{
	double t1 = 0;
	size_t i;

	for (i = 0; i < c->flows.n; i++) {
		const struct rpt_series *s = &c->flows.flow[i].s[RPT_Q_SIGNAL];

		if (s->n)
			t1 = fmax(t1, s->t[s->n - 1]);
	}
	return t1;
}

static void rpt_signal_plot(struct rpt *r, const struct rpt_scenario *s, const struct rpt_course *c,
			    const struct rpt_signal *sig)
{
	bool window = rpt_decides(c) == RPT_Q_WINDOW;
	struct rpt_half h[2] = {
		{ .name = window ? "window" : "CC rate", .note = "",
		  .what = window ? "cwnd_bytes" : "cc_rate_bps",
		  .unit = window ? RPT_BYTES : RPT_BPS },
		{ .name = sig->name, .note = sig->note, .what = sig->var,
		  .unit = sig->unit },
	};
	struct rpt_stack st = {
		.left = 84, .right = 150, .y = 74, .rgb = c->algo->style.rgb,
		.cc = c->algo->cc,
	};
	double t1 = rpt_signal_end(c);
	struct pic p;

	rpt_half_make(&h[0], c, rpt_decides(c), t1);
	rpt_half_make(&h[1], c, RPT_Q_SIGNAL, t1);
	rpt_half_axis(&h[1], c, sig);
	st.height = st.y + 2 * (RPT_SIGNAL_PX + 40) + 16;
	if (h[0].bin.course && h[1].bin.course &&
	    pic_open(r, &p, s, c, P_SIGNAL, st.height)) {
		st.p = &p;
		pic_head(&p, s->name, window ? "window and signal" : "rate and signal");
		rpt_signal_panels(&st, c, sig, h, t1);
		pic_end(&p,
			rpt_text("%s and %s, %s", window ? "Window" : "Rate", sig->name,
				 c->algo->cc),
			"%s", rpt_signal_caption(c, h));
	}
	free(h[0].bin.v);
	free(h[1].bin.v);
}

/**
 * rpt_plot_signals() - a picture of a run whose algorithm has a signal to show
 * @r: the report
 * @s: the scenario
 * @c: the run, its signal is filled in
 */
void rpt_plot_signals(struct rpt *r, const struct rpt_scenario *s, struct rpt_course *c)
{
	if (!c->flows.n || rpt_is_algo(c->algo, "none") || !rpt_signal_of(r, c))
		return;
	rpt_signal_read(r, c->signal, c);
	if (!c->constant)
		rpt_signal_plot(r, s, c, c->signal);
}
