// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the flows of a workload, incasts and background flows at random: when they start, their
 * sizes, their hosts.
 *
 * The load that is offered must be the one asked for, also in a short run of a
 * heavy-tailed workload. So two things are not left to chance, and no single
 * flow can tell:
 *
 * - how many arrivals there are. The sources' Poisson processes are drawn with
 *   gaps of mean 1, and time is scaled so that the first arrival too many falls
 *   on the end. That is a Poisson process on condition of its number.
 * - how many sizes come from each part of the distribution. Every flow draws a
 *   number, and the flow whose number is the k-th smallest of N gets a size from
 *   the k-th of N parts of equal probability, drawn again if the sum is far off.
 */
#include <math.h>
#include <stdlib.h>

#include "traffic/traffic.h"

/* Close enough to the load that is asked for; and when to give up. */
#define LOAD_CLOSE	0.002
#define TRIES		300
/* Beyond the numbers of all hosts. */
#define TRY_STREAM	(1ULL << 32)

/* A source's streams, and when its next flow comes. */
struct source {
	struct fg_rng arrival, size, peer;
	double next;
};

/* A heap of sources, the next one on top. */
struct heap {
	struct source *src;
	int *at, n;
};

static void sift_down(struct heap *h, int i)
{
	int k, tmp;

	for (; (k = 2 * i + 1) < h->n; i = k) {
		if (k + 1 < h->n && h->src[h->at[k + 1]].next < h->src[h->at[k]].next)
			k++;
		if (h->src[h->at[i]].next <= h->src[h->at[k]].next)
			break;
		tmp = h->at[i];
		h->at[i] = h->at[k];
		h->at[k] = tmp;
	}
}

static struct heap new_heap(struct traffic *t)
{
	struct heap h = { .n = t->senders.n };
	int i;

	h.src = xcalloc(t->n, sizeof(*h.src));
	h.at = xcalloc(h.n, sizeof(*h.at));
	for (i = 0; i < t->n; i++) {
		fg_rng_seed(&h.src[i].arrival, t->p->seed, FG_STREAM_ARRIVAL, i);
		fg_rng_seed(&h.src[i].size, t->p->seed, FG_STREAM_SIZE, i);
		fg_rng_seed(&h.src[i].peer, t->p->seed, FG_STREAM_PEER, i);
		h.src[i].next = fg_rng_exp(&h.src[i].arrival, 1);
	}
	for (i = 0; i < h.n; i++)
		h.at[i] = t->senders.host[i];
	for (i = h.n / 2; i >= 0; i--)
		sift_down(&h, i);
	return h;
}

/* What a flow has drawn before all of them are known. */
struct drawn {
	double when, rank, within;
	int index;
};

static int by_rank(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->index - y->index;
}

/* Of the flow with the @rank-th smallest number. */
static int64_t size_of(struct traffic *t, const struct drawn *d, int64_t rank)
{
	return fg_cdf_at(&t->sizes, (rank + d->within) / t->n_work);
}

static int64_t start_of(struct traffic *t, double when, double end)
{
	return (int64_t)(when / end * t->duration_ns);
}

/* How far the drawn flows are from what the load asks for, as a part of that. */
static double load_error(struct traffic *t, const struct drawn *d)
{
	double want = t->bytes_per_s * (1 - t->part_incast - t->part_long) *
		      t->duration_ns / 1e9, sum = 0;
	int64_t i;

	for (i = 0; i < t->n_work; i++)
		sum += traffic_cost(t, size_of(t, &d[i], i));
	return fabs(sum / want - 1);
}

/*
 * With few flows the largest parts of the distribution are wide, and where in them
 * the sizes lie makes several per cent. So it is drawn again while it is too far
 * off, but for the first time from the sources' own streams. Every size stays in
 * its part.
 */
static void draw_within(struct traffic *t, struct drawn *d)
{
	double error = load_error(t, d), best = error;
	int64_t i, try, best_try = 0;
	struct fg_rng r;

	for (try = 1; best > LOAD_CLOSE && try <= TRIES; try++) {
		fg_rng_seed(&r, t->p->seed, FG_STREAM_SIZE, TRY_STREAM + try);
		for (i = 0; i < t->n_work; i++)
			d[i].within = fg_rng_unit(&r);
		error = load_error(t, d);
		if (error < best) {
			best = error;
			best_try = try;
		}
	}
	if (!best_try)
		return;
	fg_rng_seed(&r, t->p->seed, FG_STREAM_SIZE, TRY_STREAM + best_try);
	for (i = 0; i < t->n_work; i++)
		d[i].within = fg_rng_unit(&r);
}

