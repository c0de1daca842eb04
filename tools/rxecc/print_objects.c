// SPDX-License-Identifier: GPL-2.0
/* Prints objects as text and as JSON. */
#include <string.h>

#include "print_objects.h"

const char *show_value(const struct rxecc *rx, const char *unit, bool has,
		       u64 val, char *buf)
{
	/* no limit: a table says so better by a dash than by 20 digits */
	if (!has || val == U64_MAX)
		return "-";
	return param_format(param_unit_by_name(unit), val,
			   rx->numeric ? PARAM_RAW : PARAM_EXACT, buf);
}

const char *show_figure(const struct rxecc *rx, enum param_unit u, bool has,
			u64 val, char *buf)
{
	if (!has)
		return "-";
	return param_format(u, val, rx->numeric ? PARAM_RAW : PARAM_ROUND, buf);
}

void show_columns(const struct rxecc *rx, struct table *t, const struct object *o,
		  const void *obj)
{
	char buf[PARAM_TEXT_MAX];
	const struct field *f;

	for (f = o->fields; f < o->fields + o->n; f++) {
		const void *at = (const char *)obj + f->at;
		bool has = ((const struct head *)obj)->has >> f->attr & 1;

		if (!f->column)
			continue;
		if (f->kind == FIELD_ENUM)
			table_cell(t, "%s %s", f->column,
				   has ? word_of(f->words, *(const u32 *)at) : "-");
		else
			table_cell(t, "%s %s", f->column,
				   show_figure(rx, f->unit,
					       f->flags & FIELD_NOT_0 ? !!*(const u64 *)at : has,
					       *(const u64 *)at, buf));
	}
}

void show_param_table(const struct rxecc *rx, const struct params *ps,
		      bool values, FILE *out, int indent)
{
	static const char *const head[] = {
		"NAME", "VALUE", "UNIT", "DEFAULT", "MIN", "MAX", "HELP",
	};
	struct table t = { 0 };
	char buf[4][PARAM_TEXT_MAX];
	size_t i;

	if (!ps->n)
		return;
	table_row(&t);
	for (i = 0; i < ARRAY_SIZE(head); i++)
		if (values || i != 1)
			table_cell(&t, "%s", head[i]);
	for (i = 0; i < ps->n; i++) {
		const struct param *p = &ps->v[i];

		table_row(&t);
		table_cell(&t, "%s", p->name);
		if (values)
			table_cell(&t, "%s", SHOW_PARAM(rx, p, VALUE, value, buf[0]));
		table_cell(&t, "%s", p->unit);
		table_cell(&t, "%s", SHOW_PARAM(rx, p, DEFAULT, def, buf[1]));
		table_cell(&t, "%s", SHOW_PARAM(rx, p, VALUE_MIN, min, buf[2]));
		table_cell(&t, "%s", SHOW_PARAM(rx, p, VALUE_MAX, max, buf[3]));
		table_cell(&t, "%s", p->help);
	}
	table_print(&t, out, indent);
}

void show_counters(const struct rxecc *rx, const struct counters *cs,
		   const char *kind, bool scaled, FILE *out,
		   int indent)
{
	struct table t = { 0 };
	char buf[PARAM_TEXT_MAX];
	size_t i;

	for (i = 0; i < cs->n; i++) {
		enum param_unit unit = scaled ? param_unit_by_suffix(cs->v[i].name) :
					  PARAM_COUNT;

		table_row(&t);
		if (kind)
			table_cell(&t, "%s %s", kind, cs->v[i].name);
		else
			table_cell(&t, "%s", cs->v[i].name);
		table_cell(&t, "%s",
			   show_figure(rx, unit, true, cs->v[i].value, buf));
	}
	table_print(&t, out, indent);
}

void show_commands(const struct rxecc *rx, const struct algo *algo, FILE *out,
		   int indent)
{
	size_t i;

	for (i = 0; i < algo->commands.n; i++) {
		const struct command *c = &algo->commands.v[i];

		fprintf(out, "%*scommand %s scope %s: %s\n", indent, "", c->name,
			word_of(&scope_words, c->scope), c->help);
		show_param_table(rx, &c->args, false, out, indent + 4);
	}
}

