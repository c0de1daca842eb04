/* SPDX-License-Identifier: GPL-2.0 */
/*
 * INT-MD transit: a port pushes its metadata into INT packets, see
 * include/rxe_cc/int.h for the wire.
 */
#ifndef _ROCE_INT_H
#define _ROCE_INT_H

#include <linux/types.h>

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
};

/**
 * enum roce_int_result - what became of an INT packet
 * @ROCE_INT_PUSHED: it is longer by the metadata of this port
 * @ROCE_INT_HOP_LIMIT: no remaining hops, or the stack is full; E is set
 * @ROCE_INT_MTU: it would exceed the MTU; M is set
 * @ROCE_INT_NONE: its DSCP says INT, but it is not RoCEv2 (UDP to 4791, in one
 *	piece); unchanged and not counted
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

enum roce_int_result roce_int_push(struct sk_buff *skb, unsigned int mtu,
				   u16 domain, const struct roce_int_hop *hop,
				   unsigned int *pushed_bytes);

#endif /* _ROCE_INT_H */
