/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: what changes while the traffic runs.
 */
#ifndef LAB_GUEST_TIMELINE_H
#define LAB_GUEST_TIMELINE_H

#include "guest/sampler.h"
#include "guest/setup.h"

/**
 * struct timeline_counts - counters of all ports together
 * @to_hosts_bytes: wire bytes that switches have sent to hosts, and no link lost
 * @lost: packets that links lost
 * @lost_bytes: their wire bytes
 * @drops: packets dropped
 */
struct timeline_counts {
	uint64_t to_hosts_bytes, lost, lost_bytes, drops;
};

/**
 * struct timeline - events of a run, and what had happened when each was due
 * @lab: network and devices
 * @sampler: for its counters
 * @algo: that events before have set, or the run's
 * @list: events of the job, by time
 * @next: the first that is not over
 * @timer_fd: its time; -1: there are no events
 * @points: per event, when it was carried out and counters just before
 * @stats: by port id, of the last look
 * @step_ns: interval of the rows of timeline.csv
 * @row_ns: end of the next row, since the start
 * @n_rows: written so far
 * @last: counters at the last of them
 * @kernel: tells which flows have lost packets on links
 */
struct timeline {
	struct lab *lab;
	struct sampler *sampler;
	const char *algo;
	struct json_object *list;
	size_t next;
	int timer_fd;
	struct json_object *points;
	struct qdisc_stats *stats;
	int64_t step_ns, row_ns;
	int n_rows;
	struct timeline_counts last;
	struct watch kernel;
};

int timeline_open(struct timeline *tl, struct lab *lab, struct sampler *s);
int timeline_due(struct timeline *tl);
int timeline_totals(struct timeline *tl, struct json_object *out);
void timeline_close(struct timeline *tl);

#endif /* LAB_GUEST_TIMELINE_H */
