// SPDX-License-Identifier: GPL-2.0
/*
 * Direct INT, for senders that run HPCC*: the rate limiting of LSCC (link-segmented congestion
 * control) in place of CNPs (section III-D of the paper). A port to a long link takes the hops
 * of in-band network telemetry (INT) so far off a packet and sends them back to the packet's
 * sender at once. The pseudo queue is added as if it were one more port: its length, the bytes
 * that were added to it, and as its speed the rate R of the other end. The packet continues
 * without these hops, so its ACK has the ports from here on.
 *
 * Packets without telemetry, or with compact hops (which cannot express any R), stay unchanged
 * and cause CNPs; so do READ responses, which no switch can report on. While no R is in force
 * no hops are taken off, and ACKs have the whole path.
 *
 * Hops are taken off when a packet arrives, before it has a place in the buffer. The sender
 * gets them when the packet has a place. Both happen in one call under the lock of the switch.
 *
 * Differences from the paper:
 *  - Once in lscc-interval a flow, not with each packet: so it needs a place in the table of
 *    flows. Hops are taken off the packets in between, too, but not off those of a flow
 *    without a place.
 *  - It names the packet, which shows that its author saw the flow.
 *  - txBytes are the bytes that were added to the pseudo queue. The paper does not define it.
 */
#include <linux/skbuff.h>

#include <rxe_cc/wire.h>

#include "roce_classify.h"
#include "features/int/roce_int_port.h"
#include "roce_lscc.h"
#include "roce_reply_packet.h"
#include "features/int/roce_int_response.h"
#include "roce_trace.h"

/* Has it telemetry that can be given back? */
static bool roce_lscc_read_int(const struct roce_port *port, const struct sk_buff *skb,
			       struct roce_int_packet *pkt, struct roce_reply_to *to)
{
	return roce_int_is_on(&port->cfg, roce_class(skb)) &&
	       roce_int_read_hpcc(skb, roce_int_config(&port->cfg)->domain, pkt) &&
	       pkt->profile == RXE_CC_INT_FULL && roce_int_hops(pkt) < RXE_CC_INT_MAX_HOPS &&
	       roce_reply_read(skb, &pkt->at, roce_int_bth(pkt), to) &&
	       roce_response_is_wanted(to->opcode);
}

/**
 * roce_lscc_strip_int - take the hops off a packet, if that is to be done
 * @port: port to the long link
 * @l: its state, its pseudo queue up to date
 * @skb: packet that comes
 * @now_ns: present time
 *
 * They are kept until the next one comes. A flow without a place in the table is never sent
 * them, so it keeps them: its ACKs have the whole path.
 */
void roce_lscc_strip_int(struct roce_port *port, struct roce_lscc_port *l,
			 struct sk_buff *skb, u64 now_ns)
{
	struct roce_lscc_taken *t = &l->taken;
	struct roce_reply_to to;

	t->skb = NULL;
	if (!l->limit.rate_bps || !roce_lscc_read_int(port, skb, &t->pkt, &to))
		return;
	t->flow = roce_lscc_flow_of(port, &to, now_ns);
	if (!t->flow)
		return;
	roce_int_copy_stack(skb, &t->pkt, t->stack);
	if (roce_int_strip(skb, &t->pkt)) {
		l->stats.untaken++;
		return;
	}
	l->stats.taken++;
	t->skb = skb;
	roce_skb_cb(skb)->wire_bytes = roce_wire_bytes(skb, port->cfg.overhead);
}

/* The pseudo queue as the packet has met it, as if it were a port's. */
static void roce_lscc_pseudo_hop(const struct roce_port *port, const struct roce_lscc_port *l,
				 const struct sk_buff *skb, u64 now_ns, struct roce_int_hop *hop)
{
	u64 met_bytes = l->limit.bytes - roce_skb_cb(skb)->wire_bytes;

	roce_int_snapshot(port, skb, now_ns, hop);
	hop->qlen_bytes = met_bytes;
	hop->tx_bytes = l->in_bytes - roce_skb_cb(skb)->wire_bytes;
	hop->speed_mbps = div_u64(l->limit.rate_bps, ROCE_LSCC_UNIT_BPS);
}

/**
 * roce_lscc_tell_int - send the hops of a packet back to its sender
 * @port: port to the long link
 * @l: its state
 * @skb: packet whose hops were taken off last, counted in the pseudo queue
 * @to: what roce_flow_read() found in it
 * @now_ns: present time
 *
 * Return: as roce_reply_send().
 */
int roce_lscc_tell_int(struct roce_port *port, struct roce_lscc_port *l, const struct sk_buff *skb,
		       const struct roce_reply_to *to, u64 now_ns)
{
	const struct roce_int_packet *pkt = &l->taken.pkt;
	struct roce_int_hop hop;
	struct sk_buff *reply;
	u8 *stack;
	int err;

	roce_lscc_pseudo_hop(port, l, skb, now_ns, &hop);
	reply = roce_response_build(to, pkt, &hop, RXE_CC_REPORT_DIRECT, &stack);
	if (reply)
		memcpy(stack, l->taken.stack, roce_int_hops(pkt) * pkt->hop_ml * 4);
	err = roce_reply_send(port, skb, to, reply, now_ns);
	if (err)
		l->stats.failed++;
	else
		l->stats.ints++;
	trace_roce_lscc_int(port, skb, now_ns, &l->limit, to->qpn, to->psn, err);
	return err;
}
