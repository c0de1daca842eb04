/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port: configuration, state and statistics. The model knows neither the
 * clock nor the Qdisc: every call gets the time, so that tests can drive it.
 *
 * Every port belongs to a &struct roce_switch, a NIC port to one of its own.
 * The switch's lock protects all state of all its ports; the kernel's root
 * lock of a qdisc (taken before it) protects only what the kernel counts of
 * that qdisc. So whoever looks at one port may bring all the others up to
 * date, and a PFC frame can leave through any of them.
 */
#ifndef _ROCE_PORT_H
#define _ROCE_PORT_H

#include <linux/cache.h>
#include <linux/list.h>
#include <linux/prefetch.h>
#include <linux/types.h>
#include <net/sch_generic.h>

#include "roce_classify.h"
#include "roce_dwrr.h"
#include "roce_shared_buffer.h"
#include "roce_loss.h"
#include "roce_option.h"
#include "roce_pfc.h"
#include "roce_serialization.h"

struct roce_hist;
struct roce_switch;

/* Features on a port at most, and how many calls there are (enum roce_hook). */
#define ROCE_FEATURES_MAX		8
#define ROCE_HOOKS			9
/* What one of them may have in struct roce_config. */
#define ROCE_FEATURE_CONFIG_BYTES	128

/*
 * enum roce_verdict: what a port did with an arriving packet
 * ROCE_ACCEPTED: it is the port's now
 * ROCE_DROP_*: lost; the row of TC_ROCE_DROPS says why
 * ROCE_CONSUMED: a feature has it; it is the port's, and not the kernel's to count
 * ROCE_REDIRECTED: another port of the switch has it, the same
 */
enum roce_verdict {
	ROCE_ACCEPTED,
#define ROCE_DROP(attr, ...) ROCE_DROP_##attr,
	TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
	ROCE_CONSUMED,
	ROCE_REDIRECTED,
};

/**
 * struct roce_prio_config - what can be set of one priority
 * @limit_bytes: wire bytes that may wait; 0 = only the port's limit counts
 * @lossless: obeys PFC; on a port of a switch also sends it
 * @dwrr_weight: its share of what strict priorities leave; 0 = strict
 * @mmu: its share of the switch's buffer
 */
struct roce_prio_config {
	u32 limit_bytes;
	bool lossless;
	u8 dwrr_weight;
	struct roce_mmu_config mmu;
};

/*
 * struct roce_config: what can be set of a port. Its own options, of which those of the switch are
 * as this port was told or found them, each as its row says; then
 * dscp_prio: priority of each DSCP
 * prio: per priority
 * feature_serial: per slot, which feature's part @feature is; 0 = none's
 * feature: per slot, a feature's part, see roce_feature_config()
 */
