// SPDX-License-Identifier: GPL-2.0
/*
 * Time integral of a queue's length (byte * ns): two readings give its mean between them,
 * exactly, without sampling. The sum is kept in two parts, because byte * ns overflows 64 bits
 * within hours and 128 bits cannot be read by user space.
 */
#include <kunit/visibility.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/time64.h>

#include "roce_port.h"

#define ROCE_AREA_UNIT	(1024ULL * NSEC_PER_USEC)	/* byte * ns */

/**
 * roce_area_add - add a constant queue's time, however long
 * @area: integral
 * @bytes: length of the queue
 * @span: how long, ns
 */
void roce_area_add(struct roce_area *area, u64 bytes, u64 span)
{
	/* A queue is below 2^41 bytes: a step adds at most 2^62. */
	u64 longest = bytes >> 32 ? 1ULL << 21 : 1ULL << 29;

	while (bytes && span) {
		u64 step = min(span, longest);

		if (area->byte_ns >> 61)
			area->units += div64_u64_rem(area->byte_ns, ROCE_AREA_UNIT, &area->byte_ns);
		area->byte_ns += bytes * step;
		span -= step;
	}
}

/**
 * roce_area_units - read the time integral of a queue
 * @area: integral
 * @bytes: present length of the queue
 * @now_ns: present time
 *
 * Return: integral up to now in KiB * us.
 */
u64 roce_area_units(struct roce_area *area, u64 bytes, u64 now_ns)
{
	roce_area_update(area, bytes, now_ns);
	return area->units + div64_u64(area->byte_ns, ROCE_AREA_UNIT);
}
EXPORT_SYMBOL_IF_KUNIT(roce_area_units);
