/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab paper: the figures of papers, what they claim and what comes out here.
 *
 * registry.c reads the papers' files. run_figure.c has "lab sweep" make the runs of a figure and
 * measures each. judge_figures.c sums up over seeds and judges by the figure's rules. Both leave
 * the arithmetic to jq, whose functions are in tools/lab/papers/figure.jq. print_figures.c shows
 * it, draw_figure.c draws it, measured.c keeps the digits.
 */
#ifndef LAB_PAPER_PAPER_H
#define LAB_PAPER_PAPER_H

#include "lab.h"
#include "lib/child.h"
#include "lib/options.h"

#define PAPERS_DIR	"tools/lab/papers"
#define FORM_FULL	"full"
#define FORM_REDUCED	"reduced"

struct paper {
	char *name;
	struct json_object *doc;	/* NAME.json */
	struct json_object *measured;	/* NAME.measured.json: our digits, by figure and form */
};

struct paper_options {
	const char *out, *form;
	bool full, json, quiet, store;
	uint64_t seeds;			/* 0: those of the figure */
	struct option_list sweep;	/* options of "lab sweep" */
};

/* registry.c */
char *papers_path(const char *name, const char *suffix);
char **paper_names(size_t *n);
int paper_load(struct paper *p, const char *name);
int paper_load_measured(struct paper *p);
void paper_free(struct paper *p);
struct json_object *paper_figure(const struct paper *p, const char *name);
struct json_object *figure_form(struct json_object *figure, const char *form);
const char *figure_default_form(struct json_object *figure);

/* run_figure.c */
int figure_run(const struct paper *p, struct json_object *figure, const char *form,
	       const struct paper_options *o, struct json_object **rows);

/* judge_figures.c */
#define FIGURE_JQ	"include \"figure\"; "

char *figure_expr(struct json_object *from, const char *name);
int jq_run(const char *program, const char *const *args, const char *input,
	   struct json_object **result);
void figure_ask(struct json_object *questions, const struct paper *p, struct json_object *figure,
		const char *form, struct json_object *rows, bool compare);
int figures_judge(struct json_object *questions, struct json_object **answers);

/* draw_figure.c */
int figure_draw(struct json_object *answer, const char *dir, bool *drawn);

/* print_figures.c */
void figure_print(struct json_object *answer);
void figures_list(const struct paper *p, struct json_object *answers);
void figures_sum(struct json_object *answers);

/* measured.c */
struct json_object *measured_of(const struct paper *p, const char *figure, const char *form);
int measured_store(struct paper *p, const char *figure, const char *form,
		   struct json_object *answer);

#endif /* LAB_PAPER_PAPER_H */
