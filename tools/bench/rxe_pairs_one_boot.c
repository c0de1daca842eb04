// SPDX-License-Identifier: GPL-2.0
/*
 * Runs all pairs of patched and stock rxe in one boot, and takes the CPU time of the lab kernel
 * or of QEMU between the marks of guest_rxe.sh, and flowgen's results.
 *
 * The lab kernel is one process of the host with a few threads; programs of
 * the guest are processes of their own. Only the former is counted: that is
 * the time spent in the kernel, in rxe and below. A QEMU guest
 * is one process with all that is in it.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define MB 1048576ULL

/* Software emulation is slow: it gets so much less of each plan. */
#define QEMU_SHARE 8

const struct bench_plan bench_plans[BENCH_PLANS] = {
	{ "write_1mb_mtu4096", BENCH_GOODPUT, 256 * MB / 4096, 4096 },
	{ "write_1mb_mtu1024", BENCH_GOODPUT, 96 * MB / 1024, 1024 },
	{ "send_64b_pingpong", BENCH_RTT, 3200, 0 },
};

/**
 * bench_plan_units() - how much of a plan is run
 * @plan: the plan
 * @b: where
 *
 * Return: data packets, or round trips.
 */
uint64_t bench_plan_units(const struct bench_plan *plan, const struct bench *b)
{
	return plan->units / (b->qemu ? QEMU_SHARE : 1);
}

/* CPU time, and time ready to run while the host ran something else. */
struct cpu {
	double ran_ns, waited_ns;
};

/* Results so far. */
struct run {
	const struct bench *b;
	struct bench_pair *pairs;
	struct cpu begin;	/* at the last @begin */
	struct cpu used;	/* from there to @end */
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
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/schedstat", pid, e->d_name);
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

/*
 * The goodput had the host done nothing else: the time in which the lab kernel
 * was ready but not running is left out of the flow's duration.
 */
static double undisturbed(const struct bench_plan *plan, double bps, double waited_ns)
{
	double bits = plan->units * plan->mtu * 8e9, wall_ns = bits / bps;

	return bits / fmax(wall_ns - waited_ns, 1);
}

static int store(struct run *r, unsigned int run, const char *name, double value)
{
	struct bench_pair *pair = &r->pairs[run / 2];
	struct bench_sample *s;
	int i, variant;

	for (i = 0; i < BENCH_PLANS; i++)
		if (!strcmp(bench_plans[i].name, name))
			break;
	if (i == BENCH_PLANS || run / 2 >= r->b->rounds)
		return -1;
	variant = (run % 2 == 0) == pair->patched_first ? BENCH_PATCHED :
							  BENCH_STOCK;
	s = &pair->s[i][variant];
	s->cpu_ns = r->used.ran_ns;
	s->value = value;
	if (bench_plans[i].kind == BENCH_GOODPUT && !r->b->qemu)
		s->value = undisturbed(&bench_plans[i], value, r->used.waited_ns);
	else if (bench_plans[i].kind == BENCH_GOODPUT && r->b->icount)
		s->cpu_ns = bench_plan_units(&bench_plans[i], r->b) *
			    bench_plans[i].mtu * 8e9 / value;
	if (r->b->progress) {
		fprintf(stderr, "\r  pair %u of %lu, %s %s    ", run / 2 + 1,
			r->b->rounds, variant == BENCH_PATCHED ? "patched" : "stock",
			name);
		fflush(stderr);
	}
	r->samples++;
	return 0;
}

/* The process that is the guest: @pid has started QEMU, which has written its own. */
static pid_t guest_pid(const struct bench *b, pid_t pid)
{
	char path[700];
	FILE *f;

	if (!b->qemu)
		return pid;
	snprintf(path, sizeof(path), "%s/qemu.pid", b->dir);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%d", &pid) != 1)
		pid = -1;
	if (f)
		fclose(f);
	return pid;
}

static int mark(void *ctx, pid_t pid, const char *line)
{
	struct run *r = ctx;
	struct cpu now = cpu_of(guest_pid(r->b, pid));
	unsigned int run;
	char name[32];
	double value;

	if (now.ran_ns < 0)
		return bench_error("/proc/PID/task/TID/schedstat: not readable");
	if (sscanf(line, "@begin %u %31s", &run, name) == 2) {
		r->begin = now;
	} else if (sscanf(line, "@end %u %31s", &run, name) == 2) {
		r->used.ran_ns = now.ran_ns - r->begin.ran_ns;
		r->used.waited_ns = now.waited_ns - r->begin.waited_ns;
	} else if (sscanf(line, "@result %u %31s %lf", &run, name, &value) == 3 &&
		   value > 0) {
		return store(r, run, name, value);
	}
	return 0;
}

/**
 * bench_run() - run all pairs in one boot of the lab kernel
 * @b: what to run where; @b->dir holds modules, plans and the order
 * @pairs: patched_first given, samples filled in
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_run(const struct bench *b, struct bench_pair *pairs)
{
	struct run r = { .b = b, .pairs = pairs };
	size_t all = 2 * BENCH_PLANS * b->rounds;

	if (bench_guest(b, mark, &r))
		return -1;
	if (r.samples == all)
		return 0;
	return bench_error("%zu of %zu results are missing, see %s/console.log", all - r.samples,
			   all, b->dir);
}
