// SPDX-License-Identifier: GPL-2.0
/*
 * lab: rates.csv, queues.csv and pauses.csv of a run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/csv.h"
#include "results/results.h"

#define COLS_MAX	16

/* Where csv_rows() is, for messages. */
static const char *row_path;
static size_t row_line;

/**
 * csv_rows() - read a CSV file without quotes
 * @path: file; its first line is a heading
 * @row: called for each row; returns non-zero to stop
 * @ctx: for @row
 *
 * Return: 0, or the exit status after a message.
 */
int csv_rows(const char *path, int (*row)(char **col, int n, void *ctx), void *ctx)
{
	char *line = NULL, *col[COLS_MAX];
	FILE *f = fopen(path, "re");
	size_t size = 0;
	int n, rc = 0;

	if (!f)
		return run_error("%s: %s", path, strerror(errno));
	row_path = path;
	row_line = 1;
	if (getline(&line, &size, f) < 0)
		rc = run_error("%s: empty", path);
	while (!rc && getline(&line, &size, f) > 0) {
		row_line++;
		n = csv_split(line, col, COLS_MAX);
		rc = row(col, n, ctx);
	}
	free(line);
	fclose(f);
	return rc;
}

/**
 * csv_bad() - say what is wrong with the row that csv_rows() has just read
 * @what: the rest of the sentence
 * @text: what it is about
 *
 * Return: exit status.
 */
int csv_bad(const char *what, const char *text)
{
	return run_error("%s:%zu: %s \"%s\"", row_path, row_line, what, text);
}

/**
 * csv_number() - a whole number of the row that csv_rows() has just read
 * @text: a column
 * @val: receives it
 *
 * Return: 0, or the exit status after a message.
 */
