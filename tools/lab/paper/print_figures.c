// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: prints a figure, and lists of figures.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/number.h"
#include "paper/paper.h"

#define WIDTH	13

/* An expression that finds no such moment gives 1e9, as add-a-figure.md says. */
static const char *cell_text(struct json_object *cell, const char *name)
{
	const char *text = js_str(cell, name, "");

	return strcmp(text, "1000000000") ? text : "never";
}

static void print_cell(struct json_object *cell, const char *name)
{
	printf(" %*s", WIDTH, cell_text(cell, name));
}

/* A row for each series and place: the paper's number, ours, and its range over the seeds. */
static void print_measure(struct json_object *m)
{
	struct json_object *series = js_get(m, "series"), *cells;
	const char *unit = js_str(m, "unit", "");
	size_t i, k;

	printf("\n%s%s%s\n", js_str(m, "label", ""), *unit ? ", " : "", unit);
	printf("  %-24s %-*s %*s %*s\n", "", 2 * WIDTH, js_str(m, "places", ""),
	       WIDTH, "paper", WIDTH, "ours");
	for (i = 0; i < js_len(series); i++) {
		cells = js_get(js_at(series, i), "cells");
		for (k = 0; k < js_len(cells); k++) {
			struct json_object *c = js_at(cells, k);

			printf("  %-24s %-*s", k ? "" : js_str(js_at(series, i), "series", ""),
			       2 * WIDTH, js_str(c, "x", ""));
			print_cell(c, "paper");
			print_cell(c, "ours");
			if (js_get(c, "min"))
				printf("  %s to %s", cell_text(c, "min"), cell_text(c, "max"));
			putchar('\n');
		}
	}
}

static void print_rules(struct json_object *rules)
{
	size_t i;

	for (i = 0; i < js_len(rules); i++) {
		struct json_object *r = js_at(rules, i);

		printf("%s%-6s %s: %s%s%s\n", i ? "" : "\n", js_str(r, "kind", ""),
		       js_bool(r, "holds", false) ? "yes" : "NO ", js_str(r, "says", ""),
		       js_get(r, "error") ? ": " : "", js_str(r, "error", ""));
	}
}

static void print_changed(struct json_object *changed)
{
	size_t i;

	if (!changed)
		return;
	if (!js_len(changed))
		printf("digits: as kept\n");
	for (i = 0; i < js_len(changed); i++)
		printf("digits: not as kept: %s\n", json_object_get_string(js_at(changed, i)));
}

/**
 * figure_print() - a figure with its numbers and its verdict
 * @answer: of figures_judge()
 */
void figure_print(struct json_object *answer)
{
	const char *const why[] = { "cannot", "no_results" };
	struct json_object *measures = js_get(answer, "measures");
	size_t i;

	printf("%s %s%s%s: %s\n", js_str(answer, "paper", ""), js_str(answer, "figure", ""),
	       js_get(answer, "form") ? ", " : "", js_str(answer, "form", ""),
	       js_str(answer, "title", ""));
	if (js_get(answer, "claim"))
		printf("The paper, %s: %s\n", js_str(answer, "section", ""),
		       js_str(answer, "claim", ""));
	if (js_get(answer, "differs"))
		printf("Here: %s\n", js_str(answer, "differs", ""));
	for (i = 0; i < ARRAY_SIZE(why); i++)
		if (js_get(answer, why[i]))
			printf("%s\n", js_str(answer, why[i], ""));
	for (i = 0; js_get(answer, "digits") && i < js_len(measures); i++)
		print_measure(js_at(measures, i));
	print_rules(js_get(answer, "rules"));
	print_changed(js_get(answer, "changed"));
	printf("verdict: %s\n", js_str(answer, "verdict", ""));
	if (js_get(answer, "picture"))
		printf("picture: %s\n", js_str(answer, "picture", ""));
}

/**
 * figures_list() - a line for each figure of a paper
 * @p: paper
 * @answers: of figures_judge(), of all papers
 */
void figures_list(const struct paper *p, struct json_object *answers)
{
	size_t i;

	printf("%s: %s\n", p->name, js_str(p->doc, "title", ""));
	for (i = 0; i < js_len(answers); i++) {
		struct json_object *a = js_at(answers, i);

		if (strcmp(js_str(a, "paper", ""), p->name))
			continue;
		printf("  %-5s %-10s %-8s %6s  %s\n", js_str(a, "figure", ""),
		       js_str(a, "verdict", ""), js_str(a, "form", ""), js_str(a, "seconds", ""),
		       js_str(a, "title", ""));
	}
}

/**
 * figures_sum() - how many figures have which verdict
 * @answers: of figures_judge()
 */
void figures_sum(struct json_object *answers)
{
	static const char *const verdicts[] = { "same", "same order", "not", "cannot", "not run" };
	size_t i, k, n[ARRAY_SIZE(verdicts)] = { 0 }, of = 0;

	for (i = 0; i < js_len(answers); i++)
		for (k = 0; k < ARRAY_SIZE(verdicts); k++)
			n[k] += strcmp(js_str(js_at(answers, i), "verdict", ""), verdicts[k]) == 0;
	for (k = 0; k < ARRAY_SIZE(verdicts); k++)
		of += n[k];
	for (k = 0; k < ARRAY_SIZE(verdicts); k++)
		printf("%s%zu %s", k ? ", " : "", n[k], verdicts[k]);
	printf(" of %zu figures and tables with results\n", of);
}
