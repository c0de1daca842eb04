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

#include <rxe_cc/wire.h>

#include "roce_flow.h"
#include "features/int/roce_int.h"
#include "features/lscc/roce_lscc_msg.h"
#include "features/lscc/roce_lscc_rate.h"
#include "features/mercury/roce_mercury_state.h"
#include "roce_port.h"
#include "roce_switch.h"

#define ROCE_DROP(attr, ...) TRACE_DEFINE_ENUM(ROCE_DROP_##attr);
TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
TRACE_DEFINE_ENUM(ROCE_INT_PUSHED);
TRACE_DEFINE_ENUM(ROCE_INT_HOP_LIMIT);
TRACE_DEFINE_ENUM(ROCE_INT_MTU);
TRACE_DEFINE_ENUM(ROCE_INT_BAD);
TRACE_DEFINE_ENUM(ROCE_INT_UNSUPPORTED);
TRACE_DEFINE_ENUM(ROCE_INT_NOMEM);
TRACE_DEFINE_ENUM(ROCE_PFC_OK);
TRACE_DEFINE_ENUM(ROCE_PFC_BAD);
TRACE_DEFINE_ENUM(ROCE_PFC_OTHER);
TRACE_DEFINE_ENUM(ROCE_MERCURY_PAUSED);
TRACE_DEFINE_ENUM(ROCE_MERCURY_RESUMED);
TRACE_DEFINE_ENUM(ROCE_MERCURY_CHECKED);
TRACE_DEFINE_ENUM(ROCE_LSCC_BAD);
TRACE_DEFINE_ENUM(ROCE_LSCC_STRANGER);
TRACE_DEFINE_ENUM(ROCE_LSCC_LATE);
TRACE_DEFINE_ENUM(ROCE_LSCC_HEARD);
TRACE_DEFINE_ENUM(TC_ROCE_WATCHDOG_REPORT);
TRACE_DEFINE_ENUM(TC_ROCE_WATCHDOG_DROP);
TRACE_DEFINE_ENUM(TC_ROCE_WATCHDOG_IGNORE);

#define roce_show_lscc(verdict)				\
	__print_symbolic(verdict,			\
		{ ROCE_LSCC_BAD,	"bad" },	\
		{ ROCE_LSCC_STRANGER,	"stranger" },	\
		{ ROCE_LSCC_LATE,	"late" },	\
		{ ROCE_LSCC_HEARD,	"heard" })

#define ROCE_DROP_NAME(attr, name, ...) { ROCE_DROP_##attr, #name },
#define roce_show_drop(reason)				\
	__print_symbolic(reason, TC_ROCE_DROPS(ROCE_DROP_NAME) { ROCE_ACCEPTED, "none" })

#define roce_show_int(result)				\
	__print_symbolic(result,			\
		{ ROCE_INT_PUSHED,	"pushed" },	\
		{ ROCE_INT_HOP_LIMIT,	"hop_limit" },	\
		{ ROCE_INT_MTU,		"mtu" },	\
		{ ROCE_INT_BAD,		"bad" },	\
		{ ROCE_INT_UNSUPPORTED,	"unsupported" },	\
		{ ROCE_INT_NOMEM,	"nomem" })

#define roce_show_pfc(verdict)				\
	__print_symbolic(verdict,			\
		{ ROCE_PFC_OK,		"ok" },		\
		{ ROCE_PFC_BAD,		"bad" },	\
		{ ROCE_PFC_OTHER,	"other" })

#define roce_show_mercury(event)			\
	__print_symbolic(event,				\
		{ ROCE_MERCURY_PAUSED,	"paused" },	\
		{ ROCE_MERCURY_RESUMED,	"resumed" },	\
		{ ROCE_MERCURY_CHECKED,	"checked" })

#define roce_show_watchdog(action)				\
	__print_symbolic(action,				\
		{ TC_ROCE_WATCHDOG_REPORT,	"report" },	\
		{ TC_ROCE_WATCHDOG_DROP,	"drop" },	\
		{ TC_ROCE_WATCHDOG_IGNORE,	"ignore" })

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

