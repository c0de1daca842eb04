/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Estimates the delay of the idle path for each packet length: how long a packet takes that
 * meets no queue. Pure functions, no clock.
 *
 * Each port sends a packet on when it has all of it, so a packet of L bytes takes a + b L,
 * where b is the sum of 1 / speed over the links. Who measures knows neither a nor b. He
 * knows the smallest time of a short and of a long packet, the two ends of a line. A queue
 * only adds, so the idle path is on that line or below it, and
 *
 *	a shorter packet takes no longer, and
 *	a packet that is longer by l takes no more than RXE_CC_IDLE_LINKS l / C longer,
 *
 * with C the slowest link. Without the second rule the queue that a first long packet meets
 * would count as its length. C is known from packets that follow each other: they arrive no
 * closer together than the slowest link lets them through, unless a queue behind that link
 * brings them together; then the first of them took longer, and such a pair is left out.
 * What can be missed of a queue is RXE_CC_IDLE_LINKS - 1 packets on the slowest link, until
 * a long packet has met the path idle.
 *
 * The line goes down at once. It goes up
 *
 *	where the times are of two clocks: at the end of a window in which no packet was as
 *	fast, to the smallest times of that window, but by no more than clocks drift in it;
 *	where packets come by another number of routers, which counts once in a window: to what
 *	is measured then;
 *	where all packets of a window were slower and the flow sent next to nothing in it: to
 *	the smallest times of that window. A longer path and a queue that others keep cannot
 *	be told apart. But such a flow does not make the queue, and on a longer path it would
 *	wait for ever.
 *
 * It does not go up because a queue has been there for long.
 */
#ifndef _RXE_CC_IDLE_DELAY_H
#define _RXE_CC_IDLE_DELAY_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>

/* Clocks that nobody sets go apart by less than 1/4096, 244 ppm. */
#define RXE_CC_IDLE_DRIFT_SHIFT	12
/* Links of a way through a fat-tree of three layers: two each of hosts, edge and core. */
#define RXE_CC_IDLE_LINKS	6
/* As long as no two packets have shown how fast the slowest link is, b is supposed to be no
 * more than so many times that of the own port: one link is ten times slower, and five more.
 */
#define RXE_CC_IDLE_GUESS	16
/* The same where packets do not follow each other, so that none will show it. */
#define RXE_CC_IDLE_GUESS_MAX	(64 * RXE_CC_IDLE_LINKS)
/* A flow sends next to nothing when from packet to packet there is so many times what one
 * is on its way ...
 */
#define RXE_CC_IDLE_APART	16
/* ... or when it has less than this part of the line. */
#define RXE_CC_IDLE_PART	512
/* So many packets of such a flow must be slower. */
#define RXE_CC_IDLE_NR		8
/* Times are less than this, of either sign, so that sums fit. */
#define RXE_CC_IDLE_MAX_NS	((s64)BIT_ULL(61))
#define RXE_CC_IDLE_Q		16

/**
 * struct rxe_cc_idle_end - the smallest time of a packet
 * @ns: that
 * @bytes: length of the packet
 */
struct rxe_cc_idle_end {
	s64 ns;
	u32 bytes;
};

/**
 * struct rxe_cc_idle - what is known of an idle path
 * @least: the line: its shortest and its longest packet; @bytes 0: nothing is known
 * @since: the same of the packets since @since_ns, all of which were slower
 * @since_ns: when the window began
 * @near_q16: how close packets came, 2^-16 ns per byte; 0: not known
 * @proven_q16: b is so much at least, for want of another reason
 * @at_ns: when the last packet arrived
 * @ns: its time
 * @nr: packets in @since
 * @psn: PSN of the last packet
 * @moved_ns: when the path had another number of routers last; 0: never
 * @ttl: TTL with which packets arrive; 0: not known
 * @known: there was a last packet
 */
struct rxe_cc_idle {
	struct rxe_cc_idle_end least[2];
	struct rxe_cc_idle_end since[2];
	u64 since_ns;
	u64 near_q16;
	u64 proven_q16;
	u64 at_ns;
	s64 ns;
	u64 moved_ns;
	u32 nr;
	u32 psn;
	u8 ttl;
	bool known;
};

/**
 * struct rxe_cc_idle_pkt - a packet that was measured
 * @now_ns: when that became known
 * @at_ns: when it arrived, or its answer
 * @ns: how long it took, or the difference of two clocks; within +-RXE_CC_IDLE_MAX_NS
 * @window_ns: length of a window
 * @line_bps: speed of the own port
 * @bytes: its length on the wire, not 0
 * @psn: its PSN
 * @ttl: TTL or hop limit with which it arrived; 0: not known
 * @drifts: @ns is the difference of two clocks
 */
