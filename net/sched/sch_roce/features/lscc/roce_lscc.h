/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LSCC (link-segmented congestion control): state and options of the switch ports at the two
 * ends of a long link between datacenters.
 */
#ifndef _ROCE_LSCC_H
#define _ROCE_LSCC_H

#include <linux/types.h>

#include "roce_feature.h"
#include "roce_flow_table.h"
#include "features/int/roce_int_push.h"
#include "roce_lscc_feedback_msg.h"
#include "roce_lscc_rate.h"

/* Flows and marked pairs of hosts that a port may know at the same time. */
#define ROCE_LSCC_FLOWS		(1024 * ROCE_FLOW_WAYS)
#define ROCE_LSCC_PAIRS		(256 * ROCE_FLOW_WAYS)

/**
 * struct roce_lscc_config - what can be set of a port
 * @period_ns: the paper's T
 * @rtt_ns: round trip of the link, 2D; 0 = twice the port's delay
 * @step_bps: the paper's dR
 * @min_bps: the paper's Rmin
 * @max_bps: the paper's Rmax; 0 = the port's rate
 * @interval_ns: from one direct CNP, or direct INT, to the next of a flow
 * @threshold_bytes: flows that have sent less are told, marked or not; 0 = what the
 *	link carries in @rtt_ns
 * @expiry_ns: a feedback rate is in force for so long; 0 = ten periods
 * @self: this switch's IPv4 address, as a number; 0 = none
 * @peer: that of the switch at the other end
 * @qref_bytes: the paper's Qref
 * @pseudo_bytes: the paper's Q*ref
 * @reply: enum tc_roce_lscc_reply
 * @clear: enum tc_roce_lscc_clear
 * @prio: per priority, 1 = on
 */
struct roce_lscc_config {
	u64 period_ns;
	u64 rtt_ns;
	u64 step_bps;
	u64 min_bps;
	u64 max_bps;
	u64 interval_ns;
	u64 threshold_bytes;
	u64 expiry_ns;
	u32 self;
	u32 peer;
	u32 qref_bytes;
	u32 pseudo_bytes;
	u8 reply;
	u8 clear;
	u8 prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_lscc_stats - counters; they only grow
 * @sent: feedback messages
 * @unsent: that could not be made or sent
 * @heard: that came and are or were in force
 * @refused: that came malformed, or from or for somebody else
 * @late: that came no newer than the one in force
 * @expired: times that the peer had not been heard of for too long
 * @cnps: direct CNPs on their way to a sender
 * @ints: direct INT on its way to a sender
 * @damped: not sent, so soon after another
 * @failed: could not be made or sent
 * @cleared: CE taken off
 * @uncleared: not, for want of memory
 * @taken: packets whose hops were taken off
 * @untaken: not, for want of memory, or with a UDP checksum
 * @marked: CNPs of receivers that came by the link
 * @no_place: packets and marks of flows and pairs that the tables had no place for
 */
struct roce_lscc_stats {
	u64 sent;
	u64 unsent;
	u64 heard;
	u64 refused;
	u64 late;
	u64 expired;
	u64 cnps;
	u64 ints;
	u64 damped;
	u64 failed;
	u64 cleared;
	u64 uncleared;
	u64 taken;
	u64 untaken;
	u64 marked;
	u64 no_place;
};

/* Hops of a packet that an INT response has room for, beside the port's own. */
#define ROCE_LSCC_HOPS		(RXE_CC_INT_MAX_HOPS - 1)

/**
 * struct roce_lscc_taken - hops that were taken off a packet
 * @skb: the last packet that has come, if its hops were; else NULL. Good until the
 *	next one comes, and only to compare with
 * @flow: its flow
 * @pkt: what was found in it
 * @stack: hops, as they were
 */
struct roce_lscc_taken {
	const struct sk_buff *skb;
	struct roce_lscc_flow *flow;
	struct roce_int_packet pkt;
	u8 stack[ROCE_LSCC_HOPS * RXE_CC_INT_HPCC_BYTES];
};

/**
 * struct roce_lscc_port - state of a port
 * @on: bit per priority in which it is on
 * @was: configuration that the rest goes by
 * @delay_ns: and the port's delay
 * @rate_bps: and its rate
 * @since_ns: start of the first period
 * @seq: number of the next message
 * @period_ns: when the last period ended
 * @left_out: periods until the next one that are left out: this machine is late
 * @left_bytes: what had left by then
 * @out_bps: mean rate of that in the last period
 * @calc: rate calculation
 * @limit: rate limiting
 * @peak_bytes: longest pseudo queue
 * @in_bytes: wire bytes that have come to go out here
 * @taken: hops of the last packet
 * @stats: counters
 * @flows: those that go out here; the datum of an entry is 1 when @flow has been
 *	set up
 * @flow: what is known of them, by place in @flows
 * @pairs: hosts of which a CNP came; the datum is the period of the last one, from 1
 */
struct roce_lscc_port {
	u8 on;
	struct roce_lscc_config was;
	u64 delay_ns;
	u64 rate_bps;
	u64 since_ns;
	u32 seq;
	u64 period_ns;
	u64 left_out;
	u64 left_bytes;
	u64 out_bps;
	struct roce_lscc_calc calc;
	struct roce_lscc_limit limit;
	u64 peak_bytes;
	u64 in_bytes;
	struct roce_lscc_taken taken;
	struct roce_lscc_stats stats;
	struct roce_flow flows[ROCE_LSCC_FLOWS];
	struct roce_lscc_flow flow[ROCE_LSCC_FLOWS];
	struct roce_flow pairs[ROCE_LSCC_PAIRS];
};

static inline struct roce_lscc_config *
roce_lscc_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_lscc_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_lscc_feature);
}

static inline struct roce_lscc_port *roce_lscc_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_lscc_feature);
}

/* roce_lscc_derive.c */
u64 roce_lscc_rtt(const struct roce_config *cfg);
struct roce_lscc_rule roce_lscc_rule(const struct roce_config *cfg);
struct roce_lscc_whom roce_lscc_whom(const struct roce_config *cfg);
u64 roce_lscc_expiry(const struct roce_config *cfg);

/* roce_lscc.c */
void roce_lscc_account(const struct roce_port *port, u64 *in_bytes, u64 *left_bytes);

/* roce_lscc_limit.c */
enum roce_verdict roce_lscc_arrive(struct roce_port *port, struct sk_buff *skb,
				   struct roce_port **out, u64 now_ns);
void roce_lscc_arrived(struct roce_port *port, struct sk_buff *skb, bool waits, u64 now_ns);
void roce_lscc_receive(struct roce_port *port, const struct sk_buff *skb, u64 now_ns);
void roce_lscc_update(struct roce_port *port, u64 now_ns);

/* roce_lscc_flow_table.c */
struct roce_lscc_flow *roce_lscc_flow_of(struct roce_port *port,
					 const struct roce_reply_to *to, u64 now_ns);

/* roce_lscc_direct_int.c */
void roce_lscc_strip_int(struct roce_port *port, struct roce_lscc_port *l,
			 struct sk_buff *skb, u64 now_ns);
int roce_lscc_tell_int(struct roce_port *port, struct roce_lscc_port *l, const struct sk_buff *skb,
		       const struct roce_reply_to *to, u64 now_ns);

#endif /* _ROCE_LSCC_H */
