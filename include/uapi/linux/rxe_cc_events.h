/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What congestion-control algorithms were given and what they decided, as
 * records: rxe_cc_events.ko writes them while QPs run (debugfs file
 * rxe_cc_events/record) and takes them to run an algorithm again
 * (rxe_cc_events/replay). Byte order is the machine's.
 *
 * Units: bit/s and bytes of wire bytes, ns. All ones in cwnd_bytes: no window;
 * in timer_ns and next_timer_ns: no timer.
 */
#ifndef _UAPI_LINUX_RXE_CC_EVENTS_H
#define _UAPI_LINUX_RXE_CC_EVENTS_H

#include <linux/types.h>

#define RXE_CC_EVT_NAME_MAX	32
#define RXE_CC_EVT_TEXT_MAX	80
#define RXE_CC_EVT_HOPS_MAX	64
#define RXE_CC_EVT_FB_MAX	4
#define RXE_CC_EVT_VALUES_MAX	8

/**
 * enum rxe_cc_evt_kind - what a record is
 * @RXE_CC_EVT_ACK: sample: data was acknowledged
 * @RXE_CC_EVT_SENT: sample: a data packet left
 * @RXE_CC_EVT_CNP: sample: a CNP came
 * @RXE_CC_EVT_TIMER: sample: the algorithm's timer expired
 * @RXE_CC_EVT_LOSS: sample: packets are sent again
 * @RXE_CC_EVT_DATA: sample: data arrived (receiver)
 * @RXE_CC_EVT_FILL: sample, of which only the time counts: an answer is built
 * @RXE_CC_EVT_GROUP: sample: state that the flow shares with others has changed
 * @RXE_CC_EVT_INIT: env: the flow comes under the algorithm, or starts anew
 * @RXE_CC_EVT_CHANGE: env: port or parameters changed; the algorithm is told
 * @RXE_CC_EVT_ENV: env: port or path changed; the algorithm is not told
 * @RXE_CC_EVT_END: the flow leaves the algorithm
 * @RXE_CC_EVT_PORT: the timer of the state of the flow's port expired
 * @RXE_CC_EVT_DECISION: decision after an event, whose kind is in @cause
 * @RXE_CC_EVT_SETUP: first record of a replay: algorithm
 * @RXE_CC_EVT_PARAM: replay, before any event: value of a parameter
 * @RXE_CC_EVT_ERROR: answer: why the record before was refused
 * @RXE_CC_EVT_CMD: a command was given to the algorithm, and what it answered
 *
 * Files have these numbers: new ones come last.
 */
enum rxe_cc_evt_kind {
	RXE_CC_EVT_ACK,
	RXE_CC_EVT_SENT,
	RXE_CC_EVT_CNP,
	RXE_CC_EVT_TIMER,
	RXE_CC_EVT_LOSS,
	RXE_CC_EVT_DATA,
	RXE_CC_EVT_FILL,
	RXE_CC_EVT_GROUP,
	RXE_CC_EVT_INIT,
	RXE_CC_EVT_CHANGE,
	RXE_CC_EVT_ENV,
	RXE_CC_EVT_END,
	RXE_CC_EVT_PORT,
	RXE_CC_EVT_DECISION,
	RXE_CC_EVT_SETUP,
	RXE_CC_EVT_PARAM,
	RXE_CC_EVT_ERROR,
	RXE_CC_EVT_CMD,
};

#define RXE_CC_EVT_KINDS	(RXE_CC_EVT_CMD + 1)
/* Kinds up to this one are samples. */
#define RXE_CC_EVT_SAMPLES	RXE_CC_EVT_GROUP
/* Samples of these kinds have what is received at the port. */
static inline int rxe_cc_evt_has_rx(__u32 kind)
{
	return kind == RXE_CC_EVT_DATA || kind == RXE_CC_EVT_FILL ||
	       kind == RXE_CC_EVT_GROUP;
}

#define RXE_CC_EVT_F_CE		0x01	/* sample */
#define RXE_CC_EVT_F_START	0x02	/* sample: first packet of a message */
#define RXE_CC_EVT_F_END	0x04	/* sample: last packet of a message */
#define RXE_CC_EVT_F_RETRANSMIT	0x08	/* sample */
#define RXE_CC_EVT_F_CNP	0x10	/* decision: notify the sender */
#define RXE_CC_EVT_F_PARTIAL	0x20	/* sample: a switch reports, hops end with it */
#define RXE_CC_EVT_F_REPORT	0x40	/* decision: report to the sender */
#define RXE_CC_EVT_F_ALWAYS	0x80	/* decision: with every ACK */
#define RXE_CC_EVT_F_OWD	0x100	/* sample: one-way delay measured */
#define RXE_CC_EVT_F_CLOCK	0x200	/* env: clocks are common */
#define RXE_CC_EVT_F_LIFT	0x400	/* decision: a switch's window holds no longer */
#define RXE_CC_EVT_F_OBEYS	0x800	/* env: the peer goes by feedback */
#define RXE_CC_EVT_F_DIRECT	0x1000	/* sample: with PARTIAL: direct INT of LSCC */

/**
 * struct rxe_cc_evt_hop - telemetry of one hop, as struct rxe_cc_int_hop
 * @ts_ns: egress time
 * @tx_bytes: wire bytes sent
 * @rate_bps: speed
 * @qlen_bytes: wire bytes queued
 * @node: switch
 * @port: egress port
 */
struct rxe_cc_evt_hop {
	__u64 ts_ns;
	__u64 tx_bytes;
	__u64 rate_bps;
	__u64 qlen_bytes;
	__u32 node;
	__u32 port;
};

