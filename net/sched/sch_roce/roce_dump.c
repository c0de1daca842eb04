// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration and statistics of a port as netlink attributes.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_port.h"

static int roce_dump_prio_config(const struct roce_prio_config *prio, u8 id,
				 struct sk_buff *msg)
{
	struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_PRIO);

	if (!nest ||
	    nla_put_u8(msg, TCA_ROCE_PRIO_ID, id) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_LIMIT, prio->limit_bytes) ||
	    nla_put_u8(msg, TCA_ROCE_PRIO_ECN, prio->ecn) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_ECN_KMIN, prio->ramp.kmin_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_ECN_KMAX, prio->ramp.kmax_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_ECN_PMAX, prio->ramp.pmax_ppm))
		return -EMSGSIZE;

	nla_nest_end(msg, nest);
	return 0;
}

/**
 * roce_dump_config - write every option
 * @cfg: configuration
 * @msg: message, inside TCA_OPTIONS
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_dump_config(const struct roce_config *cfg, struct sk_buff *msg)
{
	int i;

	if (nla_put_u64_64bit(msg, TCA_ROCE_RATE, cfg->rate_bps,
			      TCA_ROCE_PAD) ||
	    nla_put_s32(msg, TCA_ROCE_OVERHEAD, cfg->overhead) ||
	    nla_put_u64_64bit(msg, TCA_ROCE_DELAY, cfg->delay_ns,
			      TCA_ROCE_PAD) ||
	    nla_put_u32(msg, TCA_ROCE_LIMIT, cfg->limit_bytes) ||
	    nla_put_u64_64bit(msg, TCA_ROCE_SEED, cfg->seed, TCA_ROCE_PAD) ||
	    nla_put(msg, TCA_ROCE_DSCP_MAP, sizeof(cfg->dscp_prio),
		    cfg->dscp_prio))
		return -EMSGSIZE;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (roce_dump_prio_config(&cfg->prio[i], i, msg))
			return -EMSGSIZE;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_dump_config);

static int roce_put_u64(struct sk_buff *msg, int type, u64 value)
{
	return nla_put_u64_64bit(msg, type, value, TCA_ROCE_PSTATS_PAD);
}

static int roce_dump_prio_stats(struct roce_prio *prio, u8 id, u64 now_ns,
				struct sk_buff *msg)
{
	const struct roce_prio_stats *st = &prio->stats;
	struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_XSTATS_PRIO);

	if (!nest ||
	    nla_put_u8(msg, TCA_ROCE_PSTATS_ID, id) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_BYTES, prio->bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PSTATS_PACKETS, prio->queue.qlen) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_PEAK_BYTES, st->peak_bytes) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_BYTE_NS,
			 roce_area_units(&prio->area, prio->bytes, now_ns)) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_TX_PACKETS, st->tx_packets) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_TX_WIRE_BYTES,
			 st->tx_wire_bytes) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_ECN_MARKED, st->ecn_marked) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_ECN_NOT_ECT, st->ecn_not_ect) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_DROP_LIMIT, st->drop_limit) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_DROP_PORT_LIMIT,
			 st->drop_port_limit) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_DROP_OTHER, st->drop_other) ||
	    roce_put_u64(msg, TCA_ROCE_PSTATS_ECN_NOMEM, st->ecn_nomem))
		return -EMSGSIZE;

	nla_nest_end(msg, nest);
	return 0;
}

/* Priorities that some DSCP maps to, or that have seen a packet. */
static unsigned long roce_prios_in_use(const struct roce_port *port)
{
	unsigned long used = 0;
	int i;

	for (i = 0; i < TC_ROCE_DSCPS; i++)
		used |= BIT(port->cfg.dscp_prio[i]);
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		const struct roce_prio *prio = &port->prio[i];

		if (prio->stats.tx_packets || prio->queue.qlen ||
		    prio->stats.drop_limit || prio->stats.drop_port_limit ||
		    prio->stats.drop_other)
			used |= BIT(i);
	}
	return used;
}

/**
 * roce_dump_stats - write the statistics as they are at @now_ns
 * @port: port, advanced to @now_ns, locked
 * @now_ns: present time
 * @msg: message
 *
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_dump_stats(struct roce_port *port, u64 now_ns, struct sk_buff *msg)
{
	struct nlattr *nest = nla_nest_start_noflag(msg, TCA_STATS_APP);
	unsigned long used = roce_prios_in_use(port);
	u64 bytes = 0, packets = 0;
	int i;

	if (!nest)
		return -EMSGSIZE;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		bytes += port->prio[i].stats.tx_wire_bytes;
		packets += port->prio[i].stats.tx_packets;
	}
	if (roce_put_u64(msg, TCA_ROCE_XSTATS_NOW, now_ns) ||
	    roce_put_u64(msg, TCA_ROCE_XSTATS_BUSY,
			 roce_port_busy_ns(port, now_ns)) ||
	    roce_put_u64(msg, TCA_ROCE_XSTATS_TX_WIRE_BYTES, bytes) ||
	    roce_put_u64(msg, TCA_ROCE_XSTATS_TX_PACKETS, packets) ||
	    nla_put_u32(msg, TCA_ROCE_XSTATS_IN_FLIGHT, port->wire.qlen))
		goto full;

	for_each_set_bit(i, &used, TC_ROCE_PRIOS) {
		if (roce_dump_prio_stats(&port->prio[i], i, now_ns, msg))
			goto full;
	}
	nla_nest_end(msg, nest);
	return 0;

full:
	nla_nest_cancel(msg, nest);
	return -EMSGSIZE;
}
