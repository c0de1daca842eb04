/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One-way delays, from a time at either end: pure functions, no clock.
 *
 * The difference of the two times is the delay and what the clocks are apart. Where
 * the clocks are one, that is 0. Where they are not it is the same all the time, but
 * for their drift. What a difference is above that of the idle path is queue: cc_idle_delay.h.
 *
 * The far end's time is a claim. What is known is that the packet left before it
 * arrived, and arrived before its answer did: the offset of the clocks lies between
 * the difference less the round trip, and the difference. Two packets for which no
 * offset fits contradict each other. Such a claim is refused, so that no lie makes an
 * excess longer than a round trip and the slack that drift needs.
 */
#ifndef _RXE_CC_OWD_H
#define _RXE_CC_OWD_H

#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "cc_idle_delay.h"

/* The window moves on by a part of it. */
#define RXE_CC_OWD_PARTS	4
/* No packet is on its way for longer; what the receiver of data knows of its time. */
#define RXE_CC_MAX_OWD_NS	(10 * (u64)NSEC_PER_SEC)

/**
 * struct rxe_cc_owd - differences of a window
 * @began_ns: when its newest part began
 * @least_ns: smallest difference of each part; S64_MAX: none
 * @floor_ns: the offset of the clocks is not less, as of each part; S64_MIN: none
 * @at: the newest part
 * @known: there was a difference
 * @idle: the idle path
 */
struct rxe_cc_owd {
	u64 began_ns;
	s64 least_ns[RXE_CC_OWD_PARTS];
	s64 floor_ns[RXE_CC_OWD_PARTS];
	u8 at;
	bool known;
	struct rxe_cc_idle idle;
};

/**
 * struct rxe_cc_way - a packet's times
 * @now_ns: when the difference became known
 * @diff_ns: arrival less departure, each by its own clock, modulo 2^64
 * @took_ns: the packet was on its way for no longer
 * @window_ns: for how long differences count
 * @at_ns: when the packet arrived, by one clock for all
 * @line_bps: speed of the own port
 * @bytes: length of the packet on the wire
 * @psn: its PSN
 * @ttl: TTL or hop limit with which it arrived; 0: not known
 * @common: the clocks are one
 */
struct rxe_cc_way {
	u64 now_ns;
	s64 diff_ns;
	u64 took_ns;
	u64 window_ns;
	u64 at_ns;
	u64 line_bps;
	u32 bytes;
	u32 psn;
	u8 ttl;
	bool common;
};

/* Forget the parts that the window has left. */
static inline void rxe_cc_owd_age(struct rxe_cc_owd *o,
				  const struct rxe_cc_way *w)
{
	u64 part_ns = w->window_ns / RXE_CC_OWD_PARTS;
	unsigned int i;

	if (!o->known || w->now_ns - o->began_ns >= w->window_ns) {
		for (i = 0; i < RXE_CC_OWD_PARTS; i++) {
			o->least_ns[i] = S64_MAX;
			o->floor_ns[i] = S64_MIN;
		}
		o->began_ns = w->now_ns;
		return;
	}
	for (; w->now_ns - o->began_ns >= part_ns; o->began_ns += part_ns) {
		o->at = (o->at + 1) % RXE_CC_OWD_PARTS;
		o->least_ns[o->at] = S64_MAX;
		o->floor_ns[o->at] = S64_MIN;
	}
}

/**
 * rxe_cc_owd_sample() - a packet's times: what is the difference above the idle path's?
 * @o: those before; zeroed at the start
 * @w: the times
 * @over_ns: receives it
 * @lift_ns: receives by how much the longest packet so far is slower on the idle path
 *
 * Return: false when they cannot be true, or contradict those before; then nothing is
 *	changed by them.
 */
static inline bool rxe_cc_owd_sample(struct rxe_cc_owd *o,
				     const struct rxe_cc_way *w, u64 *over_ns,
				     u64 *lift_ns)
{
	s64 took_ns = min(w->took_ns, BIT_ULL(60));
	s64 slack_ns = w->window_ns >> RXE_CC_IDLE_DRIFT_SHIFT;
	s64 least_ns = S64_MAX, floor_ns = S64_MIN, longest_ns, idle_ns;
	const struct rxe_cc_idle_pkt p = {
		.now_ns = w->now_ns, .at_ns = w->at_ns, .ns = w->diff_ns,
		.window_ns = w->window_ns, .line_bps = w->line_bps,
		.bytes = clamp(w->bytes, 1U, (u32)U16_MAX), .psn = w->psn, .ttl = w->ttl,
		.drifts = !w->common,
	};
	unsigned int i;

	/* Sums below must fit, too. */
	if (w->diff_ns >= (s64)BIT_ULL(61) || w->diff_ns <= -(s64)BIT_ULL(61))
		return false;
	if (w->common && (w->diff_ns < 0 || w->diff_ns > took_ns))
		return false;
	rxe_cc_owd_age(o, w);
	for (i = 0; i < RXE_CC_OWD_PARTS; i++) {
		least_ns = min(least_ns, o->least_ns[i]);
		floor_ns = max(floor_ns, o->floor_ns[i]);
	}
	if (!w->common &&
	    (w->diff_ns - took_ns - slack_ns > least_ns ||
	     w->diff_ns + slack_ns < floor_ns))
		return false;
	/* Nothing for a window, or nothing that was possible: a clock may have been set. */
	if (!w->common && least_ns == S64_MAX)
		memset(&o->idle, 0, sizeof(o->idle));
	o->known = true;
	o->least_ns[o->at] = min(o->least_ns[o->at], w->diff_ns);
	o->floor_ns[o->at] = max(o->floor_ns[o->at], w->diff_ns - took_ns);
	idle_ns = rxe_cc_idle_sample(&o->idle, &p, &longest_ns);
	*over_ns = w->diff_ns - idle_ns;
	*lift_ns = longest_ns - idle_ns;
	return true;
}

#endif /* _RXE_CC_OWD_H */
