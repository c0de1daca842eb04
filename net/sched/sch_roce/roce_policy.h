/* SPDX-License-Identifier: GPL-2.0 */
/* Which netlink attributes a port takes, and in which range. */
#ifndef _ROCE_POLICY_H
#define _ROCE_POLICY_H

#include <linux/types.h>
#include <net/netlink.h>

struct roce_feature;

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
extern struct nla_policy roce_prio_policy[];

u64 roce_policy_uint(const struct nlattr *attr);
int roce_policy_check_ranges(struct nlattr **tb, const struct roce_range *range,
			     size_t count, struct netlink_ext_ack *extack);
int roce_policy_check(const struct roce_feature *f);
void roce_policy_accept(const struct roce_feature *f, bool accept);

#endif /* _ROCE_POLICY_H */
