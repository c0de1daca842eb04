// SPDX-License-Identifier: GPL-2.0
/*
 * From a scenario to a run: the flows, and all of the job that no algorithm decides.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature/switch_features.h"

#define SAMPLES			1000
#define SAMPLES_MIN		100
#define SAMPLE_ROWS		200000	/* of many flows and ports there are fewer samples */
#define WATCH_ALL_PORTS	16	/* above: the bottleneck only, a sample costs time */
#define WATCH_ALL_PAUSED	64	/* the same where ports pause each other */
#define PAUSE_READS	64000	/* of all ports in a run; pauses are cumulated anyway */
#define SETTLE_RTTS	4
#define PROGRAMS_NS	(60 * NSEC_PER_SEC)	/* for programs, which end when they end */
#define PROGRAM_SAMPLE_NS	999	/* without flows: at first, the kernel makes it longer */
#define TIMELINE_ROWS	500
#define PEERS_ALL_HOSTS	64	/* above: hosts with a flow in common only */
/* Of IBTA: 4.096 us times a power of two. */
#define TIMEOUT_NS(exp)		(4096LL << (exp))
#define TIMEOUT_MAX		31

/* Numbers that are easy to read: 1, 2 or 5 times a power of ten. */
static int64_t round_up_125(int64_t v)
{
	static const int mul[] = { 1, 2, 5 };
	int64_t pow = 1;
	size_t i;

	for (;; pow *= 10)
		for (i = 0; i < ARRAY_SIZE(mul); i++)
			if (mul[i] * pow >= v)
				return mul[i] * pow;
}

/* Do flows that have rows share queue pairs? */
static bool plan_pairs(struct plan *p)
{
	return p->traffic && p->n_listed &&
	       strcmp(scenario_text(p->sc, "qp", "flow"), "pair") == 0;
}

/* Numbers of the flows that one waits for, the ends or the starts of which. */
static struct json_object *after_list(struct plan *p, const struct lab_flow *f, bool start)
{
	const struct depend_list *d = &p->after.list[f->after - 1];
	struct json_object *list = json_object_new_array();
	uint32_t k, edge;

	for (k = d[0].begin; k < d[1].begin; k++) {
		edge = p->after.edge[k];
		if (depend_on_start(edge) == start)
			json_object_array_add(list, json_object_new_int64(depend_node(edge)));
	}
	return list;
}

/* Data goes from src to dst whatever the verb: for READs it is dst that asks. */
static struct json_object *flow_list(struct plan *p)
{
	bool read = strcmp(scenario_text(p->sc, "op", "write"), "read") == 0;
	struct json_object *list = json_object_new_array();
	char name[80];
	int i;

	for (i = 0; i < p->n_listed; i++) {
		struct lab_flow *f = &p->flows[i];
		struct json_object *o = json_object_new_object();

		job_add_int(o, J_FLOW_ID, i);
		snprintf(name, sizeof(name), "rxe_%s", p->nodes[read ? f->dst : f->src].name);
		job_add_str(o, J_FLOW_SRC, name);
		snprintf(name, sizeof(name), "rxe_%s", p->nodes[read ? f->src : f->dst].name);
		job_add_str(o, J_FLOW_DST, name);
		job_add_int(o, J_FLOW_BYTES, f->bytes);
		job_add_int(o, J_FLOW_START, f->start_ns);
		if (f->background)
			job_add_int(o, J_FLOW_STOP, plan_flow_stop_ns(p, i));
		if (plan_pairs(p))
			job_add_str(o, J_FLOW_QP, "pair");
		if (f->after) {
			job_add(o, J_FLOW_AFTER, after_list(p, f, false));
			job_add(o, J_FLOW_AFTER_START, after_list(p, f, true));
			job_add_int(o, J_FLOW_DELAY, p->after.list[f->after - 1].delay_ns);
		}
		json_object_array_add(list, o);
	}
	return list;
}

