// SPDX-License-Identifier: GPL-2.0
/*
 * Two runs at once: how many packets a second of wall time they move together, to
 * what one moves alone. This alone is about wall time: with two processors that
 * are nobody else's it would be 2.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "lab.h"

#define ONCE_WORDS	"two --set ack_every=1 --set chunk=1mb --set size=256mb"

/* Packets per second of wall time of @nr runs together; negative: failed. */
static double together(const struct bench_options *o, const char *dir,
		       unsigned long pair, unsigned int nr)
{
	struct lab_job jobs[2] = { 0 };
	double begin, end = 0, packets = 0, v;
	unsigned int i;
	bool failed = false;

	for (i = 0; i < nr; i++) {
		jobs[i] = (struct lab_job){
			.lab = o->file[BENCH_LAB], .words = ONCE_WORDS, .cc = "hpcc",
			.seed = 2 * pair + i + 1,
		};
		snprintf(jobs[i].dir, sizeof(jobs[i].dir), "%s/once%u", dir, i);
		if (bench_remove(jobs[i].dir))
			return -1;
	}
	begin = lab_now();
	for (i = 0; i < nr; i++)
		failed |= lab_start(&jobs[i]) != 0;
	if (lab_wait(jobs, nr) < 0 || failed)
		return -1;
	for (i = 0; i < nr; i++) {
		v = lab_packets(&jobs[i]);
		if (v < 0)
			return -1;
		packets += v;
		end = jobs[i].end_s > end ? jobs[i].end_s : end;
	}
	return packets / (end - begin);
}

/**
 * lab_at_once() - throughput of two runs at once to that of one
 * @o: command line
 * @cfg: where results go
 * @r: the ratio
 *
 * Return: 0, or -1 with a message on stderr.
 */
int lab_at_once(const struct bench_options *o, const struct bench_config *cfg,
		struct bench_ratio *r)
{
	double *v = calloc(o->rounds, sizeof(*v)), rate[2];
	unsigned long i;
	unsigned int k, nr;
	int ret = -1;

	if (!v)
		return -1;
	for (i = 0; i < o->rounds; i++) {
		if (cfg->progress)
			fprintf(stderr, "\r  two at once, pair %lu of %lu\033[K", i + 1,
				o->rounds);
		for (k = 0; k < 2; k++) {
			nr = (i + o->seed + k) % 2 + 1;
			rate[nr - 1] = together(o, cfg->dir, i, nr);
			if (rate[nr - 1] < 0)
				goto out;
		}
		v[i] = rate[1] / rate[0];
	}
	*r = bench_ratio_of(v, o->rounds);
	ret = 0;
out:
	free(v);
	return ret;
}
