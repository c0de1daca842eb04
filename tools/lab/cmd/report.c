// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: from the result directories of "lab run" to tables, plots and
 * one self-contained page.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"
#include "report/report.h"

static const char rpt_usage[] =
"Usage: lab report [-j] [-o OUT] [--over KEY] [--no-plots] [DIR]\n"
"\n"
"Reads all runs below DIR (<scenario>/<cc>/seed<N>/; default ./results, where\n"
"\"lab run\" puts them), prints one comparison table a scenario and writes plots\n"
"(SVG and PNG) and a self-contained page.\n"
"\n"
"  -j, --json      print JSON in base units (bit/s, ns, bytes) instead\n"
"  -o, --out OUT   write plots and index.html to OUT (default DIR/report)\n"
"      --over KEY  figures over this key of a sweep, where several were swept\n"
"      --no-plots  print only, write no files\n"
"  -h, --help      this text\n"
"\n"
"Figures are medians over the seeds. Rates, queues and utilization count wire\n"
"bytes, goodput counts payload; KiB and MiB are 1024 and 1048576 bytes.\n"
"A file that is missing or damaged is named on stderr and the rest reported;\n"
"the exit code is 1 only when there is nothing to report.\n";

static int rpt_make_outdir(const struct rpt *r)
{
	if (mkdir(r->outdir, 0777) && errno != EEXIST) {
		fprintf(stderr, "lab report: %s: %s\n", r->outdir,
			strerror(errno));
		return -1;
	}
	return 0;
}

static int rpt_write(struct rpt *r)
{
	if (rpt_make_outdir(r))
		return -1;
	rpt_plots(r);
	return rpt_write_html(r);
}

static int rpt_options(int argc, char **argv, struct rpt *r, bool *json)
{
	static const struct option opts[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "out", required_argument, NULL, 'o' },
		{ "over", required_argument, NULL, 'k' },
		{ "no-plots", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	size_t len;
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "jo:h", opts, NULL)) != -1) {
		switch (c) {
		case 'j':
			*json = true;
			break;
		case 'o':
			free(r->outdir);
			r->outdir = rpt_printf("%s", optarg);
			break;
		case 'k':
			r->over = optarg;
			break;
		case 'n':
			r->no_plots = true;
			break;
		case 'h':
			fputs(rpt_usage, stdout);
			return 0;
		default:
			fputs("Try 'lab report --help'.\n", stderr);
			return 2;
		}
	}
	if (argc - optind > 1) {
		fprintf(stderr, "lab report: at most one DIR, please\n");
		return 2;
	}
	r->dir = argc == optind ? RESULTS_DIR : argv[optind];
	len = strlen(r->dir);
	while (argc > optind && len > 1 && argv[optind][len - 1] == '/')
		argv[optind][--len] = '\0';
	if (!r->outdir)
		r->outdir = rpt_printf("%s/report", r->dir);
	return -1;
}

/**
 * cmd_report() - run "lab report"
 * @argc: number of words, the command's own name included
 * @argv: "report", options, directory
 *
 * Return: the process's exit code: 0 when at least one run was read and
 * reported, 1 when none was or the report could not be written, 2 on a bad
 * command line.
 */
int cmd_report(int argc, char **argv)
{
	struct rpt r = { 0 };
	bool json = false;
	int ret, n;

	ret = rpt_options(argc, argv, &r, &json);
	if (ret >= 0)
		goto out;
	n = rpt_scan(&r);
	if (n <= 0) {
		if (!n)
			fprintf(stderr,
				"lab report: %s: no runs in it (no <scenario>/<cc>/seed<N>/summary.json)\n",
				r.dir);
		ret = 1;
		goto out;
	}
	if (rpt_over_check(&r)) {
		ret = 2;
		goto out;
	}
	if (!json)
		rpt_print_tables(&r, stdout);
	ret = !r.no_plots && rpt_write(&r) ? 1 : 0;
	if (json)
		rpt_print_json(&r, stdout);
	else if (!ret && !r.no_plots)
		printf("%zu plots (SVG and PNG) and the page: %s/index.html\n",
		       r.nr_figs, r.outdir);
out:
	rpt_free(&r);
	return ret;
}
