// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what labinit is told of the figures of a workload.
 */
#include "figures/figures.h"

/**
 * figures_job() - ask for histograms of all queues
 * @p: plan with a job; without a workload nothing is asked for
 */
void figures_job(struct plan *p)
{
	int64_t from = p->measure_from_ns, to = p->measure_to_ns;
	struct json_object *o;

	if (!p->traffic)
		return;
	o = json_object_new_object();
	js_add_int(o, "from_ns", from);
	js_add_int(o, "to_ns", to == INT64_MAX ? 0 : to);
	json_object_object_add(p->job, "hist", o);
}