struct json_object *json_u64(u64 val)
{
	return json_object_new_uint64(val);
}

static struct json_object *json_field(const struct field *f, const void *obj);

/* An element of a map: what it has besides its name, alone if that is one field. */
static struct json_object *json_element(const struct object *o, const void *obj)
{
	struct json_object *map, *val;
	const struct field *f;

	if (o->n == 2)
		return json_field(&o->fields[1], obj);
	map = json_object_new_object();
	for (f = o->fields + 1; f < o->fields + o->n; f++) {
		val = json_field(f, obj);
		if (val)
			json_object_object_add(map, f->json, val);
	}
	return map;
}

/* Words that a newer kernel has are left out. */
static struct json_object *json_bits(const struct words *words, u32 bits)
{
	struct json_object *a = json_object_new_array();
	u32 i;

	for (i = 0; i < words->n; i++)
		if (bits >> i & 1)
			json_object_array_add(a, json_object_new_string(words->v[i]));
	return a;
}

static struct json_object *json_string(const void *at)
{
	return json_object_new_string(*(const char *const *)at);
}

static struct json_object *json_list(const struct field *f, const void *list)
{
	struct json_object *to = f->kind == FIELD_MAP ? json_object_new_object() :
							json_object_new_array();
	struct {
		const char *v;
		size_t n;
	} l;

	memcpy(&l, list, sizeof(l));
	for (; l.n; l.n--) {
		if (f->kind == FIELD_NAMES)
			json_object_array_add(to, json_string(l.v));
		else if (f->kind == FIELD_LIST)
			json_object_array_add(to, json_object_of(f->of, l.v));
		else /* the first field is the name */
			json_object_object_add(to, *(char *const *)(l.v + f->of->fields[0].at),
					       json_element(f->of, l.v));
		l.v += f->kind == FIELD_NAMES ? sizeof(const char *) : f->of->size;
	}
	return to;
}

/* NULL: there is nothing to say. */
static struct json_object *json_field(const struct field *f, const void *obj)
{
	const void *at = (const char *)obj + f->at;

	if (!(f->flags & FIELD_ALWAYS) &&
	    (!(((const struct head *)obj)->has >> f->attr & 1) ||
	     (f->kind == FIELD_STR && !**(const char *const *)at)))
		return NULL;
	switch (f->kind) {
	case FIELD_STR:
		return json_string(at);
	case FIELD_U32:
		return json_u64(*(const u32 *)at);
	case FIELD_ENUM:
		return json_object_new_string(word_of(f->words, *(const u32 *)at));
	case FIELD_BITS:
		return json_bits(f->words, *(const u32 *)at);
	case FIELD_U64:
		return json_u64(*(const u64 *)at);
	case FIELD_FLAG:
		return json_object_new_boolean(*(const bool *)at);
	}
	return json_list(f, at);
}

struct json_object *json_part(const struct object *o, const void *obj, const char *json)
{
	const struct field *f = o->fields;

	while (strcmp(f->json, json))
		f++;
	return json_field(f, obj);
}

struct json_object *json_object_of(const struct object *o, const void *obj)
{
	struct json_object *map = json_object_new_object(), *val;
	const struct field *f;

	for (f = o->fields; f < o->fields + o->n; f++) {
		val = json_field(f, obj);
		if (val)
			json_object_object_add(map, f->json, val);
	}
	return map;
}

struct json_object *json_all(const struct found *found)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < found->n; i++)
		json_object_array_add(list, json_object_of(found->of, (const char *)found->v +
								      i * found->of->size));
	return list;
}

void json_print(const struct rxecc *rx, struct json_object *obj, bool line)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;

	flags |= rx->pretty && !line ?
		 JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
		 JSON_C_TO_STRING_PLAIN;
	fprintf(rx->out, "%s\n", json_object_to_json_string_ext(obj, flags));
	json_object_put(obj);
}
