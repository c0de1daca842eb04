// SPDX-License-Identifier: GPL-2.0
/*
 * lab: counts.csv of a run: how many messages and senders a host's algorithm counted, and
 * how many there were by flows.csv. A flow is there from its start to its end at the sender,
 * so it comes half a round trip before, and goes within one of, what a receiver can know.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/belief_accuracy.h"
#include "results/results.h"

#define SETTLE_RTTS	3

/* A flow begins or ends. */
struct change {
	int64_t t_ns;
	int flow, by;
};

/* Of a host: as counted, and as it is. */
struct host {
	int msgs, senders, true_msgs, true_senders;
	int written[4];
	int64_t changed_ns;		/* when what is true did last */
	bool counts;			/* it has counted something */
};

struct counted {
	int64_t t_ns;
	int host, msgs, senders;
};

struct counts {
	struct results *r;
	struct plan *p;
	struct host *host;		/* by node */
	unsigned short *between;	/* flows from a node to a node; NULL: too many nodes */
	struct counted *row;
	size_t n, at;
	struct belief_accuracy accuracy;
};

#define NODES_MAX	2048

/* A device's count has changed. */
static int counts_row(const struct csv *in, void *ctx)
{
	struct counts *c = ctx;
	int64_t msgs, senders;
	struct counted *row;
	int node;

	if (csv_number(in, 2, &msgs) || csv_number(in, 3, &senders))
		return EXIT_RUN_FAILED;
	node = strncmp(in->field[1], "rxe_", 4) ? -1 : plan_find_node(c->p, in->field[1] + 4);
	if (node < 0)
		return csv_bad(in, "no host's device:", in->field[1]);
	if (!(c->n & (c->n - 1)))
		c->row = xrealloc(c->row, (c->n ? 2 * c->n : 1) * sizeof(*c->row));
	row = &c->row[c->n++];
	row->t_ns = row_time(c->r, in);
	row->host = node;
	row->msgs = msgs;
	row->senders = senders;
	c->host[node].counts = true;
	return 0;
}

static int cmp_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	return x->by - y->by;
}

/* Starts and ends of the flows that have samples, in order. */
static struct change *changes(const struct counts *c, size_t *n)
{
	struct change *list = xcalloc(2 * (size_t)c->r->n_series + 1, sizeof(*list));
	int i;

	*n = 0;
	for (i = 0; i < c->r->n_series && (size_t)i < c->r->n_flows; i++) {
		struct flow_result *f = &c->r->flows[i];

		list[(*n)++] = (struct change){ .t_ns = f->start_ns, .flow = i, .by = 1 };
		if (f->done)
			list[(*n)++] = (struct change){ .t_ns = f->start_ns + f->fct_ns,
							.flow = i, .by = -1 };
	}
	qsort(list, *n, sizeof(*list), cmp_change);
	return list;
}

static void apply(struct counts *c, const struct change *change)
{
	struct lab_flow *f = &c->p->flows[change->flow];
	struct host *h = &c->host[f->dst];
	unsigned short *pair;

	h->true_msgs += change->by;
	h->changed_ns = change->t_ns;
	if (!c->between)
		return;
	pair = &c->between[(size_t)f->dst * c->p->n_nodes + f->src];
	if (change->by > 0)
		h->true_senders += !(*pair)++;
	else
		h->true_senders -= !--(*pair);
}

static void write_host(struct counts *c, int node, int64_t t_ns, int64_t ns, FILE *f)
{
	struct host *h = &c->host[node];
	int now[] = { h->msgs, h->true_msgs, h->senders, c->between ? h->true_senders : -1 };

	if (!h->counts)
		return;
	belief_accuracy_add(&c->accuracy, ns,
			    t_ns - h->changed_ns >= SETTLE_RTTS * c->p->base_rtt_ns,
			    h->msgs == h->true_msgs);
	if (memcmp(now, h->written, sizeof(now)) == 0)
		return;
	memcpy(h->written, now, sizeof(now));
	fprintf(f, "%" PRId64 ",%s,%d,%d,%d,", t_ns, c->p->nodes[node].name, now[0], now[1],
		now[2]);
	if (now[3] >= 0)
		fprintf(f, "%d", now[3]);
	fputc('\n', f);
}

static void write_samples(struct counts *c, const int64_t *t_ns, size_t n, FILE *f)
{
	size_t n_changes, next = 0, k;
	struct change *list = changes(c, &n_changes);
	int i;

	for (k = 0; k < n; k++) {
		while (next < n_changes && list[next].t_ns <= t_ns[k])
			apply(c, &list[next++]);
		for (; c->at < c->n && c->row[c->at].t_ns <= t_ns[k]; c->at++) {
			c->host[c->row[c->at].host].msgs = c->row[c->at].msgs;
			c->host[c->row[c->at].host].senders = c->row[c->at].senders;
		}
		for (i = 0; i < c->p->n_nodes; i++)
			write_host(c, i, t_ns[k], k + 1 < n ? t_ns[k + 1] - t_ns[k] : 0, f);
	}
	free(list);
}

/**
 * results_counts() - write counts.csv, where an algorithm counted
 * @r: results with flows read
 * @t_ns: times of the samples
 * @n: how many
 *
 * Return: 0, or the exit status after a message.
 */
int results_counts(struct results *r, const int64_t *t_ns, size_t n)
{
	struct counts c = { .r = r, .p = r->plan };
	FILE *f = NULL;
	int rc;

	c.host = xcalloc(c.p->n_nodes, sizeof(*c.host));
	if (c.p->n_nodes <= NODES_MAX)
		c.between = xcalloc((size_t)c.p->n_nodes * c.p->n_nodes, sizeof(*c.between));
	rc = csv_rows(r->raw, T_RAW_COUNTS, "t_ns,dev,msgs,senders", counts_row, &c);
	if (!rc && c.n && n) {
		f = csv_create(r->dir, T_COUNTS, true);
		rc = f ? 0 : EXIT_RUN_FAILED;
	}
	if (f) {
		write_samples(&c, t_ns, n, f);
		json_object_object_add(r->summary, "counts", belief_accuracy_json(&c.accuracy));
		rc = csv_finish(f, r->dir, T_COUNTS);
	}
	free(c.host);
	free(c.between);
	free(c.row);
	return rc;
}
