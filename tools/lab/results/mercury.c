// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "mercury" of summary.json: what the switches' ports have told senders, and how
 * often they took a queue for a victim's.
 */
#include "results/results.h"

static const char *const counts[] = {
	"cnps", "damped", "failed", "no_place", "entered", "congested", "spared", "flows_left",
};

/**
 * results_mercury() - "mercury", when it was on
 * @r: results
 *
 * "flows_peak" is the largest of any port, the rest adds up.
 *
 * Return: flows that the ports still had in the end, which is an error.
 */
int64_t results_mercury(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports"), *o;
	int64_t sum[ARRAY_SIZE(counts)] = {}, peak = 0;
	size_t i;

	if (!feature_mode(r->plan, &mercury_feature) || !ports)
		return 0;
	json_object_object_foreach(ports, name, port) {
		struct json_object *m = js_get(port, "mercury");

		(void)name;
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			sum[i] += js_int(m, counts[i], 0);
		if (js_int(m, "flows_peak", 0) > peak)
			peak = js_int(m, "flows_peak", 0);
	}
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		js_add_int(o, counts[i], sum[i]);
	js_add_int(o, "flows_peak", peak);
	json_object_object_add(r->summary, "mercury", o);
	return js_int(o, "flows_left", 0);
}
