// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that wait for flows in a plan: of a file and of a scenario file, how soon each may
 * start, and what is refused.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tests/ktap.h"
#include "lab.h"

static char path[] = "/tmp/lab_test.XXXXXX";
static char said[300];

static struct plan *plan_of(const char *scenario, const char *const *sets, size_t n)
{
	struct scenario *sc = scenario_load(scenario);
	struct plan *p = NULL;
	size_t k;

	for (k = 0; sc && k < n; k++)
		if (scenario_set(sc, sets[k]))
			return NULL;
	return !sc || plan_resolve(sc) || plan_build(sc, 1, &p) ? NULL : p;
}

/* What it says on stderr is in "said" then. */
static struct plan *quietly(struct plan *(*fn)(void))
{
	int old = dup(2), fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	struct plan *p;
	ssize_t n;

	dup2(fd, 2);
	p = fn();
	fflush(stderr);
	dup2(old, 2);
	n = pread(fd, said, sizeof(said) - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(fd);
	close(old);
	return p;
}

static struct plan *of_file(void)
{
	char *set = xasprintf("flows_file=%s", path);
	const char *sets[] = { "n=4", set };
	struct plan *p = plan_of("star", sets, 2);

	free(set);
	return p;
}

static struct plan *of_scenario(void)
{
	return plan_of(path, NULL, 0);
}

static void put_plan(struct plan *p)
{
	struct scenario *sc = p ? p->sc : NULL;

	if (p)
		plan_free(p);
	if (sc)
		scenario_free(sc);
}

#define HEAD "id,src,dst,bytes,start_ns"

static const struct {
	const char *rows, *said;
} refused[] = {
	{ HEAD ",behind\n", ":1: column \"behind\" is none of after, after_start" },
	{ HEAD ",after,group,after\n", ":1: column \"after\" is there twice" },
	{ HEAD ",\n", ":1: column \"\" is none" },
	{ HEAD "after\n", ":1: the heading must be " HEAD },
	{ HEAD ",after\n0,h0,h1,1,0\n", ":2: not the 6 columns of the heading" },
	{ HEAD ",after\n0,h0,h1,1,0,\n1,h0,h1,1,0,0,\n", ":3: not the 6 columns" },
	{ HEAD ",after\n0,h0,h1,1,0,\n1,h0,h1,1,0,x\n", ":3: after \"x\": not the id" },
	{ HEAD ",after_start\n0,h0,h1,1,0,\n1,h0,h1,1,0,0+\n", ":3: after_start \"\": not the id" },
	{ HEAD ",after\n0,h0,h1,1,0,\n1,h0,h1,1,0,-1\n", ":3: after \"-1\": not the id" },
	{ HEAD ",after\n0,h0,h1,1,0,\n1,h0,h1,1,0,0\n2,h0,h1,1,0,3\n",
	  ":4: after: there is no flow 3" },
	{ HEAD ",after\n0,h0,h1,1,0,0\n", ":2: after: in a circle, flow waits for itself: 0" },
	{ HEAD ",after\n0,h0,h1,1,0,\n1,h0,h1,1,0,2\n2,h0,h1,1,0,0+3\n3,h1,h0,1,0,1\n",
	  ": after: in a circle, flow waits for itself: " },
	{ HEAD ",delay_ns\n0,h0,h1,1,0,7\n", ":2: delay_ns: needs after" },
	{ HEAD ",after,delay_ns\n0,h0,h1,1,0,,\n1,h0,h1,1,0,0,1us\n", ":3: delay_ns \"1us\"" },
	{ HEAD ",after\n0,h0,h1,1,9,\n1,h0,h1,1,0,0\n2,h0,h1,1,8,\n", ":4: flow 2 starts before" },
	{ HEAD ",group\n0,h0,h1,1,0,a b\n", ":2: group \"a b\"" },
	{ HEAD ",group\n0,h0,h1,1,0,all\n", ":2: group \"all\"" },
};

static void test_refused(void)
{
	struct plan *p;
	char name[40];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		write_file(path, "%s", refused[i].rows);
		p = quietly(of_file);
		snprintf(name, sizeof(name), "refused__%zu", i);
		ktap(!p && strstr(said, refused[i].said), name, "wanted \"%s\", got \"%s\"",
		     refused[i].said, p ? "a plan" : said);
		put_plan(p);
	}
}

static int64_t earliest(struct plan *p, int flow)
{
	return plan_earliest_ns(p, flow);
}

static int64_t ideal(struct plan *p, int flow)
{
	return p->flows[flow].ideal_ns;
}

