// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the flows of result directories, for figures over several seeds.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/figures.h"
#include "results/results.h"

#define COLS	16

enum { C_BYTES, C_START, C_FCT, C_IDEAL, C_GROUP, C_NR };

static const char *const col_names[C_NR] = {
	"bytes", "start_ns", "fct_ns", "ideal_fct_ns", "group",
};

struct reader {
	struct fig_loaded *l;
	const char *path;
	size_t line;
	int map[C_NR];			/* wanted column to position; -1: there is none */
};

static int bad_line(const struct reader *r, const char *what, const char *text)
{
	return run_error("%s:%zu: %s \"%s\"", r->path, r->line, what, text);
}

static int split(char *line, char **col)
{
	int n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (; line && n < COLS; n++)
		col[n] = strsep(&line, ",");
	return n;
}

static int read_heading(struct reader *r, char *line)
{
	char *col[COLS];
	int i, k, n = split(line, col);

	for (i = 0; i < C_NR; i++) {
		r->map[i] = -1;
		for (k = 0; k < n; k++)
			if (strcmp(col[k], col_names[i]) == 0)
				r->map[i] = k;
		if (r->map[i] < 0 && i != C_GROUP)
			return bad_line(r, "no column", col_names[i]);
	}
	return 0;
}

/* Times and sizes are not negative. */
static int number(const struct reader *r, const char *text, int64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoll(text, &end, 10);
	if (errno || end == text || *end || *v < 0)
		return bad_line(r, "not a number:", text);
	return 0;
}

/* Index of a group, which is made if there is none; the first has no name. */
static int group_of(struct fig_loaded *l, const char *name)
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

static int read_flow(struct reader *r, char *line)
{
	struct fig_loaded *l = r->l;
	int i, n, need = 0;
	struct fig_flow *f;
	char *col[COLS];

	n = split(line, col);
	for (i = 0; i < C_NR; i++)
		need = r->map[i] >= need ? r->map[i] + 1 : need;
	if (n < need)
		return bad_line(r, "too few columns:", col[0]);
	if (l->n == l->size) {
		l->size = l->size ? l->size + l->size / 2 : 1024;
		l->flow = xrealloc(l->flow, l->size * sizeof(*l->flow));
	}
	f = &l->flow[l->n];
	*f = (struct fig_flow){ .done = *col[r->map[C_FCT]] };
	/* A flow that did not complete has no time. */
	if (number(r, col[r->map[C_BYTES]], &f->bytes) ||
	    number(r, col[r->map[C_START]], &f->start_ns) ||
	    number(r, col[r->map[C_IDEAL]], &f->ideal_ns) ||
	    (f->done && number(r, col[r->map[C_FCT]], &f->fct_ns)))
		return EXIT_RUN_FAILED;
	if (r->map[C_GROUP] >= 0)
		f->group = group_of(l, col[r->map[C_GROUP]]);
	l->n++;
	return 0;
}

static int read_flows(struct fig_loaded *l, const char *path)
{
	struct reader r = { .l = l, .path = path, .line = 1 };
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int rc;

	if (!f)
		return run_error("%s: %s", path, strerror(errno));
	if (getline(&line, &size, f) < 0)
		rc = run_error("%s: empty", path);
	else
		rc = read_heading(&r, line);
	for (r.line = 2; !rc && getline(&line, &size, f) > 0; r.line++)
		rc = read_flow(&r, line);
	free(line);
	fclose(f);
	return rc;
}

/* The window of the run, and how many flows it had. */
static int read_summary(struct fig_loaded *l, const char *dir, size_t rows)
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
 * fig_load() - read a run's flows.csv
 * @l: zeros at first; flows of further directories are added
 * @dir: result directory
 *
 * Return: 0, or the exit status after a message that names file and line.
 */
int fig_load(struct fig_loaded *l, const char *dir)
{
	char *path = xasprintf("%s/flows.csv", dir);
	size_t before = l->n;
	int rc;

	if (!l->n_groups) {
		l->groups = xcalloc(1, sizeof(*l->groups));
		l->n_groups = 1;
	}
	rc = read_flows(l, path) || read_summary(l, dir, l->n - before) ? EXIT_RUN_FAILED : 0;
	free(path);
	return rc;
}

void fig_loaded_free(struct fig_loaded *l)
{
	int i;

	for (i = 1; i < l->n_groups; i++)
		free(l->groups[i]);
	free(l->groups);
	free(l->flow);
	*l = (struct fig_loaded){};
}

static void get_loaded(const void *ctx, size_t i, struct fig_flow *f)
{
	*f = ((const struct fig_loaded *)ctx)->flow[i];
}

/**
 * fig_loaded_set() - flows that were read, with their own window
 * @l: from fig_load()
 *
 * Return: the set, valid as long as @l is.
 */
struct fig_set fig_loaded_set(const struct fig_loaded *l)
{
	return (struct fig_set){
		.n = l->n, .get = get_loaded, .ctx = l, .groups = l->groups,
		.n_groups = l->n_groups, .from_ns = l->from_ns, .to_ns = l->to_ns,
		.bins = FIG_BINS,
	};
}
