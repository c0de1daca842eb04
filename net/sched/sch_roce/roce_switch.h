/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A switch: ports that share a buffer, a lock and the order of their events.
 *
 * Locking: RTNL protects which switches there are and who belongs to them.
 * roce_switch.lock protects the state of all ports of one switch; it is taken
 * with bottom halves off, inside the root lock of a qdisc (enqueue, dequeue,
 * reset) or alone (PFC reception, the switch's timer, statistics). Who holds
 * it reads the clock: times must not go back between two holders.
 */
#ifndef _ROCE_SWITCH_H
#define _ROCE_SWITCH_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "roce_calendar.h"
#include "roce_feature.h"
#include "roce_shared_buffer.h"
#include "roce_port.h"
#include "roce_serialization.h"

struct net;
struct netlink_ext_ack;
struct nlattr;
struct roce_config;
struct roce_port;
struct sk_buff;

#define ROCE_SWITCH_HASH	64

/**
 * struct roce_switch - ports that share a buffer
 * @lock: protects everything of all ports
 * @node: in the list of switches, RTNL; a NIC port's own switch is not there
 * @net: network namespace of the ports
 * @id: as configured; TC_ROCE_SWITCH_NONE for a NIC port's own
 * @bridge: interface index of the bridge of an automatic switch, or 0
 * @shared: there is a buffer to account for: false for a NIC port's own
 * @replaying: roce_switch_replay() is at work
 * @now_ns: all ports are up to date until then
 * @next_ns: the first event of any port, or %ROCE_NEVER
 * @mmu: the buffer
 * @events: the next event of each port, by slot number
 * @timer: while @nr_xoff, at the next event: resumes and refreshes must not
 *	wait until somebody looks
 * @nr_ports: ports
 * @nr_slots: size of @slots
 * @slots: ports by slot number; 0 is never used
 * @by_ifindex: ports by interface index
 * @nr_xoff: (port, priority) pairs that pause their peer
 * @feature: per slot, the state of a feature that has been on for a port; RTNL
 * @feature_serial: which feature's
 * @resume_free: as long as less of the shared pool is free, no departure of
 *	another's packet lets any of them resume
 */
struct roce_switch {
	spinlock_t lock;	/* all state of all ports */
	struct list_head node;
	struct net *net;
	u32 id;
	int bridge;
	bool shared;
	bool replaying;
	u64 now_ns;
	u64 next_ns;
	struct roce_mmu mmu;
	struct roce_calendar events;
	struct hrtimer timer;
	unsigned int nr_ports;
	unsigned int nr_slots;
	struct roce_port **slots;
	struct hlist_head by_ifindex[ROCE_SWITCH_HASH];
	unsigned int nr_xoff;
	u64 resume_free;
	void *feature[ROCE_FEATURES_MAX];
	u32 feature_serial[ROCE_FEATURES_MAX];
};

/* roce_switch_order.c */
void roce_switch_replay(struct roce_switch *sw, u64 now_ns);
void roce_switch_arm(struct roce_switch *sw);
struct roce_port *roce_switch_ingress(const struct roce_switch *sw, int ifindex);

/**
 * roce_switch_advance - replay everything that fell due on any port
 * @sw: switch
 * @now_ns: present time, never before that of an earlier call
 */
static inline void roce_switch_advance(struct roce_switch *sw, u64 now_ns)
{
	sw->now_ns = now_ns;
	if (sw->next_ns <= now_ns)
		roce_switch_replay(sw, now_ns);
}

/**
 * roce_switch_unlock - leave a switch to itself
 * @sw: switch
 *
 * Context: bottom halves stay off.
 */
static inline void roce_switch_unlock(struct roce_switch *sw)
{
	if (unlikely(sw->nr_xoff))
		roce_switch_arm(sw);
	spin_unlock(&sw->lock);
}

static inline void roce_switch_find_next(struct roce_switch *sw)
{
	const struct roce_calendar_entry *first = roce_calendar_first(&sw->events);

	sw->next_ns = first ? first->at_ns : ROCE_NEVER;
}

/**
 * roce_port_threshold - what a priority may hold of the shared pool at present
 * @port: port of a switch
 * @id: priority
 *
 * Return: bytes beyond the reserve.
 */
static inline u64 roce_port_threshold(const struct roce_port *port, u8 id)
{
	const struct roce_prio_config *cfg = &port->cfg.prio[id];

	return roce_mmu_threshold(&port->sw->mmu, &cfg->mmu, cfg->lossless);
}

/* roce_pause_tx.c: room in the buffer */
bool roce_xoff_charge(struct roce_port *port, struct sk_buff *skb, bool lossless, u64 now_ns);
void roce_xoff_discharge(struct roce_port *port, struct sk_buff *skb, u64 at_ns);

/**
 * roce_xoff_release - a packet has left the buffer
 * @port: egress port
 * @skb: packet; nothing happens when it has not been charged
 * @at_ns: when
 */
static inline void roce_xoff_release(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	if (roce_skb_cb(skb)->flags & (ROCE_SKB_IN | ROCE_SKB_OUT | ROCE_SKB_HELD))
		roce_xoff_discharge(port, skb, at_ns);
}

/* roce_switch_member.c */
int roce_switch_prepare(struct roce_port *port, struct roce_config *cfg,
			bool buffer_told, const struct nlattr *blame,
			struct netlink_ext_ack *extack, struct roce_switch **target);
void roce_switch_join(struct roce_port *port, struct roce_switch *sw,
		      const struct roce_config *cfg, u64 now_ns);
void roce_switch_update(struct roce_port *port, const struct roce_config *cfg, u64 now_ns);
bool roce_switch_moved(const struct roce_port *port);
void roce_switch_leave(struct roce_port *port, u64 now_ns);
int roce_switch_check_mtu(const struct roce_port *port, u32 mtu);
void roce_switch_put(struct roce_switch *sw);

/* roce_transmit.c */

void roce_line_step(struct roce_port *port, u64 at_ns);
void roce_line_start(struct roce_port *port, struct sk_buff *skb, struct roce_time start);
void roce_line_transmit(struct roce_port *port, struct sk_buff *skb, struct roce_time start);
void roce_line_poke(struct roce_port *port, struct roce_time at);
void roce_line_kill(struct roce_port *port, struct sk_buff *skb, u64 at_ns);
void roce_line_lose(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns);
u32 roce_line_left_bytes(const struct roce_port *port, u64 now_ns);

#endif /* _ROCE_SWITCH_H */
