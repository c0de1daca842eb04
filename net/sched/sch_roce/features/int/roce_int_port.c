// SPDX-License-Identifier: GPL-2.0
/*
 * In-band network telemetry (INT) as a feature of a port: which packets get this port's hop,
 * when their transmission starts, and the values in it. What a hop looks like: roce_int_push.c.
 */
#include <kunit/visibility.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/timekeeping.h>
#include <linux/unaligned.h>

#include "roce_int_port.h"
#include "roce_switch.h"
#include "roce_trace.h"

/* The node id: as configured, or the last four bytes of the MAC address. */
static u32 roce_int_node(const struct roce_port *port)
{
	const struct net_device *dev = port->dev;
	u32 node = roce_int_config(&port->cfg)->node;

	if (node || !dev || dev->addr_len < sizeof(node))
		return node;
	return get_unaligned_be32(dev->dev_addr + dev->addr_len - sizeof(node));
}

/* The port id: as configured, or the interface index. */
static u16 roce_int_port_id(const struct roce_port *port)
{
	return roce_int_config(&port->cfg)->port ?: port->ifindex;
}

static void roce_int_changed(struct roce_port *port, u64 now_ns)
{
	struct roce_int_port *state = roce_feature_port(port, &roce_int_feature);

	state->node = roce_int_node(port);
}

static u64 roce_int_tai_ns(u64 mono_ns)
{
	return ktime_to_ns(ktime_mono_to_any(ns_to_ktime(mono_ns), TK_OFFS_TAI));
}

/* A number out of a time and a seed: splitmix64. */
static u32 roce_int_draw(u64 seed, u64 at_ns)
{
	u64 x = seed + at_ns * 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return (x ^ (x >> 31)) >> 32;
}

/**
 * roce_int_clock_ahead_ns - how far a port's clock is ahead of the true one
 * @config: of a port
 * @seed: the port's, of the jitter
 * @mono_ns: true time, CLOCK_MONOTONIC. A clock of another rate was right, but for its
 *	offset, at 0
 *
 * Return: ns; below 0 it is behind.
 */
s64 roce_int_clock_ahead_ns(const struct roce_int_config *config, u64 seed, u64 mono_ns)
{
	s64 ahead_ns = config->clock_offset_ns;

	if (config->clock_jitter_ns)
		ahead_ns += mul_u64_u32_shr(config->clock_jitter_ns,
					    roce_int_draw(seed, mono_ns), 32);
	if (config->clock_rate > TC_ROCE_CLOCK_RATE)
		ahead_ns += mul_u64_u32_div(mono_ns, config->clock_rate -
					    TC_ROCE_CLOCK_RATE, NSEC_PER_SEC);
	else if (config->clock_rate < TC_ROCE_CLOCK_RATE)
		ahead_ns -= mul_u64_u32_div(mono_ns, TC_ROCE_CLOCK_RATE -
					    config->clock_rate, NSEC_PER_SEC);
	return ahead_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_int_clock_ahead_ns);

/**
 * roce_int_snapshot - what INT metadata tells of a packet at some instant
 * @port: port on which INT is on
 * @skb: packet at @port
 * @at_ns: present time of the model
 * @hop: set to it; txBytes are those of packets whose transmission has started
 */
void roce_int_snapshot(const struct roce_port *port, const struct sk_buff *skb,
		       u64 at_ns, struct roce_int_hop *hop)
{
	const struct roce_int_port *state = roce_feature_port(port, &roce_int_feature);
	const struct roce_skb_cb *cb = roce_skb_cb(skb);
	s64 ahead_ns = roce_int_clock_ahead_ns(roce_int_config(&port->cfg), port->cfg.seed, at_ns);

	*hop = (struct roce_int_hop) {
		.node = state->node,
		.out_port = roce_int_port_id(port),
		.queue = cb->prio,
		.latency_ns = at_ns - cb->time_ns,
		.ingress_ts_ns = roce_int_tai_ns(cb->time_ns) + ahead_ns,
		.egress_ts_ns = roce_int_tai_ns(at_ns) + ahead_ns,
		.tx_bytes = port->tx_wire_bytes,
		.qlen_bytes = port->prio[cb->prio].bytes,
		.speed_mbps = div_u64(port->cfg.rate_bps, 1000000),
	};
	if (cb->in_slot)
		hop->in_port = roce_int_port_id(port->sw->slots[cb->in_slot]);
}

