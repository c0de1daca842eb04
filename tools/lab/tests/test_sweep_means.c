// SPDX-License-Identifier: GPL-2.0
/*
 * Means over the seeds of a sweep: which runs belong together, figures that a run lacks, runs that
 * failed. Student's t of two values is 12.706, of three 4.303.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tests/ktap.h"
#include "sweep/sweep.h"

static char dir[] = "/tmp/lab_test.XXXXXX";

struct run_row {
	const char *point, *cc;
	int seed;
	const char *summary;		/* NULL: the run failed */
};

static void put_run(struct sweep_run *r, const struct run_row *row)
{
	const char *slash = *row->point ? "/" : "", *space = *row->point ? " " : "";
	char *path;

	*r = (struct sweep_run) {
		.place = xasprintf("%s%stwo/%s/seed%d", row->point, slash, row->cc, row->seed),
		.name = xasprintf("%s%s%s/%d", row->point, space, row->cc, row->seed),
		.state = row->summary ? RUN_DONE : RUN_MISSING,
	};
	path = xasprintf("%s/%s", dir, r->place);
	mkdir_p(path);
	free(path);
	path = xasprintf("%s/%s/summary.json", dir, r->place);
	if (row->summary)
		write_file(path, "%s", row->summary);
	free(path);
}

/* What is printed, spaces in a row being one. */
static char *printed(const struct run_row *rows, size_t n)
{
	struct sweep s = { .out = dir, .n_runs = n };
	FILE *real = stdout;
	char *text = NULL, *from, *to;
	size_t len, i;

	s.runs = xcalloc(n, sizeof(*s.runs));
	for (i = 0; i < n; i++)
		put_run(&s.runs[i], &rows[i]);
	stdout = open_memstream(&text, &len);
	means_over_seeds(&s);
	fclose(stdout);
	stdout = real;
	for (i = 0; i < n; i++) {
		free(s.runs[i].place);
		free(s.runs[i].name);
	}
	free(s.runs);
	for (from = to = text; *from; from++)
		if (*from != ' ' || (to > text && to[-1] != ' ' && to[-1] != '\n'))
			*to++ = *from;
	*to = '\0';
	return text;
}

#define GOODPUT(bps)	"{ \"goodput_bps\": " bps ", \"flows\": { \"count\": 1 } }"
#define HEAD		"\nmeans over the seeds, ± their 95 % confidence interval\n"

static const struct {
	const char *name;
	struct run_row rows[6];
	size_t n;
	const char *text;
} means[] = {
	/* 1, 2, 6: mean 3, deviation sqrt(7). 4.303 sqrt(7 / 3) / 3 is 219.1 %. */
	{ "three_seeds", { { "", "dcqcn", 1, GOODPUT("1000000000") },
			   { "", "dcqcn", 2, GOODPUT("2000000000") },
			   { "", "dcqcn", 3, GOODPUT("6000000000") } }, 3,
	  HEAD "cc seeds goodput\nGbit/s\ndcqcn 3 3.000 ±219.1%\n" },
	/* 4, 6: mean 5, deviation sqrt(2). 12.706 / 5 is 254.1 %. */
	{ "points_apart", { { "n=1", "dcqcn", 1, GOODPUT("4000000000") },
			    { "n=1", "hpcc", 1, GOODPUT("7000000000") },
			    { "n=12", "dcqcn", 1, GOODPUT("8000000000") },
			    { "n=1", "dcqcn", 20, GOODPUT("6000000000") } }, 4,
	  HEAD "cc seeds goodput\nGbit/s\nn=1 dcqcn 2 5.000 ±254.1%\nn=1 hpcc 1 7.000\n"
	  "n=12 dcqcn 1 8.000\n" },
	{ "failed_and_missing", { { "", "none", 1, GOODPUT("4000000000") },
				  { "", "none", 2, NULL },
				  { "", "none", 3, GOODPUT("null") } }, 3,
	  HEAD "cc seeds goodput\nGbit/s\nnone 2 4.000\n" },
	{ "one_seed", { { "", "dcqcn", 1, GOODPUT("1000000000") },
			{ "", "hpcc", 1, GOODPUT("1000000000") } }, 2, "" },
};

int main(void)
{
	char name[80], *text;
	size_t i;

	if (!mkdtemp(dir))
		return 1;
	for (i = 0; i < ARRAY_SIZE(means); i++) {
		snprintf(name, sizeof(name), "means__%s", means[i].name);
		text = printed(means[i].rows, means[i].n);
		ktap(strcmp(text, means[i].text) == 0, name, "got %s", text);
		free(text);
	}
	rm_rf(dir);
	return ktap_end();
}
