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
 * defaults. Unknown ones are refused.
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
	/* u32, which switch of this network namespace; none = a NIC port; none */
	TCA_ROCE_SWITCH,
	/*
	 * u64 wire bytes, the switch's: the same on all its ports. Setting it on
	 * one port sets it for the switch. Left out on add: the switch's own,
	 * or 32 MiB when that is new. Refused without a switch.
	 */
	TCA_ROCE_BUFFER,
	TCA_ROCE_PEER_MTU,	/* u32 bytes the peer may send; 0 = the device's own; 0 */
	TCA_ROCE_PFC_QUANTA,	/* u16 of each pause sent, 512 bit times, not 0; 65535 */
	TCA_ROCE_PFC_RESPONSE,	/* u64 ns from a PFC frame's last bit to its effect; 0 */
	/*
	 * u64 ns paused on end = storm; 0 = off; all ones = auto: on a port of a
	 * switch 200 ms, or five times what its buffer takes to drain at line rate
	 * if that is longer; without a switch off; auto
	 */
	TCA_ROCE_PFC_WATCHDOG,
	TCA_ROCE_PFC_WATCHDOG_ACTION, /* u8 enum tc_roce_watchdog; drop */
	TCA_ROCE_INT,		/* u8 0 or 1: push INT metadata here; 1 */
	TCA_ROCE_INT_DSCP,	/* u8 0..63 that INT packets have; 27 */
	TCA_ROCE_INT_DOMAIN,	/* u16 domain of the metadata beyond the standard's; 0x0cc1 */
	TCA_ROCE_INT_NODE,	/* u32 node id; 0 = last four bytes of the MAC address; 0 */
	TCA_ROCE_INT_PORT,	/* u16 port id; 0 = interface index; 0 */
	/* u64 ns from one INT response to the next of the same flow; 10000 */
	TCA_ROCE_INT_RESPONSE_INTERVAL,
	/* u64 ns: a pause so soon after a storm's is that storm again; 200 ms */
	TCA_ROCE_PFC_WATCHDOG_RESTORE,
	TCA_ROCE_PFC_OBEY,	/* u8 0 or 1: pauses of the peer have an effect; 1 */
	TCA_ROCE_TESTFEAT_INTERVAL, /* u64 ns, timer of the test feature; 0 = none; 0 */
	/*
	 * u8 0 or 1: packets go to the veth peer's receive path without the driver
	 * and the backlog, one timer for all such ports: for networks in one kernel; 0
	 */
	TCA_ROCE_DIRECT,
	/* The clock of this port's INT times: */
	TCA_ROCE_INT_CLOCK_OFFSET, /* u64 ns, ahead by so much; 0 */
	TCA_ROCE_INT_CLOCK_JITTER, /* u64 ns, ahead by up to so much more, each packet; 0 */
	TCA_ROCE_INT_CLOCK_RATE, /* u32 ns that it counts in a second; 10^9 */
	TCA_ROCE_MERCURY_BASE_RTT, /* u64 ns, round trip without queues, for windows; 12000 */
	TCA_ROCE_MERCURY_PERIOD, /* u64 ns, T: from one look at a queue to the next; 10000 */
	/* u64 ns from one of Mercury's CNPs to the next of the same flow; 0 = base RTT; 0 */
	TCA_ROCE_MERCURY_INTERVAL,
	TCA_ROCE_MERCURY_ECN,	/* u8 0 or 1: go on marking in Mercury's priorities; 0 */
	TCA_ROCE_IOFD_LINK,	/* u8 enum tc_roce_iofd_link; none */
	/* u64 ns of silence after which a flow is no longer deflected: */
	TCA_ROCE_IOFD_HOLD,	/* behind the last packet of a message; 100000 */
	TCA_ROCE_IOFD_IDLE,	/* behind any other, at least that; 1000000 */
	TCA_ROCE_LSCC_SELF,	/* u32 this switch's IPv4 address, as a number; 0 = none; 0 */
	TCA_ROCE_LSCC_PEER,	/* u32 that of the switch at the other end of the link; 0 */
	TCA_ROCE_LSCC_QREF,	/* u32 wire bytes that came by the link, to aim at; 2000000 */
	TCA_ROCE_LSCC_PSEUDO,	/* u32 wire bytes, pseudo queue that makes CNPs; 2000000 */
	TCA_ROCE_LSCC_PERIOD,	/* u64 ns, T: from one feedback rate to the next; 200000 */
	TCA_ROCE_LSCC_RTT,	/* u64 ns, round trip of the link, 0 = twice the delay; 0 */
	TCA_ROCE_LSCC_STEP,	/* u64 bit/s from one feedback rate to the next at most; 10^9 */
	TCA_ROCE_LSCC_MIN,	/* u64 bit/s, lowest feedback rate; 10^8 */
	TCA_ROCE_LSCC_MAX,	/* u64 bit/s, highest; 0 = the line's; 0 */
	TCA_ROCE_LSCC_INTERVAL,	/* u64 ns from one direct CNP or INT of a flow to the next; 4000 */
	/* u64 wire bytes: who has sent less is told, marked or not; 0 = the link's in RTT; 0 */
	TCA_ROCE_LSCC_THRESHOLD,
	TCA_ROCE_LSCC_EXPIRY,	/* u64 ns that a feedback rate holds; 0 = ten periods; 0 */
	TCA_ROCE_LSCC_REPLY,	/* u8 enum tc_roce_lscc_reply; TC_ROCE_LSCC_REPLY_CNP */
	/*
	 * u64 wire bytes under way to the peer; what is sent beyond that is lost. 0 = auto:
	 * 256 MiB, or an eighth of the memory if that is less; 0
	 */
	TCA_ROCE_WIRE_LIMIT,
	TCA_ROCE_WIRE_PACKETS,	/* u32 packets likewise; 0 = auto: one a KiB of the other; 0 */
	TCA_ROCE_LSCC_CLEAR,	/* u8 enum tc_roce_lscc_clear; TC_ROCE_LSCC_CLEAR_ALWAYS */

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
	TCA_ROCE_PRIO_ECN_NOT_ECT,	/* u8 enum tc_roce_not_ect; pass */
	/*
	 * u8 0 or 1; 0. 1: the port obeys PFC for this priority; a switch port
	 * also sends it, and never drops what arrives in time.
	 */
	TCA_ROCE_PRIO_LOSSLESS,
	/* The rest needs a switch: without, any but the default is refused. */
	TCA_ROCE_PRIO_RESERVE,		/* u32 bytes of the buffer for this one alone; 0 */
	/*
	 * u32 in 1/65536: may hold alpha * (free shared buffer); 0 = auto: 8, and
	 * 1/8 when lossless; 0
	 */
	TCA_ROCE_PRIO_ALPHA,
	TCA_ROCE_PRIO_XOFF,		/* u32 bytes, fixed threshold, not with ALPHA; 0 */
	TCA_ROCE_PRIO_XON,		/* u32 bytes, resume at or below, not above XOFF; 0 */
	TCA_ROCE_PRIO_XON_OFFSET,	/* u32 bytes below the threshold by alpha; 4096 */
	TCA_ROCE_PRIO_HEADROOM,		/* u32 bytes, when lossless not 0; auto */
	/*
	 * u32 wire bytes: an INT packet that meets a queue of as many has its sender
	 * told at once; 0 = off; 0. Needs TCA_ROCE_INT 1
	 */
	TCA_ROCE_PRIO_INT_RESPONSE,
	/* u32 TC_ROCE_TESTFEAT_*, the test feature; refused without its module; 0 */
	TCA_ROCE_PRIO_TESTFEAT,
	/*
	 * u32 wire bytes: from a longer queue on Mercury tells senders; 0 = off, all ones =
	 * kmin of ECN; 0. Refused without a switch
	 */
	TCA_ROCE_PRIO_MERCURY,
	/*
	 * u32 wire bytes: a short flow that comes with more ahead of it leaves by another
	 * port; 0 = off; 0. Refused without a switch
	 */
	TCA_ROCE_PRIO_IOFD,
	/*
	 * u8 DSCP that packets get which turn from a port that leads up to one that leads
	 * up; 0 = none; 0. Refused without a switch
	 */
	TCA_ROCE_PRIO_IOFD_ESCAPE,
	/* u8 0 or 1: the port is at a long link, and runs LSCC; 0. Lossless, on a switch */
	TCA_ROCE_PRIO_LSCC,

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

