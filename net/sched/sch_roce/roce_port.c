// SPDX-License-Identifier: GPL-2.0
/*
 * The port model: what comes, waits and is delivered.
 *
 * A packet waits in the queue of its priority, then the line sends it
 * (roce_transmit.c), then it propagates. Only deliveries need a timer. What happens
 * in between is worked out when somebody looks: roce_switch_advance() replays
 * every decision up to now at the exact instant at which it fell due, and each
 * caller looks before it changes anything. So it makes no difference how late
 * or how often the softirq ran.
 *
 * Rule for ties: the line, becoming free at T, chooses among the packets that
 * came strictly before T; when there are none, the first to come afterwards
 * (at T included) starts on arrival. Events of one nanosecond are then
 * ordered by the order of the calls, as the stack made them.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "roce_classify.h"
#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_port.h"
#include "roce_switch.h"
#include "roce_trace.h"

/**
 * roce_port_init - an idle port with the default configuration
 * @port: zeroed memory
 * @dev: netdev, or NULL in tests
 *
 * It belongs to no switch yet.
 */
void roce_port_init(struct roce_port *port, struct net_device *dev)
{
	int i;

	port->dev = dev;
	port->ifindex = dev ? dev->ifindex : 0;
	port->mtu = dev ? dev->mtu : ETH_DATA_LEN;
	port->timer_ns = ROCE_NEVER;
	port->due_ns = ROCE_NEVER;
	for (i = 0; i < ROCE_FEATURES_MAX; i++)
		port->timers_ns[i] = ROCE_NEVER;
	roce_config_default(&port->cfg);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_init);

/* Is there room for one more packet to wait? */
static enum roce_verdict roce_port_check_limits(const struct roce_port *port, u8 id, u32 wire_bytes)
{
	u32 limit = port->cfg.prio[id].limit_bytes;

	if (limit && port->prio[id].bytes + wire_bytes > limit)
		return ROCE_DROP_LIMIT;
	if (port->bytes + wire_bytes > port->cfg.limit_bytes)
		return ROCE_DROP_PORT_LIMIT;
	return ROCE_ACCEPTED;
}

/* Fill in what the port knows of an arriving packet. */
static void roce_port_classify(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u8 class = roce_class(skb);

	memset(cb, 0, sizeof(*cb));
	cb->time_ns = now_ns;
	cb->wire_bytes = roce_wire_bytes(skb, port->cfg.overhead);
	cb->prio = roce_class_prio(class, port->cfg.dscp_prio);
	cb->features = port->features ? port->by_class[class] : 0;

	if (port->sw->shared) {
		const struct roce_port *in = roce_switch_ingress(port->sw, skb->skb_iif);

		if (in) {
			cb->in_slot = in->slot;
			cb->in_prio = roce_class_prio(class, in->cfg.dscp_prio);
		}
	}
}

/**
 * roce_port_reclass() - a feature has given an arriving packet another DSCP
 * @port: port that it has come to
 * @skb: packet
 *
 * From now on it is of that priority here. What it came in as it stays. To be called
 * from a feature's arrive that goes on; features behind it hear of it as of the new
 * class.
 */
void roce_port_reclass(struct roce_port *port, struct sk_buff *skb)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u8 class = roce_class(skb);

	cb->prio = roce_class_prio(class, port->cfg.dscp_prio);
	cb->features = port->by_class[class];
}
EXPORT_SYMBOL_GPL(roce_port_reclass);

/* Is the packet charged to the port that it came in by? */
static bool roce_port_is_lossless(const struct roce_port *port, const struct sk_buff *skb)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);

	return cb->in_slot && port->sw->slots[cb->in_slot]->cfg.prio[cb->in_prio].lossless;
}

/* Is its priority in a storm in which packets are lost? */
static bool roce_port_in_storm(struct roce_port *port, u8 id, u64 now_ns)
{
	struct roce_time now = { .ns = now_ns };

	return port->pfc.storm & BIT(id) &&
	       port->cfg.pfc_watchdog_action == TC_ROCE_WATCHDOG_DROP &&
	       roce_pause_blocks(port, id, now);
}

