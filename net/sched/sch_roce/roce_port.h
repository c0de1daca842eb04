/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: configuration, state and statistics. The model knows neither the
 * clock nor the Qdisc: every call gets the time, so that tests can drive it.
 *
 * All state of a port is protected by the root lock of its qdisc.
 */
#ifndef _ROCE_PORT_H
#define _ROCE_PORT_H

#include <linux/prandom.h>
#include <linux/types.h>
#include <net/sch_generic.h>
#include <uapi/linux/pkt_sched_roce.h>

#include "roce_ecn.h"
#include "roce_serial.h"

/**
 * struct roce_prio_config - what can be set of one priority
 * @limit_bytes: wire bytes that may wait; 0 = only the port's limit counts
 * @ecn: when marks are decided, enum tc_roce_ecn
 * @ramp: how often
 */
struct roce_prio_config {
	u32 limit_bytes;
	u8 ecn;
	struct roce_ecn_ramp ramp;
};

/**
 * struct roce_config - what can be set of a port
 * @rate_bps: line rate, bit/s
 * @delay_ns: propagation delay
 * @seed: of the random numbers
 * @overhead: bytes on the line that are not in the skb
 * @limit_bytes: wire bytes that may wait, all priorities
 * @dscp_prio: priority of each DSCP
 * @prio: per priority
 */
struct roce_config {
	u64 rate_bps;
	u64 delay_ns;
	u64 seed;
	s32 overhead;
	u32 limit_bytes;
	u8 dscp_prio[TC_ROCE_DSCPS];
	struct roce_prio_config prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_area - time integral of a queue
 * @units: whole units of 1 KiB * 1 us
 * @byte_ns: the rest, byte * ns; moved to @units long before it overflows
 * @since_ns: the queue has been constant since then
 */
struct roce_area {
	u64 units;
	u64 byte_ns;
	u64 since_ns;
};

/**
 * struct roce_prio_stats - counters of one priority; they only grow
 * @tx_packets: packets whose transmission has started
 * @tx_wire_bytes: their wire bytes
 * @ecn_marked: packets set to CE here
 * @ecn_not_ect: packets to be marked that do not understand ECN
 * @ecn_nomem: packets to be marked whose header could not be made private
 * @drop_limit: packets over the priority's limit
 * @drop_port_limit: packets over the port's limit
 * @drop_other: GSO packets that could not be segmented
 * @peak_bytes: longest queue, wire bytes
 */
struct roce_prio_stats {
	u64 tx_packets;
	u64 tx_wire_bytes;
	u64 ecn_marked;
	u64 ecn_not_ect;
	u64 ecn_nomem;
	u64 drop_limit;
	u64 drop_port_limit;
	u64 drop_other;
	u64 peak_bytes;
};

/**
 * struct roce_prio - one priority
 * @queue: packets that wait; their transmission has not started
 * @bytes: wire bytes in @queue
 * @area: time integral of @bytes
 * @stats: counters
 */
struct roce_prio {
	struct qdisc_skb_head queue;
	u64 bytes;
	struct roce_area area;
	struct roce_prio_stats stats;
};

/**
 * struct roce_port - one port
 * @cfg: configuration
 * @backlog: bit per priority that has packets waiting
 * @bytes: wire bytes waiting, all priorities
 * @owned: packets waiting that still have a destructor
 * @line_free: when the last started packet ends; its remainder is in
 *	1/cfg.rate_bps ns
 * @sending: the last started packet until its end has been noticed; always
 *	the last one of @wire
 * @wire: packets being sent or propagating, in order of delivery
 * @last_due_ns: delivery time of the last packet put on @wire
 * @busy: how long the line has been sending, including the rest of @sending
 * @rnd: random numbers of the ECN marking
 * @dev: the netdev, for trace events; NULL in tests
 * @prio: per priority
 */
struct roce_port {
	struct roce_config cfg;
	unsigned long backlog;
	u64 bytes;
	u32 owned;
	struct roce_time line_free;
	struct sk_buff *sending;
	struct qdisc_skb_head wire;
	u64 last_due_ns;
	struct roce_time busy;
	struct rnd_state rnd;
	struct net_device *dev;
	struct roce_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_skb_cb - what a port knows of a packet, in the qdisc's part of
 *	skb->cb. skb->tstamp stays untouched: it belongs to the sender.
 * @time_ns: waiting: arrival. On the wire: delivery.
 * @wire_bytes: length on the line
 * @prio: priority
 */
struct roce_skb_cb {
	u64 time_ns;
	u32 wire_bytes;
	u8 prio;
};

static inline struct roce_skb_cb *roce_skb_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct roce_skb_cb));
	return (struct roce_skb_cb *)qdisc_skb_cb(skb)->data;
}

/**
 * enum roce_verdict - what a port did with an arriving packet
 * @ROCE_ACCEPTED: it is the port's now
 * @ROCE_DROP_LIMIT: refused, the priority is full
 * @ROCE_DROP_PORT_LIMIT: refused, the port is full
 * @ROCE_DROP_OTHER: refused, it could not be segmented
 */
enum roce_verdict {
	ROCE_ACCEPTED,
	ROCE_DROP_LIMIT,
	ROCE_DROP_PORT_LIMIT,
	ROCE_DROP_OTHER,
};

/* No event: nothing is on the wire. */
#define ROCE_NEVER	U64_MAX

void roce_port_init(struct roce_port *port, struct net_device *dev);
void roce_port_seed(struct roce_port *port);
void roce_port_advance(struct roce_port *port, u64 now_ns);
enum roce_verdict roce_port_arrive(struct roce_port *port, struct sk_buff *skb,
				   u64 now_ns);
void roce_port_refused(struct roce_port *port, const struct sk_buff *skb,
		       u64 now_ns);
struct sk_buff *roce_port_deliver(struct roce_port *port, u64 now_ns);
u64 roce_port_next_event(const struct roce_port *port);
void roce_port_set_config(struct roce_port *port, const struct roce_config *cfg,
			  u64 now_ns);
void roce_port_purge(struct roce_port *port, u64 now_ns,
		     void (*drop)(struct sk_buff *head, struct sk_buff *tail));
u64 roce_port_busy_ns(const struct roce_port *port, u64 now_ns);
u64 roce_area_units(struct roce_area *area, u64 bytes, u64 now_ns);

/* roce_config.c */
struct netlink_ext_ack;

void roce_config_default(struct roce_config *cfg);
int roce_config_parse(struct roce_config *cfg, struct nlattr *opt,
		      struct netlink_ext_ack *extack);

/* roce_dump.c */
int roce_dump_config(const struct roce_config *cfg, struct sk_buff *msg);
int roce_dump_stats(struct roce_port *port, u64 now_ns, struct sk_buff *msg);

#endif /* _ROCE_PORT_H */
