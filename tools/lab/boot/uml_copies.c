// SPDX-License-Identifier: GPL-2.0
/*
 * lab, UML backend: starts a lab kernel that makes copies of itself, tells it of jobs and ends it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/uml_copies.h"

/**
 * copies_new() - one boot for several jobs
 *
 * Return: nothing runs yet; NULL: there is no place for its files, so each job has a boot.
 */
struct uml_copies *copies_new(void)
{
	char *dir = work_dir_make();
	struct uml_copies *s = dir ? xcalloc(1, sizeof(*s)) : NULL;

	if (s)
		s->work_dir = dir;
	return s;
}

void copies_free(struct uml_copies *s)
{
	if (!s)
		return;
	copies_stop(s, false);
	work_dir_remove(s->work_dir);
	free(s);
}

/**
 * copies_jobs() - write the jobs of the kernels that the next run is a copy of
 * @c: command, after job_save()
 * @u: its kernel; is told the network of the job
 *
 * Return: 0, or the exit status after a message.
 */
int copies_jobs(struct cmd *c, struct uml *u)
{
	char *path = xasprintf("%s/job.json", u->copies->work_dir);
	int rc = job_save_common(c->plan, &c->o, c->kdir, path, false);

	free(path);
	path = xasprintf("%s/network.json", u->copies->work_dir);
	if (!rc)
		rc = job_save_common(c->plan, &c->o, c->kdir, path, true);
	free(path);
	/* All else of a network is in the base of the plan. */
	u->network = json_object_to_json_string(job_get(c->plan->job, J_LINKS));
	return rc;
}

static struct json_object *links_under(struct cmd *c, const char *cc)
{
	struct json_object *job = json_object_new_object(), *set;

	if (cc_json(c->plan, &c->o, cc, &set)) {
		json_object_put(job);
		return NULL;
	}
	job_add(job, J_CC, set);
	job_links(c->plan, job);
	return job;
}

/**
 * copies_same_network() - have two runs the same network
 * @c: command
 * @cc: item of --cc
 * @next: another
 *
 * Return: true if so.
 */
bool copies_same_network(struct cmd *c, const char *cc, const char *next)
{
	struct json_object *a = links_under(c, cc), *b = links_under(c, next);
	bool same = a && b && json_object_equal(job_get(a, J_LINKS), job_get(b, J_LINKS));

	json_object_put(a);
	json_object_put(b);
	return same;
}

static int boot(struct uml_copies *s, const struct uml *u, int uml_log)
{
	struct uml kernel = *u;
	int console[2], talk[2];
	struct child child;

	if (pipe2(console, O_CLOEXEC))
		return run_error("console: %s", strerror(errno));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk)) {
		close(console[0]);
		close(console[1]);
		return run_error("socket: %s", strerror(errno));
	}
	child = (struct child){ .out = console[1], .err = uml_log, .keep = &talk[1], .n_keep = 1 };
	kernel.work_dir = s->work_dir;
	s->console = console[0];
	s->talk = talk[0];
	s->pid = uml_start(&kernel, &child);
	close(console[1]);
	close(talk[1]);
	if (s->pid > 0)
		return 0;
	s->pid = 0;
	close(s->console);
	close(s->talk);
	return run_error("fork: %s", strerror(errno));
}

static bool tell(struct uml_copies *s, const char *dir, const char *file)
{
	char *line = xasprintf("%s%s\n", dir, file);
	ssize_t len = strlen(line);
	bool told = send(s->talk, line, len, MSG_NOSIGNAL) == len;

	free(line);
	return told;
}

static void end_network(struct uml_copies *s)
{
	if (!tell(s, "", "") || !copies_ended(s)) {
		copies_stop(s, true);
		return;
	}
	free(s->network);
	s->network = NULL;
}

/**
 * copies_start() - start a job in a copy
 * @s: of which kernel; it is started if it does not run
 * @u: what to run, see copies_jobs()
 * @uml_log: where that kernel's process complains
 *
 * Return: 0, or the exit status after a message.
 */
int copies_start(struct uml_copies *s, struct uml *u, int uml_log)
{
	if (s->network && strcmp(s->network, u->network))
		end_network(s);
	if (!s->pid && boot(s, u, uml_log))
		return EXIT_RUN_FAILED;
	s->waits = 1;
	if (!s->network && u->network_again && tell(s, s->work_dir, "/network.json")) {
		s->network = xstrdup(u->network);
		s->waits = 2;
	}
	/* One that has ended does not say that the job begins. */
	tell(s, u->work_dir, "/job.json");
	return 0;
}

/* Which kernel's words these are. */
static char **said(struct uml_copies *s)
{
	return &s->said[s->network && s->waits < 2 ? COPIES_NETWORK : COPIES_BOOTED];
}

/**
 * copies_said() - a line of the console that is there before the job begins
 * @s: kernel
 * @line: without its end
 */
void copies_said(struct uml_copies *s, const char *line)
{
	char **text = said(s), *old = *text;

	*text = xasprintf("%s%s\n", old ? old : "", line);
	free(old);
}

/**
 * copies_begin() - a copy begins
 * @s: kernel
 * @log: of the job; gets what the kernels have said of which it is a copy
 *
 * Return: true if it is that of the job, false if it is the one with the network.
 */
bool copies_begin(struct uml_copies *s, FILE *log)
{
	char **text = said(s);

	if (--s->waits) {
		free(s->said[COPIES_NETWORK]);
		s->said[COPIES_NETWORK] = xstrdup(*text ? *text : "");
		return false;
	}
	fputs(*text ? *text : "", log);
	return true;
}

/**
 * copies_ended() - wait until a copy has ended
 * @s: kernel
 *
 * Return: true: it can make another one; false: it is gone, or a signal came.
 */
bool copies_ended(struct uml_copies *s)
{
	char byte;

	return read(s->talk, &byte, 1) == 1;
}

/**
 * copies_stop() - end the kernel
 * @s: kernel
 * @now: and the copy that may run; else it ends by itself, as nobody talks to it any more
 */
void copies_stop(struct uml_copies *s, bool now)
{
	int i;

	if (!s->pid)
		return;
	close(s->talk);
	uml_end(s->pid, now);
	s->pid = 0;
	close(s->console);
	free(s->network);
	s->network = NULL;
	for (i = 0; i < COPIES_LEVELS; i++) {
		free(s->said[i]);
		s->said[i] = NULL;
	}
}
