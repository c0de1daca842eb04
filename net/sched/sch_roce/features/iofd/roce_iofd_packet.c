// SPDX-License-Identifier: GPL-2.0
/*
 * What in-order flow deflection (IOFD) reads and changes in a packet: the tokens in the reserved
 * bits of the BTH, the DSCP, the MAC addresses. The ICRC covers none of them: it takes the upper
 * byte of the DestQP's word, in which FECN, BECN and the reserved bits are, and the type of
 * service for ones.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <rdma/ib_pack.h>

#include <rxe_cc/int_wire.h>
#include <rxe_cc/wire.h>

#include "roce_classify.h"
#include "roce_iofd.h"
#include "roce_udp.h"

/* In the BTH: FECN, BECN, six reserved bits; then the DestQP. */
#define ROCE_IOFD_AT	4
#define ROCE_BTH_BYTES	12

/**
 * roce_iofd_read - read a packet
 * @skb: packet at its Ethernet header, without telemetry
 * @pkt: set to what it is
 *
 * Return: true when it is RoCEv2 in one piece.
 */
bool roce_iofd_read(const struct sk_buff *skb, struct roce_iofd_packet *pkt)
{
	const struct udphdr *udp;
	struct roce_udp at;
	struct udphdr buf;
	const u8 *bits;
	u8 byte;

	if (!roce_udp_find(skb, &at))
		return false;
	udp = skb_header_pointer(skb, at.udp, sizeof(buf), &buf);
	if (!udp || udp->dest != htons(RXE_CC_INT_UDP_PORT))
		return false;
	pkt->udp = at.udp;
	pkt->bth = at.udp + sizeof(*udp);
	if (!roce_reply_read(skb, &at, pkt->bth, &pkt->to))
		return false;
	bits = skb_header_pointer(skb, pkt->bth + ROCE_IOFD_AT, 1, &byte);
	if (!bits)
		return false;
	pkt->bits = *bits & RXE_CC_RESV6;
	return true;
}

/**
 * roce_iofd_ends - is a packet the last of its message?
 * @opcode: its opcode; the transport is in the upper three bits
 *
 * Return: false for the first and the middle ones.
 */
bool roce_iofd_ends(u8 opcode)
{
	switch (opcode & 0x1f) {
	case IB_OPCODE_SEND_FIRST:
	case IB_OPCODE_SEND_MIDDLE:
	case IB_OPCODE_RDMA_WRITE_FIRST:
	case IB_OPCODE_RDMA_WRITE_MIDDLE:
	case IB_OPCODE_RDMA_READ_RESPONSE_FIRST:
	case IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE:
		return false;
	default:
		return true;
	}
}

static void roce_iofd_put_bits(struct sk_buff *skb, const struct roce_iofd_packet *pkt, u8 bits)
{
	struct udphdr *udp = (void *)skb->data + pkt->udp;
	u8 *at = skb->data + pkt->bth + ROCE_IOFD_AT;
	__be16 was, is;

	/* The reserved bits are in the upper byte of a word of the checksum. */
	memcpy(&was, at, sizeof(was));
	at[0] = (at[0] & ~RXE_CC_RESV6) | bits;
	memcpy(&is, at, sizeof(is));
	if (udp->check && skb->ip_summed != CHECKSUM_PARTIAL) {
		csum_replace2(&udp->check, was, is);
		if (!udp->check)
			udp->check = CSUM_MANGLED_0;
	}
}

static void roce_iofd_put_dscp(struct sk_buff *skb, const struct roce_iofd_packet *pkt, u8 dscp)
{
	void *l3 = skb->data + pkt->to.l3;

	if (pkt->to.ipv4)
		ipv4_change_dsfield(l3, INET_ECN_MASK, dscp << 2);
	else
		ipv6_change_dsfield(l3, INET_ECN_MASK, dscp << 2);
}

/**
 * roce_iofd_write - change a packet
 * @skb: packet at its Ethernet header
 * @pkt: what roce_iofd_read() found
 * @bits: its reserved bits from now on
 * @dscp: its DSCP from now on; negative: it keeps what it has
 *
 * Captures share packet data, so it is made private first; pointers into it are stale
 * afterwards.
 *
 * Return: false for want of memory: nothing has changed.
 */
bool roce_iofd_write(struct sk_buff *skb, const struct roce_iofd_packet *pkt, u8 bits, int dscp)
{
	unsigned int bytes = pkt->bth + ROCE_BTH_BYTES;

	if (!pskb_may_pull(skb, bytes) || skb_try_make_writable(skb, bytes))
		return false;
	if (bits != pkt->bits)
		roce_iofd_put_bits(skb, pkt, bits);
	if (dscp >= 0)
		roce_iofd_put_dscp(skb, pkt, dscp);
	return true;
}

/**
 * roce_iofd_aim - send a packet to another next hop
 * @skb: packet at its Ethernet header, which is writable
 * @dest: MAC address of that
 * @source: that of the port that it leaves by
 */
void roce_iofd_aim(struct sk_buff *skb, const u8 *dest, const u8 *source)
{
	struct ethhdr *eth = (void *)skb->data;

	ether_addr_copy(eth->h_dest, dest);
	ether_addr_copy(eth->h_source, source);
}
