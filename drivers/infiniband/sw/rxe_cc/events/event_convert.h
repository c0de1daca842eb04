/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Converts samples, decisions and commands to and from event records, and has the rules of
 * replay. Pure functions for recording and replay.
 */
#ifndef _RXE_CC_EVENT_CONVERT_H
#define _RXE_CC_EVENT_CONVERT_H

#include <linux/errno.h>
#include <linux/stddef.h>
#include <rxe_cc/cc.h>
#include <uapi/linux/rxe_cc_events.h>

#include "core/cc_core.h"
#include "core/cc_flow_update.h"

struct dentry;

/* Longest record there can be. */
#define RXE_CC_EVT_LEN_MAX	(sizeof(struct rxe_cc_evt) + \
				 RXE_CC_EVT_HOPS_MAX * sizeof(struct rxe_cc_evt_hop))

/**
 * rxe_cc_evt_kind() - kind of the records of an event
 * @event: enum rxe_cc_event
 *
 * The core may number its events anew, files may not.
 *
 * Return: enum rxe_cc_evt_kind.
 */
static inline u8 rxe_cc_evt_kind(enum rxe_cc_event event)
{
	static const u8 kind[] = {
		[RXE_CC_EV_ACK] = RXE_CC_EVT_ACK,
		[RXE_CC_EV_SENT] = RXE_CC_EVT_SENT,
		[RXE_CC_EV_CNP] = RXE_CC_EVT_CNP,
		[RXE_CC_EV_TIMER] = RXE_CC_EVT_TIMER,
		[RXE_CC_EV_LOSS] = RXE_CC_EVT_LOSS,
		[RXE_CC_EV_DATA] = RXE_CC_EVT_DATA,
		[RXE_CC_EV_FILL] = RXE_CC_EVT_FILL,
		[RXE_CC_EV_GROUP] = RXE_CC_EVT_GROUP,
		[RXE_CC_EV_INIT] = RXE_CC_EVT_INIT,
		[RXE_CC_EV_CHANGE] = RXE_CC_EVT_CHANGE,
		[RXE_CC_EV_ENV] = RXE_CC_EVT_ENV,
		[RXE_CC_EV_END] = RXE_CC_EVT_END,
		[RXE_CC_EV_CMD] = RXE_CC_EVT_CMD,
	};

	return event < ARRAY_SIZE(kind) ? kind[event] : RXE_CC_EVT_ERROR;
}

/**
 * rxe_cc_evt_len() - length of a record without hops
 * @kind: kind
 *
 * Return: bytes, or 0 when there is no such kind.
 */
static inline u32 rxe_cc_evt_len(u8 kind)
{
	if (rxe_cc_evt_has_rx(kind))
		return offsetofend(struct rxe_cc_evt, sample);
	if (kind <= RXE_CC_EVT_SAMPLES)
		return offsetof(struct rxe_cc_evt, sample.rx);
	switch (kind) {
	case RXE_CC_EVT_INIT:
	case RXE_CC_EVT_CHANGE:
	case RXE_CC_EVT_ENV:
		return offsetofend(struct rxe_cc_evt, env);
	case RXE_CC_EVT_END:
	case RXE_CC_EVT_PORT:
		return offsetofend(struct rxe_cc_evt, next_timer_ns);
	case RXE_CC_EVT_DECISION:
		return offsetofend(struct rxe_cc_evt, decision);
	case RXE_CC_EVT_SETUP:
		return offsetofend(struct rxe_cc_evt, setup);
	case RXE_CC_EVT_PARAM:
		return offsetofend(struct rxe_cc_evt, param);
	case RXE_CC_EVT_ERROR:
		return offsetofend(struct rxe_cc_evt, text);
	case RXE_CC_EVT_CMD:
		return offsetofend(struct rxe_cc_evt, cmd);
	}
	return 0;
}

