// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: what real time is worth in several guests, measured before a run in them.
 *
 * As in realtime.c, but the network is the run's, as each link between guests is there but
 * once: the same nodes under other names, and links without its queues. A host sends on the
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

#include "init/part.h"
#include "init/rdma.h"
#include "init/realtime.h"
#include "lib/csv.h"

#define PROBE		"probe"
#define PINGS		50
#define PING_BYTES	64
/* Ping-pongs of 30 ms are over by then. */
#define FLOW_START_NS	(3 * NSEC_PER_SEC / 2)
/* From the start. A path that has not carried its packets by then is not fit for anything. */
#define LIMIT_NS	(30 * NSEC_PER_SEC)
#define STOP_NS		(5 * NSEC_PER_SEC)
#define POLL_MS		100

/*
 * On the way at once; an emulated processor takes 0.2 to 0.5 ms for a packet, and a packet
 * is sent again after 1 s.
 */
#define CHUNK_PACKETS	16
#define DEPTH		4
#define TIMEOUT		18

/* The flow takes 1/4 s on a path that carries just as much as a run may need. */
#define LEAST_PACKETS	200
#define MOST_PACKETS	20000

#define COLS_MAX	16

struct real_part {
	struct json_object *job, *need, *net;
	struct topo topo;
	struct part part;
	struct proc gen;
	const char *out;
	int64_t packets;
	struct real_worth *w;
};

static char *probe_name(struct json_object *nodes, const char *name)
{
	size_t i;

	for (i = 0; i < js_len(nodes); i++)
		if (strcmp(job_str(js_at(nodes, i), J_NODE_NAME, ""), name) == 0)
			return xasprintf(PROBE "-%zu", i);
	return xstrdup(name);
}

static void rename_key(struct json_object *o, enum job_key key, struct json_object *nodes)
{
	char *name = probe_name(nodes, job_str(o, key, ""));

	job_add_str(o, key, name);
	free(name);
}

static struct json_object *copy(struct json_object *from)
{
	struct json_object *to = NULL;

	json_object_deep_copy(from, &to, NULL);
	return to;
}

/* Addresses of ports are those of the run: they go by the order of nodes and links. */
static struct json_object *new_network(struct real_part *r)
{
	struct json_object *have = job_get(r->job, J_NODES), *nodes = copy(have);
	struct json_object *links = copy(job_get(r->job, J_LINKS)), *net = json_object_new_object();
	size_t i;

	for (i = 0; i < js_len(nodes); i++)
		rename_key(js_at(nodes, i), J_NODE_NAME, have);
	for (i = 0; i < js_len(links); i++) {
		struct json_object *link = js_at(links, i);

		rename_key(link, J_LINK_A, have);
		rename_key(link, J_LINK_B, have);
		job_add(link, J_LINK_A_QDISC, realtime_port(r->need));
		job_add(link, J_LINK_B_QDISC, realtime_port(r->need));
	}
	job_add(net, J_NODES, nodes);
	job_add(net, J_LINKS, links);
	job_add_int(net, J_NETDEV_MTU, job_int(r->job, J_NETDEV_MTU, 9000));
	job_add_int(net, J_PARTS, job_int(r->job, J_PARTS, 1));
	job_add_str(net, J_OUT, r->out);
	job_add_str(net, J_FLOWGEN, job_str(r->job, J_FLOWGEN, "flowgen"));
	if (job_get(r->job, J_ENV))
		job_add(net, J_ENV, json_object_get(job_get(r->job, J_ENV)));
	return net;
}

/* Its name in the probe's network. */
static char *end_of(struct real_part *r, enum job_key key)
{
	return probe_name(job_get(r->job, J_NODES), job_str(r->need, key, ""));
}

static void add_peers(struct real_part *r)
{
	struct json_object *peers = json_object_new_array(), *pair = json_object_new_array();
	char *src = end_of(r, J_REAL_SRC), *dst = end_of(r, J_REAL_DST);

	json_object_array_add(pair, json_object_new_string(src));
	json_object_array_add(pair, json_object_new_string(dst));
	json_object_array_add(peers, pair);
	job_add(r->net, J_PEERS, peers);
	free(src);
	free(dst);
}

/* One flow behind ping-pongs. */
static struct json_object *new_plan(struct real_part *r)
{
	struct json_object *run = job_get(r->job, J_PLAN), *plan = realtime_plan(run);
	struct json_object *flow = json_object_new_object(), *probe = json_object_new_object();
	struct json_object *flows = json_object_new_array(), *probes = json_object_new_array();
	char *src = end_of(r, J_REAL_SRC), *dst = end_of(r, J_REAL_DST);
	char *src_dev = xasprintf("rxe_%s", src), *dst_dev = xasprintf("rxe_%s", dst);
	int64_t mtu = job_int(run, J_PLAN_MTU, 1024);

	job_add_int(plan, J_PLAN_CHUNK, CHUNK_PACKETS * mtu);
	job_add_int(plan, J_PLAN_DEPTH, DEPTH);
	job_add_int(plan, J_PLAN_TIMEOUT, TIMEOUT);
	job_add_str(probe, J_PROBE_SRC, src_dev);
	job_add_str(probe, J_PROBE_DST, dst_dev);
	job_add_int(probe, J_PROBE_BYTES, PING_BYTES);
	job_add_int(probe, J_PROBE_ITERATIONS, PINGS);
	json_object_array_add(probes, probe);
	job_add_int(flow, J_FLOW_ID, 0);
	job_add_str(flow, J_FLOW_SRC, src_dev);
	job_add_str(flow, J_FLOW_DST, dst_dev);
	job_add_int(flow, J_FLOW_BYTES, r->packets * mtu);
	job_add_int(flow, J_FLOW_START, FLOW_START_NS);
	json_object_array_add(flows, flow);
	job_add(plan, J_PLAN_FLOWS, flows);
	job_add(plan, J_PLAN_LATENCY, probes);
	free(src);
	free(dst);
	free(src_dev);
	free(dst_dev);
	return plan;
}

