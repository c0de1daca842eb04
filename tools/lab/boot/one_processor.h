/* SPDX-License-Identifier: GPL-2.0 */
/* A processor for a lab kernel in virtual time. */
#ifndef LAB_BOOT_ONE_PROCESSOR_H
#define LAB_BOOT_ONE_PROCESSOR_H

#include <sched.h>
#include <stdbool.h>

bool processor_take(cpu_set_t *before);
void processor_leave(const cpu_set_t *before);
void processor_give_back(void);

#endif /* LAB_BOOT_ONE_PROCESSOR_H */
