// SPDX-License-Identifier: GPL-2.0
/*
 * lab: fct_size.csv, fct_cdf.csv and slowdown_cdf.csv, and the same for
 * summary.json. Their length does not depend on the number of flows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/flow_figures.h"
#include "results/results.h"

const char *flow_set_group_name(const struct flow_set *s, int group)
{
	return group == ALL_GROUPS ? "all" : s->groups[group];
}

static struct json_object *bin_json(const struct slowdown_bin *b)
{
	struct json_object *o = json_object_new_object();

	js_add_int(o, "from_bytes", b->from_bytes);
	js_add_int(o, "to_bytes", b->to_bytes);
	js_add_int(o, "flows", b->st.flows);
	js_add_dbl(o, "p50", b->st.p50, 4);
	js_add_dbl(o, "p95", b->st.p95, 4);
	js_add_dbl(o, "p99", b->st.p99, 4);
	js_add_dbl(o, "mean", b->st.mean, 4);
	js_add_dbl(o, "max", b->st.max, 4);
	return o;
}

static struct json_object *put_bins(FILE *f, const char *binning, const char *group,
				    const struct slowdown_bin *bin, size_t n)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++) {
		const struct slowdown_bin *b = &bin[i];

		json_object_array_add(list, bin_json(b));
		if (f)
			fprintf(f, "%s,%zu,%" PRId64 ",%" PRId64 ",%s,%zu,%.4f,%.4f,%.4f,%.4f,%.4f\n",
				binning, i, b->from_bytes, b->to_bytes, group, b->st.flows,
				b->st.p50, b->st.p95, b->st.p99, b->st.mean, b->st.max);
	}
	return list;
}

/* The points are read anew for each binning, as figures spoil their order. */
static struct json_object *put_group(const struct flow_set *s, int group, FILE *f)
{
	struct slowdown_bin *bin = xcalloc(s->bins + SLOWDOWN_DECADES, sizeof(*bin));
	struct json_object *o = json_object_new_object();
	const char *name = flow_set_group_name(s, group);
	struct slowdown_point *pts;
	size_t n, used;

	n = slowdown_points(s, group, &pts);
	used = slowdown_count_bins(pts, n, s->bins, bin);
	json_object_object_add(o, "count", put_bins(f, "count", name, bin, used));
	free(pts);
	n = slowdown_points(s, group, &pts);
	used = slowdown_decades(pts, n, bin);
	json_object_object_add(o, "decade", put_bins(f, "decade", name, bin, used));
	free(pts);
	free(bin);
	return o;
}

static int write_sizes(const struct flow_set *s, const bool *used, const char *dir,
		       struct json_object **bins)
{
	FILE *f = dir ? csv_create(dir, T_FCT_SIZE, true) : NULL;
	int g;

	if (dir && !f)
		return EXIT_RUN_FAILED;
	*bins = json_object_new_object();
	for (g = ALL_GROUPS; g < s->n_groups; g++)
		if (g == ALL_GROUPS || used[g])
			json_object_object_add(*bins, flow_set_group_name(s, g), put_group(s, g,
											   f));
	return f ? csv_finish(f, dir, T_FCT_SIZE) : 0;
}

static int write_cdf(const struct flow_set *s, const bool *used_groups, const char *dir,
		     bool slowdown)
{
	enum table_id t = slowdown ? T_SLOWDOWN_CDF : T_FCT_CDF;
	struct distribution_row rows[DISTRIBUTION_ROWS];
	FILE *f = csv_create(dir, t, true);
	size_t i, n, used;
	int64_t *v;
	int g;

	if (!f)
		return EXIT_RUN_FAILED;
	for (g = ALL_GROUPS; g < s->n_groups; g++) {
		if (g != ALL_GROUPS && !used_groups[g])
			continue;
		n = distribution_values(s, g, slowdown, &v);
		used = distribution_rows(v, n, rows);
		free(v);
		for (i = 0; i < used; i++) {
			fprintf(f, "%s,", flow_set_group_name(s, g));
			if (slowdown)
				fprintf(f, "%.6f", rows[i].value / 1e6);
			else
				fprintf(f, "%" PRId64, rows[i].value);
			fprintf(f, ",%.9g\n", rows[i].cum);
		}
	}
	return csv_finish(f, dir, t);
}

