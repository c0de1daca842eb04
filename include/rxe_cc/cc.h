/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Congestion control for soft-RoCE: what an algorithm sees.
 *
 * An algorithm is policy only. The core measures into a sample, calls the
 * algorithm with the flow locked, and enforces the rate and window that it
 * leaves in the flow. An algorithm never reads a clock, never touches an skb,
 * never sleeps or allocates in the fast path and never logs, so its functions
 * can be run from tables and from recordings.
 *
 * Units everywhere: rates in bit/s, windows and sizes in bytes, both of *wire*
 * bytes: preamble, Ethernet, IP, UDP, BTH, payload, ICRC, FCS, gap. So a rate
 * equal to the line rate means a busy line. Times in ns of CLOCK_MONOTONIC.
 */
#ifndef _RXE_CC_CC_H
#define _RXE_CC_CC_H

#include <linux/build_bug.h>
#include <linux/list.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>
#include <uapi/linux/rxe_cc.h>

struct module;

#define RXE_CC_ALGO_NAME_MAX	16
#define RXE_CC_MAX_PARAMS	32
#define RXE_CC_MAX_HOPS		8	/* of a path that are compared: NIC and five switches
					 * of a three-tier fat-tree, and two. A sample may
					 * have up to 16
					 */
#define RXE_CC_FB_MAX		4	/* values of feedback from a receiver to its sender */
#define RXE_CC_PRIV_BYTES	1024	/* state of an algorithm, per QP, of each side */
#define RXE_CC_PEER_PRIV_BYTES	1024	/* state of an algorithm, per peer */
#define RXE_CC_NO_WINDOW	U64_MAX
#define RXE_CC_NO_TIMER		U64_MAX
#define RXE_CC_CNP_GAP_NS	4000	/* as NICs have it for a queue pair */

/* Floors and ceilings that hold whatever an algorithm decides. */
#define RXE_CC_RATE_MIN_BPS	1000ULL
#define RXE_CC_RATE_MAX_BPS	800000000000ULL

/**
 * struct rxe_cc_int_hop - telemetry of one egress port on the path
 * @ts_ns: egress time of the packet, CLOCK_TAI
 * @tx_bytes: wire bytes that the port has sent since it came up
 * @rate_bps: speed of the port
 * @qlen_bytes: wire bytes queued behind the packet
 * @node: identity of the switch
 * @port: egress port of the switch
 *
 * With %RXE_CC_WANT_INT_COMPACT times and sizes are rounded to units that suit the
 * speed (Documentation/reference/int.md), only differences of @tx_bytes mean something, @node is
 * an id of the whole path, the same in all hops, and @port is 0. Hops with different
 * ids must not be compared. With %RXE_CC_WANT_INT_FIRST there is one hop that has
 * @ts_ns only. With %RXE_CC_WANT_INT_WORST there is one hop, which stands for the most loaded
 * port of the path: @rate_bps is that of the flow's own line, and @qlen_bytes and @tx_bytes are
 * scaled to it, so that the formula of HPCC gives the load of that port.
 */
struct rxe_cc_int_hop {
	u64 ts_ns;
	u64 tx_bytes;
	u64 rate_bps;
	u32 qlen_bytes;
	u32 node;
	u16 port;
};

/**
 * enum rxe_cc_loss - why packets must be sent again
 * @RXE_CC_LOSS_NAK: the peer reported a PSN sequence error
 * @RXE_CC_LOSS_TIMEOUT: the retransmission timer expired
 * @RXE_CC_LOSS_RNR: the peer had no receive buffer; not a sign of congestion
 */
enum rxe_cc_loss {
	RXE_CC_LOSS_NAK,
	RXE_CC_LOSS_TIMEOUT,
	RXE_CC_LOSS_RNR,
};

/**
 * enum rxe_cc_data_kind - what a packet that arrived is
 * @RXE_CC_DATA_SEND: of a SEND
 * @RXE_CC_DATA_WRITE: of an RDMA WRITE
 * @RXE_CC_DATA_READ_REQ: an RDMA READ request: its data will go the other way
 * @RXE_CC_DATA_READ_RESP: of the data that an own READ has asked for
 * @RXE_CC_DATA_ATOMIC: an atomic operation
 * @RXE_CC_DATA_OTHER: anything else, such as FLUSH
 */
enum rxe_cc_data_kind {
	RXE_CC_DATA_SEND,
	RXE_CC_DATA_WRITE,
	RXE_CC_DATA_READ_REQ,
	RXE_CC_DATA_READ_RESP,
	RXE_CC_DATA_ATOMIC,
	RXE_CC_DATA_OTHER,
};

/**
 * enum rxe_cc_cnp_origin - who made a CNP
 * @RXE_CC_CNP_NP: the receiver's notification point, or one that does not say
 * @RXE_CC_CNP_MERCURY: a switch that runs Mercury
 * @RXE_CC_CNP_LSCC: a switch that runs LSCC
 * @RXE_CC_NR_CNP_ORIGINS: end
 */
