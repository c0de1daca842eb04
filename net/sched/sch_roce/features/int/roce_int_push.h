/* SPDX-License-Identifier: GPL-2.0 */
/*
 * INT-MD transit: a port pushes its metadata into INT packets, see
 * include/rxe_cc/int_wire.h for the wire.
 */
#ifndef _ROCE_INT_PUSH_H
#define _ROCE_INT_PUSH_H

#include <linux/types.h>
#include <linux/udp.h>

#include <rxe_cc/int_wire.h>
#include <rxe_cc/int_compact.h>
#include <rxe_cc/int_profile.h>

#include "roce_udp.h"

struct roce_int_load;
struct sk_buff;

/**
 * struct roce_int_hop - all that this port can tell, one snapshot taken when
 *	the packet's transmission starts
 * @node: node id
 * @in_port: port id of the ingress port, 0 = none
 * @out_port: port id of this port
 * @queue: priority
 * @latency_ns: from arrival to start of transmission
 * @ingress_ts_ns: arrival, CLOCK_TAI
 * @egress_ts_ns: start of transmission, CLOCK_TAI
 * @tx_bytes: wire bytes that the port sent before this packet
 * @qlen_bytes: wire bytes that this packet leaves behind in its queue
 * @speed_mbps: line rate
 * @load: measurement of the packet's priority, for packets that ask for the most loaded port
 *	only; NULL: such packets are not to come by
 * @rate_bps: with @load: line rate, exactly
 * @at_ns: with @load: start of transmission, CLOCK_MONOTONIC, whatever the port's clock tells
 */
struct roce_int_hop {
	u32 node;
	u16 in_port;
	u16 out_port;
	u8 queue;
	u64 latency_ns;
	u64 ingress_ts_ns;
	u64 egress_ts_ns;
	u64 tx_bytes;
	u64 qlen_bytes;
	u32 speed_mbps;
	struct roce_int_load *load;
	u64 rate_bps;
	u64 at_ns;
};

/**
 * enum roce_int_result - what became of an INT packet
 * @ROCE_INT_PUSHED: it has the metadata of this port: it is longer by that, or that was put in
 *	place of a less loaded port's
 * @ROCE_INT_HOP_LIMIT: no remaining hops, or the stack is full; E is set
 * @ROCE_INT_MTU: it would exceed the MTU; M is set
 * @ROCE_INT_NONE: its DSCP says INT, but it is not RoCEv2 (UDP to 4791, in one
 *	piece), or it has the word of a port more loaded than this; unchanged and not counted
 * @ROCE_INT_BAD: malformed, or not INT-MD; unchanged
 * @ROCE_INT_UNSUPPORTED: another version, unknown instructions, or a UDP
 *	checksum to keep up; unchanged
 * @ROCE_INT_NOMEM: the header could not be made writable; unchanged
 */
enum roce_int_result {
	ROCE_INT_PUSHED,
	ROCE_INT_HOP_LIMIT,
	ROCE_INT_MTU,
	ROCE_INT_NONE,
	ROCE_INT_BAD,
	ROCE_INT_UNSUPPORTED,
	ROCE_INT_NOMEM,
};

/**
 * struct roce_int_packet - what was found in a packet
 * @at: where IP and UDP are
 * @udp_bytes: length of the UDP datagram, as both headers have it
 * @udp_check: it has a checksum
 * @words: behind the shim
 * @hop_ml: words of a hop
 * @rem_hop: hops that may still push
 * @e: E is set
 * @m: M is set
 * @instr: instruction bitmap
 * @domain: of @ds_instr
 * @ds_instr: domain-specific instructions
 * @ds_flags: domain-specific flags
 * @profile: enum rxe_cc_int_profile; set by roce_int_read_hpcc() only
 */
struct roce_int_packet {
	struct roce_udp at;
	u32 udp_bytes;
	bool udp_check;
	u8 words;
	u8 hop_ml;
	u8 rem_hop;
	bool e;
	bool m;
	u16 instr;
	u16 domain;
	u16 ds_instr;
	u16 ds_flags;
	u8 profile;
};

/* Hops on the stack. */
static inline unsigned int roce_int_hops(const struct roce_int_packet *pkt)
{
	return (pkt->words - RXE_CC_INT_MD_WORDS) / pkt->hop_ml;
}

/* Offset from skb->data of the shim. */
static inline unsigned int roce_int_shim(const struct roce_int_packet *pkt)
{
	return pkt->at.udp + sizeof(struct udphdr);
}

/* Of the stack, which follows the MD header. */
static inline unsigned int roce_int_stack(const struct roce_int_packet *pkt)
{
	return roce_int_shim(pkt) + RXE_CC_INT_HDR_BYTES;
}

/* Of the BTH, which follows the stack. */
static inline unsigned int roce_int_bth(const struct roce_int_packet *pkt)
{
	return roce_int_shim(pkt) + sizeof(struct rxe_cc_int_shim) + pkt->words * 4;
}

/* Id of a packet's path, with a port at its end, as compact hops have it. */
static inline u16 roce_int_path(const struct roce_int_packet *pkt, const struct roce_int_hop *hop)
{
	return rxe_cc_compact_path(pkt->ds_flags, hop->node, hop->out_port);
}

enum roce_int_result roce_int_push(struct sk_buff *skb, unsigned int mtu,
				   u16 domain, const struct roce_int_hop *hop,
				   unsigned int *pushed_bytes);
bool roce_int_read_hpcc(const struct sk_buff *skb, u16 domain, struct roce_int_packet *pkt);
u8 *roce_int_write_own(const struct roce_int_packet *pkt, const struct roce_int_hop *hop, u8 *to);
void roce_int_copy_stack(const struct sk_buff *skb, const struct roce_int_packet *pkt, u8 *to);
int roce_int_strip(struct sk_buff *skb, const struct roce_int_packet *pkt);

#endif /* _ROCE_INT_PUSH_H */