/**
 * flow_set_write_csv() - write the tables of a run's flows
 * @s: flows
 * @dir: directory; NULL: only @bins
 * @bins: receives what fct_size.csv has, as JSON
 *
 * Return: 0, or the exit status after a message.
 */
int flow_set_write_csv(const struct flow_set *s, const char *dir, struct json_object **bins)
{
	bool *used = flow_set_groups_used(s);
	int rc = write_sizes(s, used, dir, bins);

	if (!rc && dir)
		rc = write_cdf(s, used, dir, false);
	if (!rc && dir)
		rc = write_cdf(s, used, dir, true);
	free(used);
	return rc;
}

static struct json_object *slowdown_json(const struct slowdown_stats *st)
{
	struct json_object *o = json_object_new_object();

	js_add_int(o, "flows", st->flows);
	js_add_dbl(o, "mean", st->mean, 4);
	js_add_dbl(o, "p50", st->p50, 4);
	js_add_dbl(o, "p95", st->p95, 4);
	js_add_dbl(o, "p99", st->p99, 4);
	js_add_dbl(o, "p999", st->p999, 4);
	js_add_dbl(o, "max", st->max, 4);
	return o;
}

/* Slowdown of all, of short and of long flows; @pts is used up. */
static void add_slowdowns(struct json_object *o, struct slowdown_point *pts, size_t n)
{
	size_t shorts = 0, longs;
	struct slowdown_stats st;

	while (shorts < n && pts[shorts].bytes <= SHORT_FLOW_BYTES)
		shorts++;
	for (longs = n; longs && pts[longs - 1].bytes > LONG_FLOW_BYTES; longs--)
		;
	st = slowdown_stats(pts, shorts);
	json_object_object_add(o, "short", shorts ? slowdown_json(&st) : NULL);
	st = slowdown_stats(pts + longs, n - longs);
	json_object_object_add(o, "long", n > longs ? slowdown_json(&st) : NULL);
	st = slowdown_stats(pts, n);
	json_object_object_add(o, "slowdown", n ? slowdown_json(&st) : NULL);
}

/* Counts, mean goodput of a flow, completion times and slowdowns. */
static struct json_object *group_json(const struct flow_set *s, int group)
{
	struct json_object *o = json_object_new_object(), *fct = json_object_new_object();
	int64_t flows = 0, done = 0, *v;
	struct slowdown_point *pts;
	struct flow_outcome f;
	double rates = 0;
	size_t i, n;

	for (i = 0; i < s->n; i++) {
		s->get(s->ctx, i, &f);
		if (!flow_set_measured(s, &f) || (group != ALL_GROUPS && f.group != group))
			continue;
		flows++;
		done += f.done;
		if (f.done && f.fct_ns > 0)
			rates += f.bytes * 8e9 / f.fct_ns;
	}
	js_add_int(o, "flows", flows);
	js_add_int(o, "completed", done);
	if (done)
		js_add_dbl(o, "flow_goodput_bps", rates / done, 0);
	else
		json_object_object_add(o, "flow_goodput_bps", NULL);
	n = distribution_values(s, group, false, &v);
	js_add_int(fct, "p50", percentile(v, n, 50));
	js_add_int(fct, "p95", percentile(v, n, 95));
	js_add_int(fct, "p99", percentile(v, n, 99));
	js_add_int(fct, "max", n ? v[n - 1] : 0);
	json_object_object_add(o, "fct_ns", n ? fct : NULL);
	if (!n)
		json_object_put(fct);
	free(v);
	n = slowdown_points(s, group, &pts);
	add_slowdowns(o, pts, n);
	free(pts);
	return o;
}

/**
 * flow_set_measured_json() - "measured" of summary.json
 * @s: flows
 *
 * Return: new object.
 */
struct json_object *flow_set_measured_json(const struct flow_set *s)
{
	struct json_object *o = group_json(s, ALL_GROUPS), *groups = json_object_new_object();
	bool *used = flow_set_groups_used(s);
	int g;

	js_add_int(o, "from_ns", s->from_ns);
	if (s->to_ns == INT64_MAX)
		json_object_object_add(o, "to_ns", NULL);
	else
		js_add_int(o, "to_ns", s->to_ns);
	for (g = 0; g < s->n_groups; g++)
		if (used[g])
			json_object_object_add(groups, s->groups[g], group_json(s, g));
	free(used);
	if (json_object_object_length(groups))
		json_object_object_add(o, "groups", groups);
	else
		json_object_put(groups);
	return o;
}
