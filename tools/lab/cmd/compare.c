// SPDX-License-Identifier: GPL-2.0
/*
 * lab compare: the command line.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "sweep/sweep_options.h"

#define FILE_NAME	"tools/lab/compare/tournament.json"
#define OUT_DIR		RESULTS_DIR "/compare"
#define SEEDS		3

static int module_option(void *into, const struct option_row *row, char *path)
{
	return own_module_option(into, row, path) ?: option_words(into, row, path);
}

#define AT(m)	.at = offsetof(struct compare, m)

static const struct option_row rows[] = {
	{ "quick", NULL, "small networks and short flows: some minutes", OPTION_FLAG, AT(quick) },
	{ "cc", "A[,B...]", "these algorithms instead of all", OPTION_TEXT, AT(ccs) },
	{ "module", "FILE", "and your own, from \"lab build\"; any number", OPTION_CALL,
	  AT(sweep), .call = module_option },
	{ "only", "E[,F...]", "these entries instead of all; --list names them", OPTION_TEXT,
	  AT(only) },
	{ "seeds", "N", "seeds 1 to N (3)", OPTION_COUNT, AT(seeds), .min = 1, .max = 1000 },
	{ "out", "DIR", "where results go (./results/compare)", OPTION_TEXT, AT(out) },
	{ "list", NULL, "say what the entries are, and run nothing", OPTION_FLAG, AT(list) },
	{ "json", NULL, "print the table as JSON", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "quiet", NULL, "no progress", OPTION_FLAG, AT(quiet), .letter = 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	SWEEP_HANDED_ON(offsetof(struct compare, sweep)),
	{ }
};

static const struct options options = {
	.command = "lab compare", .rows = rows, .indent = 2, .column = 19,
	.before =
"Usage: lab compare [OPTIONS]\n\n"
"Runs all algorithms over a fixed set of entries with the same seeds, and prints one\n"
"table: the mean over the seeds and, behind it, the rank among the algorithms. The table\n"
"is also in DIR/full (or DIR/quick)/compare.json, and a picture of it in compare.svg and\n"
"compare.png. Runs that are there already are not made again: after an interrupt the same\n"
"command goes on. Exit status: 0 all flows of all runs completed, 1 not so, 2 bad\n"
"arguments.\n\n",
	.after =
"\n--jobs, --sshlogin, --ssh, --remote-dir, --slurm, --slurm-opt, --retries, --force,\n"
"--timeout and --mem are those of \"lab sweep\".\n",
};

static bool is_in(struct json_object *list, const char *name)
{
	size_t i;

	for (i = 0; i < js_len(list); i++)
		if (strcmp(json_object_get_string(js_at(list, i)), name) == 0)
			return true;
	return false;
}

/* Those of the lab but a few, which are no algorithms to compare or are for a long link only. */
static int choose_algos(struct compare *c)
{
	struct json_object *add = js_get(c->doc, "add"), *not = js_get(c->doc, "leave_out");
	char *list = c->ccs ? xstrdup(c->ccs) : NULL, *item, **names, *kdir;
	size_t n, i;
	int rc = own_modules_use(false);

	if (rc)
		return rc;
	while (list && (item = strsep(&list, ",")))
		list_add(&c->algos, item);
	kdir = kernel_dir(false);
	names = cc_names(kdir, &n);
	for (i = 0; i < n && !c->ccs; i++)
		if (!is_in(not, names[i]))
			list_add(&c->algos, names[i]);
	for (i = 0; i < js_len(add) && !c->ccs; i++)
		list_add(&c->algos, xstrdup(json_object_get_string(js_at(add, i))));
	rc = cc_check(kdir, c->algos.v, c->algos.n);
	free(kdir);
	return rc;
}

static int choose_entries(struct compare *c)
{
	struct json_object *all = js_get(c->doc, "entries");
	const char **names = xcalloc(js_len(all), sizeof(*names)), *like;
	char *list = c->only ? xstrdup(c->only) : NULL, *name;
	bool *wanted = xcalloc(js_len(all), sizeof(*wanted));
	size_t i, n = js_len(all);
	int rc = 0;

	for (i = 0; i < n; i++) {
		names[i] = js_str(js_at(all, i), "name", "");
		wanted[i] = !c->only;
	}
	while (!rc && list && (name = strsep(&list, ","))) {
		for (i = 0; i < n && strcmp(names[i], name); i++)
			;
		like = nearest(name, names, n);
		if (i == n)
			rc = usage_error("--only: no entry \"%s\"%s%s%s; see \"lab compare --list\"",
					 name, like ? ", did you mean \"" : "", like ? like : "",
					 like ? "\"?" : "");
		else
			wanted[i] = true;
	}
	c->entries = xcalloc(n, sizeof(struct json_object *));
	for (i = 0; i < n; i++)
		if (wanted[i])
			c->entries[c->n_entries++] = js_at(all, i);
	free(wanted);
	free(names);
	return rc;
}

static void print_list(const struct compare *c)
{
	size_t i;

	for (i = 0; i < c->n_entries; i++)
		printf("%-10s %s (%s is better)\n", js_str(c->entries[i], "name", ""),
		       js_str(c->entries[i], "help", ""), js_str(c->entries[i], "better", ""));
}

static int show(struct compare *c)
{
	char *dir = compare_dir(c), *path = xasprintf("%s/compare.json", dir);
	struct json_object *o;
	int rc;

	compare_rank(c);
	o = compare_json(c);
	rc = js_save(o, path) ? run_error("%s: %s", path, strerror(errno)) : compare_picture(c);
	if (c->json)
		printf("%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
	else
		compare_print(c);
	if (c->failed)
		rc = run_error("%u runs failed or have flows that did not complete", c->failed);
	json_object_put(o);
	free(path);
	free(dir);
	return rc;
}

int cmd_compare(int argc, char **argv)
{
	struct compare c = { .out = OUT_DIR, .seeds = SEEDS };
	char *path = xasprintf("%s/" FILE_NAME, lab_root()), *err = NULL;
	int rc = options_parse(&options, &c, argc, argv);

	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (argv[optind])
		return usage_error("compare: unexpected \"%s\"; see \"lab compare --help\"",
				   argv[optind]);
	c.doc = js_load(path, &err);
	if (!c.doc)
		return run_error("%s", err);
	rc = choose_entries(&c);
	if (!rc && c.list) {
		print_list(&c);
		return EXIT_OK;
	}
	if (!rc)
		rc = choose_algos(&c);
	if (rc)
		return rc;
	c.cells = xcalloc(c.algos.n * c.n_entries, sizeof(*c.cells));
	c.ranks = xcalloc(c.algos.n * c.n_entries, sizeof(*c.ranks));
	return compare_run(&c) ?: show(&c);
}
