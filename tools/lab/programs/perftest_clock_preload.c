// SPDX-License-Identifier: GPL-2.0
/*
 * A clock for perftest in the lab kernel, by LD_PRELOAD: gettimeofday() from the cycle counter.
 *
 * perftest counts cycles and divides by a rate that it measures against gettimeofday(), 200 times
 * for a millisecond. A busy host stops the lab kernel in the midst of that, the points are on no
 * line any more, and all results are 0 or infinite. The host has measured the rate for longer;
 * with time told by that rate the points are on a line whatever the host does.
 */
#include <stdlib.h>
#include <sys/time.h>
#include <x86intrin.h>

#define USEC_PER_SEC	1000000ULL

static unsigned long long cycles_per_s;

static void __attribute__((constructor)) start(void)
{
	const char *text = getenv("PAIR_TSC_HZ");

	cycles_per_s = text ? strtoull(text, NULL, 10) : 0;
	/* Without one this would end every program that reads the time. */
	if (!cycles_per_s)
		cycles_per_s = 1000000000;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	unsigned long long now = __rdtsc();

	(void)tz;
	tv->tv_sec = now / cycles_per_s;
	tv->tv_usec = now % cycles_per_s * USEC_PER_SEC / cycles_per_s;
	return 0;
}
