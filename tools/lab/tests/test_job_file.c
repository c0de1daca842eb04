// SPDX-License-Identifier: GPL-2.0
/* The job file: what labinit takes and what it refuses. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "lab.h"

/* What stands for a value of each kind, and for one of another kind. */
#define GOOD_STR	"\"x\""
#define GOOD_INT	"1"
#define GOOD_BOOL	"true"
#define GOOD_STRS	"[ \"x\", \"y\" ]"
#define GOOD_PAIRS	"[ [ \"x\", \"y\" ] ]"
#define GOOD_INTS	"[ 1, 2 ]"
#define GOOD_MAP	"{ \"any\": \"x\", \"thing\": 1 }"
#define GOOD_OBJ	"{ }"
#define GOOD_LIST	"[ { }, { } ]"
#define BAD_STR		"1"
#define BAD_INT		"\"1\""
#define BAD_BOOL	"1"
#define BAD_STRS	"[ \"x\", 1 ]"
#define BAD_PAIRS	"[ [ \"x\" ] ]"
#define BAD_INTS	"[ 1, \"x\" ]"
#define BAD_MAP		"[ ]"
#define BAD_OBJ		"[ ]"
#define BAD_LIST	"[ 1 ]"

/* Where an object is in a job. */
#define AT_TOP		"%s"
#define AT_NODE		"{ \"nodes\": [ { }, %s ] }"
#define AT_LINK		"{ \"links\": [ %s ] }"
#define AT_PORT		"{ \"links\": [ { \"b_qdisc\": %s } ] }"
#define AT_PRIO		"{ \"links\": [ { \"a_qdisc\": { \"prio\": [ %s ] } } ] }"
#define AT_DSCP		"{ \"links\": [ { \"a_qdisc\": { \"dscp\": [ %s ] } } ] }"
#define AT_CC		"{ \"ccs\": [ %s ] }"
#define AT_HIST		"{ \"hist\": %s }"
#define AT_REAL		"{ \"realtime\": %s }"
#define AT_PLAN		"{ \"plan\": %s }"
#define AT_FLOW		"{ \"plan\": { \"flows\": [ %s ] } }"
#define AT_PROGRAM	"{ \"programs\": [ %s ] }"
#define AT_EVENT	"{ \"timeline\": [ %s ] }"
#define AT_GROUP	"{ \"cc\": { \"groups\": [ %s ] } }"
#define AT_PINGPONG	"{ \"plan\": { \"latency\": [ %s ] } }"

static const struct {
	enum job_key key;
	const char *name, *at, *good, *bad;
} keys[] = {
#define K(constant, in, name, kind, ...) \
	{ constant, name, AT_##in, GOOD_##kind, BAD_##kind },
#include "common/job_file_keys.h"
#undef K
};

/* The answer to @at with the object that has only @name: @val. */
static char *answer(const char *at, const char *name, const char *val)
{
	const char *hole = strstr(at, "%s");
	char *text = xasprintf("%.*s{ \"%s\": %s }%s", (int)(hole - at), at, name, val, hole + 2);
	struct json_object *job = json_tokener_parse(text);
	char *why = job ? job_check(job) : xasprintf("no JSON: %s", text);

	json_object_put(job);
	free(text);
	return why;
}

static void test_each(void)
{
	char *good, *bad, *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		good = answer(keys[i].at, keys[i].name, keys[i].good);
		bad = answer(keys[i].at, keys[i].name, keys[i].bad);
		name = xasprintf("job_check__%s_of_%.20s", keys[i].name, keys[i].at);
		ktap(!good && bad && strstr(bad, keys[i].name) && strstr(bad, "must be") &&
		     strcmp(job_defs[keys[i].key].name, keys[i].name) == 0, name,
		     "good: %s, bad: %s", good ? good : "taken", bad ? bad : "taken");
		free(name);
		free(good);
		free(bad);
	}
}

static void refused(const char *name, const char *text, const char *want)
{
	struct json_object *job = json_tokener_parse(text);
	char *why = job_check(job);

	ktap(why && strcmp(why, want) == 0, name, "\"%s\", not \"%s\"", why ? why : "taken", want);
	json_object_put(job);
	free(why);
}

static void test_refused(void)
{
	refused("job_check__unknown_key", "{ \"mode\": \"run\", \"modee\": 1 }",
		"job: modee: unknown key, did you mean \"mode\"?");
	refused("job_check__unknown_key_of_a_port",
		"{ \"links\": [ { }, { \"b_qdisc\": { \"prio\": [ { \"kmin\": 1 } ] } } ] }",
		"job: links[1].b_qdisc.prio[0].kmin: unknown key, did you mean \"kmin_bytes\"?");
	refused("job_check__key_of_another_object", "{ \"nodes\": [ { \"events\": 1 } ] }",
		"job: nodes[0].events: unknown key");
	refused("job_check__no_object", "[ 1 ]", "job: all of it: must be an object");
	refused("job_check__number_for_a_list", "{ \"nodes\": 1 }", "job: nodes: must be a list");
}

/*
 * The jobs that somebody wrote for the fuzz program. Each is to come to what it is for, which is
 * behind job_check(); those that were made up need not.
 */
static void test_fuzz_jobs(void)
{
	char *pattern = xasprintf("%s/tools/lab/tests/fuzz/corpus/job/*-*", lab_root());
	char *text, *begin, *why;
	struct json_object *job;
	glob_t found = {};
	size_t i;

	ktap(!glob(pattern, 0, NULL, &found), "job_check__fuzz_jobs", "none: %s", pattern);
	for (i = 0; i < found.gl_pathc; i++) {
		text = read_file(found.gl_pathv[i], NULL);
		begin = text ? strchr(text, '{') : NULL;
		job = begin ? json_tokener_parse(begin) : NULL;
		why = job ? job_check(job) : xstrdup("no JSON");
		ktap(!why, strrchr(found.gl_pathv[i], '/') + 1, "%s", why ? why : "");
		json_object_put(job);
		free(why);
		free(text);
	}
	globfree(&found);
	free(pattern);
}

int main(void)
{
	test_each();
	test_refused();
	test_fuzz_jobs();
	return ktap_end();
}
