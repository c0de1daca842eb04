/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshot of a "roce" port for another kernel module, without netlink: queues, counters, a
 * histogram of the queue length, and which flows its link has lost packets of.
 */
#ifndef _RXE_CC_ROCE_PORT_SNAPSHOT_H
#define _RXE_CC_ROCE_PORT_SNAPSHOT_H

#include <linux/types.h>
#include <uapi/linux/pkt_sched_roce.h>
#include <uapi/linux/roce_watch.h>

struct net_device;

/**
 * struct roce_look_lscc - what LSCC does at a port
 * @queue_bytes: that came by the long link and are in the switch
 * @out_bps: rate at which such bytes left it in the last period
 * @rate_bps: reported last
 * @limit_bps: heard; 0 = none is in force
 * @pseudo_bytes: pseudo queue
 */
struct roce_look_lscc {
	u64 queue_bytes;
	u64 out_bps;
	u64 rate_bps;
	u64 limit_bps;
	u64 pseudo_bytes;
};

/**
 * struct roce_look - a port as it is now
 * @tx_packets: sent so far, PFC frames too
 * @busy_ns: how long it has been sending
 * @in_use: bit per priority that has something to show; of others nothing is set
 * @paused: bit per priority that the peer has paused
 * @mercury: bit per priority in which the port runs Mercury
 * @undetermined: bit per such priority whose queue is Undetermined
 * @bytes: wire bytes that wait, per priority
 * @pause_ns: how long it has been paused, per priority
 */
struct roce_look {
	u64 tx_packets;
	u64 busy_ns;
	u8 in_use;
	u8 paused;
	u8 mercury;
	u8 undetermined;
	u64 bytes[TC_ROCE_PRIOS];
	u64 pause_ns[TC_ROCE_PRIOS];
};

int roce_look(struct net_device *dev, struct roce_look *look);
int roce_look_lscc(struct net_device *dev, struct roce_look_lscc *look);
int roce_hist_begin(struct net_device *dev);
int roce_hist_end(struct net_device *dev, u64 ns[ROCE_WATCH_BUCKETS]);
int roce_lost_take(struct net_device *dev,
		   void (*flows)(const struct roce_watch_lost_flow *flow, u32 nr, bool more,
				 void *data), void *data);

#endif /* _RXE_CC_ROCE_PORT_SNAPSHOT_H */