static int add_pingpong(struct loop *l, struct json_object *entry)
{
	struct json_object *o = json_object_new_object(), *list;
	int src = plan_host_of(l, entry, "src"), dst = plan_host_of(l, entry, "dst");
	struct plan *p = l->p;
	double bytes, n;
	char name[80];

	list = job_get(job_get(p->base, J_PLAN), J_PLAN_LATENCY);
	json_object_array_add(list, o);
	if (src < 0 || dst < 0 || plan_add_hops(p, src, dst) ||
	    plan_number(l, entry, "bytes", "size", &bytes) ||
	    plan_number(l, entry, "iterations", "1000", &n))
		return EXIT_RUN_FAILED;
	snprintf(name, sizeof(name), "rxe_%s", p->nodes[src].name);
	job_add_str(o, J_PINGPONG_SRC, name);
	snprintf(name, sizeof(name), "rxe_%s", p->nodes[dst].name);
	job_add_str(o, J_PINGPONG_DST, name);
	job_add_int(o, J_PINGPONG_BYTES, llround(bytes));
	job_add_int(o, J_PINGPONG_ITERATIONS, llround(n));
	job_add_str(o, J_PINGPONG_TRANSPORT, scenario_text(p->sc, "transport", "rc"));
	p->latency_model_ns = wire_ping_pong_ns(p, src, dst, llround(bytes));
	if (p->latency_model_ns * llround(n) > p->expect_ns)
		p->expect_ns = p->latency_model_ns * llround(n);
	if (!p->base_rtt_ns)
		p->base_rtt_ns = p->latency_model_ns;
	return 0;
}

static void flowgen_plan(struct plan *p)
{
	struct json_object *o = json_object_new_object();
	struct scenario *sc = p->sc;
	bool ack_prio = scenario_val(sc, "ack_prio", 0) != 0;

	job_add_int(o, J_PLAN_SEED, (int64_t)p->seed);
	job_add_int(o, J_PLAN_MTU, (int64_t)scenario_val(sc, "mtu", 1024));
	job_add_str(o, J_PLAN_TRANSPORT, scenario_text(sc, "transport", "rc"));
	job_add_str(o, J_PLAN_OP, scenario_text(sc, "op", "write"));
	job_add_int(o, J_PLAN_CHUNK, scenario_val(sc, "chunk", 262144));
	job_add_int(o, J_PLAN_FIRST, scenario_val(sc, "first", 0));
	job_add_int(o, J_PLAN_ALTERNATE, scenario_val(sc, "alternate", 0));
	job_add_int(o, J_PLAN_DEPTH, scenario_val(sc, "depth", 16));
	job_add_int(o, J_PLAN_TCLASS, DATA_DSCP << 2);
	job_add_int(o, J_PLAN_ACK_TCLASS, (ack_prio ? ACK_DSCP : DATA_DSCP) << 2);
	job_add_int(o, J_PLAN_JITTER, scenario_val(sc, "jitter", 0));
	job_add_bool(o, J_PLAN_VERIFY, scenario_val(sc, "verify", 0) != 0);
	job_add(o, J_PLAN_FLOWS, flow_list(p));
	job_add(o, J_PLAN_LATENCY, json_object_new_array());
	if (p->n_flows > p->n_listed) {
		job_add_str(o, J_PLAN_QP, scenario_text(sc, "qp", "flow"));
		job_add_int(o, J_PLAN_QP_POOL, scenario_val(sc, "qp_pool", 4));
		short_prio_plan(p, o);
	}
	job_add(p->base, J_PLAN, o);
}

/*
 * A timeout below the round trip sends everything twice. Unless the user has set it, it is at
 * least twice the longest round trip without queues.
 */
static void plan_timeout(struct plan *p)
{
	struct key *k = scenario_key(p->sc, "ib_timeout");
	int exp = (int)scenario_val(p->sc, "ib_timeout", 14), low = exp;

	p->path_rtt_ns = p->base_rtt_ns;
	while (exp && !(k && k->set) && exp < TIMEOUT_MAX && TIMEOUT_NS(exp) < 2 * p->path_rtt_ns)
		exp++;
	p->timeout_ns = exp ? TIMEOUT_NS(exp) : 0;
	job_add_int(job_get(p->base, J_PLAN), J_PLAN_TIMEOUT, exp);
	if (exp == low)
		return;
	p->timeout_was = low;
	if (!k)
		return;
	k->val = exp;
	free(k->text);
	k->text = unit_format(k->unit, k->val);
}

static void add_pair(struct plan *p, struct json_object *list, int a, int b)
{
	struct json_object *pair = json_object_new_array();

	json_object_array_add(pair, json_object_new_string(p->nodes[a].name));
	json_object_array_add(pair, json_object_new_string(p->nodes[b].name));
	json_object_array_add(list, pair);
}

/* Each pair once, however many flows it has. */
static void peers_of_flows(struct plan *p, struct json_object *list)
{
	bool *known = xcalloc((size_t)p->n_nodes * p->n_nodes, sizeof(*known));
	int i, src, dst;

	for (i = 0; i < p->n_flows; i++) {
		src = p->flows[i].src;
		dst = p->flows[i].dst;
		if (known[src * p->n_nodes + dst])
			continue;
		known[src * p->n_nodes + dst] = true;
		known[dst * p->n_nodes + src] = true;
		add_pair(p, list, src, dst);
	}
	free(known);
}

