// SPDX-License-Identifier: GPL-2.0
/*
 * summary.json from flows, ports and samples that are made up so that no two
 * figures agree, and the report's figures from such a file: a field filled
 * from its neighbour shows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "results/results.h"

/* By path in the summary; a number of -1 stands for null. */
struct field {
	const char *path;
	double want;
};

static void check_fields(const char *what, struct json_object *o, const struct field *f, size_t n)
{
	struct json_object *v;
	char name[96];
	double got;

	for (; n; n--, f++) {
		v = js_path(o, f->path);
		got = v ? json_object_get_double(v) : -1;
		snprintf(name, sizeof(name), "%s__%s", what, f->path);
		ktap(fabs(got - f->want) < 0.000000001, name, "got %.10g, wanted %.10g", got,
		     f->want);
	}
}

/*
 * Flow i = 1 .. 200 has i^2 us and an ideal of a quarter of that, but for the first
 * three. The 201st is stopped, the 202nd did not end.
 */
#define FLOWS	202

static struct plan plan;
static struct lab_flow flows[FLOWS];
static struct flow_result result[FLOWS];
static struct series series[FLOWS];

static void make_flows(struct results *r)
{
	int i;

	memset(r, 0, sizeof(*r));
	plan.flows = flows;
	plan.n_flows = FLOWS;
	plan.sample_ns = 1000;
	for (i = 0; i < FLOWS; i++) {
		int sq = (i + 1) * (i + 1);

		result[i] = (struct flow_result){ .id = i, .bytes = 1000 + i, .start_ns = 100 * i,
						  .fct_ns = sq * 1000, .done = i < 200,
						  .stopped = i == 200 };
		flows[i].ideal_ns = sq * 250;
	}
	flows[0].ideal_ns = 100;	/* slowdown 10 */
	flows[1].ideal_ns = 500;	/* 8 */
	flows[2].ideal_ns = 3000;	/* 3, the smallest; all others have 4 */
	r->plan = &plan;
	r->flows = result;
	r->n_flows = FLOWS;
	r->series = series;
	r->first_ns = 1000;
	r->last_ns = 1601000;
	r->summary = json_object_new_object();
}

static void test_flows(void)
{
	static const struct field want[] = {
		{ "flows.count", 202 },
		{ "flows.completed", 200 },
		{ "flows.stopped", 1 },
		{ "flows.bytes", 222301 },		/* 202 * 1000 + 201 * 202 / 2 */
		{ "flows.fct_ns.min", 1000 },
		{ "flows.fct_ns.mean", 13433500 },	/* 201 * 401 / 6 */
		{ "flows.fct_ns.p50", 10000000 },
		{ "flows.fct_ns.p95", 36100000 },	/* the 190th */
		{ "flows.fct_ns.p99", 39204000 },
		{ "flows.fct_ns.max", 40000000 },
		{ "flows.slowdown.mean", 4.045 },	/* (10 + 8 + 3 + 197 * 4) / 200 */
		{ "flows.slowdown.p50", 4 },
		{ "flows.slowdown.p95", 4 },
		{ "flows.slowdown.p99", 4 },
		{ "flows.slowdown.max", 10 },
		{ "goodput_bps", 1111505000 },	/* 222301 bytes in 1.6 ms */
		{ "jain", -1 },				/* not all completed */
	};
	struct results r;
	int i;

	make_flows(&r);
	results_flow_stats(&r);
	check_fields("summary", r.summary, want, ARRAY_SIZE(want));
	json_object_put(r.summary);

	make_flows(&r);
	r.n_flows = 0;
	r.last_ns = r.first_ns;
	results_flow_stats(&r);
	ktap(js_int(js_get(r.summary, "flows"), "count", 1) == 0 &&
	     js_int(r.summary, "goodput_bps", 1) == 0 &&
	     !js_path(r.summary, "flows.fct_ns") && !js_path(r.summary, "flows.slowdown") &&
	     strstr(json_object_to_json_string(r.summary), "\"fct_ns\": null"),
	     "summary__no_flows", "%s", json_object_to_json_string(r.summary));
	json_object_put(r.summary);

	/* Flows that were there and did not end: what they moved is known, no time is. */
	make_flows(&r);
	for (i = 0; i < FLOWS; i++)
		result[i].done = false;
	results_flow_stats(&r);
	ktap(js_int(js_get(r.summary, "flows"), "completed", 1) == 0 &&
	     js_int(r.summary, "goodput_bps", 0) == 1111505000 &&
	     !js_path(r.summary, "flows.fct_ns") && !js_path(r.summary, "flows.slowdown"),
	     "summary__none_completed", "%s", json_object_to_json_string(r.summary));
	json_object_put(r.summary);
}

