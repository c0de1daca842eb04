// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: the kernel that runs the cases, and how each ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "programs/test_cases.h"

/* Long enough that the rate is good to 1e-5, if the clock is to 2 us. */
#define MEASURE_NS	(200 * 1000 * 1000)
/* Beside the case itself: modules in and out, waiting for a server. */
#define CASE_EXTRA_S	20
#define BOOT_S		120
/* How often a kernel is booted for what is left, when the one before did not come to it. */
#define BOOTS_MAX	20
#define SEPARATOR	"\x1f"

/* Without a terminal a line so often. */
#define SAY_NS		(60 * NSEC_PER_SEC)

/* The counter, and what the clock said at that moment. */
static double read_both(unsigned long long *cycles)
{
	int64_t best = INT64_MAX, at = 0, t0, t1;
	unsigned long long c;
	int i;

	/* The one of many that nothing came between. */
	for (i = 0; i < 1000; i++) {
		t0 = now_ns(CLOCK_MONOTONIC);
		c = __rdtsc();
		t1 = now_ns(CLOCK_MONOTONIC);
		if (t1 - t0 >= best)
			continue;
		best = t1 - t0;
		at = t0 + best / 2;
		*cycles = c;
	}
	return at;
}

/* Cycles a second of this machine's counter, which the lab kernel's programs read too. */
static int64_t counter_hz(void)
{
	struct timespec wait = { .tv_nsec = MEASURE_NS };
	unsigned long long c0 = 0, c1 = 0;
	double t0 = read_both(&c0), t1;

	nanosleep(&wait, NULL);
	t1 = read_both(&c1);
	return llround((c1 - c0) * 1e9 / (t1 - t0));
}

/* What goes with an algorithm: all that the network gives, and an item's own parameters. */
static char *algo_settings(const struct programs *p, const char *item)
{
	char *text, *copy = xstrdup(item), *rest = copy, *word, *next;

	strsep(&rest, ":");
	text = xasprintf("knob line_rate=%s knob int=on%s%s", programs_get(p, "rate"),
			 p->is_virtual ? " knob max_unacked_psns=" : "",
			 p->is_virtual ? programs_get(p, "max_unacked") : "");
	while (rest && (word = strsep(&rest, ":"))) {
		if (strncmp(word, "preset=", 7) == 0)
			next = xasprintf("preset %s %s", word + 7, text);
		else
			next = xasprintf("%s param %s", text, word);
		free(text);
		text = next;
	}
	free(copy);
	return text;
}

/**
 * cases_plan() - write a plan for run_cases_in_guest.sh
 * @p: command line
 * @path: file
 * @only: its only case, or NULL for all that have not been run
 * @limit_s: becomes the seconds that it takes at most
 *
 * Return: 0, or an exit status after a message.
 */
int cases_plan(const struct programs *p, const char *path, const struct program_case *only,
	       int64_t *limit_s)
{
	FILE *f = fopen(path, "we");
	size_t i;

	if (!f)
		return run_error("%s: %s", path, strerror(errno));
	*limit_s = BOOT_S;
	for (i = 0; i < p->n_cases; i++) {
		struct program_case *c = &p->cases[i];
		bool stock = strcmp(c->cc, STOCK) == 0;
		char *algo = cc_algo(c->cc), *set = stock ? xstrdup("") : algo_settings(p, c->cc);

		if (only ? c == only : c->v == V_MISSING) {
			fprintf(f, "%s" SEPARATOR "%d" SEPARATOR "%s" SEPARATOR "%s" SEPARATOR "%d"
				SEPARATOR "%s" SEPARATOR "%s" SEPARATOR "%s\n", c->id,
				c->tries, algo, set, c->timeout_s, c->t->ready, c->t->server,
				c->t->client);
			*limit_s += c->tries * (c->timeout_s + CASE_EXTRA_S);
		}
		free(algo);
		free(set);
	}
	return file_close(f) ? run_error("%s: %s", path, strerror(errno)) : 0;
}

