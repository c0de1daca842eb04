// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: makes the runs of a figure, by "lab sweep", and takes the figure's measures of each.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/csv.h"
#include "lib/file.h"
#include "paper/paper.h"

/* Tables of a run's directory that an expression may name, as $flows and so on. */
static const char *const tables[] = { "flows", "rates", "queues", "state", "types", "counts" };

/* What is asked of one run. */
struct ask {
	struct json_object *figure, *run;
	const char *dir, *work;
	bool incomplete;		/* flows need not complete */
};

/* A measure may be for the runs of one name only. Derived ones are of no run. */
static bool is_wanted(const struct ask *a, struct json_object *measure)
{
	const char *of = js_str(measure, "run", NULL);

	return !js_bool(measure, "derived", false) &&
	       (!of || strcmp(of, js_str(a->run, "name", "")) == 0);
}

/* The list of all measures' values: null for those that are not for this run. */
static char *program_for(const struct ask *a)
{
	struct json_object *list = js_get(a->figure, "measures");
	char *text, *expr;
	size_t i, size;
	FILE *f = open_memstream(&text, &size);

	expr = figure_expr(a->figure, "define");
	fprintf(f, FIGURE_JQ "%s\n[", expr);
	free(expr);
	for (i = 0; i < js_len(list); i++) {
		struct json_object *m = js_at(list, i);

		expr = is_wanted(a, m) ? figure_expr(m, "expr") : xstrdup("null");
		fprintf(f, "%s\n(try (%s) catch error(\"measure \\\"%s\\\": \\(.)\"))",
			i ? "," : "", expr, js_str(m, "name", ""));
		free(expr);
	}
	fputs("]", f);
	fclose(f);
	return text;
}

/* A table as JSON, an object for each row. */
static int table_to_json(const char *from, const char *to)
{
	struct csv c;
	FILE *f;
	int i;

	if (csv_open(&c, from, NULL))
		return run_error("%s: cannot be read", from);
	f = fopen(to, "we");
	if (!f) {
		csv_close(&c);
		return run_error("%s: cannot be written", to);
	}
	while (csv_next(&c)) {
		for (i = 0; i < c.n; i++) {
			const char *t = c.field[i];
			char *end;

			fprintf(f, "%c\"%s\":", i ? ',' : '{', c.name[i]);
			if (*t && (strtod(t, &end), !*end))
				fputs(t, f);
			else if (*t)
				fprintf(f, "\"%s\"", t);
			else
				fputs("null", f);
		}
		fputs("}\n", f);
	}
	csv_close(&c);
	if (fclose(f))
		return run_error("%s: cannot be written", to);
	return 0;
}

static int measure_run(const struct ask *a, struct json_object **values)
{
	char *program = program_for(a), *path = xasprintf("%s/summary.json", a->dir);
	const char *args[3 * ARRAY_SIZE(tables) + 1];
	char *made[ARRAY_SIZE(tables)];
	size_t i, n = 0, n_made = 0;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(tables) && !rc; i++) {
		char *var = xasprintf("$%s", tables[i]), *csv;

		if (strstr(program, var)) {
			csv = xasprintf("%s/%s.csv", a->dir, tables[i]);
			made[n_made] = xasprintf("%s/%s", a->work, tables[i]);
			rc = table_to_json(csv, made[n_made]);
			args[n++] = "--slurpfile";
			args[n++] = tables[i];
			args[n++] = made[n_made++];
			free(csv);
		}
		free(var);
	}
	args[n] = NULL;
	if (!rc)
		rc = jq_run(program, args, path, values);
	for (i = 0; i < n_made; i++) {
		unlink(made[i]);
		free(made[i]);
	}
	free(program);
	free(path);
	return rc;
}

/* Values of an option of "lab sweep": a list or one value; commas within them are marked. */
static char *values_of(struct json_object *val)
{
	bool list = json_object_is_type(val, json_type_array);
	size_t n = list ? js_len(val) : 1, i;
	char *text = NULL;
	const char *p;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (i = 0; i < n; i++) {
		if (i)
			fputc(',', f);
		for (p = json_object_get_string(list ? js_at(val, i) : val); *p; p++)
			fprintf(f, "%s%c", *p == ',' ? "\\" : "", *p);
	}
	fclose(f);
	return text;
}

static void add_keyed(struct option_list *argv, struct json_object *run, const char *what)
{
	struct json_object *o = js_get(run, what);
	char *values;

	if (!o)
		return;
	json_object_object_foreach(o, key, val) {
		values = values_of(val);
		list_add2(argv, xasprintf("--%s", what), xasprintf("%s=%s", key, values));
		free(values);
	}
}

/* The command that makes the runs; --out is the last option. */
static void sweep_command(struct option_list *argv, struct json_object *run, const char *out,
			  const struct paper_options *o)
{
	size_t i;

	list_add2(argv, xasprintf("%s/build/bin/lab", lab_root()), xstrdup("sweep"));
	list_add2(argv, xstrdup(js_str(run, "scenario", "")), xstrdup("--cc"));
	list_add(argv, values_of(js_get(run, "cc")));
	add_keyed(argv, run, "set");
	add_keyed(argv, run, "param");
	add_keyed(argv, run, "knob");
	list_add2(argv, xstrdup("--seed"), o->seeds ? xasprintf("1-%" PRIu64, o->seeds) :
		  xstrdup(js_str(run, "seed", "1")));
	for (i = 0; i < o->sweep.n; i++)
		list_add(argv, xstrdup(o->sweep.v[i]));
	list_add2(argv, xstrdup("--out"), xstrdup(out));
}

