// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: counters of ports, switches and devices over a run, for totals.json.
 */
#include <inttypes.h>
#include <string.h>

#include "guest/sampler.h"

/* Counters from @from to @to that belong into an object. */
static void add_counters(struct json_object *o, const struct counter *c, size_t n,
			 const char *object, const uint64_t *from, const uint64_t *to)
{
	for (; n; n--, c++, from++, to++) {
		bool since = c->kind == COUNTER_RAW || c->kind == COUNTER_SUM ||
			     c->kind == COUNTER_SOME;
		uint64_t val = *to - (since ? *from : 0);

		if (c->kind != COUNTER_READ && strcmp(c->object, object) == 0 &&
		    (val || c->kind != COUNTER_SOME))
			js_add_int(o, c->name, val);
	}
}

static void add_prio(struct json_object *list, size_t id, const struct qdisc_prio *a,
		     const struct qdisc_prio *b)
{
	struct json_object *o = json_object_new_object(), *drops = json_object_new_object();

	js_add_int(o, "prio", id);
	add_counters(o, prio_counters, PRIO_COUNTERS, "", a->n, b->n);
	add_counters(drops, prio_counters, PRIO_COUNTERS, "drops", a->n, b->n);
	json_object_object_add(o, "drops", drops);
	json_object_array_add(list, o);
}

static void over_prios(const struct qdisc_stats *st, uint64_t *sum)
{
	size_t i, k;

	memset(sum, 0, PRIO_COUNTERS * sizeof(*sum));
	for (i = 0; i < PRIOS; i++)
		for (k = 0; k < PRIO_COUNTERS; k++)
			sum[k] += st->prio[i].n[k];
}

/* What a feature that runs at the port has counted there. */
static void add_feature(struct json_object *port, const char *name, const struct qdisc_stats *a,
			const struct qdisc_stats *b)
{
	struct json_object *o = json_object_new_object();
	uint64_t from[PRIO_COUNTERS], to[PRIO_COUNTERS];

	over_prios(a, from);
	over_prios(b, to);
	add_counters(o, port_counters, PORT_COUNTERS, name, a->n, b->n);
	add_counters(o, prio_counters, PRIO_COUNTERS, name, from, to);
	json_object_object_add(port, name, o);
}

static void port_totals(struct port *p, const struct qdisc_stats *a, const struct qdisc_stats *b,
			struct json_object *out)
{
	struct json_object *o = json_object_new_object(), *prios = json_object_new_array();
	struct json_object *features = job_get(p->qdisc, J_PORT_FEATURES);
	char name[160];
	size_t i;

	js_add_int(o, "rate_bps", job_int(p->qdisc, J_PORT_RATE, 0));
	add_counters(o, port_counters, PORT_COUNTERS, "", a->n, b->n);
	for (i = 0; i < PRIOS; i++)
		if (b->prio[i].used)
			add_prio(prios, i, &a->prio[i], &b->prio[i]);
	json_object_object_add(o, "prio", prios);
	for (i = 0; i < js_len(features); i++)
		add_feature(o, json_object_get_string(js_at(features, i)), a, b);
	snprintf(name, sizeof(name), "%s-%s", p->node->name, p->peer->node->name);
	json_object_object_add(out, name, o);
}

/* Each port tells the time at which it was read. */
static void window_totals(struct sampler *s, struct json_object *out)
{
	struct json_object *o = json_object_new_object(), *ports = json_object_new_object();
	int i;

	for (i = 0; i < s->topo->n_ports; i++) {
		struct qdisc_stats *a = &s->window[0][i], *b = &s->window[1][i];

		if (!s->topo->ports[i].qdisc)
			continue;
		if (!js_get(o, "from_ns")) {
			js_add_int(o, "from_ns", a->n[XS_NOW] - s->t0_ns);
			js_add_int(o, "to_ns", b->n[XS_NOW] - s->t0_ns);
		}
		port_totals(&s->topo->ports[i], a, b, ports);
	}
	js_add_int(o, "timeouts", js_int(s->window_counts[1], "rp_timeouts", 0) -
		   js_int(s->window_counts[0], "rp_timeouts", 0));
	json_object_object_add(o, "ports", ports);
	json_object_object_add(out, "window", o);
}

