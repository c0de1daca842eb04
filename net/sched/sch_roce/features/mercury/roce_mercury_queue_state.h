/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mercury's judgement of a queue, and its windows: arithmetic without a port, a
 * packet or a clock.
 */
#ifndef _ROCE_MERCURY_QUEUE_STATE_H
#define _ROCE_MERCURY_QUEUE_STATE_H

#include <linux/types.h>

/**
 * struct roce_mercury_rule - what a queue is judged by
 * @rate_bps: line rate, the paper's C
 * @period_ns: the paper's T
 * @threshold_bytes: wire bytes waiting that make congestion
 */
struct roce_mercury_rule {
	u64 rate_bps;
	u64 period_ns;
	u64 threshold_bytes;
};

/**
 * struct roce_mercury_state - one priority of an egress port; zeros at the start
 * @pause_ns: when the pause began; valid while @paused
 * @rx_bytes: wire bytes that came since then; the paper's rxByte
 * @check_ns: when the pause ended, or the queue was looked at last; valid while
 *	@undetermined and not @paused
 * @check_bytes: the queue at that time
 * @paused: the peer has paused it
 * @undetermined: nobody knows whether it is congested; else it is Determined
 */
struct roce_mercury_state {
	u64 pause_ns;
	u64 rx_bytes;
	u64 check_ns;
	u64 check_bytes;
	bool paused;
	bool undetermined;
};

/**
 * enum roce_mercury_event - when a queue is judged
 * @ROCE_MERCURY_PAUSED: a pause has begun
 * @ROCE_MERCURY_RESUMED: it is over
 * @ROCE_MERCURY_CHECKED: T has passed since then, or since the last check
 */
enum roce_mercury_event {
	ROCE_MERCURY_PAUSED,
	ROCE_MERCURY_RESUMED,
	ROCE_MERCURY_CHECKED,
};

void roce_mercury_pause(struct roce_mercury_state *s, u64 now_ns);
void roce_mercury_arrive(struct roce_mercury_state *s, u32 wire_bytes);
void roce_mercury_resume(struct roce_mercury_state *s,
			 const struct roce_mercury_rule *rule, u64 queue_bytes, u64 now_ns);
bool roce_mercury_dequeue(struct roce_mercury_state *s, const struct roce_mercury_rule *rule,
			  u64 queue_bytes, u64 now_ns);
u32 roce_mercury_window(u64 rate_bps, u64 base_rtt_ns, u64 flow_bytes, u64 queue_bytes);

#endif /* _ROCE_MERCURY_QUEUE_STATE_H */
