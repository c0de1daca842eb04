/* SPDX-License-Identifier: GPL-2.0 */
/* LSCC's feedback message: a rate, from one end of a long link to the other. */
#ifndef _ROCE_LSCC_FEEDBACK_MSG_H
#define _ROCE_LSCC_FEEDBACK_MSG_H

#include <linux/types.h>

struct net_device;
struct sk_buff;

/* The unit of rates in messages, the paper's dF. */
#define ROCE_LSCC_UNIT_BPS	1000000ULL

/**
 * struct roce_lscc_msg - what a message says
 * @self: IPv4 address of its sender
 * @peer: IPv4 address of its receiver
 * @seq: its number
 * @time_ns: when it was sent, by its sender's clock
 * @units: the rate, in %ROCE_LSCC_UNIT_BPS
 */
struct roce_lscc_msg {
	__be32 self;
	__be32 peer;
	u32 seq;
	u64 time_ns;
	u32 units;
};

/**
 * enum roce_lscc_verdict - what a packet that came in is
 * @ROCE_LSCC_OTHER: no feedback
 * @ROCE_LSCC_BAD: feedback, malformed
 * @ROCE_LSCC_STRANGER: feedback of somebody else, or for somebody else
 * @ROCE_LSCC_LATE: feedback no newer than what is in force
 * @ROCE_LSCC_HEARD: feedback, in force
 */
enum roce_lscc_verdict {
	ROCE_LSCC_OTHER,
	ROCE_LSCC_BAD,
	ROCE_LSCC_STRANGER,
	ROCE_LSCC_LATE,
	ROCE_LSCC_HEARD,
};

struct sk_buff *roce_lscc_msg_build(struct net_device *dev, const struct roce_lscc_msg *msg);
enum roce_lscc_verdict roce_lscc_msg_parse(const struct sk_buff *skb, struct roce_lscc_msg *msg);
u32 roce_lscc_units(u64 rate_bps);

#endif /* _ROCE_LSCC_FEEDBACK_MSG_H */
