// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "timeline" of summary.json: what changed in the run, and figures of the spans between.
 */
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* Rows over which a mean is taken, and how much of the mean before is as before. */
#define ROWS		10
#define AS_BEFORE	0.9

/* Rows of timeline.csv. */
struct rows {
	int64_t *t_ns;
	double *bps;
	size_t n, size;
};

/* Counters of a span, in the order of the file. */
static const char *const counters[] = {
	"lost", "lost_wire_bytes", "drops", "retransmits", "timeouts",
};

static int take_row(const struct csv *c, void *ctx)
{
	struct rows *rows = ctx;

	if (rows->n == rows->size) {
		rows->size = rows->size ? 2 * rows->size : 1024;
		rows->t_ns = xrealloc(rows->t_ns, rows->size * sizeof(*rows->t_ns));
		rows->bps = xrealloc(rows->bps, rows->size * sizeof(*rows->bps));
	}
	rows->t_ns[rows->n] = strtoll(c->field[0], NULL, 10);
	rows->bps[rows->n++] = strtod(c->field[1], NULL);
	return 0;
}

/* Of the rows from @first on. */
static double mean(const struct rows *rows, size_t first)
{
	double sum = 0;
	size_t i;

	for (i = first; i < first + ROWS; i++)
		sum += rows->bps[i];
	return sum / ROWS;
}

/*
 * From an event to the first ten rows in which hosts get as much as in the ten before it, or nine
 * tenths of that. 0: in the ten rows behind the event they do.
 */
static void add_recovery(struct json_object *o, const struct rows *rows, int64_t at_ns)
{
	size_t first, i;
	double before;

	for (first = 0; first < rows->n && rows->t_ns[first] <= at_ns; first++)
		;
	before = first >= ROWS ? mean(rows, first - ROWS) : 0;
	for (i = first; i + ROWS <= rows->n && mean(rows, i) < AS_BEFORE * before; i++)
		;
	if (i + ROWS > rows->n)
		json_object_object_add(o, "recover_ns", NULL);
	else
		js_add_int(o, "recover_ns", i == first ? 0 : rows->t_ns[i - 1] - at_ns);
}

/* Queue pairs that lost packets were for, by node and number. */
struct qps {
	struct qp {
		int node;
		uint32_t qpn;
	} *v;
	size_t n;
};

static int cmp_qp(const void *pa, const void *pb)
{
	const struct qp *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->qpn > b->qpn) - (a->qpn < b->qpn);
}

static void take_qps(struct plan *p, struct json_object *lost, struct qps *qps)
{
	size_t i;

	json_object_object_foreach(lost, host, list) {
		int node = plan_find_node(p, host);

		qps->v = xreallocarray(qps->v, qps->n + js_len(list) + 1, sizeof(*qps->v));
		for (i = 0; i < js_len(list); i++)
			qps->v[qps->n++] = (struct qp) {
				node, (uint32_t)json_object_get_int64(js_at(list, i)),
			};
	}
}

static bool has_qp(const struct qps *qps, int node, uint32_t qpn)
{
	struct qp key = { node, qpn };

	return bsearch(&key, qps->v, qps->n, sizeof(key), cmp_qp);
}

/* Under way between two times of the sampler's clock. */
static bool under_way(const struct results *r, const struct flow_result *f, int64_t from_ns,
		      int64_t to_ns)
{
	int64_t start_ns = f->start_ns - r->shift_ns;

	return start_ns < to_ns && ((!f->done && !f->stopped) || start_ns + f->fct_ns >= from_ns);
}

static int64_t count_hit(const struct results *r, const struct qps *qps, int64_t from_ns,
			 int64_t to_ns)
{
	int64_t hit = 0;
	size_t i;

	for (i = 0; i < r->n_flows && qps->n; i++) {
		const struct flow_result *f = &r->flows[i];
		const struct lab_flow *of = &r->plan->flows[f->id];

		/* Of data, or of what acknowledges it. */
		hit += under_way(r, f, from_ns, to_ns) &&
		       (has_qp(qps, of->dst, f->dst_qpn) || has_qp(qps, of->src, f->qpn));
	}
	return hit;
}