static int start_runs(struct json_object *run, const char *out, const struct paper_options *o,
		      struct json_object **list)
{
	struct option_list argv = { 0 };
	char *text;
	size_t i;
	int rc;

	sweep_command(&argv, run, out, o);
	if (!o->quiet) {
		fputs("lab", stderr);
		for (i = 1; i < argv.n; i++)
			fprintf(stderr, " %s", argv.v[i]);
		fputc('\n', stderr);
	}
	list_add(&argv, xstrdup("-j"));
	if (o->quiet)
		list_add(&argv, xstrdup("-q"));
	rc = child_output(&(struct child){ .argv = argv.v, .death = SIGTERM }, &text);
	*list = text && *text ? json_tokener_parse(text) : NULL;
	free(text);
	for (i = 0; i < argv.n; i++)
		free(argv.v[i]);
	free(argv.v);
	if (rc == EXIT_USAGE || !*list)
		return rc ? rc : run_error("lab sweep has no results");
	return 0;
}

/* "n=16,size=1mb" as an object. */
static struct json_object *point_of(const char *text)
{
	struct json_object *o = json_object_new_object();
	char *copy = xstrdup(text), *rest = copy, *word;

	while ((word = strsep(&rest, ","))) {
		char *eq = strchr(word, '=');

		if (eq) {
			*eq = '\0';
			js_add_str(o, word, eq + 1);
		}
	}
	free(copy);
	return o;
}

/* What rules see of a run. */
static int add_row(struct ask *a, const char *out, struct json_object *summary,
		   struct json_object *rows)
{
	const char *point = js_str(summary, "point", ""), *cc = js_str(summary, "label", "none");
	struct json_object *row, *values = NULL;
	char *name, *dir;
	int rc;

	if (!js_get(summary, "scenario") || (js_get(summary, "failed") && !a->incomplete))
		return run_error("%s: %s", js_str(summary, "run", ""),
				 js_str(summary, "failed", ""));
	if (js_int(summary, "errors", 0) && !a->incomplete)
		return run_error("%s: flows did not complete", js_str(summary, "run", ""));
	name = result_dir_name(js_str(summary, "scenario", ""), cc, js_int(summary, "seed", 1));
	dir = xasprintf("%s/%s%s%s", out, point, *point ? "/" : "", name);
	a->dir = dir;
	rc = measure_run(a, &values);
	if (!rc) {
		row = json_object_new_object();
		js_add_str(row, "cc", cc);
		js_add_int(row, "seed", js_int(summary, "seed", 1));
		json_object_object_add(row, "point", point_of(point));
		json_object_object_add(row, "settings",
				       json_object_get(js_get(summary, "settings")));
		json_object_object_add(row, "values", values);
		json_object_array_add(rows, row);
	}
	free(name);
	free(dir);
	return rc;
}

/* The place of the runs of a figure's form; those of several scenarios are beside each other. */
static char *place_of(const struct paper *p, const char *figure, const char *form,
		      struct json_object *run, const struct paper_options *o)
{
	const char *name = js_str(run, "name", NULL);

	return xasprintf("%s/%s/%s/%s%s%s", o->out, p->name, figure, form, name ? "/" : "",
			 name ? name : "");
}

/* A figure may be of the runs of another one. */
static struct json_object *runs_of(const struct paper *p, struct json_object *figure,
				   const char *form, const char **of)
{
	const char *other = js_str(figure_form(figure, form), "runs_of", NULL);

	*of = other ? other : js_str(figure, "figure", "");
	return js_get(figure_form(other ? paper_figure(p, other) : figure, form), "runs");
}

/**
 * figure_run() - make the runs of a figure that are not there yet, and measure all
 * @p: paper
 * @figure: its entry
 * @form: name of the form
 * @o: options
 * @rows: new list: cc, seed, point, settings and values of each run
 *
 * Return: 0, or the exit status after a message.
 */
int figure_run(const struct paper *p, struct json_object *figure, const char *form,
	       const struct paper_options *o, struct json_object **rows)
{
	struct json_object *runs, *list = NULL;
	struct ask a = { .figure = figure, .work = work_dir_make() };
	char *out, *work = (char *)a.work;
	const char *of;
	size_t i, k;
	int rc = work ? 0 : EXIT_RUN_FAILED;

	*rows = json_object_new_array();
	a.incomplete = js_bool(figure_form(figure, form), "incomplete", false);
	runs = runs_of(p, figure, form, &of);
	if (!js_len(runs) && !rc)
		rc = run_error("%s:%s: no runs", p->name, of);
	for (i = 0; i < js_len(runs) && !rc; i++) {
		a.run = js_at(runs, i);
		out = place_of(p, of, form, a.run, o);
		rc = start_runs(a.run, out, o, &list);
		for (k = 0; k < js_len(list) && !rc; k++)
			rc = work_interrupted() ? interrupted_error() :
			     add_row(&a, out, js_at(list, k), *rows);
		json_object_put(list);
		list = NULL;
		free(out);
	}
	if (work)
		work_dir_remove(work);
	return rc;
}
