/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: the user's programs on the hosts of a run.
 */
#ifndef LAB_GUEST_PROGRAMS_H
#define LAB_GUEST_PROGRAMS_H

#include <poll.h>

#include "guest/topo.h"

struct program {
	struct proc proc;
	struct json_object *job;	/* as lab wrote it */
	pid_t group;			/* its processes; 0: not started */
	int out_fd, file_fd;		/* its output; -1: no more comes */
	int64_t start_ns, begun_ns, end_ns, bytes;	/* times since t0; -1: not yet */
	bool too_much, stopped, left;
};

struct programs {
	struct topo *topo;
	struct json_object *job;
	struct program *list;
	int n;
	int timer_fd;			/* the next start; -1: no programs */
	int64_t t0_ns;
};

int programs_open(struct programs *ps, struct json_object *job, struct topo *t, const char *out);
void programs_follow(struct programs *ps, struct proc *first);
int programs_start(struct programs *ps, int64_t t0_ns);
int programs_pollfds(const struct programs *ps, struct pollfd *pfd);
int programs_poll(struct programs *ps);
bool programs_wanted(const struct programs *ps);
void programs_late(const struct programs *ps, int64_t limit_ns);
void programs_end(struct programs *ps);
void programs_totals(const struct programs *ps, struct json_object *o);

#endif /* LAB_GUEST_PROGRAMS_H */
