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

#include "roce_flow_table.h"
#include "features/int/roce_int_push.h"
#include "features/lscc/roce_lscc_feedback_msg.h"
#include "features/lscc/roce_lscc_rate.h"
#include "features/mercury/roce_mercury_queue_state.h"
#include "roce_port.h"
#include "roce_switch.h"

TRACE_DEFINE_ENUM(ROCE_ACCEPTED);
#define ROCE_DROP(attr, ...) TRACE_DEFINE_ENUM(ROCE_DROP_##attr);
TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
TRACE_DEFINE_ENUM(ROCE_LOST_RANDOM);
TRACE_DEFINE_ENUM(ROCE_LOST_DOWN);
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

#define roce_show_lost(reason)				\
	__print_symbolic(reason,			\
		{ ROCE_LOST_RANDOM,	"random" },	\
		{ ROCE_LOST_DOWN,	"down" })

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

/*
 * An event of a port, whose fields are rows: F(type, name, format, value), in the order in which
 * they are printed; S(type, name, show, value) is printed by name.
 */
#define ROCE_F_ENTRY(type, name, fmt, value)	__field(type, name)
#define ROCE_F_ASSIGN(type, name, fmt, value)	__entry->name = (value);
#define ROCE_F_FORMAT(type, name, fmt, value)	" " #name "=" fmt
#define ROCE_F_PRINT(type, name, fmt, value)	, __entry->name
#define ROCE_S_FORMAT(type, name, show, value)	" " #name "=%s"
#define ROCE_S_PRINT(type, name, show, value)	, show(__entry->name)
#define ROCE_EVENT(event, proto, args, FIELDS)					\
	TRACE_EVENT(event, PARAMS(proto), PARAMS(args),				\
		TP_STRUCT__entry(__field(u32, netns) __field(int, ifindex)	\
				 FIELDS(ROCE_F_ENTRY, ROCE_F_ENTRY)),		\
		TP_fast_assign(__entry->netns = roce_trace_netns(port);		\
			       __entry->ifindex = roce_trace_ifindex(port);	\
			       FIELDS(ROCE_F_ASSIGN, ROCE_F_ASSIGN)),		\
		TP_printk("netns=%u ifindex=%d" FIELDS(ROCE_F_FORMAT, ROCE_S_FORMAT), \
			  __entry->netns, __entry->ifindex			\
			  FIELDS(ROCE_F_PRINT, ROCE_S_PRINT)))

#define ROCE_ENQUEUE_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes) \
	F(u64, queue_bytes, "%llu", port->prio[roce_skb_cb(skb)->prio].bytes) \
	F(u64, port_bytes, "%llu", port->bytes)
ROCE_EVENT(roce_enqueue,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb, u64 t_ns),
	TP_ARGS(port, skb, t_ns), ROCE_ENQUEUE_FIELDS);

#define ROCE_DEQUEUE_FIELDS(F, S)	\
	F(u64, arrival_ns, "%llu", arrival_ns) \
	F(u64, start_ns, "%llu", start_ns) \
	F(u64, depart_ns, "%llu", roce_time_ceil(&port->line_free)) \
	F(u64, due_ns, "%llu", port->last_due_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes) \
	F(u64, queue_bytes, "%llu", port->prio[roce_skb_cb(skb)->prio].bytes)
ROCE_EVENT(roce_dequeue,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 arrival_ns, u64 start_ns),
	TP_ARGS(port, skb, arrival_ns, start_ns), ROCE_DEQUEUE_FIELDS);

#define ROCE_DROP_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes) \
	F(u64, queue_bytes, "%llu", port->prio[roce_skb_cb(skb)->prio].bytes) \
	F(u64, port_bytes, "%llu", port->bytes) \
	S(int, reason, roce_show_drop, reason)
ROCE_EVENT(roce_drop,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb, u64 t_ns, int reason),
	TP_ARGS(port, skb, t_ns, reason), ROCE_DROP_FIELDS);

/* Lost by the cable: it was sent, or is under way. */
#define ROCE_LOST_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes) \
	S(int, reason, roce_show_lost, reason)
ROCE_EVENT(roce_lost,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb, u64 t_ns, int reason),
	TP_ARGS(port, skb, t_ns, reason), ROCE_LOST_FIELDS);

#define ROCE_MARK_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes) \
	F(u64, queue_bytes, "%llu", queue_bytes)
