// SPDX-License-Identifier: GPL-2.0
/*
 * Configuration of a port as netlink attributes: whatever set accepts, so that
 * a dump makes the same port again.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "roce_feature.h"
#include "roce_port.h"

static int roce_dump_prio_config(const struct roce_config *cfg, u8 id,
				 struct sk_buff *msg)
{
	const struct roce_prio_config *prio = &cfg->prio[id];
	struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_PRIO);
	const struct roce_mmu_config *mmu = &prio->mmu;

	if (!nest ||
	    nla_put_u8(msg, TCA_ROCE_PRIO_ID, id) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_LIMIT, prio->limit_bytes) ||
	    nla_put_u8(msg, TCA_ROCE_PRIO_LOSSLESS, prio->lossless) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_RESERVE, mmu->reserve_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_ALPHA, mmu->alpha_q16) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_XOFF, mmu->xoff_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_XON, mmu->xon_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_XON_OFFSET, mmu->xon_offset_bytes) ||
	    nla_put_u32(msg, TCA_ROCE_PRIO_HEADROOM, mmu->headroom_bytes) ||
	    roce_features_dump_prio(cfg, id, msg))
		return -EMSGSIZE;

	nla_nest_end(msg, nest);
	return 0;
}

static int roce_put_u64(struct sk_buff *msg, int type, u64 value)
{
	return nla_put_u64_64bit(msg, type, value, TCA_ROCE_PAD);
}

static int roce_dump_line(const struct roce_config *cfg, struct sk_buff *msg)
{
	if (roce_put_u64(msg, TCA_ROCE_RATE, cfg->rate_bps) ||
	    nla_put_s32(msg, TCA_ROCE_OVERHEAD, cfg->overhead) ||
	    roce_put_u64(msg, TCA_ROCE_DELAY, cfg->delay_ns) ||
	    nla_put_u32(msg, TCA_ROCE_LIMIT, cfg->limit_bytes) ||
	    roce_put_u64(msg, TCA_ROCE_SEED, cfg->seed) ||
	    nla_put_u8(msg, TCA_ROCE_DIRECT, cfg->direct) ||
	    (cfg->wire_bytes && roce_put_u64(msg, TCA_ROCE_WIRE_LIMIT, cfg->wire_bytes)) ||
	    (cfg->wire_packets &&
	     nla_put_u32(msg, TCA_ROCE_WIRE_PACKETS, cfg->wire_packets)) ||
	    nla_put(msg, TCA_ROCE_DSCP_MAP, sizeof(cfg->dscp_prio),
		    cfg->dscp_prio) ||
	    nla_put_u32(msg, TCA_ROCE_SWITCH, cfg->switch_id))
		return -EMSGSIZE;
	/* A port without a switch refuses it. */
	if (cfg->switch_id != TC_ROCE_SWITCH_NONE &&
	    roce_put_u64(msg, TCA_ROCE_BUFFER, cfg->buffer_bytes))
		return -EMSGSIZE;
	return 0;
}

static int roce_dump_pfc(const struct roce_config *cfg, struct sk_buff *msg)
{
	if (nla_put_u32(msg, TCA_ROCE_PEER_MTU, cfg->peer_mtu) ||
	    nla_put_u16(msg, TCA_ROCE_PFC_QUANTA, cfg->pfc_quanta) ||
	    roce_put_u64(msg, TCA_ROCE_PFC_RESPONSE, cfg->pfc_response_ns) ||
	    roce_put_u64(msg, TCA_ROCE_PFC_WATCHDOG, cfg->pfc_watchdog_ns) ||
	    nla_put_u8(msg, TCA_ROCE_PFC_WATCHDOG_ACTION,
		       cfg->pfc_watchdog_action) ||
	    roce_put_u64(msg, TCA_ROCE_PFC_WATCHDOG_RESTORE,
			 cfg->pfc_restore_ns) ||
	    nla_put_u8(msg, TCA_ROCE_PFC_OBEY, cfg->pfc_obey))
		return -EMSGSIZE;
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

	if (roce_dump_line(cfg, msg) || roce_dump_pfc(cfg, msg) ||
	    roce_features_dump(cfg, msg))
		return -EMSGSIZE;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (roce_dump_prio_config(cfg, i, msg))
			return -EMSGSIZE;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_dump_config);
