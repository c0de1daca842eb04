/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows that several ports of switches have reported: keeps one per port, and the smallest is
 * in force. Pure: no clock, no lock.
 *
 * A flow may meet several congested ports. Each reports its own window, so each has a place
 * here, until its window expires or all are lifted. The smallest holds.
 */
#ifndef _RXE_CC_PORT_WINDOWS_H
#define _RXE_CC_PORT_WINDOWS_H

#include <linux/minmax.h>
#include <linux/types.h>

/* Ports whose windows count at a time, and whose CNPs are believed: a path through a Clos
 * network of three tiers has five switch ports, of which the first and the last are seldom
 * both congested.
 */
#define RXE_CC_CNP_PORTS	4

/**
 * struct rxe_cc_window - window of a port
 * @bytes: bytes that may be in flight; 0: none
 * @until_ns: from then on it holds no longer
 * @port: number of the port
 */
struct rxe_cc_window {
	u64 bytes;
	u64 until_ns;
	u16 port;
};

/**
 * struct rxe_cc_windows - windows of ports, at most one each
 * @of: in no order
 */
struct rxe_cc_windows {
	struct rxe_cc_window of[RXE_CC_CNP_PORTS];
};

static inline bool rxe_cc_window_holds(const struct rxe_cc_window *w, u64 now_ns)
{
	return w->bytes && now_ns < w->until_ns;
}

/**
 * rxe_cc_windows_set() - a port reports a window
 * @ws: windows
 * @new: the window, until when it holds, and whose it is
 * @least: while the port's last window holds a larger one only prolongs it, as in line 17
 *	of Mercury's Algorithm 2; false: the newest window of a port replaces its last
 * @now_ns: time
 *
 * Where no place is free the largest gives way if it is larger than the new one: the
 * smallest decides.
 */
static inline void rxe_cc_windows_set(struct rxe_cc_windows *ws,
				      const struct rxe_cc_window *new, bool least,
				      u64 now_ns)
{
	struct rxe_cc_window *at = NULL;
	unsigned int i;

	for (i = 0; i < RXE_CC_CNP_PORTS; i++) {
		struct rxe_cc_window *w = &ws->of[i];
		u64 bytes = new->bytes;

		if (!rxe_cc_window_holds(w, now_ns)) {
			w->bytes = 0;
		} else if (w->port == new->port) {
			if (least)
				bytes = min(bytes, w->bytes);
			*w = *new;
			w->bytes = bytes;
			return;
		}
		/* A free one, or the largest. */
		if (!at || (at->bytes && (!w->bytes || w->bytes > at->bytes)))
			at = w;
	}
	if (!at->bytes || at->bytes > new->bytes)
		*at = *new;
}

/**
 * rxe_cc_windows_least() - the window in force
 * @ws: windows
 * @now_ns: time
 *
 * Return: the smallest that holds; bytes 0 and no end: none.
 */
static inline struct rxe_cc_window rxe_cc_windows_least(const struct rxe_cc_windows *ws,
							u64 now_ns)
{
	struct rxe_cc_window least = { };
	unsigned int i;

	for (i = 0; i < RXE_CC_CNP_PORTS; i++) {
		const struct rxe_cc_window *w = &ws->of[i];

		if (rxe_cc_window_holds(w, now_ns) &&
		    (!least.bytes || w->bytes < least.bytes))
			least = *w;
	}
	return least;
}

#endif /* _RXE_CC_PORT_WINDOWS_H */
