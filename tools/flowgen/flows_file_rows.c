// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: flows from a file, rows of id,src,dst,bytes,start_ns,stop_ns in order
 * of start, and of those that wait for others which and how long. There may be millions, so a
 * row is kept in 32 bytes; what a running flow needs beside that it has only while it runs
 * (flows_file_lifecycle.c).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/mem.h"
#include "flowgen.h"

#define HEADING		"id,src,dst,bytes,start_ns,stop_ns"
#define COLS		6
/* A row may wait for thousands of others. */
#define MAX_LINE	(1U << 20)
#define MAX_TEXT	640
#define MAX_BYTES	(1ULL << 50)
#define MAX_NS		(1000000ULL * NSEC_PER_SEC)
#define MAX_HOSTS	65536U

/* Columns that a file may have beside those. */
enum more { AFTER, AFTER_START, DELAY, MORE };

static const char *const more_names[] = { "after", "after_start", "delay_ns" };

/* Where the reader is: every error names it. */
struct reader {
	struct fg_plan *plan;
	const char *file;
	u64 line;
	u32 cap_rows;
	struct fg_row *waits;	/* rows that wait for others */
	u32 nwaits;
	u32 cap_waits;
	u32 *lines;		/* by line: does it wait; then by row: its line; or NULL */
	u32 cap_lines;
	int col[MORE];		/* where the file has these columns; -1: nowhere */
	u32 nmore;		/* how many of them */
	u32 *slot;		/* of a device's name: its index + 1, 0 is free */
	u32 mask;
};

