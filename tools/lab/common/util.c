// SPDX-License-Identifier: GPL-2.0
/* now_ns(), shared by lab and labinit. */
#include <time.h>

#include "common/util.h"

int64_t now_ns(int clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}
