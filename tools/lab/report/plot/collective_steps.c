// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: picture of a collective operation: when each rank of each job sent in which step,
 * and the flows that decided when the job ended.
 */
#include <math.h>
#include <stdlib.h>

#include "report/plot/gnuplot_input.h"

#define RPT_STEPS_JOBS	4
#define RPT_STEPS_RANKS	128
#define RPT_STEPS_PX	420	/* of the rows of all panels, about */
#define RPT_STEPS_KINDS	3

struct rpt_steps_flow {
	double job, step, rank, from, to, on_path;
};

struct rpt_steps {
	const struct rpt_course *c;
	struct rpt_steps_flow *f;
	size_t n;
	int jobs, ranks;		/* that are shown */
	bool left_out;
	double t1;
};

/* Columns as rpt_csv_open() asks for them. */
static void rpt_steps_row(struct rpt_steps *s, struct csv *csv)
{
	struct rpt_steps_flow f = {
		.job = csv_double(csv->field[0]), .step = csv_double(csv->field[1]),
		.rank = csv_double(csv->field[2]), .from = csv_double(csv->field[3]),
		.to = csv_double(csv->field[4]), .on_path = csv_double(csv->field[5]),
	};

	if (isnan(f.job + f.step + f.rank + f.from + f.on_path)) {
		csv->bad++;
		return;
	}
	/* What was never complete has no box. */
	if (isnan(f.to))
		return;
	if (f.job >= RPT_STEPS_JOBS || f.rank >= RPT_STEPS_RANKS) {
		s->left_out = true;
		return;
	}
	s->f = xreallocarray(s->f, s->n + 1, sizeof(*s->f));
	s->f[s->n++] = f;
	s->jobs = fmax(s->jobs, f.job + 1);
	s->ranks = fmax(s->ranks, f.rank + 1);
	s->t1 = fmax(s->t1, f.to);
}

static void rpt_steps_read(struct rpt *r, struct rpt_steps *s)
{
	struct csv csv;

	if (!rpt_csv_open(r, &csv, s->c->run, "steps.csv", "job,step,rank,start_ns,end_ns,on_path"))
		return;
	while (rpt_csv_next(&csv))
		rpt_steps_row(s, &csv);
	rpt_csv_close(r, &csv);
}

/* The path covers what it is drawn over: it comes last. */
static int rpt_steps_kind(const struct rpt_steps_flow *f)
{
	return f->on_path > 0 ? 2 : (int)f->step % 2;
}

/* Height of a rank's row. */
static int rpt_steps_row_px(const struct rpt_steps *s)
{
	return fmax(3, fmin(14, RPT_STEPS_PX / (s->jobs * s->ranks)));
}

static void rpt_steps_panel(struct rpt_stack *st, const struct rpt_steps *s, int job)
{
	static const char *const what[] = { "even step", "odd step", "path" };
	const struct rpt_swatch swatch[RPT_STEPS_KINDS] = {
		{ "even steps", rpt_shade(st->rgb, 1, 4) },
		{ "odd steps", rpt_shade(st->rgb, 3, 4) },
		{ "the path that decided the end", 0x111111 },
	};
	int row_px = rpt_steps_row_px(s), rank, kind;
	int every = row_px < 12 ? s->ranks > 64 ? 16 : 4 : 1;
	struct pic_panel panel = {
		.h = row_px * s->ranks, .title = rpt_text("job %d", job), .ylabel = "rank",
		.more = ", what each rank sends:", .y1 = s->ranks,
	};
	size_t i;

	rpt_stack_panel(st, &panel, job == s->jobs - 1);
	pic_swatches(st->p, swatch, RPT_STEPS_KINDS, 0.4);
	for (rank = 0; rank < s->ranks; rank += every)
		pic_tic(st->p, 'y', rpt_text("%d", rank), s->ranks - rank - 0.5);
	for (kind = 0; kind < RPT_STEPS_KINDS; kind++) {
		struct pic_look look = { .rgb = swatch[kind].rgb };

		pic_curve(st->p, &look, "step", st->cc, what[kind]);
		for (i = 0; i < s->n; i++)
			if ((int)s->f[i].job == job && rpt_steps_kind(&s->f[i]) == kind)
				/* From, row, until. */
				pic_row(st->p, 3, s->f[i].from, s->ranks - s->f[i].rank - 0.5,
					s->f[i].to);
	}
}

/**
 * rpt_plot_collective_steps() - a picture of the jobs of a run
 * @r: the report
 * @sc: scenario
 * @c: the run
 */
void rpt_plot_collective_steps(struct rpt *r, const struct rpt_scenario *sc, struct rpt_course *c)
{
	struct rpt_steps s = { .c = c };
	struct rpt_stack st = {
		.left = 72, .right = 24, .y = 74, .rgb = c->algo->style.rgb, .cc = c->algo->cc,
	};
	struct pic pic;
	int job;

	rpt_steps_read(r, &s);
	if (s.n)
		st.height = 74 + s.jobs * (rpt_steps_row_px(&s) * s.ranks + RPT_STACK_GAP) + 24;
	if (s.n && pic_open(r, &pic, sc, c, P_STEPS, st.height)) {
		st.p = &pic;
		rpt_stack_begin(&st, c, s.t1);
		for (job = 0; job < s.jobs; job++)
			rpt_steps_panel(&st, &s, job);
		pic_close(&pic, "%s, seed %lu. A flow is drawn from its start to its last ACK.%s",
			  c->algo->cc, c->run->seed,
			  s.left_out ? " Further jobs and ranks are not shown." : "");
	}
	free(s.f);
}