TRACE_EVENT(roce_int,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, int result, const struct roce_int_hop *hop,
		 unsigned int pushed_bytes),
	TP_ARGS(port, skb, t_ns, result, hop, pushed_bytes),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, latency_ns)
		__field(u64, ingress_ts_ns)
		__field(u64, egress_ts_ns)
		__field(u64, tx_bytes)
		__field(u64, qlen_bytes)
		__field(u32, speed_mbps)
		__field(u32, pushed_bytes)
		__field(u32, wire_bytes)
		__field(u32, node)
		__field(u32, netns)
		__field(int, ifindex)
		__field(int, result)
		__field(u16, in_port)
		__field(u16, out_port)
		__field(u8, queue)
		__field(u8, prio)
	),
	TP_fast_assign(
		const struct roce_skb_cb *cb = roce_skb_cb(skb);

		__entry->t_ns = t_ns;
		__entry->latency_ns = hop->latency_ns;
		__entry->ingress_ts_ns = hop->ingress_ts_ns;
		__entry->egress_ts_ns = hop->egress_ts_ns;
		__entry->tx_bytes = hop->tx_bytes;
		__entry->qlen_bytes = hop->qlen_bytes;
		__entry->speed_mbps = hop->speed_mbps;
		__entry->pushed_bytes = pushed_bytes;
		__entry->wire_bytes = cb->wire_bytes;
		__entry->node = hop->node;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->result = result;
		__entry->in_port = hop->in_port;
		__entry->out_port = hop->out_port;
		__entry->queue = hop->queue;
		__entry->prio = cb->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u result=%s node=%u in_port=%u out_port=%u queue=%u latency_ns=%llu ingress_ts_ns=%llu egress_ts_ns=%llu tx_bytes=%llu qlen_bytes=%llu speed_mbps=%u pushed_bytes=%u wire_bytes=%u",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, roce_show_int(__entry->result), __entry->node,
		  __entry->in_port, __entry->out_port, __entry->queue,
		  __entry->latency_ns, __entry->ingress_ts_ns,
		  __entry->egress_ts_ns, __entry->tx_bytes,
		  __entry->qlen_bytes, __entry->speed_mbps,
		  __entry->pushed_bytes, __entry->wire_bytes)
);

TRACE_EVENT(roce_response,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_int_hop *hop, u32 qpn, u32 psn,
		 int error),
	TP_ARGS(port, skb, t_ns, hop, qpn, psn, error),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, egress_ts_ns)
		__field(u64, tx_bytes)
		__field(u64, qlen_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u32, qpn)
		__field(u32, psn)
		__field(int, error)
		__field(u8, prio)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->egress_ts_ns = hop->egress_ts_ns;
		__entry->tx_bytes = hop->tx_bytes;
		__entry->qlen_bytes = hop->qlen_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->error = error;
		__entry->prio = roce_skb_cb(skb)->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u qpn=0x%06x psn=%u error=%d egress_ts_ns=%llu tx_bytes=%llu qlen_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->qpn, __entry->psn, __entry->error,
		  __entry->egress_ts_ns, __entry->tx_bytes,
		  __entry->qlen_bytes)
);

/* A queue's judgement, when a pause begins, ends, and when it changes after that. */
TRACE_EVENT(roce_mercury,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio,
		 enum roce_mercury_event event,
		 const struct roce_mercury_state *state, u64 queue_bytes),
	TP_ARGS(port, t_ns, prio, event, state, queue_bytes),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, pause_ns)
		__field(u64, rx_bytes)
		__field(u64, queue_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
		__field(u8, event)
		__field(u8, undetermined)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->pause_ns = t_ns - state->pause_ns;
		__entry->rx_bytes = state->rx_bytes;
		__entry->queue_bytes = queue_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = prio;
		__entry->event = event;
		__entry->undetermined = state->undetermined;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u event=%s undetermined=%u queue_bytes=%llu rx_bytes=%llu pause_ns=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, roce_show_mercury(__entry->event),
		  __entry->undetermined, __entry->queue_bytes,
		  __entry->rx_bytes, __entry->pause_ns)
);

/* A packet that comes to a queue longer than the threshold: its flow is congested, or
 * spared because the queue is Undetermined.
 */
TRACE_EVENT(roce_mercury_packet,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_flow *flow, bool undetermined),
	TP_ARGS(port, skb, t_ns, flow, undetermined),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, queue_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__array(u8, src, 16)
		__array(u8, dst, 16)
		__field(u8, prio)
		__field(u8, undetermined)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->queue_bytes = port->prio[roce_skb_cb(skb)->prio].bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		roce_flow_addr6(__entry->src, flow ? &flow->key.src : NULL,
				flow && flow->key.ipv4);
		roce_flow_addr6(__entry->dst, flow ? &flow->key.dst : NULL,
				flow && flow->key.ipv4);
		__entry->prio = roce_skb_cb(skb)->prio;
		__entry->undetermined = undetermined;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u undetermined=%u queue_bytes=%llu src=%pI6c dst=%pI6c",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->undetermined,
		  __entry->queue_bytes, __entry->src, __entry->dst)
);

