// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the keys of traffic by workload and checks them together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

#define DEFAULT_NS		(3 * 1000 * 1000)
#define DATAMINING_CAP		30e6
#define DEFAULT_INCAST_LOAD	0.1

static const char *named(struct scenario *sc, const char *key)
{
	const char *text = scenario_text(sc, key, NULL);

	return text && strcmp(text, "none") ? text : NULL;
}

/* A file that was asked for comes before a workload that the scenario has by default. */
static const char *workload_of(struct scenario *sc)
{
	struct key *k = scenario_key(sc, "workload");

	return k && !k->set && named(sc, "flows_file") ? NULL : named(sc, "workload");
}

static bool is_collective(struct scenario *sc)
{
	const char *name = workload_of(sc);

	return name && !strcmp(name, "collective");
}

static bool has(struct scenario *sc, const char *key)
{
	return scenario_val(sc, key, 0) > 0;
}

/* By the user: a scenario's default gives way. */
static bool is_set(struct scenario *sc, const char *key)
{
	struct key *k = scenario_key(sc, key);

	return k && k->set && !k->is_auto;
}

static bool is_auto(struct scenario *sc, const char *key)
{
	struct key *k = scenario_key(sc, key);

	return !k || k->is_auto;
}

/**
 * traffic_wanted() - is there traffic by workload, file or incasts
 * @sc: resolved scenario
 *
 * Return: true if so; else it is as if there were none of the keys.
 */
bool traffic_wanted(struct scenario *sc)
{
	return workload_of(sc) || named(sc, "flows_file") || has(sc, "incast_degree") ||
	       has(sc, "background_load");
}

/**
 * traffic_replaces() - does it take the place of the scenario's own flows
 * @sc: resolved scenario
 *
 * Return: true if so; else it comes beside them.
 */
bool traffic_replaces(struct scenario *sc)
{
	return workload_of(sc) || named(sc, "flows_file");
}

/**
 * traffic_defaults() - what keys are where nobody has set them
 * @sc: resolved scenario
 *
 * Jobs keep their queue pairs from step to step, and so what an algorithm has learned there.
 */
void traffic_defaults(struct scenario *sc)
{
	struct key *qp = scenario_key(sc, "qp");

	if (!is_collective(sc) || !qp || qp->set)
		return;
	free(qp->text);
	qp->text = xstrdup("pair");
	qp->val = 1;
}

/**
 * traffic_unused() - keys that were set and say nothing without others
 * @sc: resolved scenario
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_unused(struct scenario *sc)
{
	enum {
		WORK = 1, FILE_OF = 2, INCAST = 4, LONG = 8, COLL = 16,
		LOAD = WORK | INCAST | LONG,
	};
	static const char load_needs[] = "workload, incast_degree or background_load";
	static const char all_needs[] = "workload, flows_file, incast_degree or background_load";
	static const char coll_needs[] = "workload=collective";
	static const struct {
		const char *key, *needs;
		int any;		/* of these one is enough */
	} rules[] = {
		{ "load", load_needs, LOAD },
		{ "load_counts", load_needs, LOAD },
		{ "duration", load_needs, LOAD },
		{ "flows", "workload", WORK },
		{ "size_cap", "workload", WORK },
		{ "policy", "workload", WORK },
		{ "senders", "workload", WORK },
		{ "receivers", "workload", WORK },
		{ "incast_groups", "incast_degree", INCAST },
		{ "incast_size", "incast_degree", INCAST },
		{ "incast_halvings", "incast_degree", INCAST },
		{ "incast_spread", "incast_degree", INCAST },
		{ "incast_load", "incast_degree", INCAST },
		{ "background_size", "background_load", LONG },
		{ "background_flows", "background_load or workload=collective", LONG | COLL },
		{ "series", "flows_file or workload=collective", FILE_OF | COLL },
		{ "series_flows", "flows_file or workload=collective", FILE_OF | COLL },
		{ "stop", "flows_file or workload=collective", FILE_OF | COLL },
		{ "qp", all_needs, LOAD | FILE_OF | COLL },
		{ "warmup", all_needs, LOAD | FILE_OF | COLL },
		{ "cooldown", all_needs, LOAD | FILE_OF | COLL },
		{ "collective", coll_needs, COLL },
		{ "jobs", coll_needs, COLL },
		{ "ranks", coll_needs, COLL },
		{ "placement", coll_needs, COLL },
		{ "job_size", coll_needs, COLL },
		{ "chunks", coll_needs, COLL },
		{ "rounds", coll_needs, COLL },
		{ "compute", coll_needs, COLL },
		{ "compute_jitter", coll_needs, COLL },
		{ "stragglers", coll_needs, COLL },
		{ "straggler_slowdown", coll_needs, COLL },
	};
	int there = (is_collective(sc) ? COLL : workload_of(sc) ? WORK : 0) |
		    (named(sc, "flows_file") ? FILE_OF : 0) |
		    (has(sc, "incast_degree") ? INCAST : 0) |
		    (has(sc, "background_load") ? LONG : 0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		struct key *k = scenario_key(sc, rules[i].key);

		if (!k || !k->part || !k->set || there & rules[i].any)
			continue;
		return usage_error("--set %s: of no use without %s", k->name, rules[i].needs);
	}
	return 0;
}

