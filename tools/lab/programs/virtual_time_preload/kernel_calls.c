// SPDX-License-Identifier: GPL-2.0
/*
 * What this process tells the lab kernel about itself.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

bool vtime_on;

static long program(unsigned long flags)
{
	return syscall(SYS_arch_prctl, ARCH_PROGRAM, flags);
}

/* @on: this is a program that gets virtual time for its polls. vtime_on is whether it does. */
void vtime_start(bool on)
{
	/* Fails in every kernel but that of the lab, and there in real time. */
	vtime_on = program(on ? PROGRAM_ON : 0) == 0 && on;
}

/* From now on any call of another process may mean that it has written this one's memory. */
void vtime_shares_memory(void)
{
	static bool told;

	if (vtime_on && !told) {
		told = true;
		program(PROGRAM_ON | PROGRAM_SHARES);
	}
}
