// SPDX-License-Identifier: GPL-2.0
/* KUnit module of the roce qdisc: registration, and crafted packets. */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "roce_kunit.h"

/* Room for tags; the IP header is then aligned. */
#define ROCE_TEST_HEADROOM	66

/* An Ethernet frame of @len bytes with a zeroed body. The test, or what it
 * hands the frame to, frees it.
 */
struct sk_buff *roce_test_frame(struct kunit *test, __be16 proto, u32 len)
{
	struct sk_buff *skb = alloc_skb(len + ROCE_TEST_HEADROOM, GFP_KERNEL);
	struct ethhdr *eth;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, ROCE_TEST_HEADROOM);
	eth = skb_put_zero(skb, len);
	eth->h_proto = proto;
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = proto;
	return skb;
}

struct sk_buff *roce_test_ipv4(struct kunit *test, u8 dsfield, u32 len)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_IP), len);
	struct iphdr *ip = ip_hdr(skb);

	ip->version = 4;
	ip->ihl = 5;
	ip->tos = dsfield;
	ip->tot_len = htons(len - ETH_HLEN);
	ip->ttl = 64;
	ip_send_check(ip);
	return skb;
}

struct sk_buff *roce_test_ipv6(struct kunit *test, u8 dsfield, u32 len)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_IPV6), len);
	struct ipv6hdr *ip = ipv6_hdr(skb);

	ip->version = 6;
	ipv6_change_dsfield(ip, 0, dsfield);
	return skb;
}

kunit_test_suites(&roce_serial_suite, &roce_ecn_suite, &roce_class_suite,
		  &roce_queue_suite, &roce_config_suite);

MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit tests of the roce queueing discipline");