static int __printf(2, 3) bad(const struct reader *r, const char *fmt, ...)
{
	char text[MAX_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fg_err("%s:%llu: %s", r->file, r->line, text);
}

static u32 hash_name(const char *s)
{
	u32 h = 2166136261U;

	for (; *s; s++)
		h = (h ^ (u8)*s) * 16777619U;
	return h;
}

static void index_host(struct reader *r, u32 host)
{
	u32 h = hash_name(r->plan->hosts[host]) & r->mask;

	while (r->slot[h])
		h = (h + 1) & r->mask;
	r->slot[h] = host + 1;
}

/* A name is looked up for each row: not by going through all of them. */
static int find_host(struct reader *r, const char *name, const char *col, u16 *out)
{
	u32 h, i;

	if (!*name)
		return bad(r, "%s: missing", col);
	for (h = hash_name(name) & r->mask; r->slot[h]; h = (h + 1) & r->mask) {
		i = r->slot[h] - 1;
		if (!strcmp(r->plan->hosts[i], name)) {
			*out = i;
			return 0;
		}
	}
	if (r->plan->nhosts == MAX_HOSTS)
		return bad(r, "%s: more than %u devices", col, MAX_HOSTS);
	i = fg_plan_host(r->plan, name);
	index_host(r, i);
	*out = i;
	return 0;
}

static int number(const struct reader *r, const char *s, const char *col, u64 min, u64 max,
		  u64 *out)
{
	const char *p = s;
	u64 v = 0;

	for (; *p >= '0' && *p <= '9' && v <= max; p++)
		v = v * 10 + (*p - '0');
	if (p == s || (*p && (*p < '0' || *p > '9')))
		return bad(r, "%s: \"%s\" is no number", col, s);
	if (v < min || v > max)
		return bad(r, "%s: %s is out of range %llu..%llu", col, s, min, max);
	*out = v;
	return 0;
}

/* Cut a line into fields in place. */
static u32 split(char *s, char **field, u32 max)
{
	u32 n = 0;

	for (; n < max; s++) {
		field[n++] = s;
		s = strchr(s, ',');
		if (!s)
			return n;
		*s = '\0';
	}
	return max + 1;
}

/* Ids with + between them, each with a delay behind @ or without: "3+5@200". */
static int ids(struct reader *r, char **f, enum more col)
{
	char *rest = r->col[col] >= 0 ? f[r->col[col]] : NULL, *text, *delay;
	u64 id, delay_ns;

	if (!rest || !*rest)
		return 0;
	while ((text = strsep(&rest, "+"))) {
		delay_ns = 0;
		delay = strchr(text, '@');
		if (delay)
			*delay++ = '\0';
		if (number(r, text, more_names[col], 0, FG_ID_MAX, &id) ||
		    (delay && number(r, delay, more_names[col], 0, MAX_NS, &delay_ns)))
			return -1;
		if (depend_add_delayed(&r->plan->after, id, col == AFTER_START, delay_ns))
			return bad(r, "more than %u dependencies", DEPEND_MAX);
	}
	return 0;
}

/* Whom a row waits for, and how long from there to its start: "3+5", "", 200. */
static int parse_more(struct reader *r, char **f, bool *waits)
{
	struct depend *d = &r->plan->after;
	u64 delay_ns = 0;

	if (r->col[DELAY] >= 0 && number(r, f[r->col[DELAY]], "delay_ns", 0, MAX_NS, &delay_ns))
		return -1;
	*waits = (r->col[AFTER] >= 0 && *f[r->col[AFTER]]) ||
		 (r->col[AFTER_START] >= 0 && *f[r->col[AFTER_START]]);
	if (!*waits)
		return delay_ns ? bad(r, "delay_ns: needs after or after_start") : 0;
	/* Which row it is shows when it is known how many wait for none. */
	depend_begin(d, 0, delay_ns);
	return ids(r, f, AFTER) || ids(r, f, AFTER_START) ? -1 : 0;
}

static int parse_row(struct reader *r, char *line, struct fg_row *row, bool *waits)
{
	u32 cols = COLS + r->nmore, n;
	char *f[COLS + MORE];
	u64 id, last = 0;

	n = split(line, f, cols);
	if (n != cols)
		return bad(r, "%s fields than the heading", n < cols ? "fewer" : "more");
	if (r->plan->nrows)
		last = r->plan->rows[r->plan->nrows - 1].start_ns;
	if (number(r, f[0], "id", 0, ~0U, &id) || find_host(r, f[1], "src", &row->src) ||
	    find_host(r, f[2], "dst", &row->dst) ||
	    number(r, f[3], "bytes", 1, MAX_BYTES, &row->bytes) ||
	    number(r, f[4], "start_ns", 0, MAX_NS, &row->start_ns) ||
	    number(r, f[5], "stop_ns", 0, MAX_NS, &row->stop_ns) || parse_more(r, f, waits))
		return -1;
	row->id = id;
	if (row->start_ns < last && !*waits)
		return bad(r, "start_ns: %llu is before the row above, %llu", row->start_ns, last);
	if (r->plan->attr.op >= FG_FETCH_ADD && row->bytes % 8)
		return bad(r, "bytes: an atomic moves 8 bytes");
	return 0;
}

/* Those that wait for others come after all that do not, so they are kept apart. */
static void add_row(struct reader *r, const struct fg_row *row, bool waits)
{
	struct fg_plan *p = r->plan;

	if (waits) {
		r->waits = fg_grow(r->waits, &r->cap_waits, r->nwaits + 1, sizeof(*row));
		r->waits[r->nwaits++] = *row;
	} else {
		p->rows = fg_grow(p->rows, &r->cap_rows, p->nrows + 1, sizeof(*row));
		p->rows[p->nrows++] = *row;
	}
	if (r->nmore) {
		r->lines = fg_grow(r->lines, &r->cap_lines, r->line, sizeof(*r->lines));
		r->lines[r->line - 2] = waits;
	}
	if (row->bytes > p->row_max_bytes)
		p->row_max_bytes = row->bytes;
}

/* The columns of HEADING, then any of the others, each once. */
static int parse_heading(struct reader *r, char *line)
{
	char *rest = line + strlen(HEADING), *name;
	u32 i;

	if (strncmp(line, HEADING, strlen(HEADING)) || (*rest && *rest != ','))
		return bad(r, "the heading is not " HEADING);
	for (i = 0; i < MORE; i++)
		r->col[i] = -1;
	if (!*rest)
		return 0;
	rest++;
	while ((name = strsep(&rest, ","))) {
		for (i = 0; i < MORE && strcmp(name, more_names[i]); i++)
			;
		if (i == MORE)
			return bad(r, "no column is called \"%.40s\" but those of " HEADING
				   ",after,after_start,delay_ns", name);
		if (r->col[i] >= 0)
			return bad(r, "column %s is there twice", name);
		r->col[i] = COLS + r->nmore++;
	}
	return 0;
}

static int read_rows(struct reader *r, FILE *f, char *line)
{
	bool waits = false;
	struct fg_row row;
	size_t len;

	while (fgets(line, MAX_LINE, f)) {
		r->line++;
		len = strcspn(line, "\n");
		if (!line[len] && !feof(f))
			return bad(r, "the line is longer than %u characters", MAX_LINE - 2);
		line[len] = '\0';
		if (r->line == 1) {
			if (parse_heading(r, line))
				return -1;
			continue;
		}
		if (r->plan->nrows + r->nwaits == FG_MAX_ROWS)
			return bad(r, "more than %u flows", FG_MAX_ROWS);
		if (parse_row(r, line, &row, &waits))
			return -1;
		add_row(r, &row, waits);
	}
	if (ferror(f))
		return fg_err("%s: %s", r->file, strerror(errno));
	r->line++;
	return r->plan->nrows + r->nwaits ? 0 : bad(r, "no flows");
}

/* All rows in one table, and the line of each. */
static void join_rows(struct reader *r)
{
	u32 n = r->plan->nrows, n_old = 0, n_new = n, i, *line;
	struct fg_plan *p = r->plan;

	p->rows = realloc(p->rows, (n + r->nwaits) * sizeof(*p->rows));
	if (!p->rows)
		out_of_memory();
	p->nrows += r->nwaits;
	p->nwait = r->nwaits;
	if (r->nwaits)
		memcpy(&p->rows[n], r->waits, r->nwaits * sizeof(*p->rows));
	free(r->waits);
	for (i = 0; i < r->nwaits; i++)
		p->after.list[p->after.n - r->nwaits + i].node = p->nflows + n + i;
	if (!r->nmore)
		return;
	line = fg_zalloc(p->nrows, sizeof(*line));
	for (i = 0; i < p->nrows; i++)
		line[r->lines[i] ? n_new++ : n_old++] = i + 2;
	free(r->lines);
	r->lines = line;
}

/* Each of the ids after those of the plan's own flows, once. */
static int check_row_ids(struct reader *r)
{
	const struct fg_plan *p = r->plan;
	u32 first = fg_plan_max_id(p) + 1, i, k;
	u8 *seen = fg_zalloc(p->nrows / 8 + 1, 1);
	int ret = 0;

	for (i = 0; i < p->nrows && !ret; i++) {
		r->line = r->lines ? r->lines[i] : i + 2;
		k = p->rows[i].id - first;
		if (k >= p->nrows)
			ret = bad(r, "id: %u is not one of %u..%u: ids leave no gap", p->rows[i].id,
				  first, first + p->nrows - 1);
		else if (seen[k / 8] & 1U << k % 8)
			ret = bad(r, "id: %u is used twice", p->rows[i].id);
		else
			seen[k / 8] |= 1U << k % 8;
	}
	free(seen);
	return ret;
}

/**
 * fg_rows_read() - read the plan's flows_file
 * @p: plan with its attributes and its own flows
 *
 * Return: 0, or -1 after a message that names file and line.
 */
int fg_rows_read(struct fg_plan *p)
{
	struct reader r = { .plan = p, .file = p->flows_file, .mask = 4 * MAX_HOSTS - 1 };
	char *line;
	FILE *f;
	int ret;
	u32 i;

	if (p->attr.verify)
		return fg_err("verify: not with flows_file");
	if (p->warmup_bytes)
		return fg_err("warmup_bytes: not with flows_file");
	if (p->small_bytes && p->qp_policy != FG_POLICY_FLOW)
		return fg_err("small_bytes: only with qp \"flow\"");
	f = fopen(p->flows_file, "re");
	if (!f)
		return fg_err("flows_file: %s: %s", p->flows_file, strerror(errno));
	setvbuf(f, NULL, _IOFBF, 1 << 20);
	line = fg_zalloc(MAX_LINE, 1);
	r.slot = fg_zalloc(r.mask + 1, sizeof(*r.slot));
	for (i = 0; i < p->nhosts; i++)
		index_host(&r, i);
	ret = read_rows(&r, f, line);
	free(line);
	join_rows(&r);
	if (!ret)
		ret = check_row_ids(&r) || fg_after_resolve(p, r.lines) ? -1 : 0;
	free(r.lines);
	free(r.slot);
	fclose(f);
	return ret;
}
