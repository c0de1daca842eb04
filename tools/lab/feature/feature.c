// SPDX-License-Identifier: GPL-2.0
/*
 * The features of the switches' ports, one after the other.
 */
#include "feature/feature.h"

static const struct feature *const features[] = {
	&mercury_feature, &lscc_feature, &iofd_feature,
};

#define for_each_feature(i)	for (i = 0; i < ARRAY_SIZE(features); i++)

_Static_assert(ARRAY_SIZE(features) <= FEATURES_MAX, "room in struct plan");

/**
 * feature_mode() - does a feature run
 * @p: plan after features_set()
 * @f: feature
 *
 * Return: as its mode() said; 0: it does not.
 */
int feature_mode(const struct plan *p, const struct feature *f)
{
	size_t i;

	for_each_feature(i)
		if (features[i] == f)
			return p->feature_mode[i];
	return 0;
}

/**
 * features_check() - can switches do what the keys say
 * @sc: scenario with all its settings
 *
 * Return: 0, or the exit status after a message.
 */
int features_check(struct scenario *sc)
{
	size_t i;
	int rc = 0;

	for_each_feature(i)
		if (!rc && features[i]->check)
			rc = features[i]->check(sc);
	return rc;
}

/**
 * features_hosts() - what hosts are told of the features that run with them
 * @p: plan
 * @cc: what hosts are set to, with an object "knobs"
 *
 * Return: 0, or the exit status after a message.
 */
int features_hosts(struct plan *p, struct json_object *cc)
{
	size_t i;
	int rc = 0;

	for_each_feature(i)
		if (!rc && features[i]->check_cc)
			rc = features[i]->check_cc(p, cc);
	for_each_feature(i)
		if (!rc && features[i]->mode(p, cc))
			features[i]->knobs(p, job_get(cc, J_CC_KNOBS));
	return rc;
}

/**
 * features_set() - which features run, for an algorithm
 * @p: plan
 * @cc: what hosts are set to, of cc_json()
 *
 * Return: true if others than before, or in another way.
 */
bool features_set(struct plan *p, struct json_object *cc)
{
	bool changed = false;
	size_t i;
	int mode;

	p->long_unmarked = false;
	for_each_feature(i) {
		mode = features[i]->mode(p, cc);
		changed |= mode != p->feature_mode[i];
		p->feature_mode[i] = mode;
		p->long_unmarked |= mode && features[i]->keeps_queue;
	}
	return changed;
}

/**
 * features_port() - what the features that run say of a port
 * @p: plan after features_set()
 * @l: link of the port
 * @node: the switch
 * @port: the port, with its list of priorities, of which the first is the data's
 */
void features_port(struct plan *p, const struct lab_link *l, int node, struct json_object *port)
{
	size_t i;

	for_each_feature(i)
		if (p->feature_mode[i])
			features[i]->port(p, l, node, port);
}
