// SPDX-License-Identifier: GPL-2.0
/*
 * lab: a scenario's run under each algorithm of --cc.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/backend.h"
#include "boot/uml_copies.h"

static bool have_results(const char *raw)
{
	char *path = xasprintf("%s/totals.json", raw);
	bool have = path_exists(path);

	free(path);
	return have;
}

/* The last words of a guest that died are worth more than the rest of a failed run. */
static void keep_console(const char *work, const char *dir, const char *label)
{
	char *from = xasprintf("%s/console.log", work), *to = xasprintf("%s.console.log", dir);
	char *text = read_file(from, NULL), *slash = strrchr(to, '/');

	if (text && slash) {
		*slash = '\0';
		mkdir_p(to);
		*slash = '/';
		if (!write_file(to, "%s", text))
			fprintf(stderr, "lab: %s: consoles of the guests: %s\n", label, to);
	}
	free(text);
	free(from);
	free(to);
}

/* @full: there is no room for results. */
static int run_once(struct cmd *c, const char *cc, const char *dir, bool *wrote, bool *full)
{
	char *label = xasprintf("%s/%s", c->sc->name, cc), *work = work_dir_make(), *raw;
	const struct backend *b = backend_of(&c->o);
	struct uml u = cmd_uml(c, work, label);
	int rc, status;

	if (!work) {
		free(label);
		return EXIT_RUN_FAILED;
	}
	raw = xasprintf("%s/raw", work);
	rc = b->run(c, cc, raw, &u);
	if (!rc) {
		status = uml_status(&u, raw);
		rc = status;
		/* Flows that did not end in time are results too. */
		if (have_results(raw)) {
			if (results_write(c->plan, &c->o, cc, raw, dir, &u, wrote))
				rc = EXIT_RUN_FAILED;
			*full = !*wrote;
		} else if (!rc) {
			rc = run_error("%s: no results, and no reason; see the console (--keep)",
				       label);
		}
	}
	if (b->guests && !*wrote && !work_interrupted())
		keep_console(work, dir, label);
	*full |= u.error && strstr(u.error, strerror(ENOSPC));
	if (c->o.keep) {
		fprintf(stderr, "lab: %s: raw rows in %s\n", label, work);
		free(work);
	} else {
		work_dir_remove(work);
	}
	json_object_put(u.guests);
	free(u.error);
	free(raw);
	free(label);
	return rc;
}

static int run_ccs(struct cmd *c, struct result_dir *places)
{
	char **done = xcalloc(c->o.n_ccs, sizeof(*done));
	size_t i, n_done = 0;
	int rc = 0, one = 0;
	bool wrote, full = false;

	/* What could not be written of one run will not be of the next. */
	for (i = 0; i < c->o.n_ccs && one != EXIT_USAGE && !full && !work_interrupted(); i++) {
		wrote = false;
		one = run_once(c, c->o.ccs[i], places[i].dir, &wrote, &full);
		if (one)
			rc = one;
		if (wrote)
			done[n_done++] = places[i].dir;
	}
	c->ran = n_done > 0;
	/* Standard output is the program's. */
	if (n_done && c->sc->program && (fflush(stdout) || dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
		rc = run_error("standard output: %s", strerror(errno));
	if (n_done && run_end_table(done, n_done, c->o.json))
		rc = EXIT_RUN_FAILED;
	free(done);
	return rc;
}

/**
 * cmd_run_all() - run, and print the table
 * @c: after cmd_prepare()
 *
 * Return: exit status.
 */
int cmd_run_all(struct cmd *c)
{
	struct result_dir *places = xcalloc(c->o.n_ccs, sizeof(*places));
	bool made = !path_exists(c->o.out);
	size_t i;
	int rc;

	/* A place that cannot be written is better found before the run than after it. */
	if (mkdir_p(c->o.out) || access(c->o.out, W_OK | X_OK)) {
		free(places);
		return run_error("--out %s: %s", c->o.out, strerror(errno));
	}
	if (uml_can_copy(c))
		c->copies = copies_new();
	rc = result_dirs_lock(places, c->sc->name, &c->o);
	for (i = 0; i < c->o.n_ccs && !rc; i++)
		rc = results_check(places[i].dir, c->plan, &c->o, c->o.ccs[i]);
	/* One of several is better refused before the first of them has run. */
	if (!rc)
		rc = c->o.n_ccs > 1 ? cmd_ask_kernel(c, c->sc->name, NULL) : 0;
	if (!rc)
		rc = run_ccs(c, places);
	copies_free(c->copies);
	result_dirs_unlock(places, c->o.n_ccs);
	/* Nothing came of it: leave no empty directory behind. */
	if (made)
		rmdir(c->o.out);
	free(places);
	return rc;
}
