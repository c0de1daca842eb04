// SPDX-License-Identifier: GPL-2.0
/*
 * Option "direct": one timer delivers packets straight to the peer's receive path, past the
 * network stack in between.
 *
 * A packet that has arrived at the far end of a veth pair usually goes from the
 * watchdog to the transmit softirq, the qdisc layer, the driver, the backlog of
 * the CPU, the receive softirq. In a network of namespaces that is a good part of
 * what a hop costs. Here one timer serves all such ports, and their packets go to
 * the peer's receive path. Not by default, because all ports of the machine then
 * share one timer and one softirq, so one CPU.
 *
 * It must make no difference to what happens and in which order. So this has the
 * phases that the stack has. (1) When the timer has fired, the ports that are due
 * are collected, in the order of time, and in that of setting where times are
 * equal. That is the order of hrtimers. (2) Each of them hands out what has
 * arrived; senders hear that packets have left. (3) When all other softirqs that
 * were raised with this one have run, the packets are received, in order. Hrtimers
 * of the softirq kind come between (2) and (3). A port between (1) and (2) counts
 * as scheduled (__QDISC_STATE_SCHED), so the stack waits for it when it takes a
 * device down. A dequeue that the stack asks for does (2) for its port.
 *
 * In the lab's virtual time the next event is the next thing to happen more often
 * than not. The softirq then moves the time on itself, instead of setting the
 * timer and being called again through idle task and interrupt. It also takes timer
 * interrupts that come before, and runs rxe's tasks where they are all there is to run.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <net/pkt_sched.h>
#include <rxe_cc/kernel.h>
#ifdef CONFIG_UML_IDLE_WORK
#include <linux/idle-work.h>
#include <linux/time-internal.h>
#endif

#include "roce_calendar.h"
#include "roce_qdisc.h"
#include "roce_route_memory.h"

/* Packets that one go takes off a wire under the root lock, and that one go of the softirq
 * receives: after a stall all that was under way has arrived. As the stack's own quota, and
 * as its backlog's.
 */
#define ROCE_LINK_BURST		64
#define ROCE_LINK_RECEIVE	1000

static enum hrtimer_restart roce_link_expired(struct hrtimer *timer);
static void roce_link_run(struct tasklet_struct *t);
static void roce_link_rest(struct tasklet_struct *t);

/*
 * @lock: protects @events, @ports, @due, @working, and with them who sets @timer
 * @events: the next event of each port, by slot
 * @ports: by slot; NULL: free. The array itself changes under RTNL, too, as does @free_slot
 * @nr_slots: length of @ports
 * @free_slot: no lower one is free
 * @due: ports that have been found due, in order
 * @working: the softirq is at work and will set the timer
 * @arrived: packets in phase (3); bottom halves off
 */
static struct {
	spinlock_t lock;	/* bottom halves off */
	struct roce_calendar events;
	struct Qdisc **ports;
	unsigned int nr_slots;
	unsigned int free_slot;
	struct list_head due;
	bool working;
	struct hrtimer timer;
	struct tasklet_struct run;
	struct tasklet_struct rest;
	struct sk_buff_head arrived;
} roce_links;

/* In virtual time: can nothing else run at this instant? */
static bool roce_link_undisturbed(void)
{
#ifdef CONFIG_UML_IDLE_WORK
	return time_travel_undisturbed();
#else
	return false;
#endif
}

static bool roce_link_skip(u64 delta_ns)
{
#ifdef CONFIG_UML_IDLE_WORK
	return !um_idle_has_works() && time_travel_skip(delta_ns);
#else
	return false;
#endif
}

/* rxe's tasks, as far as packets of this instant have called for them. */
static void roce_link_work(void)
{
#ifdef CONFIG_UML_IDLE_WORK
	if (time_travel_undisturbed())
		um_idle_run_works();
#endif
}

/* Timers of others that come first, as the pacer's, and what they call for. */
static bool roce_link_interrupt(u64 delta_ns)
{
#ifdef CONFIG_UML_IDLE_WORK
	if (!time_travel_interrupt(delta_ns))
		return false;
	roce_link_work();
	return true;
#else
	return false;
#endif
}

/* A port that will be looked at soon has often not been for thousands of others' packets. */
static void roce_link_prefetch(struct Qdisc *sch)
{
	roce_prefetch(&sch->state, L1_CACHE_BYTES);
	roce_prefetch(qdisc_priv(sch), offsetof(struct roce_sched, port.pfc));
}

