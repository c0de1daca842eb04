// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the command line of "run" and "shell".
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "boot/backend.h"

#define EVENTS_MB	256

static const char *const clocks[] = { "virtual", "real", NULL };
static const char *const backends[] = { "uml", "qemu", NULL };
static const char *const accels[] = { "tcg", "kvm", "auto", NULL };

#define AT(m)	.at = offsetof(struct cmd, m)
const struct option_row run_rows[] = {
	{ "cc", "A[,B...]", "algorithms, \"none\" if not given; \"lab list\" names them.\n"
	  "A:K=V[:K=V...] is A with parameters (or preset=P) of its own, and a\n"
	  "run of its own: DIR/SCENARIO/A:K=V.../seedN/. A@h0-h3+B@h4-h7 gives groups\n"
	  "of hosts an algorithm each", OPTION_TEXT, AT(ccs) },
	{ "on", "HOST", "host of the program (the scenario's first)", OPTION_TEXT, AT(on),
	  .in = FOR_EXEC },
	{ "ranks", "N", "ranks (one on each host)", OPTION_COUNT, AT(ranks), .letter = 'n',
	  .min = 1, .max = MPI_RANKS_MAX, .in = FOR_MPIRUN },
	{ "map", "HOSTS", "hosts in the order of ranks, as h0-h3,h7 (all of the scenario);\n"
	  "more ranks begin again at the first", OPTION_TEXT, AT(map), .in = FOR_MPIRUN },
	{ "traffic", NULL, "the scenario's flows run beside the program", OPTION_FLAG, AT(traffic),
	  .in = FOR_EXEC | FOR_MPIRUN },
	{ "set", "KEY=VALUE", "change a key of the scenario; \"lab list SCENARIO\" names them",
	  OPTION_LIST, AT(sets) },
	{ "at", "TIME:WHAT", "change something in the run, as \"1ms:link a-b down\"; adds to the\n"
	  "key timeline", OPTION_LIST, AT(ats) },
	{ "param", "K=V", "parameter, which all algorithms but \"none\" must have; A.K=V of A only",
	  OPTION_LIST, AT(o.params) },
	{ "knob", "K=V", "knob of the hosts' devices", OPTION_LIST, AT(o.knobs) },
	{ "module", "FILE", "your own module with an algorithm, from \"lab build\"; any number",
	  OPTION_CALL, .call = own_module_option },
	{ "seed", "N", "of everything random (1)", OPTION_COUNT, AT(o.seed) },
	{ "out", "DIR", "where results go (./results)", OPTION_TEXT, AT(o.out) },
	{ "dry-run", NULL, "check everything, also with the kernel, and say what would run",
	  OPTION_FLAG, AT(o.dry) },
	{ "force", NULL, "overwrite results that were made with other settings", OPTION_FLAG,
	  AT(o.force) },
	{ "clock", "C", "virtual (default), or real: the same kernel without time travel",
	  OPTION_TEXT, AT(clock), .words = clocks, .in = FOR_OTHERS },
	{ "beyond", NULL, "with --clock real: run what real time here cannot keep, and note it",
	  OPTION_FLAG, AT(o.beyond), .in = FOR_OTHERS },
	{ "top", NULL, "with --clock real: show rates, queues and pauses each second while the\n"
	  "traffic runs, as \"rxecc top -a\"", OPTION_FLAG, AT(o.top), .in = FOR_OTHERS },
	{ "backend", "B", "uml (default): one kernel; qemu: guests with the distribution's\n"
	  "kernel, in real time", OPTION_TEXT, AT(backend), .words = backends, .in = FOR_OTHERS },
	{ "guests", "N", "qemu: guests that share the hosts (4); the switches have one more",
	  OPTION_COUNT, AT(o.guests), .min = 1, .in = FOR_OTHERS },
	{ "cpus", "N", "qemu: processors of a guest (2)", OPTION_COUNT, AT(o.cpus), .min = 1,
	  .in = FOR_OTHERS },
	{ "guest-cpus", "N", "--cpus", .kind = OPTION_OLD, .in = FOR_OTHERS },
	{ "accel", "A", "qemu: tcg, kvm or auto: kvm if a guest boots with it (default)",
	  OPTION_TEXT, AT(o.accel), .words = accels, .in = FOR_OTHERS },
	{ "debug", NULL, "use the debug kernel (build/uml-debug)", OPTION_FLAG, AT(o.debug) },
	{ "apps", NULL, "use the kernel for fio and NVMe (\"make lab-apps\")", OPTION_FLAG,
	  AT(o.apps) },
	{ "timeout", "S", "give up after S seconds of wall time (1800)", OPTION_COUNT,
	  AT(o.timeout_s), .min = 1 },
	{ "mem", "MB", "memory of the lab kernel (2048 and more for many hosts), or of\n"
	  "each guest (384)", OPTION_COUNT, AT(o.mem_mb), .min = 64 },
	{ "events", NULL, "write events.csv too: all that the algorithm was told and decided",
	  OPTION_FLAG, AT(events) },
	{ "events-mb", "MB", "the same, with so much memory between two samples (256)",
	  OPTION_COUNT, AT(o.events_mb), .min = 1 },
	{ "keep", NULL, "keep raw rows and the job file, and say where", OPTION_FLAG, AT(o.keep) },
	{ "json", NULL, "print the summaries as JSON instead of the table", OPTION_FLAG,
	  AT(o.json), .letter = 'j' },
	{ "quiet", NULL, "no progress line", OPTION_FLAG, AT(o.quiet), .letter = 'q' },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static void split_ccs(struct cmd *c)
{
	char *list = xstrdup(c->ccs ? c->ccs : "none"), *name;

	while ((name = strsep(&list, ","))) {
		c->o.ccs = xreallocarray(c->o.ccs, c->o.n_ccs + 1, sizeof(*c->o.ccs));
		c->o.ccs[c->o.n_ccs++] = name;
	}
}

static int check_backend(struct cmd *c)
{
	struct run_opts *o = &c->o;

	if (c->clock)
		o->real = strcmp(c->clock, "real") == 0;
	if (o->top && (!o->real || c->backend))
		return usage_error("--top: with --clock real only, in one kernel: in virtual time there is nothing to watch");
	if (o->top && o->json)
		return usage_error("--top: not with --json, which prints nothing else");
	o->qemu = c->backend && strcmp(c->backend, "qemu") == 0;
	return backend_of(o)->check(c);
}

/* What --at says goes behind what the key has. */
static int add_timeline(struct cmd *c)
{
	struct key *k = scenario_key(c->sc, "timeline");
	const char *old;
	char *text;
	size_t i;
	int rc = 0;

	for (i = 0; i < c->ats.n && !rc; i++) {
		old = k->set ? k->text : k->def;
		text = strcmp(old, "none") ? xasprintf("timeline=%s;%s", old, c->ats.v[i]) :
		       xasprintf("timeline=%s", c->ats.v[i]);
		rc = scenario_set(c->sc, text);
		free(text);
	}
	return rc;
}

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse_args(struct cmd *c, const struct options *options, int argc, char **argv)
{
	int rc = options_parse(options, c, argc, argv);
	size_t i;

	if (rc)
		return rc;
	if (c->events && !c->o.events_mb)
		c->o.events_mb = EVENTS_MB;
	rc = check_backend(c);
	if (rc)
		return rc;
	if (optind != argc - 1)
		return usage_error("exactly one scenario expected; see \"%s --help\"",
				   options->command);
	split_ccs(c);
	c->sc = scenario_load(argv[optind]);
	if (!c->sc)
		return EXIT_USAGE;
	for (i = 0; i < c->sets.n; i++) {
		rc = scenario_set(c->sc, c->sets.v[i]);
		if (rc)
			return rc;
	}
	rc = add_timeline(c);
	return rc ? rc : plan_resolve(c->sc);
}

static int check_parts(const char *kdir)
{
	static const char *const parts[] = { "linux", "sch_roce.ko", "rxe_cc.ko", "rdma_rxe.ko" };
	static const char *const progs[] = { "labinit", "flowgen" };
	char *path;
	size_t i;
	int rc = check_built(kdir);

	for (i = 0; i < ARRAY_SIZE(parts) + ARRAY_SIZE(progs) && !rc; i++) {
		if (i < ARRAY_SIZE(parts))
			path = xasprintf("%s/%s", kdir, parts[i]);
		else
			path = xasprintf("%s/build/bin/%s", lab_root(),
					 progs[i - ARRAY_SIZE(parts)]);
		rc = check_built(path);
		free(path);
	}
	return rc;
}

/* Are the algorithms there, and all that is set of them; of groups those of each. */
static int check_ccs(const struct cmd *c)
{
	struct cmd each = *c;
	size_t i;
	int rc;

	each.o.ccs = cc_items(c->o.ccs, c->o.n_ccs, &each.o.n_ccs);
	rc = cc_check(c->kdir, each.o.ccs, each.o.n_ccs);
	if (!rc)
		rc = params_check(&c->o.params, each.o.ccs, each.o.n_ccs);
	if (!rc)
		rc = params_known(&each);
	for (i = 0; i < each.o.n_ccs; i++)
		free(each.o.ccs[i]);
	free(each.o.ccs);
	return rc;
}

/* With the plan: is what groups of hosts have enough for their flows. */
static int check_groups(const struct cmd *c)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < c->o.n_ccs && !rc; i++)
		rc = cc_groups_check(c->plan, c->o.ccs[i]);
	return rc;
}

