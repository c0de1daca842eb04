// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "lscc" of summary.json: what the ports at long links have told each other and
 * senders; and lscc.csv, what they did when.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "results/results.h"

static const char *const counts[] = {
	"sent", "unsent", "heard", "refused", "late", "expired", "cnps", "damped", "failed",
	"cleared", "uncleared", "marked", "no_place", "ints", "taken", "untaken",
};

/**
 * results_lscc() - "lscc", when it was on
 * @r: results
 *
 * "queue_peak_bytes" is the longest pseudo queue of any port, the rest adds up.
 */
void results_lscc(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports"), *o;
	int64_t sum[ARRAY_SIZE(counts)] = {}, peak = 0;
	size_t i;

	if (!feature_mode(r->plan, &lscc_feature) || !ports)
		return;
	json_object_object_foreach(ports, name, port) {
		struct json_object *l = js_get(port, "lscc");

		(void)name;
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			sum[i] += js_int(l, counts[i], 0);
		if (js_int(l, "queue_peak_bytes", 0) > peak)
			peak = js_int(l, "queue_peak_bytes", 0);
	}
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		js_add_int(o, counts[i], sum[i]);
	js_add_int(o, "queue_peak_bytes", peak);
	json_object_object_add(r->summary, "lscc", o);
}

struct lscc_rows {
	struct results *r;
	FILE *f;			/* NULL: there are none so far */
};

#define LSCC_FIGURES	5

static int lscc_row(char **col, int n, void *ctx)
{
	struct lscc_rows *s = ctx;
	int64_t val[LSCC_FIGURES], t_ns;
	int i;

	if (n < 2 + LSCC_FIGURES)
		return csv_bad("too few columns:", col[0]);
	for (i = 0; i < LSCC_FIGURES; i++)
		if (csv_number(col[2 + i], &val[i]))
			return EXIT_RUN_FAILED;
	if (!s->f) {
		s->f = csv_create(s->r->dir, "lscc.csv");
		if (!s->f)
			return EXIT_RUN_FAILED;
		fprintf(s->f, "t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes\n");
	}
	t_ns = strtoll(col[0], NULL, 10) + s->r->shift_ns;
	fprintf(s->f, "%" PRId64 ",%s", t_ns, col[1]);
	for (i = 0; i < LSCC_FIGURES; i++)
		fprintf(s->f, ",%" PRId64, val[i]);
	fputc('\n', s->f);
	return 0;
}

/**
 * results_lscc_rows() - write lscc.csv, when a port runs LSCC
 * @r: results
 *
 * Return: 0, or the exit status after a message.
 */
int results_lscc_rows(struct results *r)
{
	char *path = xasprintf("%s/lscc.csv", r->raw);
	struct lscc_rows s = { .r = r };
	int rc;

	rc = csv_rows(path, lscc_row, &s);
	if (s.f && csv_finish(s.f, r->dir, "lscc.csv"))
		rc = EXIT_RUN_FAILED;
	free(path);
	return rc;
}
