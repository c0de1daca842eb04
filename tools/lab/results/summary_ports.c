// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the figures of summary.json that come from the ports: "pfc", "drops",
 * "ports", "switches" and "groups".
 */
#include <stdlib.h>
#include <string.h>

#include "common/port_counters.h"
#include "results/results.h"

/**
 * port_figure() - a figure of a port from those of its priorities
 * @port: of the totals
 * @name: member of the priorities
 * @largest: the largest, not the sum
 *
 * Return: the figure.
 */
int64_t port_figure(struct json_object *port, const char *name, bool largest)
{
	struct json_object *prios = js_get(port, "prio");
	int64_t all = 0, v;
	size_t i;

	for (i = 0; i < js_len(prios); i++) {
		v = js_int(js_at(prios, i), name, 0);
		if (!largest)
			all += v;
		else if (v > all)
			all = v;
	}
	return all;
}

static int64_t port_drops(struct json_object *port, const char *reason)
{
	struct json_object *prios = js_get(port, "prio");
	int64_t all = 0;
	size_t i;

	for (i = 0; i < js_len(prios); i++)
		all += js_int(js_get(js_at(prios, i), "drops"), reason, 0);
	return all;
}

static bool is_drop(int i)
{
	return port_counter_in_summary(&prio_counters[i], "drops");
}

/* With a "total" in front. */
static struct json_object *new_drops(const int64_t *by_reason)
{
	struct json_object *o = json_object_new_object();
	int64_t total = 0;
	int i;

	for (i = 0; i < PRIO_COUNTERS; i++)
		total += by_reason[i];
	js_add_int(o, "total", total);
	for (i = 0; i < PRIO_COUNTERS; i++)
		if (is_drop(i) && (by_reason[i] || prio_counters[i].kind != COUNTER_SOME))
			js_add_int(o, prio_counters[i].name, by_reason[i]);
	return o;
}

/* Packets that links lost, which are no drops: "lost", where there are any. */
static void add_lost(struct results *r, struct json_object *ports)
{
	int64_t random = 0, down = 0, wire_bytes = 0;
	struct json_object *o;

	json_object_object_foreach(ports, name, port) {
		(void)name;
		random += js_int(port, "lost", 0);
		down += js_int(port, "lost_down", 0);
		wire_bytes += js_int(port, "lost_wire_bytes", 0);
	}
	if (!wire_bytes)
		return;
	o = json_object_new_object();
	js_add_int(o, "total", random + down);
	js_add_int(o, "random", random);
	js_add_int(o, "link_down", down);
	js_add_int(o, "wire_bytes", wire_bytes);
	json_object_object_add(r->summary, "lost", o);
}

static void add_drops(struct json_object *port, int64_t *by_reason)
{
	int i;

	for (i = 0; i < PRIO_COUNTERS; i++)
		if (is_drop(i))
			by_reason[i] += port_drops(port, prio_counters[i].name);
}

/**
 * port_drops_json() - a port's lost packets by reason
 * @port: of the totals
 *
 * Return: new object with "total" and a member for each reason.
 */
struct json_object *port_drops_json(struct json_object *port)
{
	int64_t by_reason[PRIO_COUNTERS] = {};

	add_drops(port, by_reason);
	return new_drops(by_reason);
}

/* Its own, those of its priorities together, what its features have, and @by_prio those of each. */
static struct json_object *new_port(struct json_object *port, bool by_prio)
{
	struct json_object *o = json_object_new_object();
	const struct counter *c;

	js_add_int(o, "rate_bps", js_int(port, "rate_bps", 0));
	for (c = port_counters; c < port_counters + PORT_COUNTERS; c++)
		if (port_counter_in_summary(c, "") &&
		    (c->kind != COUNTER_SOME || js_int(port, c->name, 0)))
			js_add_int(o, c->name, js_int(port, c->name, 0));
	for (c = prio_counters; c < prio_counters + PRIO_COUNTERS; c++)
		if (port_counter_in_summary(c, ""))
			js_add_int(o, c->name,
				   port_figure(port, c->name, c->kind == COUNTER_PEAK));
	json_object_object_add(o, "drops", port_drops_json(port));
	json_object_object_foreach(port, name, val)
		if (json_object_is_type(val, json_type_object))
			json_object_object_add(o, name, json_object_get(val));
	if (by_prio)
		json_object_object_add(o, "prio", json_object_get(js_get(port, "prio")));
	return o;
}

struct pfc_sum {
	int64_t pauses, resumes, pause_ns, storms, carried_pause_ns, n_carried;
	int64_t headroom, headroom_peak;
	double ratio;
};

static void add_to_pfc(struct pfc_sum *s, struct json_object *port)
{
	int64_t size, peak;

	s->pauses += js_int(port, "pauses_sent", 0);
	s->resumes += js_int(port, "resumes_sent", 0);
	s->storms += js_int(port, "storms", 0);
	s->pause_ns += js_int(port, "pause_ns", 0);
	size = js_int(port, "headroom_bytes", 0);
	peak = js_int(port, "headroom_peak_bytes", 0);
	if (size > s->headroom)
		s->headroom = size;
	if (peak > s->headroom_peak)
		s->headroom_peak = peak;
	if (size && (double)peak / size > s->ratio)
		s->ratio = (double)peak / size;
}

