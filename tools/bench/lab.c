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
#include <json-c/json.h>

#include "bench.h"
#include "lab.h"

#define MAX_CC		16

enum build { NEW, OLD, NR_BUILDS };

static const struct lab_case lab_cases[] = {
	{ "two", "two --set ack_every=1", NULL },
	{ "two-1mb", "two --set ack_every=1 --set chunk=1mb", NULL },
	{ "fattree", "fattree --set k=4 --set size=4mb", NULL },
	{ "websearch", "fattree --set k=4 --set workload=websearch --set load=0.5 "
		       "--set duration=2ms", "workload" },
	{ }
};

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

/**
 * lab_case_of() - a case by name
 * @text: a name of ours, or a scenario with options as "lab run" takes them
 *
 * Return: the case.
 */
struct lab_case lab_case_of(const char *text)
{
	const struct lab_case *k;

	for (k = lab_cases; k->name; k++)
		if (!strcmp(k->name, text))
			return *k;
	return (struct lab_case){ .name = text, .words = text };
}

static int add_lines(struct runs *r, const struct bench_options *o, const char *dir,
		     const struct lab_case *c, char *const *cc, size_t nr_cc)
{
	int has_new = lab_has_key(o->file[BENCH_LAB], c, dir), has_old = 0;
	struct line *l;
	size_t i;

	if (o->file[BENCH_OLD_LAB])
		has_old = lab_has_key(o->file[BENCH_OLD_LAB], c, dir);
	if (has_new < 0 || has_old < 0)
		return -1;
	if (!has_new) {
		fprintf(stderr, "bench: %s left out: the lab has no key \"%s\"\n",
			c->name, c->key);
		return 0;
	}
	l = realloc(r->lines, (r->nr + nr_cc) * sizeof(*l));
	if (!l)
		return -1;
	r->lines = l;
	for (i = 0; i < nr_cc; i++) {
		l = &r->lines[r->nr++];
		*l = (struct line){ .c = c, .cc = cc[i], .has = { true, has_old } };
		l->rate[NEW] = calloc(r->pairs, sizeof(double));
		l->rate[OLD] = calloc(r->pairs, sizeof(double));
		if (!l->rate[NEW] || !l->rate[OLD])
			return -1;
	}
	return 0;
}

static int plan(struct runs *r, const struct bench_options *o, const char *dir,
		char *list)
{
	char *cc[MAX_CC], *word, *at = NULL;
	size_t nr_cc = 0, i;

	for (word = strtok_r(list, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
		if (nr_cc == MAX_CC) {
			fprintf(stderr, "bench: --cc: more than %d\n", MAX_CC);
			return -1;
		}
		cc[nr_cc++] = word;
	}
	r->at_once = !o->nr_cases;
	for (i = 0; !o->nr_cases && lab_cases[i].name; i++)
		if (add_lines(r, o, dir, &lab_cases[i], cc, nr_cc))
			return -1;
	for (i = 0; i < o->nr_cases; i++) {
		if (!strcmp(o->cases[i], "at-once")) {
			r->at_once = true;
			continue;
		}
		r->given[i] = lab_case_of(o->cases[i]);
		if (add_lines(r, o, dir, &r->given[i], cc, nr_cc))
			return -1;
	}
	return 0;
}

/* Packets per CPU second, or negative with a message on stderr. */
static double measure(const char *lab, const struct line *l, unsigned long pair,
		      const char *dir, enum build build)
{
	struct lab_job job = {
		.lab = lab, .words = l->c->words, .cc = l->cc, .seed = pair + 1,
	};
	double cpu, packets;

	snprintf(job.dir, sizeof(job.dir), "%s/%s", dir, build == NEW ? "new" : "old");
	if (bench_remove(job.dir) || lab_start(&job))
		return -1;
	cpu = lab_wait(&job, 1);
	if (cpu < 0)
		return -1;
	packets = lab_packets(&job);
	return packets < 0 ? -1 : packets / cpu;
}

static int one_pair(const struct bench_options *o, struct runs *r, const char *dir,
		    unsigned long pair, bool old_first, bool progress)
{
	enum build order[NR_BUILDS] = { old_first ? OLD : NEW, old_first ? NEW : OLD };
	struct line *l;
	unsigned int i;
	double rate;

	for (l = r->lines; l < r->lines + r->nr; l++) {
		if (progress)
			fprintf(stderr, "\r  pair %lu of %lu, %s %s\033[K", pair + 1,
				r->pairs, l->c->name, l->cc);
		for (i = 0; i < NR_BUILDS; i++) {
			if (!l->has[order[i]])
				continue;
			rate = measure(o->file[order[i] == NEW ? BENCH_LAB : BENCH_OLD_LAB],
				       l, pair, dir, order[i]);
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

	json_object_object_add(e, "case", json_object_new_string(l->c->name));
	json_object_object_add(e, "run", json_object_new_string(l->c->words));
	json_object_object_add(e, "cc", json_object_new_string(l->cc));
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

static int report(const struct bench_options *o, const char *dir, const struct runs *r)
{
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	double *v = calloc(r->pairs, sizeof(*v));
	size_t i;

	if (!v)
		return 1;
	json_object_object_add(top, "pairs", json_object_new_int64(r->pairs));
	for (i = 0; i < r->nr; i++)
		json_object_array_add(list, line_json(&r->lines[i], r->pairs, v));
	json_object_object_add(top, "figures", list);
	if (r->at_once)
		bench_json_ratio(top, "two_at_once", &r->twice);
	if (!o->json)
		print_table(r, v);
	free(v);
	return bench_json_out(top, dir, "lab.json", o->json) != 0;
}

/**
 * bench_lab() - the lab's speed, or whether two builds give the same results
 * @o: command line
 * @cfg: where results go
 *
 * Return: exit code.
 */
int bench_lab(const struct bench_options *o, struct bench_config *cfg)
{
	struct runs r = { .pairs = o->rounds };
	char *list = strdup(o->cc ?: "hpcc,dcqcn");
	unsigned long i;
	int ret = 1;

	if (o->same) {
		free(list);
		return lab_same(o, cfg);
	}
	if (!list || plan(&r, o, cfg->dir, list))
		goto out;
	for (i = 0; i < r.pairs; i++)
		if (one_pair(o, &r, cfg->dir, i, (i + o->seed) & 1, cfg->progress))
			goto out;
	if (r.at_once && lab_at_once(o, cfg, &r.twice))
		goto out;
	if (cfg->progress)
		fputs("\r\033[K", stderr);
	ret = report(o, cfg->dir, &r);
out:
	for (i = 0; i < r.nr; i++) {
		free(r.lines[i].rate[NEW]);
		free(r.lines[i].rate[OLD]);
	}
	free(r.lines);
	free(list);
	return ret;
}
