// SPDX-License-Identifier: GPL-2.0
/* lab report: what changed in a run, from "timeline" of its summary.json. */
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

static int cmp_event(const void *pa, const void *pb)
{
	const struct rpt_event *a = pa, *b = pb;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/**
 * rpt_events() - what changed in a run
 * @run: the run
 * @events: by time, to be freed; their texts are the run's
 *
 * Return: how many.
 */
size_t rpt_events(const struct rpt_run *run, struct rpt_event **events)
{
	struct json_object *list = js_path(run->summary, "timeline.events");
	size_t i, n = 0;

	*events = xreallocarray(NULL, js_len(list) + 1, sizeof(**events));
	for (i = 0; i < js_len(list); i++) {
		struct rpt_event e = {
			.at_ns = rpt_json_double(js_at(list, i), "at_ns"),
			.what = js_str(js_at(list, i), "what", NULL),
		};

		if (e.what && !isnan(e.at_ns))
			(*events)[n++] = e;
	}
	if (n)
		qsort(*events, n, sizeof(**events), cmp_event);
	return n;
}
