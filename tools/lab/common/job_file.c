// SPDX-License-Identifier: GPL-2.0
/*
 * The job file, JSON by which lab tells labinit what to do: gets, adds and checks its keys.
 * Both sides use this; see job_file.h.
 */
#include <linux/pkt_sched_roce.h>
#include <stdlib.h>
#include <string.h>

#include "common/job_file.h"

/* The rows of the qdisc: how long the attributes of its options are. */
#define ROCE_TITLE(...)
#define ROCE_OTHER(...)
#define ROCE_OPTION(attribute, type, ...)	BYTES_##attribute = sizeof(type),
#define ROCE_PRIO_OPTION(attribute, type, ...)	BYTES_PRIO_##attribute = sizeof(type),
enum {
	BYTES_PRIO_ID = 1,
#include <linux/pkt_sched_roce.h>
#include "features/ecn/roce_ecn_rows.h"
#include "features/roce_features_rows.h"
};

#define OPT(attribute)	.attr = TCA_ROCE_##attribute, .bytes = BYTES_##attribute
#define KEY(of_group, name)	.group = (of_group), .key = (name)

const struct job_def job_defs[J_KEYS] = {
#define K(constant, in, key, sort, ...) \
	[constant] = { .name = key, .object = JOB_##in, .kind = JOB_##sort, __VA_ARGS__ },
#include "common/job_file_keys.h"
#undef K
};

struct json_object *job_get(struct json_object *o, enum job_key key)
{
	return js_get(o, job_defs[key].name);
}

const char *job_str(struct json_object *o, enum job_key key, const char *def)
{
	return js_str(o, job_defs[key].name, def);
}

int64_t job_int(struct json_object *o, enum job_key key, int64_t def)
{
	return js_int(o, job_defs[key].name, def);
}

bool job_bool(struct json_object *o, enum job_key key, bool def)
{
	return js_bool(o, job_defs[key].name, def);
}

/* @val becomes part of @o. */
void job_add(struct json_object *o, enum job_key key, struct json_object *val)
{
	json_object_object_add(o, job_defs[key].name, val);
}

void job_add_str(struct json_object *o, enum job_key key, const char *val)
{
	js_add_str(o, job_defs[key].name, val);
}

void job_add_int(struct json_object *o, enum job_key key, int64_t val)
{
	js_add_int(o, job_defs[key].name, val);
}

void job_add_bool(struct json_object *o, enum job_key key, bool val)
{
	json_object_object_add(o, job_defs[key].name, json_object_new_boolean(val));
}

static const struct job_def *find(enum job_object object, const char *name)
{
	size_t i;

	for (i = 0; i < J_KEYS; i++)
		if (job_defs[i].object == object && strcmp(job_defs[i].name, name) == 0)
			return &job_defs[i];
	return NULL;
}

static char *unknown(enum job_object object, const char *path, const char *name)
{
	const char *names[J_KEYS], *like;
	size_t i, n = 0;

	for (i = 0; i < J_KEYS; i++)
		if (job_defs[i].object == object)
			names[n++] = job_defs[i].name;
	like = nearest(name, names, n);
	return xasprintf("job: %s%s%s: unknown key%s%s%s", path, *path ? "." : "", name,
			 like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}

static char *check_object(struct json_object *o, enum job_object object, const char *path);

/* All of a list are strings, or pairs of strings. */
static bool are_strings(struct json_object *list, bool pairs)
{
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		struct json_object *o = js_at(list, i);

		if (pairs ? js_len(o) != 2 || !are_strings(o, false) :
			    !json_object_is_type(o, json_type_string))
			return false;
	}
	return json_object_is_type(list, json_type_array);
}

static bool are_ints(struct json_object *list)
{
	size_t i;

	for (i = 0; i < js_len(list); i++)
		if (!json_object_is_type(js_at(list, i), json_type_int))
			return false;
	return true;
}

static char *check_list(struct json_object *list, enum job_object of, const char *path)
{
	char *why = NULL, *item;
	size_t i;

	for (i = 0; i < js_len(list) && !why; i++) {
		item = xasprintf("%s[%zu]", path, i);
		why = check_object(js_at(list, i), of, item);
		free(item);
	}
	return why;
}

/* How a message calls what is behind a key of this kind. */
static const char *const kind_names[] = {
	[JOB_STR] = "a string",
	[JOB_INT] = "an integer",
	[JOB_BOOL] = "true or false",
	[JOB_STRS] = "a list of strings",
	[JOB_PAIRS] = "a list of pairs of strings",
	[JOB_INTS] = "a list of integers",
	[JOB_MAP] = "an object",
	[JOB_OBJ] = "an object",
	[JOB_LIST] = "a list",
};

static char *check_value(struct json_object *val, const struct job_def *d, const char *path)
{
	static const enum json_type types[] = {
		[JOB_STR] = json_type_string, [JOB_INT] = json_type_int,
		[JOB_BOOL] = json_type_boolean, [JOB_STRS] = json_type_array,
		[JOB_PAIRS] = json_type_array, [JOB_INTS] = json_type_array,
		[JOB_MAP] = json_type_object,
		[JOB_OBJ] = json_type_object, [JOB_LIST] = json_type_array,
	};
	bool strings = d->kind == JOB_STRS || d->kind == JOB_PAIRS;

	if (!json_object_is_type(val, types[d->kind]) ||
	    (strings && !are_strings(val, d->kind == JOB_PAIRS)) ||
	    (d->kind == JOB_INTS && !are_ints(val)))
		return xasprintf("job: %s: must be %s", path, kind_names[d->kind]);
	if (d->kind == JOB_OBJ)
		return check_object(val, d->of, path);
	return d->kind == JOB_LIST ? check_list(val, d->of, path) : NULL;
}

static char *check_object(struct json_object *o, enum job_object object, const char *path)
{
	char *why = NULL, *sub;

	if (!json_object_is_type(o, json_type_object))
		return xasprintf("job: %s: must be an object", *path ? path : "all of it");
	json_object_object_foreach(o, name, val) {
		const struct job_def *d = find(object, name);

		if (!d)
			return unknown(object, path, name);
		sub = xasprintf("%s%s%s", path, *path ? "." : "", name);
		why = check_value(val, d, sub);
		free(sub);
		if (why)
			return why;
	}
	return NULL;
}

/**
 * job_check() - are all keys of a job those of job_file.h, with values of their kind
 * @job: the whole job
 *
 * Return: NULL, or a line that names the key, to be freed.
 */
char *job_check(struct json_object *job)
{
	return check_object(job, JOB_TOP, "");
}