/* A priority paused without a break for longer than the watchdog allows. */
enum tc_roce_watchdog {
	TC_ROCE_WATCHDOG_REPORT,	/* only count it and say so */
	TC_ROCE_WATCHDOG_DROP,		/* discard the waiting packets, until resumed */
	TC_ROCE_WATCHDOG_IGNORE,	/* send in spite of it, until resumed */

	__TC_ROCE_WATCHDOG_MAX,
};

/*
 * Statistics, in TCA_STATS2 / TCA_STATS_APP, exact at the time of the report.
 * Counters only grow. What is 0 may be left out, and a u64 that fits into a u32 has
 * the length of one. A packet counts as queued until its transmission starts and
 * as sent from then on.
 */
enum {
	TCA_ROCE_XSTATS_UNSPEC,
	TCA_ROCE_XSTATS_PAD,
	TCA_ROCE_XSTATS_NOW,		/* u64 ns, CLOCK_MONOTONIC of this report */
	TCA_ROCE_XSTATS_BUSY,		/* u64 ns the line was sending */
	TCA_ROCE_XSTATS_TX_WIRE_BYTES,	/* u64, PFC frames and overhead included */
	TCA_ROCE_XSTATS_TX_PACKETS,	/* u64, PFC frames included */
	TCA_ROCE_XSTATS_IN_FLIGHT,	/* u32 packets being sent or propagating */
	TCA_ROCE_XSTATS_PRIO,		/* nested TCA_ROCE_PSTATS_*, once a priority in use */
	TCA_ROCE_XSTATS_SWITCH,		/* nested TCA_ROCE_SSTATS_*, of the whole switch */
	TCA_ROCE_XSTATS_PFC_TX,		/* u64 PFC frames sent */
	TCA_ROCE_XSTATS_PFC_TX_NOMEM,	/* u64 not sent for want of memory */
	TCA_ROCE_XSTATS_PFC_RX,		/* u64 well-formed PFC frames received */
	TCA_ROCE_XSTATS_PFC_BAD,	/* u64 malformed ones, ignored */
	TCA_ROCE_XSTATS_PFC_OTHER,	/* u64 other MAC control frames, ignored */
	TCA_ROCE_XSTATS_INT_PUSHED,	/* u64 INT packets that got metadata here */
	TCA_ROCE_XSTATS_INT_HOP_LIMIT,	/* u64 remaining hops were 0: E set */
	TCA_ROCE_XSTATS_INT_MTU,	/* u64 would have become too long: M set */
	TCA_ROCE_XSTATS_INT_BAD,	/* u64 malformed, passed untouched */
	TCA_ROCE_XSTATS_INT_UNSUPPORTED, /* u64 other version or instructions, untouched */
	TCA_ROCE_XSTATS_INT_NOMEM,	/* u64 header could not be made writable, untouched */
	/* u32, as in force: given, or found */
	TCA_ROCE_XSTATS_INT_NODE,
	TCA_ROCE_XSTATS_INT_PORT,	/* u16 */
	/* u8, bit per priority in use that did not fit into the message */
	TCA_ROCE_XSTATS_TRUNCATED,
	TCA_ROCE_XSTATS_INT_RESPONSE_SENT, /* u64 INT responses on their way */
	TCA_ROCE_XSTATS_INT_RESPONSE_DAMPED, /* u64 not sent, so soon after another */
	TCA_ROCE_XSTATS_INT_RESPONSE_FAILED, /* u64 no memory, no way back, no room there */
	TCA_ROCE_XSTATS_PFC_WATCHDOG,	/* u64 ns, as in force; 0 = off */
	/* The test feature's. */
	TCA_ROCE_XSTATS_TESTFEAT_CALLS,	/* u64 calls for packets and pauses */
	TCA_ROCE_XSTATS_TESTFEAT_TIMERS,	/* u64 calls of its timer */
	TCA_ROCE_XSTATS_TESTFEAT_REPLIES,	/* u64 CNPs sent */
	TCA_ROCE_XSTATS_TESTFEAT_WRONG,	/* u64 its account of a queue was not the port's */
	TCA_ROCE_XSTATS_MERCURY_CNPS,	/* u64 CNPs on their way */
	TCA_ROCE_XSTATS_MERCURY_DAMPED,	/* u64 not sent, so soon after another */
	TCA_ROCE_XSTATS_MERCURY_FAILED,	/* u64 no memory, no way back, no room there */
	TCA_ROCE_XSTATS_MERCURY_FLOWS,	/* u64 flows with packets waiting now */
	TCA_ROCE_XSTATS_MERCURY_FLOWS_PEAK, /* u64 the most there were */
	TCA_ROCE_XSTATS_MERCURY_NO_PLACE, /* u64 packets of flows without a place in the table */
	/* IOFD, of packets that were routed to this port: */
	TCA_ROCE_XSTATS_IOFD_FLOWS,	/* u64 entries made: flows deflected */
	TCA_ROCE_XSTATS_IOFD_PACKETS,	/* u64 packets that left by another port */
	TCA_ROCE_XSTATS_IOFD_BYTES,	/* u64 their wire bytes */
	TCA_ROCE_XSTATS_IOFD_TAKEN,	/* u64 packets that others have sent to this port */
	TCA_ROCE_XSTATS_IOFD_FULL,	/* u64 flows not deflected: the table was full */
	TCA_ROCE_XSTATS_IOFD_NO_PORT,	/* u64 flows not deflected: no other port was fit */
	TCA_ROCE_XSTATS_IOFD_LOST_PORT,	/* u64 entries whose port had gone */
	TCA_ROCE_XSTATS_IOFD_ESCAPED,	/* u64 packets that turned up, DSCP changed */
	TCA_ROCE_XSTATS_IOFD_NO_ESCAPE,	/* u64 packets that turned up, nothing to change to */
	TCA_ROCE_XSTATS_IOFD_FAILED,	/* u64 packets lost for want of memory */
	TCA_ROCE_XSTATS_IOFD_ENTRIES,	/* u64 the switch's: entries now */
	TCA_ROCE_XSTATS_IOFD_ENTRIES_PEAK, /* u64 the switch's: the most there were */
	TCA_ROCE_XSTATS_LSCC_RATE,	/* u64 bit/s, the last feedback rate sent */
	TCA_ROCE_XSTATS_LSCC_SENT,	/* u64 feedback messages sent */
	TCA_ROCE_XSTATS_LSCC_UNSENT,	/* u64 no memory, no link, no room */
	TCA_ROCE_XSTATS_LSCC_LIMIT,	/* u64 bit/s, the peer's feedback rate; 0 = none in force */
	TCA_ROCE_XSTATS_LSCC_PSEUDO,	/* u64 wire bytes, pseudo queue now */
	TCA_ROCE_XSTATS_LSCC_PSEUDO_PEAK, /* u64 longest pseudo queue */
	TCA_ROCE_XSTATS_LSCC_HEARD,	/* u64 feedback messages believed */
	TCA_ROCE_XSTATS_LSCC_REFUSED,	/* u64 malformed, or not from the peer to us */
	TCA_ROCE_XSTATS_LSCC_LATE,	/* u64 no newer than the one in force */
	TCA_ROCE_XSTATS_LSCC_EXPIRED,	/* u64 times that no message came for too long */
	TCA_ROCE_XSTATS_LSCC_CNPS,	/* u64 direct CNPs on their way */
	TCA_ROCE_XSTATS_LSCC_DAMPED,	/* u64 not sent, so soon after another */
	TCA_ROCE_XSTATS_LSCC_FAILED,	/* u64 no memory, no way back, no room there */
	TCA_ROCE_XSTATS_LSCC_CLEARED,	/* u64 packets from inside whose CE became ECT */
	TCA_ROCE_XSTATS_LSCC_UNCLEARED,	/* u64 no memory to copy a shared header */
	TCA_ROCE_XSTATS_LSCC_MARKED,	/* u64 CNPs of receivers that came by the link */
	TCA_ROCE_XSTATS_LSCC_NO_PLACE,	/* u64 packets and CNPs without a place in a table */
	TCA_ROCE_XSTATS_LSCC_INTS,	/* u64 direct INT on its way */
	TCA_ROCE_XSTATS_LSCC_TAKEN,	/* u64 packets whose hops were taken off */
	TCA_ROCE_XSTATS_LSCC_UNTAKEN,	/* u64 no memory, or a UDP checksum */

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
	TCA_ROCE_PSTATS_DROP_NOT_ECT,	/* u64 packets to be marked, but not ECT: lost */
	TCA_ROCE_PSTATS_DROP_BUFFER,	/* u64 lossy packets over their share of the buffer */
	TCA_ROCE_PSTATS_DROP_HEADROOM,	/* u64 lossless packets over the headroom */
	TCA_ROCE_PSTATS_DROP_WATCHDOG,	/* u64 packets lost in a PFC storm */
	/* PFC. Requests are what this port asks of its peer, indications the reverse. */
	TCA_ROCE_PSTATS_PFC_REQUESTS,	/* u64 pauses sent, refreshes included */
	TCA_ROCE_PSTATS_PFC_RESUMES,	/* u64 resumes sent */
	TCA_ROCE_PSTATS_PFC_INDICATIONS, /* u64 pauses received */
	TCA_ROCE_PSTATS_PFC_RESUMED,	/* u64 resumes received */
	/* u64 received for this priority, which is not lossless or does not obey */
	TCA_ROCE_PSTATS_PFC_IGNORED,
	TCA_ROCE_PSTATS_PAUSED,		/* u8 1 = the peer has paused this priority now */
	TCA_ROCE_PSTATS_PAUSE_NS,	/* u64 ns this priority has been paused */
	TCA_ROCE_PSTATS_XOFF,		/* u8 1 = this port has paused its peer now */
	TCA_ROCE_PSTATS_XOFF_NS,	/* u64 ns in that state */
	TCA_ROCE_PSTATS_STORMS,		/* u64 times the watchdog found a storm */
	/* Of a port of a switch: what came in through it in this lossless priority. */
	TCA_ROCE_PSTATS_IN_BYTES,	/* u64 wire bytes in the buffer, headroom included */
	TCA_ROCE_PSTATS_IN_PEAK_BYTES,	/* u64 */
	TCA_ROCE_PSTATS_HEADROOM_BYTES,	/* u64 thereof in the headroom */
	TCA_ROCE_PSTATS_HEADROOM_PEAK_BYTES, /* u64 */
	TCA_ROCE_PSTATS_HEADROOM_SIZE,	/* u64 as in force: given, or computed */
	TCA_ROCE_PSTATS_THRESHOLD,	/* u64 bytes beyond the reserve, at present */
	/* u64 lossy: wire bytes that wait or are sent here, charged to the buffer */
	TCA_ROCE_PSTATS_OUT_BYTES,
	TCA_ROCE_PSTATS_DROP_FEATURE,	/* u64 packets that a feature refused */
	TCA_ROCE_PSTATS_TESTFEAT_BYTES,	/* u64 wire bytes queued, by the test feature's account */
	TCA_ROCE_PSTATS_MERCURY_UNDETERMINED, /* u64 1 = Undetermined now */
	TCA_ROCE_PSTATS_MERCURY_ENTERED, /* u64 times it has become that */
	TCA_ROCE_PSTATS_MERCURY_CONGESTED, /* u64 packets to a long queue: Determined */
	TCA_ROCE_PSTATS_MERCURY_SPARED, /* u64 packets to a long queue: Undetermined */
	TCA_ROCE_PSTATS_DROP_WIRE_LIMIT, /* u64 packets sent while the wire was full */

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
	TCA_ROCE_SSTATS_ID,		/* u32 as configured */
	TCA_ROCE_SSTATS_BRIDGE,		/* u32 ifindex of the bridge of an "auto" switch, or 0 */
	TCA_ROCE_SSTATS_PORTS,		/* u32 */
	TCA_ROCE_SSTATS_BUFFER,		/* u64 bytes */
	TCA_ROCE_SSTATS_RESERVED,	/* u64 sum of all reserves */
	TCA_ROCE_SSTATS_HEADROOM,	/* u64 sum of all headrooms */
	TCA_ROCE_SSTATS_SHARED,		/* u64 the rest */
	TCA_ROCE_SSTATS_USED,		/* u64 bytes of all packets in the switch */
	TCA_ROCE_SSTATS_RESERVED_USED,	/* u64 */
	TCA_ROCE_SSTATS_HEADROOM_USED,	/* u64 */
	TCA_ROCE_SSTATS_SHARED_USED,	/* u64 */
	TCA_ROCE_SSTATS_PEAK_USED,	/* u64 */
	TCA_ROCE_SSTATS_XOFF,		/* u32 (port, priority) pairs paused now */

	__TCA_ROCE_SSTATS_MAX,
};

#define TCA_ROCE_SSTATS_MAX (__TCA_ROCE_SSTATS_MAX - 1)

#endif /* _UAPI_LINUX_PKT_SCHED_ROCE_H */
