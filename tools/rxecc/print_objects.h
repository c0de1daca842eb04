/* SPDX-License-Identifier: GPL-2.0 */
/* Prints objects as text and as JSON. */
#ifndef RXECC_PRINT_OBJECTS_H
#define RXECC_PRINT_OBJECTS_H

#include <json-c/json.h>

#include "rxecc.h"
#include "text_table.h"

/* "-" for a value the kernel did not give. */
const char *show_value(const struct rxecc *rx, const char *unit, bool has,
		       u64 val, char *buf);

/* A figure that changes all the time: rounded. */
const char *show_figure(const struct rxecc *rx, enum param_unit u, bool has,
			u64 val, char *buf);

/* A value of a parameter, as show_value(); @attr and @member are those of struct param. */
#define SHOW_PARAM(rx, p, attr, member, buf)				\
	show_value(rx, (p)->unit, HAS(p, RXE_CC_A_PARAM_##attr), (p)->member, buf)

/* "column figure" cells of all fields that have a column. */
void show_columns(const struct rxecc *rx, struct table *t, const struct object *o,
		  const void *obj);

/* NAME UNIT [VALUE] DEFAULT MIN MAX HELP with a header. */
void show_param_table(const struct rxecc *rx, const struct params *ps,
		      bool values, FILE *out, int indent);

/* One "name value" line each; @scaled by the unit that the name ends in. */
void show_counters(const struct rxecc *rx, const struct counters *cs,
		   const char *kind, bool scaled, FILE *out, int indent);

/* Each command on a line, its arguments below. */
void show_commands(const struct rxecc *rx, const struct algo *algo, FILE *out,
		   int indent);

struct json_object *json_u64(u64 val);
struct json_object *json_object_of(const struct object *o, const void *obj);
/* A list of all of them. */
struct json_object *json_all(const struct found *found);
/* One field of it, by its name in JSON. */
struct json_object *json_part(const struct object *o, const void *obj, const char *json);

/* Prints and frees @obj; @line forces one line even with -p. */
void json_print(const struct rxecc *rx, struct json_object *obj, bool line);

#endif
