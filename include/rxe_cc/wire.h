/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rxe_cc peers send each other in RoCE packets: capabilities in the base
 * transport header (BTH), feedback behind the AETH of an ACK, reports and probes.
 *
 * Capabilities are bits of the seven reserved bits beside AckReq. The ICRC covers
 * them and other implementations ignore them.
 *
 * An ACK with feedback is BTH, AETH, TLVs, ICRC; a report, which has no ACK to go
 * with, is BTH, a header of its own, TLVs, ICRC. A TLV is a header of four bytes,
 * whose length counts the words of four bytes *behind* it, like the length of
 * INT's shim: no value of it lets a parser stand still. TLVs go only to peers
 * that have shown RXE_CC_CAP_TLV. An implementation that does not know them
 * ignores what is behind the AETH.
 */
#ifndef _RXE_CC_WIRE_H
#define _RXE_CC_WIRE_H

#include <linux/types.h>
#include <linux/unaligned.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/int_compact.h>
#include <rxe_cc/int_profile.h>

/* Capabilities, in BTH's resv7; others of its bits are sent as zero and ignored. */
#define RXE_CC_CAP_TLV		0x01	/* understands TLVs in ACKs */
#define RXE_CC_CAP_INT_SINK	0x02	/* takes INT off data, echoes it in ACKs */
#define RXE_CC_CAP_FB		0x08	/* understands %RXE_CC_TLV_FB */
#define RXE_CC_CAP_CNP_PSN	0x10	/* its CNPs name the packet that caused them */
#define RXE_CC_CAP_INT_PROFILES	0x20	/* a sink of INT in every profile */
#define RXE_CC_CAP_OBEYS	0x40	/* its sender goes by receivers' feedback */
#define RXE_CC_CAP_KNOWN	(RXE_CC_CAP_TLV | RXE_CC_CAP_INT_SINK | \
				 RXE_CC_CAP_FB | RXE_CC_CAP_CNP_PSN | \
				 RXE_CC_CAP_INT_PROFILES | RXE_CC_CAP_OBEYS)

/* Beside the capabilities, of one packet: it asks for %RXE_CC_TLV_TIME. */
#define RXE_CC_ASK_TIME		0x04

/* Of the six reserved bits beside FECN and BECN, which the ICRC does not cover and others
 * ignore, for IOFD in switches: how often this packet may be deflected; and that nothing of
 * its flow was under way when it was sent, so that it may take any way.
 */
#define RXE_CC_RESV6		0x3f
#define RXE_CC_TOKENS		0x07
#define RXE_CC_TOKENS_FIRST	0x08

/*
 * Packets of our own, with opcodes in the range reserved for vendors, to peers
 * that have shown %RXE_CC_CAP_TLV. Others drop them.
 *
 * A report is BTH, struct rxe_cc_report_hdr, TLVs, ICRC: feedback, where
 * there is no ACK. Its PSN is that of the packet reported on. A probe is BTH and
 * ICRC, with INT; it takes the data's class and path, its PSN is that of the last
 * packet sent, and it is answered by a report.
 */
#define RXE_CC_OPCODE_REPORT	0xc1
#define RXE_CC_OPCODE_PROBE	0xc2

/**
 * enum rxe_cc_report_kind - who reports what
 * @RXE_CC_REPORT_DATA: receiver of requests, on a SEND or WRITE packet
 * @RXE_CC_REPORT_RESP: receiver of READ responses, on one of them
 * @RXE_CC_REPORT_PROBE: receiver of a probe, on that
 * @RXE_CC_REPORT_SWITCH: a switch on the way of a request; the QP number is that
 *	of the request: the receiver's
 * @RXE_CC_REPORT_DIRECT: the same, a switch at a long link (LSCC): the hops are all so far,
 *	which the packet bears no more, and its pseudo queue
 * @RXE_CC_NR_REPORT_KINDS: end
 */
enum rxe_cc_report_kind {
	RXE_CC_REPORT_DATA = 1,
	RXE_CC_REPORT_RESP,
	RXE_CC_REPORT_PROBE,
	RXE_CC_REPORT_SWITCH,
	RXE_CC_REPORT_DIRECT,
	RXE_CC_NR_REPORT_KINDS,
};

/* It names the receiver's QP number, and is believed only where switches are. */
static inline bool rxe_cc_report_by_switch(u8 kind)
{
	return kind == RXE_CC_REPORT_SWITCH || kind == RXE_CC_REPORT_DIRECT;
}

