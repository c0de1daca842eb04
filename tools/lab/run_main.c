// SPDX-License-Identifier: GPL-2.0
/*
 * lab run and lab shell.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

#define TIMEOUT_S	1800
#define MEM_MB		2048
#define MEM_DEBUG_MB	4096
/* Beside the host's own memory: measured with 320 hosts. */
#define MEM_HOST_MB	4
#define EVENTS_MB	256
/* labinit's exit status when the kernel refused algorithm or parameters. */
#define STATUS_REFUSED	126

struct cmd {
	struct run_opts o;
	struct scenario *sc;
	char **sets;
	size_t n_sets;
	char *cc_list;
};

static const char run_help[] =
"Usage: lab run SCENARIO [OPTIONS]\n\n"
"Runs the scenario once per algorithm and prints a table. Results go to\n"
"DIR/SCENARIO/CC/seedN/. Exit status: 0 all flows completed and the kernel had\n"
"nothing to complain about, 1 not so, 2 bad arguments.\n\n"
"  --cc A[,B...]    algorithms, \"none\" if not given; \"lab list\" names them.\n"
"                   A:K=V[:K=V...] is A with parameters (or preset=P) of its own, and a\n"
"                   run of its own: DIR/SCENARIO/A:K=V.../seedN/\n"
"  --set KEY=VALUE  change a key of the scenario; \"lab list SCENARIO\" names them\n"
"  --param K=V      parameter of the algorithms (not of \"none\"); A.K=V of A only\n"
"  --knob K=V       knob of the hosts' devices\n"
"  --seed N         of everything random (1)\n"
"  --out DIR        where results go (./results)\n"
"  --force          overwrite results that were made with other settings\n"
"  --clock C        virtual (default), or real: the same kernel without time travel\n"
"  --backend B      uml\n"
"  --debug          use the debug kernel (build/uml-debug)\n"
"  --timeout S      give up after S seconds of wall time (1800)\n"
"  --mem MB         memory of the lab kernel (2048 and more for many hosts)\n"
"  --events         write events.csv too: all that the algorithm was told and decided\n"
"  --events-mb MB   the same, with so much memory between two samples (256)\n"
"  --keep           keep raw rows and the job file, and say where\n"
"  -j, --json       print the summaries as JSON instead of the table\n"
"  -q, --quiet      no progress line\n"
"  -h, --help       this text\n";

static const char shell_help[] =
"Usage: lab shell SCENARIO [--cc A] [--set KEY=VALUE]... [--clock real|virtual]\n\n"
"Builds the scenario's topology and starts a shell in the lab kernel, in real\n"
"time unless --clock says otherwise. \"ip netns exec NODE COMMAND\" runs a command\n"
"in a host or switch. The file system is the host's. \"exit\" ends the lab.\n";

enum {
	OPT_CC = 256, OPT_SET, OPT_PARAM, OPT_KNOB, OPT_SEED, OPT_OUT, OPT_FORCE, OPT_CLOCK,
	OPT_BACKEND, OPT_DEBUG, OPT_TIMEOUT, OPT_MEM, OPT_KEEP,
	OPT_EVENTS, OPT_EVENTS_MB,
};

static const struct option options[] = {
	{ "cc", required_argument, NULL, OPT_CC },
	{ "set", required_argument, NULL, OPT_SET },
	{ "param", required_argument, NULL, OPT_PARAM },
	{ "knob", required_argument, NULL, OPT_KNOB },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "out", required_argument, NULL, OPT_OUT },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "clock", required_argument, NULL, OPT_CLOCK },
	{ "backend", required_argument, NULL, OPT_BACKEND },
	{ "debug", no_argument, NULL, OPT_DEBUG },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "mem", required_argument, NULL, OPT_MEM },
	{ "events", no_argument, NULL, OPT_EVENTS },
	{ "events-mb", required_argument, NULL, OPT_EVENTS_MB },
	{ "keep", no_argument, NULL, OPT_KEEP },
	{ "json", no_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void append(char ***list, size_t *n, char *text)
{
	*list = xrealloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = text;
}

static int parse_count(const char *opt, const char *text, uint64_t min, uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || *val < min || *val > INT64_MAX)
		return usage_error("%s %s: not a whole number of at least %" PRIu64, opt, text,
				   min);
	return 0;
}

static int parse_word(const char *opt, const char *text, const char *a, const char *b, bool *is_b)
{
	*is_b = b && strcmp(text, b) == 0;
	if (*is_b || strcmp(text, a) == 0)
		return 0;
	return usage_error("%s %s: must be %s%s%s", opt, text, a, b ? " or " : "", b ? b : "");
}

