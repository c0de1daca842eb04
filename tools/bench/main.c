// SPDX-License-Identifier: GPL-2.0
/* The command line of all benchmarks. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

static const char usage[] =
"Usage: bench rxe --linux FILE --guest FILE --out DIR\n"
"                 --stock DIR --patched DIR --flowgen FILE\n"
"                 [--qemu [--icount | --smp N]] [OPTION]...\n"
"       bench qdisc --linux FILE --guest FILE --out DIR\n"
"                 --roce FILE --gen FILE --tc DIR [--old FILE] [OPTION]...\n"
"       bench path --lab FILE --out DIR [--old-lab FILE] [--cc A,B...] [OPTION]...\n"
"       bench lab --lab FILE --out DIR [--old-lab FILE] [--cc A,B...] [--case WORDS]...\n"
"                 [OPTION]...\n"
"       bench lab --same --lab FILE --old-lab FILE --out DIR [--cc A,B...]\n"
"                 [--case WORDS]... [OPTION]...\n"
"\n"
"rxe: patched rxe without CC against stock rxe, in one boot.\n"
"qdisc: CPU time per packet of roce, netem and pfifo, virtual time.\n"
"path: wall time per data packet of the lab under each algorithm, virtual time.\n"
"lab: data packets per CPU second of the lab, and two runs at once; --same: are the\n"
"results of both builds the same?\n"
"\n"
"  --linux FILE    the lab kernel\n"
"  --guest FILE    guest.sh, or guest_qdisc.sh: its first process\n"
"  --out DIR       made; gets bench.json or qdisc.json, and console.log\n"
"  --qemu          --linux is boot_qemu.sh: the distribution's kernel in QEMU\n"
"  --icount        its time is that of its instructions, 1 ns each\n"
"  --smp N         its processors, 1..64 (default 1)\n"
"  --stock DIR     holds the stock rdma_rxe.ko\n"
"  --patched DIR   holds rxe_cc.ko and the patched rdma_rxe.ko\n"
"  --flowgen FILE  the traffic generator\n"
"  --roce FILE     sch_roce.ko\n"
"  --gen FILE      qdisc_bench.ko\n"
"  --tc DIR        holds q_roce.so\n"
"  --old FILE      another sch_roce.ko to compare with\n"
"  --lab FILE      the lab's program\n"
"  --old-lab FILE  that of another build to compare with\n"
"  --cc A,B...     algorithms; path: none comes too\n"
"  --case WORDS    two, two-1mb, fattree, websearch, at-once, or a scenario with\n"
"                  options as \"lab run\" takes them; up to 16 times\n"
"  --rounds N      6..1000 (default 20); --pairs N is the same\n"
"  --seed N        of the order within them (default 1)\n"
"  --timeout S     for everything (default 60 + 15 a round)\n"
"  -j, --json      print JSON instead of the table\n"
"\n"
"Exit code: 0 goals met or not decided, 1 a goal is missed by the whole\n"
"confidence interval or the run failed, 2 bad command line.\n";

/* By enum bench_file; then the rest. */
static const struct option opts[] = {
	{ "out", required_argument, NULL, BENCH_OUT },
	{ "linux", required_argument, NULL, BENCH_LINUX },
	{ "guest", required_argument, NULL, BENCH_GUEST },
	{ "stock", required_argument, NULL, BENCH_STOCK_DIR },
	{ "patched", required_argument, NULL, BENCH_PATCHED_DIR },
	{ "flowgen", required_argument, NULL, BENCH_FLOWGEN },
	{ "roce", required_argument, NULL, BENCH_ROCE },
	{ "gen", required_argument, NULL, BENCH_GEN },
	{ "tc", required_argument, NULL, BENCH_TC },
	{ "old", required_argument, NULL, BENCH_OLD },
	{ "lab", required_argument, NULL, BENCH_LAB },
	{ "old-lab", required_argument, NULL, BENCH_OLD_LAB },
	{ "cc", required_argument, NULL, 'c' },
	{ "case", required_argument, NULL, 'C' },
	{ "same", no_argument, NULL, 'S' },
	{ "qemu", no_argument, NULL, 'q' },
	{ "icount", no_argument, NULL, 'i' },
	{ "smp", required_argument, NULL, 'p' },
	{ "rounds", required_argument, NULL, 'r' },
	{ "pairs", required_argument, NULL, 'r' },
	{ "seed", required_argument, NULL, 's' },
	{ "timeout", required_argument, NULL, 't' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static const struct mode {
	const char *name;
	int (*run)(const struct bench_options *o, struct bench_config *cfg);
	enum bench_file first, required;	/* files of its own */
	enum bench_file optional;
	bool boots;				/* the lab kernel, by itself */
} modes[] = {
	{ "rxe", bench_rxe, BENCH_STOCK_DIR, BENCH_FLOWGEN, BENCH_FLOWGEN, true },
	{ "qdisc", bench_qdisc, BENCH_ROCE, BENCH_TC, BENCH_OLD, true },
	{ "path", bench_path, BENCH_LAB, BENCH_LAB, BENCH_OLD_LAB, false },
	{ "lab", bench_lab, BENCH_LAB, BENCH_LAB, BENCH_OLD_LAB, false },
};

static const struct mode *mode_of(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	if (name)
		fprintf(stderr, "bench: '%s': none of rxe, qdisc, path, lab\n", name);
	else
		fprintf(stderr, "bench: which benchmark? See --help\n");
	return NULL;
}

static int parse_number(const char *opt, const char *s, unsigned long min,
			unsigned long max, unsigned long *v)
{
	char *end;

	errno = 0;
	*v = strtoul(s, &end, 10);
	if (*s >= '0' && *s <= '9' && !*end && !errno && *v >= min && *v <= max)
		return 0;
	fprintf(stderr, "bench: --%s: '%s' is not a number from %lu to %lu\n",
		opt, s, min, max);
	return -1;
}

/* Options of some benchmarks only. */
static int check_options(const struct mode *m, const struct bench_options *o)
{
	const char *wrong = NULL;

	if (o->cc && m->run != bench_path && m->run != bench_lab)
		wrong = "cc";
	if (o->nr_cases && m->run != bench_lab)
		wrong = "case";
	if (o->same && m->run != bench_lab)
		wrong = "same";
	if (o->qemu && m->run != bench_rxe)
		wrong = "qemu";
	if (wrong) {
		fprintf(stderr, "bench: --%s is not for %s\n", wrong, m->name);
		return -1;
	}
	if ((o->icount || o->smp != 1) && !o->qemu) {
		fprintf(stderr, "bench: --icount and --smp need --qemu\n");
		return -1;
	}
	if (o->icount && o->smp != 1) {
		fprintf(stderr, "bench: --icount: one processor only\n");
		return -1;
	}
	if (!o->same || o->file[BENCH_OLD_LAB])
		return 0;
	fprintf(stderr, "bench: --same needs --old-lab\n");
	return -1;
}

static int add_case(struct bench_options *o, const char *words)
{
	if (!*words || *words == '-') {
		fprintf(stderr, "bench: --case: '%s' does not begin with a scenario\n", words);
		return -1;
	}
	if (o->nr_cases == BENCH_CASES) {
		fprintf(stderr, "bench: --case: more than %d\n", BENCH_CASES);
		return -1;
	}
	o->cases[o->nr_cases++] = words;
	return 0;
}

/* Exactly the files of @m, but for the optional ones. */
static int check_files(const struct mode *m, const struct bench_options *o)
{
	int i;

	for (i = 0; i < BENCH_FILES; i++) {
		bool ours = i == BENCH_OUT ||
			    (m->boots && i <= BENCH_GUEST) ||
			    (i >= (int)m->first && i <= (int)m->optional);

		if (o->file[i] && !ours) {
			fprintf(stderr, "bench: --%s is not for %s\n",
				opts[i].name, m->name);
			return -1;
		}
		if (!o->file[i] && ours && i <= (int)m->required) {
			fprintf(stderr, "bench: --%s is missing, see --help\n",
				opts[i].name);
			return -1;
		}
	}
	return 0;
}

/* The exit code, or -1: go on with @m. */
static int parse(int argc, char **argv, struct bench_options *o,
		 const struct mode **m)
{
	int c, at, err = 0;

	while ((c = getopt_long(argc, argv, "jh", opts, &at)) != -1) {
		if (c < BENCH_FILES)
			o->file[c] = optarg;
		else if (c == 'c')
			o->cc = optarg;
		else if (c == 'C')
			err = add_case(o, optarg);
		else if (c == 'S')
			o->same = true;
		else if (c == 'q')
			o->qemu = true;
		else if (c == 'i')
			o->icount = true;
		else if (c == 'p')
			err = parse_number("smp", optarg, 1, 64, &o->smp);
		else if (c == 'j')
			o->json = true;
		else if (c == 'r')
			err = parse_number(opts[at].name, optarg, 6,
					   1000, &o->rounds);
		else if (c == 's')
			err = parse_number("seed", optarg, 0, ~0UL, &o->seed);
		else if (c == 't')
			err = parse_number("timeout", optarg, 1, 86400,
					   &o->timeout);
		else if (c == 'h')
			fputs(usage, stdout);
		if (err || c == 'h' || c == '?')
			return c == 'h' ? 0 : 2;
	}
	*m = mode_of(argv[optind]);
	if (!*m)
		return 2;
	if (optind + 1 < argc) {
		fprintf(stderr, "bench: '%s': unexpected\n", argv[optind + 1]);
		return 2;
	}
	if (check_options(*m, o))
		return 2;
	return check_files(*m, o) ? 2 : -1;
}

int main(int argc, char **argv)
{
	struct bench_options o = { .rounds = 20, .seed = 1, .smp = 1 };
	struct bench_config cfg = { 0 };
	const struct mode *m = NULL;
	int ret = parse(argc, argv, &o, &m);
	char *guest, *dir;

	if (ret >= 0)
		return ret;
	if (mkdir(o.file[BENCH_OUT], 0777) && errno != EEXIST) {
		fprintf(stderr, "bench: %s: %s\n", o.file[BENCH_OUT],
			strerror(errno));
		return 1;
	}
	guest = m->boots ? realpath(o.file[BENCH_GUEST], NULL) : NULL;
	dir = realpath(o.file[BENCH_OUT], NULL);
	cfg.linux_bin = o.file[BENCH_LINUX];
	cfg.guest = guest;
	cfg.dir = dir;
	cfg.timeout_s = o.timeout ? o.timeout : 60 + 15 * o.rounds;
	cfg.progress = isatty(2);
	cfg.qemu = o.qemu;
	cfg.icount = o.icount;
	cfg.smp = o.smp;
	ret = 1;
	if ((guest || !m->boots) && dir)
		ret = m->run(&o, &cfg);
	else
		fprintf(stderr, "bench: %s: %s\n", guest || !m->boots ?
			o.file[BENCH_OUT] : o.file[BENCH_GUEST],
			strerror(errno));
	free(guest);
	free(dir);
	return ret;
}
