/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RoCEv2's invariant CRC (IBTA Annex A17.3): Ethernet's CRC-32 from a local route
 * header of ones, through IP, UDP and BTH, to the end of the payload. What
 * switches and routers change on the way counts as ones: DSCP, ECN, TTL, flow
 * label, IP's and UDP's checksums, and the reserved byte with FECN and BECN.
 */
#ifndef _RXE_CC_ICRC_H
#define _RXE_CC_ICRC_H

#include <linux/crc32.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/udp.h>

#define RXE_CC_ICRC_BYTES	4
#define RXE_CC_ICRC_LRH_BYTES	8
#define RXE_CC_ICRC_BTH_BYTES	12
#define RXE_CC_ICRC_BTH_RSVD	4	/* offset in BTH: FECN, BECN and reserved */
#define RXE_CC_ICRC_IP_MAX	60	/* IPv4 with all options; IPv6 has 40 */

/**
 * rxe_cc_icrc - ICRC of a packet
 * @l3: IPv4 or IPv6 header, directly followed by UDP and BTH, without INT
 * @bytes: from @l3 to the end of the payload and its padding, where the ICRC is
 *	to be; at least the three headers
 *
 * Context: any.
 * Return: as it goes on the wire.
 */
static inline __le32 rxe_cc_icrc(const void *l3, unsigned int bytes)
{
	u8 head[RXE_CC_ICRC_LRH_BYTES + RXE_CC_ICRC_IP_MAX +
		sizeof(struct udphdr) + RXE_CC_ICRC_BTH_BYTES];
	const bool ipv4 = *(const u8 *)l3 >> 4 == 4;
	const unsigned int ip_bytes = ipv4 ? (*(const u8 *)l3 & 15) * 4 :
					     sizeof(struct ipv6hdr);
	const unsigned int head_bytes = ip_bytes + sizeof(struct udphdr) +
					RXE_CC_ICRC_BTH_BYTES;
	u8 *ip = head + RXE_CC_ICRC_LRH_BYTES;
	u8 *udp = ip + ip_bytes;
	u32 crc;

	memset(head, 0xff, RXE_CC_ICRC_LRH_BYTES);
	memcpy(ip, l3, head_bytes);
	if (ipv4) {
		struct iphdr *ip4 = (void *)ip;

		ip4->tos = 0xff;
		ip4->ttl = 0xff;
		ip4->check = (__force __sum16)0xffff;
	} else {
		struct ipv6hdr *ip6 = (void *)ip;

		ip6->priority = 0xf;
		memset(ip6->flow_lbl, 0xff, sizeof(ip6->flow_lbl));
		ip6->hop_limit = 0xff;
	}
	((struct udphdr *)udp)->check = (__force __sum16)0xffff;
	udp[sizeof(struct udphdr) + RXE_CC_ICRC_BTH_RSVD] = 0xff;

	crc = crc32_le(~0, head, RXE_CC_ICRC_LRH_BYTES + head_bytes);
	crc = crc32_le(crc, (const u8 *)l3 + head_bytes, bytes - head_bytes);
	return cpu_to_le32(~crc);
}

#endif /* _RXE_CC_ICRC_H */
