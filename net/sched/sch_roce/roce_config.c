// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration of a port: defaults, and options from netlink. Everything is
 * parsed into a copy and checked before the caller puts it into force.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_port.h"

#define ROCE_DEFAULT_RATE_BPS	100000000000ULL
#define ROCE_DEFAULT_LIMIT	(32U << 20)
#define ROCE_DEFAULT_KMIN	(40U << 10)
#define ROCE_DEFAULT_KMAX	(160U << 10)
#define ROCE_DEFAULT_PMAX_PPM	200000U

static const struct nla_policy roce_policy[TCA_ROCE_MAX + 1] = {
	[TCA_ROCE_PAD]		= { .type = NLA_BINARY },
	[TCA_ROCE_RATE]		= { .type = NLA_U64 },
	[TCA_ROCE_OVERHEAD]	= { .type = NLA_S32 },
	[TCA_ROCE_DELAY]	= { .type = NLA_U64 },
	[TCA_ROCE_LIMIT]	= { .type = NLA_U32 },
	[TCA_ROCE_SEED]		= { .type = NLA_U64 },
	[TCA_ROCE_DSCP_MAP]	= NLA_POLICY_EXACT_LEN(TC_ROCE_DSCPS),
	[TCA_ROCE_PRIO]		= { .type = NLA_NESTED },
};

static const struct nla_policy roce_prio_policy[TCA_ROCE_PRIO_MAX + 1] = {
	[TCA_ROCE_PRIO_PAD]		= { .type = NLA_BINARY },
	[TCA_ROCE_PRIO_ID]		= { .type = NLA_U8 },
	[TCA_ROCE_PRIO_LIMIT]		= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_ECN]		= { .type = NLA_U8 },
	[TCA_ROCE_PRIO_ECN_KMIN]	= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_ECN_KMAX]	= { .type = NLA_U32 },
	[TCA_ROCE_PRIO_ECN_PMAX]	= { .type = NLA_U32 },
};

/* Refuse unknown attributes and wrong lengths, but take nests without the
 * nested flag: not every tool sets it.
 */
#define ROCE_VALIDATE	(NL_VALIDATE_TRAILING | NL_VALIDATE_MAXTYPE | \
			 NL_VALIDATE_UNSPEC | NL_VALIDATE_STRICT_ATTRS)

/**
 * roce_config_default - the configuration of a new port
 * @cfg: overwritten
 */
void roce_config_default(struct roce_config *cfg)
{
	int i;

	memset(cfg, 0, sizeof(*cfg));
	cfg->rate_bps = ROCE_DEFAULT_RATE_BPS;
	cfg->overhead = TC_ROCE_OVERHEAD_ETH;
	cfg->limit_bytes = ROCE_DEFAULT_LIMIT;
	cfg->seed = 1;
	cfg->dscp_prio[26] = 3;
	cfg->dscp_prio[27] = 3;
	cfg->dscp_prio[48] = 6;
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		cfg->prio[i].ramp.kmin_bytes = ROCE_DEFAULT_KMIN;
		cfg->prio[i].ramp.kmax_bytes = ROCE_DEFAULT_KMAX;
		cfg->prio[i].ramp.pmax_ppm = ROCE_DEFAULT_PMAX_PPM;
	}
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_default);

static int roce_check_ramp(struct nlattr **tb,
			   const struct roce_ecn_ramp *ramp,
			   struct netlink_ext_ack *extack)
{
	if (ramp->pmax_ppm > ROCE_PPM) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ECN_PMAX],
				    "roce: pmax is above 1000000 ppm");
		return -ERANGE;
	}
	if (ramp->kmin_bytes > ramp->kmax_bytes) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ECN_KMIN] ?:
				    tb[TCA_ROCE_PRIO_ECN_KMAX],
				    "roce: kmin is above kmax");
		return -EINVAL;
	}
	return 0;
}