ROCE_EVENT(roce_mark,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, u64 queue_bytes),
	TP_ARGS(port, skb, t_ns, queue_bytes), ROCE_MARK_FIELDS);

#define ROCE_INT_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	S(int, result, roce_show_int, result) \
	F(u32, node, "%u", hop->node) \
	F(u16, in_port, "%u", hop->in_port) \
	F(u16, out_port, "%u", hop->out_port) \
	F(u8, queue, "%u", hop->queue) \
	F(u64, latency_ns, "%llu", hop->latency_ns) \
	F(u64, ingress_ts_ns, "%llu", hop->ingress_ts_ns) \
	F(u64, egress_ts_ns, "%llu", hop->egress_ts_ns) \
	F(u64, tx_bytes, "%llu", hop->tx_bytes) \
	F(u64, qlen_bytes, "%llu", hop->qlen_bytes) \
	F(u32, speed_mbps, "%u", hop->speed_mbps) \
	F(u32, pushed_bytes, "%u", pushed_bytes) \
	F(u32, wire_bytes, "%u", roce_skb_cb(skb)->wire_bytes)
ROCE_EVENT(roce_int,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, int result, const struct roce_int_hop *hop, unsigned int pushed_bytes),
	TP_ARGS(port, skb, t_ns, result, hop, pushed_bytes), ROCE_INT_FIELDS);

#define ROCE_RESPONSE_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, qpn, "0x%06x", qpn) \
	F(u32, psn, "%u", psn) \
	F(int, error, "%d", error) \
	F(u64, egress_ts_ns, "%llu", hop->egress_ts_ns) \
	F(u64, tx_bytes, "%llu", hop->tx_bytes) \
	F(u64, qlen_bytes, "%llu", hop->qlen_bytes)
ROCE_EVENT(roce_response,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_int_hop *hop, u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, hop, qpn, psn, error), ROCE_RESPONSE_FIELDS);

/* A queue's judgement, when a pause begins, ends, and when it changes after that. */
#define ROCE_MERCURY_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", prio) \
	S(u8, event, roce_show_mercury, event) \
	F(u8, undetermined, "%u", state->undetermined) \
	F(u64, queue_bytes, "%llu", queue_bytes) \
	F(u64, rx_bytes, "%llu", state->rx_bytes) \
	F(u64, pause_ns, "%llu", t_ns - state->pause_ns)
ROCE_EVENT(roce_mercury,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, enum roce_mercury_event event,
		 const struct roce_mercury_state *state, u64 queue_bytes),
	TP_ARGS(port, t_ns, prio, event, state, queue_bytes), ROCE_MERCURY_FIELDS);

/* A packet that comes to a queue longer than the threshold: its flow is congested, or
 * spared because the queue is Undetermined.
 */
TRACE_EVENT(roce_mercury_packet,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_flow *flow, bool undetermined),
	TP_ARGS(port, skb, t_ns, flow, undetermined),
	TP_STRUCT__entry(__field(u64, t_ns) __field(u64, queue_bytes) __field(u32, netns)
		__field(int, ifindex) __array(u8, src, 16) __array(u8, dst, 16) __field(u8, prio)
		__field(u8, undetermined) ),
	TP_fast_assign(__entry->t_ns = t_ns;
		__entry->queue_bytes = port->prio[roce_skb_cb(skb)->prio].bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		roce_flow_addr6(__entry->src, flow ? &flow->key.src : NULL, flow && flow->key.ipv4);
		roce_flow_addr6(__entry->dst, flow ? &flow->key.dst : NULL, flow && flow->key.ipv4);
		__entry->prio = roce_skb_cb(skb)->prio; __entry->undetermined = undetermined; ),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u undetermined=%u queue_bytes=%llu src=%pI6c dst=%pI6c",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->undetermined,
		  __entry->queue_bytes, __entry->src, __entry->dst)
);

/* A CNP with a window, or why it failed. */
#define ROCE_MERCURY_CNP_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(u32, qpn, "0x%06x", qpn) \
	F(u32, psn, "%u", psn) \
	F(int, error, "%d", error) \
	F(u32, window_bytes, "%u", window_bytes) \
	F(u64, flow_bytes, "%llu", flow_bytes) \
	F(u64, queue_bytes, "%llu", queue_bytes)
ROCE_EVENT(roce_mercury_cnp,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, u64 flow_bytes, u64 queue_bytes, u32 window_bytes,
		 u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, flow_bytes, queue_bytes, window_bytes, qpn,
		psn, error), ROCE_MERCURY_CNP_FIELDS);

