/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace points: what an algorithm was given, what it decided, and what the core
 * did about it. Device and QP number identify a flow.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rxe_cc

#if !defined(_RXE_CC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RXE_CC_TRACE_H

#include <linux/tracepoint.h>
#include <rdma/ib_verbs.h>

#include "cc_core.h"

TRACE_DEFINE_ENUM(RXE_CC_EV_ACK);
TRACE_DEFINE_ENUM(RXE_CC_EV_SENT);
TRACE_DEFINE_ENUM(RXE_CC_EV_CNP);
TRACE_DEFINE_ENUM(RXE_CC_EV_TIMER);
TRACE_DEFINE_ENUM(RXE_CC_EV_LOSS);
TRACE_DEFINE_ENUM(RXE_CC_EV_DATA);
TRACE_DEFINE_ENUM(RXE_CC_EV_FILL);
TRACE_DEFINE_ENUM(RXE_CC_EV_GROUP);
TRACE_DEFINE_ENUM(RXE_CC_EV_INIT);
TRACE_DEFINE_ENUM(RXE_CC_EV_CHANGE);
TRACE_DEFINE_ENUM(RXE_CC_EV_ENV);
TRACE_DEFINE_ENUM(RXE_CC_EV_END);
TRACE_DEFINE_ENUM(RXE_CC_EV_CMD);
TRACE_DEFINE_ENUM(RXE_CC_CAP_SET);
TRACE_DEFINE_ENUM(RXE_CC_CAP_LIFTED);
TRACE_DEFINE_ENUM(RXE_CC_CAP_EXPIRED);

#define rxe_cc_show_event(e)				\
	__print_symbolic(e,				\
			 { RXE_CC_EV_ACK, "ack" },	\
			 { RXE_CC_EV_SENT, "sent" },	\
			 { RXE_CC_EV_CNP, "cnp" },	\
			 { RXE_CC_EV_TIMER, "timer" },	\
			 { RXE_CC_EV_LOSS, "loss" },	\
			 { RXE_CC_EV_DATA, "data" },	\
			 { RXE_CC_EV_FILL, "fill" },	\
			 { RXE_CC_EV_GROUP, "shared" },	\
			 { RXE_CC_EV_INIT, "init" },	\
			 { RXE_CC_EV_CHANGE, "change" },	\
			 { RXE_CC_EV_ENV, "env" },	\
			 { RXE_CC_EV_END, "end" },	\
			 { RXE_CC_EV_CMD, "cmd" })

TRACE_DEFINE_ENUM(RXE_CC_CONGESTION_NONE);
TRACE_DEFINE_ENUM(RXE_CC_CONGESTION_LAST_HOP);
TRACE_DEFINE_ENUM(RXE_CC_CONGESTION_NETWORK);

#define rxe_cc_show_congestion(t)				\
	__print_symbolic(t,					\
			 { RXE_CC_CONGESTION_NONE, "none" },	\
			 { RXE_CC_CONGESTION_LAST_HOP, "last_hop" },	\
			 { RXE_CC_CONGESTION_NETWORK, "network" })

/* A hop is six words: node, port, ts_ns, tx_bytes, qlen_bytes, rate_bps. */
#define RXE_CC_TRACE_HOP_WORDS	6

#ifndef _RXE_CC_TRACE_HOPS
#define _RXE_CC_TRACE_HOPS
static inline void rxe_cc_trace_hops(u64 *to, const struct rxe_cc_sample *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++) {
		*to++ = s->hops[i].node;
		*to++ = s->hops[i].port;
		*to++ = s->hops[i].ts_ns;
		*to++ = s->hops[i].tx_bytes;
		*to++ = s->hops[i].qlen_bytes;
		*to++ = s->hops[i].rate_bps;
	}
}
#endif

