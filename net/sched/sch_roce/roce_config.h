/* SPDX-License-Identifier: GPL-2.0 */
/* What the two halves of the parser of options share. */
#ifndef _ROCE_CONFIG_H
#define _ROCE_CONFIG_H

#include <linux/types.h>
#include <net/netlink.h>

struct roce_config;
struct roce_prio_config;

/* Refuse unknown attributes and wrong lengths, but take nests without the
 * nested flag: not every tool sets it.
 */
#define ROCE_VALIDATE	(NL_VALIDATE_TRAILING | NL_VALIDATE_MAXTYPE | \
			 NL_VALIDATE_UNSPEC | NL_VALIDATE_STRICT_ATTRS)

/**
 * struct roce_range - what an unsigned attribute may be
 * @type: attribute
 * @or_zero: 0 is allowed besides
 * @min: lowest value
 * @max: highest value
 * @why: what is wrong with any other, up to 70 characters: extack has no
 *	room for more
 */
struct roce_range {
	u16 type;
	bool or_zero;
	u64 min;
	u64 max;
	const char *why;
};

extern struct nla_policy roce_policy[];

u64 roce_attr_uint(const struct nlattr *attr);
int roce_check_ranges(struct nlattr **tb, const struct roce_range *range,
		      size_t count, struct netlink_ext_ack *extack);

/* roce_config_prio.c */
extern struct nla_policy roce_prio_policy[];

void roce_prio_default(struct roce_prio_config *prio);
int roce_parse_prio(struct roce_config *cfg, u64 buffer,
		    const struct nlattr *nest, u8 *seen,
		    struct netlink_ext_ack *extack);
int roce_check_prios(const struct roce_config *cfg, u64 buffer,
		     const struct nlattr *port, struct netlink_ext_ack *extack);

#endif /* _ROCE_CONFIG_H */
