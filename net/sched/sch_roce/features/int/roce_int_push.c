// SPDX-License-Identifier: GPL-2.0
/*
 * Pushes this port's hop of in-band network telemetry (INT-MD transit) onto the stack of an INT
 * packet, between UDP and BTH. Headers in front of the stack move down into the headroom; what
 * is behind it stays where it is, so the payload is never copied. RoCE's ICRC does not cover
 * INT: the source inserts it afterwards.
 *
 * A packet is first only read. It is made writable when all is known that can
 * be said against a change, and from then on nothing can fail.
 */
#include <kunit/visibility.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/checksum.h>

#include <rxe_cc/int_wire.h>

#include "roce_classify.h"
#include "roce_int_load.h"
#include "roce_int_push.h"
#include "roce_udp.h"

/* The lengths of IPv4 and of IPv6's payload have 16 bits. */
#define ROCE_INT_L3_MAX		0xffff
/* The length of the shim has 8, the occupancy of a queue 24. */
#define ROCE_INT_WORDS_MAX	0xff
#define ROCE_INT_OCCUPANCY_MAX	0xffffff

/* What the device's MTU is for: all behind the Ethernet header and one VLAN tag,
 * which every device carries besides. It is not less than the IP packet.
 */
static u32 roce_int_link_bytes(const struct sk_buff *skb)
{
	bool tagged = eth_type_vlan(skb->protocol) && !skb_vlan_tag_present(skb);

	return skb->len - ETH_HLEN - (tagged ? VLAN_HLEN : 0);
}

/* Who can tell a RoCEv2 packet: the result is NONE; then, whose lengths agree
 * and have an INT header in them: BAD or UNSUPPORTED; then PUSHED, so far.
 */
static enum roce_int_result roce_int_read(const struct sk_buff *skb, struct roce_int_packet *pkt)
{
	u8 buf[RXE_CC_INT_HDR_BYTES];
	const struct rxe_cc_int_shim *shim;
	const struct rxe_cc_int_md *md;
	const struct udphdr *udp;
	struct udphdr udp_buf;
	u32 payload;

	if (!roce_udp_find(skb, &pkt->at))
		return ROCE_INT_NONE;
	udp = skb_header_pointer(skb, pkt->at.udp, sizeof(udp_buf), &udp_buf);
	if (!udp || udp->dest != htons(RXE_CC_INT_UDP_PORT))
		return ROCE_INT_NONE;

	pkt->udp_bytes = ntohs(udp->len);
	pkt->udp_check = udp->check;
	if (pkt->at.l3 + pkt->at.l3_bytes > skb->len ||
	    pkt->at.udp + pkt->udp_bytes != pkt->at.l3 + pkt->at.l3_bytes ||
	    pkt->udp_bytes < sizeof(*udp) + RXE_CC_INT_HDR_BYTES)
		return ROCE_INT_BAD;

	shim = skb_header_pointer(skb, roce_int_shim(pkt), sizeof(buf), buf);
	if (!shim)
		return ROCE_INT_BAD;
	payload = pkt->udp_bytes - sizeof(*udp);
	switch (rxe_cc_int_check(shim, payload, RXE_CC_INT_REST_BYTES)) {
	case RXE_CC_INT_OK:
		break;
	case RXE_CC_INT_OTHER_VERSION:
		return ROCE_INT_UNSUPPORTED;
	default:
		return ROCE_INT_BAD;
	}

	md = (const void *)(shim + 1);
	pkt->words = shim->length;
	pkt->hop_ml = md->hop_ml & RXE_CC_INT_HOP_ML_MASK;
	pkt->rem_hop = md->rem_hop;
	pkt->e = md->ver_flags & RXE_CC_INT_E;
	pkt->m = md->ver_flags & RXE_CC_INT_M;
	pkt->instr = ntohs(md->instr);
	pkt->domain = ntohs(md->domain);
	pkt->ds_instr = ntohs(md->ds_instr);
	pkt->ds_flags = ntohs(md->ds_flags);
	return ROCE_INT_PUSHED;
}

/* Are the instructions known here, and is a hop as long as they make it? */
static enum roce_int_result
roce_int_check_instr(const struct roce_int_packet *pkt, u16 domain)
{
	unsigned int words;

	if (pkt->instr & ~RXE_CC_INT_KNOWN)
		return ROCE_INT_UNSUPPORTED;

	if (!pkt->ds_instr || pkt->domain == domain) {
		if (pkt->ds_instr & ~RXE_CC_INT_DS_KNOWN)
			return ROCE_INT_UNSUPPORTED;
		words = rxe_cc_int_words(pkt->instr, pkt->ds_instr);
		return pkt->hop_ml == words ? ROCE_INT_PUSHED : ROCE_INT_BAD;
	}

	/* Somebody else's fields have lengths of their own, a word at least. */
	words = rxe_cc_int_words(pkt->instr, 0) + hweight16(pkt->ds_instr);
	return pkt->hop_ml >= words ? ROCE_INT_PUSHED : ROCE_INT_BAD;
}

