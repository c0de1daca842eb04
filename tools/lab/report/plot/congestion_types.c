// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: panels of what receivers believe beside what is true: the type of congestion of
 * each flow, and how many messages its host counts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_TYPES_FLOWS 8	/* more: the first so many */
#define RPT_TYPES_HOSTS 3
#define RPT_TYPES_BINS 600
#define RPT_TYPES_ROW_PX 40
#define RPT_COUNT_PX 110

static const char *const rpt_types[] = { "none", "last_hop", "network" };

static const struct rpt_swatch rpt_type_swatch[] = {
	{ "none", 0xdedede },
	{ "last hop", 0xe69f00 },
	{ "in the network", 0x0072b2 },
};

enum { RPT_DETECTED, RPT_TRUTH, RPT_TYPE_ROWS };

/* A flow's two rows: by bin the type that lasted longest, -1: the flow is not there. */
struct rpt_type_flow {
	long id;
	double held[RPT_TYPES_BINS][ARRAY_SIZE(rpt_types)];
	signed char type[RPT_TYPE_ROWS][RPT_TYPES_BINS];
	struct rpt_series s[RPT_TYPE_ROWS];
	double end_ns;
};

struct rpt_count_host {
	char *name;
	struct rpt_series counted, truth;
	double most;
};

struct rpt_types {
	struct rpt_type_flow *flow;
	size_t nflows, left_out;
	struct rpt_count_host *host;
	size_t nhosts, hosts_left_out;
	bool senders;			/* N is of senders */
	double t1;
};

static int rpt_type_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rpt_types); i++)
		if (!strcmp(name, rpt_types[i]))
			return i;
	return -1;
}

static struct rpt_type_flow *rpt_type_flow(struct rpt_types *ts, long id)
{
	size_t i;

	for (i = ts->nflows; i-- > 0; )
		if (ts->flow[i].id == id)
			return &ts->flow[i];
	if (ts->nflows == RPT_TYPES_FLOWS)
		return NULL;
	ts->flow = xreallocarray(ts->flow, ts->nflows + 1, sizeof(*ts->flow));
	memset(&ts->flow[ts->nflows], 0, sizeof(*ts->flow));
	ts->flow[ts->nflows].id = id;
	return &ts->flow[ts->nflows++];
}

static void rpt_types_read(struct rpt *r, const struct rpt_course *c,
			   const struct rpt_ends *ends, struct rpt_types *ts)
{
	const struct rpt_end *e;
	struct rpt_type_flow *f;
	struct csv csv;
	long id, last = -1;
	double t;
	size_t i;

	if (!rpt_csv_open(r, &csv, c->run, "types.csv", "t_ns,flow,detected,truth"))
		return;
	while (rpt_csv_next(&csv)) {
		t = csv_double(csv.field[0]);
		id = strtol(csv.field[1], NULL, 10);
		f = rpt_type_flow(ts, id);
		ts->t1 = fmax(ts->t1, t);
		ts->left_out += !f && id != last;
		last = id;
		if (!f)
			continue;
		rpt_series_add(&f->s[RPT_DETECTED], t, rpt_type_of(csv.field[2]));
		rpt_series_add(&f->s[RPT_TRUTH], t, rpt_type_of(csv.field[3]));
	}
	rpt_csv_close(r, &csv);
	for (i = 0; i < ts->nflows; i++) {
		e = rpt_end_of(ends, ts->flow[i].id);
		ts->flow[i].end_ns = e ? e->start_ns + e->fct_ns : NAN;
		if (!isnan(ts->flow[i].end_ns))
			ts->t1 = fmax(ts->t1, ts->flow[i].end_ns);
	}
}

static void rpt_type_bins(struct rpt_type_flow *f, int row, double t1)
{
	const struct rpt_series *s = &f->s[row];
	double width = t1 / RPT_TYPES_BINS, from, to;
	size_t i, k;
	int b;

	memset(f->held, 0, sizeof(f->held));
	for (i = 0; i < s->n; i++) {
		from = s->t[i];
		to = i + 1 < s->n ? s->t[i + 1] : isnan(f->end_ns) ? t1 : f->end_ns;
		for (b = from / width; b < RPT_TYPES_BINS && b * width < to && s->v[i] >= 0; b++)
			f->held[b][(int)s->v[i]] += fmin(to, (b + 1) * width) -
						    fmax(from, b * width);
	}
	for (b = 0; b < RPT_TYPES_BINS; b++) {
		f->type[row][b] = -1;
		for (k = 0; k < ARRAY_SIZE(rpt_types); k++)
			if (f->held[b][k] > 0 && (f->type[row][b] < 0 ||
						  f->held[b][k] > f->held[b][(int)f->type[row][b]]))
				f->type[row][b] = k;
	}
}

static struct rpt_count_host *rpt_count_host(struct rpt_types *ts, const char *name)
{
	size_t i;

