/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: which process keeps virtual time from going on.
 */
#ifndef LAB_BOOT_STALLED_TIME_H
#define LAB_BOOT_STALLED_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct stalled - watches the time of a lab kernel
 * @kernel: its process; 0: it is not watched
 * @mem: its memory
 * @time_at: address of its clock there; so the next two
 * @task_at: pointer to the task that runs
 * @comm_in: where a task has its name, in bytes from its beginning
 * @pid_in: and its number
 * @time_ns: the clock when it was last looked at
 * @since_ns: when it began to show that, by the host's clock
 * @said: of this halt
 */
struct stalled {
	pid_t kernel;
	int mem;
	uint64_t time_at, task_at, comm_in, pid_in;
	uint64_t time_ns;
	int64_t since_ns;
	bool said;
};

void stalled_open(struct stalled *s, pid_t kernel, const char *linux_path);
char *stalled_look(struct stalled *s, int64_t after_ns);
void stalled_close(struct stalled *s);

#endif /* LAB_BOOT_STALLED_TIME_H */
