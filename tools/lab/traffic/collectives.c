// SPDX-License-Identifier: GPL-2.0
/*
 * Collective operations of parallel jobs (all-reduce and others) as flows that wait for flows:
 * a rank sends a part when it has what the part is made of, and has computed.
 *
 * A rank has what is sent to it when the sender knows that it is complete: that is when flows
 * complete, and what others can wait for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

#define NO_FLOW		UINT32_MAX
#define STREAM_PLACES	0		/* of FG_STREAM_COLLECTIVE; jobs have their number + 1 */

/* Order of the words of the key "collective". */
enum kind {
	ALL_REDUCE_RING, ALL_REDUCE_HALVING, ALL_REDUCE_TREE, ALL_GATHER, REDUCE_SCATTER,
	ALL_TO_ALL, ALL_TO_ALL_PAIRS, PIPELINE, ONE_TO_MANY,
};

/**
 * struct job - one of the jobs that run side by side
 * @t: traffic
 * @number: its number
 * @group: of its flows
 * @ranks: how many
 * @host: by rank: node
 * @bytes: see the key job_size
 * @chunks: parts that are sent one after the other
 * @compute_ns: mean time from what a rank waits for to what it sends
 * @rng: for the jitter of that
 * @round: present round
 * @into: by rank and chunk: the last flow that the rank has got; NO_FLOW: none
 * @next: the same after the present step
 * @sent: by rank: the last flow that it has sent
 */
struct job {
	struct traffic *t;
	int number, group, ranks;
	const int *host;
	int64_t bytes;
	int chunks;
	double compute_ns;
	struct fg_rng rng;
	int round;
	uint32_t *into, *next, *sent;
};

/* Part @i of @n parts of @bytes: all together are exactly that. */
static int64_t part_of(int64_t bytes, int n, int i)
{
	return bytes / n + (i < bytes % n);
}

static double compute_ns(struct job *j, int rank)
{
	struct scenario *sc = j->t->sc;
	double jitter = scenario_val(sc, "compute_jitter", 0), ns = j->compute_ns;

	if (jitter > 0)
		ns *= 1 + jitter * (2 * fg_rng_unit(&j->rng) - 1);
	if (rank < scenario_val(sc, "stragglers", 0))
		ns *= 1 + scenario_val(sc, "straggler_slowdown", 0);
	return ns;
}

/* A flow from rank to rank; what it waits for follows by wait_for(). */
static uint32_t send(struct job *j, int step, int src, int dst, int64_t bytes)
{
	struct plan *p = j->t->p;
	int room = p->steps ? p->cap_flows : 0;
	struct lab_flow *f = plan_new_flow(p);
	uint32_t id = p->n_flows - 1;

	if (p->cap_flows != room)
		p->steps = xrealloc(p->steps, p->cap_flows * sizeof(*p->steps));
	f->src = j->host[src];
	f->dst = j->host[dst];
	f->bytes = bytes;
	f->group = j->group;
	p->steps[id] = (struct collective_step){ .job = j->number, .round = j->round, .step = step,
						 .rank = src, .to = dst };
	depend_begin(&p->after, id, llround(compute_ns(j, src)));
	return id;
}

static int wait_for(struct job *j, uint32_t id, bool start)
{
	if (id != NO_FLOW && depend_add(&j->t->p->after, id, start))
		return usage_error("--set workload=collective: more than %u dependencies of flows",
				   DEPEND_MAX);
	return 0;
}

/* Of a flow that waits for nothing the first step begins at once. */
static void waits_end(struct job *j, uint32_t id)
{
	struct plan *p = j->t->p;
	struct depend *d = &p->after;

	if (d->list[d->n - 1].begin == d->n_edges)
		d->n--;
	else
		p->flows[id].after = d->n;
}

static int wait_for_all(struct job *j, int rank)
{
	int c, rc = 0;

	for (c = 0; c < j->chunks && !rc; c++)
		rc = wait_for(j, j->into[rank * j->chunks + c], false);
	return rc;
}

static void step_end(struct job *j)
{
	memcpy(j->into, j->next, (size_t)j->ranks * j->chunks * sizeof(*j->into));
}