/* Does a text of a record have its end. */
static inline bool rxe_cc_evt_ends(const char *name)
{
	return strnlen(name, RXE_CC_EVT_NAME_MAX) < RXE_CC_EVT_NAME_MAX;
}

/* Of a command: NULL, or what is wrong. */
static inline const char *rxe_cc_evt_check_cmd(const struct rxe_cc_evt *e)
{
	unsigned int i;

	if (e->cmd.nr_args > RXE_CC_EVT_VALUES_MAX)
		return "too many arguments";
	if (!rxe_cc_evt_ends(e->cmd.name))
		return "a name is too long";
	for (i = 0; i < e->cmd.nr_args; i++)
		if (!rxe_cc_evt_ends(e->cmd.arg[i].name))
			return "a name is too long";
	return NULL;
}

/**
 * rxe_cc_evt_check() - is this a whole, well-formed record
 * @e: record
 * @room: bytes that there are from @e on
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *rxe_cc_evt_check(const struct rxe_cc_evt *e,
					   size_t room)
{
	u32 len;

	if (room < offsetofend(struct rxe_cc_evt, next_timer_ns))
		return "record cut off";
	len = rxe_cc_evt_len(e->kind);
	if (!len)
		return "unknown kind of record";
	if (room < len)
		return "record cut off";
	if (e->kind <= RXE_CC_EVT_SAMPLES) {
		if (e->sample.nr_hops > RXE_CC_EVT_HOPS_MAX)
			return "too many hops";
		len += e->sample.nr_hops * sizeof(struct rxe_cc_evt_hop);
	}
	if (e->len != len)
		return "wrong length of record";
	if (e->kind == RXE_CC_EVT_CMD)
		return rxe_cc_evt_check_cmd(e);
	return room < len ? "record cut off" : NULL;
}

/**
 * rxe_cc_evt_of_sample() - a sample as a record
 * @e: receives it; has room for the hops
 * @kind: kind of the event
 * @s: sample
 *
 * Identity and place of the flow are left to the caller.
 */
static inline void rxe_cc_evt_of_sample(struct rxe_cc_evt *e, u8 kind,
					const struct rxe_cc_sample *s)
{
	struct rxe_cc_evt_hop *hop;
	unsigned int i;

	e->kind = kind;
	e->t_ns = s->now_ns;
	e->flags = (s->ce ? RXE_CC_EVT_F_CE : 0) |
		   (s->start ? RXE_CC_EVT_F_START : 0) |
		   (s->end ? RXE_CC_EVT_F_END : 0) |
		   (s->retransmit ? RXE_CC_EVT_F_RETRANSMIT : 0) |
		   (s->partial ? RXE_CC_EVT_F_PARTIAL : 0) |
		   (s->direct ? RXE_CC_EVT_F_DIRECT : 0) |
		   (s->has_owd ? RXE_CC_EVT_F_OWD : 0);
	e->sample.bytes = s->bytes;
	e->sample.inflight_bytes = s->inflight_bytes;
	e->sample.rtt_ns = s->rtt_ns;
	e->sample.turnaround_ns = s->turnaround_ns;
	e->sample.owd_ns = s->owd_ns;
	e->sample.owd_over_ns = s->owd_over_ns;
	e->sample.min_rtt_ns = s->min_rtt_ns;
	e->sample.path_hops = s->path_hops;
	e->sample.cnp_origin = s->cnp_origin;
	e->sample.cnp_window_bytes = s->cnp_window_bytes;
	e->sample.late_ns = s->arrived_ns ? s->now_ns - s->arrived_ns : 0;
	memcpy(e->sample.fb, s->fb, sizeof(e->sample.fb));
	e->sample.nr_fb = s->nr_fb;
	e->sample.data_kind = s->kind;
	e->sample.msg_bytes = s->msg_bytes;
	e->sample.seq = s->seq;
	e->sample.next_seq = s->next_seq;
	e->sample.loss = s->loss;
	e->sample.nr_hops = min_t(u32, s->nr_hops, RXE_CC_EVT_HOPS_MAX);
	e->len = rxe_cc_evt_len(kind) + e->sample.nr_hops * sizeof(*hop);
	hop = (void *)e + rxe_cc_evt_len(kind);
	for (i = 0; i < e->sample.nr_hops; i++, hop++) {
		hop->ts_ns = s->hops[i].ts_ns;
		hop->tx_bytes = s->hops[i].tx_bytes;
		hop->rate_bps = s->hops[i].rate_bps;
		hop->qlen_bytes = s->hops[i].qlen_bytes;
		hop->node = s->hops[i].node;
		hop->port = s->hops[i].port;
	}
}

