// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: the command line.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pair/pair.h"

#define INT_DEV_MTU_MIN	1024
#define INT_DEV_MTU_MAX	9000

static const struct pair_set defaults[PAIR_SETS] = {
	{ "rate", "of all four ports", "10gbit", UNIT_RATE, 1e6, 800e9 },
	{ "delay", "propagation delay of each of the two cables", "1us", UNIT_TIME, 0, 1e9 },
	/* RoCE's 4096 with all headers, and room for telemetry: or ours had a smaller one. */
	{ "mtu", "of the network devices, with IP and RoCE headers", "5000", UNIT_COUNT,
	  INT_DEV_MTU_MIN, INT_DEV_MTU_MAX },
	{ "buffer", "of the switch", "16mb", UNIT_SIZE, 65536, 1e9 },
	{ "kmin", "of the switch's ports: marks begin", "100kb", UNIT_SIZE, 0, 1e9 },
	{ "kmax", "everything is marked", "400kb", UNIT_SIZE, 0, 1e9 },
	{ "pmax", "part that is marked at kmax", "0.2", UNIT_FRACTION, 0, 1 },
};

enum {
	OPT_CC = 256, OPT_TESTS, OPT_SIZES, OPT_QPS, OPT_SET, OPT_BACKEND, OPT_CPUS, OPT_OUT,
	OPT_ROUNDS, OPT_TRIES, OPT_TIMEOUT, OPT_LIST,
};

static const struct option options[] = {
	{ "cc", required_argument, NULL, OPT_CC },
	{ "tests", required_argument, NULL, OPT_TESTS },
	{ "sizes", required_argument, NULL, OPT_SIZES },
	{ "qps", required_argument, NULL, OPT_QPS },
	{ "set", required_argument, NULL, OPT_SET },
	{ "backend", required_argument, NULL, OPT_BACKEND },
	{ "cpus", required_argument, NULL, OPT_CPUS },
	{ "out", required_argument, NULL, OPT_OUT },
	{ "rounds", required_argument, NULL, OPT_ROUNDS },
	{ "tries", required_argument, NULL, OPT_TRIES },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "json", no_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int set_option(struct pair *p, const char *arg)
{
	const char *names[PAIR_SETS], *like, *eq = strchr(arg, '=');
	size_t i, len = eq ? (size_t)(eq - arg) : 0;
	struct pair_set *s;
	char *name;
	double val;
	int rc;

	if (!len || !eq[1])
		return usage_error("--set %s: NAME=VALUE expected", arg);
	for (i = 0; i < PAIR_SETS; i++) {
		s = &p->sets[i];
		names[i] = s->name;
		if (strlen(s->name) != len || strncmp(s->name, arg, len))
			continue;
		if (unit_parse(s->unit, eq + 1, &val))
			return usage_error("--set %s: not a value in the unit \"%s\"", arg,
					   unit_name(s->unit));
		if (val < s->min || val > s->max)
			return usage_error("--set %s: not in %.0f..%.0f", arg, s->min, s->max);
		s->text = eq + 1;
		return 0;
	}
	name = xasprintf("%.*s", (int)len, arg);
	like = nearest(name, names, PAIR_SETS);
	rc = usage_error("--set %s: unknown name%s%s%s", arg, like ? ", did you mean \"" : "",
			 like ? like : "", like ? "\"?" : "");
	free(name);
	return rc;
}

static int count_option(const char *opt, const char *text, uint64_t max, uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || *val < 1 || *val > max)
		return usage_error("%s %s: a number in 1..%llu expected", opt, text,
				   (unsigned long long)max);
	return 0;
}

static void add_cc(struct pair *p, const char *name)
{
	p->ccs = xrealloc(p->ccs, (p->n_ccs + 1) * sizeof(*p->ccs));
	p->ccs[p->n_ccs++] = xstrdup(name);
}

/* Stock rxe is always among them: all others are compared with it. */
static int take_ccs(struct pair *p, const char *arg)
{
	char *list = arg ? xstrdup(arg) : NULL, *rest = list, *name, **all;
	size_t i, n;
	int rc = 0;

	add_cc(p, STOCK);
	while (rest && (name = strsep(&rest, ",")))
		if (strcmp(name, STOCK))
			add_cc(p, name);
	free(list);
	if (p->n_ccs > 1)
		rc = cc_check(p->kdir, p->ccs + 1, p->n_ccs - 1);
	if (arg)
		return rc;
	all = cc_names(p->kdir, &n);
	/* "none" is the first of all to be looked at. */
	add_cc(p, "none");
	for (i = 0; i < n; i++) {
		if (strcmp(all[i], "none"))
			add_cc(p, all[i]);
		free(all[i]);
	}
	free(all);
	return 0;
}

