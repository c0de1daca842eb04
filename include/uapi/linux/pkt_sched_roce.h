/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Queueing discipline "roce": a NIC port or a switch port.
 *
 * "Wire bytes" of a packet: max(length with Ethernet header and tags, 60) +
 * overhead. Attributes are only ever appended.
 */
#ifndef _UAPI_LINUX_PKT_SCHED_ROCE_H
#define _UAPI_LINUX_PKT_SCHED_ROCE_H

#include <linux/types.h>

#define TC_ROCE_KIND		"roce"
#define TC_ROCE_PRIOS		8
#define TC_ROCE_DSCPS		64
#define TC_ROCE_RATE_MIN_BPS	1000000ULL		/* 1 Mbit/s */
#define TC_ROCE_RATE_MAX_BPS	800000000000ULL		/* 800 Gbit/s */
#define TC_ROCE_DELAY_MAX_NS	10000000000ULL		/* 10 s */
#define TC_ROCE_OVERHEAD_MIN	(-14)			/* bytes a packet */
#define TC_ROCE_OVERHEAD_MAX	512			/* bytes a packet */
/* Preamble and start delimiter 8, frame check sequence 4, gap 12. */
#define TC_ROCE_OVERHEAD_ETH	24

/*
 * Options, in TCA_OPTIONS. One that is left out keeps its value on change and
 * takes the default on add. A dump has them all. Unknown ones are refused.
 */
enum {
	TCA_ROCE_UNSPEC,
	TCA_ROCE_PAD,
	TCA_ROCE_RATE,		/* u64 bit/s; 100 Gbit/s */
	TCA_ROCE_OVERHEAD,	/* s32 bytes a packet; 24 */
	TCA_ROCE_DELAY,		/* u64 ns, propagation; 0 */
	TCA_ROCE_LIMIT,		/* u32 wire bytes waiting, all priorities, not 0; 32 MiB */
	TCA_ROCE_SEED,		/* u64, of the marking's random numbers; 1 */
	TCA_ROCE_DSCP_MAP,	/* u8[64], priority by DSCP; 26 and 27: 3, 48: 6, else 0 */
	TCA_ROCE_PRIO,		/* nested TCA_ROCE_PRIO_*, once a priority */

	__TCA_ROCE_MAX,
};

#define TCA_ROCE_MAX (__TCA_ROCE_MAX - 1)

/* Options of one priority. */
enum {
	TCA_ROCE_PRIO_UNSPEC,
	TCA_ROCE_PRIO_PAD,
	TCA_ROCE_PRIO_ID,		/* u8 0..7, required; 7 is served first */
	TCA_ROCE_PRIO_LIMIT,		/* u32 wire bytes waiting; 0 = only the port's; 0 */
	TCA_ROCE_PRIO_ECN,		/* u8 enum tc_roce_ecn; off */
	TCA_ROCE_PRIO_ECN_KMIN,		/* u32 wire bytes: never marked up to here; 40 KiB */
	TCA_ROCE_PRIO_ECN_KMAX,		/* u32 wire bytes: always marked above; 160 KiB */
	TCA_ROCE_PRIO_ECN_PMAX,		/* u32 probability at Kmax in ppm; 200000 */

	__TCA_ROCE_PRIO_MAX,
};

#define TCA_ROCE_PRIO_MAX (__TCA_ROCE_PRIO_MAX - 1)

enum tc_roce_ecn {
	TC_ROCE_ECN_OFF,
	TC_ROCE_ECN_ENQUEUE,	/* by the queue that the packet meets */
	TC_ROCE_ECN_DEQUEUE,	/* by the queue that it leaves behind */

	__TC_ROCE_ECN_MAX,
};

/*
 * Statistics, in TCA_STATS2 / TCA_STATS_APP, exact at the time of the report.
 * Counters only grow. A packet counts as queued until its transmission starts
 * and as sent from then on.
 */
enum {
	TCA_ROCE_XSTATS_UNSPEC,
	TCA_ROCE_XSTATS_PAD,
	TCA_ROCE_XSTATS_NOW,		/* u64 ns, CLOCK_MONOTONIC of this report */
	TCA_ROCE_XSTATS_BUSY,		/* u64 ns the line was sending */
	TCA_ROCE_XSTATS_TX_WIRE_BYTES,	/* u64, overhead included */
	TCA_ROCE_XSTATS_TX_PACKETS,	/* u64 */
	TCA_ROCE_XSTATS_IN_FLIGHT,	/* u32 packets being sent or propagating */
	TCA_ROCE_XSTATS_PRIO,		/* nested TCA_ROCE_PSTATS_*, once a priority in use */

	__TCA_ROCE_XSTATS_MAX,
};

#define TCA_ROCE_XSTATS_MAX (__TCA_ROCE_XSTATS_MAX - 1)

/* Of one priority; in use is one that a DSCP maps to or that saw a packet. */
enum {
	TCA_ROCE_PSTATS_UNSPEC,
	TCA_ROCE_PSTATS_PAD,
	TCA_ROCE_PSTATS_ID,		/* u8 0..7 */
	TCA_ROCE_PSTATS_BYTES,		/* u64 wire bytes queued now */
	TCA_ROCE_PSTATS_PACKETS,	/* u32 queued now */
	TCA_ROCE_PSTATS_PEAK_BYTES,	/* u64 longest queue since the start */
	/* u64 time integral of the queue in KiB * us: two reports give a mean */
	TCA_ROCE_PSTATS_BYTE_NS,
	TCA_ROCE_PSTATS_TX_PACKETS,	/* u64 */
	TCA_ROCE_PSTATS_TX_WIRE_BYTES,	/* u64 */
	TCA_ROCE_PSTATS_ECN_MARKED,	/* u64 packets set to CE here */
	TCA_ROCE_PSTATS_ECN_NOT_ECT,	/* u64 packets to be marked, but not ECT: sent */
	TCA_ROCE_PSTATS_DROP_LIMIT,	/* u64 packets over the priority's limit */
	TCA_ROCE_PSTATS_DROP_PORT_LIMIT, /* u64 packets over the port's limit */
	TCA_ROCE_PSTATS_DROP_OTHER,	/* u64 GSO packets that could not be segmented */
	/* u64 packets to be marked, but no memory to copy a shared header: sent */
	TCA_ROCE_PSTATS_ECN_NOMEM,

	__TCA_ROCE_PSTATS_MAX,
};

#define TCA_ROCE_PSTATS_MAX (__TCA_ROCE_PSTATS_MAX - 1)

#endif /* _UAPI_LINUX_PKT_SCHED_ROCE_H */
