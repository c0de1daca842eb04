// SPDX-License-Identifier: GPL-2.0
/*
 * Result files, as "lab report" reads them: tables, page and the data of all pictures, of
 * two runs. gnuplot is not started.
 */
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "fuzz.h"
#include "wrap.h"

#define A	"r/two/none/seed1/"
#define B	"r/two/b/seed1/"

static const char *const names[] = {
	A "summary.json", A "run.json", A "flows.csv", A "rates.csv", A "queues.csv",
	A "pauses.csv", A "state.csv", A "mercury.csv", A "lscc.csv", A "types.csv",
	A "counts.csv", A "fct_bins.csv", A "fct_cdf.csv", A "tiers.csv", A "queue_cdf.csv",
	B "summary.json", B "flows.csv", B "rates.csv", B "queues.csv", B "state.csv",
};

/* The program that draws is always content. */
pid_t __wrap_fork(void)
{
	return 1;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	(void)options;
	*status = 0;
	return pid;
}

/* The programs that draw are those of the checkout. */
void fuzz_begin(void)
{
	char *dir = xasprintf("%s/tools/lab", fuzz_dir()), *link = xasprintf("%s/report", dir);

	if (mkdir_p(dir) || symlink(LAB_CHECKOUT "/tools/lab/report", link)) {
		perror(link);
		exit(1);
	}
	free(link);
	free(dir);
}

static void report(bool json)
{
	char *dir = xasprintf("%s/r", fuzz_dir()), *out = xasprintf("%s/out", fuzz_dir());
	char *argv[] = { "report", "-o", out, dir, json ? "-j" : NULL, NULL };

	cmd_report(4 + json, argv);
	free(dir);
	free(out);
}

void fuzz_one(const char *text, size_t len)
{
	fuzz_files(text, len, names, ARRAY_SIZE(names));
	report(false);
	report(true);
}
