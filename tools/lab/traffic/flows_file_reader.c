// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the file of key flows_file: flows of another program, id,src,dst,bytes,start_ns, and
 * which flows each waits for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

#define HEADING		"id,src,dst,bytes,start_ns"
#define COLS		5
#define NUMBER_MAX	1000000000000000000LL
#define GROUP_NAME_MAX	40

/* Columns that a file may have beside those, in any order. */
enum more { AFTER, AFTER_START, DELAY, GROUP, MORE };

static const char *const more_names[] = { "after", "after_start", "delay_ns", "group" };

struct reader {
	struct traffic *t;
	const char *path;
	int line;
	int64_t last_ns;
	int64_t stop_ns;		/* of flows without a size; 0: there may be none */
	int *by_name;			/* numbers of the hosts in order of their names */
	int col[MORE];			/* where these columns are; -1: nowhere */
	int cols;
};

/* For cmp_host(): qsort() has no context. */
static struct traffic *sorting;

static const char *name_of(struct traffic *t, int host)
{
	return t->p->nodes[t->host[host]].name;
}

static int cmp_host(const void *a, const void *b)
{
	return strcmp(name_of(sorting, *(const int *)a), name_of(sorting, *(const int *)b));
}

static int *sort_names(struct traffic *t)
{
	int *list = xcalloc(t->n, sizeof(*list)), i;

	for (i = 0; i < t->n; i++)
		list[i] = i;
	sorting = t;
	qsort(list, t->n, sizeof(*list), cmp_host);
	return list;
}

static int PRINTF(2, 3) bad(struct reader *rd, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return usage_error("%s:%d: %s", rd->path, rd->line, text);
}

