// SPDX-License-Identifier: GPL-2.0
/*
 * All pairs in real time: the CPU time of the lab kernel between the marks of
 * guest.sh, and flowgen's results.
 *
 * The lab kernel is one process of the host with a few threads; programs of
 * the guest are processes of their own. Only the former is counted: that is
 * the time spent in the kernel, in rxe and below.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <json-c/json.h>

#include "bench.h"

/* CPU time, and time ready to run while the host ran something else. */
struct cpu {
	double ran_ns, waited_ns;
};

/* Results so far. */
struct run {
	const struct bench_config *cfg;
	struct bench_pair *pairs;
	size_t nr;
	struct cpu begin;	/* at the last @begin */
	size_t samples;
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

static int store(struct run *r, unsigned int run, const char *name,
		 struct cpu cpu)
{
	const char *dir = r->cfg->dir;
	struct bench_pair *pair = &r->pairs[run / 2];
	struct bench_sample *s;
	int i, variant;

	for (i = 0; i < BENCH_PLANS; i++)
		if (!strcmp(bench_plans[i].name, name))
			break;
	if (i == BENCH_PLANS || run / 2 >= r->nr)
		return -1;
	variant = (run % 2 == 0) == pair->patched_first ? BENCH_PATCHED :
							  BENCH_STOCK;
	s = &pair->s[i][variant];
	s->cpu_ns = cpu.ran_ns;
	if (bench_plans[i].kind == BENCH_GOODPUT)
		s->value = result(dir, run, name, "summary.json",
				  "goodput_bps", NULL);
	else
		s->value = result(dir, run, name, "latency.json",
				  "rtt_ns", "p50");
	if (s->value <= 0) {
		fprintf(stderr, "bench: %s/%u-%s: no result\n", dir, run, name);
		return -1;
	}
	if (bench_plans[i].kind == BENCH_GOODPUT)
		s->value = undisturbed(&bench_plans[i], s->value,
				       cpu.waited_ns);
	if (r->cfg->progress) {
		fprintf(stderr, "\r  pair %u of %zu, %s %s    ", run / 2 + 1,
			r->nr, variant == BENCH_PATCHED ? "patched" : "stock",
			name);
		fflush(stderr);
	}
	r->samples++;
	return 0;
}

static int mark(void *ctx, pid_t pid, const char *line)
{
	struct cpu now = cpu_of(pid);
	struct run *r = ctx;
	unsigned int run;
	char name[32];

	if (now.ran_ns < 0) {
		fprintf(stderr, "bench: /proc/PID/task/TID/schedstat: not readable\n");
		return -1;
	}
	if (sscanf(line, "@begin %u %31s", &run, name) == 2) {
		r->begin = now;
	} else if (sscanf(line, "@end %u %31s", &run, name) == 2) {
		now.ran_ns -= r->begin.ran_ns;
		now.waited_ns -= r->begin.waited_ns;
		return store(r, run, name, now);
	}
	return 0;
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
	struct run r = { .cfg = cfg, .pairs = pairs, .nr = nr };

	if (bench_guest(cfg, mark, &r))
		return -1;
	if (r.samples == 2 * BENCH_PLANS * nr)
		return 0;
	fprintf(stderr, "bench: %zu of %zu results are missing, see %s/console.log\n",
		2 * BENCH_PLANS * nr - r.samples, 2 * BENCH_PLANS * nr,
		cfg->dir);
	return -1;
}
