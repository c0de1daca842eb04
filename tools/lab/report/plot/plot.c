// SPDX-License-Identifier: GPL-2.0
/*
 * What all pictures share: the palette, the frame of a gnuplot script, running
 * gnuplot. The scripts stay in OUT/gp with their data inside, so that a picture
 * can be changed and drawn again by hand.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"

/* @share of colour @with mixed into @rgb. */
unsigned int rpt_mix(unsigned int rgb, unsigned int with, double share)
{
	unsigned int out = 0;
	int shift;

	for (shift = 16; shift >= 0; shift -= 8) {
		double a = rgb >> shift & 0xff, b = with >> shift & 0xff;

		out = out << 8 | (unsigned int)(a + (b - a) * share + 0.5);
	}
	return out;
}

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
 * rpt_plot_begin() - open a script and write what all have in common
 * @r: the report
 * @p: the plot, filled in
 * @scenario: first part of the file's name
 * @kind: second part
 * @height: in pixels; the width is RPT_PLOT_WIDTH
 *
 * The PNG is drawn at twice the size, for sharp text on dense screens.
 */
bool rpt_plot_begin(struct rpt *r, struct rpt_plot *p, const char *scenario,
		    const char *kind, int height)
{
	char *c;

	if (r->no_gnuplot)
		return false;
	p->base = rpt_printf("%s_%s", scenario, kind);
	for (c = p->base; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._=", *c))
			*c = '_';
	p->script = rpt_printf("%s/gp/%s.gp", r->outdir, p->base);
	p->f = fopen(p->script, "we");
	if (!p->f) {
		rpt_warn(r, "%s: %s", p->script, strerror(errno));
		free(p->base);
		free(p->script);
		return false;
	}
	fprintf(p->f,
		"# In the directory above: gnuplot gp/%s.gp, with -e png=1 for PNG\n"
		"set encoding utf8\n"
		"if (exists(\"png\")) {\n"
		"\tset terminal pngcairo size %d,%d enhanced font \"sans,10\" fontscale 2 linewidth 2 pointscale 2 background \"white\"\n"
		"\tset output \"%s.png\"\n"
		"} else {\n"
		"\tset terminal svg size %d,%d enhanced font \"DejaVu Sans,Verdana,sans-serif,13\" background \"white\"\n"
		"\tset output \"%s.svg\"\n"
		"}\n",
		p->base, 2 * RPT_PLOT_WIDTH, 2 * height, p->base,
		RPT_PLOT_WIDTH, height, p->base);
	fputs("set border 3 lc rgb \"#666666\" lw 1\n"
	      "set tics nomirror out scale 0.6 textcolor rgb \"#333333\"\n"
	      "set grid lt 1 lw 0.6 lc rgb \"#dddddd\"\n"
	      "set style fill transparent solid 0.18 noborder\n"
	      "set samples 1000\n", p->f);
	return true;
}

static int rpt_gnuplot(struct rpt *r, const struct rpt_plot *p, bool png)
{
	char *script = rpt_printf("gp/%s.gp", p->base);
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (chdir(r->outdir))
			_exit(126);
		if (png)
			execlp("gnuplot", "gnuplot", "-e", "png=1", script,
			       (char *)NULL);
		else
			execlp("gnuplot", "gnuplot", script, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	free(script);
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		r->no_gnuplot = true;
		rpt_warn(r, "gnuplot: not found, no pictures");
		return -1;
	}
	rpt_warn(r, "%s: gnuplot failed, no picture", p->script);
	return -1;
}

/* Close the script, draw both formats, note the figure for page and JSON. */
void rpt_plot_end(struct rpt *r, struct rpt_plot *p, const char *scenario,
		  const char *title, const char *caption)
{
	bool full = ferror(p->f);
	struct rpt_figure *fig;

	if (fclose(p->f) || full) {
		rpt_warn(r, "%s: %s", p->script, strerror(errno));
	} else if (!rpt_gnuplot(r, p, false) && !rpt_gnuplot(r, p, true)) {
		r->figs = rpt_realloc(r->figs, r->nr_figs + 1,
				      sizeof(*r->figs));
		fig = &r->figs[r->nr_figs++];
		fig->scenario = rpt_printf("%s", scenario);
		fig->file = rpt_printf("%s", p->base);
		fig->title = rpt_printf("%s", title);
		fig->caption = rpt_printf("%s", caption);
	}
	free(p->base);
	free(p->script);
}

/* One run stands for an algorithm over time: that of its lowest seed. */
static void rpt_course_read(struct rpt *r, const struct rpt_algo *a,
			    struct rpt_course *c)
{
	size_t i;

	*c = (struct rpt_course){ .algo = a, .run = &a->runs[0] };
	c->flows.algo = a;
	rpt_ports_read(r, c->run, &c->ports);
	rpt_rates_read(r, c->run, &c->flows);
	for (i = 0; i < c->ports.n; i++)
		c->pauses |= rpt_port_paused(&c->ports.port[i]);
	if (c->pauses)
		rpt_ends_read(r, c->run, &c->ends);
}

/* Under a workload no port is watched unless asked for. */
static bool rpt_any_queue(const struct rpt_scenario *s,
			  const struct rpt_course *c)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < c[i].ports.n; k++)
			if (c[i].ports.port[k].peak > 0)
				return true;
	return false;
}

static void rpt_plot_courses(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_course *c = rpt_realloc(NULL, s->nr_algos, sizeof(*c));
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		rpt_course_read(r, &s->algos[i], &c[i]);
	if (!rpt_is_traffic(s) || rpt_any_queue(s, c))
		rpt_plot_queue(r, s, c);
	rpt_plot_pauses(r, s, c);
	rpt_plot_lscc(r, s, c);
	rpt_plot_spread(r, s, c);
	rpt_plot_rates(r, s, c);
	rpt_plot_roles(r, s, c);
	rpt_plot_signals(r, s, c);
	rpt_plot_types(r, s, c);
	rpt_plot_compare(r, s, c);
	rpt_plot_join(r, s, c);
	for (i = 0; i < s->nr_algos; i++) {
		rpt_ports_free(&c[i].ports);
		rpt_flows_free(&c[i].flows);
		rpt_ends_free(&c[i].ends);
	}
	free(c);
}

void rpt_plots(struct rpt *r)
{
	char *gp = rpt_printf("%s/gp", r->outdir);
	size_t i;

	if (mkdir(gp, 0777) && errno != EEXIST) {
		rpt_warn(r, "%s: %s", gp, strerror(errno));
		free(gp);
		return;
	}
	free(gp);
	for (i = 0; i < r->nr_scen; i++) {
		rpt_plot_overview(r, &r->scen[i]);
		rpt_plot_scatter(r, &r->scen[i]);
		rpt_plot_courses(r, &r->scen[i]);
		if (!rpt_is_traffic(&r->scen[i]))
			rpt_plot_fct(r, &r->scen[i]);
	}
	rpt_plot_traffic(r);
	rpt_plot_swept(r);
}
