// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the result files of one run.
 *
 * Everything but run.json depends on settings and seed alone, to the byte: no
 * dates, no host names, no paths, no wall-clock times.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "results/results.h"
#include "boot/backend.h"

static struct json_object *load_raw(const char *raw, const char *name, bool must)
{
	char *path = xasprintf("%s/%s", raw, name), *err = NULL;
	struct json_object *o = NULL;

	if (must || path_exists(path)) {
		o = js_load(path, &err);
		if (!o)
			run_error("%s", err);
	}
	free(err);
	free(path);
	return o;
}

/* What the user's own scenario is today: another network may have the same keys. */
static void add_own_file(struct json_object *s, const struct scenario *sc)
{
	uint64_t hash;
	char *text;

	if (!sc->file)
		return;
	hash = hash_file(HASH_START, sc->file);
	if (sc->topology)
		hash = hash_file(hash, sc->topology);
	text = xasprintf("%016" PRIx64, hash);
	js_add_str(s, "scenario_hash", text);
	free(text);
}

/* Another file may have the same name and be another algorithm. */
static void add_own_modules(struct json_object *s, const char *cc)
{
	uint64_t hash;
	struct option_list own = results_own_modules(cc, &hash);
	char *text;

	free(own.v);
	if (!own.n)
		return;
	text = xasprintf("%016" PRIx64, hash);
	js_add_str(s, "module_hash", text);
	free(text);
}

static struct json_object *new_head(struct plan *p, const struct run_opts *o, const char *cc)
{
	struct json_object *s = json_object_new_object(), *cc_obj;
	const struct backend *b = backend_of(o);
	char *kdir = b->modules(o);
	char *commit = build_commit(kdir), *algo = cc_algo(cc);

	js_add_str(s, "scenario", p->sc->name);
	js_add_str(s, "cc", algo);
	js_add_str(s, "label", cc);
	js_add_int(s, "seed", (int64_t)p->seed);
	js_add_str(s, "backend", b->name);
	js_add_str(s, "clock", o->real ? "real" : "virtual");
	js_add_str(s, "variant", b->variant ? b->variant : kernel_variant(o));
	js_add_str(s, "commit", commit);
	add_own_modules(s, cc);
	add_own_file(s, p->sc);
	if (p->sc->program)
		json_object_object_add(s, "exec", json_object_get(p->sc->program));
	json_object_object_add(s, "settings", scenario_settings(p->sc, traffic_wanted(p->sc)));
	if (cc_json(p, o, cc, &cc_obj) == 0) {
		json_object_object_add(s, "params", json_object_get(js_get(cc_obj, "params")));
		json_object_object_add(s, "knobs", json_object_get(js_get(cc_obj, "knobs")));
		json_object_put(cc_obj);
	}
	free(algo);
	free(commit);
	free(kdir);
	return s;
}

static int64_t count(struct results *r, const char *name)
{
	return js_int(js_get(r->totals, "counters"), name, 0);
}

/* What left the hosts, and what all ports together sent. */
struct sent {
	int64_t packets, wire_bytes, hops;
};

static struct sent sum_ports(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports");
	struct sent s = {};
	int64_t packets;

	if (!ports)
		return s;
	json_object_object_foreach(ports, name, port) {
		char *node = xasprintf("%.*s", (int)strcspn(name, "-"), name);
		int n = plan_find_node(r->plan, node);

		packets = port_figure(port, "tx_packets", false);
		s.hops += packets;
		if (n >= 0 && r->plan->nodes[n].host) {
			s.packets += packets;
			s.wire_bytes += port_figure(port, "tx_wire_bytes", false);
		}
		free(node);
	}
	return s;
}

/*
 * Without an algorithm nobody counts what is sent again, but bytes and packets
 * tell: with R full packets more than needed and A ACKs there are
 * bytes = needed + R full + A ack and packets = needed + R + A.
 */
static int64_t count_retransmits(struct results *r, const struct sent *s, int64_t packets,
				 int64_t wire_bytes)
{
	const int64_t ack = ROCE_WIRE_OVERHEAD + ROCE_AETH_BYTES;
	int64_t full = (int64_t)scenario_val(r->plan->sc, "mtu", 1024) + ROCE_WIRE_OVERHEAD;
	int64_t more;

	if (strcmp(js_str(r->summary, "cc", ""), "none") || !r->n_flows ||
	    strcmp(scenario_text(r->plan->sc, "op", "write"), "read") == 0)
		return count(r, "rp_retransmits");
	more = s->wire_bytes - wire_bytes - ack * (s->packets - packets);
	return more > 0 ? (more + (full - ack) / 2) / (full - ack) : 0;
}

