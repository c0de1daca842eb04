// SPDX-License-Identifier: GPL-2.0
/*
 * The job file of one run: its algorithm, the modules, when the traffic starts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feature/switch_features.h"

/*
 * In virtual time the traffic starts at this fixed instant, so that results do
 * not depend on how long the set-up took. Skipping to it costs nothing.
 */
#define VIRTUAL_START_NS	(60 * NSEC_PER_SEC)
#define REAL_LEAD_NS		(50 * 1000 * 1000)

/* Loaded into programs, where it was built. */
#define PRELOAD			"build/lib/librxecc_vtime.so"

#define SHELL_PATH		"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* What is built here is found by its name. Programs of others get virtual time when they wait. */
static struct json_object *shell_env(bool real)
{
	struct json_object *env = json_object_new_object();
	char *path;

	path = xasprintf("%s/build/tc", lab_root());
	js_add_str(env, "TC_LIB_DIR", path);
	free(path);
	path = xasprintf("%s/build/bin:" SHELL_PATH, lab_root());
	js_add_str(env, "PATH", path);
	free(path);
	path = xasprintf("%s/" PRELOAD, lab_root());
	if (!real)
		js_add_str(env, "LD_PRELOAD", path);
	free(path);
	return env;
}

/* What a host's processor takes for RDMA: keys of the scenario, and what the library finds. */
static const char *const host_costs[][2] = {
	{ "host_post", "VTIME_POST_NS" }, { "host_completion", "VTIME_COMPLETION_NS" },
	{ "host_interrupt", "VTIME_INTERRUPT_NS" },
};

static void add_host_costs(struct plan *p, struct json_object *env)
{
	size_t i;
	char *ns;

	for (i = 0; i < ARRAY_SIZE(host_costs); i++) {
		ns = xasprintf("%lld", llround(scenario_val(p->sc, host_costs[i][0], 0)));
		if (strcmp(ns, "0"))
			js_add_str(env, host_costs[i][1], ns);
		free(ns);
	}
}

/* Only programs pay, and only in virtual time. */
static int check_host_costs(struct plan *p, const struct run_opts *o, const char *mode)
{
	size_t i;

	if (!o->real && (strcmp(mode, "run") || plan_has_programs(p)))
		return 0;
	for (i = 0; i < ARRAY_SIZE(host_costs); i++)
		if (scenario_val(p->sc, host_costs[i][0], 0) > 0)
			return usage_error("--set %s: only programs pay it, in virtual time (lab exec, programs of a scenario)",
					   host_costs[i][0]);
	return 0;
}

/*
 * What programs find: what is built here, and what makes them run in virtual time. Ranks of an MPI
 * program tell what they have sent in a file.
 */
static void add_program_env(struct plan *p, struct json_object *job, const char *work)
{
	struct json_object *env = shell_env(false);
	char *cwd = getcwd(NULL, 0), *path;

	if (p->sc->mpi) {
		path = xasprintf("%s/raw/" MPI_FILE, work);
		js_add_str(env, "LAB_MPI_FILE", path);
		free(path);
	}
	add_host_costs(p, env);
	job_add(job, J_PROGRAM_ENV, env);
	if (cwd)
		job_add_str(job, J_CWD, cwd);
	free(cwd);
}

/* On a terminal a report takes the place of the one before. */
static void add_top(struct json_object *job)
{
	char *path = xasprintf("%s/build/bin/rxecc", lab_root());
	const char *term = isatty(STDOUT_FILENO) ? getenv("TERM") : NULL;

	job_add_str(job, J_TOP, path);
	job_add_str(job, J_TOP_TERM, term ? term : "dumb");
	free(path);
}

static int add_ccs(struct plan *p, const struct run_opts *o)
{
	struct json_object *list = json_object_new_array(), *cc;
	size_t i;
	int rc = 0;

	job_add(p->job, J_CCS, list);
	for (i = 0; i < o->n_ccs && !rc; i++) {
		rc = cc_json(p, o, o->ccs[i], &cc);
		if (!rc)
			json_object_array_add(list, cc);
	}
	return rc;
}

