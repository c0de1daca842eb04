// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: writes the result files of a run (flows.csv, JSON, samples, queue pairs). Times count
 * from t0 unless a name says otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/json.h"
#include "flowgen.h"

static int write_json(const char *dir, const char *name, json_object *o)
{
	FILE *f = fg_create(dir, name);
	int ret = -1;

	if (f) {
		fputs(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
						     JSON_C_TO_STRING_SPACED |
						     JSON_C_TO_STRING_NOSLASHESCAPE), f);
		fputc('\n', f);
		ret = fg_close(f, dir, name);
	}
	json_object_put(o);
	return ret;
}

static void add_gid(json_object *o, const char *key, const union ibv_gid *gid)
{
	char s[64];

	fg_gid_str(gid, s, sizeof(s));
	js_add_str(o, key, s);
}

static json_object *conn_json(const struct fg_conn *c)
{
	const struct fg_plan *p = eng.plan;
	const struct fg_ep *s = &c->ep[0], *d = &c->ep[1];
	json_object *o = json_object_new_object();

	js_add_int(o, "qp", c->id);
	js_add_str(o, "src", p->hosts[c->src]);
	js_add_int(o, "src_qpn", s->qpn);
	js_add_str(o, "dst", p->hosts[c->dst]);
	js_add_int(o, "dst_qpn", d->qpn);
	add_gid(o, "src_gid", &s->gid);
	add_gid(o, "dst_gid", &d->gid);
	js_add_str(o, "transport", fg_transport_names[c->attr.transport]);
	js_add_int(o, "mtu", s->mtu < d->mtu ? s->mtu : d->mtu);
	js_add_int(o, "src_psn", s->psn);
	js_add_int(o, "dst_psn", d->psn);
	return o;
}

static json_object *user_json(const char *key, u32 n, const struct fg_conn *c)
{
	const struct fg_plan *p = eng.plan;
	json_object *o = json_object_new_object();

	js_add_int(o, key, n);
	js_add_int(o, "qp", c->id);
	js_add_str(o, "src", p->hosts[c->src]);
	js_add_int(o, "qpn", c->ep[0].qpn);
	js_add_str(o, "dst", p->hosts[c->dst]);
	js_add_int(o, "dst_qpn", c->ep[1].qpn);
	return o;
}

