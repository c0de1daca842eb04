// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a port, and of its switch, as netlink attributes.
 *
 * All about a qdisc has to fit into one message, often of less than a page, and
 * the options take a third of that. So what is 0 is left out, and the rest gets
 * no more bytes than it needs. Then all eight priorities fit, each with all that
 * can happen to one; should one ever not, TCA_ROCE_XSTATS_TRUNCATED names it.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/unaligned.h>
#include <net/netlink.h>

#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"

/* For what follows the port's own: the kernel's usual statistics. */
#define ROCE_ROOM_BEHIND	(nla_total_size(sizeof(struct gnet_stats_basic)) + \
				 nla_total_size(sizeof(u64)) + \
				 nla_total_size(sizeof(struct gnet_stats_queue)) + \
				 nla_total_size(sizeof(struct tc_stats)) + \
				 4 * nla_total_size(0))	/* padding */

/* Counters of a port, or of a priority, that nothing has to be done for. */
struct roce_counter {
	u16 type;
	u16 offset;
};

#define ROCE_FOUND(attr, key)

static const struct roce_counter roce_counters[] = {
#define ROCE_COUNTED(attr, key) \
	{ TCA_ROCE_XSTATS_##attr, offsetof(struct roce_port_stats, key) },
#define ROCE_FIGURE(attr, kind, key, ...) ROCE_##kind(attr, key)
#include <linux/pkt_sched_roce.h>
#undef ROCE_FIGURE
#undef ROCE_COUNTED
};

static const struct roce_counter roce_prio_counters[] = {
#define ROCE_COUNTED(attr, key) \
	{ TCA_ROCE_PSTATS_##attr, offsetof(struct roce_prio_stats, key) },
#define ROCE_PRIO_FIGURE(attr, kind, key, ...) ROCE_##kind(attr, key)
#include <linux/pkt_sched_roce.h>
#undef ROCE_PRIO_FIGURE
#define ROCE_DROP(attr, name, ...) ROCE_COUNTED(DROP_##attr, drop_##name)
	TC_ROCE_DROPS(ROCE_DROP)
};

static int roce_put_counters(struct sk_buff *msg, const struct roce_counter *c, size_t count,
			     const void *stats)
{
	for (; count; count--, c++) {
		u64 value = *(const u64 *)(stats + c->offset);

		if (value && nla_put_uint(msg, c->type, value))
			return -EMSGSIZE;
	}
	return 0;
}

static int roce_put_queue(struct roce_prio *prio, u64 now_ns, struct sk_buff *msg)
{
	const struct roce_figure figures[] = {
		{ TCA_ROCE_PSTATS_BYTES, prio->bytes },
		{ TCA_ROCE_PSTATS_PACKETS, prio->queue.qlen },
		{ TCA_ROCE_PSTATS_BYTE_NS, roce_area_units(&prio->area, prio->bytes, now_ns) },
	};

	return roce_put_counters(msg, roce_prio_counters, ARRAY_SIZE(roce_prio_counters),
				 &prio->stats) ?:
	       roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int roce_put_pfc(const struct roce_port *port, u8 id, u64 now_ns, struct sk_buff *msg)
{
	const struct roce_pause *pause = &port->prio[id].pause;
	const struct roce_xoff *xoff = &port->prio[id].xoff;
	const struct roce_figure figures[] = {
		{ TCA_ROCE_PSTATS_PFC_REQUESTS, xoff->requests },
		{ TCA_ROCE_PSTATS_PFC_RESUMES, xoff->resumes },
		{ TCA_ROCE_PSTATS_PFC_INDICATIONS, pause->indications },
		{ TCA_ROCE_PSTATS_PFC_RESUMED, pause->resumed },
		{ TCA_ROCE_PSTATS_PFC_IGNORED, pause->ignored },
		{ TCA_ROCE_PSTATS_PAUSED, roce_port_paused(port, id, now_ns) },
		{ TCA_ROCE_PSTATS_PAUSE_NS, roce_port_pause_ns(port, id, now_ns) },
		{ TCA_ROCE_PSTATS_XOFF, roce_port_xoff(port, id) },
		{ TCA_ROCE_PSTATS_XOFF_NS, roce_port_xoff_ns(port, id, now_ns) },
		{ TCA_ROCE_PSTATS_STORMS, pause->storms },
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static int roce_put_share(const struct roce_port *port, u8 id, struct sk_buff *msg)
{
	const struct roce_prio *prio = &port->prio[id];
	const struct roce_account *in = &prio->in;
	const struct roce_figure figures[] = {
		{ TCA_ROCE_PSTATS_IN_BYTES, roce_account_bytes(in) },
		{ TCA_ROCE_PSTATS_IN_PEAK_BYTES, in->peak_bytes },
		{ TCA_ROCE_PSTATS_HEADROOM_BYTES, in->headroom_bytes },
		{ TCA_ROCE_PSTATS_HEADROOM_PEAK_BYTES,
		  in->headroom_peak_bytes },
		{ TCA_ROCE_PSTATS_HEADROOM_SIZE, in->headroom_size },
		{ TCA_ROCE_PSTATS_THRESHOLD,
		  roce_port_threshold(port, id) },
		{ TCA_ROCE_PSTATS_OUT_BYTES, roce_account_bytes(&prio->out) },
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures));
}

static bool roce_shares_buffer(const struct roce_port *port)
{
	return port->sw && port->sw->shared;
}

static int roce_put_prio(struct roce_port *port, u8 id, u64 now_ns, struct sk_buff *msg)
{
	struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_XSTATS_PRIO);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u8(msg, TCA_ROCE_PSTATS_ID, id) ||
	    roce_put_queue(&port->prio[id], now_ns, msg) || roce_put_pfc(port, id, now_ns, msg) ||
	    roce_features_prio_stats(port, id, msg) ||
	    (roce_shares_buffer(port) && roce_put_share(port, id, msg))) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

static int roce_put_switch(const struct roce_switch *sw, struct sk_buff *msg)
{
	const struct roce_mmu *mmu = &sw->mmu;
	u64 fixed = mmu->reserve_bytes + mmu->headroom_bytes;
	const struct roce_figure figures[] = {
		{ TCA_ROCE_SSTATS_BRIDGE, sw->bridge },
		{ TCA_ROCE_SSTATS_PORTS, sw->nr_ports },
		{ TCA_ROCE_SSTATS_XOFF, sw->nr_xoff },
		{ TCA_ROCE_SSTATS_BUFFER, mmu->buffer_bytes },
		{ TCA_ROCE_SSTATS_RESERVED, mmu->reserve_bytes },
		{ TCA_ROCE_SSTATS_HEADROOM, mmu->headroom_bytes },
		{ TCA_ROCE_SSTATS_SHARED,
		  mmu->buffer_bytes > fixed ? mmu->buffer_bytes - fixed : 0 },
		{ TCA_ROCE_SSTATS_USED, roce_mmu_used(mmu) },
		{ TCA_ROCE_SSTATS_RESERVED_USED, mmu->reserved_used },
		{ TCA_ROCE_SSTATS_HEADROOM_USED, mmu->headroom_used },
		{ TCA_ROCE_SSTATS_SHARED_USED, mmu->shared_used },
		{ TCA_ROCE_SSTATS_PEAK_USED, mmu->peak_used },
	};
	struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_XSTATS_SWITCH);

	if (!nest || nla_put_u32(msg, TCA_ROCE_SSTATS_ID, sw->id) ||
	    roce_put_figures(msg, figures, ARRAY_SIZE(figures)))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

/**
 * roce_sent_packets - packets whose transmission has started
 * @port: port
 *
 * Return: their number, PFC frames included.
 */
u64 roce_sent_packets(const struct roce_port *port)
{
	u64 packets = port->stats.pfc_tx;
	int i;

	for (i = 0; i < TC_ROCE_PRIOS; i++)
		packets += port->prio[i].stats.tx_packets;
	return packets;
}

static int roce_put_port(struct roce_port *port, u64 now_ns, struct sk_buff *msg)
{
	const struct roce_figure figures[] = {
		{ TCA_ROCE_XSTATS_NOW, now_ns },
		{ TCA_ROCE_XSTATS_BUSY, roce_port_busy_ns(port, now_ns) },
		{ TCA_ROCE_XSTATS_TX_WIRE_BYTES, port->tx_wire_bytes },
		{ TCA_ROCE_XSTATS_TX_PACKETS, roce_sent_packets(port) },
		{ TCA_ROCE_XSTATS_IN_FLIGHT, port->wire.qlen },
		{ TCA_ROCE_XSTATS_PFC_WATCHDOG, port->pfc.watchdog_ns },
	};

	return roce_put_figures(msg, figures, ARRAY_SIZE(figures)) ?:
	       roce_put_counters(msg, roce_counters, ARRAY_SIZE(roce_counters), &port->stats) ?:
	       roce_features_stats(port, msg);
}

/**
 * roce_prio_in_use - has a priority something to tell
 * @port: port
 * @id: priority
 *
 * Return: true if packets may come to it, or have.
 */
bool roce_prio_in_use(const struct roce_port *port, u8 id)
{
	const struct roce_prio *prio = &port->prio[id];

	return memchr(port->cfg.dscp_prio, id, TC_ROCE_DSCPS) ||
	       port->cfg.prio[id].lossless || prio->queue.qlen ||
	       memchr_inv(&prio->stats, 0, sizeof(prio->stats)) ||
	       prio->pause.indications || prio->pause.resumed ||
	       prio->pause.ignored || prio->xoff.requests ||
	       roce_account_bytes(&prio->in) || roce_account_bytes(&prio->out);
}

/* Is there anything else in this message buffer? Then a larger or emptier one
 * will be tried. A message's length is set when it is complete.
 */
static bool roce_message_is_first(const struct sk_buff *msg)
{
	return nlmsg_hdr(msg)->nlmsg_len <= NLMSG_LENGTH(sizeof(struct tcmsg));
}

static int roce_put_prios(struct roce_port *port, u64 now_ns, struct sk_buff *msg)
{
	struct nlattr *attr = nla_reserve(msg, TCA_ROCE_XSTATS_TRUNCATED, sizeof(u8));
	u8 *truncated;
	int i;

	if (!attr)
		return -EMSGSIZE;
	truncated = nla_data(attr);
	*truncated = 0;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		unsigned char *end = skb_tail_pointer(msg);

		if (!roce_prio_in_use(port, i))
			continue;
		if (!roce_put_prio(port, i, now_ns, msg) && skb_tailroom(msg) >= ROCE_ROOM_BEHIND)
			continue;
		if (!roce_message_is_first(msg))
			return -EMSGSIZE;
		nlmsg_trim(msg, end);
		*truncated |= BIT(i);
	}
	return 0;
}

/**
 * roce_dump_stats - write the statistics as they are at @now_ns
 * @port: port; all ports of its switch are advanced to @now_ns
 * @now_ns: present time
 * @msg: message
 *
 * Context: switch lock held.
 * Return: 0, or -EMSGSIZE when @msg is full.
 */
int roce_dump_stats(struct roce_port *port, u64 now_ns, struct sk_buff *msg)
{
	struct nlattr *nest = nla_nest_start_noflag(msg, TCA_STATS_APP);

	if (!nest)
		return -EMSGSIZE;
	if (roce_put_port(port, now_ns, msg) ||
	    (roce_shares_buffer(port) && roce_put_switch(port->sw, msg)) ||
	    roce_put_prios(port, now_ns, msg)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_dump_stats);
