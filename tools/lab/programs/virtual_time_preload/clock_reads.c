// SPDX-License-Identifier: GPL-2.0
/*
 * Reads of clocks without a call of the kernel, where time cannot be seen to stand still
 * meanwhile: a program that waits for a time reads its clock some hundred times, and the kernel
 * knows before which time nothing can happen. The reads take as long as if the kernel had been
 * called. It takes over the time of the last one when it is called next.
 */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

#define NS_PER_SEC	1000000000ULL

static _Thread_local struct program_clock last;

static bool read_clock(clockid_t clock, uint64_t place, uint64_t *ns)
{
	uint64_t step;

	if (!vtime_on || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
		return false;
	step = (last.now_ns - last.start_ns) / CLOCK_SHARE;
	if (!step)
		step = 1;
	if (last.now_ns + step < last.until_ns && place == last.place &&
	    (uint32_t)clock == last.clock) {
		last.clock_ns += step;
		last.now_ns += step;
	} else {
		last.place = place;
		last.clock = clock;
		if (syscall(SYS_arch_prctl, ARCH_PROGRAM_CLOCK, &last))
			return false;
	}
	*ns = last.clock_ns;
	return true;
}

/* The kernel takes all places that call this function of libc for one. */
EXPORT int clock_gettime(clockid_t clock, struct timespec *to)
{
	uint64_t ns;

	if (!read_clock(clock, 1, &ns))
		return (int)syscall(SYS_clock_gettime, clock, to);
	to->tv_sec = (time_t)(ns / NS_PER_SEC);
	to->tv_nsec = (long)(ns % NS_PER_SEC);
	return 0;
}

EXPORT int gettimeofday(struct timeval *to, void *zone)
{
	uint64_t ns;

	if (zone || !read_clock(CLOCK_REALTIME, (uintptr_t)__builtin_return_address(0), &ns))
		return (int)syscall(SYS_gettimeofday, to, zone);
	to->tv_sec = (time_t)(ns / NS_PER_SEC);
	to->tv_usec = (suseconds_t)(ns % NS_PER_SEC / 1000);
	return 0;
}
