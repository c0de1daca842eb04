// SPDX-License-Identifier: GPL-2.0
/*
 * lab judge: the table of verdicts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"

#define TRIES	3

static const char judge_help[] =
"Usage: lab judge [OPTIONS]\n\n"
"Runs other people's tests between two soft-RoCE devices, in real time: the examples\n"
"of libibverbs and librdmacm, perftest, and rdma-core's tests in Python; under stock\n"
"rxe, under ours without an algorithm, and under each algorithm. What passes with stock\n"
"rxe must pass with ours. Prints a table, and writes judge.json and what each run printed\n"
"to DIR. Exit status: 0 that is so, 1 not so, 2 bad arguments.\n\n"
"  --cc A[,B...]    algorithms as of \"lab run\"; \"none\" and all others if not given.\n"
"                   Stock rxe is always run too\n"
"  --tests T[,T...] names, or their beginning up to a dot: rping, perftest,\n"
"                   pyverbs.test_qp; default all\n"
"  --set KEY=VALUE  rate, delay, mtu, buffer, kmin, kmax, pmax of the switch and its cables\n"
"  --backend B      uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
"                   in QEMU, without the tests in Python\n"
"  --cpus N         of the guest of QEMU (2)\n"
"  --tries N        run a test that fails up to N times (3; mckey at least 20); the table\n"
"                   says so: pass/2\n"
"  --timeout S      end a run after S seconds (60, of a suite 240)\n"
"  --out DIR        where results go (./results/judge)\n"
"  --list           print the tests and their commands, run nothing\n"
"  -j, --json       print JSON instead of the table\n"
"  -q, --quiet      no progress\n"
"  -h, --help       this text\n";

/* One verdict: a row of the table under one rxe. */
struct mark {
	enum verdict v;
	int runs;
	char *why;
};

struct row {
	char *name;
	struct mark *marks;	/* by algorithm */
};

struct judge {
	struct pair p;
	struct judge_test *tests;
	size_t n_tests;
	struct pair_case *cases;	/* by test, then algorithm */
	size_t n;
	struct row *rows;
	size_t n_rows;
	/* While a suite is read. */
	const struct pair_case *now;
	size_t cc;
};

static const char *const verdicts[] = {
	[V_MISSING] = "missing", [V_PASS] = "pass", [V_FAIL] = "fail", [V_SKIP] = "skip",
	[V_RACE] = "race",
};

/* A test under one rxe right after the other: they find the machine in the same state. */
static void make_cases(struct judge *j)
{
	size_t i, cc;

	j->n = j->n_tests * j->p.n_ccs;
	j->cases = xcalloc(j->n, sizeof(*j->cases));
	for (i = 0; i < j->n; i++) {
		const struct judge_test *t = &j->tests[i / j->p.n_ccs];
		char *dir;

		cc = i % j->p.n_ccs;
		dir = cc_dir(j->p.ccs[cc]);
		j->cases[i] = (struct pair_case){
			.id = xasprintf("%s.%s", t->name, dir), .cc = j->p.ccs[cc],
			.timeout_s = t->timeout_s, .ready = t->ready, .server = t->server,
			.client = t->client, .tries = t->tries,
		};
		free(dir);
	}
}

static struct row *row_of(struct judge *j, const char *name)
{
	size_t i;

	for (i = 0; i < j->n_rows; i++)
		if (strcmp(j->rows[i].name, name) == 0)
			return &j->rows[i];
	j->rows = xrealloc(j->rows, (j->n_rows + 1) * sizeof(*j->rows));
	j->rows[j->n_rows] = (struct row){
		xstrdup(name), xcalloc(j->p.n_ccs, sizeof(struct mark))
	};
	return &j->rows[j->n_rows++];
}

static void set(struct judge *j, const char *name, size_t cc, enum verdict v, int runs,
		const char *why)
{
	struct mark *m = &row_of(j, name)->marks[cc];

	m->v = v;
	m->runs = runs;
	free(m->why);
	m->why = why ? xstrdup(why) : NULL;
}

static void on_test(void *ctx, const char *test, enum verdict v, const char *why)
{
	struct judge *j = ctx;
	char *name = xasprintf("pyverbs.%s", test);

	if (v == V_FAIL && judge_is_race(name))
		v = V_RACE;
	set(j, name, j->cc, v, j->now->runs, why);
	free(name);
}

static void take(struct judge *j, const struct pair_case *c, const struct judge_test *t, size_t cc)
{
	static const enum verdict of_end[] = {
		[PAIR_NOT_RUN] = V_MISSING, [PAIR_PASS] = V_PASS, [PAIR_FAIL] = V_FAIL,
		[PAIR_SKIP] = V_SKIP,
	};
	char *path;
	bool own;

	if (t->suite) {
		path = pair_path(&j->p, c, "client.log");
		j->now = c;
		j->cc = cc;
		suite_read(path, on_test, j);
		free(path);
	}
	/* Of a suite, that which is no failed test: the kernel's complaint, no time left. */
	own = !t->suite || !c->why || strcmp(c->why, "client: 1");
	set(j, t->name, cc, own ? of_end[c->end] : V_PASS, c->runs, own ? c->why : NULL);
}

static void take_all(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->n; i++)
		take(j, &j->cases[i], &j->tests[i / j->p.n_ccs], i % j->p.n_ccs);
}

/* Passes with stock rxe and not here; to skip it is no failure. */
static bool is_worse(const struct row *r, size_t cc)
{
	return r->marks[0].v == V_PASS &&
	       (r->marks[cc].v == V_FAIL || r->marks[cc].v == V_MISSING);
}

static size_t count_worse(const struct judge *j)
{
	size_t i, cc, n = 0;

	for (i = 0; i < j->n_rows; i++)
		for (cc = 1; cc < j->p.n_ccs; cc++)
			n += is_worse(&j->rows[i], cc);
	return n;
}

