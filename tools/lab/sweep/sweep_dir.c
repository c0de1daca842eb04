// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: the directory of the sweep, and results into their places.
 *
 * A run's results come as one archive, out/KEY.tar, which appears under that name
 * when it is complete. They are unpacked beside it and moved to their place by
 * rename, so that a place has all of a run or nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sweep/sweep.h"

static const char *const parts[] = { "out", "tmp", "log" };

static int no_place(struct sweep *s)
{
	return run_error("--out %s: %s", s->out, strerror(errno));
}

/* Two sweeps into one place would take each other's archives. */
static int lock_dir(struct sweep *s)
{
	char *path = sweep_path(s, "lock");

	s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	free(path);
	if (s->lock_fd < 0)
		return no_place(s);
	if (flock(s->lock_fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return run_error("--out %s: another sweep is writing there", s->out);
	return 0;
}

/**
 * sweep_open() - make and lock the directory of the sweep
 * @s: sweep; dir and lock_fd are results
 *
 * Return: 0, or the exit status after a message. sweep_close() is due in any case.
 */
int sweep_open(struct sweep *s)
{
	char path[PATH_MAX], *dir;
	size_t i;
	int rc;

	s->lock_fd = -1;
	s->made_out = !path_exists(s->out);
	if (mkdir_p(s->out) || access(s->out, W_OK | X_OK) || !realpath(s->out, path))
		return no_place(s);
	s->dir = xasprintf("%s/" SWEEP_DIR, path);
	if (mkdir_p(s->dir))
		return no_place(s);
	rc = lock_dir(s);
	for (i = 0; i < ARRAY_SIZE(parts) && !rc; i++) {
		dir = sweep_path(s, parts[i]);
		/* What a sweep that was killed was unpacking. */
		if (strcmp(parts[i], "tmp") == 0)
			rm_rf(dir);
		if (mkdir_p(dir))
			rc = no_place(s);
		free(dir);
	}
	return rc;
}

/* Slurm makes a file for each task, and few have anything to say. */
static void remove_empty_logs(struct sweep *s)
{
	char *dir = sweep_path(s, "log"), *path;
	struct dirent *de;
	DIR *d = opendir(dir);
	struct stat st;

	while (d && (de = readdir(d))) {
		path = xasprintf("%s/%s", dir, de->d_name);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !st.st_size)
			unlink(path);
		free(path);
	}
	if (d)
		closedir(d);
	free(dir);
}

/* A file, or a directory that is empty. */
static void drop(struct sweep *s, const char *name)
{
	char *path = sweep_path(s, name);

	remove(path);
	free(path);
}

/**
 * sweep_close() - unlock; remove what is empty
 * @s: after sweep_open()
 */
void sweep_close(struct sweep *s)
{
	bool started, keep;
	char *path;
	size_t i;

	if (!s->dir)
		return;
	path = sweep_path(s, "runs");
	started = path_exists(path);
	free(path);
	/* What Slurm still has in its queue will want them. */
	keep = s->lock_fd < 0 || (s->slurm && started && count_state(s, RUN_MISSING));
	if (!keep)
		remove_empty_logs(s);
	for (i = 0; !keep && i < ARRAY_SIZE(parts); i++)
		drop(s, parts[i]);
	if (s->lock_fd >= 0 && !started) {
		drop(s, "lock");
		rmdir(s->dir);
	}
	if (s->made_out)
		rmdir(s->out);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
}

/* A file that the worker has left; NULL: there is none. */
static char *read_in(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name), *text = read_file(path, NULL);

	free(path);
	return text;
}

/* The last line that lab said of it. */
static char *last_message(const char *dir)
{
	char *text = read_in(dir, "messages"), *line, *found = NULL, *rest = text;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		free(found);
		found = xstrdup(strncmp(line, "lab: ", 5) ? line : line + 5);
	}
	free(text);
	return found ? found : xstrdup("no results, and no word why");
}

/*
 * Over an empty directory rename() just works. One with results, of --force or of
 * a run that was redone, is taken out of the way first.
 */
static int move_results(struct sweep *s, struct sweep_run *r, const char *from)
{
	struct result_dir pl = { .dir = xasprintf("%s/%s", s->out, r->place), .fd = -1 };
	char *old = xasprintf("%s/tmp/%s.old", s->dir, r->key);
	int rc = result_dir_lock(&pl);

	if (!rc && rename(from, pl.dir)) {
		if ((errno != ENOTEMPTY && errno != EEXIST) || rename(pl.dir, old) ||
		    rename(from, pl.dir))
			rc = run_error("%s: %s", pl.dir, strerror(errno));
		rm_rf(old);
	}
	if (pl.fd >= 0)
		close(pl.fd);
	free(old);
	free(pl.dir);
	return rc;
}

static int unpack(const char *archive, const char *dir)
{
	char *argv[] = { "tar", "-xf", (char *)archive, "-C", (char *)dir,
			 "--no-same-owner", NULL };
	char *out = NULL, *line;
	int rc;

	if (mkdir_p(dir))
		return run_error("%s: %s", dir, strerror(errno));
	rc = program_output(argv, NULL, &out);
	if (rc && !work_interrupted()) {
		line = first_line(out);
		run_error("%s: cannot be unpacked: %s", archive, line);
		free(line);
	}
	free(out);
	return rc;
}

