// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: panels of a picture, and what is written on and beside them, as variables for
 * gnuplot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define PIC_LINE_PX 15.0	/* of text */
#define PIC_CHAR_PX 6.9		/* of a letter, in the mean */
#define PIC_BOLD_PX 7.8

/* The rest of a title, unless it does not fit; a unit, which is in brackets, stays. */
static const char *pic_more(const struct pic_panel *panel)
{
	double px = PIC_BOLD_PX * strlen(panel->title ? panel->title : "") +
		    PIC_CHAR_PX * strlen(panel->more ? panel->more : "");

	return !panel->title || !panel->more || strncmp(panel->more, " (", 2) == 0 ||
	       px < rpt_width() - panel->x ? panel->more : NULL;
}

/* pic_panel() - the next panel; curves, lines, notes and tics after this are its */
void pic_panel(struct pic *p, const struct pic_panel *panel)
{
	pic_panel_end(p);
	p->panels++;
	pic_num(p, "panel_x", panel->x);
	pic_num(p, "panel_y", panel->y);
	pic_num(p, "panel_w", panel->w);
	pic_num(p, "panel_h", panel->h);
	pic_text(p, "panel_title", panel->title);
	pic_text(p, "panel_more", pic_more(panel));
	pic_num(p, "panel_rgb", panel->rgb);
	pic_text(p, "panel_xlabel", panel->xlabel);
	pic_text(p, "panel_ylabel", panel->ylabel);
	pic_num(p, "panel_x0", panel->x0);
	pic_num(p, "panel_x1", panel->x1);
	pic_num(p, "panel_y0", panel->y0);
	pic_num(p, "panel_y1", panel->y1);
	pic_num(p, "panel_xdiv", panel->xdiv ? panel->xdiv : 1);
	pic_num(p, "panel_ydiv", panel->ydiv ? panel->ydiv : 1);
	pic_num(p, "panel_floor", panel->floor > 0 ? panel->floor : -1e300);
	pic_num(p, "panel_xlog", panel->xlog);
	pic_num(p, "panel_ylog", panel->ylog);
	p->panel_first = p->curves + 1;
	if (p->n_events)
		pic_marks(p, panel);
}

/* "link a-b down" is short for itself without its first word, "flow 3 stop" is not. */
static char *pic_mark_text(const char *what, const struct pic_panel *panel)
{
	static const char *const nouns[] = { "link ", "switch ", "host " };
	size_t i, most = (panel->h - PIC_LINE_PX) / PIC_CHAR_PX;

	for (i = 0; i < ARRAY_SIZE(nouns); i++)
		if (strncmp(what, nouns[i], strlen(nouns[i])) == 0)
			what += strlen(nouns[i]);
	return strlen(what) <= most ? rpt_text("%s", what) :
	       rpt_text("%.*s..", (int)most - 2, what);
}

/**
 * pic_marks() - a line at each event of the timeline
 * @p: the picture
 * @panel: the present panel, over time
 *
 * The first panel has their names along the lines. Where lines are too close the first one's name
 * says how many more there are; the caption has all.
 */
void pic_marks(struct pic *p, const struct pic_panel *panel)
{
	double div = panel->xdiv ? panel->xdiv : 1, end = panel->x1 * div, last_px = -HUGE_VAL;
	size_t i, k;

	for (i = 0; i < p->n_events; i++) {
		double px = panel->w * p->event[i].at_ns / end;
		char *text = (char *)"";

		if (p->event[i].at_ns > end)
			break;
		if (p->panels == 1 && px - last_px >= PIC_LINE_PX) {
			for (k = i + 1; k < p->n_events && p->event[k].at_ns <= end &&
			     panel->w * p->event[k].at_ns / end - px < PIC_LINE_PX; k++)
				;
			text = pic_mark_text(p->event[i].what, panel);
			if (k > i + 1)
				text = rpt_text("%s, +%zu", text, k - i - 1);
			last_px = px;
		}
		pic_num(p, "mark_panel", p->panels);
		pic_num(p, "mark_at", p->event[i].at_ns / div);
		pic_text(p, "mark_text", text);
	}
}