/* Flows of a workload are too many for a plan. */
static int save_flows(struct plan *p, const char *work)
{
	char *path;
	int rc;

	if (p->n_flows == p->n_listed)
		return 0;
	path = xasprintf("%s/flows.csv", work);
	job_add_str(job_get(p->job, J_PLAN), J_PLAN_FLOWS_FILE, path);
	rc = traffic_save(p, path);
	free(path);
	return rc;
}

/*
 * Is it of interest when each message of a flow is complete? Not of flows of a file,
 * which have no rates, and not with an algorithm, when the kernel tells how far a
 * flow is (of READs it does not, nor of flows that share a queue pair).
 */
static bool needs_progress(struct json_object *plan, const char *algo)
{
	struct json_object *flows = job_get(plan, J_PLAN_FLOWS);

	if (!js_len(flows))
		return false;
	return strcmp(algo, "none") == 0 || job_get(js_at(flows, 0), J_FLOW_QP) ||
	       strcmp(job_str(plan, J_PLAN_OP, "write"), "read") == 0;
}

/*
 * Nor is its progress at each sample then: results_series() takes the kernel's.
 * Unreliable connections have no acknowledgments.
 */
static bool needs_series(struct json_object *plan, const char *algo)
{
	return needs_progress(plan, algo) ||
	       (js_len(job_get(plan, J_PLAN_FLOWS)) &&
		strcmp(job_str(plan, J_PLAN_TRANSPORT, "rc"), "uc") == 0);
}

/*
 * The kernel would ask for the module of the algorithm, which takes another process.
 * One that is not there is said when the algorithm is set.
 */
static void add_module(struct json_object *list, const char *kdir, const char *algo)
{
	char *path = xasprintf("%s/rxe_cc_%s.ko", kdir, algo);
	size_t i;

	for (i = 0; i < js_len(list); i++)
		if (strcmp(json_object_get_string(js_at(list, i)), path) == 0)
			break;
	if (i == js_len(list) && strcmp(algo, "none") && path_exists(path))
		json_object_array_add(list, json_object_new_string(path));
	free(path);
}

static void add_modules(struct json_object *list, const char *kdir, const char *algo,
			bool events)
{
	const char *modules[] = {
		"sch_roce", "rxe_cc", "roce_watch", "rdma_rxe",
		events ? "rxe_cc_events" : NULL, strcmp(algo, "none") ? algo : NULL,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		char *path = xasprintf("%s/%s%s.ko", kdir, modules[i] == algo ? "rxe_cc_" : "",
				       modules[i] ? modules[i] : "");

		if (modules[i] && (modules[i] != algo || path_exists(path)))
			json_object_array_add(list, json_object_new_string(path));
		free(path);
	}
}

/* How long before its start an incast is announced, to the only algorithm that takes it. */
static void job_lookahead(struct plan *p, const char *algo)
{
	struct key *k = scenario_key(p->sc, "lookahead");

	if (k && !k->is_auto && strcmp(algo, "dart") == 0) {
		job_add_int(job_get(p->job, J_PLAN), J_PLAN_LOOKAHEAD, llround(k->val));
		job_add_int(job_get(p->job, J_PLAN), J_PLAN_LOOKAHEAD_SPAN,
			    llround(scenario_val(p->sc, "incast_spread", 0)));
	}
}

/**
 * job_save_common() - write the job of a kernel that makes copies of itself for other jobs
 * @p: plan, after job_save() of one of these
 * @o: options of the command line
 * @kdir: kernel and modules
 * @path: file
 * @network: it sets up the network of that job
 *
 * Return: 0, or the exit status after a message.
 */
