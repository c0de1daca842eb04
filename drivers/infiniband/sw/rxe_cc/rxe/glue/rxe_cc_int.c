// SPDX-License-Identifier: GPL-2.0
/*
 * In-band network telemetry (INT) at the two ends of a path: the source inserts the headers, the
 * sink takes them off. What goes back in ACKs: rxe_cc_tlv_write.c.
 *
 * Source: behind the ICRC's computation a data packet gets shim and MD header
 * between UDP and BTH and the DSCP of INT. Ports push their hops in front of
 * what is there, for which the packet has headroom from the start.
 *
 * Sink: before rxe looks at a packet, all that is taken off again, so that the
 * ICRC is checked over the packet that the source computed it for. The stack
 * stays in the headroom until the packet is acknowledged:
 *
 *	as received:	IP, UDP, shim and MD header, stack, BTH ...
 *	afterwards:	stack, struct rxe_int_kept, IP, UDP, BTH ...
 *
 * RXE_INT_MASK in the packet's mask says that it is there. That is in skb->cb,
 * and nothing on the wire can set it.
 *
 * Feedback: the ACK of a packet, or a report on it, carries that packet's stack.
 */
#include <linux/build_bug.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/dst.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/* Lengths of IP and UDP, and the DSCP, for @bytes more (or fewer) behind UDP. */
static void rxe_int_fix_headers(struct sk_buff *skb, int bytes, u8 dscp)
{
	struct udphdr *udp = udp_hdr(skb);

	if (skb->protocol == htons(ETH_P_IP)) {
		struct iphdr *ip = ip_hdr(skb);

		ip->tot_len = htons(ntohs(ip->tot_len) + bytes);
		ip->tos = (ip->tos & INET_ECN_MASK) | dscp << 2;
		ip_send_check(ip);
	} else {
		struct ipv6hdr *ip = ipv6_hdr(skb);

		ip->payload_len = htons(ntohs(ip->payload_len) + bytes);
		ipv6_change_dsfield(ip, INET_ECN_MASK, dscp << 2);
	}
	udp->len = htons(ntohs(udp->len) + bytes);
	udp->check = 0;
}

static u8 rxe_int_tos(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_IP) ?
	       ip_hdr(skb)->tos : ipv6_get_dsfield(ipv6_hdr(skb));
}

/**
 * rxe_int_fits() - does a packet have room for all hops, in front and in the MTU?
 * @rxe: the device
 * @skb: the packet, with a route
 * @profile: what ports are to push
 *
 * Then no port reallocates it and none finds it too long. It has not when INT was
 * switched on after its allocation, or when its path MTU is larger than the one
 * that the device reports.
 *
 * Context: any.
 * Return: true when it has; else that is counted.
 */
bool rxe_int_fits(struct rxe_dev *rxe, const struct sk_buff *skb,
		  enum rxe_cc_int_profile profile)
{
	unsigned int room = rxe_cc_int_room(profile, READ_ONCE(rxe->cc.int_hops));
	const struct dst_entry *dst = skb_dst(skb);

	if (READ_ONCE(rxe->cc.int_room) &&
	    skb_headroom(skb) >= room + LL_RESERVED_SPACE(dst->dev) &&
	    skb->len + room <= dst_mtu(dst))
		return true;
	rxe_cc_int_count(&rxe->cc, RXE_CC_INT_EV_NO_ROOM);
	return false;
}

/* Shim and MD header into a packet. Returns what it is longer on its first link; 0:
 * it goes without.
 */
static u32 rxe_int_insert(struct rxe_dev *rxe, struct sk_buff *skb,
			  enum rxe_cc_int_profile profile, u16 flags)
{
	unsigned int hdr = skb_transport_offset(skb) + sizeof(struct udphdr);
	u8 tos = rxe_int_tos(skb);

	if (!rxe_int_fits(rxe, skb, profile))
		return 0;

