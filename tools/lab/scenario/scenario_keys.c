// SPDX-License-Identifier: GPL-2.0
/*
 * Scenario files: which keys there are, what they default to, what was set.
 *
 * tools/lab/scenarios/NAME.json holds one scenario, common.json the keys that
 * all of them have. A scenario may give a common key another default.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Names that refer to each other in a circle would never end. */
#define LET_DEPTH	16

#define WORDS_MAX	32

#define COMMON	"common"
#define AUTO	"auto"
#define SUFFIX	".json"
#define TOPOLOGY_SUFFIX	".txt"

static char *scenario_path(const char *name)
{
	return xasprintf("%s/tools/lab/scenarios/%s.json", lab_root(), name);
}

static int cmp_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/**
 * scenario_names() - the scenarios that there are
 * @n: how many
 *
 * Return: new array of new strings, in alphabetical order.
 */
char **scenario_names(size_t *n)
{
	char *dir = xasprintf("%s/tools/lab/scenarios", lab_root());
	char **names = NULL;
	struct dirent *de;
	size_t len;
	DIR *d;

	*n = 0;
	d = opendir(dir);
	while (d && (de = readdir(d))) {
		len = strlen(de->d_name);
		if (len < 6 || strcmp(de->d_name + len - 5, ".json") ||
		    strcmp(de->d_name, COMMON ".json") == 0)
			continue;
		names = xrealloc(names, (*n + 1) * sizeof(*names));
		names[(*n)++] = xasprintf("%.*s", (int)len - 5, de->d_name);
	}
	if (d)
		closedir(d);
	free(dir);
	if (names)
		qsort(names, *n, sizeof(*names), cmp_name);
	return names;
}

static int unknown_scenario(const char *name)
{
	size_t n;
	char **names = scenario_names(&n);
	const char *like = nearest(name, (const char *const *)names, n);

	return usage_error("unknown scenario \"%s\"%s%s%s; see \"lab list\"", name,
			   like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}

static int add_keys(struct scenario *sc, struct json_object *list)
{
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		struct json_object *o = js_at(list, i);
		struct key *k;

		sc->keys = xrealloc(sc->keys, (sc->n_keys + 1) * sizeof(*sc->keys));
		k = &sc->keys[sc->n_keys++];
		memset(k, 0, sizeof(*k));
		k->name = js_str(o, "name", "");
		k->help = js_str(o, "help", "");
		k->general = js_str(o, "default", AUTO);
		k->def = k->general;
		k->min = js_str(o, "min", NULL);
		k->max = js_str(o, "max", NULL);
		k->words = js_get(o, "words");
		k->part = js_str(o, "part", NULL);
		k->quiet = js_bool(o, "quiet", false);
		if (unit_by_name(js_str(o, "unit", "count"), &k->unit))
			return run_error("scenario %s: key %s: unknown unit \"%s\"", sc->name,
					 k->name, js_str(o, "unit", ""));
	}
	return 0;
}

struct key *scenario_key(struct scenario *sc, const char *name)
{
	size_t i;

	for (i = 0; i < sc->n_keys; i++)
		if (strcmp(sc->keys[i].name, name) == 0)
			return &sc->keys[i];
	return NULL;
}

static int new_defaults(struct scenario *sc)
{
	struct json_object *defs = js_get(sc->doc, "defaults");
	struct key *k;

	if (!defs)
		return 0;
	json_object_object_foreach(defs, name, val) {
		k = scenario_key(sc, name);
		if (!val)
			return run_error("scenario %s: default of \"%s\": null", sc->name, name);
		if (!k)
			return run_error("scenario %s: default for unknown key \"%s\"", sc->name,
					 name);
		k->def = json_object_get_string(val);
	}
	return 0;
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len > end && strcmp(name + len - end, suffix) == 0;
}

/**
 * scenario_is_file() - does a word name a file of the user's own
 * @name: as the user writes it
 *
 * Return: true if it is a path or ends as such files do; names of scenarios do neither.
 */
bool scenario_is_file(const char *name)
{
	return strchr(name, '/') || ends_in(name, SUFFIX) || ends_in(name, TOPOLOGY_SUFFIX);
}

static bool is_shipped(const char *name)
{
	char *path = scenario_path(name);
	bool is = !path_missing(path);

	free(path);
	return is;
}

