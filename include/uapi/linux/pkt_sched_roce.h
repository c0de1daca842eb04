/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Queueing discipline "roce": a NIC port, or a port of a switch, which shares
 * its buffer with the other ports of that switch.
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
#define TC_ROCE_ALPHA_ONE	65536			/* TCA_ROCE_PRIO_ALPHA of 1 */
#define TC_ROCE_ALPHA_MAX	(256 * TC_ROCE_ALPHA_ONE)
#define TC_ROCE_RESPONSE_MAX_NS	1000000000ULL		/* 1 s */
#define TC_ROCE_WATCHDOG_MIN_NS	1000ULL			/* 1 us */
#define TC_ROCE_WATCHDOG_MAX_NS	100000000000ULL		/* 100 s */
/* TCA_ROCE_PFC_WATCHDOG: by buffer and line rate */
#define TC_ROCE_WATCHDOG_AUTO	0xffffffffffffffffULL
#define TC_ROCE_INT_RESPONSE_MAX_NS	1000000000ULL	/* 1 s */
/* TCA_ROCE_INT_CLOCK_*; a rate of 10^9 is that of a true clock */
#define TC_ROCE_CLOCK_MAX_NS	10000000000ULL		/* 10 s */
#define TC_ROCE_CLOCK_JITTER_MAX_NS	1000000000ULL	/* 1 s */
#define TC_ROCE_CLOCK_RATE	1000000000U		/* ns a second */
#define TC_ROCE_CLOCK_RATE_MIN	999000000U		/* 1000 ppm slow */
#define TC_ROCE_CLOCK_RATE_MAX	1001000000U		/* 1000 ppm fast */
#define TC_ROCE_MERCURY_MAX_NS	1000000000ULL		/* 1 s */
/* TCA_ROCE_PRIO_MERCURY: kmin of ECN */
#define TC_ROCE_MERCURY_AUTO	0xffffffffU
#define TC_ROCE_IOFD_MAX_NS	10000000000ULL		/* 10 s */
#define TC_ROCE_LSCC_MIN_NS	1000ULL			/* 1 us */
#define TC_ROCE_LSCC_MAX_NS	1000000000ULL		/* 1 s */
#define TC_ROCE_LOSS_ONE	1000000000U		/* TCA_ROCE_LOSS of 1 */
#define TC_ROCE_WIRE_MAX	(1ULL << 40)		/* 1 TiB */
#define TC_ROCE_WIRE_AUTO	(256ULL << 20)		/* 256 MiB, at most */
#define TC_ROCE_WIRE_PACKET	1024			/* bytes of it for a packet */
#define TC_ROCE_BUFFER_MAX	(1ULL << 40)		/* 1 TiB */
#define TC_ROCE_BUFFER_DEFAULT	(32ULL << 20)		/* 32 MiB */
#define TC_ROCE_PEER_MTU_MAX	65535
/* TCA_ROCE_SWITCH: no switch; all ports of one bridge, or of one namespace */
#define TC_ROCE_SWITCH_NONE	0
#define TC_ROCE_SWITCH_AUTO	0xffffffffU
/* TCA_ROCE_PRIO_HEADROOM: computed */
#define TC_ROCE_HEADROOM_AUTO	0xffffffffU

/*
 * Options, in TCA_OPTIONS. One that is left out keeps its value on change and
 * takes the default on add. A dump has them all, but TCA_ROCE_BUFFER only on a
 * port of a switch, and Mercury's, LSCC's and IOFD's only if they differ from their
 * defaults. Unknown ones are refused. What each is, how long, in which range: the rows at the end,
 * and those of features; Documentation/reference/qdisc-options.md has all of them.
 */
enum {
	TCA_ROCE_UNSPEC,
	TCA_ROCE_PAD,
	TCA_ROCE_RATE,
	TCA_ROCE_OVERHEAD,
	TCA_ROCE_DELAY,
	TCA_ROCE_LIMIT,
	TCA_ROCE_SEED,
	TCA_ROCE_DSCP_MAP,	/* u8[64], priority by DSCP; 26 and 27: 3, 48: 6, else 0 */
	TCA_ROCE_PRIO,		/* nested TCA_ROCE_PRIO_*, once a priority */
	TCA_ROCE_SWITCH,
	TCA_ROCE_BUFFER,
	TCA_ROCE_PEER_MTU,
	TCA_ROCE_PFC_QUANTA,
	TCA_ROCE_PFC_RESPONSE,
	TCA_ROCE_PFC_WATCHDOG,
	TCA_ROCE_PFC_WATCHDOG_ACTION,
	TCA_ROCE_INT,
	TCA_ROCE_INT_DSCP,
	TCA_ROCE_INT_DOMAIN,
	TCA_ROCE_INT_NODE,
	TCA_ROCE_INT_PORT,
	TCA_ROCE_INT_RESPONSE_INTERVAL,
	TCA_ROCE_PFC_WATCHDOG_RESTORE,
	TCA_ROCE_PFC_OBEY,
	TCA_ROCE_TESTFEAT_INTERVAL,
	TCA_ROCE_DIRECT,
	TCA_ROCE_INT_CLOCK_OFFSET,
	TCA_ROCE_INT_CLOCK_JITTER,
	TCA_ROCE_INT_CLOCK_RATE,
	TCA_ROCE_MERCURY_BASE_RTT,
	TCA_ROCE_MERCURY_PERIOD,
	TCA_ROCE_MERCURY_INTERVAL,
	TCA_ROCE_MERCURY_ECN,
	TCA_ROCE_IOFD_LINK,
	TCA_ROCE_IOFD_HOLD,
	TCA_ROCE_IOFD_IDLE,
	TCA_ROCE_LSCC_SELF,
	TCA_ROCE_LSCC_PEER,
	TCA_ROCE_LSCC_QREF,
	TCA_ROCE_LSCC_PSEUDO,
	TCA_ROCE_LSCC_PERIOD,
	TCA_ROCE_LSCC_RTT,
	TCA_ROCE_LSCC_STEP,
	TCA_ROCE_LSCC_MIN,
	TCA_ROCE_LSCC_MAX,
	TCA_ROCE_LSCC_INTERVAL,
	TCA_ROCE_LSCC_THRESHOLD,
	TCA_ROCE_LSCC_EXPIRY,
	TCA_ROCE_LSCC_REPLY,
	TCA_ROCE_WIRE_LIMIT,
	TCA_ROCE_WIRE_PACKETS,
	TCA_ROCE_LSCC_CLEAR,
	TCA_ROCE_LOSS,
	TCA_ROCE_LINK,
	TCA_ROCE_STALL,

