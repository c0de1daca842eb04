// SPDX-License-Identifier: GPL-2.0
/*
 * Boot the lab kernel in real time, follow its marks on the console and sample
 * its CPU time at each.
 *
 * The lab kernel is one process of the host with a few threads; programs of
 * the guest are processes of their own. Only the former is counted: that is
 * the time spent in the kernel, in rxe and below.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <json-c/json.h>

#include "bench.h"

/* CPU time, and time ready to run while the host ran something else. */
struct cpu {
	double ran_ns, waited_ns;
};

struct guest {
	pid_t pid;
	int fd;
	FILE *log;
	char line[512];
	size_t len;
	struct cpu begin;	/* at the last @begin */
	size_t samples;
	bool done, failed;
};

/* Sums over all threads of @pid; negative when the host does not tell. */
static struct cpu cpu_of(pid_t pid)
{
	unsigned long long ran, waited;
	struct cpu sum = { 0, 0 };
	struct dirent *e;
	char path[64];
	DIR *d;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	if (!d)
		return (struct cpu){ -1, 0 };
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/schedstat",
			 pid, e->d_name);
		f = fopen(path, "re");
		if (!f || fscanf(f, "%llu %llu", &ran, &waited) != 2) {
			sum.ran_ns = -HUGE_VAL;
		} else {
			sum.ran_ns += ran;
			sum.waited_ns += waited;
		}
		if (f)
			fclose(f);
	}
	closedir(d);
	return sum;
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
		execl(cfg->linux_bin, cfg->linux_bin, "mem=1G", "root=none",
		      "rootfstype=hostfs", "rootflags=/", "rw", init, dir, uml,
		      "con=null", "con0=null,fd:1", (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	g->fd = fd[0];
	return 0;
}

/* Member @a.@b of flowgen's result @file, negative when it is not there. */
static double result(const char *dir, unsigned int run, const char *plan,
		     const char *file, const char *a, const char *b)
{
	struct json_object *top, *o, *probes;
	char path[700];
	double v = -1;

	snprintf(path, sizeof(path), "%s/%u-%s/%s", dir, run, plan, file);
	top = json_object_from_file(path);
	o = top;
	if (o && json_object_object_get_ex(o, "probes", &probes))
		o = json_object_array_get_idx(probes, 0);
	if (o && json_object_object_get_ex(o, a, &o) &&
	    (!b || json_object_object_get_ex(o, b, &o)))
		v = json_object_get_double(o);
	json_object_put(top);
	return v;
}

/*
 * The goodput had the host done nothing else: the time in which the lab kernel
 * was ready but not running is left out of the flow's duration.
 */
static double undisturbed(const struct bench_plan *plan, double bps,
			  double waited_ns)
{
	double wall_ns = plan->bytes * 8e9 / bps;

	return plan->bytes * 8e9 / fmax(wall_ns - waited_ns, 1);
}

static int store(const struct bench_config *cfg, struct bench_pair *pairs,
		 size_t nr, unsigned int run, const char *name, struct cpu cpu)
{
	struct bench_pair *pair = &pairs[run / 2];
	struct bench_sample *s;
	int i, variant;

	for (i = 0; i < BENCH_PLANS; i++)
		if (!strcmp(bench_plans[i].name, name))
			break;
	if (i == BENCH_PLANS || run / 2 >= nr)
		return -1;
	variant = (run % 2 == 0) == pair->patched_first ? BENCH_PATCHED :
							  BENCH_STOCK;
	s = &pair->s[i][variant];
	s->cpu_ns = cpu.ran_ns;
	if (bench_plans[i].kind == BENCH_GOODPUT)
		s->value = result(cfg->dir, run, name, "summary.json",
				  "goodput_bps", NULL);
	else
		s->value = result(cfg->dir, run, name, "latency.json",
				  "rtt_ns", "p50");
	if (s->value <= 0) {
		fprintf(stderr, "bench: %s/%u-%s: no result\n", cfg->dir, run,
			name);
		return -1;
	}
	if (bench_plans[i].kind == BENCH_GOODPUT)
		s->value = undisturbed(&bench_plans[i], s->value,
				       cpu.waited_ns);
	if (cfg->progress) {
		fprintf(stderr, "\r  pair %u of %zu, %s %s    ", run / 2 + 1,
			nr, variant == BENCH_PATCHED ? "patched" : "stock",
			name);
		fflush(stderr);
	}
	return 0;
}

static void mark(const struct bench_config *cfg, struct guest *g,
		 struct bench_pair *pairs, size_t nr)
{
	struct cpu now = cpu_of(g->pid);
	unsigned int run;
	char name[32];

	if (!strncmp(g->line, "@fail ", 6)) {
		fprintf(stderr, "bench: %s\n", g->line + 6);
		g->failed = true;
	} else if (!strcmp(g->line, "@done")) {
		g->done = true;
	} else if (now.ran_ns < 0) {
		fprintf(stderr, "bench: /proc/PID/task/TID/schedstat: not readable\n");
		g->failed = true;
	} else if (sscanf(g->line, "@begin %u %31s", &run, name) == 2) {
		g->begin = now;
	} else if (sscanf(g->line, "@end %u %31s", &run, name) == 2) {
		now.ran_ns -= g->begin.ran_ns;
		now.waited_ns -= g->begin.waited_ns;
		if (store(cfg, pairs, nr, run, name, now))
			g->failed = true;
		else
			g->samples++;
	}
}

/* Take what the console has; false at its end. */
static bool drain(const struct bench_config *cfg, struct guest *g,
		  struct bench_pair *pairs, size_t nr)
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
			mark(cfg, g, pairs, nr);
	}
	return true;
}

/**
 * bench_run() - run all pairs in one boot of the lab kernel
 * @cfg: what to run where; @cfg->dir holds modules, plans and the order
 * @pairs: patched_first given, samples filled in
 * @nr: number of pairs
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_run(const struct bench_config *cfg, struct bench_pair *pairs,
	      size_t nr)
{
	time_t end = time(NULL) + cfg->timeout_s;
	struct guest g = { .fd = -1 };
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
		if (poll(&p, 1, 1000) > 0 && !drain(cfg, &g, pairs, nr))
			break;
	if (cfg->progress)
		fputs("\r\033[K", stderr);
	if (!g.done && !g.failed)
		fprintf(stderr, "bench: the lab kernel %s, see %s\n",
			time(NULL) < end ? "ended early" : "takes too long",
			path);
	kill(-g.pid, SIGKILL);
	waitpid(g.pid, NULL, 0);
	close(g.fd);
	fclose(g.log);
	if (!g.done || g.failed)
		return -1;
	if (g.samples == 2 * BENCH_PLANS * nr)
		return 0;
	fprintf(stderr, "bench: %zu of %zu results are missing, see %s\n",
		2 * BENCH_PLANS * nr - g.samples, 2 * BENCH_PLANS * nr, path);
	return -1;
}
