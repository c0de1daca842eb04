// SPDX-License-Identifier: GPL-2.0
/*
 * Are parameters, presets and knobs those that the kernel has: said before it starts, by
 * its own tables. What they cannot tell, as that one value must not be above another, the
 * kernel says to the run.
 */
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

#define NAMES_MAX	256

static const char *like_member(struct json_object *o, const char *name)
{
	const char *names[NAMES_MAX];
	size_t n = 0;

	json_object_object_foreach(o, known, val) {
		(void)val;
		if (n < ARRAY_SIZE(names))
			names[n++] = known;
	}
	return nearest(name, names, n);
}

static const char *like_item(struct json_object *list, const char *name)
{
	const char *names[NAMES_MAX];
	size_t n;

	for (n = 0; n < js_len(list) && n < ARRAY_SIZE(names); n++)
		names[n] = json_object_get_string(js_at(list, n));
	return nearest(name, names, n);
}

static bool has_item(struct json_object *list, const char *name)
{
	size_t i;

	for (i = 0; i < js_len(list); i++)
		if (strcmp(json_object_get_string(js_at(list, i)), name) == 0)
			return true;
	return false;
}

/* A value by the kernel's definition: unit and limits, which are said in that unit. */
static int check_value(const char *what, const char *name, const char *text,
		       struct json_object *def)
{
	enum param_unit unit = param_unit_by_name(js_str(def, "unit", "count"));
	uint64_t min = json_object_get_uint64(js_get(def, "min"));
	uint64_t max = json_object_get_uint64(js_get(def, "max"));
	char low[PARAM_TEXT_MAX], high[PARAM_TEXT_MAX], why[PARAM_WHY_MAX];
	__u64 val;

	if (!param_parse(unit, text, &val, why, sizeof(why)))
		return usage_error("%s%s=%s: %s", what, name, text, why);
	if (val >= min && val <= max)
		return 0;
	return usage_error("%s%s=%s: not in %s..%s", what, name, text,
			   param_format(unit, min, PARAM_EXACT, low),
			   param_format(unit, max, PARAM_EXACT, high));
}

/*
 * @what: begin of a message; @thing: what a name in @values is, for messages; @list: where
 * all of them are listed.
 */
static int check_values(struct json_object *values, struct json_object *defs, const char *what,
			const char *thing, const char *list)
{
	const char *like;
	int rc = 0;

	if (!values)
		return 0;
	json_object_object_foreach(values, name, val) {
		if (!js_get(defs, name)) {
			like = like_member(defs, name);
			return usage_error("%s%s: no such %s%s%s%s%s", what, name, thing,
					   like ? ", did you mean \"" : "", like ? like : "",
					   like ? "\"?" : "", list);
		}
		rc = check_value(what, name, json_object_get_string(val), js_get(defs, name));
		if (rc)
			return rc;
	}
	return 0;
}

static int check_preset(struct json_object *algo, const char *what, const char *preset)
{
	struct json_object *list = js_get(algo, "presets");
	const char *like;
	char *words;
	int rc;

	if (!preset || !*preset || has_item(list, preset))
		return 0;
	if (!js_len(list))
		return usage_error("%sno preset \"%s\": it has none", what, preset);
	like = like_item(list, preset);
	words = js_join(list);
	rc = usage_error("%sno preset \"%s\"%s%s%s; it has %s", what, preset,
			 like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "",
			 words);
	free(words);
	return rc;
}

/**
 * algo_params_known() - does an algorithm have these parameters and this preset
 * @kdir: kernel and modules
 * @debug: it is the debug kernel
 * @algo: algorithm, not none
 * @params: name to value as the user wrote it
 * @preset: name, or NULL
 *
 * Return: 0, or the exit status after a message.
 */
int algo_params_known(const char *kdir, bool debug, const char *algo, struct json_object *params,
		      const char *preset)
{
	char *what, *list;
	struct json_object *tables, *def;
	int rc = 0;

	if (!preset && !(params && json_object_object_length(params)))
		return 0;
	tables = kernel_param_tables(kdir, debug);
	if (!tables)
		return EXIT_RUN_FAILED;
	def = js_get(js_get(tables, "algos"), algo);
	what = xasprintf("congestion control %s: ", algo);
	list = xasprintf("; see \"lab list %s\"", algo);
	/* One that did not answer the run will have to ask itself. */
	if (def)
		rc = check_preset(def, what, preset);
	if (def && !rc)
		rc = check_values(params, js_get(def, "params"), what, "parameter", list);
	free(list);
	free(what);
	return rc;
}