/**
 * cmd_parse() - from the arguments to the scenario and its settings
 * @c: with defaults in it; the rest but the plan is filled in
 * @options: of the command
 * @argc: as of main()
 * @argv: as of main()
 *
 * Return: 0: go on; -1: help was asked for; else an exit status after a message.
 * Only after 0 is there anything for cmd_free().
 */
int cmd_parse(struct cmd *c, const struct options *options, int argc, char **argv)
{
	int rc = parse_args(c, options, argc, argv);

	if (rc)
		return rc;
	if (c->o.qemu && own_module_path(0))
		return usage_error("--module: only in the lab kernel, not with --backend qemu");
	if (c->o.apps && (c->o.debug || c->o.qemu || own_module_path(0)))
		return usage_error("--apps: a kernel of its own, not with --debug, --backend qemu or --module");
	rc = own_modules_use(c->o.debug);
	if (rc)
		return rc;
	c->kdir = kernel_dir_of(&c->o);
	if (c->o.apps && !path_exists(c->kdir))
		return run_error("%s is missing: run \"make lab-apps\" first", c->kdir);
	rc = check_parts(c->kdir);
	if (!rc)
		rc = check_ccs(c);
	if (!rc)
		rc = short_prio_check_knobs(c->sc, &c->o);
	return rc;
}

