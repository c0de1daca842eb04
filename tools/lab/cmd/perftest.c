// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"
#include "pair/pair.h"

#define CASE_S		60
#define TRIES		3

static const char perftest_help[] =
"Usage: lab perftest [OPTIONS] [-- PERFTEST-ARGUMENTS]\n\n"
"Runs perftest (ib_write_bw and so on) between two soft-RoCE devices with a switch\n"
"between them, in real time: under stock rxe, under ours without an algorithm, and\n"
"under each algorithm, one after the other. Prints a table, and writes perftest.json\n"
"and what each run printed to DIR. Exit status: 0 all ran, 1 not so, 2 bad arguments.\n\n"
"  --cc A[,B...]    algorithms as of \"lab run\"; \"none\" and all others if not given.\n"
"                   Stock rxe is always run too\n"
"  --tests T[,T...] tests, connections (RC, UC, UD), modes (plain, cm, srq), or some of\n"
"                   these with dots between: write_bw, ib_send_lat.UD, cm; default all\n"
"  --sizes N[,N...] message sizes (64kb for bandwidth, UD 1kb; 64 for latency)\n"
"  --qps N[,N...]   queue pairs, of bandwidth tests (1)\n"
"  --rounds N       how often all is run; the table has medians (1)\n"
"  --set KEY=VALUE  rate, delay, mtu, buffer, kmin, kmax, pmax of the switch and its cables\n"
"  --backend B      uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
"                   in QEMU\n"
"  --cpus N         of the guest of QEMU (2)\n"
"  --tries N        run a case that fails up to N times (3)\n"
"  --timeout S      end a run after S seconds (60)\n"
"  --out DIR        where results go (./results/perftest)\n"
"  --list           print the cases and the client's command lines, run nothing\n"
"  -j, --json       print JSON instead of the table\n"
"  -q, --quiet      no progress\n"
"  -h, --help       this text\n";

/* A run of a row: cases are ordered by round, then row, then algorithm. */
struct bench {
	struct pair p;
	struct perf_case *rows;
	size_t n_rows;
	struct pair_case *cases;
	struct perf_figures *figures;	/* of each case; a is 0 if there are none */
	size_t n;
};

static size_t index_of(const struct bench *b, size_t round, size_t row, size_t cc)
{
	return (round * b->n_rows + row) * b->p.n_ccs + cc;
}

static void make_cases(struct bench *b)
{
	size_t round, row, cc;

	b->n = b->p.rounds * b->n_rows * b->p.n_ccs;
	b->cases = xcalloc(b->n, sizeof(*b->cases));
	b->figures = xcalloc(b->n, sizeof(*b->figures));
	for (round = 0; round < b->p.rounds; round++) {
		for (row = 0; row < b->n_rows; row++) {
			const struct perf_case *r = &b->rows[row];

			for (cc = 0; cc < b->p.n_ccs; cc++) {
				struct pair_case *c = &b->cases[index_of(b, round, row, cc)];
				char *dir = cc_dir(b->p.ccs[cc]);

				c->id = xasprintf("%s.%s.%s.s%" PRId64 ".q%" PRId64 ".%s.r%zu",
						  perf_name(r), r->connection, r->mode, r->size,
						  r->qps, dir, round + 1);
				c->cc = b->p.ccs[cc];
				c->timeout_s = CASE_S;
				c->ready = strcmp(r->mode, "cm") ? "tcp:18515" : "cm";
				perf_commands(&b->p, r, &c->server, &c->client);
				free(dir);
			}
		}
	}
}

static void read_figures(struct bench *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		struct pair_case *c = &b->cases[i];
		char *path = pair_path(&b->p, c, "figures");

		if (c->end == PAIR_PASS &&
		    perf_read(path, perf_is_lat(&b->rows[i / b->p.n_ccs % b->n_rows]),
			      &b->figures[i])) {
			b->figures[i].a = 0;
			c->end = PAIR_FAIL;
			c->why = xstrdup("perftest gave no figures");
		}
		free(path);
	}
}

/* What a row of the table says of one algorithm. */
struct cell {
	double a, b, ratio;	/* NAN: none */
	size_t ok, skipped, runs;
	const char *why;
};

static double median(double *v, size_t n)
{
	return n ? stats_spread_of(v, n).median : NAN;
}

static struct cell cell_of(const struct bench *b, size_t row, size_t cc)
{
	double *v[3];
	struct cell cell = { .why = NULL };
	size_t round, n_ratios = 0;
	int i;

	for (i = 0; i < 3; i++)
		v[i] = xcalloc(b->p.rounds, sizeof(double));
	for (round = 0; round < b->p.rounds; round++) {
		size_t at = index_of(b, round, row, cc), stock = index_of(b, round, row, 0);

		cell.runs += b->cases[at].runs;
		cell.skipped += b->cases[at].end == PAIR_SKIP;
		if (b->cases[at].end != PAIR_PASS) {
			cell.why = b->cases[at].why ?: "not run";
			continue;
		}
		v[0][cell.ok] = b->figures[at].a;
		v[1][cell.ok++] = b->figures[at].b;
		if (b->cases[stock].end == PAIR_PASS)
			v[2][n_ratios++] = b->figures[at].a / b->figures[stock].a;
	}
	cell.a = median(v[0], cell.ok);
	cell.b = median(v[1], cell.ok);
	cell.ratio = median(v[2], n_ratios);
	for (i = 0; i < 3; i++)
		free(v[i]);
	return cell;
}

