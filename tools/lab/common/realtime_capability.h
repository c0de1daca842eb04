/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How well a kernel keeps real time (lateness of timers, packets per second, round trip):
 * figures that labinit measures, and what a run may ask of them. For both sides, as several
 * guests have measured parts of it that "lab" puts together.
 */
#ifndef LAB_COMMON_REALTIME_CAPABILITY_H
#define LAB_COMMON_REALTIME_CAPABILITY_H

#include "common/util.h"

/* A run may need this part of the packets per second, ... */
#define REALTIME_PACKETS_PART	2
/* ... its base round trip may be made longer by this part of itself, ... */
#define REALTIME_RTT_PART	4
/* ... and all but one in a hundred timers be late by this part of it. */
#define REALTIME_LATE_PART	2

/* In each output directory of labinit's; @beyond is null where all can be kept. */
#define REALTIME_FILE		"realtime.json"

/**
 * struct realtime_capability - what was measured, and what the run needs
 * @late_p50_ns: how late timers come, as a process sees it: median, ...
 * @late_p99_ns: ... one in a hundred is later, ...
 * @late_max_ns: ... and the latest
 * @rtt_added_ns: median round trip beyond the delays of the links
 * @packets_per_s: data packets over the measured path; 0: it did not get them through
 * @links: of that path
 * @needed_packets_per_s: data packets of all flows over their ideal time
 * @base_rtt_ns: of the run, without queues
 */
struct realtime_capability {
	int64_t late_p50_ns, late_p99_ns, late_max_ns;
	int64_t rtt_added_ns, packets_per_s, links;
	int64_t needed_packets_per_s, base_rtt_ns;
};

char *realtime_capability_text(const struct realtime_capability *w);
char *realtime_capability_beyond(const struct realtime_capability *w);
struct json_object *realtime_capability_to_json(const struct realtime_capability *w,
						const char *beyond);
void realtime_capability_from_json(struct realtime_capability *w, struct json_object *o);

#endif /* LAB_COMMON_REALTIME_CAPABILITY_H */
