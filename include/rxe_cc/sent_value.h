/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was in force when a packet was sent: a window, a rate, or whatever an algorithm keeps.
 *
 * A sample tells of a packet that was sent a round trip ago. Some formulae go by the window of
 * then: PowerTCP has W_old in the place where others have W, and a delay that a packet met was
 * made by the windows of its time. Of each window it suffices to know the first packet that was
 * sent with it. So on each ACK, with the number of what is sent next,
 *
 *	then = rxe_cc_sent_value(&st->sent, s->seq, st->window);
 *	st->window = ... then ...
 *	rxe_cc_sent_note(&st->sent, s, st->window);
 *
 * 32 places are enough for all packets while fewer than 32 are in flight. Of more a value gets a
 * place that came into force a 16th of them or more after the one before; in place of others
 * that one is returned. Where packets in flight more than double within a round trip the oldest
 * places are lost before they are asked for; then the oldest that is left answers. The first value
 * that is noted stands for all packets before.
 *
 * Context of all functions: any; the caller serialises calls for one flow.
 */
#ifndef _RXE_CC_SENT_VALUE_H
#define _RXE_CC_SENT_VALUE_H

#include <linux/minmax.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>

#define RXE_CC_SENT_PLACES	32
#define RXE_CC_SENT_PARTS	16	/* of what is in flight a place stands for one at most */

/**
 * struct rxe_cc_sent_values - values by the packets that were sent with them, 520 bytes; all
 *	zero: none yet
 * @at: the first packet that was sent with a value, and that; a ring
 * @nr: values noted so far, up to RXE_CC_SENT_PLACES
 * @newest: index of the last one
 */
struct rxe_cc_sent_values {
	struct {
		u64 seq;
		u64 value;
	} at[RXE_CC_SENT_PLACES];
	u8 nr;
	u8 newest;
};

/**
 * rxe_cc_sent_note() - what is sent from here on is sent with this value
 * @v: values
 * @s: of the call in which it was decided, with @seq and @next_seq; of each ACK, whether the value
 *	has changed or not
 * @value: the value
 */
static inline void rxe_cc_sent_note(struct rxe_cc_sent_values *v, const struct rxe_cc_sample *s,
				    u64 value)
{
	u64 apart = max(rxe_cc_sat_sub(s->next_seq, s->seq) / RXE_CC_SENT_PARTS, 1ULL);
	u64 since = s->next_seq - v->at[v->newest].seq;

	if (v->nr && !since)
		v->at[v->newest].value = value;
	if (v->nr && since < apart)
		return;
	v->newest = v->nr ? (v->newest + 1) % RXE_CC_SENT_PLACES : 0;
	v->at[v->newest].seq = v->nr ? s->next_seq : 0;
	v->at[v->newest].value = value;
	v->nr = min(v->nr + 1, RXE_CC_SENT_PLACES);
}

/**
 * rxe_cc_sent_value() - with what was a packet sent?
 * @v: values
 * @seq: the packet
 * @none: to return when no value was noted
 *
 * Return: the value; of a packet before all of them the oldest.
 */
static inline u64 rxe_cc_sent_value(const struct rxe_cc_sent_values *v, u64 seq, u64 none)
{
	unsigned int i, at = v->newest;

	if (!v->nr)
		return none;
	for (i = 1; i < v->nr && v->at[at].seq > seq; i++)
		at = (at + RXE_CC_SENT_PLACES - 1) % RXE_CC_SENT_PLACES;
	return v->at[at].value;
}

#endif /* _RXE_CC_SENT_VALUE_H */