/* May @skb stay? Then it is charged to the switch's buffer. */
static enum roce_verdict roce_port_charge(struct roce_port *port, struct sk_buff *skb, bool waits,
					  u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	bool lossless = roce_port_is_lossless(port, skb);
	enum roce_verdict verdict;

	if (unlikely(port->pfc.storm) && roce_port_in_storm(port, cb->prio, now_ns))
		return ROCE_DROP_WATCHDOG;
	if (waits && !lossless) {
		verdict = roce_port_check_limits(port, cb->prio, cb->wire_bytes);
		if (verdict != ROCE_ACCEPTED)
			return verdict;
	}
	if (port->sw->shared && !roce_xoff_charge(port, skb, lossless, now_ns))
		return lossless ? ROCE_DROP_HEADROOM : ROCE_DROP_BUFFER;

	if (waits && unlikely(roce_hooked(port, skb, ROCE_HOOK_ENQUEUE))) {
		verdict = roce_features_enqueue(port, skb, now_ns);
		if (verdict != ROCE_ACCEPTED)
			roce_xoff_release(port, skb, now_ns);
		return verdict;
	}
	return ROCE_ACCEPTED;
}

/* A packet that has been looked at waits, is sent, or is refused.
 *
 * A charge may make this very port ask for a pause; its line is then busy with
 * the PFC frame, and the packet waits.
 */
static enum roce_verdict roce_port_enqueue(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	struct roce_time now = { .ns = now_ns };
	enum roce_verdict verdict;
	bool waits;

	trace_roce_enqueue(port, skb, now_ns);

	waits = port->sending || unlikely(port->stalled) ||
		(unlikely(port->pfc.paused) &&
		 roce_pause_blocks(port, roce_skb_cb(skb)->prio, now));
	verdict = roce_port_charge(port, skb, waits, now_ns);
	if (unlikely(verdict != ROCE_ACCEPTED))
		;
	else if (waits || port->sending)
		roce_queue_add(port, skb, now_ns);
	else
		roce_line_start(port, skb, now);

	roce_event_changed(port);
	return verdict;
}

/* A packet has been looked at: it waits, is sent, or is refused and counted. */
static enum roce_verdict roce_port_admit(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	enum roce_verdict verdict;

	verdict = roce_port_enqueue(port, skb, now_ns);
	if (unlikely(verdict != ROCE_ACCEPTED)) {
		roce_queue_count_drop(port, skb, now_ns, verdict);
		return verdict;
	}
	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_ARRIVED)))
		roce_features_arrived(port, skb, now_ns);
	return ROCE_ACCEPTED;
}

/* It stays in the switch, but is no longer the kernel's to count. Its device's
 * next dequeue frees it: the caller has yet to use the pointer.
 */
static enum roce_verdict roce_port_consume(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	roce_skb_cb(skb)->flags |= ROCE_SKB_EATEN;
	roce_line_kill(port, skb, now_ns);
	return ROCE_CONSUMED;
}

/* As if the packet had been sent to @out. A feature may have changed its DSCP, but what
 * it came in as it stays: that is what its sender can be stopped by.
 */
static enum roce_verdict roce_port_redirect(struct roce_port *out, struct sk_buff *skb, u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	u8 in_prio = cb->in_prio;
	enum roce_verdict verdict;

	roce_port_classify(out, skb, now_ns);
	cb->in_prio = in_prio;
	cb->flags |= ROCE_SKB_MOVED;
	skb->dev = out->dev;
	skb_set_queue_mapping(skb, 0);
	verdict = roce_port_admit(out, skb, now_ns);
	if (verdict != ROCE_ACCEPTED)
		return verdict;
	roce_event_kick(out);
	return ROCE_REDIRECTED;
}

/* A feature has a say before the port has. */
static enum roce_verdict roce_port_offer(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	struct roce_port *out = NULL;
	enum roce_verdict verdict;

	verdict = roce_features_arrive(port, skb, &out, now_ns);
	switch (verdict) {
	case ROCE_ACCEPTED:
		return roce_port_admit(port, skb, now_ns);
	case ROCE_CONSUMED:
		return roce_port_consume(port, skb, now_ns);
	case ROCE_REDIRECTED:
		return roce_port_redirect(out, skb, now_ns);
	default:
		roce_queue_count_drop(port, skb, now_ns, verdict);
		return verdict;
	}
}

/**
 * roce_port_arrive - a packet comes to the port
 * @port: port
 * @skb: packet as it will be sent, at its Ethernet header
 * @now_ns: present time
 *
 * On an idle line a packet starts at once, unless its priority is paused, and
 * never counts as queued, so that the limits do not apply to it and it meets
 * an empty queue. It takes its place in the switch's buffer all the same.
 *
 * Return: %ROCE_ACCEPTED; %ROCE_CONSUMED or %ROCE_REDIRECTED when it is the
 * switch's but not the port's to count; or why the packet was refused and
 * counted: then it stays the caller's.
 */
enum roce_verdict roce_port_arrive(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	roce_switch_advance(port->sw, now_ns);
	roce_port_classify(port, skb, now_ns);
	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_ARRIVE)))
		return roce_port_offer(port, skb, now_ns);
	return roce_port_admit(port, skb, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_arrive);