	__TCA_ROCE_MAX,
};

#define TCA_ROCE_MAX (__TCA_ROCE_MAX - 1)

/* Options of one priority. */
enum {
	TCA_ROCE_PRIO_UNSPEC,
	TCA_ROCE_PRIO_PAD,
	TCA_ROCE_PRIO_ID,	/* u8 0..7, required; 7 is served first */
	TCA_ROCE_PRIO_LIMIT,
	TCA_ROCE_PRIO_ECN,
	TCA_ROCE_PRIO_ECN_KMIN,
	TCA_ROCE_PRIO_ECN_KMAX,
	TCA_ROCE_PRIO_ECN_PMAX,
	TCA_ROCE_PRIO_ECN_NOT_ECT,
	TCA_ROCE_PRIO_LOSSLESS,
	TCA_ROCE_PRIO_RESERVE,
	TCA_ROCE_PRIO_ALPHA,
	TCA_ROCE_PRIO_XOFF,
	TCA_ROCE_PRIO_XON,
	TCA_ROCE_PRIO_XON_OFFSET,
	TCA_ROCE_PRIO_HEADROOM,
	TCA_ROCE_PRIO_INT_RESPONSE,
	TCA_ROCE_PRIO_TESTFEAT,
	TCA_ROCE_PRIO_MERCURY,
	TCA_ROCE_PRIO_IOFD,
	TCA_ROCE_PRIO_IOFD_ESCAPE,
	TCA_ROCE_PRIO_LSCC,
	TCA_ROCE_PRIO_DWRR,

	__TCA_ROCE_PRIO_MAX,
};

#define TCA_ROCE_PRIO_MAX (__TCA_ROCE_PRIO_MAX - 1)

enum tc_roce_ecn {
	TC_ROCE_ECN_OFF,
	TC_ROCE_ECN_ENQUEUE,	/* by the queue that the packet meets */
	TC_ROCE_ECN_DEQUEUE,	/* by the queue that it leaves behind */

	__TC_ROCE_ECN_MAX,
};

/* What the test feature (module sch_roce_testfeat) does. */
#define TC_ROCE_TESTFEAT_WATCH		(1U << 0) /* is told of everything */
#define TC_ROCE_TESTFEAT_REFUSE		(1U << 1) /* loses what comes */
#define TC_ROCE_TESTFEAT_CONSUME		(1U << 2) /* keeps what comes */
#define TC_ROCE_TESTFEAT_REDIRECT		(1U << 3) /* to the next port of the switch */
#define TC_ROCE_TESTFEAT_REFUSE_ENQUEUE	(1U << 4) /* loses what would wait */
#define TC_ROCE_TESTFEAT_REFUSE_DEQUEUE	(1U << 5) /* loses what has waited */
#define TC_ROCE_TESTFEAT_GROW		(1U << 6) /* adds four bytes */
#define TC_ROCE_TESTFEAT_REPLY		(1U << 7) /* sends the sender a CNP */
#define TC_ROCE_TESTFEAT_NO_ECN		(1U << 8) /* takes the place of ECN */
#define TC_ROCE_TESTFEAT_ALL		0x1ffU

/* What is behind a port, to IOFD. */
enum tc_roce_iofd_link {
	TC_ROCE_IOFD_NONE,	/* nobody who would send a deflected packet on: a host */
	TC_ROCE_IOFD_UP,	/* a switch nearer to the core */
	TC_ROCE_IOFD_DOWN,	/* a switch farther from the core */

	__TC_ROCE_IOFD_LINK_MAX,
};

/* A packet to be marked that does not understand ECN. */
enum tc_roce_not_ect {
	TC_ROCE_NOT_ECT_PASS,
	TC_ROCE_NOT_ECT_DROP,	/* not in a lossless priority */

	__TC_ROCE_NOT_ECT_MAX,
};

/* What LSCC tells senders. */
enum tc_roce_lscc_reply {
	TC_ROCE_LSCC_REPLY_CNP,
	TC_ROCE_LSCC_REPLY_INT,	/* HPCC*: INT to packets with full telemetry, CNPs to others */

	__TC_ROCE_LSCC_REPLY_MAX,
};

/* When LSCC makes CE ECT: never without a rate in force, or without a place for the flow. */
enum tc_roce_lscc_clear {
	TC_ROCE_LSCC_CLEAR_ALWAYS,
	TC_ROCE_LSCC_CLEAR_LONG, /* only while the pseudo queue is long, so that senders are told */

	__TC_ROCE_LSCC_CLEAR_MAX,
};

/* The cable of a port. */
enum tc_roce_link {
	TC_ROCE_LINK_UP,
	TC_ROCE_LINK_DOWN,	/* what is under way or sent is lost, PFC frames too */

