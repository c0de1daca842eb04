// SPDX-License-Identifier: GPL-2.0
/*
 * IOFD (in-order flow deflection, Dart's half in the switch): which ports of switches lead up
 * and which down, the escape priorities, and what hosts are told.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched_roce.h>

#include "feature/switch_features.h"

#define FIRST_DSCP	28	/* of the first escape priority; the next has the next */
#define FIRST_PRIO	4
#define FIRST_PRIO_BELOW	2	/* ... and the next has the one before */

#define WHOLE	"dart:preset=whole"

/* The data's priority lies between those above and those below. */
static int escape_prio(struct plan *p, int nth)
{
	return scenario_val(p->sc, "iofd_rank", 0) != 0 ? FIRST_PRIO_BELOW - nth :
							  FIRST_PRIO + nth;
}

/* Dart's preset "whole" is DASR and IOFD; its half in the host is the kernel's to set. */
static bool is_whole(struct json_object *cc)
{
	return strcmp(job_str(cc, J_CC_ALGO, "none"), "dart") == 0 &&
	       strcmp(job_str(cc, J_CC_PRESET, ""), "whole") == 0;
}

/* What the key says; unless it does, with all of Dart. */
static int iofd_mode(struct plan *p, struct json_object *cc)
{
	return scenario_val(p->sc, "iofd", is_whole(cc)) != 0;
}

static bool has_router(struct scenario *sc)
{
	return strcmp(scenario_text(sc, "fabric", "bridge"), "router") == 0;
}

static int iofd_check(struct scenario *sc)
{
	if (scenario_val(sc, "iofd", 0) == 0)
		return 0;
	if (!has_router(sc))
		return usage_error("--set iofd=on: needs fabric=router, bridges do not know neighbours");
	return 0;
}

static int iofd_check_cc(struct plan *p, struct json_object *cc)
{
	if (!is_whole(cc))
		return 0;
	if (!iofd_mode(p, cc))
		return usage_error("--cc " WHOLE ": not with iofd=off, without IOFD it is dart");
	if (!has_router(p->sc))
		return usage_error("--cc " WHOLE ": needs fabric=router, bridges do not know neighbours");
	if (scenario_val(p->sc, "short_prio", 0) > 0)
		return usage_error("--cc " WHOLE ": not with short_prio, both say a packet's priority");
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
static void add_prio(struct plan *p, const struct lab_link *l, struct json_object *prio, int nth,
		     int escapes)
{
	job_add_int(prio, J_PRIO_IOFD,
		    llround(scenario_val(p->sc, "iofd_threshold", port_kmin(p, l) * 2. / 3)));
	if (nth < escapes)
		job_add_int(prio, J_PRIO_IOFD_ESCAPE, FIRST_DSCP + nth);
}

static bool iofd_port(struct plan *p, const struct lab_link *l, int node,
		      struct json_object *port)
{
	int peer = l->a == node ? l->b : l->a;
	int escapes = llround(scenario_val(p->sc, "iofd_escapes", 1)), *tier = tiers(p), i;
	struct json_object *prios = job_get(port, J_PORT_PRIO), *data, *o;
	struct json_object *map = json_object_new_array();

	job_add_int(port, J_PORT_IOFD_LINK, link_of(p, tier, node, peer));
	job_add_int(port, J_PORT_IOFD_HOLD, llround(scenario_val(p->sc, "iofd_hold", 0)));
	free(tier);
	data = js_at(prios, 0);
	for (i = 1; i <= escapes; i++) {
		o = prio_copy(data, escape_prio(p, i - 1));
		add_prio(p, l, o, i, escapes);
		json_object_array_add(prios, o);
		o = json_object_new_object();
		job_add_int(o, J_DSCP_DSCP, FIRST_DSCP + i - 1);
		job_add_int(o, J_DSCP_PRIO, escape_prio(p, i - 1));
		json_object_array_add(map, o);
	}
	add_prio(p, l, data, 0, escapes);
	job_add(port, J_PORT_DSCP, map);
	return true;
}

static void iofd_knobs(struct plan *p, struct json_object *knobs)
{
	js_add_int(knobs, "iofd_tokens", llround(scenario_val(p->sc, "iofd_tokens", 4)));
	js_add_int(knobs, "iofd_short", llround(scenario_val(p->sc, "iofd_short", 8000)));
}

const struct switch_feature iofd_feature = {
	.name = "iofd",
	.check = iofd_check,
	.mode = iofd_mode,
	.check_cc = iofd_check_cc,
	.port = iofd_port,
	.knobs = iofd_knobs,
};
