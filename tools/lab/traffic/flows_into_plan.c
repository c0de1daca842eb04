// SPDX-License-Identifier: GPL-2.0
/*
 * From keys of traffic to a plan's flows. Also: the file of flows for flowgen, and "traffic" of
 * summary.json.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

#define SERIES_MAX	1000	/* a sample has a row of each */

/* How many flows of each kind make up the load. */
static int count_flows(struct traffic *t)
{
	double seconds = t->duration_ns / 1e9, bytes = t->bytes_per_s * seconds;
	double each, busy;
	struct plan *p = t->p;
	int64_t rate_bps;

	if (t->name) {
		t->n_work = llround(bytes * (1 - t->part_incast - t->part_long) / t->mean_cost);
		if (scenario_val(t->sc, "flows", 0) > 0)
			t->n_work = scenario_val(t->sc, "flows", 0);
		if (!t->n_work)
			return usage_error("--set duration: not one flow comes in %" PRId64 " ns at this load",
					   t->duration_ns);
	}
	if (t->degree) {
		each = t->degree * traffic_incast_cost(t);
		t->n_incasts = llround(bytes * t->part_incast / each);
		if (!t->n_incasts)
			return usage_error("--set incast_load: not one incast comes in %" PRId64 " ns at this load",
					   t->duration_ns);
		rate_bps = p->links[p->nodes[t->host[0]].links[0]].rate_bps;
		busy = t->bytes_per_s * t->part_incast * 8 / rate_bps;
		if (t->n_groups && busy > t->n_groups)
			return usage_error("--set incast_groups=%d: the incasts of this load need %.0f receivers at least",
					   t->n_groups, ceil(busy));
	}
	if (t->part_long > 0) {
		rate_bps = p->links[p->nodes[t->host[0]].links[0]].rate_bps;
		t->n_long = llround(t->bytes_per_s * t->part_long * 8 / rate_bps);
		t->n_long = llround(scenario_val(t->sc, "background_flows", t->n_long));
		if (!t->n_long)
			return usage_error("--set background_load: less than half a flow at line rate");
	}
	if (t->n_work + t->n_incasts * t->degree + t->n_long + p->n_flows > FLOWS_MAX)
		return usage_error("--set duration: %" PRId64 " flows, at most %d",
				   t->n_work + t->n_incasts * t->degree + t->n_long, FLOWS_MAX);
	return 0;
}

/* Part of a load of 1 that the flows are; background ones until they are stopped. */
static double offered(struct traffic *t)
{
	struct plan *p = t->p;
	double sum = 0, cost, most;
	int i;

	for (i = p->n_listed; i < p->n_flows; i++) {
		struct lab_flow *f = &p->flows[i];

		cost = traffic_cost(t, f->bytes);
		most = (double)p->links[p->nodes[f->src].links[0]].rate_bps / 8e9 *
		       t->duration_ns;
		sum += f->background && cost > most ? most : cost;
	}
	return sum / (t->full_per_s * t->duration_ns / 1e9);
}

static double mean_bytes(struct plan *p, int group)
{
	double sum = 0;
	int i, n = 0;

	for (i = p->n_listed; i < p->n_flows; i++) {
		if (p->flows[i].group != group)
			continue;
		sum += p->flows[i].bytes;
		n++;
	}
	return n ? sum / n : 0;
}

static struct json_object *points_json(const struct fg_cdf *c)
{
	struct json_object *list = json_object_new_array(), *point;
	char text[32];
	u32 i;

	for (i = 0; i < c->n; i++) {
		point = json_object_new_array();
		json_object_array_add(point, json_object_new_int64(llround(c->pts[i].bytes)));
		snprintf(text, sizeof(text), "%.10g", c->pts[i].percent);
		json_object_array_add(point, json_object_new_double_s(c->pts[i].percent, text));
		json_object_array_add(list, point);
	}
	return list;
}

/**
 * traffic_json() - "traffic" of summary.json
 * @t: after everything was drawn
 *
 * Return: new object.
 */
struct json_object *traffic_json(struct traffic *t)
{
	struct json_object *o = json_object_new_object(), *sub;
	const char *policy = scenario_text(t->sc, "policy", "uniform");
	struct plan *p = t->p;

	js_add_str(o, "workload", t->name ? t->name : t->file ? "file" :
		   t->collective ? "collective" : "none");
	if (traffic_is_listed(t))
		json_object_object_add(o, "load", NULL);
	else
		js_add_dbl(o, "load", t->load, 6);
	js_add_str(o, "load_of", t->load_of);
	js_add_dbl(o, "capacity_bps", t->full_per_s * 8, 0);
	js_add_str(o, "load_counts", t->payload ? "payload" : "wire");
	js_add_dbl(o, "load_offered", offered(t), 6);
	if (t->name)
		js_add_str(o, "policy", policy);
	if (t->senders.some)
		json_object_object_add(o, "senders", host_list_json(t, &t->senders));
	if (t->receivers.some)
		json_object_object_add(o, "receivers", host_list_json(t, &t->receivers));
	js_add_str(o, "qp", scenario_text(t->sc, "qp", "flow"));
	js_add_int(o, "duration_ns", t->duration_ns);
	js_add_int(o, "flows", p->n_flows - p->n_listed);
	if (t->first_ns)
		js_add_int(o, "file_start_ns", t->first_ns);
	if (t->n_left_out)
		js_add_int(o, "file_lines_left_out", t->n_left_out);
	if (t->name || t->file)
		js_add_dbl(o, "mean_bytes", mean_bytes(p, plan_group(p, GROUP_WORKLOAD)), 1);
	if (t->name) {
		if (t->cap_bytes)
			js_add_int(o, "size_cap", t->cap_bytes);
		js_add_dbl(o, "cdf_mean_bytes", t->mean_bytes, 1);
		json_object_object_add(o, "cdf", points_json(&t->sizes));
	}
	if (t->degree) {
		sub = json_object_new_object();
		js_add_int(sub, "degree", t->degree);
		if (t->n_groups)
			js_add_int(sub, "groups", t->n_groups);
		js_add_int(sub, "bytes", t->incast_bytes);
		if (t->halvings)
			js_add_int(sub, "halvings", t->halvings);
		if (t->spread_ns)
			js_add_int(sub, "spread_ns", t->spread_ns);
		js_add_dbl(sub, "load", t->part_incast, 6);
		js_add_int(sub, "events", t->n_incasts);
		json_object_object_add(o, "incast", sub);
	}
	if (t->n_long) {
		sub = json_object_new_object();
		js_add_int(sub, "flows", t->n_long);
		js_add_dbl(sub, "load", t->part_long, 6);
		json_object_object_add(o, "background", sub);
	}
	js_add_int(o, "warmup_ns", p->measure_from_ns);
	js_add_int(o, "cooldown_ns",
		   p->measure_to_ns == INT64_MAX ? 0 : t->duration_ns - p->measure_to_ns);
	return o;
}

