/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of flows for features: a fixed number of them, part of a feature's state,
 * so that nothing is allocated for a packet and nobody can fill memory.
 *
 *	struct roce_flow flows[ROCE_FLOW_WAYS * 32];
 *	struct roce_flow_table table = {
 *		.flows = flows, .size = ARRAY_SIZE(flows), .seed = port->cfg.seed,
 *	};
 *
 *	if (roce_flow_read(port, skb, &to)) {
 *		roce_flow_key(&key, &to, ROCE_FLOW_QP);
 *		flow = roce_flow_get(&table, &key, now_ns, idle_ns);
 *	}
 *
 * Context of everything here: lock of the switch held.
 */
#ifndef _ROCE_FLOW_TABLE_H
#define _ROCE_FLOW_TABLE_H

#include <linux/types.h>
#include <net/ipv6.h>

#include "roce_reply_packet.h"

struct roce_port;
struct sk_buff;

/* Places that a flow may have in a table; the size of one is a multiple of it. */
#define ROCE_FLOW_WAYS	8

/**
 * enum roce_flow_kind - what makes packets one flow
 * @ROCE_FLOW_PAIR: their addresses
 * @ROCE_FLOW_QP: besides, DestQP and UDP source port
 */
enum roce_flow_kind {
	ROCE_FLOW_PAIR,
	ROCE_FLOW_QP,
};

/**
 * struct roce_flow_key - a flow; to be made by roce_flow_key() or
 *	roce_flow_key_pair() only
 * @src: its sender; what IPv4 does not use is zero
 * @dst: its receiver
 * @qpn: DestQP
 * @queue: of %ROCE_FLOW_PAIR: 0, or what its owner sets to tell queues apart
 * @sport: UDP source port, or 0
 * @ipv4: IPv4, else IPv6
 * @used: 1
 * @words: all of that
 */
struct roce_flow_key {
	union {
		struct {
			union roce_addr src;
			union roce_addr dst;
			union {
				u32 qpn;
				u32 queue;
			};
			__be16 sport;
			u8 ipv4;
			u8 used;
		};
		u64 words[5];
	};
};

/**
 * struct roce_flow - an entry of a table: a cache line
 * @key: the flow; all zeros = the entry is free
 * @seen_ns: when roce_flow_get() returned it last
 * @bytes: the feature's; while it is not 0 the entry is not given to others
 * @data: the feature's
 */
struct roce_flow {
	struct roce_flow_key key;
	u64 seen_ns;
	u64 bytes;
	u64 data;
};

/**
 * struct roce_flow_table - a table
 * @flows: entries, zeros at the start
 * @size: how many, a multiple of %ROCE_FLOW_WAYS
 * @seed: of the hash. With another one flows have other places
 */
struct roce_flow_table {
	struct roce_flow *flows;
	unsigned int size;
	u64 seed;
};

/**
 * roce_flow_addr6() - an address of a flow, for messages
 * @to: set to it as an IPv6 address; IPv4 is mapped
 * @addr: the address, NULL = none: zeros
 * @ipv4: it is IPv4
 */
static inline void roce_flow_addr6(u8 to[16], const union roce_addr *addr, bool ipv4)
{
	struct in6_addr v6 = {};

	if (addr && ipv4)
		ipv6_addr_set_v4mapped(addr->v4, &v6);
	else if (addr)
		v6 = addr->v6;
	memcpy(to, &v6, sizeof(v6));
}

bool roce_flow_read(const struct roce_port *port, const struct sk_buff *skb,
		    struct roce_reply_to *to);
void roce_flow_key(struct roce_flow_key *key, const struct roce_reply_to *to,
		   enum roce_flow_kind kind);
bool roce_flow_key_pair(struct roce_flow_key *key, const struct sk_buff *skb);
struct roce_flow *roce_flow_find(const struct roce_flow_table *table,
				 const struct roce_flow_key *key);
struct roce_flow *roce_flow_get(const struct roce_flow_table *table,
				const struct roce_flow_key *key, u64 now_ns, u64 idle_ns);
void roce_flow_put(struct roce_flow *flow);

#endif /* _ROCE_FLOW_TABLE_H */
