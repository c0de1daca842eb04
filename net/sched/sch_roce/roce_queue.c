// SPDX-License-Identifier: GPL-2.0
/*
 * The port model: queues, line and wire.
 *
 * A packet waits in the queue of its priority, then the line sends it, then
 * it propagates. Only deliveries need a timer. What happens in between is
 * worked out when somebody looks: roce_port_advance() replays every decision
 * up to now at the exact instant at which it fell due, and each caller looks
 * before it changes anything. So it makes no difference how late or how often
 * the softirq ran.
 *
 * Rule for ties: the line, becoming free at T, chooses among the packets that
 * came strictly before T; when there are none, the first to come afterwards
 * (at T included) starts on arrival. Events of one nanosecond are then
 * ordered by the order of the calls, as the stack made them.
 *
 * Context of everything here: qdisc root lock held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "roce_class.h"
#include "roce_port.h"

#define CREATE_TRACE_POINTS
#include "roce_trace.h"

#define ROCE_AREA_UNIT	(1024ULL * NSEC_PER_USEC)	/* byte * ns */

/* Add the time since the last change of the queue to its integral. */
static void roce_area_update(struct roce_area *area, u64 bytes, u64 now_ns)
{
	u64 span = now_ns - area->since_ns;

	area->since_ns = now_ns;
	while (bytes && span) {
		/* A queue is below 2^32 bytes: a step adds less than 2^61. */
		u64 step = min_t(u64, span, 1ULL << 29);

		if (area->byte_ns >> 61) {
			area->units += div64_u64_rem(area->byte_ns,
						     ROCE_AREA_UNIT,
						     &area->byte_ns);
		}
		area->byte_ns += bytes * step;
		span -= step;
	}
}

/**
 * roce_area_units - read the time integral of a queue
 * @area: integral
 * @bytes: present length of the queue
 * @now_ns: present time
 *
 * Return: integral up to now in KiB * us.
 */
u64 roce_area_units(struct roce_area *area, u64 bytes, u64 now_ns)
{
	roce_area_update(area, bytes, now_ns);
	return area->units + div64_u64(area->byte_ns, ROCE_AREA_UNIT);
}
EXPORT_SYMBOL_IF_KUNIT(roce_area_units);

/**
 * roce_port_seed - restart the random numbers from cfg.seed
 * @port: port
 *
 * The generator's first numbers after a small seed are small: skip them.
 */
void roce_port_seed(struct roce_port *port)
{
	int i;

	prandom_seed_state(&port->rnd, port->cfg.seed);
	for (i = 0; i < 16; i++)
		prandom_u32_state(&port->rnd);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_seed);

/**
 * roce_port_init - an idle port with the default configuration
 * @port: zeroed memory
 * @dev: netdev, or NULL in tests
 */
void roce_port_init(struct roce_port *port, struct net_device *dev)
{
	port->dev = dev;
	roce_config_default(&port->cfg);
	roce_port_seed(port);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_init);

/* Mark @skb or not, by the length of its queue. */
static void roce_port_ecn(struct roce_port *port, struct sk_buff *skb,
			  u64 queue_bytes, u64 at_ns)
{
	u8 id = roce_skb_cb(skb)->prio;
	struct roce_prio_stats *stats = &port->prio[id].stats;
	u64 threshold;

	threshold = roce_ecn_threshold(&port->cfg.prio[id].ramp, queue_bytes);
	if (!threshold)
		return;
	if (threshold < ROCE_ECN_ALWAYS &&
	    prandom_u32_state(&port->rnd) >= threshold)
		return;

	switch (roce_ecn_set_ce(skb)) {
	case ROCE_ECN_MARKED:
		stats->ecn_marked++;
		trace_roce_mark(port, skb, at_ns, queue_bytes);
		break;
	case ROCE_ECN_NOT_ECT:
		stats->ecn_not_ect++;
		break;
	case ROCE_ECN_NOMEM:
		stats->ecn_nomem++;
		break;
	case ROCE_ECN_WAS_CE:
		break;
	}
}

/* The line begins to send @skb at @start. */
static void roce_port_start(struct roce_port *port, struct sk_buff *skb,
			    struct roce_time start)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_prio_stats *stats = &port->prio[cb->prio].stats;
	u64 arrival_ns = cb->time_ns;
	struct roce_time span;
	u64 due_ns;

	span = roce_serial_span(port->cfg.rate_bps, cb->wire_bytes);
	roce_time_add(&port->busy, span, port->cfg.rate_bps);
	port->line_free = start;
	roce_time_add(&port->line_free, span, port->cfg.rate_bps);

	/* A wire keeps its order, also when the delay has been shortened. */
	due_ns = roce_time_ceil(&port->line_free) + port->cfg.delay_ns;
	due_ns = max(due_ns, port->last_due_ns);
	port->last_due_ns = due_ns;
	cb->time_ns = due_ns;

	__qdisc_enqueue_tail(skb, &port->wire);
	port->sending = skb;
	stats->tx_packets++;
	stats->tx_wire_bytes += cb->wire_bytes;
	trace_roce_dequeue(port, skb, arrival_ns, roce_time_ceil(&start));
}

