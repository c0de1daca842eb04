// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the progress of flows over time, and rates.csv.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/*
 * Only points where something was done; the line between them is series_at()'s. Bytes that
 * acked_row() has estimated may be some less than those before; nothing is taken back.
 */
static void series_add(struct series *s, int64_t t_ns, int64_t bytes)
{
	if (bytes <= (s->n ? s->bytes[s->n - 1] : 0))
		return;
	if ((s->n & (s->n - 1)) == 0) {
		s->t_ns = xrealloc(s->t_ns, (s->n ? 2 * s->n : 1) * sizeof(*s->t_ns));
		s->bytes = xrealloc(s->bytes, (s->n ? 2 * s->n : 1) * sizeof(*s->bytes));
	}
	s->t_ns[s->n] = t_ns;
	s->bytes[s->n++] = bytes;
}

/* What the generator knows: bytes of completed messages. */
static int series_row(const struct csv *c, void *ctx)
{
	struct results *r = ctx;
	int flow = atoi(c->field[1]);

	if (flow >= 0 && flow < r->n_series)
		series_add(&r->series[flow], strtoll(c->field[0], NULL, 10),
			   strtoll(c->field[2], NULL, 10));
	return 0;
}

/* Mean payload of the packets of an endless flow. */
static double packet_payload(struct plan *p, int64_t flow_bytes)
{
	int64_t mtu = scenario_val(p->sc, "mtu", 1024);
	int64_t chunk = scenario_val(p->sc, "chunk", 262144);
	int64_t other = scenario_val(p->sc, "alternate", 0);

	if (chunk > flow_bytes)
		chunk = flow_bytes;
	return (double)(chunk + other) / ((chunk + mtu - 1) / mtu + (other + mtu - 1) / mtu);
}

/*
 * With an algorithm the kernel counts acknowledged wire bytes, which is finer. How much of
 * these is payload hangs on what telemetry adds to some or all packets; the mean length of
 * those sent tells.
 */
static int acked_row(const struct csv *c, void *ctx)
{
	struct results *r = ctx;
	int64_t t = row_time(r, c), acked = strtoll(c->field[2], NULL, 10);
	int64_t tx_packets = strtoll(c->field[3], NULL, 10);
	int64_t tx_bytes = strtoll(c->field[4], NULL, 10);
	int flow = atoi(c->field[1]);
	struct flow_result *f;

	if (flow < 0 || flow >= r->n_series || (size_t)flow >= r->n_flows || !acked ||
	    tx_packets <= 0 || tx_bytes <= 0)
		return 0;
	f = &r->flows[flow];
	acked = acked * packet_payload(r->plan, r->plan->flows[f->id].bytes) * tx_packets /
		tx_bytes;
	if (f->done && t >= f->start_ns + f->fct_ns)
		return 0;
	series_add(&r->acked[flow], t, acked < f->bytes ? acked : f->bytes);
	return 0;
}

/* The generator's last point lies at the sample after the end. */
static void finish_series(struct results *r, int flow)
{
	struct series *s = &r->acked[flow], *old = &r->series[flow];
	struct flow_result *f = &r->flows[flow];

	if (f->done && old->n && old->t_ns[old->n - 1] > f->start_ns + f->fct_ns)
		old->t_ns[old->n - 1] = f->start_ns + f->fct_ns;
	/* Over before a sample could see it. */
	if (!s->n && !old->n && f->fct_ns >= 0)
		series_add(old, f->start_ns + f->fct_ns, f->bytes);
	if (!s->n)
		return;
	if (f->done)
		series_add(s, f->start_ns + f->fct_ns, f->bytes);
	free(old->t_ns);
	free(old->bytes);
	*old = *s;
}

static bool results_shared(const struct results *r)
{
	return r->plan->traffic && r->plan->n_listed &&
	       strcmp(scenario_text(r->plan->sc, "qp", "flow"), "pair") == 0;
}

/**
 * results_series() - read the progress of all flows
 * @r: results with flows read
 *
 * Return: 0, or the exit status after a message.
 */
int results_series(struct results *r)
{
	char *gen = xasprintf("%s/%s", r->raw, tables[T_RAW_SERIES].file);
	int rc = 0, i;

	/* Flows of a workload are too many to be watched one by one. */
	r->n_series = r->plan->n_listed;
	r->series = xcalloc(r->n_series + 1, sizeof(*r->series));
	r->acked = xcalloc(r->n_series + 1, sizeof(*r->acked));
	if (path_exists(gen))
		rc = csv_rows(r->raw, T_RAW_SERIES, "t_ns,flow,bytes_done", series_row, r);
	/* Of a queue pair that flows share the generator alone knows whose bytes they are. */
	if (!rc && !results_shared(r))
		rc = csv_rows(r->raw, T_RAW_CC, "t_ns,flow,acked_bytes,tx_packets,tx_bytes",
			      acked_row, r);
	for (i = 0; i < r->n_series && (size_t)i < r->n_flows; i++)
		finish_series(r, i);
	free(r->acked);
	r->acked = NULL;
	free(gen);
	return rc;
}

