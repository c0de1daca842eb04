/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The VLAN tag of an answer.
 */
#ifndef _ROCE_REPLY_VLAN_H
#define _ROCE_REPLY_VLAN_H

#include <linux/types.h>

struct bridge_vlan_info;
struct net_device;
struct sk_buff;

/**
 * struct roce_bridge - what there is to ask of a bridge, under RCU
 * @proto: Ethertype of its tags
 * @pvid: VLAN of untagged packets that come in by a port; 0: none
 * @info: of a VLAN at a port; an error: the port is not in it
 */
struct roce_bridge {
	int (*proto)(const struct net_device *br, u16 *proto);
	int (*pvid)(const struct net_device *port, u16 *vid);
	int (*info)(const struct net_device *port, u16 vid, struct bridge_vlan_info *info);
};

int roce_reply_retag(const struct roce_bridge *bridge, const struct net_device *br,
		     const struct net_device *from, const struct net_device *out,
		     struct sk_buff *reply);
int roce_reply_tag(const struct net_device *from, const struct net_device *out,
		   struct sk_buff *reply);

#endif /* _ROCE_REPLY_VLAN_H */
