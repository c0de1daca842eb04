// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: one run, wherever it was sent to.
 *
 * "lab sweep --worker JSON" is what GNU parallel and Slurm start. It runs "lab run"
 * in a temporary directory and leaves out/KEY.tar: the results, and what "lab run"
 * said. That is all that has to find its way back.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/sweep.h"

struct worker {
	struct json_object *job;
	const char *key;
	char *work;			/* temporary directory */
	char *cwd;			/* where file names in options begin */
	int status;			/* of lab run */
};

/* GNU parallel says where it sent us; elsewhere a directory of the sweep is not ours. */
static bool is_elsewhere(void)
{
	const char *login = getenv("PARALLEL_SSHLOGIN");

	return login && strcmp(login, ":");
}

static int put(struct worker *w, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", w->work, name);
	int rc = write_file(path, "%s", text) ? run_error("%s: %s", path, strerror(errno)) : 0;

	free(path);
	return rc;
}

/* Another build would give other results. */
static int check_build(struct worker *w)
{
	const char *want = js_str(w->job, "build", "");
	char *kdir = kernel_dir_built(js_bool(w->job, "debug", false));
	char *have = build_fingerprint(kdir), *text;
	int rc = 0;

	if (strcmp(have, want)) {
		text = xasprintf("lab: %s is built from %s, the sweep runs %s\n", lab_root(), have,
				 want);
		put(w, "messages", text);
		free(text);
		rc = EXIT_USAGE;
	}
	free(have);
	free(kdir);
	return rc;
}

static char **run_argv(struct worker *w)
{
	struct json_object *args = js_get(w->job, "args"), *word;
	struct option_list argv = {};
	size_t i;

	/* Its table is not wanted among its messages. */
	list_add(&argv, "sh");
	list_add2(&argv, "-c", "exec \"$@\" >/dev/null");
	list_add(&argv, "sh");
	list_add2(&argv, xasprintf("%s/build/bin/lab", lab_root()), "run");
	for (i = 0; i < js_len(args); i++) {
		word = js_at(args, i);
		list_add(&argv, xstrdup(json_object_get_string(word)));
	}
	list_add(&argv, "-q");
	list_add2(&argv, "--out", xasprintf("%s/r", w->work));
	return argv.v;
}

static int do_run(struct worker *w)
{
	char *log = xasprintf("%s/messages", w->work), **argv = run_argv(w);
	pid_t pid = child_start(&(struct child){ .argv = argv, .dir = w->cwd, .log = log,
						 .death = SIGTERM });

	free(log);
	if (pid < 0)
		return run_error("fork: %s", strerror(errno));
	while ((w->status = child_wait(pid, true)) < 0)
		kill(pid, SIGTERM);
	if (work_interrupted())
		return interrupted_error();
	return 0;
}

/* Under its name only when all is in it. */
static int save_archive(struct worker *w)
{
	char *to = xasprintf("out/%s.tar", w->key), *part = xasprintf("%s.%d", to, (int)getpid());
	char *argv[] = { "tar", "-cf", part, "-C", w->work, ".", NULL };
	char *out = NULL;
	int rc = 0;

	if (mkdir_p("out"))
		rc = run_error("out: %s", strerror(errno));
	if (!rc && program_output(argv, NULL, &out))
		rc = program_error("tar", out);
	if (!rc && rename(part, to))
		rc = run_error("%s: %s", to, strerror(errno));
	if (rc)
		unlink(part);
	free(out);
	free(part);
	free(to);
	return rc;
}

static bool have_results(struct worker *w)
{
	char *path = xasprintf("%s/r/%s/summary.json", w->work, js_str(w->job, "results", ""));
	bool have = path_exists(path);

	free(path);
	return have;
}

/*
 * A run that has results, or was refused, will do the same elsewhere. Of one that
 * has none something may have been wrong here: failing has it tried again.
 */
static int work(struct worker *w)
{
	char status[16];
	int rc;

	if (!is_elsewhere() && chdir(js_str(w->job, "dir", ".")))
		return run_error("%s: %s", js_str(w->job, "dir", "."), strerror(errno));
	w->cwd = is_elsewhere() ? getcwd(NULL, 0) : xstrdup(js_str(w->job, "cwd", "/"));
	w->status = check_build(w);
	rc = w->status ? 0 : do_run(w);
	snprintf(status, sizeof(status), "%d\n", w->status);
	if (!rc)
		rc = put(w, "status", status);
	if (!rc)
		rc = save_archive(w);
	if (!rc && w->status && w->status != EXIT_USAGE && !have_results(w))
		rc = EXIT_RUN_FAILED;
	return rc;
}

/**
 * sweep_worker() - lab sweep --worker JSON
 * @argc: as of cmd_sweep()
 * @argv: as of cmd_sweep()
 *
 * Return: exit status.
 */
int sweep_worker(int argc, char **argv)
{
	struct worker w = { .job = argc == 3 ? json_tokener_parse(argv[2]) : NULL };
	int rc;

	w.key = js_str(w.job, "key", NULL);
	if (!w.key || !js_len(js_get(w.job, "args")))
		return usage_error("--worker: not what \"lab sweep\" writes");
	w.work = work_dir_make();
	if (!w.work)
		return EXIT_RUN_FAILED;
	rc = work(&w);
	work_dir_remove(w.work);
	free(w.cwd);
	json_object_put(w.job);
	return rc;
}