/* A CNP with a window, or why it failed. */
TRACE_EVENT(roce_mercury_cnp,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, u64 flow_bytes, u64 queue_bytes, u32 window_bytes,
		 u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, flow_bytes, queue_bytes, window_bytes, qpn,
		psn, error),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, flow_bytes)
		__field(u64, queue_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u32, window_bytes)
		__field(u32, qpn)
		__field(u32, psn)
		__field(int, error)
		__field(u8, prio)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->flow_bytes = flow_bytes;
		__entry->queue_bytes = queue_bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->window_bytes = window_bytes;
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->error = error;
		__entry->prio = roce_skb_cb(skb)->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u qpn=0x%06x psn=%u error=%d window_bytes=%u flow_bytes=%llu queue_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->qpn, __entry->psn, __entry->error,
		  __entry->window_bytes, __entry->flow_bytes,
		  __entry->queue_bytes)
);

/* A packet leaves by another port than it is routed to: that of @out. */
TRACE_EVENT(roce_iofd,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_port *out, u32 qpn, u32 psn,
		 u8 bits),
	TP_ARGS(port, skb, t_ns, out, qpn, psn, bits),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, queue_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(int, out_ifindex)
		__field(u32, qpn)
		__field(u32, psn)
		__field(u8, prio)
		__field(u8, tokens)
		__field(u8, first)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->queue_bytes = port->prio[roce_skb_cb(skb)->prio].bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->out_ifindex = roce_trace_ifindex(out);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->prio = roce_skb_cb(skb)->prio;
		__entry->tokens = bits & RXE_CC_TOKENS;
		__entry->first = !!(bits & RXE_CC_TOKENS_FIRST);
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u out_ifindex=%d qpn=0x%06x psn=%u tokens=%u first=%u queue_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->out_ifindex, __entry->qpn,
		  __entry->psn, __entry->tokens, __entry->first,
		  __entry->queue_bytes)
);

/* LSCC: a feedback rate has been calculated, and sent or why not. */
TRACE_EVENT(roce_lscc_rate,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u64 in_bytes,
		 u64 out_bps, u64 rate_bps, int error),
	TP_ARGS(port, t_ns, in_bytes, out_bps, rate_bps, error),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, in_bytes)
		__field(u64, out_bps)
		__field(u64, rate_bps)
		__field(u32, netns)
		__field(int, ifindex)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->in_bytes = in_bytes;
		__entry->out_bps = out_bps;
		__entry->rate_bps = rate_bps;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->error = error;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu in_bytes=%llu out_bps=%llu rate_bps=%llu error=%d",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->in_bytes, __entry->out_bps, __entry->rate_bps,
		  __entry->error)
);

/* LSCC: a feedback message has come. The pseudo queue is that before it. */
TRACE_EVENT(roce_lscc_feedback,
	TP_PROTO(const struct roce_port *port, u64 t_ns, int verdict,
		 const struct roce_lscc_msg *msg,
		 const struct roce_lscc_limit *limit),
	TP_ARGS(port, t_ns, verdict, msg, limit),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, peer_ns)
		__field(u64, rate_bps)
		__field(u64, pseudo_bytes)
		__field(u32, seq)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, verdict)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->peer_ns = msg->time_ns;
		__entry->rate_bps = msg->units * ROCE_LSCC_UNIT_BPS;
		__entry->pseudo_bytes = limit->bytes;
		__entry->seq = msg->seq;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->verdict = verdict;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu verdict=%s seq=%u peer_ns=%llu rate_bps=%llu pseudo_bytes=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  roce_show_lscc(__entry->verdict), __entry->seq,
		  __entry->peer_ns, __entry->rate_bps, __entry->pseudo_bytes)
);

/* LSCC: a direct CNP or direct INT, or why it failed. */
DECLARE_EVENT_CLASS(roce_lscc_tell,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn,
		 u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, rate_bps)
		__field(u64, pseudo_bytes)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u32, qpn)
		__field(u32, psn)
		__field(int, error)
		__field(u8, prio)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->rate_bps = limit->rate_bps;
		__entry->pseudo_bytes = limit->bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->error = error;
		__entry->prio = roce_skb_cb(skb)->prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u qpn=0x%06x psn=%u error=%d pseudo_bytes=%llu rate_bps=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->qpn, __entry->psn, __entry->error,
		  __entry->pseudo_bytes, __entry->rate_bps)
);

DEFINE_EVENT(roce_lscc_tell, roce_lscc_cnp,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn,
		 u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error)
);

DEFINE_EVENT(roce_lscc_tell, roce_lscc_int,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn,
		 u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error)
);