	__TC_ROCE_LINK_MAX,
};

/* A priority paused without a break for longer than the watchdog allows. */
enum tc_roce_watchdog {
	TC_ROCE_WATCHDOG_REPORT,	/* only count it and say so */
	TC_ROCE_WATCHDOG_DROP,		/* discard the waiting packets, until resumed */
	TC_ROCE_WATCHDOG_IGNORE,	/* send in spite of it, until resumed */

	__TC_ROCE_WATCHDOG_MAX,
};

/*
 * Statistics, in TCA_STATS2 / TCA_STATS_APP, exact at the time of the report.
 * Counters only grow. What is 0 may be left out. Where nothing else is said a figure is
 * a u32, or a u64 if it is too large for one. A packet counts as queued until its
 * transmission starts and as sent from then on.
 */
enum {
	TCA_ROCE_XSTATS_UNSPEC,
	TCA_ROCE_XSTATS_PAD,
	TCA_ROCE_XSTATS_NOW,
	TCA_ROCE_XSTATS_BUSY,
	TCA_ROCE_XSTATS_TX_WIRE_BYTES,
	TCA_ROCE_XSTATS_TX_PACKETS,
	TCA_ROCE_XSTATS_IN_FLIGHT,
	TCA_ROCE_XSTATS_PRIO,	/* nested TCA_ROCE_PSTATS_*, once a priority in use */
	TCA_ROCE_XSTATS_SWITCH,	/* nested TCA_ROCE_SSTATS_*, of the whole switch */
	TCA_ROCE_XSTATS_PFC_TX,
	TCA_ROCE_XSTATS_PFC_TX_NOMEM,
	TCA_ROCE_XSTATS_PFC_RX,
	TCA_ROCE_XSTATS_PFC_BAD,
	TCA_ROCE_XSTATS_PFC_OTHER,
	TCA_ROCE_XSTATS_INT_PUSHED,
	TCA_ROCE_XSTATS_INT_HOP_LIMIT,
	TCA_ROCE_XSTATS_INT_MTU,
	TCA_ROCE_XSTATS_INT_BAD,
	TCA_ROCE_XSTATS_INT_UNSUPPORTED,
	TCA_ROCE_XSTATS_INT_NOMEM,
	TCA_ROCE_XSTATS_INT_NODE,
	TCA_ROCE_XSTATS_INT_PORT,
	TCA_ROCE_XSTATS_TRUNCATED, /* u8, bit per priority that did not fit into the message */
	TCA_ROCE_XSTATS_INT_RESPONSE_SENT,
	TCA_ROCE_XSTATS_INT_RESPONSE_DAMPED,
	TCA_ROCE_XSTATS_INT_RESPONSE_FAILED,
	TCA_ROCE_XSTATS_PFC_WATCHDOG,
	TCA_ROCE_XSTATS_TESTFEAT_CALLS,
	TCA_ROCE_XSTATS_TESTFEAT_TIMERS,
	TCA_ROCE_XSTATS_TESTFEAT_REPLIES,
	TCA_ROCE_XSTATS_TESTFEAT_WRONG,
	TCA_ROCE_XSTATS_MERCURY_CNPS,
	TCA_ROCE_XSTATS_MERCURY_DAMPED,
	TCA_ROCE_XSTATS_MERCURY_FAILED,
	TCA_ROCE_XSTATS_MERCURY_FLOWS,
	TCA_ROCE_XSTATS_MERCURY_FLOWS_PEAK,
	TCA_ROCE_XSTATS_MERCURY_NO_PLACE,
	TCA_ROCE_XSTATS_IOFD_FLOWS,
	TCA_ROCE_XSTATS_IOFD_PACKETS,
	TCA_ROCE_XSTATS_IOFD_BYTES,
	TCA_ROCE_XSTATS_IOFD_TAKEN,
	TCA_ROCE_XSTATS_IOFD_FULL,
	TCA_ROCE_XSTATS_IOFD_NO_PORT,
	TCA_ROCE_XSTATS_IOFD_LOST_PORT,
	TCA_ROCE_XSTATS_IOFD_ESCAPED,
	TCA_ROCE_XSTATS_IOFD_NO_ESCAPE,
	TCA_ROCE_XSTATS_IOFD_FAILED,
	TCA_ROCE_XSTATS_IOFD_ENTRIES,
	TCA_ROCE_XSTATS_IOFD_ENTRIES_PEAK,
	TCA_ROCE_XSTATS_LSCC_RATE,
	TCA_ROCE_XSTATS_LSCC_SENT,
	TCA_ROCE_XSTATS_LSCC_UNSENT,
	TCA_ROCE_XSTATS_LSCC_LIMIT,
	TCA_ROCE_XSTATS_LSCC_PSEUDO,
	TCA_ROCE_XSTATS_LSCC_PSEUDO_PEAK,
	TCA_ROCE_XSTATS_LSCC_HEARD,
	TCA_ROCE_XSTATS_LSCC_REFUSED,
	TCA_ROCE_XSTATS_LSCC_LATE,
	TCA_ROCE_XSTATS_LSCC_EXPIRED,
	TCA_ROCE_XSTATS_LSCC_CNPS,
	TCA_ROCE_XSTATS_LSCC_DAMPED,
	TCA_ROCE_XSTATS_LSCC_FAILED,
	TCA_ROCE_XSTATS_LSCC_CLEARED,
	TCA_ROCE_XSTATS_LSCC_UNCLEARED,
	TCA_ROCE_XSTATS_LSCC_MARKED,
	TCA_ROCE_XSTATS_LSCC_NO_PLACE,
	TCA_ROCE_XSTATS_LSCC_INTS,
	TCA_ROCE_XSTATS_LSCC_TAKEN,
	TCA_ROCE_XSTATS_LSCC_UNTAKEN,
	TCA_ROCE_XSTATS_LOST,
	TCA_ROCE_XSTATS_LOST_DOWN,
	TCA_ROCE_XSTATS_LOST_WIRE_BYTES,