enum rxe_cc_cnp_origin {
	RXE_CC_CNP_NP,
	RXE_CC_CNP_MERCURY,
	RXE_CC_CNP_LSCC,
	RXE_CC_NR_CNP_ORIGINS,
};

/**
 * enum rxe_cc_telemetry - what the telemetry of a sample was good for
 * @RXE_CC_TELEMETRY_NONE: there was none, or it was not looked at
 * @RXE_CC_TELEMETRY_USED: used
 * @RXE_CC_TELEMETRY_FIRST: nothing to compare with
 * @RXE_CC_TELEMETRY_SAME: no port's time has moved since the last
 * @RXE_CC_TELEMETRY_PATH: other ports than last time
 * @RXE_CC_TELEMETRY_HOPS: more or fewer hops than last time
 * @RXE_CC_TELEMETRY_TIME: a port's time went back, or far ahead of the own
 * @RXE_CC_TELEMETRY_BYTES: a port's bytes went back, or are more than its speed
 *	allows
 * @RXE_CC_TELEMETRY_SPEED: a port without a speed
 * @RXE_CC_TELEMETRY_COUNT: no hops, or more than the algorithm takes
 * @RXE_CC_NR_TELEMETRY: number of values
 */
enum rxe_cc_telemetry {
	RXE_CC_TELEMETRY_NONE,
	RXE_CC_TELEMETRY_USED,
	RXE_CC_TELEMETRY_FIRST,
	RXE_CC_TELEMETRY_SAME,
	RXE_CC_TELEMETRY_PATH,
	RXE_CC_TELEMETRY_HOPS,
	RXE_CC_TELEMETRY_TIME,
	RXE_CC_TELEMETRY_BYTES,
	RXE_CC_TELEMETRY_SPEED,
	RXE_CC_TELEMETRY_COUNT,
	RXE_CC_NR_TELEMETRY,
};

/**
 * enum rxe_cc_congestion - where an algorithm sees congestion
 * @RXE_CC_CONGESTION_NONE: nowhere
 * @RXE_CC_CONGESTION_LAST_HOP: at the port that sends to the receiver
 * @RXE_CC_CONGESTION_NETWORK: somewhere before that
 * @RXE_CC_NR_CONGESTION: number of values
 */
enum rxe_cc_congestion {
	RXE_CC_CONGESTION_NONE,
	RXE_CC_CONGESTION_LAST_HOP,
	RXE_CC_CONGESTION_NETWORK,
	RXE_CC_NR_CONGESTION,
};

/**
 * struct rxe_cc_sample - all that is known at an event
 * @now_ns: time of the event; never goes back for one flow
 * @bytes: wire bytes newly acknowledged (on_ack), sent (on_sent) or received
 *	(on_data). Acknowledged ones are counted by packets: a packet shorter
 *	than the path MTU counts in full
 * @inflight_bytes: wire bytes sent and not acknowledged, after this event;
 *	counted by packets too
 * @arrived_ns: on_data: when the packet came in from the port; not after
 *	@now_ns, which is when the transport has looked at it
 * @rtt_ns: round-trip time measured by this ACK, from the packet's first bit on
 *	the wire of the own port to the ACK's arrival there, less what the receiver
 *	says it took, but never below &rxe_cc_flow.min_rtt_ns; 0 when it measured
 *	none (retransmitted, or no probe outstanding)
 * @min_rtt_ns: with @rtt_ns: &rxe_cc_flow.min_rtt_ns as of this measurement
 * @turnaround_ns: with @rtt_ns: what was taken off for the receiver: the time from the
 *	packet's first bit to the ACK is the sum of the two
 * @owd_ns: one-way delay: on_ack: of the own packet whose
 *	answer this is, from its first bit on the wire of the own port to its arrival at
 *	the peer; on_data: of the packet, from its egress from the first port that
 *	tells that (@hops) to its arrival here. 0: not known, as always when
 *	&rxe_cc_flow.clock_common is not set
 * @owd_over_ns: with @has_owd: how much longer the packet was on its way than one of its
 *	length on the idle path. The offset of the two clocks cancels out; their drift within
 *	the knob rtt_window does not
 * @cnp_window_bytes: window carried by a CNP; 0 when it carries none
 * @fb: on_ack: feedback, what the receiver's algorithm sends, see &struct rxe_cc_report;
 *	0 from @nr_fb on
 * @hops: telemetry that came back (on_ack) or came with the packet (on_data),
 *	nearest hop first; NULL when none
 * @msg_bytes: on_data: payload of the packet's message where that is known: from
 *	the first packet of a WRITE, a READ request, each READ response, a SEND of
 *	one packet; else 0
 * @seq: number of the packet that was acknowledged, reported on, sent or received.
 *	Numbers of packets sent start at the first one's PSN and never come round.
 *	Where the QP sends READ responses too, those share one sequence with its
 *	requests: in the order of sending, without gaps between the two. Packets
 *	received are numbered by their PSNs likewise, requests and READ responses
 *	each by themselves. Where the QP has changed between the two more than once since a
 *	request was sent, the number in its ACK is too high by the responses in between, but
 *	never out of order
 * @next_seq: number of what is sent next for the first time
 * @nr_fb: entries in @fb; 0: no feedback
 * @nr_hops: entries in @hops
 * @path_hops: number of ports that the packet has left by, the sender's own included: the
 *	larger of the routers that counted its TTL down, plus one, and the ports that pushed
 *	INT (unless the stack is incomplete, or of the first port only); 0: not known
 * @kind: enum rxe_cc_data_kind, on_data only
 * @loss: reason, on_loss only
 * @cnp_origin: enum rxe_cc_cnp_origin, on_cnp only
 * @has_owd: a one-way delay was measured
 * @partial: on_ack: a switch on the path reports, for the packet @seq that waits
 *	in it: @hops end with its port
 * @direct: with @partial: a switch at a long link reports (LSCC, direct INT): @hops are those
 *	that its ACK will not report, and last, as a port of some rate, its pseudo queue
 * @ce: the packet carried Congestion Experienced, on_data only
 * @start: first packet of a message, on_sent and on_data
 * @end: last packet of a message, on_sent and on_data
 * @retransmit: sent before, on_sent only
 */