TRACE_EVENT(rxe_cc_sample,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event,
		 const struct rxe_cc_sample *s),
	TP_ARGS(qp, event, s),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u8, event)
		__field(u8, loss)
		__field(bool, ce)
		__field(bool, retransmit)
		__field(bool, start)
		__field(bool, end)
		__field(u64, seq)
		__field(u64, next_seq)
		__field(u64, now_ns)
		__field(u64, bytes)
		__field(u64, inflight_bytes)
		__field(u64, rtt_ns)
		__field(u64, turnaround_ns)
		__field(u64, owd_ns)
		__field(u64, owd_over_ns)
		__field(bool, has_owd)
		__field(u8, path_hops)
		__field(u64, cnp_window_bytes)
		__array(u64, told, RXE_CC_FB_MAX)
		__field(u8, nr_told)
		__field(bool, partial)
		__field(bool, direct)
		__dynamic_array(u64, hops, s->nr_hops * RXE_CC_TRACE_HOP_WORDS)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->event = event;
		__entry->loss = s->loss;
		__entry->ce = s->ce;
		__entry->retransmit = s->retransmit;
		__entry->start = s->start;
		__entry->end = s->end;
		__entry->seq = s->seq;
		__entry->next_seq = s->next_seq;
		__entry->now_ns = s->now_ns;
		__entry->bytes = s->bytes;
		__entry->inflight_bytes = s->inflight_bytes;
		__entry->rtt_ns = s->rtt_ns;
		__entry->turnaround_ns = s->turnaround_ns;
		__entry->owd_ns = s->owd_ns;
		__entry->owd_over_ns = s->owd_over_ns;
		__entry->has_owd = s->has_owd;
		__entry->path_hops = s->path_hops;
		__entry->cnp_window_bytes = s->cnp_window_bytes;
		memcpy(__entry->told, s->fb, sizeof(s->fb));
		__entry->nr_told = s->nr_fb;
		__entry->partial = s->partial;
		__entry->direct = s->direct;
		rxe_cc_trace_hops(__get_dynamic_array(hops), s);
	),
	TP_printk("dev=%s qpn=%u event=%s now_ns=%llu seq=%llu next_seq=%llu bytes=%llu inflight_bytes=%llu rtt_ns=%llu cnp_window_bytes=%llu turnaround_ns=%llu has_owd=%d owd_ns=%llu owd_over_ns=%llu path_hops=%u told=%s partial=%d direct=%d ce=%d start=%d end=%d retransmit=%d loss=%u hops=%s",
		  __get_str(dev), __entry->qpn, rxe_cc_show_event(__entry->event),
		  __entry->now_ns, __entry->seq, __entry->next_seq,
		  __entry->bytes, __entry->inflight_bytes, __entry->rtt_ns,
		  __entry->cnp_window_bytes, __entry->turnaround_ns,
		  __entry->has_owd, __entry->owd_ns, __entry->owd_over_ns,
		  __entry->path_hops,
		  __print_array(__entry->told, __entry->nr_told, sizeof(u64)),
		  __entry->partial, __entry->direct, __entry->ce,
		  __entry->start, __entry->end, __entry->retransmit,
		  __entry->loss,
		  __print_array(__get_dynamic_array(hops),
				__get_dynamic_array_len(hops) / sizeof(u64),
				sizeof(u64)))
);

/*
 * An event of a device, whose fields are rows: F(type, name, format, value), in the order in
 * which they are printed; S(type, name, label, show, value) is printed as a word.
 */
