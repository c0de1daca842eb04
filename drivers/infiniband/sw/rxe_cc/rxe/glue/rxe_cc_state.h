/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the hooks that is embedded in rxe's own structures.
 */
#ifndef RXE_CC_STATE_H
#define RXE_CC_STATE_H

#include <linux/hashtable.h>
#include <linux/in6.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rxe_cc/cc_host.h>

#define RXE_CC_CONNS_BITS	8

/**
 * struct rxe_cc_conns - queue pairs of a device by their peer
 * @lock: guards @head and what is in it
 * @head: of &rxe_cc_conn.node
 */
struct rxe_cc_conns {
	spinlock_t lock; /* see above */
	DECLARE_HASHTABLE(head, RXE_CC_CONNS_BITS);
};

/**
 * struct rxe_cc_conn - whom a queue pair is connected to
 * @node: in &rxe_cc_conns.head, under its lock
 * @own: own address; IPv4 as mapped into IPv6
 * @peer: the peer's
 * @qpn: the peer's queue pair
 */
struct rxe_cc_conn {
	struct hlist_node node;
	struct in6_addr own;
	struct in6_addr peer;
	u32 qpn;
};

/**
 * struct rxe_cc_built - the packet that is being built, for the hooks that it passes
 * @handed_ns: when it was handed to the port, if its round trip is measured; else 0
 * @int_bytes: what INT adds to it on its first link
 * @tx: what the core has decided
 */
struct rxe_cc_built {
	u64 handed_ns;
	u32 int_bytes;
	struct rxe_cc_tx tx;
};

struct rxe_int_kept;

/**
 * struct rxe_cc_answer - what an ACK or report tells besides, decided before there
 *	is a packet for it
 * @kept: telemetry to echo, in the packet that is answered; NULL: none
 * @fb: feedback of the algorithm
 * @tx_ns: for RXE_CC_TLV_TIME, as the next
 * @arrived_ns: when the packet came in, CLOCK_MONOTONIC
 * @ttl: TTL or hop limit that it came with; 0: not known
 * @time: with RXE_CC_TLV_TIME
 */
struct rxe_cc_answer {
	const struct rxe_int_kept *kept;
	struct rxe_cc_tx_fb fb;
	u64 tx_ns;
	u64 arrived_ns;
	u8 ttl;
	bool time;
};

#endif /* RXE_CC_STATE_H */
