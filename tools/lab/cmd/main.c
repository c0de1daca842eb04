// SPDX-License-Identifier: GPL-2.0
/*
 * lab: run scenarios in the lab kernel. This file: its commands.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../include/rxe_cc/version.h"
#include "lab.h"

/* One without a function is called as its help says now. */
static const struct {
	const char *name, *help;
	int (*fn)(int argc, char **argv);
} commands[] = {
	{ "list", "scenarios, their keys and defaults; algorithms", cmd_list },
	{ "run", "run a scenario, once per algorithm", cmd_run },
	{ "exec", "run a program of yours on a host of a scenario", cmd_exec },
	{ "mpirun", "run an MPI program, its ranks on the hosts of a scenario", cmd_mpirun },
	{ "build", "compile an algorithm of your own, outside of this tree", cmd_build },
	{ "check", "test an algorithm of your own: what every one must stand", cmd_check },
	{ "flows", "the flows of a scenario, drawn and counted without a run", cmd_flows },
	{ "sweep", "many runs side by side, over lists of values and seeds", cmd_sweep },
	{ "compare", "all algorithms over a fixed set of runs: one table, one picture", cmd_compare },
	{ "capture", "what hops say in a capture: INT, IOAM, IFA; INT written as the others",
	  cmd_capture },
	{ "replay", "run an algorithm of the kernel on recorded events", cmd_replay },
	{ "paper", "figures of papers: run one, and see its numbers beside the paper's", cmd_paper },
	{ "report", "tables, plots and one HTML page from results", cmd_report },
	{ "figures", "lab report --bins 20 DIR...", NULL },
	{ "version", "what this lab was built from", cmd_version },
	{ "shell", "a shell inside a scenario's topology", cmd_shell },
	{ "perftest", "perftest under each algorithm, beside stock rxe", cmd_perftest },
	{ "judge", "does all that works with stock rxe work under each algorithm?", cmd_judge },
};

static void usage(FILE *f)
{
	size_t i;

	fprintf(f, "Usage: lab COMMAND [ARGUMENTS]\n\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].fn)
			fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(f, "\n\"lab COMMAND --help\" says more, \"lab --version\" the version.\n");
}

/* What did not get out has not been said. */
static int flush(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	return run_error("standard output: %s", strerror(errno ? errno : EIO));
}

int main(int argc, char **argv)
{
	const char *names[ARRAY_SIZE(commands)], *like;
	size_t i;

	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return flush(EXIT_OK);
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		printf("lab " RXE_CC_VERSION "\n");
		return flush(EXIT_OK);
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		names[i] = commands[i].name;
		if (strcmp(argv[1], names[i]))
			continue;
		if (!commands[i].fn)
			return usage_error("%s: is called \"%s\" now; see \"lab report --help\"",
					   names[i], commands[i].help);
		return flush(commands[i].fn(argc - 1, argv + 1));
	}
	like = nearest(argv[1], names, ARRAY_SIZE(commands));
	return usage_error("unknown command \"%s\"%s%s%s; see \"lab --help\"", argv[1],
			   like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}