static int parse_option(struct cmd *c, int opt)
{
	struct run_opts *o = &c->o;
	uint64_t val;
	bool unused;
	int rc;

	switch (opt) {
	case OPT_CC:
		c->cc_list = optarg;
		return 0;
	case OPT_SET:
		append(&c->sets, &c->n_sets, optarg);
		return 0;
	case OPT_PARAM:
		append(&o->params, &o->n_params, optarg);
		return 0;
	case OPT_KNOB:
		append(&o->knobs, &o->n_knobs, optarg);
		return 0;
	case OPT_SEED:
		return parse_count("--seed", optarg, 0, &o->seed);
	case OPT_OUT:
		o->out = optarg;
		return 0;
	case OPT_FORCE:
		o->force = true;
		return 0;
	case OPT_CLOCK:
		return parse_word("--clock", optarg, "virtual", "real", &o->real);
	case OPT_BACKEND:
		return parse_word("--backend", optarg, "uml", NULL, &unused);
	case OPT_DEBUG:
		o->debug = true;
		return 0;
	case OPT_TIMEOUT:
		rc = parse_count("--timeout", optarg, 1, &val);
		o->timeout_s = val;
		return rc;
	case OPT_MEM:
		rc = parse_count("--mem", optarg, 64, &val);
		o->mem_mb = val;
		return rc;
	case OPT_EVENTS:
		o->events_mb = o->events_mb ? o->events_mb : EVENTS_MB;
		return 0;
	case OPT_EVENTS_MB:
		rc = parse_count("--events-mb", optarg, 1, &val);
		o->events_mb = val;
		return rc;
	case OPT_KEEP:
		o->keep = true;
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	}
	return usage_error("see \"lab run --help\"");
}

static void split_ccs(struct cmd *c)
{
	char *list = xstrdup(c->cc_list ? c->cc_list : "none"), *name;

	while ((name = strsep(&list, ",")))
		append(&c->o.ccs, &c->o.n_ccs, name);
}

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse_args(struct cmd *c, int argc, char **argv, const char *help)
{
	int opt, rc;
	size_t i;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, "jqh", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			return -1;
		}
		if (opt == '?')
			return usage_error("%s: unknown option or no value; see \"lab %s --help\"",
					   argv[optind - 1], argv[0]);
		rc = parse_option(c, opt);
		if (rc)
			return rc;
	}
	if (optind != argc - 1)
		return usage_error("exactly one scenario expected; see \"lab %s --help\"", argv[0]);
	split_ccs(c);
	c->sc = scenario_load(argv[optind]);
	if (!c->sc)
		return EXIT_USAGE;
	for (i = 0; i < c->n_sets; i++) {
		rc = scenario_set(c->sc, c->sets[i]);
		if (rc)
			return rc;
	}
	return scenario_resolve(c->sc);
}

static int check_parts(const char *kdir)
{
	static const char *const parts[] = { "linux", "sch_roce.ko", "rxe_cc.ko", "rdma_rxe.ko" };
	static const char *const progs[] = { "labinit", "flowgen" };
	char *path;
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(parts) + ARRAY_SIZE(progs) && !rc; i++) {
		if (i < ARRAY_SIZE(parts))
			path = xasprintf("%s/%s", kdir, parts[i]);
		else
			path = xasprintf("%s/build/bin/%s", lab_root(),
					 progs[i - ARRAY_SIZE(parts)]);
		if (!path_exists(path))
			rc = run_error("%s is missing: run \"make\" first", path);
		free(path);
	}
	return rc;
}

/**
 * make_work_dir() - a new temporary directory
 *
 * Return: its name, or NULL after a message.
 */
char *make_work_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/lab-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (mkdtemp(dir))
		return dir;
	run_error("%s: %s", dir, strerror(errno));
	free(dir);
	return NULL;
}

static int64_t mem_mb(const struct run_opts *o, struct plan *p)
{
	if (o->mem_mb)
		return o->mem_mb;
	return (o->debug ? MEM_DEBUG_MB : MEM_MB) + (int64_t)p->n_hosts * MEM_HOST_MB +
	       o->events_mb;
}

/**
 * uml_status() - what labinit says about a job, before any result is looked at
 * @u: after uml_run()
 * @raw: the job's "out"
 *
 * Return: 0, or the exit status after a message.
 */
int uml_status(struct uml *u, const char *raw)
{
	char *path = xasprintf("%s/exit_status", raw), *text = read_file(path, NULL);
	int status = text ? atoi(text) : -1;

	free(text);
	free(path);
	if (status == STATUS_REFUSED)
		return usage_error("%s: %s", u->label, u->error ? u->error : "refused");
	if (u->error)
		return run_error("%s: %s", u->label, u->error);
	if (status < 0)
		return run_error("%s: the lab kernel ended early; see console.log (--keep)",
				 u->label);
	return 0;
}

static bool have_results(const char *raw)
{
	char *path = xasprintf("%s/totals.json", raw);
	bool have = path_exists(path);

	free(path);
	return have;
}