/**
 * rxe_cc_evt_to_sample() - a record as the sample it was made of
 * @e: record that rxe_cc_evt_check() accepts
 * @s: receives it
 * @hops: room for RXE_CC_EVT_HOPS_MAX hops
 */
static inline void rxe_cc_evt_to_sample(const struct rxe_cc_evt *e,
					struct rxe_cc_sample *s,
					struct rxe_cc_int_hop *hops)
{
	const struct rxe_cc_evt_hop *hop = (const void *)e + rxe_cc_evt_len(e->kind);
	unsigned int i;

	*s = (struct rxe_cc_sample) {
		.now_ns = e->t_ns,
		.bytes = e->sample.bytes,
		.inflight_bytes = e->sample.inflight_bytes,
		.rtt_ns = e->sample.rtt_ns,
		.turnaround_ns = e->sample.turnaround_ns,
		.owd_ns = e->sample.owd_ns,
		.owd_over_ns = e->sample.owd_over_ns,
		.min_rtt_ns = e->sample.min_rtt_ns,
		.path_hops = e->sample.path_hops,
		.cnp_origin = e->sample.cnp_origin,
		.has_owd = e->flags & RXE_CC_EVT_F_OWD,
		.cnp_window_bytes = e->sample.cnp_window_bytes,
		.arrived_ns = e->kind == RXE_CC_EVT_DATA ?
			      e->t_ns - min(e->sample.late_ns, e->t_ns) : 0,
		.hops = e->sample.nr_hops ? hops : NULL,
		.nr_fb = min_t(u32, e->sample.nr_fb, RXE_CC_FB_MAX),
		.kind = e->sample.data_kind,
		.msg_bytes = e->sample.msg_bytes,
		.seq = e->sample.seq,
		.next_seq = e->sample.next_seq,
		.nr_hops = e->sample.nr_hops,
		.loss = e->sample.loss,
		.ce = e->flags & RXE_CC_EVT_F_CE,
		.start = e->flags & RXE_CC_EVT_F_START,
		.end = e->flags & RXE_CC_EVT_F_END,
		.retransmit = e->flags & RXE_CC_EVT_F_RETRANSMIT,
		.partial = e->flags & RXE_CC_EVT_F_PARTIAL,
		.direct = e->flags & RXE_CC_EVT_F_DIRECT,
	};
	memcpy(s->fb, e->sample.fb, sizeof(s->fb));
	for (i = 0; i < e->sample.nr_hops; i++, hop++)
		hops[i] = (struct rxe_cc_int_hop) {
			.ts_ns = hop->ts_ns,
			.tx_bytes = hop->tx_bytes,
			.rate_bps = hop->rate_bps,
			.qlen_bytes = hop->qlen_bytes,
			.node = hop->node,
			.port = hop->port,
		};
}

/**
 * rxe_cc_evt_of_rx() - what an algorithm sees of its port, as part of a record
 * @e: record; receives it, if its kind has it
 * @v: that
 */
