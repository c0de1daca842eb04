// SPDX-License-Identifier: GPL-2.0
/*
 * Takes hops of in-band network telemetry (INT) off a packet, the reverse of roce_int_push.c.
 * Ports that follow find the packet as its source sent it. Headers move up to where the stack
 * was; what is behind it stays where it is. The ICRC covers none of it.
 */
#include <kunit/visibility.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <net/checksum.h>

#include <rxe_cc/int_wire.h>

#include "roce_int_push.h"

/* RemHop is what it was, nobody has met a limit, and the path has no id yet. */
static void roce_int_begin_anew(u8 *data, const struct roce_int_packet *pkt, unsigned int bytes)
{
	struct udphdr *udp = (void *)(data + pkt->at.udp);
	struct rxe_cc_int_shim *shim = (void *)(udp + 1);
	struct rxe_cc_int_md *md = (void *)(shim + 1);

	if (pkt->at.ipv4) {
		struct iphdr *ip = (void *)(data + pkt->at.l3);
		__be16 len = htons(pkt->at.l3_bytes - bytes);

		csum_replace2(&ip->check, ip->tot_len, len);
		ip->tot_len = len;
	} else {
		struct ipv6hdr *ip = (void *)(data + pkt->at.l3);

		ip->payload_len = htons(pkt->udp_bytes - bytes);
	}
	udp->len = htons(pkt->udp_bytes - bytes);
	shim->length -= bytes / 4;
	md->rem_hop = min(pkt->rem_hop + roce_int_hops(pkt), 0xffU);
	md->ver_flags &= ~(RXE_CC_INT_E | RXE_CC_INT_M);
	md->ds_flags = 0;
}

/**
 * roce_int_strip - take all hops off an INT packet
 * @skb: at the Ethernet header, owned by the caller. Pointers into it are stale
 *	afterwards
 * @pkt: what roce_int_read_hpcc() found in it; only its lengths of the stack are not
 *	those of the packet any more
 *
 * Any context; allocates atomically when the packet's head is shared, or has its
 * headers in fragments.
 *
 * Return: 0; or a negative error, and the packet is as it was: no memory, or a UDP
 * checksum to keep up.
 */
int roce_int_strip(struct sk_buff *skb, const struct roce_int_packet *pkt)
{
	unsigned int bytes = roce_int_hops(pkt) * pkt->hop_ml * 4;
	unsigned int stack = roce_int_stack(pkt);

	if (pkt->udp_check || skb->ip_summed == CHECKSUM_PARTIAL)
		return -EOPNOTSUPP;
	if (skb_shared(skb) || skb_ensure_writable(skb, stack + bytes))
		return -ENOMEM;

	roce_int_begin_anew(skb->data, pkt, bytes);
	skb_metadata_clear(skb);
	memmove(skb->data + bytes, skb->data, stack);
	__skb_pull(skb, bytes);

	if (skb_mac_header_was_set(skb))
		skb->mac_header += bytes;
	skb->network_header += bytes;
	if (skb_transport_header_was_set(skb))
		skb->transport_header += bytes;
	/* CHECKSUM_COMPLETE sums up what the packet was. */
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_int_strip);
