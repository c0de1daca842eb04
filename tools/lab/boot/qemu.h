/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: the QEMU backend: hosts and switches in several guests, which run the
 * distribution's kernel in real time.
 */
#ifndef LAB_BOOT_QEMU_H
#define LAB_BOOT_QEMU_H

#include <sys/types.h>

#include "run/run.h"

/* What tools/lab/guest/control_channel.c looks for. */
#define QEMU_CONTROL_PORT	"lab.control"
#define QEMU_WORK_TAG		"work"

#define QEMU_LINE		1024
#define QEMU_FDS		256	/* cables of a guest at most */

/* What a guest has said of how far it is. */
enum qemu_said {
	QEMU_BOOT,
	QEMU_ENDS,
	QEMU_READY,
	QEMU_DONE,
	QEMU_EXIT,
	QEMU_SHELL,
	QEMU_SAID
};

/* Its CLOCK_MONOTONIC is ahead of ours by so much, at our time @at_ns. */
struct qemu_clock {
	int64_t at_ns, ahead_ns, error_ns;
};

struct qemu_cable {
	int fd;
	uint8_t mac[6];
};

struct qemu_guest {
	int number;
	char *nodes;			/* names, for messages */
	bool hosts;			/* has some */
	pid_t pid;			/* 0: not running */
	int ctl;			/* -1: closed */
	struct qemu_cable cables[QEMU_FDS];
	int n_cables;
	bool said[QEMU_SAID];
	int status;			/* of QEMU_EXIT */
	int boots;			/* that QEMU spoiled */
	char *error;
	char line[QEMU_LINE];
	size_t len;
	int64_t pong_seq, pong_ns;
	struct qemu_clock before, after;
};

struct qemu {
	struct cmd *c;
	struct uml *u;
	const char *work;
	char *release, *kernel, *initrd, *modules;	/* modules: directory of ours */
	const char *accel;
	int cpus;
	int64_t mem_mb, tsc_khz;
	struct qemu_guest *guests;
	int n_guests;
	int64_t start_ns, deadline_ns;
	int64_t t0_ns;			/* of the traffic, our CLOCK_MONOTONIC */
};

/* boot/qemu_kernel_initrd.c */
char *qemu_modules_dir(void);
int qemu_find_kernel(struct qemu *q);
int qemu_write_initrd(struct qemu *q);

/* boot/qemu_nodes_to_guests.c */
int qemu_nodes_to_guests(struct qemu *q, const struct run_opts *o);

/* boot/qemu_spawn.c */
int qemu_start(struct qemu *q);
int qemu_restart(struct qemu *q, struct qemu_guest *g);
void qemu_booted(struct qemu *q);
void qemu_stop(struct qemu *q);
const char *qemu_accel(struct qemu *q);

/* boot/qemu_control_channel.c */
void qemu_say(struct qemu_guest *g, const char *fmt, ...) PRINTF(2, 3);
void qemu_say_all(struct qemu *q, const char *word);
void qemu_say_start(struct qemu *q);
int qemu_until(struct qemu *q, enum qemu_said what, bool hosts_only);
int qemu_clocks(struct qemu *q, bool after);
int qemu_connect(struct qemu *q);
int qemu_poll(struct qemu *q, bool signals);

/* boot/qemu_realtime_measure.c */
int qemu_realtime_measure(struct qemu *q);
int qemu_realtime_capability(struct qemu *q);

/* boot/qemu_merge_results.c */
int qemu_merge(struct qemu *q, const char *raw);
int qemu_consoles(struct qemu *q);

/* boot/qemu_shell.c */
int qemu_shell(struct qemu *q, const char *input);

#endif /* LAB_BOOT_QEMU_H */
