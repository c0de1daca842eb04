// SPDX-License-Identifier: GPL-2.0
/*
 * The VLAN tag of an answer to a bridged packet.
 *
 * The answer goes straight into the queue of the port that the packet came in by, past the
 * bridge. It begins with the tags that the packet leaves with. A bridge that filters VLANs may
 * have taken a tag off the packet, or given it one, so the bridge is asked what it does with
 * packets that go the other way:
 *
 *	the VLAN	the tag that the packet leaves with; without one the PVID of the port that
 *			it leaves by, which what its receiver sends has, too
 *	the tag		as the port that the answer leaves by has that VLAN: tagged or not. A port
 *			that is not in it has no way back
 *
 * Where a port has several VLANs untagged, only its PVID is known from an untagged packet.
 *
 * The bridge may be a module that is not loaded, and most hosts need none. So its functions
 * are looked up when a port is in a bridge.
 */
#include <kunit/visibility.h>
#include <linux/if_bridge.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#include "roce_reply_packet.h"
#include "roce_reply_vlan.h"

/**
 * roce_reply_retag() - give an answer the tag that a bridge would give it
 * @bridge: what to ask
 * @br: bridge that filters VLANs
 * @from: its port that the packet leaves by
 * @out: its port that the answer leaves by
 * @reply: the answer, with the packet's tags
 *
 * Context: RCU.
 *
 * Return: 0, or -EHOSTUNREACH: there is no way back.
 */
int roce_reply_retag(const struct roce_bridge *bridge, const struct net_device *br,
		     const struct net_device *from, const struct net_device *out,
		     struct sk_buff *reply)
{
	bool tagged = skb_vlan_tag_present(reply);
	struct bridge_vlan_info info = { };
	u16 proto, vid = 0;

	if (bridge->proto(br, &proto))
		return -EHOSTUNREACH;
	if (tagged)
		vid = skb_vlan_tag_get_id(reply);
	else if (bridge->pvid(from, &vid))
		return -EHOSTUNREACH;
	if (!vid || bridge->info(out, vid, &info))
		return -EHOSTUNREACH;
	if (info.flags & BRIDGE_VLAN_INFO_UNTAGGED)
		__vlan_hwaccel_clear_tag(reply);
	else if (!tagged)
		__vlan_hwaccel_put_tag(reply, htons(proto), vid |
				       ROCE_REPLY_DSCP >> 3 << VLAN_PRIO_SHIFT);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(roce_reply_retag);

#if IS_ENABLED(CONFIG_BRIDGE) && IS_ENABLED(CONFIG_BRIDGE_VLAN_FILTERING)

static int roce_reply_ask_bridge(const struct net_device *br, const struct net_device *from,
				 const struct net_device *out, struct sk_buff *reply)
{
	const struct roce_bridge bridge = {
		.proto = symbol_get(br_vlan_get_proto),
		.pvid = symbol_get(br_vlan_get_pvid_rcu),
		.info = symbol_get(br_vlan_get_info_rcu),
	};
	int err = -EHOSTUNREACH;

	if (bridge.proto && bridge.pvid && bridge.info)
		err = roce_reply_retag(&bridge, br, from, out, reply);
	if (bridge.proto)
		symbol_put(br_vlan_get_proto);
	if (bridge.pvid)
		symbol_put(br_vlan_get_pvid_rcu);
	if (bridge.info)
		symbol_put(br_vlan_get_info_rcu);
	return err;
}

static int roce_reply_ask(const struct net_device *br, const struct net_device *from,
			  const struct net_device *out, struct sk_buff *reply)
{
	bool (*filters)(const struct net_device *dev) = symbol_get(br_vlan_enabled);
	int err = 0;

	if (!filters)
		return 0;
	if (filters(br))
		err = roce_reply_ask_bridge(br, from, out, reply);
	symbol_put(br_vlan_enabled);
	return err;
}

#else

static int roce_reply_ask(const struct net_device *br, const struct net_device *from,
			  const struct net_device *out, struct sk_buff *reply)
{
	return 0;
}

#endif

/**
 * roce_reply_tag() - the tag that an answer needs at the port that it leaves by
 * @from: device that the packet leaves by; NULL in tests
 * @out: device that the answer leaves by
 * @reply: the answer, with the packet's tags
 *
 * Return: as roce_reply_retag(). Where no bridge filters VLANs the tags stay.
 */
int roce_reply_tag(const struct net_device *from, const struct net_device *out,
		   struct sk_buff *reply)
{
	struct net_device *br;
	int err = 0;

	if (!from || !out || !netif_is_bridge_port(from) || !netif_is_bridge_port(out))
		return 0;
	rcu_read_lock();
	br = netdev_master_upper_dev_get_rcu((struct net_device *)from);
	if (br && br == netdev_master_upper_dev_get_rcu((struct net_device *)out))
		err = roce_reply_ask(br, from, out, reply);
	rcu_read_unlock();
	return err;
}