/* A packet leaves by another port than it is routed to: that of @out. */
#define ROCE_IOFD_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", roce_skb_cb(skb)->prio) \
	F(int, out_ifindex, "%d", roce_trace_ifindex(out)) \
	F(u32, qpn, "0x%06x", qpn) \
	F(u32, psn, "%u", psn) \
	F(u8, tokens, "%u", bits & RXE_CC_TOKENS) \
	F(u8, first, "%u", !!(bits & RXE_CC_TOKENS_FIRST)) \
	F(u64, queue_bytes, "%llu", port->prio[roce_skb_cb(skb)->prio].bytes)
ROCE_EVENT(roce_iofd,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_port *out, u32 qpn, u32 psn, u8 bits),
	TP_ARGS(port, skb, t_ns, out, qpn, psn, bits), ROCE_IOFD_FIELDS);

/* LSCC: a feedback rate has been calculated, and sent or why not. */
#define ROCE_LSCC_RATE_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u64, in_bytes, "%llu", in_bytes) \
	F(u64, out_bps, "%llu", out_bps) \
	F(u64, rate_bps, "%llu", rate_bps) \
	F(int, error, "%d", error)
ROCE_EVENT(roce_lscc_rate,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u64 in_bytes,
		 u64 out_bps, u64 rate_bps, int error),
	TP_ARGS(port, t_ns, in_bytes, out_bps, rate_bps, error), ROCE_LSCC_RATE_FIELDS);

/* LSCC: a feedback message has come. The pseudo queue is that before it. */
#define ROCE_LSCC_FEEDBACK_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	S(u8, verdict, roce_show_lscc, verdict) \
	F(u32, seq, "%u", msg->seq) \
	F(u64, peer_ns, "%llu", msg->time_ns) \
	F(u64, rate_bps, "%llu", msg->units * ROCE_LSCC_UNIT_BPS) \
	F(u64, pseudo_bytes, "%llu", limit->bytes)
ROCE_EVENT(roce_lscc_feedback,
	TP_PROTO(const struct roce_port *port, u64 t_ns, int verdict,
		 const struct roce_lscc_msg *msg, const struct roce_lscc_limit *limit),
	TP_ARGS(port, t_ns, verdict, msg, limit), ROCE_LSCC_FEEDBACK_FIELDS);

/* LSCC: a direct CNP or direct INT, or why it failed. */
DECLARE_EVENT_CLASS(roce_lscc_tell,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error), TP_STRUCT__entry(__field(u64, t_ns)
		__field(u64, rate_bps) __field(u64, pseudo_bytes) __field(u32, netns)
		__field(int, ifindex) __field(u32, qpn) __field(u32, psn) __field(int, error)
		__field(u8, prio) ), TP_fast_assign(__entry->t_ns = t_ns;
		__entry->rate_bps = limit->rate_bps; __entry->pseudo_bytes = limit->bytes;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port); __entry->qpn = qpn; __entry->psn = psn;
		__entry->error = error; __entry->prio = roce_skb_cb(skb)->prio; ),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u qpn=0x%06x psn=%u error=%d pseudo_bytes=%llu rate_bps=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __entry->qpn, __entry->psn, __entry->error,
		  __entry->pseudo_bytes, __entry->rate_bps) );

DEFINE_EVENT(roce_lscc_tell, roce_lscc_cnp,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error) );

DEFINE_EVENT(roce_lscc_tell, roce_lscc_int,
	TP_PROTO(const struct roce_port *port, const struct sk_buff *skb,
		 u64 t_ns, const struct roce_lscc_limit *limit, u32 qpn, u32 psn, int error),
	TP_ARGS(port, skb, t_ns, limit, qpn, psn, error) );

/* What features have to tell that have no event of their own. */
TRACE_EVENT(roce_feature,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio,
		 const char *feature, const char *event, u64 value),
	TP_ARGS(port, t_ns, prio, feature, event, value),
	TP_STRUCT__entry(__field(u64, t_ns) __field(u64, value) __field(u32, netns)
		__field(int, ifindex) __string(feature, feature) __string(event, event)
		__field(u8, prio) ),
	TP_fast_assign(__entry->t_ns = t_ns; __entry->value = value;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port); __assign_str(feature);
		__assign_str(event); __entry->prio = prio; ),
	TP_printk("netns=%u ifindex=%d t_ns=%llu prio=%u feature=%s event=%s value=%llu",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->prio, __get_str(feature), __get_str(event), __entry->value)
);

