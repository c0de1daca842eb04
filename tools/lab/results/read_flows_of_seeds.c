// SPDX-License-Identifier: GPL-2.0
/*
 * lab: reads flows.csv and summary.json of result directories, for figures over several seeds.
 */
#include <stdlib.h>
#include <string.h>

#include "results/flow_figures.h"
#include "results/results.h"

/* Times and sizes are not negative. */
static int number(const struct csv *c, int i, int64_t *v)
{
	int rc = csv_number(c, i, v);

	return !rc && *v < 0 ? csv_bad(c, "not a number:", c->field[i]) : rc;
}

/* Index of a group, which is made if there is none; the first has no name. */
static int group_of(struct loaded_flows *l, const char *name)
{
	int i;

	if (!*name)
		return 0;
	for (i = 1; i < l->n_groups; i++)
		if (strcmp(l->groups[i], name) == 0)
			return i;
	l->groups = xrealloc(l->groups, (l->n_groups + 1) * sizeof(*l->groups));
	l->groups[l->n_groups] = xstrdup(name);
	return l->n_groups++;
}

static int read_flow(const struct csv *c, void *ctx)
{
	struct loaded_flows *l = ctx;
	struct flow_outcome *f;

	if (l->n == l->size) {
		l->size = l->size ? l->size + l->size / 2 : 1024;
		l->flow = xrealloc(l->flow, l->size * sizeof(*l->flow));
	}
	f = &l->flow[l->n];
	/* A flow that did not complete has no time. */
	*f = (struct flow_outcome){ .done = *c->field[3] };
	if (number(c, 1, &f->bytes) || number(c, 2, &f->start_ns) ||
	    (f->done && number(c, 3, &f->fct_ns)) || number(c, 4, &f->ideal_ns))
		return EXIT_RUN_FAILED;
	f->group = group_of(l, c->field[5]);
	l->n++;
	return 0;
}

/* The window of the run, and how many flows it had. */
static int read_summary(struct loaded_flows *l, const char *dir, size_t rows)
{
	char *path = xasprintf("%s/summary.json", dir), *err = NULL;
	struct json_object *s = js_load(path, &err), *m = js_get(s, "measured");

	free(path);
	if (!s) {
		int rc = run_error("%s", err);

		free(err);
		return rc;
	}
	l->from_ns = js_int(m, "from_ns", 0);
	l->to_ns = js_int(m, "to_ns", INT64_MAX);
	l->of += js_int(js_get(s, "flows"), "count", rows);
	json_object_put(s);
	return 0;
}

/**
 * loaded_flows_read() - read a run's flows.csv
 * @l: zeros at first; flows of further directories are added
 * @dir: result directory
 *
 * Return: 0, or the exit status after a message that names file and line.
 */
int loaded_flows_read(struct loaded_flows *l, const char *dir)
{
	size_t before = l->n;

	if (!l->n_groups) {
		l->groups = xcalloc(1, sizeof(*l->groups));
		l->n_groups = 1;
	}
	return csv_rows(dir, T_FLOWS, "id,bytes,start_ns,fct_ns,ideal_fct_ns,?group", read_flow,
			l) ||
	       read_summary(l, dir, l->n - before) ? EXIT_RUN_FAILED : 0;
}

void loaded_flows_free(struct loaded_flows *l)
{
	int i;

	for (i = 1; i < l->n_groups; i++)
		free(l->groups[i]);
	free(l->groups);
	free(l->flow);
	*l = (struct loaded_flows){};
}

static void get_loaded(const void *ctx, size_t i, struct flow_outcome *f)
{
	*f = ((const struct loaded_flows *)ctx)->flow[i];
}

/**
 * loaded_flows_set() - flows that were read, with their own window
 * @l: from loaded_flows_read()
 *
 * Return: the set, valid as long as @l is.
 */
struct flow_set loaded_flows_set(const struct loaded_flows *l)
{
	return (struct flow_set){
		.n = l->n, .get = get_loaded, .ctx = l, .groups = l->groups,
		.n_groups = l->n_groups, .from_ns = l->from_ns, .to_ns = l->to_ns,
		.bins = SLOWDOWN_BINS,
	};
}
