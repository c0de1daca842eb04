// SPDX-License-Identifier: GPL-2.0
/*
 * Transmission on the line of a port: which packet it sends next and at which exact instant.
 *
 * The line knows one instant at which something happens by itself
 * (roce_event_next_ns()) and what happens then (roce_line_step()): the end of a
 * transmission, the end of a pause, a received PFC frame that takes effect,
 * a pause of its own that must be sent again, a storm. Whoever looks calls
 * them until nothing more is due. So there is no state "the timer should have
 * done this by now", and it makes no difference how late or how often the
 * softirq ran.
 *
 * Within one nanosecond this is the order: end of transmission, end of a
 * pause, received frames, refresh, storm, features' timers; and all of it before
 * a call made in that nanosecond. An instant is exact, with its remainder; when the line
 * becomes free at 99.6 ns the next packet starts at 99.6 and not at 100.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/mm.h>
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
 * roce_line_kill - lose a packet that had been accepted
 * @port: port
 * @skb: packet, in no list
 * @at_ns: when
 *
 * Only the next dequeue frees it: what the kernel counts of a qdisc changes
 * under its root lock alone.
 */
void roce_line_kill(struct roce_port *port, struct sk_buff *skb, u64 at_ns)
{
	bool first = !port->dead.head;

	roce_xoff_release(port, skb, at_ns);
	__qdisc_enqueue_tail(skb, &port->dead);
	if (first)
		roce_event_kick(port);
}

/**
 * roce_line_lose - lose a packet that features have been told has arrived
 * @port: port
 * @skb: packet, in no list, not departed
 * @waited: it comes from its queue
 * @at_ns: when
 */
void roce_line_lose(struct roce_port *port, struct sk_buff *skb, bool waited, u64 at_ns)
{
	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_LOST)))
		roce_features_lost(port, skb, waited, at_ns);
	roce_line_kill(port, skb, at_ns);
}

/* What a port that was told nothing lets be under way. */
static u64 roce_wire_auto_bytes __read_mostly = TC_ROCE_WIRE_AUTO;

/**
 * roce_wire_setup - how much memory the packets on a wire may take
 *
 * Before there are ports.
 */
void roce_wire_setup(void)
{
	u64 memory_bytes = (u64)totalram_pages() << PAGE_SHIFT;

	roce_wire_auto_bytes = min(TC_ROCE_WIRE_AUTO, memory_bytes / 8);
}

/* Has the wire room for one more? An empty one has. The line itself lets no more onto
 * it than it sends in the delay, which is ten seconds at most: the limit is for the
 * memory of this machine.
 */
static bool roce_wire_has_room(const struct roce_port *port, u32 wire_bytes)
{
	u64 bytes = port->cfg.wire_bytes ?: roce_wire_auto_bytes;
	u64 packets = port->cfg.wire_packets ?: roce_wire_auto_bytes / TC_ROCE_WIRE_PACKET;

	return !port->wire.head || (port->wire_bytes + wire_bytes <= bytes &&
				    port->wire.qlen < packets);
}

/* The packet in front is the one that the line has just sent, if there has been no pause: it is
 * still in the caches.
 */
static void roce_wire_add(struct roce_port *port, struct sk_buff *skb, u64 due_ns)
{
	if (port->wire.head)
		roce_skb_cb(port->wire.tail)->time_ns = due_ns;
	else
		port->due_ns = due_ns;
	__qdisc_enqueue_tail(skb, &port->wire);
	port->wire_bytes += roce_skb_cb(skb)->wire_bytes;
}

/**
 * roce_line_transmit - occupy the line with a packet, then the wire
 * @port: port whose line is free
 * @skb: packet
 * @start: when its first bit goes out
 *
 * A packet that will be lost, also because the wire is full, the line sends all the same.
 */