static bool number(const char *text, int64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoll(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *val <= NUMBER_MAX;
}

/* A host's name, or its number among the hosts. */
static int host_of(struct reader *rd, const char *text)
{
	struct traffic *t = rd->t;
	int lo = 0, hi = t->n - 1, mid, cmp;
	int64_t num;

	if (number(text, &num))
		return num < t->n ? (int)num : -1;
	while (lo <= hi) {
		mid = (lo + hi) / 2;
		cmp = strcmp(text, name_of(t, rd->by_name[mid]));
		if (!cmp)
			return rd->by_name[mid];
		if (cmp < 0)
			hi = mid - 1;
		else
			lo = mid + 1;
	}
	return -1;
}

static int check_row(struct reader *rd, char **col, int src, int dst)
{
	struct traffic *t = rd->t;
	int64_t id;

	if (!number(col[0], &id) || id != t->p->n_flows)
		return bad(rd, "id \"%.40s\": ids count from 0, so %d is next", col[0],
			   t->p->n_flows);
	if (src < 0 || dst < 0)
		return bad(rd, "no host \"%.40s\"; there are %s to %s, or 0 to %d",
			   col[src < 0 ? 1 : 2], name_of(t, 0), name_of(t, t->n - 1), t->n - 1);
	if (src == dst)
		return bad(rd, "flow %s is from %s to itself", col[0], name_of(t, src));
	return 0;
}

/* Of a column that the file may have. */
static char *more_text(struct reader *rd, char **col, enum more which)
{
	return rd->col[which] < 0 ? "" : col[rd->col[which]];
}

/*
 * Numbers of flows with + between them: of any row, also of a later one. Each may have a delay:
 * "3+5@200".
 */
static int add_ids(struct reader *rd, char **col, enum more which)
{
	char *rest = more_text(rd, col, which), *text, *delay;
	int64_t id, delay_ns;

	if (!*rest)
		return 0;
	while ((text = strsep(&rest, "+"))) {
		delay_ns = 0;
		delay = strchr(text, '@');
		if (delay)
			*delay++ = '\0';
		if (!number(text, &id) || id >= FLOWS_MAX)
			return bad(rd, "%s \"%.40s\": not the id of a flow", more_names[which],
				   text);
		if (delay && !number(delay, &delay_ns))
			return bad(rd, "%s \"%.40s\": not a whole number of ns",
				   more_names[which], delay);
		if (depend_add_delayed(&rd->t->p->after, (uint32_t)id, which == AFTER_START,
				       delay_ns))
			return bad(rd, "more than %u dependencies", DEPEND_MAX);
	}
	return 0;
}

static bool waits(struct reader *rd, char **col)
{
	return *more_text(rd, col, AFTER) || *more_text(rd, col, AFTER_START);
}

/* What the newest flow waits for. */
static int add_after(struct reader *rd, char **col)
{
	const char *text = more_text(rd, col, DELAY);
	struct plan *p = rd->t->p;
	int64_t delay = 0;

	if (*text && !number(text, &delay))
		return bad(rd, "delay_ns \"%.40s\": not a whole number", text);
	if (!waits(rd, col))
		return delay ? bad(rd, "delay_ns: needs after or after_start") : 0;
	depend_begin(&p->after, p->n_flows - 1, delay);
	p->flows[p->n_flows - 1].after = p->after.n;
	return add_ids(rd, col, AFTER) || add_ids(rd, col, AFTER_START) ? EXIT_USAGE : 0;
}

static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

/* Its number; the same as of the row before, mostly. */
static int group_of(struct reader *rd, char **col, unsigned short *group)
{
	const char *text = more_text(rd, col, GROUP);
	struct plan *p = rd->t->p;

	if (!*text) {
		*group = plan_group(p, GROUP_WORKLOAD);
		return 0;
	}
	if (p->n_flows > 1 && p->groups[p->flows[p->n_flows - 2].group] &&
	    strcmp(text, p->groups[p->flows[p->n_flows - 2].group]) == 0) {
		*group = p->flows[p->n_flows - 2].group;
		return 0;
	}
	if (strlen(text) > GROUP_NAME_MAX || strspn(text, name_letters) != strlen(text) ||
	    strcmp(text, "all") == 0)
		return bad(rd, "group \"%.60s\": %d letters, digits, \"_\", \".\" and \"-\" at most, not \"all\"",
			   text, GROUP_NAME_MAX);
	*group = plan_group(p, text);
	return p->n_groups > GROUPS_MAX ? bad(rd, "more than %d groups", GROUPS_MAX) : 0;
}

static int add_row(struct reader *rd, char **col)
{
	int src = host_of(rd, col[1]), dst = host_of(rd, col[2]), rc;
	int64_t bytes, start;
	struct lab_flow *f;

	rc = check_row(rd, col, src, dst);
	if (rc)
		return rc;
	if (!number(col[3], &bytes) || bytes < !rd->stop_ns || bytes > (int64_t)FG_SIZE_MAX)
		return bad(rd, "bytes \"%.40s\": not a whole number from 1 to 2^50%s", col[3],
			   rd->stop_ns ? "" : ", 0 needs --set stop");
	if (!number(col[4], &start))
		return bad(rd, "start_ns \"%.40s\": not a whole number", col[4]);
	if (!bytes && start >= rd->stop_ns)
		return bad(rd, "flow %s starts at or after stop", col[0]);
	if (start < rd->last_ns && !waits(rd, col))
		return bad(rd, "flow %s starts before the one of the line before: starts must not fall",
			   col[0]);
	if (start > rd->last_ns && !waits(rd, col))
		rd->last_ns = start;
	if (rd->t->p->n_flows >= FLOWS_MAX)
		return bad(rd, "more than %d flows", FLOWS_MAX);
	f = plan_new_flow(rd->t->p);
	f->src = rd->t->host[src];
	f->dst = rd->t->host[dst];
	f->bytes = bytes ? bytes : (int64_t)FG_SIZE_MAX;
	f->background = !bytes;
	f->start_ns = start;
	rc = group_of(rd, col, &f->group);
	return rc ? rc : add_after(rd, col);
}

/* The columns of HEADING, then any of the others, each once. */
static int read_heading(struct reader *rd, char *line)
{
	size_t len = strlen(HEADING), i;
	char *rest, *name;

	for (i = 0; i < MORE; i++)
		rd->col[i] = -1;
	rd->cols = COLS;
	if (strncmp(line, HEADING, len) || (line[len] && line[len] != ','))
		return bad(rd, "the heading must be " HEADING
			   ", or the file one of a simulator (workloads.md)");
	rest = line[len] ? line + len + 1 : NULL;
	while ((name = strsep(&rest, ","))) {
		for (i = 0; i < MORE && strcmp(name, more_names[i]); i++)
			;
		if (i == MORE || rd->col[i] >= 0)
			return bad(rd, "column \"%.40s\" %s", name, i == MORE ?
				   "is none of after, after_start, delay_ns, group" :
				   "is there twice");
		rd->col[i] = rd->cols++;
	}
	rd->t->p->own_groups = rd->col[GROUP] >= 0;
	return 0;
}

static int read_row(struct reader *rd, char *line)
{
	char *col[COLS + MORE], *p = line;
	int n;

	line[strcspn(line, "\r\n")] = '\0';
	if (rd->line == 1)
		return read_heading(rd, line);
	for (n = 0; p && n < rd->cols; n++)
		col[n] = strsep(&p, ",");
	if (n < rd->cols || p)
		return bad(rd, "not the %d columns %s", rd->cols,
			   rd->cols == COLS ? HEADING : "of the heading");
	return add_row(rd, col);
}

/**
 * traffic_read() - the flows of flows_file
 * @t: with hosts; gets the time of the starts as duration
 *
 * Return: 0, or the exit status after a message that names file and line.
 */
int traffic_read(struct traffic *t)
{
	struct reader rd = { .t = t, .path = t->file,
			     .stop_ns = scenario_val(t->sc, "stop", 0) };
	char *line = NULL;
	size_t size = 0;
	bool simulators;
	int rc = traffic_read_simulators(t, &simulators);
	FILE *f;

	if (simulators)
		return rc;
	f = text_open(t->file);
	if (!f)
		return usage_error("--set flows_file=%s: %s", t->file, strerror(errno));
	rd.by_name = sort_names(t);
	while (!rc && getline(&line, &size, f) > 0) {
		rd.line++;
		rc = read_row(&rd, line);
	}
	if (!rc && ferror(f))
		rc = usage_error("--set flows_file=%s: %s", t->file, strerror(errno));
	if (!rc && !t->p->n_flows)
		rc = usage_error("%s: no flows", t->file);
	if (!rc)
		rc = plan_after_check(t->p, t->file, NULL);
	t->duration_ns = rd.last_ns + 1;
	free(rd.by_name);
	free(line);
	fclose(f);
	return rc;
}
