// SPDX-License-Identifier: GPL-2.0
/*
 * The netlink attributes that a port takes: their lengths and ranges. Those of
 * features come and go with them.
 *
 * What the values mean: roce_config.c, roce_config_prio.c; those of features:
 * roce_attr.c.
 */
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_feature.h"
#include "roce_policy.h"

/* Beside those of features, roce_policy_accept(). */
struct nla_policy roce_policy[TCA_ROCE_MAX + 1] = {
	[TCA_ROCE_PAD]		= { .type = NLA_BINARY },
	[TCA_ROCE_RATE]		= { .type = NLA_U64 },
	[TCA_ROCE_OVERHEAD]	= { .type = NLA_S32 },
	[TCA_ROCE_DELAY]	= { .type = NLA_U64 },
	[TCA_ROCE_LIMIT]	= { .type = NLA_U32 },
	[TCA_ROCE_SEED]		= { .type = NLA_U64 },
	[TCA_ROCE_DSCP_MAP]	= NLA_POLICY_EXACT_LEN(TC_ROCE_DSCPS),
	[TCA_ROCE_PRIO]		= { .type = NLA_NESTED },
	[TCA_ROCE_SWITCH]	= { .type = NLA_U32 },
	[TCA_ROCE_BUFFER]	= { .type = NLA_U64 },
	[TCA_ROCE_PEER_MTU]	= { .type = NLA_U32 },
	[TCA_ROCE_PFC_QUANTA]	= { .type = NLA_U16 },
	[TCA_ROCE_PFC_RESPONSE]	= { .type = NLA_U64 },
	[TCA_ROCE_PFC_WATCHDOG]	= { .type = NLA_U64 },
	[TCA_ROCE_PFC_WATCHDOG_ACTION] = { .type = NLA_U8 },
	[TCA_ROCE_PFC_WATCHDOG_RESTORE] = { .type = NLA_U64 },
	[TCA_ROCE_PFC_OBEY]	= { .type = NLA_U8 },
	[TCA_ROCE_DIRECT]	= { .type = NLA_U8 },
	[TCA_ROCE_WIRE_LIMIT]	= { .type = NLA_U64 },
	[TCA_ROCE_WIRE_PACKETS]	= { .type = NLA_U32 },
};

struct nla_policy roce_prio_policy[TCA_ROCE_PRIO_MAX + 1] = {
	[TCA_ROCE_PRIO_PAD]		= { .type = NLA_BINARY },
	[TCA_ROCE_PRIO_ID]		= { .type = NLA_U8 },
	[TCA_ROCE_PRIO_LIMIT]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_LOSSLESS]	= { .type = NLA_U8 },
	[TCA_ROCE_PRIO_RESERVE]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_ALPHA]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_XOFF]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_XON]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_XON_OFFSET]	= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_HEADROOM]	= { .type = NLA_U32 },
};

static const u8 roce_policy_types[] = {
	[1] = NLA_U8, [2] = NLA_U16, [4] = NLA_U32, [8] = NLA_U64,
};

static bool roce_policy_fits(const struct roce_feature *f,
			     const struct roce_attr *attr, bool prio)
{
	size_t end = attr->offset + attr->bytes;

	if (prio)
		end += (TC_ROCE_PRIOS - 1) * f->prio_stride;
	return attr->type <= (prio ? TCA_ROCE_PRIO_MAX : TCA_ROCE_MAX) &&
	       attr->bytes < ARRAY_SIZE(roce_policy_types) &&
	       roce_policy_types[attr->bytes] && end <= f->config_bytes;
}

static int roce_policy_check_table(const struct roce_feature *f, bool prio)
{
	const struct nla_policy *policy = prio ? roce_prio_policy : roce_policy;
	const struct roce_attr *attr = prio ? f->prio_attrs : f->attrs;

	for (; attr && attr->type; attr++) {
		if (!roce_policy_fits(f, attr, prio))
			return -EINVAL;
		if (policy[attr->type].type != NLA_UNSPEC)
			return -EEXIST;
	}
	return 0;
}

/**
 * roce_policy_check - can a feature's options be added?
 * @f: feature
 *
 * Context: the lock of the features.
 * Return: 0; -EINVAL when one is outside the configuration, or has a length
 * that no number has; -EEXIST when one belongs to somebody else.
 */
int roce_policy_check(const struct roce_feature *f)
{
	return roce_policy_check_table(f, false) ?:
	       roce_policy_check_table(f, true);
}

static void roce_policy_accept_table(const struct roce_feature *f, bool prio,
				     bool accept)
{
	struct nla_policy *policy = prio ? roce_prio_policy : roce_policy;
	const struct roce_attr *attr = prio ? f->prio_attrs : f->attrs;

	for (; attr && attr->type; attr++)
		policy[attr->type].type =
			accept ? roce_policy_types[attr->bytes] : NLA_UNSPEC;
}

/**
 * roce_policy_accept - have a feature's options accepted or refused
 * @f: feature, in its slot: whoever has an option accepted finds its feature
 * @accept: accepted
 *
 * Context: the lock of the features.
 */
void roce_policy_accept(const struct roce_feature *f, bool accept)
{
	roce_policy_accept_table(f, false, accept);
	roce_policy_accept_table(f, true, accept);
}

/**
 * roce_policy_uint - the value of an unsigned number
 * @attr: attribute
 *
 * Return: it, whatever its width: the policy has checked that.
 */
u64 roce_policy_uint(const struct nlattr *attr)
{
	switch (nla_len(attr)) {
	case sizeof(u8):
		return nla_get_u8(attr);
	case sizeof(u16):
		return nla_get_u16(attr);
	case sizeof(u32):
		return nla_get_u32(attr);
	default:
		return nla_get_u64(attr);
	}
}

/**
 * roce_policy_check_ranges - check all attributes that a table has
 * @tb: attributes by type, lengths are right
 * @range: table
 * @count: its length
 * @extack: gets the first bad one, and what is wrong with it
 *
 * Return: 0 or -ERANGE.
 */
int roce_policy_check_ranges(struct nlattr **tb, const struct roce_range *range,
			     size_t count, struct netlink_ext_ack *extack)
{
	for (; count; count--, range++) {
		const struct nlattr *attr = tb[range->type];
		u64 value;

		if (!attr)
			continue;
		value = roce_policy_uint(attr);
		if (!value && range->or_zero)
			continue;
		if (value < range->min || value > range->max) {
			NL_SET_ERR_MSG_ATTR_FMT(extack, attr, "roce: %s",
						range->why);
			return -ERANGE;
		}
	}
	return 0;
}
