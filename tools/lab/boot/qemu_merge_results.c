// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: merges the raw rows and totals of all guests into one set, as a lab of one
 * kernel would have written it.
 *
 * Times in rows count from the start, by the guest's clock. That is corrected
 * here: the clock was compared with ours before and after the traffic, and ran
 * evenly between.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/csv_columns.h"
#include "lib/csv.h"
#include "boot/qemu.h"

#define COLS_MAX	16

static double rate_of(const struct qemu_guest *g)
{
	int64_t took = g->after.at_ns - g->before.at_ns;

	return took > 0 ? (double)(g->after.ahead_ns - g->before.ahead_ns) / took : 0;
}

/*
 * The guest began when its clock showed t0 + ahead as measured at at_ns. At our
 * time h it showed h + ahead + rate (h - at_ns).
 */
static int64_t our_time(const struct qemu *q, const struct qemu_guest *g, int64_t t_ns)
{
	double rate = rate_of(g), late = rate * (q->t0_ns - g->before.at_ns);

	return llround((t_ns - late) / (1 + rate));
}

static int64_t our_span(const struct qemu_guest *g, int64_t ns)
{
	return llround(ns / (1 + rate_of(g)));
}

static char *part_file(const struct qemu_guest *g, const char *raw, const char *name)
{
	return xasprintf("%s/part%d/%s", raw, g->number, name);
}

struct row {
	int64_t key;
	size_t seq;			/* rows of one time stay as they were */
	char *text;			/* without the key */
};

struct rows {
	struct row *v;
	size_t n, cap;
	char *head;
};

static void add_row(struct rows *r, int64_t key, char *text)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 1024;
		r->v = xrealloc(r->v, r->cap * sizeof(*r->v));
	}
	r->v[r->n] = (struct row){ .key = key, .seq = r->n, .text = text };
	r->n++;
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

static void take_row(const struct qemu *q, const struct qemu_guest *g, struct rows *r, char *line)
{
	char *rest;
	int64_t t = strtoll(line, &rest, 10);

	add_row(r, our_time(q, g, t), xstrdup(rest));
}

/* Of a flow the start and what it took are times; the first column is its number. */
static void take_flow(const struct qemu *q, const struct qemu_guest *g, struct rows *r, char *line)
{
	char *head = xstrdup(r->head), *name[COLS_MAX], *col[COLS_MAX], *text;
	int n = csv_split(head, name, COLS_MAX), i;
	size_t len;
	FILE *f;

	if (csv_split(line, col, COLS_MAX) == n) {
		f = open_memstream(&text, &len);
		if (!f)
			out_of_memory();
		for (i = 1; i < n; i++) {
			int64_t ns = strtoll(col[i], NULL, 10);
			int64_t start = our_time(q, g, ns);

			if (strcmp(name[i], "start_ns") == 0)
				fprintf(f, ",%" PRId64, start > 0 ? start : 0);
			else if (strcmp(name[i], "fct_ns") == 0)
				fprintf(f, ",%" PRId64, ns < 0 ? ns : our_span(g, ns));
			else
				fprintf(f, ",%s", col[i]);
		}
		fputc('\n', f);
		fclose(f);
		add_row(r, strtoll(col[0], NULL, 10), text);
	}
	free(head);
}

typedef void (*take_fn)(const struct qemu *q, const struct qemu_guest *g, struct rows *r,
			char *line);

/* Files of guests that have none are left out. */
static void read_table(const struct qemu *q, const char *raw, const char *name, take_fn take,
		       struct rows *r)
{
	char *line = NULL;
	size_t size = 0;
	int i;

	for (i = 0; i < q->n_guests; i++) {
		char *path = part_file(&q->guests[i], raw, name);
		FILE *f = fopen(path, "re");

		free(path);
		if (!f)
			continue;
		if (getline(&line, &size, f) > 0 && !r->head)
			r->head = xstrdup(line);
		while (getline(&line, &size, f) > 0)
			take(q, &q->guests[i], r, line);
		fclose(f);
	}
	free(line);
}

