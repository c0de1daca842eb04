// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that a switch port sends to the sender of a packet (CNPs, reports): builds and sends
 * them. roce_reply_read.c reads the headers that they are made from.
 *
 * A port sees the packet inside its own qdisc, under the qdisc's root lock and
 * the lock of the switch. To hand the answer to the stack there would have it
 * come back to a qdisc of the same switch, whose lock is held. To hand it to a
 * work item would cost the time that the answer is to save, and the item would
 * have to survive the port, the device and the namespace that it is about. But
 * the port that the answer leaves by is a port of the same switch, under the
 * same lock, and its model is at hand: the answer goes straight into that
 * port's queue, as PFC frames go straight onto its line. So it is there in the
 * nanosecond in which the packet came, waits like other packets, is limited as they
 * are, and is lost with the port. There is nothing to cancel. It is not charged to
 * the shared buffer, which is full when it matters most: each port has 64 KiB for
 * such packets.
 *
 * By which port? A packet that was bridged still has its sender's MAC address,
 * and the answer goes back where it came in, with MAC addresses swapped and the
 * same tags, or those that a bridge that filters VLANs would give it. A packet that
 * was routed has the MAC address of this very port, and its first hop is forgotten:
 * the route to its sender is looked up, with its receiver's address as the source,
 * and a neighbour that is known already; no address resolution is started under these
 * locks, but what the sender gets from its receiver comes the same way and has started
 * it. Where the route leaves by a device that is not a port of this switch there is no
 * answer.
 *
 * The answer is not in the kernel's counts of its qdisc, which another lock
 * protects, but in those of the port.
 */
#include <kunit/visibility.h>
#include <linux/crc32.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/arp.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ndisc.h>
#include <net/neighbour.h>
#include <net/route.h>
#include <rdma/ib_hdrs.h>

#include <rxe_cc/icrc.h>
#include <rxe_cc/int_wire.h>
#include <rxe_cc/wire.h>

#include "roce_classify.h"
#include "roce_ipv6.h"
#include "roce_port.h"
#include "roce_reply_packet.h"
#include "roce_reply_vlan.h"
#include "roce_switch.h"
#include "roce_udp.h"

/* Ethernet and as many tags as Linux looks behind. */
#define ROCE_REPLY_L2_MAX	(ETH_HLEN + VLAN_MAX_DEPTH * VLAN_HLEN)

static void roce_reply_put_ip(void *l3, const struct roce_reply_to *to, unsigned int udp_bytes)
{
	if (to->ipv4) {
		struct iphdr *ip = l3;

		ip->version = 4;
		ip->ihl = sizeof(*ip) / 4;
		ip->tos = ROCE_REPLY_DSCP << 2;
		ip->tot_len = htons(sizeof(*ip) + udp_bytes);
		ip->frag_off = htons(IP_DF);
		ip->ttl = ROCE_REPLY_TTL;
		ip->protocol = IPPROTO_UDP;
		ip->saddr = to->dst.v4;
		ip->daddr = to->src.v4;
		ip_send_check(ip);
	} else {
		struct ipv6hdr *ip = l3;

		ip6_flow_hdr(ip, ROCE_REPLY_DSCP << 2, 0);
		ip->payload_len = htons(udp_bytes);
		ip->nexthdr = IPPROTO_UDP;
		ip->hop_limit = ROCE_REPLY_TTL;
		ip->saddr = to->dst.v6;
		ip->daddr = to->src.v6;
	}
}

/**
 * roce_reply_build() - write an answer
 * @to: what it answers
 * @opcode: of the answer
 * @becn: set BECN
 * @body_bytes: what follows the BTH, in whole words
 * @body: set to where that is to be filled in; zeros
 *
 * Return: the answer at its IP header, for roce_reply_send(); NULL for want of
 * memory.
 */
