// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: the command line.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "paper/paper.h"
#include "sweep/sweep_options.h"

#define AT(m)	.at = offsetof(struct paper_options, m)

static const struct option_row rows[] = {
	{ "full", NULL, "as in the paper, not the reduced form", OPTION_FLAG, AT(full) },
	{ "form", "NAME", "another form of the figure, for instance ns3", OPTION_TEXT, AT(form) },
	{ "seeds", "N", "seeds 1 to N instead of the figure's own", OPTION_COUNT, AT(seeds),
	  .min = 1, .max = 100000 },
	{ "out", "DIR", "where results go (./results/papers)", OPTION_TEXT, AT(out) },
	{ "store", NULL, "keep the digits as the lab's", OPTION_FLAG, AT(store) },
	{ "json", NULL, "print JSON", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "quiet", NULL, "no progress", OPTION_FLAG, AT(quiet), .letter = 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	SWEEP_HANDED_ON(offsetof(struct paper_options, sweep)),
	OPTION_HAND_ON("debug", NULL, offsetof(struct paper_options, sweep)),
	{ }
};

static const struct options options = {
	.command = "lab paper", .rows = rows, .indent = 2, .column = 19,
	.before =
"Usage: lab paper [PAPER[:FIGURE]]... [OPTIONS]\n\n"
"Without an argument it lists the papers with their figures, and says of each whether\n"
"the same comes out here. PAPER lists one paper. PAPER:FIGURE runs a figure, for\n"
"instance rcc:6, prints the paper's numbers beside those that came out, draws both, and\n"
"gives a verdict: same, same order, not, cannot. Runs that are there already are not made\n"
"again. Exit status: 0 the verdict's rules could be applied, the checks hold and the\n"
"digits are as kept; 1 not so; 2 bad arguments.\n\n",
	.after =
"\n--jobs, --sshlogin, --ssh, --remote-dir, --slurm, --slurm-opt, --retries, --force,\n"
"--timeout, --mem and --debug are those of \"lab sweep\".\n",
};

static void print_json(struct json_object *answers)
{
	printf("%s\n", json_object_to_json_string_ext(answers, JSON_C_TO_STRING_PRETTY |
		JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* The form that lists show: one by name, else the paper's, if it was run, else the reduced one. */
static const char *listed_form(const struct paper *p, struct json_object *figure,
			       const struct paper_options *o)
{
	if (o->form && figure_form(figure, o->form))
		return o->form;
	if (measured_of(p, js_str(figure, "figure", ""), FORM_FULL))
		return FORM_FULL;
	return figure_default_form(figure);
}

static int list_papers(char **names, size_t n, const struct paper_options *o)
{
	struct json_object *questions = json_object_new_array(), *answers = NULL;
	struct paper *p = xcalloc(n, sizeof(*p));
	size_t i, k;
	int rc = 0;

	for (i = 0; i < n && !rc; i++) {
		rc = paper_load(&p[i], names[i]);
		for (k = 0; k < js_len(js_get(p[i].doc, "figures")); k++) {
			struct json_object *f = js_at(js_get(p[i].doc, "figures"), k);

			figure_ask(questions, &p[i], f, listed_form(&p[i], f, o), NULL, false);
		}
	}
	if (!rc)
		rc = figures_judge(questions, &answers);
	if (!rc && o->json)
		print_json(answers);
	for (i = 0; i < n && !rc && !o->json; i++)
		figures_list(&p[i], answers);
	if (!rc && !o->json)
		figures_sum(answers);
	for (i = 0; i < n; i++)
		paper_free(&p[i]);
	json_object_put(questions);
	json_object_put(answers);
	free(p);
	return rc;
}

/* Does all hold that must hold whatever the verdict is? */
static bool is_right(struct json_object *answer)
{
	struct json_object *rules = js_get(answer, "rules");
	size_t i;

	for (i = 0; i < js_len(rules); i++)
		if (js_get(js_at(rules, i), "error") ||
		    (strcmp(js_str(js_at(rules, i), "kind", ""), "check") == 0 &&
		     !js_bool(js_at(rules, i), "holds", false)))
			return false;
	return !js_len(js_get(answer, "changed"));
}

struct figure {
	struct paper paper;
	struct json_object *entry;
	const char *name, *form;	/* form NULL: there is nothing to run */
};

/* Finds PAPER:FIGURE; paper_free() is due in any case. */
static int find_figure(struct figure *f, const char *arg, const struct paper_options *o)
{
	const char *colon = strchr(arg, ':');
	char *name;
	int rc;

	*f = (struct figure){ .name = colon ? colon + 1 : NULL };
	if (!colon)
		return usage_error("%s: PAPER:FIGURE expected, as the others", arg);
	name = xasprintf("%.*s", (int)(colon - arg), arg);
	rc = paper_load(&f->paper, name);
	free(name);
	if (rc)
		return rc;
	f->entry = paper_figure(&f->paper, f->name);
	if (!f->entry)
		return usage_error("%s has no figure \"%s\"; see \"lab paper %s\"", f->paper.name,
				   f->name, f->paper.name);
	f->form = o->form ? o->form : o->full ? FORM_FULL : figure_default_form(f->entry);
	if (f->form && !figure_form(f->entry, f->form))
		return usage_error("%s has no form \"%s\"", arg, f->form);
	return 0;
}

/* A figure without a picture, if gnuplot is missing for instance, is judged all the same. */
static void draw(struct figure *f, const struct paper_options *o, struct json_object *answer)
{
	char *dir = xasprintf("%s/%s/%s/%s", o->out, f->paper.name, f->name, f->form);
	char *picture = xasprintf("%s/figure.svg", dir);
	bool drawn;

	if (mkdir_p(dir))
		run_error("%s: %m", dir);
	else if (!figure_draw(answer, dir, &drawn) && drawn)
		js_add_str(answer, "picture", picture);
	free(picture);
	free(dir);
}

/* Runs a figure; adds what came of it to @all. */
static int one_figure(struct figure *f, const struct paper_options *o, struct json_object *all)
{
	struct json_object *questions = json_object_new_array();
	struct json_object *rows = NULL, *answers = NULL, *answer;
	int rc = 0;

	if (f->form)
		rc = figure_run(&f->paper, f->entry, f->form, o, &rows);
	if (!rc) {
		figure_ask(questions, &f->paper, f->entry, f->form, rows, !o->seeds && !o->store);
		rc = figures_judge(questions, &answers);
	}
	answer = js_at(answers, 0);
	if (!rc && f->form && o->store)
		rc = measured_store(&f->paper, f->name, f->form, answer);
	if (!rc && f->form)
		draw(f, o, answer);
	if (!rc && !o->json)
		figure_print(answer);
	if (!rc) {
		json_object_array_add(all, json_object_get(answer));
		rc = is_right(answer) ? 0 : EXIT_RUN_FAILED;
	}
	json_object_put(questions);
	json_object_put(answers);
	json_object_put(rows);
	return rc;
}

/* All are found before the first is run. */
static int run_figures(char **args, int n, const struct paper_options *o)
{
	struct json_object *all = json_object_new_array();
	struct figure f;
	int i, rc = 0, worst = 0;

	for (i = 0; i < n && !rc; i++) {
		rc = find_figure(&f, args[i], o);
		paper_free(&f.paper);
	}
	worst = rc;
	for (i = 0; i < n && worst != EXIT_USAGE && !work_interrupted(); i++) {
		if (i && !o->json)
			putchar('\n');
		rc = find_figure(&f, args[i], o);
		if (!rc)
			rc = one_figure(&f, o, all);
		paper_free(&f.paper);
		fflush(stdout);
		worst = rc > worst ? rc : worst;
	}
	if (o->json && worst != EXIT_USAGE)
		print_json(all);
	json_object_put(all);
	return worst;
}

int cmd_paper(int argc, char **argv)
{
	struct paper_options o = { .out = RESULTS_DIR "/papers" };
	char **names;
	size_t n;
	int rc;

	rc = options_parse(&options, &o, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (o.form && o.full)
		return usage_error("--form and --full: one or the other");
	if (o.store && o.seeds)
		return usage_error("--store: with the figure's own seeds, without --seeds");
	if (optind < argc && strchr(argv[optind], ':'))
		return run_figures(argv + optind, argc - optind, &o);
	if (optind < argc)
		return list_papers(argv + optind, argc - optind, &o);
	names = paper_names(&n);
	return list_papers(names, n, &o);
}
