/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of a replay: an algorithm with the ports and flows that recorded events are fed to.
 */
#ifndef _RXE_CC_EVENTS_REPLAY_H
#define _RXE_CC_EVENTS_REPLAY_H

#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/xarray.h>

#include "core/cc_idle_delay.h"
#include "event_convert.h"
#include "record_buffer.h"

/**
 * struct replay_port - the algorithm's state of a port
 * @priv: port_priv_size bytes, or NULL
 * @peers: its state of peers, by number; when it has such state
 */
struct replay_port {
	void *priv;
	struct xarray peers;
};

/**
 * struct replay_flow - a flow
 * @flow: what the algorithm sees
 * @timer_set_ns: as in struct rxe_cc_qp
 * @base_rtt_ns: given; 0: the smallest measured
 * @rtt_window_ns: of the knob rtt_window
 * @idle_rtt: as in struct rxe_cc_qp
 * @next_timer_ns: the next recorded timer event
 * @last_ns: latest time shown to the algorithm
 * @due_ns: its place in &replay.timers
 * @inflight_bytes: latest known
 * @next_seq: latest known
 * @port: its port
 * @id: number of the flow
 * @wants: what it wanted after the last call
 * @live: under the algorithm
 * @queued: in &replay.timers
 * @node: in &replay.timers
 * @own: of the algorithm
 */
struct replay_flow {
	struct rxe_cc_flow flow;
	u64 timer_set_ns;
	u64 base_rtt_ns;
	u64 rtt_window_ns;
	struct rxe_cc_idle idle_rtt;
	u64 next_timer_ns;
	u64 last_ns;
	u64 due_ns;
	u64 inflight_bytes;
	u64 next_seq;
	struct replay_port *port;
	u32 id;
	u16 wants;
	bool live;
	bool queued;
	struct rb_node node;
	u8 own[] __aligned(8);
};

/**
 * struct replay - one open file
 * @lock: all below; process context only
 * @ops: algorithm, its module pinned; NULL before SETUP
 * @params: values of its parameters
 * @late_ns: how late the recorded timers were
 * @last_ns: time of the latest event
 * @started: an event came: no more PARAM
 * @broken: a record was refused: nothing more is taken
 * @flows: struct replay_flow by number
 * @ports: struct replay_port by number
 * @timers: flows whose timer goes off by itself, by time and number
 * @out: answers that nobody has read
 * @hops: of the sample under way
 */
struct replay {
	struct mutex lock; /* see above */
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	u64 late_ns;
	u64 last_ns;
	bool started;
	bool broken;
	struct xarray flows;
	struct xarray ports;
	struct rb_root_cached timers;
	struct records out;
	struct rxe_cc_int_hop hops[RXE_CC_EVT_HOPS_MAX];
};

/* events_replay.c */
struct rxe_cc_evt *rxe_cc_replay_answer(struct replay *r, u8 kind);
int rxe_cc_replay_refuse(struct replay *r, const char *name, const char *why);
void rxe_cc_replay_leave(struct replay *r, struct replay_flow *f);
void rxe_cc_replay_ports_free(struct replay *r);
int rxe_cc_replay_event(struct replay *r, const struct rxe_cc_evt *e);

#endif /* _RXE_CC_EVENTS_REPLAY_H */