static inline void rxe_cc_evt_of_rx(struct rxe_cc_evt *e, const struct rxe_cc_rx_view *v)
{
	if (!rxe_cc_evt_has_rx(e->kind))
		return;
	e->sample.rx = (struct rxe_cc_evt_rx) {
		.round_bytes = v->round_bytes,
		.round_ns = v->round_ns,
		.base_rtt_ns = v->base_rtt_ns,
		.min_owd_ns = v->min_owd_ns,
		.parts_q16 = v->parts_q16,
		.hosts_q16 = v->hosts_q16,
		.msgs = v->msgs,
		.msgs_all = v->msgs_all,
		.senders = v->senders,
		.peer_msgs = v->peer_msgs,
		.peer_counted = v->peer_counted,
	};
}

/**
 * rxe_cc_evt_to_rx() - part of a record as what the algorithm saw of its port
 * @e: record that rxe_cc_evt_check() accepts
 * @v: receives it, if the record's kind has it
 */
static inline void rxe_cc_evt_to_rx(const struct rxe_cc_evt *e, struct rxe_cc_rx_view *v)
{
	if (!rxe_cc_evt_has_rx(e->kind))
		return;
	*v = (struct rxe_cc_rx_view) {
		.round_bytes = e->sample.rx.round_bytes,
		.round_ns = e->sample.rx.round_ns,
		.base_rtt_ns = e->sample.rx.base_rtt_ns,
		.min_owd_ns = e->sample.rx.min_owd_ns,
		.parts_q16 = e->sample.rx.parts_q16,
		.hosts_q16 = e->sample.rx.hosts_q16,
		.msgs = e->sample.rx.msgs,
		.msgs_all = e->sample.rx.msgs_all,
		.senders = e->sample.rx.senders,
		.peer_msgs = e->sample.rx.peer_msgs,
		.peer_counted = e->sample.rx.peer_counted,
	};
}

/**
 * rxe_cc_evt_of_decision() - what a call has left in a flow, as a record
 * @e: receives it
 * @f: flow
 * @cause: kind of the event that the call was about
 * @verdict: RXE_CC_RX_*, what on_data has asked for
 *
 * Identity and time are left to the caller.
 */
static inline void rxe_cc_evt_of_decision(struct rxe_cc_evt *e,
					  const struct rxe_cc_flow *f, u8 cause,
					  u32 verdict)
{
	e->cause = cause;
	e->flags = (verdict & RXE_CC_RX_CNP ? RXE_CC_EVT_F_CNP : 0) |
		   (verdict & RXE_CC_RX_REPORT ? RXE_CC_EVT_F_REPORT : 0) |
		   (f->report.always ? RXE_CC_EVT_F_ALWAYS : 0) |
		   (f->lift_cap ? RXE_CC_EVT_F_LIFT : 0);
	e->decision.rate_bps = f->rate_bps;
	e->decision.cwnd_bytes = f->cwnd_bytes;
	e->decision.timer_ns = f->timer_ns;
	memcpy(e->decision.fb, f->report.fb, sizeof(e->decision.fb));
	e->decision.nr_fb = min(f->report.nr, RXE_CC_FB_MAX);
	e->decision.wants = f->wants;
	e->decision.fb_ignore = f->fb_ignore;
	e->decision.cnp_gap_ns = f->cnp_gap_ns;
}

static inline void rxe_cc_evt_value(struct rxe_cc_evt_value *v, const char *name,
				    u64 value)
{
	strscpy(v->name, name, sizeof(v->name));
	v->value = value;
}

static inline void rxe_cc_evt_of_answer(struct rxe_cc_evt *e,
					const struct rxe_cc_cmd_call *c, int err)
{
	unsigned int i;

	e->cmd.err = -err;
	if (err)
		return;
	e->cmd.nr_answers = min_t(u32, c->nr_vars, RXE_CC_EVT_VALUES_MAX);
	for (i = 0; i < e->cmd.nr_answers; i++)
		rxe_cc_evt_value(&e->cmd.answer[i], c->var[i].name, c->var[i].value);
}

/**
 * rxe_cc_evt_of_cmd() - a command and its answer as a record
 * @e: receives it, zeroed
 * @cmd: command
 * @c: call, made
 * @err: what it returned
 *
 * Whom it was for is left to the caller, but for the kind.
 */
