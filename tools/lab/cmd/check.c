// SPDX-License-Identifier: GPL-2.0
/*
 * lab check: what every algorithm must stand, for modules of the user's own. The lab kernel
 * loads the core, the modules and the suite of conformance, and nothing else; the suite runs
 * each registered algorithm.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define SUITE		"rxe_cc_conformance_kunit.ko"
#define RESULTS		"for f in /sys/kernel/debug/kunit/*/results; do cat \"$f\"; done >\"$0\""
#define TIMEOUT_S	300
#define MEM_MB		256
#define MEM_DEBUG_MB	1024
/* Results of a suite's cases, in the KTAP that a suite prints. */
#define CASE_INDENT	4

struct check {
	bool debug;
	uint64_t timeout_s;
	char *kdir;
};

#define AT(m)	.at = offsetof(struct check, m)
static const struct option_row rows[] = {
	{ "debug", NULL, "in the debug kernel (build/uml-debug)", OPTION_FLAG, AT(debug) },
	{ "timeout", "S", "give up after S seconds of wall time (300)", OPTION_COUNT, AT(timeout_s),
	  .min = 1, .max = 1000000 },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab check", .rows = rows, .indent = 2, .column = 17,
	.before =
"Usage: lab check [OPTIONS] MODULE...\n\n"
"Tests algorithms of your own, which \"lab build\" has made: extreme values, random\n"
"events, late timers, long idle times, false telemetry, limits of all parameters. The\n"
"algorithm must write nothing outside its state, do the same on the same events, and\n"
"have no timer when idle. Prints what failed and why. Exit status: 0 all passed; 1\n"
"not so, or the kernel complained; 2 bad arguments.\n\n",
};

static void add_module(struct json_object *list, const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);

	json_object_array_add(list, json_object_new_string(path));
	free(path);
}

static int save_job(const struct check *c, const char *work, const char *results)
{
	struct json_object *job = json_object_new_object(), *modules = json_object_new_array();
	struct json_object *argv = json_object_new_array();
	const char *words[] = { "/bin/sh", "-c", RESULTS, results };
	char *path = xasprintf("%s/job.json", work), *raw = xasprintf("%s/raw", work);
	size_t i;
	int rc;

	add_module(modules, c->kdir, "rxe_cc.ko");
	for (i = 0; own_module_path(i); i++)
		json_object_array_add(modules, json_object_new_string(own_module_path(i)));
	add_module(modules, c->kdir, SUITE);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		json_object_array_add(argv, json_object_new_string(words[i]));
	job_add_str(job, J_MODE, "exec");
	job_add_str(job, J_OUT, raw);
	job_add_str(job, J_MODULE_DIR, c->kdir);
	job_add(job, J_MODULES, modules);
	job_add(job, J_ARGV, argv);
	rc = mkdir_p(raw) || js_save(job, path) ? run_error("%s: %m", path) : 0;
	json_object_put(job);
	free(path);
	free(raw);
	return rc;
}

/* The suite's file is this build's: its name is enough. */
static void print_message(const char *line)
{
	const char *at = strstr(line, " at /"), *end = at ? at + 4 : line, *slash;

	if (at) {
		slash = memrchr(end, '/', strcspn(end, " "));
		printf("%.*s%s\n", (int)(end - line), line, slash + 1);
	} else {
		printf("%s\n", line);
	}
}

struct count {
	unsigned int passed, failed, skipped;
};

/* The reason first, which is not indented; then the values that KUnit shows with it. */
static void print_said(const struct option_list *said)
{
	bool reason;
	size_t i;

	for (reason = true;; reason = false) {
		for (i = 0; i < said->n; i++)
			if ((said->v[i][0] != ' ') == reason)
				print_message(said->v[i]);
		if (!reason)
			break;
	}
}

/* "ok 1 NAME" or "not ok 1 NAME": a case has one for each algorithm. */
static bool is_result_of(const char *line, const char *name)
{
	const char *last = strrchr(line, ' ');

	return (strncmp(line, "ok ", 3) == 0 || strncmp(line, "not ok ", 7) == 0) &&
	       last && strcmp(last + 1, name) == 0;
}

/*
 * Of a case only what it says of its failure; what it says is before its result.
 * @seen: becomes true for modules with results of the algorithm that they declare
 */
