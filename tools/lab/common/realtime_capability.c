// SPDX-License-Identifier: GPL-2.0
/*
 * How well a kernel keeps real time: the figures as text and as JSON, and whether they are good
 * enough for a run. lab and labinit use this; see realtime_capability.h.
 */
#include <inttypes.h>
#include <stddef.h>

#include "common/realtime_capability.h"

static const struct {
	const char *name;
	size_t offset;
} figures[] = {
#define FIGURE(f)	{ #f, offsetof(struct realtime_capability, f) }
	FIGURE(late_p50_ns), FIGURE(late_p99_ns), FIGURE(late_max_ns), FIGURE(rtt_added_ns),
	FIGURE(packets_per_s), FIGURE(links), FIGURE(needed_packets_per_s), FIGURE(base_rtt_ns),
#undef FIGURE
};

/**
 * realtime_capability_text() - the figures in one line
 * @w: figures
 *
 * Return: to be freed.
 */
char *realtime_capability_text(const struct realtime_capability *w)
{
	return xasprintf("timers late by %.3f ms (p50), %.3f ms (p99); a round trip takes %.3f ms more; %"
			 PRId64 " packets/s over %" PRId64 " links, needed are %" PRId64,
			 w->late_p50_ns / 1e6, w->late_p99_ns / 1e6, w->rtt_added_ns / 1e6,
			 w->packets_per_s, w->links, w->needed_packets_per_s);
}

/**
 * realtime_capability_beyond() - what of a run cannot be kept
 * @w: figures
 *
 * What "kept" means. Packets: one CPU serves all of them, one after the other. Used for
 * half of the time it makes a packet wait for half of what a packet takes, in the mean
 * (M/D/1: u / (2 - 2u) at u = 1/2), and beyond it the wait grows without limit. Round
 * trip: what this machine adds to it is in every ACK, and to an algorithm that goes by
 * delay it is queue. Timers: one in a hundred may be later than the second limit, no
 * more, or stalls would be measured in the place of queues.
 *
 * Return: the reason, to be freed, or NULL: all can.
 */
char *realtime_capability_beyond(const struct realtime_capability *w)
{
	if (w->needed_packets_per_s * REALTIME_PACKETS_PART > w->packets_per_s)
		return xasprintf("%" PRId64 " packets/s are more than 1/%d of what it carries, %"
				 PRId64, w->needed_packets_per_s, REALTIME_PACKETS_PART,
				 w->packets_per_s);
	if (w->rtt_added_ns * REALTIME_RTT_PART > w->base_rtt_ns)
		return xasprintf("it adds %.3f ms to a round trip, more than 1/%d of the base round trip of %.3f ms",
				 w->rtt_added_ns / 1e6, REALTIME_RTT_PART, w->base_rtt_ns / 1e6);
	if (w->late_p99_ns * REALTIME_LATE_PART > w->base_rtt_ns)
		return xasprintf("1 %% of its timers are late by %.3f ms, more than 1/%d of the base round trip of %.3f ms",
				 w->late_p99_ns / 1e6, REALTIME_LATE_PART, w->base_rtt_ns / 1e6);
	return NULL;
}

/**
 * realtime_capability_to_json() - the figures as in run.json
 * @w: figures
 * @beyond: of realtime_capability_beyond()
 *
 * Return: a new object.
 */
struct json_object *realtime_capability_to_json(const struct realtime_capability *w,
						const char *beyond)
{
	struct json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(figures); i++)
		js_add_int(o, figures[i].name,
			   *(const int64_t *)((const char *)w + figures[i].offset));
	json_object_object_add(o, "beyond", beyond ? json_object_new_string(beyond) : NULL);
	return o;
}

/**
 * realtime_capability_from_json() - the figures of realtime_capability_to_json()
 * @w: receives them; 0 where there is none
 * @o: object
 */
void realtime_capability_from_json(struct realtime_capability *w, struct json_object *o)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(figures); i++)
		*(int64_t *)((char *)w + figures[i].offset) = js_int(o, figures[i].name, 0);
}