struct rxe_cc_sample {
	u64 now_ns;
	u64 bytes;
	u64 inflight_bytes;
	u64 arrived_ns;
	u64 rtt_ns;
	u64 min_rtt_ns;
	u64 turnaround_ns;
	u64 owd_ns;
	u64 owd_over_ns;
	u64 cnp_window_bytes;
	u64 fb[RXE_CC_FB_MAX];
	u64 seq;
	u64 next_seq;
	const struct rxe_cc_int_hop *hops;
	u32 msg_bytes;
	u8 nr_fb;
	u8 nr_hops;
	u8 path_hops;
	u8 kind;
	u8 loss;
	u8 cnp_origin;
	bool has_owd;
	bool partial;
	bool direct;
	bool ce;
	bool start;
	bool end;
	bool retransmit;
};

/* What an algorithm wants of its flow's packets, see &rxe_cc_flow.wants. */
#define RXE_CC_WANT_INT		0x01	/* INT on every data packet */
#define RXE_CC_WANT_INT_SPARSE	0x02	/* on one data packet per round trip */
#define RXE_CC_WANT_INT_PROBE	0x04	/* on one probe packet per round trip */
#define RXE_CC_WANT_ACKS	0x08	/* every data packet asks for an ACK */
#define RXE_CC_WANT_RX_HOPS	0x10	/* receiver: on_data gets hops, ACKs none */
/* Beside a kind of INT: what is in it; without any of these, all in full. */
#define RXE_CC_WANT_INT_COMPACT	0x20	/* rounded, 8 bytes a hop instead of 32 */
#define RXE_CC_WANT_INT_FIRST	0x40	/* the first port's egress time only */
#define RXE_CC_WANT_INT_WORST	0x1000	/* the most loaded port only, 8 bytes */
#define RXE_CC_WANT_FILL_WINDOW	0x80	/* a packet goes while the window is not full,
					 * whether it fits or not
					 */
#define RXE_CC_WANT_RTTS	0x100	/* every request that asks for an ACK is
					 * measured, not one at a time
					 */
#define RXE_CC_WANT_PAIR_WINDOW	0x200	/* the window is that of all flows of the port to
					 * this host: those with something under way share
					 * it equally
					 */
#define RXE_CC_WANT_DIRECT	0x400	/* samples with @direct */
#define RXE_CC_WANT_FB		0x800	/* as sender it follows its receiver's feedback, and
					 * the receiver learns that: &rxe_cc_flow.peer_obeys
					 * there. With RX_HOPS: takes hops only of peers that
					 * do the same; hops of others are echoed
					 */
#define RXE_CC_WANT_RX_LOOK	0x2000	/* receiver: on_data gets hops, and they are
					 * echoed all the same
					 */
/* No two are the same bit. */
static_assert(RXE_CC_WANT_INT + RXE_CC_WANT_INT_SPARSE + RXE_CC_WANT_INT_PROBE +
	      RXE_CC_WANT_ACKS + RXE_CC_WANT_RX_HOPS + RXE_CC_WANT_INT_COMPACT +
	      RXE_CC_WANT_INT_FIRST + RXE_CC_WANT_FILL_WINDOW + RXE_CC_WANT_RTTS +
	      RXE_CC_WANT_PAIR_WINDOW + RXE_CC_WANT_DIRECT + RXE_CC_WANT_FB +
	      RXE_CC_WANT_INT_WORST + RXE_CC_WANT_RX_LOOK == 0x3fff);

/**
 * struct rxe_cc_report - feedback: what a receiver's algorithm sends to the sender's
 * @fb: values, whose meaning is the algorithm's. They reach only a peer that
 *	runs the same one
 * @nr: how many, at most RXE_CC_FB_MAX; 0: nothing
 * @always: with every ACK; else only when on_data asks for it (%RXE_CC_RX_REPORT)
 */
