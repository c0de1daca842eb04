// SPDX-License-Identifier: GPL-2.0
/* lab report: the shell command that repeats a run. */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* A word for a POSIX shell: as it is, or in single quotes. */
static void rpt_shell_word(FILE *f, const char *s)
{
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";

	if (*s && !s[strspn(s, safe)]) {
		fputs(s, f);
		return;
	}
	fputc('\'', f);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", f);
		else
			fputc(*s, f);
	}
	fputc('\'', f);
}

static void rpt_command_options(FILE *f, const struct rpt_run *run,
				const char *from, const char *opt)
{
	struct json_object *o = js_path(run->summary, from);

	if (!json_object_is_type(o, json_type_object))
		return;
	json_object_object_foreach(o, key, val) {
		char *word;

		/* A nested or null value has no spelling on a command line. */
		if (!val || json_object_is_type(val, json_type_object) ||
		    json_object_is_type(val, json_type_array))
			continue;
		word = rpt_text("%s=%s", key, json_object_get_string(val));
		fprintf(f, " %s ", opt);
		rpt_shell_word(f, word);
	}
}

/* Of results without a command: what they were made with, defaults spelt out. */
static void rpt_command_guess(FILE *f, const struct rpt_scenario *s, const struct rpt_algo *a,
			      const struct rpt_run *run)
{
	static const char *const keys[] = { "backend", "clock" };
	size_t i;

	fputs("lab run ", f);
	rpt_shell_word(f, s->scenario);
	fputs(" --cc ", f);
	rpt_shell_word(f, a->cc);
	fprintf(f, " --seed %lu", run->seed);
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		struct json_object *o = js_path(run->summary, keys[i]);

		if (!json_object_is_type(o, json_type_string))
			continue;
		fprintf(f, " --%s ", keys[i]);
		rpt_shell_word(f, json_object_get_string(o));
	}
	rpt_command_options(f, run, "settings", "--set");
	rpt_command_options(f, run, "params", "--param");
}

/**
 * rpt_command() - the command that makes a run again
 * @s: its scenario
 * @a: its algorithm
 * @run: it
 *
 * Return: text for a shell, nobody's to free.
 */
char *rpt_command(const struct rpt_scenario *s, const struct rpt_algo *a, const struct rpt_run *run)
{
	struct json_object *words = js_path(run->info, "command");
	char *text = NULL, *kept;
	size_t len, i, n;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort();
	n = json_object_is_type(words, json_type_array) ? json_object_array_length(words) : 0;
	for (i = 0; i < n; i++) {
		struct json_object *word = json_object_array_get_idx(words, i);

		fputs(i ? " " : "", f);
		rpt_shell_word(f, word ? json_object_get_string(word) : "");
	}
	if (!n)
		rpt_command_guess(f, s, a, run);
	fclose(f);
	kept = rpt_text("%s", text);
	free(text);
	return kept;
}