/*
 * Flows under way of which a link lost a packet from event @i to the next later one. Each point has
 * what was lost since the one before. Null: there were more than the kernel keeps.
 */
static void add_hit(struct json_object *o, const struct results *r, struct json_object *points,
		    size_t i)
{
	int64_t from_ns = js_int(js_at(points, i), "t_ns", 0), to_ns = from_ns;
	struct qps qps = {};
	bool known = true;

	while (known && to_ns == from_ns && ++i < js_len(points)) {
		struct json_object *lost = js_get(js_at(points, i), "lost_qps");

		to_ns = js_int(js_at(points, i), "t_ns", 0);
		known = json_object_is_type(lost, json_type_object);
		if (known)
			take_qps(r->plan, lost, &qps);
	}
	if (qps.n)
		qsort(qps.v, qps.n, sizeof(*qps.v), cmp_qp);
	if (known)
		js_add_int(o, "flows_hit", count_hit(r, &qps, from_ns, to_ns));
	else
		json_object_object_add(o, "flows_hit", NULL);
	free(qps.v);
}

static void add_event(struct json_object *list, const struct results *r,
		      struct json_object *points, size_t i, const struct rows *rows)
{
	struct json_object *o = json_object_new_object(), *point = js_at(points, i);

	js_add_str(o, "what", js_str(point, "what", ""));
	js_add_int(o, "at_ns", js_int(point, "t_ns", 0));
	js_add_int(o, "done_ns", js_int(point, "done_ns", 0));
	add_recovery(o, rows, js_int(point, "t_ns", 0));
	add_hit(o, r, points, i);
	json_object_array_add(list, o);
}

/* Events of one instant have no span between them. */
static void add_span(struct json_object *list, struct json_object *a, struct json_object *b,
		     int64_t from_ns, int64_t to_ns)
{
	struct json_object *o;
	int64_t bytes = js_int(b, "to_hosts_wire_bytes", 0) - js_int(a, "to_hosts_wire_bytes", 0);
	size_t i;

	if (to_ns <= from_ns)
		return;
	/* A link that went down lost what had counted as sent. */
	if (bytes < 0)
		bytes = 0;
	o = json_object_new_object();
	js_add_int(o, "from_ns", from_ns);
	js_add_int(o, "to_ns", to_ns);
	js_add_int(o, "to_hosts_bps", bytes * 8.0 * NSEC_PER_SEC / (to_ns - from_ns));
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		js_add_int(o, counters[i],
			   js_int(b, counters[i], 0) - js_int(a, counters[i], 0));
	json_object_array_add(list, o);
}

/**
 * results_timeline() - "timeline": events, and the spans from one to the next
 * @r: results
 *
 * There is none if nothing was to change.
 */
void results_timeline(struct results *r)
{
	struct json_object *points = js_get(r->totals, "timeline"), *events, *spans, *o;
	struct json_object *last = NULL;
	struct rows rows = {};
	int64_t from_ns = 0, to_ns;
	size_t i;

	if (!js_len(points) || csv_rows(r->raw, T_TIMELINE, "t_ns,to_hosts_bps", take_row, &rows))
		return;
	o = json_object_new_object();
	events = json_object_new_array();
	spans = json_object_new_array();
	for (i = 0; i < js_len(points); i++) {
		struct json_object *p = js_at(points, i);

		to_ns = js_int(p, "t_ns", 0);
		/* At the end the guest waits until the network is empty. */
		if (i == js_len(points) - 1)
			to_ns = r->last_ns - r->shift_ns;
		else
			add_event(events, r, points, i, &rows);
		add_span(spans, last, p, from_ns, to_ns);
		from_ns = to_ns;
		last = p;
	}
	json_object_object_add(o, "events", events);
	json_object_object_add(o, "spans", spans);
	json_object_object_add(r->summary, "timeline", o);
	free(rows.t_ns);
	free(rows.bps);
}
