// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: makes the cases (each test, under each algorithm, in each round),
 * collects rows of the table, prints the report.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "programs/test_cases.h"

static void free_test(struct program_test *t)
{
	free(t->name);
	free(t->id);
	free(t->server);
	free(t->client);
}

static bool wanted(const struct programs *p, const struct program_test *t)
{
	char *copy = p->only ? xstrdup(p->only) : NULL, *rest = copy, *w;
	bool any = !copy;

	while (!any && (w = strsep(&rest, ",")))
		any = p->ops->fits(w, t);
	free(copy);
	return any;
}

/**
 * programs_add() - a test, if --tests wants it
 * @p: command line
 * @t: test, whose texts are not the caller's any more
 */
void programs_add(struct programs *p, struct program_test *t)
{
	if (!wanted(p, t)) {
		free_test(t);
		return;
	}
	p->tests = xrealloc(p->tests, (p->n_tests + 1) * sizeof(*p->tests));
	p->tests[p->n_tests++] = *t;
}

/**
 * programs_case() - one of the cases
 * @p: command line
 * @round: from 0 on
 * @t: one of its tests
 * @cc: number of the algorithm
 *
 * A test runs under one rxe right after the other: they find the machine in the same state.
 *
 * Return: case.
 */
struct program_case *programs_case(const struct programs *p, size_t round,
				   const struct program_test *t, size_t cc)
{
	return &p->cases[(round * p->n_tests + (size_t)(t - p->tests)) * p->n_ccs + cc];
}

static void make_case(struct programs *p, size_t round, const struct program_test *t, size_t cc)
{
	struct program_case *c = programs_case(p, round, t, cc);
	char *dir = cc_dir(p->ccs[cc]), *id = xasprintf("%s.%s", t->id ?: t->name, dir);

	*c = (struct program_case){
		.t = t, .cc = p->ccs[cc],
		.timeout_s = p->timeout_s ? (int)p->timeout_s : t->timeout_s,
		.tries = t->tries > (int)p->tries ? t->tries : (int)p->tries,
	};
	c->id = p->ops->rounds ? xasprintf("%s.r%zu", id, round + 1) : xstrdup(id);
	free(id);
	free(dir);
}

static void make_cases(struct programs *p)
{
	size_t round, i, cc;

	p->n_cases = p->rounds * p->n_tests * p->n_ccs;
	p->cases = xcalloc(p->n_cases, sizeof(*p->cases));
	for (round = 0; round < p->rounds; round++)
		for (i = 0; i < p->n_tests; i++)
			for (cc = 0; cc < p->n_ccs; cc++)
				make_case(p, round, &p->tests[i], cc);
}

/**
 * programs_path() - a file that a case has left
 * @p: command line
 * @c: case
 * @file: name
 *
 * Return: new string.
 */
char *programs_path(const struct programs *p, const struct program_case *c, const char *file)
{
	return xasprintf("%s/cases/%s/%s", p->out, c->id, file);
}

/**
 * programs_row() - a row of the table, a new one if need be
 * @p: command line
 * @name: of the row
 * @t: its test
 *
 * Return: row.
 */
struct program_row *programs_row(struct programs *p, const char *name,
				 const struct program_test *t)
{
	size_t i;

	for (i = 0; i < p->n_rows; i++)
		if (strcmp(p->rows[i].name, name) == 0)
			return &p->rows[i];
	p->rows = xrealloc(p->rows, (p->n_rows + 1) * sizeof(*p->rows));
	p->rows[i] = (struct program_row){
		xstrdup(name), t, xcalloc(p->n_ccs, sizeof(struct program_result))
	};
	return &p->rows[p->n_rows++];
}

static struct json_object *to_json(const struct programs *p)
{
	struct json_object *top = json_object_new_object(), *list = json_object_new_array(), *o;
	size_t i, cc;

	js_add_str(top, "command", p->ops->name);
	js_add_str(top, "backend", p->qemu ? "qemu" : "uml");
	js_add_str(top, "clock", p->is_virtual ? "virtual" : "real");
	js_add_int(top, "cpus", p->cpus);
	if (p->ops->rounds)
		js_add_int(top, "rounds", p->rounds);
	o = json_object_new_object();
	for (i = 0; i < PROGRAM_SETS; i++)
		js_add_str(o, p->sets[i].name, p->sets[i].text);
	json_object_object_add(top, "settings", o);
	if (p->ops->worse)
		js_add_int(top, "worse", p->ops->worse(p));
	for (i = 0; i < p->n_rows; i++) {
		for (cc = 0; cc < p->n_ccs; cc++) {
			o = json_object_new_object();
			p->ops->add(p, &p->rows[i], cc, o);
			json_object_array_add(list, o);
		}
	}
	json_object_object_add(top, "results", list);
	return top;
}

static int report(const struct programs *p)
{
	char *path = xasprintf("%s/%s.json", p->out, p->ops->name);
	struct json_object *top = to_json(p);
	int rc = 0;

	if (js_save(top, path))
		rc = run_error("%s: %s", path, strerror(errno));
	if (p->json)
		puts(json_object_to_json_string_ext(top, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		p->ops->print(p);
	json_object_put(top);
	free(path);
	return rc;
}

static int verdict(const struct programs *p)
{
	size_t i, bad = p->ops->worse ? p->ops->worse(p) : 0;

	if (bad)
		return run_error("%s: %zu results are worse than with stock rxe", p->ops->name,
				 bad);
	for (i = 0; !p->ops->worse && i < p->n_cases; i++)
		bad += p->cases[i].v != V_PASS;
	return bad ? run_error("%s: %zu of %zu cases failed, see %s/cases", p->ops->name, bad,
			       p->n_cases, p->out) : 0;
}

/**
 * programs() - lab perftest, lab judge
 * @p: command line
 *
 * Return: exit status, after a message where it is not 0.
 */
int programs(struct programs *p)
{
	size_t i, cc;
	int rc;

	p->out = p->place ? xstrdup(p->place) : xasprintf(RESULTS_DIR "/%s", p->ops->name);
	p->kdir = kernel_dir(false);
	rc = check_built(p->kdir) ?: programs_ccs(p);
	if (rc)
		return rc;
	p->ops->tests(p);
	if (!p->n_tests)
		return usage_error("--tests %s: fits no test; \"lab %s --list\" shows them",
				   p->only, p->ops->name);
	for (i = 0; p->list && i < p->n_tests; i++)
		printf("%s: %s\n", p->tests[i].name, p->tests[i].client);
	if (p->list)
		return 0;
	make_cases(p);
	rc = programs_run(p);
	if (rc)
		return rc;
	for (i = 0; i < p->n_tests; i++)
		for (cc = 0; cc < p->n_ccs; cc++)
			p->ops->take(p, &p->tests[i], cc);
	return report(p) ?: verdict(p);
}

void programs_free(struct programs *p)
{
	size_t i, cc;

	for (i = 0; i < p->n_cases; i++) {
		free(p->cases[i].id);
		free(p->cases[i].why);
	}
	for (i = 0; i < p->n_rows; i++) {
		for (cc = 0; cc < p->n_ccs; cc++)
			free(p->rows[i].by_cc[cc].why);
		free(p->rows[i].by_cc);
		free(p->rows[i].name);
	}
	for (i = 0; i < p->n_tests; i++)
		free_test(&p->tests[i]);
	for (i = 0; i < p->n_ccs; i++)
		free(p->ccs[i]);
	free(p->cases);
	free(p->rows);
	free(p->tests);
	free(p->ccs);
	free(p->out);
	free(p->kdir);
}
