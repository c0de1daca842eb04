// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: runs gnuplot, quotes text for it, finds the end of the time axis. Programs and
 * data stay in OUT/gp and OUT/data, so that a picture can be changed and drawn again by hand.
 */
#include <math.h>
#include <string.h>

#include "lib/child.h"
#include "report/plot/gnuplot_input.h"

#define RPT_NONE_LONGER 1.3	/* a run of none so much longer is cut */

/* @s for a double-quoted string in gnuplot's enhanced text mode. */
void rpt_plot_text(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (strchr("_^@&~{}", *s))
			fputs("\\\\", f);
		else if (strchr("\"\\`", *s))
			continue;
		fputc(*s, f);
	}
}

/**
 * rpt_axis_end() - the end of a time axis that all algorithms share
 * @c: the courses
 * @end: when each has ended, ns
 * @n: how many
 * @t1: receives it
 *
 * Without control flows may wait for timeouts a hundred times as long as the others take:
 * "none" does not set the axis of those.
 *
 * Return: a sentence for the caption if the axis ends before a run, else "". To be freed.
 */
char *rpt_axis_end(const struct rpt_course *c, const double *end, size_t n, double *t1)
{
	double none = 0, others = 0;
	char num[32];
	size_t i;

	for (i = 0; i < n; i++) {
		if (rpt_is_algo(c[i].algo, "none"))
			none = fmax(none, end[i]);
		else
			others = fmax(others, end[i]);
	}
	*t1 = fmax(none, others);
	if (!(others > 0) || none <= RPT_NONE_LONGER * others)
		return rpt_text("%s", "");
	*t1 = others;
	rpt_fmt_auto(num, sizeof(num), RPT_NS, none);
	return rpt_text(" The run of none goes on until %s.", num);
}

static int plot_width = RPT_WIDTH_PX;

/* Of all pictures of this report, pixels. */
int rpt_width(void)
{
	return plot_width;
}

/* For a column of a page: two panels do not fit beside each other. */
bool rpt_narrow(void)
{
	return plot_width < RPT_NARROW_PX;
}

void rpt_set_width(int px)
{
	plot_width = px;
}

static int rpt_gnuplot(struct rpt *r, const char *base, const char *format)
{
	char *script = rpt_text("gp/%s.gp", base);
	char *set = rpt_text("%s=1", format);
	int status = child_gnuplot(r->outdir, set, script);

	if (!status)
		return 0;
	if (status == 127) {
		r->no_gnuplot = true;
		rpt_warn(r, "gnuplot: not found, no pictures");
		return -1;
	}
	rpt_warn(r, "%s/gp/%s.gp: gnuplot failed, no picture", r->outdir, base);
	return -1;
}

/**
 * rpt_plot_draw() - draw all formats, note the figure for page and JSON
 * @r: the report
 * @base: the picture's name, gp/BASE.gp is its script
 * @scenario: whose it is
 * @title: on the page
 * @caption: below it
 */
void rpt_plot_draw(struct rpt *r, const char *base, const char *scenario, const char *title,
		   const char *caption)
{
	struct rpt_figure *fig;

	if (rpt_gnuplot(r, base, "svg") || rpt_gnuplot(r, base, "png") ||
	    (r->pdf && rpt_gnuplot(r, base, "pdf")))
		return;
	r->figs = xreallocarray(r->figs, r->nr_figs + 1, sizeof(*r->figs));
	fig = &r->figs[r->nr_figs++];
	fig->scenario = rpt_text("%s", scenario);
	fig->file = rpt_text("%s", base);
	fig->title = rpt_text("%s", title);
	fig->caption = rpt_text("%s", caption);
}