struct roce_config {
#define ROCE_OPTION(attr, type, field, ...) type field;
#include <linux/pkt_sched_roce.h>
#undef ROCE_OPTION
	u8 dscp_prio[TC_ROCE_DSCPS] ____cacheline_aligned;
	struct roce_prio_config prio[TC_ROCE_PRIOS];
	u32 feature_serial[ROCE_FEATURES_MAX];
	u64 feature[ROCE_FEATURES_MAX][ROCE_FEATURE_CONFIG_BYTES / sizeof(u64)];
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

/*
 * struct roce_prio_stats: counters of one priority, each as its row says; they only grow.
 * drop: those of lost packets, by enum roce_verdict from ROCE_DROP_LIMIT on
 */
struct roce_prio_stats {
#define ROCE_COUNTED(attr, key) u64 key;
#define ROCE_FOUND(attr, key)
#define ROCE_PRIO_FIGURE(attr, kind, key, ...) ROCE_##kind(attr, key)
#include <linux/pkt_sched_roce.h>
#undef ROCE_PRIO_FIGURE
	union {
		struct {
#define ROCE_DROP(attr, name, ...) u64 drop_##name;
			TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
		};
		u64 drop[ROCE_CONSUMED - ROCE_DROP_LIMIT];
	};
};

/* Counters of the port itself. */
struct roce_port_stats {
#define ROCE_FIGURE(attr, kind, key, ...) ROCE_##kind(attr, key)
#include <linux/pkt_sched_roce.h>
#undef ROCE_FIGURE
#undef ROCE_COUNTED
#undef ROCE_FOUND
};

/**
 * struct roce_prio - one priority
 * @queue: packets that wait; their transmission has not started
 * @bytes: wire bytes in @queue
 * @area: time integral of @bytes
 * @stats: counters
 * @in: what came in through this port and is in the switch; lossless packets
 * @out: what waits or is sent here and is not charged to an @in
 * @pause: the peer's pauses
 * @xoff: this port's pauses of the peer
 */
struct roce_prio {
	struct qdisc_skb_head queue;
	u64 bytes;
	struct roce_area area;
	struct roce_prio_stats stats;
	struct roce_account in ____cacheline_aligned;
	struct roce_account out;
	struct roce_pause pause;
	struct roce_xoff xoff;
};

/**
 * struct roce_port - one port
 * @sw: the switch; changed under RTNL and the root lock, while the tap is not
 *	registered. NULL only before roce_switch_join() and after
 *	roce_switch_leave().
 * @sending: the last started packet until its end has been noticed; the last one of
 *	@wire, or in no list if it will not arrive: then it is lost at its end
 * @line_free: when the last started packet ends; its remainder is in
 *	1/cfg.rate_bps ns
 * @wire: packets being sent or propagating, in order of delivery
 * @wire_bytes: wire bytes in @wire
 * @last_due_ns: delivery time of the last packet put on @wire
 * @tx_wire_bytes: wire bytes of all packets whose transmission has started,
 *	PFC frames included: INT's txBytes
 * @backlog: bit per priority that has packets waiting
 * @bytes: wire bytes waiting, all priorities
 * @own_bytes: wire bytes of packets of the switch's own that have not left
 * @hist: how long @bytes was how long; NULL: nobody wants to know
 * @owned: packets waiting that still have a destructor
 * @down: its packets are being lost: nothing is sent, not even PFC
 * @lossy: packets on its wire may be lost: cfg.loss_ppb, or the link is down
 * @stalled: cfg.stall: nothing but PFC frames is sent
 * @lost_why: why @sending will not arrive, if it bears %ROCE_SKB_LOST; enum roce_lost
 * @slot: number in @sw, from 1
 * @weighted: bit per priority that has a weight
 * @features: bit per slot of a feature that is on
 * @receivers: thereof those that want to hear of what comes in from the wire
 * @hooked: for each enum roce_hook, bit per slot of a feature that wants it
 * @timer_ns: the first of @timers_ns
 * @due_ns: delivery time of the first packet of @wire, or %ROCE_NEVER
 * @dead: packets lost after they had been accepted; the next dequeue frees
 *	them, under the root lock that counts them
 * @by_class: for each class of packets, bit per slot of a feature that wants them
 * @pfc: PFC frames, and those about to be sent or about to take effect
 * @stats: counters
 * @loss: random losses
 * @cfg: configuration
 * @prio: per priority
 * @dwrr: whose turn it is of the weighted priorities
 * @busy: how long the line was sending before @busy_bytes
 * @busy_bytes: @tx_wire_bytes when the rate was changed last
 * @timers_ns: per slot, when a feature wants to be called, or %ROCE_NEVER
 * @feature: per slot, the state of a feature that has been on; RTNL
 * @by_ifindex: place in @sw's hash
 * @kick: has the watchdog set to roce_event_wake_ns(); called under @sw's
 *	lock when somebody else's call may have changed it; NULL in tests
 * @dev: the netdev; NULL in tests
 * @ifindex: of @dev, by which @sw finds the ingress port of a packet
 * @mtu: of @dev
 *
 * In lines of cache: the queue, the line, what happens next, options, and only then what not every
 * packet needs. The test roce_cache_lines counts the lines that one touches.
 */
struct roce_port {
	struct roce_switch *sw;
	struct sk_buff *sending;
	struct roce_time line_free;
	unsigned long backlog;
	u64 bytes;
	struct roce_hist *hist;
	u32 own_bytes;
	u32 owned;

	struct qdisc_skb_head wire;
	u64 wire_bytes;
	u64 last_due_ns;
	u64 tx_wire_bytes;
	bool down;
	u8 weighted;
	bool lossy;
	bool stalled;
	u8 lost_why;
	u8 features;
	u8 receivers;
	u8 hooked[ROCE_HOOKS];

	u64 timer_ns ____cacheline_aligned;
	u64 due_ns;
	void (*kick)(struct roce_port *port);
	u16 slot;
	struct roce_pfc pfc;

	struct roce_config cfg ____cacheline_aligned;
	u8 by_class[ROCE_CLASSES];
	struct roce_prio prio[TC_ROCE_PRIOS];