/*
 * Packets of data are known from the flows and the retransmissions; of what
 * else left the hosts all but CNPs are ACKs (for READs: requests and ACKs).
 */
static void packet_counts(struct results *r)
{
	static const char *const guesses[] = { "retransmits", "data_packets", "ack_packets" };
	int64_t data = 0, wire_bytes = 0, again, ack, chunk, mtu;
	struct sent s = sum_ports(r);
	struct plan *p = r->plan;
	size_t i;

	chunk = (int64_t)scenario_val(p->sc, "chunk", 262144);
	mtu = (int64_t)scenario_val(p->sc, "mtu", 1024);
	for (i = 0; i < r->n_flows; i++) {
		int64_t b = r->flows[i].bytes, rest = b % chunk;

		data += b / chunk * ((chunk + mtu - 1) / mtu) + (rest + mtu - 1) / mtu;
		wire_bytes += wire_flow_bytes(p, b);
	}
	again = count_retransmits(r, &s, data, wire_bytes);
	data += again;
	if (r->latency && js_len(js_get(r->latency, "probes")))
		data += 2 * js_int(js_at(js_get(r->latency, "probes"), 0), "completed", 0);
	ack = s.packets - data - count(r, "np_cnp_sent");
	js_add_int(r->summary, "data_packets", data);
	js_add_int(r->summary, "ack_packets", ack > 0 ? ack : 0);
	js_add_int(r->summary, "packet_hops", s.hops);
	js_add_int(r->summary, "retransmits", again);
	/* What of it programs have sent is not known, and without an algorithm what again. */
	for (i = 0; i < ARRAY_SIZE(guesses) && plan_has_programs(p); i++)
		if (i || strcmp(js_str(r->summary, "cc", ""), "none") == 0)
			json_object_object_add(r->summary, guesses[i], NULL);
}

static void add_cc_counters(struct results *r)
{
	struct json_object *o = json_object_new_object();

	js_add_int(o, "sent", count(r, "np_cnp_sent"));
	js_add_int(o, "handled", count(r, "rp_cnp_handled"));
	js_add_int(o, "ignored", count(r, "rp_cnp_ignored") + count(r, "rp_cnp_refused") +
		   count(r, "rp_cnp_forged") + count(r, "rp_cnp_late") +
		   count(r, "rp_cnp_limited"));
	json_object_object_add(r->summary, "cnp", o);
	js_add_int(r->summary, "timeouts", count(r, "rp_timeouts"));
}

/* Flows that did not complete, or of which there is no row. */
static int64_t count_failed(struct results *r)
{
	int64_t failed = 0;
	size_t i;

	for (i = 0; i < r->n_flows; i++)
		failed += !r->flows[i].done && !r->flows[i].stopped;
	if (r->plan->n_flows > (int64_t)r->n_flows)
		failed += r->plan->n_flows - (int64_t)r->n_flows;
	return failed;
}

/* These and everything else that went wrong. */
static int64_t count_errors(struct results *r)
{
	int64_t errors = count_failed(r), span;
	size_t i;

	errors += count(r, "rx_left");
	for (i = 0; r->latency && i < js_len(js_get(r->latency, "probes")); i++) {
		struct json_object *p;

		p = js_at(js_get(r->latency, "probes"), i);
		span = js_int(p, "iterations", 0) - js_int(p, "completed", 0);
		errors += span > 0;
	}
	return errors;
}

/* Copies the console and looks for what a kernel says when something is wrong. */
static int copy_console(struct uml *u, const char *dir, int64_t *splat_count)
{
	char *from = xasprintf("%s/console.log", u->work_dir);
	char *to = xasprintf("%s/console.log", dir);
	char *text = read_file(from, NULL);
	int rc = 0;

	if (!text)
		rc = run_error("%s: %s", from, strerror(errno));
	else if (write_file(to, "%s", text))
		rc = results_error(dir, "console.log");
	/* Where the console is the program's, the kernel's own log tells. */
	if (text && u->relay) {
		free(text);
		free(from);
		from = xasprintf("%s/raw/kmsg.log", u->work_dir);
		text = read_file(from, NULL);
	}
	if (text)
		*splat_count = uml_splats(u, text);
	free(text);
	free(from);
	free(to);
	return rc;
}

