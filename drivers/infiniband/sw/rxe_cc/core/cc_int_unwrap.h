/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwraps the counters of compact in-band network telemetry (<rxe_cc/int_compact.h>) to 64 bits,
 * from packet to packet. Pure functions, no clock, no lock.
 *
 * How often a port's time has wrapped since the last packet follows from the own clock:
 * the time between two packets at a port differs from that between their arrivals by
 * no more than the queues behind the port. It is taken to be within half a wrap of
 * it, which is 8.4 ms or more. So whatever a packet claims, a port's time stays within
 * that of the own clock.
 *
 * How often txBytes has wrapped follows from that time and the speed of the port, as
 * long as the port cannot have sent more than half a wrap. After a longer time, with
 * another path, another number of ports or another speed, the hops start anew: they
 * then bear another node, so that nobody compares them with earlier ones.
 */
#ifndef _RXE_CC_INT_UNWRAP_H
#define _RXE_CC_INT_UNWRAP_H

#include <linux/math64.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/int_compact.h>
#include <rxe_cc/int_profile.h>
#include <rxe_cc/int_worst.h>

/**
 * enum rxe_cc_extended - what became of compact hops
 * @RXE_CC_EXTENDED: they continue those before
 * @RXE_CC_EXTEND_ANEW: they are the first, or of another path
 * @RXE_CC_EXTEND_FAR: they come too long after those before
 * @RXE_CC_EXTEND_BAD: one has no speed; nothing has changed
 */
enum rxe_cc_extended {
	RXE_CC_EXTENDED,
	RXE_CC_EXTEND_ANEW,
	RXE_CC_EXTEND_FAR,
	RXE_CC_EXTEND_BAD,
};

/**
 * struct rxe_cc_worst_sum - the worst hop's utilization, summed up over time
 * @at_ns: when the last one came; 0: none has
 * @tx_bytes: what the own line would have sent so far at that utilization
 * @tx_q16: and parts of a byte, Q16
 */
struct rxe_cc_worst_sum {
	u64 at_ns;
	u64 tx_bytes;
	u16 tx_q16;
};

/* A word holds no longer: somebody who sends again after a pause has not heard of it. */
#define RXE_CC_WORST_HOLD_NS	(1ULL * NSEC_PER_SEC)
/* In place of a node's identity: the hop is never that of one port. */
#define RXE_CC_WORST_NODE	U32_MAX

/**
 * struct rxe_cc_extend - the last compact hops of a direction of a flow
 * @at_ns: when they arrived
 * @hop: what each had last; nearest first
 * @hop.ts_ns: time, extended
 * @hop.tx_bytes: txBytes, extended
 * @hop.speed: class of its speed
 * @epoch: changes whenever the hops start anew
 * @path: id of their path
 * @nr: how many; 0: none yet
 * @worst: of telemetry of constant size
 */
struct rxe_cc_extend {
	u64 at_ns;
	struct {
		u64 ts_ns;
		u64 tx_bytes;
		u8 speed;
	} hop[RXE_CC_INT_MAX_HOPS];
	u16 epoch;
	u16 path;
	u8 nr;
	struct rxe_cc_worst_sum worst;
};

/* Half a wrap of txBytes: what a port may send at most between two packets. */
static inline u64 rxe_cc_extend_max_bytes(const struct rxe_cc_compact_units *u)
{
	return 1ULL << (RXE_CC_COMPACT_TX_BITS - 1 + u->tx_shift);
}

/* Are two packets so near that the port cannot have sent more than half a wrap of txBytes? */
static inline bool rxe_cc_extend_reaches(const struct rxe_cc_compact_units *u,
					 u64 ns)
{
	return rxe_cc_bytes_in(u->mbps * 1000000ULL, ns) <=
	       rxe_cc_extend_max_bytes(u);
}

/**
 * rxe_cc_extend_word() - one of compact hops
 * @hops: as received, newest first
 * @nr: how many
 * @i: which; 0 is the nearest port
 *
 * Return: the hop.
 */
static inline u64 rxe_cc_extend_word(const u8 *hops, u8 nr, unsigned int i)
{
	return get_unaligned_be64(hops + (nr - 1 - i) * RXE_CC_COMPACT_BYTES);
}

/* Is it the path of before? Of ports without a speed nothing is. */
static inline enum rxe_cc_extended
__rxe_cc_extend_check(const struct rxe_cc_extend *e, const u8 *hops, u8 nr,
		      u16 path)
{
	bool same = e->nr == nr && e->path == path;
	struct rxe_cc_compact c;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!rxe_cc_compact_read(rxe_cc_extend_word(hops, nr, i), &c))
			return RXE_CC_EXTEND_BAD;
		same = same && e->hop[i].speed == c.speed;
	}
	return same ? RXE_CC_EXTENDED : RXE_CC_EXTEND_ANEW;
}

/* Port @i sent @c, @ago_ns after the last time. False: that is too long. */
static inline bool __rxe_cc_extend_go_on(struct rxe_cc_extend *e, unsigned int i,
					 const struct rxe_cc_compact *c,
					 u64 ago_ns)
{
	unsigned int ts_shift = c->units->ts_shift;
	unsigned int tx_shift = c->units->tx_shift;
	u64 ts = e->hop[i].ts_ns >> ts_shift, tx = e->hop[i].tx_bytes >> tx_shift;
	s64 passed;

	passed = rxe_cc_compact_near(c->ts, RXE_CC_COMPACT_TS_BITS,
				     ts + (ago_ns >> ts_shift)) - ts;
	tx += (c->tx - tx) & RXE_CC_COMPACT_TX_MASK;
	e->hop[i].ts_ns += (u64)passed << ts_shift;
	e->hop[i].tx_bytes = tx << tx_shift;
	return passed <= 0 ||
	       rxe_cc_extend_reaches(c->units, (u64)passed << ts_shift);
}