	struct roce_port_stats stats;
	struct roce_loss loss;
	struct qdisc_skb_head dead;
	struct roce_dwrr dwrr;
	struct roce_time busy;
	u64 busy_bytes;
	u64 timers_ns[ROCE_FEATURES_MAX];
	void *feature[ROCE_FEATURES_MAX];
	struct hlist_node by_ifindex;
	struct net_device *dev;
	int ifindex;
	u32 mtu;
};

/**
 * struct roce_skb_cb - what a port knows of a packet, in the qdisc's part of
 *	skb->cb. skb->tstamp stays untouched: it belongs to the sender.
 * @time_ns: waiting: arrival. On the wire: delivery of the packet behind it, whose own memory has
 *	long left the caches when its turn comes. Delivered: its own delivery.
 * @wire_bytes: length on the line
 * @in_slot: ingress port in the switch, 0 = none
 * @prio: priority
 * @in_prio: priority at the ingress port, by that port's map
 * @grown_bytes: thereof what features have added here, not charged to the buffer
 * @flags: ROCE_SKB_*
 * @features: bit per slot of a feature that wants to hear of it
 * @own: of the feature with roce_feature.own
 */
struct roce_skb_cb {
	u64 time_ns;
	u32 wire_bytes;
	u16 in_slot;
	u8 prio : 4;
	u8 in_prio : 4;
	u8 grown_bytes;
	u8 flags;
	u8 features;
	u16 own;
} __packed __aligned(4);

#define ROCE_SKB_IN	BIT(0)	/* charged to the ingress port's account */
#define ROCE_SKB_OUT	BIT(1)	/* charged to this port's account */
#define ROCE_SKB_PFC	BIT(2)	/* made here: PFC, not charged */
#define ROCE_SKB_REPLY	BIT(3)	/* made here: an answer to a packet */
#define ROCE_SKB_MOVED	BIT(4)	/* a feature sent it here from another port */
#define ROCE_SKB_EATEN	BIT(5)	/* a feature consumed it */
#define ROCE_SKB_LOST	BIT(6)	/* being sent, and will not arrive */
#define ROCE_SKB_HELD	BIT(7)	/* in the port's own_bytes, not in the buffer */
/* Not in the kernel's counts. */
#define ROCE_SKB_OWN	(ROCE_SKB_PFC | ROCE_SKB_REPLY | \
			 ROCE_SKB_MOVED | ROCE_SKB_EATEN)

static inline struct roce_skb_cb *roce_skb_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct roce_skb_cb));
	return (struct roce_skb_cb *)qdisc_skb_cb(skb)->data;
}

/* What is there will be read soon. */
static inline void roce_prefetch(const void *at, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i += L1_CACHE_BYTES)
		prefetch(at + i);
	/* Of a function that only prefetches GCC thinks that it does nothing, and omits the call. */
	asm volatile("");
}

/* A packet that waits has long left the caches when its turn comes. */
static inline void roce_skb_prefetch(const struct sk_buff *skb)
{
	roce_prefetch(skb, sizeof(*skb));
}

/* No event: nothing is on the wire. */
#define ROCE_NEVER	U64_MAX

/* roce_port.c */
void roce_port_init(struct roce_port *port, struct net_device *dev);
enum roce_verdict roce_port_arrive(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
void roce_port_reclass(struct roce_port *port, struct sk_buff *skb);
bool roce_port_inject(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
void roce_port_refused(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
struct sk_buff *roce_port_deliver(struct roce_port *port, u64 now_ns);
void roce_port_set_config(struct roce_port *port, const struct roce_config *cfg, u64 now_ns);
void roce_port_purge(struct roce_port *port, u64 now_ns);
struct qdisc_skb_head roce_port_pop_dead(struct roce_port *port);
u64 roce_port_busy_ns(const struct roce_port *port, u64 now_ns);

/* roce_queue.c */
void roce_queue_add(struct roce_port *port, struct sk_buff *skb, u64 now_ns);
struct sk_buff *roce_queue_pop(struct roce_port *port, u8 id, u64 at_ns);
void roce_queue_count_drop(struct roce_port *port, const struct sk_buff *skb,
			   u64 at_ns, enum roce_verdict verdict);

/* roce_queue_integral.c */
void roce_area_add(struct roce_area *area, u64 bytes, u64 span);

/**
 * roce_area_update - add the time since the last change of a queue
 * @area: integral
 * @bytes: length of the queue since then
 * @now_ns: present time
 */
static inline void roce_area_update(struct roce_area *area, u64 bytes, u64 now_ns)
{
	u64 span = now_ns - area->since_ns;

	area->since_ns = now_ns;
	/* Below 4 GiB, half a second and a sum of 2^61 nothing overflows. */
	if (likely(!((bytes >> 32) | (span >> 29) | (area->byte_ns >> 61))))
		area->byte_ns += bytes * span;
	else
		roce_area_add(area, bytes, span);
}

u64 roce_area_units(struct roce_area *area, u64 bytes, u64 now_ns);

/* roce_transmit.c */
void roce_wire_setup(void);

/* roce_config.c */
struct netlink_ext_ack;

void roce_config_default(struct roce_config *cfg);
int roce_config_parse(struct roce_config *cfg, struct nlattr *opt, struct netlink_ext_ack *extack);

/* roce_stats.c */
u64 roce_sent_packets(const struct roce_port *port);
bool roce_prio_in_use(const struct roce_port *port, u8 id);
int roce_dump_stats(struct roce_port *port, u64 now_ns, struct sk_buff *msg);

#endif /* _ROCE_PORT_H */
