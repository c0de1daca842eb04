// SPDX-License-Identifier: GPL-2.0
/* The headers of a packet, as far as an answer to its sender or the table of flows needs them. */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <rdma/ib_hdrs.h>

#include "roce_reply_packet.h"
#include "roce_udp.h"

/**
 * roce_reply_read_pair() - between whom a packet goes
 * @skb: packet at its Ethernet header
 * @at: where IP and UDP are in it
 * @to: set to it, the rest to zeros
 *
 * Return: false when the packet ends before.
 */
bool roce_reply_read_pair(const struct sk_buff *skb, const struct roce_udp *at,
			  struct roce_reply_to *to)
{
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} buf;

	memset(to, 0, sizeof(*to));
	to->ipv4 = at->ipv4;
	to->l3 = at->l3;
	if (to->ipv4) {
		ip = skb_header_pointer(skb, at->l3, sizeof(*ip), &buf);
		if (!ip)
			return false;
		to->src.v4 = ip->saddr;
		to->dst.v4 = ip->daddr;
		return true;
	}
	ip6 = skb_header_pointer(skb, at->l3, sizeof(*ip6), &buf);
	if (!ip6)
		return false;
	to->src.v6 = ip6->saddr;
	to->dst.v6 = ip6->daddr;
	return true;
}
EXPORT_SYMBOL_GPL(roce_reply_read_pair);

/**
 * roce_reply_read() - find out what the answer to a packet needs to know
 * @skb: RoCEv2 packet at its Ethernet header
 * @at: where IP and UDP are in it
 * @bth: offset of its BTH from skb->data
 * @to: set to it
 *
 * Return: false when the packet ends before.
 */
bool roce_reply_read(const struct sk_buff *skb, const struct roce_udp *at,
		     unsigned int bth, struct roce_reply_to *to)
{
	const struct roce_bth *b;
	const struct udphdr *udp;
	struct udphdr udp_buf;
	struct roce_bth buf;

	udp = skb_header_pointer(skb, at->udp, sizeof(udp_buf), &udp_buf);
	b = skb_header_pointer(skb, bth, sizeof(buf), &buf);
	if (!udp || !b || !roce_reply_read_pair(skb, at, to))
		return false;

	to->sport = udp->source;
	to->pkey = b->pkey;
	to->opcode = b->opcode;
	to->qpn = ntohl(b->qpn) & ROCE_BTH_LOW_24;
	to->psn = ntohl(b->psn) & ROCE_BTH_LOW_24;
	return true;
}
EXPORT_SYMBOL_GPL(roce_reply_read);

/**
 * roce_reply_is_data() - can the sender of a packet send less of such?
 * @opcode: its opcode
 *
 * Return: true for SENDs, WRITEs and READ responses, reliable or not.
 */
bool roce_reply_is_data(u8 opcode)
{
	u8 op = opcode & 0x1f;		/* the transport is above */

	if (opcode >> 5 > IB_OPCODE_UC >> 5)
		return false;
	return op <= IB_OPCODE_RDMA_READ_RESPONSE_ONLY ? op != IB_OPCODE_RDMA_READ_REQUEST :
	       op == IB_OPCODE_SEND_LAST_WITH_INVALIDATE ||
	       op == IB_OPCODE_SEND_ONLY_WITH_INVALIDATE;
}
EXPORT_SYMBOL_GPL(roce_reply_is_data);
