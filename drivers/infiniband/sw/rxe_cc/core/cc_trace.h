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

TRACE_EVENT(rxe_cc_flow,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event, u64 now_ns),
	TP_ARGS(qp, event, now_ns),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u8, event)
		__field(u64, now_ns)
		__field(u64, line_rate_bps)
		__field(u64, min_rate_bps)
		__field(u64, base_rtt_ns)
		__field(u32, pkt_bytes)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->event = event;
		__entry->now_ns = now_ns;
		__entry->line_rate_bps = qp->flow.line_rate_bps;
		__entry->min_rate_bps = qp->flow.min_rate_bps;
		__entry->base_rtt_ns = qp->flow.base_rtt_ns;
		__entry->pkt_bytes = qp->flow.pkt_bytes;
	),
	TP_printk("dev=%s qpn=%u event=%s now_ns=%llu line_rate_bps=%llu min_rate_bps=%llu base_rtt_ns=%llu pkt_bytes=%u",
		  __get_str(dev), __entry->qpn, rxe_cc_show_event(__entry->event),
		  __entry->now_ns, __entry->line_rate_bps,
		  __entry->min_rate_bps, __entry->base_rtt_ns,
		  __entry->pkt_bytes)
);

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

TRACE_EVENT(rxe_cc_port_timer,
	TP_PROTO(struct rxe_cc_inst *inst, u64 now_ns, bool kick),
	TP_ARGS(inst, now_ns, kick),
	TP_STRUCT__entry(
		__string(dev, inst->port->ibdev->name)
		__field(u64, now_ns)
		__field(bool, kick)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->now_ns = now_ns;
		__entry->kick = kick;
	),
	TP_printk("dev=%s now_ns=%llu kick=%d", __get_str(dev),
		  __entry->now_ns, __entry->kick)
);

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

TRACE_EVENT(rxe_cc_cap,
	TP_PROTO(const struct rxe_cc_qp *qp, enum rxe_cc_cap_event what, u64 now_ns),
	TP_ARGS(qp, what, now_ns),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u32, peer)
		__field(u8, what)
		__field(u64, now_ns)
		__field(u64, cap_bytes)
		__field(u64, until_ns)
		__field(u32, busy)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->peer = qp->peer->id;
		__entry->what = what;
		__entry->now_ns = now_ns;
		__entry->cap_bytes = READ_ONCE(qp->cap->bytes);
		__entry->until_ns = READ_ONCE(qp->cap->until_ns);
		__entry->busy = atomic_read(&qp->cap->busy);
	),
	TP_printk("dev=%s qpn=%u peer=%u %s now_ns=%llu cap_bytes=%llu until_ns=%llu busy=%u",
		  __get_str(dev), __entry->qpn, __entry->peer,
		  __print_symbolic(__entry->what,
				   { RXE_CC_CAP_SET, "set" },
				   { RXE_CC_CAP_LIFTED, "lifted" },
				   { RXE_CC_CAP_EXPIRED, "expired" }),
		  __entry->now_ns, __entry->cap_bytes, __entry->until_ns, __entry->busy)
);

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
TRACE_EVENT(rxe_cc_congestion,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 before, u64 now_ns),
	TP_ARGS(qp, before, now_ns),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u8, type)
		__field(u8, before)
		__field(u64, now_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->inst->ops->port_congestion ? 0 : qp->info.qpn;
		__entry->type = qp->flow.congestion;
		__entry->before = before;
		__entry->now_ns = now_ns;
	),
	TP_printk("dev=%s qpn=%u type=%s before=%s now_ns=%llu", __get_str(dev),
		  __entry->qpn, rxe_cc_show_congestion(__entry->type),
		  rxe_cc_show_congestion(__entry->before), __entry->now_ns)
);

TRACE_EVENT(rxe_cc_decision,
	TP_PROTO(const struct rxe_cc_qp *qp, u8 event, u64 now_ns),
	TP_ARGS(qp, event, now_ns),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u8, event)
		__field(u64, now_ns)
		__field(u64, rate_bps)
		__field(u64, cwnd_bytes)
		__field(u64, timer_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->event = event;
		__entry->now_ns = now_ns;
		__entry->rate_bps = qp->flow.rate_bps;
		__entry->cwnd_bytes = qp->flow.cwnd_bytes;
		__entry->timer_ns = qp->flow.timer_ns;
	),
	TP_printk("dev=%s qpn=%u event=%s now_ns=%llu rate_bps=%llu cwnd_bytes=%lld timer_ns=%lld",
		  __get_str(dev), __entry->qpn, rxe_cc_show_event(__entry->event),
		  __entry->now_ns, __entry->rate_bps, (s64)__entry->cwnd_bytes,
		  (s64)__entry->timer_ns)
);

TRACE_EVENT(rxe_cc_stall,
	TP_PROTO(const struct rxe_cc_qp *qp, bool window, u64 now_ns,
		 u64 until_ns, u64 inflight_bytes),
	TP_ARGS(qp, window, now_ns, until_ns, inflight_bytes),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(bool, window)
		__field(u64, now_ns)
		__field(u64, until_ns)
		__field(u64, inflight_bytes)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->window = window;
		__entry->now_ns = now_ns;
		__entry->until_ns = until_ns;
		__entry->inflight_bytes = inflight_bytes;
	),
	TP_printk("dev=%s qpn=%u why=%s now_ns=%llu until_ns=%llu inflight_bytes=%llu",
		  __get_str(dev), __entry->qpn,
		  __entry->window ? "window" : "pacing", __entry->now_ns,
		  __entry->until_ns, __entry->inflight_bytes)
);

TRACE_EVENT(rxe_cc_cnp,
	TP_PROTO(const struct rxe_cc_qp *qp, bool sent, int err, u64 window_bytes),
	TP_ARGS(qp, sent, err, window_bytes),
	TP_STRUCT__entry(
		__string(dev, qp->port->ibdev->name)
		__field(u32, qpn)
		__field(u32, dest_qpn)
		__field(bool, sent)
		__field(int, err)
		__field(u64, window_bytes)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qp->info.qpn;
		__entry->dest_qpn = qp->info.dest_qpn;
		__entry->sent = sent;
		__entry->err = err;
		__entry->window_bytes = window_bytes;
	),
	TP_printk("dev=%s qpn=%u dest_qpn=%u %s err=%d window_bytes=%llu",
		  __get_str(dev), __entry->qpn, __entry->dest_qpn,
		  __entry->sent ? "sent" : "received", __entry->err,
		  __entry->window_bytes)
);

#endif /* _RXE_CC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH core
#define TRACE_INCLUDE_FILE cc_trace
#include <trace/define_trace.h>
