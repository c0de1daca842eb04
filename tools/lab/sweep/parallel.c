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

struct argv {
	char **words;
	size_t n;
};

static void add(struct argv *a, const char *word)
{
	add_word(&a->words, &a->n, xstrdup(word));
}

static void add2(struct argv *a, const char *option, const char *value)
{
	add(a, option);
	add(a, value);
}

static void add_remote(struct sweep *s, struct argv *a)
{
	char *cwd = getcwd(NULL, 0), *path;
	size_t i;

	add2(a, "--sshlogin", s->sshlogin);
	/* A directory for each run, which is removed with all that is in it. */
	add2(a, "--workdir", "...");
	add2(a, "--return", "out/{1}.tar");
	add(a, "--cleanup");
	for (i = 0; i < s->n_files; i++) {
		if (s->files[i][0] == '/')
			continue;
		path = xasprintf("%s/./%s", cwd ? cwd : ".", s->files[i]);
		add2(a, "--transferfile", path);
		free(path);
	}
	free(cwd);
}

/* Its own files go to @tmp, since it leaves some when it is ended; those of jobs to
 * where they go without it. Of other machines neither is known here.
 */
static void add_tmpdir(struct argv *a, const char *tmp, char **command)
{
	const char *dir = getenv("TMPDIR");
	char *quoted = dir ? shell_quote(dir) : NULL, *text = *command;

	add2(a, "--tmpdir", tmp);
	*command = quoted ? xasprintf("TMPDIR=%s %s", quoted, text) :
			    xasprintf("env -u TMPDIR %s", text);
	free(quoted);
	free(text);
}

static struct argv parallel_argv(struct sweep *s, const char *tmp)
{
	long tries = s->retries ? s->retries : s->sshlogin ? TRIES_REMOTE : TRIES_HERE;
	char *lab = shell_quote(lab_program(s)), *text;
	struct argv a = {};

	add(&a, "parallel");
	add(&a, "--will-cite");
	/* Not the user's own defaults. */
	add(&a, "--plain");
	add2(&a, "--halt", "never");
	add2(&a, "--joblog", "+joblog");
	text = xasprintf("%ld", tries);
	add2(&a, "--retries", text);
	free(text);
	if (s->jobs)
		add2(&a, "--jobs", s->jobs);
	text = xasprintf("%s sweep --worker {2}", lab);
	if (s->sshlogin)
		add_remote(s, &a);
	else
		add_tmpdir(&a, tmp, &text);
	add2(&a, "--colsep", "\t");
	add2(&a, "--arg-file", "todo");
	add(&a, text);
	free(text);
	free(lab);
	add_word(&a.words, &a.n, NULL);
	return a;
}

/* Jobs get SIGTERM from parallel, which has them clean up. */
static void end_parallel(pid_t pid)
{
	int64_t until = now_ns(CLOCK_MONOTONIC) + END_S * NSEC_PER_SEC;
	struct timespec nap = { .tv_nsec = POLL_NS };
	int status;

	kill(pid, SIGTERM);
	while (!wait_for(pid, &status, false)) {
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

/**
 * have_parallel() - is GNU parallel there, and does it take --jobs
 * @s: sweep
 *
 * Return: 0, or the exit status after a message.
 */
int have_parallel(struct sweep *s)
{
	char *version[] = { "parallel", "--version", NULL }, *out = NULL;
	char *jobs[] = { "parallel", "--will-cite", "--plain", "--jobs", (char *)s->jobs, "true",
			 ":::", "1", NULL };
	bool ok = spawn_output(version, NULL, &out) == 0 && strstr(out, "GNU parallel");

	free(out);
	out = NULL;
	if (!ok)
		return run_error("GNU parallel is missing: install the package \"parallel\"");
	ok = !s->jobs || spawn_output(jobs, NULL, &out) == 0;
	free(out);
	return ok ? 0 : usage_error("--jobs %s: not what GNU parallel takes", s->jobs);
}

/**
 * run_parallel() - start what is missing, and put what comes into its place
 * @s: sweep
 *
 * Return: 0, or the exit status after a message. Runs without results are not its
 * business.
 */
int run_parallel(struct sweep *s)
{
	char *log = xasprintf("%s/log/parallel", s->dir);
	struct timespec nap = { .tv_nsec = POLL_NS };
	char *tmp = xasprintf("%s/tmp", s->dir);
	struct sweep_run **missing;
	int rc, status = 0;
	pid_t pid;
	size_t n;

	rm_rf(tmp);
	if (mkdir_p(tmp))
		return run_error("%s: %s", tmp, strerror(errno));
	missing = missing_runs(s, &n);
	rc = write_todo(s, "todo", missing, n);
	free(missing);
	pid = rc ? -1 : spawn(parallel_argv(s, tmp).words, s->dir, log);
	if (pid < 0)
		return EXIT_RUN_FAILED;
	while (!work_interrupted() && !wait_for(pid, &status, false)) {
		merge_all(s);
		progress_tick(s);
		nanosleep(&nap, NULL);
	}
	if (work_interrupted()) {
		end_parallel(pid);
		rc = EXIT_RUN_FAILED;
	} else {
		merge_all(s);
		/* Its exit status is the number of runs that failed, up to 101. */
		if (status > 101 && count_state(s, RUN_MISSING) == n)
			rc = parallel_failed(log);
	}
	rm_rf(tmp);
	free(tmp);
	free(log);
	return rc;
}
