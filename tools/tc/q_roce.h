/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the plug-in. Every option is a line of a table, which both the
 * parser and the printer read: roce_keywords.c.
 */
#ifndef Q_ROCE_H
#define Q_ROCE_H

#include <linux/pkt_sched_roce.h>

#include "tc_abi.h"

/**
 * struct roce_unit - a unit that users may write behind a number
 * @name: "" = no unit given; NULL ends a table
 * @scale: in base units
 * @print: also used to print; these come in falling order
 */
struct roce_unit {
	const char *name;
	double scale;
	bool print;
};

/**
 * struct roce_word - a value that has a name
 * @name: NULL ends a table
 * @value: the value
 */
struct roce_word {
	const char *name;
	uint64_t value;
};

/**
 * enum roce_form - how a value that has no name is written
 * @ROCE_NAMED: it always has one
 * @ROCE_NUMBER: whole number, decimal or 0x
 * @ROCE_SIGNED: the same with a sign
 * @ROCE_HEX: the same, printed with 0x
 * @ROCE_UNITS: number and unit
 * @ROCE_PPM: 0.2 or 20%, in ppm
 * @ROCE_ALPHA: 1/8 or 0.125, in 1/65536
 */
enum roce_form {
	ROCE_NAMED,
	ROCE_NUMBER,
	ROCE_SIGNED,
	ROCE_HEX,
	ROCE_UNITS,
	ROCE_PPM,
	ROCE_ALPHA,
};

/**
 * enum roce_json - a value with a name, in JSON
 * @ROCE_JSON_NUMBER: a number nevertheless
 * @ROCE_JSON_STRING: the name; and other values are strings too
 * @ROCE_JSON_BOOL: on and off
 * @ROCE_JSON_NULL: null: the kernel finds it
 */
enum roce_json {
	ROCE_JSON_NUMBER,
	ROCE_JSON_STRING,
	ROCE_JSON_BOOL,
	ROCE_JSON_NULL,
};

/**
 * enum roce_line - lines of a port's options
 * @ROCE_LINE_PORT: the first
 * @ROCE_LINE_SWITCH: switch
 * @ROCE_LINE_PFC: flow control
 * @ROCE_LINE_INT: telemetry
 * @ROCE_LINES: how many
 */
enum roce_line {
	ROCE_LINE_PORT,
	ROCE_LINE_SWITCH,
	ROCE_LINE_PFC,
	ROCE_LINE_INT,
	ROCE_LINES,
};

/**
 * struct roce_keyword - an option
 * @name: keyword; NULL ends a table
 * @json: key in JSON, with the unit
 * @type: attribute
 * @size: its length
 * @form: how it is written
 * @as_json: names in JSON
 * @units: for ROCE_UNITS, ROCE_PPM, ROCE_ALPHA
 * @words: names of values, or NULL
 * @min: lowest value without a name
 * @max: highest
 * @want: both in words, for messages
 * @is_quiet: text shows it only when it is not @quiet
 * @quiet: default
 * @line: in text, which line of the port's
 */
struct roce_keyword {
	const char *name;
	const char *json;
	uint16_t type;
	uint8_t size;
	enum roce_form form;
	enum roce_json as_json;
	const struct roce_unit *units;
	const struct roce_word *words;
	double min;
	double max;
	const char *want;
	bool is_quiet;
	uint64_t quiet;
	enum roce_line line;
};

/* roce_keywords.c */
extern const struct roce_keyword roce_port_keywords[];
extern const struct roce_keyword roce_prio_keywords[];
extern const char roce_help[];

/* roce_value.c */
int roce_parse_value(const struct roce_keyword *kw, const char *text,
		     uint64_t *out);
int roce_parse_whole(const char *name, const char *text, const char *want,
		     uint64_t max, uint64_t *out);
bool roce_is_shown(const struct roce_keyword *kw, uint64_t value);
void roce_print_value(const struct roce_keyword *kw, uint64_t value);

/* roce_parse.c */
void roce_default_dscp(uint8_t *dscp);
int roce_parse_opt(struct qdisc_util *qu, int argc, char **argv,
		   struct nlmsghdr *n, const char *dev);

/* roce_print.c */
void roce_parse_attrs(struct rtattr **tb, int max, struct rtattr *nest);
uint64_t roce_attr_uint(const struct rtattr *a);
void roce_print_prios(struct rtattr *nest, int type,
		      void (*print)(struct rtattr *prio));
int roce_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt);

/* roce_print_stats.c */
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats);

#endif /* Q_ROCE_H */
