// SPDX-License-Identifier: GPL-2.0
/*
 * The result files' CSV: a heading line with column names, no quoting.
 * Columns are found by name, so their order and extra ones do not matter.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/csv.h"
#include "report/report.h"

/* Is there such a file? Those of later versions may be absent. */
bool rpt_run_has(const struct rpt_run *run, const char *file)
{
	char *path = rpt_printf("%s/%s", run->dir, file);
	bool has = !access(path, F_OK);

	free(path);
	return has;
}

/**
 * rpt_csv_open() - open a result file and find the wanted columns
 * @r: the report, for warnings
 * @c: reader, initialised here
 * @run: whose file
 * @file: its name in the run's directory
 * @want: names of the wanted columns; a '?' ahead: may be absent
 * @nr: how many, at most RPT_CSV_COLS
 *
 * A missing file, an empty one and a missing column are each told in one line.
 * Return: true when rows can be read. Only then rpt_csv_close() is due.
 */
bool rpt_csv_open(struct rpt *r, struct rpt_csv *c, const struct rpt_run *run,
		  const char *file, const char *const *want, int nr)
{
	char *pos[64];
	int i, n, found = 0;
	const char *name;
	bool optional;

	memset(c, 0, sizeof(*c));
	c->nr = nr;
	c->path = rpt_printf("%s/%s", run->dir, file);
	c->f = fopen(c->path, "re");
	if (!c->f) {
		rpt_warn(r, "%s: %s", c->path, strerror(errno));
		goto fail;
	}
	if (getline(&c->line, &c->cap, c->f) < 0) {
		rpt_warn(r, "%s: empty, expected a heading line", c->path);
		goto fail;
	}
	c->lineno = 1;
	n = csv_split(c->line, pos, 64);
	for (i = 0; i < nr; i++) {
		optional = want[i][0] == '?';
		name = want[i] + optional;
		c->map[i] = csv_column(pos, n, name);
		found += c->map[i] >= 0;
		if (c->map[i] < 0 && !optional)
			rpt_warn(r, "%s: no column '%s'", c->path, name);
	}
	/* The first wanted column is the row's key: useless without it. */
	if (found && c->map[0] >= 0)
		return true;
fail:
	if (c->f)
		fclose(c->f);
	free(c->path);
	free(c->line);
	return false;
}

bool rpt_csv_next(struct rpt_csv *c)
{
	static char empty[1];
	char *pos[64];
	int i, n;

	while (getline(&c->line, &c->cap, c->f) >= 0) {
		c->lineno++;
		if (c->line[0] == '#' || c->line[0] == '\n')
			continue;
		n = csv_split(c->line, pos, 64);
		if (c->map[0] >= n || isnan(rpt_num(pos[c->map[0]]))) {
			c->bad++;
			continue;
		}
		for (i = 0; i < c->nr; i++)
			c->field[i] = c->map[i] >= 0 && c->map[i] < n ?
				      pos[c->map[i]] : empty;
		return true;
	}
	return false;
}

void rpt_csv_close(struct rpt *r, struct rpt_csv *c)
{
	if (c->bad)
		rpt_warn(r, "%s: %lu of %lu rows unreadable, left out", c->path,
			 c->bad, c->lineno - 1);
	fclose(c->f);
	free(c->path);
	free(c->line);
}

/* The number in a field; NAN for an empty one or a word. */
double rpt_num(const char *s)
{
	char *end;
	double v;

	if (!*s)
		return NAN;
	v = strtod(s, &end);
	return *end ? NAN : v;
}

void rpt_series_add(struct rpt_series *s, double t, double v)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 256;
		s->t = rpt_realloc(s->t, s->cap, sizeof(*s->t));
		s->v = rpt_realloc(s->v, s->cap, sizeof(*s->v));
	}
	s->t[s->n] = t;
	s->v[s->n++] = v;
}

void rpt_series_free(struct rpt_series *s)
{
	free(s->t);
	free(s->v);
	memset(s, 0, sizeof(*s));
}
