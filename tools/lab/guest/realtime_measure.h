/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: what real time is worth in this kernel, or in several.
 */
#ifndef LAB_GUEST_REALTIME_MEASURE_H
#define LAB_GUEST_REALTIME_MEASURE_H

#include "guest/labinit.h"
#include "common/realtime_capability.h"

/* Of a link that is measured; short, as its delay is no part of what is measured. */
#define REALTIME_DELAY_NS	10000

int realtime_check(struct json_object *job);

/* What both ways of measuring share. */
void realtime_timers(struct realtime_capability *w);
struct json_object *realtime_port(struct json_object *need);
struct json_object *realtime_plan(struct json_object *plan, const char *src, const char *dst,
				  int pings, int64_t bytes, int64_t start_ns);
int realtime_rtt(struct realtime_capability *w, const char *dir);
int realtime_save(const struct realtime_capability *w, const char *out, const char *beyond);

/* guest/realtime_measure_multi_guest.c */
int realtime_multi_guest(struct json_object *job, struct realtime_capability *w);

#endif /* LAB_GUEST_REALTIME_MEASURE_H */
