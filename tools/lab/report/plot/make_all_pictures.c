// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: decides which pictures are made, and calls what draws them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/plot/gnuplot_input.h"

/* One run stands for an algorithm over time: that of its lowest seed. */
static void rpt_course_read(struct rpt *r, const struct rpt_algo *a, struct rpt_course *c)
{
	size_t i;

	*c = (struct rpt_course){ .algo = a, .run = &a->runs[0] };
	c->flows.algo = a;
	rpt_ports_read(r, c->run, &c->ports);
	rpt_rates_read(r, c->run, &c->flows);
	for (i = 0; i < c->ports.n; i++)
		c->pauses |= rpt_port_paused(&c->ports.port[i]);
	if (c->pauses)
		rpt_ends_read(r, c->run, &c->ends);
}

/* Of a scenario one of these, or of each of its runs that has @file. */
static const struct {
	void (*of_scenario)(struct rpt *r, const struct rpt_scenario *s);
	void (*of_run)(struct rpt *r, const struct rpt_scenario *s, struct rpt_course *c);
	const char *file;
} drawn[] = {
#define PICTURE(...)
#define OF_SCENARIO(draw)	{ .of_scenario = rpt_plot_##draw },
#define OF_RUN(draw, name)	{ .of_run = rpt_plot_##draw, .file = name },
#define OF_FLOWS(...)
#include "report/plot/picture_list.h"
};

static void rpt_plot_scenario(struct rpt *r, struct rpt_scenario *s)
{
	struct rpt_course *c = xreallocarray(NULL, s->nr_algos, sizeof(*c));
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		rpt_course_read(r, &s->algos[i], &c[i]);
	s->course = c;
	for (k = 0; k < ARRAY_SIZE(drawn); k++) {
		if (drawn[k].of_scenario)
			drawn[k].of_scenario(r, s);
		for (i = 0; i < s->nr_algos && drawn[k].of_run; i++)
			if (!drawn[k].file || rpt_run_has(c[i].run, drawn[k].file))
				drawn[k].of_run(r, s, &c[i]);
	}
	s->course = NULL;
	for (i = 0; i < s->nr_algos; i++) {
		rpt_ports_free(&c[i].ports);
		rpt_flows_free(&c[i].flows);
		rpt_ends_free(&c[i].ends);
	}
	free(c);
}

static int rpt_plot_dir(struct rpt *r, const char *name)
{
	char *path = rpt_text("%s/%s", r->outdir, name);
	int err = mkdir(path, 0777) && errno != EEXIST;

	if (err)
		rpt_warn(r, "%s: %s", path, strerror(errno));
	return err;
}

void rpt_plots(struct rpt *r)
{
	size_t i;

	if (rpt_plot_dir(r, "gp") || rpt_plot_dir(r, "data") || pic_programs(r))
		return;
	for (i = 0; i < r->nr_scen; i++)
		rpt_plot_scenario(r, &r->scen[i]);
	rpt_plot_traffic(r);
	rpt_plot_swept(r);
}
