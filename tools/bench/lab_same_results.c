// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the result files of two builds of the lab: work on its speed must not change a digit.
 * What may differ: run.json, which is about the machine, the commit, and what only the newer
 * build writes.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <json-c/json.h>

#include "bench.h"
#include "lab_speed.h"

/* Each with pfc on and off. */
static const char * const cases[] = {
	"two", "four", "incast", "chain3", "fattree --set k=4",
};

static int differs(const char *where, const char *what)
{
	return -bench_error("%s: %s", where, what);
}

static const char *text_of(struct json_object *o)
{
	return o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : "null";
}

/* What a member of the old results is called in new ones. */
static const char *new_name(const char *where, const char *key)
{
	size_t len = strlen(where);

	if (len > 9 && !strcmp(where + len - 9, ".settings") && !strcmp(key, "timeout"))
		return "ib_timeout";
	return key;
}

/* 0: all of @old is in @new, with the same values, but for the commit. */
static int same_json(struct json_object *old, struct json_object *new, const char *where)
{
	char path[1000], msg[300];
	struct json_object *n;
	size_t i;

	if (json_object_is_type(old, json_type_object) &&
	    json_object_is_type(new, json_type_object)) {
		json_object_object_foreach(old, key, o) {
			snprintf(path, sizeof(path), "%s.%s", where, key);
			if (!strcmp(key, "commit"))
				continue;
			if (!json_object_object_get_ex(new, new_name(where, key), &n))
				return differs(path, "only in the old results");
			if (same_json(o, n, path))
				return 1;
		}
		return 0;
	}
	if (json_object_is_type(old, json_type_array) &&
	    json_object_is_type(new, json_type_array) &&
	    json_object_array_length(old) == json_object_array_length(new)) {
		for (i = 0; i < json_object_array_length(old); i++) {
			snprintf(path, sizeof(path), "%s[%zu]", where, i);
			if (same_json(json_object_array_get_idx(old, i),
				      json_object_array_get_idx(new, i), path))
				return 1;
		}
		return 0;
	}
	if (!strcmp(text_of(old), text_of(new)))
		return 0;
	snprintf(msg, sizeof(msg), "%.120s, was %.120s", text_of(new), text_of(old));
	return differs(where, msg);
}

static int same_json_files(const char *a, const char *b, const char *where)
{
	struct json_object *old = json_object_from_file(a);
	struct json_object *new = json_object_from_file(b);
	int ret;

	if (old && new)
		ret = same_json(old, new, where);
	else
		ret = differs(where, "is no JSON");
	json_object_put(old);
	json_object_put(new);
	return ret;
}

/* How much of a line a message has. */
static int shown(const char *line)
{
	size_t n = strcspn(line, "\n");

	return n < 120 ? n : 120;
}

/* Line by line, to be able to name the first that differs. */
static int same_lines(const char *a, const char *b, const char *where)
{
	FILE *old = fopen(a, "re"), *new = fopen(b, "re");
	char *la = NULL, *lb = NULL, msg[300];
	size_t sa = 0, sb = 0;
	unsigned long line = 1;
	ssize_t na, nb;
	int ret = 0;

	for (; old && new && !ret; line++) {
		na = getline(&la, &sa, old);
		nb = getline(&lb, &sb, new);
		if (na < 0 && nb < 0)
			break;
		if (na == nb && !memcmp(la, lb, na))
			continue;
		snprintf(msg, sizeof(msg), "line %lu: \"%.*s\", was \"%.*s\"", line,
			 nb < 0 ? 0 : shown(lb), nb < 0 ? "" : lb,
			 na < 0 ? 0 : shown(la), na < 0 ? "" : la);
		ret = differs(where, msg);
	}
	if (!old || !new)
		ret = differs(where, strerror(errno));
	if (old)
		fclose(old);
	if (new)
		fclose(new);
	free(la);
	free(lb);
	return ret;
}

static int same_entry(const char *a, const char *b, const char *where)
{
	struct stat st;
	size_t len;

	if (stat(b, &st))
		return differs(where, "only in the old results");
	if (S_ISDIR(st.st_mode))
		return lab_same_dirs(a, b, where);
	len = strlen(a);
	if (len > 5 && !strcmp(a + len - 5, ".json"))
		return same_json_files(a, b, where);
	return same_lines(a, b, where);
}

/**
 * lab_same_dirs() - compare results
 * @a: directory of the old ones
 * @b: of the new ones
 * @what: name of both in messages; one that ends in a space comes before a path
 *
 * Return: 0: all that is in @a is in @b, and the same; else 1, the first difference
 * is on stderr.
 */
int lab_same_dirs(const char *a, const char *b, const char *what)
{
	char pa[1200], pb[1200], where[1000];
	struct dirent **list;
	int i, n, ret = 0;

	n = scandir(a, &list, NULL, alphasort);
	if (n < 0)
		return differs(a, strerror(errno));
	for (i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (!ret && *name != '.' && strcmp(name, "run.json")) {
			snprintf(pa, sizeof(pa), "%s/%s", a, name);
			snprintf(pb, sizeof(pb), "%s/%s", b, name);
			snprintf(where, sizeof(where), "%s%s%s", what,
				 what[strlen(what) - 1] == ' ' ? "" : "/", name);
			ret = same_entry(pa, pb, where);
		}
		free(list[i]);
	}
	free(list);
	return ret;
}

/* Both builds at once: times do not matter here. */
static int one_case(const struct bench *b, const char *words)
{
	struct lab_job jobs[2];
	char what[1010];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		jobs[i] = (struct lab_job){
			.lab = i ? b->old_lab : b->lab, .words = words,
			.cc = b->cc ?: "none,dcqcn,timely,hpcc,hpccpp", .seed = b->seed,
			.may_fail = true,
		};
		snprintf(jobs[i].dir, sizeof(jobs[i].dir), "%s/%s", b->dir, i ? "old" : "new");
		if (bench_remove(jobs[i].dir) || lab_start(&jobs[i]))
			return 1;
	}
	if (lab_wait(jobs, 2) < 0)
		return 1;
	if (jobs[0].status != jobs[1].status)
		return differs(words, "only one of the two runs failed");
	snprintf(what, sizeof(what), "%s: ", words);
	return lab_same_dirs(jobs[1].dir, jobs[0].dir, what);
}

/**
 * lab_same() - do two builds give the same results?
 * @b: command line
 *
 * Return: exit code.
 */
int lab_same(const struct bench *b)
{
	static const char * const pfc[] = { "off", "on" };
	size_t nr = b->nr_cases ?: 2 * sizeof(cases) / sizeof(*cases), i;
	char words[1000];

	for (i = 0; i < nr; i++) {
		if (b->nr_cases)
			snprintf(words, sizeof(words), "%s", lab_case_of(b->cases[i]).words);
		else
			snprintf(words, sizeof(words), "%s --set pfc=%s", cases[i / 2],
				 pfc[i % 2]);
		if (b->progress)
			fprintf(stderr, "\r  %zu of %zu, %s\033[K", i + 1, nr, words);
		if (one_case(b, words))
			return 1;
	}
	printf("%sThe same results: %zu scenarios, seed %lu.\n", bench_cr(), nr, b->seed);
	return 0;
}
