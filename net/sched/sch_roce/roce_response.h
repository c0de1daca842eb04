/* SPDX-License-Identifier: GPL-2.0 */
/*
 * INT responses: a congested port tells senders by itself what its metadata
 * would tell them a round trip later (draft-pan-tsvwg-hpccplus, 6.3).
 */
#ifndef _ROCE_RESPONSE_H
#define _ROCE_RESPONSE_H

#include <linux/types.h>

struct roce_port;
struct roce_reply_to;
struct sk_buff;

/* Flows that are damped independently of each other, at best. A power of two. */
#define ROCE_RESPONSE_SLOTS	4096

/**
 * struct roce_response - INT responses of one port
 * @last_ns: per hash of flows, when the last one was due that was not damped;
 *	0 = never. NULL until a priority is configured to respond
 * @sent: on their way to the sender
 * @damped: not sent, so soon after another
 * @failed: could not be made or sent
 */
struct roce_response {
	u64 *last_ns;
	u64 sent;
	u64 damped;
	u64 failed;
};

bool roce_response_damped(struct roce_response *rsp,
			  const struct roce_reply_to *to, u64 interval_ns,
			  u64 now_ns);
void roce_respond(struct roce_port *port, const struct sk_buff *skb,
		  u64 now_ns);

#endif /* _ROCE_RESPONSE_H */