static int run_once(struct cmd *c, struct plan *p, const char *kdir, const char *cc,
		    const char *dir, bool *wrote)
{
	struct run_opts *o = &c->o;
	char *label = xasprintf("%s/%s", c->sc->name, cc), *work = make_work_dir(), *raw;
	struct uml u = {
		.kernel_dir = kdir, .work_dir = work, .label = label, .real = o->real,
		.quiet = o->quiet, .tty = isatty(STDERR_FILENO), .timeout_s = o->timeout_s,
		.mem_mb = mem_mb(o, p), .expect_ns = p->expect_ns,
	};
	int rc, status;

	if (!work)
		return EXIT_RUN_FAILED;
	raw = xasprintf("%s/raw", work);
	rc = job_save(p, o, cc, kdir, work, "run");
	if (!rc)
		rc = uml_run(&u);
	if (!rc) {
		status = uml_status(&u, raw);
		rc = status;
		/* Flows that did not end in time are results too. */
		*wrote = have_results(raw);
		if (*wrote && results_write(p, o, cc, raw, dir, &u))
			rc = EXIT_RUN_FAILED;
	}
	if (o->keep)
		fprintf(stderr, "lab: %s: raw rows in %s\n", label, work);
	else
		rm_rf(work);
	free(u.error);
	free(raw);
	free(label);
	free(work);
	return rc;
}

/* A place that cannot be written is better found before the run than after it. */
static int run_ccs(struct cmd *c, struct plan *p, const char *kdir, char **dirs)
{
	char **done = xcalloc(c->o.n_ccs, sizeof(*done));
	bool made = !path_exists(c->o.out), wrote;
	size_t i, n_done = 0;
	int rc = 0, one = 0;

	if (mkdir_p(c->o.out) || access(c->o.out, W_OK | X_OK)) {
		free(done);
		return run_error("--out %s: %s", c->o.out, strerror(errno));
	}
	for (i = 0; i < c->o.n_ccs && one != EXIT_USAGE; i++) {
		wrote = false;
		one = run_once(c, p, kdir, c->o.ccs[i], dirs[i], &wrote);
		if (one)
			rc = one;
		if (wrote)
			done[n_done++] = dirs[i];
	}
	if (n_done && table_print(done, n_done, c->o.json))
		rc = EXIT_RUN_FAILED;
	/* Nothing came of it: leave no empty directory behind. */
	if (made && !n_done)
		rmdir(c->o.out);
	free(done);
	return rc;
}

static int run_all(struct cmd *c, struct plan *p, const char *kdir)
{
	char **dirs = xcalloc(c->o.n_ccs, sizeof(*dirs));
	int rc = 0;
	size_t i;

	for (i = 0; i < c->o.n_ccs; i++) {
		char *name = cc_dir(c->o.ccs[i]);

		dirs[i] = xasprintf("%s/%s/%s/seed%" PRIu64, c->o.out, c->sc->name, name, p->seed);
		free(name);
	}
	for (i = 0; i < c->o.n_ccs && !rc; i++)
		rc = results_check(dirs[i], p, &c->o, c->o.ccs[i]);
	if (!rc)
		rc = run_ccs(c, p, kdir, dirs);
	for (i = 0; i < c->o.n_ccs; i++)
		free(dirs[i]);
	free(dirs);
	return rc;
}

/* From the arguments to the plan. 0: go on; -1: help was asked for; else an exit status. */
static int prepare(struct cmd *c, int argc, char **argv, const char *help, char **kdir,
		   struct plan **p)
{
	int rc = parse_args(c, argc, argv, help);

	if (rc)
		return rc;
	*kdir = kernel_dir(c->o.debug);
	rc = check_parts(*kdir);
	if (!rc)
		rc = cc_check(*kdir, c->o.ccs, c->o.n_ccs);
	if (rc)
		return rc;
	*p = plan_build(c->sc, c->o.seed);
	return *p ? 0 : EXIT_RUN_FAILED;
}

int cmd_run(int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .out = RESULTS_DIR, .timeout_s = TIMEOUT_S } };
	struct plan *p;
	char *kdir;
	int rc;

	rc = prepare(&c, argc, argv, run_help, &kdir, &p);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	rc = uml_check_room(mem_mb(&c.o, p));
	if (!rc)
		rc = run_all(&c, p, kdir);
	plan_free(p);
	scenario_free(c.sc);
	free(kdir);
	return rc;
}

int cmd_shell(int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .real = true } };
	struct uml u = {};
	struct plan *p;
	char *kdir, *work;
	int rc;

	rc = prepare(&c, argc, argv, shell_help, &kdir, &p);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	work = make_work_dir();
	if (!work)
		return EXIT_RUN_FAILED;
	rc = job_save(p, &c.o, c.o.ccs[0], kdir, work, "shell");
	u.kernel_dir = kdir;
	u.work_dir = work;
	u.real = c.o.real;
	u.mem_mb = mem_mb(&c.o, p);
	if (!rc)
		rc = uml_check_room(u.mem_mb);
	if (!rc)
		rc = uml_shell(&u);
	rm_rf(work);
	free(work);
	plan_free(p);
	scenario_free(c.sc);
	free(kdir);
	return rc;
}
