// SPDX-License-Identifier: GPL-2.0
/*
 * Offered load: how many bytes a second hosts and racks send at a load of 0 to 1.
 *
 * A load of 1 fills the tier of links that fills first. A tier are all links of
 * one direction between nodes of like names: hosts to switches, edge switches to
 * aggregation switches and so on. What share of the traffic a tier carries
 * follows from the policy, if equal-cost paths share equally. So on a fabric
 * without over-subscription the load is of the hosts' links.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

struct tier {
	char name[2 * 16 + 2];
	double rate_bps, share;
};

struct tiers {
	struct tier *tier;
	int n;
};

/**
 * traffic_hosts() - hosts in order, and their racks
 * @t: with plan
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_hosts(struct traffic *t)
{
	struct plan *p = t->p;
	int *rack_of = xcalloc(p->n_nodes, sizeof(*rack_of)), i, r, at = 0;

	t->host = xcalloc(p->n_hosts, sizeof(*t->host));
	t->rack = xcalloc(p->n_hosts, sizeof(*t->rack));
	for (i = 0; i < p->n_nodes; i++) {
		if (!p->nodes[i].host)
			continue;
		if (!rack_of[plan_access_of(p, i)])
			rack_of[plan_access_of(p, i)] = ++t->n_racks;
		t->rack[t->n] = rack_of[plan_access_of(p, i)] - 1;
		t->host[t->n++] = i;
	}
	free(rack_of);
	t->rack_begin = xcalloc(t->n_racks + 1, sizeof(*t->rack_begin));
	t->rack_hosts = xcalloc(t->n, sizeof(*t->rack_hosts));
	for (r = 0; r < t->n_racks; r++) {
		t->rack_begin[r] = at;
		for (i = 0; i < t->n; i++)
			if (t->rack[i] == r)
				t->rack_hosts[at++] = i;
	}
	t->rack_begin[r] = at;
	return traffic_matrix_check(t);
}

/**
 * traffic_cost() - what a flow is of the load
 * @t: traffic
 * @bytes: payload
 *
 * Return: bytes, with headers unless the load counts payload.
 */
double traffic_cost(struct traffic *t, int64_t bytes)
{
	return t->payload ? bytes : wire_flow_bytes(t->p, bytes);
}

/**
 * traffic_incast_cost() - what a flow of an incast is of the load
 * @t: traffic
 *
 * Return: the mean over the sizes that incasts draw from.
 */
double traffic_incast_cost(struct traffic *t)
{
	double sum = 0;
	int i;

	for (i = 0; i <= t->halvings; i++)
		sum += traffic_cost(t, t->incast_bytes >> i);
	return sum / (t->halvings + 1);
}

static size_t put_kind(char *to, const char *name)
{
	size_t n = 0;

	for (; *name; name++)
		if (!isdigit((unsigned char)*name))
			to[n++] = *name;
	return n;
}

/* The tier of a link direction; NULL towards hosts, which only repeats the sources. */
static struct tier *tier_of(struct tiers *ts, struct plan *p, int from, int to)
{
	char name[sizeof(ts->tier->name)] = "hosts";
	size_t n;
	int i;

	if (p->nodes[to].host)
		return NULL;
	if (!p->nodes[from].host) {
		n = put_kind(name, p->nodes[from].name);
		name[n++] = '-';
		n += put_kind(name + n, p->nodes[to].name);
		name[n] = '\0';
	}
	for (i = 0; i < ts->n; i++)
		if (strcmp(ts->tier[i].name, name) == 0)
			return &ts->tier[i];
	ts->tier = xrealloc(ts->tier, (ts->n + 1) * sizeof(*ts->tier));
	ts->tier[ts->n] = (struct tier) {};
	strcpy(ts->tier[ts->n].name, name);
	return &ts->tier[ts->n++];
}

/* What each link direction carries of the load, all of it being 1. */
static double *link_shares(struct traffic *t)
{
	double *share = xcalloc(2 * t->p->n_links, sizeof(*share));
	double *row = xcalloc(t->n, sizeof(*row));
	double *part = xcalloc(t->p->n_nodes, sizeof(*part));
	double even = t->part_incast + t->part_long;
	int dst, i;

	for (dst = 0; dst < t->n; dst++) {
		traffic_matrix_to(t, dst, row);
		memset(part, 0, t->p->n_nodes * sizeof(*part));
		for (i = 0; i < t->n; i++)
			if (i != dst)
				part[t->host[i]] = (1 - even) * row[i] +
						   even / t->n / (t->n - 1);
		plan_spread_to(t->p, t->host[dst], part, share);
	}
	free(row);
	free(part);
	return share;
}

/* Links that nothing crosses, of hosts that were left out, are no capacity. */
static void find_rate(struct traffic *t)
{
	double *share = link_shares(t), full;
	struct tiers ts = {};
	struct plan *p = t->p;
	int i, from, to;

	for (i = 0; i < 2 * p->n_links; i++) {
		struct lab_link *l = &p->links[i / 2];
		struct tier *tier;

		from = i & 1 ? l->a : l->b;
		to = i & 1 ? l->b : l->a;
		tier = share[i] > 0 ? tier_of(&ts, p, from, to) : NULL;
		if (!tier)
			continue;
		tier->rate_bps += l->rate_bps;
		tier->share += share[i];
	}
	t->full_per_s = 0;
	for (i = 0; i < ts.n; i++) {
		full = ts.tier[i].rate_bps / 8 / ts.tier[i].share;
		/* Not for a last digit: equal tiers are no over-subscription. */
		if (t->full_per_s && full > t->full_per_s * (1 - ROUNDING))
			continue;
		t->full_per_s = full;
		t->load_of = strcmp(ts.tier[i].name, "hosts") ? "core" : "hosts";
	}
	free(ts.tier);
	free(share);
}

/*
 * Between points of the distribution sizes are uniform, but headers come in
 * steps, so each segment is looked at in so many places.
 */
#define PLACES	4096

static void find_means(struct traffic *t)
{
	double b0 = 0, p0 = 0, sum;
	u32 i, k;

	t->mean_bytes = fg_cdf_mean(&t->sizes);
	for (i = 0; i < t->sizes.n; i++) {
		double b1 = t->sizes.pts[i].bytes, p1 = t->sizes.pts[i].percent;

		for (k = 0, sum = 0; p1 > p0 && k < PLACES; k++) {
			double b = b0 + (b1 - b0) * (k + 0.5) / PLACES;

			sum += traffic_cost(t, b < 1 ? 1 : llround(b));
		}
		t->mean_cost += (p1 - p0) / 100 * sum / PLACES;
		b0 = b1;
		p0 = p1;
	}
}

/**
 * traffic_load() - how many bytes a second, and how much a flow is of it
 * @t: with hosts and keys
 *
 * Return: 0.
 */
int traffic_load(struct traffic *t)
{
	find_rate(t);
	t->bytes_per_s = t->load * t->full_per_s;
	if (t->name)
		find_means(t);
	return 0;
}
