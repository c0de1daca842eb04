// SPDX-License-Identifier: GPL-2.0
/*
 * lab: makes and removes temporary directories, and catches the signals after which none may be
 * left. Also: the directory of the cache, and whether a file that "make" builds is there.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught = sig;
}

/**
 * work_catch() - let SIGINT, SIGTERM and SIGHUP only set work_interrupted()
 *
 * A signal that is ignored, by nohup for instance, stays so.
 */
void work_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal }, old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
}

/**
 * work_interrupted() - has a signal asked for the end
 *
 * Signals only set this, from the first work_dir_make() or work_catch() on: whoever waits looks
 * at it, and cleans up before the program ends.
 *
 * Return: true if so.
 */
bool work_interrupted(void)
{
	return caught;
}

/**
 * work_dir_make() - a new temporary directory
 *
 * From here on SIGINT, SIGTERM and SIGHUP do not end the program, see
 * work_interrupted().
 *
 * Return: its name, for work_dir_remove(), or NULL after a message.
 */
char *work_dir_make(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	work_catch();
	if (work_interrupted()) {
		interrupted_error();
		return NULL;
	}
	dir = xasprintf("%s/lab-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (mkdtemp(dir))
		return dir;
	run_error("%s: %s", dir, strerror(errno));
	free(dir);
	return NULL;
}

/**
 * cache_dir() - where things are kept from one run to the next
 *
 * Return: its name, to be freed, or NULL if there is none. It need not exist.
 */
char *cache_dir(void)
{
	const char *cache = getenv("RXE_CC_CACHE"), *home = getenv("HOME");

	if (cache && *cache)
		return xstrdup(cache);
	return home && *home ? xasprintf("%s/.cache/rxe-cc", home) : NULL;
}

/**
 * work_dir_remove() - remove a temporary directory with all it holds
 * @dir: from work_dir_make(), is freed
 */
void work_dir_remove(char *dir)
{
	rm_rf(dir);
	free(dir);
}

static bool said_interrupted;

/**
 * interrupted_error() - say once that a signal ends the lab
 *
 * Return: exit status.
 */
int interrupted_error(void)
{
	if (!said_interrupted)
		run_error("interrupted");
	said_interrupted = true;
	return EXIT_RUN_FAILED;
}

/* interrupted_silent() - in a process whose parent says it */
void interrupted_silent(void)
{
	said_interrupted = true;
}

/**
 * check_built() - is something there that "make" builds
 * @path: file
 *
 * Return: 0, or the exit status after a message with the cause.
 */
int check_built(const char *path)
{
	if (access(path, R_OK) == 0)
		return 0;
	return errno == ENOENT ? run_error("%s is missing: run \"make\" first", path) :
				 run_error("%s: %s", path, strerror(errno));
}
