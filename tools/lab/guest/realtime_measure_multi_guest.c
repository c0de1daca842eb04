// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: what real time is worth in several guests, measured before a run in them.
 *
 * As in realtime_measure.c, but the network is the run's, as each link between guests is there but
 * once: the same nodes, and links without its queues. A host sends on the
 * longest path of the run, ping-pongs and then one flow; every guest measures its timers.
 * The coordinator says the same words as for the run. Afterwards the devices of the links
 * are where they were, and the run's own ports have counted nothing yet.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guest/flowgen_coordination.h"
#include "guest/rdma_devices_and_cc.h"
#include "guest/realtime_measure.h"
#include "lib/csv.h"

#define PROBE		"probe"
#define PINGS		50
/* Ping-pongs of 30 ms are over by then. */
#define FLOW_START_NS	(3 * NSEC_PER_SEC / 2)
/* From the start. A path that has not carried its packets by then is not fit for anything. */
#define LIMIT_NS	(30 * NSEC_PER_SEC)
#define STOP_NS		(5 * NSEC_PER_SEC)
#define POLL_MS		100

/*
 * Chunks on the way at once; an emulated processor takes 0.2 to 0.5 ms for a packet, and a packet
 * is sent again after 1 s.
 */
#define DEPTH		4
#define TIMEOUT		18

/* The flow takes 1/4 s on a path that carries just as much as a run may need. */
#define LEAST_PACKETS	200
#define MOST_PACKETS	20000

#define COLS_MAX	16

struct realtime_guest {
	struct json_object *job, *need, *net;
	struct topo topo;
	struct flowgen flowgen;
	struct proc gen;
	const char *out;
	int64_t packets;
	struct realtime_capability *w;
};

/*
 * Nodes and who talks to whom are the run's. Addresses of ports are too: they go by the order
 * of nodes and links.
 */
static struct json_object *new_network(struct realtime_guest *r)
{
	struct json_object *net = json_object_new_object(), *links = NULL;
	size_t i;

	json_object_deep_copy(job_get(r->job, J_LINKS), &links, NULL);
	for (i = 0; i < js_len(links); i++) {
		job_add(js_at(links, i), J_LINK_A_QDISC, realtime_port(r->need));
		job_add(js_at(links, i), J_LINK_B_QDISC, realtime_port(r->need));
	}
	job_add(net, J_NODES, json_object_get(job_get(r->job, J_NODES)));
	job_add(net, J_PEERS, json_object_get(job_get(r->job, J_PEERS)));
	job_add(net, J_LINKS, links);
	job_add_int(net, J_NETDEV_MTU, job_int(r->job, J_NETDEV_MTU, 9000));
	return net;
}

/* One flow behind ping-pongs. */
static struct json_object *new_plan(struct realtime_guest *r)
{
	struct json_object *run = job_get(r->job, J_PLAN), *plan;
	int64_t mtu = job_int(run, J_PLAN_MTU, 1024);

	plan = realtime_plan(run, job_str(r->need, J_REAL_SRC, ""),
			     job_str(r->need, J_REAL_DST, ""), PINGS, r->packets * mtu,
			     FLOW_START_NS);
	job_add_int(plan, J_PLAN_DEPTH, DEPTH);
	job_add_int(plan, J_PLAN_TIMEOUT, TIMEOUT);
	return plan;
}

static int set_up(struct realtime_guest *r)
{
	if (topo_build(&r->topo, r->net) || route_build(&r->topo, r->net) ||
	    rdma_hosts_add(&r->topo))
		return -1;
	flowgen_init(&r->flowgen, &r->topo);
	return 0;
}

static int get_ready(struct realtime_guest *r)
{
	struct json_object *plan;
	int rc = 0;

	if (r->flowgen.gen) {
		plan = new_plan(r);
		rc = flowgen_start(r->job, plan, &r->flowgen, &r->topo, PROBE, &r->gen);
		json_object_put(plan);
	}
	return rc || flowgen_connect(&r->flowgen) ? -1 : 0;
}

/* It writes what it has. */
static void give_up(struct realtime_guest *r)
{
	kill(r->gen.pid, SIGTERM);
	close(r->flowgen.ready_fd);
	r->flowgen.ready_fd = -1;
	r->flowgen.done = true;
	mark("done");
}