	__TCA_ROCE_XSTATS_MAX,
};

#define TCA_ROCE_XSTATS_MAX (__TCA_ROCE_XSTATS_MAX - 1)

/*
 * Of one priority. In use is one that a DSCP maps to, that is lossless, or that
 * has seen a packet or a pause.
 */
enum {
	TCA_ROCE_PSTATS_UNSPEC,
	TCA_ROCE_PSTATS_PAD,
	TCA_ROCE_PSTATS_ID,	/* u8 0..7 */
	TCA_ROCE_PSTATS_BYTES,
	TCA_ROCE_PSTATS_PACKETS,
	TCA_ROCE_PSTATS_PEAK_BYTES,
	TCA_ROCE_PSTATS_BYTE_NS,
	TCA_ROCE_PSTATS_TX_PACKETS,
	TCA_ROCE_PSTATS_TX_WIRE_BYTES,
	TCA_ROCE_PSTATS_ECN_MARKED,
	TCA_ROCE_PSTATS_ECN_NOT_ECT,
	TCA_ROCE_PSTATS_DROP_LIMIT,
	TCA_ROCE_PSTATS_DROP_PORT_LIMIT,
	TCA_ROCE_PSTATS_DROP_OTHER,
	TCA_ROCE_PSTATS_ECN_NOMEM,
	TCA_ROCE_PSTATS_DROP_NOT_ECT,
	TCA_ROCE_PSTATS_DROP_BUFFER,
	TCA_ROCE_PSTATS_DROP_HEADROOM,
	TCA_ROCE_PSTATS_DROP_WATCHDOG,
	TCA_ROCE_PSTATS_PFC_REQUESTS,
	TCA_ROCE_PSTATS_PFC_RESUMES,
	TCA_ROCE_PSTATS_PFC_INDICATIONS,
	TCA_ROCE_PSTATS_PFC_RESUMED,
	TCA_ROCE_PSTATS_PFC_IGNORED,
	TCA_ROCE_PSTATS_PAUSED,
	TCA_ROCE_PSTATS_PAUSE_NS,
	TCA_ROCE_PSTATS_XOFF,
	TCA_ROCE_PSTATS_XOFF_NS,
	TCA_ROCE_PSTATS_STORMS,
	TCA_ROCE_PSTATS_IN_BYTES,
	TCA_ROCE_PSTATS_IN_PEAK_BYTES,
	TCA_ROCE_PSTATS_HEADROOM_BYTES,
	TCA_ROCE_PSTATS_HEADROOM_PEAK_BYTES,
	TCA_ROCE_PSTATS_HEADROOM_SIZE,
	TCA_ROCE_PSTATS_THRESHOLD,
	TCA_ROCE_PSTATS_OUT_BYTES,
	TCA_ROCE_PSTATS_DROP_FEATURE,
	TCA_ROCE_PSTATS_TESTFEAT_BYTES,
	TCA_ROCE_PSTATS_MERCURY_UNDETERMINED,
	TCA_ROCE_PSTATS_MERCURY_ENTERED,
	TCA_ROCE_PSTATS_MERCURY_CONGESTED,
	TCA_ROCE_PSTATS_MERCURY_SPARED,
	TCA_ROCE_PSTATS_DROP_WIRE_LIMIT,

	__TCA_ROCE_PSTATS_MAX,
};

#define TCA_ROCE_PSTATS_MAX (__TCA_ROCE_PSTATS_MAX - 1)

/*
 * Of a switch. buffer = reserved + headroom + shared. At any time the packets
 * in the switch (waiting or being sent, each at its length on arrival) sum up
 * to used = reserved_used + headroom_used + shared_used.
 */
enum {
	TCA_ROCE_SSTATS_UNSPEC,
	TCA_ROCE_SSTATS_PAD,
	TCA_ROCE_SSTATS_ID,	/* u32 as configured */
	TCA_ROCE_SSTATS_BRIDGE,	/* u32 ifindex of the bridge of an "auto" switch, or 0 */
	TCA_ROCE_SSTATS_PORTS,
	TCA_ROCE_SSTATS_BUFFER,
	TCA_ROCE_SSTATS_RESERVED,
	TCA_ROCE_SSTATS_HEADROOM,
	TCA_ROCE_SSTATS_SHARED,
	TCA_ROCE_SSTATS_USED,
	TCA_ROCE_SSTATS_RESERVED_USED,
	TCA_ROCE_SSTATS_HEADROOM_USED,
	TCA_ROCE_SSTATS_SHARED_USED,
	TCA_ROCE_SSTATS_PEAK_USED,
	TCA_ROCE_SSTATS_XOFF,

	__TCA_ROCE_SSTATS_MAX,
};

#define TCA_ROCE_SSTATS_MAX (__TCA_ROCE_SSTATS_MAX - 1)

/* Why a packet of a priority is lost: TCA_ROCE_PSTATS_DROP_*, name in traces and tc, what it is. */
#define TC_ROCE_DROPS(ROW)							\
	ROW(LIMIT, limit, "packets over the priority's limit") \
	ROW(PORT_LIMIT, port_limit, "packets over the port's limit") \
	ROW(BUFFER, buffer, "lossy packets over their share of the buffer") \
	ROW(HEADROOM, headroom, "lossless packets over the headroom") \
	ROW(WATCHDOG, watchdog, "packets lost in a PFC storm") \
	ROW(NOT_ECT, not_ect, "packets to be marked that are not ECT") \
	ROW(FEATURE, feature, "packets that a feature refused") \
	ROW(WIRE_LIMIT, wire_limit, "packets sent while the wire was full") \
	ROW(OTHER, other, "GSO packets that could not be segmented")

