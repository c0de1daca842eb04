/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Samples of ports and queue pairs, taken in the kernel: roce_watch.ko, debugfs
 * file roce_watch. Commands are written to it, one a write, and records read
 * from it. Byte order is the machine's.
 *
 * Units: ns, bit/s, bytes of wire bytes.
 */
#ifndef _UAPI_LINUX_ROCE_WATCH_H
#define _UAPI_LINUX_ROCE_WATCH_H

#include <linux/types.h>

/**
 * enum roce_watch_cmd_kind - what to do
 * @ROCE_WATCH_CMD_PORT: watch a port; before @ROCE_WATCH_CMD_START
 * @ROCE_WATCH_CMD_START: take samples from now on
 * @ROCE_WATCH_CMD_STOP: take no more
 * @ROCE_WATCH_CMD_HIST_BEGIN: begin histograms, of ports with %ROCE_WATCH_F_HIST
 * @ROCE_WATCH_CMD_HIST_END: end them and make their records
 * @ROCE_WATCH_CMD_LOST: records of the flows of which links have lost packets since the last such
 *	command, of ports with %ROCE_WATCH_F_LOST; the first one begins to keep them
 */
enum roce_watch_cmd_kind {
	ROCE_WATCH_CMD_PORT = 1,
	ROCE_WATCH_CMD_START,
	ROCE_WATCH_CMD_STOP,
	ROCE_WATCH_CMD_HIST_BEGIN,
	ROCE_WATCH_CMD_HIST_END,
	ROCE_WATCH_CMD_LOST,
};

/* Of a port: in each sample, in every n-th, a histogram. */
#define ROCE_WATCH_F_EACH	(1 << 0)
#define ROCE_WATCH_F_RARE	(1 << 1)
#define ROCE_WATCH_F_HIST	(1 << 2)
/* Of a port: in each sample, what LSCC does there. */
#define ROCE_WATCH_F_LSCC	(1 << 4)
/* Of a port: which flows lose packets on its link. */
#define ROCE_WATCH_F_LOST	(1 << 6)
/* Of a start: all queue pairs. */
#define ROCE_WATCH_F_QPS	(1 << 3)
/*
 * Of a start: sleep from sample to sample where the interval has doubled. Else the thread wakes
 * up at each instant of the first interval. That decides what comes first in an instant that a
 * sample shares with a packet: results of longer runs would differ from those of before.
 */
#define ROCE_WATCH_F_SLEEP	(1 << 5)

/**
 * struct roce_watch_cmd - a command
 * @kind: enum roce_watch_cmd_kind
 * @flags: ROCE_WATCH_F_*
 * @netns_fd: port: file descriptor of its network namespace
 * @ifindex: port: device
 * @id: port: the id of its records
 * @rare: start: ports with %ROCE_WATCH_F_RARE are in every n-th sample
 * @stretch: start: after so many samples each interval doubles; 0 = never
 * @pad: 0
 * @t0_ns: start: time of the first sample, CLOCK_MONOTONIC
 * @every_ns: start: interval
 */
struct roce_watch_cmd {
	__u32 kind;
	__u32 flags;
	__s32 netns_fd;
	__u32 ifindex;
	__u32 id;
	__u32 rare;
	__u32 stretch;
	__u32 pad;
	__u64 t0_ns;
	__u64 every_ns;
};

/**
 * enum roce_watch_rec_kind - what a record is
 * @ROCE_WATCH_TICK: a sample begins, struct roce_watch_tick
 * @ROCE_WATCH_PORT: struct roce_watch_port
 * @ROCE_WATCH_DEV: name of an RDMA device, before its queue pairs; ends with 0
 * @ROCE_WATCH_VAR: name of a variable, before its values; ends with 0
 * @ROCE_WATCH_QP: struct roce_watch_qp
 * @ROCE_WATCH_HIST: struct roce_watch_hist
 * @ROCE_WATCH_LSCC: struct roce_watch_lscc
 * @ROCE_WATCH_LOST: struct roce_watch_lost
 */
enum roce_watch_rec_kind {
	ROCE_WATCH_TICK = 1,
	ROCE_WATCH_PORT,
	ROCE_WATCH_DEV,
	ROCE_WATCH_VAR,
	ROCE_WATCH_QP,
	ROCE_WATCH_HIST,
	ROCE_WATCH_LSCC,
	ROCE_WATCH_LOST,
};

/**
 * struct roce_watch_rec - begin of each record
 * @len: its length, a multiple of 8
 * @kind: enum roce_watch_rec_kind
 * @id: of the port, device or variable
 */
struct roce_watch_rec {
	__u32 len;
	__u16 kind;
	__u16 id;
};

/**
 * struct roce_watch_tick - a sample begins
 * @rec: begin
 * @t_ns: when it was due, from the first
 */