void roce_line_transmit(struct roce_port *port, struct sk_buff *skb, struct roce_time start)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_time span;
	u64 due_ns;

	span = roce_serial_span(port->cfg.rate_bps, cb->wire_bytes);
	port->line_free = start;
	roce_time_add(&port->line_free, span, port->cfg.rate_bps);

	/* A wire keeps its order, also when the delay has been shortened. */
	due_ns = roce_time_ceil(&port->line_free) + port->cfg.delay_ns;
	due_ns = max(due_ns, port->last_due_ns);
	port->last_due_ns = due_ns;

	if (unlikely(port->lossy) && roce_loss_takes(port)) {
		cb->flags |= ROCE_SKB_LOST;
	} else if (likely(roce_wire_has_room(port, cb->wire_bytes))) {
		roce_wire_add(port, skb, due_ns);
	} else {
		cb->flags |= ROCE_SKB_LOST;
		port->lost_why = ROCE_LOST_WIRE_FULL;
	}
	port->sending = skb;
	port->tx_wire_bytes += cb->wire_bytes;
}

/**
 * roce_line_left_bytes - what the line has not sent yet of the present packet
 * @port: port, advanced to now
 * @now_ns: present time
 *
 * Return: wire bytes, rounded up.
 */
u32 roce_line_left_bytes(const struct roce_port *port, u64 now_ns)
{
	u64 rate_bps = port->cfg.rate_bps;
	struct roce_time left;

	if (!port->sending)
		return 0;
	left = port->line_free;
	left.ns -= now_ns;
	return min_t(u64, roce_serial_bytes(rate_bps, left),
		     roce_skb_cb(port->sending)->wire_bytes);
}
EXPORT_SYMBOL_IF_KUNIT(roce_line_left_bytes);

/**
 * roce_line_start - the line begins to send a data packet
 * @port: port whose line is free
 * @skb: packet, no longer in its queue
 * @start: when
 */
void roce_line_start(struct roce_port *port, struct sk_buff *skb, struct roce_time start)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_prio_stats *stats = &port->prio[cb->prio].stats;
	u64 arrival_ns = cb->time_ns;

	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_START)))
		roce_features_start(port, skb, roce_time_ceil(&start));

	roce_line_transmit(port, skb, start);
	if (unlikely(port->weighted & BIT(cb->prio)))
		roce_dwrr_sent(port, cb->prio, cb->wire_bytes);
	stats->tx_packets++;
	stats->tx_wire_bytes += cb->wire_bytes;
	trace_roce_dequeue(port, skb, arrival_ns, roce_time_ceil(&start));
}

/* A feature refuses a packet that is to be sent. */
static void roce_line_refuse(struct roce_port *port, struct sk_buff *skb,
			     enum roce_verdict verdict, u64 at_ns)
{
	roce_queue_count_drop(port, skb, at_ns, verdict);
	roce_line_lose(port, skb, false, at_ns);
}

/* Take the head of a queue; it is sent, unless a feature refuses it. */
static void roce_line_start_head(struct roce_port *port, u8 id, struct roce_time start)
{
	struct sk_buff *skb = roce_queue_pop(port, id, roce_time_ceil(&start));
	enum roce_verdict verdict;

	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_DEQUEUE))) {
		verdict = roce_features_dequeue(port, skb, roce_time_ceil(&start));
		if (verdict != ROCE_ACCEPTED) {
			roce_line_refuse(port, skb, verdict, roce_time_ceil(&start));
			return;
		}
	}
	roce_line_start(port, skb, start);
}

/* Priorities that wait and are not paused. A stalled port has none; pauses end all the same. */
static unsigned long roce_line_ready(struct roce_port *port, struct roce_time at)
{
	unsigned long ready = port->backlog;
	unsigned long paused = ready & port->pfc.paused;
	int id;

	for_each_set_bit(id, &paused, TC_ROCE_PRIOS) {
		if (roce_pause_blocks(port, id, at))
			__clear_bit(id, &ready);
	}
	return likely(!port->stalled) ? ready : 0;
}

/* Of priorities that may send: the highest strict one, else the weighted one whose turn it is. */
static u8 roce_line_next(struct roce_port *port, unsigned long ready)
{
	unsigned long strict = ready & ~(unsigned long)port->weighted;

	return likely(strict) ? __fls(strict) : roce_dwrr_next(port, ready);
}