/*
 * All hosts of a small lab know each other: the shell wants to ping. Where
 * switches are routers, hosts need to know those only.
 */
static void job_peers(struct plan *p)
{
	bool routed = strcmp(scenario_text(p->sc, "fabric", "bridge"), "router") == 0;
	struct json_object *list = json_object_new_array();
	int i, j;

	if (p->n_hosts <= PEERS_ALL_HOSTS) {
		for (i = 0; i < p->n_nodes; i++)
			for (j = 0; j < i; j++)
				if (p->nodes[i].host && p->nodes[j].host)
					add_pair(p, list, i, j);
	} else if (!routed) {
		peers_of_flows(p, list);
	}
	job_add(p->base, J_PEERS, list);
}

/* How many samples of the flows and of the ports that are watched. */
static int64_t samples(struct plan *p)
{
	int64_t rows = p->n_listed + js_len(job_get(p->base, J_WATCH)), n;

	n = rows ? SAMPLE_ROWS / rows : SAMPLES;
	if (n > SAMPLES)
		return SAMPLES;
	return n > SAMPLES_MIN ? n : SAMPLES_MIN;
}

static void job_watch(struct plan *p)
{
	struct json_object *list = json_object_new_array();
	const char *what = scenario_text(p->sc, "watch", NULL);
	bool pfc = scenario_val(p->sc, "pfc", 0) != 0;
	int i, most = pfc ? WATCH_ALL_PAUSED : WATCH_ALL_PORTS;
	bool all = what ? strcmp(what, "all") == 0 : 2 * p->n_links <= most;

	if (all) {
		for (i = 0; i < p->n_links; i++) {
			add_pair(p, list, p->links[i].a, p->links[i].b);
			add_pair(p, list, p->links[i].b, p->links[i].a);
		}
	} else if (p->bottleneck[0] >= 0) {
		add_pair(p, list, p->bottleneck[0], p->bottleneck[1]);
	}
	job_add(p->base, J_WATCH, list);
	if (pfc)
		job_add_int(p->base, J_PAUSE_EVERY,
			    1 + 2LL * p->n_links * samples(p) / PAUSE_READS);
}

/**
 * plan_watches() - is a port sampled
 * @p: plan
 * @port: NODE-NEIGHBOUR
 *
 * Return: true if so.
 */
bool plan_watches(struct plan *p, const char *port)
{
	struct json_object *list = job_get(p->base, J_WATCH);
	char name[80];
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		struct json_object *pair = js_at(list, i);

		snprintf(name, sizeof(name), "%s-%s",
			 json_object_get_string(js_at(pair, 0)),
			 json_object_get_string(js_at(pair, 1)));
		if (strcmp(name, port) == 0)
			return true;
	}
	return false;
}

/**
 * plan_resolve() - give the keys that were not set their defaults, and check all of them
 * @sc: scenario
 *
 * Return: 0, or the exit status after a message.
 */
int plan_resolve(struct scenario *sc)
{
	int rc = scenario_resolve(sc);

	if (!rc)
		traffic_defaults(sc);
	if (!rc)
		rc = traffic_unused(sc);
	if (!rc)
		rc = switch_features_check(sc);
	return rc ? rc : short_prio_check(sc);
}

/* The scenario's own flows, unless others take their place, and those of traffic/. */
static int all_flows(struct plan *p)
{
	int64_t rtt;
	int i, rc;

	p->measure_to_ns = INT64_MAX;
	plan_group(p, NULL);
	rc = traffic_replaces(p->sc) ? 0 : plan_own_flows(p);
	if (rc)
		return rc;
	for (i = 0; i < p->n_flows; i++) {
		rtt = wire_base_rtt_ns(p, p->flows[i].src, p->flows[i].dst);
		if (rtt > p->base_rtt_ns)
			p->base_rtt_ns = rtt;
	}
	rc = plan_after_check(p, NULL, NULL);
	if (!rc && traffic_wanted(p->sc))
		rc = traffic_expand(p);
	if (rc)
		return rc;
	for (i = 0; i < p->n_flows; i++)
		p->flows[i].ideal_ns = wire_ideal_fct_ns(p, &p->flows[i]);
	plan_after_times(p);
	return 0;
}