struct sk_buff *roce_reply_build(const struct roce_reply_to *to, u8 opcode,
				 bool becn, unsigned int body_bytes, void **body)
{
	unsigned int ip_bytes = to->ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	unsigned int udp_bytes = sizeof(struct udphdr) + sizeof(struct roce_bth) + body_bytes +
				 RXE_CC_ICRC_BYTES;
	struct roce_bth *bth;
	struct udphdr *udp;
	struct sk_buff *skb;
	void *l3;

	skb = alloc_skb(NET_SKB_PAD + ROCE_REPLY_L2_MAX + ip_bytes + udp_bytes, GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb_reserve(skb, NET_SKB_PAD + ROCE_REPLY_L2_MAX);
	l3 = skb_put_zero(skb, ip_bytes + udp_bytes);
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, ip_bytes);
	skb->protocol = to->ipv4 ? htons(ETH_P_IP) : htons(ETH_P_IPV6);

	roce_reply_put_ip(l3, to, udp_bytes);
	udp = udp_hdr(skb);
	udp->source = to->sport;
	udp->dest = htons(RXE_CC_INT_UDP_PORT);
	udp->len = htons(udp_bytes);
	bth = (void *)(udp + 1);
	bth->opcode = opcode;
	bth->pkey = to->pkey;
	bth->qpn = htonl(to->qpn | (becn ? ROCE_BTH_BECN : 0));
	bth->psn = htonl(to->psn);
	*body = bth + 1;
	return skb;
}
EXPORT_SYMBOL_GPL(roce_reply_build);

/**
 * roce_reply_number() - number of a port in its CNPs
 * @port: port
 *
 * Ports of a path are told apart by it, and they are of several switches. So it comes from
 * what is unique: 16 bits of the CRC-32 of the device's address. Two ports have the same one
 * with a probability of 1/65536; then they count as one.
 *
 * Return: the number, not 0.
 */
u16 roce_reply_number(const struct roce_port *port)
{
	const struct net_device *dev = port->dev;
	u16 number = port->slot;

	if (dev && dev->addr_len == ETH_ALEN)
		number = crc32_le(~0, dev->dev_addr, ETH_ALEN);
	return number ?: 1;
}
EXPORT_SYMBOL_IF_KUNIT(roce_reply_number);

static struct sk_buff *roce_reply_cnp(const struct roce_port *port, const struct roce_reply_to *to,
				      u8 origin, u32 window, u32 psn)
{
	struct rxe_cc_cnp_field *field;
	struct sk_buff *cnp;
	void *body;

	cnp = roce_reply_build(to, IB_BTH_OPCODE_CNP, true, sizeof(*field), &body);
	if (!cnp)
		return NULL;
	field = body;
	field->window = cpu_to_be32(window);
	field->flags = RXE_CC_CNP_FORWARD | RXE_CC_CNP_PSN | (window ? RXE_CC_CNP_WINDOW : 0);
	field->origin = origin;
	field->port = cpu_to_be16(roce_reply_number(port));
	field->psn = cpu_to_be32(psn);
	return cnp;
}

/* Nobody can be answered at such an address, or everybody would be. */
static bool roce_reply_addr_ok(const struct roce_reply_to *to)
{
	if (to->ipv4)
		return !ipv4_is_multicast(to->src.v4) && !ipv4_is_lbcast(to->src.v4) &&
		       !ipv4_is_zeronet(to->src.v4) && !ipv4_is_loopback(to->src.v4);
	return ipv6_addr_type(&to->src.v6) & IPV6_ADDR_UNICAST && !ipv6_addr_loopback(&to->src.v6);
}

/* The way back of a packet that came in by @in: its own headers, turned round. */
static int roce_reply_turn(const struct sk_buff *skb, const struct roce_reply_to *to,
			   struct sk_buff *reply)
{
	struct ethhdr *eth, was;

	if (to->l3 > ROCE_REPLY_L2_MAX)
		return -EINVAL;
	if (skb_copy_bits(skb, 0, &was, sizeof(was)) || !is_valid_ether_addr(was.h_source) ||
	    !is_valid_ether_addr(was.h_dest))
		return -EADDRNOTAVAIL;

