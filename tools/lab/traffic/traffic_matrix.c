// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic matrix: who sends to whom under each policy, drawn flow by flow and as probabilities.
 */
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

static int rack_size(struct traffic *t, int rack)
{
	return t->rack_begin[rack + 1] - t->rack_begin[rack];
}

static int first_of(struct traffic *t, int rack)
{
	return t->host[t->rack_hosts[t->rack_begin[rack]]];
}

static int check_local(struct traffic *t)
{
	int r;

	if (t->local_share < 1 && t->n_racks < 2)
		return usage_error("--set policy=local: all hosts are at one switch");
	for (r = 0; r < t->n_racks && t->local_share > 0; r++)
		if (rack_size(t, r) < 2)
			return usage_error("--set policy=local: host %s is alone at its switch",
					   t->p->nodes[first_of(t, r)].name);
	return 0;
}

/* The first so many of a random order. */
static int draw_hot(struct traffic *t)
{
	struct fg_rng r;
	int i;

	if (t->n_hot > t->n - 2)
		return usage_error("--set hot_hosts=%d: at least two of the %d hosts must be others",
				   t->n_hot, t->n);
	t->hot = xcalloc(t->n, sizeof(*t->hot));
	for (i = 0; i < t->n; i++)
		t->hot[i] = i;
	fg_rng_seed(&r, t->p->seed, FG_STREAM_PERM, 0);
	fg_rng_shuffle(&r, t->hot, t->n);
	return 0;
}

/**
 * traffic_matrix_check() - can the fabric have this policy; who is hot
 * @t: with hosts and racks
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_matrix_check(struct traffic *t)
{
	int rc;

	if (t->n < 2)
		return usage_error("--set workload: at least two hosts are needed");
	if (t->degree > t->n - 1)
		return usage_error("--set incast_degree=%d: there are %d other hosts", t->degree,
				   t->n - 1);
	if (t->n_groups > t->n)
		return usage_error("--set incast_groups=%d: each has a receiver of its own, there are %d hosts",
				   t->n_groups, t->n);
	if (!t->name)
		return 0;
	rc = host_lists_read(t);
	if (rc)
		return rc;
	if (t->policy == POLICY_LOCAL)
		return check_local(t);
	return t->policy == POLICY_HOTSPOT ? draw_hot(t) : 0;
}

/* One of @n others in a list that holds @src itself at some place. */
static int other_of(const int *list, int n, int src, struct fg_rng *r)
{
	int k = fg_rng_below(r, n - 1);

	/* The last one stands in for the source. */
	return list[k] == src ? list[n - 1] : list[k];
}

/* A host outside the rack: the hosts of all racks lie one after the other. */
static int far_host(struct traffic *t, int rack, struct fg_rng *r)
{
	int begin = t->rack_begin[rack], k;

	k = fg_rng_below(r, t->n - rack_size(t, rack));
	return t->rack_hosts[k < begin ? k : k + rack_size(t, rack)];
}

static int hot_or_not(struct traffic *t, int src, struct fg_rng *r)
{
	bool hot = fg_rng_unit(r) < t->hot_share;
	u32 *list = hot ? t->hot : t->hot + t->n_hot;
	int n = hot ? t->n_hot : t->n - t->n_hot, k, i;

	/* The only hot host sends to the others. */
	if (n == 1 && (int)list[0] == src) {
		list = t->hot + t->n_hot;
		n = t->n - t->n_hot;
	}
	for (i = 0; i < n && (int)list[i] != src; i++)
		;
	if (i == n)
		return list[fg_rng_below(r, n)];
	k = fg_rng_below(r, n - 1);
	return list[k < i ? k : k + 1];
}

/**
 * traffic_matrix_draw() - destination of a flow
 * @t: traffic
 * @src: number of the source
 * @r: its random stream
 *
 * Return: number of another host.
 */
int traffic_matrix_draw(struct traffic *t, int src, struct fg_rng *r)
{
	int rack = t->rack[src], k;

	switch (t->policy) {
	case POLICY_LOCAL:
		if (fg_rng_unit(r) < t->local_share)
			return other_of(&t->rack_hosts[t->rack_begin[rack]], rack_size(t, rack),
					src, r);
		return far_host(t, rack, r);
	case POLICY_HOTSPOT:
		return hot_or_not(t, src, r);
	case POLICY_UNIFORM:
		if (t->receivers.some)
			return host_list_draw(&t->receivers, src, r);
		break;
	}
	k = fg_rng_below(r, t->n - 1);
	return k < src ? k : k + 1;
}

static double hot_chance(struct traffic *t, bool src_hot, bool dst_hot)
{
	int n_hot = t->n_hot - src_hot, n_cold = t->n - t->n_hot - !src_hot;
	double share = n_hot ? t->hot_share : 0;

	return dst_hot ? share / n_hot : (1 - share) / n_cold;
}

static double uniform_chance(struct traffic *t, int src, int dst)
{
	if (!t->name)
		return 1.0 / (t->n - 1);
	if (!t->senders.is[src] || !t->receivers.is[dst])
		return 0;
	return 1.0 / (t->receivers.n - t->receivers.is[src]);
}

/**
 * traffic_matrix_to() - the part of all flows of the workload that goes to one host
 * @t: traffic
 * @dst: number of the host
 * @part: receives it, by number of the source; the whole matrix adds up to 1
 */
void traffic_matrix_to(struct traffic *t, int dst, double *part)
{
	bool *is_hot = xcalloc(t->n, sizeof(*is_hot));
	int src, size;

	for (src = 0; t->hot && src < t->n_hot; src++)
		is_hot[t->hot[src]] = true;
	for (src = 0; src < t->n; src++) {
		size = rack_size(t, t->rack[src]);
		part[src] = 0;
		if (src == dst)
			continue;
		if (t->policy == POLICY_HOTSPOT && t->hot)
			part[src] = hot_chance(t, is_hot[src], is_hot[dst]);
		else if (t->policy == POLICY_LOCAL && t->name)
			part[src] = t->rack[src] == t->rack[dst] ?
				    t->local_share / (size - 1) :
				    (1 - t->local_share) / (t->n - size);
		else
			part[src] = uniform_chance(t, src, dst);
		part[src] /= t->name ? t->senders.n : t->n;
	}
	free(is_hot);
}
