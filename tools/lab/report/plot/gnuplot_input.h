/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A picture: its data as CSV, what is known about it as variables, and the
 * gnuplot program that draws it, tools/lab/report/gp/PROGRAM.gp. How things look
 * is the program's business; what they are and where they belong is the caller's.
 */
#ifndef LAB_REPORT_PLOT_GNUPLOT_INPUT_H
#define LAB_REPORT_PLOT_GNUPLOT_INPUT_H

#include "report/report.h"

/* Rows of pictures over time: the columns T, V, LO and HI of gp/common.gp. */
#define PIC_TIME "panel,cc,series,t_ns,value,low,high"

struct rpt_sizes;

struct pic_array {
	char *name, *text;
	size_t len, n;
	FILE *f;
};

/**
 * struct pic - a picture that is being made
 * @r: the report
 * @data_path: OUT/data/BASE.csv
 * @array: what the program gets as arrays
 * @n_arrays: how many
 * @vars: what it gets as variables
 * @scenario: whose it is
 * @title: on the page, of a picture that picture_list.h has
 * @base: file name without directory and extension
 * @program: name of the gnuplot program
 * @height: pixels; the width is rpt_width()
 * @event: what changed in the run, where the picture is over time
 * @n_events: how many
 * @data: the open data file
 * @key: what the rows of the present block begin with
 * @cols: numbers in a row, the key not counted
 * @keys: words in a row
 * @blocks: begun so far; blocks are apart by two empty lines
 * @rows: of the present block
 * @panels: placed so far
 * @curves: described so far; block N is curve N
 * @panel_first: number of the present panel's first curve
 */
struct pic {
	struct rpt *r;
	const char *scenario, *title;
	char *base, *data_path;
	const char *program;
	int height;
	FILE *data;
	char *key;
	size_t cols, keys, blocks, rows, panels, curves, panel_first;
	struct pic_array **array, *vars;
	size_t n_arrays;
	struct rpt_event *event;
	size_t n_events;
};

/**
 * struct pic_panel - one pair of axes
 * @x: left end of its area in pixels from the picture's left
 * @y: its upper end in pixels from the picture's top
 * @w: width, pixels
 * @h: height, pixels
 * @title: above it, bold; may be NULL, as the other texts
 * @more: the rest of the title
 * @xlabel: of the axis below; NULL: it has no labels either
 * @ylabel: of the axis at the left
 * @rgb: of the title
 * @x0: left end of the axis, as gnuplot shows it, as are @x1, @y0, @y1
 * @xdiv: data is divided by this
 * @ydiv: data is divided by this
 * @floor: smaller values are shown as this, unit of the data
 * @xlog: logarithmic axis
 * @ylog: logarithmic axis
 */
struct pic_panel {
	double x, y, w, h;
	const char *title, *more, *xlabel, *ylabel;
	unsigned int rgb;
	double x0, x1, y0, y1, xdiv, ydiv, floor;
	bool xlog, ylog;
};

enum pic_kind {
	PIC_LINE,
	PIC_STEPS,			/* a value lasts until the next one */
	PIC_BAND,			/* a line, and a shade from low to high */
};

/* What a curve looks like. */
struct pic_look {
	enum pic_kind kind;
	unsigned int rgb;
	int dash, point;
	double width;
	const char *name, *shade;	/* in the key; NULL: not there */
};

enum picture_id {
#define PICTURE(id, ...)	P_##id,
#define OF_SCENARIO(...)
#define OF_RUN(...)
#define OF_FLOWS(...)
#include "report/plot/picture_list.h"
};

#define PICTURE(...)
#define OF_SCENARIO(draw)	void rpt_plot_##draw(struct rpt *r, const struct rpt_scenario *s);
#define OF_RUN(draw, arg)	void rpt_plot_##draw(struct rpt *r, const struct rpt_scenario *s, \
						     struct rpt_course *c);
#define OF_FLOWS(draw)		void rpt_plot_##draw(struct rpt *r, const struct rpt_sizes *f);
#include "report/plot/picture_list.h"

int pic_programs(struct rpt *r);
bool pic_begin(struct rpt *r, struct pic *p, const char *scenario, const char *kind,
	       const char *program, int height, const char *columns);
bool pic_open(struct rpt *r, struct pic *p, const struct rpt_scenario *s,
	      const struct rpt_course *c, int id, int height);
void pic_end(struct pic *p, const char *title, const char *fmt, ...) LIB_PRINTF(3, 4);
#define pic_close(p, ...)	pic_end(p, (p)->title, __VA_ARGS__)

void pic_head(struct pic *p, const char *name, const char *what);
void pic_set(struct pic *p, const char *name, double v);
void pic_say(struct pic *p, const char *name, const char *text);
void pic_num(struct pic *p, const char *array, double v);
void pic_text(struct pic *p, const char *array, const char *text);

void pic_panel_end(struct pic *p);
void pic_panel(struct pic *p, const struct pic_panel *panel);
void pic_block(struct pic *p, const char *word, ...) __attribute__((sentinel));
void pic_key(struct pic *p, const char *word, ...) __attribute__((sentinel));
void pic_look(struct pic *p, const struct pic_look *look);
void pic_curve(struct pic *p, const struct pic_look *look, const char *what, const char *cc,
	       const char *series);
void pic_row(struct pic *p, int n, ...);
void pic_gap(struct pic *p);
void pic_tic(struct pic *p, char axis, const char *text, double at);
void pic_more_tics(struct pic *p, char axis);
void pic_line(struct pic *p, char axis, double at);
void pic_names(struct pic *p, struct rpt_label *l, size_t n, double height);
void pic_swatches(struct pic *p, const struct rpt_swatch *w, size_t n, double x);
void pic_marks(struct pic *p, const struct pic_panel *panel);
void pic_note(struct pic *p, const char *text, double x, double y, int align, unsigned int rgb);
void pic_algo(struct pic *p, const struct rpt_algo *a);
void pic_algos(struct pic *p, const struct rpt_scenario *s);

#endif /* LAB_REPORT_PLOT_GNUPLOT_INPUT_H */
