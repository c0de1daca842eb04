/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of a port. The port works lazily, so an event may be recorded
 * after it happened: t_ns and the like are the model's times, CLOCK_MONOTONIC.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM roce

#if !defined(_ROCE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _ROCE_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include "roce_port.h"

TRACE_DEFINE_ENUM(ROCE_DROP_LIMIT);
TRACE_DEFINE_ENUM(ROCE_DROP_PORT_LIMIT);
TRACE_DEFINE_ENUM(ROCE_DROP_OTHER);

#define roce_show_drop(reason)				\
	__print_symbolic(reason,			\
		{ ROCE_DROP_LIMIT,	"limit" },	\
		{ ROCE_DROP_PORT_LIMIT,	"port_limit" },	\
		{ ROCE_DROP_OTHER,	"other" })

#ifndef _ROCE_TRACE_HELPERS
#define _ROCE_TRACE_HELPERS
/* Which port: interface numbers repeat in every network namespace. */
static inline int roce_trace_ifindex(const struct roce_port *port)
{
	return port->dev ? port->dev->ifindex : 0;
}

static inline unsigned int roce_trace_netns(const struct roce_port *port)
{
	return port->dev ? dev_net(port->dev)->ns.inum : 0;
}
#endif

TRACE_EVENT(roce_enqueue,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns),
	TP_ARGS(port, skb, t_ns),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, queue_bytes)
		__field(u64, port_bytes)
		__field(u32, wire_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
	),
	TP_fast_assign(
		const struct roce_skb_cb *cb = roce_skb_cb(skb);

		__entry->t_ns = t_ns;
		__entry->queue_bytes = port->prio[cb->prio].bytes;
		__entry->port_bytes = port->bytes;
		__entry->wire_bytes = cb->wire_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = cb->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u wire_bytes=%u queue_bytes=%llu port_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->wire_bytes, __entry->queue_bytes,
		  __entry->port_bytes)
);

TRACE_EVENT(roce_dequeue,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 arrival_ns, u64 start_ns),
	TP_ARGS(port, skb, arrival_ns, start_ns),
	TP_STRUCT__entry(
		__field(u64, arrival_ns)
		__field(u64, start_ns)
		__field(u64, depart_ns)
		__field(u64, due_ns)
		__field(u64, queue_bytes)
		__field(u32, wire_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
	),
	TP_fast_assign(
		const struct roce_skb_cb *cb = roce_skb_cb(skb);

		__entry->arrival_ns = arrival_ns;
		__entry->start_ns = start_ns;
		__entry->depart_ns = roce_time_ceil(&port->line_free);
		__entry->due_ns = cb->time_ns;
		__entry->queue_bytes = port->prio[cb->prio].bytes;
		__entry->wire_bytes = cb->wire_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = cb->prio;
	),
	TP_printk("netns=%u ifindex=%d arrival_ns=%llu start_ns=%llu depart_ns=%llu due_ns=%llu prio=%u wire_bytes=%u queue_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->arrival_ns,
		  __entry->start_ns, __entry->depart_ns, __entry->due_ns,
		  __entry->prio, __entry->wire_bytes, __entry->queue_bytes)
);

TRACE_EVENT(roce_drop,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, int reason),
	TP_ARGS(port, skb, t_ns, reason),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, queue_bytes)
		__field(u64, port_bytes)
		__field(u32, wire_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(int, reason)
		__field(u8, prio)
	),
	TP_fast_assign(
		const struct roce_skb_cb *cb = roce_skb_cb(skb);

		__entry->t_ns = t_ns;
		__entry->queue_bytes = port->prio[cb->prio].bytes;
		__entry->port_bytes = port->bytes;
		__entry->wire_bytes = cb->wire_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->reason = reason;
		__entry->prio = cb->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u wire_bytes=%u queue_bytes=%llu port_bytes=%llu reason=%s",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->wire_bytes, __entry->queue_bytes,
		  __entry->port_bytes, roce_show_drop(__entry->reason))
);

TRACE_EVENT(roce_mark,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, u64 queue_bytes),
	TP_ARGS(port, skb, t_ns, queue_bytes),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, queue_bytes)
		__field(u32, wire_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
	),
	TP_fast_assign(
		const struct roce_skb_cb *cb = roce_skb_cb(skb);

		__entry->t_ns = t_ns;
		__entry->queue_bytes = queue_bytes;
		__entry->wire_bytes = cb->wire_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = cb->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u wire_bytes=%u queue_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->wire_bytes, __entry->queue_bytes)
);

#endif /* _ROCE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE roce_trace
#include <trace/define_trace.h>
