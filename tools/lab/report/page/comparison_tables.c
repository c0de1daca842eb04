// SPDX-License-Identifier: GPL-2.0
/* The comparison tables: text for people, JSON for programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* All drops were the bottleneck's, which has its own column. */
static bool rpt_same_drops(const struct rpt_scenario *s)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++) {
		for (k = 0; k < s->algos[i].nr_runs; k++) {
			const double *m = s->algos[i].runs[k].m;

			if (m[RPT_M_DROPS_ALL] != m[RPT_M_DROPS])
				return false;
		}
	}
	return true;
}

/**
 * rpt_columns() - the columns worth printing for a scenario
 * @s: the scenario
 * @cols: filled in, room for RPT_M_NR
 *
 * One scale a column, chosen by its medians, so that rows compare.
 * Return: number of columns.
 */
size_t rpt_columns(const struct rpt_scenario *s, struct rpt_column *cols)
{
	size_t i, n = 0;
	int m;

	for (m = 0; m < RPT_M_NR; m++) {
		double max = 0, min = HUGE_VAL, most = 0;
		bool known = false;

		for (i = 0; i < s->nr_algos; i++) {
			struct stats_spread g = rpt_aggregate(&s->algos[i], m);

			known |= g.n > 0;
			if (g.n && fabs(g.median) > max)
				max = fabs(g.median);
			if (g.n)
				most = fmax(most, fabs(g.max));
			if (g.n && g.median != 0)
				min = fmin(min, fabs(g.median));
		}
		if (!rpt_metrics[m].head[0] || !known || (rpt_metrics[m].quiet && !most) ||
		    (m == RPT_M_DROPS_ALL && rpt_same_drops(s)))
			continue;
		cols[n].id = m;
		cols[n].scale = rpt_scale_of(rpt_metrics[m].unit, max);
		/* Small values need their digits more than large ones. */
		if (min < 0.1 * cols[n].scale.div && max < 100 * cols[n].scale.div)
			cols[n].scale = rpt_scale_of(rpt_metrics[m].unit, max / 1000);
		n++;
	}
	return n;
}

/*
 * The median over the seeds; with several seeds that differ, half the range in per cent of the
 * median as well. Or the mean, and how far its 95 % interval reaches to both sides.
 */
void rpt_cell(char *buf, size_t len, const struct rpt_algo *a, const struct rpt_column *col,
	      bool mean)
{
	struct stats_spread g = rpt_aggregate(a, col->id);
	double mid = mean ? g.mean : g.median, half = mean ? g.ci95 : (g.max - g.min) / 2;
	size_t n;

	rpt_fmt(buf, len, rpt_metrics[col->id].unit, col->scale, mid);
	if (g.n < 2 || 2 * half < 0.001 * fabs(mid) || mid == 0)
		return;
	n = strlen(buf);
	snprintf(buf + n, len - n, " ±%.1f%%", half / fabs(mid) * 100);
}

/* Flows completed of flows started, over all seeds. */
void rpt_algo_status(char *buf, size_t len, const struct rpt_algo *a)
{
	double done = 0, all = 0, stopped;
	size_t i, known = 0;

	for (i = 0; i < a->nr_runs; i++) {
		if (isnan(a->runs[i].m[RPT_M_COMPLETED]) || isnan(a->runs[i].m[RPT_M_FLOWS]))
			continue;
		done += a->runs[i].m[RPT_M_COMPLETED];
		all += a->runs[i].m[RPT_M_FLOWS];
		/* As planned: nobody waits for them. */
		stopped = rpt_json_double(a->runs[i].summary, "flows.stopped");
		all -= isnan(stopped) ? 0 : stopped;
		known++;
	}
	if (!known)
		snprintf(buf, len, "-");
	else if (done == all)
		snprintf(buf, len, "%.0f", all);
	else
		snprintf(buf, len, "%.0f/%.0f", done, all);
}

/*
 * A table as text cells, row 0..2 the heading. Sizes count characters, not
 * bytes: the only character beyond ASCII is the plus-minus sign.
 */
struct rpt_text {
	char (*cell)[32];
	size_t rows, cols;
};

static int rpt_display_width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static char *rpt_at(const struct rpt_text *t, size_t row, size_t col)
{
	return t->cell[row * t->cols + col];
}