/**
 * struct rxe_cc_report_hdr - behind the BTH of a report
 * @kind: enum rxe_cc_report_kind
 * @rsvd: sent as zero, ignored
 */
struct rxe_cc_report_hdr {
	u8 kind;
	u8 rsvd[3];
} __packed;

/**
 * struct rxe_cc_cnp_field - the reserved field of a CNP, behind its BTH
 * @window: bytes that may be in flight; with %RXE_CC_CNP_WINDOW
 * @flags: RXE_CC_CNP_*
 * @origin: enum rxe_cc_cnp_origin
 * @port: number of the switch port that made it, other than those of most ports; 0: it
 *	does not say; with %RXE_CC_CNP_FORWARD
 * @psn: of the packet that caused it, which shows that its author saw the flow; with
 *	%RXE_CC_CNP_PSN
 * @rsvd: sent as zero, ignored
 *
 * The standard's notification point sends zeros, and its receiver ignores the field.
 */
struct rxe_cc_cnp_field {
	__be32 window;
	u8 flags;
	u8 origin;
	__be16 port;
	__be32 psn;
	u8 rsvd[4];
} __packed;

/* A switch has made it, and knows only the observed packet's DestQP. */
#define RXE_CC_CNP_FORWARD	0x01
#define RXE_CC_CNP_WINDOW	0x02
#define RXE_CC_CNP_PSN		0x04

/**
 * struct rxe_cc_tlv - header of a TLV
 * @type: enum rxe_cc_tlv_type
 * @length: words of four bytes behind this header
 * @flags: by type; unknown flags are ignored
 */
struct rxe_cc_tlv {
	u8 type;
	u8 length;
	__be16 flags;
} __packed;

/**
 * enum rxe_cc_tlv_type - types of TLVs
 * @RXE_CC_TLV_INT: telemetry of the packet that is acknowledged: hops in the
 *	layout that the packet had, newest first as received. Compact hops have the
 *	id of their path in front: two bytes, and two reserved ones
 * @RXE_CC_TLV_TIME: TX timestamp that the packet carried, RX timestamp, time
 *	between reception and this ACK; ns, 8 bytes each. The flags say with which
 *	TTL or hop limit the packet came
 * @RXE_CC_TLV_WINDOW: retired, as the next two
 * @RXE_CC_TLV_SENDERS: retired
 * @RXE_CC_TLV_MESSAGES: retired
 * @RXE_CC_TLV_FB: feedback of the receiver's algorithm to the sender's: 4 bytes that
 *	say which algorithm, see rxe_cc_algo_id(), and 1 to RXE_CC_FB_MAX values of
 *	8 bytes
 */
enum rxe_cc_tlv_type {
	RXE_CC_TLV_INT = 1,
	RXE_CC_TLV_TIME,
	RXE_CC_TLV_WINDOW,
	RXE_CC_TLV_SENDERS,
	RXE_CC_TLV_MESSAGES,
	RXE_CC_TLV_FB,
};

#define RXE_CC_TLV_INT_E	0x0001	/* a port found no remaining hop count */
#define RXE_CC_TLV_INT_M	0x0002	/* a port found no room in the MTU */
#define RXE_CC_TLV_INT_LAYOUT	0x001c	/* enum rxe_cc_int_profile */
#define RXE_CC_TLV_INT_LAYOUT_SHIFT	2
#define RXE_CC_TLV_TIME_TTL	0x0100	/* the next are there */
#define RXE_CC_TLV_TIME_TTL_BITS	0x00ff
#define RXE_CC_TLV_PATH_WORDS	1
#define RXE_CC_TLV_TIME_WORDS	6
#define RXE_CC_TLV_FB_WORDS(n)	(1 + 2 * (n))
/* What each takes in a packet, with its header. */
#define RXE_CC_TLV_BYTES(words)		(sizeof(struct rxe_cc_tlv) + 4 * (words))
#define RXE_CC_TLV_TIME_BYTES		RXE_CC_TLV_BYTES(RXE_CC_TLV_TIME_WORDS)
#define RXE_CC_TLV_FB_BYTES(n)	RXE_CC_TLV_BYTES(RXE_CC_TLV_FB_WORDS(n))

/**
 * rxe_cc_algo_id() - number of an algorithm in packets
 * @name: its name
 *
 * FNV-1a, 32 bits: names need no registry. Two algorithms with the same number
 * would take each other's values for their own; then one of them needs another name.
 *
 * Return: the number.
 */
