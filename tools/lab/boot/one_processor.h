/* SPDX-License-Identifier: GPL-2.0 */
/* A processor for a lab kernel in virtual time. */
#ifndef LAB_BOOT_ONE_PROCESSOR_H
#define LAB_BOOT_ONE_PROCESSOR_H

#include <sched.h>
#include <stdbool.h>

/**
 * struct processor - one of the host's
 * @all: those that we may be on
 * @fd: socket of its name
 */
struct processor {
	cpu_set_t all;
	int fd;
};

bool processor_take(struct processor *p);
void processor_leave(struct processor *p);

#endif /* LAB_BOOT_ONE_PROCESSOR_H */