	eth = skb_push(reply, to->l3);
	skb_copy_bits(skb, 0, eth, to->l3);
	ether_addr_copy(eth->h_dest, was.h_source);
	ether_addr_copy(eth->h_source, was.h_dest);
	reply->protocol = skb->protocol;
	__vlan_hwaccel_copy_tag(reply, skb);
	return 0;
}

/* The MAC address of the next hop, if it is known. */
static int roce_reply_next_hop(const struct net_device *dev, const struct neighbour *n, u8 *mac)
{
	if (dev->type != ARPHRD_ETHER)
		return -ENODEV;
	if (!n || !(READ_ONCE(n->nud_state) & NUD_VALID))
		return -EHOSTUNREACH;
	neigh_ha_snapshot(mac, n, dev);
	return 0;
}

/* Context: RCU. Returns the device, which stays as long as RCU, or an error. */
static struct net_device *roce_reply_route4(struct net *net, const struct roce_reply_to *to,
					    u8 *mac)
{
	struct flowi4 fl4 = {
		.daddr = to->src.v4,
		.saddr = to->dst.v4,
		.flowi4_flags = FLOWI_FLAG_ANYSRC,	/* it is not ours */
		.flowi4_proto = IPPROTO_UDP,
		.fl4_sport = to->sport,
		.fl4_dport = htons(RXE_CC_INT_UDP_PORT),
	};
	struct net_device *dev;
	struct neighbour *n;
	struct rtable *rt;
	int err;

	rt = __ip_route_output_key(net, &fl4);
	if (IS_ERR(rt))
		return ERR_CAST(rt);
	dev = rt->dst.dev;
	if (rt->rt_gw_family == AF_INET6)
		n = roce_ipv6_neighbour(dev, &rt->rt_gw6);
	else
		n = __ipv4_neigh_lookup_noref(dev, (__force u32)rt_nexthop(rt, to->src.v4));
	err = roce_reply_next_hop(dev, n, mac);
	ip_rt_put(rt);
	return err ? ERR_PTR(err) : dev;
}

static struct net_device *roce_reply_route6(struct net *net, const struct roce_reply_to *to,
					    u8 *mac)
{
	struct flowi6 fl6 = {
		.daddr = to->src.v6,
		.saddr = to->dst.v6,
		.flowi6_proto = IPPROTO_UDP,
		.fl6_sport = to->sport,
		.fl6_dport = htons(RXE_CC_INT_UDP_PORT),
	};
	struct net_device *dev;
	struct dst_entry *dst;
	struct neighbour *n;
	int err;

	dst = roce_ipv6_route(net, &fl6);
	if (IS_ERR(dst))
		return ERR_CAST(dst);
	dev = dst->dev;
	n = roce_ipv6_neighbour(dev, rt6_nexthop(dst_rt6_info(dst), &fl6.daddr));
	err = roce_reply_next_hop(dev, n, mac);
	dst_release(dst);
	return err ? ERR_PTR(err) : dev;
}

/* The port that the route to the sender leaves by, or an error. */
static struct roce_port *roce_reply_route(struct roce_port *port, const struct roce_reply_to *to,
					  struct sk_buff *reply)
{
	struct net *net = dev_net(port->dev);
	struct net_device *dev;
	struct roce_port *out;
	struct ethhdr *eth;
	u8 mac[ETH_ALEN];

	rcu_read_lock();
	dev = to->ipv4 ? roce_reply_route4(net, to, mac) : roce_reply_route6(net, to, mac);
	out = IS_ERR(dev) ? ERR_CAST(dev) : roce_switch_ingress(port->sw, dev->ifindex) ?:
			    ERR_PTR(-ENODEV);
	rcu_read_unlock();
	if (IS_ERR(out))
		return out;

	eth = skb_push(reply, sizeof(*eth));
	ether_addr_copy(eth->h_dest, mac);
	ether_addr_copy(eth->h_source, out->dev->dev_addr);
	eth->h_proto = reply->protocol;
	return out;
}

