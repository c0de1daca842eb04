// SPDX-License-Identifier: GPL-2.0
/*
 * lab: state.csv of a run, the algorithm's own variables of each flow.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

#define RX	"rx_"			/* of the end that receives the data */

/* A variable of a flow; those of the end that receives its data begin with RX. */
struct var {
	char *name;
	uint64_t value;
	bool own;			/* the algorithm itself says so */
	bool fresh;			/* has changed since it was written */
};

struct flow_vars {
	struct var *var;
	size_t n;
};

struct state_ctx {
	struct results *r;
	FILE *f;
	struct flow_vars *flow;
};

static bool is_rx(const char *name)
{
	return strncmp(name, RX, strlen(RX)) == 0;
}

static struct var *var_of(struct flow_vars *fv, char *name)
{
	size_t i;

	for (i = 0; i < fv->n; i++) {
		if (strcmp(fv->var[i].name, name))
			continue;
		free(name);
		return &fv->var[i];
	}
	fv->var = xrealloc(fv->var, (fv->n + 1) * sizeof(*fv->var));
	fv->var[fv->n] = (struct var) { .name = name };
	return &fv->var[fv->n++];
}

/*
 * At the end that receives the data the first value is nothing new: only where
 * an algorithm computes there is it of interest. What an algorithm itself calls
 * a receiver's, "rx_u", comes before "u" of that end.
 */
static void set_var(struct flow_vars *fv, const char *name, bool sends, uint64_t value)
{
	bool own = sends || is_rx(name);
	size_t known = fv->n;
	struct var *v;

	v = var_of(fv, own ? xstrdup(name) : xasprintf(RX "%s", name));
	if (known < fv->n)
		v->fresh = sends;
	else if (own == v->own)
		v->fresh |= v->value != value;
	else if (!own)
		return;
	v->own = own;
	v->value = value;
}

static void write_fresh(struct state_ctx *c, int flow, int64_t t)
{
	struct flow_vars *fv = &c->flow[flow];
	size_t i;

	for (i = 0; i < fv->n; i++) {
		struct var *v = &fv->var[i];

		if (v->fresh)
			fprintf(c->f, "%" PRId64 ",%d,%s,%" PRIu64 "\n", t, flow, v->name,
				v->value);
		v->fresh = false;
	}
}

static int state_row(const struct csv *row, void *ctx)
{
	struct state_ctx *c = ctx;
	int64_t t = row_time(c->r, row);
	bool sends = row->field[2][0] == '1';
	char *vars = row->field[3], *name, *eq;
	int flow = atoi(row->field[1]);

	if (flow < 0 || flow >= c->r->n_series)
		return 0;
	while ((name = strsep(&vars, ";"))) {
		eq = strchr(name, '=');
		if (!eq)
			return csv_bad(row, "no value in", name);
		*eq = '\0';
		/* What the sender's queue pair would compute as a receiver. */
		if (!sends || !is_rx(name))
			set_var(&c->flow[flow], name, sends, strtoull(eq + 1, NULL, 10));
	}
	if (results_active(c->r, flow, t))
		write_fresh(c, flow, t);
	return 0;
}

/**
 * results_write_state() - write state.csv
 * @r: results with flows read
 *
 * Return: 0, or the exit status after a message.
 */
int results_write_state(struct results *r)
{
	struct state_ctx c = { .r = r, .f = csv_create(r->dir, T_STATE, true) };
	size_t i;
	int k, rc;

	if (!c.f)
		return EXIT_RUN_FAILED;
	c.flow = xcalloc(r->n_series, sizeof(*c.flow));
	rc = csv_rows(r->raw, T_RAW_STATE, "t_ns,flow,sends,vars", state_row, &c);
	for (k = 0; k < r->n_series; k++) {
		for (i = 0; i < c.flow[k].n; i++)
			free(c.flow[k].var[i].name);
		free(c.flow[k].var);
	}
	free(c.flow);
	return csv_finish(c.f, r->dir, T_STATE) || rc;
}
