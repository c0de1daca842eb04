// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: what real time is worth in this kernel, measured before a run in it.
 *
 * Three things decide whether a run's figures are those of its network or of this
 * machine. How late do timers come; how many packets a second does a path of as many
 * links carry; how much longer is a round trip than the links make it. They are measured
 * in a network of its own, two hosts with switches between, that is gone afterwards: the
 * run's own ports have counted nothing yet.
 *
 * A packet costs several timer interrupts, fewer if it comes with others. So the path has
 * a rate at which packets come one by one, as in the run, but four times as fast as the
 * run needs: then it is not the path that limits what is measured.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guest/rdma_devices_and_cc.h"
#include "guest/realtime_measure.h"
#include "guest/topo.h"
#include "lib/stats.h"

#define HOST_A		"probe-a"
#define HOST_B		"probe-b"
#define ADDR_A		"10.0.0.1"
#define ADDR_B		"10.0.0.2"

/* Together about a second. */
#define SLEEPS		200
#define SLEEP_NS	500000
#define SLEEPS_NS	(NSEC_PER_SEC / 4)
#define PINGS		100
#define PING_BYTES	64
#define PINGS_NS	(NSEC_PER_SEC / 2)
#define RATE_NS		(NSEC_PER_SEC / 4)
#define POLL_NS		(NSEC_PER_SEC / 200)
#define START_NS	NSEC_PER_SEC

#define QUEUE_BYTES	(64 << 20)
#define CHUNK_PACKETS	16
#define DEPTH		32
/* 67 ms. Devices that have just come up may lose the first packets. */
#define TIMEOUT		14
#define FLOW_BYTES	(1LL << 40)

struct real {
	struct json_object *need, *plan;	/* of the run: J_REAL, J_PLAN */
	const char *out, *flowgen;
	struct topo topo;
	struct realtime_capability w;
};

