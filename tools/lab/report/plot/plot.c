// SPDX-License-Identifier: GPL-2.0
/*
 * All pictures of a report: which are made.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/plot/pic.h"

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

/* Under a workload no port is watched unless asked for. */
static bool rpt_any_queue(const struct rpt_scenario *s, const struct rpt_course *c)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < c[i].ports.n; k++)
			if (c[i].ports.port[k].peak > 0)
				return true;
	return false;
}

static void rpt_plot_courses(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_course *c = xreallocarray(NULL, s->nr_algos, sizeof(*c));
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		rpt_course_read(r, &s->algos[i], &c[i]);
	if (!rpt_is_traffic(s) || rpt_any_queue(s, c))
		rpt_plot_queue(r, s, c);
	rpt_plot_pauses(r, s, c);
	rpt_plot_lscc(r, s, c);
	rpt_plot_spread(r, s, c);
	rpt_plot_rates(r, s, c);
	rpt_plot_roles(r, s, c);
	rpt_plot_signals(r, s, c);
	rpt_plot_types(r, s, c);
	rpt_plot_compare(r, s, c);
	rpt_plot_join(r, s, c);
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
	for (i = 0; i < r->nr_scen; i++) {
		rpt_plot_overview(r, &r->scen[i]);
		rpt_plot_scatter(r, &r->scen[i]);
		rpt_plot_courses(r, &r->scen[i]);
		if (!rpt_is_traffic(&r->scen[i]))
			rpt_plot_fct(r, &r->scen[i]);
	}
	rpt_plot_traffic(r);
	rpt_plot_swept(r);
}
