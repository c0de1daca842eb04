// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest: what is run, as which command lines, and what perftest measured.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"
#include "programs/test_cases.h"

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
#define TEST_S		60

static const struct program {
	const char *name, *prog;
	bool lat, atomic;
	const char *connections[4];
	const char *modes[4];
	const char *options;
} progs[] = {
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

/* Each word of --tests is a test, a connection or a mode, or a joining of these by dots. */
static bool fits(const char *word, const struct program_test *t)
{
	char *copy = xstrdup(word), *rest = copy, *w;
	bool fits = true;

	while (fits && (w = strsep(&rest, "."))) {
		if (strncmp(w, "ib_", 3) == 0)
			w += 3;
		fits = strcmp(w, t->perf.name) == 0 || strcasecmp(w, t->perf.connection) == 0 ||
		       strcmp(w, t->perf.mode) == 0;
	}
	free(copy);
	return fits;
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

/* Command lines for run_cases_in_guest.sh; @more: arguments for both. */
static void commands(struct program_test *t, const struct program *prog, const char *more)
{
	const struct perf_test *f = &t->perf;
	bool cm = strcmp(f->mode, "cm") == 0;
	char *qps = f->lat ? xstrdup("") : xasprintf("-q %" PRId64 " ", f->qps);
	char *size = prog->atomic ? xstrdup("") : xasprintf(" -s %" PRId64, f->size), *both;

	both = xasprintf("%s-F -c %s -u " TIMEOUT "%s -n %d%s%s%s%s%s", qps, f->connection, size,
			 f->lat ? LAT_ITERS : BW_ITERS, f->lat ? "" : " --report_gbits",
			 cm ? " -R -T " TCLASS : " --tclass=" TCLASS,
			 strcmp(f->mode, "srq") == 0 ? " --use-srq" : "",
			 prog->options ? prog->options : "", more);
	t->server = xasprintf("%s -d $dev_b -x $gid_b %s", prog->prog, both);
	t->client = xasprintf("%s -d $dev_a -x $gid_a %s --out_json --out_json_file=$out/figures %s",
			      prog->prog, both, cm ? "$ip_b" : "127.0.0.1");
	free(both);
	free(size);
	free(qps);
}

/* With all sizes and numbers of queue pairs. */
static void add_sizes(struct programs *p, const struct program *prog, struct perf_test f,
		      const char *prefix, const char *more)
{
	bool ud = strcmp(f.connection, "UD") == 0;
	size_t i, k;

	for (i = 0; i == 0 || p->sizes[i]; i++) {
		f.size = p->sizes[i] ?: f.lat ? LAT_SIZE : ud ? UD_SIZE : BW_SIZE;
		/* Atomics have one size, and a datagram is one packet. */
		if (prog->atomic && i)
			break;
		if (prog->atomic)
			f.size = 8;
		if (ud && f.size > 4096)
			continue;
		for (k = 0; k == 0 || p->qps[k]; k++) {
			struct program_test t = {
				.ready = strcmp(f.mode, "cm") ? "tcp:18515" : "cm",
				.timeout_s = TEST_S, .perf = f,
			};

			t.perf.qps = p->qps[k] ?: 1;
			/* Latency is that of one queue pair. */
			if (t.perf.qps > 1 && f.lat)
				continue;
			t.name = xasprintf("%s%s.%s.%s", prefix, f.name, f.connection, f.mode);
			if (p->ops->rounds)
				t.id = xasprintf("%s.s%" PRId64 ".q%" PRId64, t.name, f.size,
						 t.perf.qps);
			commands(&t, prog, more);
			programs_add(p, &t);
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
 * perftest_add() - all tests of perftest
 * @p: command line
 * @prefix: of their names
 * @more: arguments for all
 * @n_more: how many
 */
void perftest_add(struct programs *p, const char *prefix, char *const *more, int n_more)
{
	char *all = quoted(more, n_more);
	size_t i, k, m;

	for (i = 0; i < ARRAY_SIZE(progs); i++) {
		const struct program *prog = &progs[i];

		for (k = 0; prog->modes[k]; k++)
			for (m = 0; prog->connections[m]; m++)
				if (has_mode(prog->connections[m], prog->modes[k]))
					add_sizes(p, prog, (struct perf_test){
						  .name = prog->name, .lat = prog->lat,
						  .connection = prog->connections[m],
						  .mode = prog->modes[k] }, prefix, all);
	}
	free(all);
}

static void add_tests(struct programs *p)
{
	perftest_add(p, "", p->more, p->n_more);
}

/*
 * The file of --out_json is no JSON in perftest 4.5: names have no quotes, and a comma stands
 * before the closing brace. Each figure has a line of its own, "NAME: VALUE,". The last of that
 * name: several sizes, as "-a" runs them, have a line each.
 */
static double figure(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *at = text;
	double val = NAN;

	while ((at = strstr(at, name))) {
		if ((at == text || at[-1] == '\n' || at[-1] == ' ') && at[len] == ':')
			val = strtod(at + len + 1, NULL);
		at += len;
	}
	return val;
}

/* Figures of one run; there are none when perftest could not measure the cycle counter's rate. */
static bool read_figures(const struct programs *p, const struct program_case *c, double *a,
			 double *b)
{
	char *path = programs_path(p, c, "figures"), *text = read_file(path, NULL);

	*a = NAN;
	if (text && c->t->perf.lat) {
		*a = figure(text, "t_typical") * 1e3;
		*b = figure(text, "percentile_99") * 1e3;
	} else if (text) {
		*a = figure(text, "BW_average") * 1e9;
		*b = figure(text, "MsgRate") * 1e6;
	}
	free(text);
	free(path);
	return isfinite(*a) && isfinite(*b) && *a > 0 && *b >= 0;
}

static double median(double *v, size_t n)
{
	return n ? stats_spread_of(v, n).median : NAN;
}

/* Medians over the rounds. */
static void take(struct programs *p, const struct program_test *t, size_t cc)
{
	struct program_result *r = &programs_row(p, t->id, t)->by_cc[cc];
	double *a = xcalloc(p->rounds, sizeof(*a)), *b = xcalloc(p->rounds, sizeof(*b));
	double *ratio = xcalloc(p->rounds, sizeof(*ratio)), stock_a, stock_b;
	size_t round, n = 0, n_ratios = 0;

	for (round = 0; round < p->rounds; round++) {
		struct program_case *c = programs_case(p, round, t, cc);
		struct program_case *stock = programs_case(p, round, t, 0);

		r->runs += c->runs;
		if (c->v == V_PASS && !read_figures(p, c, &a[n], &b[n])) {
			c->v = V_FAIL;
			c->why = xstrdup("perftest gave no figures");
		}
		if (c->v != V_PASS) {
			free(r->why);
			r->why = xstrdup(c->why ?: "not run");
			continue;
		}
		if (stock->v == V_PASS && read_figures(p, stock, &stock_a, &stock_b))
			ratio[n_ratios++] = a[n] / stock_a;
		n++;
	}
	r->passed = (int)n;
	r->a = median(a, n);
	r->b = median(b, n);
	r->ratio = median(ratio, n_ratios);
	free(ratio);
	free(a);
	free(b);
}

static void print_rows(const struct programs *p, bool lat)
{
	bool head = false;
	size_t i, cc;

	for (i = 0; i < p->n_rows; i++) {
		const struct program_row *row = &p->rows[i];
		const struct perf_test *f = &row->t->perf;

		if (f->lat != lat)
			continue;
		if (!head)
			printf("%-10s %-4s %-5s %7s %4s %-14s %10s %10s %8s\n", "test", "conn",
			       "mode", "bytes", "qps", "algorithm", lat ? "median us" : "Mbit/s",
			       lat ? "p99 us" : "msg/s", "to stock");
		head = true;
		for (cc = 0; cc < p->n_ccs; cc++) {
			const struct program_result *r = &row->by_cc[cc];

			printf("%-10s %-4s %-5s %7" PRId64 " %4" PRId64 " %-14s ", f->name,
			       f->connection, f->mode, f->size, f->qps, p->ccs[cc]);
			if (!r->passed)
				printf("%s (%d runs)\n", r->why, r->runs);
			else
				printf("%10.1f %10.1f %8.3f%s\n", lat ? r->a / 1e3 : r->a / 1e6,
				       lat ? r->b / 1e3 : r->b, r->ratio,
				       r->passed < (int)p->rounds ? "  not always" : "");
		}
	}
}

static void print(const struct programs *p)
{
	print_rows(p, false);
	print_rows(p, true);
	printf("Results in %s\n", p->out);
}

static void add_figure(struct json_object *o, const char *name, double val)
{
	if (isfinite(val))
		js_add_dbl(o, name, val, 6);
	else
		json_object_object_add(o, name, NULL);
}

/* A command line, as run_cases_in_guest.sh has run it. */
static void add_command(const struct programs *p, const struct program_case *c, const char *role,
			struct json_object *o)
{
	char *file = xasprintf("%s.cmd", role), *path = programs_path(p, c, file);
	char *text = read_file(path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	js_add_str(o, role, text ?: "");
	free(text);
	free(path);
	free(file);
}

static void add(const struct programs *p, const struct program_row *row, size_t cc,
		struct json_object *o)
{
	const struct program_case *first = programs_case(p, 0, row->t, cc);
	const struct program_result *r = &row->by_cc[cc];
	const struct perf_test *f = &row->t->perf;

	js_add_str(o, "test", f->name);
	js_add_str(o, "connection", f->connection);
	js_add_str(o, "mode", f->mode);
	js_add_int(o, "size_bytes", f->size);
	js_add_int(o, "qps", f->qps);
	js_add_str(o, "cc", p->ccs[cc]);
	js_add_int(o, "passed", r->passed);
	js_add_int(o, "runs", r->runs);
	add_figure(o, f->lat ? "median_ns" : "goodput_bps", r->a);
	add_figure(o, f->lat ? "p99_ns" : "messages_per_s", r->b);
	add_figure(o, "to_stock", r->ratio);
	add_command(p, first, "server", o);
	add_command(p, first, "client", o);
}

const struct programs_ops perftest_ops = {
	.name = "perftest", .rounds = true, .tests = add_tests, .fits = fits, .take = take,
	.print = print, .add = add,
};