static int read_sizes(struct traffic *t)
{
	double cap = scenario_val(t->sc, "size_cap", 0);
	const char *like, *names[16];
	size_t n;

	if (!t->name)
		return 0;
	for (n = 0; n < ARRAY_SIZE(names) && fg_cdf_name(n); n++)
		names[n] = fg_cdf_name(n);
	if (fg_cdf_builtin(&t->sizes, t->name)) {
		like = nearest(t->name, names, n);
		if (path_missing(t->name))
			return usage_error("--set workload=%s: no such file, and no workload of that name%s%s%s",
					   t->name, like ? ", did you mean \"" : "",
					   like ? like : "", like ? "\"?" : "");
		if (fg_cdf_file(&t->sizes, t->name))
			return EXIT_USAGE;
	}
	if (is_auto(t->sc, "size_cap") && strcmp(t->name, "datamining") == 0)
		cap = DATAMINING_CAP;
	if (cap > 0 && cap < t->sizes.pts[t->sizes.n - 1].bytes) {
		fg_cdf_cap(&t->sizes, cap);
		t->cap_bytes = cap;
	}
	return 0;
}

static int read_parts(struct traffic *t)
{
	struct scenario *sc = t->sc;
	double rest;

	t->part_long = scenario_val(sc, "background_load", 0);
	rest = t->name ? DEFAULT_INCAST_LOAD : 1 - t->part_long;
	if (t->degree)
		t->part_incast = scenario_val(sc, "incast_load", rest);
	rest = 1 - t->part_incast - t->part_long;
	if (rest < -ROUNDING)
		return usage_error("--set incast_load: with background_load more than the whole load");
	if (!t->name && rest > ROUNDING)
		return usage_error("--set incast_load: with background_load %g of the load; without a workload they must be all of it",
				   1 - rest);
	return 0;
}

