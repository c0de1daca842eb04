// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "iofd" of summary.json: what the switches' ports have deflected, and what became
 * of packets' order.
 */
#include "results/results.h"

static const char *const counts[] = {
	"flows", "packets", "bytes", "taken", "full", "no_port", "lost_port", "escaped",
	"no_escape", "failed",
};

/**
 * results_iofd() - "iofd", when it was on
 * @r: results
 *
 * "entries_peak" is the largest of any switch, the rest adds up.
 */
void results_iofd(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports"), *o;
	int64_t sum[ARRAY_SIZE(counts)] = {}, peak = 0;
	size_t i;

	if (!feature_mode(r->plan, &iofd_feature) || !ports)
		return;
	json_object_object_foreach(ports, name, port) {
		struct json_object *m = js_get(port, "iofd");

		(void)name;
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			sum[i] += js_int(m, counts[i], 0);
		if (js_int(m, "entries_peak", 0) > peak)
			peak = js_int(m, "entries_peak", 0);
	}
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		js_add_int(o, counts[i], sum[i]);
	js_add_int(o, "entries_peak", peak);
	json_object_object_add(r->summary, "iofd", o);
}
