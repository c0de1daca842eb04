// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the directories that results go to.
 *
 * A directory is locked while a run lasts. The lock is on the directory itself: no file is left
 * behind, and a run that was killed has let go of it.
 *
 * Results are made in a directory of their own beside those that may be there, and come to their
 * place when all of them are whole. A disk that is full, or a run that is killed, leaves what was
 * there before.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/results.h"

/* Another run may remove what it leaves empty while this one makes it. */
#define TRIES	100

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

static int move_program(const struct results *r, size_t i)
{
	char *name = xasprintf("program%zu.txt", i);
	int rc = move(r, name);

	free(name);
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
	for (i = 0; i < PROGRAMS_MAX && !rc; i++)
		rc = move_program(r, i);
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

static bool is_still_there(const char *dir, int fd)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(dir, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* NFS locks only what is open for writing, which a directory never is. */
static bool has_no_locks(int err)
{
	return err == EBADF || err == ENOLCK || err == EOPNOTSUPP || err == ENOSYS;
}

/* 0; 1: try again; -1 with errno set: EWOULDBLOCK if another run has it. */
static int try_lock(struct result_dir *pl)
{
	int err;

	if (mkdir_p(pl->dir))
		return errno == ENOENT ? 1 : -1;
	pl->fd = open(pl->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (pl->fd < 0)
		return errno == ENOENT ? 1 : -1;
	err = flock(pl->fd, LOCK_EX | LOCK_NB) ? errno : 0;
	if (has_no_locks(err)) {
		fprintf(stderr, "lab: %s: no locks there (%s), other runs into it are not noticed\n",
			pl->dir, strerror(err));
		err = 0;
	}
	if (!err && is_still_there(pl->dir, pl->fd))
		return 0;
	close(pl->fd);
	pl->fd = -1;
	errno = err;
	return err && err != EINTR ? -1 : 1;
}

/**
 * result_dir_lock() - make and lock the directory of one run
 * @pl: place; fd is the result
 *
 * Return: 0, or the exit status after a message.
 */
int result_dir_lock(struct result_dir *pl)
{
	int rc = 1, i;

	for (i = 0; i < TRIES && rc > 0; i++)
		rc = try_lock(pl);
	if (!rc)
		return 0;
	if (errno == EWOULDBLOCK)
		return run_error("%s: another run is writing its results there", pl->dir);
	return run_error("%s: cannot be locked: %s", pl->dir, strerror(errno));
}

/**
 * result_dir_name() - where results go, below --out
 * @scenario: its name
 * @cc: item of --cc
 * @seed: seed
 *
 * Return: new string.
 */
char *result_dir_name(const char *scenario, const char *cc, uint64_t seed)
{
	char *dir = cc_dir(cc), *name;

	name = xasprintf("%s/%s/seed%" PRIu64, scenario, dir, seed);
	free(dir);
	return name;
}

/**
 * result_dirs_lock() - make and lock the directory of each item of --cc
 * @places: one for each, zeroed
 * @scenario: its name
 * @o: options of the command
 *
 * Return: 0, or the exit status after a message. result_dirs_unlock() is due in any case.
 */
int result_dirs_lock(struct result_dir *places, const char *scenario, const struct run_opts *o)
{
	size_t i, k;
	int rc = 0;

	for (i = 0; i < o->n_ccs; i++) {
		char *name = result_dir_name(scenario, o->ccs[i], o->seed);

		places[i].fd = -1;
		places[i].dir = xasprintf("%s/%s", o->out, name);
		free(name);
	}
	for (i = 0; i < o->n_ccs && !rc; i++) {
		for (k = 0; k < i && !rc; k++)
			if (strcmp(places[k].dir, places[i].dir) == 0)
				rc = usage_error("--cc: %s and %s have the same place, %s",
						 o->ccs[k], o->ccs[i], places[i].dir);
		if (!rc)
			rc = result_dir_lock(&places[i]);
	}
	return rc;
}

/* The directories of results that did not come: "seedN", then CC and SCENARIO. */
static void remove_empty(const char *dir)
{
	char *path = xstrdup(dir);
	int i;

	for (i = 0; i < 3 && !rmdir(path); i++)
		dirname(path);
	free(path);
}

/**
 * result_dirs_unlock() - unlock what was locked; remove what stayed empty
 * @places: after result_dirs_lock()
 * @n: how many
 */
void result_dirs_unlock(struct result_dir *places, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (places[i].fd >= 0) {
			remove_empty(places[i].dir);
			close(places[i].fd);
		}
		free(places[i].dir);
	}
}