static int known_knobs(const struct cmd *c)
{
	struct json_object *knobs = json_object_new_object(), *tables, *defs;
	size_t i;
	int rc = 0;

	for (i = 0; i < c->o.knobs.n && !rc; i++)
		rc = param_option(knobs, "--knob", c->o.knobs.v[i], NULL);
	tables = rc || !c->o.knobs.n ? NULL : kernel_param_tables(c->kdir, c->o.debug);
	if (!rc && c->o.knobs.n && !tables)
		rc = EXIT_RUN_FAILED;
	defs = js_get(tables, "knobs");
	if (defs && json_object_object_length(defs))
		rc = check_values(knobs, defs, "--knob ", "knob", "");
	json_object_put(knobs);
	return rc;
}

/* What an event of the timeline sets of hosts, under @algo unless it sets another. */
static int event_known(const struct cmd *c, struct json_object *event, const char *algo)
{
	struct json_object *cc = job_get(event, J_EVENT_CC), *tables;
	const char *own = job_str(cc, J_CC_ALGO, algo);
	char *what;
	int rc;

	if (!cc)
		return 0;
	if (!job_get(cc, J_CC_KNOBS) && strcmp(own, "none"))
		return algo_params_known(c->kdir, c->o.debug, own, job_get(cc, J_CC_PARAMS),
					 job_str(cc, J_CC_PRESET, NULL));
	what = xasprintf("timeline: \"%s\": ", job_str(event, J_EVENT_WHAT, ""));
	tables = kernel_param_tables(c->kdir, c->o.debug);
	if (job_get(cc, J_CC_KNOBS))
		rc = tables ? check_values(job_get(cc, J_CC_KNOBS), js_get(tables, "knobs"), what,
					   "knob", "") : EXIT_RUN_FAILED;
	else
		rc = job_get(cc, J_CC_ALGO) ? 0 : usage_error("%s\"none\" has no parameters", what);
	free(what);
	return rc;
}

/**
 * timeline_known() - has the kernel the algorithms, parameters and knobs of the timeline
 * @c: with its plan
 *
 * Return: 0, or the exit status after a message.
 */
int timeline_known(const struct cmd *c)
{
	struct json_object *list = job_get(c->plan->base, J_TIMELINE), *cc;
	char **algos, *own;
	size_t i, k, n;
	int rc = 0;

	algos = cc_items(c->o.ccs, c->o.n_ccs, &n);
	for (k = 0; k < n; k++)
		algos[k][strcspn(algos[k], ":")] = '\0';
	for (i = 0; i < js_len(list) && !rc; i++) {
		error_place(timeline_place_of(js_at(list, i)));
		cc = job_get(js_at(list, i), J_EVENT_CC);
		own = cc ? xstrdup(job_str(cc, J_CC_ALGO, "none")) : NULL;
		if (own)
			rc = cc_check(c->kdir, &own, 1);
		free(own);
		for (k = 0; k < n && !rc; k++) {
			rc = event_known(c, js_at(list, i), algos[k]);
			/* What comes behind is about the new one. */
			if (!job_get(cc, J_CC_ALGO))
				continue;
			free(algos[k]);
			algos[k] = xstrdup(job_str(cc, J_CC_ALGO, ""));
		}
	}
	error_place(NULL);
	for (k = 0; k < n; k++)
		free(algos[k]);
	free(algos);
	return rc;
}

/**
 * params_known() - has the kernel all that the command line sets of algorithms and devices
 * @c: with its scenario resolved
 *
 * Return: 0, or the exit status after a message.
 */
int params_known(const struct cmd *c)
{
	const char *preset = scenario_text(c->sc, "preset", NULL);
	struct json_object *cc;
	char *algo;
	size_t i;
	int rc = 0;

	for (i = 0; i < c->o.n_ccs && !rc; i++) {
		algo = cc_algo(c->o.ccs[i]);
		cc = json_object_new_object();
		if (strcmp(algo, "none")) {
			rc = cc_params(&c->o, c->o.ccs[i], algo, preset, cc);
			if (!rc)
				rc = algo_params_known(c->kdir, c->o.debug, algo,
						       job_get(cc, J_CC_PARAMS),
						       job_str(cc, J_CC_PRESET, NULL));
		}
		json_object_put(cc);
		free(algo);
	}
	return rc ? rc : known_knobs(c);
}