static void progress(struct programs *p, const char *what)
{
	bool tty = isatty(STDERR_FILENO);
	int64_t now = now_ns(CLOCK_MONOTONIC);

	if (p->quiet || (!tty && now - p->said_ns < SAY_NS))
		return;
	p->said_ns = now;
	fprintf(stderr, "%slab: %s: %zu of %zu, %s%s", tty ? "\r\033[K" : "", p->ops->name,
		p->n_done + 1, p->n_cases, what, tty ? "" : "\n");
	fflush(stderr);
}

static struct program_case *find(struct programs *p, const char *id)
{
	size_t i;

	for (i = 0; i < p->n_cases; i++)
		if (strcmp(p->cases[i].id, id) == 0)
			return &p->cases[i];
	return NULL;
}

/* A shell's status: 127 is a program that is not there, 4 one that skips itself. */
static void take_status(struct program_case *c, const char *client, const char *server)
{
	bool ok = strcmp(client, "0") == 0 &&
		  (strchr(c->t->ready, '!') || strcmp(server, "0") == 0);
	bool skip = strcmp(client, "127") == 0 || strcmp(server, "127") == 0 ||
		    strcmp(client, "4") == 0;

	c->v = ok ? V_PASS : skip ? V_SKIP : V_FAIL;
	if (ok)
		return;
	if (strspn(client, "0123456789") != strlen(client))
		c->why = xstrdup(client);
	else if (strcmp(client, "0"))
		c->why = xasprintf("client: %s", strcmp(client, "124") ? client : "out of time");
	else
		c->why = xasprintf("server: %s", strcmp(server, "124") ? server : "out of time");
}

static void ended(struct programs *p, struct program_case *c, int runs)
{
	c->runs = runs;
	if (p->now == c)
		p->now = NULL;
	p->n_done++;
}

/* The kernel did not come to the end of this one. */
static void lost(struct programs *p, struct program_case *c, const char *why)
{
	c->v = V_FAIL;
	c->why = xstrdup(why);
	ended(p, c, 1);
}

/**
 * cases_mark() - what a kernel that runs cases says
 * @p: command line
 * @text: "case ID", "done ID CLIENT SERVER RUNS", or "lost ID WHY"
 */
void cases_mark(struct programs *p, const char *text)
{
	char id[256], client[32], server[32];
	struct program_case *c = NULL;
	int runs, why = 0;

	if (sscanf(text, "%*s %255s", id) == 1)
		c = find(p, id);
	if (!c || c->v != V_MISSING)
		return;
	if (strncmp(text, "case ", 5) == 0) {
		p->now = c;
		progress(p, id);
	} else if (sscanf(text, "done %*s %31s %31s %d", client, server, &runs) == 3) {
		take_status(c, client, server);
		ended(p, c, runs);
	} else if (sscanf(text, "lost %*s %n", &why) == 0 && why) {
		lost(p, c, text + why);
	}
}

static void on_mark(void *ctx, const char *text)
{
	cases_mark(ctx, text);
}

/* The text is not the caller's any more. */
static void add_env(struct json_object *env, const char *name, char *text)
{
	js_add_str(env, name, text);
	free(text);
}

static struct json_object *environment(struct programs *p, const char *plan)
{
	const char *rate = programs_get(p, "rate"), *delay = programs_get(p, "delay");
	struct json_object *env = json_object_new_object();

	add_env(env, "PAIR_PLAN", xstrdup(plan));
	add_env(env, "PAIR_MTU", xstrdup(programs_get(p, "mtu")));
	add_env(env, "PAIR_HOST", xasprintf("rate %s delay %s dscp all:3", rate, delay));
	add_env(env, "PAIR_SWITCH",
		xasprintf("rate %s delay %s dscp all:3 switch auto buffer %s prio 3 ecn enqueue "
			  "kmin %s kmax %s pmax %s", rate, delay, programs_get(p, "buffer"),
			  programs_get(p, "kmin"), programs_get(p, "kmax"),
			  programs_get(p, "pmax")));
	return env;
}