	__skb_push(skb, RXE_CC_INT_HDR_BYTES);
	memmove(skb->data, skb->data + RXE_CC_INT_HDR_BYTES, hdr);
	skb->network_header -= RXE_CC_INT_HDR_BYTES;
	skb->transport_header -= RXE_CC_INT_HDR_BYTES;
	rxe_cc_int_write(skb->data + hdr, profile, tos,
			 READ_ONCE(rxe->cc.int_hops), flags);
	rxe_int_fix_headers(skb, RXE_CC_INT_HDR_BYTES,
			    READ_ONCE(rxe->cc.int_dscp));
	rxe_cc_int_count(&rxe->cc, RXE_CC_INT_EV_SENT);
	return rxe_cc_int_first_link(profile);
}

/* Is a packet to go with INT? */
static bool rxe_int_wanted(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	bool req = pkt->mask & RXE_REQ_MASK;

	if (pkt->mask & RXE_LOOPBACK_MASK)
		return false;
	if (pkt->opcode == RXE_CC_OPCODE_PROBE)
		return true;
	if (!rxe_pkt_is_data(pkt) || !payload_size(pkt) ||
	    (req && !(pkt->mask & RXE_WRITE_OR_SEND_MASK)))
		return false;
	return req ? qp->cc_tx.tx.int_md : qp->cc_resp_tx.tx.int_md;
}

/* Bits beside AckReq: what we can do, and what this packet asks for. */
static u8 rxe_resv7(const struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	u8 bits = READ_ONCE(qp->cc.caps);

	/* Send work only, like requests. */
	if (pkt->mask & RXE_REQ_MASK && pkt->mask & RXE_WRITE_OR_SEND_MASK &&
	    bth_ack(pkt) && qp->cc_tx.tx.ask_time)
		bits |= RXE_CC_ASK_TIME;
	return bits;
}

/**
 * rxe_hook_icrc_generate_slow() - last step before a packet is handed down
 * @qp: the QP
 * @pkt: the packet
 * @skb: its buffer, at the IP header
 *
 * Capabilities are under the ICRC, INT and tokens are not. A CNP has its own format.
 *
 * Context: send or recv work; softirq for a packet that is neither request nor
 * response.
 */
void rxe_hook_icrc_generate_slow(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
				 struct sk_buff *skb)
{
	struct rxe_bth *bth = (struct rxe_bth *)pkt->hdr;
	u32 bytes = 0;

	if (pkt->opcode != IB_BTH_OPCODE_CNP)
		bth->apsn |= cpu_to_be32(rxe_resv7(qp, pkt) << 24);
	rxe_icrc_generate(skb, pkt);
	if (pkt->mask & RXE_REQ_MASK && unlikely(qp->cc_tx.tx.resv6))
		bth->qpn |= cpu_to_be32(qp->cc_tx.tx.resv6 << 24);

	if (rxe_int_wanted(qp, pkt))
		bytes = rxe_int_insert(pkt->rxe, skb,
				       READ_ONCE(qp->cc.int_profile),
				       READ_ONCE(qp->cc.int_flags));
	/* For rxe_hook_tx_sent_slow(), in the same work. */
	if (pkt->mask & RXE_REQ_MASK)
		qp->cc_tx.int_bytes = bytes;
	else if (pkt->mask & RXE_ACK_MASK)
		qp->cc_resp_tx.int_bytes = bytes;
}

/* What is wrong with an INT packet, or RXE_CC_INT_EV_RECEIVED. */
static enum rxe_cc_int_event rxe_int_inspect(const struct rxe_pkt_info *pkt,
					     const struct sk_buff *skb)
{
	unsigned int l3 = skb->protocol == htons(ETH_P_IP) ?
			  sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	const u8 *hdr = skb->data + sizeof(struct udphdr);
	const struct rxe_cc_int_md *md;
	enum rxe_cc_int_verdict verdict;

	if (skb->len != pkt->paylen + sizeof(struct udphdr))
		return RXE_CC_INT_EV_SHORT;
	verdict = rxe_cc_int_check(hdr, pkt->paylen, RXE_CC_INT_REST_BYTES);
	if (verdict != RXE_CC_INT_OK)
		return RXE_CC_INT_EV_RECEIVED + verdict;
	/* RoCE's ICRC knows neither options nor extension headers. */
	if (skb->data - skb_network_header(skb) != l3)
		return RXE_CC_INT_EV_SHIM;
	md = (const void *)(hdr + sizeof(struct rxe_cc_int_shim));
	if (md->ver_flags & RXE_CC_INT_D)
		return RXE_CC_INT_EV_DISCARD;
	return RXE_CC_INT_EV_RECEIVED;
}

