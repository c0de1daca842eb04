// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of two lab runs at once, in wall time, beside that of one alone: how many packets a
 * second they move together. This alone is about wall time: with two processors that are nobody
 * else's the ratio would be 2.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/mem.h"
#include "bench.h"
#include "lab_speed.h"

#define ONCE_WORDS	"two --set ack_every=1 --set chunk=1mb --set size=256mb"

/* Packets per second of wall time of @nr runs together; negative: failed. */
static double together(const struct bench *b, unsigned long pair, unsigned int nr)
{
	struct lab_job jobs[2] = { 0 };
	double begin, end = 0, packets = 0, v;
	unsigned int i;
	bool failed = false;

	for (i = 0; i < nr; i++) {
		jobs[i] = (struct lab_job){
			.lab = b->lab, .words = ONCE_WORDS, .cc = "hpcc",
			.seed = 2 * pair + i + 1,
		};
		snprintf(jobs[i].dir, sizeof(jobs[i].dir), "%s/once%u", b->dir, i);
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
 * @b: command line
 * @r: the ratio
 *
 * Return: 0, or -1 with a message on stderr.
 */
int lab_at_once(const struct bench *b, struct bench_ratio *r)
{
	double *v = xcalloc(b->rounds, sizeof(*v)), rate[2];
	unsigned long i;
	unsigned int k, nr;

	for (i = 0; i < b->rounds; i++) {
		if (b->progress)
			fprintf(stderr, "\r  two at once, pair %lu of %lu\033[K", i + 1,
				b->rounds);
		for (k = 0; k < 2; k++) {
			nr = (i + b->seed + k) % 2 + 1;
			rate[nr - 1] = together(b, i, nr);
			if (rate[nr - 1] < 0) {
				free(v);
				return -1;
			}
		}
		v[i] = rate[1] / rate[0];
	}
	*r = bench_ratio_of(v, b->rounds);
	free(v);
	return 0;
}
