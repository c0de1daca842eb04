// SPDX-License-Identifier: GPL-2.0
/*
 * lab: results are made in a directory of their own beside those that may be there, and
 * come to their place when all of them are whole. A disk that is full, or a run that is
 * killed, leaves what was there before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/results.h"

#define NEW	".new"

/* What a run may write besides tables; the last one says that all others are there. */
static const char *const files[] = {
	"console.log", "events.csv", "summary.json", "run.json",
};

/**
 * results_error() - say of errno why a file cannot be written
 * @dir: its directory, perhaps that of results in the making
 * @name: its name
 *
 * Return: exit status.
 */
int results_error(const char *dir, const char *name)
{
	size_t len = strlen(dir), end = strlen("/" NEW);

	if (len > end && strcmp(dir + len - end, "/" NEW) == 0)
		len -= end;
	return run_error("%.*s/%s: %s", (int)len, dir, name, strerror(errno));
}

/**
 * results_begin() - a directory for results in the making
 * @r: results, with their place; dir is the result
 *
 * Return: 0, or the exit status after a message. results_end() is due in any case.
 */
int results_begin(struct results *r)
{
	r->dir = xasprintf("%s/" NEW, r->place);
	rm_rf(r->dir);
	return mkdir_p(r->dir) ? run_error("%s: %s", r->place, strerror(errno)) : 0;
}

/* One file to its place, or none there. */
static int move(const struct results *r, const char *name)
{
	char *from = xasprintf("%s/%s", r->dir, name), *to = xasprintf("%s/%s", r->place, name);
	int rc = 0;

	if (!path_exists(from))
		unlink(to);
	else if (rename(from, to))
		rc = run_error("%s: %s", to, strerror(errno));
	free(to);
	free(from);
	return rc;
}

static int move_all(const struct results *r)
{
	char *last = xasprintf("%s/%s", r->place, files[ARRAY_SIZE(files) - 1]);
	int rc = 0;
	size_t i;

	unlink(last);
	free(last);
	for (i = 0; i < TABLES && !rc; i++)
		if (tables[i].made & TABLE_RESULT)
			rc = move(r, tables[i].file);
	for (i = 0; i < ARRAY_SIZE(files) && !rc; i++)
		rc = move(r, files[i]);
	if (!rc && rmdir(r->dir))
		rc = run_error("%s: a result file that is not known", r->dir);
	return rc;
}

/**
 * results_end() - results to their place, or nothing of them
 * @r: results
 * @whole: all of them could be written
 *
 * Return: 0, or the exit status after a message.
 */
int results_end(struct results *r, bool whole)
{
	int rc = whole ? move_all(r) : 0;

	if (!whole || rc)
		rm_rf(r->dir);
	free(r->dir);
	return rc;
}