/* Take INT off. The packet is writable; see the top of the file. */
static void rxe_int_strip(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	u8 hdr[sizeof(struct ipv6hdr) + sizeof(struct udphdr)];
	struct rxe_int_kept kept = { };
	struct rxe_cc_int_shim shim;
	struct rxe_cc_int_md md;
	u8 *l3 = skb_network_header(skb);
	unsigned int hdr_bytes = skb->data - l3 + sizeof(struct udphdr);
	u8 *inth = l3 + hdr_bytes;
	unsigned int bytes;

	memcpy(&shim, inth, sizeof(shim));
	memcpy(&md, inth + sizeof(shim), sizeof(md));
	memcpy(hdr, l3, hdr_bytes);
	kept.stack_bytes = 4 * (shim.length - RXE_CC_INT_MD_WORDS);
	kept.ver_flags = md.ver_flags;
	kept.path = get_unaligned_be16(&md.ds_flags);
	kept.profile = rxe_cc_int_profile_of(&md, kept.stack_bytes);

	memmove(l3, inth + RXE_CC_INT_HDR_BYTES, kept.stack_bytes);
	memcpy(l3 + kept.stack_bytes, &kept, sizeof(kept));
	bytes = kept.stack_bytes + sizeof(kept);
	memcpy(l3 + bytes, hdr, hdr_bytes);

	skb_pull(skb, bytes);
	skb->network_header += bytes;
	skb->transport_header += bytes;
	/* A sum over the whole packet holds no longer; nobody needs one. */
	skb->ip_summed = CHECKSUM_NONE;
	rxe_int_fix_headers(skb, -(int)bytes, shim.dscp >> 2);
	pkt->hdr = skb->data + sizeof(struct udphdr);
	pkt->paylen -= bytes;

	if (kept.profile == RXE_CC_NR_INT_PROFILES)
		rxe_cc_int_count(&pkt->rxe->cc, RXE_CC_INT_EV_FOREIGN);
	else if (kept.stack_bytes)
		pkt->mask |= RXE_INT_MASK;
}

/**
 * rxe_hook_int_sink_slow() - a packet with the DSCP of INT arrived
 * @pkt: the packet as received; changed to what it is without INT
 * @skb: its buffer, linear, at the UDP header
 *
 * Is done in every mode, so that a peer that has not noticed yet that INT was
 * switched off here loses nothing. But then a packet that is no INT may have this
 * DSCP for other reasons, and is left alone.
 *
 * Context: softirq.
 * Return: true when it is to be dropped.
 */
bool rxe_hook_int_sink_slow(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	struct rxe_cc_port_handle *h = &pkt->rxe->cc;
	enum rxe_cc_int_event what;

	BUILD_BUG_ON(sizeof(struct rxe_int_kept) != RXE_CC_INT_HDR_BYTES);
	BUILD_BUG_ON(RXE_STAMP_MASK <= (u32)RXE_ATOMIC_WRITE_MASK);

	what = rxe_int_inspect(pkt, skb);
	if (what != RXE_CC_INT_EV_RECEIVED && !READ_ONCE(h->int_room))
		return false;
	/* Whoever captures packets has a clone of it. */
	if (what == RXE_CC_INT_EV_RECEIVED && skb_unclone(skb, GFP_ATOMIC))
		what = RXE_CC_INT_EV_NOMEM;
	rxe_cc_int_count(h, what);
	if (what != RXE_CC_INT_EV_RECEIVED)
		return true;

	rxe_int_strip(pkt, skb);
	return false;
}