/* In each step each rank sends to the next one what it has got in the step before. */
static int ring(struct job *j, int steps)
{
	int s, r, c, n = j->ranks, rc = 0;

	for (s = 0; s < steps; s++) {
		for (r = 0; r < n; r++) {
			int64_t slice = part_of(j->bytes, n, ((r - s) % n + n) % n);

			for (c = 0; c < j->chunks && !rc; c++) {
				uint32_t id = send(j, s, r, (r + 1) % n,
						   part_of(slice, j->chunks, c));

				rc = s ? wait_for(j, j->into[r * j->chunks + c], false) :
					 wait_for_all(j, r);
				waits_end(j, id);
				j->next[(r + 1) % n * j->chunks + c] = id;
			}
		}
		step_end(j);
	}
	return rc;
}

/*
 * Reduce-scatter with partners at half the distance each time, for half the bytes, and the same
 * backwards as an all-gather (Rabenseifner).
 */
static int halving(struct job *j)
{
	int s, r, steps = 0, rc = 0;

	while (1 << steps < j->ranks)
		steps++;
	for (s = 0; s < 2 * steps; s++) {
		int apart = j->ranks >> ((s < steps ? s : 2 * steps - 1 - s) + 1);

		for (r = 0; r < j->ranks && !rc; r++) {
			uint32_t id = send(j, s, r, r ^ apart,
					   (j->bytes * apart + j->ranks - 1) / j->ranks);

			rc = wait_for(j, j->into[r], false);
			waits_end(j, id);
			j->next[r ^ apart] = id;
		}
		step_end(j);
	}
	return rc;
}

static int depth_of(int rank)
{
	int depth = 0;

	for (; rank; rank = (rank - 1) / 2)
		depth++;
	return depth;
}

/*
 * Up a binary tree and down again, chunk by chunk. Rank 0 is the root, the children of rank r are
 * 2 r + 1 and 2 r + 2.
 */
static int tree(struct job *j)
{
	int r, c, k, child, n = j->ranks, deepest = depth_of(n - 1), rc = 0;
	uint32_t *up = xcalloc((size_t)n * j->chunks, sizeof(*up)), id;

	for (r = n - 1; r > 0; r--) {
		for (c = 0; c < j->chunks && !rc; c++) {
			id = send(j, deepest - depth_of(r), r, (r - 1) / 2,
				  part_of(j->bytes, j->chunks, c));
			rc = wait_for_all(j, r);
			for (k = 1; k <= 2 && !rc; k++) {
				child = 2 * r + k;
				if (child < n)
					rc = wait_for(j, up[child * j->chunks + c], false);
			}
			waits_end(j, id);
			up[r * j->chunks + c] = id;
		}
	}
	for (r = 1; r < n; r++) {
		int parent = (r - 1) / 2;

		for (c = 0; c < j->chunks && !rc; c++) {
			id = send(j, deepest + depth_of(r) - 1, parent, r,
				  part_of(j->bytes, j->chunks, c));
			for (k = 1; k <= 2 && !parent && !rc; k++)
				rc = k < n ? wait_for(j, up[k * j->chunks + c], false) : 0;
			if (parent && !rc)
				rc = wait_for(j, j->next[parent * j->chunks + c], false);
			waits_end(j, id);
			j->next[r * j->chunks + c] = id;
		}
	}
	step_end(j);
	free(up);
	return rc;
}

/* Each rank has a part for each other one. All at once: in the next round after all that it got. */
static int all_to_all(struct job *j)
{
	int r, k, n = j->ranks, rc = 0, to;
	uint32_t *got = xcalloc((size_t)n * n, sizeof(*got)), id;

	for (r = 0; r < n; r++) {
		for (k = 1; k < n && !rc; k++) {
			to = (r + k) % n;
			id = send(j, 0, r, to, part_of(j->bytes, n, to));
			for (int s = 0; s < n && j->round && !rc; s++)
				if (s != r)
					rc = wait_for(j, j->next[r * n + s], false);
			waits_end(j, id);
			got[to * n + r] = id;
		}
	}
	memcpy(j->next, got, (size_t)n * n * sizeof(*got));
	free(got);
	return rc;
}

/* One after the other: in step k with the rank that is k + 1 farther. */
static int all_to_all_pairs(struct job *j)
{
	uint32_t *was = xcalloc(j->ranks, sizeof(*was)), id;
	int r, k, n = j->ranks, rc = 0, to;

	for (k = 1; k < n; k++) {
		memcpy(was, j->sent, n * sizeof(*was));
		for (r = 0; r < n && !rc; r++) {
			to = (r + k) % n;
			id = send(j, k - 1, r, to, part_of(j->bytes, n, to));
			rc = wait_for(j, was[r], false) || wait_for(j, j->into[r], false);
			waits_end(j, id);
			j->sent[r] = id;
			j->next[to] = id;
		}
		step_end(j);
	}
	free(was);
	return rc ? EXIT_USAGE : 0;
}