#endif /* _UAPI_LINUX_PKT_SCHED_ROCE_H */

/*
 * The port's own options and figures, a row each: net/sched/sch_roce/roce_row_macros.h says what is in
 * one. A row is read wherever this file is included with its macro defined.
 */
#ifdef ROCE_OPTION
ROCE_TITLE("PORT:")
ROCE_OPTION(RATE, __u64, rate_bps, ROCE_RATE, "rate", "RATE",
	    "line rate, 1mbit..800gbit (100gbit)", "1mbit..800gbit",
	    "rate is outside 1 Mbit/s..800 Gbit/s", .min = TC_ROCE_RATE_MIN_BPS,
	    .max = TC_ROCE_RATE_MAX_BPS, .value = 100000000000ULL)
ROCE_OPTION(OVERHEAD, __s32, overhead, ROCE_SIGNED, "overhead", "BYTES",
	    "on the line but not in the packet, -14..512 (24: preamble 8, frame check sequence 4, gap 12)",
	    "-14..512", "overhead is outside -14..512 bytes", .unit = "_bytes",
	    .min = TC_ROCE_OVERHEAD_MIN, .max = TC_ROCE_OVERHEAD_MAX, .value = TC_ROCE_OVERHEAD_ETH)
ROCE_OPTION(DELAY, __u64, delay_ns, ROCE_TIME, "delay", "TIME", "propagation delay up to 10s (0)",
	    "0..10s", "delay is above 10 s", .max = TC_ROCE_DELAY_MAX_NS)
ROCE_OPTION(LIMIT, __u32, limit_bytes, ROCE_SIZE, "limit", "SIZE",
	    "wire bytes that may wait, all priorities (32mb)", "a size from 1b below 4gb",
	    "the port's limit is 0", .min = 1, .value = 32 << 20)
ROCE_OPTION(SEED, __u64, seed, ROCE_NUMBER, "seed", "NUMBER",
	    "of the random numbers of ECN marking and loss (1)", "a whole number of 64 bits", NULL,
	    .value = 1)
ROCE_OPTION(WIRE_LIMIT, __u64, wire_bytes, ROCE_SIZE, "wire-limit", "SIZE",
	    "under way to the peer at most, what is beyond is lost (auto: 256mb, or 1/8 of the memory)",
	    "auto or 1b..1024gb", "wire-limit is above 1 TiB", .flags = ROCE_SPARSE | ROCE_NULL,
	    .words = ROCE_AUTO, .min = 1, .max = TC_ROCE_WIRE_MAX)
ROCE_OPTION(WIRE_PACKETS, __u32, wire_packets, ROCE_NUMBER, "wire-packets", "N",
	    "the same in packets (auto: 262144, or less)", "auto or 1..4294967295", NULL,
	    .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_AUTO, .min = 1)
ROCE_OPTION(DIRECT, __u8, direct, ROCE_ONOFF, "direct", "on|off",
	    "hand packets to the veth peer, for networks in one kernel (off)", "on or off",
	    "direct is neither 0 nor 1", .flags = ROCE_QUIET)
ROCE_OPTION(LOSS, __u32, loss_ppb, ROCE_PPB, "loss", "P",
	    "probability that a packet which was sent is lost on the wire, 0..1 or 0%..100% (0)",
	    "0..1 or 0%..100%", "loss is above 1", .flags = ROCE_QUIET | ROCE_SPARSE,
	    .max = TC_ROCE_LOSS_ONE)
ROCE_OPTION(LINK, __u8, link, ROCE_NAMED, "link", "WHAT",
	    "up, or down: all that is under way or sent is lost (up)", "up or down",
	    "link is neither up nor down", .flags = ROCE_QUIET | ROCE_SPARSE,
	    .value = TC_ROCE_LINK_UP,
	    .words = ROCE_WORDS({ "up", TC_ROCE_LINK_UP }, { "down", TC_ROCE_LINK_DOWN }))
ROCE_OPTION(STALL, __u8, stall, ROCE_ONOFF, "stall", "on|off",
	    "on: what comes to be sent waits, and nothing is sent but PFC frames (off)", "on or off",
	    "stall is neither 0 nor 1", .flags = ROCE_QUIET | ROCE_SPARSE)
ROCE_OTHER(DSCP_MAP, "dscp", "D:P",
	   "packets with DSCP D have priority P; repeat it for more.\n\"dscp all:P\" is every DSCP (26:3 27:3 48:6, others 0)",
	   "64 priorities")
ROCE_TITLE("PORT, switch:")
ROCE_OPTION(SWITCH, __u32, switch_id, ROCE_NUMBER, "switch", "WHICH",
	    "none: a NIC's port; auto: with all ports of the same bridge, or of this namespace; a number: with all that have it (none)",
	    "none, auto or 1..4294967294", NULL, .flags = ROCE_QUIET | ROCE_STRING,
	    .words = ROCE_WORDS({ "none", TC_ROCE_SWITCH_NONE }, { "auto", TC_ROCE_SWITCH_AUTO }),
	    .min = 1, .max = TC_ROCE_SWITCH_AUTO - 1)
ROCE_OPTION(BUFFER, __u64, buffer_bytes, ROCE_SIZE, "buffer", "SIZE",
	    "of the switch, on whichever port it is set (32mb)", "1b..1024gb",
	    "buffer is outside 1 byte..1 TiB", .min = 1, .max = TC_ROCE_BUFFER_MAX,
	    .value = TC_ROCE_BUFFER_DEFAULT)
