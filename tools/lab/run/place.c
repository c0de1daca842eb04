// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the directories that a run's results go to, locked while it lasts.
 *
 * The lock is on the directory itself: no file is left behind, and a run that was
 * killed has let go of it.
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

#include "run/run.h"

/* Another run may remove what it leaves empty while this one makes it. */
#define TRIES	100

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
static int try_lock(struct place *pl)
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
 * place_lock() - make and lock the directory of one run
 * @pl: place; fd is the result
 *
 * Return: 0, or the exit status after a message.
 */
int place_lock(struct place *pl)
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
 * places_take() - make and lock the directory of each item of --cc
 * @places: one for each, zeroed
 * @c: from cmd_prepare()
 *
 * Return: 0, or the exit status after a message. places_leave() is due in any case.
 */
int places_take(struct place *places, const struct cmd *c)
{
	size_t i, k;
	int rc = 0;

	for (i = 0; i < c->o.n_ccs; i++) {
		char *name = cc_dir(c->o.ccs[i]);

		places[i].fd = -1;
		places[i].dir = xasprintf("%s/%s/%s/seed%" PRIu64, c->o.out, c->sc->name, name,
					  c->plan->seed);
		free(name);
	}
	for (i = 0; i < c->o.n_ccs && !rc; i++) {
		for (k = 0; k < i && !rc; k++)
			if (strcmp(places[k].dir, places[i].dir) == 0)
				rc = usage_error("--cc: %s and %s have the same place, %s",
						 c->o.ccs[k], c->o.ccs[i], places[i].dir);
		if (!rc)
			rc = place_lock(&places[i]);
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
 * places_leave() - unlock what was locked; remove what stayed empty
 * @places: after places_take()
 * @n: how many
 */
void places_leave(struct place *places, size_t n)
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
