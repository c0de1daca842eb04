// SPDX-License-Identifier: GPL-2.0
/* Test of "notes" of summary.json: what is said of a run when, and what then is not known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "results/results.h"

/*
 * A scenario with its keys, what labinit and flowgen tell and what is in the summary by
 * then; and the notes, with bars between.
 */
static const struct {
	const char *name, *scenario;
	const char *sets[3];
	const char *totals, *gen, *summary, *notes;
} cases[] = {
	{ .name = "nothing", .scenario = "incast", .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "real_clock", .scenario = "incast", .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': {} }",
	  .notes = "real clock: base_rtt is measured by the hosts, not given" },
	{ .name = "receivers_count", .scenario = "incast",
	  .totals = "{ 'counters': { 'rx_left': 1 } }", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "receivers still count messages or senders in flight: that is an error of the kernel's",
	},
	{ .name = "no_telemetry", .scenario = "incast",
	  .totals = "{ 'needs': 8, 'flows_seen': 3 }", .gen = "{}",
	  .summary = "{ 'cc': 'hpcc', 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "hpcc goes by telemetry and got none: these are the figures of flows without control" },
	{ .name = "telemetry_came", .scenario = "incast",
	  .totals = "{ 'needs': 8, 'flows_seen': 3, 'counters': { 'cc_tel_used': 1 } }",
	  .gen = "{}", .summary = "{ 'cc': 'hpcc', 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "no_flow_was_seen", .scenario = "incast", .totals = "{ 'needs': 8 }",
	  .gen = "{}", .summary = "{ 'cc': 'hpcc', 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "rcc_at_the_sender", .scenario = "incast",
	  .totals = "{ 'needs': 8, 'flows_seen': 3, 'flows_by_int': 0 }",
	  .gen = "{}", .summary = "{ 'cc': 'rcc', 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "rcc_at_the_sender_without_round_trips", .scenario = "incast",
	  .totals = "{ 'needs': 8, 'flows_seen': 3, 'flows_by_int': 0, 'flows_without_rtt': 3 }",
	  .gen = "{}", .summary = "{ 'cc': 'rcc', 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "rcc goes by round-trip times as it is set and got none of any flow: nothing but what receivers tell controls them",
	},
	{ .name = "rcc_at_the_receiver", .scenario = "incast",
	  .totals = "{ 'needs': 8, 'flows_seen': 3, 'flows_by_int': 3, 'params': { 'side': '0' } }",
	  .gen = "{}", .summary = "{ 'cc': 'rcc', 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "rcc goes by telemetry and got none: these are the figures of flows without control" },
	{ .name = "no_round_trips", .scenario = "incast",
	  .totals = "{ 'needs': 2, 'flows_seen': 3, 'flows_without_rtt': 3 }", .gen = "{}",
	  .summary = "{ 'cc': 'timely', 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "timely goes by round-trip times and got none of any flow: these are the figures of flows without control",
	},
	{ .name = "round_trips_of_one", .scenario = "incast",
	  .totals = "{ 'needs': 2, 'flows_seen': 3, 'flows_without_rtt': 2 }", .gen = "{}",
	  .summary = "{ 'cc': 'timely', 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "feedback_refused", .scenario = "incast",
	  .totals = "{ 'counters': { 'report_bad_psn': 383, 'report_received': 17,"
		    " 'rp_cnp_forged': 4, 'rp_cnp_handled': 6 } }",
	  .gen = "{}", .summary = "{ 'cc': 'rcc', 'knobs': { 'base_rtt': 5 } }",
	  .notes =
	  "387 of 410 CNPs and reports were refused, because senders take the packets that they name for no longer under way (rp_cnp_forged 4, report_bad_psn 383): these are the figures of flows with less control",
	},
	{ .name = "feedback_late", .scenario = "incast",
	  .totals = "{ 'counters': { 'report_bad_psn': 5, 'report_received': 95 } }",
	  .gen = "{}", .summary = "{ 'cc': 'rcc', 'knobs': { 'base_rtt': 5 } }", .notes = "" },
	{ .name = "unreliable", .scenario = "incast", .sets = { "transport=uc" },
	  .totals = "{ 'drained_ns': 5 }", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'flows': { 'slowdown': {} }, 'jain': 1,"
		     " 'goodput_bps': 3, 'drops': { 'total': 0 } }",
	  .notes =
	  "uc: completions, and with them FCT and rates.csv, are when packets leave the host; slowdown and Jain index are not known",
	},
	{ .name = "unreliable_and_lost", .scenario = "incast", .sets = { "transport=uc" },
	  .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'flows': { 'slowdown': {} }, 'jain': 1,"
		     " 'goodput_bps': 3, 'drops': { 'total': 7 } }",
	  .notes =
	  "uc: completions, and with them FCT and rates.csv, are when packets leave the host; slowdown and Jain index are not known"
	  "|uc: the network was not empty at the end"
	  "|uc: 7 packets were lost, of how many messages is not known, so goodput is not either",
	},
	{ .name = "lookahead_of_no_use", .scenario = "incast", .sets = { "lookahead=1us" },
	  .totals = "{}", .gen = "{}",
	  .summary = "{ 'cc': 'dcqcn', 'knobs': { 'base_rtt': 5 } }",
	  .notes = "dcqcn takes no look-ahead: lookahead has changed nothing" },
	{ .name = "lookahead_refused", .scenario = "incast", .sets = { "lookahead=1us" },
	  .totals = "{}",
	  .gen = "{ 'notices': 5, 'notices_refused': 2, 'notice_error': 'too late' }",
	  .summary = "{ 'cc': 'dart', 'knobs': { 'base_rtt': 5 } }",
	  .notes = "2 of 7 look-ahead notices were refused, the first: too late" },
	{ .name = "not_all_measured", .scenario = "star",
	  .sets = { "n=4", "workload=hadoop", "flows=20" }, .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'measured': { 'flows': 9, 'completed': 7 } }",
	  .notes =
	  "2 of 9 measured flows did not complete: completion times and slowdowns are those of the others|load 0.5 was asked for, the flows drawn offer 0.4000: there are few of them",
	},
	{ .name = "none_measured", .scenario = "star",
	  .sets = { "n=4", "workload=hadoop", "flows=20" }, .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'measured': { 'flows': 0 } }",
	  .notes =
	  "no flow starts in the time that is measured|load 0.5 was asked for, the flows drawn offer 0.4000: there are few of them",
	},
	{ .name = "timeout_raised", .scenario = "two", .sets = { "delay=20ms" }, .totals = "{}",
	  .gen = "{}", .summary = "{ 'knobs': { 'base_rtt': 5 } }",
	  .notes = "ib_timeout=16, 268.4 ms, in place of 14: the base round trip is 80 ms" },
	{ .name = "timeout_too_short", .scenario = "two", .sets = { "delay=20ms", "ib_timeout=14" },
	  .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'timeouts': 3, 'retransmits': 40 }",
	  .notes =
	  "the retransmission timeout, 67.11 ms (ib_timeout=14), is below the base round trip of 80 ms: what was sent is sent again before it can be acknowledged",
	},
	{ .name = "sent_twice", .scenario = "incast", .totals = "{}", .gen = "{}",
	  .summary = "{ 'cc': 'dcqcn', 'knobs': { 'base_rtt': 5 }, 'timeouts': 3, 'retransmits': 40 }",
	  .notes =
	  "40 packets were sent again and none was lost: acknowledgments took longer than the retransmission timeout, 67.11 ms (ib_timeout=14); the base round trip is 0.004191 ms",
	},
	{ .name = "sent_twice_uncounted", .scenario = "incast", .totals = "{}", .gen = "{}",
	  .summary = "{ 'cc': 'none', 'knobs': { 'base_rtt': 5 }, 'retransmits': 40 }",
	  .notes =
	  "40 packets were sent again and none was lost: acknowledgments took longer than the retransmission timeout, 67.11 ms (ib_timeout=14); the base round trip is 0.004191 ms",
	},
	{ .name = "sent_again_because_lost", .scenario = "incast", .totals = "{}", .gen = "{}",
	  .summary = "{ 'cc': 'none', 'knobs': { 'base_rtt': 5 }, 'timeouts': 3, 'retransmits': 40,"
		     " 'drops': { 'total': 1 } }", .notes = "" },
	{ .name = "own_flows_beside_incasts", .scenario = "star",
	  .sets = { "n=8", "incast_degree=2", "load=0.4" }, .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'measured': { 'flows': 9, 'completed': 9 } }",
	  .notes =
	  "the scenario's own 8 flows, 8388608 bytes, run besides: load_offered does not count them, load_carried does",
	},
	{ .name = "queue_elsewhere", .scenario = "star", .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'switches': { 'sw': 1 }, 'ports': {"
		     " 'sw-h1': { 'queue_peak_bytes': 100 }, 'sw-h2': { 'queue_peak_bytes': 201,"
		     " 'ecn_marked': 7 }, 'h3-sw': { 'queue_peak_bytes': 900 } },"
		     " 'bottleneck': { 'port': 'sw-h1', 'queue_bytes': { 'max': 100 } } }",
	  .notes =
	  "the longest queue was that of port sw-h2, 201 bytes with 7 marks; \"bottleneck\" is sw-h1, which was sending longest",
	},
	{ .name = "queue_about_there", .scenario = "star", .totals = "{}", .gen = "{}",
	  .summary = "{ 'knobs': { 'base_rtt': 5 }, 'switches': { 'sw': 1 }, 'ports': {"
		     " 'sw-h2': { 'queue_peak_bytes': 200 } },"
		     " 'bottleneck': { 'port': 'sw-h1', 'queue_bytes': { 'max': 100 } } }",
	  .notes = "" },
	{ .name = "queue_elsewhere_was_asked_for", .scenario = "incast", .totals = "{}",
	  .gen = "{}", .summary = "{ 'knobs': { 'base_rtt': 5 }, 'switches': { 'sw': 1 },"
		     " 'ports': { 'sw-s1': { 'queue_peak_bytes': 900 } },"
		     " 'bottleneck': { 'port': 'sw-r', 'queue_bytes': { 'max': 100 } } }",
	  .notes = "" },
};

