// SPDX-License-Identifier: GPL-2.0
/*
 * Test of what the report reads: every figure from its own member of summary.json, and medians
 * over the seeds. A file of numbers that all differ is written for each seed, and each figure
 * must be the one at its path.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/tests/ktap.h"
#include "report/report.h"

/* Paths and keys once more, so that a change of the table has to be meant. */
static const struct {
	enum rpt_metric_id id;
	const char *path, *key;
	enum rpt_unit unit;
} metrics[] = {
	{ RPT_M_GOODPUT, "goodput_bps", "goodput_bps", RPT_BPS },
	{ RPT_M_UTIL, "bottleneck.utilization", "utilization", RPT_PERCENT },
	{ RPT_M_FCT_P50, "flows.fct_ns.p50", "fct_p50_ns", RPT_NS },
	{ RPT_M_FCT_P99, "flows.fct_ns.p99", "fct_p99_ns", RPT_NS },
	{ RPT_M_FCT_MEAN, "flows.fct_ns.mean", "fct_mean_ns", RPT_NS },
	{ RPT_M_SLOW_P50, "flows.slowdown.p50", "slowdown_p50", RPT_PLAIN },
	{ RPT_M_SLOW_P99, "flows.slowdown.p99", "slowdown_p99", RPT_PLAIN },
	{ RPT_M_Q_MEAN, "bottleneck.queue_bytes.mean", "queue_mean_bytes", RPT_BYTES },
	{ RPT_M_Q_P99, "bottleneck.queue_bytes.p99", "queue_p99_bytes", RPT_BYTES },
	{ RPT_M_Q_MAX, "bottleneck.queue_bytes.max", "queue_max_bytes", RPT_BYTES },
	{ RPT_M_MARKS, "bottleneck.ecn_marked", "ecn_marked", RPT_COUNT },
	{ RPT_M_DROPS, "bottleneck.drops", "drops", RPT_COUNT },
	{ RPT_M_CNP, "cnp.handled", "cnp_handled", RPT_COUNT },
	{ RPT_M_JAIN, "jain", "jain", RPT_PLAIN },
	{ RPT_M_MEASURED, "measured.flows", "measured_flows", RPT_COUNT },
	{ RPT_M_OFFERED, "measured.load_offered", "load_offered", RPT_PERCENT },
	{ RPT_M_CARRIED, "measured.load_carried", "load_carried", RPT_PERCENT },
	{ RPT_M_ALL_P50, "measured.slowdown.p50", "measured_slowdown_p50", RPT_PLAIN },
	{ RPT_M_ALL_P99, "measured.slowdown.p99", "measured_slowdown_p99", RPT_PLAIN },
	{ RPT_M_SHORT_P99, "measured.short.p99", "short_slowdown_p99", RPT_PLAIN },
	{ RPT_M_LONG_P99, "measured.long.p99", "long_slowdown_p99", RPT_PLAIN },
	{ RPT_M_RTT_P50, "latency.rtt_ns.p50", "rtt_p50_ns", RPT_NS },
	{ RPT_M_RTT_P99, "latency.rtt_ns.p99", "rtt_p99_ns", RPT_NS },
	{ RPT_M_RTT_MAX, "latency.rtt_ns.max", "rtt_max_ns", RPT_NS },
	{ RPT_M_RTT_MODEL, "latency.model_ns", "rtt_model_ns", RPT_NS },
	{ RPT_M_RETRANS, "retransmits", "retransmits", RPT_COUNT },
	{ RPT_M_TIMEOUTS, "timeouts", "timeouts", RPT_COUNT },
	{ RPT_M_PAUSES, "pfc.pause_frames", "pause_frames", RPT_COUNT },
	{ RPT_M_PAUSE_NS, "pfc.pause_ns", "pause_ns", RPT_NS },
	{ RPT_M_PAUSE_RATIO, "pfc.pause_ratio", "pause_ratio", RPT_PERCENT },
	{ RPT_M_STORMS, "pfc.storms", "pfc_storms", RPT_COUNT },
	{ RPT_M_HEADROOM_USED, "pfc.headroom_peak_bytes", "headroom_peak_bytes", RPT_BYTES },
	{ RPT_M_HEADROOM, "pfc.headroom_bytes", "headroom_bytes", RPT_BYTES },
	{ RPT_M_HEADROOM_RATIO, "pfc.headroom_ratio", "headroom_ratio", RPT_PERCENT },
	{ RPT_M_DROPS_ALL, "drops.total", "drops_total", RPT_COUNT },
	{ RPT_M_DROPS_LIMIT, "drops.limit", "drops_limit", RPT_COUNT },
	{ RPT_M_DROPS_PORT, "drops.port_limit", "drops_port_limit", RPT_COUNT },
	{ RPT_M_DROPS_BUFFER, "drops.buffer", "drops_buffer", RPT_COUNT },
	{ RPT_M_DROPS_HEADROOM, "drops.headroom", "drops_headroom", RPT_COUNT },
	{ RPT_M_DROPS_WATCHDOG, "drops.watchdog", "drops_watchdog", RPT_COUNT },
	{ RPT_M_DROPS_NOT_ECT, "drops.not_ect", "drops_not_ect", RPT_COUNT },
	{ RPT_M_DROPS_FEATURE, "drops.feature", "drops_feature", RPT_COUNT },
	{ RPT_M_DROPS_OTHER, "drops.other", "drops_other", RPT_COUNT },
	{ RPT_M_COMPLETED, "flows.completed", "completed", RPT_COUNT },
	{ RPT_M_FLOWS, "flows.count", "flows", RPT_COUNT },
	{ RPT_M_ERRORS, "errors", "errors", RPT_COUNT },
};

