// SPDX-License-Identifier: GPL-2.0
/* Tables of a run for the report, which says what is wrong with one and goes on. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"

/* Is there such a file? Those of later versions may be absent. */
bool rpt_run_has(const struct rpt_run *run, const char *file)
{
	char *path = rpt_text("%s/%s", run->dir, file);
	bool has = !access(path, F_OK);

	return has;
}

/**
 * rpt_csv_open() - open a result file and find the wanted columns
 * @r: the report, for warnings
 * @c: reader, initialised here
 * @run: whose file
 * @file: its name in the run's directory
 * @want: columns, as of csv_open(); the first is the row's key: useless without it
 *
 * A missing file, an empty one and a missing column are each told in one line.
 * Return: true when rows can be read. Only then rpt_csv_close() is due.
 */
bool rpt_csv_open(struct rpt *r, struct csv *c, const struct rpt_run *run, const char *file,
		  const char *want)
{
	char *path = rpt_text("%s/%s", run->dir, file);
	int i, rc = csv_open(c, path, want);

	if (rc && errno)
		rpt_warn(r, "%s: %s", path, strerror(errno));
	else if (rc)
		rpt_warn(r, "%s: empty, expected a heading line", path);
	for (i = 0; !rc && i < c->n; i++)
		if (csv_missing(c, i))
			rpt_warn(r, "%s: no column '%s'", path, c->name[i]);
	if (!rc && c->place[0] < 0) {
		csv_close(c);
		rc = -1;
	}
	return !rc;
}

/* The next row with a number in its first wanted column. */
bool rpt_csv_next(struct csv *c)
{
	while (csv_next(c)) {
		if (!isnan(csv_double(c->field[0])))
			return true;
		c->bad++;
	}
	return false;
}

void rpt_csv_close(struct rpt *r, struct csv *c)
{
	if (c->bad)
		rpt_warn(r, "%s: %lu of %lu rows unreadable, left out", c->path,
			 c->bad, c->line - 1);
	csv_close(c);
}

void rpt_series_add(struct rpt_series *s, double t, double v)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 256;
		s->t = xreallocarray(s->t, s->cap, sizeof(*s->t));
		s->v = xreallocarray(s->v, s->cap, sizeof(*s->v));
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
