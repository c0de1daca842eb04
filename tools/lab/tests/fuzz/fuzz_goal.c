// SPDX-License-Identifier: GPL-2.0
/*
 * GOAL schedules, from the file to the plan. Each flow of a schedule that is accepted is between
 * two hosts, and starts no earlier than what it waits for.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "star_scenario.h"

#define HEADING	"num_ranks 4\n"

void fuzz_begin(void)
{
	star_scenario_begin();
}

static void check(bool ok, const char *what, int flow)
{
	if (ok)
		return;
	fprintf(stderr, "flow %d: %s\n", flow, what);
	abort();
}

static void check_waits(const struct plan *p, int flow)
{
	const struct depend_list *l = &p->after.list[p->flows[flow].after - 1];
	int64_t at_ns = plan_earliest_ns(p, flow);
	uint32_t k, of;

	check(l->node == (uint32_t)flow, "has the list of another", flow);
	for (k = l->begin; k < l[1].begin; k++) {
		of = depend_node(p->after.edge[k]);
		check(of < (uint32_t)p->n_flows, "waits for a flow that is not there", flow);
		check(at_ns >= plan_earliest_ns(p, of) + (int64_t)l->delay_ns +
		      (int64_t)depend_edge_delay(&p->after, k),
		      "starts before what it waits for", flow);
	}
}

static void check_flows(const struct plan *p)
{
	int i;

	for (i = 0; i < p->n_flows; i++) {
		const struct lab_flow *f = &p->flows[i];

		check(f->src != f->dst, "to itself", i);
		check(f->bytes > 0 && f->start_ns >= 0, "no bytes, or before the start", i);
		if (f->after)
			check_waits(p, i);
	}
}

void fuzz_one(const char *text, size_t len)
{
	char *set = xasprintf("flows_file=%s/in", fuzz_dir()), *all;
	bool own = strncmp(text, "num_ranks", strlen("num_ranks")) == 0;
	struct scenario *sc = scenario_load("star");
	struct plan *p = NULL;
	int rc;

	all = xcalloc(1, len + sizeof(HEADING));
	memcpy(all, HEADING, own ? 0 : strlen(HEADING));
	memcpy(all + (own ? 0 : strlen(HEADING)), text, len);
	fuzz_file("in", all, len + (own ? 0 : strlen(HEADING)));
	rc = scenario_set(sc, set) || scenario_set(sc, "n=4") || plan_resolve(sc) ||
	     plan_build(sc, 1, &p);
	fuzz_one_message(rc);
	if (p) {
		check_flows(p);
		plan_free(p);
	}
	scenario_free(sc);
	free(all);
	free(set);
}
