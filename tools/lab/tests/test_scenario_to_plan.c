// SPDX-License-Identifier: GPL-2.0
/*
 * What a plan makes of a scenario's keys: thresholds of ports, the retransmission timeout,
 * samples of a run that is to end early, and which flows of a file are measured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tests/ktap.h"
#include "lab.h"

#define SETS	4

static struct plan *plan_of(const char *scenario, const char *const *sets)
{
	struct scenario *sc = scenario_load(scenario);
	struct plan *p = NULL;
	size_t k;

	for (k = 0; k < SETS && sets[k]; k++)
		if (scenario_set(sc, sets[k]))
			return NULL;
	return plan_resolve(sc) || plan_build(sc, 1, &p) ? NULL : p;
}

static void put_plan(struct plan *p)
{
	struct scenario *sc = p ? p->sc : NULL;

	if (p)
		plan_free(p);
	if (sc)
		scenario_free(sc);
}

/* 40 KB per 10 Gbit/s of the port's own link, and four times that, unless something is set. */
static const struct {
	const char *scenario, *sets[SETS], *port;
	int64_t kmin, kmax;
} marks[] = {
	{ "fattree320", { "workload=none" }, "e0-h0", 400000, 1600000 },
	{ "fattree320", { "workload=none" }, "e0-a0", 1600000, 6400000 },
	{ "fattree320", { "workload=none" }, "a0-c0", 1600000, 6400000 },
	{ "fattree320", { "workload=none" }, "c0-a0", 1600000, 6400000 },
	{ "dumbbell", { "core_rate=800gbit" }, "sl-sr", 3200000, 12800000 },
	{ "dumbbell", { "core_rate=10gbit" }, "sl-sr", 40000, 160000 },
	{ "dumbbell", { "rate=10gbit", "core_rate=40gbit" }, "sr-r0", 40000, 160000 },
	/* What is set is of all ports, */
	{ "dumbbell", { "core_rate=400gbit", "kmin=100000" }, "sl-sr", 100000, 400000 },
	{ "dumbbell", { "core_rate=400gbit", "kmin=100000" }, "sr-r0", 100000, 400000 },
	/* and a kmin by the rate does not pass it. */
	{ "dumbbell", { "core_rate=400gbit", "kmax=500000" }, "sl-sr", 500000, 500000 },
	{ "dumbbell", { "core_rate=400gbit", "kmax=500000" }, "sr-r0", 400000, 500000 },
	/* Links between switches have keys of their own. */
	{ "dumbbell", { "core_rate=400gbit", "core_kmin=70000" }, "sl-sr", 70000, 280000 },
	{ "dumbbell", { "core_rate=400gbit", "core_kmin=70000" }, "sr-r0", 400000, 1600000 },
	{ "leafspine", { "core_kmin=0", "core_kmax=90000" }, "l0-s0", 0, 90000 },
	{ "chain3", { "core_rate=200gbit", "core_kmax=90000" }, "s1-s2", 90000, 90000 },
	{ "fattree", { "core_kmin=1", "core_kmax=2" }, "a0-c0", 1, 2 },
	/* A scenario that says what it marks by says it of all ports. */
	{ "mix", { "core_rate=40gbit" }, "l0-s0", 22500, 22500 },
	{ "longhaul", { NULL }, "ts0-es", 160000, 640000 },
};

static void test_marks(void)
{
	const struct lab_link *l;
	char name[96];
	size_t i;
	int node;

	for (i = 0; i < ARRAY_SIZE(marks); i++) {
		struct plan *p = plan_of(marks[i].scenario, marks[i].sets);

		l = p ? plan_port(p, marks[i].port, &node) : NULL;
		snprintf(name, sizeof(name), "marks__%zu_%s_%s", i, marks[i].scenario,
			 marks[i].port);
		if (ktap(l, name, "no plan, or no port"))
			ktap(port_kmin(p, l) == marks[i].kmin && port_kmax(p, l) == marks[i].kmax,
			     name, "%lld, %lld", (long long)port_kmin(p, l),
			     (long long)port_kmax(p, l));
		put_plan(p);
	}
}

/*
 * 4.096 us times a power of two, at least twice the round trip: 67.1, 134.2 and 268.4 ms are
 * of 14, 15 and 16. Four links of 20 ms are a round trip of 80 ms.
 */