static void draw_work(struct traffic *t)
{
	struct drawn *d = xcalloc(t->n_work, sizeof(*d));
	struct heap h = new_heap(t);
	struct plan *p = t->p;
	int group = plan_group(p, GROUP_WORKLOAD), first = p->n_flows, i, s;
	struct lab_flow *f;
	double end;

	for (i = 0; i < t->n_work; i++) {
		s = h.at[0];
		f = plan_new_flow(p);
		f->src = t->host[s];
		f->dst = t->host[traffic_matrix_draw(t, s, &h.src[s].peer)];
		f->group = group;
		d[i].index = i;
		d[i].when = h.src[s].next;
		d[i].rank = fg_rng_unit(&h.src[s].size);
		d[i].within = fg_rng_unit(&h.src[s].size);
		h.src[s].next += fg_rng_exp(&h.src[s].arrival, 1);
		sift_down(&h, 0);
	}
	end = h.src[h.at[0]].next;
	qsort(d, t->n_work, sizeof(*d), by_rank);
	draw_within(t, d);
	for (i = 0; i < t->n_work; i++) {
		f = &p->flows[first + d[i].index];
		f->bytes = size_of(t, &d[i], i);
		f->start_ns = start_of(t, d[i].when, end);
	}
	free(h.src);
	free(h.at);
	free(d);
}

/* Streams of random numbers of incasts. */
enum { INCAST_WHEN, INCAST_WHO, INCAST_SIZE, INCAST_LATE, INCAST_GROUPS };

/* A scenario may call them otherwise. */
static int incast_group(struct traffic *t, const char *name)
{
	return plan_group(t->p, js_str(js_get(t->sc->doc, "groups"), name, name));
}

/* Full size or one of the smaller ones, all alike. */
static void draw_incast_size(struct traffic *t, struct fg_rng *r, struct lab_flow *f)
{
	int halved = t->halvings ? fg_rng_below(r, t->halvings + 1) : 0;

	f->bytes = t->incast_bytes >> halved;
	f->group = incast_group(t, halved ? GROUP_SMALLER : GROUP_INCAST);
}

/* A receiver, and the @degree hosts that send to it at once, or nearly so. */
struct incast {
	int dst;
	u32 *from;
};

/* @c->from has room for all hosts but one. */
static void draw_senders(struct traffic *t, struct fg_rng *r, struct incast *c)
{
	int i, k;
	u32 tmp;

	for (i = 0, k = 0; i < t->n; i++)
		if (i != c->dst)
			c->from[k++] = i;
	for (i = 0; i < t->degree; i++) {
		k = i + fg_rng_below(r, t->n - 1 - i);
		tmp = c->from[i];
		c->from[i] = c->from[k];
		c->from[k] = tmp;
	}
}

/* Fixed groups have different receivers; a host may send in several of them. */
static struct incast *draw_groups(struct traffic *t)
{
	struct incast *group = xcalloc(t->n_groups, sizeof(*group));
	u32 *order = xcalloc(t->n, sizeof(*order));
	struct fg_rng r;
	int i;

	fg_rng_seed(&r, t->p->seed, FG_STREAM_INCAST, INCAST_GROUPS);
	for (i = 0; i < t->n; i++)
		order[i] = i;
	fg_rng_shuffle(&r, order, t->n);
	for (i = 0; i < t->n_groups; i++) {
		group[i].dst = order[i];
		group[i].from = xcalloc(t->n, sizeof(*group[i].from));
		draw_senders(t, &r, &group[i]);
	}
	free(order);
	return group;
}

static void draw_incast(struct traffic *t, struct fg_rng *stream, const struct incast *c,
			int64_t start_ns)
{
	struct lab_flow *f;
	int i;

	for (i = 0; i < t->degree; i++) {
		f = plan_new_flow(t->p);
		f->src = t->host[c->from[i]];
		f->dst = t->host[c->dst];
		draw_incast_size(t, &stream[INCAST_SIZE], f);
		f->start_ns = start_ns + fg_rng_below(&stream[INCAST_LATE], t->spread_ns + 1);
	}
}

