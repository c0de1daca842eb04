// SPDX-License-Identifier: GPL-2.0
/*
 * IOFD: which ports of switches lead up and which down, the escape priorities, and what
 * hosts are told.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched_roce.h>

#include "lab.h"

#define FIRST_DSCP	28	/* of the first escape priority; the next has the next */
#define FIRST_PRIO	4

/**
 * wants_iofd() - do switches deflect?
 * @p: plan
 *
 * Return: true if so.
 */
bool wants_iofd(struct plan *p)
{
	return scenario_val(p->sc, "iofd", 0) != 0;
}

/**
 * iofd_check() - can switches deflect as they are to?
 * @sc: scenario with all its settings
 *
 * Return: 0, or the exit status after a message.
 */
int iofd_check(struct scenario *sc)
{
	if (scenario_val(sc, "iofd", 0) == 0)
		return 0;
	if (strcmp(scenario_text(sc, "fabric", "bridge"), "router"))
		return usage_error("--set iofd=on: needs fabric=router, bridges do not know neighbours");
	return 0;
}

/* Links from the next host: switches that are farther from hosts are nearer to the core. */
static int *tiers(struct plan *p)
{
	int *queue = xcalloc(p->n_nodes, sizeof(*queue));
	int *tier = xcalloc(p->n_nodes, sizeof(*tier));
	int head = 0, tail = 0, i, m, n;

	for (i = 0; i < p->n_nodes; i++) {
		tier[i] = p->nodes[i].host ? 0 : -1;
		if (p->nodes[i].host)
			queue[tail++] = i;
	}
	while (head < tail) {
		n = queue[head++];
		for (i = 0; i < p->nodes[n].n_links; i++) {
			struct lab_link *l = &p->links[p->nodes[n].links[i]];

			m = l->a == n ? l->b : l->a;
			if (tier[m] >= 0)
				continue;
			tier[m] = tier[n] + 1;
			queue[tail++] = m;
		}
	}
	free(queue);
	return tier;
}

static int link_of(struct plan *p, const int *tier, int node, int peer)
{
	if (p->nodes[peer].host || tier[node] == tier[peer])
		return TC_ROCE_IOFD_NONE;
	return tier[peer] > tier[node] ? TC_ROCE_IOFD_UP : TC_ROCE_IOFD_DOWN;
}

/* One priority deflects and, unless it is the last, has an escape. */
static void add_prio(struct plan *p, struct json_object *prio, int nth, int escapes)
{
	js_add_int(prio, "iofd_bytes",
		   llround(scenario_val(p->sc, "iofd_threshold",
					scenario_val(p->sc, "kmin", 0) * 2 / 3)));
	if (nth < escapes)
		js_add_int(prio, "iofd_escape_dscp", FIRST_DSCP + nth);
}

/* As the data's in all but its number. */
static struct json_object *copy_prio(struct json_object *data, int id)
{
	struct json_object *o = json_object_new_object();

	json_object_object_foreach(data, key, val)
		json_object_object_add(o, key, json_object_get(val));
	js_add_int(o, "id", id);
	return o;
}

/**
 * iofd_port() - a switch port deflects
 * @p: plan
 * @node: the switch
 * @peer: node behind the port
 * @port: the port, with its list of priorities, of which the first is the data's
 */
void iofd_port(struct plan *p, int node, int peer, struct json_object *port)
{
	int escapes = llround(scenario_val(p->sc, "iofd_escapes", 1)), *tier = tiers(p), i;
	struct json_object *prios = js_get(port, "prio"), *data, *o;
	struct json_object *map = json_object_new_array();

	js_add_int(port, "iofd_link", link_of(p, tier, node, peer));
	js_add_int(port, "iofd_hold_ns", llround(scenario_val(p->sc, "iofd_hold", 0)));
	free(tier);
	data = json_object_array_get_idx(prios, 0);
	for (i = 1; i <= escapes; i++) {
		o = copy_prio(data, FIRST_PRIO + i - 1);
		add_prio(p, o, i, escapes);
		json_object_array_add(prios, o);
		o = json_object_new_object();
		js_add_int(o, "dscp", FIRST_DSCP + i - 1);
		js_add_int(o, "prio", FIRST_PRIO + i - 1);
		json_object_array_add(map, o);
	}
	add_prio(p, data, 0, escapes);
	json_object_object_add(port, "dscp", map);
}

/**
 * iofd_knobs() - what hosts give their packets
 * @p: plan
 * @knobs: of a port of a host
 */
void iofd_knobs(struct plan *p, struct json_object *knobs)
{
	if (!wants_iofd(p))
		return;
	js_add_int(knobs, "iofd_tokens", llround(scenario_val(p->sc, "iofd_tokens", 4)));
	js_add_int(knobs, "iofd_short", llround(scenario_val(p->sc, "iofd_short", 8000)));
}
