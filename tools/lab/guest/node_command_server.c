// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: commands in the nodes of a guest, one file each.
 *
 * A directory that the host shares with the guest holds them (tools/lab/stage/on.sh
 * is the other side):
 *
 *	nodes/NODE	here: a node of this guest
 *	ID.NODE.cmd	there: a script for bash, to be run in the node
 *	ID.out		what it prints
 *	ID.kill		there: end it
 *	ID.status	here: its exit status, when it has ended
 *
 * The host's changes come without notice in 9p, so the directory is looked at again
 * and again.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest/topo.h"

#define LOOK_NS		(50 * 1000 * 1000)
#define COMMAND		".cmd"

struct running {
	pid_t pid;
	char *id;
};

struct on {
	struct topo *t;
	struct json_object *env;
	char *dir;
	struct running *run;
	size_t n;
};

static char *file_of(const struct on *o, const char *id, const char *what)
{
	return xasprintf("%s/%s.%s", o->dir, id, what);
}

static void write_status(const struct on *o, const char *id, int status)
{
	char *tmp = file_of(o, id, "tmp"), *path = file_of(o, id, "status");

	if (write_file(tmp, "%d\n", status) || rename(tmp, path))
		fail("%s: %s", path, strerror(errno));
	free(tmp);
	free(path);
}

static void start(struct on *o, const char *id, struct node *n)
{
	char *script = file_of(o, id, "run"), *out = file_of(o, id, "out");
	char *argv[] = { "/bin/sh", "-c", "exec /bin/bash \"$0\" >\"$1\" 2>&1 </dev/null", script,
			 out, NULL };
	pid_t pid = -1;

	if (!topo_enter(o->t, n))
		pid = sys_spawn(&(struct spawn){ .argv = argv, .env = o->env });
	topo_leave(o->t);
	free(script);
	free(out);
	if (pid < 0) {
		write_status(o, id, 125);
		return;
	}
	o->run = xrealloc(o->run, (o->n + 1) * sizeof(*o->run));
	o->run[o->n++] = (struct running){ .pid = pid, .id = xstrdup(id) };
}

/* @name: ID.NODE.cmd */
static void take(struct on *o, const char *name)
{
	size_t id_len = strcspn(name, "."), len = strlen(name) - strlen(COMMAND);
	char *id = xasprintf("%.*s", (int)id_len, name), *node, *from, *to;
	struct node *n;

	node = len > id_len ? xasprintf("%.*s", (int)(len - id_len - 1), name + id_len + 1) :
			      xstrdup("");
	n = topo_node(o->t, node);
	from = xasprintf("%s/%s", o->dir, name);
	to = file_of(o, id, "run");
	if (rename(from, to))
		fail("%s: %s", from, strerror(errno));
	else if (n && n->here)
		start(o, id, n);
	else
		write_status(o, id, 125);
	free(from);
	free(to);
	free(node);
	free(id);
}

static void look(struct on *o)
{
	DIR *d = opendir(o->dir);
	struct dirent *de;

	while (d && (de = readdir(d))) {
		size_t len = strlen(de->d_name);

		if (len > strlen(COMMAND) &&
		    strcmp(de->d_name + len - strlen(COMMAND), COMMAND) == 0)
			take(o, de->d_name);
	}
	if (d)
		closedir(d);
}

static void kill_wanted(struct on *o)
{
	char *path;
	size_t i;

	for (i = 0; i < o->n; i++) {
		path = file_of(o, o->run[i].id, "kill");
		/* Each is the leader of a session of its own. */
		if (path_exists(path)) {
			kill(-o->run[i].pid, SIGTERM);
			unlink(path);
		}
		free(path);
	}
}

static void reap(struct on *o)
{
	int status;
	pid_t pid;
	size_t i;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (i = 0; i < o->n && o->run[i].pid != pid; i++)
			;
		if (i == o->n)
			continue;
		write_status(o, o->run[i].id, shell_status(status));
		free(o->run[i].id);
		o->run[i] = o->run[--o->n];
	}
}

static int show_nodes(struct on *o)
{
	char *path = xasprintf("%s/nodes", o->dir);
	int i, rc = mkdir_p(path);

	free(path);
	for (i = 0; i < o->t->n_nodes && !rc; i++) {
		if (!o->t->nodes[i].here)
			continue;
		path = xasprintf("%s/nodes/%s", o->dir, o->t->nodes[i].name);
		rc = write_file(path, "%s", "");
		free(path);
	}
	return rc ? fail("%s: %s", o->dir, strerror(errno)) : 0;
}

/**
 * node_commands_serve() - run what the host asks for until it says "end"
 * @t: topology
 * @job: "out" and "env"
 *
 * Return: 0, or -1 after fail().
 */
int node_commands_serve(struct topo *t, struct json_object *job)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	struct on o = { .t = t, .env = job_get(job, J_ENV) };
	int end;

	o.dir = xasprintf("%s/on", job_str(job, J_OUT, ""));
	if (show_nodes(&o))
		return -1;
	mark("shell");
	do {
		look(&o);
		kill_wanted(&o);
		reap(&o);
		nanosleep(&pause, NULL);
		end = control_heard("end");
	} while (!end);
	return end < 0 ? -1 : 0;
}
