/* SPDX-License-Identifier: GPL-2.0 */
/*
 * INT responses: a congested port sends senders at once the telemetry that they
 * would get a round trip later (draft-pan-tsvwg-hpccplus, 6.3).
 */
#ifndef _ROCE_INT_RESPONSE_H
#define _ROCE_INT_RESPONSE_H

#include <linux/types.h>

#include "roce_feature.h"

struct roce_int_hop;
struct roce_int_packet;
struct roce_reply_to;
struct sk_buff;

/* Flows that are damped independently of each other, at best. A power of two. */
#define ROCE_RESPONSE_SLOTS	4096

/**
 * struct roce_response_prio - what can be set of one priority
 * @bytes: a queue of so many wire bytes has senders told; 0 = none
 */
struct roce_response_prio {
	u32 bytes;
};

/**
 * struct roce_response_config - what can be set of a port
 * @interval_ns: from one response to the next of a flow
 * @prio: per priority
 */
struct roce_response_config {
	u64 interval_ns;
	struct roce_response_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_response - INT responses of one port
 * @last_ns: per hash of flows, when the last one was due that was not damped;
 *	0 = never
 * @sent: on their way to the sender
 * @damped: not sent, so soon after another
 * @failed: could not be made or sent
 */
struct roce_response {
	u64 last_ns[ROCE_RESPONSE_SLOTS];
	u64 sent;
	u64 damped;
	u64 failed;
};

bool roce_response_damped(struct roce_response *rsp,
			  const struct roce_reply_to *to, u64 interval_ns, u64 now_ns);

bool roce_response_is_wanted(u8 opcode);
struct sk_buff *roce_response_build(const struct roce_reply_to *to,
				    const struct roce_int_packet *pkt,
				    const struct roce_int_hop *hop, u8 kind, u8 **stack);

static inline struct roce_response_config *
roce_response_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_response_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_response_feature);
}

#endif /* _ROCE_INT_RESPONSE_H */
