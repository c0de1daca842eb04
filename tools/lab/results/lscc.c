// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "lscc" of summary.json: what the ports at long links have told each other and
 * senders.
 */
#include "results/results.h"

static const char *const counts[] = {
	"sent", "unsent", "heard", "refused", "late", "expired", "cnps", "damped", "failed",
	"cleared", "uncleared", "marked", "no_place", "ints", "taken", "untaken",
};

/**
 * results_lscc() - "lscc", when it was on
 * @r: results
 *
 * "queue_peak_bytes" is the longest pseudo queue of any port, the rest adds up.
 */
void results_lscc(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports"), *o;
	int64_t sum[ARRAY_SIZE(counts)] = {}, peak = 0;
	size_t i;

	if (!feature_mode(r->plan, &lscc_feature) || !ports)
		return;
	json_object_object_foreach(ports, name, port) {
		struct json_object *l = js_get(port, "lscc");

		(void)name;
		for (i = 0; i < ARRAY_SIZE(counts); i++)
			sum[i] += js_int(l, counts[i], 0);
		if (js_int(l, "queue_peak_bytes", 0) > peak)
			peak = js_int(l, "queue_peak_bytes", 0);
	}
	o = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		js_add_int(o, counts[i], sum[i]);
	js_add_int(o, "queue_peak_bytes", peak);
	json_object_object_add(r->summary, "lscc", o);
}
