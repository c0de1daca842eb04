// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of flows: a flow has ROCE_FLOW_WAYS places, by its hash. When they are
 * taken by others it takes that of the one that has been idle for longest, if
 * that is long enough and holds nothing; else it has none, and its packets are
 * treated as if they were nobody's.
 */
#include <linux/export.h>
#include <linux/jhash.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>

#include <rxe_cc/int.h>

#include "roce_class.h"
#include "roce_flow.h"
#include "roce_int_port.h"
#include "roce_udp.h"

static bool roce_flow_find_udp(const struct sk_buff *skb, struct roce_udp *at)
{
	const struct udphdr *udp;
	struct udphdr buf;

	if (!roce_udp_find(skb, at))
		return false;
	udp = skb_header_pointer(skb, at->udp, sizeof(buf), &buf);
	return udp && udp->dest == htons(RXE_CC_INT_UDP_PORT);
}

/**
 * roce_flow_read_pair() - what pair of addresses a packet belongs to
 * @skb: packet at its Ethernet header
 * @to: set to what roce_reply_read_pair() finds in it
 *
 * It says the same of a packet whenever it is asked, as the configuration is no part
 * of it.
 *
 * Return: true when it is RoCEv2 by its UDP port, in one piece.
 */
bool roce_flow_read_pair(const struct sk_buff *skb, struct roce_reply_to *to)
{
	struct roce_udp at;

	return roce_flow_find_udp(skb, &at) &&
	       roce_reply_read_pair(skb, &at, to);
}
EXPORT_SYMBOL_GPL(roce_flow_read_pair);

/**
 * roce_flow_read() - what a packet's flow is, with or without telemetry in it
 * @port: port that it is at
 * @skb: packet at its Ethernet header
 * @to: set to what roce_reply_read() finds in it
 *
 * Return: true when it is RoCEv2 in one piece.
 */
bool roce_flow_read(const struct roce_port *port, const struct sk_buff *skb,
		    struct roce_reply_to *to)
{
	const struct rxe_cc_int_shim *shim;
	struct rxe_cc_int_shim shim_buf;
	struct roce_udp at;
	unsigned int bth;

	if (!roce_flow_find_udp(skb, &at))
		return false;

	bth = at.udp + sizeof(struct udphdr);
	if (roce_class(skb) == roce_int_config(&port->cfg)->dscp) {
		shim = skb_header_pointer(skb, bth, sizeof(shim_buf),
					  &shim_buf);
		if (!shim)
			return false;
		bth += sizeof(*shim) + shim->length * 4;
	}
	return roce_reply_read(skb, &at, bth, to);
}
EXPORT_SYMBOL_GPL(roce_flow_read);

/**
 * roce_flow_key() - the flow of a packet
 * @key: set to it
 * @to: what roce_flow_read() found
 * @kind: what makes a flow
 */
void roce_flow_key(struct roce_flow_key *key, const struct roce_reply_to *to,
		   enum roce_flow_kind kind)
{
	memset(key, 0, sizeof(*key));
	key->src = to->src;
	key->dst = to->dst;
	key->ipv4 = to->ipv4;
	key->used = 1;
	if (kind == ROCE_FLOW_QP) {
		key->qpn = to->qpn;
		key->sport = to->sport;
	}
}
EXPORT_SYMBOL_GPL(roce_flow_key);

/* The first of a flow's places. */
static struct roce_flow *roce_flow_set(struct roce_flow *table,
				       unsigned int size,
				       const struct roce_flow_key *key)
{
	u32 hash = jhash2((const u32 *)key, sizeof(*key) / sizeof(u32), 0);

	BUILD_BUG_ON(sizeof(*key) % sizeof(u32));
	return &table[hash % (size / ROCE_FLOW_WAYS) * ROCE_FLOW_WAYS];
}

/**
 * roce_flow_find() - a flow that a table has
 * @table: entries
 * @size: how many, a multiple of %ROCE_FLOW_WAYS
 * @key: flow
 *
 * Return: its entry, or NULL.
 */
struct roce_flow *roce_flow_find(struct roce_flow *table, unsigned int size,
				 const struct roce_flow_key *key)
{
	struct roce_flow *flow = roce_flow_set(table, size, key);
	int i;

	for (i = 0; i < ROCE_FLOW_WAYS; i++, flow++) {
		if (!memcmp(&flow->key, key, sizeof(*key)))
			return flow;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(roce_flow_find);

/* May another flow have the place of this one? A free one is taken first. */
static bool roce_flow_is_better(const struct roce_flow *flow,
				const struct roce_flow *best, u64 now_ns,
				u64 idle_ns)
{
	if (flow->key.used && (flow->bytes || now_ns - flow->seen_ns < idle_ns))
		return false;
	if (!best)
		return true;
	return best->key.used && (!flow->key.used ||
				  flow->seen_ns < best->seen_ns);
}

/**
 * roce_flow_get() - find a flow, or give it a place
 * @table: entries
 * @size: how many, a multiple of %ROCE_FLOW_WAYS
 * @key: flow
 * @now_ns: present time
 * @idle_ns: a flow that holds no bytes and has not been asked for so long may
 *	lose its place
 *
 * Return: its entry, zeros but for @key and @seen_ns if it is new; NULL when
 * there is no place.
 */
struct roce_flow *roce_flow_get(struct roce_flow *table, unsigned int size,
				const struct roce_flow_key *key, u64 now_ns,
				u64 idle_ns)
{
	struct roce_flow *flow = roce_flow_find(table, size, key);
	struct roce_flow *best = NULL;
	int i;

	if (flow) {
		flow->seen_ns = now_ns;
		return flow;
	}
	flow = roce_flow_set(table, size, key);
	for (i = 0; i < ROCE_FLOW_WAYS; i++, flow++) {
		if (roce_flow_is_better(flow, best, now_ns, idle_ns))
			best = flow;
	}
	if (!best)
		return NULL;
	memset(best, 0, sizeof(*best));
	best->key = *key;
	best->seen_ns = now_ns;
	return best;
}
EXPORT_SYMBOL_GPL(roce_flow_get);

/**
 * roce_flow_put() - forget a flow
 * @flow: its entry
 */
void roce_flow_put(struct roce_flow *flow)
{
	memset(flow, 0, sizeof(*flow));
}
EXPORT_SYMBOL_GPL(roce_flow_put);