struct rxe_cc_report {
	u64 fb[RXE_CC_FB_MAX];
	u8 nr;
	bool always;
};

/* A message, or a sender, of which nothing comes for so long counts no longer, where an
 * algorithm does not say.
 */
#define RXE_CC_RX_IDLE_NS	2000000000ULL

/**
 * struct rxe_cc_rx_rules - what is to be counted at a port where an algorithm receives
 * @linger_ns: how long a message goes on counting after its last packet, and with @weigh the
 *	time over which a queue pair's deliveries are added up; 0: one base round-trip time of
 *	the port, &rxe_cc_rx_view.base_rtt_ns
 * @idle_ns: an open message of which nothing has come for this long stops counting; 0:
 *	%RXE_CC_RX_IDLE_NS
 * @peer_max: of one peer at most so many messages count in &rxe_cc_rx_view.msgs; 0: all
 * @on: count; without it the view is 0, and nothing is done for it
 * @round: &rxe_cc_rx_view.round_bytes is wanted
 * @weigh: a queue pair without an open message counts by what it delivered in @linger_ns: as a
 *	whole flow from four fifths of a flow's share on. Where such a share is less than two
 *	packets, a packet counts for twice the time that it takes at that rate. Without @weigh
 *	it counts as a whole flow
 * @by_host: a flow's share is then one of &rxe_cc_rx_view.hosts_q16 parts of the port, not one
 *	of &rxe_cc_rx_view.parts_q16
 *
 * The counts take at most 64 bytes a queue pair, 96 a peer, 640 a port and algorithm.
 */
struct rxe_cc_rx_rules {
	u64 linger_ns;
	u64 idle_ns;
	u32 peer_max;
	bool on;
	bool round;
	bool weigh;
	bool by_host;
};

/**
 * struct rxe_cc_rx_view - what the flows of an algorithm receive at a port
 * @round_bytes: wire bytes of data, with its telemetry, and of ACKs received in the last
 *	@round_ns. Exact to a packet for traffic that is even; at worst wrong by a 32nd of
 *	line rate x @round_ns
 * @round_ns: @base_rtt_ns with &rxe_cc_rx_rules.round, 50 us while that is not known; else 0
 * @base_rtt_ns: the port's: knob base_rtt, else the smallest &rxe_cc_flow.base_rtt_ns of
 *	flows that receive, else twice @min_owd_ns, else 0
 * @min_owd_ns: smallest one-way delay of data, &rxe_cc_sample.owd_ns; 0: none. Both
 *	are of the last rtt_window (a knob of the port), or of half of it at least
 * @parts_q16: into how many parts the port is shared, of which the flow has one, in 2^-16:
 *	N, where messages that have ended count by &rxe_cc_rx_rules.weigh. At least 1
 * @hosts_q16: the same for hosts: a host counts as one while a message of it is open or it is
 *	expected, else as its queue pairs do together, at most one. At least 1
 * @msgs: messages in flight, of a peer at most &rxe_cc_rx_rules.peer_max
 * @msgs_all: messages in flight
 * @senders: hosts with messages in flight, or that are expected to send
 *	(&rxe_cc_cmd_call.expect_ns)
 * @peer_msgs: messages in flight of the host that the flow is connected to
 * @peer_counted: those of them that are in @msgs
 *
 * A queue pair has a message in flight when its last packet was not the end of one, or
 * was, less than linger_ns ago; and when something came within idle_ns. It counts once,
 * whatever its messages: what it receives, requests and READ responses, has one rate at
 * the sender. READ requests do not count, whose data go the other way.
 * Documentation/reference/cc-api.md has the rest.
 */
struct rxe_cc_rx_view {
	u64 round_bytes;
	u64 round_ns;
	u64 base_rtt_ns;
	u64 min_owd_ns;
	u64 parts_q16;
	u64 hosts_q16;
	u32 msgs;
	u32 msgs_all;
	u32 senders;
	u32 peer_msgs;
	u32 peer_counted;
};

/* What counts as a whole flow in &rxe_cc_rx_view.parts_q16. */
#define RXE_CC_RX_SHARE_SHIFT	16
#define RXE_CC_RX_WHOLE_Q16	0x10000U

/**
 * rxe_cc_rx_whole() - a count of shares as a whole number
 * @q16: &rxe_cc_rx_view.parts_q16 or &rxe_cc_rx_view.hosts_q16
 *
 * Return: @q16, rounded up.
 */
static inline u64 rxe_cc_rx_whole(u64 q16)
{
	return (q16 >> RXE_CC_RX_SHARE_SHIFT) + !!(q16 & (RXE_CC_RX_WHOLE_Q16 - 1));
}

/**
 * rxe_cc_rx_share() - a message's share of something
 * @v: what is known of the port
 * @total: bytes or bit/s
 *
 * Each message has the same, but those of a peer that has more than count share what
 * that peer gets.
 *
 * Return: @total / @parts_q16 of @v. Of a recording that has none, @total @peer_counted /
 *	(@msgs @peer_msgs), rounded down; when the peer has none in flight, @total / @msgs.
 */
