// SPDX-License-Identifier: GPL-2.0
/*
 * The lab's speed: data packets per CPU second of "lab run", beside an older build.
 * CPU time rather than wall time, because a machine that does something else as well
 * lengthens the latter without limit. The two builds of a pair run one right after the
 * other, with the same seed, in an order that changes from pair to pair: what slows
 * the machine down for a while hits both, and ratios are taken within a pair.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/mem.h"
#include "bench.h"
#include "lab_speed.h"

#define MAX_CC		16

enum build { NEW, OLD, NR_BUILDS };

/* One case under one algorithm; a build that cannot run it has no figures. */
struct line {
	const struct lab_case *c;
	const char *cc;
	bool has[NR_BUILDS];
	double *rate[NR_BUILDS];	/* by pair: packets per CPU second */
};

struct runs {
	struct lab_case given[BENCH_CASES];
	struct line *lines;
	size_t nr;
	unsigned long pairs;
	bool at_once;
	struct bench_ratio twice;
};

static int add_lines(struct runs *r, const struct bench *b, const struct lab_case *c,
		     char *const *cc, size_t nr_cc)
{
	int has_new = lab_has_key(b->lab, c), has_old = 0;
	struct line *l;
	size_t i;

	if (b->old_lab)
		has_old = lab_has_key(b->old_lab, c);
	if (has_new < 0 || has_old < 0)
		return -1;
	if (!has_new) {
		bench_error("%s left out: the lab has no key \"%s\"", c->name, c->key);
		return 0;
	}
	r->lines = xreallocarray(r->lines, r->nr + nr_cc, sizeof(*l));
	for (i = 0; i < nr_cc; i++) {
		l = &r->lines[r->nr++];
		*l = (struct line){ .c = c, .cc = cc[i], .has = { true, has_old } };
		l->rate[NEW] = xcalloc(r->pairs, sizeof(double));
		l->rate[OLD] = xcalloc(r->pairs, sizeof(double));
	}
	return 0;
}