/* Messages of a length of their own are made in the buffer of one of chunk. */
static int check_lengths(struct scenario *sc)
{
	static const char *const keys[] = { "first", "alternate" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (scenario_val(sc, keys[i], 0) > scenario_val(sc, "chunk", 262144))
			return usage_error("--set %s: above chunk, the longest message", keys[i]);
		if (scenario_val(sc, keys[i], 0) > 0 && scenario_val(sc, "verify", 0) != 0)
			return usage_error("--set %s: not with verify", keys[i]);
	}
	return 0;
}

/* Flows, times, and all of the job that no algorithm decides. */
static int expand(struct plan *p)
{
	struct scenario *sc = p->sc;
	int64_t span;
	bool reads;
	int rc;

	p->base = json_object_new_object();
	rc = check_lengths(sc) ? EXIT_USAGE : all_flows(p);
	if (!rc)
		rc = plan_programs(p);
	if (rc)
		return rc;
	if (sc->no_flows)
		plan_drop_flows(p);
	rc = plan_timeline(p);
	if (rc)
		return rc;
	p->expect_ns = plan_expected_ns(p) + (int64_t)scenario_val(sc, "jitter", 0);
	flowgen_plan(p);
	if (!sc->no_flows && plan_for_each(p, "latency", add_pingpong))
		return EXIT_RUN_FAILED;
	if (!p->n_flows && !p->latency_model_ns && !plan_has_programs(p))
		return run_error("scenario %s: no flows", sc->name);
	plan_timeout(p);
	job_add_int(p->base, J_SETTLE, SETTLE_RTTS * p->base_rtt_ns);
	p->base_rtt_ns = scenario_val(sc, "base_rtt", p->base_rtt_ns);
	job_watch(p);
	job_queue_histograms(p);
	p->limit_ns = scenario_val(sc, "limit", 20 * p->expect_ns + 2 * NSEC_PER_SEC +
				   (plan_has_programs(p) ? PROGRAMS_NS : 0));
	/* A run that is to end early is as long as that. */
	span = p->expect_ns < p->limit_ns ? p->expect_ns : p->limit_ns;
	if (plan_has_programs(p) && !span)
		span = samples(p) * PROGRAM_SAMPLE_NS;
	p->sample_ns = scenario_val(sc, "sample", round_up_125(span / samples(p) + 1));
	if (p->sample_ns < 100)
		p->sample_ns = 100;
	job_add_int(p->base, J_SAMPLE, p->sample_ns);
	job_add_int(p->base, J_LIMIT, p->limit_ns);
	job_add_int(p->base, J_WINDOW_FROM, scenario_val(sc, "window_from", -1));
	job_add_int(p->base, J_WINDOW_TO, scenario_val(sc, "window_to", -1));
	job_add_int(p->base, J_EXPECT, p->expect_ns);
	if (job_get(p->base, J_TIMELINE))
		job_add_int(p->base, J_TIMELINE_STEP, round_up_125(span / TIMELINE_ROWS + 1000));
	job_add_int(p->base, J_NETDEV_MTU, port_mtu(p));
	job_add_int(p->base, J_HASH_SEED, (int64_t)(p->seed % 0x7fffffff) + 1);
	reads = strcmp(scenario_text(sc, "op", "write"), "read") == 0;
	job_add_bool(p->base, J_READS, reads);
	job_nodes(p);
	job_peers(p);
	return 0;
}

/**
 * plan_build() - everything about a run but the algorithm
 * @sc: resolved scenario
 * @seed: of everything random
 * @plan: result, NULL after a message
 *
 * Return: 0, or the exit status after a message.
 */
int plan_build(struct scenario *sc, uint64_t seed, struct plan **plan)
{
	struct plan *p = xcalloc(1, sizeof(*p));
	int rc;

	p->sc = sc;
	p->seed = seed;
	rc = topology_expand(p);
	if (!rc)
		rc = plan_links_by_name(p);
	if (!rc)
		rc = expand(p);
	if (rc) {
		plan_free(p);
		p = NULL;
	}
	*plan = p;
	return rc;
}

void plan_free(struct plan *p)
{
	int i;

	for (i = 0; i < p->n_nodes; i++) {
		free(p->nodes[i].name);
		free(p->nodes[i].links);
	}
	free(p->nodes);
	free(p->links);
	for (i = 0; i < p->n_groups; i++)
		free(p->groups[i]);
	free(p->groups);
	depend_free(&p->after);
	free(p->after_order);
	free(p->earliest_ns);
	free(p->steps);
	free(p->flow_stop_ns);
	free(p->timeline_place);
	wire_free(p->wire);
	json_object_put(p->traffic);
	free(p->flows);
	free(p->perm);
	json_object_put(p->tables);
	json_object_put(p->base);
	json_object_put(p->job);
	free(p);
}
