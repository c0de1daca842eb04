// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: has jq sum up what was measured, and judge by the figures' rules. One process does so
 * for any number of figures.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "paper/paper.h"

/**
 * figure_expr() - an expression of a paper's file, which may be a list of lines
 * @from: what has it
 * @name: of the member
 *
 * Return: new string.
 */
char *figure_expr(struct json_object *from, const char *name)
{
	struct json_object *expr = js_get(from, name);
	size_t i, size;
	char *text;
	FILE *f;

	if (!json_object_is_type(expr, json_type_array))
		return xstrdup(expr ? json_object_get_string(expr) : "");
	f = open_memstream(&text, &size);
	for (i = 0; i < js_len(expr); i++)
		fprintf(f, "%s\n", json_object_get_string(js_at(expr, i)));
	fclose(f);
	return text;
}

/**
 * jq_run() - run a jq program
 * @program: it
 * @args: further arguments, NULL at the end; may be NULL
 * @input: a JSON file
 * @result: what it printed
 *
 * Return: 0, or the exit status after a message.
 */
int jq_run(const char *program, const char *const *args, const char *input,
	   struct json_object **result)
{
	struct option_list argv = { 0 };
	char *dir = papers_path("", ""), *text;
	int rc;

	*result = NULL;
	if (!child_exists("jq"))
		return run_error("jq is missing (Debian package jq)");
	list_add2(&argv, "jq", "-c");
	list_add2(&argv, "-L", dir);
	while (args && *args)
		list_add(&argv, (char *)*args++);
	list_add2(&argv, (char *)program, (char *)input);
	rc = child_output(&(struct child){ .argv = argv.v, .errors = true, .death = SIGTERM },
			  &text);
	if (!rc)
		*result = json_tokener_parse(text);
	if (!*result)
		rc = run_error("%.*s", (int)strcspn(text ? text : "jq", "\n"), text ? text : "jq");
	free(text);
	free(argv.v);
	free(dir);
	return rc;
}

/**
 * figure_ask() - add a figure to those that figures_judge() judges
 * @questions: list
 * @p: paper
 * @figure: its entry
 * @form: name of the form; NULL: it has none
 * @rows: of figure_run(); NULL: go by the digits that are kept
 * @compare: with the digits that are kept
 */
void figure_ask(struct json_object *questions, const struct paper *p, struct json_object *figure,
		const char *form, struct json_object *rows, bool compare)
{
	struct json_object *q = json_object_new_object(), *kept = NULL;

	if (form && (compare || !rows))
		kept = measured_of(p, js_str(figure, "figure", ""), form);
	js_add_str(q, "paper", p->name);
	json_object_object_add(q, "figure", json_object_get(figure));
	if (form)
		js_add_str(q, "form", form);
	json_object_object_add(q, "rows", json_object_get(rows));
	json_object_object_add(q, "stored", json_object_get(kept));
	json_object_array_add(questions, q);
}

static void add_rules(FILE *f, struct json_object *list, const char *kind)
{
	char *expr;
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		expr = figure_expr(js_at(list, i), "holds");
		fprintf(f, "\n| rule(\"%s\"; %zu; (. as $t | %s))", kind, i, expr);
		free(expr);
	}
}

/* What is done with question @i. */
static void add_program(FILE *f, size_t i, struct json_object *question)
{
	struct json_object *figure = js_get(question, "figure"), *list = js_get(figure, "measures");
	char *expr;
	size_t k;

	fprintf(f, "%s(.[%zu] | ", i ? ",\n" : "", i);
	if (!list) {
		fputs("{ q: . } | answer)", f);
		return;
	}
	fputs("begin", f);
	for (k = 0; k < js_len(list); k++) {
		if (!js_bool(js_at(list, k), "derived", false))
			continue;
		expr = figure_expr(js_at(list, k), "expr");
		fprintf(f, "\n| derive(%zu; (. as $t | %s))", k, expr);
		free(expr);
	}
	fputs("| sum_up", f);
	add_rules(f, js_path(figure, "verdict.same"), "same");
	add_rules(f, js_path(figure, "verdict.order"), "order");
	add_rules(f, js_get(figure, "checks"), "check");
	fputs("| answer)", f);
}

/**
 * figures_judge() - judge figures
 * @questions: list made by figure_ask()
 * @answers: new list, in the same order, as "lab paper -j" prints it
 *
 * Return: 0, or the exit status after a message.
 */
int figures_judge(struct json_object *questions, struct json_object **answers)
{
	char *work = work_dir_make(), *input, *program;
	size_t i, size;
	FILE *f;
	int rc;

	*answers = NULL;
	if (!work)
		return EXIT_RUN_FAILED;
	f = open_memstream(&program, &size);
	fputs(FIGURE_JQ "[", f);
	for (i = 0; i < js_len(questions); i++)
		add_program(f, i, js_at(questions, i));
	fputs("]", f);
	fclose(f);
	input = xasprintf("%s/questions", work);
	rc = js_save(questions, input) ? run_error("%s cannot be written", input) :
	     jq_run(program, NULL, input, answers);
	free(input);
	free(program);
	work_dir_remove(work);
	return rc;
}
