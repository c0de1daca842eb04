// SPDX-License-Identifier: GPL-2.0
/*
 * Settings of ports by a scenario's keys, in numbers: MTU, which ports mark, the queue where
 * they begin to mark (Kmin) and the one from which they mark every packet (Kmax).
 */
#include <math.h>
#include <string.h>

#include "lab.h"

/* rxe takes this much of a port's MTU for headers before it picks its own. */
#define RXE_HDR_ROOM		80
/* INT-MD: shim and header; and all that this lab's algorithms ask of a hop. */
#define INT_FIXED_BYTES		16
#define INT_HOP_BYTES		32

/* Default of the key kmax. */
#define KMAX_OVER_KMIN		4

/**
 * port_keys() - options of a port or a priority that say what keys say, unless those leave it
 *	to the kernel
 * @p: plan
 * @o: the port or priority
 * @in: which of them
 * @group: of the options in job_file_keys.h
 */
void port_keys(struct plan *p, struct json_object *o, enum job_object in, const char *group)
{
	struct key *key;
	size_t k;

	for (k = 0; k < J_KEYS; k++) {
		if (job_defs[k].object != in || !job_defs[k].group ||
		    strcmp(job_defs[k].group, group))
			continue;
		key = scenario_key(p->sc, job_defs[k].key);
		if (key && !key->is_auto)
			job_add_int(o, k, llround(key->val));
	}
}

static bool is_on(struct plan *p, const char *key)
{
	return scenario_val(p->sc, key, 0) != 0;
}

/**
 * port_mtu() - the largest IP packet that a run can make
 * @p: plan whose flows are known
 *
 * It is the MTU of every port, and with it part of every computed headroom: more
 * would reserve buffer for packets that never come.
 *
 * Return: bytes.
 */
int64_t port_mtu(struct plan *p)
{
	int64_t room = ROCE_HDR_BYTES - ETH_HDR_BYTES + ROCE_RETH_BYTES;

	/* rxe takes that off, and what INT needs besides. */
	if (room < RXE_HDR_ROOM)
		room = RXE_HDR_ROOM;
	if (is_on(p, "int"))
		room += INT_FIXED_BYTES + (int64_t)p->max_hops * INT_HOP_BYTES;
	return (int64_t)scenario_val(p->sc, "mtu", 1024) + room;
}

/* Neither the user nor the scenario says: it goes by the rate. */
static bool by_rate(const struct key *k)
{
	return !k->set && strcmp(k->def, k->general) == 0;
}

/* The keys are of a link of the key rate. A kmin that goes by the rate does not pass a kmax. */
static int64_t key_kmin(struct plan *p, const struct lab_link *l)
{
	struct key *kmin = scenario_key(p->sc, "kmin"), *kmax = scenario_key(p->sc, "kmax");
	double v = kmin->val;

	if (!by_rate(kmin))
		return llround(v);
	v *= l->rate_bps / scenario_val(p->sc, "rate", l->rate_bps);
	if (l->kmax_bytes >= 0)
		return llround(fmin(v, l->kmax_bytes));
	return llround(by_rate(kmax) ? v : fmin(v, kmax->val));
}

/**
 * port_kmin() - queue where the ports of a link begin to mark
 * @p: plan
 * @l: link
 *
 * Return: what the link says or else the key or, unless that was set, 32 us of queue at the
 * rate of the link.
 */
int64_t port_kmin(struct plan *p, const struct lab_link *l)
{
	return l->kmin_bytes >= 0 ? l->kmin_bytes : key_kmin(p, l);
}

/**
 * port_kmax() - queue from which they mark every packet
 * @p: plan
 * @l: link
 *
 * Return: what the link says or else the key or, unless that was set, four times port_kmin().
 */
int64_t port_kmax(struct plan *p, const struct lab_link *l)
{
	struct key *kmax = scenario_key(p->sc, "kmax");

	if (l->kmax_bytes >= 0)
		return l->kmax_bytes;
	return by_rate(kmax) ? KMAX_OVER_KMIN * port_kmin(p, l) : llround(kmax->val);
}

/* What keeps a queue in the switches at a long link: none of their ports marks. */
static bool keeps_queue(struct plan *p, int node)
{
	struct lab_node *n = &p->nodes[node];
	int i;

	for (i = 0; p->long_unmarked && i < n->n_links; i++)
		if (p->links[n->links[i]].is_long)
			return true;
	return false;
}

/**
 * port_marks() - do the ports of a node mark
 * @p: plan after switch_features_set()
 * @node: node
 *
 * Return: true if so.
 */
bool port_marks(struct plan *p, int node)
{
	return is_on(p, "ecn") && (!p->nodes[node].host || p->host_ecn) && !keeps_queue(p, node);
}
