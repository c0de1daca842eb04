// SPDX-License-Identifier: GPL-2.0
/*
 * lab report --from, --to, --bins: computes the figures of flows again, over other times or
 * more seeds, and prints them.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "results/flow_figures.h"

/* Return: is there a bin of few flows. */
static bool print_bins(struct json_object *bins, const char *group, const char *binning)
{
	struct json_object *list = js_get(js_get(bins, group), binning), *b;
	bool few = false;
	size_t i;

	printf("\n%s, by %s\n%14s %14s %8s  %9s %9s %9s %9s %9s\n", group,
	       strcmp(binning, "count") ? "decade" : "equal counts", "bytes from", "to", "flows",
	       "p50", "p95", "p99", "mean", "max");
	for (i = 0; i < js_len(list); i++) {
		b = js_at(list, i);
		few |= js_int(b, "flows", 0) < SLOWDOWN_FEW;
		printf("%14" PRId64 " %14" PRId64 " %8" PRId64 "%c %9.3f %9.3f %9.3f %9.3f %9.3f\n",
		       js_int(b, "from_bytes", 0), js_int(b, "to_bytes", 0), js_int(b, "flows", 0),
		       js_int(b, "flows", 0) < SLOWDOWN_FEW ? '*' : ' ', js_dbl(b, "p50", 0),
		       js_dbl(b, "p95", 0), js_dbl(b, "p99", 0), js_dbl(b, "mean", 0),
		       js_dbl(b, "max", 0));
	}
	return few;
}

static void print_table(struct json_object *measured, struct json_object *bins)
{
	struct json_object *all = js_get(measured, "slowdown");
	bool few = false;

	printf("%" PRId64 " flows, %" PRId64 " of them completed", js_int(measured, "flows", 0),
	       js_int(measured, "completed", 0));
	/* Of none there is no percentile. */
	if (all)
		printf("; slowdown p50 %.3f, p95 %.3f, p99 %.3f, p99.9 %.3f", js_dbl(all, "p50", 0),
		       js_dbl(all, "p95", 0), js_dbl(all, "p99", 0), js_dbl(all, "p999", 0));
	putchar('\n');
	json_object_object_foreach(bins, name, val) {
		(void)val;
		few |= print_bins(bins, name, "count");
		few |= print_bins(bins, name, "decade");
	}
	if (few)
		printf("\n* fewer than %d flows: their 99th percentile is the largest\n",
		       SLOWDOWN_FEW);
}

static int print_set(const struct recompute_figures *a, struct flow_set *s)
{
	struct json_object *measured, *bins = NULL;
	int rc;

	if (a->from_ns >= 0)
		s->from_ns = a->from_ns;
	if (a->to_ns >= 0)
		s->to_ns = a->to_ns;
	s->bins = a->bins ? (int)a->bins : SLOWDOWN_BINS;
	if (s->from_ns >= s->to_ns)
		return usage_error("--from %" PRId64 "ns: not before --to %" PRId64 "ns",
				   s->from_ns, s->to_ns);
	if (a->out && mkdir_p(a->out))
		return run_error("--out %s: %s", a->out, strerror(errno));
	rc = flow_set_write_csv(s, a->out, &bins);
	measured = flow_set_measured_json(s);
	if (!rc && a->json) {
		json_object_object_add(measured, "fct_bins", json_object_get(bins));
		printf("%s\n", json_object_to_json_string_ext(measured, JSON_C_TO_STRING_PRETTY |
			JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	} else if (!rc) {
		print_table(measured, bins);
	}
	json_object_put(measured);
	json_object_put(bins);
	return rc;
}

/**
 * recompute_figures() - slowdown by flow size of result directories, all of them together
 * @a: of which flows, and where to
 * @dirs: the directories, NULL at the end
 *
 * Return: exit status.
 */
int recompute_figures(const struct recompute_figures *a, char *const *dirs)
{
	struct loaded_flows l = {};
	struct flow_set s;
	int rc = 0;

	if (!*dirs)
		return usage_error("report: a result directory is expected behind --from, --to and --bins");
	while (!rc && *dirs)
		rc = loaded_flows_read(&l, *dirs++);
	if (!rc && (int64_t)l.n < l.of)
		fprintf(stderr, "lab: flows.csv has %zu of %" PRId64 " flows: these are figures of a sample\n",
			l.n, l.of);
	s = loaded_flows_set(&l);
	if (!rc)
		rc = print_set(a, &s);
	loaded_flows_free(&l);
	return rc;
}
