// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest: what is run, and as which command lines.
 */
#include <stdlib.h>
#include <string.h>

#include "pair/pair.h"

/* perftest's own port; data gets the DSCP that the lab's has, 26. */
#define TCLASS		"104"
/* 4 us times 2^18 is a second: what a busy machine holds up is not lost yet. */
#define TIMEOUT		"18"
#define BW_SIZE		65536
#define LAT_SIZE	64
/* The longest that UD carries over the MTU of the ports. */
#define UD_SIZE		1024
#define BW_ITERS	500
#define LAT_ITERS	300

struct perf_test {
	const char *name, *prog;
	bool lat, atomic;
	const char *connections[4];
	const char *modes[4];
	const char *options;
};

static const struct perf_test tests[] = {
	{ "write_bw", "ib_write_bw", .connections = { "RC", "UC" }, .modes = { "plain", "cm" } },
	{ "write_lat", "ib_write_lat", true, .connections = { "RC", "UC" },
	  .modes = { "plain", "cm" } },
	{ "send_bw", "ib_send_bw", .connections = { "RC", "UC", "UD" },
	  .modes = { "plain", "cm", "srq" } },
	{ "send_lat", "ib_send_lat", true, .connections = { "RC", "UC", "UD" },
	  .modes = { "plain", "cm", "srq" } },
	{ "read_bw", "ib_read_bw", .connections = { "RC" }, .modes = { "plain", "cm" } },
	{ "read_lat", "ib_read_lat", true, .connections = { "RC" }, .modes = { "plain", "cm" } },
	{ "atomic_bw", "ib_atomic_bw", .atomic = true, .connections = { "RC" },
	  .modes = { "plain", "cm" } },
	{ "cmpswap_bw", "ib_atomic_bw", .atomic = true, .connections = { "RC" },
	  .modes = { "plain" }, .options = " -A CMP_AND_SWAP" },
	{ "atomic_lat", "ib_atomic_lat", true, true, .connections = { "RC" },
	  .modes = { "plain", "cm" } },
};

/**
 * perf_name() - a case's test, without connection and so on
 * @c: case
 *
 * Return: one of --tests.
 */
const char *perf_name(const struct perf_case *c)
{
	return c->test->name;
}

/**
 * perf_is_lat() - is it latency that a case measures, and not bandwidth
 * @c: case
 *
 * Return: true if so.
 */
bool perf_is_lat(const struct perf_case *c)
{
	return c->test->lat;
}

/* Each word of --tests is a test, a connection or a mode, or a joining of these by dots. */
static bool word_fits(const char *word, const struct perf_case *c)
{
	char *copy = xstrdup(word), *rest = copy, *w;
	bool fits = true;

	while (fits && (w = strsep(&rest, "."))) {
		if (strncmp(w, "ib_", 3) == 0)
			w += 3;
		fits = strcmp(w, c->test->name) == 0 || strcasecmp(w, c->connection) == 0 ||
		       strcmp(w, c->mode) == 0;
	}
	free(copy);
	return fits;
}

static bool wanted(const struct pair *p, const struct perf_case *c)
{
	char *copy, *rest, *w;
	bool any = false;

	if (!p->tests)
		return true;
	copy = xstrdup(p->tests);
	rest = copy;
	while (!any && (w = strsep(&rest, ",")))
		any = word_fits(w, c);
	free(copy);
	return any;
}

/* Numbers of --sizes or --qps; 0 ends them. */
static int read_numbers(const char *opt, const char *text, enum unit unit, double max,
			int64_t *list, size_t room)
{
	char *copy = text ? xstrdup(text) : NULL, *rest = copy, *w;
	double val;
	size_t n = 0;
	int rc = 0;

	while (!rc && rest && (w = strsep(&rest, ","))) {
		if (n + 1 == room || unit_parse(unit, w, &val) || val < 1 || val > max)
			rc = usage_error("%s %s: up to %zu numbers in 1..%.0f expected", opt, text,
					 room - 1, max);
		else
			list[n++] = val;
	}
	list[n] = 0;
	free(copy);
	return rc;
}

#define LIST_ROOM	32

struct lists {
	int64_t sizes[LIST_ROOM], qps[LIST_ROOM];
};

static void add_case(struct perf_case **list, size_t *n, const struct perf_case *c)
{
	*list = xrealloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = *c;
}