static int write_table(const char *raw, const char *name, struct rows *r)
{
	char *path = xasprintf("%s/%s", raw, name);
	FILE *f = fopen(path, "we");
	size_t i;
	int rc;

	if (f)
		fputs(r->head, f);
	for (i = 0; f && i < r->n; i++)
		fprintf(f, "%" PRId64 "%s", r->v[i].key, r->v[i].text);
	rc = !f || file_close(f) ? run_error("%s: %s", path, strerror(errno)) : 0;
	free(path);
	return rc;
}

static int merge_table(const struct qemu *q, const char *raw, const char *name, take_fn take)
{
	struct rows r = {};
	int rc = 0;
	size_t i;

	read_table(q, raw, name, take, &r);
	if (r.n)
		qsort(r.v, r.n, sizeof(*r.v), by_key);
	if (r.head)
		rc = write_table(raw, name, &r);
	for (i = 0; i < r.n; i++)
		free(r.v[i].text);
	free(r.v);
	free(r.head);
	return rc;
}

/* NULL also if there is no such file. */
static struct json_object *load(const struct qemu_guest *g, const char *raw, const char *name)
{
	char *path = part_file(g, raw, name), *err = NULL;
	struct json_object *o = path_exists(path) ? js_load(path, &err) : NULL;

	if (err)
		run_error("%s", err);
	free(err);
	free(path);
	return o;
}

static void add_int(struct json_object *to, const char *name, int64_t val)
{
	js_add_int(to, name, js_int(to, name, 0) + val);
}

/*
 * Numbers are added up, objects member by member; what else there is, the first
 * has said.
 */
static void merge_object(struct json_object *to, struct json_object *from)
{
	json_object_object_foreach(from, name, val) {
		struct json_object *have = js_get(to, name);

		if (!have)
			json_object_object_add(to, name, json_object_get(val));
		else if (json_object_is_type(val, json_type_object))
			merge_object(have, val);
		else if (json_object_is_type(val, json_type_int))
			add_int(to, name, json_object_get_int64(val));
	}
}

/* What is not a sum. */
static void merge_totals(struct json_object *to, struct json_object *from)
{
	int64_t needs = js_int(from, "needs", 0), tells = js_int(from, "tells", 0);
	struct json_object *params = js_get(to, "params");

	/* All devices are set alike; guests without one say nothing. */
	json_object_object_del(params && json_object_object_length(params) ? from : to, "params");
	if (js_get(to, "needs")) {
		needs = js_int(to, "needs", 0) > needs ? js_int(to, "needs", 0) : needs;
		tells = js_int(to, "tells", 0) > tells ? js_int(to, "tells", 0) : tells;
	}
	merge_object(to, from);
	js_add_int(to, "needs", needs);
	js_add_int(to, "tells", tells);
	js_add_int(to, "t0_ns", 0);
	js_add_int(to, "drained_ns", -1);
}

static void merge_summary(const struct qemu *q, const struct qemu_guest *g,
			  struct json_object *to, struct json_object *from, bool probes)
{
	int64_t first = our_time(q, g, js_int(from, "first_start_ns", 0));
	int64_t last = our_time(q, g, js_int(from, "last_end_ns", 0));
	bool have = js_get(to, "flows");

	/* Of a part without traffic of its own they say nothing; a scenario may have but probes. */
	if (!js_int(from, "flows", 0) && (q->c->plan->n_flows || !probes))
		return;
	if (have) {
		first = js_int(to, "first_start_ns", 0) < first ?
			js_int(to, "first_start_ns", 0) : first;
		last = js_int(to, "last_end_ns", 0) > last ? js_int(to, "last_end_ns", 0) : last;
	}
	merge_object(to, from);
	js_add_int(to, "first_start_ns", first);
	js_add_int(to, "last_end_ns", last);
	js_add_int(to, "t0_ns", 0);
}

