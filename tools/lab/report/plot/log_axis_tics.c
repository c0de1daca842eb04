// SPDX-License-Identifier: GPL-2.0
/* lab report: tics of logarithmic axes and their labels. */
#include <math.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

#define LOG_LABELS	300.0		/* wider: labels at powers of ten only */

/**
 * rpt_log_tics() - labels that one can read off, on a logarithmic axis
 * @p: the picture
 * @axis: 'x' or 'y'
 * @panel: the present panel
 */
void rpt_log_tics(struct pic *p, char axis, const struct pic_panel *panel)
{
	static const int mul[] = { 1, 2, 5 };
	double lo = axis == 'x' ? panel->x0 : panel->y0;
	double hi = axis == 'x' ? panel->x1 : panel->y1, pow10;
	char text[32];
	size_t i;

	if (!(axis == 'x' ? panel->xlog : panel->ylog) || hi > LOG_LABELS * lo)
		return;
	for (pow10 = pow(10, floor(log10(lo))); pow10 <= hi; pow10 *= 10) {
		for (i = 0; i < ARRAY_SIZE(mul); i++) {
			snprintf(text, sizeof(text), "%g", mul[i] * pow10);
			pic_tic(p, axis, text, mul[i] * pow10);
		}
	}
}
