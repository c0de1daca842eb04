// SPDX-License-Identifier: GPL-2.0
/*
 * The ports of one run: queues and sampled pauses from queues.csv, exact pauses
 * from pauses.csv, totals from summary.json. Each of them may be missing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"

/**
 * rpt_port_find() - a port by its name
 * @ps: ports of a run
 * @name: NODE-PEER
 *
 * Return: the port or NULL.
 */
struct rpt_port *rpt_port_find(const struct rpt_ports *ps, const char *name)
{
	size_t i;

	for (i = 0; i < ps->n; i++)
		if (!strcmp(ps->port[i].name, name))
			return &ps->port[i];
	return NULL;
}

/* Rows come port by port at each time, so look behind the last one first. */
static struct rpt_port *rpt_port_of(struct rpt_ports *ps, const char *name)
{
	size_t i, k, len = strcspn(name, "-");
	struct rpt_port *p;

	for (k = 0; k < ps->n; k++) {
		i = (ps->last + k) % ps->n;
		if (!strcmp(ps->port[i].name, name)) {
			ps->last = i;
			return &ps->port[i];
		}
	}
	ps->port = xreallocarray(ps->port, ps->n + 1, sizeof(*ps->port));
	ps->last = ps->n++;
	p = &ps->port[ps->last];
	*p = (struct rpt_port){
		.name = rpt_text("%s", name),
		.node = rpt_text("%.*s", (int)len, name),
		.peer = rpt_text("%s", name[len] ? name + len + 1 : ""),
		.pause_ns = NAN,
		.busy_ns = NAN,
		.rate_bps = NAN,
	};
	/* Nothing waits before the traffic. */
	rpt_series_add(&p->q, 0, 0);
	return p;
}

static void rpt_ports_summary(const struct rpt_run *run, struct rpt_ports *ps)
{
	struct json_object *o = js_path(run->summary, "ports");

	if (json_object_is_type(o, json_type_object)) {
		json_object_object_foreach(o, name, val) {
			struct rpt_port *p = rpt_port_of(ps, name);

			p->pause_ns = rpt_json_double(val, "pause_ns");
			p->busy_ns = rpt_json_double(val, "busy_ns");
			p->rate_bps = rpt_json_double(val, "rate_bps");
		}
	}
	o = js_path(run->summary, "bottleneck.port");
	if (json_object_is_type(o, json_type_string) &&
	    *json_object_get_string(o))
		ps->bottleneck = rpt_text("%s", json_object_get_string(o));
	ps->t1 = fmax(0, rpt_json_double(run->summary, "virtual_ns"));
}

/* A state that was sampled holds until the next row of the same priority. */
static void rpt_port_pause_row(struct rpt_port *p, unsigned int prio, double t, bool paused)
{
	struct rpt_series *s = &p->pause[prio];
	double sum = s->n ? s->v[s->n - 1] : 0;

	if (s->n && p->paused[prio])
		sum += t - s->t[s->n - 1];
	p->paused[prio] = paused;
	if (sum > 0 || paused)
		rpt_series_add(s, t, sum);
}

static void rpt_port_row(struct rpt_port *p, const struct csv *c, double t, bool exact)
{
	unsigned int prio = strtoul(c->field[2], NULL, 10) % RPT_PRIOS;
	double v = csv_double(c->field[3]), sum;

	if (!exact)
		rpt_port_pause_row(p, prio, t, csv_double(c->field[4]) > 0);
	if (isnan(v))
		return;
	sum = p->q.v[p->q.n - 1] + v - p->bytes[prio];
	p->bytes[prio] = v;
	p->sampled = true;
	if (p->q.t[p->q.n - 1] == t)
		p->q.v[p->q.n - 1] = sum;
	else
		rpt_series_add(&p->q, t, sum);
}

/*
 * A row of pauses.csv: time paused since the start. Rows come when it has
 * grown, so it did between the sample before and this one.
 */
static void rpt_port_exact_row(struct rpt_port *p, const struct csv *c, double t, double before)
{
	unsigned int prio = strtoul(c->field[2], NULL, 10) % RPT_PRIOS;
	struct rpt_series *s = &p->pause[prio];
	double sum = s->n ? s->v[s->n - 1] : 0;
	double at = s->n ? s->t[s->n - 1] : 0;
	double total = csv_double(c->field[3]);

	if (!(total > sum))
		return;
	before = fmin(before, t - (total - sum));
	if (before > at)
		rpt_series_add(s, before, sum);
	rpt_series_add(s, t, total);
}

/* The least time between two samples. */
static void rpt_ports_step(struct rpt_ports *ps, double t, double *last)
{
	if (t <= *last)
		return;
	if (*last > 0 && (!ps->step_ns || t - *last < ps->step_ns))
		ps->step_ns = t - *last;
	*last = t;
}

/* What follows from all rows of a port. */
static void rpt_port_finish(struct rpt_port *p, double t1)
{
	size_t i, k;

	for (i = 0; i < p->q.n; i++)
		p->peak = fmax(p->peak, p->q.v[i]);
	/* An empty queue has no further rows: it stays empty until the end. */
	if (p->q.v[p->q.n - 1] == 0 && t1 > p->q.t[p->q.n - 1])
		rpt_series_add(&p->q, t1, 0);
	for (k = 0; k < RPT_PRIOS; k++)
		if (p->pause[k].n)
			p->seen_ns += p->pause[k].v[p->pause[k].n - 1];
}

/* A queue that was sampled and not empty must be in the file. */
static void rpt_ports_check(struct rpt *r, const struct rpt_run *run,
			    const struct rpt_ports *ps, const char *path)
{
	const struct rpt_port *b;

	if (!ps->bottleneck || !(run->m[RPT_M_Q_MAX] > 0) || isnan(run->m[RPT_M_Q_P99]))
		return;
	b = rpt_port_find(ps, ps->bottleneck);
	if (!b || b->q.n == 1)
		rpt_warn(r, "%s: no rows of port '%s'", path, ps->bottleneck);
}

