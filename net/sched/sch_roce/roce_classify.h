/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Priority of a packet (by its DSCP, or by skb->priority if it is not IP) and its length on the
 * wire. Inline, because every packet needs all of it and a call costs more than the work.
 */
#ifndef _ROCE_CLASSIFY_H
#define _ROCE_CLASSIFY_H

#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/skbuff.h>
#include <linux/types.h>
#include <uapi/linux/pkt_sched_roce.h>

/* What a packet is classified by: its DSCP, or, when it is not IP, this bit
 * and its priority.
 */
#define ROCE_CLASS_NOT_IP	0x80
#define ROCE_CLASSES		(ROCE_CLASS_NOT_IP + TC_ROCE_PRIOS)

/**
 * roce_class_prio - priority of a class
 * @class: as of roce_class()
 * @dscp_prio: 64 priorities, by DSCP
 *
 * Return: 0..7, 7 is served first.
 */
static inline u8 roce_class_prio(u8 class, const u8 *dscp_prio)
{
	return class & ROCE_CLASS_NOT_IP ? class & 7 : dscp_prio[class];
}

/**
 * roce_l3_offset - find the network header behind any VLAN tags
 * @skb: at the Ethernet header
 * @noff: set to the offset of the network header from skb->data
 *
 * skb->network_header points at an inner VLAN tag when a second tag was left
 * in the packet, so tagged packets are walked from the Ethernet header.
 *
 * Return: EtherType, 0 if the packet ends in its tags.
 */
static inline __be16 roce_l3_offset(const struct sk_buff *skb, int *noff)
{
	if (likely(!eth_type_vlan(skb->protocol))) {
		*noff = skb_network_offset(skb);
		return skb->protocol;
	}
	*noff = 0;
	return __vlan_get_protocol(skb, skb->protocol, noff);
}

/**
 * roce_l3_dsfield - DSCP and ECN of a packet
 * @skb: packet
 * @proto: EtherType of its network header
 * @noff: offset of the network header
 *
 * Both IP versions have the field within their first two bytes.
 *
 * Return: the eight bits, DSCP in the upper six; 0 for a truncated packet and
 * for other protocols.
 */
static inline u8 roce_l3_dsfield(const struct sk_buff *skb, __be16 proto, int noff)
{
	const u8 *h;
	u8 buf[2];

	h = skb_header_pointer(skb, noff, sizeof(buf), buf);
	if (unlikely(!h))
		return 0;
	if (proto == htons(ETH_P_IP))
		return h[1];
	if (proto == htons(ETH_P_IPV6))
		return (u8)(h[0] << 4) | (h[1] >> 4);
	return 0;
}

/**
 * roce_class - what a packet is classified by
 * @skb: at the Ethernet header
 *
 * Packets that are not IP (ARP, LLDP, spanning tree) have no DSCP: they take
 * skb->priority when that is one of the eight, else 0.
 *
 * Return: the DSCP, or %ROCE_CLASS_NOT_IP and the priority.
 */
static inline u8 roce_class(const struct sk_buff *skb)
{
	__be16 proto;
	int noff;

	proto = roce_l3_offset(skb, &noff);
	if (likely(proto == htons(ETH_P_IP) || proto == htons(ETH_P_IPV6)))
		return roce_l3_dsfield(skb, proto, noff) >> 2;

	return ROCE_CLASS_NOT_IP | (skb->priority < TC_ROCE_PRIOS ? skb->priority : 0);
}

/**
 * roce_wire_bytes - what a packet occupies on the line
 * @skb: one packet as it will be sent, not a GSO packet
 * @overhead: bytes that are on the line but not in the skb
 *
 * A tag that the device is to insert counts, and short packets are padded to
 * Ethernet's minimum.
 *
 * Return: wire bytes.
 */
static inline u32 roce_wire_bytes(const struct sk_buff *skb, s32 overhead)
{
	u32 len = skb->len;

	if (skb_vlan_tag_present(skb))
		len += VLAN_HLEN;

	return max_t(u32, len, ETH_ZLEN) + overhead;
}

#endif /* _ROCE_CLASSIFY_H */