static void rpt_put(const struct rpt_text *t, size_t row, size_t col, const char *s)
{
	snprintf(rpt_at(t, row, col), sizeof(*t->cell), "%s", s);
}

static void rpt_text_print(const struct rpt_text *t, FILE *out)
{
	size_t row, col;

	for (row = 0; row < t->rows; row++) {
		for (col = 0; col < t->cols; col++) {
			const char *s = rpt_at(t, row, col);
			int width = 0, pad;
			size_t i;

			for (i = 0; i < t->rows; i++) {
				int w = rpt_display_width(rpt_at(t, i, col));

				if (w > width)
					width = w;
			}
			pad = width - rpt_display_width(s);
			if (!col)
				fprintf(out, "  %s%*s", s, pad, "");
			else
				fprintf(out, "  %*s%s", pad, "", s);
		}
		fputc('\n', out);
	}
}

/* Of the algorithm with most. */
size_t rpt_seed_count(const struct rpt_scenario *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->nr_algos; i++)
		if (s->algos[i].nr_runs > n)
			n = s->algos[i].nr_runs;
	return n;
}

static const char *rpt_port_of(const struct rpt_run *run)
{
	struct json_object *o = js_path(run->summary, "bottleneck.port");

	return json_object_is_type(o, json_type_string) ? json_object_get_string(o) : NULL;
}

/* Which port the columns of queues are of: one of all runs, or each run's own busiest. */
static void rpt_print_port(const struct rpt_scenario *s, FILE *out)
{
	const char *first = NULL, *port;
	bool differ = false;
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++) {
		for (k = 0; k < s->algos[i].nr_runs; k++) {
			port = rpt_port_of(&s->algos[i].runs[k]);
			differ |= first && port && strcmp(first, port);
			first = first ? first : port;
		}
	}
	if (first && !differ)
		fprintf(out, ", bottleneck port %s", first);
	if (!differ)
		return;
	fprintf(out, ", busiest ports:");
	for (i = 0; i < s->nr_algos; i++) {
		fprintf(out, "%s %s", i ? "," : "", s->algos[i].cc);
		for (k = 0; k < s->algos[i].nr_runs; k++) {
			port = rpt_port_of(&s->algos[i].runs[k]);
			fprintf(out, " %s", port ? port : "-");
		}
	}
}

static void rpt_print_table(const struct rpt_scenario *s, FILE *out, bool mean)
{
	struct rpt_column cols[RPT_M_NR];
	size_t n = rpt_columns(s, cols), i, j;
	struct rpt_text t = { NULL, s->nr_algos + 3, n + 3 };

	t.cell = xreallocarray(NULL, t.rows * t.cols, sizeof(*t.cell));
	memset(t.cell, 0, t.rows * t.cols * sizeof(*t.cell));
	rpt_put(&t, 0, 0, "cc");
	rpt_put(&t, 0, 1, "seeds");
	rpt_put(&t, 0, 2, "flows");
	for (j = 0; j < n; j++) {
		const struct rpt_metric *m = &rpt_metrics[cols[j].id];

		rpt_put(&t, 0, j + 3, m->head[0]);
		rpt_put(&t, 1, j + 3, m->head[1]);
		rpt_put(&t, 2, j + 3, cols[j].scale.name);
	}
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_algo *a = &s->algos[i];
		char buf[32];

		rpt_put(&t, i + 3, 0, a->cc);
		snprintf(buf, sizeof(buf), "%zu", a->nr_runs);
		rpt_put(&t, i + 3, 1, buf);
		rpt_algo_status(buf, sizeof(buf), a);
		rpt_put(&t, i + 3, 2, buf);
		for (j = 0; j < n; j++) {
			rpt_cell(buf, sizeof(buf), a, &cols[j], mean);
			rpt_put(&t, i + 3, j + 3, buf);
		}
	}
	fprintf(out, "%s", s->name);
	if (!mean)
		rpt_print_port(s, out);
	if (mean)
		fprintf(out, " (means over the seeds, ± their 95 %% confidence interval)");
	else if (rpt_seed_count(s) > 1)
		fprintf(out, " (medians over the seeds, ± half their range)");
	fputc('\n', out);
	rpt_text_print(&t, out);
	fputc('\n', out);
	free(t.cell);
}

