// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: makes the list of runs from lists of values: every combination of settings,
 * algorithms and seeds.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/sweep.h"

#define MAX_SEEDS	100000
#define MAX_RUNS	1000000

static int add_seeds(struct dim *d, const char *text)
{
	uint64_t from, to;
	int end = 0;

	if (sscanf(text, "%" SCNu64 "-%" SCNu64 "%n", &from, &to, &end) < 2 || text[end]) {
		list_add(&d->values, xstrdup(text));
		return 0;
	}
	if (from > to || to - from > MAX_SEEDS)
		return usage_error("--seed %s: not a range", text);
	for (; from <= to; from++)
		list_add(&d->values, xasprintf("%" PRIu64, from));
	return 0;
}

/* Up to the next comma; "\," is a comma of the value. NULL at the end. */
static char *next_value(const char **rest)
{
	const char *p = *rest;
	char *value, *to;

	if (!p)
		return NULL;
	value = xcalloc(1, strlen(p) + 1);
	for (to = value; *p && *p != ','; p++) {
		if (p[0] == '\\' && p[1] == ',')
			p++;
		*to++ = *p;
	}
	*rest = *p ? p + 1 : NULL;
	return value;
}

static int check_twice(struct sweep *s, const struct dim *d)
{
	size_t i, k;

	for (i = 0; i < s->n_dims - 1; i++)
		if (strcmp(s->dims[i].opt, d->opt) == 0 &&
		    strcmp(s->dims[i].prefix, d->prefix) == 0)
			return usage_error("%s %.*s: given twice; values of one sweep are one list",
					   d->opt, (int)strcspn(d->prefix, "="), d->prefix);
	for (i = 0; i < d->values.n; i++)
		for (k = 0; k < i; k++)
			if (strcmp(d->values.v[k], d->values.v[i]) == 0)
				return usage_error("%s %s%s: twice in the list", d->opt, d->prefix,
						   d->values.v[i]);
	return 0;
}

/**
 * add_dim() - an option with a list of values
 * @s: sweep
 * @opt: --set, --param, --cc or --seed
 * @arg: what follows it
 *
 * Return: 0, or the exit status after a message.
 */
int add_dim(struct sweep *s, const char *opt, const char *arg)
{
	bool keyed = strcmp(opt, "--set") == 0 || strcmp(opt, "--param") == 0;
	const char *eq = strchr(arg, '='), *rest;
	struct dim *d;
	char *value;
	int rc = 0;

	if (keyed && (!eq || eq == arg || !eq[1]))
		return usage_error("%s %s: NAME=VALUE[,VALUE...] expected", opt, arg);
	s->dims = xrealloc(s->dims, (s->n_dims + 1) * sizeof(*s->dims));
	d = &s->dims[s->n_dims++];
	memset(d, 0, sizeof(*d));
	d->opt = opt;
	d->prefix = keyed ? xasprintf("%.*s", (int)(eq + 1 - arg), arg) : xstrdup("");
	rest = keyed ? eq + 1 : arg;
	while (!rc && (value = next_value(&rest))) {
		if (!*value)
			rc = usage_error("%s %s: empty value", opt, arg);
		else if (strcmp(opt, "--seed") == 0)
			rc = add_seeds(d, value);
		else
			list_add(&d->values, xstrdup(value));
		free(value);
	}
	return rc ? rc : check_twice(s, d);
}

/**
 * shell_quote() - a word for the shell
 * @text: anything
 *
 * Return: new string.
 */
char *shell_quote(const char *text)
{
	char *out = xcalloc(1, 4 * strlen(text) + 3), *to = out;

	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *text;
	}
	*to = '\'';
	return out;
}

/**
 * dim_of() - the first option of a name
 * @s: sweep
 * @opt: --cc and so on
 *
 * Return: it, or NULL if it was not given.
 */
struct dim *dim_of(struct sweep *s, const char *opt)
{
	size_t d;

	for (d = 0; d < s->n_dims; d++)
		if (strcmp(s->dims[d].opt, opt) == 0)
			return &s->dims[d];
	return NULL;
}

/* A parameter is for the runs of its algorithm, or of all but "none". */
static bool is_wanted(const struct dim *d, const char *cc)
{
	char *algo;
	bool wanted;

	if (strcmp(d->opt, "--param"))
		return true;
	algo = cc_algo(cc);
	wanted = param_concerns(d->prefix, algo);
	free(algo);
	return wanted;
}

static char *join(char *text, const char *separator, const char *word)
{
	char *all = xasprintf("%s%s%s", text, *text ? separator : "", word);

	free(text);
	return all;
}

/* As the name of a directory. */
static void no_slashes(char *text)
{
	while ((text = strchr(text, '/')))
		*text = '_';
}

static void add_run(struct sweep *s, const size_t *at)
{
	struct sweep_run *r = &s->runs[s->n_runs++];
	const struct dim *ccs = dim_of(s, "--cc");
	const char *cc = ccs ? ccs->values.v[at[ccs - s->dims]] : "none";
	size_t d, i;

	r->point = xstrdup("");
	r->options = xstrdup("");
	list_add(&r->args, xstrdup(s->scenario));
	for (d = 0; d < s->n_dims; d++) {
		const struct dim *dim = &s->dims[d];
		char *word = xasprintf("%s%s", dim->prefix, dim->values.v[at[d]]), *option;

		if (is_wanted(dim, cc)) {
			list_add(&r->args, xstrdup(dim->opt));
			list_add(&r->args, xstrdup(word));
			option = xasprintf("%s %s", dim->opt, word);
			r->options = join(r->options, " ", option);
			free(option);
		}
		/*
		 * Algorithm and seed have directories of their own. A run without the
		 * parameter stands beside those with each of its values.
		 */
		if (dim->values.n > 1 && *dim->prefix)
			r->point = join(r->point, ",", word);
		free(word);
	}
	no_slashes(r->point);
	for (i = 0; i < s->rest.n; i++)
		list_add(&r->args, xstrdup(s->rest.v[i]));
}

