// SPDX-License-Identifier: GPL-2.0
/*
 * Rate limiting of LSCC (link-segmented congestion control), Algorithm 2, at a port to a long
 * link: what goes out by it fills the pseudo queue, feedback of the other end serves it, and
 * while it is long the senders of flows that are short or marked are sent direct CNPs.
 *
 * A flow is a queue pair: addresses, UDP source port and DestQP. Its CNPs are sent when
 * its packets come, one an interval, so the table is never walked, and a CNP names a
 * packet that is under way.
 *
 * A CE on what comes from inside marks the flow, and becomes ECT(0), if the flow can be told:
 * it has a place, and a rate is in force. Else the receiver must tell it, so CE stays. A
 * receiver's CNP that
 * comes by the link marks too, but it does not name the flow: its DestQP and its source
 * port are those of the other direction. So it marks all flows between its two hosts. These
 * marks have a table of their own, which any CNP can fill; its entries are worth nothing
 * after a period, so others can have their places.
 *
 * A mark counts for the period of T in which it was set, so that none must be reset.
 *
 * Packets whose telemetry can be given back have their senders told that instead, by
 * roce_lscc_direct_int.c, if the port is to.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <rdma/ib_hdrs.h>

#include <rxe_cc/wire.h>

#include "roce_classify.h"
#include "roce_lscc.h"
#include "roce_reply_packet.h"
#include "roce_trace.h"

static u64 roce_lscc_now_period(const struct roce_port *port, u64 now_ns)
{
	return roce_lscc_period(roce_lscc_of(port)->since_ns,
				roce_lscc_config(&port->cfg)->period_ns, now_ns);
}

static struct roce_flow_table roce_lscc_pairs(const struct roce_port *port)
{
	return (struct roce_flow_table) {
		.flows = roce_lscc_of(port)->pairs, .size = ROCE_LSCC_PAIRS,
		.seed = port->cfg.seed,
	};
}

/* Has a receiver's CNP come in this period? */
static bool roce_lscc_pair_is_marked(struct roce_port *port,
				     const struct roce_reply_to *to, u64 period)
{
	const struct roce_flow_table table = roce_lscc_pairs(port);
	struct roce_flow_key key;
	struct roce_flow *pair;

	roce_flow_key(&key, to, ROCE_FLOW_PAIR);
	pair = roce_flow_find(&table, &key);
	return pair && pair->data == period;
}

/**
 * roce_lscc_update - bring the pseudo queue up to date
 * @port: port on which LSCC is on
 * @now_ns: present time
 */
void roce_lscc_update(struct roce_port *port, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);

	if (roce_lscc_settle(&l->limit, roce_lscc_expiry(&port->cfg), now_ns))
		l->stats.expired++;
}

static bool roce_lscc_set_ect(struct sk_buff *skb)
{
	__be16 proto;
	int noff, hlen;

	proto = roce_l3_offset(skb, &noff);
	hlen = proto == htons(ETH_P_IP) ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	if (!pskb_may_pull(skb, noff + hlen) || skb_try_make_writable(skb, noff + hlen))
		return false;
	if (proto == htons(ETH_P_IP)) {
		ipv4_change_dsfield((struct iphdr *)(skb->data + noff),
				    (u8)~INET_ECN_MASK, INET_ECN_ECT_0);
	} else {
		struct ipv6hdr *ip = (struct ipv6hdr *)(skb->data + noff);
		__wsum *word = (__force __wsum *)ip, from = *word;

		ipv6_change_dsfield(ip, (u8)~INET_ECN_MASK, INET_ECN_ECT_0);
		if (skb->ip_summed == CHECKSUM_COMPLETE)
			skb->csum = csum_add(csum_sub(skb->csum, from), *word);
	}
	return true;
}

/* Is the sender of a marked packet told from here, if it is to be told at all? */
static bool roce_lscc_clears(const struct roce_port *port)
{
	const struct roce_lscc_config *cfg = roce_lscc_config(&port->cfg);
	const struct roce_lscc_limit *limit = &roce_lscc_of(port)->limit;

	if (cfg->clear == TC_ROCE_LSCC_CLEAR_LONG)
		return roce_lscc_is_long(limit, cfg->pseudo_bytes);
	return limit->rate_bps;
}

