// SPDX-License-Identifier: GPL-2.0
/*
 * lab run: for run.json the command that repeats a run, and the signals that its algorithm goes
 * by.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/results.h"
#include "run/run.h"

static void add(struct json_object *words, const char *option, const char *value)
{
	json_object_array_add(words, json_object_new_string(option));
	if (value)
		json_object_array_add(words, json_object_new_string(value));
}

static void add_number(struct json_object *words, const char *option, uint64_t value)
{
	char *text = xasprintf("%" PRIu64, value);

	add(words, option, text);
	free(text);
}

/* What was set, as it was understood: defaults are the scenario's business. */
static void add_settings(struct json_object *words, const struct scenario *sc)
{
	size_t i;

	for (i = 0; i < sc->n_keys; i++) {
		char *text;

		if (!sc->keys[i].set)
			continue;
		text = xasprintf("%s=%s", sc->keys[i].name, sc->keys[i].text);
		add(words, "--set", text);
		free(text);
	}
}

/* The accelerator is the machine's business. */
static void add_backend(struct json_object *words, const struct run_opts *o)
{
	add(words, "--backend", "qemu");
	if (o->guests)
		add_number(words, "--guests", o->guests);
	if (o->cpus)
		add_number(words, "--cpus", o->cpus);
}

static void add_program(struct json_object *words, const struct scenario *sc)
{
	size_t i;

	if (sc->mpi_ranks)
		add_number(words, "-n", sc->mpi_ranks);
	if (sc->mpi_map)
		add(words, "--map", sc->mpi_map);
	if (sc->program_host)
		add(words, "--on", sc->program_host);
	if (!sc->no_flows)
		add(words, "--traffic", NULL);
	add(words, "--", NULL);
	for (i = 0; i < js_len(sc->program); i++)
		add(words, json_object_get_string(js_at(sc->program, i)), NULL);
}

/**
 * results_own_modules() - the user's own modules among the algorithms of a run
 * @cc: item of --cc
 * @hash: becomes that of their files, in order
 *
 * Return: their paths; n is 0 if there are none. v is the caller's.
 */
struct option_list results_own_modules(const char *cc, uint64_t *hash)
{
	struct option_list own = {};
	const char *path;
	uint64_t one;
	size_t n, i;
	char **items = cc_items((char **)&cc, 1, &n), *algo;

	*hash = HASH_START;
	for (i = 0; i < n; i++) {
		algo = cc_algo(items[i]);
		path = own_module_of(algo, &one);
		if (path) {
			*hash = (*hash ^ one) * HASH_FACTOR;
			list_add(&own, (char *)path);
		}
		free(algo);
		free(items[i]);
	}
	free(items);
	return own;
}

static void add_own_modules(struct json_object *words, const char *cc)
{
	uint64_t hash;
	struct option_list own = results_own_modules(cc, &hash);
	size_t i;

	for (i = 0; i < own.n; i++)
		add(words, "--module", own.v[i]);
	free(own.v);
}

/**
 * results_command() - the words that make a run again
 * @p: plan of the run
 * @o: options
 * @cc: item of --cc
 *
 * Of several algorithms only this one, and only what concerns it; without options that say
 * where results go, what is printed or kept, and when to give up.
 *
 * Return: list of words, the caller's.
 */
struct json_object *results_command(struct plan *p, const struct run_opts *o, const char *cc)
{
	struct json_object *words = json_object_new_array();
	char *algo = cc_algo(cc);
	size_t i;

	add(words, "lab", p->sc->mpi ? "mpirun" : p->sc->program ? "exec" : "run");
	add(words, p->sc->file ? p->sc->file : p->sc->name, NULL);
	add(words, "--cc", cc);
	add_number(words, "--seed", p->seed);
	add_settings(words, p->sc);
	add_own_modules(words, cc);
	for (i = 0; i < o->params.n; i++)
		if (param_concerns(o->params.v[i], algo))
			add(words, "--param", o->params.v[i]);
	for (i = 0; i < o->knobs.n; i++)
		add(words, "--knob", o->knobs.v[i]);
	if (o->qemu)
		add_backend(words, o);
	else if (o->real)
		add(words, "--clock", "real");
	if (o->beyond)
		add(words, "--beyond", NULL);
	if (o->debug)
		add(words, "--debug", NULL);
	if (o->apps)
		add(words, "--apps", NULL);
	if (o->mem_mb)
		add_number(words, "--mem", o->mem_mb);
	if (o->events_mb)
		add_number(words, "--events-mb", o->events_mb);
	if (p->sc->program)
		add_program(words, p->sc);
	free(algo);
	return words;
}

/**
 * results_signals() - what an algorithm says that it decides by
 * @o: options
 * @cc: item of --cc
 *
 * Return: "signals" of "rxecc -j algo show", the caller's; NULL if they are not known.
 */
struct json_object *results_signals(const struct run_opts *o, const char *cc)
{
	char *algo = cc_algo(cc), *kdir = kernel_dir_of(o), *linux_path;
	struct json_object *t = NULL, *list;

	linux_path = xasprintf("%s/linux", kdir);
	if (strcmp(algo, "none") && !access(linux_path, X_OK))
		t = kernel_param_tables(kdir, o->debug);
	list = js_get(js_get(js_get(t, "algos"), algo), "signals");
	free(linux_path);
	free(algo);
	free(kdir);
	return json_object_get(list);
}
