// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: the command lines.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "programs/programs.h"

#define TRIES		3

static const char perftest_help[] =
"Usage: lab perftest [OPTIONS] [-- PERFTEST-ARGUMENTS]\n\n"
"Runs perftest (ib_write_bw and so on) between two soft-RoCE devices with a switch\n"
"between them, in real time: under stock rxe, under ours without an algorithm, and\n"
"under each algorithm, one after the other. Prints a table, and writes perftest.json\n"
"and what each run printed to DIR. Exit status: 0 all ran, 1 not so, 2 bad arguments.\n\n"
"  --cc A[,B...]    algorithms as of \"lab run\"; \"none\" and all others if not given.\n"
"                   Stock rxe is always run too\n"
"  --tests T[,T...] tests, connections (RC, UC, UD), modes (plain, cm, srq), or some of\n"
"                   these with dots between: write_bw, ib_send_lat.UD, cm; default all\n"
"  --sizes N[,N...] message sizes (64kb for bandwidth, UD 1kb; 64 for latency)\n"
"  --qps N[,N...]   queue pairs, of bandwidth tests (1)\n"
"  --rounds N       how often all is run; the table has medians (1)\n"
"  --set KEY=VALUE  rate, delay, mtu, buffer, kmin, kmax, pmax of the switch and its cables\n"
"  --backend B      uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
"                   in QEMU\n"
"  --cpus N         of the guest of QEMU (2)\n"
"  --tries N        run a case that fails up to N times (3)\n"
"  --timeout S      end a run after S seconds (60)\n"
"  --out DIR        where results go (./results/perftest)\n"
"  --list           print the cases and the client's command lines, run nothing\n"
"  -j, --json       print JSON instead of the table\n"
"  -q, --quiet      no progress\n"
"  -h, --help       this text\n";

static const char judge_help[] =
"Usage: lab judge [OPTIONS]\n\n"
"Runs other people's tests between two soft-RoCE devices, in real time: the examples\n"
"of libibverbs and librdmacm, perftest, and rdma-core's tests in Python; under stock\n"
"rxe, under ours without an algorithm, and under each algorithm. What passes with stock\n"
"rxe must pass with ours. Prints a table, and writes judge.json and what each run printed\n"
"to DIR. Exit status: 0 that is so, 1 not so, 2 bad arguments.\n\n"
"  --cc A[,B...]    algorithms as of \"lab run\"; \"none\" and all others if not given.\n"
"                   Stock rxe is always run too\n"
"  --tests T[,T...] names, or their beginning up to a dot: rping, perftest,\n"
"                   pyverbs.test_qp; default all\n"
"  --set KEY=VALUE  rate, delay, mtu, buffer, kmin, kmax, pmax of the switch and its cables\n"
"  --backend B      uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
"                   in QEMU, without the tests in Python\n"
"  --cpus N         of the guest of QEMU (2)\n"
"  --tries N        run a test that fails up to N times (3; mckey at least 20); the table\n"
"                   says so: pass/2\n"
"  --timeout S      end a run after S seconds (60, of a suite 240)\n"
"  --out DIR        where results go (./results/judge)\n"
"  --list           print the tests and their commands, run nothing\n"
"  -j, --json       print JSON instead of the table\n"
"  -q, --quiet      no progress\n"
"  -h, --help       this text\n";

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

/* Numbers of --sizes or --qps; 0 ends them. */
static int numbers_option(const char *opt, const char *text, enum unit unit, double max,
			  int64_t *list, size_t room)
{
	char *copy = xstrdup(text), *rest = copy, *w;
	double val;
	size_t n = 0;
	int rc = 0;

	while (!rc && (w = strsep(&rest, ","))) {
		if (n + 1 == room || unit_parse(unit, w, &val) || val < 1 || val > max)
			rc = usage_error("%s %s: up to %zu numbers in 1..%.0f expected", opt, text,
					 room - 1, max);
		else
			list[n++] = val;
	}
	list[n] = 0;
	free(copy);
	return rc;
}

static int parse_option(struct programs *p, int opt, const char **cc, const char **out)
{
	switch (opt) {
	case OPT_CC:
		*cc = optarg;
		return 0;
	case OPT_TESTS:
		p->only = optarg;
		return 0;
	case OPT_SIZES:
		return numbers_option("--sizes", optarg, UNIT_SIZE, 1 << 23, p->sizes,
				      ARRAY_SIZE(p->sizes));
	case OPT_QPS:
		return numbers_option("--qps", optarg, UNIT_COUNT, 4096, p->qps,
				      ARRAY_SIZE(p->qps));
	case OPT_SET:
		return programs_set(p, optarg);
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
	return usage_error("see \"lab %s --help\"", p->ops->name);
}

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse(struct programs *p, int argc, char **argv, const char *help)
{
	const char *cc = NULL, *out = NULL;
	int opt, rc;

	programs_defaults(p);
	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, "+jqh", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			return -1;
		}
		if (opt == '?')
			return usage_error("%s: unknown option or no value; see \"lab %s --help\"",
					   argv[optind - 1], p->ops->name);
		rc = parse_option(p, opt, &cc, &out);
		if (rc)
			return rc;
	}
	p->more = argv + optind;
	p->n_more = argc - optind;
	if (p->n_more && strcmp(argv[optind - 1], "--"))
		return usage_error("\"%s\": unexpected before --; see \"lab %s --help\"",
				   argv[optind], p->ops->name);
	if (!p->ops->rounds && (p->sizes[0] || p->qps[0] || p->n_more || p->rounds != 1))
		return usage_error("--sizes, --qps, --rounds, --: only lab perftest has them");
	if (p->cpus && !p->qemu)
		return usage_error("--cpus: the lab kernel has one; --backend qemu has more");
	if (!p->cpus)
		p->cpus = p->qemu ? 2 : 1;
	p->kdir = kernel_dir(false);
	rc = built(p->kdir);
	if (!rc)
		rc = programs_ccs(p, cc);
	p->out = out ? xstrdup(out) : xasprintf(RESULTS_DIR "/%s", p->ops->name);
	return rc;
}

static int command(const struct programs_ops *ops, int argc, char **argv, const char *help)
{
	struct programs p = { .ops = ops, .rounds = 1, .tries = TRIES };
	int rc = parse(&p, argc, argv, help);

	if (!rc)
		rc = programs(&p);
	programs_free(&p);
	return rc < 0 ? EXIT_OK : rc;
}

int cmd_perftest(int argc, char **argv)
{
	return command(&perftest_ops, argc, argv, perftest_help);
}

int cmd_judge(int argc, char **argv)
{
	return command(&judge_ops, argc, argv, judge_help);
}