ROCE_TITLE("PORT, PFC:")
ROCE_OPTION(PEER_MTU, __u32, peer_mtu, ROCE_NUMBER, "peer-mtu", "BYTES",
	    "longest packet of the peer, 68..65535, for the headroom; auto: this device's (auto)",
	    "auto or 68..65535", "peer-mtu is neither 0 nor in 68..65535 bytes",
	    .flags = ROCE_QUIET | ROCE_NULL, .unit = "_bytes", .words = ROCE_AUTO, .min = 68,
	    .max = TC_ROCE_PEER_MTU_MAX)
ROCE_OPTION(PFC_QUANTA, __u16, pfc_quanta, ROCE_NUMBER, "pfc-quanta", "N",
	    "pause time asked for, 1..65535 times 512 bits (65535)", "1..65535",
	    "pfc-quanta is 0, which would mean resume", .flags = ROCE_QUIET, .min = 1,
	    .value = 65535)
ROCE_OPTION(PFC_RESPONSE, __u64, pfc_response_ns, ROCE_TIME, "pfc-response", "TIME",
	    "from the end of a PFC frame to its effect, up to 1s (0)", "0..1s",
	    "pfc-response is above 1 s", .flags = ROCE_QUIET, .max = TC_ROCE_RESPONSE_MAX_NS)
ROCE_OPTION(PFC_WATCHDOG, __u64, pfc_watchdog_ns, ROCE_TIME, "pfc-watchdog", "TIME",
	    "a priority paused for so long is a storm, 1us..100s; off; auto: a switch 200ms or what five buffers take to drain (auto)",
	    "auto, off or 1us..100s", "pfc-watchdog is neither 0 nor auto nor in 1 us..100 s",
	    .flags = ROCE_QUIET | ROCE_NULL, .min = TC_ROCE_WATCHDOG_MIN_NS,
	    .words = ROCE_WORDS({ "auto", TC_ROCE_WATCHDOG_AUTO }, { "off", 0 }, { "0", 0 }),
	    .max = TC_ROCE_WATCHDOG_MAX_NS, .value = TC_ROCE_WATCHDOG_AUTO)
ROCE_OPTION(PFC_WATCHDOG_ACTION, __u8, pfc_watchdog_action, ROCE_NAMED, "pfc-watchdog-action",
	    "WHAT",
	    "report: only count storms; drop: discard the waiting\npackets; ignore: send in spite of the pause (drop)",
	    "report, drop or ignore", "pfc-watchdog-action is none of report, drop, ignore",
	    .flags = ROCE_QUIET, .value = TC_ROCE_WATCHDOG_DROP,
	    .words = ROCE_WORDS({ "report", TC_ROCE_WATCHDOG_REPORT },
				{ "drop", TC_ROCE_WATCHDOG_DROP },
				{ "ignore", TC_ROCE_WATCHDOG_IGNORE }))
ROCE_OPTION(PFC_WATCHDOG_RESTORE, __u64, pfc_restore_ns, ROCE_TIME, "pfc-watchdog-restore", "TIME",
	    "a pause so soon after a storm's is that storm again, up to\n100s (200ms)", "0..100s",
	    "pfc-watchdog-restore is above 100 s", .flags = ROCE_QUIET,
	    .max = TC_ROCE_WATCHDOG_MAX_NS, .value = 200000000)
ROCE_OPTION(PFC_OBEY, __u8, pfc_obey, ROCE_ONOFF, "pfc-obey", "on|off",
	    "pauses of the peer have an effect (on)", "on or off", "pfc-obey is neither 0 nor 1",
	    .flags = ROCE_QUIET, .value = 1)
#endif /* ROCE_OPTION */

/* In three parts: tc has ECN behind the first, and the other features behind the second. */
#ifdef ROCE_PRIO_OPTION
#if !defined(ROCE_PART) || ROCE_PART == 1
ROCE_TITLE("PRIO, of priority ID 0..7; 7 is served first, but see dwrr:")
ROCE_PRIO_OPTION(LIMIT, __u32, prio[0].limit_bytes, ROCE_SIZE, "limit", "SIZE",
		 "wire bytes that may wait; 0 = only the port's limit (0)", "a size below 4gb", NULL)
ROCE_PRIO_OPTION(DWRR, __u8, prio[0].dwrr_weight, ROCE_NUMBER, "dwrr", "WEIGHT",
		 "takes turns with the others that have a weight, 1..255 to theirs, on what strict priorities leave; off: strict (off)",
		 "off or 1..255", NULL, .flags = ROCE_SPARSE, .words = ROCE_OFF, .min = 1,
		 .max = 255)
#endif
#if !defined(ROCE_PART) || ROCE_PART == 2
ROCE_PRIO_OPTION(LOSSLESS, __u8, prio[0].lossless, ROCE_ONOFF, "lossless", "on|off",
		 "obeys PFC; on a port of a switch also sends it (off)", "on or off",
		 "lossless is neither 0 nor 1", .flags = ROCE_QUIET)
#endif
#if !defined(ROCE_PART) || ROCE_PART == 3
ROCE_TITLE("PRIO, share of the switch's buffer:")
ROCE_PRIO_OPTION(RESERVE, __u32, prio[0].mmu.reserve_bytes, ROCE_SIZE, "reserve", "SIZE",
		 "for this priority of this port alone (0)", "a size below 4gb", NULL,
		 .flags = ROCE_QUIET | ROCE_OF_BUFFER)