static bool all_skip(const struct judge *j, const struct row *r)
{
	size_t cc;

	for (cc = 0; cc < j->p.n_ccs; cc++)
		if (r->marks[cc].v != V_SKIP)
			return false;
	return true;
}

/* Wide enough for FAIL/3. */
static int column(const struct judge *j, size_t cc)
{
	int len = strlen(j->p.ccs[cc]);

	return len > 6 ? len : 6;
}

static void print_row(const struct judge *j, const struct row *r, int width)
{
	size_t cc;
	char text[32];

	printf("%-*s", width, r->name);
	for (cc = 0; cc < j->p.n_ccs; cc++) {
		const struct mark *m = &r->marks[cc];
		const char *word = is_worse(r, cc) ? "FAIL" : verdicts[m->v];

		if (m->runs > 1)
			snprintf(text, sizeof(text), "%s/%d", word, m->runs);
		else
			snprintf(text, sizeof(text), "%s", word);
		printf(" %*s", column(j, cc), text);
	}
	putchar('\n');
}

static void print_table(const struct judge *j)
{
	size_t i, cc, skipped = 0, worse = count_worse(j);
	int width = 4;

	for (i = 0; i < j->n_rows; i++)
		if (!all_skip(j, &j->rows[i]) && (int)strlen(j->rows[i].name) > width)
			width = strlen(j->rows[i].name);
	printf("%-*s", width, "test");
	for (cc = 0; cc < j->p.n_ccs; cc++)
		printf(" %*s", column(j, cc), j->p.ccs[cc]);
	putchar('\n');
	for (i = 0; i < j->n_rows; i++) {
		if (all_skip(j, &j->rows[i]))
			skipped++;
		else
			print_row(j, &j->rows[i], width);
	}
	if (skipped)
		printf("%zu more are skipped under all: not in rxe, or not here\n", skipped);
	for (i = 0; i < j->n_rows; i++)
		for (cc = 1; cc < j->p.n_ccs; cc++)
			if (is_worse(&j->rows[i], cc))
				printf("%s passes with stock rxe, not under %s: %s\n",
				       j->rows[i].name, j->p.ccs[cc],
				       j->rows[i].marks[cc].why ?: verdicts[j->rows[i].marks[cc].v]);
	printf("%zu tests under %zu; %zu results are worse than with stock rxe; logs in %s/cases\n",
	       j->n_rows, j->p.n_ccs, worse, j->p.out);
}

static struct json_object *to_json(const struct judge *j)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array(), *o;
	size_t i, cc;

	js_add_str(top, "command", "judge");
	js_add_str(top, "backend", j->p.qemu ? "qemu" : "uml");
	js_add_int(top, "cpus", j->p.cpus);
	json_object_object_add(top, "settings", pair_settings(&j->p));
	js_add_int(top, "worse", count_worse(j));
	for (i = 0; i < j->n_rows; i++) {
		for (cc = 0; cc < j->p.n_ccs; cc++) {
			const struct mark *m = &j->rows[i].marks[cc];

			o = json_object_new_object();
			js_add_str(o, "test", j->rows[i].name);
			js_add_str(o, "cc", j->p.ccs[cc]);
			js_add_str(o, "verdict", verdicts[m->v]);
			js_add_int(o, "runs", m->runs);
			if (m->why)
				js_add_str(o, "why", m->why);
			json_object_array_add(list, o);
		}
	}
	json_object_object_add(top, "results", list);
	return top;
}

static int report(const struct judge *j)
{
	char *path = xasprintf("%s/judge.json", j->p.out);
	struct json_object *top = to_json(j);
	int rc = 0;

	if (js_save(top, path))
		rc = run_error("%s: %s", path, strerror(errno));
	if (j->p.json)
		puts(json_object_to_json_string_ext(top, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		print_table(j);
	json_object_put(top);
	free(path);
	if (!rc && count_worse(j))
		rc = run_error("judge: %zu results are worse than with stock rxe", count_worse(j));
	return rc;
}

static void free_judge(struct judge *j)
{
	size_t i, cc;

	for (i = 0; i < j->n; i++) {
		free(j->cases[i].id);
		free(j->cases[i].why);
	}
	for (i = 0; i < j->n_rows; i++) {
		for (cc = 0; cc < j->p.n_ccs; cc++)
			free(j->rows[i].marks[cc].why);
		free(j->rows[i].marks);
		free(j->rows[i].name);
	}
	for (i = 0; i < j->n_tests; i++) {
		free(j->tests[i].name);
		free(j->tests[i].server);
		free(j->tests[i].client);
	}
	free(j->cases);
	free(j->rows);
	free(j->tests);
	pair_free(&j->p);
}

int cmd_judge(int argc, char **argv)
{
	struct judge j = { .p = { .name = "judge", .rounds = 1, .tries = TRIES } };
	int rc = pair_parse(&j.p, argc, argv, judge_help);
	size_t i;

	if (!rc && (j.p.sizes || j.p.qps || j.p.n_more || j.p.rounds != 1))
		rc = usage_error("--sizes, --qps, --rounds, --: only lab perftest has them");
	if (!rc)
		rc = judge_tests(&j.p, &j.tests, &j.n_tests);
	if (!rc && j.p.list) {
		for (i = 0; i < j.n_tests; i++)
			printf("%s: %s\n", j.tests[i].name, j.tests[i].client);
	} else if (!rc) {
		make_cases(&j);
		rc = pair_run(&j.p, j.cases, j.n);
		if (!rc) {
			take_all(&j);
			rc = report(&j);
		}
	}
	free_judge(&j);
	return rc < 0 ? EXIT_OK : rc;
}