TRACE_EVENT(roce_pfc_tx,
	TP_PROTO(const struct roce_port *port, u64 t_ns,
		 const struct sk_buff *skb, const struct roce_pfc_frame *frame),
	TP_ARGS(port, t_ns, skb, frame),
	TP_STRUCT__entry(__field(u64, t_ns) __field(u64, depart_ns) __field(u64, due_ns)
		__field(u32, netns) __field(int, ifindex) __array(u16, quanta, ROCE_PFC_PRIOS)
		__field(u8, enable) ),
	TP_fast_assign(__entry->t_ns = t_ns; __entry->depart_ns = roce_time_ceil(&port->line_free);
		__entry->due_ns = port->last_due_ns;
		__entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port);
		memcpy(__entry->quanta, frame->quanta, sizeof(frame->quanta));
		__entry->enable = frame->enable; ),
	TP_printk("netns=%u ifindex=%d t_ns=%llu depart_ns=%llu due_ns=%llu enable=0x%02x quanta=%u,%u,%u,%u,%u,%u,%u,%u",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  __entry->depart_ns, __entry->due_ns, __entry->enable,
		  __entry->quanta[0], __entry->quanta[1], __entry->quanta[2], __entry->quanta[3],
		  __entry->quanta[4], __entry->quanta[5], __entry->quanta[6], __entry->quanta[7])
);

TRACE_EVENT(roce_pfc_rx,
	TP_PROTO(const struct roce_port *port, u64 t_ns, int verdict,
		 const struct roce_pfc_frame *frame),
	TP_ARGS(port, t_ns, verdict, frame),
	TP_STRUCT__entry(__field(u64, t_ns) __field(u32, netns) __field(int, ifindex)
		__field(int, verdict) __array(u16, quanta, ROCE_PFC_PRIOS) __field(u8, enable) ),
	TP_fast_assign(__entry->t_ns = t_ns; __entry->netns = roce_trace_netns(port);
		__entry->ifindex = roce_trace_ifindex(port); __entry->verdict = verdict;
		memcpy(__entry->quanta, frame->quanta, sizeof(frame->quanta));
		__entry->enable = frame->enable; ),
	TP_printk("netns=%u ifindex=%d t_ns=%llu verdict=%s enable=0x%02x quanta=%u,%u,%u,%u,%u,%u,%u,%u",
		  __entry->netns, __entry->ifindex, __entry->t_ns,
		  roce_show_pfc(__entry->verdict), __entry->enable,
		  __entry->quanta[0], __entry->quanta[1], __entry->quanta[2], __entry->quanta[3],
		  __entry->quanta[4], __entry->quanta[5], __entry->quanta[6], __entry->quanta[7])
);

#define ROCE_PAUSE_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", prio) \
	F(u8, paused, "%u", paused) \
	F(u64, until_ns, "%llu", until_ns)
ROCE_EVENT(roce_pause,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, bool paused, u64 until_ns),
	TP_ARGS(port, t_ns, prio, paused, until_ns), ROCE_PAUSE_FIELDS);

#define ROCE_XOFF_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", prio) \
	F(u8, xoff, "%u", xoff) \
	F(u64, in_bytes, "%llu", roce_account_bytes(&port->prio[prio].in)) \
	F(u64, headroom_bytes, "%llu", port->prio[prio].in.headroom_bytes) \
	F(u64, threshold, "%llu", roce_port_threshold(port, prio))
ROCE_EVENT(roce_xoff,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, bool xoff),
	TP_ARGS(port, t_ns, prio, xoff), ROCE_XOFF_FIELDS);

#define ROCE_STORM_FIELDS(F, S)	\
	F(u64, t_ns, "%llu", t_ns) \
	F(u8, prio, "%u", prio) \
	S(u8, action, roce_show_watchdog, action) \
	F(u64, since_ns, "%llu", since_ns)
ROCE_EVENT(roce_storm,
	TP_PROTO(const struct roce_port *port, u64 t_ns, u8 prio, u8 action, u64 since_ns),
	TP_ARGS(port, t_ns, prio, action, since_ns), ROCE_STORM_FIELDS);

#endif /* _ROCE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE roce_trace
#include <trace/define_trace.h>
