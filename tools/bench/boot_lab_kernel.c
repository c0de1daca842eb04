// SPDX-License-Identifier: GPL-2.0
/*
 * Boots the lab kernel with a script as its first process, and reads what that says on the
 * console: lines that begin with @.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lib/child.h"
#include "../lib/mem.h"
#include "bench.h"

struct guest {
	pid_t pid;
	int fd;
	FILE *log;
	char line[512];
	size_t len;
	bench_mark_fn mark;
	void *ctx;
	bool done, failed;
};

static int spawn(const struct bench *b, struct guest *g)
{
	char *uml[] = {
		(char *)b->linux_bin, "mem=1G", "root=none", "rootfstype=hostfs", "rootflags=/",
		"rw", xasprintf("init=%s", b->guest), xasprintf("bench_dir=%s", b->dir),
		xasprintf("uml_dir=%s/uml/", b->dir), "con=null", "con0=null,fd:1",
		b->virtual_time ? "time-travel=inf-cpu" : NULL, NULL
	};
	char *qemu[] = {
		(char *)b->linux_bin, b->dir, (char *)b->guest, xasprintf("%lu", b->cpus),
		b->icount ? "1" : "0", xasprintf("%lu", b->timeout_s), NULL
	};
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	g->pid = child_start(&(struct child){
		.argv = b->qemu ? qemu : uml, .out = fd[1], .errors = true, .group = true });
	g->fd = fd[0];
	close(fd[1]);
	return g->pid < 0 ? -1 : 0;
}

static void mark(struct guest *g)
{
	if (!strncmp(g->line, "@fail ", 6)) {
		bench_error("%s", g->line + 6);
		g->failed = true;
	} else if (!strcmp(g->line, "@done")) {
		g->done = true;
	} else if (g->mark(g->ctx, g->pid, g->line)) {
		g->failed = true;
	}
}

/* Take what the console has; false at its end. */
static bool drain(struct guest *g)
{
	char buf[4096];
	ssize_t n = read(g->fd, buf, sizeof(buf)), i;

	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return false;
	for (i = 0; i < n; i++) {
		if (buf[i] == '\r')
			continue;
		if (buf[i] != '\n') {
			if (g->len < sizeof(g->line) - 1)
				g->line[g->len++] = buf[i];
			continue;
		}
		g->line[g->len] = '\0';
		g->len = 0;
		fprintf(g->log, "%s\n", g->line);
		if (g->line[0] == '@')
			mark(g);
	}
	return true;
}

/**
 * bench_guest() - run a script in one boot of the lab kernel
 * @b: what to run where
 * @mark: gets the kernel's process and each line that begins with @, except
 *	"@fail CAUSE" and "@done", which end the run; not 0: give up, after a
 *	message on stderr
 * @ctx: for @mark
 *
 * Return: 0 after @done, or -1 with a message on stderr.
 */
int bench_guest(const struct bench *b, bench_mark_fn mark, void *ctx)
{
	char *path = xasprintf("%s/console.log", b->dir);
	time_t end = time(NULL) + b->timeout_s;
	struct guest g = { .fd = -1, .mark = mark, .ctx = ctx, .log = fopen(path, "we") };
	struct pollfd p;

	if (!g.log || spawn(b, &g))
		return bench_error("%s: %s", g.log ? b->linux_bin : path, strerror(errno));
	p = (struct pollfd){ .fd = g.fd, .events = POLLIN };
	while (!g.failed && time(NULL) < end)
		if (poll(&p, 1, 1000) > 0 && !drain(&g))
			break;
	if (b->progress)
		fputs("\r\033[K", stderr);
	if (!g.done && !g.failed)
		bench_error("the guest %s, see %s",
			    time(NULL) < end ? "ended early" : "takes too long", path);
	/* run.sh removes its files; QEMU ends first. */
	if (!b->qemu || !g.done)
		kill(-g.pid, b->qemu ? SIGTERM : SIGKILL);
	child_wait(g.pid, true);
	close(g.fd);
	fclose(g.log);
	free(path);
	return g.done && !g.failed ? 0 : -1;
}