ROCE_PRIO_OPTION(ALPHA, __u32, prio[0].mmu.alpha_q16, ROCE_ALPHA, "alpha", "A",
		 "may hold A times what is free, 0.00002..256 or 1/8; auto: 8, lossless 1/8 (auto)",
		 "auto, 0.00002..256 or 1/8", "alpha is above 256",
		 .flags = ROCE_QUIET | ROCE_NULL | ROCE_OF_BUFFER, .words = ROCE_AUTO, .min = 1,
		 .max = TC_ROCE_ALPHA_MAX)
ROCE_PRIO_OPTION(XOFF, __u32, prio[0].mmu.xoff_bytes, ROCE_SIZE, "xoff", "SIZE",
		 "a fixed threshold instead; auto: by alpha (auto)",
		 "auto or a size from 1b below 4gb", NULL,
		 .flags = ROCE_QUIET | ROCE_NULL | ROCE_OF_BUFFER, .words = ROCE_AUTO, .min = 1)
ROCE_PRIO_OPTION(XON, __u32, prio[0].mmu.xon_bytes, ROCE_SIZE, "xon", "SIZE",
		 "with xoff: the peer is resumed at or below (0)", "a size below 4gb", NULL,
		 .flags = ROCE_QUIET)
ROCE_PRIO_OPTION(XON_OFFSET, __u32, prio[0].mmu.xon_offset_bytes, ROCE_SIZE, "xon-offset", "SIZE",
		 "with alpha: and so far below the threshold (4kb)", "a size below 4gb", NULL,
		 .flags = ROCE_QUIET | ROCE_OF_BUFFER, .value = 4096)
ROCE_PRIO_OPTION(HEADROOM, __u32, prio[0].mmu.headroom_bytes, ROCE_SIZE, "headroom", "SIZE",
		 "for what still comes after a pause; auto: computed (auto)",
		 "auto or a size below 4gb", NULL, .flags = ROCE_QUIET | ROCE_NULL | ROCE_OF_BUFFER,
		 .words = ROCE_WORDS({ "auto", TC_ROCE_HEADROOM_AUTO }),
		 .max = TC_ROCE_HEADROOM_AUTO - 1, .value = TC_ROCE_HEADROOM_AUTO)
#endif
#endif /* ROCE_PRIO_OPTION */

#ifdef ROCE_FIGURE
ROCE_FIGURE(NOW, FOUND, now_ns, " at", "ns", ROCE_ALWAYS, "CLOCK_MONOTONIC of the report")
ROCE_FIGURE(BUSY, FOUND, busy_ns, "busy", "ns", ROCE_ALWAYS,
	    "how long the line has been sending; its difference divided by that of `now_ns` is the utilization")
ROCE_FIGURE(TX_PACKETS, FOUND, tx_packets, "sent", "p", ROCE_ALWAYS,
	    "transmissions started, PFC frames, INT responses and CNPs included")
ROCE_FIGURE(TX_WIRE_BYTES, FOUND, tx_wire_bytes, "", "b", ROCE_ALWAYS, "their wire bytes")
ROCE_FIGURE(IN_FLIGHT, FOUND, in_flight, "in flight", "p", ROCE_ALWAYS,
	    "packets being sent or propagating")
ROCE_TITLE("  pfc")
ROCE_FIGURE(PFC_TX, COUNTED, pfc_tx, "sent", "", ROCE_ALWAYS, "PFC frames sent")
ROCE_FIGURE(PFC_RX, COUNTED, pfc_rx, "received", "", ROCE_ALWAYS, "PFC frames received, well-formed")
ROCE_FIGURE(PFC_BAD, COUNTED, pfc_bad, "bad", "", 0, "malformed ones, ignored")
ROCE_FIGURE(PFC_OTHER, COUNTED, pfc_other, "other", "", 0,
	    "other MAC control frames received, ignored")
ROCE_FIGURE(PFC_TX_NOMEM, COUNTED, pfc_tx_nomem, "nomem", "", 0,
	    "PFC frames not sent because there was no memory")
ROCE_FIGURE(PFC_WATCHDOG, FOUND, pfc_watchdog_ns, NULL, "", 0,
	    "the watchdog's time in force, 0 = off")
ROCE_TITLE("  lost")
ROCE_FIGURE(LOST, COUNTED, lost, "random", "p", 0,
	    "packets sent and lost on the wire by `loss`")
ROCE_FIGURE(LOST_DOWN, COUNTED, lost_down, "link down", "p", 0,
	    "packets sent and lost because the link was `down`")
ROCE_FIGURE(LOST_WIRE_BYTES, COUNTED, lost_wire_bytes, "in all", "b", 0, "wire bytes of both")
#endif /* ROCE_FIGURE */

/* In three parts, as the options of a priority. */
#if defined(ROCE_PRIO_FIGURE) && (!defined(ROCE_PART) || ROCE_PART == 1)
ROCE_PRIO_FIGURE(BYTES, FOUND, bytes, "queue", "b", ROCE_ALWAYS, "wire bytes queued now")
ROCE_PRIO_FIGURE(PACKETS, FOUND, packets, "", "p", ROCE_ALWAYS, "packets queued now")
ROCE_PRIO_FIGURE(PEAK_BYTES, COUNTED, peak_bytes, "peak", "b", ROCE_ALWAYS,
		 "longest queue, wire bytes")
ROCE_PRIO_FIGURE(BYTE_NS, FOUND, area_kib_us, "area", "KiB*us", ROCE_ALWAYS,
		 "time integral of the queue: the mean between two reports is (difference x 1024000) / (difference of `now_ns`) bytes")
ROCE_PRIO_FIGURE(TX_PACKETS, COUNTED, tx_packets, "sent", "p", ROCE_ALWAYS,
		 "packets whose transmission has started")
