/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In-band network telemetry (INT) on the wire: INT-MD 2.1 between UDP and BTH.
 *
 * A packet is INT when its DSCP says so: its five-tuple, path and queue are
 * those of a packet without. Layout behind the UDP header:
 *
 *	shim (4), MD header (12), stack (4 * HopML for each hop, newest first)
 *
 * One hop, in this order: a field for each bit of the instruction bitmap, from
 * the most significant on, then one for each bit of the domain-specific
 * instructions, last the checksum complement. What a hop does not know it fills
 * with ones.
 *
 * Source: P4.org, "In-band Network Telemetry Dataplane Specification" 2.1.
 */
#ifndef _RXE_CC_INT_WIRE_H
#define _RXE_CC_INT_WIRE_H

#include <linux/bitops.h>
#include <linux/types.h>

#define RXE_CC_INT_UDP_PORT	4791	/* RoCEv2, with INT and without */
#define RXE_CC_INT_DSCP		27
#define RXE_CC_INT_DOMAIN	0x0cc1

/**
 * struct rxe_cc_int_shim - before the MD header
 * @type_npt: type in the upper four bits: 1 = MD; next protocol type in two
 *	bits: 0 = the UDP payload goes on behind the stack
 * @length: words of four bytes behind the shim: MD header and stack
 * @rsvd: zero
 * @dscp: in the upper six bits the DSCP that the source found; zero = not known
 */
struct rxe_cc_int_shim {
	u8 type_npt;
	u8 length;
	u8 rsvd;
	u8 dscp;
} __packed;

#define RXE_CC_INT_TYPE_MD	0x10
#define RXE_CC_INT_TYPE_MASK	0xf0
#define RXE_CC_INT_NPT_MASK	0x0c

/**
 * struct rxe_cc_int_md - MD header
 * @ver_flags: version in the upper four bits: 2; then D, E, M and a reserved
 *	bit
 * @rsvd: reserved
 * @hop_ml: three reserved bits, and HopML: words of a hop
 * @rem_hop: hops that may still push
 * @instr: instruction bitmap
 * @domain: of the domain-specific instructions
 * @ds_instr: domain-specific instructions
 * @ds_flags: domain-specific flags: with compact hops the id of the path so far,
 *	see rxe_cc_compact_path(); with the worst hop T, see rxe_cc_worst_t_code(); else zero
 */
struct rxe_cc_int_md {
	u8 ver_flags;
	u8 rsvd;
	u8 hop_ml;
	u8 rem_hop;
	__be16 instr;
	__be16 domain;
	__be16 ds_instr;
	__be16 ds_flags;
} __packed;

#define RXE_CC_INT_VERSION	0x20
#define RXE_CC_INT_VERSION_MASK	0xf0
#define RXE_CC_INT_D		0x08	/* the sink discards the packet */
#define RXE_CC_INT_E		0x04	/* a hop found no remaining hop count */
#define RXE_CC_INT_M		0x02	/* a hop would have exceeded the MTU */
#define RXE_CC_INT_HOP_ML_MASK	0x1f

/* Instruction bitmap: words of each in rxe_cc_int_words(). */
#define RXE_CC_INT_NODE_ID	BIT(15)	/* 4 */
#define RXE_CC_INT_PORTS	BIT(14)	/* 2 + 2, ingress and egress */
#define RXE_CC_INT_HOP_LATENCY	BIT(13)	/* 4, ns */
#define RXE_CC_INT_QUEUE	BIT(12)	/* queue id 1, occupancy 3, wire bytes */
#define RXE_CC_INT_INGRESS_TS	BIT(11)	/* 8, ns */
#define RXE_CC_INT_EGRESS_TS	BIT(10)	/* 8, ns, CLOCK_TAI */
#define RXE_CC_INT_L2_PORTS	BIT(9)	/* 4 + 4 */
#define RXE_CC_INT_TX_UTIL	BIT(8)	/* 4 */
#define RXE_CC_INT_BUFFER	BIT(7)	/* buffer id 1, occupancy 3 */
#define RXE_CC_INT_CHECKSUM	BIT(0)	/* 4, behind domain-specific fields */

/* Instructions whose length is known. */
#define RXE_CC_INT_KNOWN	(GENMASK(15, 7) | RXE_CC_INT_CHECKSUM)

/* Domain-specific instructions of RXE_CC_INT_DOMAIN, in domain-specific order. */
#define RXE_CC_INT_DS_TX_BYTES	BIT(15)	/* 8, wire bytes sent by the egress port */
#define RXE_CC_INT_DS_QLEN	BIT(14)	/* 4, wire bytes behind the packet */
#define RXE_CC_INT_DS_SPEED	BIT(13)	/* 4, Mbit/s */
#define RXE_CC_INT_DS_COMPACT	BIT(12)	/* 8, see <rxe_cc/int_compact.h> */
#define RXE_CC_INT_DS_WORST	BIT(11)	/* 8, see <rxe_cc/int_worst.h> */
#define RXE_CC_INT_DS_KNOWN	GENMASK(15, 11)