static struct json_object *parse(const char *text)
{
	char *copy = xstrdup(text), *c;
	struct json_object *o;

	for (c = copy; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	o = json_tokener_parse(copy);
	free(copy);
	return o;
}

/* Note by note. */
static bool same(struct json_object *notes, const char *want)
{
	char *copy = xstrdup(want), *rest = *copy ? copy : NULL, *one;
	bool ok = true;
	size_t i;

	for (i = 0; (one = strsep(&rest, "|")) && ok; i++) {
		const char *got = json_object_get_string(js_at(notes, i));

		ok = got && !strcmp(got, one);
	}
	ok = ok && i == js_len(notes);
	free(copy);
	return ok;
}

static struct plan *plan_of(size_t i)
{
	struct scenario *sc = scenario_load(cases[i].scenario);
	struct plan *p = NULL;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(cases[i].sets) && cases[i].sets[k]; k++)
		if (scenario_set(sc, cases[i].sets[k]))
			return NULL;
	if (plan_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	if (p->traffic)
		js_add_dbl(p->traffic, "load_offered", 0.4, 5);
	return p;
}

/*
 * Runs of several algorithms: no queue of a switch above 0.2 base round trips, which are
 * 12 500 bytes at 100 Gbit/s and 5 us; or figures that are the same. What a host's port holds
 * is no congestion.
 */
#define RUN(cc, queue, more, p50) "{ " TAIL(cc, queue, more, p50)
#define TAIL(cc, queue, more, p50)							\
	"'label': '" cc "', 'seed': 1, 'knobs': { 'base_rtt': 5000 }, 'switches': { 'sw': {} },"	\
	"  'flows': { 'fct_ns': { 'min': 1, 'mean': 2, 'p50': " p50 " } }, 'ports': {"	\
	"    'sw-r': { 'rate_bps': 100000000000, 'queue_peak_bytes': " queue " " more " },"	\
	"    'r-sw': { 'rate_bps': 100000000000, 'queue_peak_bytes': 99999 } } }"

#define STILL(cc, queue, congested)							\
	"{ 'congested': " congested ", " TAIL(cc, queue, "", "1")

#define IDLE "no port of a switch was congested, the longest queue had 12500 bytes: the runs do not tell the algorithms apart"

#define NOTHING(queue) NOTHING_CONGESTED " (longest queue of a switch: " queue " bytes)"

static void test_idle(void)
{
	static const struct {
		const char *name, *run[3], *want;
	} runs[] = {
		{ "idle", { RUN("none", "12500", "", "1"), RUN("hpcc", "7", "", "2") }, IDLE },
		{ "one_run", { RUN("none", "12500", "", "1") }, NULL },
		{ "one_run_and_nothing", { STILL("none", "7", "false") }, NOTHING("7") },
		{ "nothing", { STILL("none", "7", "false"), STILL("hpcc", "9", "false") },
		  NOTHING("9") },
		{ "one_slowed_itself", { STILL("none", "7", "false"), STILL("hpcc", "9", "true") },
		  "no port of a switch was congested, the longest queue had 9 bytes: the runs do not tell the algorithms apart",
		},
		{ "one_is_not_known", { STILL("none", "7", "null") }, NULL },
		{ "one_algorithm", { RUN("none", "12500", "", "1"), RUN("none", "7", "", "2") },
		  NULL },
		{ "a_queue", { RUN("none", "12501", "", "1"), RUN("hpcc", "7", "", "2") }, NULL },
		{ "a_mark", { RUN("none", "7", "", "1"),
			      RUN("hpcc", "7", ", 'ecn_marked': 1", "2") },
		  NULL },
		{ "alike", { RUN("none", "99999", "", "1"), RUN("hpcc", "99999", "", "2"),
			     RUN("dcqcn", "99999", "", "1") },
		  "none, dcqcn have the same completion times: what they do differently had no effect here",
		},
		{ "alike_later", { RUN("none", "99999", "", "1"), RUN("hpcc", "99999", "", "2"),
				   RUN("rcc", "99999", "", "2") },
		  "hpcc, rcc have the same completion times: what they do differently had no effect here",
		},
	};
	char name[80], *got;
	size_t i, k, n;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		struct json_object *s[3];

		for (n = 0; n < ARRAY_SIZE(s) && runs[i].run[n]; n++)
			s[n] = parse(runs[i].run[n]);
		got = summaries_idle(s, n);
		snprintf(name, sizeof(name), "idle__%s", runs[i].name);
		ktap(runs[i].want ? got && !strcmp(got, runs[i].want) : !got, name, "%s",
		     got ? got : "nothing");
		free(got);
		for (k = 0; k < n; k++)
			json_object_put(s[k]);
	}
}

