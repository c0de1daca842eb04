// SPDX-License-Identifier: GPL-2.0
/*
 * ECN: the marking ramp of a queue, and setting CE in a packet.
 */
#include <kunit/visibility.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/inet_ecn.h>

#include "roce_class.h"
#include "roce_ecn.h"

/**
 * roce_ecn_threshold - marking probability at a queue length
 * @ramp: validated: kmin <= kmax, pmax <= 1e6
 * @queue_bytes: wire bytes in the queue
 *
 * A queue of exactly kmax is marked with pmax, one byte more always. With
 * kmin == kmax the ramp is a step.
 *
 * Return: 0 = never .. %ROCE_ECN_ALWAYS; a packet is marked when a uniform
 * 32-bit random number is below it.
 */
u64 roce_ecn_threshold(const struct roce_ecn_ramp *ramp, u64 queue_bytes)
{
	if (queue_bytes <= ramp->kmin_bytes)
		return 0;
	if (queue_bytes > ramp->kmax_bytes)
		return ROCE_ECN_ALWAYS;

	return mul_u64_u64_div_u64((queue_bytes - ramp->kmin_bytes) *
				   ramp->pmax_ppm, ROCE_ECN_ALWAYS,
				   (u64)(ramp->kmax_bytes - ramp->kmin_bytes) *
				   ROCE_PPM);
}
EXPORT_SYMBOL_IF_KUNIT(roce_ecn_threshold);

/**
 * roce_ecn_set_ce - mark a packet
 * @skb: at the Ethernet header, owned by the caller
 *
 * Captures and bridge floods share packet data between clones, so the header
 * is made private first; skb pointers into it are stale afterwards.
 *
 * Return: what became of it.
 */
enum roce_ecn_result roce_ecn_set_ce(struct sk_buff *skb)
{
	int noff, hlen;
	__be16 proto;
	u8 ecn;

	proto = roce_l3_offset(skb, &noff);
	if (proto == htons(ETH_P_IP))
		hlen = sizeof(struct iphdr);
	else if (proto == htons(ETH_P_IPV6))
		hlen = sizeof(struct ipv6hdr);
	else
		return ROCE_ECN_NOT_ECT;

	ecn = roce_l3_dsfield(skb, proto, noff) & INET_ECN_MASK;
	if (ecn == INET_ECN_NOT_ECT)
		return ROCE_ECN_NOT_ECT;
	if (ecn == INET_ECN_CE)
		return ROCE_ECN_WAS_CE;

	if (!pskb_may_pull(skb, noff + hlen) ||
	    skb_try_make_writable(skb, noff + hlen))
		return ROCE_ECN_NOMEM;

	if (proto == htons(ETH_P_IP))
		IP_ECN_set_ce((struct iphdr *)(skb->data + noff));
	else
		IP6_ECN_set_ce(skb, (struct ipv6hdr *)(skb->data + noff));
	return ROCE_ECN_MARKED;
}
EXPORT_SYMBOL_IF_KUNIT(roce_ecn_set_ce);