ROCE_PRIO_FIGURE(TX_WIRE_BYTES, COUNTED, tx_wire_bytes, "", "b", ROCE_ALWAYS, "their wire bytes")
#endif
#if defined(ROCE_DROP) && (!defined(ROCE_PART) || ROCE_PART == 2)
ROCE_TITLE("    dropped")
TC_ROCE_DROPS(ROCE_DROP)
#endif
#if defined(ROCE_PRIO_FIGURE) && (!defined(ROCE_PART) || ROCE_PART == 2)
ROCE_TITLE("    paused by the peer")
ROCE_PRIO_FIGURE(PFC_INDICATIONS, FOUND, pfc_indications, "indications", "", ROCE_ALWAYS,
		 "pauses received for this priority")
ROCE_PRIO_FIGURE(PFC_RESUMED, FOUND, pfc_resumed, "resumes", "", ROCE_ALWAYS,
		 "resumes received for it")
ROCE_PRIO_FIGURE(PAUSE_NS, FOUND, pause_ns, "time", "ns", ROCE_ALWAYS,
		 "how long the peer has paused it, in all")
ROCE_PRIO_FIGURE(PAUSED, FOUND, paused, "now", "", ROCE_ALWAYS, "1 = the peer has paused it now")
ROCE_PRIO_FIGURE(PFC_IGNORED, FOUND, pfc_ignored, "ignored", "", 0,
		 "pauses received while it was not lossless, or not obeyed")
ROCE_PRIO_FIGURE(STORMS, FOUND, storms, "storms", "", 0, "storms that the watchdog found")
ROCE_TITLE("    pauses the peer")
ROCE_PRIO_FIGURE(PFC_REQUESTS, FOUND, pfc_requests, "requests", "", ROCE_ALWAYS,
		 "pauses sent, repetitions included")
ROCE_PRIO_FIGURE(PFC_RESUMES, FOUND, pfc_resumes, "resumes", "", ROCE_ALWAYS, "resumes sent")
ROCE_PRIO_FIGURE(XOFF_NS, FOUND, xoff_ns, "time", "ns", ROCE_ALWAYS,
		 "how long this port has paused its peer, in all")
ROCE_PRIO_FIGURE(XOFF, FOUND, xoff, "now", "", ROCE_ALWAYS,
		 "1 = this port has paused its peer now")
#endif
#if defined(ROCE_PRIO_FIGURE) && (!defined(ROCE_PART) || ROCE_PART == 3)
ROCE_TITLE("    buffer")
ROCE_PRIO_FIGURE(IN_BYTES, FOUND, in_bytes, "in", "b", ROCE_ALWAYS,
		 "bytes in the buffer, headroom included, that came in by this port in this lossless priority")
ROCE_PRIO_FIGURE(IN_PEAK_BYTES, FOUND, in_peak_bytes, "peak", "b", ROCE_ALWAYS, "their peak")
ROCE_PRIO_FIGURE(OUT_BYTES, FOUND, out_bytes, "out", "b", ROCE_ALWAYS,
		 "lossy bytes that wait or are being sent here and are charged to the buffer")
ROCE_PRIO_FIGURE(THRESHOLD, FOUND, threshold_bytes, "threshold", "b", ROCE_ALWAYS,
		 "what the account may hold of the shared pool at present, beyond its reserve")
ROCE_TITLE("    headroom")
ROCE_PRIO_FIGURE(HEADROOM_BYTES, FOUND, headroom_used_bytes, "", "b", ROCE_ALWAYS,
		 "bytes in the headroom now")
ROCE_PRIO_FIGURE(HEADROOM_SIZE, FOUND, headroom_bytes, "of", "b", ROCE_ALWAYS,
		 "its size in force: given, or computed")
ROCE_PRIO_FIGURE(HEADROOM_PEAK_BYTES, FOUND, headroom_peak_bytes, "peak", "b", ROCE_ALWAYS,
		 "peak of its use")
#endif

#ifdef ROCE_SWITCH_FIGURE
ROCE_SWITCH_FIGURE(PORTS, ports, "ports", "", ROCE_ALWAYS, "its ports")
ROCE_SWITCH_FIGURE(XOFF, xoff, "paused", "", 0, "(port, priority) pairs that are paused now")
ROCE_SWITCH_FIGURE(BUFFER, buffer_bytes, "buffer", "b", ROCE_ALWAYS, "size of the buffer")
ROCE_SWITCH_FIGURE(USED, used_bytes, "used", "b", ROCE_ALWAYS, "bytes of all packets in the switch")
ROCE_SWITCH_FIGURE(PEAK_USED, peak_used_bytes, "peak", "b", ROCE_ALWAYS, "highest use")
ROCE_TITLE("    used")
ROCE_SWITCH_FIGURE(SHARED_USED, shared_used_bytes, "shared", "b", ROCE_ALWAYS,
		   "used of the shared pool")
ROCE_SWITCH_FIGURE(SHARED, shared_bytes, "of", "b", ROCE_ALWAYS,
		   "its size: the buffer without reserves and headrooms")
ROCE_SWITCH_FIGURE(RESERVED_USED, reserved_used_bytes, "reserved", "b", ROCE_ALWAYS,
		   "used of the reserves")
ROCE_SWITCH_FIGURE(RESERVED, reserved_bytes, "of", "b", ROCE_ALWAYS, "sum of all reserves")
ROCE_SWITCH_FIGURE(HEADROOM_USED, headroom_used_bytes, "headroom", "b", ROCE_ALWAYS,
		   "used of the headrooms")
ROCE_SWITCH_FIGURE(HEADROOM, headroom_bytes, "of", "b", ROCE_ALWAYS, "sum of all headrooms")
#endif /* ROCE_SWITCH_FIGURE */