int job_save_common(struct plan *p, const struct run_opts *o, const char *kdir, const char *path,
		    bool network)
{
	struct json_object *job = network ? js_copy(p->job) : json_object_new_object();
	struct json_object *list = json_object_new_array();
	int rc;

	json_object_object_del(job, job_defs[J_OUT].name);
	json_object_object_del(job, job_defs[J_CC].name);
	add_modules(list, kdir, "none", o->events_mb);
	job_add(job, J_MODULES, list);
	job_add_str(job, J_MODULE_DIR, kdir);
	job_add_str(job, J_MODE, "copies");
	rc = js_save(job, path) ? run_error("%s: %m", path) : 0;
	json_object_put(job);
	return rc;
}

/**
 * job_save() - make the job of one run, and write its file
 * @p: plan, whose job it becomes
 * @o: options of the command line
 * @cc: item of --cc
 * @kdir: kernel and modules
 * @work: directory for the job and the raw results
 * @mode: "run", "shell", or "check" for all items of --cc
 *
 * Return: 0, or the exit status after a message.
 */
int job_save(struct plan *p, const struct run_opts *o, const char *cc, const char *kdir,
	     const char *work, const char *mode)
{
	struct json_object *cc_obj, *list = json_object_new_array(), *plan;
	const char *algo;
	char *path, *raw;
	size_t i;
	int rc = check_host_costs(p, o, mode) ?: cc_json(p, o, cc, &cc_obj);

	if (rc)
		return rc;
	json_object_put(p->job);
	p->job = js_copy(p->base);
	job_add(p->job, J_CC, cc_obj);
	if (strcmp(mode, "check") == 0)
		rc = add_ccs(p, o);
	if (rc)
		return rc;
	plan = js_copy(job_get(p->base, J_PLAN));
	job_add(p->job, J_PLAN, plan);
	algo = job_str(cc_obj, J_CC_ALGO, "none");
	if (!needs_progress(plan, algo))
		job_add_int(plan, J_PLAN_SIGNAL_EVERY, 0);
	job_add_int(plan, J_PLAN_INTERVAL, needs_series(plan, algo) ? p->sample_ns : 0);
	if (o->real)
		job_add_int(plan, J_PLAN_LEAD, REAL_LEAD_NS);
	else
		job_add_int(plan, J_PLAN_START_AT, VIRTUAL_START_NS);
	job_lookahead(p, algo);
	add_modules(list, kdir, algo, o->events_mb);
	for (i = 0; i < js_len(job_get(cc_obj, J_CC_GROUPS)); i++)
		add_module(list, kdir, job_str(job_get(js_at(job_get(cc_obj, J_CC_GROUPS), i),
						       J_GROUP_CC), J_CC_ALGO, "none"));
	job_add(p->job, J_MODULES, list);
	job_links(p, p->job);
	job_add_int(p->job, J_EVENTS, o->events_mb);
	job_add_str(p->job, J_MODE, mode);
	job_realtime(p, o, mode);
	if (strcmp(mode, "shell") == 0) {
		job_add(p->job, J_ENV, shell_env(o->real));
		add_host_costs(p, job_get(p->job, J_ENV));
	}
	if (strcmp(mode, "run") == 0 && plan_has_programs(p))
		add_program_env(p, p->job, work);
	if (strcmp(mode, "run") == 0 && o->top)
		add_top(p->job);
	job_add_str(p->job, J_MODULE_DIR, kdir);
	path = xasprintf("%s/build/bin/flowgen", lab_root());
	job_add_str(p->job, J_FLOWGEN, path);
	free(path);
	raw = xasprintf("%s/raw", work);
	job_add_str(p->job, J_OUT, raw);
	path = xasprintf("%s/job.json", work);
	rc = save_flows(p, work);
	if (!rc && (mkdir_p(raw) || js_save(p->job, path)))
		rc = run_error("%s: %m", path);
	free(raw);
	free(path);
	return rc;
}