/* Any port can tell of the whole switch; the last one was read last. */
static void node_totals(struct sampler *s, struct node *n, struct json_object *out)
{
	const uint64_t *sw = s->last[n->ports[n->n_ports - 1]->id].sw;
	struct json_object *o;

	if (n->kind == NODE_HOST || !sw[SS_BUFFER])
		return;
	o = json_object_new_object();
	add_counters(o, switch_counters, SWITCH_COUNTERS, "", sw, sw);
	json_object_object_add(out, n->name, o);
}

/* In base units, fractions as such. All devices are set alike: one will do. */
static int param_totals(struct sampler *s, const char *dev, struct json_object *out)
{
	struct json_object *values, *units;
	int rc;

	if (json_object_object_length(out))
		return 0;
	values = json_object_new_object();
	units = json_object_new_object();
	rc = cc_dev_params(s->cc, dev, values, units);
	json_object_object_foreach(values, name, val) {
		uint64_t v = json_object_get_uint64(val);

		if (strcmp(js_str(units, name, ""), "q24") == 0)
			js_add_dbl(out, name, v / 16777216.0, 7);
		else
			js_add_int(out, name, v);
	}
	json_object_put(values);
	json_object_put(units);
	return rc;
}

/*
 * Of the flows that were seen to send for some round trips: how many, and how many
 * of them had no round-trip time at the end, and how many go by telemetry.
 */
static void rtt_totals(struct sampler *s, int64_t settle_ns, struct json_object *out)
{
	int seen = 0, without = 0, by_int = 0;
	size_t i;

	for (i = 0; i < s->n_qps; i++) {
		struct flow_qp *q = &s->qps[i];

		if (!q->sends || q->first_tx_ns < 0 || q->last_ns - q->first_tx_ns < settle_ns)
			continue;
		seen++;
		without += !q->has_rtt;
		by_int += q->by_int;
	}
	js_add_int(out, "flows_seen", seen);
	js_add_int(out, "flows_without_rtt", without);
	js_add_int(out, "flows_by_int", by_int);
}

/**
 * sampler_totals() - counters of every port and device since t0
 * @s: sampler
 * @settle_ns: some round trips
 * @out: JSON object that receives "ports", "switches", "counters", "params", of
 *	flows whether their round-trip times were measured and, if it is over,
 *	"window"
 *
 * Return: 0, or -1 after fail().
 */
int sampler_totals(struct sampler *s, int64_t settle_ns, struct json_object *out)
{
	struct json_object *ports = json_object_new_object();
	struct json_object *switches = json_object_new_object();
	struct json_object *counters = json_object_new_object();
	struct json_object *params = json_object_new_object();
	uint64_t hops = 0;
	int i;

	rtt_totals(s, settle_ns, out);
	json_object_object_add(out, "params", params);
	json_object_object_add(out, "ports", ports);
	json_object_object_add(out, "switches", switches);
	json_object_object_add(out, "counters", counters);
	if (sampler_ports(s, s->last))
		return -1;
	for (i = 0; i < s->topo->n_ports; i++) {
		if (!s->topo->ports[i].qdisc)
			continue;
		if (s->lossless[i])
			sampler_pauses(s, &s->topo->ports[i], s->last[i].n[XS_NOW] - s->t0_ns);
		port_totals(&s->topo->ports[i], &s->base[i], &s->last[i], ports);
		hops += s->last[i].n[XS_TX_PACKETS] - s->base[i].n[XS_TX_PACKETS];
	}
	/* For the progress line: "packet_hops" of summary.json. */
	mark("hops %" PRIu64, hops);
	if (s->n_window == ARRAY_SIZE(s->window))
		window_totals(s, out);
	for (i = 0; i < s->topo->n_nodes; i++)
		node_totals(s, &s->topo->nodes[i], switches);
	for (i = 0; s->cc && i < s->topo->n_nodes; i++)
		if (topo_is_host(&s->topo->nodes[i]) &&
		    param_totals(s, s->topo->nodes[i].rdma, params))
			return -1;
	return sampler_counters(s, counters);
}
