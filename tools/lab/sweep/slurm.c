// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: runs as Slurm job arrays.
 *
 * Task N of an array does line N of its file batch-*; the file "slurm" tells which
 * array has which. The nodes see the directory of the sweep, so that archives need
 * not be sent. An interrupted sweep leaves its jobs in the queue, and the next one
 * finds them there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sweep/sweep.h"

#define TRIES		3
#define LETTERS		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define ASK_NS		(2 * NSEC_PER_SEC)
/* Slurm's own default of MaxArraySize. */
#define ARRAY_SIZE_DEF	1001
/* A controller that does not answer for so long has gone. */
#define GIVE_UP_S	600

/* Are Slurm's commands there, and does it answer. */
static int check(struct sweep *s)
{
	static const char *const programs[] = { "sinfo", "sbatch", "squeue", "scontrol" };
	char *argv[] = { "sinfo", "-h", "-o", "%P", NULL }, *out = NULL, *end;
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		if (!child_exists(programs[i]))
			return run_error("--slurm: no %s here: install slurm-client, or run this "
					 "where Slurm is", programs[i]);
	if (s->jobs && (strtol(s->jobs, &end, 10) < 1 || *end))
		return usage_error("--jobs %s: with --slurm a number of at least 1", s->jobs);
	if (program_output(argv, NULL, &out))
		rc = program_error("--slurm", out);
	else if (!out[strcspn(out, LETTERS)])
		rc = run_error("--slurm: sinfo knows no partition");
	free(out);
	return rc;
}

static long max_array(void)
{
	char *argv[] = { "scontrol", "show", "config", NULL }, *out = NULL, *at;
	long size = 0;

	if (program_output(argv, NULL, &out) == 0) {
		at = strstr(out, "MaxArraySize");
		at = at ? strchr(at, '=') : NULL;
		size = at ? strtol(at + 1, NULL, 10) : 0;
	}
	free(out);
	/* Indices are below it, and ours begin at 1. */
	return (size > 1 ? size : ARRAY_SIZE_DEF) - 1;
}

static int write_script(struct sweep *s)
{
	char *path = sweep_path(s, "slurm.sh"), *lab = shell_quote(lab_program(s));
	int rc;

	rc = write_file(path,
			"#!/bin/sh\n"
			"# Written by \"lab sweep\": line SLURM_ARRAY_TASK_ID of the file $1.\n"
			"unset PARALLEL_SSHLOGIN\n"
			"line=$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" \"$1\")\n"
			"exec %s sweep --worker \"${line#*\t}\"\n", lab);
	if (rc)
		rc = run_error("%s: %s", path, strerror(errno));
	free(lab);
	free(path);
	return rc;
}

static int note_array(struct sweep *s, const char *id, const char *batch)
{
	char *path = sweep_path(s, "slurm");
	FILE *f = fopen(path, "ae");
	int rc = 0;

	if (f)
		fprintf(f, "%s %s\n", id, batch);
	if (!f || file_close(f))
		rc = run_error("%s: %s", path, strerror(errno));
	free(path);
	return rc;
}

static int submit(struct sweep *s, const char *batch, size_t n)
{
	char *array = xasprintf("--array=1-%zu%s%s", n, s->jobs ? "%" : "", s->jobs ? s->jobs : "");
	char *name = xasprintf("--job-name=lab-%s", s->name);
	char *dir = xasprintf("--chdir=%s", s->dir);
	struct option_list argv = {};
	char *out = NULL;
	size_t i;
	int rc;

	list_add(&argv, "sbatch");
	list_add2(&argv, "--parsable", "--requeue");
	list_add2(&argv, "--ntasks=1", name);
	list_add(&argv, "--output=log/slurm-%A_%a");
	/* The user's may say otherwise. */
	for (i = 0; i < s->slurm_opts.n; i++)
		list_add(&argv, s->slurm_opts.v[i]);
	list_add2(&argv, array, dir);
	list_add2(&argv, "slurm.sh", (char *)batch);
	rc = program_output(argv.v, s->dir, &out);
	if (rc) {
		rc = program_error("--slurm", out);
	} else {
		/* ID, or ID;CLUSTER. */
		out[strspn(out, "0123456789")] = '\0';
		rc = note_array(s, out, batch);
	}
	free(argv.v);
	free(out);
	free(name);
	free(dir);
	free(array);
	return rc;
}

/* A name that no array has. */
static char *new_batch(struct sweep *s)
{
	char *name, *path;
	bool there = true;
	int i;

	for (i = 1; ; i++) {
		name = xasprintf("batch-%d", i);
		path = sweep_path(s, name);
		there = path_exists(path);
		free(path);
		if (!there)
			return name;
		free(name);
	}
}

