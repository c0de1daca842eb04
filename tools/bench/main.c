// SPDX-License-Identifier: GPL-2.0
/* The command line of all benchmarks, main(). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/options.h"
#include "bench.h"

static const char usage[] =
"Usage: bench rxe|qdisc|path|lab [OPTION]...\n"
"\n"
"rxe: patched rxe without CC against stock rxe, in one boot.\n"
"qdisc: CPU time per packet of roce, netem and pfifo, virtual time.\n"
"path: wall time per data packet of the lab under each algorithm, virtual time.\n"
"lab: data packets per CPU second of the lab, and two runs at once; --same: are the\n"
"results of both builds the same?\n"
"\n"
"Exit code: 0 goals met or not decided, 1 a goal is missed by the whole\n"
"confidence interval or the run failed, 2 bad command line.\n"
"\"bench rxe --help\" has the options of rxe, and so on.\n";

static int add_case(void *into, const struct option_row *row, char *words)
{
	struct bench *b = into;

	(void)row;
	if (!*words || *words == '-')
		return bench_error("--case: '%s' does not begin with a scenario", words);
	if (b->nr_cases == BENCH_CASES)
		return bench_error("--case: more than %d", BENCH_CASES);
	b->cases[b->nr_cases++] = words;
	return 0;
}

#define AT(m)	.at = offsetof(struct bench, m)

enum { RXE = 1, QDISC = 2, PATH = 4, LAB = 8 };

static const struct option_row rows[] = {
	{ "linux", "FILE", "the lab kernel", OPTION_TEXT, AT(linux_bin), .must = true,
	  .in = RXE | QDISC },
	{ "guest", "FILE", "guest_rxe.sh, or guest_qdisc.sh: its first process", OPTION_TEXT,
	  AT(guest), .must = true, .in = RXE | QDISC },
	{ "out", "DIR", "made; gets the results and what was said", OPTION_TEXT, AT(out),
	  .must = true },
	{ "qemu", NULL, "--linux is boot_qemu.sh: the distribution's kernel in QEMU", OPTION_FLAG,
	  AT(qemu), .in = RXE },
	{ "icount", NULL, "its time is that of its instructions, 1 ns each", OPTION_FLAG,
	  AT(icount), .in = RXE },
	{ "cpus", "N", "its processors, 1..64 (default 1)", OPTION_COUNT, AT(cpus),
	  .min = 1, .max = 64, .in = RXE },
	{ "stock", "DIR", "holds the stock rdma_rxe.ko", OPTION_TEXT, AT(stock), .must = true,
	  .in = RXE },
	{ "patched", "DIR", "holds rxe_cc.ko and the patched rdma_rxe.ko", OPTION_TEXT,
	  AT(patched), .must = true, .in = RXE },
	{ "flowgen", "FILE", "the traffic generator", OPTION_TEXT, AT(flowgen), .must = true,
	  .in = RXE },
	{ "roce", "FILE", "sch_roce.ko", OPTION_TEXT, AT(roce), .must = true, .in = QDISC },
	{ "gen", "FILE", "qdisc_bench.ko", OPTION_TEXT, AT(gen), .must = true, .in = QDISC },
	{ "tc", "DIR", "holds q_roce.so", OPTION_TEXT, AT(tc), .must = true, .in = QDISC },
	{ "old", "FILE", "another sch_roce.ko to compare with", OPTION_TEXT, AT(old), .in = QDISC },
	{ "lab", "FILE", "the lab's program", OPTION_TEXT, AT(lab), .must = true,
	  .in = PATH | LAB },
	{ "old-lab", "FILE", "that of another build to compare with", OPTION_TEXT, AT(old_lab),
	  .in = PATH | LAB },
	{ "cc", "A,B...", "algorithms; path: none comes too", OPTION_TEXT, AT(cc),
	  .in = PATH | LAB },
	{ "case", "WORDS", "two, two-1mb, fattree, websearch, at-once, or a scenario with\n"
	  "options as \"lab run\" takes them; up to 16 times", OPTION_CALL, .call = add_case,
	  .in = LAB },
	{ "same", NULL, "compare results instead of speed; needs --old-lab", OPTION_FLAG,
	  AT(same), .in = LAB },
	{ "rounds", "N", "6..1000 (default 20); --pairs N is the same", OPTION_COUNT, AT(rounds),
	  .min = 6, .max = 1000 },
	{ "pairs", "N", .kind = OPTION_COUNT, AT(rounds), .min = 6, .max = 1000 },
	{ "seed", "N", "of the order within them (default 1)", OPTION_COUNT, AT(seed) },
	{ "timeout", "S", "for everything (default 60 + 15 a round)", OPTION_COUNT,
	  AT(timeout_s), .min = 1, .max = 86400 },
	{ "json", NULL, "print JSON instead of the table", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

#define MODE(name, bit) \
	{ { .command = "bench " #name, .rows = rows, .in = bit, .indent = 2, .column = 18, \
	    .before = "Usage: bench " #name " [OPTION]...\n\n" }, #name, bench_##name }

static const struct mode {
	struct options options;
	const char *name;
	int (*run)(struct bench *b);
} modes[] = { MODE(rxe, RXE), MODE(qdisc, QDISC), MODE(path, PATH), MODE(lab, LAB) };

static const struct mode *mode_of(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	if (name)
		bench_error("'%s': none of rxe, qdisc, path, lab", name);
	else
		bench_error("which benchmark? See --help");
	return NULL;
}

/* What the options must be together; @word is one too many. */
static int check(const struct bench *b, const char *word)
{
	if (word)
		return bench_error("'%s': unexpected", word);
	if ((b->icount || b->cpus != 1) && !b->qemu)
		return bench_error("--icount and --cpus need --qemu");
	if (b->icount && b->cpus != 1)
		return bench_error("--icount: one processor only");
	if (b->same && !b->old_lab)
		return bench_error("--same needs --old-lab");
	return 0;
}

static int set_up(struct bench *b)
{
	if (mkdir(b->out, 0777) && errno != EEXIST)
		return bench_error("%s: %s", b->out, strerror(errno));
	b->dir = realpath(b->out, NULL);
	if (b->guest)
		b->guest = realpath(b->guest, NULL);
	if (!b->dir || (b->linux_bin && !b->guest))
		return bench_error("%s: %s", b->dir ? "--guest" : b->out, strerror(errno));
	if (!b->timeout_s)
		b->timeout_s = 60 + 15 * b->rounds;
	b->progress = isatty(2);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench b = { .rounds = 20, .seed = 1, .cpus = 1 };
	const struct mode *m;
	int ret;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(usage, stdout);
		return 0;
	}
	m = mode_of(argv[1]);
	if (!m)
		return 2;
	ret = options_parse(&m->options, &b, argc - 1, argv + 1);
	if (ret)
		return ret == OPTIONS_HELP ? 0 : 2;
	if (check(&b, argv[optind + 1]))
		return 2;
	if (set_up(&b))
		return 1;
	return m->run(&b);
}
