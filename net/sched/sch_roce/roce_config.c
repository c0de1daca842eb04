// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration of a port: defaults, and options from netlink. Everything is
 * parsed into a copy and checked before the caller puts it into force.
 *
 * First every attribute on its own, then what has become of the whole, so
 * that the order of attributes, and how many requests they come in, does not
 * matter. What only the other ports of the switch can tell (does the buffer
 * hold everybody's reserves?) is checked where the port joins it.
 *
 * Options of a priority: roce_config_prio.c.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_config.h"
#include "roce_feature.h"
#include "roce_policy.h"
#include "roce_port.h"

#define ROCE_DEFAULT_RATE_BPS	100000000000ULL
#define ROCE_DEFAULT_LIMIT	(32U << 20)
#define ROCE_DEFAULT_QUANTA	65535
#define ROCE_DEFAULT_RESTORE_NS	(200 * NSEC_PER_MSEC)

static const struct roce_range roce_ranges[] = {
	{ TCA_ROCE_RATE, false, TC_ROCE_RATE_MIN_BPS, TC_ROCE_RATE_MAX_BPS,
	  "rate is outside 1 Mbit/s..800 Gbit/s" },
	{ TCA_ROCE_DELAY, false, 0, TC_ROCE_DELAY_MAX_NS,
	  "delay is above 10 s" },
	{ TCA_ROCE_LIMIT, false, 1, U32_MAX, "the port's limit is 0" },
	{ TCA_ROCE_BUFFER, false, 1, TC_ROCE_BUFFER_MAX,
	  "buffer is outside 1 byte..1 TiB" },
	{ TCA_ROCE_PEER_MTU, true, ETH_MIN_MTU, TC_ROCE_PEER_MTU_MAX,
	  "peer-mtu is neither 0 nor in 68..65535 bytes" },
	{ TCA_ROCE_PFC_QUANTA, false, 1, U16_MAX,
	  "pfc-quanta is 0, which would mean resume" },
	{ TCA_ROCE_PFC_RESPONSE, false, 0, TC_ROCE_RESPONSE_MAX_NS,
	  "pfc-response is above 1 s" },
	{ TCA_ROCE_PFC_WATCHDOG_ACTION, false, 0, __TC_ROCE_WATCHDOG_MAX - 1,
	  "pfc-watchdog-action is none of report, drop, ignore" },
	{ TCA_ROCE_PFC_WATCHDOG_RESTORE, false, 0, TC_ROCE_WATCHDOG_MAX_NS,
	  "pfc-watchdog-restore is above 100 s" },
	{ TCA_ROCE_PFC_OBEY, false, 0, 1, "pfc-obey is neither 0 nor 1" },
	{ TCA_ROCE_DIRECT, false, 0, 1, "direct is neither 0 nor 1" },
	{ TCA_ROCE_WIRE_LIMIT, false, 0, TC_ROCE_WIRE_MAX,
	  "wire-limit is above 1 TiB" },
};

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
	cfg->switch_id = TC_ROCE_SWITCH_NONE;
	cfg->buffer_bytes = TC_ROCE_BUFFER_DEFAULT;
	cfg->pfc_quanta = ROCE_DEFAULT_QUANTA;
	cfg->pfc_watchdog_ns = TC_ROCE_WATCHDOG_AUTO;
	cfg->pfc_watchdog_action = TC_ROCE_WATCHDOG_DROP;
	cfg->pfc_restore_ns = ROCE_DEFAULT_RESTORE_NS;
	cfg->pfc_obey = true;
	cfg->dscp_prio[26] = 3;
	cfg->dscp_prio[27] = 3;
	cfg->dscp_prio[48] = 6;
	for (i = 0; i < TC_ROCE_PRIOS; i++)
		roce_prio_default(&cfg->prio[i]);
	roce_features_sync(cfg);
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_default);

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

static int roce_parse_line(struct roce_config *cfg, struct nlattr **tb,
			   struct netlink_ext_ack *extack)
{
	if (tb[TCA_ROCE_RATE])
		cfg->rate_bps = nla_get_u64(tb[TCA_ROCE_RATE]);
	if (tb[TCA_ROCE_DELAY])
		cfg->delay_ns = nla_get_u64(tb[TCA_ROCE_DELAY]);
	if (tb[TCA_ROCE_LIMIT])
		cfg->limit_bytes = nla_get_u32(tb[TCA_ROCE_LIMIT]);
	if (tb[TCA_ROCE_WIRE_LIMIT])
		cfg->wire_bytes = nla_get_u64(tb[TCA_ROCE_WIRE_LIMIT]);
	if (tb[TCA_ROCE_WIRE_PACKETS])
		cfg->wire_packets = nla_get_u32(tb[TCA_ROCE_WIRE_PACKETS]);
	if (tb[TCA_ROCE_SEED])
		cfg->seed = nla_get_u64(tb[TCA_ROCE_SEED]);
	if (tb[TCA_ROCE_DIRECT])
		cfg->direct = nla_get_u8(tb[TCA_ROCE_DIRECT]);
	if (tb[TCA_ROCE_OVERHEAD]) {
		cfg->overhead = nla_get_s32(tb[TCA_ROCE_OVERHEAD]);
		if (cfg->overhead < TC_ROCE_OVERHEAD_MIN ||
		    cfg->overhead > TC_ROCE_OVERHEAD_MAX) {
			NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_OVERHEAD],
					    "roce: overhead is outside -14..512 bytes");
			return -ERANGE;
		}
	}
	if (tb[TCA_ROCE_DSCP_MAP])
		return roce_parse_dscp(cfg, tb[TCA_ROCE_DSCP_MAP], extack);
	return 0;
}

