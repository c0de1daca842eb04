// SPDX-License-Identifier: GPL-2.0
/*
 * lab: under a workload the job asks labinit for histograms of all queues.
 */
#include "results/flow_figures.h"

/**
 * job_queue_histograms() - ask for histograms of all queues
 * @p: plan with a job; without a workload nothing is asked for
 */
void job_queue_histograms(struct plan *p)
{
	int64_t from = p->measure_from_ns, to = p->measure_to_ns;
	struct json_object *o;

	if (!p->traffic)
		return;
	if (to == INT64_MAX)
		to = p->stop_ns;
	o = json_object_new_object();
	job_add_int(o, J_HIST_FROM, from);
	job_add_int(o, J_HIST_TO, to);
	job_add(p->base, J_HIST, o);
}