static inline void __rxe_cc_extend_begin(struct rxe_cc_extend *e, unsigned int i,
					 const struct rxe_cc_compact *c,
					 u64 tai_ns)
{
	u64 ts = rxe_cc_compact_near(c->ts, RXE_CC_COMPACT_TS_BITS,
				     tai_ns >> c->units->ts_shift);

	e->hop[i].speed = c->speed;
	e->hop[i].ts_ns = ts << c->units->ts_shift;
	e->hop[i].tx_bytes = (u64)c->tx << c->units->tx_shift;
}

/**
 * rxe_cc_extend() - take in compact hops
 * @e: state of the direction, zero at first
 * @hops: as received, newest first, RXE_CC_COMPACT_BYTES each
 * @nr: how many, 1 to RXE_CC_INT_MAX_HOPS
 * @path: id of their path
 * @now_ns: when they arrived, CLOCK_MONOTONIC
 * @tai_ns: the same, CLOCK_TAI
 * @hop: result, nearest hop first, unless %RXE_CC_EXTEND_BAD is returned. The node
 *	is made of path and epoch and the same for all of them; the port is 0. The
 *	time is that of the port, rounded down to its unit, if the clocks of all are
 *	common; otherwise only differences mean something
 *
 * Return: what became of them.
 */
static inline enum rxe_cc_extended
rxe_cc_extend(struct rxe_cc_extend *e, const u8 *hops, u8 nr, u16 path,
	      u64 now_ns, u64 tai_ns, struct rxe_cc_int_hop *hop)
{
	enum rxe_cc_extended what = __rxe_cc_extend_check(e, hops, nr, path);
	struct rxe_cc_compact c;
	unsigned int i;

	if (what == RXE_CC_EXTEND_BAD)
		return what;
	for (i = 0; i < nr && what == RXE_CC_EXTENDED; i++) {
		rxe_cc_compact_read(rxe_cc_extend_word(hops, nr, i), &c);
		if (!__rxe_cc_extend_go_on(e, i, &c, now_ns - e->at_ns))
			what = RXE_CC_EXTEND_FAR;
	}
	if (what != RXE_CC_EXTENDED)
		e->epoch++;
	for (i = 0; i < nr; i++) {
		rxe_cc_compact_read(rxe_cc_extend_word(hops, nr, i), &c);
		if (what != RXE_CC_EXTENDED)
			__rxe_cc_extend_begin(e, i, &c, tai_ns);
		hop[i] = (struct rxe_cc_int_hop) {
			.ts_ns = e->hop[i].ts_ns,
			.tx_bytes = e->hop[i].tx_bytes,
			.rate_bps = c.units->mbps * 1000000ULL,
			.qlen_bytes = c.qlen_bytes,
			.node = (u32)e->epoch << 16 | path,
		};
	}
	e->at_ns = now_ns;
	e->path = path;
	e->nr = nr;
	return what;
}

/**
 * rxe_cc_extend_fits() - could hops that came in full come compact?
 * @hop: them
 * @nr: how many
 * @ago_ns: since the last ones
 *
 * Return: true when every port has a speed that compact hops can give, and could not
 *	have sent half of what they can since.
 */
static inline bool rxe_cc_extend_fits(const struct rxe_cc_int_hop *hop, u8 nr,
				      u64 ago_ns)
{
	const struct rxe_cc_compact_units *u;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		u = rxe_cc_compact_units(rxe_cc_compact_speed(div_u64(hop[i].rate_bps,
								      1000000)));
		if (!u || !rxe_cc_extend_reaches(u, 2 * ago_ns))
			return false;
	}
	return true;
}

/**
 * rxe_cc_worst_hop() - telemetry of constant size as a hop
 * @w: state of the direction, zero at first
 * @word: as received
 * @line_bps: the own line's rate, RXE_CC_RATE_MAX_BPS at most
 * @now_ns: when it came
 *
 * Algorithms take differences between two samples of a hop: those of this one give the
 * utilization of the word back, for the time since the last one.
 *
 * Return: the hop. Its time is @now_ns.
 */
static inline struct rxe_cc_int_hop rxe_cc_worst_hop(struct rxe_cc_worst_sum *w, u64 word,
						     u64 line_bps, u64 now_ns)
{
	u64 ns = w->at_ns ? min(now_ns - w->at_ns, RXE_CC_WORST_HOLD_NS) : 0;
	u64 line_q16 = rxe_cc_bytes_in(line_bps << 16, ns);
	u64 sum_q16 = rxe_cc_muldiv(line_q16, rxe_cc_worst_util_q16(word), 1 << 16) + w->tx_q16;

	w->at_ns = now_ns;
	w->tx_bytes += sum_q16 >> 16;
	w->tx_q16 = sum_q16;
	return (struct rxe_cc_int_hop) {
		.ts_ns = now_ns,
		.tx_bytes = w->tx_bytes,
		.rate_bps = line_bps,
		.qlen_bytes = min_t(u64, rxe_cc_bytes_in(line_bps, rxe_cc_worst_drain_ns(word)),
				    U32_MAX),
		.node = RXE_CC_WORST_NODE,
	};
}

#endif /* _RXE_CC_INT_UNWRAP_H */
