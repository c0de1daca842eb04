/* SPDX-License-Identifier: GPL-2.0 */
/* Where IP and UDP are in a packet that may be RoCEv2. */
#ifndef _ROCE_UDP_H
#define _ROCE_UDP_H

#include <linux/types.h>

struct sk_buff;

/**
 * struct roce_udp - a UDP datagram in one piece
 * @ipv4: IPv4, else IPv6
 * @l3: offset of the IP header from skb->data
 * @udp: offset of the UDP header
 * @l3_bytes: length of the IP packet, as its header has it
 */
struct roce_udp {
	bool ipv4;
	int l3;
	int udp;
	u32 l3_bytes;
};

bool roce_udp_find(const struct sk_buff *skb, struct roce_udp *at);

#endif /* _ROCE_UDP_H */