/*
 * "congested": one kind of signal each in a run that has else none of them. The queue that is
 * still none is 0.2 base round trips of 5 us at 100 Gbit/s.
 */
#define QUIET(switch_port, host_port, more)						\
	"{ 'knobs': { 'base_rtt': 5000 }, 'switches': { 'sw': {} },"				\
	"  'flows': { 'count': 2, 'completed': 2, 'slowdown': { 'max': 1.01 } }, 'ports': {"	\
	"    'sw-r': { 'rate_bps': 100000000000, " switch_port " },"			\
	"    'r-sw': { 'rate_bps': 100000000000, " host_port " } } " more "}"
#define NO_QUEUE "'queue_peak_bytes': 12500"

static void test_congested(void)
{
	static const struct {
		const char *name, *summary, *want;
		bool slowed, no_flows;
	} runs[] = {
		{ .name = "nothing", .summary = QUIET(NO_QUEUE, NO_QUEUE, ""), .want = "false" },
		{ .name = "a_queue", .summary = QUIET("'queue_peak_bytes': 12501", NO_QUEUE, ""),
		  .want = "true" },
		{ .name = "a_queue_of_a_host",
		  .summary = QUIET(NO_QUEUE, "'queue_peak_bytes': 99999", ""),
		  .want = "false" },
		{ .name = "a_mark", .summary = QUIET("'ecn_marked': 1", NO_QUEUE, ""),
		  .want = "true" },
		{ .name = "a_mark_of_a_host", .summary = QUIET(NO_QUEUE, "'ecn_marked': 1", ""),
		  .want = "true" },
		{ .name = "a_drop",
		  .summary = QUIET(NO_QUEUE, NO_QUEUE, ", 'drops': { 'total': 1 }"),
		  .want = "true" },
		{ .name = "a_pause",
		  .summary = QUIET(NO_QUEUE, NO_QUEUE, ", 'pfc': { 'pause_frames': 1 }"),
		  .want = "true" },
		{ .name = "a_packet_to_be_marked",
		  .summary = QUIET("'ecn_not_ect': 1", NO_QUEUE, ""),
		  .want = "true" },
		{ .name = "rate_or_window_fell", .summary = QUIET(NO_QUEUE, NO_QUEUE, ""),
		  .want = "true", .slowed = true },
		{ .name = "slower_than_alone", .summary = QUIET(NO_QUEUE, NO_QUEUE,
			", 'flows': { 'count': 2, 'completed': 2, 'slowdown': { 'max': 1.0101 } }"),
		  .want = "null" },
		{ .name = "not_complete", .summary = QUIET(NO_QUEUE, NO_QUEUE,
			", 'flows': { 'count': 2, 'completed': 1, 'slowdown': { 'max': 1 } }"),
		  .want = "null" },
		{ .name = "slowdown_not_known", .summary = QUIET(NO_QUEUE, NO_QUEUE,
			", 'flows': { 'count': 2, 'completed': 2, 'slowdown': null }"),
		  .want = "null" },
		{ .name = "no_flows", .summary = QUIET(NO_QUEUE, NO_QUEUE, ""),
		  .want = "null", .no_flows = true },
	};
	const char *got;
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		struct results r = { .summary = parse(runs[i].summary), .slowed = runs[i].slowed,
				     .n_flows = runs[i].no_flows ? 0 : 2 };

		snprintf(name, sizeof(name), "congested__%s", runs[i].name);
		results_congested(&r);
		got = json_object_to_json_string(js_get(r.summary, "congested"));
		ktap(json_object_object_get_ex(r.summary, "congested", NULL) &&
		     !strcmp(got, runs[i].want), name, "got %s", got);
		json_object_put(r.summary);
	}
}