static inline u64 rxe_cc_rx_share(const struct rxe_cc_rx_view *v, u64 total)
{
	u32 msgs = v->msgs ? v->msgs : 1;

	if (v->parts_q16)
		return rxe_cc_muldiv(total, 1ULL << RXE_CC_RX_SHARE_SHIFT, v->parts_q16);
	if (v->peer_counted >= v->peer_msgs)
		return div_u64(total, msgs);
	return rxe_cc_muldiv(total, v->peer_counted, (u64)msgs * v->peer_msgs);
}

/**
 * struct rxe_cc_flow - one QP as its algorithm sees it
 * @rate_bps: pacing rate. Written by the algorithm; after each call the core
 *	clamps it to [@min_rate_bps, @line_rate_bps]
 * @cwnd_bytes: window, or RXE_CC_NO_WINDOW. A packet goes when it fits into what
 *	is not in flight. May be below one packet: when one has come back, the core
 *	waits for (packet / window - 1) round trips of the idle path.
 *	With %RXE_CC_WANT_FILL_WINDOW a packet goes while less than the window is
 *	in flight, so the flow may be ahead of the window by a packet, and one
 *	below a packet is a packet a round trip. With %RXE_CC_WANT_PAIR_WINDOW it is
 *	shared with other flows
 * @timer_ns: when on_timer is due, or RXE_CC_NO_TIMER. Written by the
 *	algorithm in any call
 * @line_rate_bps: speed of the port
 * @min_rate_bps: floor for @rate_bps
 * @base_rtt_ns: round-trip time of an idle path: given by the administrator,
 *	else @min_rtt_ns; 0 when not known yet
 * @min_rtt_ns: round-trip time of the longest packet so far on the idle path, with the
 *	receiver's turnaround; 0 when none. All times are those of such a packet: what a
 *	shorter one would take more is added
 * @srtt_ns: smoothed round-trip time (RFC 6298, 1/8); 0 when none
 * @min_owd_ns: one-way delay of own packets on the idle path, &rxe_cc_sample.owd_ns, as of
 *	the last that was measured; 0 when none
 * @pkt_bytes: wire bytes of a full packet at the path MTU
 * @params: values of the algorithm's parameters, in the order of its table.
 *	One snapshot for the whole call
 * @port_priv: state shared by all QPs of a port that run the algorithm, of
 *	port_priv_size bytes, zeroed before port_init; the algorithm must lock it
 * @peer_priv: state shared by all QPs of that port that are connected to the same
 *	host, of peer_priv_size bytes, zeroed before peer_init; the algorithm must
 *	lock it. Never NULL when there is such state: flows that are not connected
 *	yet share one
 * @port_timer_ns: written by the algorithm in any call: on_port_timer is to be called
 *	at that time, if it is not called before; RXE_CC_NO_TIMER: as it is
 * @kick_peer: written by the algorithm in any call: on_group is to be called for all
 *	flows of the port to this peer, this one too, right after the call
 * @kick_port: the same for all flows of the port
 * @lift_cap: written by the algorithm in any call: ends the window that a switch has set for
 *	the flows of this peer
 * @rx: what is received at the port, see &rxe_cc_ops.rx_rules. Up to date in on_data, where it
 *	includes the packet of the call, and in fill_ack, on_group and dump; in other calls it
 *	is as of the last of those
 * @report: for the sender of the data that this QP receives. Written by the
 *	algorithm in fill_ack, on_data, init and params_changed
 * @wants: RXE_CC_WANT_*. Set from &rxe_cc_ops.needs before init; may be written
 *	by the algorithm in any call. At most one kind of INT. A profile other than
 *	the full one is a wish: it is not followed towards peers that do not know
 *	it, nor when compact hops would come too rarely to be told apart
 * @fb_ignore: values of feedback that the flow does not want, by BIT():
 *	they are 0 in &rxe_cc_sample.fb. Written by the algorithm in any call
 * @cnp_gap_ns: least time between two believed CNPs that name no packet, such as those of a
 *	NIC (less up to half of it, as their delays differ). Written by the algorithm;
 *	RXE_CC_CNP_GAP_NS at the start
 * @clock_common: this host and the peer have the same CLOCK_TAI. The administrator says so
 *	(knob clock_common)
 * @peer_obeys: the peer has shown that as a sender it follows receivers' feedback
 *	(&rxe_cc_ops.obeys, %RXE_CC_WANT_FB). So a receiver that tells it its share need not
 *	send it CNPs or echo telemetry as well
 * @telemetry: enum rxe_cc_telemetry. Written by an algorithm that needs INT in
 *	each call that brings hops
 * @congestion: enum rxe_cc_congestion, for trace events and the lab. Written by an algorithm
 *	that tells types of congestion apart, in on_data, fill_ack, on_group or on_ack. It
 *	keeps its value between calls; with &rxe_cc_ops.port_congestion all flows of the port
 *	share it
 * @priv: the algorithm's sender state, of priv_size bytes, zeroed before init; NULL when it
 *	has none
 * @rx_priv: its receiver state, of rx_priv_size bytes, likewise
 */
