// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the flows of a run, from the generator's rows to flows.csv.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

#define FLOWS_ROWS	200000

static bool is_node(const char *dev, const char *node)
{
	return strcmp(strncmp(dev, "rxe_", 4) ? dev : dev + 4, node) == 0;
}

static int flow_row(const struct csv *c, void *ctx)
{
	char *const *col = c->field;
	struct results *r = ctx;
	bool read = strcmp(scenario_text(r->plan->sc, "op", "write"), "read") == 0;
	const struct plan *p = r->plan;
	struct flow_result *f;
	int64_t id, qpn, dst_qpn;

	if (csv_number(c, 0, &id))
		return EXIT_RUN_FAILED;
	if (id < 0 || id >= p->n_flows)
		return csv_bad(c, "no flow has the id", col[0]);
	if (r->n_flows == (size_t)p->n_flows)
		return csv_bad(c, "a flow more than there are:", col[0]);
	/* The side that sends the data is ours to call the source. */
	if (!is_node(col[read ? 2 : 1], p->nodes[p->flows[id].src].name) ||
	    !is_node(col[read ? 1 : 2], p->nodes[p->flows[id].dst].name))
		return csv_bad(c, "other hosts than those of flow", col[0]);
	f = &r->flows[r->n_flows++];
	f->id = (int)id;
	if (csv_number(c, read ? 4 : 3, &qpn) || csv_number(c, read ? 3 : 4, &dst_qpn) ||
	    csv_number(c, 5, &f->bytes) || csv_number(c, 6, &f->start_ns) ||
	    csv_number(c, 7, &f->fct_ns))
		return EXIT_RUN_FAILED;
	f->qpn = (uint32_t)qpn;
	f->dst_qpn = (uint32_t)dst_qpn;
	f->done = strcmp(col[8], "ok") == 0 && f->fct_ns >= 0;
	/* Others were stopped because the time limit of the run was reached. */
	f->stopped = p->flows[id].background && strcmp(col[8], "stopped") == 0;
	return 0;
}

static int cmp_id(const void *a, const void *b)
{
	const struct flow_result *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Flows of a file come in the order in which they ended. */
static int sort_flows(struct results *r)
{
	size_t i;

	qsort(r->flows, r->n_flows, sizeof(*r->flows), cmp_id);
	for (i = 1; i < r->n_flows; i++)
		if (r->flows[i].id == r->flows[i - 1].id)
			return run_error("%s/%s: flow %d is there twice", r->raw,
					 tables[T_RAW_FLOWS].file, r->flows[i].id);
	return 0;
}

/**
 * results_ideal_ns() - completion time alone on an idle path
 * @r: results
 * @f: flow of these
 *
 * Return: ns.
 */
int64_t results_ideal_ns(const struct results *r, const struct flow_result *f)
{
	return r->plan->flows[f->id].ideal_ns;
}

/**
 * results_flows() - read the generator's flows
 * @r: results
 *
 * Return: 0, or the exit status after a message.
 */
int results_flows(struct results *r)
{
	size_t i;
	int rc;

	r->flows = xcalloc(r->plan->n_flows ? r->plan->n_flows : 1, sizeof(*r->flows));
	rc = csv_rows(r->raw, T_RAW_FLOWS,
		      "id,src,dst,qpn,dst_qpn,bytes,start_ns,fct_ns,status", flow_row, r) ||
	     sort_flows(r) ? EXIT_RUN_FAILED : 0;
	r->first_ns = INT64_MAX;
	for (i = 0; !rc && i < r->n_flows; i++) {
		struct flow_result *f = &r->flows[i];

		if (f->start_ns >= 0 && f->start_ns < r->first_ns)
			r->first_ns = f->start_ns;
		/* A stopped flow ends what it posted. One that moved nothing has no time. */
		if ((f->done || f->stopped) && f->fct_ns >= 0 &&
		    f->start_ns + f->fct_ns > r->last_ns)
			r->last_ns = f->start_ns + f->fct_ns;
	}
	if (r->first_ns == INT64_MAX)
		r->first_ns = 0;
	return rc;
}

/**
 * results_unreliable() - are completions only about sending
 * @r: results
 *
 * Return: true with unreliable connections.
 */
bool results_unreliable(const struct results *r)
{
	return strcmp(scenario_text(r->plan->sc, "transport", "rc"), "uc") == 0;
}

/**
 * results_rows() - the most rows of flows.csv
 * @r: results
 *
 * Return: rows; without a workload there is one for each flow.
 */
int64_t results_rows(const struct results *r)
{
	int64_t rows = scenario_val(r->plan->sc, "flows_rows", FLOWS_ROWS);

	return r->plan->traffic && rows < r->plan->n_flows ? rows : r->plan->n_flows;
}

/*
 * Of more flows than "flows_rows" one of each as many ids in a row, which one by
 * a hash: no rhythm of the traffic can hide from it.
 */
static bool is_row(const struct results *r, int64_t id)
{
	int64_t n = r->plan->n_flows, rows = results_rows(r), row, from, to;

	if (rows >= n)
		return true;
	row = (id * rows + rows - 1) / n;
	from = row * n / rows;
	to = (row + 1) * n / rows;
	return id == from + (int64_t)((row * 0x9e3779b97f4a7c15ULL >> 32) % (to - from));
}

static bool has_group(const struct plan *p)
{
	return p->traffic || p->own_groups;
}

static void write_flow(struct results *r, FILE *f, const struct flow_result *x)
{
	const struct lab_flow *p = &r->plan->flows[x->id];
	int64_t ideal = results_ideal_ns(r, x);

	fprintf(f, "%d,%s,%s,%u,%" PRId64 ",%" PRId64 ",", x->id, r->plan->nodes[p->src].name,
		r->plan->nodes[p->dst].name, x->qpn, x->bytes, x->start_ns);
	if (x->done)
		fprintf(f, "%" PRId64, x->fct_ns);
	fprintf(f, ",%" PRId64 ",", ideal);
	/* What has left its host has not arrived. */
	if (x->done && ideal && !results_unreliable(r))
		fprintf(f, "%.4f", (double)x->fct_ns / ideal);
	if (has_group(r->plan))
		fprintf(f, ",%s", r->plan->groups[p->group] ? r->plan->groups[p->group] : "");
	fputc('\n', f);
}

/**
 * results_write_flows() - write flows.csv
 * @r: results with flows read
 *
 * Return: 0, or the exit status after a message.
 */
int results_write_flows(struct results *r)
{
	FILE *f = csv_create(r->dir, T_FLOWS, has_group(r->plan));
	size_t i;

	if (!f)
		return EXIT_RUN_FAILED;
	for (i = 0; i < r->n_flows; i++)
		if (is_row(r, r->flows[i].id))
			write_flow(r, f, &r->flows[i]);
	return csv_finish(f, r->dir, T_FLOWS);
}
