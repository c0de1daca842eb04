// SPDX-License-Identifier: GPL-2.0
/* lab list ALGORITHM: parameters as the kernel has them. */
#include <string.h>

#include "run/run.h"

/**
 * algo_describe() - an algorithm of the lab kernel
 * @kdir: kernel and modules
 * @algo: one of cc_names(), not none
 *
 * Return: what "rxecc -j algo show" says, or NULL after a message.
 */
struct json_object *algo_describe(const char *kdir, const char *algo)
{
	struct json_object *t = kernel_param_tables(kdir, false), *o = js_get(js_get(t, "algos"),
									      algo);

	if (t && !o)
		run_error("list: %s: %s", algo, js_str(js_get(t, "why"), algo, "no answer"));
	return json_object_get(o);
}

static void add_words(struct json_object *def, const char *const *words, size_t n)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_string(words[i]));
	json_object_object_add(def, "words", list);
}

/**
 * algo_words() - add the words that stand for the values of some parameters
 * @o: from algo_describe()
 */
void algo_words(struct json_object *o)
{
	static const char *const bools[] = { "off", "on" };
	static const char *const modes[] = { "off", "auto", "on" };
	struct json_object *params = js_get(o, "params");

	if (!params)
		return;
	json_object_object_foreach(params, name, def) {
		enum param_unit unit = param_unit_by_name(js_str(def, "unit", "count"));

		(void)name;
		if (unit == PARAM_BOOL)
			add_words(def, bools, ARRAY_SIZE(bools));
		else if (unit == PARAM_MODE)
			add_words(def, modes, ARRAY_SIZE(modes));
	}
}

static void print_names(const char *title, struct json_object *list)
{
	size_t i;

	if (!js_len(list))
		return;
	printf("%s", title);
	for (i = 0; i < js_len(list); i++)
		printf(" %s", json_object_get_string(js_at(list, i)));
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