/* All that HPCC can use: 32 bytes a hop. */
#define RXE_CC_INT_HPCC_INSTR	(RXE_CC_INT_NODE_ID | RXE_CC_INT_PORTS | RXE_CC_INT_EGRESS_TS)
#define RXE_CC_INT_HPCC_DS	GENMASK(15, 13)
#define RXE_CC_INT_HPCC_HOP_ML	8
/* Where a hop has its egress time. */
#define RXE_CC_INT_HPCC_TS	8

/* The same in units, without identities: 8 bytes a hop. */
#define RXE_CC_INT_COMPACT_INSTR	0
#define RXE_CC_INT_COMPACT_DS		RXE_CC_INT_DS_COMPACT
#define RXE_CC_INT_COMPACT_HOP_ML	2

/* The most loaded port only: 8 bytes in all. */
#define RXE_CC_INT_WORST_INSTR		0
#define RXE_CC_INT_WORST_DS		RXE_CC_INT_DS_WORST
#define RXE_CC_INT_WORST_HOP_ML		2

/* When the first port sent it: 8 bytes in all. */
#define RXE_CC_INT_FIRST_INSTR		RXE_CC_INT_EGRESS_TS
#define RXE_CC_INT_FIRST_DS		0
#define RXE_CC_INT_FIRST_HOP_ML		2

#define RXE_CC_INT_HDR_BYTES	(sizeof(struct rxe_cc_int_shim) + sizeof(struct rxe_cc_int_md))
#define RXE_CC_INT_MD_WORDS	(sizeof(struct rxe_cc_int_md) / 4)
#define RXE_CC_INT_HOP_MAX	(RXE_CC_INT_HOP_ML_MASK * 4)

/* Behind the stack, at least: BTH and ICRC, which does not cover INT. */
#define RXE_CC_INT_REST_BYTES	(12 + 4)

/**
 * rxe_cc_int_words - length of one hop
 * @instr: instruction bitmap, all of it known
 * @ds_instr: domain-specific instructions, all of them known
 *
 * Return: words of four bytes.
 */
static inline unsigned int rxe_cc_int_words(u16 instr, u16 ds_instr)
{
	u16 two = instr & (RXE_CC_INT_INGRESS_TS | RXE_CC_INT_EGRESS_TS |
			   RXE_CC_INT_L2_PORTS);
	u16 ds_two = ds_instr & (RXE_CC_INT_DS_TX_BYTES | RXE_CC_INT_DS_COMPACT |
				 RXE_CC_INT_DS_WORST);

	/* Each field is a word, some are two: counted in one go. */
	return hweight64((u64)instr << 48 | (u64)two << 32 |
			 (u32)ds_instr << 16 | ds_two);
}

/**
 * enum rxe_cc_int_verdict - what is wrong with an INT header
 * @RXE_CC_INT_OK: nothing
 * @RXE_CC_INT_SHORT: the packet ends within it
 * @RXE_CC_INT_SHIM: not INT-MD in front of the UDP payload
 * @RXE_CC_INT_OTHER_VERSION: not version 2
 * @RXE_CC_INT_LENGTH: lengths of shim, stack and hop contradict each other
 */
enum rxe_cc_int_verdict {
	RXE_CC_INT_OK,
	RXE_CC_INT_SHORT,
	RXE_CC_INT_SHIM,
	RXE_CC_INT_OTHER_VERSION,
	RXE_CC_INT_LENGTH,
};

/**
 * rxe_cc_int_check - is this an INT-MD header whose lengths agree?
 * @hdr: shim and MD header, RXE_CC_INT_HDR_BYTES
 * @payload_bytes: UDP payload, which begins at @hdr; it may be shorter than
 *	the header
 * @rest_bytes: what must at least follow the stack
 *
 * The stack, 4 * (length - RXE_CC_INT_MD_WORDS) bytes, is then within the
 * payload and holds whole hops.
 *
 * Return: %RXE_CC_INT_OK or what is wrong.
 */
static inline enum rxe_cc_int_verdict
rxe_cc_int_check(const void *hdr, unsigned int payload_bytes,
		 unsigned int rest_bytes)
{
	const struct rxe_cc_int_shim *shim = hdr;
	const struct rxe_cc_int_md *md = (const void *)(shim + 1);
	unsigned int stack, hop_ml;

	if (payload_bytes < RXE_CC_INT_HDR_BYTES + rest_bytes)
		return RXE_CC_INT_SHORT;
	if ((shim->type_npt & (RXE_CC_INT_TYPE_MASK | RXE_CC_INT_NPT_MASK)) !=
	    RXE_CC_INT_TYPE_MD)
		return RXE_CC_INT_SHIM;
	if ((md->ver_flags & RXE_CC_INT_VERSION_MASK) != RXE_CC_INT_VERSION)
		return RXE_CC_INT_OTHER_VERSION;

	hop_ml = md->hop_ml & RXE_CC_INT_HOP_ML_MASK;
	if (!hop_ml || shim->length < RXE_CC_INT_MD_WORDS)
		return RXE_CC_INT_LENGTH;
	stack = shim->length - RXE_CC_INT_MD_WORDS;
	if (stack % hop_ml)
		return RXE_CC_INT_LENGTH;
	if (payload_bytes < RXE_CC_INT_HDR_BYTES + 4 * stack + rest_bytes)
		return RXE_CC_INT_SHORT;
	return RXE_CC_INT_OK;
}

#endif /* _RXE_CC_INT_WIRE_H */