/**
 * pair_place() - make the directory for results
 * @p: command line
 *
 * Return: 0, or the exit status after a message.
 */
int pair_place(struct pair *p)
{
	char *dir = p->out;

	p->out = mkdir_p(dir) ? NULL : realpath(dir, NULL);
	if (!p->out) {
		run_error("--out %s: %s", dir, strerror(errno));
		p->out = dir;
		return EXIT_RUN_FAILED;
	}
	free(dir);
	return 0;
}

static int parse_option(struct pair *p, int opt, const char **cc, const char **out)
{
	switch (opt) {
	case OPT_CC:
		*cc = optarg;
		return 0;
	case OPT_TESTS:
		p->tests = optarg;
		return 0;
	case OPT_SIZES:
		p->sizes = optarg;
		return 0;
	case OPT_QPS:
		p->qps = optarg;
		return 0;
	case OPT_SET:
		return set_option(p, optarg);
	case OPT_BACKEND:
		p->qemu = strcmp(optarg, "qemu") == 0;
		if (p->qemu || strcmp(optarg, "uml") == 0)
			return 0;
		return usage_error("--backend %s: must be uml or qemu", optarg);
	case OPT_CPUS:
		return count_option("--cpus", optarg, 64, &p->cpus);
	case OPT_OUT:
		*out = optarg;
		return 0;
	case OPT_ROUNDS:
		return count_option("--rounds", optarg, 1000, &p->rounds);
	case OPT_TRIES:
		return count_option("--tries", optarg, 100, &p->tries);
	case OPT_TIMEOUT:
		return count_option("--timeout", optarg, 86400, &p->timeout_s);
	case OPT_LIST:
		p->list = true;
		return 0;
	case 'j':
		p->json = true;
		return 0;
	case 'q':
		p->quiet = true;
		return 0;
	}
	return usage_error("see \"lab %s --help\"", p->name);
}

/**
 * pair_parse() - the command line
 * @p: with the name and defaults in it; the rest is filled in
 * @argc: as of main()
 * @argv: as of main()
 * @help: text of --help
 *
 * Return: 0: go on; -1: help was asked for; else an exit status after a message.
 */
int pair_parse(struct pair *p, int argc, char **argv, const char *help)
{
	const char *cc = NULL, *out = NULL;
	int opt, rc;

	memcpy(p->sets, defaults, sizeof(defaults));
	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, "+jqh", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			return -1;
		}
		if (opt == '?')
			return usage_error("%s: unknown option or no value; see \"lab %s --help\"",
					   argv[optind - 1], p->name);
		rc = parse_option(p, opt, &cc, &out);
		if (rc)
			return rc;
	}
	p->more = argv + optind;
	p->n_more = argc - optind;
	if (p->n_more && strcmp(argv[optind - 1], "--"))
		return usage_error("\"%s\": unexpected before --; see \"lab %s --help\"",
				   argv[optind], p->name);
	if (p->cpus && !p->qemu)
		return usage_error("--cpus: the lab kernel has one; --backend qemu has more");
	if (!p->cpus)
		p->cpus = p->qemu ? 2 : 1;
	p->kdir = kernel_dir(false);
	rc = built(p->kdir);
	if (!rc)
		rc = take_ccs(p, cc);
	p->out = out ? xstrdup(out) : xasprintf(RESULTS_DIR "/%s", p->name);
	return rc;
}

void pair_free(struct pair *p)
{
	size_t i;

	for (i = 0; i < p->n_ccs; i++)
		free(p->ccs[i]);
	free(p->ccs);
	free(p->out);
	free(p->kdir);
}

/**
 * pair_set_text() - a setting
 * @p: command line
 * @name: of the setting
 *
 * Return: its text.
 */
const char *pair_set_text(const struct pair *p, const char *name)
{
	size_t i;

	for (i = 0; i < PAIR_SETS; i++)
		if (strcmp(p->sets[i].name, name) == 0)
			return p->sets[i].text;
	return "";
}

/**
 * pair_settings() - all settings
 * @p: command line
 *
 * Return: new JSON object, name to text.
 */
struct json_object *pair_settings(const struct pair *p)
{
	struct json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < PAIR_SETS; i++)
		js_add_str(o, p->sets[i].name, p->sets[i].text);
	return o;
}