/**
 * make_runs() - every combination of values once
 * @s: sweep; runs is filled in but for what finish_runs() does
 *
 * Return: 0, or the exit status after a message.
 */
int make_runs(struct sweep *s)
{
	size_t *at = xcalloc(s->n_dims + 1, sizeof(*at)), d, total = 1;

	for (d = 0; d < s->n_dims; d++) {
		total *= s->dims[d].values.n;
		if (total > MAX_RUNS) {
			free(at);
			return usage_error("more than %d runs", MAX_RUNS);
		}
	}
	s->runs = xcalloc(total, sizeof(*s->runs));
	do {
		add_run(s, at);
		for (d = 0; d < s->n_dims && ++at[d] == s->dims[d].values.n; d++)
			at[d] = 0;
	} while (d < s->n_dims);
	free(at);
	for (d = 0; d < s->n_runs; d++)
		if (strlen(s->runs[d].point) > NAME_MAX)
			return usage_error("%s: too long for the name of a directory",
					   s->runs[d].options);
	return 0;
}

static uint64_t fnv(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	while (*text++);
	return hash;
}

static void finish_run(struct sweep *s, struct sweep_run *r, const char *cwd)
{
	struct json_object *o = json_object_new_object(), *args = json_object_new_array();
	uint64_t hash = fnv(fnv(HASH_START, r->place), s->build);
	size_t i;

	for (i = 0; i < r->args.n; i++) {
		hash = fnv(hash, r->args.v[i]);
		json_object_array_add(args, json_object_new_string(r->args.v[i]));
	}
	r->key = xasprintf("%016" PRIx64, hash);
	js_add_str(o, "key", r->key);
	json_object_object_add(o, "args", args);
	js_add_str(o, "results", r->place + (*r->point ? strlen(r->point) + 1 : 0));
	js_add_str(o, "build", s->build);
	json_object_object_add(o, "debug", json_object_new_boolean(s->debug));
	js_add_str(o, "cwd", cwd);
	js_add_str(o, "dir", s->dir);
	r->line = xstrdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static int cmp_place(const void *a, const void *b)
{
	return strcmp((*(struct sweep_run *const *)a)->place,
		      (*(struct sweep_run *const *)b)->place);
}

/**
 * finish_runs() - what workers are told, once the places are known
 * @s: after check_options() and sweep_open()
 *
 * Return: 0, or the exit status after a message.
 */
int finish_runs(struct sweep *s)
{
	struct sweep_run **sorted = xcalloc(s->n_runs, sizeof(*sorted));
	char *cwd = getcwd(NULL, 0);
	int rc = 0;
	size_t i;

	for (i = 0; i < s->n_runs; i++) {
		finish_run(s, &s->runs[i], cwd ? cwd : "/");
		sorted[i] = &s->runs[i];
	}
	qsort(sorted, s->n_runs, sizeof(*sorted), cmp_place);
	for (i = 1; i < s->n_runs && !rc; i++)
		if (strcmp(sorted[i - 1]->place, sorted[i]->place) == 0)
			rc = usage_error("\"%s\" and \"%s\" have the same place, %s/%s",
					 sorted[i - 1]->options, sorted[i]->options, s->out,
					 sorted[i]->place);
	free(sorted);
	free(cwd);
	return rc;
}

/**
 * sweep_path() - in the directory of the sweep
 * @s: sweep
 * @name: of a file or directory there
 *
 * Return: new string.
 */
char *sweep_path(const struct sweep *s, const char *name)
{
	return xasprintf("%s/%s", s->dir, name);
}

size_t count_state(const struct sweep *s, enum run_state state)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_runs; i++)
		n += s->runs[i].state == state;
	return n;
}

/**
 * missing_runs() - those without results
 * @s: sweep
 * @queued: by run: it is to come all the same; may be NULL
 * @n: how many
 *
 * Return: new array.
 */
struct sweep_run **missing_runs(struct sweep *s, const bool *queued, size_t *n)
{
	struct sweep_run **list = xcalloc(s->n_runs, sizeof(*list));
	size_t i;

	*n = 0;
	for (i = 0; i < s->n_runs; i++)
		if (s->runs[i].state == RUN_MISSING && !(queued && queued[i]))
			list[(*n)++] = &s->runs[i];
	return list;
}

/**
 * lab_program() - this program where workers have it
 * @s: sweep
 *
 * Return: path.
 */
const char *lab_program(struct sweep *s)
{
	static char *path;

	if (!path)
		path = xasprintf("%s/build/bin/lab", s->remote_dir ? s->remote_dir : lab_root());
	return path;
}

static void print_word(const char *before, const char *text)
{
	char *quoted = shell_quote(text);

	printf("%s%s", before, quoted);
	free(quoted);
}

/**
 * print_commands() - --dry-run
 * @s: after make_runs()
 */
void print_commands(struct sweep *s)
{
	size_t i, k;

	for (i = 0; i < s->n_runs; i++) {
		const struct sweep_run *r = &s->runs[i];
		char *out = xasprintf("%s%s%s", s->out, *r->point ? "/" : "", r->point);

		print_word("", lab_program(s));
		print_word(" ", "run");
		for (k = 0; k < r->args.n; k++)
			print_word(" ", r->args.v[k]);
		print_word(" ", "-q");
		print_word(" ", "--out");
		print_word(" ", out);
		putchar('\n');
		free(out);
	}
}