/* What switches are told can depend on what an algorithm is set to. */
static int get_tables(struct cmd *c)
{
	bool any = false;
	size_t i;

	for (i = 0; i < c->o.n_ccs; i++)
		any |= strcmp(c->o.ccs[i], "none") != 0;
	if (any)
		c->plan->tables = json_object_get(kernel_param_tables(c->kdir, c->o.debug));
	return !any || c->plan->tables ? 0 : EXIT_RUN_FAILED;
}

/**
 * cmd_prepare() - from the arguments to the plan
 * @c: with defaults in it; the rest is filled in
 * @options: of the command
 * @argc: as of main()
 * @argv: as of main()
 *
 * Return: as cmd_parse().
 */
int cmd_prepare(struct cmd *c, const struct options *options, int argc, char **argv)
{
	int rc = cmd_parse(c, options, argc, argv);

	return rc ? rc : cmd_plan(c);
}

/**
 * cmd_plan() - from the scenario and its settings to the plan
 * @c: after cmd_parse()
 *
 * Return: 0, or the exit status after a message.
 */
int cmd_plan(struct cmd *c)
{
	int rc;

	rc = plan_build(c->sc, c->o.seed, &c->plan);
	if (!rc)
		rc = check_groups(c);
	if (!rc)
		rc = get_tables(c);
	if (!rc)
		rc = timeline_known(c);
	return rc ? rc : backend_of(&c->o)->check(c);
}

void cmd_free(struct cmd *c)
{
	if (c->plan)
		plan_free(c->plan);
	scenario_free(c->sc);
	free(c->kdir);
}