/* Has the packet kept its sender's MAC address on its way through the switch? */
static bool roce_reply_was_bridged(const struct roce_port *port, const struct sk_buff *skb)
{
	struct ethhdr eth;

	return roce_skb_cb(skb)->in_slot && !skb_copy_bits(skb, 0, &eth, sizeof(eth)) &&
	       !(port->dev && ether_addr_equal(eth.h_source, port->dev->dev_addr));
}

/* Link-layer headers, and the port to leave by, or an error. */
static struct roce_port *roce_reply_direct(struct roce_port *port, const struct sk_buff *skb,
					   const struct roce_reply_to *to, struct sk_buff *reply)
{
	struct roce_port *out;
	int err;

	if (!roce_reply_addr_ok(to))
		return ERR_PTR(-EADDRNOTAVAIL);
	if (!roce_reply_was_bridged(port, skb))
		return port->dev ? roce_reply_route(port, to, reply) : ERR_PTR(-ENODEV);
	out = port->sw->slots[roce_skb_cb(skb)->in_slot];
	err = roce_reply_turn(skb, to, reply) ?: roce_reply_tag(port->dev, out->dev, reply);
	return err ? ERR_PTR(err) : out;
}

/**
 * roce_reply_send() - send an answer on its way
 * @port: egress port of the packet that is answered
 * @skb: that packet, accepted by @port and at its Ethernet header
 * @to: what roce_reply_read() found in it
 * @reply: answer of roce_reply_build(), its body filled in; NULL is an error.
 *	Always the callee's.
 * @now_ns: present time
 *
 * To be called when @port is done with the packet's arrival.
 *
 * Return: 0, or a negative error: no memory, no way back, the port that it
 * leaves by is down or has no room; or -ELOOP: @skb is itself one of the switch's
 * own packets.
 */
int roce_reply_send(struct roce_port *port, const struct sk_buff *skb,
		    const struct roce_reply_to *to, struct sk_buff *reply, u64 now_ns)
{
	struct roce_port *out;
	unsigned int bytes;
	__le32 icrc;

	if (!reply)
		return -ENOMEM;
	if (roce_skb_cb(skb)->flags & ROCE_SKB_REPLY) {
		kfree_skb(reply);
		return -ELOOP;
	}
	bytes = reply->len - RXE_CC_ICRC_BYTES;
	icrc = rxe_cc_icrc(reply->data, bytes);
	memcpy(reply->data + bytes, &icrc, sizeof(icrc));

	out = roce_reply_direct(port, skb, to, reply);
	if (IS_ERR(out)) {
		kfree_skb(reply);
		return PTR_ERR(out);
	}
	if (roce_port_is_mute(out)) {
		kfree_skb(reply);
		return -ENETDOWN;
	}
	skb_reset_mac_header(reply);
	skb_reset_mac_len(reply);
	reply->dev = out->dev;
	qdisc_skb_cb(reply)->pkt_len = reply->len;
	if (!roce_port_inject(out, reply, now_ns)) {
		kfree_skb(reply);
		return -ENOBUFS;
	}
	return 0;
}
EXPORT_SYMBOL_GPL(roce_reply_send);

/**
 * roce_reply_send_cnp() - send a CNP on its way
 * @port: egress port of the packet that causes it
 * @skb: that packet, accepted by @port and at its Ethernet header
 * @to: what roce_reply_read() found in it; the CNP names its PSN
 * @origin: enum rxe_cc_cnp_origin
 * @window: bytes that its flow may have in flight; 0 = it says nothing of that
 * @now_ns: present time
 *
 * Return: as roce_reply_send().
 */
int roce_reply_send_cnp(struct roce_port *port, const struct sk_buff *skb,
			const struct roce_reply_to *to, u8 origin, u32 window, u64 now_ns)
{
	struct roce_reply_to cnp_to = *to;

	cnp_to.psn = 0;		/* a CNP has none of its own */
	return roce_reply_send(port, skb, &cnp_to,
			       roce_reply_cnp(port, &cnp_to, origin, window, to->psn), now_ns);
}
EXPORT_SYMBOL_GPL(roce_reply_send_cnp);