/* Congestion inside marks the flow, and ends here. */
static void roce_lscc_unmark(struct roce_port *port, struct sk_buff *skb, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);
	struct roce_lscc_flow *flow;
	struct roce_reply_to to;
	__be16 proto;
	int noff;

	proto = roce_l3_offset(skb, &noff);
	if ((roce_l3_dsfield(skb, proto, noff) & INET_ECN_MASK) != INET_ECN_CE ||
	    !roce_flow_read(port, skb, &to) || !roce_reply_is_data(to.opcode))
		return;
	flow = roce_lscc_flow_of(port, &to, now_ns);
	if (!flow)
		return;
	flow->marked = roce_lscc_now_period(port, now_ns);
	roce_lscc_update(port, now_ns);
	if (!roce_lscc_clears(port))
		return;
	if (roce_lscc_set_ect(skb))
		l->stats.cleared++;
	else
		l->stats.uncleared++;
}

/**
 * roce_lscc_arrive - what a packet from inside tells ends here: CE, and telemetry
 * @port: port to the long link
 * @skb: packet
 * @out: not used
 * @now_ns: present time
 *
 * Return: %ROCE_ACCEPTED.
 */
enum roce_verdict roce_lscc_arrive(struct roce_port *port, struct sk_buff *skb,
				   struct roce_port **out, u64 now_ns)
{
	roce_lscc_unmark(port, skb, now_ns);
	if (roce_lscc_config(&port->cfg)->reply == TC_ROCE_LSCC_REPLY_INT) {
		roce_lscc_update(port, now_ns);
		roce_lscc_strip_int(port, roce_lscc_of(port), skb, now_ns);
	}
	return ROCE_ACCEPTED;
}

/* Tell the sender of a packet that it is too fast. */
static int roce_lscc_tell_cnp(struct roce_port *port, const struct sk_buff *skb,
			      const struct roce_reply_to *to, u64 now_ns)
{
	struct roce_lscc_port *l = roce_lscc_of(port);
	int err;

	err = roce_reply_send_cnp(port, skb, to, RXE_CC_CNP_LSCC, 0, now_ns);
	if (err)
		l->stats.failed++;
	else
		l->stats.cnps++;
	trace_roce_lscc_cnp(port, skb, now_ns, &l->limit, to->qpn, to->psn, err);
	return err;
}

/* Has the sender to be told now, and how? */
static enum roce_lscc_due roce_lscc_due_to(struct roce_port *port, const struct roce_reply_to *to,
					   struct roce_lscc_flow *flow,
					   const struct roce_lscc_whom *whom, bool ints, u64 now_ns)
{
	u64 period = roce_lscc_now_period(port, now_ns);

	if (ints)
		return roce_lscc_due(flow, whom, true, now_ns);
	if (!roce_lscc_is_long(&roce_lscc_of(port)->limit, whom->qref_bytes))
		return ROCE_LSCC_NOT;
	return roce_lscc_due(flow, whom, flow->marked == period ||
			     roce_lscc_pair_is_marked(port, to, period), now_ns);
}

/* What there was no room for is tried again with the next packet: no interval has begun. */
static void roce_lscc_tell(struct roce_port *port, const struct sk_buff *skb,
			   const struct roce_reply_to *to, struct roce_lscc_flow *flow,
			   bool ints, u64 now_ns)
{
	int err = ints ? roce_lscc_tell_int(port, roce_lscc_of(port), skb, to, now_ns) :
			 roce_lscc_tell_cnp(port, skb, to, now_ns);

	if (roce_reply_again(err))
		flow->cnp_ns = 0;
}

/**
 * roce_lscc_arrived - a packet is about to go out by the long link
 * @port: port to it
 * @skb: packet
 * @waits: not used
 * @now_ns: present time
 */