static int until_stopped(struct realtime_guest *r, int64_t limit_ns)
{
	struct flowgen *fg = &r->flowgen;

	while (!fg->stopped) {
		struct pollfd pfd[] = {
			{ .fd = control_fd(), .events = POLLIN },
			{ .fd = fg->ready_fd, .events = POLLIN },
		};

		poll(pfd, ARRAY_SIZE(pfd), POLL_MS);
		if (flowgen_poll(fg))
			return -1;
		if (fg->gen && fg->ready_fd < 0 && !fg->done)
			return fail("real time: flowgen ended before its traffic");
		if (fg->ready_fd >= 0 && now_ns(CLOCK_MONOTONIC) > limit_ns)
			give_up(r);
	}
	return 0;
}

static int traffic(struct realtime_guest *r)
{
	int64_t t0_ns;

	if (flowgen_wait_go(&r->flowgen, &t0_ns) || flowgen_start_traffic(&r->flowgen, t0_ns) ||
	    until_stopped(r, t0_ns + LIMIT_NS))
		return -1;
	if (r->flowgen.gen && sys_wait(&r->gen, STOP_NS)) {
		kill(r->gen.pid, SIGKILL);
		return sys_wait(&r->gen, STOP_NS);
	}
	return 0;
}

/* The one flow's row, if it has completed. */
static int64_t flow_ns(const struct realtime_guest *r)
{
	char *path = xasprintf("%s/" PROBE "/flows.csv", r->out), *line = NULL, *col[COLS_MAX];
	FILE *f = fopen(path, "re");
	int64_t ns = 0;
	size_t size = 0;
	int n, fct;

	if (f && getline(&line, &size, f) > 0) {
		n = csv_split(line, col, COLS_MAX);
		fct = csv_column(col, n, "fct_ns");
		if (fct >= 0 && getline(&line, &size, f) > 0 &&
		    csv_split(line, col, COLS_MAX) == n)
			ns = strtoll(col[fct], NULL, 10);
	}
	if (f)
		fclose(f);
	free(line);
	free(path);
	return ns > 0 ? ns : 0;
}

static int read_figures(struct realtime_guest *r)
{
	char *dir = xasprintf("%s/" PROBE, r->out);
	int64_t ns = flow_ns(r);
	int rc = realtime_rtt(r->w, dir);

	r->w->packets_per_s = ns ? r->packets * NSEC_PER_SEC / ns : 0;
	free(dir);
	return rc;
}

static bool has_source(struct realtime_guest *r)
{
	struct node *n = topo_node(&r->topo, job_str(r->need, J_REAL_SRC, ""));

	return n && n->here;
}

/* The devices of links are needed again; the rest goes with its namespaces. */
static int tear_down(struct realtime_guest *r)
{
	struct topo *t = &r->topo;
	int i, rc = topo_leave(t);

	for (i = 0; i < t->n_nodes; i++)
		if (topo_is_host(&t->nodes[i]))
			rc |= rdma_link_del(t->nodes[i].rdma);
	for (i = 0; i < t->n_ports; i++)
		if (t->ports[i].node->here && !t->ports[i].peer->node->here)
			rc |= cable_unplug(t, &t->ports[i]);
	topo_close(t);
	if (r->flowgen.go_fd >= 0)
		close(r->flowgen.go_fd);
	return rc ? -1 : 0;
}

/**
 * realtime_multi_guest() - measure this guest's part of what real time is worth
 * @job: with J_REAL
 * @w: with what the run needs; receives the lateness of timers here and, where the source of
 *	the measured path is, what that carries
 *
 * Return: 0, or -1 after fail().
 */
int realtime_multi_guest(struct json_object *job, struct realtime_capability *w)
{
	int64_t limit = w->needed_packets_per_s * REALTIME_PACKETS_PART;
	struct realtime_guest r = {
		.job = job, .need = job_get(job, J_REAL), .out = job_str(job, J_OUT, ""), .w = w,
		.flowgen = { .ready_fd = -1, .go_fd = -1 }, .packets = limit / 4,
	};
	int rc;

	if (r.packets < LEAST_PACKETS)
		r.packets = LEAST_PACKETS;
	if (r.packets > MOST_PACKETS)
		r.packets = MOST_PACKETS;
	realtime_timers(w);
	r.net = new_network(&r);
	rc = set_up(&r) || get_ready(&r);
	if (!rc) {
		mark("setup-done");
		rc = traffic(&r) || (has_source(&r) && read_figures(&r)) || tear_down(&r);
	}
	json_object_put(r.net);
	return rc || realtime_save(w, r.out, NULL) ? -1 : 0;
}