#define RXE_CC_F_ENTRY(type, name, fmt, value)		__field(type, name)
#define RXE_CC_F_ASSIGN(type, name, fmt, value)		__entry->name = (value);
#define RXE_CC_F_FORMAT(type, name, fmt, value)		" " #name "=" fmt
#define RXE_CC_F_PRINT(type, name, fmt, value)		, __entry->name
#define RXE_CC_S_ENTRY(type, field, label, show, value)	__field(type, field)
#define RXE_CC_S_ASSIGN(type, field, label, show, value)	__entry->field = (value);
#define RXE_CC_S_FORMAT(type, field, label, show, value)	label
#define RXE_CC_S_PRINT(type, field, label, show, value)	, show(__entry->field)
#define RXE_CC_TRACE(event, of, proto, args, FIELDS)				\
	TRACE_EVENT(event, PARAMS(proto), PARAMS(args),				\
		TP_STRUCT__entry(__string(dev, (of)->port->ibdev->name)		\
				 FIELDS(RXE_CC_F_ENTRY, RXE_CC_S_ENTRY)),	\
		TP_fast_assign(__assign_str(dev);				\
			       FIELDS(RXE_CC_F_ASSIGN, RXE_CC_S_ASSIGN)),	\
		TP_printk("dev=%s" FIELDS(RXE_CC_F_FORMAT, RXE_CC_S_FORMAT),	\
			  __get_str(dev) FIELDS(RXE_CC_F_PRINT, RXE_CC_S_PRINT)))

#define RXE_CC_FLOW_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->info.qpn) \
	S(u8, event, " event=%s", rxe_cc_show_event, event) \
	F(u64, now_ns, "%llu", now_ns) \
	F(u64, line_rate_bps, "%llu", qp->flow.line_rate_bps) \
	F(u64, min_rate_bps, "%llu", qp->flow.min_rate_bps) \
	F(u64, base_rtt_ns, "%llu", qp->flow.base_rtt_ns) \
	F(u32, pkt_bytes, "%u", qp->flow.pkt_bytes)
RXE_CC_TRACE(rxe_cc_flow, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event, u64 now_ns),
	TP_ARGS(qp, event, now_ns), RXE_CC_FLOW_FIELDS);

TRACE_EVENT(rxe_cc_verdict,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event, u64 now_ns, u32 verdict),
	TP_ARGS(qp, event, now_ns, verdict),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u8, event)
		__field(u32, verdict)
		__field(u64, now_ns)
		__array(u64, told, RXE_CC_FB_MAX)
		__field(u8, nr_told)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->event = event;
		__entry->verdict = verdict;
		__entry->now_ns = now_ns;
		memcpy(__entry->told, qp->flow.report.fb,
		       sizeof(__entry->told));
		__entry->nr_told = min(qp->flow.report.nr, RXE_CC_FB_MAX);
	),
	TP_printk("dev=%s qpn=%u event=%s now_ns=%llu verdict=0x%x told=%s",
		  __get_str(dev), __entry->qpn, rxe_cc_show_event(__entry->event),
		  __entry->now_ns, __entry->verdict,
		  __print_array(__entry->told, __entry->nr_told, sizeof(u64)))
);

/* After the call, and before what follows from it. */
TRACE_EVENT(rxe_cc_qp_cmd,
	TP_PROTO(const struct rxe_cc_qp *qp, const struct rxe_cc_cmd *cmd,
		 const struct rxe_cc_cmd_call *c, const struct rxe_cc_sample *s,
		 int err),
	TP_ARGS(qp, cmd, c, s, err),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__string(cmd, cmd->name)
		__field(u32, qpn)
		__field(int, err)
		__field(u64, now_ns)
		__dynamic_array(u64, args, cmd->nr_args)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(cmd);
		__entry->qpn = qp->info.qpn;
		__entry->err = err;
		__entry->now_ns = s->now_ns;
		memcpy(__get_dynamic_array(args), c->args,
		       cmd->nr_args * sizeof(u64));
	),
	TP_printk("dev=%s qpn=%u cmd=%s now_ns=%llu args=%s err=%d",
		  __get_str(dev), __entry->qpn, __get_str(cmd), __entry->now_ns,
		  __print_array(__get_dynamic_array(args),
				__get_dynamic_array_len(args) / sizeof(u64),
				sizeof(u64)), __entry->err)
);

