/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which priority a packet belongs to, and how long it is on the wire.
 */
#ifndef _ROCE_CLASS_H
#define _ROCE_CLASS_H

#include <linux/types.h>

struct sk_buff;

__be16 roce_l3_offset(const struct sk_buff *skb, int *noff);
u8 roce_l3_dsfield(const struct sk_buff *skb, __be16 proto, int noff);
u8 roce_classify(const struct sk_buff *skb, const u8 *dscp_prio);
u32 roce_wire_bytes(const struct sk_buff *skb, s32 overhead);

#endif /* _ROCE_CLASS_H */