/* A rank computes a chunk when it has it and has begun to send the one before. */
static int pipeline(struct job *j)
{
	int r, c, rc = 0;

	for (c = 0; c < j->chunks; c++) {
		for (r = 0; r < j->ranks - 1 && !rc; r++) {
			uint32_t id = send(j, r, r, r + 1, part_of(j->bytes, j->chunks, c));

			rc = wait_for(j, j->sent[r], true);
			if (r && !rc)
				rc = wait_for(j, j->next[r * j->chunks + c], false);
			waits_end(j, id);
			j->sent[r] = id;
			j->next[(r + 1) * j->chunks + c] = id;
		}
	}
	return rc;
}

static int one_to_many(struct job *j)
{
	int r, k, rc = 0;

	for (r = 1; r < j->ranks && !rc; r++) {
		uint32_t id = send(j, 0, 0, r, j->bytes);

		for (k = 1; k < j->ranks && !rc; k++)
			rc = wait_for(j, j->into[k], false);
		waits_end(j, id);
		j->next[r] = id;
	}
	step_end(j);
	return rc;
}

static int one_round(struct job *j, enum kind kind)
{
	switch (kind) {
	case ALL_REDUCE_RING:
		return ring(j, 2 * (j->ranks - 1));
	case ALL_REDUCE_HALVING:
		return halving(j);
	case ALL_REDUCE_TREE:
		return tree(j);
	case ALL_GATHER:
	case REDUCE_SCATTER:
		return ring(j, j->ranks - 1);
	case ALL_TO_ALL:
		return all_to_all(j);
	case ALL_TO_ALL_PAIRS:
		return all_to_all_pairs(j);
	case PIPELINE:
		return pipeline(j);
	default:
		return one_to_many(j);
	}
}

/* Hosts in the order in which ranks take them. */
static int *places(struct traffic *t)
{
	const char *how = scenario_text(t->sc, "placement", "rack");
	u32 *order = xcalloc(t->n, sizeof(*order));
	int *host = xcalloc(t->n, sizeof(*host)), i, k, n = 0;
	struct fg_rng r;

	if (strcmp(how, "spread") == 0) {
		for (k = 0; n < t->n; k++)
			for (i = 0; i < t->n_racks; i++)
				if (t->rack_begin[i] + k < t->rack_begin[i + 1])
					order[n++] = t->rack_hosts[t->rack_begin[i] + k];
	} else {
		for (i = 0; i < t->n; i++)
			order[i] = t->rack_hosts[i];
	}
	if (strcmp(how, "random") == 0) {
		fg_rng_seed(&r, t->p->seed, FG_STREAM_COLLECTIVE, STREAM_PLACES);
		fg_rng_shuffle(&r, order, t->n);
	}
	for (i = 0; i < t->n; i++)
		host[i] = t->host[order[i]];
	free(order);
	return host;
}

static bool has_chunks(enum kind kind)
{
	return kind == ALL_REDUCE_RING || kind == ALL_REDUCE_TREE || kind == ALL_GATHER ||
	       kind == REDUCE_SCATTER || kind == PIPELINE;
}

/* Flows of a round. */
static double flows_of(enum kind kind, double n, double chunks)
{
	switch (kind) {
	case ALL_REDUCE_RING:
		return 2 * (n - 1) * n * chunks;
	case ALL_REDUCE_HALVING:
		return 2 * log2(n) * n;
	case ALL_REDUCE_TREE:
		return 2 * (n - 1) * chunks;
	case PIPELINE:
		return (n - 1) * chunks;
	case ONE_TO_MANY:
		return n - 1;
	case ALL_TO_ALL:
	case ALL_TO_ALL_PAIRS:
		return (n - 1) * n;
	default:
		return (n - 1) * n * chunks;
	}
}

