/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Remembers which PSNs were sent recently where nothing is acknowledged: READ responses and all
 * of UC. Pure functions, no clock, no lock.
 *
 * The first PSN of each of five slots of time, of a quarter of a packet's life each:
 * what was sent from the oldest slot on is at most a life and a quarter old. A fast
 * port sends so many in that time that a guess often hits one. So only the last ones count:
 * those before the place where it sends now, and, when it went back, before the end.
 */
#ifndef _RXE_CC_RECENT_PSNS_H
#define _RXE_CC_RECENT_PSNS_H

#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>

#define RXE_CC_RECENT_SLOTS	5
/* PSNs that the peer may have used between two READs without what went before being
 * forgotten; and how far back a READ response may be asked for again.
 */
#define RXE_CC_RECENT_GAP	((s32)BIT(11))
#define RXE_CC_RECENT_BACK	((s32)BIT(20))
/* How many count at least: 168 us of 100 Gbit/s in packets of 1 KB. */
#define RXE_CC_RECENT_MIN	BIT(11)
/* How long a packet that nobody acknowledges counts as under way. No round trip bounds it: a
 * queue may be longer than any that was measured, and the feedback on that queue is what
 * must be believed. A second is longer than switches hold packets. It is the number of packets
 * that makes guesses wrong.
 */
#define RXE_CC_LIFE_NS		(1ULL * NSEC_PER_SEC)

/**
 * struct rxe_cc_recent - packets sent not long ago
 * @slot_ns: start of the newest slot
 * @psn: first PSN of each slot, a ring
 * @max: next PSN that was never sent
 * @nxt: PSN behind the last one sent
 * @at: the newest slot
 * @any: a packet was sent
 */
struct rxe_cc_recent {
	u64 slot_ns;
	u32 psn[RXE_CC_RECENT_SLOTS];
	u32 max;
	u32 nxt;
	u8 at;
	bool any;
};

/* Slots that have begun since the newest. */
static inline u32 __rxe_cc_recent_slots(const struct rxe_cc_recent *r,
					u64 now_ns, u64 life_ns)
{
	u64 slot_ns = max(life_ns / (RXE_CC_RECENT_SLOTS - 1), 1ULL);
	u64 n = div64_u64(now_ns - r->slot_ns, slot_ns);

	return min_t(u64, n, RXE_CC_RECENT_SLOTS);
}

/**
 * rxe_cc_recent_sent() - a packet was sent
 * @r: state
 * @psn: its PSN; one that was sent before makes all after it recent
 * @next_psn: PSN of the next
 * @now_ns: time, not before that of the last call
 * @life_ns: how long it is to count as recent
 */
static inline void rxe_cc_recent_sent(struct rxe_cc_recent *r, u32 psn,
				      u32 next_psn, u64 now_ns, u64 life_ns)
{
	s32 ahead = rxe_cc_psn_diff(psn, r->max);
	bool again = r->any && ahead < 0 && ahead >= -RXE_CC_RECENT_BACK;
	u32 n = RXE_CC_RECENT_SLOTS, i;

	if (r->any && (again || (ahead >= 0 && ahead <= RXE_CC_RECENT_GAP)))
		n = __rxe_cc_recent_slots(r, now_ns, life_ns);
	if (n)
		r->slot_ns = now_ns;
	for (i = 0; i < n; i++) {
		r->at = (r->at + 1) % RXE_CC_RECENT_SLOTS;
		r->psn[r->at] = psn;
	}
	for (i = 0; again && i < RXE_CC_RECENT_SLOTS; i++)
		if (rxe_cc_psn_diff(psn, r->psn[i]) < 0)
			r->psn[i] = psn;
	if (!again || rxe_cc_psn_diff(next_psn, r->max) > 0)
		r->max = next_psn & RXE_CC_PSN_MASK;
	r->nxt = next_psn & RXE_CC_PSN_MASK;
	r->any = true;
}

/**
 * rxe_cc_recent_has() - was a packet sent not long ago?
 * @r: state
 * @psn: its PSN
 * @now_ns: time, not before that of the last call
 * @life_ns: how long packets count as recent
 * @most: no more than so many before the last
 *
 * Return: true when it was.
 */
static inline bool rxe_cc_recent_has(const struct rxe_cc_recent *r, u32 psn,
				     u64 now_ns, u64 life_ns, s32 most)
{
	s32 back, end;
	u32 n, oldest;

	if (!r->any)
		return false;
	back = rxe_cc_psn_diff(r->nxt, psn);
	end = rxe_cc_psn_diff(r->max, psn);
	if (end <= 0 || (end > most && (back <= 0 || back > most)))
		return false;
	n = __rxe_cc_recent_slots(r, now_ns, life_ns);
	if (n == RXE_CC_RECENT_SLOTS)
		return false;
	oldest = r->psn[(r->at + 1 + n) % RXE_CC_RECENT_SLOTS];
	return rxe_cc_psn_diff(psn, oldest) >= 0;
}

#endif /* _RXE_CC_RECENT_PSNS_H */