/* Rows of two flows of scenario "two", both from 0 on, at 100 Gbit/s: was one of them slowed? */
static void test_slowed(void)
{
	static const struct {
		const char *name, *rows;
		bool want;
	} cases[] = {
		{ "none", "10,0,100000000000,,0,0,0,0\n20,0,100000000000,,5,0,0,0\n", false },
		{ "rate_fell", "10,0,100000000000,,0,0,0,0\n20,0,99999999999,,0,0,0,0\n", true },
		{ "before_the_first_sample", "10,0,99999999999,,0,0,0,0\n", true },
		{ "before_the_flow", "-10,0,99999999999,7,0,0,0,0\n", false },
		{ "of_the_second_flow", "10,0,100000000000,,0,0,0,0\n10,1,100000000000,,0,0,0,0\n"
		  "20,0,100000000000,,0,0,0,0\n20,1,5,,0,0,0,0\n", true },
		{ "window_grew",
		  "10,0,100000000000,52387,0,0,0,0\n20,0,100000000000,52388,0,0,0,0\n", false },
		{ "window_fell",
		  "10,0,100000000000,52387,0,0,0,0\n20,0,100000000000,52386,0,0,0,0\n", true },
		{ "window_came", "10,0,100000000000,,0,0,0,0\n20,0,100000000000,52387,0,0,0,0\n",
		  true },
		{ "window_went", "10,0,100000000000,9,0,0,0,0\n"
		  "20,0,100000000000,,0,0,0,0\n", false },
	};
	struct flow_result flows[2] = { { .id = 0, .bytes = 1000, .fct_ns = 100 },
					{ .id = 1, .bytes = 1000, .fct_ns = 100 } };
	struct scenario *sc = scenario_load("two");
	char name[80], dir[] = "/tmp/lab_test.XXXXXX";
	struct series series[2] = {};
	struct plan *p = NULL;
	char *path;
	size_t i;
	int rc;

	if (!ktap(!scenario_set(sc, "qps=2") && !plan_resolve(sc) && !plan_build(sc, 1, &p) &&
		  mkdtemp(dir), "slowed", "no plan"))
		return;
	path = xasprintf("%s/cc.csv", dir);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results r = { .plan = p, .raw = dir, .dir = dir, .flows = flows,
				     .n_flows = 2, .series = series, .n_series = 2 };

		snprintf(name, sizeof(name), "slowed__%s", cases[i].name);
		rc = write_file(path, "t_ns,flow,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes,tx_packets,tx_bytes\n%s",
				cases[i].rows) || results_write_rates(&r);
		ktap(!rc && r.slowed == cases[i].want, name, "status %d, %d", rc, r.slowed);
	}
	free(path);
	rm_rf(dir);
	plan_free(p);
	scenario_free(sc);
}