static void take_lines(char *text, struct count *n, bool *seen)
{
	struct option_list said = {};
	char *save = NULL, *line;
	size_t i, indent;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		indent = strspn(line, " ");
		for (i = 0; indent > CASE_INDENT && own_module_name(i); i++)
			seen[i] |= is_result_of(line + indent, own_module_name(i));
		if (indent == CASE_INDENT && strncmp(line + indent, "ok ", 3) == 0) {
			if (strstr(line, "# SKIP"))
				n->skipped++;
			else
				n->passed++;
		} else if (indent == CASE_INDENT && strncmp(line + indent, "not ok ", 7) == 0) {
			n->failed++;
			printf("FAIL %s\n", strrchr(line, ' ') + 1);
			print_said(&said);
		} else if (!strstr(line, " ok ") && !strstr(line, "KTAP version") &&
			   !strstr(line, "# Subtest") && !strstr(line, "1..") &&
			   !strstr(line, ": pass:")) {
			list_add(&said, line);
			continue;
		} else if (indent > CASE_INDENT) {
			continue;
		}
		said.n = 0;
	}
	free(said.v);
}

/* Under a name that is not the module's nobody could choose it. */
static int check_names(const bool *seen)
{
	size_t i;

	for (i = 0; own_module_name(i); i++)
		if (!seen[i])
			return run_error("check: %s: no algorithm \"%s\": .name of its ops must be as MODULE_ALIAS_RXE_CC() has it",
					 own_module_path(i), own_module_name(i));
	return 0;
}

/* Of the console, where each case begins. */
static char *last_case(const char *log)
{
	static const char mark[] = "# Subtest: ";
	const char *at = NULL, *next;

	for (next = strstr(log, mark); next; next = strstr(at, mark))
		at = next + strlen(mark);
	return at ? xasprintf("%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

static int no_results(const struct uml *u, const char *in)
{
	return run_error("%s: no results: the kernel did not get through %s", u->label,
			 in ? in : "the suite");
}

static int judge(struct uml *u, const char *results)
{
	char *console = xasprintf("%s/console.log", u->work_dir), *log = read_file(console, NULL);
	char *text = read_file(results, NULL), *in = log ? last_case(log) : NULL;
	struct count n = {};
	int64_t splats;
	size_t modules = 0;
	bool *seen;
	int rc;

	while (own_module_name(modules))
		modules++;
	seen = xcalloc(modules + 1, sizeof(*seen));
	if (text)
		take_lines(text, &n, seen);
	splats = log ? uml_splats(u, log) : 0;
	free(log);
	free(text);
	free(console);
	if (!n.passed && !n.failed) {
		rc = no_results(u, in);
	} else {
		printf("%u passed, %u failed, %u skipped\n", n.passed, n.failed, n.skipped);
		rc = check_names(seen);
	}
	free(seen);
	free(in);
	return rc || n.failed || splats ? EXIT_RUN_FAILED : EXIT_OK;
}

static int run(struct check *c)
{
	char *work = work_dir_make(), *results;
	struct uml u = {
		.kernel_dir = c->kdir, .work_dir = work, .label = "check", .quiet = true,
		.mem_mb = c->debug ? MEM_DEBUG_MB : MEM_MB, .timeout_s = c->timeout_s,
	};
	int rc;

	if (!work)
		return EXIT_RUN_FAILED;
	results = xasprintf("%s/results", work);
	rc = save_job(c, work, results) ?: uml_check_room(u.mem_mb) ?: uml_run(&u);
	if (!rc && u.error)
		rc = run_error("check: %s", u.error);
	if (!rc)
		rc = judge(&u, results);
	free(u.error);
	free(results);
	work_dir_remove(work);
	return rc;
}

int cmd_check(int argc, char **argv)
{
	static const char *const parts[] = { "linux", "rxe_cc.ko", SUITE };
	struct check c = { .timeout_s = TIMEOUT_S };
	int rc = options_parse(&options, &c, argc, argv), i;
	char *path;
	size_t k;

	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (optind == argc)
		return usage_error("no module; see \"lab check --help\"");
	for (i = optind; i < argc && !rc; i++)
		rc = own_module_option(NULL, NULL, argv[i]);
	if (!rc)
		rc = own_modules_use(c.debug);
	if (rc)
		return rc;
	c.kdir = kernel_dir(c.debug);
	for (k = 0; k < ARRAY_SIZE(parts) && !rc; k++) {
		path = xasprintf("%s/%s", c.kdir, parts[k]);
		rc = check_built(path);
		free(path);
	}
	if (!rc)
		rc = run(&c);
	free(c.kdir);
	return rc;
}
