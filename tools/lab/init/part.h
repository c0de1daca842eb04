/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: traffic whose hosts are in several guests.
 */
#ifndef LAB_INIT_PART_H
#define LAB_INIT_PART_H

#include "init/topo.h"

/* What a guest and its traffic generator have said so far; zeros in a lab of one kernel. */
struct part {
	bool on;			/* this is one of several guests */
	bool gen;			/* there is a traffic generator: the guest has hosts */
	bool stopped;			/* all flows of all guests have ended */
	int ready_fd, go_fd;		/* of the traffic generator; -1: none */
};

void part_init(struct part *pt, struct topo *t);
char **part_args(struct part *pt, struct topo *t, struct json_object *job, char **argv);
int part_connect(struct part *pt);
int part_go(struct part *pt, int64_t *t0_ns);
int part_start(struct part *pt, int64_t t0_ns);
int part_look(struct part *pt);

#endif /* LAB_INIT_PART_H */
