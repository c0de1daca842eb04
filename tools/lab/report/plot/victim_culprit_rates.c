// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that have a role of their own in a scenario, such as "victim" and "culprit": the
 * rate that congestion control allows and the goodput, a curve for each algorithm.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_ROLES 3
#define RPT_ROLE_PX 120
/* A crawl under one algorithm must not hide what others show. */
#define RPT_ROLE_LONGER 1.3

struct rpt_role {
	const char *name;
	long flow;
};

static const struct {
	enum rpt_quantity k;
	const char *column, *text;
} rpt_role_what[] = {
	{ RPT_Q_RATE, "cc_rate_bps", "rate that congestion control allows" },
	{ RPT_Q_GOODPUT, "goodput_bps", "goodput" },
};

#define RPT_ROLE_PANELS (RPT_ROLES * ARRAY_SIZE(rpt_role_what))

struct rpt_roles {
	const struct rpt_course *c;
	size_t n_algos;
	struct rpt_role role[RPT_ROLES];
	size_t n;
	double t1, top;
	struct rpt_binned bin[RPT_ROLE_PANELS];
};

/* Groups of one flow, where there are other flows besides. */
static void rpt_roles_find(struct rpt_roles *rs)
{
	struct json_object *groups = js_path(rs->c->run->summary, "groups");

	if (!json_object_is_type(groups, json_type_object) || json_object_object_length(groups) < 2)
		return;
	json_object_object_foreach(groups, name, flows) {
		if (rs->n < RPT_ROLES && json_object_is_type(flows, json_type_array) &&
		    json_object_array_length(flows) == 1)
			rs->role[rs->n++] = (struct rpt_role){
				name, json_object_get_int64(json_object_array_get_idx(flows, 0)),
			};
	}
}

static const struct rpt_flow *rpt_role_flow(const struct rpt_course *c, long id)
{
	size_t i;

	for (i = 0; i < c->flows.n; i++)
		if (c->flows.flow[i].id == id)
			return &c->flows.flow[i];
	return NULL;
}

/* When the flow has ended under most algorithms. */
static double rpt_roles_end(const struct rpt_roles *rs)
{
	double *end = xreallocarray(NULL, rs->n_algos * rs->n + 1, sizeof(*end)), t1 = 0;
	size_t i, k, n = 0;

	for (i = 0; i < rs->n_algos; i++)
		for (k = 0; k < rs->n; k++) {
			const struct rpt_flow *f = rpt_role_flow(&rs->c[i], rs->role[k].flow);
			const struct rpt_series *s = f ? &f->s[RPT_Q_GOODPUT] : NULL;

			if (s && s->n)
				end[n++] = s->t[s->n - 1];
		}
	if (n) {
		qsort(end, n, sizeof(*end), stats_cmp_double);
		t1 = fmin(end[n - 1], RPT_ROLE_LONGER * end[n / 2]);
	}
	free(end);
	return t1;
}

/* One flow under all algorithms, as if these were flows of one run. */
static void rpt_role_bin(struct rpt_roles *rs, size_t role, size_t what)
{
	struct rpt_binned *b = &rs->bin[role * ARRAY_SIZE(rpt_role_what) + what];
	struct rpt_flows fs = { .n = rs->n_algos };
	size_t i, k;

	fs.flow = xreallocarray(NULL, rs->n_algos + 1, sizeof(*fs.flow));
	for (i = 0; i < rs->n_algos; i++) {
		const struct rpt_flow *f = rpt_role_flow(&rs->c[i], rs->role[role].flow);

		memset(&fs.flow[i], 0, sizeof(fs.flow[i]));
		if (!f)
			continue;
		fs.flow[i] = *f;
		/* Bins end with the axis. */
		for (k = 0; k < RPT_Q_NR; k++)
			while (fs.flow[i].s[k].n &&
			       fs.flow[i].s[k].t[fs.flow[i].s[k].n - 1] > rs->t1)
				fs.flow[i].s[k].n--;
	}
	rpt_bin_panel(&fs, rpt_role_what[what].k, rs->t1, b);
	rs->top = fmax(rs->top, b->max);
	free(fs.flow);
}

static void rpt_role_panel(struct rpt_stack *st, const struct rpt_roles *rs, size_t panel,
			   struct rpt_scale vs)
{
	const struct rpt_role *role = &rs->role[panel / ARRAY_SIZE(rpt_role_what)];
	const struct rpt_binned *b = &rs->bin[panel];
	size_t what = panel % ARRAY_SIZE(rpt_role_what), i;
	char *flow = rpt_text("flow %ld", role->flow);
	struct pic_panel pp = {
		.h = RPT_ROLE_PX, .title = role->name, .ylabel = vs.name,
		.more = rpt_text(", flow %ld: %s", role->flow, rpt_role_what[what].text),
		.y1 = 1.05 * rs->top / vs.div, .ydiv = vs.div,
	};

	rpt_stack_panel(st, &pp, panel + 1 == rs->n * ARRAY_SIZE(rpt_role_what));
	for (i = 0; i < rs->n_algos; i++) {
		const struct rpt_algo *a = rs->c[i].algo;
		struct pic_look look = {
			.rgb = a->style.rgb, .dash = a->style.dash,
			.name = panel ? NULL : a->cc,
		};

		pic_curve(st->p, &look, rpt_role_what[what].column, a->cc, flow);
		rpt_put_line(st->p, b, i, rs->t1 / b->nbins);
	}
}

static void rpt_roles_panels(struct rpt_stack *st, const struct rpt_roles *rs)
{
	struct rpt_scale vs = rpt_scale_of(RPT_BPS, rs->top);
	size_t i;

	rpt_stack_begin(st, NULL, rs->t1);
	for (i = 0; i < rs->n * ARRAY_SIZE(rpt_role_what); i++)
		rpt_role_panel(st, rs, i, vs);
}

static void rpt_roles_plot(struct rpt *r, const struct rpt_scenario *s, const struct rpt_roles *rs)
{
	struct rpt_stack st = { .left = 76, .right = 24, .y = 92 };
	struct pic p;

	/* Names are in rows above, six in each or three. */
	if (rpt_narrow())
		st.y += 18 * ((rs->n_algos - 1) / 3);
	else
		st.y += rs->n_algos > 6 ? 18 : 0;
	st.height = st.y + rs->n * ARRAY_SIZE(rpt_role_what) * (RPT_ROLE_PX + 40) + 16;
	if (!pic_open(r, &p, s, NULL, P_ROLES, st.height))
		return;
	st.p = &p;
	rpt_roles_panels(&st, rs);
	pic_close(&p,
		  "Flows with a role of their own, a curve for each algorithm, seed %lu; means over at least 1/%d of the time shown.",
		  rs->c->run->seed, RPT_BINS);
}

/**
 * rpt_plot_roles() - rate and goodput of the flows that have a group for themselves
 * @r: the report
 * @s: the scenario
 */
void rpt_plot_roles(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_roles rs = { .c = s->course, .n_algos = s->nr_algos };
	size_t i, k;

	if (rs.n_algos)
		rpt_roles_find(&rs);
	if (rs.n)
		rs.t1 = rpt_roles_end(&rs);
	if (!(rs.t1 > 0))
		return;
	for (i = 0; i < rs.n; i++)
		for (k = 0; k < ARRAY_SIZE(rpt_role_what); k++)
			rpt_role_bin(&rs, i, k);
	if (rs.top > 0)
		rpt_roles_plot(r, s, &rs);
	for (i = 0; i < RPT_ROLE_PANELS; i++)
		free(rs.bin[i].v);
}
