// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that a scenario file lists itself, not those of a workload: adds them to the plan.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/**
 * plan_host_of() - the host that an entry of a scenario file names
 * @l: loops around the entry
 * @entry: with the member
 * @member: "src" or "dst"
 *
 * Return: node, negative after a message.
 */
int plan_host_of(struct loop *l, struct json_object *entry, const char *member)
{
	char *name = plan_name(l, entry, member);
	int node;

	if (!name)
		return -1;
	node = plan_find_node(l->p, name);
	if (node < 0 || !l->p->nodes[node].host) {
		run_error("scenario %s: flow: no host \"%s\"", l->p->sc->name, name);
		node = -1;
	}
	free(name);
	return node;
}

/**
 * plan_add_hops() - a path that a run uses
 * @p: plan
 * @src: host
 * @dst: host
 *
 * Return: 0, or the exit status after a message.
 */
int plan_add_hops(struct plan *p, int src, int dst)
{
	int hops = src == dst ? 0 : wire_hops(p, src, dst);

	if (!hops)
		return usage_error("scenario %s: a flow from %s to itself", p->sc->name,
				   p->nodes[src].name);
	if (hops < 0)
		return run_error("scenario %s: no path from %s to %s", p->sc->name,
				 p->nodes[src].name, p->nodes[dst].name);
	if (hops > p->max_hops)
		p->max_hops = hops;
	return 0;
}

/**
 * plan_new_flow() - room for one more flow
 * @p: plan
 *
 * Return: zeroed, valid until the next call.
 */
struct lab_flow *plan_new_flow(struct plan *p)
{
	struct lab_flow *f;

	if (p->n_flows == p->cap_flows) {
		p->cap_flows = p->cap_flows ? 2 * p->cap_flows : 16;
		p->flows = xrealloc(p->flows, p->cap_flows * sizeof(*p->flows));
	}
	f = &p->flows[p->n_flows++];
	memset(f, 0, sizeof(*f));
	return f;
}

/**
 * plan_group() - number of a group of flows
 * @p: plan
 * @name: what results call it; NULL is group 0
 *
 * Return: index into the plan's groups.
 */
int plan_group(struct plan *p, const char *name)
{
	int i;

	for (i = 1; name && i < p->n_groups; i++)
		if (strcmp(p->groups[i], name) == 0)
			return i;
	if (!name && p->n_groups)
		return 0;
	p->groups = xrealloc(p->groups, (p->n_groups + 2) * sizeof(*p->groups));
	if (!p->n_groups)
		p->groups[p->n_groups++] = NULL;
	if (!name)
		return 0;
	p->groups[p->n_groups] = xstrdup(name);
	return p->n_groups++;
}

static int add_flow(struct loop *l, struct json_object *entry)
{
	struct plan *p = l->p;
	struct lab_flow *f = plan_new_flow(p);
	double bytes, start;
	char *group;
	int rc;

	f->src = plan_host_of(l, entry, "src");
	f->dst = f->src < 0 ? -1 : plan_host_of(l, entry, "dst");
	rc = f->dst < 0 ? EXIT_RUN_FAILED : plan_add_hops(p, f->src, f->dst);
	if (rc)
		return rc;
	if (plan_number(l, entry, "bytes", "size", &bytes) ||
	    plan_number(l, entry, "start", "0", &start))
		return EXIT_RUN_FAILED;
	f->bytes = llround(bytes);
	f->start_ns = llround(start);
	group = js_get(entry, "group") ? plan_name(l, entry, "group") : NULL;
	f->group = plan_group(p, group);
	free(group);
	p->n_listed++;
	return plan_after_entry(l, entry, p->n_flows - 1);
}

/**
 * plan_own_flows() - the flows that a scenario lists
 * @p: plan after topology_expand()
 *
 * Return: 0, or the exit status after a message.
 */
int plan_own_flows(struct plan *p)
{
	return plan_for_each(p, "flows", add_flow);
}

/**
 * plan_flow_stop_ns() - when a background flow ends
 * @p: plan
 * @flow: its number
 *
 * Return: ns after the start of the traffic: what the timeline says, or the end of all such flows.
 */
int64_t plan_flow_stop_ns(const struct plan *p, int flow)
{
	return p->flow_stop_ns && p->flow_stop_ns[flow] ? p->flow_stop_ns[flow] : p->stop_ns;
}
