// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: the figures of summary.json that the tables have, and their medians over the
 * seeds.
 */
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

const struct rpt_metric rpt_metrics[RPT_M_NR] = {
	[RPT_M_GOODPUT] = { "goodput_bps", "goodput_bps", { "goodput", "" },
		RPT_BPS, false, "payload delivered per second, all flows" },
	[RPT_M_UTIL] = { "bottleneck.utilization", "utilization",
		{ "util", "" }, RPT_PERCENT, false,
		"wire bytes through the bottleneck over its capacity" },
	[RPT_M_FCT_P50] = { "flows.fct_ns.p50", "fct_p50_ns", { "FCT", "p50" },
		RPT_NS, false, "flow completion time, median flow" },
	[RPT_M_FCT_P99] = { "flows.fct_ns.p99", "fct_p99_ns", { "FCT", "p99" },
		RPT_NS, false, "flow completion time, 99th percentile" },
	[RPT_M_SLOW_P50] = { "flows.slowdown.p50", "slowdown_p50",
		{ "slowdown", "p50" }, RPT_PLAIN, false,
		"completion time over that on an idle path, median flow" },
	[RPT_M_SLOW_P99] = { "flows.slowdown.p99", "slowdown_p99",
		{ "slowdown", "p99" }, RPT_PLAIN, false,
		"the same, 99th percentile" },
	[RPT_M_Q_MEAN] = { "bottleneck.queue_bytes.mean", "queue_mean_bytes",
		{ "queue", "mean" }, RPT_BYTES, false,
		"bottleneck queue, mean over time, wire bytes" },
	[RPT_M_Q_P99] = { "bottleneck.queue_bytes.p99", "queue_p99_bytes",
		{ "queue", "p99" }, RPT_BYTES, false,
		"bottleneck queue, 99th percentile over time" },
	[RPT_M_Q_MAX] = { "bottleneck.queue_bytes.max", "queue_max_bytes",
		{ "queue", "peak" }, RPT_BYTES, false,
		"bottleneck queue, largest" },
	[RPT_M_MARKS] = { "bottleneck.ecn_marked", "ecn_marked",
		{ "marks", "" }, RPT_COUNT, false,
		"packets the bottleneck marked CE" },
	[RPT_M_DROPS] = { "bottleneck.drops", "drops", { "drops", "bottleneck" },
		RPT_COUNT, false, "packets the bottleneck dropped" },
	[RPT_M_CNP] = { "cnp.handled", "cnp_handled", { "CNPs", "handled" }, RPT_COUNT,
		false, "congestion notification packets that senders took account of" },
	[RPT_M_JAIN] = { "jain", "jain", { "Jain", "" }, RPT_PLAIN, false,
		"fairness of goodput while all flows are active, 1 is equal" },
	[RPT_M_FCT_MEAN] = { "flows.fct_ns.mean", "fct_mean_ns", { NULL, NULL },
		RPT_NS, true, "flow completion time, mean" },
	[RPT_M_MEASURED] = { "measured.flows", "measured_flows",
		{ "flows", "measured" }, RPT_COUNT, true,
		"flows that start in the time that is measured" },
	[RPT_M_OFFERED] = { "measured.load_offered", "load_offered",
		{ "load", "offered" }, RPT_PERCENT, true,
		"what the measured flows bring, of what load 1 brings"
		" (links of the hosts, or core)" },
	[RPT_M_CARRIED] = { "measured.load_carried", "load_carried",
		{ "load", "carried" }, RPT_PERCENT, true,
		"what all flows moved in the measured time, of the same" },
	[RPT_M_ALL_P50] = { "measured.slowdown.p50", "measured_slowdown_p50",
		{ "measured", "p50" }, RPT_PLAIN, true,
		"slowdown of the measured flows, median" },
	[RPT_M_ALL_P99] = { "measured.slowdown.p99", "measured_slowdown_p99",
		{ "measured", "p99" }, RPT_PLAIN, true,
		"slowdown of the measured flows, 99th percentile" },
	[RPT_M_SHORT_P99] = { "measured.short.p99", "short_slowdown_p99",
		{ "short", "p99" }, RPT_PLAIN, true,
		"the same of flows up to 10000 bytes" },
	[RPT_M_LONG_P99] = { "measured.long.p99", "long_slowdown_p99",
		{ "long", "p99" }, RPT_PLAIN, true,
		"the same of flows above 1000000 bytes" },
	[RPT_M_RTT_P50] = { "latency.rtt_ns.p50", "rtt_p50_ns",
		{ "RTT", "p50" }, RPT_NS, true, "round trip, median" },
	[RPT_M_RTT_P99] = { "latency.rtt_ns.p99", "rtt_p99_ns",
		{ "RTT", "p99" }, RPT_NS, true,
		"round trip, 99th percentile" },
	[RPT_M_RTT_MAX] = { "latency.rtt_ns.max", "rtt_max_ns",
		{ "RTT", "max" }, RPT_NS, true, "round trip, longest" },
	[RPT_M_RTT_MODEL] = { "latency.model_ns", "rtt_model_ns",
		{ "RTT", "model" }, RPT_NS, true,
		"delays and serialisation added up" },
	[RPT_M_RETRANS] = { "retransmits", "retransmits", { "retrans", "" },
		RPT_COUNT, true, "packets sent again" },
	[RPT_M_TIMEOUTS] = { "timeouts", "timeouts", { "time-", "outs" },
		RPT_COUNT, true, "retransmission timer expiries" },
	[RPT_M_PAUSES] = { "pfc.pause_frames", "pause_frames",
		{ "PFC", "pauses" }, RPT_COUNT, true,
		"PFC pauses sent, refreshes included" },
	[RPT_M_PAUSE_NS] = { "pfc.pause_ns", "pause_ns", { "pause", "time" },
		RPT_NS, true,
		"time that ports were paused, summed over ports and priorities" },
	[RPT_M_PAUSE_RATIO] = { "pfc.pause_ratio", "pause_ratio",
		{ "pause", "ratio" }, RPT_PERCENT, true,
		"share of the time that ports with data were paused, mean over them" },
	[RPT_M_STORMS] = { "pfc.storms", "pfc_storms", { "PFC", "storms" },
		RPT_COUNT, true, "pauses that outlasted the watchdog" },
	[RPT_M_HEADROOM_USED] = { "pfc.headroom_peak_bytes",
		"headroom_peak_bytes", { "headroom", "peak" }, RPT_BYTES,
		true, "most of its headroom that an ingress port used" },
	[RPT_M_HEADROOM] = { "pfc.headroom_bytes", "headroom_bytes",
		{ "headroom", "size" }, RPT_BYTES, true,
		"largest headroom of an ingress port, computed or as set" },
	[RPT_M_HEADROOM_RATIO] = { "pfc.headroom_ratio", "headroom_ratio",
		{ "headroom", "used" }, RPT_PERCENT, true,
		"highest peak over size of one port" },
	[RPT_M_DROPS_ALL] = { "drops.total", "drops_total",
		{ "drops", "all ports" }, RPT_COUNT, true,
		"packets dropped by all ports, hosts included" },
	[RPT_M_DROPS_LIMIT] = { "drops.limit", "drops_limit",
		{ "drops", "limit" }, RPT_COUNT, true,
		"thereof over the limit of a priority" },
	[RPT_M_DROPS_PORT] = { "drops.port_limit", "drops_port_limit",
		{ "drops", "port" }, RPT_COUNT, true,
		"thereof over the limit of a port" },
	[RPT_M_DROPS_BUFFER] = { "drops.buffer", "drops_buffer",
		{ "drops", "buffer" }, RPT_COUNT, true,
		"thereof lossy packets over their share of the buffer" },
	[RPT_M_DROPS_HEADROOM] = { "drops.headroom", "drops_headroom",
		{ "drops", "headroom" }, RPT_COUNT, true,
		"thereof lossless packets over the headroom" },
	[RPT_M_DROPS_WATCHDOG] = { "drops.watchdog", "drops_watchdog",
		{ "drops", "watchdog" }, RPT_COUNT, true,
		"thereof lost in a pause storm" },
	[RPT_M_DROPS_NOT_ECT] = { "drops.not_ect", "drops_not_ect",
		{ "drops", "not ECT" }, RPT_COUNT, true,
		"thereof to be marked, but not capable of ECN" },
	[RPT_M_DROPS_FEATURE] = { "drops.feature", "drops_feature",
		{ "drops", "feature" }, RPT_COUNT, true,
		"thereof refused by a feature of a switch port" },
	[RPT_M_DROPS_OTHER] = { "drops.other", "drops_other",
		{ "drops", "other" }, RPT_COUNT, true,
		"thereof for other reasons" },
	[RPT_M_COMPLETED] = { "flows.completed", "completed", { NULL, NULL },
		RPT_COUNT, false, "flows completed" },
	[RPT_M_FLOWS] = { "flows.count", "flows", { NULL, NULL }, RPT_COUNT,
		false, "flows started" },
	[RPT_M_ERRORS] = { "errors", "errors", { "errors", "" }, RPT_COUNT,
		true, "failed work requests and kernel warnings" },
};

/**
 * rpt_aggregate() - one figure over the seeds
 * @a: the algorithm
 * @m: the figure
 *
 * Return: median, extremes and the number of runs that have it.
 */
struct stats_spread rpt_aggregate(const struct rpt_algo *a, enum rpt_metric_id m)
{
	double *v = xreallocarray(NULL, a->nr_runs + 1, sizeof(*v));
	struct stats_spread g;
	size_t i, n = 0;

	for (i = 0; i < a->nr_runs; i++)
		if (!isnan(a->runs[i].m[m]))
			v[n++] = a->runs[i].m[m];
	g = stats_spread_of(v, n);
	free(v);
	return g;
}

#define INTERVAL_SEEDS 3	/* of two seeds it is 13 times as wide as they are apart */

/**
 * rpt_interval() - the 95 % confidence interval of a mean, as pictures show it
 * @g: a figure over the seeds
 *
 * Return: from where to where, not below 0; NAN where there are too few seeds.
 */
struct rpt_interval rpt_interval(const struct stats_spread *g)
{
	if (g->n < INTERVAL_SEEDS)
		return (struct rpt_interval){ NAN, NAN };
	return (struct rpt_interval){ fmax(g->mean - g->ci95, 0), g->mean + g->ci95 };
}