int csv_number(const char *text, int64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoll(text, &end, 10);
	return errno || end == text || *end ? csv_bad("not a number:", text) : 0;
}

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
static int series_row(char **col, int n, void *ctx)
{
	struct results *r = ctx;
	int flow;

	if (n < 3)
		return csv_bad("too few columns:", col[0]);
	flow = atoi(col[1]);
	if (flow >= 0 && flow < r->n_series)
		series_add(&r->series[flow], strtoll(col[0], NULL, 10),
			   strtoll(col[2], NULL, 10));
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
 * With an algorithm the kernel counts acknowledged wire bytes, which is finer:
 * t_ns,flow,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes,tx_packets,tx_bytes
 * How much of these is payload hangs on what telemetry adds to some or all
 * packets; the mean length of those sent tells.
 */
static int acked_row(char **col, int n, void *ctx)
{
	struct results *r = ctx;
	int64_t t, acked, tx_packets, tx_bytes;
	struct flow_result *f;
	int flow;

	if (n < 8)
		return csv_bad("too few columns:", col[0]);
	flow = atoi(col[1]);
	t = strtoll(col[0], NULL, 10) + r->shift_ns;
	acked = strtoll(col[5], NULL, 10);
	tx_packets = strtoll(col[6], NULL, 10);
	tx_bytes = strtoll(col[7], NULL, 10);
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
	char *gen = xasprintf("%s/flowgen/series.csv", r->raw);
	char *cc = xasprintf("%s/cc.csv", r->raw);
	int rc = 0, i;

	/* Flows of a workload are too many to be watched one by one. */
	r->n_series = r->plan->n_listed;
	r->series = xcalloc(r->n_series + 1, sizeof(*r->series));
	r->acked = xcalloc(r->n_series + 1, sizeof(*r->acked));
	if (path_exists(gen))
		rc = csv_rows(gen, series_row, r);
	/* Of a queue pair that flows share the generator alone knows whose bytes they are. */
	if (!rc && !results_shared(r))
		rc = csv_rows(cc, acked_row, r);
	for (i = 0; i < r->n_series && (size_t)i < r->n_flows; i++)
		finish_series(r, i);
	free(r->acked);
	r->acked = NULL;
	free(gen);
	free(cc);
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
 * csv_create() - open a table for writing
 * @dir: its directory
 * @name: its name
 *
 * Return: the file, or NULL after a message.
 */
FILE *csv_create(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "we");

	if (!f)
		results_error(dir, name);
	free(path);
	return f;
}

/**
 * csv_finish() - close a table
 * @f: from csv_create()
 * @dir: its directory
 * @name: its name
 *
 * Return: 0, or the exit status after a message.
 */
int csv_finish(FILE *f, const char *dir, const char *name)
{
	return file_close(f) ? results_error(dir, name) : 0;
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

struct rates_ctx {
	struct results *r;
	FILE *f;
	size_t *next;			/* by flow: next point of the series */
	int64_t *last_t;		/* by flow: its last row */
	double *last_bytes;
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

static int rates_row(char **col, int n, void *ctx)
{
	struct rates_ctx *c = ctx;
	int64_t t;
	int flow;

	if (n < 5)
		return csv_bad("too few columns:", col[0]);
	t = strtoll(col[0], NULL, 10) + c->r->shift_ns;
	flow = atoi(col[1]);
	if (!results_active(c->r, flow, t))
		return 0;
	fprintf(c->f, "%" PRId64 ",%d,%.0f,%s,%s,%s\n", t, flow, goodput(c, flow, t), col[2],
		col[3], col[4]);
	return 0;
}

static int write_rates(struct results *r)
{
	char *path = xasprintf("%s/cc.csv", r->raw);
	struct rates_ctx c = { .r = r, .f = csv_create(r->dir, "rates.csv") };
	int rc, i;

	if (!c.f)
		return EXIT_RUN_FAILED;
	c.next = xcalloc(r->n_series + 1, sizeof(*c.next));
	c.last_t = xcalloc(r->n_series + 1, sizeof(*c.last_t));
	c.last_bytes = xcalloc(r->n_series + 1, sizeof(*c.last_bytes));
	for (i = 0; i < r->n_series && (size_t)i < r->n_flows; i++)
		c.last_t[i] = r->flows[i].start_ns;
	fprintf(c.f, "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes\n");
	rc = csv_rows(path, rates_row, &c);
	free(c.next);
	free(c.last_t);
	free(c.last_bytes);
	free(path);
	return csv_finish(c.f, r->dir, "rates.csv") || rc;
}

struct copy_ctx {
	struct results *r;
	FILE *f;
};

/* The sampler's clock becomes that of the flows; all else stays. */
static int copy_row(char **col, int n, void *ctx)
{
	struct copy_ctx *c = ctx;
	int64_t t;
	int i;

	if (n < 4)
		return csv_bad("too few columns:", col[0]);
	t = strtoll(col[0], NULL, 10) + c->r->shift_ns;
	if (t < 0)
		return 0;
	fprintf(c->f, "%" PRId64, t);
	for (i = 1; i < n; i++)
		fprintf(c->f, ",%s", col[i]);
	fputc('\n', c->f);
	return 0;
}

static int copy_table(struct results *r, const char *name, const char *head)
{
	char *path = xasprintf("%s/%s", r->raw, name);
	struct copy_ctx c = { .r = r, .f = csv_create(r->dir, name) };
	int rc;

	if (!c.f) {
		free(path);
		return EXIT_RUN_FAILED;
	}
	fprintf(c.f, "%s\n", head);
	rc = csv_rows(path, copy_row, &c);
	free(path);
	return csv_finish(c.f, r->dir, name) || rc;
}

/* Only where ports pause each other. */
static int write_pauses(struct results *r)
{
	return scenario_val(r->plan->sc, "pfc", 0) != 0 ?
	       copy_table(r, "pauses.csv", "t_ns,port,prio,pause_ns") : 0;
}

/**
 * results_write_csv() - write the tables of a run
 * @r: results with flows and series read
 *
 * Return: 0, or the exit status after a message.
 */
int results_write_csv(struct results *r)
{
	return results_write_flows(r) || write_rates(r) || results_write_state(r) ||
	       copy_table(r, "queues.csv", "t_ns,port,prio,bytes,paused") ||
	       write_pauses(r) ? EXIT_RUN_FAILED : 0;
}