static inline void rxe_cc_evt_of_cmd(struct rxe_cc_evt *e,
				     const struct rxe_cc_cmd *cmd,
				     const struct rxe_cc_cmd_call *c, int err)
{
	unsigned int i;

	e->kind = RXE_CC_EVT_CMD;
	e->len = rxe_cc_evt_len(RXE_CC_EVT_CMD);
	e->cmd.scope = rxe_cc_cmd_scope(cmd);
	strscpy(e->cmd.name, cmd->name, sizeof(e->cmd.name));
	e->cmd.nr_args = min_t(u32, cmd->nr_args, RXE_CC_EVT_VALUES_MAX);
	for (i = 0; i < e->cmd.nr_args; i++)
		rxe_cc_evt_value(&e->cmd.arg[i], cmd->args[i].name, c->args[i]);
	rxe_cc_evt_of_answer(e, c, err);
}

/**
 * rxe_cc_evt_to_args() - a record's arguments in the order of the command's table
 * @e: record that rxe_cc_evt_check() accepts
 * @cmd: command of that name
 * @args: receives one value an argument
 * @name: receives the name of the argument that is to blame
 *
 * What the record does not have is as if nobody gave it.
 *
 * Return: NULL, or why the command is no longer the one of the record.
 */
static inline const char *rxe_cc_evt_to_args(const struct rxe_cc_evt *e,
					     const struct rxe_cc_cmd *cmd, u64 *args,
					     const char **name)
{
	u32 seen = 0;
	unsigned int i;

	*name = cmd->name;
	if (e->cmd.scope != rxe_cc_cmd_scope(cmd))
		return "a command for something else";
	rxe_cc_cmd_defaults(cmd, args);
	for (i = 0; i < e->cmd.nr_args; i++) {
		const struct rxe_cc_evt_value *v = &e->cmd.arg[i];
		int at = rxe_cc_param_index(cmd->args, cmd->nr_args, v->name);

		*name = v->name;
		if (at < 0)
			return "no such argument";
		if (v->value < cmd->args[at].min || v->value > cmd->args[at].max)
			return "argument out of range";
		args[at] = v->value;
		seen |= BIT(at);
	}
	if (!(cmd->required & ~seen))
		return NULL;
	*name = cmd->args[__ffs(cmd->required & ~seen)].name;
	return "argument missing";
}

/**
 * rxe_cc_evt_await() - does a timer wait for its recorded event
 * @timer_ns: when it is due
 * @next_timer_ns: when the flow's next recorded timer event is
 * @late_ns: how late the recorded ones were at most
 *
 * A recorded timer event shows the order among events of one instant and how
 * late the handler was. One that is not due by then is another algorithm's or
 * other parameters', and the timer goes off by itself.
 *
 * Return: true when it does.
 */
static inline bool rxe_cc_evt_await(u64 timer_ns, u64 next_timer_ns, u64 late_ns)
{
	return next_timer_ns != RXE_CC_NO_TIMER && timer_ns <= next_timer_ns &&
	       next_timer_ns - timer_ns <= late_ns;
}

/**
 * rxe_cc_evt_overdue() - must a timer go off by itself before an event
 * @timer_ns: when it is due
 * @t_ns: time of the event
 * @late_ns: how late the recorded ones were at most
 *
 * Of what is due in one instant the event comes first.
 *
 * Return: true when it must.
 */
static inline bool rxe_cc_evt_overdue(u64 timer_ns, u64 t_ns, u64 late_ns)
{
	return timer_ns < t_ns && t_ns - timer_ns > late_ns;
}

/* events_record.c */
int rxe_cc_record_init(struct dentry *dir);

/* events_replay_debugfs.c */
int rxe_cc_replay_init(struct dentry *dir);

#endif /* _RXE_CC_EVENT_CONVERT_H */