/* Which paths there are must not depend on which flows were drawn. */
static int all_paths(struct traffic *t)
{
	struct plan *p = t->p;
	int a, b, src, dst, hops;
	int64_t rtt;

	for (a = 0; a < t->n_racks; a++) {
		src = t->host[t->rack_hosts[t->rack_begin[a]]];
		for (b = 0; b < t->n_racks; b++) {
			dst = t->host[t->rack_hosts[t->rack_begin[b + 1] - 1]];
			if (src == dst)
				continue;
			hops = wire_hops(p, src, dst);
			if (hops < 0)
				return run_error("scenario %s: no path from %s to %s", p->sc->name,
						 p->nodes[src].name, p->nodes[dst].name);
			if (hops > p->max_hops)
				p->max_hops = hops;
			rtt = wire_base_rtt_ns(p, src, dst);
			if (rtt > p->base_rtt_ns)
				p->base_rtt_ns = rtt;
		}
	}
	return 0;
}

static void traffic_free(struct traffic *t)
{
	fg_cdf_free(&t->sizes);
	free(t->host);
	free(t->rack);
	free(t->rack_hosts);
	free(t->rack_begin);
	free(t->hot);
	host_list_free(&t->senders);
	host_list_free(&t->receivers);
}

static int expand(struct traffic *t)
{
	int rc = traffic_keys(t);

	if (!rc)
		rc = traffic_hosts(t);
	if (!rc)
		rc = all_paths(t);
	if (!rc)
		rc = traffic_load(t);
	if (!rc && t->file)
		rc = traffic_read(t);
	if (!rc && t->collective)
		rc = traffic_collectives(t);
	if (!rc)
		rc = traffic_times(t);
	if (rc || traffic_is_listed(t))
		return rc;
	rc = count_flows(t);
	if (!rc)
		traffic_draw(t);
	return rc;
}

/*
 * Flows of a file are given to flowgen as the scenario's own are: it makes their queue pairs
 * before the traffic, and tells which they are, so that samples find them.
 */
static int list_them(struct traffic *t)
{
	int n = scenario_val(t->sc, "series_flows", t->p->n_flows);
	struct plan *p = t->p;

	if (n > p->n_flows)
		n = p->n_flows;
	if (n > SERIES_MAX)
		return usage_error("--set series=on: %s has %d flows, at most %d can be sampled",
				   t->file ? t->file : "the collective", p->n_flows, SERIES_MAX);
	if (n && p->after.cap_delays)
		return usage_error("--set series=on: %s: not with a delay behind @ in after or after_start",
				   t->file);
	p->n_listed = n;
	return 0;
}

/**
 * traffic_expand() - flows by the keys of traffic
 * @p: plan after topology_expand(), with the scenario's own flows
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_expand(struct plan *p)
{
	struct traffic t = { .p = p, .sc = p->sc };
	int rc = expand(&t);

	if (!rc)
		p->traffic = traffic_json(&t);
	if (!rc && scenario_val(p->sc, "series", 0) != 0)
		rc = list_them(&t);
	traffic_free(&t);
	return rc;
}

/**
 * traffic_save() - write the flows that are not in the plan itself
 * @p: plan
 * @path: file
 *
 * The source posts, so for READs the two hosts change places.
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_save(struct plan *p, const char *path)
{
	bool read = strcmp(scenario_text(p->sc, "op", "write"), "read") == 0;
	FILE *f = fopen(path, "we");
	int i;

	if (!f)
		return run_error("%s: %s", path, strerror(errno));
	fprintf(f, "id,src,dst,bytes,start_ns,stop_ns%s\n",
		p->after.n ? ",after,after_start,delay_ns" : "");
	for (i = p->n_listed; i < p->n_flows; i++) {
		struct lab_flow *fl = &p->flows[i];

		fprintf(f, "%d,rxe_%s,rxe_%s,%" PRId64 ",%" PRId64 ",%" PRId64, i,
			p->nodes[read ? fl->dst : fl->src].name,
			p->nodes[read ? fl->src : fl->dst].name, fl->bytes, fl->start_ns,
			fl->background ? plan_flow_stop_ns(p, i) : 0);
		if (p->after.n)
			plan_after_write(p, i, f);
		fputc('\n', f);
	}
	if (file_close(f))
		return run_error("%s: %s", path, strerror(errno));
	return 0;
}