static void rpt_ports_longest(struct rpt_ports *ps)
{
	size_t i, best = 0;

	for (i = 1; i < ps->n; i++)
		if (ps->port[i].peak > ps->port[best].peak)
			best = i;
	if (ps->n)
		ps->bottleneck = rpt_text("%s", ps->port[best].name);
}

/*
 * Rows are left out while a queue is empty, so a port without any was empty at every
 * sample, or was not sampled. Of the bottleneck summary.json has a percentile if it was; a
 * run with rows of another port has sampled all ports.
 */
static void rpt_ports_sampled(const struct rpt_run *run, struct rpt_ports *ps)
{
	bool all = false;
	size_t i;

	for (i = 0; i < ps->n && ps->bottleneck; i++)
		all |= ps->port[i].sampled && strcmp(ps->port[i].name, ps->bottleneck);
	for (i = 0; i < ps->n; i++)
		ps->port[i].sampled |= all || (ps->bottleneck &&
			!strcmp(ps->port[i].name, ps->bottleneck) && !isnan(run->m[RPT_M_Q_P99]));
}

static int rpt_cmp_port(const void *pa, const void *pb)
{
	const struct rpt_port *a = pa, *b = pb;

	return strverscmp(a->name, b->name);
}

static void rpt_ports_queues(struct rpt *r, const struct rpt_run *run, struct rpt_ports *ps)
{
	double t, last = 0;
	struct csv c;

	ps->rows = rpt_csv_open(r, &c, run, "queues.csv", "t_ns,port,prio,bytes,?paused");
	if (!ps->rows)
		return;
	while (rpt_csv_next(&c)) {
		t = csv_double(c.field[0]);
		rpt_ports_step(ps, t, &last);
		rpt_port_row(rpt_port_of(ps, c.field[1]), &c, t, ps->exact);
	}
	ps->t1 = fmax(ps->t1, last);
	rpt_ports_check(r, run, ps, c.path);
	rpt_csv_close(r, &c);
}

static void rpt_ports_pauses(struct rpt *r, const struct rpt_run *run, struct rpt_ports *ps)
{
	double t, last = 0, before = 0;
	struct csv c;

	if (!rpt_csv_open(r, &c, run, "pauses.csv", "t_ns,port,prio,pause_ns"))
		return;
	while (rpt_csv_next(&c)) {
		t = csv_double(c.field[0]);
		if (t > last) {
			before = last;
			last = t;
		}
		rpt_port_exact_row(rpt_port_of(ps, c.field[1]), &c, t,
				   fmax(before, t - ps->step_ns));
	}
	rpt_csv_close(r, &c);
}

/**
 * rpt_ports_read() - queues, pauses and totals of a run's ports
 * @r: the report, for warnings
 * @run: the run
 * @ps: filled in
 *
 * One port's queue is the sum of its priorities, each of which keeps its value
 * until its next row. Without a bottleneck in summary.json it is the port with
 * the longest queue.
 */
void rpt_ports_read(struct rpt *r, const struct rpt_run *run, struct rpt_ports *ps)
{
	size_t i;

	memset(ps, 0, sizeof(*ps));
	ps->exact = rpt_run_has(run, "pauses.csv");
	rpt_ports_summary(run, ps);
	rpt_ports_queues(r, run, ps);
	if (ps->exact)
		rpt_ports_pauses(r, run, ps);
	for (i = 0; i < ps->n; i++)
		rpt_port_finish(&ps->port[i], ps->t1);
	if (ps->n)
		qsort(ps->port, ps->n, sizeof(*ps->port), rpt_cmp_port);
	if (!ps->bottleneck && ps->rows)
		rpt_ports_longest(ps);
	rpt_ports_sampled(run, ps);
}

void rpt_ports_free(struct rpt_ports *ps)
{
	size_t i, k;

	for (i = 0; i < ps->n; i++) {
		rpt_series_free(&ps->port[i].q);
		for (k = 0; k < RPT_PRIOS; k++)
			rpt_series_free(&ps->port[i].pause[k]);
	}
	free(ps->port);
}

/* Time that the port was paused: the exact total if known, else the samples'. */
double rpt_port_pause_ns(const struct rpt_port *p)
{
	return isnan(p->pause_ns) ? p->seen_ns : p->pause_ns;
}

bool rpt_port_paused(const struct rpt_port *p)
{
	return p->seen_ns > 0 || p->pause_ns > 0;
}

/* Time paused until @t. @hint: where to begin, for ascending @t. */
double rpt_paused_until(const struct rpt_series *s, double t, size_t *hint)
{
	size_t i = *hint;

	while (i < s->n && s->t[i] <= t)
		i++;
	*hint = i ? i - 1 : 0;
	if (!i)
		return 0;
	if (i == s->n || s->t[i] <= s->t[i - 1])
		return s->v[i - 1];
	return s->v[i - 1] + (s->v[i] - s->v[i - 1]) * (t - s->t[i - 1]) /
			     (s->t[i] - s->t[i - 1]);
}

/* Share of the time from @from to @to that @p was paused. */
double rpt_port_share(const struct rpt_port *p, double from, double to)
{
	double sum = 0;
	size_t hint, k;

	for (k = 0; k < RPT_PRIOS && to > from; k++) {
		hint = 0;
		sum -= rpt_paused_until(&p->pause[k], from, &hint);
		sum += rpt_paused_until(&p->pause[k], to, &hint);
	}
	return to > from ? fmin(sum / (to - from), 1) : 0;
}