/**
 * series_at() - bytes done at some time, linear between the points
 * @s: series
 * @start_ns: start of the flow, when nothing was done
 * @t: time
 * @hint: in and out: a point before @t; 0 is always right
 *
 * Completions and ACKs come for many packets at once: a line between them is
 * nearer to what the network did than steps.
 *
 * Return: bytes.
 */
double series_at(const struct series *s, int64_t start_ns, int64_t t, size_t *hint)
{
	int64_t t0 = start_ns, b0 = 0;
	size_t i = *hint;

	while (i < s->n && s->t_ns[i] < t)
		i++;
	*hint = i;
	if (i) {
		t0 = s->t_ns[i - 1];
		b0 = s->bytes[i - 1];
	}
	if (i == s->n || t <= t0)
		return b0;
	return b0 + (double)(s->bytes[i] - b0) * (t - t0) / (s->t_ns[i] - t0);
}

/**
 * results_active() - has a flow something to show
 * @r: results with flows read
 * @flow: number
 * @t: time of a sample
 *
 * Return: true from its start to the first sample after its end.
 */
bool results_active(const struct results *r, int flow, int64_t t)
{
	const struct flow_result *f;

	if (flow < 0 || (size_t)flow >= r->n_flows || flow >= r->n_series || t < 0)
		return false;
	f = &r->flows[flow];
	return t >= f->start_ns &&
	       (!f->done || t <= f->start_ns + f->fct_ns + r->plan->sample_ns);
}

/* What an algorithm let a flow do when it was first seen; window 0: none. */
struct allowed {
	int64_t rate_bps, window;
	bool seen;
};

struct rates_ctx {
	struct results *r;
	FILE *f;
	size_t *next;			/* by flow: next point of the series */
	int64_t *last_t;		/* by flow: its last row */
	double *last_bytes;
	struct allowed *start;		/* by flow */
};

/* Mean over the time from the flow's last row, or its start, to this one. */
static double goodput(struct rates_ctx *c, int flow, int64_t t)
{
	struct flow_result *f = &c->r->flows[flow];
	double bytes = series_at(&c->r->series[flow], f->start_ns, t, &c->next[flow]), rate = 0;

	/* The row after the end stands for the rest, up to the end. */
	if (f->done && t > f->start_ns + f->fct_ns)
		t = f->start_ns + f->fct_ns;
	if (t > c->last_t[flow])
		rate = (bytes - c->last_bytes[flow]) * 8e9 / (t - c->last_t[flow]);
	c->last_t[flow] = t;
	c->last_bytes[flow] = bytes;
	return rate;
}

static int64_t line_rate(const struct plan *p, int flow)
{
	const struct lab_node *host = &p->nodes[p->flows[flow].src];

	return p->links[host->links[0]].rate_bps;
}

/*
 * Was the flow given less than in its first sample? What happened before that one shows in the
 * rate alone, since all algorithms start at the rate of the host's port.
 */
static bool slowed(struct rates_ctx *c, int flow, const struct csv *row)
{
	int64_t rate = strtoll(row->field[3], NULL, 10), window = strtoll(row->field[4], NULL, 10);
	struct allowed *start = &c->start[flow];

	if (!start->seen)
		*start = (struct allowed) { line_rate(c->r->plan, flow), window, true };
	return (rate && rate < start->rate_bps) ||
	       (window && (!start->window || window < start->window));
}

/* What comes after the goodput is as labinit wrote it. */
static int rates_row(const struct csv *c, void *ctx)
{
	struct rates_ctx *rates = ctx;
	int64_t t = row_time(rates->r, c);
	int flow = atoi(c->field[1]), i;

	if (!results_active(rates->r, flow, t))
		return 0;
	rates->r->slowed |= slowed(rates, flow, c);
	fprintf(rates->f, "%" PRId64 ",%d,%.0f", t, flow, goodput(rates, flow, t));
	for (i = 3; i < c->n; i++)
		fprintf(rates->f, ",%s", c->field[i]);
	fputc('\n', rates->f);
	return 0;
}

/**
 * results_write_rates() - write rates.csv, and see whether the algorithm slowed a flow
 * @r: results with flows and series read
 *
 * Return: 0, or the exit status after a message.
 */
int results_write_rates(struct results *r)
{
	struct rates_ctx c = { .r = r, .f = csv_create(r->dir, T_RATES, true) };
	char *want = csv_columns_wanted(T_RATES);
	int rc = EXIT_RUN_FAILED, i;

	c.next = xcalloc(r->n_series + 1, sizeof(*c.next));
	c.last_t = xcalloc(r->n_series + 1, sizeof(*c.last_t));
	c.last_bytes = xcalloc(r->n_series + 1, sizeof(*c.last_bytes));
	c.start = xcalloc(r->n_series + 1, sizeof(*c.start));
	for (i = 0; i < r->n_series && (size_t)i < r->n_flows; i++)
		c.last_t[i] = r->flows[i].start_ns;
	if (c.f) {
		rc = csv_rows(r->raw, T_RAW_CC, want, rates_row, &c);
		rc |= csv_finish(c.f, r->dir, T_RATES);
	}
	free(c.next);
	free(c.last_t);
	free(c.last_bytes);
	free(c.start);
	free(want);
	return rc;
}