static int roce_parse_prio(struct roce_config *cfg, const struct nlattr *nest,
			   u8 *seen, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_ROCE_PRIO_MAX + 1];
	struct roce_prio_config *prio;
	int err;
	u8 id;

	err = __nla_parse(tb, TCA_ROCE_PRIO_MAX, nla_data(nest), nla_len(nest),
			  roce_prio_policy, ROCE_VALIDATE, extack);
	if (err)
		return err;

	if (!tb[TCA_ROCE_PRIO_ID]) {
		NL_SET_ERR_MSG_ATTR(extack, nest,
				    "roce: a priority's options lack its number");
		return -EINVAL;
	}
	id = nla_get_u8(tb[TCA_ROCE_PRIO_ID]);
	if (id >= TC_ROCE_PRIOS) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID],
				    "roce: priority is above 7");
		return -ERANGE;
	}
	if (*seen & BIT(id)) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ID],
				    "roce: priority is given twice");
		return -EINVAL;
	}
	*seen |= BIT(id);
	prio = &cfg->prio[id];

	if (tb[TCA_ROCE_PRIO_LIMIT])
		prio->limit_bytes = nla_get_u32(tb[TCA_ROCE_PRIO_LIMIT]);
	if (tb[TCA_ROCE_PRIO_ECN]) {
		prio->ecn = nla_get_u8(tb[TCA_ROCE_PRIO_ECN]);
		if (prio->ecn >= __TC_ROCE_ECN_MAX) {
			NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_PRIO_ECN],
					    "roce: ecn is none of off, enqueue, dequeue");
			return -EINVAL;
		}
	}
	if (tb[TCA_ROCE_PRIO_ECN_KMIN])
		prio->ramp.kmin_bytes = nla_get_u32(tb[TCA_ROCE_PRIO_ECN_KMIN]);
	if (tb[TCA_ROCE_PRIO_ECN_KMAX])
		prio->ramp.kmax_bytes = nla_get_u32(tb[TCA_ROCE_PRIO_ECN_KMAX]);
	if (tb[TCA_ROCE_PRIO_ECN_PMAX])
		prio->ramp.pmax_ppm = nla_get_u32(tb[TCA_ROCE_PRIO_ECN_PMAX]);

	return roce_check_ramp(tb, &prio->ramp, extack);
}

static int roce_parse_dscp(struct roce_config *cfg, const struct nlattr *attr,
			   struct netlink_ext_ack *extack)
{
	int i;

	nla_memcpy(cfg->dscp_prio, attr, sizeof(cfg->dscp_prio));
	for (i = 0; i < TC_ROCE_DSCPS; i++) {
		if (cfg->dscp_prio[i] >= TC_ROCE_PRIOS) {
			NL_SET_ERR_MSG_ATTR_FMT(extack, attr,
						"roce: dscp %d is mapped to priority %u, above 7",
						i, cfg->dscp_prio[i]);
			return -ERANGE;
		}
	}
	return 0;
}

static int roce_check_port(struct nlattr **tb, const struct roce_config *cfg,
			   struct netlink_ext_ack *extack)
{
	if (cfg->rate_bps < TC_ROCE_RATE_MIN_BPS ||
	    cfg->rate_bps > TC_ROCE_RATE_MAX_BPS) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_RATE],
				    "roce: rate is outside 1 Mbit/s..800 Gbit/s");
		return -ERANGE;
	}
	if (cfg->overhead < TC_ROCE_OVERHEAD_MIN ||
	    cfg->overhead > TC_ROCE_OVERHEAD_MAX) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_OVERHEAD],
				    "roce: overhead is outside -14..512 bytes");
		return -ERANGE;
	}
	if (cfg->delay_ns > TC_ROCE_DELAY_MAX_NS) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_DELAY],
				    "roce: delay is above 10 s");
		return -ERANGE;
	}
	if (!cfg->limit_bytes) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_LIMIT],
				    "roce: the port's limit is 0");
		return -ERANGE;
	}
	return 0;
}

/**
 * roce_config_parse - apply netlink options to a configuration
 * @cfg: starts as the present configuration; what is not in @opt stays. On
 *	error it is half changed and must be thrown away.
 * @opt: TCA_OPTIONS
 * @extack: gets the attribute and the reason
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int roce_config_parse(struct roce_config *cfg, struct nlattr *opt,
		      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_ROCE_MAX + 1];
	struct nlattr *attr;
	u8 seen = 0;
	int err, rem;

	err = __nla_parse(tb, TCA_ROCE_MAX, nla_data(opt), nla_len(opt),
			  roce_policy, ROCE_VALIDATE, extack);
	if (err)
		return err;

	if (tb[TCA_ROCE_RATE])
		cfg->rate_bps = nla_get_u64(tb[TCA_ROCE_RATE]);
	if (tb[TCA_ROCE_OVERHEAD])
		cfg->overhead = nla_get_s32(tb[TCA_ROCE_OVERHEAD]);
	if (tb[TCA_ROCE_DELAY])
		cfg->delay_ns = nla_get_u64(tb[TCA_ROCE_DELAY]);
	if (tb[TCA_ROCE_LIMIT])
		cfg->limit_bytes = nla_get_u32(tb[TCA_ROCE_LIMIT]);
	if (tb[TCA_ROCE_SEED])
		cfg->seed = nla_get_u64(tb[TCA_ROCE_SEED]);
	err = roce_check_port(tb, cfg, extack);
	if (err)
		return err;

	if (tb[TCA_ROCE_DSCP_MAP]) {
		err = roce_parse_dscp(cfg, tb[TCA_ROCE_DSCP_MAP], extack);
		if (err)
			return err;
	}

	/* One attribute per priority: the table above holds only the last. */
	nla_for_each_nested(attr, opt, rem) {
		if (nla_type(attr) != TCA_ROCE_PRIO)
			continue;
		err = roce_parse_prio(cfg, attr, &seen, extack);
		if (err)
			return err;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_parse);