void roce_lscc_arrived(struct roce_port *port, struct sk_buff *skb, bool waits, u64 now_ns)
{
	struct roce_lscc_whom whom = roce_lscc_whom(&port->cfg);
	u32 wire_bytes = roce_skb_cb(skb)->wire_bytes;
	struct roce_lscc_port *l = roce_lscc_of(port);
	/* The switch's own packets have not arrived; one may lie where a lost one did. */
	bool ints = l->taken.skb == skb && !(roce_skb_cb(skb)->flags & ROCE_SKB_REPLY);
	struct roce_lscc_flow *flow;
	struct roce_reply_to to;

	l->taken.skb = NULL;
	roce_lscc_update(port, now_ns);
	roce_lscc_add(&l->limit, wire_bytes);
	l->in_bytes += wire_bytes;
	l->peak_bytes = max(l->peak_bytes, l->limit.bytes);
	if (!roce_flow_read(port, skb, &to) || !(ints || roce_reply_is_data(to.opcode)))
		return;
	flow = ints ? l->taken.flow : roce_lscc_flow_of(port, &to, now_ns);
	if (!flow)
		return;
	roce_lscc_count(flow, &whom, wire_bytes, now_ns);
	switch (roce_lscc_due_to(port, &to, flow, &whom, ints, now_ns)) {
	case ROCE_LSCC_TELL:
		roce_lscc_tell(port, skb, &to, flow, ints, now_ns);
		break;
	case ROCE_LSCC_DAMPED:
		l->stats.damped++;
		break;
	default:
		break;
	}
}

/* A receiver's CNP marks the flows between its two hosts. */
static void roce_lscc_mark(struct roce_port *port, const struct sk_buff *skb, u64 now_ns)
{
	const struct roce_flow_table table = roce_lscc_pairs(port);
	struct roce_lscc_port *l = roce_lscc_of(port);
	struct roce_reply_to to;
	struct roce_flow_key key;
	struct roce_flow *pair;

	if (!roce_flow_read(port, skb, &to) || to.opcode != IB_BTH_OPCODE_CNP)
		return;
	swap(to.src, to.dst);
	roce_flow_key(&key, &to, ROCE_FLOW_PAIR);
	pair = roce_flow_get(&table, &key, now_ns, roce_lscc_config(&port->cfg)->period_ns);
	if (!pair) {
		l->stats.no_place++;
		return;
	}
	pair->data = roce_lscc_now_period(port, now_ns);
	l->stats.marked++;
}

/* Is it the configured peer's, for us, and newer than what is in force? */
static enum roce_lscc_verdict roce_lscc_judge(const struct roce_port *port,
					      const struct roce_lscc_msg *msg)
{
	const struct roce_lscc_config *cfg = roce_lscc_config(&port->cfg);

	if (msg->self != htonl(cfg->peer) || msg->peer != htonl(cfg->self))
		return ROCE_LSCC_STRANGER;
	if (!roce_lscc_is_new(&roce_lscc_of(port)->limit, msg->seq, msg->time_ns))
		return ROCE_LSCC_LATE;
	return ROCE_LSCC_HEARD;
}

static void roce_lscc_feedback(struct roce_port *port, const struct roce_lscc_msg *msg,
			       enum roce_lscc_verdict verdict, u64 now_ns)
{
	struct roce_lscc_rule rule = roce_lscc_rule(&port->cfg);
	struct roce_lscc_port *l = roce_lscc_of(port);
	u64 rate_bps = msg->units * ROCE_LSCC_UNIT_BPS;

	roce_lscc_update(port, now_ns);
	if (verdict == ROCE_LSCC_HEARD)
		verdict = roce_lscc_judge(port, msg);
	trace_roce_lscc_feedback(port, now_ns, verdict, msg, &l->limit);
	if (verdict == ROCE_LSCC_LATE) {
		l->stats.late++;
	} else if (verdict == ROCE_LSCC_HEARD) {
		l->stats.heard++;
		roce_lscc_hear(&l->limit, msg->seq, msg->time_ns,
			       clamp(rate_bps, rule.min_bps, rule.max_bps), now_ns);
	} else {
		l->stats.refused++;
	}
}

/**
 * roce_lscc_receive - a packet has come in by the long link
 * @port: port to it
 * @skb: packet, at the end of its Ethernet header, shared
 * @now_ns: present time
 */
void roce_lscc_receive(struct roce_port *port, const struct sk_buff *skb, u64 now_ns)
{
	struct roce_lscc_msg msg = {};
	enum roce_lscc_verdict verdict = roce_lscc_msg_parse(skb, &msg);

	if (verdict == ROCE_LSCC_OTHER)
		roce_lscc_mark(port, skb, now_ns);
	else
		roce_lscc_feedback(port, &msg, verdict, now_ns);
}