/* pic_tic() - a tic of the present panel; an axis with any has no others */
void pic_tic(struct pic *p, char axis, const char *text, double at)
{
	pic_num(p, "tic_panel", p->panels);
	pic_text(p, "tic_axis", axis == 'x' ? "x" : "y");
	pic_text(p, "tic_text", text);
	pic_num(p, "tic_at", at);
}

/* pic_more_tics() - an axis of the present panel has those of pic_tic() besides gnuplot's */
void pic_more_tics(struct pic *p, char axis)
{
	pic_set(p, rpt_text("more_%ctics", axis), 1);
}

/* pic_line() - a dashed line across the panel, at a value of @axis */
void pic_line(struct pic *p, char axis, double at)
{
	pic_num(p, "line_panel", p->panels);
	pic_text(p, "line_axis", axis == 'x' ? "x" : "y");
	pic_num(p, "line_at", at);
}

static int pic_cmp_label(const void *pa, const void *pb)
{
	const struct rpt_label *a = pa, *b = pb;

	return a->y > b->y ? -1 : a->y < b->y;
}

/**
 * pic_names() - names in the right margin, at the height of their curves
 * @p: the picture
 * @l: the names, sorted here; texts stay the caller's
 * @n: how many
 * @height: of the panel, pixels
 *
 * Names keep a line's distance, which moves them by as little as possible.
 */
void pic_names(struct pic *p, struct rpt_label *l, size_t n, double height)
{
	double line = PIC_LINE_PX / height, floor = 0.3 * line;
	size_t i;

	if (n)
		qsort(l, n, sizeof(*l), pic_cmp_label);
	/* Down from the top, then up from the bottom. */
	for (i = 1; i < n; i++)
		l[i].y = fmin(l[i].y, l[i - 1].y - line);
	for (i = n; i-- > 0; floor = l[i].y + line)
		l[i].y = fmax(l[i].y, floor);
	for (i = 0; i < n; i++) {
		pic_num(p, "name_panel", p->panels);
		pic_text(p, "name_text", l[i].text);
		pic_num(p, "name_y", l[i].y);
		pic_num(p, "name_rgb", l[i].rgb);
		pic_num(p, "name_dash", l[i].dash);
	}
}

/**
 * pic_swatches() - what the panel's colours mean, beside its title; above it in a narrow picture
 * @p: the picture
 * @w: colours
 * @n: how many
 * @x: of the first, 0..1 of the picture
 */
void pic_swatches(struct pic *p, const struct rpt_swatch *w, size_t n, double x)
{
	double px = rpt_narrow() ? 10 : x * rpt_width();
	size_t i;

	for (i = 0; i < n; i++) {
		pic_num(p, "swatch_panel", p->panels);
		pic_text(p, "swatch_text", w[i].text);
		pic_num(p, "swatch_x", px);
		pic_num(p, "swatch_rgb", w[i].rgb);
		px += rpt_narrow() ? 25 + 7.2 * strlen(w[i].text) :
		      50 + 8.3 * strlen(w[i].text);
	}
}

/**
 * pic_note() - a text in or beside the panel
 * @p: the picture
 * @text: it
 * @x: share of the panel's width
 * @y: share of its height
 * @align: -1: it begins there, 0: its middle is there, 1: it ends there
 * @rgb: colour
 */
void pic_note(struct pic *p, const char *text, double x, double y, int align, unsigned int rgb)
{
	pic_num(p, "note_panel", p->panels);
	pic_text(p, "note_text", text);
	pic_num(p, "note_x", x);
	pic_num(p, "note_y", y);
	pic_num(p, "note_align", align);
	pic_num(p, "note_rgb", rgb);
}

/* pic_algo() - name and look of an algorithm, for keys */
void pic_algo(struct pic *p, const struct rpt_algo *a)
{
	pic_text(p, "cc_name", a->cc);
	pic_num(p, "cc_rgb", a->style.rgb);
	pic_num(p, "cc_dash", a->style.dash);
	pic_num(p, "cc_point", a->style.point);
	pic_num(p, "cc_letters", strlen(a->cc));
}

/* pic_algos() - all algorithms of a scenario */
void pic_algos(struct pic *p, const struct rpt_scenario *s)
{
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		pic_algo(p, &s->algos[i]);
}
