// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the command line of "run" and "shell".
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "boot/qemu.h"

#define MEM_MB		2048
#define MEM_DEBUG_MB	4096
/* Beside what the kernel, packets and queue pairs take; only what is used is taken. */
#define MEM_HOST_MB	2
/* Measured: 1024 hosts and 6144 ports of a fat-tree take 1854 MB, 320 at one switch 508. */
#define FABRIC_HOST_KB	1424
#define FABRIC_PORT_KB	102
#define EVENTS_MB	256

enum {
	OPT_CC = 256, OPT_SET, OPT_PARAM, OPT_KNOB, OPT_SEED, OPT_OUT, OPT_FORCE, OPT_CLOCK,
	OPT_BACKEND, OPT_DEBUG, OPT_TIMEOUT, OPT_MEM, OPT_KEEP,
	OPT_EVENTS, OPT_EVENTS_MB, OPT_DRY, OPT_GUESTS, OPT_CPUS, OPT_ACCEL,
	OPT_BEYOND,
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
	{ "beyond", no_argument, NULL, OPT_BEYOND },
	{ "backend", required_argument, NULL, OPT_BACKEND },
	{ "debug", no_argument, NULL, OPT_DEBUG },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "mem", required_argument, NULL, OPT_MEM },
	{ "events", no_argument, NULL, OPT_EVENTS },
	{ "events-mb", required_argument, NULL, OPT_EVENTS_MB },
	{ "keep", no_argument, NULL, OPT_KEEP },
	{ "dry-run", no_argument, NULL, OPT_DRY },
	{ "guests", required_argument, NULL, OPT_GUESTS },
	{ "guest-cpus", required_argument, NULL, OPT_CPUS },
	{ "accel", required_argument, NULL, OPT_ACCEL },
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
		c->clock = optarg;
		return parse_word("--clock", optarg, "virtual", "real", &o->real);
	case OPT_BEYOND:
		o->beyond = true;
		return 0;
	case OPT_BACKEND:
		return parse_word("--backend", optarg, "uml", "qemu", &o->qemu);
	case OPT_GUESTS:
		rc = parse_count("--guests", optarg, 1, &val);
		o->guests = val;
		return rc;
	case OPT_CPUS:
		rc = parse_count("--guest-cpus", optarg, 1, &val);
		o->guest_cpus = val;
		return rc;
	case OPT_ACCEL:
		o->accel = optarg;
		return strcmp(optarg, "tcg") && strcmp(optarg, "kvm") && strcmp(optarg, "auto") ?
		       usage_error("--accel %s: must be tcg, kvm or auto", optarg) : 0;
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
	case OPT_DRY:
		o->dry = true;
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

static int check_backend(struct cmd *c)
{
	struct run_opts *o = &c->o;

	if (!o->qemu)
		return o->guests || o->guest_cpus || o->accel ?
		       usage_error("--guests, --guest-cpus, --accel: only with --backend qemu") : 0;
	if (c->clock && !o->real)
		return usage_error("--clock virtual: not with --backend qemu: its guests run in real time");
	o->real = true;
	return qemu_check(c);
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
	rc = check_backend(c);
	if (rc)
		return rc;
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
	return plan_resolve(c->sc);
}

static int check_parts(const char *kdir)
{
	static const char *const parts[] = { "linux", "sch_roce.ko", "rxe_cc.ko", "rdma_rxe.ko" };
	static const char *const progs[] = { "labinit", "flowgen" };
	char *path;
	size_t i;
	int rc = built(kdir);

	for (i = 0; i < ARRAY_SIZE(parts) + ARRAY_SIZE(progs) && !rc; i++) {
		if (i < ARRAY_SIZE(parts))
			path = xasprintf("%s/%s", kdir, parts[i]);
		else
			path = xasprintf("%s/build/bin/%s", lab_root(),
					 progs[i - ARRAY_SIZE(parts)]);
		rc = built(path);
		free(path);
	}
	return rc;
}

/**
 * cmd_mem_mb() - memory of the lab kernel
 * @c: from cmd_prepare()
 *
 * Return: megabytes.
 */
int64_t cmd_mem_mb(const struct cmd *c)
{
	const struct run_opts *o = &c->o;

	if (o->mem_mb)
		return o->mem_mb;
	return (o->debug ? MEM_DEBUG_MB : MEM_MB) + (int64_t)c->plan->n_hosts * MEM_HOST_MB +
	       o->events_mb;
}

/* What the fabric takes of it before any traffic: measured from 16 to 1024 hosts. */
static int64_t fabric_mb(const struct plan *p)
{
	return 32 + (p->n_hosts * FABRIC_HOST_KB + 2LL * p->n_links * FABRIC_PORT_KB) / 1024;
}

static int64_t available_mb(void)
{
	char *text = read_file("/proc/meminfo", NULL), *at;
	int64_t kb = INT64_MAX;

	at = text ? strstr(text, "MemAvailable:") : NULL;
	if (at)
		sscanf(at, "MemAvailable: %" SCNd64, &kb);
	free(text);
	return kb / 1024;
}

/* Better now than when the kernel runs out of it in the middle of the set-up. */
static int check_memory(const struct cmd *c)
{
	int64_t need = fabric_mb(c->plan), mem = cmd_mem_mb(c), have = available_mb();

	if (mem < need)
		return usage_error("--mem %" PRId64 ": %d hosts and %d ports need about %" PRId64
				   " MB", mem, c->plan->n_hosts, 2 * c->plan->n_links, need);
	if (have < need)
		return run_error("%d hosts and %d ports need about %" PRId64
				 " MB of memory, %" PRId64 " MB are available", c->plan->n_hosts,
				 2 * c->plan->n_links, need, have);
	return 0;
}

/**
 * cmd_parse() - from the arguments to the scenario and its settings
 * @c: with defaults in it; the rest but the plan is filled in
 * @argc: as of main()
 * @argv: as of main()
 * @help: text of --help
 *
 * Return: 0: go on; -1: help was asked for; else an exit status after a message.
 * Only after 0 is there anything for cmd_free().
 */
int cmd_parse(struct cmd *c, int argc, char **argv, const char *help)
{
	int rc = parse_args(c, argc, argv, help);

	if (rc)
		return rc;
	c->kdir = kernel_dir(c->o.debug);
	rc = check_parts(c->kdir);
	if (!rc)
		rc = cc_check(c->kdir, c->o.ccs, c->o.n_ccs);
	if (!rc)
		rc = params_check(c->o.params, c->o.n_params, c->o.ccs, c->o.n_ccs);
	if (!rc)
		rc = known_check(c);
	if (!rc)
		rc = prio_check_knobs(c->sc, &c->o);
	return rc;
}

/**
 * cmd_prepare() - from the arguments to the plan
 * @c: with defaults in it; the rest is filled in
 * @argc: as of main()
 * @argv: as of main()
 * @help: text of --help
 *
 * Return: as cmd_parse().
 */
int cmd_prepare(struct cmd *c, int argc, char **argv, const char *help)
{
	int rc = cmd_parse(c, argc, argv, help);

	if (rc)
		return rc;
	rc = plan_build(c->sc, c->o.seed, &c->plan);
	if (!rc && c->o.qemu)
		return qemu_check(c);
	return rc ? rc : check_memory(c);
}

void cmd_free(struct cmd *c)
{
	if (c->plan)
		plan_free(c->plan);
	scenario_free(c->sc);
	free(c->kdir);
}