static int set_up(struct real_part *r)
{
	struct topo *t = &r->topo;
	int i;

	if (topo_build(t, r->net) || route_build(t, r->net))
		return -1;
	for (i = 0; i < t->n_nodes; i++) {
		struct node *n = &t->nodes[i];

		if (topo_is_host(n) &&
		    (topo_enter(t, n) || rdma_link_add(n->rdma, n->ports[0]->ifname) ||
		     topo_leave(t)))
			return -1;
	}
	part_init(&r->part, t);
	return 0;
}

static int get_ready(struct real_part *r)
{
	struct json_object *plan;
	int rc = 0;

	if (r->part.gen) {
		plan = new_plan(r);
		rc = gen_start(r->net, plan, &r->part, &r->topo, PROBE, &r->gen);
		json_object_put(plan);
	}
	return rc || part_connect(&r->part) ? -1 : 0;
}

/* It writes what it has. */
static void give_up(struct real_part *r)
{
	kill(r->gen.pid, SIGTERM);
	close(r->part.ready_fd);
	r->part.ready_fd = -1;
	r->part.done = true;
	mark("done");
}

static int until_stopped(struct real_part *r, int64_t limit_ns)
{
	struct part *pt = &r->part;

	while (!pt->stopped) {
		struct pollfd pfd[] = {
			{ .fd = guest_fd(), .events = POLLIN },
			{ .fd = pt->ready_fd, .events = POLLIN },
		};

		poll(pfd, ARRAY_SIZE(pfd), POLL_MS);
		if (part_look(pt))
			return -1;
		if (pt->gen && pt->ready_fd < 0 && !pt->done)
			return fail("real time: flowgen ended before its traffic");
		if (pt->ready_fd >= 0 && now_ns(CLOCK_MONOTONIC) > limit_ns)
			give_up(r);
	}
	return 0;
}

static int traffic(struct real_part *r)
{
	int64_t t0_ns;

	if (part_go(&r->part, &t0_ns) || part_start(&r->part, t0_ns) ||
	    until_stopped(r, t0_ns + LIMIT_NS))
		return -1;
	if (r->part.gen && sys_wait(&r->gen, STOP_NS)) {
		kill(r->gen.pid, SIGKILL);
		return sys_wait(&r->gen, STOP_NS);
	}
	return 0;
}

/* The one flow's row, if it has completed. */
static int64_t flow_ns(const struct real_part *r)
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

static int read_figures(struct real_part *r)
{
	char *path = xasprintf("%s/" PROBE "/latency.json", r->out), *err = NULL;
	struct json_object *o = js_load(path, &err), *probe = js_at(js_get(o, "probes"), 0);
	int64_t ns = flow_ns(r);
	int rc = 0;

	if (js_int(probe, "completed", 0))
		r->w->rtt_added_ns = js_int(js_get(probe, "rtt_ns"), "p50", 0) -
				     2 * r->w->links * REALTIME_DELAY_NS;
	else
		rc = fail("real time: no round trip was measured%s%s", err ? ": " : "",
			  err ? err : "");
	r->w->packets_per_s = ns ? r->packets * NSEC_PER_SEC / ns : 0;
	json_object_put(o);
	free(err);
	free(path);
	return rc;
}

static bool has_source(struct real_part *r)
{
	char *name = end_of(r, J_REAL_SRC);
	struct node *n = topo_node(&r->topo, name);

	free(name);
	return n && n->here;
}

/* The devices of links are needed again; the rest goes with its namespaces. */
static int tear_down(struct real_part *r)
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
	if (r->part.go_fd >= 0)
		close(r->part.go_fd);
	return rc ? -1 : 0;
}

/**
 * realtime_part() - measure this guest's part of what real time is worth
 * @job: with J_REAL
 * @w: with what the run needs; receives the lateness of timers here and, where the source of
 *	the measured path is, what that carries
 *
 * Return: 0, or -1 after fail().
 */
int realtime_part(struct json_object *job, struct real_worth *w)
{
	int64_t limit = w->needed_packets_per_s * REAL_PACKETS_PART;
	struct real_part r = {
		.job = job, .need = job_get(job, J_REAL), .out = job_str(job, J_OUT, ""), .w = w,
		.part = { .ready_fd = -1, .go_fd = -1 }, .packets = limit / 4,
	};
	int rc;

	if (r.packets < LEAST_PACKETS)
		r.packets = LEAST_PACKETS;
	if (r.packets > MOST_PACKETS)
		r.packets = MOST_PACKETS;
	realtime_timers(w);
	r.net = new_network(&r);
	add_peers(&r);
	rc = set_up(&r) || get_ready(&r);
	if (!rc) {
		mark("setup-done");
		rc = traffic(&r) || (has_source(&r) && read_figures(&r)) || tear_down(&r);
	}
	json_object_put(r.net);
	return rc || realtime_save(w, r.out, NULL) ? -1 : 0;
}
