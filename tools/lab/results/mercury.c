// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "mercury" of summary.json: what the switches' ports have told senders, and how
 * often they took a queue for a victim's; and mercury.csv, what they took it for when.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

static const char *const counts[] = {
	"cnps", "damped", "failed", "no_place", "entered", "congested", "spared", "flows_left",
};

/**
 * results_mercury() - "mercury", when it was on
 * @r: results
 *
 * "flows_peak" is the largest of any port, the rest adds up.
 *
 * Return: flows that the ports still had in the end, which is an error.
 */
int64_t results_mercury(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports"), *o;
	int64_t sum[ARRAY_SIZE(counts)] = {}, peak = 0;
	size_t i;

	if (!feature_mode(r->plan, &mercury_feature) || !ports)
		return 0;
	json_object_object_foreach(ports, name, port) {
		struct json_object *m = js_get(port, "mercury");

		(void)name;
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			sum[i] += js_int(m, counts[i], 0);
		if (js_int(m, "flows_peak", 0) > peak)
			peak = js_int(m, "flows_peak", 0);
	}
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		js_add_int(o, counts[i], sum[i]);
	js_add_int(o, "flows_peak", peak);
	json_object_object_add(r->summary, "mercury", o);
	return js_int(o, "flows_left", 0);
}

struct states {
	struct results *r;
	FILE *f;			/* NULL: there are none so far */
};

/* labinit: t_ns,port,prio,state: where a queue's has changed since the last sample. */
static int state_row(char **col, int n, void *ctx)
{
	struct states *s = ctx;
	int64_t prio;

	if (n < 4)
		return csv_bad("too few columns:", col[0]);
	if (csv_number(col[2], &prio))
		return EXIT_RUN_FAILED;
	if (!s->f) {
		s->f = csv_create(s->r->dir, "mercury.csv");
		if (!s->f)
			return EXIT_RUN_FAILED;
		fprintf(s->f, "t_ns,port,prio,state\n");
	}
	fprintf(s->f, "%" PRId64 ",%s,%" PRId64 ",%s\n",
		(int64_t)strtoll(col[0], NULL, 10) + s->r->shift_ns, col[1], prio, col[3]);
	return 0;
}

/**
 * results_states() - write mercury.csv, when a sampled port runs Mercury
 * @r: results
 *
 * Return: 0, or the exit status after a message.
 */
int results_states(struct results *r)
{
	char *path = xasprintf("%s/mercury.csv", r->raw);
	struct states s = { .r = r };
	int rc;

	rc = csv_rows(path, state_row, &s);
	if (s.f && csv_finish(s.f, r->dir, "mercury.csv"))
		rc = EXIT_RUN_FAILED;
	free(path);
	return rc;
}
