// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: the command lines. Both run other people's RDMA programs under stock
 * rxe and under ours.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/options.h"
#include "programs/test_cases.h"

#define TRIES		3

enum { PERFTEST = 1, JUDGE = 2 };

static const char *const clocks[] = { "virtual", "real", NULL };
static const char *const backends[] = { "uml", "qemu", NULL };

static int set(void *into, const struct option_row *row, char *text)
{
	(void)row;
	return programs_set(into, text);
}

/* Numbers with commas between; 0 ends them. */
static int numbers(void *into, const struct option_row *row, char *text)
{
	int64_t *list = (int64_t *)((char *)into + row->at);
	enum unit unit = strcmp(row->name, "sizes") ? UNIT_COUNT : UNIT_SIZE;
	char *copy = xstrdup(text), *rest = copy, *w;
	double val;
	size_t n = 0;
	int rc = 0;

	while (!rc && (w = strsep(&rest, ","))) {
		if (n == PROGRAM_NUMBERS - 1 || unit_parse(unit, w, &val) || val < 1 ||
		    val > row->max)
			rc = usage_error("--%s %s: up to %d numbers in 1..%llu expected", row->name,
					 text, PROGRAM_NUMBERS - 1, (unsigned long long)row->max);
		else
			list[n++] = val;
	}
	list[n] = 0;
	free(copy);
	return rc;
}

#define AT(m)	.at = offsetof(struct programs, m)