/* What features have to tell that have no event of their own. */
TRACE_EVENT(roce_feature,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio,
		 const char *feature, const char *event, u64 value),
	TP_ARGS(port, t_ns, prio, feature, event, value),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, value)
		__field(u32, netns)
		__field(int, ifindex)
		__string(feature, feature)
		__string(event, event)
		__field(u8, prio)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->value = value;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__assign_str(feature);
		__assign_str(event);
		__entry->prio = prio;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u feature=%s event=%s value=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __get_str(feature), __get_str(event),
		  __entry->value)
);

TRACE_EVENT(roce_pfc_tx,
	TP_PROTO(const struct roce_port *port, u64 t_ns,
		 const struct sk_buff *skb, const struct roce_pfc_frame *frame),
	TP_ARGS(port, t_ns, skb, frame),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, depart_ns)
		__field(u64, due_ns)
		__field(u32, netns)
		__field(int, ifindex)
		__array(u16, quanta, ROCE_PFC_PRIOS)
		__field(u8, enable)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->depart_ns = roce_time_ceil(&port->line_free);
		__entry->due_ns = roce_skb_cb(skb)->time_ns;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		memcpy(__entry->quanta, frame->quanta, sizeof(frame->quanta));
		__entry->enable = frame->enable;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu depart_ns=%llu due_ns=%llu enable=0x%02x quanta=%u,%u,%u,%u,%u,%u,%u,%u",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->depart_ns, __entry->due_ns, __entry->enable,
		  __entry->quanta[0], __entry->quanta[1],
		  __entry->quanta[2], __entry->quanta[3],
		  __entry->quanta[4], __entry->quanta[5],
		  __entry->quanta[6], __entry->quanta[7])
);

TRACE_EVENT(roce_pfc_rx,
	TP_PROTO(const struct roce_port *port, u64 t_ns, int verdict,
		 const struct roce_pfc_frame *frame),
	TP_ARGS(port, t_ns, verdict, frame),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u32, netns)
		__field(int, ifindex)
		__field(int, verdict)
		__array(u16, quanta, ROCE_PFC_PRIOS)
		__field(u8, enable)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->verdict = verdict;
		memcpy(__entry->quanta, frame->quanta, sizeof(frame->quanta));
		__entry->enable = frame->enable;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu verdict=%s enable=0x%02x quanta=%u,%u,%u,%u,%u,%u,%u,%u",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  roce_show_pfc(__entry->verdict), __entry->enable,
		  __entry->quanta[0], __entry->quanta[1],
		  __entry->quanta[2], __entry->quanta[3],
		  __entry->quanta[4], __entry->quanta[5],
		  __entry->quanta[6], __entry->quanta[7])
);

TRACE_EVENT(roce_pause,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, bool paused,
		 u64 until_ns),
	TP_ARGS(port, t_ns, prio, paused, until_ns),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, until_ns)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
		__field(u8, paused)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->until_ns = until_ns;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = prio;
		__entry->paused = paused;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u paused=%u until_ns=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->paused, __entry->until_ns)
);

TRACE_EVENT(roce_xoff,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, bool xoff),
	TP_ARGS(port, t_ns, prio, xoff),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, in_bytes)
		__field(u64, headroom_bytes)
		__field(u64, threshold)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
		__field(u8, xoff)
	),
	TP_fast_assign(
		const struct roce_account *acct = &port->prio[prio].in;

		__entry->t_ns = t_ns;
		__entry->in_bytes = roce_account_bytes(acct);
		__entry->headroom_bytes = acct->headroom_bytes;
		__entry->threshold = roce_port_threshold(port, prio);
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = prio;
		__entry->xoff = xoff;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u xoff=%u in_bytes=%llu headroom_bytes=%llu threshold=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->xoff, __entry->in_bytes,
		  __entry->headroom_bytes, __entry->threshold)
);

TRACE_EVENT(roce_storm,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, u8 action,
		 u64 since_ns),
	TP_ARGS(port, t_ns, prio, action, since_ns),
	TP_STRUCT__entry(
		__field(u64, t_ns)
		__field(u64, since_ns)
		__field(u32, netns)
		__field(int, ifindex)
		__field(u8, prio)
		__field(u8, action)
	),
	TP_fast_assign(
		__entry->t_ns = t_ns;
		__entry->since_ns = since_ns;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		__entry->prio = prio;
		__entry->action = action;
	),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u action=%s since_ns=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, roce_show_watchdog(__entry->action),
		  __entry->since_ns)
);

#endif /* _ROCE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE roce_trace
#include <trace/define_trace.h>