static int roce_parse_watchdog(struct roce_config *cfg,
			       const struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	u64 ns = nla_get_u64(attr);

	if (ns && ns != TC_ROCE_WATCHDOG_AUTO &&
	    (ns < TC_ROCE_WATCHDOG_MIN_NS || ns > TC_ROCE_WATCHDOG_MAX_NS)) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "roce: pfc-watchdog is neither 0 nor auto nor in 1 us..100 s");
		return -ERANGE;
	}
	cfg->pfc_watchdog_ns = ns;
	return 0;
}

static int roce_parse_pfc(struct roce_config *cfg, struct nlattr **tb,
			  struct netlink_ext_ack *extack)
{
	if (tb[TCA_ROCE_PEER_MTU])
		cfg->peer_mtu = nla_get_u32(tb[TCA_ROCE_PEER_MTU]);
	if (tb[TCA_ROCE_PFC_QUANTA])
		cfg->pfc_quanta = nla_get_u16(tb[TCA_ROCE_PFC_QUANTA]);
	if (tb[TCA_ROCE_PFC_RESPONSE])
		cfg->pfc_response_ns = nla_get_u64(tb[TCA_ROCE_PFC_RESPONSE]);
	if (tb[TCA_ROCE_PFC_WATCHDOG_ACTION])
		cfg->pfc_watchdog_action =
			nla_get_u8(tb[TCA_ROCE_PFC_WATCHDOG_ACTION]);
	if (tb[TCA_ROCE_PFC_WATCHDOG_RESTORE])
		cfg->pfc_restore_ns =
			nla_get_u64(tb[TCA_ROCE_PFC_WATCHDOG_RESTORE]);
	if (tb[TCA_ROCE_PFC_OBEY])
		cfg->pfc_obey = nla_get_u8(tb[TCA_ROCE_PFC_OBEY]);
	return tb[TCA_ROCE_PFC_WATCHDOG] ?
	       roce_parse_watchdog(cfg, tb[TCA_ROCE_PFC_WATCHDOG], extack) : 0;
}

/* *buffer: its size, or no limit while it is not known: a port that joins a
 * switch takes the switch's, and the default only if that is new.
 */
static int roce_parse_switch(struct roce_config *cfg, struct nlattr **tb,
			     u64 *buffer, struct netlink_ext_ack *extack)
{
	u32 id = tb[TCA_ROCE_SWITCH] ? nla_get_u32(tb[TCA_ROCE_SWITCH]) :
				       cfg->switch_id;

	*buffer = cfg->buffer_bytes;
	if (id != cfg->switch_id) {
		cfg->buffer_bytes = TC_ROCE_BUFFER_DEFAULT;
		*buffer = U64_MAX;
	}
	cfg->switch_id = id;
	if (!tb[TCA_ROCE_BUFFER])
		return 0;
	if (id == TC_ROCE_SWITCH_NONE) {
		NL_SET_ERR_MSG_ATTR(extack, tb[TCA_ROCE_BUFFER],
				    "roce: buffer is a switch's, but switch is none");
		return -EINVAL;
	}
	cfg->buffer_bytes = nla_get_u64(tb[TCA_ROCE_BUFFER]);
	*buffer = cfg->buffer_bytes;
	return 0;
}

/**
 * roce_config_parse - apply netlink options to a configuration
 * @cfg: starts as the present configuration; what is not in @opt stays, but
 *	the buffer of another switch. On error it is half changed and must be
 *	thrown away.
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
	u64 buffer;
	u8 seen = 0;
	int err, rem;

	err = __nla_parse(tb, TCA_ROCE_MAX, nla_data(opt), nla_len(opt),
			  roce_policy, ROCE_VALIDATE, extack);
	if (err)
		return err;
	roce_features_sync(cfg);
	err = roce_policy_check_ranges(tb, roce_ranges,
				       ARRAY_SIZE(roce_ranges), extack);
	if (err)
		return err;

	err = roce_parse_line(cfg, tb, extack);
	if (err)
		return err;
	err = roce_parse_switch(cfg, tb, &buffer, extack);
	if (err)
		return err;
	err = roce_parse_pfc(cfg, tb, extack);
	if (err)
		return err;
	err = roce_features_parse(cfg, tb, extack);
	if (err)
		return err;

	/* One attribute per priority: the table above holds only the last. */
	nla_for_each_nested(attr, opt, rem) {
		if (nla_type(attr) != TCA_ROCE_PRIO)
			continue;
		err = roce_parse_prio(cfg, buffer, attr, &seen, extack);
		if (err)
			return err;
	}
	return roce_check_prios(cfg, buffer, tb[TCA_ROCE_BUFFER] ?:
				tb[TCA_ROCE_SWITCH] ?:
				roce_features_blame(tb) ?: tb[TCA_ROCE_PRIO],
				extack);
}
EXPORT_SYMBOL_IF_KUNIT(roce_config_parse);