TRACE_EVENT(rxe_cc_inst_cmd,
	TP_PROTO(struct rxe_cc_inst *inst, u32 peer, const struct rxe_cc_cmd *cmd,
		 const struct rxe_cc_cmd_call *c,
		 const struct rxe_cc_port_call *p, int err),
	TP_ARGS(inst, peer, cmd, c, p, err),
	TP_STRUCT__entry(
		__string(dev, inst->port->ibdev->name)
		__string(cmd, cmd->name)
		__field(u32, peer)
		__field(int, err)
		__field(u64, now_ns)
		__dynamic_array(u64, args, cmd->nr_args)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(cmd);
		__entry->peer = peer;
		__entry->err = err;
		__entry->now_ns = p->now_ns;
		memcpy(__get_dynamic_array(args), c->args,
		       cmd->nr_args * sizeof(u64));
	),
	TP_printk("dev=%s peer=%u cmd=%s now_ns=%llu args=%s err=%d",
		  __get_str(dev), __entry->peer, __get_str(cmd), __entry->now_ns,
		  __print_array(__get_dynamic_array(args),
				__get_dynamic_array_len(args) / sizeof(u64),
				sizeof(u64)), __entry->err)
);

/* Asked before anything is changed, the algorithm does not take a command about a host, such
 * as a look-ahead. It was not called, so rxe_cc_inst_cmd does not follow.
 */
TRACE_EVENT(rxe_cc_inst_refused,
	TP_PROTO(struct rxe_cc_inst *inst, u32 peer, const struct rxe_cc_cmd *cmd,
		 u64 now_ns, int err),
	TP_ARGS(inst, peer, cmd, now_ns, err),
	TP_STRUCT__entry(
		__string(dev, inst->port->ibdev->name)
		__string(cmd, cmd->name)
		__field(u32, peer)
		__field(int, err)
		__field(u64, now_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(cmd);
		__entry->peer = peer;
		__entry->err = err;
		__entry->now_ns = now_ns;
	),
	TP_printk("dev=%s peer=%u cmd=%s now_ns=%llu err=%d", __get_str(dev),
		  __entry->peer, __get_str(cmd), __entry->now_ns, __entry->err)
);

#define RXE_CC_PORT_TIMER_FIELDS(F, S)	\
	F(u64, now_ns, "%llu", now_ns) \
	F(bool, kick, "%d", kick)
RXE_CC_TRACE(rxe_cc_port_timer, inst,
	TP_PROTO(struct rxe_cc_inst *inst, u64 now_ns, bool kick),
	TP_ARGS(inst, now_ns, kick), RXE_CC_PORT_TIMER_FIELDS);

/* What counts at a port. In the order of @at_ns for one port; those that leave are noticed
 * later.
 */
DECLARE_EVENT_CLASS(rxe_cc_rx_count,
	TP_PROTO(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
		 bool joined, u64 at_ns),
	TP_ARGS(rp, peer, joined, at_ns),
	TP_STRUCT__entry(
		__string(dev, rp->port ? rp->port->ibdev->name : "")
		__field(u32, peer)
		__field(bool, joined)
		__field(u64, at_ns)
		__field(u32, senders)
		__field(u32, msgs)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->peer = peer->id;
		__entry->joined = joined;
		__entry->at_ns = at_ns;
		__entry->senders = rp->senders;
		__entry->msgs = rp->msgs;
	),
	TP_printk("dev=%s peer=%u %s at_ns=%llu senders=%u msgs=%u",
		  __get_str(dev), __entry->peer,
		  __entry->joined ? "joined" : "left", __entry->at_ns,
		  __entry->senders, __entry->msgs)
);

#define rxe_cc_show_cap(e)				\
	__print_symbolic(e,				\
			 { RXE_CC_CAP_SET, "set" },	\
			 { RXE_CC_CAP_LIFTED, "lifted" },	\
			 { RXE_CC_CAP_EXPIRED, "expired" })
#define RXE_CC_CAP_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->info.qpn) \
	F(u32, peer, "%u", qp->peer->id) \
	S(u8, what, " %s", rxe_cc_show_cap, what) \
	F(u64, now_ns, "%llu", now_ns) \
	F(u64, cap_bytes, "%llu", READ_ONCE(qp->cap->bytes)) \
	F(u64, until_ns, "%llu", READ_ONCE(qp->cap->until_ns)) \
	F(u32, busy, "%u", atomic_read(&qp->cap->busy))
RXE_CC_TRACE(rxe_cc_cap, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, enum rxe_cc_cap_event what, u64 now_ns),
	TP_ARGS(qp, what, now_ns), RXE_CC_CAP_FIELDS);