static int check(struct traffic *t, enum kind of, int jobs, int ranks)
{
	int chunks = scenario_val(t->sc, "chunks", 1);
	double bytes = scenario_val(t->sc, "job_size", 0), least = chunks;
	double flows = flows_of(of, ranks, chunks) * jobs * scenario_val(t->sc, "rounds", 1);
	const char *name = scenario_text(t->sc, "collective", "");

	if (ranks < 2)
		return usage_error("--set workload=collective: %d host%s not enough for %d job%s of two ranks",
				   t->n, t->n == 1 ? " is" : "s are", jobs, jobs > 1 ? "s" : "");
	if ((int64_t)jobs * ranks > t->n)
		return usage_error("--set ranks: %d jobs of %d ranks, but there are %d hosts",
				   jobs, ranks, t->n);
	if (of == ALL_REDUCE_HALVING && ranks & (ranks - 1))
		return usage_error("--set ranks: %d is no power of two, as collective=%s needs",
				   ranks, name);
	if (chunks > 1 && !has_chunks(of))
		return usage_error("--set chunks: of no use with collective=%s", name);
	if (of != ALL_REDUCE_TREE && of != PIPELINE && of != ONE_TO_MANY)
		least *= ranks;
	if (bytes < least)
		return usage_error("--set job_size: %.0f bytes cannot be divided into %.0f parts",
				   bytes, least);
	if (flows > FLOWS_MAX)
		return usage_error("--set workload=collective: %.0f flows, at most %d",
				   flows, FLOWS_MAX);
	if (scenario_val(t->sc, "stragglers", 0) > ranks)
		return usage_error("--set stragglers: a job has %d ranks", ranks);
	return 0;
}

static int one_job(struct traffic *t, enum kind of, int number, int ranks, const int *host)
{
	struct job j = { .t = t, .number = number, .ranks = ranks, .host = host,
			 .bytes = scenario_val(t->sc, "job_size", 0),
			 .chunks = scenario_val(t->sc, "chunks", 1),
			 .compute_ns = scenario_val(t->sc, "compute", 0) };
	int rounds = scenario_val(t->sc, "rounds", 1), rc = 0;
	size_t n = (size_t)ranks * (of == ALL_TO_ALL ? ranks : j.chunks);
	size_t bytes = n * sizeof(*j.into);
	char name[16];

	snprintf(name, sizeof(name), "job%d", number);
	j.group = plan_group(t->p, name);
	fg_rng_seed(&j.rng, t->p->seed, FG_STREAM_COLLECTIVE, 1 + number);
	j.into = xcalloc(n, sizeof(*j.into));
	j.next = xcalloc(n, sizeof(*j.next));
	j.sent = xcalloc(n, sizeof(*j.sent));
	memset(j.into, 0xff, bytes);
	memset(j.next, 0xff, bytes);
	memset(j.sent, 0xff, bytes);
	for (; j.round < rounds && !rc; j.round++)
		rc = one_round(&j, of);
	free(j.into);
	free(j.next);
	free(j.sent);
	return rc;
}

/* Flows besides that belong to no job, from the start until "stop". */
static void background(struct traffic *t)
{
	int i, n = scenario_val(t->sc, "background_flows", 0), src, dst;
	struct lab_flow *f;
	struct fg_rng r;

	fg_rng_seed(&r, t->p->seed, FG_STREAM_BACKGROUND, 0);
	for (i = 0; i < n; i++) {
		src = fg_rng_below(&r, t->n);
		dst = fg_rng_below(&r, t->n - 1);
		f = plan_new_flow(t->p);
		f->src = t->host[src];
		f->dst = t->host[dst < src ? dst : dst + 1];
		f->group = plan_group(t->p, GROUP_LONG);
		f->bytes = FG_SIZE_MAX;
		f->background = true;
	}
}

/**
 * traffic_collectives() - the flows of workload=collective
 * @t: with hosts
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_collectives(struct traffic *t)
{
	enum kind kind = scenario_val(t->sc, "collective", 0);
	int jobs = scenario_val(t->sc, "jobs", 1);
	int ranks = scenario_val(t->sc, "ranks", t->n / jobs);
	int rc = check(t, kind, jobs, ranks), i, *host;

	if (rc)
		return rc;
	host = places(t);
	for (i = 0; i < jobs && !rc; i++)
		rc = one_job(t, kind, i, ranks, host + (size_t)i * ranks);
	free(host);
	if (!rc)
		rc = plan_after_check(t->p, NULL, NULL);
	t->p->n_steps = t->p->n_flows;
	t->p->own_groups = true;
	background(t);
	t->duration_ns = 1;
	return rc;
}