/* The line is free at @at: PFC first, then a priority. */
static void roce_line_choose(struct roce_port *port, struct roce_time at)
{
	unsigned long ready;

	if (unlikely(port->pfc.to_send) && roce_xoff_send(port, at))
		return;

	/* A loss at the head may let a peer resume, by way of this very line. */
	while (!port->sending && (ready = roce_line_ready(port, at)))
		roce_line_start_head(port, roce_line_next(port, ready), at);
}

/**
 * roce_line_poke - something may be sent that could not be sent before
 * @port: port
 * @at: since when
 */
void roce_line_poke(struct roce_port *port, struct roce_time at)
{
	if (!port->sending)
		roce_line_choose(port, at);
	roce_event_changed(port);
}

/* Let go of a packet that has left. Ports of other kinds may do so long after they
 * have sent it, so its destructor takes this for the departure only when the packet
 * bears the time. The time is taken off again, or a receiver might take it for one
 * of a device's clock. Clones share the field, so theirs stays as it is.
 */
static void roce_line_orphan(struct sk_buff *skb, u64 left_ns)
{
	bool tell = skb->destructor && !skb_cloned(skb);

	if (tell)
		skb_hwtstamps(skb)->hwtstamp = ns_to_ktime(left_ns);
	skb_orphan(skb);
	if (tell)
		skb_hwtstamps(skb)->hwtstamp = 0;
}

/* When a packet has left the port its sender hears of it, as from a NIC's
 * transmit completion: what is on the wire does not count as the sender's. The
 * line counts as busy until the release is through, because a peer that may
 * resume then must not have its frame started at a rounded time.
 */
static void roce_line_finish(struct roce_port *port)
{
	u64 left_ns = roce_time_ceil(&port->line_free);
	struct sk_buff *skb = port->sending;

	roce_xoff_release(port, skb, left_ns);
	if (unlikely(roce_hooked(port, skb, ROCE_HOOK_DEPART)))
		roce_features_depart(port, skb, left_ns);
	roce_line_orphan(skb, left_ns);
	port->sending = NULL;
	if (unlikely(roce_skb_cb(skb)->flags & ROCE_SKB_LOST)) {
		roce_loss_count(port, skb, port->lost_why, left_ns);
		roce_line_kill(port, skb, left_ns);
	}
}

/* The watchdog has found a storm. */
static void roce_line_storm(struct roce_port *port, u8 id, u64 at_ns)
{
	struct sk_buff *skb;

	if (!roce_pause_storm(port, id, at_ns))
		return;
	while (port->prio[id].queue.head) {
		skb = roce_queue_pop(port, id, at_ns);
		roce_queue_count_drop(port, skb, at_ns, ROCE_DROP_WATCHDOG);
		roce_line_lose(port, skb, true, at_ns);
	}
}

/* Find storms. */
static void roce_line_watchdog(struct roce_port *port, u64 at_ns)
{
	unsigned long waiting = port->backlog & port->pfc.paused;
	int id;

	for_each_set_bit(id, &waiting, TC_ROCE_PRIOS) {
		/* A loss above may have set the line going. */
		if (port->backlog & BIT(id) && roce_event_storm_ns(port, id) <= at_ns)
			roce_line_storm(port, id, at_ns);
	}
}

/**
 * roce_line_step - do what is due next
 * @port: port
 * @at_ns: roce_event_next_ns()
 *
 * The caller takes care of roce_event_changed().
 */
void roce_line_step(struct roce_port *port, u64 at_ns)
{
	struct roce_time at = { .ns = at_ns };

	if (port->sending && roce_time_ceil(&port->line_free) <= at_ns) {
		roce_line_finish(port);
		roce_line_choose(port, port->line_free);
		return;
	}
	if (!port->sending && roce_pause_expire(port, at_ns, &at)) {
		roce_line_choose(port, at);
		return;
	}
	if (unlikely(port->hooked[ROCE_HOOK_RESUME]))
		roce_pause_notice(port, at_ns);
	roce_pause_pending(port, at_ns);
	roce_xoff_refresh(port, at_ns);
	roce_line_watchdog(port, at_ns);
	if (!port->sending)
		roce_line_choose(port, at);
	if (unlikely(port->timer_ns <= at_ns))
		roce_features_timer(port, at_ns);
}
