/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Table of deflected flows of in-order flow deflection (IOFD): which flow leaves by which other
 * port. No port, no packet, no clock.
 */
#ifndef _ROCE_IOFD_TABLE_H
#define _ROCE_IOFD_TABLE_H

#include <linux/types.h>

#include "roce_flow_table.h"

/* Flows of a switch that may be deflected at the same time, as in the paper. */
#define ROCE_IOFD_FLOWS		8

/**
 * struct roce_iofd_entry - a deflected flow
 * @key: the flow, with its tokens, see roce_iofd_key(); all zeros = the entry is free
 * @seen_ns: when its last packet came
 * @slot: number of the port that it leaves by
 * @ended: that packet was the last of its message
 */
struct roce_iofd_entry {
	struct roce_flow_key key;
	u64 seen_ns;
	u16 slot;
	bool ended;
};

/**
 * struct roce_iofd_table - the deflected flows of a switch
 * @entry: them; one that is not free holds on until its flow has been silent for as
 *	long as the detour may take, and is never given to another flow before
 * @peak: the most there were
 */
struct roce_iofd_table {
	struct roce_iofd_entry entry[ROCE_IOFD_FLOWS];
	u32 peak;
};

/**
 * struct roce_iofd_rule - when an entry ends
 * @hold_ns: silence after the last packet of a message
 * @idle_ns: silence within a message
 */
struct roce_iofd_rule {
	u64 hold_ns;
	u64 idle_ns;
};

void roce_iofd_key(struct roce_flow_key *key, const struct roce_reply_to *to, u8 tokens);
struct roce_iofd_entry *roce_iofd_find(struct roce_iofd_table *t, const struct roce_iofd_rule *rule,
				       const struct roce_flow_key *key, u64 now_ns);
struct roce_iofd_entry *roce_iofd_add(struct roce_iofd_table *t,
				      const struct roce_flow_key *key, u16 slot);
bool roce_iofd_has_room(struct roce_iofd_table *t, const struct roce_iofd_rule *rule, u64 now_ns);
void roce_iofd_seen(struct roce_iofd_entry *e, bool end, u64 now_ns);
void roce_iofd_put(struct roce_iofd_entry *e);
u32 roce_iofd_forget_slot(struct roce_iofd_table *t, u16 slot);
u32 roce_iofd_count(const struct roce_iofd_table *t);

#endif /* _ROCE_IOFD_TABLE_H */