	for (i = 0; i < ts->nhosts; i++)
		if (!strcmp(ts->host[i].name, name))
			return &ts->host[i];
	ts->host = xreallocarray(ts->host, ts->nhosts + 1, sizeof(*ts->host));
	ts->host[ts->nhosts] = (struct rpt_count_host){ .name = rpt_text("%s", name) };
	return &ts->host[ts->nhosts++];
}

static int rpt_cmp_count(const void *pa, const void *pb)
{
	const struct rpt_count_host *a = pa, *b = pb;

	if (a->most != b->most)
		return a->most > b->most ? -1 : 1;
	return strverscmp(a->name, b->name);
}

/* Senders where the algorithm goes by them: the report knows one. */
static void rpt_counts_read(struct rpt *r, const struct rpt_course *c, struct rpt_types *ts)
{
	struct rpt_count_host *h;
	struct csv csv;
	double t, n, truth;

	ts->senders = rpt_is_algo(c->algo, "dart");
	if (!rpt_csv_open(r, &csv, c->run, "counts.csv",
			  "t_ns,host,messages,true_messages,senders,true_senders"))
		return;
	while (rpt_csv_next(&csv)) {
		t = csv_double(csv.field[0]);
		n = csv_double(csv.field[ts->senders ? 4 : 2]);
		truth = csv_double(csv.field[ts->senders ? 5 : 3]);
		if (isnan(n))
			continue;
		h = rpt_count_host(ts, csv.field[1]);
		rpt_series_add(&h->counted, t, n);
		rpt_series_add(&h->truth, t, truth);
		h->most = fmax(h->most, fmax(n, isnan(truth) ? 0 : truth));
		ts->t1 = fmax(ts->t1, t);
	}
	rpt_csv_close(r, &csv);
	if (ts->nhosts)
		qsort(ts->host, ts->nhosts, sizeof(*ts->host), rpt_cmp_count);
	while (ts->nhosts > RPT_TYPES_HOSTS) {
		h = &ts->host[--ts->nhosts];
		rpt_series_free(&h->counted);
		rpt_series_free(&h->truth);
		ts->hosts_left_out++;
	}
}

static void rpt_types_free(struct rpt_types *ts)
{
	size_t i;

	for (i = 0; i < ts->nflows; i++) {
		rpt_series_free(&ts->flow[i].s[RPT_DETECTED]);
		rpt_series_free(&ts->flow[i].s[RPT_TRUTH]);
	}
	for (i = 0; i < ts->nhosts; i++) {
		rpt_series_free(&ts->host[i].counted);
		rpt_series_free(&ts->host[i].truth);
	}
	free(ts->flow);
	free(ts->host);
}

/* Height of a flow's row: what was detected above what was so. */
static double rpt_type_y(const struct rpt_types *ts, size_t flow, int row)
{
	return 2 * (ts->nflows - flow) - 0.65 - 0.85 * row;
}

/* Bars of one type in the rows of all flows: from, row, until. */
static void rpt_type_data(struct rpt_stack *st, struct rpt_types *ts, size_t type)
{
	double width = ts->t1 / RPT_TYPES_BINS;
	int row, b, e;
	size_t i;

	for (i = 0; i < ts->nflows; i++)
		for (row = 0; row < RPT_TYPE_ROWS; row++)
			for (b = 0; b < RPT_TYPES_BINS; b = e) {
				for (e = b + 1; e < RPT_TYPES_BINS; e++)
					if (ts->flow[i].type[row][e] != ts->flow[i].type[row][b])
						break;
				if (ts->flow[i].type[row][b] == (int)type)
					pic_row(st->p, 3, b * width, rpt_type_y(ts, i, row),
						e * width);
			}
}

/* What the colours mean stands in the panel's title, in them. */
static void rpt_types_panel(struct rpt_stack *st, struct rpt_types *ts, bool last)
{
	struct pic_panel panel = {
		.h = ts->nflows * RPT_TYPES_ROW_PX, .title = "congestion",
		.more = " as detected and as the ports had it:", .y1 = 2 * ts->nflows,
	};
	size_t i;

	rpt_stack_panel(st, &panel, last);
	pic_set(st->p, "type_panel", st->p->panels);
	pic_swatches(st->p, rpt_type_swatch, ARRAY_SIZE(rpt_type_swatch), 0.53);
	for (i = 0; i < ts->nflows; i++) {
		double up = rpt_type_y(ts, i, RPT_DETECTED), down = rpt_type_y(ts, i, RPT_TRUTH);
		char *name = rpt_text("flow %ld", ts->flow[i].id);

		pic_tic(st->p, 'y', name, (up + down) / 2);
		pic_note(st->p, "detected", 1.012, up / panel.y1, -1, 0x333333);
		pic_note(st->p, "truth", 1.012, down / panel.y1, -1, 0x333333);
	}
	for (i = 0; i < ARRAY_SIZE(rpt_types); i++) {
		struct pic_look look = { .rgb = rpt_type_swatch[i].rgb };

		pic_curve(st->p, &look, "congestion", st->cc, rpt_types[i]);
		rpt_type_data(st, ts, i);
	}
}