/* "incast" of ".../incast.json" */
static char *base_name(const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	size_t len = strlen(base), end = strlen(SUFFIX);

	if (len > end && strcmp(base + len - end, SUFFIX) == 0)
		len -= end;
	return xasprintf("%.*s", (int)len, base);
}

/* Results go by the name, so two networks of one name would be taken for each other. */
static int check_name(struct scenario *sc, const char *name)
{
	char *shipped, *path;
	size_t i;
	int rc = 0;

	for (i = 0; name[i]; i++)
		if (!isalnum((unsigned char)name[i]) && (!i || !strchr("_.-", name[i])))
			break;
	if (!i || name[i] || i > SCENARIO_NAME_MAX)
		return usage_error("scenario %s: name \"%s\": not 1 to %d letters, digits, _ . or -, the first a letter or digit",
				   sc->file, name, SCENARIO_NAME_MAX);
	if (!is_shipped(name))
		return 0;
	/* That very file is no other network. */
	shipped = scenario_path(name);
	path = realpath(shipped, NULL);
	if (!path || strcmp(path, sc->file))
		rc = usage_error("scenario %s: \"%s\" is a scenario of the lab: give the file another \"name\"",
				 sc->file, name);
	free(path);
	free(shipped);
	return rc;
}

/* Its name is "name" of the file or, without, the file's own. */
static int name_file(struct scenario *sc)
{
	char *base = base_name(sc->file);

	if (!js_get(sc->doc, "name"))
		js_add_str(sc->doc, "name", base);
	free(base);
	return check_name(sc, js_str(sc->doc, "name", ""));
}

/**
 * scenario_load() - read a scenario and the common keys
 * @name: scenario of the lab, or a file of the user's own
 *
 * Return: the scenario, or NULL after a message.
 */
struct scenario *scenario_load(const char *name)
{
	struct scenario *sc = xcalloc(1, sizeof(*sc));
	bool own = scenario_is_file(name), found;

	if (own)
		sc->file = realpath(name, NULL);
	found = own ? !!sc->file : strcmp(name, COMMON) && is_shipped(name);
	if (!found && own)
		usage_error("scenario %s: %s", name, strerror(errno));
	else if (!found)
		unknown_scenario(name);
	sc->doc = found ? json_load(name, sc->file) : NULL;
	sc->common = sc->doc ? json_load(COMMON, NULL) : NULL;
	if (own && sc->doc)
		sc->topology = json_topology_file(sc->doc, name);
	if (sc->common && (!own || !name_file(sc))) {
		sc->name = js_str(sc->doc, "name", name);
		sc->help = js_str(sc->doc, "help", "");
		if (!add_keys(sc, js_get(sc->doc, "keys")) &&
		    !add_keys(sc, js_get(sc->common, "keys")) && !new_defaults(sc))
			return sc;
	}
	scenario_free(sc);
	return NULL;
}

void scenario_free(struct scenario *sc)
{
	size_t i;

	for (i = 0; i < sc->n_keys; i++)
		free(sc->keys[i].text);
	free(sc->keys);
	free(sc->file);
	free(sc->topology);
	json_object_put(sc->doc);
	json_object_put(sc->common);
	json_object_put(sc->program);
	free(sc);
}

/**
 * scenario_value_of() - a value as a key takes it, which is not for the key itself
 * @sc: scenario
 * @name: key that has the unit and the range
 * @text: value
 * @val: result
 *
 * Return: NULL, or what is wrong, to be freed.
 */
char *scenario_value_of(struct scenario *sc, const char *name, const char *text, double *val)
{
	struct key *k = scenario_key(sc, name);
	double limit;

	if (!k || unit_parse(k->unit, text, val))
		return xasprintf("%s \"%s\": not as --set %s takes it", name, text, name);
	if (k->min && !unit_parse(k->unit, k->min, &limit) && *val < limit)
		return xasprintf("%s %s: below the minimum of %s", name, text, k->min);
	if (k->max && !unit_parse(k->unit, k->max, &limit) && *val > limit)
		return xasprintf("%s %s: above the maximum of %s", name, text, k->max);
	return NULL;
}