static int write_run_json(struct results *r, struct uml *u, const struct run_opts *opts,
			  const char *cc)
{
	char *path = xasprintf("%s/run.json", r->dir), date[32];
	struct json_object *o = json_object_new_object(), *signals;
	time_t now = time(NULL);
	struct tm tm;
	int rc = 0;

	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_object_object_add(o, "command", results_command(r->plan, opts, cc));
	signals = results_signals(opts, cc);
	if (signals)
		json_object_object_add(o, "signals", signals);
	js_add_dbl(o, "wall_s", u->times.wall_s, 3);
	js_add_dbl(o, "boot_s", u->times.boot_s, 3);
	js_add_dbl(o, "setup_s", u->times.setup_s, 3);
	js_add_dbl(o, "traffic_s", u->times.traffic_s, 3);
	js_add_int(o, "host_cpus", sysconf(_SC_NPROCESSORS_ONLN));
	js_add_str(o, "date", date);
	js_add_int(o, "mem_setup_kb", js_int(r->totals, "mem_setup_kb", 0));
	js_add_int(o, "mem_total_kb", js_int(r->totals, "mem_total_kb", 0));
	if (u->guests)
		json_object_object_add(o, "guests", json_object_get(u->guests));
	if (u->times.traffic_s > 0)
		js_add_int(o, "data_packets_per_s",
			   js_int(r->summary, "data_packets", 0) / u->times.traffic_s);
	if (r->real)
		json_object_object_add(o, "realtime", json_object_get(r->real));
	if (js_save(o, path))
		rc = results_error(r->dir, "run.json");
	json_object_put(o);
	free(path);
	return rc;
}

static int write_summary(struct results *r)
{
	char *path = xasprintf("%s/summary.json", r->dir);
	int rc = 0;

	if (js_save(r->summary, path))
		rc = results_error(r->dir, "summary.json");
	free(path);
	return rc;
}

static int read_raw(struct results *r)
{
	int64_t drained_ns;
	bool flows;

	r->totals = load_raw(r->raw, "totals.json", true);
	flows = r->plan->n_flows || r->plan->latency_model_ns;
	r->gen = flows ? load_raw(r->raw, "flowgen/summary.json", true) : NULL;
	r->latency = load_raw(r->raw, "flowgen/latency.json", false);
	r->real = load_raw(r->raw, "realtime.json", false);
	if (!r->totals || (flows && !r->gen))
		return EXIT_RUN_FAILED;
	/* What is ideal depends on what the algorithm put on the wire. */
	wire_telemetry(r->plan, r->totals);
	if (flows) {
		r->shift_ns = js_int(r->totals, "t0_ns", 0) - js_int(r->gen, "t0_ns", 0);
		if (results_flows(r) || results_series(r))
			return EXIT_RUN_FAILED;
	}
	if (!r->n_flows)
		r->first_ns = js_int(r->gen, "first_start_ns", 0);
	/* What left the hosts last is still on its way. */
	drained_ns = js_int(r->totals, "drained_ns", -1) + r->shift_ns;
	if (results_unreliable(r) && drained_ns > r->last_ns)
		r->last_ns = drained_ns;
	if (results_programs(r))
		return EXIT_RUN_FAILED;
	/* Nothing completed: the time that the run was given. */
	if (!r->last_ns)
		r->last_ns = js_int(r->gen, "last_end_ns", 0);
	if (r->last_ns <= r->first_ns)
		r->last_ns = r->plan->limit_ns;
	return 0;
}

static void results_free(struct results *r)
{
	int i;

	for (i = 0; r->series && i < r->n_series; i++) {
		free(r->series[i].t_ns);
		free(r->series[i].bytes);
	}
	free(r->series);
	free(r->flows);
	json_object_put(r->totals);
	json_object_put(r->gen);
	json_object_put(r->latency);
	json_object_put(r->real);
	json_object_put(r->summary);
}

/* What is made of the rows of labinit and flowgen alone. */
static int write_tables(struct results *r)
{
	bool pfc = scenario_val(r->plan->sc, "pfc", 0) != 0;
	int rc = results_write_flows(r) || results_write_rates(r) || results_write_state(r);
	enum table_id t;

	/* Those of features only where they have rows. */
	for (t = 0; t < TABLES && !rc; t++)
		if (tables[t].made == (TABLE_RAW | TABLE_RESULT) && (t != T_PAUSES || pfc) &&
		    (t != T_TIMELINE || job_get(r->plan->base, J_TIMELINE)))
			rc = results_copy(r, t, t == T_QUEUES || t == T_PAUSES);
	return rc || (r->gen && results_events(r)) || results_types(r) ? EXIT_RUN_FAILED : 0;
}

/**
 * results_write() - turn the raw output of a run into its result files
 * @p: plan
 * @o: options
 * @cc: item of --cc
 * @raw: what labinit and flowgen wrote
 * @place: result directory, made if needed
 * @u: the kernel's run, for times and console
 * @wrote: are results there now; without, a message says why
 *
 * Return: 0 if all flows completed and the kernel gave no warning, or
 * the exit status after a message.
 */
