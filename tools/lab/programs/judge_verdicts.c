// SPDX-License-Identifier: GPL-2.0
/*
 * lab judge: the programs that it runs, and the table of verdicts. What passes with stock rxe
 * must pass under each algorithm.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "lib/child.h"
#include "programs/test_cases.h"

#define PROGRAM_S	60
#define SUITE_S		240
#define MCKEY_TRIES	20

#define PINGPONG(kind, options) \
	{ .name = "ibv_" kind "_pingpong", "tcp:18515", \
	  "ibv_" kind "_pingpong -d $dev_b -g $gid_b -n 100 " options, \
	  "ibv_" kind "_pingpong -d $dev_a -g $gid_a -n 100 " options " 127.0.0.1" }

static const struct {
	const char *name, *ready, *server, *client;
	int tries; /* 0: as others. One with more passes by chance, and never in virtual time */
} pairs[] = {
	PINGPONG("rc", "-c"),
	PINGPONG("uc", "-c"),
	PINGPONG("ud", "-s 1024 -c"),
	PINGPONG("srq", "-c -q 4 -r 100"),
	PINGPONG("xsrq", "-c"),
	{ .name = "ibv_rc_pingpong.events", "tcp:18515",
	  "ibv_rc_pingpong -d $dev_b -g $gid_b -n 100 -c -e",
	  "ibv_rc_pingpong -d $dev_a -g $gid_a -n 100 -c -e 127.0.0.1" },
	{ .name = "rping", "cm", "rping -s -a $ip_b -C 20 -V", "rping -c -a $ip_b -C 20 -V" },
	{ .name = "rping.large", "cm", "rping -s -a $ip_b -C 5 -S 60000 -V",
	  "rping -c -a $ip_b -C 5 -S 60000 -V" },
	{ .name = "ucmatose", "cm", "ucmatose -b $ip_b -c 4 -C 10 -S 8192",
	  "ucmatose -s $ip_b -c 4 -C 10 -S 8192" },
	{ .name = "udaddy", "cm", "udaddy -b $ip_b -c 2 -C 10 -S 1024",
	  "udaddy -s $ip_b -b $ip_a -c 2 -C 10 -S 1024" },
	/*
	 * Its sender does not wait until its messages have gone before it destroys its queue
	 * pair; on one CPU often only the first has, or none: 33 of 62 tries failed. 3 failed
	 * tries in a row are one in seven then, 20 are one in 300 000. In virtual time none has
	 * gone in any try, as nothing but the program takes its time.
	 */
	{ .name = "mckey", "sleep:4", "mckey -m 239.10.0.1 -b $ip_b -C 1",
	  "mckey -m 239.10.0.1 -b $ip_a -s -C 10", MCKEY_TRIES },
	{ .name = "cmtime", "cm!", "cmtime -b $ip_b", "cmtime -s $ip_b -c 20" },
	{ .name = "rstream", "cm", "rstream -b $ip_b -I 20 -C 10 -S 4096 -T v",
	  "rstream -s $ip_b -I 20 -C 10 -S 4096 -T v" },
	{ .name = "riostream", "cm", "riostream -b $ip_b -I 20 -C 10 -S 4096 -T v",
	  "riostream -s $ip_b -I 20 -C 10 -S 4096 -T v" },
	{ .name = "rdma_server", "cm", "rdma_server -s $ip_b", "rdma_client -s $ip_b" },
	{ .name = "rdma_xserver", "cm", "rdma_xserver -c r", "rdma_xclient -s $ip_b -c r" },
};

/* A word of --tests is the beginning of a name, up to a dot. */
static bool fits(const char *word, const struct program_test *t)
{
	size_t len = strlen(word);

	return len && strncmp(t->name, word, len) == 0 && (!t->name[len] || t->name[len] == '.');
}

/*
 * Tests that check what they do not wait for. test_resize_cq posts sends and shrinks the queue of
 * their completions at once: the kernel refuses that only if they have completed by then.
 */
static const char *const races[] = {
	"pyverbs.test_cq.CQTest.test_resize_cq",
};

/* Whether a test's failure says nothing. */
static bool is_race(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(races); i++)
		if (strcmp(name, races[i]) == 0)
			return true;
	return false;
}

/* Modules of the suite, but those for other devices. */
static int is_module(const struct dirent *de)
{
	const char *name = de->d_name;
	size_t len = strlen(name);

	return strncmp(name, "test_", 5) == 0 && len > 8 && strcmp(name + len - 3, ".py") == 0 &&
	       !strstr(name, "mlx5") && !strstr(name, "efa") && !strstr(name, "cuda");
}

