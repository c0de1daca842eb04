// SPDX-License-Identifier: GPL-2.0
/* flowgen: writes lines of flows.csv and adds flows up. Times count from t0. */
#include <string.h>

#include "../lib/json.h"
#include "flowgen.h"

static bool completed(const struct fg_flow *f)
{
	return !strcmp(fg_flow_status(f), "ok");
}

/**
 * fg_flow_fct() - how long a flow took
 * @f: flow
 *
 * Of a flow that was stopped: to the last completion, for its rate.
 *
 * Return: ns, or -1.
 */
s64 fg_flow_fct(const struct fg_flow *f)
{
	bool stopped = f->done_bytes && !strcmp(fg_flow_status(f), "stopped");

	return completed(f) || stopped ? (s64)(f->t_last_ns - f->t_start_ns) : -1;
}

/**
 * fg_flow_started() - when a flow started, or was to
 * @f: flow
 */
u64 fg_flow_started(const struct fg_flow *f)
{
	return f->t_start_ns ? f->t_start_ns - eng.t0_ns : f->start_ns;
}

/**
 * fg_results_flows_open() - start flows.csv
 * @dir: output directory
 */
int fg_results_flows_open(const char *dir)
{
	if (eng.flows)
		return 0;
	eng.flows = fg_create(dir, "flows.csv");
	if (!eng.flows)
		return -1;
	setvbuf(eng.flows, NULL, _IOFBF, 1 << 18);
	fputs("id,src,dst,qpn,dst_qpn,bytes,start_ns,fct_ns,status\n", eng.flows);
	return 0;
}

/**
 * fg_results_row() - a flow's line in flows.csv
 * @f: flow
 * @c: its connection, or NULL if it never had one
 */
void fg_results_row(const struct fg_flow *f, const struct fg_conn *c)
{
	const struct fg_plan *p = eng.plan;

	fprintf(eng.flows, "%u,%s,%s,%u,%u,%llu,%llu,%lld,%s\n", f->id,
		p->hosts[f->src], p->hosts[f->dst], c ? c->ep[0].qpn : 0,
		c ? c->ep[1].qpn : 0, f->done_bytes, fg_flow_started(f),
		fg_flow_fct(f), fg_flow_status(f));
}

/**
 * fg_totals_error() - one more that did not complete
 * @t: totals
 * @status: why
 */
void fg_totals_error(struct fg_totals *t, const char *status)
{
	js_add_int(t->errors, status, js_int(t->errors, status, 0) + 1);
}

/**
 * fg_totals_init() - totals of no flow
 * @t: totals
 */
void fg_totals_init(struct fg_totals *t)
{
	memset(t, 0, sizeof(*t));
	t->first_ns = ~0ULL;
	t->errors = json_object_new_object();
}

/**
 * fg_totals_add() - add a flow that will not change any more
 * @t: totals
 * @f: flow
 */
void fg_totals_add(struct fg_totals *t, const struct fg_flow *f)
{
	t->flows++;
	t->completed += completed(f);
	t->failed += fg_flow_failed(f);
	t->stopped += !strcmp(fg_flow_status(f), "stopped");
	if (!completed(f))
		fg_totals_error(t, fg_flow_status(f));
	t->bytes += f->done_bytes;
	if (!f->t_start_ns)
		return;
	if (f->t_start_ns - eng.t0_ns < t->first_ns)
		t->first_ns = f->t_start_ns - eng.t0_ns;
	if (f->t_last_ns - eng.t0_ns > t->last_ns)
		t->last_ns = f->t_last_ns - eng.t0_ns;
}
