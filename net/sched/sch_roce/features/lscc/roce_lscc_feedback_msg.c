// SPDX-License-Identifier: GPL-2.0
/*
 * Builds and parses the feedback message of LSCC (link-segmented congestion control), which
 * carries a rate from one end of a long link to the other:
 *
 *	Ethernet	to 01:80:c2:00:00:0e, the nearest bridge (802.1Q, 8.6.3)
 *	IPv4		20 bytes, DSCP 48, DF, TTL 255, from switch to switch
 *	ICMP		type 253 (RFC 4727, for experiments), code 0, checksum,
 *			0x4c53 ("LS"), version 1, 0
 *	number		32 bits
 *	time		64 bits, ns
 *	rate		32 bits, Mbit/s
 *
 * No bridge forwards the Ethernet address, and routers forward no packets to it, nor
 * has one that was routed a TTL of 255. So a message comes from the other end of the
 * cable, as PFC frames do: hosts beyond it cannot forge one.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/checksum.h>
#include <net/ip.h>
#include <net/sch_generic.h>

#include "roce_lscc_feedback_msg.h"
#include "roce_reply_packet.h"

#define ROCE_LSCC_ICMP_TYPE	253
#define ROCE_LSCC_MAGIC		0x4c53
#define ROCE_LSCC_VERSION	1
#define ROCE_LSCC_TTL		255

/**
 * struct roce_lscc_wire - ICMP message
 * @type: 253
 * @code: 0
 * @check: ICMP's checksum
 * @magic: 0x4c53
 * @version: 1
 * @rsvd: 0
 * @seq: number
 * @time_ns: when it was sent
 * @units: rate
 */
struct roce_lscc_wire {
	u8 type;
	u8 code;
	__sum16 check;
	__be16 magic;
	u8 version;
	u8 rsvd;
	__be32 seq;
	__be64 time_ns;
	__be32 units;
} __packed;

static const u8 roce_lscc_address[ETH_ALEN] = {
	0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e
};

/**
 * roce_lscc_units - a rate in the unit of messages
 * @rate_bps: rate
 *
 * Return: rounded down, 1 at least.
 */
u32 roce_lscc_units(u64 rate_bps)
{
	return clamp_t(u64, div_u64(rate_bps, ROCE_LSCC_UNIT_BPS), 1, U32_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_units);

static void roce_lscc_put_ip(struct iphdr *ip, const struct roce_lscc_msg *msg)
{
	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tos = ROCE_REPLY_DSCP << 2;
	ip->tot_len = htons(sizeof(*ip) + sizeof(struct roce_lscc_wire));
	ip->frag_off = htons(IP_DF);
	ip->ttl = ROCE_LSCC_TTL;
	ip->protocol = IPPROTO_ICMP;
	ip->saddr = msg->self;
	ip->daddr = msg->peer;
	ip_send_check(ip);
}

/**
 * roce_lscc_msg_build - write a message
 * @dev: port that it leaves by, or NULL in tests
 * @msg: what it says
 *
 * Context: any.
 * Return: the packet at its Ethernet header, or NULL for want of memory.
 */
struct sk_buff *roce_lscc_msg_build(struct net_device *dev, const struct roce_lscc_msg *msg)
{
	struct roce_lscc_wire *wire;
	struct sk_buff *skb;
	struct ethhdr *eth;

	skb = alloc_skb(NET_SKB_PAD + NET_IP_ALIGN + ETH_ZLEN, GFP_ATOMIC);
	if (!skb)
		return NULL;
	BUILD_BUG_ON(ETH_HLEN + sizeof(struct iphdr) + sizeof(*wire) > ETH_ZLEN);
	skb_reserve(skb, NET_SKB_PAD + NET_IP_ALIGN);
	skb_reset_mac_header(skb);
	eth = skb_put_zero(skb, ETH_ZLEN);
	skb_set_network_header(skb, ETH_HLEN);
	skb_set_transport_header(skb, ETH_HLEN + sizeof(struct iphdr));
	ether_addr_copy(eth->h_dest, roce_lscc_address);
	if (dev)
		ether_addr_copy(eth->h_source, dev->dev_addr);
	eth->h_proto = htons(ETH_P_IP);
	roce_lscc_put_ip(ip_hdr(skb), msg);

	wire = (struct roce_lscc_wire *)skb_transport_header(skb);
	wire->type = ROCE_LSCC_ICMP_TYPE;
	wire->magic = htons(ROCE_LSCC_MAGIC);
	wire->version = ROCE_LSCC_VERSION;
	wire->seq = htonl(msg->seq);
	wire->time_ns = cpu_to_be64(msg->time_ns);
	wire->units = htonl(msg->units);
	wire->check = ip_compute_csum(wire, sizeof(*wire));

	skb->dev = dev;
	skb->protocol = htons(ETH_P_IP);
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_msg_build);

/* Is it whole, and as it was sent? */
static bool roce_lscc_msg_ok(const struct iphdr *ip, const struct roce_lscc_wire *wire)
{
	return ip->ihl == sizeof(*ip) / 4 && !ip_is_fragment(ip) && ip->ttl == ROCE_LSCC_TTL &&
	       ntohs(ip->tot_len) == sizeof(*ip) + sizeof(*wire) && !ip_fast_csum(ip, ip->ihl) &&
	       !ip_compute_csum(wire, sizeof(*wire)) && !wire->code &&
	       wire->magic == htons(ROCE_LSCC_MAGIC) &&
	       wire->version == ROCE_LSCC_VERSION && !wire->rsvd;
}

/**
 * roce_lscc_msg_parse - read a packet that may be feedback
 * @skb: packet as a receive handler gets it: at the end of the Ethernet header
 * @msg: set when it is
 *
 * Context: any.
 * Return: %ROCE_LSCC_HEARD when it is feedback, whoever sent it; else
 * %ROCE_LSCC_OTHER or %ROCE_LSCC_BAD.
 */
enum roce_lscc_verdict roce_lscc_msg_parse(const struct sk_buff *skb, struct roce_lscc_msg *msg)
{
	const struct roce_lscc_wire *wire;
	struct roce_lscc_wire wire_buf;
	const struct iphdr *ip;
	struct iphdr ip_buf;

	if (skb->protocol != htons(ETH_P_IP) || !skb_mac_header_was_set(skb) ||
	    skb_mac_offset(skb) != -ETH_HLEN || skb_vlan_tag_present(skb) ||
	    !ether_addr_equal_unaligned(eth_hdr(skb)->h_dest, roce_lscc_address))
		return ROCE_LSCC_OTHER;
	ip = skb_header_pointer(skb, 0, sizeof(ip_buf), &ip_buf);
	if (!ip || ip->version != 4 || ip->protocol != IPPROTO_ICMP)
		return ROCE_LSCC_OTHER;
	wire = skb_header_pointer(skb, sizeof(*ip), sizeof(wire_buf), &wire_buf);
	if (!wire)
		return ROCE_LSCC_BAD;
	if (wire->type != ROCE_LSCC_ICMP_TYPE)
		return ROCE_LSCC_OTHER;
	if (!roce_lscc_msg_ok(ip, wire))
		return ROCE_LSCC_BAD;
	*msg = (struct roce_lscc_msg) {
		.self = ip->saddr,
		.peer = ip->daddr,
		.seq = ntohl(wire->seq),
		.time_ns = be64_to_cpu(wire->time_ns),
		.units = ntohl(wire->units),
	};
	return ROCE_LSCC_HEARD;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_msg_parse);
