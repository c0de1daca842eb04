/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of tc that a plug-in sees, as in iproute2 6.1, which installs no
 * header for it. tc exports these symbols from its own binary.
 */
#ifndef TC_ABI_H
#define TC_ABI_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A kind of qdisc. tc looks for the symbol KIND_qdisc_util in q_KIND.so. */
struct qdisc_util {
	struct qdisc_util *next;
	const char *id;
	int (*parse_qopt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_qopt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*print_xstats)(struct qdisc_util *qu, FILE *f,
			    struct rtattr *xstats);
	int (*parse_copt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_copt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*has_block)(struct qdisc_util *qu, struct rtattr *opt,
			 uint32_t block_idx, bool *p_has);
};

enum output_type {
	PRINT_FP = 1,		/* only without -j */
	PRINT_JSON = 2,		/* only with -j */
	PRINT_ANY = 4,
};

enum { COLOR_NONE = 6 };	/* enum color_attr */

/* Build a message. */
int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen);
struct rtattr *addattr_nest(struct nlmsghdr *n, int maxlen, int type);
int addattr_nest_end(struct nlmsghdr *n, struct rtattr *nest);

/* Print, as text or JSON by the user's wish. */
bool is_json_context(void);
void print_nl(void);
void open_json_object(const char *name);
void close_json_object(void);
void open_json_array(enum output_type type, const char *name);
void close_json_array(enum output_type type, const char *delim);
int print_color_uint(enum output_type type, int color, const char *key,
		     const char *fmt, unsigned int value);
int print_color_int(enum output_type type, int color, const char *key,
		    const char *fmt, int value);
int print_color_u64(enum output_type type, int color, const char *key,
		    const char *fmt, uint64_t value);
int print_color_bool(enum output_type type, int color, const char *key,
		     const char *fmt, bool value);
int print_color_null(enum output_type type, int color, const char *key,
		     const char *fmt, const char *value);
int print_color_string(enum output_type type, int color, const char *key,
		       const char *fmt, const char *value);
int print_color_float(enum output_type type, int color, const char *key,
		      const char *fmt, double value);

#endif /* TC_ABI_H */