struct rxe_cc_flow {
	u64 rate_bps;
	u64 cwnd_bytes;
	u64 timer_ns;

	u64 line_rate_bps;
	u64 min_rate_bps;
	u64 base_rtt_ns;
	u64 min_rtt_ns;
	u64 srtt_ns;
	u64 min_owd_ns;
	u32 pkt_bytes;
	const u64 *params;
	void *port_priv;
	void *peer_priv;
	u64 port_timer_ns;
	u64 cnp_gap_ns;
	struct rxe_cc_rx_view rx;
	struct rxe_cc_report report;
	u16 wants;
	u8 fb_ignore;
	u8 telemetry;
	u8 congestion;
	bool kick_peer;
	bool kick_port;
	bool lift_cap;
	bool clock_common;
	bool peer_obeys;
	void *priv;
	void *rx_priv;
};

/* A fraction in Q24 fixed point, to nearest, half up: 1.0 is 1 << 24. What users
 * type is rounded likewise, so 4/5 is the same number in a table and on a command line.
 */
#define RXE_CC_Q24(num, den)	(((u64)(num) * (1ULL << 25) / (den) + 1) >> 1)

/**
 * struct rxe_cc_param - one parameter; its index in the table is its index in
 *	&rxe_cc_flow.params
 * @name: as users type it; mlx5's name where mlx5 has the parameter
 * @unit: "ns", "bytes", "bps", "ppm", "count", "bool" or "q24"
 * @min: smallest value accepted
 * @max: largest value accepted
 * @def: default
 * @help: one line
 */
struct rxe_cc_param {
	const char *name;
	const char *unit;
	u64 min;
	u64 max;
	u64 def;
	const char *help;
};

/**
 * struct rxe_cc_preset - a named set of values for all parameters
 * @name: as users type it
 * @values: one value a parameter, in the order of the table
 * @knob: a knob of the port that is set, too, by its name; NULL: none
 * @knob_value: to this
 */
struct rxe_cc_preset {
	const char *name;
	const u64 *values;
	const char *knob;
	u64 knob_value;
};

/**
 * struct rxe_cc_var - one variable of an algorithm's state, for people
 * @name: short name with the unit as suffix
 * @value: value now
 */
struct rxe_cc_var {
	const char *name;
	u64 value;
};

#define RXE_CC_MAX_VARS		20

/* What on_data asks the core to do. */
#define RXE_CC_RX_CNP		0x1	/* notify the sender */
#define RXE_CC_RX_REPORT	0x2	/* send &rxe_cc_flow.report: with this packet's
					 * ACK when it asks for one, else by itself; with
					 * telemetry that is echoed, that of the packet
					 */

/**
 * struct rxe_cc_port_call - what on_port_timer gets and leaves
 * @now_ns: time
 * @line_rate_bps: speed of the port
 * @params: values of the algorithm's parameters
 * @timer_ns: written by the algorithm: when it wants the next call, or
 *	RXE_CC_NO_TIMER, which it finds there
 * @kick: written by the algorithm: on_group is to be called for all its flows of the
 *	port
 */
struct rxe_cc_port_call {
	u64 now_ns;
	u64 line_rate_bps;
	const u64 *params;
	u64 timer_ns;
	bool kick;
};

#define RXE_CC_MAX_CMDS		16
#define RXE_CC_MAX_CMD_ARGS	8
#define RXE_CC_MAX_CMD_VARS	8
#define RXE_CC_MAX_CMD_PEERS	4096

/**
 * struct rxe_cc_cmd_call - what a command gets and leaves
 * @args: one value an argument, in the order of the table: as given, in its range,
 *	else its default
 * @why: written by the algorithm when it refuses: the reason, one line without the
 *	full stop
 * @var: written by the algorithm: the answer, with names as those of dump
 * @nr_vars: written by the algorithm: entries in @var
 * @expect_ns: written by the algorithm in a command to a peer: it counts as a sender from
 *	now on, until its first message starts, but no longer than that
 * @list: of a command to peers: how many the request names, each of which has a call; 1 in
 *	a replay
 * @check: the request names several peers, and this call only asks whether the command would
 *	be refused: change nothing. What is accepted now must be accepted in the call that
 *	follows
 * @kick_peer: written by the algorithm in a command to a peer: on_group is to be
 *	called for all its flows of the port to this peer
 */
struct rxe_cc_cmd_call {
	const u64 *args;
	const char *why;
	struct rxe_cc_var var[RXE_CC_MAX_CMD_VARS];
	unsigned int nr_vars;
	u64 expect_ns;
	unsigned int list;
	bool check;
	bool kick_peer;
};