/* The i-th smallest is 1 + i / 100. */
static void test_slowdowns(void)
{
	static const struct field want[] = {
		{ "flows.slowdown.mean", 2.005 }, { "flows.slowdown.p50", 2 },
		{ "flows.slowdown.p95", 2.9 }, { "flows.slowdown.p99", 2.98 },
		{ "flows.slowdown.max", 3 },
	};
	struct results r;
	int i;

	make_flows(&r);
	r.n_flows = 200;
	for (i = 0; i < 200; i++) {
		result[i].fct_ns = 100 + (i * 7 % 200 + 1);
		flows[i].ideal_ns = 100;
	}
	results_flow_stats(&r);
	check_fields("slowdown", r.summary, want, ARRAY_SIZE(want));
	ktap(!strcmp(json_object_to_json_string(js_path(r.summary, "flows.slowdown")),
		     "{ \"mean\": 2.0050, \"p50\": 2.0000, \"p95\": 2.9000,"
		     " \"p99\": 2.9800, \"max\": 3.0000 }"),
	     "slowdown__digits", "%s",
	     json_object_to_json_string(js_path(r.summary, "flows.slowdown")));
	ktap(!js_path(r.summary, "flows.stopped"), "summary__none_stopped", "there");
	json_object_put(r.summary);
}

/* Two flows of 3 and 1 bytes a ns: (3 + 1)^2 / (2 (9 + 1)) = 0.8. */
static void test_jain(void)
{
	static int64_t t[] = { 10000 }, fast[] = { 30000 }, slow[] = { 10000 };
	struct results r;
	bool valid;
	double got;

	make_flows(&r);
	r.n_flows = 2;
	r.n_series = 2;
	result[0].start_ns = 0;
	result[1].start_ns = 0;
	result[0].fct_ns = 10000;
	result[1].fct_ns = 10000;
	series[0] = (struct series){ .t_ns = t, .bytes = fast, .n = 1 };
	series[1] = (struct series){ .t_ns = t, .bytes = slow, .n = 1 };
	got = results_jain(&r, &valid);
	ktap(valid && fabs(got - 0.8) < 0.000000001, "jain__3_to_1", "%g", got);
	result[1].start_ns = 9000;
	results_jain(&r, &valid);
	ktap(!valid, "jain__hardly_together", "valid");
	result[1].start_ns = 0;
	result[1].done = false;
	results_jain(&r, &valid);
	ktap(!valid, "jain__one_did_not_end", "valid");
	r.n_flows = 1;
	results_jain(&r, &valid);
	ktap(!valid, "jain__one_flow", "valid");
	json_object_put(r.summary);
}

/* Between points a line, before the first one from the flow's start. */
static void test_series(void)
{
	static int64_t t[] = { 200, 400 }, bytes[] = { 1000, 5000 };
	static const struct {
		int64_t t;
		double want;
	} points[] = {
		{ 50, 0 }, { 100, 0 }, { 150, 500 }, { 200, 1000 }, { 250, 2000 }, { 400, 5000 },
		{ 500, 5000 },
	};
	const struct series s = { .t_ns = t, .bytes = bytes, .n = 2 };
	size_t i, hint;
	char name[80];

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		hint = 0;
		snprintf(name, sizeof(name), "series_at__%d", (int)points[i].t);
		ktap(series_at(&s, 100, points[i].t, &hint) == points[i].want, name, "%g",
		     series_at(&s, 100, points[i].t, &hint));
	}
}

static const char totals[] =
"{ \"ports\": { \"sw-h1\": { \"rate_bps\": 100, \"busy_ns\": 1200000, \"prio\": ["
" { \"tx_packets\": 3, \"tx_wire_bytes\": 5, \"kib_us\": 700, \"queue_peak_bytes\": 1100, \"ecn_marked\": 13,"
"   \"drops\": { \"limit\": 1, \"port_limit\": 2, \"buffer\": 4, \"headroom\": 8 } },"
" { \"tx_packets\": 17, \"tx_wire_bytes\": 19, \"kib_us\": 2300, \"queue_peak_bytes\": 2900, \"ecn_marked\": 31,"
"   \"drops\": { \"watchdog\": 16, \"not_ect\": 32, \"feature\": 64, \"other\": 128, \"buffer\": 256 } } ] },"
" \"sw-h0\": { \"busy_ns\": 9, \"prio\": [] } } }";

/*
 * The queue of sw-h1 over 1.6 ms in samples of 1 us: by queues.csv 100 bytes from
 * 1 ms on and 300 for the last 32 us, of which 21 us have 700 beside them in another
 * priority. So half is 0, 98 % is at most 100, and more than 1 % is 1000.
 */
