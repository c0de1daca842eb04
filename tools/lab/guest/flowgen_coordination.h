/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: the traffic generator, and traffic whose hosts are in several guests.
 */
#ifndef LAB_GUEST_FLOWGEN_COORDINATION_H
#define LAB_GUEST_FLOWGEN_COORDINATION_H

#include "guest/topo.h"

/* What a guest and its traffic generator have said so far; zeros in a lab of one kernel. */
struct part {
	bool on;			/* this is one of several guests */
	bool gen;			/* there is a traffic generator: the guest has hosts */
	bool done;			/* all flows of this guest have ended */
	bool stopped;			/* all flows of all guests have ended */
	int ready_fd, go_fd;		/* of the traffic generator; -1: none */
};

void part_init(struct part *pt, struct topo *t);
int gen_start(struct json_object *job, struct json_object *plan, struct part *pt,
	      struct topo *t, const char *dir, struct proc *gen);
int part_connect(struct part *pt);
int part_go(struct part *pt, int64_t *t0_ns);
int part_start(struct part *pt, int64_t t0_ns);
int part_look(struct part *pt);

#endif /* LAB_GUEST_FLOWGEN_COORDINATION_H */
