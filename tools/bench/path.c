// SPDX-License-Identifier: GPL-2.0
/*
 * What a data packet costs under each algorithm: wall time of the lab's traffic in
 * virtual time, all in: both hosts, three ports, ACKs. Rounds in random order, so that
 * whatever the machine does besides hits all alike; ratios are taken within a round.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <json-c/json.h>

#include "bench.h"

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
	for (word = strtok_r(list, ",", &at); word;
	     word = strtok_r(NULL, ",", &at)) {
		if (!strcmp(word, "none"))
			continue;
		if (r->nr_cc == MAX_ALGOS) {
			fprintf(stderr, "bench: --cc: more than %d\n",
				MAX_ALGOS - 1);
			return -1;
		}
		r->cc[r->nr_cc++] = word;
	}
	return 0;
}

static void lab_exec(const char *lab, const char *cc, const char *seed,
		     const char *dir)
{
	char log[800];
	int fd;

	snprintf(log, sizeof(log), "%s.log", dir);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(126);
	execl(lab, lab, "run", "two", "--cc", cc, "--seed", seed, "--out", dir,
	      "--force", "--set", "mtu=1024", "--set", "ack_every=1",
	      "--set", "chunk=1mb", "--set", "sample=1ms",
	      "--set", "size=64mb", (char *)NULL);
	_exit(127);
}

/* ns per data packet, or negative with a message on stderr. */
static double measure(const char *lab, const char *cc, unsigned long round,
		      const char *out, enum build build)
{
	char dir[700], seed[24];
	double packets, s;
	int status;
	pid_t pid;

	snprintf(dir, sizeof(dir), "%s/%s/%s", out, build == NEW ? "new" :
		 "old", cc);
	snprintf(seed, sizeof(seed), "%lu", round + 1);
	pid = fork();
	if (!pid)
		lab_exec(lab, cc, seed, dir);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) {
		fprintf(stderr, "bench: %s run two --cc %s failed, see %s.log\n",
			lab, cc, dir);
		return -1;
	}
	snprintf(dir, sizeof(dir), "%s/%s/%s/two/*/seed%lu", out,
		 build == NEW ? "new" : "old", cc, round + 1);
	packets = bench_member(dir, "summary.json", "data_packets");
	s = bench_member(dir, "run.json", "traffic_s");
	if (packets > 0 && s > 0)
		return s * 1e9 / packets;
	fprintf(stderr, "bench: no traffic_s in %s\n", dir);
	return -1;
}

static int one_round(const struct bench_options *o, struct runs *r,
		     const char *dir, unsigned long round, uint64_t *state,
		     bool progress)
{
	size_t nr = r->nr_cc * r->nr_builds, perm[MAX_ALGOS * NR_BUILDS];
	size_t i, pick, k;
	const char *lab;
	double ns;

	for (i = 0; i < nr; i++)
		perm[i] = i;
	for (i = nr; i-- > 0;) {
		pick = bench_random(state) % (i + 1);
		k = perm[pick];
		perm[pick] = perm[i];
		if (progress)
			fprintf(stderr, "\r  round %lu of %lu, %s\033[K",
				round + 1, r->rounds, r->cc[k % r->nr_cc]);
		lab = o->file[k < r->nr_cc ? BENCH_LAB : BENCH_OLD_LAB];
		ns = measure(lab, r->cc[k % r->nr_cc], round, dir,
			     k < r->nr_cc ? NEW : OLD);
		if (ns < 0)
			return -1;
		r->ns[round][k % r->nr_cc][k / r->nr_cc] = ns;
	}
	return 0;
}

/* Medians and ratios of algorithm @a. */
static void compare(const struct runs *r, size_t a, double *v,
		    struct figure *f)
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
	struct json_object *top = json_object_new_object();
	struct json_object *list = json_object_new_array();
	size_t i;

	json_object_object_add(top, "rounds", json_object_new_int64(r->rounds));
	for (i = 0; i < r->nr_cc; i++, f++) {
		struct json_object *e = json_object_new_object();

		json_object_object_add(e, "cc", json_object_new_string(f->cc));
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

static int report(const struct bench_options *o, const char *dir,
		  const struct runs *r)
{
	double *v = calloc(r->rounds, sizeof(*v));
	struct figure f[MAX_ALGOS];
	size_t a;

	if (!v)
		return 1;
	for (a = 0; a < r->nr_cc; a++)
		compare(r, a, v, &f[a]);
	free(v);
	if (!o->json)
		print_table(f, r);
	return bench_json_out(to_json(f, r), dir, "path.json", o->json) != 0;
}

/**
 * bench_path() - cost of a data packet under each algorithm
 * @o: command line
 * @cfg: where results go
 *
 * Return: exit code.
 */
int bench_path(const struct bench_options *o, struct bench_config *cfg)
{
	struct runs r = {
		.rounds = o->rounds,
		.nr_builds = o->file[BENCH_OLD_LAB] ? 2 : 1,
	};
	char *list = strdup(o->cc ?: "dcqcn,timely,hpcc,hpccpp");
	uint64_t state = o->seed;
	unsigned long i;
	int ret = 1;

	r.ns = calloc(r.rounds, sizeof(*r.ns));
	if (!list || !r.ns || split(&r, list))
		goto out;
	if (bench_mkdir(cfg->dir, "new") || bench_mkdir(cfg->dir, "old"))
		goto out;
	for (i = 0; i < r.rounds; i++)
		if (one_round(o, &r, cfg->dir, i, &state, cfg->progress))
			goto out;
	if (cfg->progress)
		fputs("\r\033[K", stderr);
	ret = report(o, cfg->dir, &r);
out:
	free(r.ns);
	free(list);
	return ret;
}
