// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what a run needs of real time; labinit measures whether it is there.
 */
#include <stdlib.h>

#include "lab.h"
#include "scenario/wire.h"

/*
 * The path that is measured is so much faster than what is needed. The limit is at twice,
 * and what is measured is the machine then, not the path.
 */
#define PATH_FACTOR	4
/* Of runs without flows: ping-pongs. */
#define LEAST_PPS	1000

/**
 * plan_data_packets() - packets that the flows need if none is lost
 * @p: plan
 * @bytes: receives their bytes
 *
 * READ responses and WRITEs alike.
 *
 * Return: how many.
 */
int64_t plan_data_packets(const struct plan *p, int64_t *bytes)
{
	int64_t mtu = (int64_t)scenario_val(p->sc, "mtu", 1024), n = 0;
	int i;

	*bytes = 0;
	for (i = 0; i < p->n_flows; i++) {
		*bytes += p->flows[i].bytes;
		n += (p->flows[i].bytes + mtu - 1) / mtu;
	}
	return n;
}

/* In the time that the network alone would take: one CPU carries all of them. */
static int64_t needed_pps(const struct plan *p)
{
	int64_t bytes, n = plan_data_packets(p, &bytes);

	return p->expect_ns > 0 ? (double)n * NSEC_PER_SEC / p->expect_ns : 0;
}

/**
 * job_real() - what labinit is to hold against what it measures
 * @p: plan, whose job gets it, or loses it where it does not apply
 * @o: options
 * @mode: of the job
 *
 * Guests of the QEMU backend have but a part of a path each; they are not measured.
 */
void job_real(struct plan *p, const struct run_opts *o, const char *mode)
{
	int64_t pps = needed_pps(p), mtu = (int64_t)scenario_val(p->sc, "mtu", 1024);
	struct json_object *real;

	job_del(p->job, J_REAL);
	if (!o->real || o->qemu || strcmp(mode, "run"))
		return;
	real = json_object_new_object();
	job_add_int(real, J_REAL_LINKS, p->max_hops > 0 ? p->max_hops : 1);
	job_add_int(real, J_REAL_PPS, pps);
	job_add_int(real, J_REAL_RATE, (pps > LEAST_PPS ? pps : LEAST_PPS) * PATH_FACTOR *
		    (mtu + ROCE_WIRE_OVERHEAD) * 8);
	job_add_int(real, J_REAL_RTT, p->base_rtt_ns);
	job_add_bool(real, J_REAL_BEYOND, o->beyond);
	job_add(p->job, J_REAL, real);
}