static void merge_probes(struct json_object *to, struct json_object *from)
{
	struct json_object *list = js_get(from, "probes"), *all = js_get(to, "probes");
	size_t i;

	if (!all) {
		all = json_object_new_array();
		json_object_object_add(to, "probes", all);
	}
	for (i = 0; i < js_len(list); i++)
		json_object_array_add(all, json_object_get(js_at(list, i)));
}

static int save(struct json_object *o, const char *raw, const char *name)
{
	char *path = xasprintf("%s/%s", raw, name);
	int rc = 0;

	if (json_object_object_length(o) && js_save(o, path))
		rc = run_error("%s: %s", path, strerror(errno));
	json_object_put(o);
	free(path);
	return rc;
}

static int merge_documents(const struct qemu *q, const char *raw)
{
	struct json_object *totals = json_object_new_object(), *o, *lat;
	struct json_object *summary = json_object_new_object();
	struct json_object *probes = json_object_new_object();
	struct json_object *qps = json_object_new_object();
	int i;

	for (i = 0; i < q->n_guests; i++) {
		const struct qemu_guest *g = &q->guests[i];

		o = load(g, raw, "totals.json");
		if (o)
			merge_totals(totals, o);
		json_object_put(o);
		lat = load(g, raw, "flowgen/latency.json");
		if (lat)
			merge_probes(probes, lat);
		o = load(g, raw, "flowgen/summary.json");
		if (o)
			merge_summary(q, g, summary, o, js_len(js_get(lat, "probes")));
		json_object_put(o);
		json_object_put(lat);
		o = load(g, raw, "flowgen/qps.json");
		/* All parts know all connections. */
		if (o && !json_object_object_length(qps))
			merge_object(qps, o);
		json_object_put(o);
	}
	return save(totals, raw, "totals.json") | save(summary, raw, "flowgen/summary.json") |
	       save(probes, raw, "flowgen/latency.json") | save(qps, raw, "flowgen/qps.json");
}

/* Rows of a run in which a guest failed would look like those of a whole one. */
static bool all_have_totals(const struct qemu *q, const char *raw)
{
	bool all = true;
	int i;

	for (i = 0; i < q->n_guests; i++) {
		char *path = part_file(&q->guests[i], raw, "totals.json");

		all &= path_exists(path);
		free(path);
	}
	return all;
}

/**
 * qemu_merge() - rows and totals of all guests as those of one
 * @q: after the run
 * @raw: directory with those of guest N in partN; receives the result
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_merge(struct qemu *q, const char *raw)
{
	char *dir = xasprintf("%s/flowgen", raw);
	int rc = 0;
	enum table_id t;

	if (!all_have_totals(q, raw)) {
		free(dir);
		return 0;
	}
	if (mkdir_p(dir))
		rc = run_error("%s: %s", dir, strerror(errno));
	for (t = 0; t < TABLES && !rc; t++)
		if (tables[t].made & (TABLE_RAW | TABLE_FLOWGEN))
			rc = merge_table(q, raw, tables[t].file,
					 t == T_RAW_FLOWS ? take_flow : take_row);
	if (!rc)
		rc = merge_documents(q, raw);
	free(dir);
	return rc ? EXIT_RUN_FAILED : 0;
}

static void copy_lines(FILE *to, FILE *from)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, from) > 0) {
		/* How far it is has been shown. */
		if (strncmp(line, "@lab:t ", 7) == 0)
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		fprintf(to, "%s\n", line);
	}
	free(line);
}

/**
 * qemu_consoles() - what the kernels said, one after the other, in console.log
 * @q: after the run
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_consoles(struct qemu *q)
{
	char *path = xasprintf("%s/console.log", q->work);
	FILE *to = fopen(path, "we"), *from;
	int i, rc;

	for (i = 0; to && i < q->n_guests; i++) {
		char *name = xasprintf("%s/console-%d.log", q->work, i);

		fprintf(to, "# guest %d: %s\n", i, q->guests[i].nodes);
		from = fopen(name, "re");
		if (from) {
			copy_lines(to, from);
			fclose(from);
		}
		free(name);
	}
	rc = !to || file_close(to) ? run_error("%s: %s", path, strerror(errno)) : 0;
	free(path);
	return rc;
}