static int unknown_key(struct scenario *sc, const char *name)
{
	/* Old name, new name. */
	static const char *const renamed[][2] = { { "timeout", "ib_timeout" } };
	const char **names, *like;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(renamed); i++)
		if (strcmp(renamed[i][0], name) == 0)
			return usage_error("--set %s: is called %s now", name, renamed[i][1]);
	names = xcalloc(sc->n_keys, sizeof(*names));
	for (i = 0; i < sc->n_keys; i++)
		names[i] = sc->keys[i].name;
	like = nearest(name, names, sc->n_keys);
	free(names);
	return usage_error("--set: scenario %s has no key \"%s\"%s%s%s; see \"lab list %s\"",
			   sc->name, name, like ? ", did you mean \"" : "", like ? like : "",
			   like ? "\"?" : "", sc->name);
}

/* A number in the right unit that has no exact value in its base unit. */
static bool is_fraction_of(const struct key *k, const char *text)
{
	const struct unit_suffix *units = k->unit == UNIT_RATE ? unit_rates :
					  k->unit == UNIT_TIME ? unit_times :
					  k->unit == UNIT_SIZE ? unit_sizes : unit_counts;
	uint64_t unused;

	return k->unit <= UNIT_SIZE && quantity_parse_u64(units, text, &unused) == NUMBER_FRACTION;
}

