// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what a run needs of real time (packets per second, round trip), for the job file.
 * labinit measures whether it is there.
 */
#include <string.h>

#include "lab.h"
#include "scenario/wire_bytes_and_times.h"

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

static int part_of(struct plan *p, int node)
{
	return job_int(js_at(job_get(p->job, J_NODES), node), J_NODE_PART, 0);
}

/* Longer is better, then through more guests. */
static void consider(struct plan *p, int src, int dst, int *best, int pair[2])
{
	int value = 2 * wire_hops(p, src, dst) + (part_of(p, src) != part_of(p, dst));

	if (value <= *best)
		return;
	*best = value;
	pair[0] = src;
	pair[1] = dst;
}

/* The ends of the path that guests measure: of hosts that talk. */
static void add_ends(struct plan *p, struct json_object *real)
{
	struct json_object *peers = job_get(p->job, J_PEERS);
	int pair[2] = { 0, 0 }, best = 0;
	size_t i;

	for (i = 0; i < js_len(peers); i++) {
		struct json_object *o = js_at(peers, i);

		consider(p, plan_find_node(p, json_object_get_string(js_at(o, 0))),
			 plan_find_node(p, json_object_get_string(js_at(o, 1))), &best, pair);
	}
	job_add_int(real, J_REAL_LINKS, wire_hops(p, pair[0], pair[1]));
	job_add_str(real, J_REAL_SRC, p->nodes[pair[0]].name);
	job_add_str(real, J_REAL_DST, p->nodes[pair[1]].name);
}

/**
 * job_realtime() - what labinit is to hold against what it measures
 * @p: plan, whose job gets it where it applies
 * @o: options
 * @mode: of the job
 */
void job_realtime(struct plan *p, const struct run_opts *o, const char *mode)
{
	int64_t pps = needed_pps(p), mtu = (int64_t)scenario_val(p->sc, "mtu", 1024);
	struct json_object *real;

	if (!o->real || strcmp(mode, "run"))
		return;
	real = json_object_new_object();
	job_add_int(real, J_REAL_LINKS, p->max_hops > 0 ? p->max_hops : 1);
	job_add_int(real, J_REAL_PPS, pps);
	job_add_int(real, J_REAL_RATE, (pps > LEAST_PPS ? pps : LEAST_PPS) * PATH_FACTOR *
		    (mtu + ROCE_WIRE_OVERHEAD) * 8);
	job_add_int(real, J_REAL_RTT, p->base_rtt_ns);
	job_add_bool(real, J_REAL_BEYOND, o->beyond);
	if (o->qemu)
		add_ends(p, real);
	job_add(p->job, J_REAL, real);
}
