/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: queues of all ports of a large lab, as histograms by tier.
 */
#ifndef LAB_GUEST_QUEUE_HISTOGRAMS_H
#define LAB_GUEST_QUEUE_HISTOGRAMS_H

#include "guest/roce_watch_reader.h"

struct hist_tier;

struct hist {
	struct topo *topo;
	int timer_fd;			/* -1: no histograms are wanted */
	int64_t from_ns, to_ns;		/* of the part that counts; to_ns 0: the end */
	struct watch kernel;
	struct hist_tier *tiers;
	int n_tiers;
	int *tier;			/* by port id; -1: none */
	struct qdisc_stats *begin, *end;	/* by port id */
	bool begun, ended;
};

int hist_open(struct hist *h, struct json_object *job, struct topo *topo, int64_t t0_ns);
int hist_take(struct hist *h);
int hist_totals(struct hist *h, int64_t t0_ns, struct json_object *out);
void hist_close(struct hist *h);

#endif /* LAB_GUEST_QUEUE_HISTOGRAMS_H */
