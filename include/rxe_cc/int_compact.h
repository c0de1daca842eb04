/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact in-band network telemetry (INT): one hop in 8 bytes, RXE_CC_INT_DS_COMPACT.
 *
 *	63    60 59          36 35        16 15      0
 *	| speed | egress time  |  txBytes   | queue  |
 *	|   4   |      24      |     20     |   16   |
 *
 * Time and txBytes are counters that wrap, rounded down; the queue is rounded to
 * nearest, and its largest value stands for all that is longer. Their units go with
 * the speed. They are chosen by what an error of one unit does to HPCC's
 *
 *	u = min(qlen, L.qlen) / (B T) + (txBytes - L.txBytes) / (ts - L.ts) / B
 *
 * which U takes in with the weight (ts - L.ts) / T. So one unit of txBytes moves U by
 * unit / (B T): by the time that the unit takes on the line, over T. From 10 Gbit/s on
 * that is at most 6.4 ns, and half a unit of the queue 6.4 ns too: with a T of 4 us
 * each is 0.16 % of U. The errors of txBytes do not add up: what one difference has
 * too much, the next has too little.
 *
 * Half a wrap of txBytes is the longest time between two samples that shows how much
 * a port sent: 670 us at 100 Gbit/s and more, 3.4 ms at 10.
 *
 * Source: the header of HPCC's public simulator has the same four fields, with other
 * units; the paper is SIGCOMM 2019, section 4.1.
 */
#ifndef _RXE_CC_INT_COMPACT_H
#define _RXE_CC_INT_COMPACT_H

#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define RXE_CC_COMPACT_BYTES		8

#define RXE_CC_COMPACT_SPEED_SHIFT	60
#define RXE_CC_COMPACT_TS_SHIFT		36
#define RXE_CC_COMPACT_TX_SHIFT		16
#define RXE_CC_COMPACT_TS_BITS		24
#define RXE_CC_COMPACT_TX_BITS		20
#define RXE_CC_COMPACT_TS_MASK		0xffffffU
#define RXE_CC_COMPACT_TX_MASK		0xfffffU
#define RXE_CC_COMPACT_QLEN_MAX		0xffffU

/* A port whose speed is none of the table says so, and nothing else. */
#define RXE_CC_COMPACT_OTHER		0
#define RXE_CC_COMPACT_NR_SPEEDS	13

/**
 * struct rxe_cc_compact_units - units of a speed class
 * @mbps: speed, Mbit/s; 0: the class has none
 * @ts_shift: unit of time, a power of two in ns
 * @tx_shift: unit of txBytes, a power of two in wire bytes
 * @qlen_shift: unit of the queue, the same
 */
struct rxe_cc_compact_units {
	u32 mbps;
	u8 ts_shift;
	u8 tx_shift;
	u8 qlen_shift;
};

/**
 * rxe_cc_compact_units() - what a speed class stands for
 * @speed: class, as in the upper four bits of a hop
 *
 * Return: its units; NULL when the class has no speed.
 */
static inline const struct rxe_cc_compact_units *
rxe_cc_compact_units(unsigned int speed)
{
	static const struct rxe_cc_compact_units
	units[RXE_CC_COMPACT_NR_SPEEDS] = {
		[1]  = {   1000, 6, 1,  2 },
		[2]  = {   2500, 5, 2,  2 },
		[3]  = {   5000, 4, 2,  3 },
		[4]  = {  10000, 3, 3,  4 },
		[5]  = {  20000, 2, 4,  5 },
		[6]  = {  25000, 2, 4,  5 },
		[7]  = {  40000, 1, 4,  6 },
		[8]  = {  50000, 1, 4,  6 },
		[9]  = { 100000, 0, 4,  7 },
		[10] = { 200000, 0, 5,  8 },
		[11] = { 400000, 0, 6,  9 },
		[12] = { 800000, 0, 7, 10 },
	};

	if (speed >= RXE_CC_COMPACT_NR_SPEEDS || !units[speed].mbps)
		return NULL;
	return &units[speed];
}

/**
 * rxe_cc_compact_speed() - class of a speed
 * @mbps: speed, Mbit/s
 *
 * Return: the class, or %RXE_CC_COMPACT_OTHER.
 */