/**
 * traffic_keys() - read the keys that do not depend on the fabric
 * @t: with plan and scenario
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_keys(struct traffic *t)
{
	struct scenario *sc = t->sc;
	int rc;

	t->collective = is_collective(sc);
	t->name = t->collective ? NULL : workload_of(sc);
	t->file = named(sc, "flows_file");
	t->policy = scenario_val(sc, "policy", 0);
	t->payload = scenario_val(sc, "load_counts", 0) != 0;
	t->load = scenario_val(sc, "load", 0);
	t->local_share = scenario_val(sc, "local_share", 0);
	t->hot_share = scenario_val(sc, "hot_share", 0);
	t->n_hot = scenario_val(sc, "hot_hosts", 1);
	t->degree = scenario_val(sc, "incast_degree", 0);
	t->n_groups = scenario_val(sc, "incast_groups", 0);
	t->incast_bytes = scenario_val(sc, "incast_size", 0);
	t->halvings = scenario_val(sc, "incast_halvings", 0);
	t->spread_ns = scenario_val(sc, "incast_spread", 0);
	t->long_bytes = scenario_val(sc, "background_size", 0);
	t->load_of = "hosts";
	if (scenario_val(sc, "series", 0) != 0 &&
	    (strcmp(scenario_text(sc, "qp", "flow"), "pool") == 0 || has(sc, "short_prio")))
		return usage_error("--set series=on: not with qp=pool or short_prio, flows are sampled by their queue pairs");
	if (is_set(sc, "series_flows") && scenario_val(sc, "series", 0) == 0)
		return usage_error("--set series_flows: of no use without series=on");
	/* It needs buffers of its own for every flow. */
	if (scenario_val(sc, "verify", 0) != 0)
		return usage_error("--set verify=on: only with the scenario's own flows");
	if (t->file && (t->name || t->collective || t->degree || has(sc, "background_load")))
		return usage_error("--set flows_file: these are all flows; no workload, incast_degree or background_load besides");
	if (t->collective && (t->degree || has(sc, "background_load")))
		return usage_error("--set workload=collective: has no load; no incast_degree or background_load besides, but background_flows and stop");
	if (t->collective && has(sc, "background_flows") != has(sc, "stop"))
		return usage_error("--set workload=collective: background_flows needs stop, their end, and the other way round");
	if (traffic_is_listed(t))
		return 0;
	if (t->degree && !(t->incast_bytes >> t->halvings))
		return usage_error("--set incast_halvings=%d: %lld bytes cannot be halved so often",
				   t->halvings, (long long)t->incast_bytes);
	if (!(t->load > 0 && t->load <= 1))
		return usage_error("--set load=%g: must be above 0 and at most 1", t->load);
	if (!is_auto(sc, "flows") && is_set(sc, "duration"))
		return usage_error("--set flows: duration is set too; one follows from the other");
	rc = read_parts(t);
	return rc ? rc : read_sizes(t);
}

/*
 * What the load of a file is over: the time of its starts. Flows that all start at once have
 * none, and their bytes take a time too: that of the longest flow alone, at least.
 */
static int64_t file_duration_ns(const struct traffic *t)
{
	int64_t most = t->duration_ns, ideal;
	int i;

	plan_after_times(t->p);
	for (i = t->p->n_listed; i < t->p->n_flows; i++) {
		ideal = wire_ideal_fct_ns(t->p, &t->p->flows[i]);
		if (ideal > most)
			most = ideal;
		if (plan_earliest_ns(t->p, i) >= most)
			most = plan_earliest_ns(t->p, i) + 1;
	}
	return most;
}

/**
 * traffic_times() - duration, warm-up and cool-down
 * @t: with the fabric known; of a file, with its flows
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_times(struct traffic *t)
{
	double flows = scenario_val(t->sc, "flows", 0), tenth, warm, cool;
	struct plan *p = t->p;

	if (!traffic_is_listed(t)) {
		t->duration_ns = scenario_val(t->sc, "duration", DEFAULT_NS);
		/* So many flows come in this time. */
		if (flows)
			t->duration_ns = llround(flows * t->mean_cost * 1e9 /
						 (t->bytes_per_s * (1 - t->part_incast -
								    t->part_long)));
	}
	/* The start of a flow that waits is known but roughly. */
	if (p->after.n)
		t->duration_ns = file_duration_ns(t);
	tenth = traffic_is_listed(t) ? 0 : (double)t->duration_ns / 10;
	warm = scenario_val(t->sc, "warmup", tenth);
	cool = scenario_val(t->sc, "cooldown", tenth);
	if (warm + cool >= t->duration_ns)
		return usage_error("--set warmup, cooldown: together %.0f ns, flows start within %lld ns only",
				   warm + cool, (long long)t->duration_ns);
	p->measure_from_ns = llround(warm);
	p->measure_to_ns = t->duration_ns - llround(cool);
	/* A flow starts a few ns after its time: without a cool-down no time ends a file's. */
	if (traffic_is_listed(t) && !cool) {
		p->measure_to_ns = INT64_MAX;
		t->duration_ns = file_duration_ns(t);
	}
	p->stop_ns = t->duration_ns;
	if (traffic_is_listed(t))
		p->stop_ns = scenario_val(t->sc, "stop", t->duration_ns);
	return 0;
}