/**
 * struct rxe_cc_cmd - a command that an administrator may give an algorithm
 * @name: as users type it
 * @help: one line
 * @args: table of its arguments
 * @nr_args: entries in @args, at most RXE_CC_MAX_CMD_ARGS
 * @required: arguments that must be given, BIT() of their index; others have their
 *	default
 * @to_qp: of a command to one flow: called as those for events of the flow. Of the
 *	sample only the time, @next_seq and @inflight_bytes are set
 * @to_peer: of a command about other hosts: called as on_port_timer, for each host that the
 *	request names. Queue pairs of the port must be connected to it, or have been 10 s
 *	ago. If there are several, first all are called with &rxe_cc_cmd_call.check, so that
 *	the command applies to all of them or to none
 * @to_port: of a command to the port: called as on_port_timer
 *
 * A command has one of the three calls. It returns 0, or a negative errno; then it has
 * changed nothing and set &rxe_cc_cmd_call.why. The core has checked before that the
 * algorithm is in use there, and the arguments by the table. After
 * &rxe_cc_port_call.kick, &rxe_cc_cmd_call.kick_peer or &rxe_cc_flow.kick_peer the core
 * calls on_group for the flows that share the changed state.
 */
struct rxe_cc_cmd {
	const char *name;
	const char *help;
	const struct rxe_cc_param *args;
	unsigned int nr_args;
	u32 required;
	int (*to_qp)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
		     struct rxe_cc_cmd_call *c);
	int (*to_peer)(void *peer_priv, void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c);
	int (*to_port)(void *port_priv, struct rxe_cc_port_call *p,
		       struct rxe_cc_cmd_call *c);
};

/* Lines of a signal. */
#define RXE_CC_SIGNAL_LINES	2

/**
 * struct rxe_cc_signal - what an algorithm decides by, for those who draw it
 * @var: variable of &rxe_cc_ops.dump
 * @name: as papers have it: "U", "RTT"
 * @unit: unit of @var, as those of &rxe_cc_param
 * @help: what it is, as the rest of a sentence that begins with @name
 * @lines: parameters in the same unit with which it is compared, NULL: no more
 * @rtt_unit: parameter: base RTT for which @lines hold, they scale with that of the path;
 *	NULL, or 0 as its value: they hold as they are
 */
struct rxe_cc_signal {
	const char *var;
	const char *name;
	const char *unit;
	const char *help;
	const char *lines[RXE_CC_SIGNAL_LINES];
	const char *rtt_unit;
};

/**
 * struct rxe_cc_ops - a congestion-control algorithm
 *
 * All calls for one flow are serialised by the core's per-QP lock and run with
 * bottom halves off; they must not sleep. Optional calls may be NULL.
 *
 * @on_ack: new data was acknowledged, or telemetry came back. Optional
 * @on_sent: a data packet of this QP (request data or READ response) was handed
 *	to the port. Optional
 * @on_cnp: a congestion notification packet for this QP arrived. Optional
 * @on_timer: &rxe_cc_flow.timer_ns has come; the core sets it to
 *	RXE_CC_NO_TIMER before the call. Optional
 * @on_loss: packets are about to be sent again. Optional
 * @on_data: receiver side: a data packet arrived and the transport accepted it,
 *	so each is seen once, in the order of its PSNs. Returns RXE_CC_RX_* flags.
 *	Optional. Called for CE-marked packets only, unless @all_data is set
 * @fill_ack: receiver side: an ACK, or a report, is being built: bring
 *	&rxe_cc_flow.report up to date. It may change nothing else but the receiver's
 *	state. Optional
 * @on_group: state that the flow shares with others has changed, as one of them
 *	says by &rxe_cc_flow.kick_peer or kick_port: take over what concerns this
 *	flow. Of the sample only the time, @next_seq and @inflight_bytes are set.
 *	Returns %RXE_CC_RX_REPORT to have &rxe_cc_flow.report sent at once, or 0.
 *	Optional
 * @on_port_timer: time for the port's state. Serialised with itself, but not with
 *	the calls for flows. Optional
 * @rx_rules: what the core counts for the receiving flows of a port, with these parameters;
 *	the rules come zeroed. A pure function. May sleep. Called before the first flow of a
 *	port and when parameters or knobs were changed. Optional: nothing is counted
 * @needs_of: which flags of @needs hold with these parameters, so that a mode without
 *	telemetry runs where INT is off. A pure function. Optional: all of them
 * @init: set up private state, rate and window. Required
 * @release: the flow leaves the algorithm. Optional
 * @params_changed: &rxe_cc_flow.params has new values. Optional
 * @check_params: accept or refuse a whole set of values, each already in its
 *	range. Returns NULL, or what is wrong, and sets @bad to the index of
 *	the parameter to blame. Optional. May sleep
 * @port_init: set up &rxe_cc_flow.port_priv, before any flow comes. May sleep.
 *	Returns 0 or an error, with which the algorithm is refused. Optional
 * @port_exit: the last flow has left. May sleep. Optional
 * @peer_init: set up &rxe_cc_flow.peer_priv, before any flow to that peer comes; gets
 *	the port's state too. May sleep. Optional
 * @peer_exit: no flow has been connected to that peer for a while. May sleep. Optional
 * @dump: write up to RXE_CC_MAX_VARS variables, return how many. Optional
 * @params: table of parameters
 * @nr_params: entries in @params
 * @presets: named sets of parameters; the first is the default when given
 * @nr_presets: entries in @presets
 * @cmds: commands that it takes
 * @nr_cmds: entries in @cmds, at most RXE_CC_MAX_CMDS
 * @signals: what it decides by, for plots. If its modes have different variables, all of
 *	them: the first one that dump writes is drawn
 * @nr_signals: how many
 * @needs: RXE_CC_ALGO_NEED_* flags, of any parameters
 * @nr_fb: values of feedback in every ACK of its receivers, whose bytes the lab's ideal times
 *	include; 0: none, or their number varies
 * @priv_size: bytes of a sender's state, at most RXE_CC_PRIV_BYTES; 0 = none
 * @rx_priv_size: bytes of a receiver's state, likewise
 * @port_priv_size: bytes of state shared by the QPs of a port; 0 = none
 * @peer_priv_size: bytes of state shared by the QPs of a port to one host, at most
 *	RXE_CC_PEER_PRIV_BYTES; 0 = none
 * @all_data: call @on_data for every data packet
 * @obeys: as sender it follows the feedback of the same algorithm at receivers, whatever its
 *	parameters (if only with some: %RXE_CC_WANT_FB). Receivers see that in
 *	&rxe_cc_flow.peer_obeys. Not on UC, where there is no feedback
 * @port_congestion: &rxe_cc_flow.congestion is the port's, not the flow's
 * @name: unique; the module is called rxe_cc_<name>
 * @owner: module that holds the algorithm
 * @list: the core's
 */
