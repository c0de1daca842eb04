/* SPDX-License-Identifier: GPL-2.0 */
/*
 * IOFD, in-order flow deflection: short flows that would wait too long leave by another
 * port of the switch.
 */
#ifndef _ROCE_IOFD_H
#define _ROCE_IOFD_H

#include <linux/build_bug.h>
#include <linux/if_ether.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "roce_feature.h"
#include "roce_iofd_table.h"

/**
 * struct roce_iofd_prio - what can be set of one priority
 * @threshold_bytes: wire bytes ahead of a packet above which its flow is deflected;
 *	0 = never
 * @escape_dscp: what packets get when they turn from a way down to a way up; 0 = they
 *	must not
 */
struct roce_iofd_prio {
	u32 threshold_bytes;
	u8 escape_dscp;
};

/**
 * struct roce_iofd_config - what can be set of a port
 * @hold_ns: an entry ends so long after the last packet of a message
 * @idle_ns: or so long after any other packet
 * @link: enum tc_roce_iofd_link
 * @prio: per priority
 */
struct roce_iofd_config {
	u64 hold_ns;
	u64 idle_ns;
	u8 link;
	struct roce_iofd_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_iofd_stats - counters of a port that packets were routed to; they only grow
 * @flows: entries made
 * @packets: packets that left by another port
 * @bytes: their wire bytes
 * @full: flows that were not deflected, the table had no place
 * @no_port: because no other port was fit
 * @lost_port: entries whose port had gone
 * @escaped: packets whose priority was changed, as they turn from down to up
 * @no_escape: packets that turn so and have no priority to change to
 * @failed: packets that could not be changed for want of memory
 */
struct roce_iofd_stats {
	u64 flows;
	u64 packets;
	u64 bytes;
	u64 full;
	u64 no_port;
	u64 lost_port;
	u64 escaped;
	u64 no_escape;
	u64 failed;
};

/**
 * struct roce_iofd_port - state of a port
 * @stats: counters
 * @taken: packets that others have sent here
 * @seed: that @rnd was started from
 * @rnd: random numbers
 * @seeded: @rnd has been started
 * @known: @mac is that of the only neighbour behind this port
 * @mac: its address
 * @ask_ns: neighbours are to be looked at again then
 */
struct roce_iofd_port {
	struct roce_iofd_stats stats;
	u64 taken;
	u64 seed;
	struct rnd_state rnd;
	bool seeded;
	bool known;
	u8 mac[ETH_ALEN];
	u64 ask_ns;
};

/**
 * struct roce_iofd_switch - state of a switch
 * @table: of all its ports
 */
struct roce_iofd_switch {
	struct roce_iofd_table table;
};

/**
 * struct roce_iofd_packet - a RoCEv2 packet as IOFD sees it
 * @to: addresses, QP, opcode
 * @bth: offset of its BTH
 * @udp: offset of its UDP header
 * @bits: the reserved bits beside FECN and BECN
 */
struct roce_iofd_packet {
	struct roce_reply_to to;
	unsigned int bth;
	unsigned int udp;
	u8 bits;
};

static inline struct roce_iofd_config *
roce_iofd_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_iofd_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_iofd_feature);
}

/* roce_iofd_packet.c */
bool roce_iofd_read(const struct sk_buff *skb, struct roce_iofd_packet *pkt);
bool roce_iofd_ends(u8 opcode);
bool roce_iofd_write(struct sk_buff *skb, const struct roce_iofd_packet *pkt, u8 bits, int dscp);
void roce_iofd_aim(struct sk_buff *skb, const u8 *dest, const u8 *source);

/* roce_iofd_neighbour.c */
bool roce_iofd_next_hop(const struct roce_port *port, struct roce_iofd_port *m, u64 now_ns);

#endif /* _ROCE_IOFD_H */
