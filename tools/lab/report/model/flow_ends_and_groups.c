// SPDX-License-Identifier: GPL-2.0
/*
 * The flows of one run: their ends from flows.csv, their groups from
 * summary.json, and curves of goodput that stay legible whatever their number.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* "groups" of summary.json: names, each with the ids of its flows. */
static void rpt_ends_groups(const struct rpt_run *run, struct rpt_ends *es)
{
	struct json_object *groups = js_path(run->summary, "groups");
	size_t i, k;

	if (!json_object_is_type(groups, json_type_object))
		return;
	json_object_object_foreach(groups, name, ids) {
		if (!json_object_is_type(ids, json_type_array))
			continue;
		for (i = 0; i < json_object_array_length(ids); i++) {
			struct json_object *o;
			long id;

			o = json_object_array_get_idx(ids, i);
			id = json_object_get_int64(o);
			for (k = 0; k < es->n; k++) {
				if (es->end[k].id != id)
					continue;
				free(es->end[k].group);
				es->end[k].group = xstrdup(name);
			}
		}
	}
}

void rpt_ends_read(struct rpt *r, const struct rpt_run *run, struct rpt_ends *es)
{
	struct csv c;

	if (!rpt_csv_open(r, &c, run, "flows.csv",
			  "id,?src,?dst,?bytes,?start_ns,?fct_ns,?ideal_fct_ns"))
		return;
	while (rpt_csv_next(&c)) {
		es->end = xreallocarray(es->end, es->n + 1, sizeof(*es->end));
		es->end[es->n++] = (struct rpt_end){
			.id = strtol(c.field[0], NULL, 10),
			.src = xstrdup(c.field[1]),
			.dst = xstrdup(c.field[2]),
			.bytes = csv_double(c.field[3]),
			.start_ns = csv_double(c.field[4]),
			.fct_ns = csv_double(c.field[5]),
			.ideal_ns = csv_double(c.field[6]),
			.group = xstrdup(""),
		};
	}
	rpt_csv_close(r, &c);
	rpt_ends_groups(run, es);
}

void rpt_ends_free(struct rpt_ends *es)
{
	size_t i;

	for (i = 0; i < es->n; i++) {
		free(es->end[i].src);
		free(es->end[i].dst);
		free(es->end[i].group);
	}
	free(es->end);
}

/* Flow @id, which mostly is the @id'th row; NULL when there is none. */
const struct rpt_end *rpt_end_of(const struct rpt_ends *es, long id)
{
	size_t i;

	if (id >= 0 && (size_t)id < es->n && es->end[id].id == id)
		return &es->end[id];
	for (i = 0; i < es->n; i++)
		if (es->end[i].id == id)
			return &es->end[i];
	return NULL;
}

/* Flows end at hosts only. */
bool rpt_is_host(const struct rpt_ends *es, const char *node)
{
	size_t i;

	for (i = 0; i < es->n; i++)
		if (!strcmp(es->end[i].src, node) || !strcmp(es->end[i].dst, node))
			return true;
	return false;
}

/* What flows that go together have in common. */
enum rpt_group_by {
	RPT_BY_FLOW,
	RPT_BY_NAME,	/* the scenario's group, else the receiver */
	RPT_BY_NONE,	/* all in one */
};

static bool rpt_same_group(const struct rpt_end *a, const struct rpt_end *b)
{
	if (!a || !b)
		return a == b;
	if (*a->group || *b->group)
		return !strcmp(a->group, b->group);
	return !strcmp(a->dst, b->dst);
}

/* The flow's group: that of the first flow it goes with. */
static size_t rpt_group_first(const struct rpt_course *c, size_t i, enum rpt_group_by by)
{
	const struct rpt_end *e = rpt_end_of(&c->ends, c->flows.flow[i].id);
	size_t k;

	if (by == RPT_BY_FLOW)
		return i;
	if (by == RPT_BY_NONE)
		return 0;
	for (k = 0; k < i; k++)
		if (rpt_same_group(rpt_end_of(&c->ends, c->flows.flow[k].id), e))
			break;
	return k;
}

static size_t rpt_group_count(const struct rpt_course *c, enum rpt_group_by by)
{
	size_t i, n = 0;

	for (i = 0; i < c->flows.n; i++)
		n += rpt_group_first(c, i, by) == i;
	return n;
}

struct rpt_point {
	double t, v;
};

static int rpt_cmp_point(const void *pa, const void *pb)
{
	const struct rpt_point *a = pa, *b = pb;

	return a->t < b->t ? -1 : a->t > b->t;
}

/**
 * rpt_flows_sum() - goodput of several flows together
 * @fs: flows of a run, sampled at the same times
 * @member: by flow: does it count
 * @out: samples are appended
 *
 * Return: number of flows that count.
 */