/* @group: the fixed ones, or NULL */
static void draw_incasts(struct traffic *t, const struct incast *group)
{
	double *when = xcalloc(t->n_incasts + 1, sizeof(*when)), at = 0;
	struct incast any = { .from = xcalloc(t->n, sizeof(*any.from)) };
	struct fg_rng stream[INCAST_LATE + 1], *who = &stream[INCAST_WHO];
	const struct incast *c = &any;
	int64_t i;

	for (i = 0; i <= INCAST_LATE; i++)
		fg_rng_seed(&stream[i], t->p->seed, FG_STREAM_INCAST, i);
	/* So they have the same numbers whatever is drawn first. */
	incast_group(t, GROUP_INCAST);
	for (i = 0; i <= t->n_incasts; i++)
		when[i] = at += fg_rng_exp(&stream[INCAST_WHEN], 1);
	for (i = 0; i < t->n_incasts; i++) {
		if (group) {
			c = &group[fg_rng_below(who, t->n_groups)];
		} else {
			any.dst = fg_rng_below(who, t->n);
			draw_senders(t, who, &any);
		}
		draw_incast(t, stream, c, start_of(t, when[i], at));
	}
	free(any.from);
	free(when);
}

static bool in_a_group(struct traffic *t, const struct incast *group, u32 src, int dst)
{
	int i, k;

	for (i = 0; group && i < t->n_groups; i++)
		for (k = 0; group[i].dst == dst && k < t->degree; k++)
			if (group[i].from[k] == src)
				return true;
	return false;
}

/*
 * Long flows outlast the run, so there are as many all the time as there would be
 * on average if more came and went. They start within the warm-up, so that not
 * all of them are in step. They keep off the pairs of hosts of fixed groups: with
 * a queue pair a pair of hosts an incast's flow would wait for the end of the run.
 */
static void draw_long(struct traffic *t, const struct incast *group)
{
	u32 *order = xcalloc(t->n, sizeof(*order));
	struct plan *p = t->p;
	struct lab_flow *f;
	struct fg_rng r;
	int64_t i, tries;
	u32 k, src, dst;

	fg_rng_seed(&r, p->seed, FG_STREAM_BACKGROUND, 0);
	for (i = 0; i < t->n; i++)
		order[i] = i;
	for (i = 0; i < t->n_long; i++) {
		if (i % t->n == 0)
			fg_rng_shuffle(&r, order, t->n);
		f = plan_new_flow(p);
		src = order[i % t->n];
		k = fg_rng_below(&r, t->n - 1);
		dst = k < src ? k : k + 1;
		for (tries = 2; tries < t->n && in_a_group(t, group, src, dst); tries++) {
			k = (k + 1) % (t->n - 1);
			dst = k < src ? k : k + 1;
		}
		f->src = t->host[src];
		f->dst = t->host[dst];
		f->group = plan_group(p, GROUP_LONG);
		f->bytes = t->long_bytes;
		f->start_ns = (int64_t)(fg_rng_unit(&r) * p->measure_from_ns);
		f->background = true;
	}
	free(order);
}

/* Nothing of the order is left to the sort: equal flows are equal in all. */
static int by_start(const void *a, const void *b)
{
	const struct lab_flow *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->group != y->group)
		return x->group - y->group;
	if (x->src != y->src)
		return x->src - y->src;
	if (x->dst != y->dst)
		return x->dst - y->dst;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/**
 * traffic_draw() - all flows, in order of their starts
 * @t: with numbers of flows and duration
 */
void traffic_draw(struct traffic *t)
{
	struct incast *group = t->n_groups ? draw_groups(t) : NULL;
	struct plan *p = t->p;
	int i;

	if (t->n_work)
		draw_work(t);
	if (t->n_incasts)
		draw_incasts(t, group);
	if (t->n_long)
		draw_long(t, group);
	for (i = 0; i < t->n_groups; i++)
		free(group[i].from);
	free(group);
	qsort(p->flows + p->n_listed, p->n_flows - p->n_listed, sizeof(*p->flows), by_start);
}
