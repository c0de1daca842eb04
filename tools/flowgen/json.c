// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: strict JSON. Objects are read by tables of keys; a key that is not
 * in a table, a wrong type or a value out of range is an error that names the
 * key with its path.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flowgen.h"

/**
 * fg_json_read() - parse a file
 * @file: path, "-" for stdin
 *
 * Return: the root object, or NULL after an error message.
 */
json_object *fg_json_read(const char *file)
{
	bool std = !strcmp(file, "-");
	enum json_tokener_error e;
	json_object *root = NULL;
	json_tokener *tok = json_tokener_new();
	size_t n = 0, cap = 0;
	char *text = NULL;
	FILE *f = std ? stdin : fopen(file, "re");

	if (!f) {
		fg_err("%s: %s", file, strerror(errno));
		goto out;
	}
	do {
		if (cap - n < 65536) {
			cap = cap ? cap * 2 : 131072;
			text = realloc(text, cap);
			if (!text)
				exit(fg_err("%s: out of memory", file));
		}
		n += fread(text + n, 1, cap - n - 1, f);
	} while (!feof(f) && !ferror(f));
	if (ferror(f)) {
		fg_err("%s: %s", file, strerror(errno));
		goto out;
	}
	text[n] = '\0';
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	/* With the terminating NUL the tokener knows a number has ended. */
	root = json_tokener_parse_ex(tok, text, n + 1);
	e = json_tokener_get_error(tok);
	if (e != json_tokener_success || !root) {
		fg_err("%s: byte %zu: %s", file, json_tokener_get_parse_end(tok),
		       e == json_tokener_success ? "no JSON object" :
		       json_tokener_error_desc(e));
		json_object_put(root);
		root = NULL;
	}
out:
	if (f && !std)
		fclose(f);
	free(text);
	json_tokener_free(tok);
	return root;
}

/**
 * fg_json_as_u64() - a non-negative integer
 * @o: value
 * @path: its path in the file, for messages
 * @min: smallest allowed
 * @max: largest allowed
 * @out: result
 */
int fg_json_as_u64(json_object *o, const char *path, u64 min, u64 max, u64 *out)
{
	u64 v;

	if (!json_object_is_type(o, json_type_int))
		return fg_err("%s: not an integer", path);
	v = json_object_get_uint64(o);
	if (json_object_get_int64(o) < 0 || v < min || v > max)
		return fg_err("%s: %s is out of range %llu..%llu", path,
			      json_object_get_string(o), min, max);
	*out = v;
	return 0;
}

/**
 * fg_json_as_str() - a string that is not empty
 * @o: value
 * @path: its path, for messages
 * @out: result, borrowed from @o
 */
int fg_json_as_str(json_object *o, const char *path, const char **out)
{
	if (!json_object_is_type(o, json_type_string) || !json_object_get_string_len(o))
		return fg_err("%s: not a string", path);
	*out = json_object_get_string(o);
	return 0;
}

static int read_enum(json_object *o, const char *path, const struct fg_key *k, u32 *out)
{
	char all[256] = "";
	const char *s = NULL;
	u32 i;

	if (fg_json_as_str(o, path, &s))
		return -1;
	for (i = 0; k->names[i]; i++) {
		if (!strcmp(s, k->names[i])) {
			*out = i;
			return 0;
		}
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s",
			 i ? ", " : "", k->names[i]);
	}
	return fg_err("%s: \"%s\" is none of: %s", path, s, all);
}

static int read_value(json_object *o, const char *path, const struct fg_key *k, void *p)
{
	double d;
	u64 v;

	switch (k->type) {
	case K_U32:
		if (fg_json_as_u64(o, path, k->min, k->max, &v))
			return -1;
		*(u32 *)p = v;
		return 0;
	case K_U64:
		return fg_json_as_u64(o, path, k->min, k->max, p);
	case K_BOOL:
		if (!json_object_is_type(o, json_type_boolean))
			return fg_err("%s: not true or false", path);
		*(u32 *)p = json_object_get_boolean(o);
		return 0;
	case K_ENUM:
		return read_enum(o, path, k, p);
	case K_STR:
		return fg_json_as_str(o, path, p);
	case K_DBL:
		if (!json_object_is_type(o, json_type_double) &&
		    !json_object_is_type(o, json_type_int))
			return fg_err("%s: not a number", path);
		d = json_object_get_double(o);
		if (!(d >= k->min && d <= k->max))
			return fg_err("%s: %g is out of range %llu..%llu", path,
				      d, k->min, k->max);
		*(double *)p = d;
		return 0;
	case K_JSON:
		*(json_object **)p = o;
		return 0;
	}
	return -1;
}

/**
 * fg_json_parse() - read all keys of an object
 * @o: the object
 * @path: its path in the file, for messages; "" for the root
 * @sets: tables of keys and where they go, ended by .keys == NULL
 *
 * Return: 0, or -1 after a message that names the key.
 */
int fg_json_parse(json_object *o, const char *path, const struct fg_keyset *sets)
{
	const struct fg_keyset *s;
	const struct fg_key *k;
	char sub[256];

	if (!json_object_is_type(o, json_type_object))
		return fg_err("%s: not an object", *path ? path : "plan");
	json_object_object_foreach(o, name, val) {
		snprintf(sub, sizeof(sub), "%s%s%s", path, *path ? "." : "", name);
		for (s = sets; s->keys; s++) {
			for (k = s->keys; k->name; k++)
				if (!strcmp(k->name, name))
					goto found;
		}
		return fg_err("%s: unknown key", sub);
found:
		if (read_value(val, sub, k, (char *)s->base + k->off))
			return -1;
	}
	return 0;
}