void rpt_print_tables(const struct rpt *r, FILE *out)
{
	size_t i;

	for (i = 0; i < r->nr_scen; i++) {
		rpt_print_table(&r->scen[i], out, false);
		if (rpt_seed_count(&r->scen[i]) > 1)
			rpt_print_table(&r->scen[i], out, true);
	}
}

/* Twelve digits are more than any figure holds and end at its last one. */
static struct json_object *rpt_json_num(double v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.12g", v);
	return json_object_new_double_s(v, buf);
}

static struct json_object *rpt_json_algo(const struct rpt_scenario *s, const struct rpt_algo *a)
{
	struct json_object *o = json_object_new_object();
	struct json_object *seeds = json_object_new_array();
	struct json_object *commands = json_object_new_array();
	struct json_object *figs = json_object_new_object();
	size_t i;
	int m;

	js_add_str(o, "cc", rpt_text("%.*s", (int)strcspn(a->cc, ":"), a->cc));
	js_add_str(o, "label", a->cc);
	for (i = 0; i < a->nr_runs; i++) {
		const struct rpt_run *run = &a->runs[i];

		json_object_array_add(seeds, json_object_new_int64(run->seed));
		json_object_array_add(commands, json_object_new_string(rpt_command(s, a, run)));
	}
	json_object_object_add(o, "seeds", seeds);
	json_object_object_add(o, "commands", commands);
	for (m = 0; m < RPT_M_NR; m++) {
		struct stats_spread g = rpt_aggregate(a, m);
		struct json_object *f;

		if (!g.n)
			continue;
		f = json_object_new_object();
		json_object_object_add(f, "median", rpt_json_num(g.median));
		json_object_object_add(f, "min", rpt_json_num(g.min));
		json_object_object_add(f, "max", rpt_json_num(g.max));
		json_object_object_add(f, "mean", rpt_json_num(g.mean));
		json_object_object_add(f, "ci95", g.n > 1 ? rpt_json_num(g.ci95) : NULL);
		js_add_int(f, "n", g.n);
		json_object_object_add(figs, rpt_metrics[m].key, f);
	}
	json_object_object_add(o, "figures", figs);
	return o;
}

static void rpt_json_plot(struct json_object *plots, const struct rpt *r, size_t fig)
{
	char *path = rpt_text("%s/%s.svg", r->outdir, r->figs[fig].file);

	json_object_array_add(plots, json_object_new_string(path));
}

static struct json_object *rpt_json_scenario(const struct rpt *r, const struct rpt_scenario *s)
{
	struct json_object *o = json_object_new_object();
	struct json_object *algos = json_object_new_array();
	struct json_object *plots = json_object_new_array();
	size_t i;

	js_add_str(o, "scenario", s->scenario);
	js_add_str(o, "point", s->point);
	for (i = 0; i < s->nr_algos; i++)
		json_object_array_add(algos, rpt_json_algo(s, &s->algos[i]));
	json_object_object_add(o, "algorithms", algos);
	for (i = 0; i < r->nr_figs; i++)
		if (!strcmp(r->figs[i].scenario, s->name))
			rpt_json_plot(plots, r, i);
	json_object_object_add(o, "plots", plots);
	return o;
}

/* Pictures of several points of a sweep. */
static struct json_object *rpt_json_joint(const struct rpt *r)
{
	struct json_object *plots = json_object_new_array();
	size_t i, k;

	for (i = 0; i < r->nr_figs; i++) {
		for (k = 0; k < r->nr_scen; k++)
			if (!strcmp(r->figs[i].scenario, r->scen[k].name))
				break;
		if (k == r->nr_scen)
			rpt_json_plot(plots, r, i);
	}
	return plots;
}

void rpt_print_json(const struct rpt *r, FILE *out)
{
	struct json_object *o = json_object_new_object();
	struct json_object *scen = json_object_new_array();
	struct json_object *warn = json_object_new_array();
	size_t i;

	js_add_str(o, "dir", r->dir);
	for (i = 0; i < r->nr_scen; i++)
		json_object_array_add(scen, rpt_json_scenario(r, &r->scen[i]));
	json_object_object_add(o, "scenarios", scen);
	json_object_object_add(o, "plots", rpt_json_joint(r));
	for (i = 0; i < r->nr_warnings; i++)
		json_object_array_add(warn, json_object_new_string(r->warnings[i]));
	json_object_object_add(o, "warnings", warn);
	fprintf(out, "%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}