int results_write(struct plan *p, const struct run_opts *o, const char *cc, const char *raw,
		  const char *place, struct uml *u, bool *wrote)
{
	struct results r = { .plan = p, .raw = raw, .place = place };
	int64_t errors, splat_count = 0;
	struct json_object *ports;
	int rc = results_begin(&r);

	r.summary = new_head(p, o, cc);
	rc = rc || copy_console(u, r.dir, &splat_count) || read_raw(&r) || write_tables(&r);
	if (!rc) {
		js_add_str(r.summary, "kernel", js_str(r.totals, "kernel", ""));
		js_add_int(r.summary, "virtual_ns", r.last_ns);
		json_object_object_add(r.summary, "algo_params",
				       json_object_get(js_get(r.totals, "params")));
		if (r.real)
			json_object_object_add(r.summary, "realtime", json_object_get(r.real));
		packet_counts(&r);
		results_flow_stats(&r);
		if (p->own_groups)
			results_group_times(&r);
		results_queue_stats(&r);
		results_window(&r);
		results_cc_groups(&r, cc);
		results_timeline(&r);
		results_latency(&r);
		ports = results_pfc(&r);
		add_cc_counters(&r);
		errors = count_errors(&r) + splat_count +
			 switch_features_totals(p, js_get(r.totals, "ports"), r.summary);
		js_add_int(r.summary, "errors", errors);
		rc = results_collectives(&r) || results_workload(&r) || results_mpi(&r) ?
		     EXIT_RUN_FAILED : 0;
		results_ports(&r, ports);
		results_congested(&r);
		results_notes(&r);
		results_note_guests(&r, u->guests);
		rc = rc || write_summary(&r) || write_run_json(&r, u, o, cc);
	}
	rc |= results_end(&r, !rc);
	*wrote = !rc;
	/* Where the reason is known it has been said. */
	if (!rc && count_errors(&r) && u->error)
		rc = EXIT_RUN_FAILED;
	else if (!rc && count_failed(&r))
		rc = run_error("%s: %" PRId64 " flows did not complete, see %s/flows.csv",
			       u->label, count_failed(&r), place);
	else if (!rc && count_errors(&r))
		rc = run_error("%s: %" PRId64 " errors, see \"notes\" and \"latency\" of %s/summary.json",
			       u->label, count_errors(&r), place);
	if (*wrote && (results_programs_failed(&r, u->label) || results_mpi_missed(&r, u->label)))
		rc = EXIT_RUN_FAILED;
	results_free(&r);
	return rc || splat_count ? EXIT_RUN_FAILED : 0;
}

static bool same(struct json_object *a, struct json_object *b, const char *name)
{
	struct json_object *x = js_get(a, name), *y = js_get(b, name);

	return x && y && json_object_equal(x, y);
}

/**
 * results_check() - would a run overwrite results of other settings
 * @dir: result directory
 * @p: plan
 * @o: options
 * @cc: item of --cc
 *
 * Return: 0, or the exit status after a message.
 */
int results_check(const char *dir, struct plan *p, const struct run_opts *o, const char *cc)
{
	static const char *const names[] = {
		"settings", "params", "knobs", "clock", "variant", "backend",
	};
	char *path = xasprintf("%s/summary.json", dir), *err = NULL;
	struct json_object *old = NULL, *head;
	int rc = 0;
	size_t i;

	if (!o->force && path_exists(path))
		old = js_load(path, &err);
	if (old) {
		head = new_head(p, o, cc);
		for (i = 0; i < ARRAY_SIZE(names) && !rc; i++)
			if (!same(old, head, names[i]))
				rc = run_error("%s: results with other %s: --out DIR or --force",
					       dir, names[i]);
		/* Those of one program may take the place of those of another, nothing else. */
		if (!rc && !js_get(old, "exec") != !js_get(head, "exec"))
			rc = run_error("%s: results of \"lab %s\": --out DIR or --force", dir,
				       js_get(old, "exec") ? "exec" : "run");
		if (!rc && strcmp(js_str(old, "scenario_hash", ""),
				  js_str(head, "scenario_hash", "")))
			rc = run_error("%s: results of another network of that name: --out DIR or --force",
				       dir);
		if (!rc && strcmp(js_str(old, "module_hash", ""), js_str(head, "module_hash", "")))
			rc = run_error("%s: results of another module of that name: --out DIR or --force",
				       dir);
		json_object_put(head);
		json_object_put(old);
	}
	free(err);
	free(path);
	return rc;
}
