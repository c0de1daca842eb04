/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets that a port of a switch sends to the sender of a packet, by itself:
 *
 *	struct roce_reply_to to;
 *	struct sk_buff *reply;
 *	void *body;
 *
 *	if (roce_reply_read(skb, &at, bth_offset, &to)) {
 *		reply = roce_reply_build(&to, opcode, becn, body_bytes, &body);
 *		... fill @body ...
 *		err = roce_reply_send(port, skb, &to, reply, now_ns);
 *	}
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#ifndef _ROCE_REPLY_PACKET_H
#define _ROCE_REPLY_PACKET_H

#include <linux/errno.h>
#include <linux/in6.h>
#include <linux/types.h>

struct roce_port;
struct roce_udp;
struct sk_buff;

#define ROCE_REPLY_DSCP		48	/* that of ACKs and CNPs; not ECT */
#define ROCE_REPLY_TTL		64

/**
 * union roce_addr - an IP address
 * @v4: IPv4
 * @v6: IPv6
 */
union roce_addr {
	__be32 v4;
	struct in6_addr v6;
};

/**
 * struct roce_reply_to - a RoCEv2 packet as far as its answer needs it
 * @src: its sender
 * @dst: its receiver
 * @l3: offset of its IP header: link-layer headers are in front
 * @qpn: its DestQP
 * @psn: its PSN
 * @sport: its UDP source port; the answer has the same: it is constant for a flow
 * @pkey: its P_Key
 * @opcode: its opcode
 * @ipv4: IPv4, else IPv6
 */
struct roce_reply_to {
	union roce_addr src;
	union roce_addr dst;
	int l3;
	u32 qpn;
	u32 psn;
	__be16 sport;
	__be16 pkey;
	u8 opcode;
	bool ipv4;
};

/**
 * struct roce_bth - base transport header
 * @opcode: opcode
 * @flags: solicited event, migration, pad count, version
 * @pkey: P_Key
 * @qpn: FECN, BECN and reserved in the upper byte, then DestQP
 * @psn: AckReq and reserved in the upper byte, then PSN
 */
struct roce_bth {
	u8 opcode;
	u8 flags;
	__be16 pkey;
	__be32 qpn;
	__be32 psn;
} __packed;

#define ROCE_BTH_BECN		0x40000000
#define ROCE_BTH_LOW_24		0x00ffffff

/* roce_reply_read.c */
bool roce_reply_read_pair(const struct sk_buff *skb, const struct roce_udp *at,
			  struct roce_reply_to *to);
bool roce_reply_read(const struct sk_buff *skb, const struct roce_udp *at,
		     unsigned int bth, struct roce_reply_to *to);
bool roce_reply_is_data(u8 opcode);

/* roce_reply_packet.c */
struct sk_buff *roce_reply_build(const struct roce_reply_to *to, u8 opcode,
				 bool becn, unsigned int body_bytes, void **body);
int roce_reply_send(struct roce_port *port, const struct sk_buff *skb,
		    const struct roce_reply_to *to, struct sk_buff *reply, u64 now_ns);

/* Is an answer that failed worth trying with the next packet? Where there is no way back there
 * will be none soon, and a look for it with each packet costs too much.
 */
static inline bool roce_reply_again(int err)
{
	return err == -ENOMEM || err == -ENOBUFS || err == -ENETDOWN;
}

u16 roce_reply_number(const struct roce_port *port);
int roce_reply_send_cnp(struct roce_port *port, const struct sk_buff *skb,
			const struct roce_reply_to *to, u8 origin, u32 window, u64 now_ns);

#endif /* _ROCE_REPLY_PACKET_H */