static u8 *roce_int_put16(u8 *p, u16 value)
{
	put_unaligned_be16(value, p);
	return p + sizeof(value);
}

static u8 *roce_int_put32(u8 *p, u32 value)
{
	put_unaligned_be32(value, p);
	return p + sizeof(value);
}

static u8 *roce_int_put64(u8 *p, u64 value)
{
	put_unaligned_be64(value, p);
	return p + sizeof(value);
}

/* What is too large for its field becomes all ones, which means unknown. */
static u8 *roce_int_put_sat32(u8 *p, u64 value)
{
	return roce_int_put32(p, min_t(u64, value, U32_MAX));
}

static u8 *roce_int_put_unknown(u8 *p, unsigned int bytes)
{
	memset(p, 0xff, bytes);
	return p + bytes;
}

/* This port in telemetry of constant size: once for each packet, as it is measured by them. */
static u64 roce_int_worst(const struct roce_int_hop *hop, u32 t_ns)
{
	u64 drain_ns = 0;
	u32 util_q16 = 0;

	if (hop->load)
		util_q16 = roce_int_load(hop->load, hop->rate_bps, hop->at_ns, t_ns,
					 hop->tx_bytes, hop->qlen_bytes, &drain_ns);
	return rxe_cc_worst_word(hop->speed_mbps, rxe_cc_compact_path(0, hop->node, hop->out_port),
				 util_q16, drain_ns);
}

/* One hop at @p: the order is that of the bits, from the most significant on. */
static void roce_int_write_hop(u8 *p, const struct roce_int_packet *pkt,
			       u16 domain, const struct roce_int_hop *hop)
{
	u16 instr = pkt->instr;
	u16 ds = pkt->domain == domain ? pkt->ds_instr : 0;
	u8 *end = p + pkt->hop_ml * 4;

	if (instr & RXE_CC_INT_NODE_ID)
		p = roce_int_put32(p, hop->node);
	if (instr & RXE_CC_INT_PORTS) {
		p = roce_int_put16(p, hop->in_port);
		p = roce_int_put16(p, hop->out_port);
	}
	if (instr & RXE_CC_INT_HOP_LATENCY)
		p = roce_int_put_sat32(p, hop->latency_ns);
	if (instr & RXE_CC_INT_QUEUE)
		p = roce_int_put32(p, (u32)hop->queue << 24 | min_t(u64, hop->qlen_bytes,
								    ROCE_INT_OCCUPANCY_MAX));
	if (instr & RXE_CC_INT_INGRESS_TS)
		p = roce_int_put64(p, hop->ingress_ts_ns);
	if (instr & RXE_CC_INT_EGRESS_TS)
		p = roce_int_put64(p, hop->egress_ts_ns);

	/* Not known here. */
	if (instr & RXE_CC_INT_L2_PORTS)
		p = roce_int_put_unknown(p, 8);
	if (instr & RXE_CC_INT_TX_UTIL)
		p = roce_int_put_unknown(p, 4);
	if (instr & RXE_CC_INT_BUFFER)
		p = roce_int_put_unknown(p, 4);

	if (ds & RXE_CC_INT_DS_TX_BYTES)
		p = roce_int_put64(p, hop->tx_bytes);
	if (ds & RXE_CC_INT_DS_QLEN)
		p = roce_int_put_sat32(p, hop->qlen_bytes);
	if (ds & RXE_CC_INT_DS_SPEED)
		p = roce_int_put32(p, hop->speed_mbps);
	if (ds & RXE_CC_INT_DS_COMPACT)
		p = roce_int_put64(p, rxe_cc_compact_hop(hop->speed_mbps, hop->egress_ts_ns,
							 hop->tx_bytes, hop->qlen_bytes));
	if (ds & RXE_CC_INT_DS_WORST)
		p = roce_int_put64(p, roce_int_worst(hop, rxe_cc_worst_t_ns(pkt->ds_flags)));

	/* Another domain's fields, and behind all the checksum complement. */
	if (p < end)
		roce_int_put_unknown(p, end - p);
}

