// SPDX-License-Identifier: GPL-2.0
/*
 * lab: events.csv of a run, from the records that labinit took from the kernel.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/events_csv.h"
#include "results/results.h"

/* A queue pair and what it is called in the file. */
struct qp_name {
	char dev[64];
	uint32_t qpn;
	uint32_t port;			/* as the kernel numbers devices */
	char *name;
};

struct writer {
	struct results *r;
	FILE *f;
	int64_t t0_ns;
	struct qp_name *names;		/* of flows and probes: by device and number */
	size_t n_names;
	struct qp_name *qps;		/* those that have been seen, in their order */
	size_t n_qps, last;
};

static void add_name(struct writer *w, const char *dev, int64_t qpn, char *name)
{
	struct qp_name *n;

	w->names = xrealloc(w->names, (w->n_names + 1) * sizeof(*w->names));
	n = &w->names[w->n_names++];
	memset(n, 0, sizeof(*n));
	snprintf(n->dev, sizeof(n->dev), "%s", dev);
	n->qpn = (uint32_t)qpn;
	n->name = name;
}

/* The side that sends data has the flow's number, the other an "r" behind it. */
static void add_names(struct writer *w, struct json_object *list, const char *id,
		      const char *prefix, bool reads)
{
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		struct json_object *o = js_at(list, i);
		int64_t n = js_int(o, id, (int64_t)i);

		add_name(w, js_str(o, "src", ""), js_int(o, "qpn", 0),
			 xasprintf("%s%" PRId64 "%s", prefix, n, reads ? "r" : ""));
		add_name(w, js_str(o, "dst", ""), js_int(o, "dst_qpn", 0),
			 xasprintf("%s%" PRId64 "%s", prefix, n, reads ? "" : "r"));
	}
}

static int load_names(struct writer *w)
{
	bool reads = strcmp(scenario_text(w->r->plan->sc, "op", "write"), "read") == 0;
	char *path = xasprintf("%s/flowgen/qps.json", w->r->raw), *err = NULL;
	struct json_object *doc = js_load(path, &err);

	free(path);
	if (!doc) {
		int rc = run_error("%s", err);

		free(err);
		return rc;
	}
	add_names(w, js_get(doc, "flows"), "flow", "", reads);
	add_names(w, js_get(doc, "latency"), "probe", "p", false);
	json_object_put(doc);
	return 0;
}

/* Of the flows that share a queue pair the first gives the name. */
static struct qp_name *new_qp(struct writer *w, const struct rxe_cc_evt *e)
{
	struct qp_name *qp;
	size_t i;

	w->qps = xrealloc(w->qps, (w->n_qps + 1) * sizeof(*w->qps));
	qp = &w->qps[w->n_qps++];
	memset(qp, 0, sizeof(*qp));
	qp->qpn = e->flow;
	qp->port = e->port;
	snprintf(qp->dev, sizeof(qp->dev), "%.*s", RXE_CC_EVT_NAME_MAX, e->env.dev);
	for (i = 0; i < w->n_names && !qp->name; i++)
		if (w->names[i].qpn == qp->qpn && strcmp(w->names[i].dev, qp->dev) == 0)
			qp->name = xstrdup(w->names[i].name);
	if (!qp->name)
		qp->name = xasprintf("%s.%u", qp->dev, qp->qpn);
	return qp;
}

/* Events come in bursts of one queue pair; there are not many anyhow. */
static struct qp_name *find_qp(struct writer *w, const struct rxe_cc_evt *e)
{
	size_t i, at;

	for (i = 0; i < w->n_qps; i++) {
		at = (w->last + i) % w->n_qps;
		if (w->qps[at].qpn == e->flow && w->qps[at].port == e->port) {
			w->last = at;
			return &w->qps[at];
		}
	}
	return e->kind == RXE_CC_EVT_INIT ? new_qp(w, e) : NULL;
}

static int write_record(struct writer *w, const struct rxe_cc_evt *e)
{
	struct event_row row = { .e = e, .t0_ns = w->t0_ns };
	struct qp_name *qp = event_of_port(e) ? NULL : find_qp(w, e);

	if ((!qp && !event_of_port(e)) || e->kind >= RXE_CC_EVT_KINDS || !event_kinds[e->kind] ||
	    e->cause >= RXE_CC_EVT_KINDS || !event_kinds[e->cause])
		return run_error("labinit: events.bin: a record that cannot be");
	row.flow = qp ? qp->name : e->cmd.dev;
	row.port = qp ? qp->dev : e->cmd.dev;
	row.hops = (const void *)((const char *)e + event_sample_len(e->kind));
	events_row(w->f, &row);
	return 0;
}

static int write_records(struct writer *w, FILE *in)
{
	union {
		struct rxe_cc_evt e;
		char bytes[sizeof(struct rxe_cc_evt) +
			   RXE_CC_EVT_HOPS_MAX * sizeof(struct rxe_cc_evt_hop)];
	} rec;
	int rc = 0;

	while (!rc && fread(&rec.e.len, sizeof(rec.e.len), 1, in) == 1) {
		if (rec.e.len < sizeof(rec.e.len) || rec.e.len > sizeof(rec) ||
		    fread(rec.bytes + sizeof(rec.e.len), rec.e.len - sizeof(rec.e.len), 1, in) != 1)
			return run_error("labinit: events.bin: cut off");
		rc = write_record(w, &rec.e);
	}
	return rc;
}

static void free_names(struct qp_name *names, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(names[i].name);
	free(names);
}

static int convert(struct writer *w, FILE *in, const char *path)
{
	char *json = xasprintf("%s/events.json", w->r->raw), *err = NULL;
	struct json_object *doc = js_load(json, &err);
	int rc = doc ? load_names(w) : run_error("%s", err);

	free(json);
	free(err);
	if (rc)
		goto out;
	w->t0_ns = js_int(w->r->gen, "t0_ns", 0);
	w->f = fopen(path, "we");
	if (!w->f) {
		rc = results_error(w->r->dir, "events.csv");
		goto out;
	}
	events_head(w->f, js_str(w->r->summary, "cc", "none"), w->t0_ns, js_get(doc, "params"));
	rc = write_records(w, in);
	if (file_close(w->f) && !rc)
		rc = results_error(w->r->dir, "events.csv");
out:
	if (doc)
		json_object_put(doc);
	return rc;
}

/**
 * results_events() - write events.csv where the run has recorded them
 * @r: results
 *
 * Return: 0, or the exit status after a message.
 */
int results_events(struct results *r)
{
	char *from = xasprintf("%s/events.bin", r->raw);
	char *path = xasprintf("%s/events.csv", r->dir);
	struct writer w = { .r = r };
	FILE *in = fopen(from, "re");
	int rc = 0;

	if (in) {
		rc = convert(&w, in, path);
		fclose(in);
	}
	free_names(w.names, w.n_names);
	free_names(w.qps, w.n_qps);
	free(path);
	free(from);
	return rc;
}
