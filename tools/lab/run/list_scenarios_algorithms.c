// SPDX-License-Identifier: GPL-2.0
/*
 * lab: lists of scenarios with their keys, and of algorithms.
 */
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

#define DEF_WIDTH	24

static void print_key(struct key *k, const char *def, bool limits)
{
	if (def[0] == '=')
		def++;
	/* A formula that is no help: the words say what it makes. */
	if (strlen(def) > DEF_WIDTH)
		def = "computed";
	printf("    %-19s %-9s %-*s %s", k->name, unit_name(k->unit), DEF_WIDTH, def, k->help);
	if (k->words)
		printf(" %s", json_object_to_json_string(k->words));
	if (limits && (k->min || k->max))
		printf(" [%s..%s]", k->min ? k->min : "", k->max ? k->max : "");
	putchar('\n');
}

static size_t own_keys(struct scenario *sc)
{
	return js_len(js_get(sc->doc, "keys"));
}

static void print_scenario(struct scenario *sc, bool all)
{
	size_t i, n = all ? sc->n_keys : own_keys(sc);

	printf("%s: %s\n", sc->name, sc->help);
	for (i = 0; i < n; i++)
		if (all || !sc->keys[i].part)
			print_key(&sc->keys[i], sc->keys[i].def, all);
}

/* Keys that several scenarios have: once, with the names of those. */
static void print_part(char **names, size_t n)
{
	struct scenario *sc, *with = NULL;
	size_t i, k;

	printf("\nkeys of traffic by a workload or a file, in");
	for (i = 0; i < n; i++) {
		sc = scenario_load(names[i]);
		if (!sc)
			continue;
		for (k = 0; k < sc->n_keys && !sc->keys[k].part; k++)
			;
		if (k == sc->n_keys)
			continue;
		printf(" %s", sc->name);
		with = with ? with : sc;
	}
	printf(":\n");
	for (k = 0; with && k < with->n_keys; k++)
		if (with->keys[k].part)
			print_key(&with->keys[k], with->keys[k].general, false);
}

static struct json_object *json_scenario(struct scenario *sc)
{
	struct json_object *o = json_object_new_object(), *keys = json_object_new_array();
	size_t i;

	js_add_str(o, "name", sc->name);
	js_add_str(o, "help", sc->help);
	for (i = 0; i < sc->n_keys; i++) {
		struct json_object *k = json_object_new_object();

		js_add_str(k, "name", sc->keys[i].name);
		js_add_str(k, "unit", unit_name(sc->keys[i].unit));
		js_add_str(k, "default", sc->keys[i].def);
		if (sc->keys[i].min)
			js_add_str(k, "min", sc->keys[i].min);
		if (sc->keys[i].max)
			js_add_str(k, "max", sc->keys[i].max);
		if (sc->keys[i].words)
			json_object_object_add(k, "words", json_object_get(sc->keys[i].words));
		js_add_str(k, "help", sc->keys[i].help);
		json_object_array_add(keys, k);
	}
	json_object_object_add(o, "keys", keys);
	return o;
}

static void print_algorithms(void)
{
	char *kdir = kernel_dir(false);
	size_t n, i;
	char **names = cc_names(kdir, &n);

	printf("\nalgorithms (--cc):");
	for (i = 0; i < n; i++) {
		printf(" %s", names[i]);
		free(names[i]);
	}
	printf("\n");
	free(names);
	free(kdir);
}

/**
 * list_all() - lab list
 * @json: as JSON, without algorithms
 *
 * Return: exit status, after a message where it is not 0.
 */
int list_all(bool json)
{
	struct json_object *all = json_object_new_array();
	struct scenario *sc = NULL;
	size_t n, i, k;
	char **names = scenario_names(&n);

	for (i = 0; i < n; i++) {
		sc = scenario_load(names[i]);
		if (!sc)
			return EXIT_RUN_FAILED;
		if (json) {
			json_object_array_add(all, json_scenario(sc));
		} else {
			print_scenario(sc, false);
			if (i == n - 1) {
				print_part(names, n);
				printf("\nkeys of all scenarios, some of which have other defaults (lab list SCENARIO):\n");
				for (k = own_keys(sc); k < sc->n_keys; k++)
					print_key(&sc->keys[k], sc->keys[k].general, false);
			}
		}
	}
	if (json)
		printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	else
		print_algorithms();
	json_object_put(all);
	return EXIT_OK;
}

static bool is_in(char **names, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n && strcmp(names[i], name); i++)
		;
	return i < n;
}

static int list_algo(const char *kdir, const char *name, bool json)
{
	struct json_object *o;

	if (strcmp(name, "none") == 0)
		return usage_error("list: \"none\" is no congestion control: it has no parameters");
	o = algo_describe(kdir, name);
	if (!o)
		return EXIT_RUN_FAILED;
	if (json) {
		algo_words(o);
		printf("%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
	} else {
		algo_print(o);
	}
	json_object_put(o);
	return EXIT_OK;
}

static int list_scenario(const char *name, bool json)
{
	struct scenario *sc = scenario_load(name);
	struct json_object *o;

	if (!sc)
		return EXIT_USAGE;
	if (json) {
		o = json_scenario(sc);
		printf("%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
		json_object_put(o);
	} else {
		print_scenario(sc, true);
	}
	scenario_free(sc);
	return EXIT_OK;
}

/**
 * list_one() - lab list NAME
 * @name: a scenario or, if there is none of that name, an algorithm
 * @json: as JSON
 *
 * Return: exit status, after a message where it is not 0.
 */
int list_one(const char *name, bool json)
{
	size_t n_sc, n_cc, i;
	char **names = scenario_names(&n_sc), *kdir = kernel_dir(false), **ccs;
	const char *like;
	int rc;

	ccs = cc_names(kdir, &n_cc);
	if (scenario_is_file(name) || is_in(names, n_sc, name)) {
		rc = list_scenario(name, json);
	} else if (is_in(ccs, n_cc, name)) {
		rc = list_algo(kdir, name, json);
	} else {
		names = xreallocarray(names, n_sc + n_cc, sizeof(*names));
		memcpy(names + n_sc, ccs, n_cc * sizeof(*names));
		like = nearest(name, (const char *const *)names, n_sc + n_cc);
		rc = usage_error("list: no scenario and no algorithm \"%s\"%s%s%s; see \"lab list\"",
				 name, like ? ", did you mean \"" : "", like ? like : "",
				 like ? "\"?" : "");
	}
	for (i = 0; i < n_cc; i++)
		free(ccs[i]);
	for (i = 0; i < n_sc; i++)
		free(names[i]);
	free(ccs);
	free(names);
	free(kdir);
	return rc;
}
