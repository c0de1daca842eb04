// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: runs by GNU parallel, here or on other machines.
 *
 * On other machines it starts a worker in a directory of its own, sends the files
 * that options name, fetches the archive that the worker leaves, and tries a run
 * that failed on another machine. Workers learn from it when the connection is lost.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sweep/sweep.h"

/* Tries of a run in all: here it would only fail again. */
#define TRIES_HERE	1
#define TRIES_REMOTE	3

/* What parallel and its jobs get to clean up before they are killed. */
#define END_S		10

static void add_remote(struct sweep *s, struct option_list *a)
{
	char *cwd = getcwd(NULL, 0);
	size_t i;

	list_add2(a, "--sshlogin", s->sshlogin);
	/* A directory for each run, which is removed with all that is in it. */
	list_add2(a, "--workdir", "...");
	list_add2(a, "--return", "out/{1}.tar");
	list_add(a, "--cleanup");
	for (i = 0; i < s->files.n; i++)
		if (s->files.v[i][0] != '/')
			list_add2(a, "--transferfile",
				  xasprintf("%s/./%s", cwd ? cwd : ".", s->files.v[i]));
	free(cwd);
}

/* Its own files go to @tmp, since it leaves some when it is ended; those of jobs to
 * where they go without it. Of other machines neither is known here.
 */
static char *add_tmpdir(struct option_list *a, char *tmp, char *command)
{
	const char *dir = getenv("TMPDIR");

	list_add2(a, "--tmpdir", tmp);
	return dir ? xasprintf("TMPDIR=%s %s", shell_quote(dir), command) :
		     xasprintf("env -u TMPDIR %s", command);
}

/* All that is allocated here lives as long as the process. */
static char **parallel_argv(struct sweep *s, char *tmp)
{
	int tries = s->retries ? (int)s->retries : s->sshlogin ? TRIES_REMOTE : TRIES_HERE;
	char *command = xasprintf("%s sweep --worker {2}", shell_quote(lab_program(s)));
	struct option_list a = {};

	list_add2(&a, "parallel", "--will-cite");
	/* Not the user's own defaults. */
	list_add(&a, "--plain");
	list_add2(&a, "--halt", "never");
	list_add2(&a, "--joblog", "+joblog");
	list_add2(&a, "--retries", xasprintf("%d", tries));
	if (s->jobs)
		list_add2(&a, "--jobs", (char *)s->jobs);
	if (s->sshlogin)
		add_remote(s, &a);
	else
		command = add_tmpdir(&a, tmp, command);
	list_add2(&a, "--colsep", "\t");
	list_add2(&a, "--arg-file", "todo");
	list_add(&a, command);
	return a.v;
}

/* Jobs get SIGTERM from parallel, which has them clean up. */
static void end_parallel(pid_t pid)
{
	int64_t until = now_ns(CLOCK_MONOTONIC) + END_S * NSEC_PER_SEC;
	struct timespec nap = { .tv_nsec = POLL_NS };

	kill(pid, SIGTERM);
	while (child_wait(pid, false) < 0) {
		if (now_ns(CLOCK_MONOTONIC) > until) {
			kill(-pid, SIGKILL);
			until = INT64_MAX;
		}
		nanosleep(&nap, NULL);
	}
}

/* What it says is its own: of a run that failed the worker tells more. */
static int parallel_failed(const char *log)
{
	char *text = read_file(log, NULL), *line = first_line(text);
	int rc = run_error("%s; see %s", line, log);

	free(line);
	free(text);
	return rc;
}

/* Is GNU parallel there, and does it take --jobs. */
static int check(struct sweep *s)
{
	char *version[] = { "parallel", "--version", NULL }, *out = NULL;
	char *jobs[] = { "parallel", "--will-cite", "--plain", "--jobs", (char *)s->jobs, "true",
			 ":::", "1", NULL };
	bool ok = program_output(version, NULL, &out) == 0 && strstr(out, "GNU parallel");

	free(out);
	out = NULL;
	if (!ok)
		return run_error("GNU parallel is missing: install the package \"parallel\"");
	ok = !s->jobs || program_output(jobs, NULL, &out) == 0;
	free(out);
	return ok ? 0 : usage_error("--jobs %s: not what GNU parallel takes", s->jobs);
}

struct running {
	pid_t pid;
	int status;
};

static bool has_ended(struct sweep *s, void *ctx)
{
	struct running *r = ctx;

	(void)s;
	r->status = child_wait(r->pid, false);
	return r->status >= 0;
}

static int wait_parallel(struct sweep *s, struct running *r, const char *log)
{
	size_t n = count_state(s, RUN_MISSING);

	if (r->pid < 0)
		return run_error("%s: %s", log, strerror(errno));
	if (sweep_wait(s, has_ended, r)) {
		end_parallel(r->pid);
		return EXIT_RUN_FAILED;
	}
	/* Its exit status is the number of runs that failed, up to 101. */
	return r->status > 101 && count_state(s, RUN_MISSING) == n ? parallel_failed(log) : 0;
}

static int run(struct sweep *s)
{
	char *log = sweep_path(s, "log/parallel"), *tmp = sweep_path(s, "tmp");
	struct sweep_run **missing;
	struct running r = {};
	size_t n;
	int rc;

	rm_rf(tmp);
	if (mkdir_p(tmp))
		return run_error("%s: %s", tmp, strerror(errno));
	missing = missing_runs(s, NULL, &n);
	rc = sweep_write_todo(s, "todo", missing, n);
	free(missing);
	if (!rc) {
		r.pid = child_start(&(struct child){
			.argv = parallel_argv(s, tmp), .dir = s->dir, .log = log, .group = true,
			.death = SIGTERM });
		rc = wait_parallel(s, &r, log);
	}
	rm_rf(tmp);
	free(tmp);
	free(log);
	return rc;
}

const struct sweep_engine engine_parallel = { check, run };
