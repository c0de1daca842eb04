// SPDX-License-Identifier: GPL-2.0
/*
 * Boot the lab kernel with a script as its first process and follow what that
 * says on the console: lines that begin with @.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static void exec_qemu(const struct bench_config *cfg)
{
	char smp[24], limit[24];

	snprintf(smp, sizeof(smp), "%lu", cfg->smp);
	snprintf(limit, sizeof(limit), "%u", cfg->timeout_s);
	execl(cfg->linux_bin, cfg->linux_bin, cfg->dir, cfg->guest, smp,
	      cfg->icount ? "1" : "0", limit, (char *)NULL);
	_exit(127);
}

static int spawn(const struct bench_config *cfg, struct guest *g)
{
	char init[600], dir[600], uml[600];
	int fd[2];

	if (pipe(fd))
		return -1;
	snprintf(init, sizeof(init), "init=%s", cfg->guest);
	snprintf(dir, sizeof(dir), "bench_dir=%s", cfg->dir);
	snprintf(uml, sizeof(uml), "uml_dir=%s/uml/", cfg->dir);
	g->pid = fork();
	if (g->pid < 0)
		return -1;
	if (!g->pid) {
		setpgid(0, 0);
		dup2(fd[1], 1);
		dup2(fd[1], 2);
		close(fd[0]);
		close(fd[1]);
		if (!freopen("/dev/null", "r", stdin))
			_exit(126);
		if (cfg->qemu)
			exec_qemu(cfg);
		execl(cfg->linux_bin, cfg->linux_bin, "mem=1G", "root=none",
		      "rootfstype=hostfs", "rootflags=/", "rw", init, dir, uml,
		      "con=null", "con0=null,fd:1",
		      cfg->virtual_time ? "time-travel=inf-cpu" : NULL,
		      (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	g->fd = fd[0];
	return 0;
}

static void mark(struct guest *g)
{
	if (!strncmp(g->line, "@fail ", 6)) {
		fprintf(stderr, "bench: %s\n", g->line + 6);
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
 * @cfg: what to run where
 * @mark: gets the kernel's process and each line that begins with @, except
 *	"@fail CAUSE" and "@done", which end the run; not 0: give up, after a
 *	message on stderr
 * @ctx: for @mark
 *
 * Return: 0 after @done, or -1 with a message on stderr.
 */
int bench_guest(const struct bench_config *cfg, bench_mark_fn mark, void *ctx)
{
	time_t end = time(NULL) + cfg->timeout_s;
	struct guest g = { .fd = -1, .mark = mark, .ctx = ctx };
	struct pollfd p;
	char path[700];

	snprintf(path, sizeof(path), "%s/console.log", cfg->dir);
	g.log = fopen(path, "we");
	if (!g.log || spawn(cfg, &g)) {
		fprintf(stderr, "bench: %s: %s\n", g.log ? cfg->linux_bin :
			path, strerror(errno));
		if (g.log)
			fclose(g.log);
		return -1;
	}
	p = (struct pollfd){ .fd = g.fd, .events = POLLIN };
	while (!g.failed && time(NULL) < end)
		if (poll(&p, 1, 1000) > 0 && !drain(&g))
			break;
	if (cfg->progress)
		fputs("\r\033[K", stderr);
	if (!g.done && !g.failed)
		fprintf(stderr, "bench: the guest %s, see %s\n",
			time(NULL) < end ? "ended early" : "takes too long",
			path);
	/* run.sh removes its files; QEMU ends first. */
	if (cfg->qemu && !g.done)
		kill(-g.pid, SIGTERM);
	else if (!cfg->qemu)
		kill(-g.pid, SIGKILL);
	waitpid(g.pid, NULL, 0);
	close(g.fd);
	fclose(g.log);
	return g.done && !g.failed ? 0 : -1;
}