static void sleep_until(int64_t at_ns)
{
	struct timespec ts = { at_ns / NSEC_PER_SEC, at_ns % NSEC_PER_SEC };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/**
 * realtime_timers() - how late timers come: the timer's lateness and that of our own wake-up
 * @w: receives it
 */
void realtime_timers(struct realtime_capability *w)
{
	int64_t late[SLEEPS], at, end = now_ns(CLOCK_MONOTONIC) + SLEEPS_NS;
	struct stats s;
	size_t n;

	for (n = 0; n < SLEEPS && (!n || now_ns(CLOCK_MONOTONIC) < end); n++) {
		at = now_ns(CLOCK_MONOTONIC) + SLEEP_NS;
		sleep_until(at);
		late[n] = now_ns(CLOCK_MONOTONIC) - at;
	}
	s = stats_of(late, n);
	w->late_p50_ns = s.p50;
	w->late_p99_ns = s.p99;
	w->late_max_ns = s.max;
}

static void add_node(struct json_object *nodes, const char *name, const char *kind,
		     const char *addr)
{
	struct json_object *o = json_object_new_object();

	job_add_str(o, J_NODE_NAME, name);
	job_add_str(o, J_NODE_KIND, kind);
	if (addr)
		job_add_str(o, J_NODE_ADDR, addr);
	json_object_array_add(nodes, o);
}

/**
 * realtime_port() - a port of the path that is measured
 * @need: J_REAL of the run
 *
 * Return: a new object.
 */
struct json_object *realtime_port(struct json_object *need)
{
	struct json_object *o = json_object_new_object();

	job_add_int(o, J_PORT_RATE, job_int(need, J_REAL_RATE, 0));
	job_add_int(o, J_PORT_DELAY, REALTIME_DELAY_NS);
	job_add_int(o, J_PORT_LIMIT, QUEUE_BYTES);
	job_add_int(o, J_PORT_DIRECT, 1);
	return o;
}

static void node_name(const struct real *r, int i, char *name, size_t len)
{
	if (i == 0 || i == r->w.links)
		snprintf(name, len, "%s", i ? HOST_B : HOST_A);
	else
		snprintf(name, len, "probe-s%d", i);
}

/* What topo_build() and route_build() take; it lives as long as the network. */
static struct json_object *new_network(struct real *r, struct json_object *job)
{
	struct json_object *net = json_object_new_object(), *nodes = json_object_new_array();
	struct json_object *links = json_object_new_array(), *peers = json_object_new_array();
	struct json_object *o;
	char name[32], next[32];
	int i;

	for (i = 0; i <= r->w.links; i++) {
		bool host = i == 0 || i == r->w.links;

		node_name(r, i, name, sizeof(name));
		add_node(nodes, name, host ? "host" : "bridge",
			 host ? (i ? ADDR_B : ADDR_A) : NULL);
		if (i == r->w.links)
			break;
		node_name(r, i + 1, next, sizeof(next));
		o = json_object_new_object();
		job_add_str(o, J_LINK_A, name);
		job_add_str(o, J_LINK_B, next);
		job_add(o, J_LINK_A_QDISC, realtime_port(r->need));
		job_add(o, J_LINK_B_QDISC, realtime_port(r->need));
		json_object_array_add(links, o);
	}
	o = json_object_new_array();
	json_object_array_add(o, json_object_new_string(HOST_A));
	json_object_array_add(o, json_object_new_string(HOST_B));
	json_object_array_add(peers, o);
	job_add(net, J_NODES, nodes);
	job_add(net, J_LINKS, links);
	job_add(net, J_PEERS, peers);
	job_add_int(net, J_NETDEV_MTU, job_int(job, J_NETDEV_MTU, 9000));
	return net;
}

/**
 * realtime_plan() - a plan of flowgen's with packets like the run's
 * @plan: of the run
 * @src: host
 * @dst: host
 * @pings: ping-pongs from the start on; 0: none
 * @bytes: of a flow; 0: none
 * @start_ns: when it starts
 *
 * Return: a new object.
 */
struct json_object *realtime_plan(struct json_object *plan, const char *src, const char *dst,
				  int pings, int64_t bytes, int64_t start_ns)
{
	struct json_object *o = json_object_new_object(), *one;
	struct json_object *flows = json_object_new_array(), *probes = json_object_new_array();
	char *src_dev = xasprintf("rxe_%s", src), *dst_dev = xasprintf("rxe_%s", dst);
	int64_t mtu = job_int(plan, J_PLAN_MTU, 1024);

	job_add_int(o, J_PLAN_MTU, mtu);
	job_add_int(o, J_PLAN_CHUNK, CHUNK_PACKETS * mtu);
	job_add_int(o, J_PLAN_DEPTH, DEPTH);
	job_add_int(o, J_PLAN_TCLASS, job_int(plan, J_PLAN_TCLASS, 0));
	job_add_int(o, J_PLAN_ACK_TCLASS, job_int(plan, J_PLAN_ACK_TCLASS, 0));
	job_add_int(o, J_PLAN_TIMEOUT, TIMEOUT);
	job_add_int(o, J_PLAN_LEAD, 0);
	if (pings) {
		one = json_object_new_object();
		job_add_str(one, J_PINGPONG_SRC, src_dev);
		job_add_str(one, J_PINGPONG_DST, dst_dev);
		job_add_int(one, J_PINGPONG_BYTES, PING_BYTES);
		job_add_int(one, J_PINGPONG_ITERATIONS, pings);
		json_object_array_add(probes, one);
	}
	if (bytes) {
		one = json_object_new_object();
		job_add_int(one, J_FLOW_ID, 0);
		job_add_str(one, J_FLOW_SRC, src_dev);
		job_add_str(one, J_FLOW_DST, dst_dev);
		job_add_int(one, J_FLOW_BYTES, bytes);
		job_add_int(one, J_FLOW_START, start_ns);
		json_object_array_add(flows, one);
	}
	job_add(o, J_PLAN_FLOWS, flows);
	job_add(o, J_PLAN_LATENCY, probes);
	free(src_dev);
	free(dst_dev);
	return o;
}

/**
 * realtime_rtt() - the median round trip of those that there was time for, without the delays
 *	of the links
 * @w: receives it
 * @dir: what flowgen has written
 *
 * Return: 0, or -1 after fail().
 */
int realtime_rtt(struct realtime_capability *w, const char *dir)
{
	char *path = xasprintf("%s/latency.json", dir), *err = NULL;
	struct json_object *o = js_load(path, &err), *probe = js_at(js_get(o, "probes"), 0);
	int rc = 0;

	if (js_int(probe, "completed", 0))
		w->rtt_added_ns = js_int(js_get(probe, "rtt_ns"), "p50", 0) -
				  2 * w->links * REALTIME_DELAY_NS;
	else
		rc = fail("real time: no round trip was measured%s%s", err ? ": " : "",
			  err ? err : "");
	json_object_put(o);
	free(err);
	free(path);
	return rc;
}

static int start(struct real *r, struct json_object *job, const char *dir, bool pings,
		 struct proc *p)
{
	struct json_object *plan = realtime_plan(r->plan, HOST_A, HOST_B, pings ? PINGS : 0,
						 pings ? 0 : FLOW_BYTES, 0);
	char *path = xasprintf("%s.json", dir);
	char *argv[] = { (char *)r->flowgen, "run", path, "--out", (char *)dir, "-q", NULL };
	int rc = js_save(plan, path) ? fail("%s: %m", path) : 0;

	json_object_put(plan);
	p->status = -1;
	if (!rc)
		p->pid = sys_spawn(&(struct spawn){ .argv = argv, .env = job_get(job, J_ENV) });
	free(path);
	return rc || p->pid < 0 ? -1 : 0;
}

static int stop(struct proc *p, int sig)
{
	kill(p->pid, sig);
	return sys_wait(p, START_NS);
}

static int measure_rtt(struct real *r, struct json_object *job, const char *dir)
{
	struct proc p = {};
	int rc = start(r, job, dir, true, &p);

	if (!rc && sys_wait(&p, START_NS + PINGS_NS))
		rc = stop(&p, SIGTERM);
	return rc ? rc : realtime_rtt(&r->w, dir);
}

/* What has reached the last link. */
static int arrived(struct real *r, struct qdisc_stats *st)
{
	struct qdisc_query q = {};
	char last[32];

	node_name(r, r->w.links - 1, last, sizeof(last));
	memset(st, 0, sizeof(*st));
	return qdisc_query(&q, topo_port(&r->topo, last, HOST_B), st) || qdisc_flush(&q);
}

static int measure_rate(struct real *r, struct json_object *job, const char *dir)
{
	int64_t end = now_ns(CLOCK_MONOTONIC) + START_NS;
	struct qdisc_stats from, to = {};
	struct proc p = {};
	uint64_t before;
	int rc;

	if (arrived(r, &from) || start(r, job, dir, false, &p))
		return -1;
	before = from.n[XS_TX_PACKETS];
	do {
		sleep_until(now_ns(CLOCK_MONOTONIC) + POLL_NS);
		rc = arrived(r, &from);
	} while (!rc && from.n[XS_TX_PACKETS] == before && now_ns(CLOCK_MONOTONIC) < end);
	if (!rc && from.n[XS_TX_PACKETS] > before) {
		sleep_until(now_ns(CLOCK_MONOTONIC) + RATE_NS);
		rc = arrived(r, &to);
	}
	if (stop(&p, SIGKILL))
		rc = -1;
	if (!rc && to.n[XS_NOW] > from.n[XS_NOW])
		r->w.packets_per_s = (to.n[XS_TX_PACKETS] - from.n[XS_TX_PACKETS]) * NSEC_PER_SEC /
				   (to.n[XS_NOW] - from.n[XS_NOW]);
	return rc;
}

/**
 * realtime_save() - leave the figures in the job's "out" directory
 * @w: figures
 * @out: the directory
 * @beyond: of realtime_capability_beyond(), or NULL
 *
 * Return: 0, or -1 after fail().
 */
int realtime_save(const struct realtime_capability *w, const char *out, const char *beyond)
{
	struct json_object *o = realtime_capability_to_json(w, beyond);
	char *path = xasprintf("%s/" REALTIME_FILE, out);
	int rc = 0;

	if (js_save(o, path))
		rc = fail("%s: %m", path);
	json_object_put(o);
	free(path);
	return rc;
}

static int measure(struct real *r, struct json_object *job)
{
	struct json_object *net = new_network(r, job);
	char *pings = xasprintf("%s/probe-pings", r->out);
	char *rate = xasprintf("%s/probe-rate", r->out);
	int rc;

	realtime_timers(&r->w);
	rc = topo_build(&r->topo, net) || route_build(&r->topo, net) ||
	     rdma_hosts_add(&r->topo) || measure_rtt(r, job, pings) || measure_rate(r, job, rate);
	topo_close(&r->topo);
	json_object_put(net);
	free(pings);
	free(rate);
	return rc ? -1 : 0;
}

static void need_of(struct realtime_capability *w, struct json_object *need)
{
	w->links = job_int(need, J_REAL_LINKS, 2);
	w->needed_packets_per_s = job_int(need, J_REAL_PPS, 0);
	w->base_rtt_ns = job_int(need, J_REAL_RTT, 0);
}

/**
 * realtime_check() - measure what real time is worth here, and hold a run against it
 * @job: with J_REAL; without, nothing is done
 *
 * Leaves realtime.json in the job's "out" directory and says the figures in one line; one of
 * several guests leaves what it has measured, and "lab" says the rest. Comes after
 * rdma_exclusive() and before the run has namespaces of its own.
 *
 * Return: 0; 1 after fail(): the run is beyond it and did not ask to run all the same; -1
 * after fail() if it could not be measured.
 */
int realtime_check(struct json_object *job)
{
	struct real r = {
		.need = job_get(job, J_REAL), .plan = job_get(job, J_PLAN),
		.out = job_str(job, J_OUT, NULL), .flowgen = job_str(job, J_FLOWGEN, "flowgen"),
	};
	char *why, *text;
	int rc;

	if (!r.need || !r.out)
		return 0;
	need_of(&r.w, r.need);
	if (control_guest() >= 0)
		return realtime_multi_guest(job, &r.w);
	if (measure(&r, job))
		return -1;
	text = realtime_capability_text(&r.w);
	mark("say real time here: %s", text);
	free(text);
	why = realtime_capability_beyond(&r.w);
	rc = realtime_save(&r.w, r.out, why);
	if (!rc && why && !job_bool(r.need, J_REAL_BEYOND, false)) {
		fail("real time here cannot keep this run: %s; take lower rates, longer delays or larger packets (mtu), or a machine with less to do; --beyond runs it all the same",
		     why);
		rc = 1;
	}
	free(why);
	return rc;
}
