// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of flows: a flow has ROCE_FLOW_WAYS possible places, by its hash. If other
 * flows have them all, it takes the place of the one that has been idle for longest,
 * if that is long enough and the entry holds nothing. Otherwise it gets no place, and
 * its packets belong to no flow.
 *
 * A sender that knows the hash could choose addresses that all have the same places. So
 * the hash has a key, the seed of the port. Equal runs have equal tables, and where
 * senders are not trusted the administrator sets a seed that they do not know.
 *
 * The hash also decides where the search for a flow begins. As long as the table is not
 * full the flow is mostly there.
 */
#include <linux/export.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/kernel.h>
#include <linux/siphash.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/udp.h>

#include <rxe_cc/int_wire.h>

#include "roce_feature.h"
#include "roce_flow_table.h"
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
 * roce_flow_key_pair() - the flow of a packet, by its addresses alone
 * @key: set to it
 * @skb: packet at its Ethernet header
 *
 * As roce_flow_key() with %ROCE_FLOW_PAIR does, without what an answer would need.
 *
 * Return: true when it is RoCEv2 by its UDP port, in one piece.
 */
bool roce_flow_key_pair(struct roce_flow_key *key, const struct sk_buff *skb)
{
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;
	struct roce_udp at;
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} buf;

	if (!roce_flow_find_udp(skb, &at))
		return false;
	memset(key, 0, sizeof(*key));
	key->ipv4 = at.ipv4;
	key->used = 1;
	if (at.ipv4) {
		ip = skb_header_pointer(skb, at.l3, sizeof(*ip), &buf);
		if (!ip)
			return false;
		key->src.v4 = ip->saddr;
		key->dst.v4 = ip->daddr;
		return true;
	}
	ip6 = skb_header_pointer(skb, at.l3, sizeof(*ip6), &buf);
	if (!ip6)
		return false;
	key->src.v6 = ip6->saddr;
	key->dst.v6 = ip6->daddr;
	return true;
}
EXPORT_SYMBOL_GPL(roce_flow_key_pair);

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
	struct roce_udp at;
	unsigned int bth;
	int skip;

	if (!roce_flow_find_udp(skb, &at))
		return false;
	bth = at.udp + sizeof(struct udphdr);
	skip = roce_features_skip(port, skb, bth);
	return skip >= 0 && roce_reply_read(skb, &at, bth + skip, to);
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

/* IPv4 addresses are the first bytes of their unions, the rest is zeros. */
static u32 roce_flow_hash(const struct roce_flow_key *key, u64 seed)
{
	hsiphash_key_t secret = { .key = { seed, ROCE_FLOW_WAYS } };

	BUILD_BUG_ON(sizeof(*key) != sizeof(key->words));
	if (key->ipv4)
		return hsiphash_4u32((__force u32)key->src.v4, (__force u32)key->dst.v4,
				     lower_32_bits(key->words[4]),
				     upper_32_bits(key->words[4]), &secret);
	return hsiphash(key->words, sizeof(key->words), &secret);
}

/* The words in which IPv4 flows differ come first. */
static bool roce_flow_is(const struct roce_flow *flow, const struct roce_flow_key *key)
{
	const u64 *a = flow->key.words, *b = key->words;

	return a[0] == b[0] && a[2] == b[2] && a[4] == b[4] && a[1] == b[1] && a[3] == b[3];
}

static struct roce_flow *roce_flow_place(const struct roce_flow_table *table, u32 hash, int i)
{
	u32 set = reciprocal_scale(hash, table->size / ROCE_FLOW_WAYS);

	return &table->flows[set * ROCE_FLOW_WAYS + (hash + i) % ROCE_FLOW_WAYS];
}

static struct roce_flow *roce_flow_search(const struct roce_flow_table *table,
					  const struct roce_flow_key *key, u32 hash)
{
	struct roce_flow *flow;
	int i;

	for (i = 0; i < ROCE_FLOW_WAYS; i++) {
		flow = roce_flow_place(table, hash, i);
		if (roce_flow_is(flow, key))
			return flow;
	}
	return NULL;
}

/**
 * roce_flow_find() - a flow that a table has
 * @table: table
 * @key: flow
 *
 * Return: its entry, or NULL.
 */
struct roce_flow *roce_flow_find(const struct roce_flow_table *table,
				 const struct roce_flow_key *key)
{
	return roce_flow_search(table, key, roce_flow_hash(key, table->seed));
}
EXPORT_SYMBOL_GPL(roce_flow_find);

/* May another flow have the place of this one? A free one is taken first. */
static bool roce_flow_is_better(const struct roce_flow *flow,
				const struct roce_flow *best, u64 now_ns, u64 idle_ns)
{
	if (flow->key.used && (flow->bytes || now_ns - flow->seen_ns < idle_ns))
		return false;
	if (!best)
		return true;
	return best->key.used && (!flow->key.used || flow->seen_ns < best->seen_ns);
}

/* For a flow that has no place yet. */
static struct roce_flow *roce_flow_add(const struct roce_flow_table *table,
				       const struct roce_flow_key *key,
				       u32 hash, u64 now_ns, u64 idle_ns)
{
	struct roce_flow *best = NULL, *flow;
	int i;

	for (i = 0; i < ROCE_FLOW_WAYS; i++) {
		flow = roce_flow_place(table, hash, i);
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

/**
 * roce_flow_get() - find a flow, or give it a place
 * @table: table
 * @key: flow
 * @now_ns: present time
 * @idle_ns: a flow that holds no bytes and has not been asked for so long may
 *	lose its place
 *
 * Return: its entry, zeros but for @key and @seen_ns if it is new; NULL when
 * there is no place.
 */
struct roce_flow *roce_flow_get(const struct roce_flow_table *table,
				const struct roce_flow_key *key, u64 now_ns, u64 idle_ns)
{
	u32 hash = roce_flow_hash(key, table->seed);
	struct roce_flow *flow = roce_flow_search(table, key, hash);

	if (!flow)
		return roce_flow_add(table, key, hash, now_ns, idle_ns);
	flow->seen_ns = now_ns;
	return flow;
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
