/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Telemetry of constant size: only the most loaded port of a path is told, in 8 bytes,
 * RXE_CC_INT_DS_WORST. A port that carries more than what a packet brings puts its own word in
 * place of that; the first port of the path pushes it.
 *
 *	63    60 59      44 43       24 23         0
 *	| speed | identity | utilization |  drain   |
 *	|   4   |    16    |     20      |    24    |
 *
 * HPCC makes u of two samples of one port, but successive packets tell of different ports. So a
 * port says both summands of u, ready for use: the part of the line that it has used lately,
 * and how long its queue takes on the line,
 *
 *	u = utilization + drain / T
 *
 * Two ports differ in both, and which is worse depends on T. The source says its own in the MD
 * header's domain-specific flags, so all ports of the path judge as it would.
 *
 * What is lost against a hop for each port: a port measures over a time of its own
 * (roce_int_load.h), not over that between two packets of the flow; a queue is the smaller one
 * of now and of the port's last measurement, not of the flow's last packet; and who is worst may
 * change from packet to packet.
 *
 * Source: draft-pan-tsvwg-hpccplus-00, section 3, which leaves open how ports compare.
 */
#ifndef _RXE_CC_INT_WORST_H
#define _RXE_CC_INT_WORST_H

#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <rxe_cc/int_compact.h>

#define RXE_CC_WORST_BYTES		8

#define RXE_CC_WORST_SPEED_SHIFT	60
#define RXE_CC_WORST_ID_SHIFT		44
#define RXE_CC_WORST_UTIL_SHIFT		24
#define RXE_CC_WORST_UTIL_MAX		0xfffffU	/* Q16: almost 16 */
#define RXE_CC_WORST_DRAIN_MAX		0xffffffU	/* 16.8 ms, and all that is longer */

/* T in 16 bits: a mantissa of 12, and a power of two; 1/2048 too small at most. */
#define RXE_CC_WORST_T_BITS		12
#define RXE_CC_WORST_T_MASK		0xfffU
/* Whoever says less, or nothing, is taken to mean this. */
#define RXE_CC_WORST_T_MIN_NS		1000

/**
 * rxe_cc_worst_t_code() - T as packets have it
 * @t_ns: base round-trip time; 0: not known
 *
 * Return: the code; that of the largest T there is for all above 134 ms.
 */
static inline u16 rxe_cc_worst_t_code(u64 t_ns)
{
	unsigned int bits = fls64(t_ns);
	unsigned int shift = bits > RXE_CC_WORST_T_BITS ? bits - RXE_CC_WORST_T_BITS : 0;

	if (shift > 15)
		return U16_MAX;
	return shift << RXE_CC_WORST_T_BITS | (u16)(t_ns >> shift);
}

/**
 * rxe_cc_worst_t_ns() - T of a code
 * @code: as received
 *
 * Return: ns, %RXE_CC_WORST_T_MIN_NS at least.
 */
static inline u32 rxe_cc_worst_t_ns(u16 code)
{
	u32 t_ns = (code & RXE_CC_WORST_T_MASK) << (code >> RXE_CC_WORST_T_BITS);

	return max_t(u32, t_ns, RXE_CC_WORST_T_MIN_NS);
}

/**
 * rxe_cc_worst_word() - what a port says of itself
 * @mbps: its speed, Mbit/s
 * @id: its identity, as of rxe_cc_compact_path() of a path that begins there
 * @util_q16: part of the line that it has used, Q16
 * @drain_ns: time that its queue takes on the line
 *
 * Return: the word, to be written big endian.
 */
static inline u64 rxe_cc_worst_word(u64 mbps, u16 id, u64 util_q16, u64 drain_ns)
{
	return (u64)rxe_cc_compact_speed(mbps) << RXE_CC_WORST_SPEED_SHIFT |
	       (u64)id << RXE_CC_WORST_ID_SHIFT |
	       min_t(u64, util_q16, RXE_CC_WORST_UTIL_MAX) << RXE_CC_WORST_UTIL_SHIFT |
	       min_t(u64, drain_ns, RXE_CC_WORST_DRAIN_MAX);
}

static inline u32 rxe_cc_worst_util_q16(u64 word)
{
	return word >> RXE_CC_WORST_UTIL_SHIFT & RXE_CC_WORST_UTIL_MAX;
}

static inline u32 rxe_cc_worst_drain_ns(u64 word)
{
	return word & RXE_CC_WORST_DRAIN_MAX;
}

/**
 * rxe_cc_worst_load() - how loaded a port is
 * @word: what it says
 * @t_ns: T, not 0
 *
 * Return: u in Q16, below 2^41.
 */
static inline u64 rxe_cc_worst_load(u64 word, u32 t_ns)
{
	return rxe_cc_worst_util_q16(word) +
	       div_u64((u64)rxe_cc_worst_drain_ns(word) << 16, t_ns);
}

#endif /* _RXE_CC_INT_WORST_H */