int main(void)
{
	char name[80];
	size_t i;

	test_idle();
	test_congested();
	test_slowed();

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct results r = {
			.plan = plan_of(i), .totals = parse(cases[i].totals),
			.gen = parse(cases[i].gen), .summary = parse(cases[i].summary),
		};
		struct scenario *sc;

		snprintf(name, sizeof(name), "notes__%s", cases[i].name);
		if (!ktap(r.plan && r.totals && r.gen && r.summary, name, "no plan"))
			continue;
		sc = r.plan->sc;
		results_notes(&r);
		ktap(same(js_get(r.summary, "notes"), cases[i].notes), name, "got %s",
		     json_object_to_json_string(js_get(r.summary, "notes")));
		if (results_unreliable(&r))
			ktap(!js_get(js_get(r.summary, "flows"), "slowdown") &&
			     !js_get(r.summary, "jain") &&
			     !js_get(r.summary, "goodput_bps") == !!strstr(cases[i].notes, "lost"),
			     name, "%s", json_object_to_json_string(r.summary));
		if (js_int(r.gen, "notices", -1) >= 0)
			ktap(js_int(js_get(r.summary, "lookahead"), "notices", 0) == 5 &&
			     js_int(js_get(r.summary, "lookahead"), "refused", 0) == 2, name,
			     "%s", json_object_to_json_string(r.summary));
		json_object_put(r.totals);
		json_object_put(r.gen);
		json_object_put(r.summary);
		plan_free(r.plan);
		scenario_free(sc);
	}
	return ktap_end();
}