struct rxe_cc_idle_pkt {
	u64 now_ns;
	u64 at_ns;
	s64 ns;
	u64 window_ns;
	u64 line_bps;
	u32 bytes;
	u32 psn;
	u8 ttl;
	bool drifts;
};

/* Is it the packet behind the last one? */
static inline bool rxe_cc_idle_next(const struct rxe_cc_idle *i,
				    const struct rxe_cc_idle_pkt *p)
{
	return i->known && !(((i->psn + 1) ^ p->psn) & 0xffffff);
}

/* By how much a packet that is so much longer takes longer at most, rounded up. @guess: as of so
 * many links of the own speed; 0: as packets came.
 */
static inline s64 rxe_cc_idle_steep(const struct rxe_cc_idle *i,
				    const struct rxe_cc_idle_pkt *p, u32 bytes, u32 guess)
{
	u64 q16 = RXE_CC_IDLE_LINKS * i->near_q16;

	if (!bytes)
		return 0;
	if (guess)
		q16 = guess * (div64_u64(8 * (u64)NSEC_PER_SEC << RXE_CC_IDLE_Q,
					 max(p->line_bps, 1ULL)) + 1);
	q16 = min(max(q16, i->proven_q16), BIT_ULL(44));
	return (q16 * bytes >> RXE_CC_IDLE_Q) + 1;
}

/* What a line says of a length. @beyond_ns: what is above its longest adds. */
static inline s64 rxe_cc_idle_of(const struct rxe_cc_idle_end *e, s64 beyond_ns, u32 bytes)
{
	if (bytes <= e[0].bytes)
		return e[0].ns;
	if (bytes >= e[1].bytes)
		return e[1].ns + beyond_ns;
	return e[0].ns + rxe_cc_muldiv(e[1].ns - e[0].ns, bytes - e[0].bytes,
				       e[1].bytes - e[0].bytes);
}

/* A packet becomes part of a line. @span_ns: the bytes between it and the longest add no
 * more.
 */
static inline void rxe_cc_idle_add(struct rxe_cc_idle_end *e, s64 ns, s64 span_ns, u32 bytes)
{
	const struct rxe_cc_idle_end own = { ns, bytes };

	if (!e[1].bytes) {
		e[0] = own;
		e[1] = own;
	} else if (bytes > e[1].bytes) {
		e[1].ns = min(ns, e[1].ns + span_ns);
		e[1].bytes = bytes;
	} else {
		e[1].ns = min(e[1].ns, ns + span_ns);
		e[0].ns = min(e[0].ns, ns);
		e[0].bytes = min(e[0].bytes, bytes);
	}
	e[0].ns = min(e[0].ns, e[1].ns);
}

/* How fast is the slowest link? A nanosecond at either end is rounding. */
static inline void rxe_cc_idle_pair(struct rxe_cc_idle *i, const struct rxe_cc_idle_pkt *p)
{
	u64 gap_ns = p->at_ns - i->at_ns, q16;

	if (rxe_cc_idle_next(i, p) && p->ns >= i->ns && gap_ns < NSEC_PER_SEC) {
		q16 = div_u64((gap_ns + 2) << RXE_CC_IDLE_Q, p->bytes);
		i->near_q16 = i->near_q16 ? min(i->near_q16, q16) : q16;
	}
	i->known = true;
	i->psn = p->psn;
	i->at_ns = p->at_ns;
	i->ns = p->ns;
}

/* Another window begins. */
static inline void rxe_cc_idle_anew(struct rxe_cc_idle *i, u64 now_ns)
{
	memset(i->since, 0, sizeof(i->since));
	i->since_ns = now_ns;
	i->nr = 0;
}

/* Did the flow send next to nothing in the window? */
static inline bool rxe_cc_idle_alone(const struct rxe_cc_idle *i,
				     const struct rxe_cc_idle_pkt *p, u64 took_ns)
{
	u64 each_ns = div_u64(took_ns, i->nr), part_ns;

	part_ns = div64_u64(8 * (u64)NSEC_PER_SEC * RXE_CC_IDLE_PART * i->since[1].bytes,
			    max(p->line_bps, 1ULL));
	if (each_ns >= part_ns)
		return true;
	return !p->drifts &&
	       div_u64(each_ns, RXE_CC_IDLE_APART) >= max(i->since[1].ns, 1LL);
}