static int submit_all(struct sweep *s, struct sweep_run **runs, size_t n)
{
	size_t at, part, max = max_array();
	char *batch;
	int rc;

	rc = write_script(s);
	for (at = 0; at < n && !rc; at += part) {
		part = n - at < max ? n - at : max;
		batch = new_batch(s);
		rc = sweep_write_todo(s, batch, runs + at, part) ?: submit(s, batch, part);
		free(batch);
	}
	return rc;
}

/* Is a task of this array in the queue: lines ARRAY INDEX STATE of squeue. */
static bool is_queued(const char *queue, const char *id, size_t task)
{
	char *want = xasprintf("\n%s %zu ", id, task);
	bool found = strstr(queue, want);

	free(want);
	return found;
}

static void mark_batch(struct sweep *s, const char *queue, const char *id, const char *batch,
		       bool *queued)
{
	char *path = sweep_path(s, batch), *text = read_file(path, NULL), *rest = text, *line;
	size_t task, i;

	for (task = 1; rest && (line = strsep(&rest, "\n")); task++) {
		if (!*line || !is_queued(queue, id, task))
			continue;
		for (i = 0; i < s->n_runs; i++)
			if (strncmp(line, s->runs[i].key, strlen(s->runs[i].key)) == 0)
				queued[i] = true;
	}
	free(text);
	free(path);
}

/*
 * Which runs are in Slurm's queue, waiting or running. The list of arrays also has
 * those of sweeps before.
 */
static int ask_queue(struct sweep *s, bool *queued)
{
	char *argv[] = { "squeue", "-h", "-r", "-o", "%F %K %t", NULL };
	char *path = sweep_path(s, "slurm"), *arrays = read_file(path, NULL), *rest = arrays, *line;
	char *out = NULL, *queue;
	int rc = program_output(argv, NULL, &out);

	memset(queued, 0, s->n_runs * sizeof(*queued));
	queue = xasprintf("\n%s", out ? out : "");
	while (!rc && rest && (line = strsep(&rest, "\n"))) {
		char *batch = strchr(line, ' ');

		if (!batch)
			continue;
		*batch++ = '\0';
		/* Most arrays of the list have long ended. */
		char *any = xasprintf("\n%s ", line);

		if (strstr(queue, any))
			mark_batch(s, queue, line, batch, queued);
		free(any);
	}
	free(queue);
	free(out);
	free(arrays);
	free(path);
	return rc;
}

/* What is known of the queue while it is waited for. */
struct queue {
	bool *queued;			/* by run */
	int64_t asked_ns, answered_ns;
	int rc;
};

/* No run of ours is in the queue, or nobody knows. */
static bool is_empty(struct sweep *s, void *ctx)
{
	int64_t now = now_ns(CLOCK_MONOTONIC);
	struct queue *q = ctx;

	if (!count_state(s, RUN_MISSING))
		return true;
	if (now - q->asked_ns <= ASK_NS)
		return false;
	q->asked_ns = now;
	if (!ask_queue(s, q->queued)) {
		q->answered_ns = now;
		return !memchr(q->queued, 1, s->n_runs);
	}
	if (now - q->answered_ns > GIVE_UP_S * NSEC_PER_SEC)
		q->rc = run_error("--slurm: squeue has not answered for %d s; the same command "
				  "goes on", GIVE_UP_S);
	return q->rc;
}

static int run(struct sweep *s)
{
	int tries = s->retries ? (int)s->retries : TRIES;
	struct queue q = { .queued = xcalloc(s->n_runs, sizeof(*q.queued)) };
	struct sweep_run **list;
	size_t n = 0;
	int rc;

	rc = ask_queue(s, q.queued) ? run_error("--slurm: squeue does not answer") : 0;
	while (!rc && tries-- > 0) {
		list = missing_runs(s, q.queued, &n);
		if (n)
			rc = submit_all(s, list, n);
		free(list);
		if (rc || s->no_wait || !count_state(s, RUN_MISSING))
			break;
		q.asked_ns = 0;
		q.answered_ns = now_ns(CLOCK_MONOTONIC);
		rc = sweep_wait(s, is_empty, &q) ?: q.rc;
	}
	if (!rc && s->no_wait)
		fprintf(stderr, "lab: %zu runs submitted, %zu in the queue before; the same "
			"command without --no-wait fetches them\n", n,
			count_state(s, RUN_MISSING) - n);
	if (work_interrupted())
		fprintf(stderr, "lab: what was submitted stays in the queue (scancel --name=lab-%s "
			"ends it)\n", s->name);
	free(q.queued);
	return rc;
}

const struct sweep_engine engine_slurm = { check, run };
