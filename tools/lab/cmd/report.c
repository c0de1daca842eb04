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
#include "lib/number.h"
#include "report/report.h"
#include "results/flow_figures.h"

struct args {
	struct rpt r;
	struct recompute_figures again;
	bool width;			/* was given */
};

/* In micrometres, in which each unit is whole. No column is narrower, no poster wider. */
#define UM_PER_IN	25400
#define WIDTH_MIN	(3 * UM_PER_IN)
#define WIDTH_MAX	(20 * UM_PER_IN)

static int take_width(void *into, const struct option_row *row, char *text)
{
	static const struct unit_suffix units[] = {
		{ "in", UM_PER_IN, 1 }, { "cm", 10000, 1 }, { "mm", 1000, 1 }, { }
	};
	struct args *a = into;
	struct number n;
	double um;

	if (quantity_parse(units, text, &n) != NUMBER_OK || n.minus)
		return usage_error("report: --%s %s: not a width such as 3.3in, 8.4cm or 84mm",
				   row->name, text);
	um = number_double(&n);
	if (um < WIDTH_MIN || um > WIDTH_MAX)
		return usage_error("report: --%s %s: not 3in to 20in", row->name, text);
	rpt_set_width(um * RPT_WIDTH_PX / RPT_WIDTH_IN / UM_PER_IN + 0.5);
	a->width = true;
	return 0;
}

#define AT(m)	.at = offsetof(struct args, m)
static const struct option_row rows[] = {
	{ "json", NULL, "print JSON in base units (bit/s, ns, bytes) instead", OPTION_FLAG,
	  AT(r.json), .letter = 'j' },
	{ "out", "OUT", "write plots and index.html to OUT (default DIR/report)", OPTION_TEXT,
	  AT(r.out), .letter = 'o' },
	{ "over", "KEY", "figures over this key of a sweep, where several were swept",
	  OPTION_TEXT, AT(r.over) },
	{ "no-plots", NULL, "no plots and no page", OPTION_FLAG, AT(r.no_plots) },
	{ "pdf", NULL, "plots as PDF too (gnuplot's terminal pdfcairo)", OPTION_FLAG, AT(r.pdf) },
	{ "width", "W", "of all plots in print, as 3.3in, 8.4cm or 84mm (7in)",
	  OPTION_CALL, .call = take_width },
	{ "no-title", NULL, "plots without a title, where a caption tells it", OPTION_FLAG,
	  AT(r.no_title) },
	{ "fct", NULL, "of each run fct.txt and pfc.txt too, as the public HPCC simulator has them",
	  OPTION_FLAG, AT(r.fct) },
	{ "from", "TIME", "flows that start at or after this count (as the runs have it)",
	  OPTION_TIME, AT(again.from_ns) },
	{ "to", "TIME", "flows that start before this count (as the runs have it)", OPTION_TIME,
	  AT(again.to_ns) },
	{ "bins", "N", "bins of equal counts (20)", OPTION_COUNT, AT(again.bins), .min = 1,
	  .max = SLOWDOWN_BINS_MAX },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab report", .rows = rows, .indent = 2, .column = 18,
	.before =
"Usage: lab report [-j] [-o OUT] [--over KEY] [--no-plots] [--fct] [DIR]\n"
"       lab report [--pdf] [--width W] [--no-title] [-o OUT] [--over KEY] [DIR]\n"
"       lab report [-j] [-o OUT] [--from TIME] [--to TIME] [--bins N] DIR...\n"
"\n"
"Reads all runs below DIR (<scenario>/<cc>/seed<N>/; default ./results, where\n"
"\"lab run\" puts them), prints one comparison table a scenario and writes plots\n"
"(SVG and PNG, with --pdf PDF) and a self-contained page.\n"
"\n"
"With --from, --to or --bins: computes slowdown by flow size from flows.csv of\n"
"result directories (seed<N>), all of them together, and prints a table. OUT\n"
"then gets fct_size.csv, fct_cdf.csv and slowdown_cdf.csv.\n"
"\n",
	.after =
"\n"
"Figures are medians over the seeds; means and their 95 % confidence intervals\n"
"are in a table of their own. Rates, queues and utilization count wire bytes,\n"
"goodput counts payload; KiB and MiB are 1024 and 1048576 bytes.\n"
"A file that is missing or damaged is named on stderr and the rest reported;\n"
"the exit code is 1 only when there is nothing to report.\n",
};

static int rpt_make_outdir(const struct rpt *r)
{
	if (mkdir(r->outdir, 0777) && errno != EEXIST) {
		fprintf(stderr, "lab report: %s: %s\n", r->outdir, strerror(errno));
		return -1;
	}
	return 0;
}

static int rpt_write(struct rpt *r)
{
	if (rpt_make_outdir(r) || (r->fct && rpt_write_simulator_files(r)))
		return -1;
	if (r->no_plots)
		return 0;
	rpt_plots(r);
	return rpt_write_html(r);
}

/* Where from and where to; @words: of the command line, without the options. */
static int rpt_dirs(struct rpt *r, char **words)
{
	size_t len = words[0] ? strlen(words[0]) : 0;

	if (words[0] && words[1])
		return usage_error("report: at most one DIR, please");
	while (len > 1 && words[0][len - 1] == '/')
		words[0][--len] = '\0';
	r->dir = words[0] ? words[0] : RESULTS_DIR;
	r->outdir = r->out ? rpt_text("%s", r->out) : rpt_text("%s/report", r->dir);
	return 0;
}

/* What says how plots look. */
static bool of_plots(const struct args *a)
{
	return a->r.pdf || a->r.no_title || a->width;
}

static bool is_again(const struct args *a)
{
	return a->again.from_ns >= 0 || a->again.to_ns >= 0 || a->again.bins;
}

static int again(struct args *a, char *const *dirs)
{
	if (a->r.over || a->r.no_plots || a->r.fct || of_plots(a))
		return usage_error("report: --over, --no-plots, --fct, --pdf, --width and --no-title do not go with --from, --to and --bins");
	a->again.json = a->r.json;
	a->again.out = a->r.out;
	return recompute_figures(&a->again, dirs);
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
	struct args a = { .again = { .from_ns = -1, .to_ns = -1 } };
	int ret = options_parse(&options, &a, argc, argv), n;
	struct rpt r = a.r;

	if (!ret && is_again(&a))
		return again(&a, argv + optind);
	if (!ret && r.no_plots && of_plots(&a))
		ret = usage_error("report: --pdf, --width and --no-title do not go with --no-plots");
	if (!ret)
		ret = rpt_dirs(&r, argv + optind);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
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
	if (!r.json)
		rpt_print_tables(&r, stdout);
	ret = (!r.no_plots || r.fct) && rpt_write(&r) ? 1 : 0;
	if (r.json)
		rpt_print_json(&r, stdout);
	else if (!ret && !r.no_plots)
		printf("%zu plots (%s) and the page: %s/index.html\n", r.nr_figs,
		       r.pdf ? "SVG, PNG and PDF" : "SVG and PNG", r.outdir);
out:
	rpt_free(&r);
	return ret;
}