/* Sets member @path of @o, making the objects above it. */
static void put(struct json_object *o, const char *path, double val)
{
	const char *dot = strchr(path, '.');
	struct json_object *sub;
	char key[64];

	if (!dot) {
		json_object_object_add(o, path, json_object_new_double(val));
		return;
	}
	snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
	sub = js_get(o, key);
	if (!sub) {
		sub = json_object_new_object();
		json_object_object_add(o, key, sub);
	}
	put(sub, dot + 1, val);
}

/* Figure i of seed s; over the seeds neither the mean nor the first is the median. */
static double figure(size_t i, int seed)
{
	static const int of_seed[] = { 0, 7000, 1000, 90000, 2000 };

	return 11 + (double)i + of_seed[seed];
}

static void write_seed(const char *dir, int seed)
{
	char *sub = xasprintf("%s/two/none/seed%d", dir, seed), *path;
	struct json_object *o = json_object_new_object();
	size_t i;

	js_add_str(o, "scenario", "two");
	js_add_str(o, "cc", "none");
	for (i = 0; i < ARRAY_SIZE(metrics); i++)
		put(o, metrics[i].path, figure(i, seed));
	mkdir_p(sub);
	path = xasprintf("%s/summary.json", sub);
	js_save(o, path);
	free(path);
	path = xasprintf("%s/run.json", sub);
	write_file(path, "{}\n");
	json_object_put(o);
	free(path);
	free(sub);
}

static void test_table(void)
{
	bool seen[RPT_M_NR] = {};
	size_t i, n = 0;
	char name[80];

	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		const struct rpt_metric *m = &rpt_metrics[metrics[i].id];

		n += !seen[metrics[i].id];
		seen[metrics[i].id] = true;
		snprintf(name, sizeof(name), "rpt_metrics__%s", metrics[i].key);
		ktap(!strcmp(m->path, metrics[i].path) && !strcmp(m->key, metrics[i].key) &&
		     m->unit == metrics[i].unit, name, "%s, %s", m->path, m->key);
	}
	ktap(n == RPT_M_NR, "rpt_metrics__all_are_here", "%zu of %d", n, RPT_M_NR);
}

static void test_runs(const char *dir, int seeds)
{
	struct rpt r = { .dir = dir };
	struct stats_spread g;
	double median;
	char name[80];
	size_t i;

	write_seed(dir, seeds);
	if (!ktap(rpt_scan(&r) == seeds && r.nr_scen == 1 && r.scen[0].nr_algos == 1, "rpt_scan",
		  "%zu scenarios", r.nr_scen))
		return;
	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		g = rpt_aggregate(&r.scen[0].algos[0], metrics[i].id);
		/* of 7000; 1000, 7000; 1000, 7000, 90000; 1000, 2000, 7000, 90000 */
		median = (seeds == 2 ? 4000 : seeds == 4 ? 4500 : 7000) + 11 + (double)i;
		snprintf(name, sizeof(name), "rpt_aggregate__%d_%s", seeds, metrics[i].key);
		ktap(g.n == (size_t)seeds && g.median == median &&
		     g.min == figure(i, seeds > 1 ? 2 : 1) && g.max == figure(i, seeds > 2 ? 3 : 1),
		     name, "median %g, wanted %g, min %g, max %g, n %zu", g.median, median, g.min,
		     g.max, g.n);
	}
	rpt_free(&r);
}

int main(void)
{
	char dir[] = "/tmp/lab_test.XXXXXX";
	int seeds;

	if (!mkdtemp(dir))
		return 1;
	test_table();
	for (seeds = 1; seeds <= 4; seeds++)
		test_runs(dir, seeds);
	rm_rf(dir);
	return ktap_end();
}
