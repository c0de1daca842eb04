// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the kernel's algorithms, the items of --cc, --param and --knob, and what becomes of
 * these in the job: "cc".
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature/switch_features.h"

#define INT_ON			2	/* knob int: also before a peer has been heard of */
#define INT_MAX_HOPS		16	/* knob int_hops */

#define PREFIX	"rxe_cc_"
#define NONE	"none"
#define PRESET	"preset"
#define LINE_RATE	"line_rate"
#define VARIANT	":"	/* between an algorithm's name and its parameters */

static int cmp_str(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/**
 * cc_names() - algorithms of a kernel: "none" and its modules
 * @kernel_dir: where the modules are
 * @n: how many
 *
 * Return: new array of new strings, in alphabetical order.
 */
char **cc_names(const char *kernel_dir, size_t *n)
{
	const size_t plen = strlen(PREFIX);
	char **names = xcalloc(1, sizeof(*names));
	struct dirent *de;
	size_t len;
	DIR *d;

	names[0] = xstrdup(NONE);
	*n = 1;
	d = opendir(kernel_dir);
	while (d && (de = readdir(d))) {
		len = strlen(de->d_name);
		if (strncmp(de->d_name, PREFIX, plen) || len < plen + 4 ||
		    strcmp(de->d_name + len - 3, ".ko") || strstr(de->d_name, "kunit") ||
		    strcmp(de->d_name, PREFIX "events.ko") == 0)
			continue;
		names = xrealloc(names, (*n + 1) * sizeof(*names));
		names[(*n)++] = xasprintf("%.*s", (int)(len - plen - 3), de->d_name + plen);
	}
	if (d)
		closedir(d);
	qsort(names, *n, sizeof(*names), cmp_str);
	return names;
}

/**
 * cc_dir() - an item of --cc as the name of a directory
 * @item: NAME[:PARAMETER=VALUE]...
 *
 * Return: new string, "_" in the place of "/".
 */
char *cc_dir(const char *item)
{
	char *dir = xstrdup(item), *p = dir;

	while ((p = strchr(p, '/')))
		*p = '_';
	return dir;
}

/* Which unit it must be is known in the lab kernel only: has it the form of a value. */
static bool looks_like_value(const char *text)
{
	enum param_unit unit;
	char why[PARAM_WHY_MAX];
	__u64 val;

	for (unit = PARAM_COUNT; unit <= PARAM_Q24; unit++)
		if (param_parse(unit, text, &val, why, sizeof(why)))
			return true;
	return false;
}

/* Length of the algorithm's name before the parameter's; 0: there is none. */
static size_t param_algo_len(const char *arg)
{
	const char *dot = strchr(arg, '.');

	return dot && dot < arg + strcspn(arg, "=") ? dot - arg : 0;
}

/**
 * param_concerns() - is a parameter meant for an algorithm
 * @arg: K=V, which is for every algorithm but none, or A.K=V for algorithm A only
 * @algo: algorithm
 *
 * Return: true if so.
 */
bool param_concerns(const char *arg, const char *algo)
{
	size_t len = param_algo_len(arg);

	if (!len)
		return strcmp(algo, NONE) != 0;
	return strlen(algo) == len && strncmp(arg, algo, len) == 0;
}

static int param_unused(const char *arg, char **algos, size_t n)
{
	char *name = xasprintf("%.*s", (int)param_algo_len(arg), arg);
	const char *like;
	int rc;

	if (!*name) {
		rc = usage_error("--param %s: \"" NONE "\" has no parameters, and nothing else is in --cc",
				 arg);
	} else {
		like = nearest(name, (const char *const *)algos, n);
		rc = usage_error("--param %s: \"%s\" is not in --cc%s%s%s", arg, name,
				 like ? ", did you mean \"" : "", like ? like : "",
				 like ? "\"?" : "");
	}
	free(name);
	return rc;
}

/**
 * params_check() - is every parameter meant for an algorithm that runs
 * @params: of --param
 * @ccs: items of --cc
 * @n_ccs: how many
 *
 * Return: 0, or the exit status after a message.
 */
int params_check(const struct option_list *params, char **ccs, size_t n_ccs)
{
	char **algos = xcalloc(n_ccs, sizeof(*algos)), *arg;
	size_t i, k;
	int rc = 0;

	for (k = 0; k < n_ccs; k++)
		algos[k] = cc_algo(ccs[k]);
	for (i = 0; i < params->n && !rc; i++) {
		arg = params->v[i];
		for (k = 0; k < n_ccs && !param_concerns(arg, algos[k]); k++)
			;
		if (k == n_ccs)
			rc = param_unused(arg, algos, n_ccs);
		else if (param_algo_len(arg) && strcmp(algos[k], NONE) == 0)
			rc = usage_error("--param %s: \"" NONE "\" has no parameters", arg);
	}
	for (k = 0; k < n_ccs; k++)
		free(algos[k]);
	free(algos);
	return rc;
}

/**
 * param_option() - add what a user wrote of a parameter or knob
 * @o: JSON object, name to value as text
 * @opt: option, for messages
 * @arg: K=V, which is for every algorithm but none, or A.K=V for algorithm A only
 * @cc: algorithm; NULL: it is a knob
 *
 * Return: 0, or the exit status after a message.
 */
int param_option(struct json_object *o, const char *opt, const char *arg, const char *cc)
{
	const char *eq = strchr(arg, '='), *name = arg;
	size_t algo_len = param_algo_len(arg);
	char *key;

	if (!eq || eq == arg || !eq[1])
		return usage_error("%s %s: NAME=VALUE expected", opt, arg);
	if (cc && !param_concerns(arg, cc))
		return 0;
	if (algo_len)
		name += algo_len + 1;
	if (name == eq)
		return usage_error("%s %s: NAME=VALUE expected", opt, arg);
	if (!looks_like_value(eq + 1))
		return usage_error("%s %s: \"%s\" is no number with a unit", opt, arg, eq + 1);
	key = xasprintf("%.*s", (int)(eq - name), name);
	js_add_str(o, key, eq + 1);
	free(key);
	return 0;
}

/* What --param or an item of --cc sets of an algorithm: a parameter, or "preset", of @cc. */
static int take_param(struct json_object *cc, const char *opt, const char *arg, const char *algo)
{
	size_t algo_len = param_algo_len(arg), preset_len = strlen(PRESET "=");
	const char *name = arg + (algo_len ? algo_len + 1 : 0);

	if (strncmp(name, PRESET "=", preset_len) || !name[preset_len])
		return param_option(job_get(cc, J_CC_PARAMS), opt, arg, algo);
	if (param_concerns(arg, algo))
		job_add_str(cc, J_CC_PRESET, name + preset_len);
	return 0;
}

/* What an item of --cc says beside the algorithm's name. */
static int item_options(struct json_object *cc, const char *item)
{
	char *text = xstrdup(item), *rest = text, *algo = strsep(&rest, VARIANT), *part;
	char *opt = xasprintf("--cc %s:", item);
	int rc = 0;

	if (rest && strcmp(algo, NONE) == 0)
		rc = usage_error("%s \"" NONE "\" has no parameters", opt);
	while (!rc && (part = strsep(&rest, VARIANT))) {
		if (param_algo_len(part))
			rc = usage_error("%s %s: a parameter's name has no dot here", opt, part);
		else
			rc = take_param(cc, opt, part, algo);
	}
	free(opt);
	free(text);
	return rc;
}

static int check_known(char *const *known, size_t n, const char *algo)
{
	const char *like;
	size_t k;

	for (k = 0; k < n; k++)
		if (strcmp(known[k], algo) == 0)
			return 0;
	like = nearest(algo, (const char *const *)known, n);
	return usage_error("--cc: unknown algorithm \"%s\"%s%s%s; see \"lab list\"", algo,
			   like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}

/**
 * cc_check() - are the algorithms of a list there, and their parameters well-formed
 * @kernel_dir: where the modules are
 * @ccs: items of --cc
 * @n: how many
 *
 * Return: 0, or the exit status after a message.
 */
int cc_check(const char *kernel_dir, char **ccs, size_t n)
{
	size_t i, k, n_known;
	char **known = cc_names(kernel_dir, &n_known), *algo;
	struct json_object *unused;
	int rc = 0;

	for (i = 0; i < n && !rc; i++) {
		unused = json_object_new_object();
		job_add(unused, J_CC_PARAMS, json_object_new_object());
		algo = cc_algo(ccs[i]);
		rc = check_known(known, n_known, algo);
		if (!rc)
			rc = item_options(unused, ccs[i]);
		json_object_put(unused);
		free(algo);
	}
	for (k = 0; k < n_known; k++)
		free(known[k]);
	free(known);
	return rc;
}

static void knob(struct plan *p, struct json_object *knobs, const char *name, const char *key)
{
	struct key *k = scenario_key(p->sc, key);

	if (k && !k->is_auto)
		js_add_int(knobs, name, llround(k->val));
}

/* Of the fastest host. */
static int64_t line_rate(struct plan *p)
{
	int64_t rate = 0;
	int i;

	for (i = 0; i < p->n_links; i++)
		if ((p->nodes[p->links[i].a].host || p->nodes[p->links[i].b].host) &&
		    p->links[i].rate_bps > rate)
			rate = p->links[i].rate_bps;
	return rate;
}

/* Does the user set it? */
static bool has_knob(const struct run_opts *o, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < o->knobs.n; i++)
		if (strncmp(o->knobs.v[i], name, len) == 0 && o->knobs.v[i][len] == '=')
			return true;
	return false;
}

/**
 * cc_params() - preset and parameters of an item of --cc
 * @o: options with --param
 * @item: algorithm and its own parameters, which prevail
 * @algo: the algorithm
 * @preset: of the scenario, or NULL
 * @cc: receives both
 *
 * Return: 0, or the exit status after a message.
 */
int cc_params(const struct run_opts *o, const char *item, const char *algo, const char *preset,
	      struct json_object *cc)
{
	size_t i;
	int rc = 0;

	if (preset && strcmp(algo, NONE))
		job_add_str(cc, J_CC_PRESET, preset);
	job_add(cc, J_CC_PARAMS, json_object_new_object());
	for (i = 0; i < o->params.n && !rc; i++)
		rc = take_param(cc, "--param", o->params.v[i], algo);
	return rc ? rc : item_options(cc, item);
}

/**
 * cc_json_one() - what the devices of hosts with one algorithm are set to
 * @p: plan
 * @o: options with --param and --knob
 * @item: of --cc, or of a group: algorithm and its own parameters, which prevail
 * @out: new object with algo, preset, params and knobs
 *
 * Return: 0, or the exit status after a message.
 */
int cc_json_one(struct plan *p, const struct run_opts *o, const char *item,
		struct json_object **out)
{
	const char *preset = scenario_text(p->sc, PRESET, NULL);
	struct json_object *knobs = json_object_new_object();
	char *cc = cc_algo(item);
	size_t i;
	int rc;

	*out = json_object_new_object();
	job_add_str(*out, J_CC_ALGO, cc);
	rc = cc_params(o, item, cc, preset, *out);
	job_add(*out, J_CC_KNOBS, knobs);
	js_add_int(knobs, LINE_RATE, line_rate(p));
	/* Real time adds delays of its own to those of the topology: let hosts measure. */
	if (!o->real || scenario_val(p->sc, "base_rtt", 0) > 0)
		js_add_int(knobs, "base_rtt", p->base_rtt_ns);
	/* All hosts are in one kernel, or in several with clocks of their own. */
	js_add_int(knobs, "clock_common", !o->qemu && !host_clocks_differ(p));
	knob(p, knobs, "ack_every", "ack_every");
	knob(p, knobs, "max_unacked_psns", "max_unacked");
	knob(p, knobs, "max_skbs_out", "max_skbs");
	knob(p, knobs, "min_rate", "min_rate");
	knob(p, knobs, "burst", "burst");
	if (scenario_val(p->sc, "ack_prio", 0) != 0)
		js_add_int(knobs, "ack_dscp", ACK_DSCP);
	if (scenario_val(p->sc, "int", 0) != 0 && p->max_hops <= INT_MAX_HOPS) {
		/*
		 * Algorithms that need telemetry get it, to others it is nothing.
		 * All hosts here understand it: no need to hear that of each
		 * first, which would leave a round trip without.
		 */
		js_add_int(knobs, "int", INT_ON);
		js_add_int(knobs, "int_hops", p->max_hops > 0 ? p->max_hops : 1);
		if (scenario_val(p->sc, "int_response", 0) > 0)
			js_add_int(knobs, "switch_feedback", 1);
	}
	short_prio_knobs(p, knobs);
	if (!rc)
		rc = switch_features_hosts(p, *out);
	job_add_bool(*out, J_CC_OWN_LINE_RATE, !has_knob(o, LINE_RATE));
	for (i = 0; i < o->knobs.n && !rc; i++)
		rc = param_option(knobs, "--knob", o->knobs.v[i], NULL);
	free(cc);
	if (rc)
		json_object_put(*out);
	return rc;
}
