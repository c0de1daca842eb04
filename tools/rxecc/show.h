/* SPDX-License-Identifier: GPL-2.0 */
/* Objects as text and as JSON. */
#ifndef RXECC_SHOW_H
#define RXECC_SHOW_H

#include <json-c/json.h>

#include "rxecc.h"
#include "table.h"
#include "../lib/param.h"

/* "-" for a value the kernel did not give. */
const char *show_value(const struct rxecc *rx, const char *unit, bool has,
		       u64 val, char *buf);

/* A figure that changes all the time: rounded. */
const char *show_figure(const struct rxecc *rx, enum param_unit u, bool has,
			u64 val, char *buf);

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
struct json_object *json_params(const struct params *ps);
struct json_object *json_counters(const struct counters *cs);
struct json_object *json_algo(const struct algo *algo);
struct json_object *json_dev(const struct dev *dev);
struct json_object *json_qp(const struct qp *qp);

/* Prints and frees @obj; @line forces one line even with -p. */
void json_print(const struct rxecc *rx, struct json_object *obj, bool line);

#endif