/* Did "lab run" fail, whatever it left. */
static bool has_failed(const char *dir)
{
	char *text = read_in(dir, "status");
	bool failed = !text || atoi(text);

	free(text);
	return failed;
}

static char *odd_entry;	/* nftw() hands nothing on */

static int is_plain(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	if (type == FTW_F || type == FTW_D)
		return 0;
	odd_entry = xstrdup(path);
	return 1;
}

/*
 * What another machine has packed is moved into the results and read: a link would
 * take the eyes and hands of this process elsewhere.
 */
static char *odd_in(const char *dir)
{
	char *why;

	odd_entry = NULL;
	if (!nftw(dir, is_plain, 16, FTW_PHYS))
		return NULL;
	if (!odd_entry)
		return xasprintf("%s: %s", dir, strerror(errno));
	why = xasprintf("its archive holds %s, which is neither file nor directory",
			odd_entry + strlen(dir) + 1);
	free(odd_entry);
	return why;
}

/* 0; 1: the archive stays, because this process is to end or could not unpack it. */
static int merge(struct sweep *s, struct sweep_run *r, const char *archive)
{
	char *dir = xasprintf("%s/tmp/%s", s->dir, r->key), *results, *summary;
	int rc = unpack(archive, dir);
	char *odd = rc ? NULL : odd_in(dir);

	if (odd) {
		free(r->why);
		r->why = odd;
	} else if (!rc) {
		results = xasprintf("%s/r/%s", dir, r->place +
				    (*r->point ? strlen(r->point) + 1 : 0));
		summary = xasprintf("%s/summary.json", results);
		free(r->why);
		r->why = NULL;
		if (has_failed(dir) || !path_exists(summary))
			r->why = last_message(dir);
		if (path_exists(summary)) {
			if (move_results(s, r, results))
				r->why = xstrdup("results could not be put into their place");
			else
				r->state = RUN_DONE;
		}
		if (r->state == RUN_DONE)
			rerun_notes_add_failed(s, r);
		free(summary);
		free(results);
	}
	rm_rf(dir);
	free(dir);
	return rc;
}

static char *archive_of(const struct sweep *s, const struct sweep_run *r)
{
	return xasprintf("%s/out/%s.tar", s->dir, r->key);
}

/**
 * sweep_forget_archives() - what came for a sweep before is not wanted (--force)
 * @s: sweep
 */
void sweep_forget_archives(struct sweep *s)
{
	char *archive;
	size_t i;

	for (i = 0; i < s->n_runs; i++) {
		archive = archive_of(s, &s->runs[i]);
		unlink(archive);
		free(archive);
	}
}

/**
 * sweep_merge_all() - put what has arrived into its place
 * @s: sweep
 */
void sweep_merge_all(struct sweep *s)
{
	char *archive;
	size_t i;

	for (i = 0; i < s->n_runs && !work_interrupted(); i++) {
		struct sweep_run *r = &s->runs[i];

		if (r->state == RUN_DONE)
			continue;
		archive = archive_of(s, r);
		if (path_exists(archive) && !merge(s, r, archive)) {
			unlink(archive);
			if (r->state == RUN_DONE)
				progress_run(s, r);
		}
		free(archive);
	}
}

/**
 * sweep_wait() - put what comes into its place, until no more will
 * @s: sweep
 * @ended: no more will
 * @ctx: for @ended
 *
 * Return: 0, or EXIT_RUN_FAILED if a signal asks this process to end.
 */
int sweep_wait(struct sweep *s, bool (*ended)(struct sweep *s, void *ctx), void *ctx)
{
	struct timespec nap = { .tv_nsec = POLL_NS };

	for (;;) {
		sweep_merge_all(s);
		progress_tick(s);
		if (work_interrupted())
			return EXIT_RUN_FAILED;
		if (ended(s, ctx))
			break;
		nanosleep(&nap, NULL);
	}
	/* What came between the look at the archives and this one. */
	sweep_merge_all(s);
	return 0;
}

/**
 * sweep_write_todo() - a file of what workers are told, a line a run: key, tab, JSON
 * @s: sweep
 * @name: of the file in the directory of the sweep
 * @runs: which; NULL: all in their order
 * @n: how many
 *
 * Return: 0, or the exit status after a message.
 */
int sweep_write_todo(struct sweep *s, const char *name, struct sweep_run **runs, size_t n)
{
	char *path = sweep_path(s, name);
	FILE *f = fopen(path, "we");
	size_t i;
	int rc = 0;

	for (i = 0; f && i < n; i++) {
		const struct sweep_run *r = runs ? runs[i] : &s->runs[i];

		fprintf(f, "%s\t%s\n", r->key, r->line);
	}
	if (!f || file_close(f))
		rc = run_error("%s: %s", path, strerror(errno));
	free(path);
	return rc;
}
