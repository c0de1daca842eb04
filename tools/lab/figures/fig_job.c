// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what labinit is told of the figures of a workload.
 */
#include "figures.h"

#define INSTANTS	1000		/* at which queues are read */
#define PORT_INSTANTS	200		/* at which each port of a switch is read, at least */
#define READS		50000		/* of all ports together, if that leaves so many */

/**
 * figures_job() - ask for histograms of all queues
 * @p: plan with a job; without a workload nothing is asked for
 */
void figures_job(struct plan *p)
{
	int64_t from = p->measure_from_ns, to = p->measure_to_ns, ports = 2LL * p->n_links;
	struct json_object *o;
	int64_t stride;

	if (!p->traffic)
		return;
	stride = (ports * INSTANTS + READS - 1) / READS;
	if (stride > INSTANTS / PORT_INSTANTS)
		stride = INSTANTS / PORT_INSTANTS;
	o = json_object_new_object();
	js_add_int(o, "from_ns", from);
	js_add_int(o, "to_ns", to == INT64_MAX ? 0 : to);
	if (to == INT64_MAX)
		to = from + p->expect_ns;
	js_add_int(o, "every_ns", to - from > INSTANTS ? (to - from) / INSTANTS : 1);
	js_add_int(o, "stride", stride ? stride : 1);
	json_object_object_add(p->job, "hist", o);
}