/* The line is free at line_free: send the head of the highest priority. */
static void roce_port_start_next(struct roce_port *port)
{
	u8 id = __fls(port->backlog);
	struct roce_prio *prio = &port->prio[id];
	u64 at_ns = roce_time_ceil(&port->line_free);
	struct sk_buff *skb;
	u32 wire_bytes;

	skb = __qdisc_dequeue_head(&prio->queue);
	wire_bytes = roce_skb_cb(skb)->wire_bytes;

	roce_area_update(&prio->area, prio->bytes, at_ns);
	prio->bytes -= wire_bytes;
	port->bytes -= wire_bytes;
	port->owned -= !!skb->destructor;
	if (!prio->queue.head)
		__clear_bit(id, &port->backlog);

	if (port->cfg.prio[id].ecn == TC_ROCE_ECN_DEQUEUE)
		roce_port_ecn(port, skb, prio->bytes, at_ns);
	roce_port_start(port, skb, port->line_free);
}

/**
 * roce_port_advance - replay everything that fell due
 * @port: port
 * @now_ns: present time, never before that of an earlier call
 *
 * When a packet has left the port its sender hears of it, as from a NIC's
 * transmit completion: what is on the wire does not count as the sender's.
 */
void roce_port_advance(struct roce_port *port, u64 now_ns)
{
	while (roce_time_ceil(&port->line_free) <= now_ns) {
		if (port->sending) {
			skb_orphan(port->sending);
			port->sending = NULL;
		}
		if (!port->backlog)
			break;
		roce_port_start_next(port);
	}
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_advance);

/* Is there room for one more packet to wait? */
static enum roce_verdict roce_port_admit(const struct roce_port *port, u8 id,
					 u32 wire_bytes)
{
	u32 limit = port->cfg.prio[id].limit_bytes;

	if (limit && port->prio[id].bytes + wire_bytes > limit)
		return ROCE_DROP_LIMIT;
	if (port->bytes + wire_bytes > port->cfg.limit_bytes)
		return ROCE_DROP_PORT_LIMIT;
	return ROCE_ACCEPTED;
}

static void roce_port_count_drop(struct roce_port *port,
				 const struct sk_buff *skb, u64 now_ns,
				 enum roce_verdict verdict)
{
	struct roce_prio_stats *stats =
		&port->prio[roce_skb_cb(skb)->prio].stats;

	switch (verdict) {
	case ROCE_DROP_LIMIT:
		stats->drop_limit++;
		break;
	case ROCE_DROP_PORT_LIMIT:
		stats->drop_port_limit++;
		break;
	default:
		stats->drop_other++;
		break;
	}
	trace_roce_drop(port, skb, now_ns, verdict);
}

/* @skb has to wait. */
static void roce_port_enqueue(struct roce_port *port, struct sk_buff *skb,
			      u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_prio *prio = &port->prio[cb->prio];

	if (port->cfg.prio[cb->prio].ecn == TC_ROCE_ECN_ENQUEUE)
		roce_port_ecn(port, skb, prio->bytes, now_ns);

	roce_area_update(&prio->area, prio->bytes, now_ns);
	__qdisc_enqueue_tail(skb, &prio->queue);
	__set_bit(cb->prio, &port->backlog);
	prio->bytes += cb->wire_bytes;
	port->bytes += cb->wire_bytes;
	port->owned += !!skb->destructor;
	if (prio->bytes > prio->stats.peak_bytes)
		prio->stats.peak_bytes = prio->bytes;
}

/**
 * roce_port_arrive - a packet comes to the port
 * @port: port
 * @skb: packet as it will be sent, at its Ethernet header
 * @now_ns: present time
 *
 * On an idle line a packet starts at once and never counts as queued, so the
 * limits do not apply to it and it meets an empty queue.
 *
 * Return: %ROCE_ACCEPTED, or why the packet was refused and counted; a
 * refused packet stays the caller's.
 */
