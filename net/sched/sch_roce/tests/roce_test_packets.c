// SPDX-License-Identifier: GPL-2.0
/*
 * Crafted packets and ports for all suites, and the module declarations of sch_roce_kunit. Each
 * file registers its own suite.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include <rxe_cc/kernel.h>
#include <rxe_cc/version.h>

#include "../roce_feature.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"

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

/* Free what the port has lost. */
void roce_test_bury(struct roce_port *port)
{
	kfree_skb_list(roce_port_pop_dead(port).head);
}

/* What has left by @now_ns, and what was lost, goes. */
void roce_test_drain(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;

	while ((skb = roce_port_deliver(port, now_ns)))
		kfree_skb(skb);
	roce_test_bury(port);
}

/* What roce_configure() does, without a qdisc. */
int roce_test_configure(struct roce_port *port, struct roce_config *cfg,
			bool buffer_told, u64 now_ns)
{
	struct roce_switch *old = port->sw, *sw;
	int err;

	rtnl_lock();
	err = roce_switch_prepare(port, cfg, buffer_told, NULL, NULL, &sw);
	if (!err && sw == old) {
		roce_switch_update(port, cfg, now_ns);
	} else if (!err) {
		if (old)
			roce_switch_leave(port, now_ns);
		roce_switch_join(port, sw, cfg, now_ns);
		roce_switch_put(old);
	}
	rtnl_unlock();
	return err;
}

static void roce_test_port_gone(void *data)
{
	struct roce_port *port = data;
	struct roce_switch *sw = port->sw;

	if (sw) {
		rtnl_lock();
		roce_switch_leave(port, sw->now_ns);
		roce_switch_put(sw);
		rtnl_unlock();
	}
	roce_test_bury(port);
	kfree(port->pfc.pending);
	roce_features_release(port);
}

/* A port that nothing has happened to. With @cfg it is in that configuration's
 * switch, else a NIC port of a byte a nanosecond. It goes with the test.
 */
struct roce_port *roce_test_port(struct kunit *test, int ifindex,
				 struct roce_config *cfg)
{
	struct roce_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct roce_config *own;

	KUNIT_ASSERT_NOT_NULL(test, port);
	roce_port_init(port, NULL);
	port->ifindex = ifindex;
	if (!cfg) {
		own = kunit_kzalloc(test, sizeof(*own), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, own);
		*own = port->cfg;
		own->rate_bps = 8000000000ULL;
		own->overhead = 0;
		cfg = own;
	}
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test,
							roce_test_port_gone,
							port), 0);
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, 0), 0);
	return port;
}

RXE_CC_IMPORT_KUNIT_NS;
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_DESCRIPTION("KUnit tests of the roce queueing discipline");
