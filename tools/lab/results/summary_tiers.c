// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what the ports of each tier did while it was measured: "tiers" of
 * summary.json and queue_cdf.csv.
 *
 * A tier is all ports whose two ends have the same names but for digits: h-e are
 * the ports of hosts h0, h1, ... towards edge switches e0, e1, ...
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

struct tier {
	const char *name;
	struct json_object *raw;	/* of labinit's totals */
	int64_t ports, ns, pause_ns, peak;
	double busy, most_busy, kib_us;
};

struct tiers {
	struct tier *tier;
	size_t n;
};

static struct tier *find_tier(struct tiers *ts, const char *name)
{
	size_t i;

	for (i = 0; i < ts->n; i++)
		if (strcmp(ts->tier[i].name, name) == 0)
			return &ts->tier[i];
	return NULL;
}

/* Is @b the way back of @a? "h-e" and "e-h" */
static bool is_reverse(const char *a, const char *b)
{
	const char *dash = strchr(a, '-'), *back = strchr(b, '-');

	return dash && back && strcmp(dash + 1, "") && strlen(a) == strlen(b) &&
	       strncmp(a, back + 1, dash - a) == 0 && strlen(back + 1) == (size_t)(dash - a) &&
	       strncmp(dash + 1, b, back - b) == 0;
}

static void add_tier(struct tiers *ts, const char *name, struct json_object *raw)
{
	ts->tier = xrealloc(ts->tier, (ts->n + 1) * sizeof(*ts->tier));
	ts->tier[ts->n++] = (struct tier){ .name = name, .raw = raw };
}

/* In the order of a packet's way: up, then down again. */
static void order_tiers(struct tiers *ts, struct json_object *raw)
{
	const char **names = xcalloc(json_object_object_length(raw) + 1, sizeof(*names));
	size_t n = 0, i, k;

	json_object_object_foreach(raw, name, val) {
		bool back = false;

		for (k = 0; k < ts->n && !back; k++)
			back = is_reverse(ts->tier[k].name, name);
		if (back)
			names[n++] = name;
		else
			add_tier(ts, name, val);
	}
	for (i = n; i--; )
		add_tier(ts, names[i], js_get(raw, names[i]));
	free(names);
}

static void add_port(struct results *r, struct tier *t, const char *name, struct json_object *port)
{
	struct json_object *total = js_get(js_get(r->totals, "ports"), name);
	int64_t ns = js_int(port, "ns", 0), peak = port_figure(total, "queue_peak_bytes", true);
	double busy = ns > 0 ? (double)js_int(port, "busy_ns", 0) / ns : 0;

	t->ports++;
	t->ns += ns;
	t->pause_ns += js_int(port, "pause_ns", 0);
	t->kib_us += js_int(port, "kib_us", 0);
	t->busy += busy;
	if (busy > t->most_busy)
		t->most_busy = busy;
	if (peak > t->peak)
		t->peak = peak;
}

/* The end of the bucket in which a percentile of the time lies, or the exact peak. */
static int64_t queue_percentile(const struct tier *t, double p)
{
	struct json_object *list = js_get(t->raw, "buckets"), *pair;
	int64_t ns = js_int(t->raw, "ns", 0), sum = 0, end;
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		pair = js_at(list, i);
		sum += json_object_get_int64(js_at(pair, 1));
		if (sum < (int64_t)percentile_rank(ns, p))
			continue;
		end = json_object_get_int64(js_at(pair, 0));
		return end < t->peak ? end : t->peak;
	}
	return 0;
}

static struct json_object *tier_json(const struct tier *t)
{
	struct json_object *o = json_object_new_object(), *util = json_object_new_object();
	struct json_object *queue = json_object_new_object();

	js_add_int(o, "ports", t->ports);
	js_add_dbl(util, "mean", t->ports ? t->busy / t->ports : 0, 5);
	js_add_dbl(util, "max", t->most_busy, 5);
	json_object_object_add(o, "utilization", util);
	js_add_int(o, "pause_ns", t->pause_ns);
	js_add_dbl(o, "pause_ratio", t->ns ? (double)t->pause_ns / t->ns : 0, 7);
	js_add_int(queue, "mean", t->ns ? (int64_t)(t->kib_us * 1024 * 1000 / t->ns + 0.5) : 0);
	js_add_int(queue, "p50", queue_percentile(t, 50));
	js_add_int(queue, "p99", queue_percentile(t, 99));
	js_add_int(queue, "p999", queue_percentile(t, 99.9));
	js_add_int(queue, "max", t->peak);
	json_object_object_add(o, "queue_bytes", queue);
	return o;
}

static void write_cdf(FILE *f, const struct tier *t)
{
	struct json_object *list = js_get(t->raw, "buckets"), *pair;
	int64_t ns = js_int(t->raw, "ns", 0), sum = 0;
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		pair = js_at(list, i);
		sum += json_object_get_int64(js_at(pair, 1));
		fprintf(f, "%s,%" PRId64 ",%.9g\n", t->name, json_object_get_int64(js_at(pair, 0)),
			(double)sum / ns);
	}
}

/**
 * results_tiers() - "tiers", and queue_cdf.csv
 * @r: results with totals
 *
 * Return: 0, or the exit status after a message.
 */
int results_tiers(struct results *r)
{
	struct json_object *hist = js_get(r->totals, "hist"), *ports = js_get(hist, "ports");
	struct json_object *o = json_object_new_object();
	struct tiers ts = {};
	FILE *f;
	size_t i;

	json_object_object_add(r->summary, "tiers", o);
	if (!ports)
		return 0;
	f = csv_create(r->dir, T_QUEUE_CDF, true);
	if (!f)
		return EXIT_RUN_FAILED;
	order_tiers(&ts, js_get(hist, "tiers"));
	json_object_object_foreach(ports, name, port) {
		struct tier *t = find_tier(&ts, js_str(port, "tier", ""));

		if (t)
			add_port(r, t, name, port);
	}
	for (i = 0; i < ts.n; i++) {
		write_cdf(f, &ts.tier[i]);
		json_object_object_add(o, ts.tier[i].name, tier_json(&ts.tier[i]));
	}
	free(ts.tier);
	return csv_finish(f, r->dir, T_QUEUE_CDF);
}
