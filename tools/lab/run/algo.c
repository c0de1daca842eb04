// SPDX-License-Identifier: GPL-2.0
/*
 * lab list ALGORITHM: parameters as the kernel has them. The lab kernel is
 * started on the smallest scenario and asked by rxecc, so that they are those of
 * the modules that a run would load.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/cmd.h"

#define SCENARIO	"two"

/* The script's answer goes to a file of its own, not between the kernel's lines. */
static int ask(struct plan *p, const char *kdir, const char *algo, const char *work)
{
	struct run_opts o = { .seed = 1, .quiet = true, .mem_mb = 512 };
	char *script = xasprintf("%s/input", work), *none = xstrdup("none");
	struct uml u = {
		.kernel_dir = kdir, .work_dir = work, .label = "list", .quiet = true,
		.mem_mb = o.mem_mb, .timeout_s = 60,
	};
	int rc;

	if (write_file(script, "exec %s/build/bin/rxecc -j algo show %s >%s/algo.json 2>%s/why\n",
		       lab_root(), algo, work, work))
		rc = run_error("%s: %s", script, strerror(errno));
	else
		rc = uml_check_room(u.mem_mb);
	job_add_str(p->job, J_SCRIPT, script);
	o.ccs = &none;
	o.n_ccs = 1;
	if (!rc)
		rc = job_save(p, &o, none, kdir, work, "shell");
	if (!rc)
		rc = uml_run(&u);
	free(u.error);
	free(none);
	free(script);
	return rc;
}

static struct json_object *answer(const char *work, const char *algo)
{
	char *path = xasprintf("%s/algo.json", work), *why = xasprintf("%s/why", work);
	char *err = NULL, *text;
	struct json_object *list = js_load(path, &err), *o = NULL;

	if (js_len(list) == 1) {
		o = json_object_get(json_object_array_get_idx(list, 0));
	} else {
		text = read_file(why, NULL);
		run_error("list: %s: %s", algo, text && *text ? text : err ? err : "no answer");
		free(text);
	}
	json_object_put(list);
	free(err);
	free(why);
	free(path);
	return o;
}

/**
 * algo_describe() - an algorithm of the lab kernel
 * @kdir: kernel and modules
 * @algo: one of cc_names(), not none
 *
 * Return: what "rxecc -j algo show" says, or NULL after a message.
 */
struct json_object *algo_describe(const char *kdir, const char *algo)
{
	struct scenario *sc = scenario_load(SCENARIO);
	struct json_object *o = NULL;
	struct plan *p = NULL;
	char *work;

	if (!sc || scenario_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	work = work_dir_make();
	if (work && !ask(p, kdir, algo, work))
		o = answer(work, algo);
	if (work)
		work_dir_remove(work);
	plan_free(p);
	scenario_free(sc);
	return o;
}

static void print_names(const char *title, struct json_object *list)
{
	size_t i;

	if (!js_len(list))
		return;
	printf("%s", title);
	for (i = 0; i < js_len(list); i++)
		printf(" %s", json_object_get_string(json_object_array_get_idx(list, i)));
	putchar('\n');
}

/**
 * algo_print() - an algorithm's parameters for people
 * @o: from algo_describe()
 */
void algo_print(struct json_object *o)
{
	char def[PARAM_TEXT_MAX], min[PARAM_TEXT_MAX], max[PARAM_TEXT_MAX];
	struct json_object *params = js_get(o, "params");

	printf("%s: parameters (--param NAME=VALUE, or --cc %s:NAME=VALUE)\n",
	       js_str(o, "algo", ""), js_str(o, "algo", ""));
	if (!params)
		return;
	json_object_object_foreach(params, name, val) {
		const char *text = js_str(val, "unit", "count");
		enum param_unit unit = param_unit_by_name(text);

		param_format(unit, json_object_get_uint64(js_get(val, "default")),
			     PARAM_EXACT, def);
		param_format(unit, json_object_get_uint64(js_get(val, "min")), PARAM_EXACT, min);
		param_format(unit, json_object_get_uint64(js_get(val, "max")), PARAM_EXACT, max);
		printf("    %-29s %-6s %-12s %s [%s..%s]\n", name, text, def,
		       js_str(val, "help", ""), min, max);
	}
	print_names("presets (--set preset=NAME):", js_get(o, "presets"));
	print_names("needs:", js_get(o, "needs"));
}