/**
 * struct rxe_cc_evt_value - a value with its name
 * @name: ends with a 0
 * @value: value
 */
struct rxe_cc_evt_value {
	char name[RXE_CC_EVT_NAME_MAX];
	__u64 value;
};

/**
 * struct rxe_cc_evt_rx - what is received at the port, as struct rxe_cc_rx_view
 * @round_bytes: bytes of the last round
 * @round_ns: how long that is
 * @base_rtt_ns: round-trip time
 * @min_owd_ns: smallest one-way delay
 * @parts_q16: into how many parts the port is shared
 * @hosts_q16: the same of hosts
 * @msgs: messages in flight that count
 * @msgs_all: messages in flight
 * @senders: hosts that send
 * @peer_msgs: messages in flight of the flow's peer
 * @peer_counted: those that count
 * @pad: 0
 */
struct rxe_cc_evt_rx {
	__u64 round_bytes;
	__u64 round_ns;
	__u64 base_rtt_ns;
	__u64 min_owd_ns;
	__u64 parts_q16;
	__u64 hosts_q16;
	__u32 msgs;
	__u32 msgs_all;
	__u32 senders;
	__u32 peer_msgs;
	__u32 peer_counted;
	__u32 pad;
};

/**
 * struct rxe_cc_evt - one record: what its kind has of the union, then hops
 * @len: bytes of the record, hops included; a multiple of 8
 * @kind: enum rxe_cc_evt_kind
 * @cause: kind of the event that a decision follows
 * @flags: RXE_CC_EVT_F_*
 * @flow: recorded: QP number; replay: any number that names the flow
 * @port: port of the flow: flows of one port share the algorithm's port state
 * @t_ns: time
 * @next_timer_ns: replay: when the flow's next recorded timer event follows
 * @sample: of a sample; @sample.late_ns is how long before @t_ns a packet came in;
 *	@sample.cnp_origin is enum rxe_cc_cnp_origin; only DATA, FILL and GROUP have
 *	@sample.rx
 * @env: of INIT, CHANGE and ENV; flows of one port and @env.peer share the
 *	algorithm's peer state; @env.base_rtt_ns is 0 when to be measured,
 *	@env.rtt_window_ns is 0 where it is the default,
 *	@env.rate_bps and @env.cwnd_bytes (0: as usual) are the start of a
 *	replayed flow
 * @decision: of a DECISION; @decision.fb is a receiver's feedback, as struct
 *	rxe_cc_report; @decision.wants, fb_ignore and cnp_gap_ns as in struct rxe_cc_flow
 * @setup: of a SETUP; @setup.preset may be empty; @setup.late_ns is how late
 *	the recorded timers were
 * @param: of a PARAM
 * @text: of an ERROR
 * @cmd: of a CMD; @cmd.scope is enum rxe_cc_command_scope. One to a queue pair has
 *	@cmd.next_seq and @cmd.inflight_bytes; one to a peer or a port belongs to no flow
 *	and has @cmd.line_rate_bps and @cmd.dev, and the first @cmd.peer. @cmd.err is
 *	what the algorithm returned, a positive errno
 */
struct rxe_cc_evt {
	__u32 len;
	__u8 kind;
	__u8 cause;
	__u16 flags;
	__u32 flow;
	__u32 port;
	__u64 t_ns;
	__u64 next_timer_ns;
	union {
		struct {
			__u64 bytes;
			__u64 inflight_bytes;
			__u64 rtt_ns;
			__u64 cnp_window_bytes;
			__u64 late_ns;
			__u64 fb[RXE_CC_EVT_FB_MAX];
			__u64 seq;
			__u64 next_seq;
			__u32 loss;
			__u32 nr_hops;
			__u32 nr_fb;
			__u32 data_kind;
			__u32 msg_bytes;
			__u16 path_hops;
			__u16 cnp_origin;
			__u64 turnaround_ns;
			__u64 owd_ns;
			__u64 owd_over_ns;
			__u64 min_rtt_ns;
			struct rxe_cc_evt_rx rx;
		} sample;
		struct {
			__u64 line_rate_bps;
			__u64 min_rate_bps;
			__u64 base_rtt_ns;
			__u64 rtt_window_ns;
			__u64 rate_bps;
			__u64 cwnd_bytes;
			__u32 pkt_bytes;
			__u32 peer;
			char dev[RXE_CC_EVT_NAME_MAX];
		} env;
		struct {
			__u64 rate_bps;
			__u64 cwnd_bytes;
			__u64 timer_ns;
			__u64 fb[RXE_CC_EVT_FB_MAX];
			__u32 nr_fb;
			__u16 wants;
			__u16 fb_ignore;
			__u64 cnp_gap_ns;
		} decision;
		struct {
			char algo[RXE_CC_EVT_NAME_MAX];
			char preset[RXE_CC_EVT_NAME_MAX];
			__u64 late_ns;
		} setup;
		struct {
			char name[RXE_CC_EVT_NAME_MAX];
			__u64 value;
		} param;
		char text[RXE_CC_EVT_TEXT_MAX];
		struct {
			char name[RXE_CC_EVT_NAME_MAX];
			char dev[RXE_CC_EVT_NAME_MAX];
			__u64 next_seq;
			__u64 inflight_bytes;
			__u64 line_rate_bps;
			__u32 scope;
			__u32 peer;
			__u32 err;
			__u16 nr_args;
			__u16 nr_answers;
			struct rxe_cc_evt_value arg[RXE_CC_EVT_VALUES_MAX];
			struct rxe_cc_evt_value answer[RXE_CC_EVT_VALUES_MAX];
		} cmd;
	};
};

#endif /* _UAPI_LINUX_RXE_CC_EVENTS_H */