static void print_rows(const struct bench *b, bool lat)
{
	bool head = false;
	size_t row, cc;

	for (row = 0; row < b->n_rows; row++) {
		const struct perf_case *r = &b->rows[row];

		if (perf_is_lat(r) != lat)
			continue;
		if (!head)
			printf("%-10s %-4s %-5s %7s %4s %-14s %10s %10s %8s\n", "test", "conn",
			       "mode", "bytes", "qps", "algorithm", lat ? "median us" : "Mbit/s",
			       lat ? "p99 us" : "msg/s", "to stock");
		head = true;
		for (cc = 0; cc < b->p.n_ccs; cc++) {
			struct cell k = cell_of(b, row, cc);

			printf("%-10s %-4s %-5s %7" PRId64 " %4" PRId64 " %-14s ", perf_name(r),
			       r->connection, r->mode, r->size, r->qps, b->p.ccs[cc]);
			if (!k.ok)
				printf("%s (%zu runs)\n", k.why, k.runs);
			else
				printf("%10.1f %10.1f %8.3f%s\n", lat ? k.a / 1e3 : k.a / 1e6,
				       lat ? k.b / 1e3 : k.b, k.ratio,
				       k.ok < b->p.rounds ? "  not always" : "");
		}
	}
}

static void add_figure(struct json_object *o, const char *name, double val)
{
	if (isfinite(val))
		js_add_dbl(o, name, val, 6);
	else
		json_object_object_add(o, name, NULL);
}

static char *command_of(const struct bench *b, const struct pair_case *c, const char *file)
{
	char *path = pair_path(&b->p, c, file), *text = read_file(path, NULL);

	free(path);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text ?: xstrdup("");
}

static struct json_object *cell_json(const struct bench *b, size_t row, size_t cc)
{
	const struct perf_case *r = &b->rows[row];
	const struct pair_case *first = &b->cases[index_of(b, 0, row, cc)];
	struct json_object *o = json_object_new_object();
	struct cell k = cell_of(b, row, cc);
	bool lat = perf_is_lat(r);
	char *text;

	js_add_str(o, "test", perf_name(r));
	js_add_str(o, "connection", r->connection);
	js_add_str(o, "mode", r->mode);
	js_add_int(o, "size_bytes", r->size);
	js_add_int(o, "qps", r->qps);
	js_add_str(o, "cc", b->p.ccs[cc]);
	js_add_int(o, "passed", k.ok);
	js_add_int(o, "runs", k.runs);
	add_figure(o, lat ? "median_ns" : "goodput_bps", k.a);
	add_figure(o, lat ? "p99_ns" : "messages_per_s", k.b);
	add_figure(o, "to_stock", k.ratio);
	text = command_of(b, first, "server.cmd");
	js_add_str(o, "server", text);
	free(text);
	text = command_of(b, first, "client.cmd");
	js_add_str(o, "client", text);
	free(text);
	return o;
}

static int report(const struct bench *b)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	char *path = xasprintf("%s/perftest.json", b->p.out);
	size_t row, cc;
	int rc = 0;

	js_add_str(top, "command", "perftest");
	js_add_str(top, "backend", b->p.qemu ? "qemu" : "uml");
	js_add_int(top, "cpus", b->p.cpus);
	js_add_int(top, "rounds", b->p.rounds);
	json_object_object_add(top, "settings", pair_settings(&b->p));
	for (row = 0; row < b->n_rows; row++)
		for (cc = 0; cc < b->p.n_ccs; cc++)
			json_object_array_add(list, cell_json(b, row, cc));
	json_object_object_add(top, "results", list);
	if (js_save(top, path))
		rc = run_error("%s: %s", path, strerror(errno));
	if (b->p.json) {
		puts(json_object_to_json_string_ext(top, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	} else {
		print_rows(b, false);
		print_rows(b, true);
		printf("Results in %s\n", b->p.out);
	}
	json_object_put(top);
	free(path);
	return rc;
}

static int verdict(const struct bench *b)
{
	size_t i, failed = 0;

	for (i = 0; i < b->n; i++)
		failed += b->cases[i].end != PAIR_PASS;
	if (!failed)
		return EXIT_OK;
	return run_error("perftest: %zu of %zu cases failed, see %s/cases", failed, b->n,
			 b->p.out);
}

static void list(const struct bench *b)
{
	size_t row;

	for (row = 0; row < b->n_rows; row++) {
		const struct perf_case *r = &b->rows[row];

		printf("%s.%s.%s: %s\n", perf_name(r), r->connection, r->mode,
		       b->cases[row * b->p.n_ccs].client);
	}
}

static void free_bench(struct bench *b)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		free(b->cases[i].id);
		free(b->cases[i].server);
		free(b->cases[i].client);
		free(b->cases[i].why);
	}
	free(b->cases);
	free(b->figures);
	free(b->rows);
	pair_free(&b->p);
}

int cmd_perftest(int argc, char **argv)
{
	struct bench b = { .p = { .name = "perftest", .rounds = 1, .tries = TRIES } };
	int rc = pair_parse(&b.p, argc, argv, perftest_help);

	if (!rc)
		rc = perf_cases(&b.p, &b.rows, &b.n_rows);
	if (!rc) {
		make_cases(&b);
		if (b.p.list)
			list(&b);
		else
			rc = pair_run(&b.p, b.cases, b.n);
	}
	if (!rc && !b.p.list) {
		read_figures(&b);
		rc = report(&b);
		rc = rc ? rc : verdict(&b);
	}
	free_bench(&b);
	return rc < 0 ? EXIT_OK : rc;
}