/* The smallest times of the window, but no more above the line than clocks drift. */
static inline void rxe_cc_idle_drift(struct rxe_cc_idle *i, u64 took_ns)
{
	s64 drift_ns = took_ns >> RXE_CC_IDLE_DRIFT_SHIFT;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		struct rxe_cc_idle_end *e = &i->least[n];
		s64 to_ns = rxe_cc_idle_of(i->since, RXE_CC_IDLE_MAX_NS, e->bytes);

		e->ns = clamp(to_ns, e->ns, e->ns + drift_ns);
	}
}

/* The smallest times of the window, and what they say of their length. */
static inline void rxe_cc_idle_accept(struct rxe_cc_idle *i)
{
	u32 span = i->since[1].bytes - i->since[0].bytes;
	u64 q16;

	memcpy(i->least, i->since, sizeof(i->least));
	if (!span)
		return;
	q16 = rxe_cc_muldiv(i->since[1].ns - i->since[0].ns, BIT(RXE_CC_IDLE_Q), span) + 1;
	i->proven_q16 = max(i->proven_q16, q16);
}

/* A packet that did not meet the path idle. Short ones show how it is for themselves only. */
static inline void rxe_cc_idle_slower(struct rxe_cc_idle *i, const struct rxe_cc_idle_pkt *p)
{
	u64 took_ns = p->now_ns - i->since_ns;

	i->nr++;
	rxe_cc_idle_add(i->since, p->ns, RXE_CC_IDLE_MAX_NS, p->bytes);
	if (took_ns < p->window_ns)
		return;
	if (i->nr >= RXE_CC_IDLE_NR && rxe_cc_idle_alone(i, p, took_ns))
		rxe_cc_idle_accept(i);
	else if (p->drifts)
		rxe_cc_idle_drift(i, took_ns);
	else if (i->nr < RXE_CC_IDLE_NR)
		return;
	rxe_cc_idle_anew(i, p->now_ns);
}

/* Does it come by another number of routers? Of claims of that one in a window counts. */
static inline void rxe_cc_idle_moved(struct rxe_cc_idle *i, const struct rxe_cc_idle_pkt *p)
{
	if (!p->ttl || p->ttl == i->ttl)
		return;
	if (i->ttl) {
		if (i->moved_ns && p->now_ns - i->moved_ns < p->window_ns)
			return;
		memset(i, 0, sizeof(*i));
		i->moved_ns = max(p->now_ns, 1ULL);
	}
	i->ttl = p->ttl;
}

/* Has a packet of half that length at least been measured? */
static inline bool rxe_cc_idle_knows(const struct rxe_cc_idle *i, u32 pkt_bytes)
{
	return 2 * i->least[1].bytes >= pkt_bytes;
}

/* Is it one of the longer packets? */
static inline bool rxe_cc_idle_long(const struct rxe_cc_idle *i, u32 bytes)
{
	return 2 * bytes >= i->least[0].bytes + i->least[1].bytes;
}

/**
 * rxe_cc_idle_sample() - a packet was measured
 * @i: idle path; zeroed at the start
 * @p: the packet
 * @longest_ns: receives what the longest packet so far takes on the idle path
 *
 * Return: what this one takes there; never more than it took.
 */
static inline s64 rxe_cc_idle_sample(struct rxe_cc_idle *i, const struct rxe_cc_idle_pkt *p,
				     s64 *longest_ns)
{
	bool next = rxe_cc_idle_next(i, p), first = !i->known;
	u32 guess = 0, most = 0, span;
	struct rxe_cc_idle_end line[2];
	s64 own_ns;

	rxe_cc_idle_moved(i, p);
	if (!i->near_q16) {
		most = RXE_CC_IDLE_GUESS_MAX;
		guess = next ? RXE_CC_IDLE_GUESS : most;
	}
	rxe_cc_idle_pair(i, p);
	span = max(p->bytes, i->least[1].bytes) - min(p->bytes, i->least[1].bytes);
	rxe_cc_idle_add(i->least, p->ns,
			rxe_cc_idle_steep(i, p, span, most), p->bytes);

	memcpy(line, i->least, sizeof(line));
	line[1].ns = min(line[1].ns,
			 line[0].ns + rxe_cc_idle_steep(i, p, line[1].bytes - line[0].bytes,
							guess));
	*longest_ns = line[1].ns;
	own_ns = min(rxe_cc_idle_of(line, 0, p->bytes), p->ns);
	if (first || (p->ns <= own_ns && rxe_cc_idle_long(i, p->bytes)))
		rxe_cc_idle_anew(i, p->now_ns);
	else
		rxe_cc_idle_slower(i, p);
	return own_ns;
}

#endif /* _RXE_CC_IDLE_DELAY_H */
