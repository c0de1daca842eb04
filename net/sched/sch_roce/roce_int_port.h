/* SPDX-License-Identifier: GPL-2.0 */
/* INT as a feature of a port: what can be set of it and what it counts. */
#ifndef _ROCE_INT_PORT_H
#define _ROCE_INT_PORT_H

#include "roce_feature.h"
#include "roce_int.h"

/**
 * struct roce_int_config - what can be set of a port
 * @on: push metadata
 * @dscp: DSCP of INT packets
 * @domain: domain of the domain-specific metadata
 * @port: port id; 0 = interface index
 * @node: node id; 0 = from the MAC address
 */
struct roce_int_config {
	u8 on;
	u8 dscp;
	u16 domain;
	u16 port;
	u32 node;
};

/**
 * struct roce_int_port - state of a port: INT packets, by what became of them
 * @node: node id in force
 * @pushed: got metadata
 * @hop_limit: no remaining hops, E set
 * @mtu: would have become too long, M set
 * @bad: malformed, untouched
 * @unsupported: another version or unknown instructions, untouched
 * @nomem: the header could not be made writable, untouched
 */
struct roce_int_port {
	u32 node;
	u64 pushed;
	u64 hop_limit;
	u64 mtu;
	u64 bad;
	u64 unsupported;
	u64 nomem;
};

static inline struct roce_int_config *
roce_int_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_int_config) >
		     ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_int_feature);
}

bool roce_int_is_on(const struct roce_config *cfg, u8 class);
void roce_int_snapshot(const struct roce_port *port, const struct sk_buff *skb,
		       u64 at_ns, struct roce_int_hop *hop);

#endif /* _ROCE_INT_PORT_H */
