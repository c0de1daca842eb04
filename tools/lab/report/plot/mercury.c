// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: panel of what Mercury, a feature of switches, took each port for over time:
 * Determined, Undetermined or paused. It stands above that of queues and pauses.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_STATE_ROWS 6	/* ports; more: those in doubt the longest */
#define RPT_STATE_PX 24

static const struct rpt_swatch rpt_state_swatch[] = {
	{ "Determined", 0xdedede },
	{ "Undetermined", 0xe69f00 },
	{ "paused", 0x0072b2 },
};

static const char *const rpt_state_name[] = { "determined", "undetermined", "paused" };

static int rpt_state_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rpt_state_name); i++)
		if (!strcmp(name, rpt_state_name[i]))
			return i;
	return -1;
}

static struct rpt_state_row *rpt_state_row(struct rpt_states *ss, const char *port)
{
	size_t i;

	for (i = 0; i < ss->n; i++)
		if (!strcmp(ss->row[i].port, port))
			return &ss->row[i];
	ss->row = xreallocarray(ss->row, ss->n + 1, sizeof(*ss->row));
	ss->row[ss->n] = (struct rpt_state_row){ .port = rpt_text("%s", port) };
	return &ss->row[ss->n++];
}

/* Time in doubt until the end. */
static double rpt_state_doubt(const struct rpt_state_row *row, double t1)
{
	const struct rpt_series *s = &row->s;
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->v[i] > 0)
			sum += (i + 1 < s->n ? s->t[i + 1] : t1) - s->t[i];
	return sum;
}

static int rpt_cmp_doubt(const void *pa, const void *pb)
{
	const struct rpt_state_row *a = pa, *b = pb;

	if (a->doubt != b->doubt)
		return a->doubt > b->doubt ? -1 : 1;
	return strverscmp(a->port, b->port);
}

static int rpt_cmp_port(const void *pa, const void *pb)
{
	const struct rpt_state_row *a = pa, *b = pb;

	return strverscmp(a->port, b->port);
}

/* The root of the pauses is what Mercury should find: it always has a row. */
static void rpt_states_pick(const struct rpt_course *c, struct rpt_states *ss)
{
	const struct rpt_port *root = rpt_main_root(&c->ports);
	size_t i, shown = 0;

	for (i = 0; i < ss->n; i++) {
		struct rpt_state_row *row = &ss->row[i];

		row->doubt = rpt_state_doubt(row, c->ports.t1);
		if (root && !strcmp(root->name, row->port))
			row->doubt = HUGE_VAL;
	}
	if (ss->n)
		qsort(ss->row, ss->n, sizeof(*ss->row), rpt_cmp_doubt);
	while (shown < ss->n && shown < RPT_STATE_ROWS && ss->row[shown].doubt > 0)
		shown++;
	for (i = shown; i < ss->n; i++)
		ss->left_out += ss->row[i].doubt > 0;
	ss->shown = shown;
	if (shown)
		qsort(ss->row, shown, sizeof(*ss->row), rpt_cmp_port);
}

/**
 * rpt_states_read() - what Mercury took a run's ports for
 * @r: the report, for warnings
 * @c: the run, its ports read
 * @ss: filled in; nothing is shown of a run without Mercury
 */
void rpt_states_read(struct rpt *r, const struct rpt_course *c, struct rpt_states *ss)
{
	struct csv csv;

	memset(ss, 0, sizeof(*ss));
	if (!rpt_run_has(c->run, "mercury.csv") ||
	    !rpt_csv_open(r, &csv, c->run, "mercury.csv", "t_ns,port,state"))
		return;
	while (rpt_csv_next(&csv)) {
		int state = rpt_state_of(csv.field[2]);

		if (!*csv.field[1] || state < 0)
			csv.bad++;
		else
			rpt_series_add(&rpt_state_row(ss, csv.field[1])->s,
				       csv_double(csv.field[0]), state);
	}
	rpt_csv_close(r, &csv);
	rpt_states_pick(c, ss);
}

void rpt_states_free(struct rpt_states *ss)
{
	size_t i;

	for (i = 0; i < ss->n; i++)
		rpt_series_free(&ss->row[i].s);
	free(ss->row);
}

int rpt_states_height(const struct rpt_states *ss)
{
	return ss->shown * RPT_STATE_PX + 4;
}

/**
 * rpt_states_panel() - a row for each port, coloured by its state, and the data
 * @st: the stack
 * @ss: states
 */
void rpt_states_panel(struct rpt_stack *st, const struct rpt_states *ss)
{
	struct pic_panel panel = {
		.h = rpt_states_height(ss), .title = "state",
		.more = " that Mercury has each port in:", .y1 = ss->shown,
	};
	size_t i, k, state;

	rpt_stack_panel(st, &panel, false);
	pic_set(st->p, "state_panel", st->p->panels);
	pic_swatches(st->p, rpt_state_swatch, ARRAY_SIZE(rpt_state_swatch), 0.44);
	for (i = 0; i < ss->shown; i++)
		pic_tic(st->p, 'y', ss->row[i].port, ss->shown - i - 0.5);
	for (state = 0; state < ARRAY_SIZE(rpt_state_name); state++) {
		struct pic_look look = { .rgb = rpt_state_swatch[state].rgb };

		pic_curve(st->p, &look, "state", st->cc, rpt_state_name[state]);
		for (i = 0; i < ss->shown; i++) {
			const struct rpt_series *s = &ss->row[i].s;

			for (k = 0; k < s->n && s->t[k] < st->t1; k++)
				if ((int)s->v[k] == (int)state)
					/* From, row, until. */
					pic_row(st->p, 3, s->t[k], ss->shown - i - 0.5,
						fmin(k + 1 < s->n ? s->t[k + 1] : st->t1, st->t1));
		}
	}
}
