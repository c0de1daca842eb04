// SPDX-License-Identifier: GPL-2.0
/* lab report: calls what draws the pictures of runs under a workload. */
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

/**
 * rpt_is_traffic() - are there runs under a workload
 * @s: scenario
 *
 * Return: true if a run has figures of it.
 */
bool rpt_is_traffic(const struct rpt_scenario *s)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < s->algos[i].nr_runs; k++)
			if (js_path(s->algos[i].runs[k].summary, "measured"))
				return true;
	return false;
}

static void (*const drawn[])(struct rpt *r, const struct rpt_sizes *f) = {
#define PICTURE(...)
#define OF_SCENARIO(...)
#define OF_RUN(...)
#define OF_FLOWS(draw)	rpt_plot_##draw,
#include "report/plot/picture_list.h"
};

/**
 * rpt_plot_traffic() - the pictures of all scenarios that ran under a workload
 * @r: the report
 *
 * Points of a sweep come in one picture too.
 */
void rpt_plot_traffic(struct rpt *r)
{
	struct rpt_sizes *f = xreallocarray(NULL, r->nr_scen, sizeof(*f));
	size_t i, j, k, n;

	for (i = 0; i < r->nr_scen; i += k) {
		/* Scenarios are in order of their names: points of one are together. */
		for (k = 0, n = 0; i + k < r->nr_scen &&
		     strcmp(r->scen[i + k].scenario, r->scen[i].scenario) == 0; k++) {
			if (!rpt_is_traffic(&r->scen[i + k]))
				continue;
			rpt_sizes_read(r, &r->scen[i + k], &f[n]);
			for (j = 0; j < ARRAY_SIZE(drawn); j++)
				drawn[j](r, &f[n]);
			n++;
		}
		rpt_plot_slowdowns(r, f, n);
		while (n)
			rpt_sizes_free(&f[--n]);
	}
	free(f);
}