static void add_sizes(struct pair *p, const struct lists *l, struct perf_case c,
		      struct perf_case **list, size_t *n)
{
	bool ud = strcmp(c.connection, "UD") == 0;
	int64_t def = c.test->lat ? LAT_SIZE : ud ? UD_SIZE : BW_SIZE;
	size_t i, k;

	for (i = 0; i == 0 || l->sizes[i]; i++) {
		c.size = l->sizes[0] ? l->sizes[i] : def;
		/* Atomics have one size, and a datagram is one packet. */
		if (c.test->atomic) {
			if (i)
				break;
			c.size = 8;
		}
		if (ud && c.size > 4096)
			continue;
		for (k = 0; k == 0 || l->qps[k]; k++) {
			c.qps = l->qps[0] ? l->qps[k] : 1;
			/* Latency is that of one queue pair. */
			if (c.qps > 1 && c.test->lat)
				continue;
			if (wanted(p, &c))
				add_case(list, n, &c);
		}
	}
}

static bool has_mode(const char *connection, const char *mode)
{
	if (strcmp(mode, "srq") == 0)
		return strcmp(connection, "RC") == 0;
	/* perftest connects UC by rdma_cm only as RC. */
	if (strcmp(mode, "cm") == 0)
		return strcmp(connection, "UC") != 0;
	return true;
}

/**
 * perf_cases() - rows of the table
 * @p: command line
 * @list: receives the rows
 * @n: receives how many
 *
 * Return: 0, or the exit status after a message.
 */
int perf_cases(struct pair *p, struct perf_case **list, size_t *n)
{
	struct lists l = {};
	size_t i, k, m;
	int rc;

	*list = NULL;
	*n = 0;
	rc = read_numbers("--sizes", p->sizes, UNIT_SIZE, 1 << 23, l.sizes, LIST_ROOM);
	if (!rc)
		rc = read_numbers("--qps", p->qps, UNIT_COUNT, 4096, l.qps, LIST_ROOM);
	for (i = 0; !rc && i < ARRAY_SIZE(tests); i++) {
		const struct perf_test *t = &tests[i];

		for (k = 0; t->modes[k]; k++)
			for (m = 0; t->connections[m]; m++)
				if (has_mode(t->connections[m], t->modes[k]))
					add_sizes(p, &l, (struct perf_case){ .test = t,
						  .connection = t->connections[m],
						  .mode = t->modes[k] }, list, n);
	}
	if (!rc && !*n)
		rc = usage_error("--tests %s: fits no test; \"lab perftest --list\" shows them",
				 p->tests);
	return rc;
}

static char *quoted(char *const *words, int n)
{
	char *all = xstrdup(""), *next;
	int i;

	for (i = 0; i < n; i++) {
		next = xasprintf("%s '%s'", all, words[i]);
		free(all);
		all = next;
	}
	return all;
}

/**
 * perf_commands() - the command lines of a case
 * @p: command line, for the arguments after --
 * @c: case
 * @server: receives the server's, for guest.sh
 * @client: receives the client's
 */
void perf_commands(const struct pair *p, const struct perf_case *c, char **server,
		   char **client)
{
	bool cm = strcmp(c->mode, "cm") == 0;
	char *more = quoted(p->more, p->n_more), *size = NULL, *common;

	if (!c->test->atomic)
		size = xasprintf(" -s %lld", (long long)c->size);
	common = xasprintf("-F -c %s -u " TIMEOUT "%s -n %d%s%s%s%s%s%s", c->connection,
			   size ? size : "",
			   c->test->lat ? LAT_ITERS : BW_ITERS,
			   c->test->lat ? "" : " --report_gbits", cm ? " -R -T " TCLASS : "",
			   cm ? "" : " --tclass=" TCLASS,
			   strcmp(c->mode, "srq") == 0 ? " --use-srq" : "",
			   c->test->options ? c->test->options : "", more);
	if (!c->test->lat) {
		char *qps = xasprintf("-q %lld %s", (long long)c->qps, common);

		free(common);
		common = qps;
	}
	*server = xasprintf("%s -d $dev_b -x $gid_b %s", c->test->prog, common);
	*client = xasprintf("%s -d $dev_a -x $gid_a %s --out_json --out_json_file=$out/figures %s",
			    c->test->prog, common, cm ? "$ip_b" : "127.0.0.1");
	free(common);
	free(size);
	free(more);
}