enum roce_verdict roce_port_arrive(struct roce_port *port, struct sk_buff *skb,
				   u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	enum roce_verdict verdict;

	roce_port_advance(port, now_ns);

	cb->time_ns = now_ns;
	cb->wire_bytes = roce_wire_bytes(skb, port->cfg.overhead);
	cb->prio = roce_classify(skb, port->cfg.dscp_prio);
	trace_roce_enqueue(port, skb, now_ns);

	if (!port->sending) {
		struct roce_time start = { .ns = now_ns };

		roce_port_start(port, skb, start);
		return ROCE_ACCEPTED;
	}

	verdict = roce_port_admit(port, cb->prio, cb->wire_bytes);
	if (verdict == ROCE_ACCEPTED)
		roce_port_enqueue(port, skb, now_ns);
	else
		roce_port_count_drop(port, skb, now_ns, verdict);
	return verdict;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_arrive);

/**
 * roce_port_refused - count a packet that never became sendable
 * @port: port
 * @skb: packet, the caller's
 * @now_ns: present time
 */
void roce_port_refused(struct roce_port *port, const struct sk_buff *skb,
		       u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);

	cb->wire_bytes = roce_wire_bytes(skb, port->cfg.overhead);
	cb->prio = roce_classify(skb, port->cfg.dscp_prio);
	roce_port_count_drop(port, skb, now_ns, ROCE_DROP_OTHER);
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
	struct sk_buff *skb;

	roce_port_advance(port, now_ns);

	skb = port->wire.head;
	if (!skb || roce_skb_cb(skb)->time_ns > now_ns)
		return NULL;
	return __qdisc_dequeue_head(&port->wire);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_deliver);

/**
 * roce_port_next_event - when the port must be looked at again
 * @port: port, advanced to now
 *
 * That is the next delivery; and, while a sender waits to hear that its
 * packet has left, the end of the present transmission.
 *
 * Return: time in ns, or %ROCE_NEVER.
 */
u64 roce_port_next_event(const struct roce_port *port)
{
	u64 next_ns;

	if (!port->wire.head)
		return ROCE_NEVER;

	next_ns = roce_skb_cb(port->wire.head)->time_ns;
	if (port->sending && (port->sending->destructor || port->owned))
		next_ns = min(next_ns, roce_time_ceil(&port->line_free));
	return next_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_next_event);

/**
 * roce_port_set_config - put a validated configuration into force
 * @port: port
 * @cfg: configuration, copied
 * @now_ns: present time
 *
 * What has been decided stays: the packet being sent ends when it would have,
 * packets on the wire arrive when they would have, packets that wait keep
 * their priority and length, also above a lower limit.
 */
void roce_port_set_config(struct roce_port *port, const struct roce_config *cfg,
			  u64 now_ns)
{
	bool reseed = cfg->seed != port->cfg.seed;

	roce_port_advance(port, now_ns);
	roce_time_rescale(&port->line_free, port->cfg.rate_bps, cfg->rate_bps);
	roce_time_rescale(&port->busy, port->cfg.rate_bps, cfg->rate_bps);
	port->cfg = *cfg;
	if (reseed)
		roce_port_seed(port);
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_set_config);

/**
 * roce_port_busy_ns - how long the line has been sending
 * @port: port, advanced to now
 * @now_ns: present time
 *
 * Return: busy time up to now, rounded down to ns.
 */
u64 roce_port_busy_ns(const struct roce_port *port, u64 now_ns)
{
	struct roce_time busy = port->busy;

	if (port->sending) {
		struct roce_time rest = port->line_free;

		rest.ns -= now_ns;
		roce_time_sub(&busy, rest, port->cfg.rate_bps);
	}
	return busy.ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_busy_ns);

static void roce_purge_list(struct qdisc_skb_head *list,
			    void (*drop)(struct sk_buff *head,
					 struct sk_buff *tail))
{
	if (list->head)
		drop(list->head, list->tail);
	memset(list, 0, sizeof(*list));
}

/**
 * roce_port_purge - lose all packets, go idle, keep configuration and counters
 * @port: port
 * @now_ns: present time
 * @drop: frees a list of packets linked by skb->next
 */
void roce_port_purge(struct roce_port *port, u64 now_ns,
		     void (*drop)(struct sk_buff *head, struct sk_buff *tail))
{
	int i;

	roce_port_advance(port, now_ns);
	if (port->sending) {
		struct roce_time rest = port->line_free;

		rest.ns -= now_ns;
		roce_time_sub(&port->busy, rest, port->cfg.rate_bps);
	}
	port->sending = NULL;
	memset(&port->line_free, 0, sizeof(port->line_free));
	port->last_due_ns = 0;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		struct roce_prio *prio = &port->prio[i];

		roce_area_update(&prio->area, prio->bytes, now_ns);
		prio->bytes = 0;
		roce_purge_list(&prio->queue, drop);
	}
	roce_purge_list(&port->wire, drop);
	port->backlog = 0;
	port->bytes = 0;
	port->owned = 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_port_purge);