/**
 * roce_port_inject() - have the port send a packet of the switch's own
 * @port: port that is not mute
 * @skb: packet, at its Ethernet header, with its device, pkt_len and protocol
 * @now_ns: present time
 *
 * It is treated like any other, but the kernel does not count it, and it does
 * not come to the features' arrive. To be called when no port is in the middle of
 * something: from a feature's arrived or timer.
 *
 * Return: true; or false when it was refused, and stays the caller's. It does
 * not count as a drop then.
 */
bool roce_port_inject(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	/* A timer's packet: all before it has been done. */
	if (!port->sw->replaying)
		roce_switch_advance(port->sw, now_ns);
	roce_port_classify(port, skb, now_ns);
	roce_skb_cb(skb)->flags |= ROCE_SKB_REPLY;
	if (roce_port_enqueue(port, skb, now_ns) != ROCE_ACCEPTED)
		return false;
	roce_event_kick(port);
	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_ARRIVED)))
		roce_features_arrived(port, skb, now_ns);
	return true;
}
EXPORT_SYMBOL_GPL(roce_port_inject);

/**
 * roce_port_refused - count a packet that never became sendable
 * @port: port
 * @skb: packet, the caller's
 * @now_ns: present time
 */
void roce_port_refused(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	roce_port_classify(port, skb, now_ns);
	roce_queue_count_drop(port, skb, now_ns, ROCE_DROP_OTHER);
}

/**
 * roce_port_deliver - take a packet off the far end of the wire
 * @port: port
 * @now_ns: present time
 *
 * Return: the next packet that has arrived by now, or NULL.
 */
struct sk_buff *roce_port_deliver(struct roce_port *port, u64 now_ns)
{
	struct roce_skb_cb *cb;
	struct sk_buff *skb;
	u64 due_ns;

	roce_switch_advance(port->sw, now_ns);

	due_ns = port->due_ns;
	if (due_ns > now_ns)
		return NULL;
	skb = __qdisc_dequeue_head(&port->wire);
	cb = roce_skb_cb(skb);
	port->wire_bytes -= cb->wire_bytes;
	port->due_ns = port->wire.head ? cb->time_ns : ROCE_NEVER;
	cb->time_ns = due_ns;
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_deliver);

/**
 * roce_port_pop_dead - take the packets lost after they had been accepted
 * @port: port
 *
 * Return: them, an empty list if there are none.
 */
struct qdisc_skb_head roce_port_pop_dead(struct roce_port *port)
{
	struct qdisc_skb_head dead = port->dead;

	memset(&port->dead, 0, sizeof(port->dead));
	return dead;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_pop_dead);

/* How long the line has been sending, the rest of the present packet too. */
static struct roce_time roce_port_busy(const struct roce_port *port)
{
	struct roce_time busy = roce_serial_sum(port->cfg.rate_bps,
						port->tx_wire_bytes - port->busy_bytes);

	roce_time_add(&busy, port->busy, port->cfg.rate_bps);
	return busy;
}

/* What a change means for pauses that hold. */
static void roce_port_set_pauses(struct roce_port *port, const struct roce_config *cfg, u64 now_ns)
{
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		roce_time_rescale(&port->prio[id].pause.until, port->cfg.rate_bps, cfg->rate_bps);
		if (!cfg->prio[id].lossless || !cfg->pfc_obey)
			roce_pause_forget(port, id, now_ns);
		if (!cfg->prio[id].lossless)
			roce_xoff_resume(port, id, now_ns);
	}
	/* Storms are looked for anew, by the new rules. */
	if (cfg->pfc_watchdog_ns == port->cfg.pfc_watchdog_ns &&
	    cfg->pfc_watchdog_action == port->cfg.pfc_watchdog_action)
		return;
	port->pfc.storm = 0;
	for (id = 0; id < TC_ROCE_PRIOS; id++)
		port->prio[id].pause.storm_end_ns = 0;
}

/* The link goes down. What the line is sending is lost at its end, as what comes after it. */
static void roce_port_cut(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	int id;

	while ((skb = __qdisc_dequeue_head(&port->wire))) {
		if (skb == port->sending) {
			roce_skb_cb(skb)->flags |= ROCE_SKB_LOST;
			break;
		}
		roce_loss_count(port, skb, ROCE_LOST_DOWN, now_ns);
		roce_line_kill(port, skb, now_ns);
	}
	port->lost_why = ROCE_LOST_DOWN;
	port->wire_bytes = 0;
	port->due_ns = ROCE_NEVER;
	port->last_due_ns = 0;
	for (id = 0; id < TC_ROCE_PRIOS; id++)
		roce_pause_forget(port, id, now_ns);
	port->pfc.count = 0;
}

