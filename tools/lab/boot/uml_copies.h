/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab, UML backend: one boot for several jobs.
 *
 * A lab kernel in virtual time can make copies of itself (tools/lab/kernel/0014-um-copies.patch).
 * It boots and loads the modules that all jobs need. For each job the host side then writes a
 * line, and a copy of the kernel, which begins as that kernel is, does the job and ends. The
 * kernel itself stands still meanwhile. So nothing of a run is left in the next one, whatever
 * happened in it, and results are those of a boot each.
 *
 * Jobs one after the other that have the same network share that, too: a copy sets it up, and makes
 * copies of itself in turn, until a job with another network comes.
 */
#ifndef LAB_BOOT_UML_COPIES_H
#define LAB_BOOT_UML_COPIES_H

#include <stdio.h>
#include <sys/types.h>

#include "run/run.h"

/* Kernels that wait for a line: the one that has booted, and one with a network. */
enum { COPIES_BOOTED, COPIES_NETWORK, COPIES_LEVELS };

struct uml_copies {
	char *work_dir;			/* of the kernel: its job and that of the network */
	pid_t pid;			/* 0: not running */
	int console, talk;		/* talk: our end of the socket */
	char *network;			/* that the inner kernel has; NULL: there is none */
	char *said[COPIES_LEVELS];	/* on the console before any job: part of the log of each */
	int waits;			/* copies that have yet to begin; the last is the job's */
};

struct uml_copies *copies_new(void);
void copies_free(struct uml_copies *s);
int copies_jobs(struct cmd *c, struct uml *u);
bool copies_same_network(struct cmd *c, const char *cc, const char *next);
int copies_start(struct uml_copies *s, struct uml *u, int uml_log);
bool copies_begin(struct uml_copies *s, FILE *log);
void copies_said(struct uml_copies *s, const char *line);
bool copies_ended(struct uml_copies *s);
void copies_stop(struct uml_copies *s, bool now);

#endif /* LAB_BOOT_UML_COPIES_H */