/* Set E or M, unless an earlier hop has. */
static enum roce_int_result roce_int_flag(struct sk_buff *skb, const struct roce_int_packet *pkt,
					  enum roce_int_result result)
{
	bool e = result == ROCE_INT_HOP_LIMIT;
	struct rxe_cc_int_md *md;

	if (e ? pkt->e : pkt->m)
		return result;
	if (unlikely(skb_ensure_writable(skb, roce_int_stack(pkt))))
		return ROCE_INT_NOMEM;

	md = (void *)(skb->data + roce_int_stack(pkt) - sizeof(*md));
	md->ver_flags |= e ? RXE_CC_INT_E : RXE_CC_INT_M;
	return result;
}

/* Room of @bytes in front of the stack; all offsets stay what they were. */
static int roce_int_make_room(struct sk_buff *skb, unsigned int stack, unsigned int bytes)
{
	if (unlikely(!pskb_may_pull(skb, stack) || skb_cow(skb, bytes)))
		return -ENOMEM;

	/* XDP's metadata would have to stay in front of the packet. */
	skb_metadata_clear(skb);
	__skb_push(skb, bytes);
	memmove(skb->data, skb->data + bytes, stack);

	if (skb_mac_header_was_set(skb))
		skb->mac_header -= bytes;
	skb->network_header -= bytes;
	if (skb_transport_header_was_set(skb))
		skb->transport_header -= bytes;
	/* CHECKSUM_COMPLETE sums up what the packet was. */
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	return 0;
}

/* Compact hops say nothing of who they are: the path's id does. */
static bool roce_int_has_path(const struct roce_int_packet *pkt, u16 domain)
{
	return pkt->domain == domain && pkt->ds_instr & RXE_CC_INT_DS_COMPACT;
}

static void roce_int_lengthen(u8 *data, const struct roce_int_packet *pkt,
			      unsigned int bytes, u16 ds_flags)
{
	u8 *l4 = data + pkt->at.udp;
	struct udphdr *udp = (void *)l4;
	struct rxe_cc_int_shim *shim = (void *)(l4 + sizeof(*udp));
	struct rxe_cc_int_md *md = (void *)(shim + 1);

	if (pkt->at.ipv4) {
		struct iphdr *ip = (void *)(data + pkt->at.l3);
		__be16 len = htons(pkt->at.l3_bytes + bytes);

		csum_replace2(&ip->check, ip->tot_len, len);
		ip->tot_len = len;
	} else {
		struct ipv6hdr *ip = (void *)(data + pkt->at.l3);

		ip->payload_len = htons(pkt->udp_bytes + bytes);
	}
	udp->len = htons(pkt->udp_bytes + bytes);
	shim->length += pkt->hop_ml;
	md->rem_hop--;
	md->ds_flags = htons(ds_flags);
}

/* Is there the word of another port, with which this one is to be compared? */
static bool roce_int_is_worst(const struct roce_int_packet *pkt, u16 domain)
{
	return !pkt->instr && pkt->ds_instr == RXE_CC_INT_DS_WORST && pkt->domain == domain &&
	       roce_int_hops(pkt) == 1;
}

/* Put this port's word in place of a less loaded port's. As loaded is not more: then the first
 * port of the path stays.
 */
static enum roce_int_result roce_int_replace(struct sk_buff *skb,
					     const struct roce_int_packet *pkt,
					     const struct roce_int_hop *hop)
{
	u32 t_ns = rxe_cc_worst_t_ns(pkt->ds_flags);
	u64 word, own = roce_int_worst(hop, t_ns);

	/* All of it is there: it has been read. */
	skb_copy_bits(skb, roce_int_stack(pkt), &word, sizeof(word));
	word = be64_to_cpu((__force __be64)word);
	if (rxe_cc_worst_load(own, t_ns) <= rxe_cc_worst_load(word, t_ns))
		return ROCE_INT_NONE;
	if (unlikely(skb_ensure_writable(skb, roce_int_stack(pkt) + sizeof(own))))
		return ROCE_INT_NOMEM;
	put_unaligned_be64(own, skb->data + roce_int_stack(pkt));
	return ROCE_INT_PUSHED;
}

/**
 * roce_int_push - add this port's metadata to an INT packet
 * @skb: at the Ethernet header, owned by the caller, not GSO; its DSCP has
 *	been found to be that of INT. Pointers into it are stale afterwards.
 * @mtu: dev->mtu
 * @domain: whose domain-specific instructions this port understands
 * @hop: the snapshot
 * @pushed_bytes: set to what the packet is now longer, 0 unless
 *	%ROCE_INT_PUSHED, and where another port's word was there
 *
 * Any context; allocates atomically when the packet's head is shared, has its
 * headers in fragments, or no headroom. Whatever is not %ROCE_INT_PUSHED
 * leaves the packet as it was, but for E of %ROCE_INT_HOP_LIMIT and M of
 * %ROCE_INT_MTU. A stack that has no room in the eight bits of the shim's
 * length counts as %ROCE_INT_HOP_LIMIT: its sink must know that it is not
 * complete.
 *
 * Return: what became of the packet.
 */
