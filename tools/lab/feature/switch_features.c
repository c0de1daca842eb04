// SPDX-License-Identifier: GPL-2.0
/*
 * Calls the features of switches' ports (Mercury, IOFD, LSCC) one after the other: checks,
 * options of ports, knobs of hosts, totals.
 */
#include "common/port_counters.h"
#include "feature/switch_features.h"

extern const struct switch_feature mercury_feature, iofd_feature, lscc_feature;

static const struct switch_feature *const features[] = {
	&mercury_feature, &iofd_feature, &lscc_feature,
};

#define for_each_feature(i)	for (i = 0; i < ARRAY_SIZE(features); i++)

_Static_assert(ARRAY_SIZE(features) <= SWITCH_FEATURES_MAX, "room in struct plan");

/**
 * switch_features_check() - can switches do what the keys say
 * @sc: scenario with all its settings
 *
 * Return: 0, or the exit status after a message.
 */
int switch_features_check(struct scenario *sc)
{
	size_t i;
	int rc = 0;

	for_each_feature(i)
		if (!rc && features[i]->check)
			rc = features[i]->check(sc);
	return rc;
}

/**
 * switch_features_hosts() - what hosts are told of the features that run with them
 * @p: plan
 * @cc: what hosts are set to, with an object "knobs"
 *
 * Return: 0, or the exit status after a message.
 */
int switch_features_hosts(struct plan *p, struct json_object *cc)
{
	struct json_object *knobs = job_get(cc, J_CC_KNOBS);
	size_t i;
	int rc = 0;

	for_each_feature(i)
		if (!rc && features[i]->check_cc)
			rc = features[i]->check_cc(p, cc);
	for_each_feature(i) {
		if (rc || !features[i]->mode(p, cc))
			continue;
		if (features[i]->tells_senders)
			js_add_int(knobs, "switch_feedback", 1);
		if (features[i]->knobs)
			features[i]->knobs(p, knobs);
	}
	return rc;
}

/**
 * switch_features_set() - which features run, for an algorithm
 * @p: plan
 * @cc: what hosts are set to, of cc_json()
 */
void switch_features_set(struct plan *p, struct json_object *cc)
{
	size_t i;

	p->cc = cc;
	p->long_unmarked = false;
	for_each_feature(i) {
		p->feature_mode[i] = features[i]->mode(p, cc);
		p->long_unmarked |= p->feature_mode[i] && features[i]->keeps_queue;
	}
}

/**
 * switch_features_port() - what the features that run say of a port
 * @p: plan after switch_features_set()
 * @l: link of the port
 * @node: the switch
 * @port: the port, with its list of priorities, of which the first is the data's
 */
void switch_features_port(struct plan *p, const struct lab_link *l, int node,
			  struct json_object *port)
{
	struct json_object *names = json_object_new_array();
	size_t i;

	for_each_feature(i)
		if (p->feature_mode[i] && features[i]->port(p, l, node, port))
			json_object_array_add(names, json_object_new_string(features[i]->name));
	if (js_len(names))
		job_add(port, J_PORT_FEATURES, names);
	else
		json_object_put(names);
}

/* A counter of all ports together: the sum, or of peaks the largest. */
static int64_t over_ports(struct json_object *ports, const struct counter *c)
{
	int64_t all = 0, v;

	json_object_object_foreach(ports, name, port) {
		(void)name;
		v = js_int(js_get(port, c->object), c->name, 0);
		if (c->kind != COUNTER_PEAK)
			all += v;
		else if (v > all)
			all = v;
	}
	return all;
}

/* Those of one kind, and the sum of all of them. */
static int64_t add_kind(struct json_object *o, struct json_object *ports, const char *object,
			const struct counter *c, size_t n, enum counter_kind kind)
{
	int64_t all = 0, v;

	for (; n; n--, c++) {
		if (c->kind != kind || !port_counter_in_summary(c, object))
			continue;
		v = over_ports(ports, c);
		js_add_int(o, c->name, v);
		all += v;
	}
	return all;
}

/**
 * switch_features_totals() - what all ports together have counted of the features that ran
 * @p: plan
 * @ports: of totals.json
 * @summary: receives an object for each feature
 *
 * Return: what features still had in the end and should not have.
 */
int64_t switch_features_totals(struct plan *p, struct json_object *ports,
			       struct json_object *summary)
{
	static const enum counter_kind kinds[] = { COUNTER_SUM, COUNTER_LEFT, COUNTER_PEAK };
	struct json_object *o;
	int64_t left = 0, sum;
	size_t i, k;

	for_each_feature(i) {
		if (!p->feature_mode[i] || !ports)
			continue;
		o = json_object_new_object();
		for (k = 0; k < ARRAY_SIZE(kinds); k++) {
			sum = add_kind(o, ports, features[i]->name, port_counters, PORT_COUNTERS,
				       kinds[k]) +
			      add_kind(o, ports, features[i]->name, prio_counters, PRIO_COUNTERS,
				       kinds[k]);
			left += kinds[k] == COUNTER_LEFT ? sum : 0;
		}
		json_object_object_add(summary, features[i]->name, o);
	}
	return left;
}
