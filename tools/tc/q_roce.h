/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the tc plug-in "roce" share. Every option and figure is a row:
 * roce_row_macros.h.
 */
#ifndef Q_ROCE_H
#define Q_ROCE_H

#include <stddef.h>
#include <string.h>

#include "roce_row_macros.h"
#include "tc_abi.h"

/**
 * struct roce_figure - a figure of the statistics
 * @title: of a line that begins here, which is there if one of its figures counts; else NULL
 * @optional: of such a line: the kernel may not have it; nothing is said of it then
 * @type: attribute
 * @key: in JSON; NULL ends a table
 * @label: in text; NULL = not there
 * @unit: behind the value in text
 * @flags: ROCE_ALWAYS and ROCE_TEXT
 */
struct roce_figure {
	const char *title;
	bool optional;
	int type;
	const char *key;
	const char *label;
	const char *unit;
	int flags;
};

/* roce_option_tables.c */
extern const struct roce_option roce_options[];
extern const struct roce_option roce_prio_options[];
extern const struct roce_figure roce_figures[];
extern const struct roce_figure roce_prio_figures[];
extern const struct roce_figure roce_switch_figures[];
void roce_print_help(void);

/* roce_value.c */
int roce_parse_value(const struct roce_option *o, const char *text, uint64_t *out);
int roce_parse_whole(const char *name, const char *text, const char *want,
		     uint64_t max, uint64_t *out);
const char *roce_json_name(const struct roce_option *o, char *name, size_t size);
const char *roce_text(const struct roce_option *o, uint64_t value, char *text, size_t size);

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