static inline unsigned int rxe_cc_compact_speed(u64 mbps)
{
	unsigned int speed;

	for (speed = 1; speed < RXE_CC_COMPACT_NR_SPEEDS; speed++)
		if (rxe_cc_compact_units(speed)->mbps == mbps)
			return speed;
	return RXE_CC_COMPACT_OTHER;
}

/**
 * rxe_cc_compact_hop() - one hop
 * @mbps: speed of the port, Mbit/s
 * @ts_ns: egress time
 * @tx_bytes: wire bytes sent before
 * @qlen_bytes: wire bytes queued behind
 *
 * Return: the word, to be written big endian; all zero for a speed without a class.
 */
static inline u64 rxe_cc_compact_hop(u64 mbps, u64 ts_ns, u64 tx_bytes,
				     u64 qlen_bytes)
{
	unsigned int speed = rxe_cc_compact_speed(mbps);
	const struct rxe_cc_compact_units *u = rxe_cc_compact_units(speed);
	u64 qlen;

	if (!u)
		return 0;
	/* Nearest; without adding first, which could wrap. */
	qlen = (qlen_bytes >> u->qlen_shift) +
	       (qlen_bytes >> (u->qlen_shift - 1) & 1);
	return (u64)speed << RXE_CC_COMPACT_SPEED_SHIFT |
	       (ts_ns >> u->ts_shift & RXE_CC_COMPACT_TS_MASK) <<
	       RXE_CC_COMPACT_TS_SHIFT |
	       (tx_bytes >> u->tx_shift & RXE_CC_COMPACT_TX_MASK) <<
	       RXE_CC_COMPACT_TX_SHIFT |
	       min(qlen, (u64)RXE_CC_COMPACT_QLEN_MAX);
}

/**
 * struct rxe_cc_compact - one hop, taken apart
 * @units: of its speed
 * @speed: class of that
 * @ts: time in units, modulo 2^24
 * @tx: txBytes in units, modulo 2^20
 * @qlen_bytes: queue, wire bytes
 */
struct rxe_cc_compact {
	const struct rxe_cc_compact_units *units;
	u8 speed;
	u32 ts;
	u32 tx;
	u32 qlen_bytes;
};

/**
 * rxe_cc_compact_read() - take one hop apart
 * @word: the hop
 * @c: result
 *
 * Return: false when it has no speed; @c is then not written.
 */
static inline bool rxe_cc_compact_read(u64 word, struct rxe_cc_compact *c)
{
	u8 speed = word >> RXE_CC_COMPACT_SPEED_SHIFT;
	const struct rxe_cc_compact_units *u = rxe_cc_compact_units(speed);

	if (!u)
		return false;
	c->units = u;
	c->speed = speed;
	c->ts = word >> RXE_CC_COMPACT_TS_SHIFT & RXE_CC_COMPACT_TS_MASK;
	c->tx = word >> RXE_CC_COMPACT_TX_SHIFT & RXE_CC_COMPACT_TX_MASK;
	c->qlen_bytes = (u32)(word & RXE_CC_COMPACT_QLEN_MAX) << u->qlen_shift;
	return true;
}

/**
 * rxe_cc_compact_path() - id of a path, one port longer
 * @path: id of the path so far; 0 at its source
 * @node: identity of the switch
 * @port: egress port
 *
 * Every port that pushes a compact hop replaces the domain-specific flags of the MD
 * header by this, so that a sender sees a change of path without being told the
 * ports. Ports need not agree on the function: the sender only compares. Two paths
 * have the same id by a chance of 2^-16.
 *
 * Return: the id.
 */
static inline u16 rxe_cc_compact_path(u16 path, u32 node, u16 port)
{
	u64 x = (u64)node << 32 | (u32)port << 16 | path;

	x *= GOLDEN_RATIO_64;
	x ^= x >> 32;
	x *= GOLDEN_RATIO_64;
	return x >> 48;
}

/**
 * rxe_cc_compact_near() - a time near another one, of which the low bits are known
 * @low: low @bits bits
 * @bits: less than 64
 * @near: the other time, in the same unit
 *
 * Return: what has the low bits @low and is less than half of 2^@bits away from
 *	@near, or half of it before.
 */
static inline u64 rxe_cc_compact_near(u64 low, unsigned int bits, u64 near)
{
	u64 mask = (1ULL << bits) - 1, half = 1ULL << (bits - 1);

	return near + ((low - near + half) & mask) - half;
}

#endif /* _RXE_CC_INT_COMPACT_H */
