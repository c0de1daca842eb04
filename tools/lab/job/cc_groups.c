// SPDX-License-Identifier: GPL-2.0
/*
 * lab: groups of hosts that have an algorithm each (cc_items.c). Hosts that are in no group have
 * the first.
 *
 * What an algorithm's receivers must do for it is checked here: one whose receivers tell senders
 * something of their own (CNPs, windows, utilization) needs it at both ends.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Their receivers only return telemetry and times, which the core does under any algorithm. */
static const char *const any_receiver[] = { "fixed", "hpcc", "hpccstar", "powertcp", "swift",
	"timely" };

/**
 * cc_group_of_hosts() - which group each node is in
 * @p: plan after topology_expand()
 * @item: of --cc
 * @group: by node, from 0
 *
 * Return: 0, or the exit status after a message.
 */
int cc_group_of_hosts(const struct plan *p, const char *item, int *group)
{
	bool *which = xcalloc(p->n_nodes, sizeof(*which));
	int *said = xcalloc(p->n_nodes, sizeof(*said)), i, rc = 0;
	char **v, *wrong;
	size_t n, k;

	v = cc_groups_of(item, &n);
	memset(group, 0, p->n_nodes * sizeof(*group));
	for (k = 0; k < n && !rc && cc_is_mixed(item); k++) {
		memset(which, 0, p->n_nodes * sizeof(*which));
		wrong = plan_nodes_of(p, v[2 * k + 1], true, which);
		if (wrong)
			rc = usage_error("--cc %s: no host \"%s\"", item, wrong);
		for (i = 0; i < p->n_nodes && !rc; i++) {
			if (!which[i])
				continue;
			if (said[i]++)
				rc = usage_error("--cc %s: host %s is in two groups", item,
						 p->nodes[i].name);
			group[i] = (int)k;
		}
		free(wrong);
	}
	cc_groups_free(v, n);
	free(said);
	free(which);
	return rc;
}

static bool serves(const char *sender, const char *receiver)
{
	size_t i;

	if (strcmp(sender, receiver) == 0 || strcmp(sender, "none") == 0)
		return true;
	/* Without an algorithm nobody returns telemetry. */
	for (i = 0; i < ARRAY_SIZE(any_receiver) && strcmp(receiver, "none"); i++)
		if (strcmp(sender, any_receiver[i]) == 0)
			return true;
	return false;
}

/**
 * cc_groups_check() - have the receivers of all flows what the senders' algorithms need
 * @p: plan
 * @item: of --cc
 *
 * Return: 0, or the exit status after a message.
 */
int cc_groups_check(const struct plan *p, const char *item)
{
	int *group = xcalloc(p->n_nodes, sizeof(*group)), i, rc;
	char **v, **algos;
	size_t n, k;

	if (!cc_is_mixed(item)) {
		free(group);
		return 0;
	}
	v = cc_groups_of(item, &n);
	algos = xcalloc(n, sizeof(*algos));
	for (k = 0; k < n; k++)
		algos[k] = cc_algo(v[2 * k]);
	rc = cc_group_of_hosts(p, item, group);
	for (i = 0; i < p->n_flows && !rc; i++) {
		const struct lab_flow *f = &p->flows[i];
		const char *a = algos[group[f->src]], *b = algos[group[f->dst]];

		if (!serves(a, b))
			rc = usage_error("--cc %s: %s sends to %s, which has %s: what %s goes by comes from a receiver that has it too, so put %s into its group",
					 item, p->nodes[f->src].name, p->nodes[f->dst].name, b, a,
					 p->nodes[f->dst].name);
	}
	for (k = 0; k < n; k++)
		free(algos[k]);
	free(algos);
	cc_groups_free(v, n);
	free(group);
	return rc;
}

/* That of the first group, and a list of all groups. */
static int cc_groups_json(struct plan *p, const struct run_opts *o, const char *item,
			  struct json_object **out)
{
	struct json_object *list = json_object_new_array(), *one, *cc;
	int *group = xcalloc(p->n_nodes, sizeof(*group)), i, rc;
	size_t n, k;
	char **v = cc_groups_of(item, &n);

	*out = NULL;
	rc = cc_group_of_hosts(p, item, group);
	for (k = 0; k < n && !rc; k++) {
		struct json_object *hosts = json_object_new_array();

		rc = cc_json_one(p, o, v[2 * k], &cc);
		if (rc) {
			json_object_put(hosts);
			break;
		}
		if (!k)
			*out = js_copy(cc);
		for (i = 0; i < p->n_nodes; i++)
			if (p->nodes[i].host && group[i] == (int)k)
				json_object_array_add(hosts,
						      json_object_new_string(p->nodes[i].name));
		one = json_object_new_object();
		job_add(one, J_GROUP_HOSTS, hosts);
		job_add(one, J_GROUP_CC, cc);
		json_object_array_add(list, one);
	}
	if (*out)
		job_add(*out, J_CC_GROUPS, list);
	else
		json_object_put(list);
	if (rc)
		json_object_put(*out);
	cc_groups_free(v, n);
	free(group);
	return rc;
}

/**
 * cc_json() - what every host's device is set to
 * @p: plan
 * @o: options with --param and --knob
 * @item: of --cc: algorithm and its own parameters, which prevail; or groups
 * @out: new object with algo, preset, params and knobs, of the first group, and all groups
 *
 * Return: 0, or the exit status after a message.
 */
int cc_json(struct plan *p, const struct run_opts *o, const char *item, struct json_object **out)
{
	if (cc_is_mixed(item))
		return cc_groups_json(p, o, item, out);
	return cc_json_one(p, o, item, out);
}