struct rxe_cc_ops {
	void (*on_ack)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*on_sent)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*on_cnp)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*on_timer)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*on_loss)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	u32 (*on_data)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*fill_ack)(struct rxe_cc_flow *flow, u64 now_ns);
	u32 (*on_group)(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
	void (*on_port_timer)(void *port_priv, struct rxe_cc_port_call *call);

	void (*rx_rules)(const u64 *params, struct rxe_cc_rx_rules *rules);
	u32 (*needs_of)(const u64 *params);
	void (*init)(struct rxe_cc_flow *flow, u64 now_ns);
	void (*release)(struct rxe_cc_flow *flow);
	void (*params_changed)(struct rxe_cc_flow *flow, u64 now_ns);
	const char *(*check_params)(const u64 *params, unsigned int *bad);
	int (*port_init)(void *port_priv);
	void (*port_exit)(void *port_priv);
	void (*peer_init)(void *peer_priv, void *port_priv);
	void (*peer_exit)(void *peer_priv, void *port_priv);
	unsigned int (*dump)(const struct rxe_cc_flow *flow,
			     struct rxe_cc_var *vars);

	const struct rxe_cc_param *params;
	const struct rxe_cc_preset *presets;
	unsigned int nr_params;
	unsigned int nr_presets;
	const struct rxe_cc_cmd *cmds;
	unsigned int nr_cmds;
	const struct rxe_cc_signal *signals;
	unsigned int nr_signals;
	u32 needs;
	u32 nr_fb;
	u32 priv_size;
	u32 rx_priv_size;
	u32 port_priv_size;
	u32 peer_priv_size;
	bool all_data;
	bool obeys;
	bool port_congestion;
	char name[RXE_CC_ALGO_NAME_MAX];
	struct module *owner;
	struct list_head list;
};

/**
 * rxe_cc_priv() - the algorithm's sender state
 * @flow: the flow
 *
 * Return: &rxe_cc_flow.priv.
 */
static inline void *rxe_cc_priv(struct rxe_cc_flow *flow)
{
	return flow->priv;
}

/**
 * rxe_cc_rx_priv() - the algorithm's receiver state
 * @flow: the flow
 *
 * Return: &rxe_cc_flow.rx_priv.
 */
static inline void *rxe_cc_rx_priv(struct rxe_cc_flow *flow)
{
	return flow->rx_priv;
}

int rxe_cc_register(struct rxe_cc_ops *ops);
void rxe_cc_unregister(struct rxe_cc_ops *ops);
const struct rxe_cc_ops *rxe_cc_test_next_algo(const struct rxe_cc_ops *prev);

/* An algorithm's module asks for its own autoload name with this. */
#define MODULE_ALIAS_RXE_CC(name)	MODULE_ALIAS("rxe_cc_" name)

/**
 * rxe_cc_np_due() - notification point: may a CNP be sent for this QP now?
 * @last_cnp_ns: when the last one was sent, kept by the caller; 0 = never
 * @now_ns: time of the marked packet
 * @interval_ns: least time between two CNPs of a QP
 *
 * IBTA Annex A17: CNPs are coalesced per QP. Updates @last_cnp_ns when due.
 *
 * Return: true when a CNP is to be sent.
 */
static inline bool rxe_cc_np_due(u64 *last_cnp_ns, u64 now_ns, u64 interval_ns)
{
	if (*last_cnp_ns && now_ns - *last_cnp_ns < interval_ns)
		return false;
	*last_cnp_ns = now_ns ? now_ns : 1;
	return true;
}

#endif /* _RXE_CC_CC_H */
