// SPDX-License-Identifier: GPL-2.0
/*
 * Benchmark of the whole path of a data packet under each algorithm: wall time of the lab's
 * traffic in virtual time, with both hosts, three ports, ACKs. Rounds in random order, so that
 * whatever the machine does besides hits all alike; ratios are taken within a round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "../lib/mem.h"
#include "bench.h"
#include "lab_speed.h"

#define MAX_ALGOS	16

enum build { NEW, OLD, NR_BUILDS };

struct figure {
	const char *cc;
	double ns[NR_BUILDS];
	struct bench_ratio to_none, to_old;
};

struct runs {
	char *cc[MAX_ALGOS];
	size_t nr_cc;
	unsigned int nr_builds;
	unsigned long rounds;
	double (*ns)[MAX_ALGOS][NR_BUILDS];
};

/* "a,b" into words; the first is always none, which the others are compared with. */
static int split(struct runs *r, char *list)
{
	char *word, *at = NULL;

	r->cc[r->nr_cc++] = "none";
	for (word = strtok_r(list, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
		if (!strcmp(word, "none"))
			continue;
		if (r->nr_cc == MAX_ALGOS)
			return bench_error("--cc: more than %d", MAX_ALGOS - 1);
		r->cc[r->nr_cc++] = word;
	}
	return 0;
}

/* ns per data packet, or negative with a message on stderr. */
static double measure(const struct bench *b, const char *cc, unsigned long round, enum build build)
{
	struct lab_job job = {
		.lab = build == NEW ? b->lab : b->old_lab, .cc = cc, .seed = round + 1,
		.words = "two --set mtu=1024 --set ack_every=1 --set chunk=1mb --set sample=1ms --set size=64mb",
	};
	double packets, s;

	snprintf(job.dir, sizeof(job.dir), "%s/%s/%s", b->dir, build == NEW ? "new" : "old", cc);
	if (lab_start(&job) || lab_wait(&job, 1) < 0)
		return -1;
	packets = lab_packets(&job);
	s = lab_member(&job, "run.json", "traffic_s");
	if (packets > 0 && s > 0)
		return s * 1e9 / packets;
	return bench_error("no traffic_s in %s", job.dir);
}

static int one_round(const struct bench *b, struct runs *r, unsigned long round, uint64_t *state)
{
	size_t nr = r->nr_cc * r->nr_builds, perm[MAX_ALGOS * NR_BUILDS], i, cc, build;
	double ns;

	for (i = 0; i < nr; i++)
		perm[i] = i;
	for (i = nr; i-- > 0;) {
		build = bench_draw(perm, i, state);
		cc = build % r->nr_cc;
		build /= r->nr_cc;
		if (b->progress)
			fprintf(stderr, "\r  round %lu of %lu, %s\033[K", round + 1, r->rounds,
				r->cc[cc]);
		ns = measure(b, r->cc[cc], round, build);
		if (ns < 0)
			return -1;
		r->ns[round][cc][build] = ns;
	}
	return 0;
}

/* Medians and ratios of algorithm @a. */
static void compare(const struct runs *r, size_t a, double *v, struct figure *f)
{
	unsigned long i;
	enum build b;

	f->cc = r->cc[a];
	for (b = NEW; b < r->nr_builds; b++) {
		for (i = 0; i < r->rounds; i++)
			v[i] = r->ns[i][a][b];
		f->ns[b] = bench_median(v, r->rounds);
	}
	for (i = 0; i < r->rounds; i++)
		v[i] = r->ns[i][a][NEW] / r->ns[i][0][NEW];
	f->to_none = bench_ratio_of(v, r->rounds);
	if (r->nr_builds == 1)
		return;
	for (i = 0; i < r->rounds; i++)
		v[i] = r->ns[i][a][NEW] / r->ns[i][a][OLD];
	f->to_old = bench_ratio_of(v, r->rounds);
}

static void print_table(const struct figure *f, const struct runs *r)
{
	bool old = r->nr_builds > 1;
	size_t i;

	printf("Lab, two hosts, one switch, MTU 1024, an ACK a packet:\n"
	       "wall time per data packet, %lu rounds\n", r->rounds);
	printf("%-24s %8s %8s %17s", "algorithm", "ns", "to none", "interval");
	printf(old ? " %8s %8s %17s\n" : "\n", "old ns", "to old", "interval");
	for (i = 0; i < r->nr_cc; i++, f++) {
		printf("%-24s %8.0f %8.4f   %7.4f-%.4f", f->cc, f->ns[NEW],
		       f->to_none.median, f->to_none.low, f->to_none.high);
		if (old)
			printf(" %8.0f %8.4f   %7.4f-%.4f", f->ns[OLD],
			       f->to_old.median, f->to_old.low, f->to_old.high);
		putchar('\n');
	}
	printf("Ratios are medians over the rounds,\n"
	       "intervals hold the true median with %.1f %% confidence.\n",
	       100 * f[-1].to_none.confidence);
}

static struct json_object *to_json(const struct figure *f, const struct runs *r)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array(), *e;
	size_t i;

	js_add_int(top, "rounds", r->rounds);
	for (i = 0; i < r->nr_cc; i++, f++) {
		e = json_object_new_object();
		js_add_str(e, "cc", f->cc);
		bench_json_num(e, "packet_ns", f->ns[NEW]);
		bench_json_ratio(e, "to_none", &f->to_none);
		if (r->nr_builds > 1) {
			bench_json_num(e, "old_packet_ns", f->ns[OLD]);
			bench_json_ratio(e, "to_old", &f->to_old);
		}
		json_object_array_add(list, e);
	}
	json_object_object_add(top, "figures", list);
	return top;
}

static int report(const struct bench *b, const struct runs *r)
{
	double *v = xcalloc(r->rounds, sizeof(*v));
	struct figure f[MAX_ALGOS];
	size_t a;

	for (a = 0; a < r->nr_cc; a++)
		compare(r, a, v, &f[a]);
	free(v);
	if (!b->json)
		print_table(f, r);
	return bench_json_out(to_json(f, r), b->dir, "path.json", b->json) != 0;
}

/**
 * bench_path() - cost of a data packet under each algorithm
 * @b: command line
 *
 * Return: exit code.
 */
int bench_path(struct bench *b)
{
	struct runs r = { .rounds = b->rounds, .nr_builds = b->old_lab ? 2 : 1 };
	char *list = xstrdup(b->cc ?: "dcqcn,timely,hpcc,hpccpp");
	uint64_t state = b->seed;
	unsigned long i;
	int ret = 1;

	r.ns = xcalloc(r.rounds, sizeof(*r.ns));
	if (split(&r, list) || bench_mkdir(b->dir, "new") || bench_mkdir(b->dir, "old"))
		goto out;
	for (i = 0; i < r.rounds; i++)
		if (one_round(b, &r, i, &state))
			goto out;
	if (b->progress)
		fputs("\r\033[K", stderr);
	ret = report(b, &r);
out:
	free(r.ns);
	free(list);
	return ret;
}
