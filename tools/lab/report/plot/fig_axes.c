// SPDX-License-Identifier: GPL-2.0
/* lab report: keys and axes that pictures of a workload share. */
#include <math.h>
#include <string.h>

#include "report/plot/fig.h"

#define CHAR_PX		7.2		/* of a letter */
#define KEY_PX		34.0		/* of a mark and the gap to the next name */
#define LOG_LABELS	300.0		/* wider: labels at powers of ten only */

static double pow10_below(double v)
{
	return pow(10, floor(log10(v)));
}

/**
 * rpt_fig_keys() - names of the algorithms in their colours, in one line
 * @out: script
 * @f: figures
 * @x: where it ends, share of the picture's width
 * @y: middle, share of its height
 */
void rpt_fig_keys(FILE *out, const struct rpt_figs *f, double x, double y)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		x -= (strlen(f->algo[i].a->cc) * CHAR_PX + KEY_PX) / RPT_PLOT_WIDTH;
	for (i = 0; i < f->n; i++) {
		const struct rpt_style *st = &f->algo[i].a->style;

		fprintf(out, "set label %zu \"\" at screen %.5f, screen %.5f point pt %d ps 1 lc rgb \"#%06x\"\n",
			200 + i, x + 14.0 / RPT_PLOT_WIDTH, y, st->point, st->rgb);
		fprintf(out, "set label %zu \"", 100 + i);
		rpt_plot_text(out, f->algo[i].a->cc);
		fprintf(out, "\" at screen %.5f, screen %.5f left tc rgb \"#%06x\"\n",
			x + 22.0 / RPT_PLOT_WIDTH, y, rpt_mix(st->rgb, 0, 0.25));
		x += (strlen(f->algo[i].a->cc) * CHAR_PX + KEY_PX) / RPT_PLOT_WIDTH;
	}
}

/**
 * rpt_fig_log() - make an axis logarithmic, with labels that one can read off
 * @out: script
 * @axis: 'x' or 'y'
 * @lo: its lower end
 * @hi: its upper end
 */
void rpt_fig_log(FILE *out, char axis, double lo, double hi)
{
	static const int mul[] = { 1, 2, 5 };
	const char *sep = "";
	double pow;
	size_t i;

	fprintf(out, "set logscale %c\nset format %c \"%%g\"\nset %crange [%.6g:%.6g]\n",
		axis, axis, axis, lo, hi);
	fprintf(out, "set %ctics autofreq\n", axis);
	if (hi > LOG_LABELS * lo)
		return;
	fprintf(out, "set %ctics (", axis);
	for (pow = pow10_below(lo); pow <= hi; pow *= 10) {
		for (i = 0; i < ARRAY_SIZE(mul); i++) {
			fprintf(out, "%s%g", sep, mul[i] * pow);
			sep = ", ";
		}
	}
	fputs(")\n", out);
}

/**
 * rpt_fig_title() - begin a picture of several panels: title, and the algorithms' keys
 * @out: script
 * @f: figures
 * @name: scenario, or point of a sweep
 * @what: what is drawn
 * @height: of the picture
 */
void rpt_fig_title(FILE *out, const struct rpt_figs *f, const char *name, const char *what,
		   int height)
{
	fputs("unset key\nset multiplot\nset label 1 \"{/:Bold ", out);
	rpt_plot_text(out, name);
	fprintf(out, ": %s}\" at screen 0.012, screen %.5f left font \",15\"\n", what,
		1 - 22.0 / height);
	rpt_fig_keys(out, f, 0.985, 1 - 50.0 / height);
}

/**
 * rpt_fig_title_end() - only the first panel has these labels
 * @out: script
 * @f: figures
 */
void rpt_fig_title_end(FILE *out, const struct rpt_figs *f)
{
	size_t i;

	fputs("unset label 1\n", out);
	for (i = 0; i < f->n; i++)
		fprintf(out, "unset label %zu\nunset label %zu\n", 100 + i, 200 + i);
}