/* What a change means for the cable. */
static void roce_port_set_link(struct roce_port *port, bool was_down, u64 now_ns)
{
	bool down = port->cfg.link == TC_ROCE_LINK_DOWN;

	roce_loss_set(&port->loss, port->cfg.loss_ppb, port->cfg.seed);
	port->lossy = down || port->cfg.loss_ppb;
	if (down && !was_down)
		roce_port_cut(port, now_ns);
	else if (was_down && !down)
		roce_xoff_repeat(port);
}

/**
 * roce_port_set_config - put a validated configuration into force
 * @port: port
 * @cfg: configuration, copied
 * @now_ns: present time
 *
 * What has been decided stays: the packet being sent ends when it would have,
 * packets on the wire arrive when they would have unless the link goes down, packets that wait keep
 * their priority, length and account, also above a lower limit; a pause ends
 * when it would have.
 */
void roce_port_set_config(struct roce_port *port, const struct roce_config *cfg, u64 now_ns)
{
	bool was_down = port->cfg.link == TC_ROCE_LINK_DOWN;
	struct roce_time now = { .ns = now_ns };

	roce_switch_advance(port->sw, now_ns);
	roce_port_set_pauses(port, cfg, now_ns);
	roce_time_rescale(&port->line_free, port->cfg.rate_bps, cfg->rate_bps);
	port->busy = roce_port_busy(port);
	port->busy_bytes = port->tx_wire_bytes;
	roce_time_rescale(&port->busy, port->cfg.rate_bps, cfg->rate_bps);
	port->cfg = *cfg;
	port->stalled = cfg->stall;
	roce_dwrr_set_weights(port);
	roce_port_set_link(port, was_down, now_ns);
	roce_pause_set_watchdog(port);
	roce_features_changed(port, now_ns);
	roce_line_poke(port, now);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_set_config);

/**
 * roce_port_busy_ns - how long the line has been sending
 * @port: port, advanced to now
 * @now_ns: present time
 *
 * Worked out from the bytes: packets need not add it up.
 *
 * Return: busy time up to now, rounded down to ns.
 */
u64 roce_port_busy_ns(const struct roce_port *port, u64 now_ns)
{
	struct roce_time busy = roce_port_busy(port);

	if (port->sending) {
		struct roce_time rest = port->line_free;

		rest.ns -= now_ns;
		roce_time_sub(&busy, rest, port->cfg.rate_bps);
	}
	return busy.ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_busy_ns);

/* Every packet is lost; features no longer know those that have departed. */
static void roce_port_lose_all(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		while (port->prio[id].queue.head) {
			skb = roce_queue_pop(port, id, now_ns);
			roce_line_lose(port, skb, true, now_ns);
		}
	}
	if (port->sending && roce_skb_cb(port->sending)->flags & ROCE_SKB_LOST)
		roce_line_lose(port, port->sending, false, now_ns);
	while ((skb = __qdisc_dequeue_head(&port->wire))) {
		if (skb == port->sending)
			roce_line_lose(port, skb, false, now_ns);
		else
			roce_line_kill(port, skb, now_ns);
	}
	port->wire_bytes = 0;
	port->due_ns = ROCE_NEVER;
}

/* No pause holds or is to be told any more. */
static void roce_port_purge_pfc(struct roce_port *port, u64 now_ns)
{
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++)
		roce_pause_forget(port, id, now_ns);
	port->pfc.count = 0;
	roce_xoff_repeat(port);
}

/**
 * roce_port_purge - lose all packets, go idle, keep configuration and counters
 * @port: port
 * @now_ns: present time
 *
 * As when the cable is pulled. The packets go to port->dead. What came in
 * through this port and waits at others stays charged to it, and in XOFF if it
 * is: the peer is told again when there is one.
 */
void roce_port_purge(struct roce_port *port, u64 now_ns)
{
	bool down = port->down;

	roce_switch_advance(port->sw, now_ns);
	if (port->sending) {
		struct roce_time rest = port->line_free;

		rest.ns -= now_ns;
		roce_time_sub(&port->busy, rest, port->cfg.rate_bps);
	}

	/* Losses may let this port's peer resume: not through this line. */
	port->down = true;
	roce_port_lose_all(port, now_ns);
	port->sending = NULL;
	memset(&port->line_free, 0, sizeof(port->line_free));
	port->last_due_ns = 0;
	roce_port_purge_pfc(port, now_ns);
	port->down = down;
	roce_event_changed(port);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_purge);