/* Each as soon as the last of what it waits for has come, if all takes its ideal time. */
static void test_file(void)
{
	struct plan *p;

	write_file(path, "%s", HEAD ",group,after,delay_ns,after_start\n"
		   "0,h0,h1,1000000,100,a,3+1,50,\n"
		   "1,h1,h2,2000,700,b,,0,\n"
		   "2,h1,h2,2000,800,,,,\n"
		   "3,h2,h3,500000,0,a,,900000,1\n"
		   "4,h2,h3,500000,9000000,a,1,,\n");
	p = quietly(of_file);
	if (!ktap(p && p->own_groups && p->n_flows == 5, "file__plan", "%s", said))
		return;
	ktap(earliest(p, 1) == 700 && earliest(p, 3) == 900700 &&
	     earliest(p, 0) == 900700 + ideal(p, 3) + 50 && earliest(p, 4) == 9000000,
	     "file__earliest", "%lld, %lld", (long long)earliest(p, 3), (long long)earliest(p, 0));
	/* The last start, by a flow that waits. */
	ktap(js_int(p->traffic, "duration_ns", 0) == 9000001, "file__duration", "%lld",
	     (long long)js_int(p->traffic, "duration_ns", 0));
	ktap(strcmp(p->groups[p->flows[0].group], "a") == 0 &&
	     strcmp(p->groups[p->flows[1].group], "b") == 0 &&
	     strcmp(p->groups[p->flows[2].group], "workload") == 0 &&
	     p->flows[3].group == p->flows[0].group, "file__groups", "%d groups", p->n_groups);
	put_plan(p);
}

#define SCENARIO_HEAD \
	"{ \"name\": \"own\", \"help\": \"x\", \"keys\": [], \"hosts\": [ { \"for\": \"2\", \"name\": \"h{i}\" } ],\n" \
	"\"switches\": [ { \"name\": \"s\" } ], \"links\": [ { \"for\": \"2\", \"a\": \"h{i}\", \"b\": \"s\" } ],\n" \
	"\"flows\": [ "

static const struct {
	const char *flows, *said;
} bad_scenarios[] = {
	{ "{ \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"9\", \"delay\": \"5\" }",
	  "flow 0: \"delay\" needs \"after\"" },
	{ "{ \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"9\", \"after\": \"x\" }", "after: " },
	{ "{ \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"9\", \"after\": \"0.5\" }",
	  "after: \"0.5\" is 0.5, no number of a flow" },
	{ "{ \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"9\", \"after\": [ \"1\" ] }",
	  "flow 0: after: there is no flow 1" },
	{ "{ \"for\": \"2\", \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"9\", \"after\": \"1-i\" }",
	  "after: in a circle" },
};

static void test_scenarios_refused(void)
{
	struct plan *p;
	char name[40];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad_scenarios); i++) {
		write_file(path, "%s%s ] }\n", SCENARIO_HEAD, bad_scenarios[i].flows);
		p = quietly(of_scenario);
		snprintf(name, sizeof(name), "scenario_refused__%zu", i);
		ktap(!p && strstr(said, bad_scenarios[i].said), name, "wanted \"%s\", got \"%s\"",
		     bad_scenarios[i].said, p ? "a plan" : said);
		put_plan(p);
	}
}

/* The first of the loop waits for none: what it names is below 0. */
static void test_scenario(void)
{
	struct json_object *flows;
	struct plan *p;

	write_file(path, "%s%s ] }\n", SCENARIO_HEAD,
		   "{ \"for\": \"3\", \"src\": \"h{i%2}\", \"dst\": \"h{1-i%2}\", \"bytes\": \"1000\", \"after\": \"i-1\" },\n"
		   "{ \"src\": \"h0\", \"dst\": \"h1\", \"bytes\": \"1000\", \"after\": [ \"0\", \"2\" ], \"after_start\": \"1\", \"delay\": \"5000\" }");
	p = quietly(of_scenario);
	if (!ktap(p && p->n_flows == 4 && p->after.n == 3, "scenario__plan", "%s", said))
		return;
	ktap(!earliest(p, 0) && earliest(p, 1) == ideal(p, 0) &&
	     earliest(p, 2) == 2 * ideal(p, 0) && earliest(p, 3) == 3 * ideal(p, 0) + 5000,
	     "scenario__earliest", "%lld", (long long)earliest(p, 3));
	ktap(p->expect_ns == 4 * ideal(p, 0) + 5000, "scenario__expected", "%lld",
	     (long long)p->expect_ns);
	flows = job_get(job_get(p->base, J_PLAN), J_PLAN_FLOWS);
	ktap(!job_get(js_at(flows, 0), J_FLOW_AFTER) &&
	     js_len(job_get(js_at(flows, 3), J_FLOW_AFTER)) == 2 &&
	     js_len(job_get(js_at(flows, 3), J_FLOW_AFTER_START)) == 1 &&
	     job_int(js_at(flows, 3), J_FLOW_DELAY, 0) == 5000, "scenario__job", "%s",
	     json_object_to_json_string(flows));
	put_plan(p);
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	test_refused();
	test_file();
	test_scenarios_refused();
	test_scenario();
	unlink(path);
	return ktap_end();
}