static void roce_int_count(struct roce_int_port *state, enum roce_int_result result)
{
	switch (result) {
	case ROCE_INT_PUSHED:
		state->pushed++;
		break;
	case ROCE_INT_HOP_LIMIT:
		state->hop_limit++;
		break;
	case ROCE_INT_MTU:
		state->mtu++;
		break;
	case ROCE_INT_BAD:
		state->bad++;
		break;
	case ROCE_INT_UNSUPPORTED:
		state->unsupported++;
		break;
	case ROCE_INT_NOMEM:
		state->nomem++;
		break;
	case ROCE_INT_NONE:
		break;
	}
}

/* Let an INT packet carry away what this port can tell. The overhead stays what
 * it was on arrival: no INT packet is short.
 */
static unsigned int roce_int_start(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	struct roce_int_port *state = roce_feature_port(port, &roce_int_feature);
	struct roce_int_hop hop;
	enum roce_int_result result;
	unsigned int pushed = 0;

	roce_int_snapshot(port, skb, at_ns, &hop);
	hop.load = &state->load[hop.queue];
	hop.rate_bps = port->cfg.rate_bps;
	hop.at_ns = at_ns;
	result = roce_int_push(skb, port->mtu, roce_int_config(&port->cfg)->domain, &hop, &pushed);
	if (result == ROCE_INT_NONE)
		return 0;
	roce_int_count(state, result);
	trace_roce_int(port, skb, at_ns, result, &hop, pushed);
	return pushed;
}

/**
 * roce_int_is_on - are packets of a class INT packets here?
 * @cfg: configuration
 * @class: as of roce_class()
 *
 * Return: true if so.
 */
bool roce_int_is_on(const struct roce_config *cfg, u8 class)
{
	const struct roce_int_config *config = roce_int_config(cfg);

	return config->on && class == config->dscp;
}

static u16 roce_int_wants(const struct roce_config *cfg, u8 prio, u8 class)
{
	return roce_int_is_on(cfg, class) ? BIT(ROCE_HOOK_START) : 0;
}

/* The metadata of a packet, which other features need not read. */
static int roce_int_skip(const struct roce_port *port, const struct sk_buff *skb, unsigned int at)
{
	const struct rxe_cc_int_shim *shim;
	struct rxe_cc_int_shim buf;

	if (roce_class(skb) != roce_int_config(&port->cfg)->dscp)
		return 0;
	shim = skb_header_pointer(skb, at, sizeof(buf), &buf);
	return shim ? sizeof(*shim) + shim->length * 4 : -EINVAL;
}

static int roce_int_stats(struct roce_port *port, struct sk_buff *msg)
{
	const struct roce_int_port *state = roce_feature_port(port, &roce_int_feature);
	const struct roce_figure figures[] = {
#define ROCE_FIGURE(attr, value, ...) { TCA_ROCE_XSTATS_##attr, state ? (value) : 0 },
#include "roce_int_rows.h"
#undef ROCE_FIGURE
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

#define ROCE_ROWS	"features/int/roce_int_rows.h"
#define ROCE_CONFIG	struct roce_int_config
#include "roce_option_table.h"

struct roce_feature roce_int_feature = {
	.start		= roce_int_start,
	.skip		= roce_int_skip,
	.wants		= roce_int_wants,
	.changed	= roce_int_changed,
	.stats		= roce_int_stats,
	.options	= roce_options,
	.prio_options	= roce_prio_options,
	.config_bytes	= sizeof(struct roce_int_config),
	.port_bytes	= sizeof(struct roce_int_port),
	.name		= "int",
	.owner		= THIS_MODULE,
};
EXPORT_SYMBOL_IF_KUNIT(roce_int_feature);