struct roce_watch_tick {
	struct roce_watch_rec rec;
	__u64 t_ns;
};

/* Of a priority: its peer has paused it; it runs Mercury; its queue is Undetermined. */
#define ROCE_WATCH_S_PAUSED		(1 << 0)
#define ROCE_WATCH_S_MERCURY		(1 << 1)
#define ROCE_WATCH_S_UNDETERMINED	(1 << 2)

/**
 * struct roce_watch_prio - one priority of a port
 * @id: priority
 * @state: ROCE_WATCH_S_*
 * @bytes: that wait
 * @pause_ns: how long it has been paused
 */
struct roce_watch_prio {
	__u32 id;
	__u32 state;
	__u64 bytes;
	__u64 pause_ns;
};

/**
 * struct roce_watch_port - a port
 * @rec: begin
 * @tx_packets: sent so far
 * @busy_ns: how long it has been sending
 * @prio: those in use
 */
struct roce_watch_port {
	struct roce_watch_rec rec;
	__u64 tx_packets;
	__u64 busy_ns;
	struct roce_watch_prio prio[];
};

/**
 * struct roce_watch_lscc - what LSCC does at a port to a long link
 * @rec: begin
 * @queue_bytes: that came by the link and are in the switch, the paper's Q
 * @out_bps: rate at which such bytes left it in the last period, BR
 * @rate_bps: what was reported to the other end last, R
 * @limit_bps: what the other end reported; 0: nothing that is still in force
 * @pseudo_bytes: pseudo queue, Q*
 */
struct roce_watch_lscc {
	struct roce_watch_rec rec;
	__u64 queue_bytes;
	__u64 out_bps;
	__u64 rate_bps;
	__u64 limit_bps;
	__u64 pseudo_bytes;
};

/**
 * struct roce_watch_var - value of a variable of the algorithm
 * @id: variable
 * @pad: 0
 * @value: as it is now
 */
struct roce_watch_var {
	__u32 id;
	__u32 pad;
	__u64 value;
};

/**
 * struct roce_watch_qp - a queue pair; rec.id is its device
 * @rec: begin
 * @qpn: its number
 * @nr_vars: entries of @var
 * @rate_bps: rate
 * @cwnd_bytes: window; all ones: none
 * @inflight_bytes: not acknowledged
 * @rtt_ns: smoothed round-trip time; 0: not measured
 * @acked_bytes: so far
 * @tx_packets: so far
 * @tx_bytes: so far
 * @congestion: type of congestion that its algorithm sees, enum rxe_cc_congestion
 * @rx_msgs: messages in flight to its port, of all queue pairs that run the algorithm
 * @rx_senders: hosts that send to its port, likewise
 * @of_port: @congestion is the port's, as a receiver
 * @by_int: its algorithm, as it is set, goes by telemetry
 * @pad: 0
 * @var: variables of its algorithm
 */
struct roce_watch_qp {
	struct roce_watch_rec rec;
	__u32 qpn;
	__u32 nr_vars;
	__u64 rate_bps;
	__u64 cwnd_bytes;
	__u64 inflight_bytes;
	__u64 rtt_ns;
	__u64 acked_bytes;
	__u64 tx_packets;
	__u64 tx_bytes;
	__u32 congestion;
	__u32 rx_msgs;
	__u32 rx_senders;
	__u32 of_port;
	__u32 by_int;
	__u32 pad;
	struct roce_watch_var var[];
};

/*
 * Histograms have 16 buckets for each power of two: 0 to 31 the value itself, then
 * its five highest bits. The last holds all that is longer too.
 */
#define ROCE_WATCH_SUB_BITS	4
#define ROCE_WATCH_BITS		32
#define ROCE_WATCH_BUCKETS	((ROCE_WATCH_BITS - ROCE_WATCH_SUB_BITS + 1) << ROCE_WATCH_SUB_BITS)

/**
 * struct roce_watch_hist - how long a port's queue was how long
 * @rec: begin
 * @bucket: those with some time
 */
struct roce_watch_hist {
	struct roce_watch_rec rec;
	struct {
		__u64 nr;
		__u64 ns;
	} bucket[];
};

/**
 * struct roce_watch_lost_flow - a queue pair that lost packets were for
 * @daddr: its address; IPv4 is mapped
 * @qpn: its number
 * @pad: 0
 */
struct roce_watch_lost_flow {
	__u8 daddr[16];
	__u32 qpn;
	__u32 pad;
};

/**
 * struct roce_watch_lost - flows of which a port's link lost packets
 * @rec: begin
 * @more: 1: there were more of them than are kept
 * @pad: 0
 * @flow: them, each once
 */
struct roce_watch_lost {
	struct roce_watch_rec rec;
	__u32 more;
	__u32 pad;
	struct roce_watch_lost_flow flow[];
};

#endif /* _UAPI_LINUX_ROCE_WATCH_H */
