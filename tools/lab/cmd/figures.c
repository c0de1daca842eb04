// SPDX-License-Identifier: GPL-2.0
/*
 * lab figures: the figures of flows anew, over other times or more seeds.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/figures.h"

static const char help[] =
"Usage: lab figures [OPTIONS] DIR...\n\n"
"Computes slowdown by flow size from flows.csv of result directories (seed<N>),\n"
"all of them together, and prints a table.\n\n"
"  --from TIME   flows that start at or after this count (as the run has it)\n"
"  --to TIME     flows that start before this count (as the run has it)\n"
"  --bins N      bins of equal counts (20)\n"
"  --out DIR     write fct_size.csv, fct_cdf.csv and slowdown_cdf.csv there\n"
"  -j, --json    print JSON instead of the table\n"
"  -h, --help    this text\n";

struct args {
	double from_ns, to_ns;		/* negative: not given */
	int bins;
	const char *out;
	bool json;
};

static int parse_time(const char *opt, const char *text, double *val)
{
	if (unit_parse(UNIT_TIME, text, val) || *val < 0)
		return usage_error("%s %s: not a time", opt, text);
	return 0;
}

static int parse_bins(const char *text, int *bins)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || *end || n < 1 || n > FIG_BINS_MAX)
		return usage_error("--bins %s: not a number from 1 to %d", text, FIG_BINS_MAX);
	*bins = (int)n;
	return 0;
}

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse_args(struct args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{ "from", required_argument, NULL, 'f' },
		{ "to", required_argument, NULL, 't' },
		{ "bins", required_argument, NULL, 'b' },
		{ "out", required_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c, rc = 0;

	opterr = 0;
	optind = 1;
	while (!rc && (c = getopt_long(argc, argv, "jh", options, NULL)) != -1) {
		if (c == 'f')
			rc = parse_time("--from", optarg, &a->from_ns);
		else if (c == 't')
			rc = parse_time("--to", optarg, &a->to_ns);
		else if (c == 'b')
			rc = parse_bins(optarg, &a->bins);
		else if (c == 'o')
			a->out = optarg;
		else if (c == 'j')
			a->json = true;
		else if (c == 'h')
			rc = -1;
		else
			rc = usage_error("%s: unknown option or no value; see \"lab figures --help\"",
					 argv[optind - 1]);
	}
	if (rc < 0)
		fputs(help, stdout);
	else if (!rc && optind == argc)
		rc = usage_error("a result directory is expected; see \"lab figures --help\"");
	return rc;
}

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
		few |= js_int(b, "flows", 0) < FIG_FEW;
		printf("%14" PRId64 " %14" PRId64 " %8" PRId64 "%c %9.3f %9.3f %9.3f %9.3f %9.3f\n",
		       js_int(b, "from_bytes", 0), js_int(b, "to_bytes", 0), js_int(b, "flows", 0),
		       js_int(b, "flows", 0) < FIG_FEW ? '*' : ' ', js_dbl(b, "p50", 0),
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
		printf("\n* fewer than %d flows: their 99th percentile is the largest\n", FIG_FEW);
}

static int figures(struct args *a, struct fig_set *s)
{
	struct json_object *measured, *bins = NULL;
	int rc;

	if (a->from_ns >= 0)
		s->from_ns = (int64_t)a->from_ns;
	if (a->to_ns >= 0)
		s->to_ns = (int64_t)a->to_ns;
	s->bins = a->bins;
	if (s->from_ns >= s->to_ns)
		return usage_error("--from %" PRId64 "ns: not before --to %" PRId64 "ns",
				   s->from_ns, s->to_ns);
	if (a->out && mkdir_p(a->out))
		return run_error("--out %s: %s", a->out, strerror(errno));
	rc = fig_write(s, a->out, &bins);
	measured = fig_measured_json(s);
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

int cmd_figures(int argc, char **argv)
{
	struct args a = { .from_ns = -1, .to_ns = -1, .bins = FIG_BINS };
	struct fig_loaded l = {};
	struct fig_set s;
	int rc = parse_args(&a, argc, argv), i;

	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	for (i = optind; i < argc && !rc; i++)
		rc = fig_load(&l, argv[i]);
	if (!rc && (int64_t)l.n < l.of)
		fprintf(stderr, "lab: flows.csv has %zu of %" PRId64 " flows: these are figures of a sample\n",
			l.n, l.of);
	s = fig_loaded_set(&l);
	if (!rc)
		rc = figures(&a, &s);
	fig_loaded_free(&l);
	return rc;
}