enum roce_int_result roce_int_push(struct sk_buff *skb, unsigned int mtu,
				   u16 domain, const struct roce_int_hop *hop,
				   unsigned int *pushed_bytes)
{
	struct roce_int_packet pkt;
	enum roce_int_result result;
	unsigned int bytes;

	*pushed_bytes = 0;
	result = roce_int_read(skb, &pkt);
	if (result != ROCE_INT_PUSHED)
		return result;
	result = roce_int_check_instr(&pkt, domain);
	if (result != ROCE_INT_PUSHED)
		return result;
	if (pkt.udp_check || skb->ip_summed == CHECKSUM_PARTIAL)
		return ROCE_INT_UNSUPPORTED;
	/* Somebody holds the skb itself (pktgen does): it cannot be unshared. */
	if (unlikely(skb_shared(skb)))
		return ROCE_INT_NOMEM;

	if (roce_int_is_worst(&pkt, domain))
		return roce_int_replace(skb, &pkt, hop);
	bytes = pkt.hop_ml * 4;
	if (!pkt.rem_hop || pkt.words + pkt.hop_ml > ROCE_INT_WORDS_MAX)
		return roce_int_flag(skb, &pkt, ROCE_INT_HOP_LIMIT);
	if (roce_int_link_bytes(skb) + bytes > min_t(u32, mtu, ROCE_INT_L3_MAX))
		return roce_int_flag(skb, &pkt, ROCE_INT_MTU);

	if (unlikely(roce_int_make_room(skb, roce_int_stack(&pkt), bytes)))
		return ROCE_INT_NOMEM;
	roce_int_lengthen(skb->data, &pkt, bytes, roce_int_has_path(&pkt, domain) ?
			  roce_int_path(&pkt, hop) : pkt.ds_flags);
	roce_int_write_hop(skb->data + roce_int_stack(&pkt), &pkt, domain, hop);
	*pushed_bytes = bytes;
	return ROCE_INT_PUSHED;
}
EXPORT_SYMBOL_IF_KUNIT(roce_int_push);

/**
 * roce_int_read_hpcc - is it an INT packet that asks for what HPCC needs?
 * @skb: at the Ethernet header
 * @domain: whose domain-specific instructions this port understands
 * @pkt: set to what was found in it
 *
 * Context: any.
 * Return: true if so, in full or compact; the lengths of @pkt are then those of the
 * packet.
 */
bool roce_int_read_hpcc(const struct sk_buff *skb, u16 domain, struct roce_int_packet *pkt)
{
	const struct rxe_cc_int_layout *l;

	if (roce_int_read(skb, pkt) != ROCE_INT_PUSHED)
		return false;
	pkt->profile = pkt->ds_instr & RXE_CC_INT_DS_COMPACT ? RXE_CC_INT_COMPACT : RXE_CC_INT_FULL;
	l = rxe_cc_int_layout(pkt->profile);
	return pkt->instr == l->instr && pkt->ds_instr == l->ds_instr &&
	       pkt->domain == domain && pkt->hop_ml == l->hop_ml;
}
EXPORT_SYMBOL_IF_KUNIT(roce_int_read_hpcc);

/**
 * roce_int_write_own - the hop of this port, as a packet wants it
 * @pkt: of roce_int_read_hpcc()
 * @hop: the snapshot
 * @to: room for a hop
 *
 * Return: behind it, where the hops that came go.
 */
u8 *roce_int_write_own(const struct roce_int_packet *pkt, const struct roce_int_hop *hop, u8 *to)
{
	roce_int_write_hop(to, pkt, pkt->domain, hop);
	return to + pkt->hop_ml * 4;
}

/**
 * roce_int_copy_stack - the hops that came
 * @skb: packet of roce_int_read_hpcc()
 * @pkt: what was found in it
 * @to: room for them
 */
void roce_int_copy_stack(const struct sk_buff *skb, const struct roce_int_packet *pkt, u8 *to)
{
	/* All of it is there: it has been read. */
	skb_copy_bits(skb, roce_int_stack(pkt), to, roce_int_hops(pkt) * pkt->hop_ml * 4);
}
