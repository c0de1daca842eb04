// SPDX-License-Identifier: GPL-2.0
/*
 * lab: which switch port had the longest queue of a run, and whether a run was congested at all
 * ("congested" of summary.json). If no run was, or if the times of several are equal, their
 * figures do not tell algorithms apart.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* In base round trips at its speed: as for "network" of types.csv. */
#define CONGESTED_RTTS	0.2
/* Slowdown: ideal times are exact to some ns. HPCC, which leaves 5 % of a line idle, is above. */
#define AS_ALONE	1.01

static bool of_switch(struct json_object *summary, const char *port)
{
	char *node = xasprintf("%.*s", (int)strcspn(port, "-"), port);
	bool is = js_get(js_get(summary, "switches"), node);

	free(node);
	return is;
}

/**
 * summary_longest_queue() - the port of a switch that had the longest queue
 * @summary: of a run
 * @port: receives its figures; NULL: there is none
 *
 * Return: its name, which belongs to @summary, or NULL.
 */
const char *summary_longest_queue(struct json_object *summary, struct json_object **port)
{
	struct json_object *ports = js_get(summary, "ports");
	const char *best = NULL;
	int64_t most = -1;

	*port = NULL;
	if (!ports)
		return NULL;
	json_object_object_foreach(ports, name, o) {
		if (js_int(o, "queue_peak_bytes", 0) <= most || !of_switch(summary, name))
			continue;
		most = js_int(o, "queue_peak_bytes", 0);
		best = name;
		*port = o;
	}
	return best;
}

/* Something that an algorithm could act on: marks, losses, pauses, a queue worth the name. */
static bool ports_congested(struct json_object *summary)
{
	int64_t rtt_ns = js_int(js_get(summary, "knobs"), "base_rtt", 0);
	struct json_object *ports = js_get(summary, "ports");

	if (!ports || !js_get(summary, "switches") ||
	    js_int(js_get(summary, "drops"), "total", 0) ||
	    js_int(js_get(summary, "pfc"), "pause_frames", 0))
		return true;
	json_object_object_foreach(ports, name, port) {
		double line = js_int(port, "rate_bps", 0) / 8e9 * rtt_ns;

		/* Without an algorithm that asks for marks, packets only would have been marked. */
		if (js_int(port, "ecn_marked", 0) || js_int(port, "ecn_not_ect", 0) ||
		    (of_switch(summary, name) &&
		     js_int(port, "queue_peak_bytes", 0) > CONGESTED_RTTS * line))
			return true;
	}
	return false;
}

/* Every flow was as fast as alone on an idle path. */
static bool all_as_alone(struct json_object *summary)
{
	struct json_object *flows = js_get(summary, "flows"), *max;

	max = js_get(js_get(flows, "slowdown"), "max");
	return max && json_object_get_double(max) <= AS_ALONE &&
	       js_int(flows, "completed", 0) == js_int(flows, "count", 0);
}

/**
 * results_congested() - "congested" of summary.json: was there anything to control
 * @r: results, with the figures of flows and ports, and rates.csv written
 *
 * It is true where a port marked, dropped, paused or had a queue, and where the algorithm slowed
 * a flow: some, like HPCC, do so on an idle network, and thereby differ from others. It is false
 * if none of this was and all flows were as fast as alone. Else it is null: flows of a workload
 * are not sampled, so what made them slower is not known.
 */
void results_congested(struct results *r)
{
	bool congested = r->slowed || ports_congested(r->summary);
	bool known = r->n_flows && (congested || all_as_alone(r->summary));

	json_object_object_add(r->summary, "congested",
			       known ? json_object_new_boolean(congested) : NULL);
}

/**
 * summary_idle() - had no algorithm anything to do in a run
 * @summary: of a run
 *
 * Return: true if so; false too if nothing is known, as of results without "congested".
 */
bool summary_idle(struct json_object *summary)
{
	struct json_object *o = js_get(summary, "congested");

	return json_object_is_type(o, json_type_boolean) && !json_object_get_boolean(o);
}

/* All of them, as far as the summary tells: percentiles alone may agree by chance. */
static bool same_times(struct json_object *a, struct json_object *b)
{
	struct json_object *x = js_get(js_get(a, "flows"), "fct_ns");
	struct json_object *y = js_get(js_get(b, "flows"), "fct_ns");

	return js_get(x, "min") && js_get(x, "mean") && json_object_equal(x, y) &&
	       js_int(a, "seed", 0) == js_int(b, "seed", 0);
}

static const char *name_of(struct json_object *s)
{
	return js_str(s, "label", js_str(s, "cc", "?"));
}

/* Two runs that a difference is expected of: algorithms differ, or their parameters do. */
static bool comparable(struct json_object *a, struct json_object *b)
{
	return strcmp(name_of(a), name_of(b));
}

/* "none, dcqcn": those that have the times of the first one. NULL: only that has. */
static char *alike(struct json_object **s, size_t n)
{
	char *list = xstrdup(name_of(s[0])), *more;
	size_t i, found = 0;

	for (i = 1; i < n; i++) {
		if (!comparable(s[0], s[i]) || !same_times(s[0], s[i]))
			continue;
		more = xasprintf("%s, %s", list, name_of(s[i]));
		free(list);
		list = more;
		found++;
	}
	if (found)
		return list;
	free(list);
	return NULL;
}

/**
 * summaries_idle() - do runs say nothing of their algorithms
 * @s: summaries of runs of one scenario
 * @n: how many
 *
 * Return: new sentence that says so, or NULL.
 */
char *summaries_idle(struct json_object **s, size_t n)
{
	bool idle = true, still = true, several = false;
	struct json_object *port;
	int64_t most = 0, peak;
	char *names, *text;
	size_t i;

	for (i = 0; i < n; i++) {
		several |= i && comparable(s[0], s[i]);
		idle &= summary_idle(s[i]);
		still &= !ports_congested(s[i]);
		summary_longest_queue(s[i], &port);
		peak = js_int(port, "queue_peak_bytes", 0);
		most = peak > most ? peak : most;
	}
	if (n && idle)
		return xasprintf(NOTHING_CONGESTED " (longest queue of a switch: %" PRId64
				 " bytes)", most);
	if (!several)
		return NULL;
	if (still)
		return xasprintf("no port of a switch was congested, the longest queue had %" PRId64
				 " bytes: the runs do not tell the algorithms apart", most);
	for (i = 0; i + 1 < n; i++) {
		names = alike(s + i, n - i);
		if (!names)
			continue;
		text = xasprintf("%s have the same completion times: what they do differently had no effect here",
				 names);
		free(names);
		return text;
	}
	return NULL;
}
