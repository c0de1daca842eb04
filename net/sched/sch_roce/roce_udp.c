// SPDX-License-Identifier: GPL-2.0
/* Finds the IP and UDP headers of a packet, reading only. */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/ip.h>

#include "roce_classify.h"
#include "roce_udp.h"

/**
 * roce_udp_find - is it UDP, and where?
 * @skb: at its Ethernet header
 * @at: set to where; only what its IP header says is looked at
 *
 * Not found are fragments, and UDP behind extension headers of IPv6.
 *
 * Context: any.
 * Return: true when it is UDP.
 */
bool roce_udp_find(const struct sk_buff *skb, struct roce_udp *at)
{
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} buf;
	__be16 proto = roce_l3_offset(skb, &at->l3);

	if (likely(proto == htons(ETH_P_IP))) {
		const struct iphdr *ip;

		ip = skb_header_pointer(skb, at->l3, sizeof(*ip), &buf);
		if (!ip || ip->version != 4 || ip->ihl < 5 ||
		    ip->protocol != IPPROTO_UDP || ip_is_fragment(ip))
			return false;
		at->ipv4 = true;
		at->udp = at->l3 + ip->ihl * 4;
		at->l3_bytes = ntohs(ip->tot_len);
	} else if (proto == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *ip;

		ip = skb_header_pointer(skb, at->l3, sizeof(*ip), &buf);
		if (!ip || ip->version != 6 || ip->nexthdr != NEXTHDR_UDP)
			return false;
		at->ipv4 = false;
		at->udp = at->l3 + sizeof(*ip);
		at->l3_bytes = sizeof(*ip) + ntohs(ip->payload_len);
	} else {
		return false;
	}
	return true;
}
