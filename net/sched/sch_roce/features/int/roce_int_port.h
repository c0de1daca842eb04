/* SPDX-License-Identifier: GPL-2.0 */
/* INT as a feature of a port: what can be set of it and what it counts. */
#ifndef _ROCE_INT_PORT_H
#define _ROCE_INT_PORT_H

#include <uapi/linux/pkt_sched_roce.h>

#include "roce_feature.h"
#include "roce_int_load.h"
#include "roce_int_push.h"

/**
 * struct roce_int_config - what can be set of a port
 * @on: push metadata
 * @dscp: DSCP of INT packets
 * @domain: domain of the domain-specific metadata
 * @port: port id; 0 = interface index
 * @node: node id; 0 = from the MAC address
 * @clock_rate: ns that the port's clock counts in a second
 * @clock_offset_ns: it is ahead by so much
 * @clock_jitter_ns: and by up to so much more, another value for each packet
 */
struct roce_int_config {
	u8 on;
	u8 dscp;
	u16 domain;
	u16 port;
	u32 node;
	u32 clock_rate;
	u64 clock_offset_ns;
	u64 clock_jitter_ns;
};

/**
 * struct roce_int_port - state of a port: INT packets, by what became of them
 * @node: node id in force
 * @load: how loaded the port is, as packets of each priority measure it
 * @pushed: got metadata
 * @hop_limit: no remaining hops, E set
 * @mtu: would have become too long, M set
 * @bad: malformed, untouched
 * @unsupported: another version or unknown instructions, untouched
 * @nomem: the header could not be made writable, untouched
 */
struct roce_int_port {
	u32 node;
	struct roce_int_load load[TC_ROCE_PRIOS];
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
	BUILD_BUG_ON(sizeof(struct roce_int_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_int_feature);
}

s64 roce_int_clock_ahead_ns(const struct roce_int_config *config, u64 seed, u64 mono_ns);
bool roce_int_is_on(const struct roce_config *cfg, u8 class);
void roce_int_snapshot(const struct roce_port *port, const struct sk_buff *skb,
		       u64 at_ns, struct roce_int_hop *hop);

#endif /* _ROCE_INT_PORT_H */