size_t rpt_flows_sum(const struct rpt_flows *fs, const bool *member, struct rpt_series *out)
{
	struct rpt_point *p = NULL;
	size_t i, k, n = 0, flows = 0;

	for (i = 0; i < fs->n; i++) {
		const struct rpt_series *s = &fs->flow[i].s[RPT_Q_GOODPUT];

		if (!member[i])
			continue;
		flows++;
		p = xreallocarray(p, n + s->n + 1, sizeof(*p));
		for (k = 0; k < s->n; k++, n++)
			p[n] = (struct rpt_point){ s->t[k], s->v[k] };
	}
	if (n)
		qsort(p, n, sizeof(*p), rpt_cmp_point);
	for (i = 0; i < n; i++) {
		if (out->n && out->t[out->n - 1] == p[i].t)
			out->v[out->n - 1] += p[i].v;
		else
			rpt_series_add(out, p[i].t, p[i].v);
	}
	free(p);
	return flows;
}

static char *rpt_group_label(const struct rpt_course *c, size_t first,
			     enum rpt_group_by by, size_t n)
{
	long id = c->flows.flow[first].id;
	const struct rpt_end *e = rpt_end_of(&c->ends, id);

	if (by == RPT_BY_NONE)
		return rpt_text("all %zu flows", n);
	if (!e || !*e->src || !*e->dst)
		return n == 1 ? rpt_text("flow %ld", id) :
				rpt_text("%zu flows", n);
	if (!strcmp(e->group, RPT_VICTIM))
		return n == 1 ? rpt_text("victim %s to %s", e->src, e->dst) :
				rpt_text("%zu victims", n);
	if (n == 1)
		return rpt_text("%s to %s", e->src, e->dst);
	if (*e->group)
		return rpt_text("%zu x %s", n, e->group);
	return rpt_text("%zu flows to %s", n, e->dst);
}

/* Flows that a scenario makes in numbers are one thing, few as they may be. */
static bool rpt_group_crowd(const struct rpt_course *c)
{
	size_t i, k, n;

	for (i = 0; i < c->flows.n; i++) {
		const struct rpt_end *e;

		e = rpt_end_of(&c->ends, c->flows.flow[i].id);
		if (!e || !*e->group || rpt_group_first(c, i, RPT_BY_NAME) != i)
			continue;
		for (k = i, n = 0; k < c->flows.n; k++)
			n += rpt_group_first(c, k, RPT_BY_NAME) == i;
		if (n > 2)
			return true;
	}
	return false;
}

static enum rpt_group_by rpt_group_by(const struct rpt_course *c)
{
	if (c->flows.n <= RPT_LINES && !rpt_group_crowd(c))
		return RPT_BY_FLOW;
	return rpt_group_count(c, RPT_BY_NAME) <= RPT_LINES ? RPT_BY_NAME :
	       RPT_BY_NONE;
}

/**
 * rpt_groups_make() - at most RPT_LINES curves of goodput
 * @c: a run, its ends read
 * @g: filled in
 *
 * A curve a flow when there are few; else the sum of each group of the
 * scenario, or of what goes to one receiver; else the sum of all.
 */
void rpt_groups_make(const struct rpt_course *c, struct rpt_groups *g)
{
	bool *member = xreallocarray(NULL, c->flows.n + 1, sizeof(*member));
	enum rpt_group_by by = rpt_group_by(c);
	size_t i, k, n, max;

	max = rpt_group_count(c, by);
	memset(g, 0, sizeof(*g));
	g->fs.algo = c->algo;
	g->fs.flow = xreallocarray(NULL, max + 1, sizeof(*g->fs.flow));
	g->label = xreallocarray(NULL, max + 1, sizeof(*g->label));
	g->victim = xreallocarray(NULL, max + 1, sizeof(*g->victim));
	for (i = 0; i < c->flows.n; i++) {
		const struct rpt_end *e;
		struct rpt_flow *f;

		if (rpt_group_first(c, i, by) != i)
			continue;
		for (k = 0; k < c->flows.n; k++)
			member[k] = k >= i && rpt_group_first(c, k, by) == i;
		f = &g->fs.flow[g->fs.n];
		*f = (struct rpt_flow){ .id = g->fs.n };
		n = rpt_flows_sum(&c->flows, member, &f->s[RPT_Q_GOODPUT]);
		e = rpt_end_of(&c->ends, c->flows.flow[i].id);
		g->label[g->fs.n] = rpt_group_label(c, i, by, n);
		g->victim[g->fs.n] = by != RPT_BY_NONE && e &&
				     !strcmp(e->group, RPT_VICTIM);
		g->fs.n++;
	}
	free(member);
}

void rpt_groups_free(struct rpt_groups *g)
{
	rpt_flows_free(&g->fs);
	free(g->label);
	free(g->victim);
}
