// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "programs" of summary.json: what became of the user's programs, and what they printed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* What is told of a program as its scenario or the command line has it. */
static const char *const said[] = { "host", "command", "wait" };

/* latency.csv has a row for each message that a program of perftest has measured. */
struct output {
	struct results *r;
	FILE *latency;		/* NULL: none yet */
};

static int take_figures(struct output *out, const char *text, size_t i, struct json_object *o)
{
	struct json_object *latency = results_perftest_latency(text);

	if (!latency)
		return 0;
	json_object_object_add(o, "latency", latency);
	if (!out->latency)
		out->latency = csv_create(out->r->dir, T_LATENCY, true);
	if (!out->latency)
		return EXIT_RUN_FAILED;
	results_perftest_messages(text, i, out->latency);
	return 0;
}

static int copy_output(struct output *out, const char *name, size_t i, struct json_object *o)
{
	struct results *r = out->r;
	char *from = xasprintf("%s/%s", r->raw, name), *to = xasprintf("%s/%s", r->dir, name);
	size_t len = 0;
	char *text = read_file(from, &len);
	FILE *f = text ? fopen(to, "we") : NULL;
	int rc = 0;

	if (!text)
		rc = run_error("%s: %s", from, strerror(errno));
	else if (!f || fwrite(text, 1, len, f) != len || file_close(f))
		rc = results_error(r->dir, name);
	if (!rc)
		rc = take_figures(out, text, i, o);
	free(text);
	free(from);
	free(to);
	return rc;
}

static int add(struct output *out, struct json_object *list, size_t i, struct json_object *told)
{
	struct results *r = out->r;
	struct json_object *job = js_at(job_get(r->plan->base, J_PROGRAMS), i);
	struct json_object *o = json_object_new_object();
	char *name = xasprintf("program%zu.txt", i);
	int64_t end_ns = js_int(told, "end_ns", -1);
	size_t k;
	int rc;

	json_object_array_add(list, o);
	for (k = 0; k < ARRAY_SIZE(said); k++)
		json_object_object_add(o, said[k], json_object_get(js_get(job, said[k])));
	json_object_object_foreach(told, key, val)
		json_object_object_add(o, key, json_object_get(val));
	js_add_str(o, "output", name);
	if (end_ns > r->last_ns && job_bool(job, J_PROGRAM_WAIT, true))
		r->last_ns = end_ns;
	rc = copy_output(out, name, i, o);
	free(name);
	return rc;
}

/**
 * results_programs() - programs, their exit status, times and output
 * @r: results, with the totals; the run's end may become later
 *
 * Return: 0, or the exit status after a message.
 */
int results_programs(struct results *r)
{
	struct json_object *told = js_get(r->totals, "programs"), *list;
	struct output out = { .r = r };
	size_t i;
	int rc = 0;

	if (!plan_has_programs(r->plan))
		return 0;
	list = json_object_new_array();
	for (i = 0; i < js_len(told) && !rc; i++)
		rc = add(&out, list, i, js_at(told, i));
	if (out.latency && csv_finish(out.latency, r->dir, T_LATENCY) && !rc)
		rc = EXIT_RUN_FAILED;
	json_object_object_add(r->summary, "programs", list);
	return rc;
}

/**
 * results_programs_failed() - say which programs did not do what they should
 * @r: results
 * @label: of the run, for messages
 *
 * The program of "lab exec" says so itself, by its exit status.
 *
 * Return: how many.
 */
int64_t results_programs_failed(const struct results *r, const char *label)
{
	struct json_object *list = js_get(r->summary, "programs");
	int64_t failed = 0;
	size_t i;

	for (i = 0; i < js_len(list) && !r->plan->sc->program; i++) {
		struct json_object *p = js_at(list, i);
		bool bad = !js_get(p, "end_ns") || js_get(p, "signal") ||
			   js_int(p, "exit_status", 0);

		/* A server is ended by the lab, whatever it makes of that. */
		if (!bad || (!js_bool(p, "wait", true) && js_bool(p, "stopped", false)))
			continue;
		failed++;
		if (!js_get(p, "end_ns"))
			run_error("%s: on %s: \"%s\" did not start or did not end", label,
				  js_str(p, "host", "?"), js_str(p, "command", "?"));
		else
			run_error("%s: on %s: \"%s\": %s %" PRId64 ", see %s/%s", label,
				  js_str(p, "host", "?"), js_str(p, "command", "?"),
				  js_get(p, "signal") ? "ended by signal" : "exit status",
				  js_int(p, js_get(p, "signal") ? "signal" : "exit_status", 0),
				  r->place, js_str(p, "output", ""));
	}
	return failed;
}