static inline u32 rxe_cc_algo_id(const char *name)
{
	u32 id = 2166136261U;

	for (; *name; name++)
		id = (id ^ (u8)*name) * 16777619U;
	return id;
}

/**
 * rxe_cc_tlv_int_bytes() - length of an INT echo
 * @profile: layout
 * @stack_bytes: its hops
 *
 * Return: bytes, with the header of the TLV.
 */
static inline unsigned int
rxe_cc_tlv_int_bytes(enum rxe_cc_int_profile profile, unsigned int stack_bytes)
{
	return sizeof(struct rxe_cc_tlv) + stack_bytes +
	       (profile == RXE_CC_INT_COMPACT ? 4 * RXE_CC_TLV_PATH_WORDS : 0);
}

/**
 * rxe_cc_tlv_int_write() - the head of an INT echo
 * @p: rxe_cc_tlv_int_bytes()
 * @profile: layout
 * @stack_bytes: whole hops, at most as many as the profile may have
 * @ver_flags: of the MD header they came with
 * @path: id of the path, for compact ones
 *
 * Return: where the hops go.
 */
static inline void *rxe_cc_tlv_int_write(void *p,
					 enum rxe_cc_int_profile profile,
					 unsigned int stack_bytes, u8 ver_flags,
					 u16 path)
{
	u16 flags = (ver_flags & RXE_CC_INT_E ? RXE_CC_TLV_INT_E : 0) |
		    (ver_flags & RXE_CC_INT_M ? RXE_CC_TLV_INT_M : 0) |
		    profile << RXE_CC_TLV_INT_LAYOUT_SHIFT;
	unsigned int bytes = rxe_cc_tlv_int_bytes(profile, stack_bytes);
	struct rxe_cc_tlv *tlv = p;

	tlv->type = RXE_CC_TLV_INT;
	tlv->length = (bytes - sizeof(*tlv)) / 4;
	put_unaligned_be16(flags, &tlv->flags);
	p = tlv + 1;
	if (profile == RXE_CC_INT_COMPACT) {
		put_unaligned_be16(path, p);
		put_unaligned_be16(0, p + 2);
		p += 4 * RXE_CC_TLV_PATH_WORDS;
	}
	return p;
}

static inline void *__rxe_cc_tlv_begin(void *p, u8 type, u8 words)
{
	struct rxe_cc_tlv *tlv = p;

	tlv->type = type;
	tlv->length = words;
	put_unaligned_be16(0, &tlv->flags);
	return tlv + 1;
}

/**
 * rxe_cc_tlv_time_write() - times of a packet
 * @p: RXE_CC_TLV_TIME_BYTES
 * @tx_ns: when it was sent, 0: unknown
 * @rx_ns: when it was received
 * @turnaround_ns: since then
 * @ttl: with which TTL or hop limit it came; 0: not known
 *
 * Return: what follows.
 */
static inline void *rxe_cc_tlv_time_write(void *p, u64 tx_ns, u64 rx_ns,
					  u64 turnaround_ns, u8 ttl)
{
	struct rxe_cc_tlv *tlv = p;

	p = __rxe_cc_tlv_begin(p, RXE_CC_TLV_TIME, RXE_CC_TLV_TIME_WORDS);
	if (ttl)
		put_unaligned_be16(RXE_CC_TLV_TIME_TTL | ttl, &tlv->flags);
	put_unaligned_be64(tx_ns, p);
	put_unaligned_be64(rx_ns, p + 8);
	put_unaligned_be64(turnaround_ns, p + 16);
	return p + 24;
}

/**
 * rxe_cc_tlv_fb_write() - feedback of an algorithm
 * @p: RXE_CC_TLV_FB_BYTES(@nr)
 * @algo_id: which algorithm
 * @fb: values
 * @nr: how many, 1 to RXE_CC_FB_MAX
 *
 * Return: what follows.
 */
static inline void *rxe_cc_tlv_fb_write(void *p, u32 algo_id,
					const u64 *fb, u8 nr)
{
	p = __rxe_cc_tlv_begin(p, RXE_CC_TLV_FB, RXE_CC_TLV_FB_WORDS(nr));
	put_unaligned_be32(algo_id, p);
	for (p += 4; nr; nr--, p += 8)
		put_unaligned_be64(*fb++, p);
	return p;
}

#endif /* _RXE_CC_WIRE_H */