/* A host has begun to send to the port, or no longer does. */
DEFINE_EVENT(rxe_cc_rx_count, rxe_cc_rx_sender,
	TP_PROTO(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
		 bool joined, u64 at_ns),
	TP_ARGS(rp, peer, joined, at_ns)
);

/* A queue pair's messages have begun to count, or no longer do: msgs is N. */
DEFINE_EVENT(rxe_cc_rx_count, rxe_cc_rx_msg,
	TP_PROTO(const struct rxe_cc_rx_port *rp, const struct rxe_cc_rx_peer *peer,
		 bool joined, u64 at_ns),
	TP_ARGS(rp, peer, joined, at_ns)
);

/* An algorithm sees congestion of another type: of a flow, or with qpn 0 of the port. */
#define RXE_CC_CONGESTION_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->inst->ops->port_congestion ? 0 : qp->info.qpn) \
	S(u8, type, " type=%s", rxe_cc_show_congestion, qp->flow.congestion) \
	S(u8, before, " before=%s", rxe_cc_show_congestion, before) \
	F(u64, now_ns, "%llu", now_ns)
RXE_CC_TRACE(rxe_cc_congestion, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 before, u64 now_ns),
	TP_ARGS(qp, before, now_ns), RXE_CC_CONGESTION_FIELDS);

#define RXE_CC_DECISION_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->info.qpn) \
	S(u8, event, " event=%s", rxe_cc_show_event, event) \
	F(u64, now_ns, "%llu", now_ns) \
	F(u64, rate_bps, "%llu", qp->flow.rate_bps) \
	F(u64, cwnd_bytes, "%lld", qp->flow.cwnd_bytes) \
	F(u64, timer_ns, "%lld", qp->flow.timer_ns)
RXE_CC_TRACE(rxe_cc_decision, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event, u64 now_ns),
	TP_ARGS(qp, event, now_ns), RXE_CC_DECISION_FIELDS);

#define rxe_cc_show_stall(window)	((window) ? "window" : "pacing")
#define RXE_CC_STALL_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->info.qpn) \
	S(bool, window, " why=%s", rxe_cc_show_stall, window) \
	F(u64, now_ns, "%llu", now_ns) \
	F(u64, until_ns, "%llu", until_ns) \
	F(u64, inflight_bytes, "%llu", inflight_bytes)
RXE_CC_TRACE(rxe_cc_stall, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, bool window, u64 now_ns,
		 u64 until_ns, u64 inflight_bytes),
	TP_ARGS(qp, window, now_ns, until_ns, inflight_bytes), RXE_CC_STALL_FIELDS);

#define rxe_cc_show_cnp(sent)	((sent) ? "sent" : "received")
#define RXE_CC_CNP_FIELDS(F, S)	\
	F(u32, qpn, "%u", qp->info.qpn) \
	F(u32, dest_qpn, "%u", qp->info.dest_qpn) \
	S(bool, sent, " %s", rxe_cc_show_cnp, sent) \
	F(int, err, "%d", err) \
	F(u64, window_bytes, "%llu", window_bytes)
RXE_CC_TRACE(rxe_cc_cnp, qp,
	TP_PROTO(const struct rxe_cc_qp *qp, bool sent, int err, u64 window_bytes),
	TP_ARGS(qp, sent, err, window_bytes), RXE_CC_CNP_FIELDS);

#endif /* _RXE_CC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH core
#define TRACE_INCLUDE_FILE cc_trace
#include <trace/define_trace.h>
