// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port: add, take out, and count dropped packets. What waits and what is dropped
 * is decided in roce_port.c for packets that come, in roce_transmit.c for others.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "roce_queue_histogram.h"
#include "roce_port.h"
#include "roce_trace.h"

/**
 * roce_queue_add - have a packet wait
 * @port: port
 * @skb: packet, which is in the switch's buffer if there is one
 * @now_ns: present time
 */
void roce_queue_add(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	struct roce_skb_cb *cb = roce_skb_cb(skb);
	struct roce_prio *prio = &port->prio[cb->prio];

	roce_area_update(&prio->area, prio->bytes, now_ns);
	if (unlikely(port->hist))
		roce_hist_update(port->hist, port->bytes, now_ns);
	__qdisc_enqueue_tail(skb, &prio->queue);
	__set_bit(cb->prio, &port->backlog);
	prio->bytes += cb->wire_bytes;
	port->bytes += cb->wire_bytes;
	port->owned += !!skb->destructor;
	if (prio->bytes > prio->stats.peak_bytes)
		prio->stats.peak_bytes = prio->bytes;
}

/**
 * roce_queue_pop - take the first packet out of a queue
 * @port: port
 * @id: priority that has one
 * @at_ns: when
 *
 * Return: the packet.
 */
struct sk_buff *roce_queue_pop(struct roce_port *port, u8 id, u64 at_ns)
{
	struct roce_prio *prio = &port->prio[id];
	struct sk_buff *skb;
	u32 wire_bytes;

	skb = __qdisc_dequeue_head(&prio->queue);
	wire_bytes = roce_skb_cb(skb)->wire_bytes;

	roce_area_update(&prio->area, prio->bytes, at_ns);
	if (unlikely(port->hist))
		roce_hist_update(port->hist, port->bytes, at_ns);
	prio->bytes -= wire_bytes;
	port->bytes -= wire_bytes;
	port->owned -= !!skb->destructor;
	if (prio->queue.head) {
		roce_skb_prefetch(prio->queue.head);
	} else {
		__clear_bit(id, &port->backlog);
		if (unlikely(port->weighted & BIT(id)))
			roce_dwrr_emptied(port, id);
	}
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(roce_queue_pop);

/**
 * roce_queue_count_drop - count and trace a packet that is lost
 * @port: port
 * @skb: packet
 * @at_ns: when
 * @verdict: why
 */
void roce_queue_count_drop(struct roce_port *port, const struct sk_buff *skb,
			   u64 at_ns, enum roce_verdict verdict)
{
	struct roce_prio_stats *stats = &port->prio[roce_skb_cb(skb)->prio].stats;
	unsigned int reason = verdict - ROCE_DROP_LIMIT;

	/* A feature of another module may say what is no reason. */
	if (reason >= ARRAY_SIZE(stats->drop))
		reason = ROCE_DROP_OTHER - ROCE_DROP_LIMIT;
	stats->drop[reason]++;
	trace_roce_drop(port, skb, at_ns, verdict);
}
