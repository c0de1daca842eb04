/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the plug-in. Every option is a line of a table, which both the
 * parser and the printer read: roce_keywords.c, roce_features.c.
 */
#ifndef Q_ROCE_H
#define Q_ROCE_H

#include <linux/pkt_sched_roce.h>

#include "../lib/number.h"
#include "tc_abi.h"

/**
 * struct roce_units - the units of a kind of quantity
 * @read: what users may write, see tools/lib/number.h
 * @print: from here on, those that are also printed
 */
struct roce_units {
	const struct unit_suffix *read;
	const struct unit_suffix *print;
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
 * @ROCE_IPV4: 192.0.2.1, a number in JSON too
 */
enum roce_form {
	ROCE_NAMED,
	ROCE_NUMBER,
	ROCE_SIGNED,
	ROCE_HEX,
	ROCE_UNITS,
	ROCE_PPM,
	ROCE_ALPHA,
	ROCE_IPV4,
};

/**
 * enum roce_json - a value with a name, in JSON
 * @ROCE_JSON_NUMBER: a number nevertheless
 * @ROCE_JSON_STRING: the name; and other values are strings too
 * @ROCE_JSON_BOOL: on and off
 * @ROCE_JSON_NULL: null for the default: the kernel finds it
 */
enum roce_json {
	ROCE_JSON_NUMBER,
	ROCE_JSON_STRING,
	ROCE_JSON_BOOL,
	ROCE_JSON_NULL,
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
 * @sparse: the kernel leaves it out while it has that
 */
struct roce_keyword {
	const char *name;
	const char *json;
	uint16_t type;
	uint8_t size;
	enum roce_form form;
	enum roce_json as_json;
	const struct roce_units *units;
	const struct roce_word *words;
	double min;
	double max;
	const char *want;
	bool is_quiet;
	uint64_t quiet;
	bool sparse;
};

/**
 * struct roce_figure - a figure of the statistics
 * @type: attribute
 * @key: in JSON; NULL ends a table
 * @fmt: in text; NULL = not there
 * @always: also in text when it is 0
 */
struct roce_figure {
	int type;
	const char *key;
	const char *fmt;
	bool always;
};

/**
 * struct roce_figures - figures that share a line of text
 * @title: what it starts with; the line is there if one of them counts. NULL:
 *	they continue the line before
 * @figures: them; NULL ends a list
 */
struct roce_figures {
	const char *title;
	const struct roce_figure *figures;
};

/* Lines of one subject. */
#define ROCE_FIGURES_MAX	3

/**
 * struct roce_group - keywords and figures of one subject: the line, PFC, a
 *	feature. What it has not is NULL.
 * @keywords: options of the port, on a line of their own
 * @prio_keywords: options of a priority
 * @same_line: @keywords continue the line of the group before
 * @help: of @keywords, whole lines
 * @prio_help: of @prio_keywords
 * @figures: of the port
 * @optional: the kernel may not have it: nothing is said of it then
 * @print_more: ends the text of @figures
 * @prio_figures: of a priority
 */
struct roce_group {
	const struct roce_keyword *keywords;
	const struct roce_keyword *prio_keywords;
	bool same_line;
	bool optional;
	const char *help;
	const char *prio_help;
	struct roce_figures figures[ROCE_FIGURES_MAX];
	void (*print_more)(struct rtattr **tb);
	struct roce_figures prio_figures[ROCE_FIGURES_MAX];
};

/* roce_keywords.c */
/* One each; arrays, so that tables of keywords name them without an operator. */
extern const struct roce_units roce_rate_units[];
extern const struct roce_units roce_size_units[];
extern const struct roce_units roce_time_units[];
extern const struct roce_units roce_ppm_units[];
extern const struct roce_word roce_auto_words[];
extern const struct roce_word roce_off_words[];
extern const struct roce_word roce_on_off_words[];
extern const struct roce_group roce_line_group;
extern const struct roce_group roce_drop_group;
extern const struct roce_group roce_switch_group;
extern const struct roce_group roce_pfc_group;
extern const struct roce_group roce_share_group;
extern const char roce_help_head[];
extern const char roce_help_tail[];

/* Sizes of 32 bits. */
#define SIZE_OPTION(keyword, key, attr, from)				\
	.name = keyword, .json = key, .type = attr, .size = 4,		\
	.form = ROCE_UNITS, .units = roce_size_units, .min = from,		\
	.max = UINT_MAX

/* roce_features.c: all of them, then NULL */
extern const struct roce_group *const roce_groups[];

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
bool roce_any_figure(const struct roce_figure *f, struct rtattr **tb);
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats);

#endif /* Q_ROCE_H */
