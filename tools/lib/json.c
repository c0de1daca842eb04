// SPDX-License-Identifier: GPL-2.0
/* Reads members of JSON objects, with defaults, over json-c; builds, loads and saves JSON. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json.h"

struct json_object *js_get(struct json_object *obj, const char *name)
{
	struct json_object *val;

	if (!obj || !json_object_is_type(obj, json_type_object) ||
	    !json_object_object_get_ex(obj, name, &val))
		return NULL;
	return val;
}

struct json_object *js_path(struct json_object *obj, const char *path)
{
	char key[64];
	size_t len;

	while (obj && *path) {
		len = strcspn(path, ".");
		if (len >= sizeof(key))
			return NULL;
		memcpy(key, path, len);
		key[len] = '\0';
		obj = js_get(obj, key);
		path += len + (path[len] == '.');
	}
	return obj;
}

const char *js_str(struct json_object *obj, const char *name, const char *def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_string(val) : def;
}

int64_t js_int(struct json_object *obj, const char *name, int64_t def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_int64(val) : def;
}

double js_dbl(struct json_object *obj, const char *name, double def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_double(val) : def;
}

bool js_bool(struct json_object *obj, const char *name, bool def)
{
	struct json_object *val = js_get(obj, name);

	return val ? json_object_get_boolean(val) : def;
}

/**
 * js_copy() - an object with the same members
 * @from: object
 *
 * Return: new object.
 */
struct json_object *js_copy(struct json_object *from)
{
	struct json_object *o = json_object_new_object();

	json_object_object_foreach(from, name, val)
		json_object_object_add(o, name, json_object_get(val));
	return o;
}

size_t js_len(struct json_object *array)
{
	if (!array || !json_object_is_type(array, json_type_array))
		return 0;
	return json_object_array_length(array);
}

/**
 * js_join() - words of a list in one line
 * @array: list of strings
 *
 * Return: new string, "a, b, c"; empty for no list.
 */
char *js_join(struct json_object *array)
{
	char *text = xstrdup(""), *more;
	size_t i;

	for (i = 0; i < js_len(array); i++) {
		more = xasprintf("%s%s%s", text, i ? ", " : "",
				 json_object_get_string(js_at(array, i)));
		free(text);
		text = more;
	}
	return text;
}

struct json_object *js_at(struct json_object *array, size_t i)
{
	return i < js_len(array) ? json_object_array_get_idx(array, i) : NULL;
}

void js_add_str(struct json_object *obj, const char *name, const char *val)
{
	json_object_object_add(obj, name, json_object_new_string(val));
}

void js_add_int(struct json_object *obj, const char *name, int64_t val)
{
	json_object_object_add(obj, name, json_object_new_int64(val));
}

/* A fixed number of digits, so that the text never depends on a C library. */
void js_add_dbl(struct json_object *obj, const char *name, double val, int digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", digits, val);
	json_object_object_add(obj, name, json_object_new_double_s(val, text));
}

/**
 * js_load() - read a JSON file
 * @path: file
 * @err: on failure one line that says what is wrong, to be freed
 *
 * Return: the object, or NULL.
 */
struct json_object *js_load(const char *path, char **err)
{
	struct json_tokener *tok;
	struct json_object *obj;
	size_t len;
	char *text, *from;

	text = read_file(path, &len);
	if (!text || len > INT_MAX) {
		*err = xasprintf("%s: %s", path, strerror(text ? EFBIG : errno));
		free(text);
		return NULL;
	}
	tok = json_tokener_new();
	if (!tok)
		out_of_memory();
	/* As text_open(). */
	from = strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
	obj = json_tokener_parse_ex(tok, from, (int)(len - (from - text)));
	if (!obj)
		*err = xasprintf("%s: byte %zu: %s", path, json_tokener_get_parse_end(tok),
				 json_tokener_get_error(tok) == json_tokener_success ? "only null" :
				 json_tokener_error_desc(json_tokener_get_error(tok)));
	json_tokener_free(tok);
	free(text);
	return obj;
}

int js_save(struct json_object *obj, const char *path)
{
	const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			  JSON_C_TO_STRING_NOSLASHESCAPE;

	return write_file(path, "%s\n", json_object_to_json_string_ext(obj, flags));
}