/* What was written for one of the words, and what was probably meant. */
static int bad_word(struct key *k, const char *text)
{
	const char *names[WORDS_MAX], *like;
	char *words = js_join(k->words);
	size_t n;
	int rc;

	for (n = 0; n < js_len(k->words) && n < ARRAY_SIZE(names); n++)
		names[n] = json_object_get_string(js_at(k->words, n));
	like = nearest(text, names, n);
	rc = usage_error("--set %s=%s: not one of %s%s%s%s", k->name, text, words,
			 like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
	free(words);
	return rc;
}

static int bad_value(struct key *k, const char *text)
{
	static const char *const bases[] = {
		[UNIT_COUNT] = "things", [UNIT_RATE] = "bit/s", [UNIT_TIME] = "ns",
		[UNIT_SIZE] = "bytes",
	};
	static const char *const examples[] = {
		[UNIT_COUNT] = "a whole number",
		[UNIT_RATE] = "a rate such as 100gbit",
		[UNIT_TIME] = "a time such as 1us",
		[UNIT_SIZE] = "a size such as 200kb or 200000",
		[UNIT_FRACTION] = "a number such as 0.2, 1/8 or 20%",
		[UNIT_BOOL] = "on or off",
		[UNIT_TEXT] = "a word",
	};

	if (is_fraction_of(k, text))
		return usage_error("--set %s=%s: not a whole number of %s", k->name, text,
				   bases[k->unit]);
	if (k->unit == UNIT_ENUM)
		return bad_word(k, text);
	return usage_error("--set %s=%s: not %s", k->name, text, examples[k->unit]);
}

static int find_word(struct key *k, const char *text)
{
	const char *word;
	size_t i;

	for (i = 0; i < js_len(k->words); i++) {
		word = json_object_get_string(js_at(k->words, i));
		if (strcmp(text, word) == 0)
			return (int)i;
	}
	return -1;
}

static int check_range(struct key *k, const char *text)
{
	double min, max;

	if (k->min && !unit_parse(k->unit, k->min, &min) && k->val < min)
		return usage_error("--set %s=%s: below the minimum of %s", k->name, text, k->min);
	if (k->max && !unit_parse(k->unit, k->max, &max) && k->val > max)
		return usage_error("--set %s=%s: above the maximum of %s", k->name, text, k->max);
	return 0;
}

static int key_assign(struct key *k, const char *text)
{
	char *end;
	int word;

	free(k->text);
	k->text = NULL;
	k->is_auto = strcmp(text, AUTO) == 0;
	if (k->is_auto || k->unit == UNIT_TEXT) {
		k->text = xstrdup(text);
		return 0;
	}
	if (k->unit == UNIT_ENUM) {
		word = find_word(k, text);
		if (word < 0)
			return bad_value(k, text);
		/* A number counts as what it spells, another word by its place. */
		k->val = strtod(text, &end);
		if (*end)
			k->val = word;
		k->text = xstrdup(text);
		return 0;
	}
	if (unit_parse(k->unit, text, &k->val))
		return bad_value(k, text);
	k->text = unit_format(k->unit, k->val);
	return check_range(k, text);
}

/**
 * scenario_set() - what --set says
 * @sc: scenario
 * @assignment: KEY=VALUE
 *
 * Return: 0, or the exit status after a message.
 */
int scenario_set(struct scenario *sc, const char *assignment)
{
	const char *eq = strchr(assignment, '='), *fixed;
	struct key *k;
	char *name;
	int rc;

	if (!eq || eq == assignment)
		return usage_error("--set %s: KEY=VALUE expected", assignment);
	name = xasprintf("%.*s", (int)(eq - assignment), assignment);
	k = scenario_key(sc, name);
	fixed = js_str(js_get(sc->doc, "fixed"), name, NULL);
	if (fixed)
		rc = usage_error("--set %s: cannot be set in scenario %s: %s", name, sc->name,
				 fixed);
	else
		rc = k ? key_assign(k, eq + 1) : unknown_key(sc, name);
	if (k)
		k->set = true;
	free(name);
	return rc;
}

/**
 * scenario_var() - a name in an expression: a key, or what "let" says
 * @ctx: scenario
 * @name: which
 * @val: result
 *
 * Return: 0, or -1 if there is no such name or it has no value.
 */
int scenario_var(void *ctx, const char *name, double *val)
{
	struct scenario *sc = ctx;
	const char *text = js_str(js_get(sc->doc, "let"), name, NULL);
	struct key *k = scenario_key(sc, name);
	char *err = NULL;
	int rc;

	if (!text) {
		if (!k || k->is_auto || k->unit == UNIT_TEXT)
			return -1;
		*val = k->val;
		return 0;
	}
	if (sc->let_depth == LET_DEPTH)
		return -1;
	sc->let_depth++;
	rc = expr_eval(text, scenario_var, sc, val, &err);
	sc->let_depth--;
	free(err);
	return rc;
}

/* Conditions that the keys must meet together; the message that "require" gives. */
static int check_together(struct scenario *sc)
{
	struct json_object *list = js_get(sc->doc, "require");
	char *err = NULL, *say;
	double ok;
	size_t i;
	int rc;

	for (i = 0; i < js_len(list); i++) {
		struct json_object *o = js_at(list, i);

		if (expr_eval(js_str(o, "that", ""), scenario_var, sc, &ok, &err)) {
			rc = run_error("scenario %s: require: %s", sc->name, err);
			free(err);
			return rc;
		}
		if (ok)
			continue;
		say = expr_expand(js_str(o, "say", ""), scenario_var, sc, &err);
		rc = usage_error("scenario %s: %s", sc->name, say ? say : err);
		free(say);
		free(err);
		return rc;
	}
	return 0;
}

/**
 * scenario_resolve() - give the keys that were not set their defaults
 * @sc: scenario
 *
 * A default that begins with "=" is an expression over keys listed before it
 * or set by the user.
 *
 * Return: 0, or the exit status after a message.
 */
int scenario_resolve(struct scenario *sc)
{
	char *err = NULL;
	size_t i;
	int rc;

	/* Plain defaults first, so that expressions find all of them. */
	for (i = 0; i < sc->n_keys; i++)
		if (!sc->keys[i].set && sc->keys[i].def[0] != '=' &&
		    key_assign(&sc->keys[i], sc->keys[i].def))
			return EXIT_USAGE;
	for (i = 0; i < sc->n_keys; i++) {
		struct key *k = &sc->keys[i];

		if (k->set || k->def[0] != '=')
			continue;
		if (expr_eval(k->def + 1, scenario_var, sc, &k->val, &err)) {
			rc = run_error("scenario %s: default of %s: %s", sc->name, k->name, err);
			free(err);
			return rc;
		}
		if (k->unit != UNIT_FRACTION)
			k->val = (double)(int64_t)(k->val + 0.5);
		k->text = unit_format(k->unit, k->val);
	}
	return check_together(sc);
}

double scenario_val(struct scenario *sc, const char *name, double def)
{
	struct key *k = scenario_key(sc, name);

	return k && !k->is_auto ? k->val : def;
}

const char *scenario_text(struct scenario *sc, const char *name, const char *def)
{
	struct key *k = scenario_key(sc, name);

	return k && !k->is_auto ? k->text : def;
}

/*
 * Every key with its value, as it goes into summary.json. The keys of traffic by
 * workload only where there is some, and quiet ones where they or their defaults were set:
 * results without are as they always were.
 */
struct json_object *scenario_settings(struct scenario *sc, bool traffic)
{
	struct json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < sc->n_keys; i++) {
		const struct key *k = &sc->keys[i];

		if ((traffic || !k->part) && (k->set || !k->quiet || k->def != k->general))
			js_add_str(o, k->name, k->text);
	}
	return o;
}
