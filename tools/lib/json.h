/* SPDX-License-Identifier: GPL-2.0 */
/* Reads members of JSON objects, with defaults, over json-c; builds, loads and saves JSON. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* "name" must be a direct member of @obj. */
const char *js_str(struct json_object *obj, const char *name, const char *def);
int64_t js_int(struct json_object *obj, const char *name, int64_t def);
double js_dbl(struct json_object *obj, const char *name, double def);
bool js_bool(struct json_object *obj, const char *name, bool def);
struct json_object *js_get(struct json_object *obj, const char *name);
/* @path is "a.b.c"; a key has no point. */
struct json_object *js_path(struct json_object *obj, const char *path);
size_t js_len(struct json_object *array);
char *js_join(struct json_object *array);
struct json_object *js_copy(struct json_object *from);
/* NULL of what is no array, or too short. */
struct json_object *js_at(struct json_object *array, size_t i);
void js_add_str(struct json_object *obj, const char *name, const char *val);
void js_add_int(struct json_object *obj, const char *name, int64_t val);
void js_add_dbl(struct json_object *obj, const char *name, double val, int digits);
struct json_object *js_load(const char *path, char **err);
int js_save(struct json_object *obj, const char *path);

#endif /* LIB_JSON_H */