/* Under the lock. What the stack has scheduled already it will run. */
static void roce_link_collect(u64 now_ns)
{
	const struct roce_calendar_entry *first;
	struct roce_sched *q;

	while ((first = roce_calendar_first(&roce_links.events)) && first->at_ns <= now_ns) {
		q = qdisc_priv(roce_links.ports[roce_calendar_slot(first)]);
		roce_calendar_cancel(&roce_links.events, roce_calendar_slot(first));
		if (!test_and_set_bit(__QDISC_STATE_SCHED, &q->sch->state))
			list_add_tail(&q->link.due, &roce_links.due);
	}
	if (first)
		roce_link_prefetch(roce_links.ports[roce_calendar_slot(first)]);
}

/* Under the lock. */
static void roce_link_set_timer(void)
{
	const struct roce_calendar_entry *first = roce_calendar_first(&roce_links.events);

	if (first)
		hrtimer_start(&roce_links.timer, first->at_ns, HRTIMER_MODE_ABS_HARD);
}

/* The softirq is through, or others come first. */
static void roce_link_pause(void)
{
	spin_lock(&roce_links.lock);
	roce_links.working = false;
	roce_link_set_timer();
	spin_unlock(&roce_links.lock);
}

static enum hrtimer_restart roce_link_expired(struct hrtimer *timer)
{
	tasklet_schedule(&roce_links.run);
	return HRTIMER_NORESTART;
}

/**
 * roce_link_schedule - have a port looked at
 * @q: qdisc
 * @next_ns: when
 *
 * Context: bottom halves off.
 * Return: true; false where the device is being taken down.
 */
bool roce_link_schedule(struct roce_sched *q, u64 next_ns)
{
	if (test_bit(__QDISC_STATE_DEACTIVATED, &q->sch->state))
		return false;

	spin_lock(&roce_links.lock);
	if (roce_calendar_set(&roce_links.events, q->link.slot, next_ns) && !roce_links.working)
		roce_link_set_timer();
	spin_unlock(&roce_links.lock);
	return true;
}

/* Under the root lock: it is received when roce_link_rest() runs, which wants its contents. */
static void roce_link_collect_packet(struct sk_buff *skb)
{
	prefetch(skb->data);
	prefetch(skb_shinfo(skb));
	dev_hold(skb->dev);
	spin_lock(&roce_links.arrived.lock);
	__skb_queue_tail(&roce_links.arrived, skb);
	spin_unlock(&roce_links.arrived.lock);
}

/**
 * roce_link_dequeue - the stack asks a port for packets
 * @sch: qdisc
 *
 * Context: bottom halves off, root lock.
 */
void roce_link_dequeue(struct Qdisc *sch)
{
	struct sk_buff *skb = roce_pop_arrived(sch);
	unsigned int nr = 1;

	if (likely(!skb))
		return;
	do {
		roce_link_collect_packet(skb);
	} while (nr++ < ROCE_LINK_BURST && (skb = roce_pop_arrived(sch)));
	/* The rest, if there is any, now but not under this lock. */
	if (skb)
		roce_link_schedule(qdisc_priv(sch), ktime_get_ns());
	tasklet_schedule(&roce_links.rest);
}

static struct roce_sched *roce_link_next_due(void)
{
	struct roce_sched *q;

	spin_lock(&roce_links.lock);
	q = list_first_entry_or_null(&roce_links.due, struct roce_sched, link.due);
	if (q)
		list_del_init(&q->link.due);
	spin_unlock(&roce_links.lock);
	return q;
}

/* Up to so many packets of a port. Returns whether there may be more. */
static bool roce_link_drain(struct roce_sched *q)
{
	unsigned int nr = 0;
	struct sk_buff *skb;

	spin_lock(qdisc_lock(q->sch));
	clear_bit(__QDISC_STATE_SCHED, &q->sch->state);
	while (!q->link.gone && nr < ROCE_LINK_BURST && (skb = roce_pop_arrived(q->sch))) {
		roce_link_collect_packet(skb);
		nr++;
	}
	spin_unlock(qdisc_lock(q->sch));
	return nr == ROCE_LINK_BURST;
}

/* Phase (2). A qdisc that is destroyed meanwhile stays until we are through. Others may
 * have the root lock between two goes; the port's packets stay together.
 */
static void roce_link_depart(void)
{
	struct roce_sched *q;

	rcu_read_lock();
	while ((q = roce_link_next_due()))
		while (roce_link_drain(q))
			;
	rcu_read_unlock();
}

