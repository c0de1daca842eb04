// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: below the table of all runs the means over the seeds, and how far their 95 %
 * confidence intervals reach.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"
#include "sweep/sweep.h"

/* Those that runs have; under a workload the slowdowns of measured flows. */
static const struct {
	const char *path, *head, *unit, *fmt;
	double scale;
} columns[] = {
	{ "goodput_bps", "goodput", "Gbit/s", "%.3f", 1e9 },
	{ "flows.fct_ns.p50", "FCT p50", "us", "%.1f", 1e3 },
	{ "flows.fct_ns.p99", "FCT p99", "us", "%.1f", 1e3 },
	{ "flows.slowdown.p99", "slowdown p99", "", "%.3f", 1 },
	{ "measured.slowdown.p50", "measured p50", "", "%.3f", 1 },
	{ "measured.slowdown.p99", "measured p99", "", "%.3f", 1 },
	{ "bottleneck.queue_bytes.mean", "queue mean", "KiB", "%.1f", 1024 },
};

#define CELL	20	/* letters of a column */

/* All but the last part is the same: that is the seed. */
static bool same_but_seed(const struct sweep_run *a, const struct sweep_run *b)
{
	size_t len = strrchr(a->place, '/') - a->place;

	return strncmp(a->place, b->place, len + 1) == 0 && !strchr(b->place + len + 1, '/');
}

/* Of the runs that came out, and are like the one that is the first of them. */
static struct stats_spread spread_of(struct json_object **all, const struct sweep *s, size_t first,
				     const char *path)
{
	double *v = xcalloc(s->n_runs, sizeof(*v));
	struct stats_spread g;
	size_t i, n = 0;

	for (i = first; i < s->n_runs; i++) {
		struct json_object *o;

		if (!same_but_seed(&s->runs[first], &s->runs[i]))
			continue;
		o = js_path(all[i], path);
		if (o)
			v[n++] = json_object_get_double(o);
	}
	g = stats_spread_of(v, n);
	free(v);
	return g;
}

/* "12.345 ±1.2%", the sign being two bytes of one letter. */
static void print_cell(const struct stats_spread *g, size_t column)
{
	char text[64] = "-", more[32] = "";

	if (g->n)
		snprintf(text, sizeof(text), columns[column].fmt, g->mean / columns[column].scale);
	if (g->n > 1 && g->mean)
		snprintf(more, sizeof(more), " ±%.1f%%", 100 * g->ci95 / fabs(g->mean));
	strcat(text, more);
	printf(" %*s", CELL + (*more ? 1 : 0), text);
}

static bool is_first(const struct sweep *s, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (same_but_seed(&s->runs[k], &s->runs[i]))
			return false;
	return true;
}

static void print_means(struct json_object **all, const struct sweep *s)
{
	bool used[ARRAY_SIZE(columns)] = {};
	size_t i, k, width = strlen("cc");

	for (i = 0; i < s->n_runs; i++) {
		width = strlen(s->runs[i].name) > width ? strlen(s->runs[i].name) : width;
		for (k = 0; k < ARRAY_SIZE(columns); k++)
			used[k] |= !!js_path(all[i], columns[k].path);
	}
	printf("\nmeans over the seeds, ± their 95 %% confidence interval\n%-*s seeds", (int)width,
	       "cc");
	for (k = 0; k < ARRAY_SIZE(columns); k++)
		if (used[k])
			printf(" %*s", CELL, columns[k].head);
	printf("\n%-*s      ", (int)width, "");
	for (k = 0; k < ARRAY_SIZE(columns); k++)
		if (used[k])
			printf(" %*s", CELL, columns[k].unit);
	for (i = 0; i < s->n_runs; i++) {
		const char *name = s->runs[i].name;
		struct stats_spread g;

		if (!is_first(s, i))
			continue;
		g = spread_of(all, s, i, "flows.count");
		printf("\n%-*.*s %5zu", (int)width, (int)(strrchr(name, '/') - name), name, g.n);
		for (k = 0; k < ARRAY_SIZE(columns); k++) {
			g = spread_of(all, s, i, columns[k].path);
			if (used[k])
				print_cell(&g, k);
		}
	}
	printf("\n");
}

/**
 * means_over_seeds() - print the means of runs that differ in their seeds only, if any do
 * @s: sweep
 */
void means_over_seeds(const struct sweep *s)
{
	struct json_object **all = xcalloc(s->n_runs, sizeof(struct json_object *));
	bool several = false;
	size_t i;

	for (i = 0; i < s->n_runs; i++) {
		if (s->runs[i].state == RUN_DONE)
			all[i] = run_summary(s, &s->runs[i], NULL);
		several |= !is_first(s, i);
	}
	if (several)
		print_means(all, s);
	for (i = 0; i < s->n_runs; i++)
		json_object_put(all[i]);
	free(all);
}
