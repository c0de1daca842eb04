// SPDX-License-Identifier: GPL-2.0
/*
 * Builds and parses frames of PFC (priority-based flow control, IEEE 802.1Qbb).
 *
 *	01:80:c2:00:00:01, source, 0x8808, opcode 0x0101, enable vector (upper
 *	byte reserved, lower byte priority 7..0), 8 x quanta, zeros up to 60
 *
 * A frame is a real packet: a capture on the link shows it, and a switch or NIC
 * that is not ours understands it.
 */
#include <kunit/visibility.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "roce_pfc.h"

#define ROCE_PFC_OPCODE		0x0101

/**
 * struct roce_pfc_wire - what follows the Ethernet header
 * @opcode: 0x0101
 * @enable: bit per priority
 * @quanta: pause times
 */
struct roce_pfc_wire {
	__be16 opcode;
	__be16 enable;
	__be16 quanta[ROCE_PFC_PRIOS];
} __packed;

static const u8 roce_pfc_address[ETH_ALEN] = {
	0x01, 0x80, 0xc2, 0x00, 0x00, 0x01
};

/**
 * roce_pfc_parse - read a MAC control frame
 * @skb: frame of EtherType 0x8808, as a receive handler gets it: at the end of
 *	the Ethernet header
 * @frame: set when it is PFC; quanta of priorities not enabled are 0
 *
 * Context: any.
 * Return: %ROCE_PFC_OK, or what else it is.
 */
enum roce_pfc_verdict roce_pfc_parse(const struct sk_buff *skb, struct roce_pfc_frame *frame)
{
	const struct roce_pfc_wire *wire;
	struct roce_pfc_wire buf;
	u16 enable;
	int i;

	/* The stack has taken a tag off; PFC has none. */
	if (!skb_mac_header_was_set(skb) || skb_mac_offset(skb) != -ETH_HLEN ||
	    skb->len < ROCE_PFC_FRAME_BYTES - ETH_HLEN || skb_vlan_tag_present(skb))
		return ROCE_PFC_BAD;
	wire = skb_header_pointer(skb, 0, sizeof(buf), &buf);
	if (!wire)
		return ROCE_PFC_BAD;
	if (wire->opcode != htons(ROCE_PFC_OPCODE))
		return ROCE_PFC_OTHER;

	enable = ntohs(wire->enable);
	if (!ether_addr_equal(eth_hdr(skb)->h_dest, roce_pfc_address) ||
	    enable >= BIT(ROCE_PFC_PRIOS))
		return ROCE_PFC_BAD;

	frame->enable = enable;
	for (i = 0; i < ROCE_PFC_PRIOS; i++)
		frame->quanta[i] = enable & BIT(i) ? ntohs(wire->quanta[i]) : 0;
	return ROCE_PFC_OK;
}
EXPORT_SYMBOL_IF_KUNIT(roce_pfc_parse);

/**
 * roce_pfc_build - write a PFC frame
 * @dev: port that it leaves by, or NULL in tests
 * @frame: what it says
 *
 * Context: any.
 * Return: the frame at its Ethernet header, or NULL for want of memory.
 */
struct sk_buff *roce_pfc_build(struct net_device *dev, const struct roce_pfc_frame *frame)
{
	struct roce_pfc_wire *wire;
	struct sk_buff *skb;
	struct ethhdr *eth;
	int i;

	skb = alloc_skb(NET_SKB_PAD + ROCE_PFC_FRAME_BYTES, GFP_ATOMIC);
	if (!skb)
		return NULL;

	skb_reserve(skb, NET_SKB_PAD);
	skb_reset_mac_header(skb);
	eth = skb_put_zero(skb, ROCE_PFC_FRAME_BYTES);
	skb_set_network_header(skb, ETH_HLEN);
	ether_addr_copy(eth->h_dest, roce_pfc_address);
	if (dev)
		ether_addr_copy(eth->h_source, dev->dev_addr);
	eth->h_proto = htons(ETH_P_PAUSE);

	wire = (struct roce_pfc_wire *)(eth + 1);
	wire->opcode = htons(ROCE_PFC_OPCODE);
	wire->enable = htons(frame->enable);
	for (i = 0; i < ROCE_PFC_PRIOS; i++)
		wire->quanta[i] = htons(frame->quanta[i]);

	skb->dev = dev;
	skb->protocol = htons(ETH_P_PAUSE);
	return skb;
}
EXPORT_SYMBOL_IF_KUNIT(roce_pfc_build);