/* Where does the driver of @dev hand such a packet to, without ado? To veth's
 * peer, unless that wants to collect packets (GRO) or to look at them before the
 * stack (XDP, which implies the flag). The driver's other duties are those of
 * qdisc-less transmission: offloads, a socket's time stamps.
 */
static struct net_device *roce_link_peer(struct net_device *dev, const struct sk_buff *skb)
{
	const struct rtnl_link_ops *ops = dev->rtnl_link_ops;
	struct net_device *peer;

	if (!ops || strcmp(ops->kind, "veth") ||
	    skb->ip_summed == CHECKSUM_PARTIAL || skb_vlan_tag_present(skb) ||
	    skb->sk || secpath_exists(skb))
		return NULL;
	peer = dev->netdev_ops->ndo_get_peer_dev(dev);
	if (!peer || peer->features & NETIF_F_GRO)
		return NULL;
	return peer;
}

/* As dev_hard_start_xmit() and veth would, but for the backlog. */
static void roce_link_receive_packet(struct net_device *dev, struct sk_buff *skb)
{
	unsigned int len = skb->len;
	struct net_device *peer;

	if (dev_nit_active(dev))
		dev_queue_xmit_nit(skb, dev);

	peer = roce_link_peer(dev, skb);
	if (unlikely(!peer)) {
		dev_direct_xmit(skb, skb_get_queue_mapping(skb));
	} else if (likely(!__dev_forward_skb(peer, skb))) {
		dev_sw_netstats_tx_add(dev, 1, len);
		roce_route_packet(skb);
		netif_receive_skb(skb);
	} else {
		dev_core_stats_tx_dropped_inc(dev);
	}
}

/* Phase (3). A device that is being removed waits until nobody is in here. Returns whether
 * some are left.
 */
static bool roce_link_receive(void)
{
	struct sk_buff_head list;
	struct net_device *dev;
	unsigned int nr = 0;
	struct sk_buff *skb;
	bool more;

	__skb_queue_head_init(&list);
	rcu_read_lock();
	spin_lock(&roce_links.arrived.lock);
	skb_queue_splice_init(&roce_links.arrived, &list);
	spin_unlock(&roce_links.arrived.lock);

	while (nr++ < ROCE_LINK_RECEIVE && (skb = __skb_dequeue(&list))) {
		dev = skb->dev;
		if (likely(dev->reg_state == NETREG_REGISTERED))
			roce_link_receive_packet(dev, skb);
		else
			kfree_skb(skb);
		dev_put(dev);
	}
	rcu_read_unlock();

	more = !skb_queue_empty(&list);
	if (unlikely(more)) {
		/* In front of those that have come meanwhile. */
		spin_lock(&roce_links.arrived.lock);
		skb_queue_splice(&list, &roce_links.arrived);
		spin_unlock(&roce_links.arrived.lock);
	}
	return more;
}

/* The port whose turn is next has been prefetched when the present ones were collected. Now the
 * packet that it will deliver.
 */
static void roce_link_prefetch_packet(void)
{
	const struct roce_calendar_entry *first;
	const struct roce_sched *q;
	const struct sk_buff *skb;

	spin_lock(&roce_links.lock);
	first = roce_calendar_first(&roce_links.events);
	if (first) {
		q = qdisc_priv(roce_links.ports[roce_calendar_slot(first)]);
		skb = READ_ONCE(q->port.wire.head);
		if (skb)
			roce_skb_prefetch(skb);
	}
	spin_unlock(&roce_links.lock);
}

/* Go on at the time of the next event, if it is the next thing to happen. */
static bool roce_link_advance(void)
{
	const struct roce_calendar_entry *first;
	u64 now_ns, delta_ns;
	bool skipped;

	do {
		now_ns = ktime_get_ns();
		delta_ns = 0;
		spin_lock(&roce_links.lock);
		first = roce_calendar_first(&roce_links.events);
		if (first && first->at_ns > now_ns)
			delta_ns = first->at_ns - now_ns;
		skipped = delta_ns && roce_link_skip(delta_ns);
		if (skipped)
			roce_link_collect(first->at_ns);
		spin_unlock(&roce_links.lock);
	} while (!skipped && delta_ns && roce_link_interrupt(delta_ns));
	return skipped;
}

/* Phase (3) of this instant; and as long as nothing else can run, all phases of
 * instants to come. A task that has something to do comes before phase (3),
 * whose softirq then is its own task: by then the timer must be set.
 */
