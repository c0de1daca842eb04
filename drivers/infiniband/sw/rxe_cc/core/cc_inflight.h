/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the packets in flight of a queue pair from packet sequence numbers (PSNs).
 *
 * Counting packets in and out goes wrong at every go-back-N; PSNs do not. The
 * PSNs that a READ request reserves are the responder's data, not ours: they are
 * kept as holes and left out.
 */
#ifndef _RXE_CC_INFLIGHT_H
#define _RXE_CC_INFLIGHT_H

#include <linux/minmax.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>

/* rxe lets at most max_rd_atomic (128) READs and atomics out at a time. */
#define RXE_CC_MAX_HOLES	128

/**
 * struct rxe_cc_hole - PSNs of one READ request
 * @psn: first
 * @nr: how many
 */
struct rxe_cc_hole {
	u32 psn;
	u32 nr;
};

/**
 * struct rxe_cc_psns - send sequence space of a QP
 * @una: oldest PSN not acknowledged
 * @nxt: next PSN to send; goes back to @una at a retry
 * @max: next PSN that was never sent
 * @valid: @una, @nxt and @max are known
 * @head: first hole in the ring
 * @nr_holes: holes in the ring
 * @hole_psns: sum over the ring
 * @hole: ring, ordered by PSN
 */
struct rxe_cc_psns {
	u32 una;
	u32 nxt;
	u32 max;
	bool valid;
	u8 head;
	u8 nr_holes;
	u32 hole_psns;
	struct rxe_cc_hole *hole;
};

static inline void rxe_cc_psns_reset(struct rxe_cc_psns *s)
{
	s->valid = false;
	s->head = 0;
	s->nr_holes = 0;
	s->hole_psns = 0;
}

static inline struct rxe_cc_hole *rxe_cc_hole_at(struct rxe_cc_psns *s,
						 unsigned int i)
{
	return &s->hole[(s->head + i) % RXE_CC_MAX_HOLES];
}

/* Packets of ours in flight. */
static inline u32 rxe_cc_psns_inflight(const struct rxe_cc_psns *s)
{
	s32 n;

	if (!s->valid)
		return 0;
	n = rxe_cc_psn_diff(s->nxt, s->una) - (s32)s->hole_psns;
	return max(n, 0);
}

/**
 * rxe_cc_psns_begin() - begin with a packet that is about to be sent
 * @s: sequence space, not valid
 * @psn: its PSN
 * @max: first PSN that was never sent; not @psn if this is sent again
 */
static inline void rxe_cc_psns_begin(struct rxe_cc_psns *s, u32 psn, u32 max)
{
	rxe_cc_psns_reset(s);
	s->una = psn;
	s->nxt = psn;
	s->max = max;
	s->valid = true;
}

/**
 * rxe_cc_psns_sent() - a request packet was sent
 * @s: sequence space
 * @psn: its PSN
 * @next_psn: PSN of the next request
 * @read: a READ request: [@psn, @next_psn) are not ours
 *
 * Return: true when it had been sent before.
 */
static inline bool rxe_cc_psns_sent(struct rxe_cc_psns *s, u32 psn,
				    u32 next_psn, bool read)
{
	struct rxe_cc_hole *h;
	bool again;

	if (!s->valid)
		rxe_cc_psns_begin(s, psn, psn);
	if (psn != s->nxt) {
		/* Go-back-N, which may also land in the middle of a READ. */
		while (s->nr_holes) {
			h = rxe_cc_hole_at(s, s->nr_holes - 1);
			if (rxe_cc_psn_diff(h->psn + h->nr - 1, psn) < 0)
				break;
			if (rxe_cc_psn_diff(h->psn, psn) < 0) {
				u32 keep = rxe_cc_psn_diff(psn, h->psn);

				s->hole_psns -= h->nr - keep;
				h->nr = keep;
				break;
			}
			s->hole_psns -= h->nr;
			s->nr_holes--;
		}
	}
	again = rxe_cc_psn_diff(psn, s->max) < 0;
	if (read && s->hole && s->nr_holes < RXE_CC_MAX_HOLES) {
		h = rxe_cc_hole_at(s, s->nr_holes++);
		h->psn = psn;
		h->nr = (next_psn - psn) & RXE_CC_PSN_MASK;
		s->hole_psns += h->nr;
	}
	s->nxt = next_psn & RXE_CC_PSN_MASK;
	/* A READ may reserve half of all PSNs: too many to compare. */
	if (!again || rxe_cc_psn_diff(s->nxt, s->max) > 0)
		s->max = s->nxt;
	return again;
}

/**
 * rxe_cc_psns_acked() - the peer has everything before a PSN
 * @s: sequence space
 * @psn: first PSN that is not acknowledged
 *
 * Return: packets of ours newly acknowledged, 0 for an old acknowledgment, or
 * negative when @psn was never sent.
 */
static inline s32 rxe_cc_psns_acked(struct rxe_cc_psns *s, u32 psn)
{
	s32 n, holes = 0;

	psn &= RXE_CC_PSN_MASK;
	if (!s->valid)
		return 0;
	if (rxe_cc_psn_diff(psn, s->max) > 0)
		return -1;
	n = rxe_cc_psn_diff(psn, s->una);
	if (n <= 0)
		return 0;
	while (s->nr_holes) {
		struct rxe_cc_hole *h = rxe_cc_hole_at(s, 0);
		s32 in = rxe_cc_psn_diff(psn, h->psn);
		u32 gone = min_t(s32, max(in, 0), h->nr);

		holes += gone;
		s->hole_psns -= gone;
		if (gone < h->nr) {
			h->psn = (h->psn + gone) & RXE_CC_PSN_MASK;
			h->nr -= gone;
			break;
		}
		s->head = (s->head + 1) % RXE_CC_MAX_HOLES;
		s->nr_holes--;
	}
	s->una = psn;
	if (rxe_cc_psn_diff(psn, s->nxt) > 0)
		s->nxt = psn;
	return n - holes;
}

/**
 * rxe_cc_psns_out() - is a PSN that of a packet of ours that is not acknowledged?
 * @s: sequence space
 * @psn: the PSN
 *
 * A READ request has the first of the PSNs that it reserves; the others are the
 * peer's.
 *
 * Return: true when it is.
 */
static inline bool rxe_cc_psns_out(const struct rxe_cc_psns *s, u32 psn)
{
	const struct rxe_cc_hole *h;
	unsigned int i;
	s32 in;

	if (!s->valid || rxe_cc_psn_diff(psn, s->una) < 0 ||
	    rxe_cc_psn_diff(psn, s->max) >= 0)
		return false;
	for (i = 0; i < s->nr_holes; i++) {
		h = &s->hole[(s->head + i) % RXE_CC_MAX_HOLES];
		in = rxe_cc_psn_diff(psn, h->psn);
		if (in > 0 && (u32)in < h->nr)
			return false;
	}
	return true;
}

#endif /* _RXE_CC_INFLIGHT_H */