static void test_queue(void)
{
	static const struct field want[] = {
		{ "bottleneck.utilization", 0.75 },
		{ "bottleneck.queue_bytes.mean", 1920 },	/* 3000 KiB us in 1600 us */
		{ "bottleneck.queue_bytes.p50", 0 },
		{ "bottleneck.queue_bytes.p99", 1000 },
		{ "bottleneck.queue_bytes.max", 2900 },
		{ "bottleneck.ecn_marked", 44 },
		{ "bottleneck.drops", 511 },
	};
	static const struct field drops[] = {
		{ "total", 511 }, { "limit", 1 }, { "port_limit", 2 }, { "buffer", 260 },
		{ "headroom", 8 }, { "watchdog", 16 }, { "not_ect", 32 }, { "feature", 64 },
		{ "other", 128 },
	};
	char dir[] = "/tmp/lab_test.XXXXXX", *path;
	struct json_object *o;
	struct results r;

	make_flows(&r);
	r.totals = json_tokener_parse(totals);
	r.dir = mkdtemp(dir);
	path = xasprintf("%s/queues.csv", r.dir);
	write_file(path, "t_ns,port,prio,bytes,ecn_marked\n0,sw-h1,3,0,0\n0,sw-h0,3,999,0\n"
		   "1000000,sw-h1,3,100,0\n1569000,sw-h1,3,300,0\n1580000,sw-h1,6,700,0\n");
	plan.base = json_tokener_parse("{ \"watch\": [ [ \"sw\", \"h1\" ] ] }");
	plan.bottleneck[0] = -1;
	results_queue_stats(&r);
	ktap(!strcmp(js_str(js_get(r.summary, "bottleneck"), "port", ""), "sw-h1"),
	     "bottleneck__busiest_port", "%s", js_str(js_get(r.summary, "bottleneck"), "port", ""));
	check_fields("queue", r.summary, want, ARRAY_SIZE(want));
	o = port_drops_json(js_path(r.totals, "ports.sw-h1"));
	check_fields("drops", o, drops, ARRAY_SIZE(drops));
	json_object_put(o);
	rm_rf(dir);
	free(path);
	json_object_put(plan.base);
	plan.base = NULL;
	json_object_put(r.totals);
	json_object_put(r.summary);
}

/* 0.6 ms of it: two flows of 1 and 0.25 bytes a ns, (1 + 0.25)^2 / (2 (1 + 0.0625)). */
static void test_window(void)
{
	static const struct field want[] = {
		{ "window.from_ns", 1000000 }, { "window.to_ns", 1600000 },
		{ "window.jain", 25.0 / 34 },
		{ "window.ports.sw-h1.utilization", 0.5 },
		{ "window.ports.sw-h1.tx_packets", 20 },
		{ "window.ports.sw-h1.tx_wire_bytes", 24 },
		{ "window.ports.sw-h1.queue_bytes.mean", 5120 },
		{ "window.ports.sw-h1.queue_bytes.p50", -1 },	/* not sampled */
	};
	static int64_t t[] = { 2000000 }, fast[] = { 2000000 }, slow[] = { 500000 };
	struct json_object *list;
	struct results r;

	make_flows(&r);
	r.dir = "/dev";
	r.n_flows = 2;
	r.n_series = 2;
	result[0].start_ns = 0;
	result[1].start_ns = 0;
	series[0] = (struct series){ .t_ns = t, .bytes = fast, .n = 1 };
	series[1] = (struct series){ .t_ns = t, .bytes = slow, .n = 1 };
	r.totals = json_tokener_parse("{ \"window\": { \"from_ns\": 1000000, \"to_ns\": 1600000,"
		" \"ports\": { \"sw-h1\": { \"busy_ns\": 300000, \"prio\": ["
		" { \"tx_packets\": 3, \"tx_wire_bytes\": 5, \"kib_us\": 700 },"
		" { \"tx_packets\": 17, \"tx_wire_bytes\": 19, \"kib_us\": 2300 } ] } } } }");
	results_window(&r);
	check_fields("window", r.summary, want, ARRAY_SIZE(want));
	list = js_path(r.summary, "window.goodput_bps");
	ktap(js_len(list) == 2 &&
	     json_object_get_int64(json_object_array_get_idx(list, 0)) == 8000000000LL &&
	     json_object_get_int64(json_object_array_get_idx(list, 1)) == 2000000000LL,
	     "window__goodput_bps", "%s", json_object_to_json_string(list));
	json_object_put(r.totals);
	json_object_put(r.summary);
}

static void test_latency(void)
{
	static const struct field want[] = {
		{ "latency.bytes", 64 }, { "latency.iterations", 1001 },
		{ "latency.completed", 999 }, { "latency.model_ns", 4193 },
		{ "latency.rtt_ns.p50", 4200 }, { "latency.rtt_ns.p99", 4300 },
	};
	struct results r;

	make_flows(&r);
	plan.latency_model_ns = 4193;
	r.latency = json_tokener_parse("{ \"probes\": [ { \"bytes\": 64, \"iterations\": 1001,"
		" \"completed\": 999, \"rtt_ns\": { \"p50\": 4200, \"p99\": 4300 } } ] }");
	results_latency(&r);
	check_fields("latency", r.summary, want, ARRAY_SIZE(want));
	json_object_put(r.latency);
	json_object_put(r.summary);
	make_flows(&r);
	r.latency = json_tokener_parse("{ \"probes\": [] }");
	results_latency(&r);
	ktap(!js_get(r.summary, "latency"), "latency__no_probes", "there");
	json_object_put(r.latency);
	json_object_put(r.summary);
}

int main(void)
{
	test_flows();
	test_slowdowns();
	test_jain();
	test_series();
	test_queue();
	test_window();
	test_latency();
	return ktap_end();
}