/* What a host's processor takes, for the library of virtual time. */
static void add_cost(const struct programs *p, struct json_object *env, const char *set,
		     const char *name)
{
	double ns = programs_value(p, set);

	if (ns > 0)
		add_env(env, name, xasprintf("%lld", llround(ns)));
}

/* Environment of run_cases_in_guest.sh in the lab kernel, whose files are the host's. */
static void uml_environment(struct programs *p, struct json_object *env)
{
	const char *root = lab_root();

	add_env(env, "PATH",
		xasprintf("%s/build/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", root));
	add_env(env, "TC_LIB_DIR", xasprintf("%s/build/tc", root));
	add_env(env, "PAIR_OUT", xasprintf("%s/cases", p->out));
	add_env(env, "PAIR_STOCK", xasprintf("%s/stock", p->kdir));
	add_env(env, "PAIR_OURS", xstrdup(p->kdir));
	add_env(env, "PAIR_PRELOAD", xasprintf("%s/build/lib/%s", root, p->is_virtual ?
					       "librxecc_vtime.so" : "pairclock.so"));
	if (!p->is_virtual)
		add_env(env, "PAIR_TSC_HZ", xasprintf("%" PRId64, counter_hz()));
	add_cost(p, env, "host_post", "VTIME_POST_NS");
	add_cost(p, env, "host_completion", "VTIME_COMPLETION_NS");
	add_cost(p, env, "host_interrupt", "VTIME_INTERRUPT_NS");
}

static void add_path(struct json_object *list, const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);

	json_object_array_add(list, json_object_new_string(path));
	free(path);
}

/**
 * cases_job() - write the job of a lab kernel that runs cases
 * @p: command line
 * @work: directory of the job, and of the plan that it runs
 * @limit_s: in the kernel's own time
 * @network: a kernel that makes copies of itself: it only sets up the network
 *
 * Return: 0, or an exit status after a message.
 */
int cases_job(struct programs *p, const char *work, int64_t limit_s, bool network)
{
	struct json_object *job = json_object_new_object(), *argv = json_object_new_array();
	struct json_object *modules = json_object_new_array(), *env;
	char *raw = xasprintf("%s/raw", work), *path = xasprintf("%s/plan", work);
	int rc;

	env = environment(p, path);
	uml_environment(p, env);
	job_add_str(job, J_MODE, network ? "copies" : "exec");
	job_add_str(job, J_OUT, raw);
	job_add_str(job, J_CWD, "/");
	job_add_str(job, J_MODULE_DIR, p->kdir);
	job_add_int(job, J_TIMEOUT, limit_s);
	add_path(modules, p->kdir, "sch_roce.ko");
	job_add(job, J_MODULES, modules);
	add_path(argv, "/bin", "bash");
	add_path(argv, lab_root(), "tools/lab/programs/run_cases_in_guest.sh");
	if (network)
		json_object_array_add(argv, json_object_new_string("--network"));
	job_add(job, J_ARGV, argv);
	job_add(job, J_ENV, env);
	free(path);
	path = xasprintf("%s/job.json", work);
	rc = mkdir_p(raw) || js_save(job, path) ? run_error("%s: %s", path, strerror(errno)) : 0;
	json_object_put(job);
	free(path);
	free(raw);
	return rc;
}

static int run_uml(struct programs *p, int64_t limit_s)
{
	struct uml u = {
		.kernel_dir = p->kdir, .work_dir = p->work, .label = p->ops->name,
		.real = !p->is_virtual, .quiet = true, .timeout_s = limit_s,
		.mem_mb = CASES_MEM_MB, .on_mark = on_mark, .mark_ctx = p,
	};
	int rc = cases_job(p, p->work, limit_s, false);

	if (!rc)
		rc = uml_check_room(CASES_MEM_MB);
	if (!rc)
		rc = uml_run(&u);
	if (!rc && u.error && !p->n_done)
		rc = run_error("%s: %s", p->ops->name, u.error);
	free(u.error);
	return rc;
}

