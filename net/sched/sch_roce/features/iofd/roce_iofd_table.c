// SPDX-License-Identifier: GPL-2.0
/*
 * Table of deflected flows of in-order flow deflection (IOFD): which flow leaves by which other
 * port, and for how long. A switch would have a CAM; here the eight entries, 400 bytes, are
 * searched one by one.
 *
 * The lifetime of an entry keeps packets in order. It begins with a packet before which no
 * other packet of its flow is under way, so the detour overtakes none. It ends when no packet
 * of the flow has come for as long as the detour may take, so no packet on the detour is
 * overtaken. In between every packet of the flow takes the detour, including those of later
 * messages.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/string.h>

#include "roce_iofd_table.h"

/**
 * roce_iofd_key - which entry a packet's is
 * @key: set to it
 * @to: what roce_flow_read() found in the packet
 * @tokens: what it has left
 *
 * The paper names source, destination and DestQP: the source port, which is constant for
 * a queue pair, may be anything.
 *
 * The tokens tell visits of one flow to one switch apart. A packet that is back after a
 * detour has fewer than when it came first, for only a deflection leads back. All
 * packets of a flow that are under way together started with as many, so on each visit
 * all of them find the entry that the first one left there, or none.
 */
void roce_iofd_key(struct roce_flow_key *key, const struct roce_reply_to *to, u8 tokens)
{
	roce_flow_key(key, to, ROCE_FLOW_QP);
	key->sport = 0;
	key->qpn |= (u32)tokens << 24;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_key);

static bool roce_iofd_is_over(const struct roce_iofd_entry *e,
			      const struct roce_iofd_rule *rule, u64 now_ns)
{
	return now_ns - e->seen_ns >= (e->ended ? rule->hold_ns : rule->idle_ns);
}

/**
 * roce_iofd_find - the entry of a flow
 * @t: table
 * @rule: when entries end
 * @key: flow
 * @now_ns: present time
 *
 * Return: the entry, or NULL when there is none or it is over: then it is free.
 */
struct roce_iofd_entry *roce_iofd_find(struct roce_iofd_table *t, const struct roce_iofd_rule *rule,
				       const struct roce_flow_key *key, u64 now_ns)
{
	struct roce_iofd_entry *e;

	for (e = t->entry; e < t->entry + ROCE_IOFD_FLOWS; e++) {
		if (!e->key.used || memcmp(&e->key, key, sizeof(*key)))
			continue;
		if (!roce_iofd_is_over(e, rule, now_ns))
			return e;
		roce_iofd_put(e);
		return NULL;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_find);

/**
 * roce_iofd_has_room - could one more flow be deflected?
 * @t: table; entries that are over become free
 * @rule: when entries end
 * @now_ns: present time
 *
 * Return: true if so.
 */
bool roce_iofd_has_room(struct roce_iofd_table *t, const struct roce_iofd_rule *rule, u64 now_ns)
{
	struct roce_iofd_entry *e;
	bool room = false;

	for (e = t->entry; e < t->entry + ROCE_IOFD_FLOWS; e++) {
		if (e->key.used && roce_iofd_is_over(e, rule, now_ns))
			roce_iofd_put(e);
		room |= !e->key.used;
	}
	return room;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_has_room);

/**
 * roce_iofd_add - a flow that has no entry gets one
 * @t: table
 * @key: flow
 * @slot: port that it leaves by
 *
 * Return: the entry, to be told of its first packet by roce_iofd_seen(); or NULL when
 * none is free.
 */
struct roce_iofd_entry *roce_iofd_add(struct roce_iofd_table *t,
				      const struct roce_flow_key *key, u16 slot)
{
	struct roce_iofd_entry *e;

	for (e = t->entry; e < t->entry + ROCE_IOFD_FLOWS; e++) {
		if (e->key.used)
			continue;
		e->key = *key;
		e->slot = slot;
		t->peak = max(t->peak, roce_iofd_count(t));
		return e;
	}
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_add);

/**
 * roce_iofd_seen - a packet of a deflected flow came
 * @e: its entry
 * @end: it is the last of its message
 * @now_ns: present time
 */
void roce_iofd_seen(struct roce_iofd_entry *e, bool end, u64 now_ns)
{
	e->seen_ns = now_ns;
	e->ended = end;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_seen);

/**
 * roce_iofd_put - a flow is no longer deflected
 * @e: its entry
 */
void roce_iofd_put(struct roce_iofd_entry *e)
{
	memset(e, 0, sizeof(*e));
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_put);

/**
 * roce_iofd_forget_slot - a port takes its entries along
 * @t: table
 * @slot: port
 *
 * Return: how many there were.
 */
u32 roce_iofd_forget_slot(struct roce_iofd_table *t, u16 slot)
{
	struct roce_iofd_entry *e;
	u32 n = 0;

	for (e = t->entry; e < t->entry + ROCE_IOFD_FLOWS; e++) {
		if (!e->key.used || e->slot != slot)
			continue;
		roce_iofd_put(e);
		n++;
	}
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_forget_slot);

/**
 * roce_iofd_count - entries that are not free, those that are over included
 * @t: table
 *
 * Return: how many.
 */
u32 roce_iofd_count(const struct roce_iofd_table *t)
{
	const struct roce_iofd_entry *e;
	u32 n = 0;

	for (e = t->entry; e < t->entry + ROCE_IOFD_FLOWS; e++)
		n += e->key.used;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(roce_iofd_count);
