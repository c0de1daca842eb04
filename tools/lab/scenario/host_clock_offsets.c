// SPDX-License-Identifier: GPL-2.0
/*
 * Offset, jitter and drift of hosts' clocks: keys clock_offset, clock_jitter and clock_drift of
 * the scenarios that have them. What a host's clock shows is what its port writes into packets
 * of in-band network telemetry (INT). All else in the lab goes by the one clock of its kernel.
 */
#include <linux/pkt_sched_roce.h>
#include <math.h>

#include "random_distributions.h"
#include "lab.h"

#define RATE_PER_PPM	(TC_ROCE_CLOCK_RATE / 1000000)

/**
 * host_clocks_differ() - are the hosts' clocks not one?
 * @p: plan with its scenario
 *
 * Return: true if so; then hosts must not be told that they are.
 */
bool host_clocks_differ(struct plan *p)
{
	return scenario_val(p->sc, "clock_offset", 0) > 0 ||
	       scenario_val(p->sc, "clock_jitter", 0) > 0 ||
	       scenario_val(p->sc, "clock_drift", 0) > 0;
}

/* The how manyth host it is. */
static int host_number(struct plan *p, int node)
{
	int i, n = 0;

	for (i = 0; i < node; i++)
		n += p->nodes[i].host;
	return n;
}

/**
 * host_clock_add() - the clock of a host's port
 * @p: plan after topology_expand()
 * @node: of the port; a switch has the true time
 * @qdisc: what labinit is told of the port
 */
void host_clock_add(struct plan *p, int node, struct json_object *qdisc)
{
	double offset = scenario_val(p->sc, "clock_offset", 0);
	double drift = scenario_val(p->sc, "clock_drift", 0) * RATE_PER_PPM;
	struct fg_rng rng;
	int host;

	if (!p->nodes[node].host || !host_clocks_differ(p))
		return;
	host = host_number(p, node);
	fg_rng_seed(&rng, p->seed, FG_STREAM_CLOCK, host);
	job_add_int(qdisc, J_PORT_CLOCK_OFFSET, (int64_t)(offset * fg_rng_unit(&rng)));
	job_add_int(qdisc, J_PORT_CLOCK_JITTER, scenario_val(p->sc, "clock_jitter", 0));
	job_add_int(qdisc, J_PORT_CLOCK_RATE,
		    TC_ROCE_CLOCK_RATE + (host % 2 ? -1 : 1) * llround(drift));
}