/*
 * A port that sent but ACKs and requests has a mean length of at most a READ
 * request's; any data packet lifts it above that.
 */
static bool carried_data(struct results *r, struct json_object *port)
{
	bool reads = strcmp(scenario_text(r->plan->sc, "op", "write"), "read") == 0;
	int64_t control = ROCE_WIRE_OVERHEAD + (reads ? ROCE_RETH_BYTES : ROCE_AETH_BYTES);

	return js_int(port, "tx_wire_bytes", 0) > control * js_int(port, "tx_packets", 0);
}

/*
 * The ports that carried data: on a way of some flow's data, and not only used by what
 * comes back. CNPs, and ACKs that bring telemetry, are longer than control packets.
 */
static void add_carried(struct results *r, struct pfc_sum *s, struct json_object *ports)
{
	struct plan *p = r->plan;
	bool *on_way = plan_data_ways(p);
	struct json_object *port;
	char *name;
	int i;

	for (i = 0; i < 2 * p->n_links; i++) {
		struct lab_link *l = &p->links[i / 2];

		if (!on_way[i])
			continue;
		name = xasprintf("%s-%s", p->nodes[i % 2 ? l->a : l->b].name,
				 p->nodes[i % 2 ? l->b : l->a].name);
		port = js_get(ports, name);
		free(name);
		if (!port || !carried_data(r, port))
			continue;
		s->carried_pause_ns += js_int(port, "pause_ns", 0);
		s->n_carried++;
	}
	free(on_way);
}

static int64_t buffer_peak(struct results *r)
{
	struct json_object *switches = js_get(r->totals, "switches");
	int64_t most = 0;

	if (!switches)
		return 0;
	json_object_object_foreach(switches, name, sw) {
		(void)name;
		if (js_int(sw, "peak_used", 0) > most)
			most = js_int(sw, "peak_used", 0);
	}
	return most;
}

static void add_pfc(struct results *r, const struct pfc_sum *s)
{
	struct json_object *o = json_object_new_object();
	double span = (double)(r->last_ns - r->first_ns) * s->n_carried;

	js_add_int(o, "pause_frames", s->pauses);
	js_add_int(o, "resume_frames", s->resumes);
	js_add_int(o, "pause_ns", s->pause_ns);
	js_add_dbl(o, "pause_ratio", span > 0 ? s->carried_pause_ns / span : 0, 5);
	js_add_int(o, "storms", s->storms);
	js_add_int(o, "headroom_bytes", s->headroom);
	js_add_int(o, "headroom_peak_bytes", s->headroom_peak);
	js_add_dbl(o, "headroom_ratio", s->ratio, 5);
	js_add_int(o, "buffer_peak_bytes", buffer_peak(r));
	json_object_object_add(r->summary, "pfc", o);
}

/* The scenario's own flows by what it calls them. */
static void add_groups(struct results *r)
{
	struct json_object *groups = json_object_new_object(), *list;
	int i;

	for (i = 0; i < r->plan->n_listed; i++) {
		const char *name = r->plan->groups[r->plan->flows[i].group];

		if (!name)
			continue;
		list = js_get(groups, name);
		if (!list) {
			list = json_object_new_array();
			json_object_object_add(groups, name, list);
		}
		json_object_array_add(list, json_object_new_int(i));
	}
	if (json_object_object_length(groups))
		json_object_object_add(r->summary, "groups", groups);
	else
		json_object_put(groups);
}

/**
 * results_pfc() - "pfc", "drops", "lost"
 * @r: results
 *
 * Return: new object with the figures of every port, for results_ports().
 */
struct json_object *results_pfc(struct results *r)
{
	struct json_object *from = js_get(r->totals, "ports"), *ports = json_object_new_object();
	int64_t drops[PRIO_COUNTERS] = {};
	bool by_prio = scenario_val(r->plan->sc, "short_weight", 0) != 0;
	struct pfc_sum sum = {};

	if (from) {
		json_object_object_foreach(from, name, port) {
			struct json_object *o = new_port(port, by_prio);

			add_to_pfc(&sum, o);
			add_drops(port, drops);
			json_object_object_add(ports, name, o);
		}
	}
	add_carried(r, &sum, ports);
	add_pfc(r, &sum);
	json_object_object_add(r->summary, "drops", new_drops(drops));
	add_lost(r, ports);
	return ports;
}

/**
 * results_ports() - "groups", "switches", "ports": long lists, so they come last
 * @r: results
 * @ports: from results_pfc()
 */
void results_ports(struct results *r, struct json_object *ports)
{
	struct json_object *switches = js_get(r->totals, "switches");

	add_groups(r);
	if (switches)
		json_object_object_add(r->summary, "switches", json_object_get(switches));
	json_object_object_add(r->summary, "ports", ports);
}