static void roce_link_go_on(void)
{
	do {
		if (unlikely(roce_link_receive()))
			break;
		roce_link_work();
		if (!roce_link_advance()) {
			roce_link_pause();
			return;
		}
		roce_link_depart();
		roce_link_prefetch_packet();
		roce_link_work();
	} while (roce_link_undisturbed());

	if (need_resched())
		roce_link_pause();
	tasklet_schedule(&roce_links.rest);
}

static void roce_link_rest(struct tasklet_struct *t)
{
	roce_link_go_on();
}

static void roce_link_run(struct tasklet_struct *t)
{
	spin_lock(&roce_links.lock);
	roce_links.working = true;
	roce_link_collect(ktime_get_ns());
	spin_unlock(&roce_links.lock);
	roce_link_depart();
	roce_link_work();
	if (roce_link_undisturbed()) {
		roce_link_go_on();
		return;
	}
	if (need_resched())
		roce_link_pause();
	tasklet_schedule(&roce_links.rest);
}

/**
 * roce_link_cancel - a port has nothing to do any more
 * @q: qdisc
 */
void roce_link_cancel(struct roce_sched *q)
{
	spin_lock_bh(&roce_links.lock);
	roce_calendar_cancel(&roce_links.events, q->link.slot);
	spin_unlock_bh(&roce_links.lock);
}

/* Make room for one more port. */
static int roce_link_grow(void)
{
	unsigned int nr = max(2 * roce_links.nr_slots, 64U);
	struct Qdisc **ports, **old = roce_links.ports;
	struct roce_calendar events;
	int err;

	err = roce_calendar_init(&events, nr);
	if (err)
		return err;
	ports = kvcalloc(nr, sizeof(*ports), GFP_KERNEL);
	if (!ports) {
		roce_calendar_free(&events);
		return -ENOMEM;
	}
	if (old)
		memcpy(ports, old, roce_links.nr_slots * sizeof(*ports));
	spin_lock_bh(&roce_links.lock);
	roce_calendar_move(&roce_links.events, &events);
	roce_links.ports = ports;
	roce_links.nr_slots = nr;
	spin_unlock_bh(&roce_links.lock);
	roce_calendar_free(&events);
	kvfree(old);
	return 0;
}

/**
 * roce_link_init - a new port
 * @q: qdisc, zeroed
 * @sch: the same
 *
 * Context: RTNL, may sleep.
 * Return: 0, -ENOMEM; or -ENOSPC when there are 65535 ports.
 */
int roce_link_init(struct roce_sched *q, struct Qdisc *sch)
{
	unsigned int slot = roce_links.free_slot;
	int err;

	q->sch = sch;
	INIT_LIST_HEAD(&q->link.due);
	while (slot < roce_links.nr_slots && roce_links.ports[slot])
		slot++;
	if (slot >= roce_links.nr_slots) {
		err = roce_link_grow();
		if (err)
			return err;
	}
	roce_links.ports[slot] = sch;
	roce_links.free_slot = slot + 1;
	q->link.slot = slot;
	return 0;
}

/**
 * roce_link_forget - a port is destroyed
 * @q: qdisc that nothing schedules any more
 */
void roce_link_forget(struct roce_sched *q)
{
	spin_lock_bh(qdisc_lock(q->sch));
	q->link.gone = true;
	spin_unlock_bh(qdisc_lock(q->sch));

	if (!q->link.slot)
		return;
	spin_lock_bh(&roce_links.lock);
	roce_calendar_cancel(&roce_links.events, q->link.slot);
	list_del_init(&q->link.due);
	roce_links.ports[q->link.slot] = NULL;
	roce_links.free_slot = min(roce_links.free_slot, q->link.slot);
	spin_unlock_bh(&roce_links.lock);
}

/**
 * roce_links_setup - before there are ports
 */
void roce_links_setup(void)
{
	spin_lock_init(&roce_links.lock);
	roce_links.free_slot = 1;	/* 0 is that of a port that has none */
	INIT_LIST_HEAD(&roce_links.due);
	skb_queue_head_init(&roce_links.arrived);
	tasklet_setup(&roce_links.run, roce_link_run);
	tasklet_setup(&roce_links.rest, roce_link_rest);
	hrtimer_setup(&roce_links.timer, roce_link_expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
}

/**
 * roce_links_stop - when there are no ports any more
 */
void roce_links_stop(void)
{
	hrtimer_cancel(&roce_links.timer);
	tasklet_kill(&roce_links.run);
	tasklet_kill(&roce_links.rest);
	roce_calendar_free(&roce_links.events);
	kvfree(roce_links.ports);
}
