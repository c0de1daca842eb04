// SPDX-License-Identifier: GPL-2.0
/* "notes" of summary.json: what is said of a run when, and what then is not known. */
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
	  "rcc goes by round-trip times and got none of any flow: these are the figures of flows without control",
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
	if (scenario_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	if (p->traffic)
		js_add_dbl(p->traffic, "load_offered", 0.4, 5);
	return p;
}

int main(void)
{
	char name[80];
	size_t i;

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