static void rpt_count_put(struct pic *p, const struct rpt_series *s, double t1)
{
	size_t k;

	pic_row(p, 2, 0.0, 0.0);
	for (k = 0; k < s->n; k++)
		if (!isnan(s->v[k]))
			pic_row(p, 2, s->t[k], s->v[k]);
	if (s->n && !isnan(s->v[s->n - 1]))
		pic_row(p, 2, t1, s->v[s->n - 1]);
}

static void rpt_count_panel(struct rpt_stack *st, const struct rpt_types *ts, size_t i, bool last)
{
	const struct rpt_count_host *h = &ts->host[i];
	struct rpt_label l[] = {
		{ .text = "counted", .y = 0.8, .rgb = st->rgb, .dash = 1 },
		{ .text = "true", .y = 0.6, .rgb = 0x222222, .dash = 2 },
	};
	struct pic_look counted = { .kind = PIC_STEPS, .rgb = st->rgb, .width = 2.2 };
	struct pic_look truth = { .kind = PIC_STEPS, .rgb = 0x222222, .width = 1.6, .dash = 2 };
	const char *what = ts->senders ? "senders" : "messages";
	struct pic_panel panel = {
		.h = RPT_COUNT_PX, .title = "N", .ylabel = what,
		.more = rpt_text(" at %s: %s in flight to it", h->name, what),
		.y1 = fmax(1.15 * h->most, 1.2),
	};

	rpt_stack_panel(st, &panel, last);
	pic_names(st->p, l, ARRAY_SIZE(l), st->panel);
	pic_curve(st->p, &counted, h->name, st->cc, "counted");
	rpt_count_put(st->p, &h->counted, ts->t1);
	pic_curve(st->p, &truth, h->name, st->cc, "true");
	rpt_count_put(st->p, &h->truth, ts->t1);
}

static void rpt_types_panels(struct rpt_stack *st, const struct rpt_course *c, struct rpt_types *ts)
{
	size_t i;

	for (i = 0; i < ts->nflows; i++) {
		rpt_type_bins(&ts->flow[i], RPT_DETECTED, ts->t1);
		rpt_type_bins(&ts->flow[i], RPT_TRUTH, ts->t1);
	}
	rpt_stack_begin(st, c, ts->t1);
	if (ts->nflows)
		rpt_types_panel(st, ts, !ts->nhosts);
	for (i = 0; i < ts->nhosts; i++)
		rpt_count_panel(st, ts, i, i + 1 == ts->nhosts);
}

static char *rpt_types_caption(const struct rpt_course *c, const struct rpt_types *ts)
{
	double right = rpt_json_double(c->run->summary, "types.right");
	char share[96] = "", more[96] = "";

	if (ts->nflows && !isnan(right))
		snprintf(share, sizeof(share),
			 " It is right for %.1f %% of the time, but for 3 RTTs after changes.",
			 100 * right);
	if (ts->left_out || ts->hosts_left_out)
		snprintf(more, sizeof(more), " Not shown: %zu more flows, %zu more hosts.",
			 ts->left_out, ts->hosts_left_out);
	return rpt_text("%s, seed %lu: what is detected, and what ports and flows show.%s%s",
			 c->algo->cc, c->run->seed, share, more);
}

static void rpt_types_plot(struct rpt *r, const struct rpt_scenario *s,
			   const struct rpt_course *c, struct rpt_types *ts)
{
	struct rpt_stack st = {
		.left = 84, .right = 110, .y = 74, .rgb = c->algo->style.rgb,
		.cc = c->algo->cc,
	};
	struct pic p;

	st.height = st.y + 16 + ts->nhosts * (RPT_COUNT_PX + 40);
	if (ts->nflows)
		st.height += ts->nflows * RPT_TYPES_ROW_PX + 40;
	if (pic_open(r, &p, s, c, P_TYPES, st.height)) {
		st.p = &p;
		rpt_types_panels(&st, c, ts);
		pic_close(&p, "%s", rpt_types_caption(c, ts));
	}
}

/**
 * rpt_plot_types() - a picture of a run in which receivers tell what they believe
 * @r: the report
 * @s: the scenario
 * @c: the run
 */
void rpt_plot_types(struct rpt *r, const struct rpt_scenario *s, struct rpt_course *c)
{
	struct rpt_types ts = { 0 };
	struct rpt_ends ends = { 0 };

	if (rpt_run_has(c->run, "types.csv")) {
		rpt_ends_read(r, c->run, &ends);
		rpt_types_read(r, c, &ends, &ts);
	}
	if (rpt_run_has(c->run, "counts.csv"))
		rpt_counts_read(r, c, &ts);
	if (ts.nflows || ts.nhosts)
		rpt_types_plot(r, s, c, &ts);
	rpt_types_free(&ts);
	rpt_ends_free(&ends);
}