static void on_line(void *ctx, const char *line)
{
	static const char mark[] = "@lab:", file[] = "file ", error[] = "error ";
	struct programs *p = ctx;

	if (strncmp(line, mark, strlen(mark)))
		return;
	line += strlen(mark);
	if (strncmp(line, file, strlen(file)) == 0)
		fprintf(p->relay, "%s\n", line + strlen(file));
	else if (strncmp(line, error, strlen(error)) == 0 && !p->n_done)
		run_error("%s: %s", p->ops->name, line + strlen(error));
	else
		on_mark(p, line);
}

/* One kernel for all that has not been run. */
static int boot(struct programs *p)
{
	char *plan = xasprintf("%s/plan", p->work);
	struct json_object *env;
	int64_t limit_s = 0;
	int rc;

	p->now = NULL;
	rc = cases_plan(p, plan, NULL, &limit_s);
	if (!rc && p->qemu) {
		env = environment(p, plan);
		rc = programs_qemu(p, env, limit_s, on_line);
		json_object_put(env);
	} else if (!rc) {
		rc = run_uml(p, limit_s);
	}
	free(plan);
	return rc;
}

/* An empty directory instead of what an earlier run left, whose tries have names of their own. */
static int make_case_place(const struct programs *p, const struct program_case *c)
{
	char *dir = xasprintf("%s/cases/%s", p->out, c->id), *try;
	int i, rc = rm_rf(dir) && errno != ENOENT ? -1 : mkdir_p(dir);

	for (i = 1; i < c->tries && !rc; i++) {
		try = xasprintf("%s.try%d", dir, i);
		rc = rm_rf(try) && errno != ENOENT ? -1 : 0;
		free(try);
	}
	if (rc)
		run_error("%s: %s", dir, strerror(errno));
	free(dir);
	return rc ? EXIT_RUN_FAILED : 0;
}

/*
 * Where results go. In virtual time a system call of a program takes 1 ns, so the kernel that
 * runs a case must find the same there whatever was there before and whoever is first.
 */
static int make_place(struct programs *p)
{
	char *dir = p->out;
	int rc = 0;
	size_t i;

	p->out = mkdir_p(dir) ? NULL : realpath(dir, NULL);
	if (!p->out) {
		run_error("--out %s: %s", dir, strerror(errno));
		p->out = dir;
		return EXIT_RUN_FAILED;
	}
	free(dir);
	for (i = 0; i < p->n_cases && !rc; i++)
		rc = make_case_place(p, &p->cases[i]);
	return rc;
}

/* One case after the other, as many in a kernel as it lives. */
static int run_in_order(struct programs *p)
{
	size_t before;
	int rc = 0, i;

	for (i = 0; i < BOOTS_MAX && !rc && p->n_done < p->n_cases; i++) {
		p->work = work_dir_make();
		if (!p->work)
			return EXIT_RUN_FAILED;
		before = p->n_done;
		rc = boot(p);
		if (p->now && !work_interrupted())
			lost(p, p->now, "the kernel ended");
		work_dir_remove(p->work);
		/* A kernel that did not end well is no reason not to go on with another. */
		if (p->n_done > before && !work_interrupted())
			rc = 0;
		else if (!rc && p->n_done < p->n_cases)
			rc = run_error("%s: the kernel ended before the first case", p->ops->name);
	}
	return rc;
}

/**
 * programs_run() - run all cases
 * @p: command line; v, why and runs of its cases are results
 *
 * Return: 0 when all have been run, or an exit status after a message.
 */
int programs_run(struct programs *p)
{
	int rc = make_place(p);

	p->said_ns = now_ns(CLOCK_MONOTONIC);
	if (!rc && p->is_virtual)
		rc = cases_in_copies(p);
	else if (!rc)
		rc = run_in_order(p);
	if (!p->quiet && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return rc;
}
