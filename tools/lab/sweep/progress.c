// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: how far it is. A bar on a terminal, elsewhere a line for each run.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sweep/sweep.h"

#define BAR_WIDTH	30

void progress_start(struct sweep *s)
{
	struct progress *p = &s->progress;

	p->tty = isatty(STDERR_FILENO);
	p->before = count_state(s, RUN_DONE);
	p->start_ns = now_ns(CLOCK_MONOTONIC);
	if (p->before && !s->quiet)
		fprintf(stderr, "lab: %zu of %zu runs have their results already\n", p->before,
			s->n_runs);
}

static char *format_s(double seconds)
{
	int64_t t = (int64_t)(seconds + 0.5);

	if (t < 60)
		return xasprintf("%" PRId64 " s", t);
	if (t < 3600)
		return xasprintf("%" PRId64 ":%02" PRId64 " min", t / 60, t % 60);
	return xasprintf("%" PRId64 ":%02" PRId64 " h", t / 3600, t / 60 % 60);
}

/* Of the time that is left; "" before anything is known. */
static char *eta(struct sweep *s, size_t done)
{
	struct progress *p = &s->progress;
	double elapsed = (now_ns(CLOCK_MONOTONIC) - p->start_ns) / 1e9;
	char *left, *text;

	if (done <= p->before || done == s->n_runs)
		return xstrdup("");
	left = format_s(elapsed / (done - p->before) * (s->n_runs - done));
	text = xasprintf(", %s left", left);
	free(left);
	return text;
}

static void draw(struct sweep *s)
{
	size_t done = count_state(s, RUN_DONE), i, n = done * BAR_WIDTH / s->n_runs;
	char *left = eta(s, done);

	fprintf(stderr, "\r\033[K[");
	for (i = 0; i < BAR_WIDTH; i++)
		fputc(i < n ? '#' : '.', stderr);
	fprintf(stderr, "] %zu/%zu runs%s", done, s->n_runs, left);
	fflush(stderr);
	free(left);
}

/**
 * progress_tick() - draw the bar if it is time
 * @s: sweep
 */
void progress_tick(struct sweep *s)
{
	struct progress *p = &s->progress;
	int64_t now = now_ns(CLOCK_MONOTONIC);

	if (!p->tty || s->quiet || now - p->shown_ns < POLL_NS)
		return;
	p->shown_ns = now;
	draw(s);
}

/**
 * progress_run() - a run has its results
 * @s: sweep
 * @r: run
 */
void progress_run(struct sweep *s, const struct sweep_run *r)
{
	size_t done;
	char *left;

	if (s->quiet || s->progress.tty)
		return;
	done = count_state(s, RUN_DONE);
	left = eta(s, done);
	fprintf(stderr, "%zu/%zu %s%s\n", done, s->n_runs, r->name, left);
	free(left);
}

/**
 * progress_end() - leave the last state of the bar
 * @s: sweep
 */
void progress_end(struct sweep *s)
{
	if (s->progress.tty && !s->quiet) {
		draw(s);
		fputc('\n', stderr);
	}
}
