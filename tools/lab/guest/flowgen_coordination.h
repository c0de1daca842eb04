/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: the traffic generator, and traffic whose hosts are in several guests.
 */
#ifndef LAB_GUEST_FLOWGEN_COORDINATION_H
#define LAB_GUEST_FLOWGEN_COORDINATION_H

#include "guest/topo.h"

/* What a guest and its traffic generator have said so far; zeros in a lab of one kernel. */
struct flowgen {
	bool on;			/* this is one of several guests */
	bool gen;			/* there is a traffic generator: the guest has hosts */
	bool done;			/* all flows of this guest have ended */
	bool stopped;			/* all flows of all guests have ended */
	int ready_fd, go_fd;		/* of the traffic generator; -1: none */
};

void flowgen_init(struct flowgen *fg, struct topo *t);
int flowgen_start(struct json_object *job, struct json_object *plan, struct flowgen *fg,
		  struct topo *t, const char *dir, struct proc *gen);
int flowgen_connect(struct flowgen *fg);
int flowgen_wait_go(struct flowgen *fg, int64_t *t0_ns);
int flowgen_start_traffic(struct flowgen *fg, int64_t t0_ns);
int flowgen_poll(struct flowgen *fg);

#endif /* LAB_GUEST_FLOWGEN_COORDINATION_H */