static int cmp_flow(const void *a, const void *b)
{
	const struct fg_flow *const *x = a, *const *y = b;

	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

/* All flows in the order of their ids; the caller frees the array. */
static struct fg_flow **by_id(void)
{
	struct fg_plan *p = eng.plan;
	struct fg_flow **v = fg_zalloc(p->nflows, sizeof(*v));
	u32 i;

	for (i = 0; i < p->nflows; i++)
		v[i] = &p->flows[i];
	qsort(v, p->nflows, sizeof(*v), cmp_flow);
	return v;
}

/**
 * fg_results_qps() - qps.json: who is connected to whom, before any traffic
 * @dir: output directory
 */
int fg_results_qps(const char *dir)
{
	json_object *root = json_object_new_object();
	json_object *qps = json_object_new_array();
	json_object *flows = json_object_new_array();
	json_object *lat = json_object_new_array();
	const struct fg_plan *p = eng.plan;
	struct fg_flow **v = by_id();
	u32 i;

	for (i = 0; i < p->nconns; i++)
		json_object_array_add(qps, conn_json(p->conns[i]));
	for (i = 0; i < p->nflows; i++)
		json_object_array_add(flows, user_json("flow", v[i]->id, p->conns[v[i]->conn]));
	for (i = 0; i < p->npingpongs; i++)
		json_object_array_add(lat, user_json("probe", i, p->conns[p->pingpongs[i].conn]));
	free(v);
	json_object_object_add(root, "qps", qps);
	json_object_object_add(root, "flows", flows);
	json_object_object_add(root, "latency", lat);
	return write_json(dir, "qps.json", root);
}

static void on_sample(struct fg_engine *e)
{
	(void)e;
	fg_results_sample();
}

/**
 * fg_results_series_open() - start series.csv
 * @dir: output directory
 */
int fg_results_series_open(const char *dir)
{
	eng.series = fg_create(dir, "series.csv");
	if (!eng.series)
		return -1;
	setvbuf(eng.series, NULL, _IOFBF, 1 << 20);
	fputs("t_ns,flow,bytes_done\n", eng.series);
	eng.on_sample = on_sample;
	return 0;
}

/**
 * fg_results_sample() - a line for each flow that was active since the last
 *
 * Flows that have ended get a last line and leave the list.
 */
void fg_results_sample(void)
{
	struct fg_flow *f;
	u32 i, n = 0;

	for (i = 0; i < eng.nactive; i++) {
		f = eng.active[i];
		if (eng.series)
			fprintf(eng.series, "%llu,%u,%llu\n",
				eng.now_ns - eng.t0_ns, f->id, f->done_bytes);
		if (f->state == FG_ACTIVE)
			eng.active[n++] = f;
	}
	eng.nactive = n;
}

static bool left_out(const struct fg_flow *f)
{
	return f->in_chain && eng.stopping &&
	       !strcmp(fg_flow_status(f), "not_started");
}

static int write_csv(const char *dir, struct fg_flow **v)
{
	const struct fg_plan *p = eng.plan;
	int ret;
	u32 i;

	if (fg_results_flows_open(dir))
		return -1;
	for (i = 0; i < p->nflows; i++)
		if (!left_out(v[i]))
			fg_results_row(v[i], p->conns[v[i]->conn]);
	ret = fg_close(eng.flows, dir, "flows.csv");
	eng.flows = NULL;
	return ret;
}

static json_object *flow_json(const struct fg_flow *f)
{
	const struct fg_plan *p = eng.plan;
	const struct fg_conn *c = p->conns[f->conn];
	json_object *o = json_object_new_object();

	js_add_int(o, "id", f->id);
	js_add_str(o, "src", p->hosts[f->src]);
	js_add_str(o, "dst", p->hosts[f->dst]);
	js_add_int(o, "qpn", c->ep[0].qpn);
	js_add_int(o, "dst_qpn", c->ep[1].qpn);
	js_add_str(o, "op", fg_op_names[f->attr.op]);
	js_add_str(o, "transport", fg_transport_names[f->attr.transport]);
	js_add_int(o, "requested_bytes", f->bytes);
	js_add_int(o, "bytes", f->done_bytes);
	js_add_int(o, "messages", f->done_msgs);
	if (!f->chained && !f->waits)
		js_add_int(o, "scheduled_ns", f->start_ns);
	js_add_int(o, "start_ns", fg_flow_started(f));
	js_add_int(o, "last_ns", f->t_last_ns ? (s64)(f->t_last_ns - eng.t0_ns) : -1);
	js_add_int(o, "fct_ns", fg_flow_fct(f));
	js_add_str(o, "status", fg_flow_status(f));
	return o;
}

/* One object a line: a list of a million flows stays readable by line tools. */
static int write_flows_json(const char *dir, struct fg_flow **v)
{
	FILE *f = fg_create(dir, "flows.json");
	const char *sep = "\n";
	json_object *o;
	u32 i;

	if (!f)
		return -1;
	fputs("{\"flows\":[", f);
	for (i = 0; i < eng.plan->nflows; i++) {
		if (left_out(v[i]))
			continue;
		o = flow_json(v[i]);
		fprintf(f, "%s%s", sep,
			json_object_to_json_string_ext(o, JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(o);
		sep = ",\n";
	}
	fputs("\n]}\n", f);
	return fg_close(f, dir, "flows.json");
}

static int cmp_u64(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/**
 * fg_lat_stats() - percentiles (nearest rank) and mean
 * @v: samples
 * @n: how many, may be 0
 * @out: result
 */
void fg_lat_stats(const u64 *v, u32 n, struct fg_lat *out)
{
	u64 *s = fg_zalloc(n, sizeof(*s));
	double sum = 0;
	u32 i;

	memset(out, 0, sizeof(*out));
	if (n) {
		memcpy(s, v, n * sizeof(*s));
		qsort(s, n, sizeof(*s), cmp_u64);
		for (i = 0; i < n; i++)
			sum += s[i];
		out->min = s[0];
		out->max = s[n - 1];
		out->mean = sum / n;
		out->p50 = s[(u64)(n - 1) * 500 / 1000];
		out->p90 = s[((u64)n * 900 + 999) / 1000 - 1];
		out->p99 = s[((u64)n * 990 + 999) / 1000 - 1];
		out->p999 = s[((u64)n * 999 + 999) / 1000 - 1];
	}
	free(s);
}

/**
 * fg_lat_json() - statistics as a JSON object
 * @l: statistics
 */
json_object *fg_lat_json(const struct fg_lat *l)
{
	json_object *o = json_object_new_object();
	char mean[32];

	snprintf(mean, sizeof(mean), "%.1f", l->mean);
	js_add_int(o, "min", l->min);
	json_object_object_add(o, "mean", json_object_new_double_s(l->mean, mean));
	js_add_int(o, "p50", l->p50);
	js_add_int(o, "p90", l->p90);
	js_add_int(o, "p99", l->p99);
	js_add_int(o, "p999", l->p999);
	js_add_int(o, "max", l->max);
	return o;
}

static const char *pingpong_status(const struct fg_pingpong *p)
{
	if (p->status)
		return p->status;
	return p->state == FG_DONE ? "ok" : "stopped";
}

static json_object *pingpong_json(u32 i)
{
	const struct fg_pingpong *p = &eng.plan->pingpongs[i];
	json_object *o = json_object_new_object();
	json_object *list = json_object_new_array_ext(p->recorded + 1);
	struct fg_lat l;
	u32 k;

	js_add_int(o, "probe", i);
	js_add_str(o, "src", eng.plan->hosts[p->src]);
	js_add_str(o, "dst", eng.plan->hosts[p->dst]);
	js_add_str(o, "op", fg_op_names[p->attr.op]);
	js_add_str(o, "transport", fg_transport_names[p->attr.transport]);
	js_add_int(o, "bytes", p->bytes);
	js_add_int(o, "iterations", p->iterations);
	js_add_int(o, "completed", p->recorded);
	js_add_str(o, "status", pingpong_status(p));
	fg_lat_stats(p->rtt_ns, p->recorded, &l);
	json_object_object_add(o, "rtt_ns", fg_lat_json(&l));
	for (k = 0; k < p->recorded; k++)
		json_object_array_add(list, json_object_new_uint64(p->rtt_ns[k]));
	json_object_object_add(o, "list_ns", list);
	return o;
}

static int write_latency(const char *dir)
{
	json_object *root = json_object_new_object();
	json_object *list = json_object_new_array();
	u32 i;

	for (i = 0; i < eng.plan->npingpongs; i++)
		json_object_array_add(list, pingpong_json(i));
	json_object_object_add(root, "probes", list);
	return write_json(dir, "latency.json", root);
}

/**
 * fg_results_totals() - totals of all flows, once the loop has ended
 *
 * The lines of rows that have not ended are written with it.
 */
const struct fg_totals *fg_results_totals(void)
{
	const struct fg_plan *p = eng.plan;
	static struct fg_totals t;
	u32 i;

	if (t.errors)
		return &t;
	if (p->nrows)
		fg_churn_finish(&t);
	else
		fg_totals_init(&t);
	for (i = 0; i < p->nflows; i++)
		if (!left_out(&p->flows[i]))
			fg_totals_add(&t, &p->flows[i]);
	if (t.first_ns == ~0ULL)
		t.first_ns = 0;
	for (i = 0; i < p->npingpongs; i++)
		if (strcmp(pingpong_status(&p->pingpongs[i]), "ok"))
			fg_totals_error(&t, pingpong_status(&p->pingpongs[i]));
	return &t;
}

/**
 * fg_results_exit_code() - FG_OK when everything completed
 */
int fg_results_exit_code(void)
{
	const struct fg_plan *p = eng.plan;
	u32 i;

	for (i = 0; i < p->nflows; i++)
		if (fg_flow_failed(&p->flows[i]))
			return FG_FAILED;
	for (i = 0; i < p->npingpongs; i++)
		if (strcmp(pingpong_status(&p->pingpongs[i]), "ok"))
			return FG_FAILED;
	if (p->nrows && fg_churn_failed())
		return FG_FAILED;
	return eng.aborted ? FG_FAILED : FG_OK;
}

static int write_summary(const char *dir, int exit_code)
{
	json_object *o = json_object_new_object();
	const struct fg_totals *t = fg_results_totals();
	u64 span = t->last_ns - t->first_ns;

	js_add_int(o, "t0_ns", eng.t0_ns);
	json_object_object_add(o, "seed", json_object_new_uint64(eng.plan->seed));
	js_add_int(o, "flows", t->flows);
	js_add_int(o, "completed", t->completed);
	js_add_int(o, "failed", t->failed);
	js_add_int(o, "stopped", t->stopped);
	js_add_int(o, "bytes", t->bytes);
	js_add_int(o, "first_start_ns", t->first_ns);
	js_add_int(o, "last_end_ns", t->last_ns);
	js_add_int(o, "goodput_bps", span ? (u64)(t->bytes * 8e9 / span) : 0);
	json_object_object_add(o, "errors", json_object_get(t->errors));
	json_object_object_add(o, "interrupted", json_object_new_boolean(eng.interrupted));
	js_add_int(o, "setup_ns", eng.setup_ns);
	js_add_int(o, "devices", eng.nhosts);
	js_add_int(o, "qps", 2ULL * eng.plan->nconns);
	js_add_int(o, "qps_created", eng.qps_created);
	js_add_int(o, "qps_peak", eng.qps_peak);
	js_add_int(o, "late_ns", eng.late_ns);
	fg_notice_json(o);
	js_add_int(o, "wakeups", eng.wakeups);
	js_add_int(o, "cq_events", eng.cq_events);
	js_add_int(o, "completions", eng.completions);
	js_add_int(o, "post_calls", eng.post_calls);
	js_add_int(o, "send_wrs", eng.send_wrs);
	js_add_int(o, "exit_code", exit_code);
	return write_json(dir, "summary.json", o);
}

/**
 * fg_results_write() - write all files of a finished run
 * @dir: output directory
 * @exit_code: for summary.json
 */
int fg_results_write(const char *dir, int exit_code)
{
	struct fg_flow **v = by_id();
	int ret = 0;

	if (eng.series) {
		eng.now_valid = false;
		fg_batch_now();
		fg_results_sample();
		ret |= fg_close(eng.series, dir, "series.csv");
		eng.series = NULL;
	}
	fg_results_totals();
	ret |= write_csv(dir, v);
	ret |= write_flows_json(dir, v);
	if (eng.plan->npingpongs)
		ret |= write_latency(dir);
	ret |= write_summary(dir, exit_code);
	free(v);
	return ret;
}