/* On rxe_a alone: these tests talk to themselves. */
static void add_pyverbs(struct programs *p)
{
	char *argv[] = { xasprintf("%s/scripts/pyverbs-tests.sh", lab_root()), NULL }, *dir;
	bool there = child_output(&(struct child){ .argv = argv }, &dir) == 0;
	struct dirent **entries;
	int i, nr;

	free(argv[0]);
	if (there)
		dir[strcspn(dir, "\n")] = '\0';
	nr = there ? scandir(dir, &entries, is_module, alphasort) : -1;
	for (i = 0; i < nr; i++) {
		int len = strlen(entries[i]->d_name) - 3;
		struct program_test t = {
			.name = xasprintf("pyverbs.%.*s", len, entries[i]->d_name),
			.ready = "", .server = xstrdup(""), .timeout_s = SUITE_S, .suite = true,
			.client = xasprintf("/usr/bin/python3 -B %s/run_tests.py --dev $dev_a "
					    "--gid $gid_a -v tests.%.*s", dir, len,
					    entries[i]->d_name),
		};

		programs_add(p, &t);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	else
		fprintf(stderr, "lab: judge: without the tests of pyverbs\n");
	free(dir);
}

static void add_tests(struct programs *p)
{
	static char *const less[] = { "-n", "50" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		if (p->is_virtual && pairs[i].tries)
			continue;
		programs_add(p, &(struct program_test){
			.name = xstrdup(pairs[i].name), .ready = pairs[i].ready,
			.server = xstrdup(pairs[i].server), .client = xstrdup(pairs[i].client),
			.timeout_s = PROGRAM_S, .tries = pairs[i].tries,
		});
	}
	perftest_add(p, "perftest.", less, ARRAY_SIZE(less));
	/* The guest of QEMU has no Python. */
	if (!p->qemu)
		add_pyverbs(p);
}

static const char *const verdicts[] = {
	[V_MISSING] = "missing", [V_PASS] = "pass", [V_FAIL] = "fail", [V_SKIP] = "skip",
	[V_RACE] = "race",
};

/* While a suite is read. */
struct suite {
	struct programs *p;
	const struct program_case *c;
	size_t cc;
};

static void set(struct programs *p, const struct program_case *c, const char *name, size_t cc,
		enum verdict v, const char *why)
{
	struct program_result *r = &programs_row(p, name, c->t)->by_cc[cc];

	r->v = v;
	r->runs = c->runs;
	free(r->why);
	r->why = why ? xstrdup(why) : NULL;
}

static void on_test(void *ctx, const char *test, enum verdict v, const char *why)
{
	char *name = xasprintf("pyverbs.%s", test);
	struct suite *s = ctx;

	set(s->p, s->c, name, s->cc, v == V_FAIL && is_race(name) ? V_RACE : v, why);
	free(name);
}

static void take(struct programs *p, const struct program_test *t, size_t cc)
{
	const struct program_case *c = programs_case(p, 0, t, cc);
	struct suite s = { p, c, cc };
	char *path;
	bool own;

	if (t->suite) {
		path = programs_path(p, c, "client.log");
		suite_read(path, on_test, &s);
		free(path);
	}
	/* Of a suite, that which is no failed test: the kernel's complaint, no time left. */
	own = !t->suite || !c->why || strcmp(c->why, "client: 1");
	set(p, c, t->name, cc, own ? c->v : V_PASS, own ? c->why : NULL);
}

/* Passes with stock rxe and not here; to skip it is no failure. */
static bool is_worse(const struct program_row *r, size_t cc)
{
	return r->by_cc[0].v == V_PASS &&
	       (r->by_cc[cc].v == V_FAIL || r->by_cc[cc].v == V_MISSING);
}

static size_t worse(const struct programs *p)
{
	size_t i, cc, n = 0;

	for (i = 0; i < p->n_rows; i++)
		for (cc = 1; cc < p->n_ccs; cc++)
			n += is_worse(&p->rows[i], cc);
	return n;
}

static bool all_skip(const struct programs *p, const struct program_row *r)
{
	size_t cc;

	for (cc = 0; cc < p->n_ccs; cc++)
		if (r->by_cc[cc].v != V_SKIP)
			return false;
	return true;
}

/* Wide enough for FAIL/3. */
static int column(const struct programs *p, size_t cc)
{
	int len = strlen(p->ccs[cc]);

	return len > 6 ? len : 6;
}

static void print_row(const struct programs *p, const struct program_row *r, int width)
{
	size_t cc;
	char text[32];

	printf("%-*s", width, r->name);
	for (cc = 0; cc < p->n_ccs; cc++) {
		const struct program_result *m = &r->by_cc[cc];
		const char *word = is_worse(r, cc) ? "FAIL" : verdicts[m->v];

		if (m->runs > 1)
			snprintf(text, sizeof(text), "%s/%d", word, m->runs);
		else
			snprintf(text, sizeof(text), "%s", word);
		printf(" %*s", column(p, cc), text);
	}
	putchar('\n');
}

static void print(const struct programs *p)
{
	size_t i, cc, skipped = 0;
	int width = 4;

	for (i = 0; i < p->n_rows; i++)
		if (!all_skip(p, &p->rows[i]) && (int)strlen(p->rows[i].name) > width)
			width = strlen(p->rows[i].name);
	printf("%-*s", width, "test");
	for (cc = 0; cc < p->n_ccs; cc++)
		printf(" %*s", column(p, cc), p->ccs[cc]);
	putchar('\n');
	for (i = 0; i < p->n_rows; i++) {
		if (all_skip(p, &p->rows[i]))
			skipped++;
		else
			print_row(p, &p->rows[i], width);
	}
	if (skipped)
		printf("%zu more are skipped under all: not in rxe, or not here\n", skipped);
	for (i = 0; i < p->n_rows; i++)
		for (cc = 1; cc < p->n_ccs; cc++)
			if (is_worse(&p->rows[i], cc))
				printf("%s passes with stock rxe, not under %s: %s\n",
				       p->rows[i].name, p->ccs[cc],
				       p->rows[i].by_cc[cc].why ?: verdicts[p->rows[i].by_cc[cc].v]);
	printf("%zu tests under %zu; %zu results are worse than with stock rxe; logs in %s/cases\n",
	       p->n_rows, p->n_ccs, worse(p), p->out);
}

static void add(const struct programs *p, const struct program_row *row, size_t cc,
		struct json_object *o)
{
	const struct program_result *r = &row->by_cc[cc];

	js_add_str(o, "test", row->name);
	js_add_str(o, "cc", p->ccs[cc]);
	js_add_str(o, "verdict", verdicts[r->v]);
	js_add_int(o, "runs", r->runs);
	if (r->why)
		js_add_str(o, "why", r->why);
}

const struct programs_ops judge_ops = {
	.name = "judge", .tests = add_tests, .fits = fits, .take = take, .print = print,
	.add = add, .worse = worse,
};