static const struct option_row rows[] = {
	{ "cc", "A[,B...]", "algorithms as of \"lab run\"; \"none\" and all others if not given.\n"
	  "Stock rxe is always run too", OPTION_TEXT, AT(cc) },
	{ "tests", "T[,T...]", "tests, connections (RC, UC, UD), modes (plain, cm, srq), or some of\n"
	  "these with dots between: write_bw, ib_send_lat.UD, cm; default all", OPTION_TEXT,
	  AT(only), .in = PERFTEST },
	{ "tests", "T[,T...]", "names, or their beginning up to a dot: rping, perftest,\n"
	  "pyverbs.test_qp; default all", OPTION_TEXT, AT(only), .in = JUDGE },
	{ "sizes", "N[,N...]", "message sizes (64kb for bandwidth, UD 1kb; 64 for latency)",
	  OPTION_CALL, AT(sizes), .in = PERFTEST, .max = 1 << 23, .call = numbers },
	{ "qps", "N[,N...]", "queue pairs, of bandwidth tests (1)", OPTION_CALL, AT(qps),
	  .in = PERFTEST, .max = 4096, .call = numbers },
	{ "rounds", "N", "how often all is run; the table has medians (1)", OPTION_COUNT,
	  AT(rounds), .in = PERFTEST, .min = 1, .max = 1000 },
	{ "set", "KEY=VALUE", "rate, delay, mtu, buffer, kmin, kmax, pmax of the switch and its cables;\n"
	  "in virtual time host_post, host_completion, host_interrupt: what processors take",
	  OPTION_CALL, .call = set },
	{ "backend", "B", "uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
	  "in QEMU", OPTION_TEXT, AT(backend), .in = PERFTEST, .words = backends },
	{ "backend", "B", "uml: the lab kernel, one CPU (default); qemu: the distribution's kernel\n"
	  "in QEMU, without the tests in Python", OPTION_TEXT, AT(backend), .in = JUDGE,
	  .words = backends },
	{ "clock", "C", "virtual: exact, the same in each run (default); real: this machine's, as\n"
	  "with --backend qemu", OPTION_TEXT, AT(clock), .words = clocks },
	{ "jobs", "N", "cases at a time, in virtual time (one per processor)", OPTION_COUNT,
	  AT(jobs), .min = 1, .max = 256 },
	{ "cpus", "N", "of the guest of QEMU (2)", OPTION_COUNT, AT(cpus), .min = 1, .max = 64 },
	{ "tries", "N", "run a case that fails up to N times (3; in virtual time 1)",
	  OPTION_COUNT, AT(tries), .in = PERFTEST, .min = 1, .max = 100 },
	{ "tries", "N", "run a test that fails up to N times (3, in virtual time 1; mckey at\n"
	  "least 20); the table says so: pass/2", OPTION_COUNT, AT(tries), .in = JUDGE,
	  .min = 1, .max = 100 },
	{ "timeout", "S", "end a run after S seconds, in virtual time of that (60)",
	  OPTION_COUNT, AT(timeout_s), .in = PERFTEST, .min = 1, .max = 86400 },
	{ "timeout", "S", "end a run after S seconds, in virtual time of that (60, of a suite 240)",
	  OPTION_COUNT, AT(timeout_s), .in = JUDGE, .min = 1, .max = 86400 },
	{ "out", "DIR", "where results go (./results/perftest)", OPTION_TEXT, AT(place),
	  .in = PERFTEST },
	{ "out", "DIR", "where results go (./results/judge)", OPTION_TEXT, AT(place),
	  .in = JUDGE },
	{ "list", NULL, "print the cases and the client's command lines, run nothing", OPTION_FLAG,
	  AT(list), .in = PERFTEST },
	{ "list", NULL, "print the tests and their commands, run nothing", OPTION_FLAG, AT(list),
	  .in = JUDGE },
	{ "json", NULL, "print JSON instead of the table", OPTION_FLAG, AT(json), 'j' },
	{ "quiet", NULL, "no progress", OPTION_FLAG, AT(quiet), 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options perftest_options = {
	.command = "lab perftest", .rows = rows, .in = PERFTEST, .column = 19, .indent = 2,
	.first = true, .before =
"Usage: lab perftest [OPTIONS] [-- PERFTEST-ARGUMENTS]\n\n"
"Runs perftest (ib_write_bw and so on) between two soft-RoCE devices with a switch\n"
"between them, in virtual time: under stock rxe, under ours without an algorithm, and\n"
"under each algorithm, one after the other. Prints a table, and writes perftest.json\n"
"and what each run printed to DIR. Exit status: 0 all ran, 1 not so, 2 bad arguments.\n\n"
};

static const struct options judge_options = {
	.command = "lab judge", .rows = rows, .in = JUDGE, .column = 19, .indent = 2, .first = true,
	.before =
"Usage: lab judge [OPTIONS]\n\n"
"Runs other people's tests between two soft-RoCE devices, in virtual time: the examples\n"
"of libibverbs and librdmacm, perftest, and rdma-core's tests in Python; under stock\n"
"rxe, under ours without an algorithm, and under each algorithm. What passes with stock\n"
"rxe must pass with ours. Prints a table, and writes judge.json and what each run printed\n"
"to DIR. Exit status: 0 that is so, 1 not so, 2 bad arguments.\n\n"
};

/* What stands behind --, and what the options must be together. */
static int check(struct programs *p, int argc, char **argv)
{
	if (optind < argc && (!p->ops->rounds || strcmp(argv[optind - 1], "--")))
		return usage_error("\"%s\": unexpected; see \"lab %s --help\"", argv[optind],
				   p->ops->name);
	p->more = argv + optind;
	p->n_more = argc - optind;
	p->qemu = strcmp(p->backend, "qemu") == 0;
	if (p->qemu && p->clock && strcmp(p->clock, "virtual") == 0)
		return usage_error("--clock virtual: QEMU has real time only");
	p->is_virtual = !p->qemu && !(p->clock && strcmp(p->clock, "real") == 0);
	if (!p->tries)
		p->tries = p->is_virtual ? 1 : TRIES;
	if (!p->is_virtual && (programs_value(p, "host_post") > 0 ||
			       programs_value(p, "host_completion") > 0 ||
			       programs_value(p, "host_interrupt") > 0))
		return usage_error("--set host_...: only in virtual time");
	if (p->jobs && !p->is_virtual)
		return usage_error("--jobs: in real time cases would disturb each other");
	if (p->cpus && !p->qemu)
		return usage_error("--cpus: the lab kernel has one; --backend qemu has more");
	if (!p->cpus)
		p->cpus = p->qemu ? 2 : 1;
	return 0;
}

static int command(const struct options *o, const struct programs_ops *ops, int argc, char **argv)
{
	struct programs p = { .ops = ops, .rounds = 1, .backend = "uml" };
	int rc;

	programs_defaults(&p);
	rc = options_parse(o, &p, argc, argv) ?: check(&p, argc, argv);
	if (!rc)
		rc = programs(&p);
	programs_free(&p);
	return rc < 0 ? EXIT_OK : rc;
}

int cmd_perftest(int argc, char **argv)
{
	return command(&perftest_options, &perftest_ops, argc, argv);
}

int cmd_judge(int argc, char **argv)
{
	return command(&judge_options, &judge_ops, argc, argv);
}