static const struct {
	const char *scenario, *sets[SETS];
	int exp;
	bool raised, below;
} timeouts[] = {
	{ "two", { NULL }, 14, false, false },
	{ "two", { "delay=8ms" }, 14, false, false },		/* 32 ms */
	{ "two", { "delay=9ms" }, 15, true, false },		/* 36 ms */
	{ "two", { "delay=20ms" }, 16, true, false },
	{ "two", { "delay=20ms", "ib_timeout=14" }, 14, false, true },
	{ "two", { "delay=20ms", "ib_timeout=0" }, 0, false, false },
	{ "longhaul", { "long_delay=40ms" }, 16, true, false },
	{ "latency", { "delay=20ms" }, 16, true, false },
};

static void test_timeouts(void)
{
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(timeouts); i++) {
		struct plan *p = plan_of(timeouts[i].scenario, timeouts[i].sets);
		int64_t got;

		snprintf(name, sizeof(name), "timeout__%zu_%s", i, timeouts[i].scenario);
		if (!ktap(p, name, "no plan"))
			continue;
		got = job_int(job_get(p->base, J_PLAN), J_PLAN_TIMEOUT, -1);
		ktap(got == timeouts[i].exp && scenario_val(p->sc, "ib_timeout", -1) == got &&
		     (p->timeout_was > 0) == timeouts[i].raised &&
		     (p->timeout_ns && p->timeout_ns < p->path_rtt_ns) == timeouts[i].below,
		     name, "%lld, %lld ns", (long long)got, (long long)p->path_rtt_ns);
		put_plan(p);
	}
}

/* As many samples in the time that there is as in any other run: 100 to 2000. */
static void test_samples(void)
{
	static const char *const sets[SETS] = { "size=900gb", "limit=200us", "depth=4" };
	struct plan *p = plan_of("two", sets);

	ktap(p && p->limit_ns == 200000 && p->sample_ns >= 100 && p->sample_ns <= 2000,
	     "samples__of_a_limit", "%lld", p ? (long long)p->sample_ns : 0);
	put_plan(p);
}

/*
 * Two flows of 1 MB over idle paths of 100 Gbit/s need more than 80 us each (the payload
 * alone) and less than 100. The load of that time is two of the four hosts' links: less than a
 * half by the time that the flows are on their way beside sending.
 */
static void test_file(void)
{
	static const struct {
		const char *name, *second, *more[2];
		int64_t from, to, min_ns, max_ns;
	} cases[] = {
		{ "at_once", "1,h2,h3,1000000,0", { NULL }, 0, INT64_MAX, 80000, 100000 },
		{ "one_later", "1,h2,h3,1000000,20000", { NULL }, 0, INT64_MAX, 80000, 100000 },
		{ "spread", "1,h2,h3,1000000,5000000", { NULL }, 0, INT64_MAX, 5000001, 5000001 },
		{ "warmup", "1,h2,h3,1000000,5000000", { "warmup=1ms" }, 1000000, INT64_MAX,
		  5000001, 5000001 },
		{ "cooldown", "1,h2,h3,1000000,5000000", { "warmup=1ms", "cooldown=1ms" }, 1000000,
		  4000001, 5000001, 5000001 },
	};
	char path[] = "/tmp/lab_test.XXXXXX", *set;
	int fd = mkstemp(path);
	char name[80];
	size_t i;

	close(fd);
	set = xasprintf("flows_file=%s", path);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *sets[SETS] = { "n=4", set, cases[i].more[0], cases[i].more[1] };
		struct plan *p;
		int64_t ns;

		write_file(path, "id,src,dst,bytes,start_ns\n0,h0,h1,1000000,0\n%s\n",
			   cases[i].second);
		p = plan_of("star", sets);
		snprintf(name, sizeof(name), "file__%s", cases[i].name);
		if (!ktap(p && p->traffic, name, "no plan"))
			continue;
		ns = js_int(p->traffic, "duration_ns", 0);
		ktap(p->measure_from_ns == cases[i].from && p->measure_to_ns == cases[i].to &&
		     ns >= cases[i].min_ns && ns <= cases[i].max_ns, name, "%lld to %lld of %lld",
		     (long long)p->measure_from_ns, (long long)p->measure_to_ns, (long long)ns);
		/* 2 * 1 MB over 4 links of 12.5 GB/s; headers are 8 % and 16 bytes a message. */
		ktap(js_dbl(p->traffic, "load_offered", 9) >= 40000. / ns * 1.08 &&
		     js_dbl(p->traffic, "load_offered", 9) <= 40000. / ns * 1.09, name, "load %g",
		     js_dbl(p->traffic, "load_offered", 9));
		put_plan(p);
	}
	unlink(path);
	free(set);
}

int main(void)
{
	test_marks();
	test_timeouts();
	test_samples();
	test_file();
	return ktap_end();
}