static int plan(struct runs *r, const struct bench *b, char *list)
{
	char *cc[MAX_CC], *word, *at = NULL;
	size_t nr_cc = 0, i;

	for (word = strtok_r(list, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
		if (nr_cc == MAX_CC)
			return bench_error("--cc: more than %d", MAX_CC);
		cc[nr_cc++] = word;
	}
	r->at_once = !b->nr_cases;
	for (i = 0; !b->nr_cases && lab_cases[i].name; i++)
		if (add_lines(r, b, &lab_cases[i], cc, nr_cc))
			return -1;
	for (i = 0; i < b->nr_cases; i++) {
		if (!strcmp(b->cases[i], "at-once")) {
			r->at_once = true;
			continue;
		}
		r->given[i] = lab_case_of(b->cases[i]);
		if (add_lines(r, b, &r->given[i], cc, nr_cc))
			return -1;
	}
	return 0;
}

/* Packets per CPU second, or negative with a message on stderr. */
static double measure(const struct bench *b, const struct line *l, unsigned long pair,
		      enum build build)
{
	struct lab_job job = {
		.lab = build == NEW ? b->lab : b->old_lab, .words = l->c->words, .cc = l->cc,
		.seed = pair + 1,
	};
	double cpu, packets;

	snprintf(job.dir, sizeof(job.dir), "%s/%s", b->dir, build == NEW ? "new" : "old");
	if (bench_remove(job.dir) || lab_start(&job))
		return -1;
	cpu = lab_wait(&job, 1);
	if (cpu < 0)
		return -1;
	packets = lab_packets(&job);
	return packets < 0 ? -1 : packets / cpu;
}

static int one_pair(const struct bench *b, struct runs *r, unsigned long pair)
{
	bool old_first = (pair + b->seed) & 1;
	enum build order[NR_BUILDS] = { old_first ? OLD : NEW, old_first ? NEW : OLD };
	struct line *l;
	unsigned int i;
	double rate;

	for (l = r->lines; l < r->lines + r->nr; l++) {
		if (b->progress)
			fprintf(stderr, "\r  pair %lu of %lu, %s %s\033[K", pair + 1,
				r->pairs, l->c->name, l->cc);
		for (i = 0; i < NR_BUILDS; i++) {
			if (!l->has[order[i]])
				continue;
			rate = measure(b, l, pair, order[i]);
			if (rate < 0)
				return -1;
			l->rate[order[i]][pair] = rate;
		}
	}
	return 0;
}

/* The ratios of a line's pairs, sorted, into @v. */
static struct bench_ratio ratio(const struct line *l, unsigned long pairs, double *v)
{
	unsigned long i;

	for (i = 0; i < pairs; i++)
		v[i] = l->rate[NEW][i] / l->rate[OLD][i];
	return bench_ratio_of(v, pairs);
}

static double median(const double *rate, unsigned long pairs, double *v)
{
	memcpy(v, rate, pairs * sizeof(*v));
	return bench_median(v, pairs);
}

static void print_table(const struct runs *r, double *v)
{
	struct bench_ratio q = { 0 };
	const struct line *l;

	if (r->nr)
		printf("Lab: data packets per CPU second of all processes of \"lab run\", %lu pairs\n"
		       "%-24s %-10s %8s %8s %8s %17s %17s\n", r->pairs, "case", "algorithm",
		       "k/s", "old k/s", "to old", "interval", "lowest-highest");
	for (l = r->lines; l < r->lines + r->nr; l++) {
		printf("%-24s %-10s %8.1f", l->c->name, l->cc,
		       median(l->rate[NEW], r->pairs, v) / 1e3);
		if (l->has[OLD]) {
			printf(" %8.1f", median(l->rate[OLD], r->pairs, v) / 1e3);
			q = ratio(l, r->pairs, v);
			printf(" %8.4f   %7.4f-%.4f   %7.4f-%.4f", q.median, q.low,
			       q.high, v[0], v[r->pairs - 1]);
		}
		putchar('\n');
	}
	if (q.confidence > 0)
		printf("Ratios are medians over the pairs,\n"
		       "intervals hold the true median with %.1f %% confidence.\n",
		       100 * q.confidence);
	if (r->at_once)
		printf("Two seeds at once: %.3f times the packets per second of one (%.3f-%.3f; goal 1.8: %s)\n",
		       r->twice.median, r->twice.low, r->twice.high,
		       bench_verdict(&r->twice, 1.8, true));
}

static struct json_object *line_json(const struct line *l, unsigned long pairs, double *v)
{
	struct json_object *e = json_object_new_object();
	struct bench_ratio q;

	js_add_str(e, "case", l->c->name);
	js_add_str(e, "run", l->c->words);
	js_add_str(e, "cc", l->cc);
	bench_json_num(e, "packets_per_cpu_s", median(l->rate[NEW], pairs, v));
	if (!l->has[OLD])
		return e;
	bench_json_num(e, "old_packets_per_cpu_s", median(l->rate[OLD], pairs, v));
	q = ratio(l, pairs, v);
	bench_json_ratio(e, "to_old", &q);
	bench_json_num(e, "lowest", v[0]);
	bench_json_num(e, "highest", v[pairs - 1]);
	return e;
}

static int report(const struct bench *b, const struct runs *r)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	double *v = xcalloc(r->pairs, sizeof(*v));
	size_t i;

	js_add_int(top, "pairs", r->pairs);
	for (i = 0; i < r->nr; i++)
		json_object_array_add(list, line_json(&r->lines[i], r->pairs, v));
	json_object_object_add(top, "figures", list);
	if (r->at_once)
		bench_json_ratio(top, "two_at_once", &r->twice);
	if (!b->json)
		print_table(r, v);
	free(v);
	return bench_json_out(top, b->dir, "lab.json", b->json) != 0;
}

/**
 * bench_lab() - the lab's speed, or whether two builds give the same results
 * @b: command line
 *
 * Return: exit code.
 */
int bench_lab(struct bench *b)
{
	struct runs r = { .pairs = b->rounds };
	unsigned long i;
	char *list;
	int ret = 1;

	if (b->same)
		return lab_same(b);
	list = xstrdup(b->cc ?: "hpcc,dcqcn");
	if (plan(&r, b, list))
		goto out;
	for (i = 0; i < r.pairs; i++)
		if (one_pair(b, &r, i))
			goto out;
	if (r.at_once && lab_at_once(b, &r.twice))
		goto out;
	if (b->progress)
		fputs("\r\033[K", stderr);
	ret = report(b, &r);
out:
	for (i = 0; i < r.nr; i++) {
		free(r.lines[i].rate[NEW]);
		free(r.lines[i].rate[OLD]);
	}
	free(r.lines);
	free(list);
	return ret;
}
