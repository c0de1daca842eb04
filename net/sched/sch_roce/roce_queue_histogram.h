/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exact histogram of a port's queue length, all priorities together: the time spent in each
 * bucket. Each change of the queue adds the time since the last one.
 */
#ifndef _ROCE_QUEUE_HISTOGRAM_H
#define _ROCE_QUEUE_HISTOGRAM_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <uapi/linux/roce_watch.h>

/**
 * struct roce_hist - time by length
 * @since_ns: the queue has been constant since then
 * @ns: per bucket
 */
struct roce_hist {
	u64 since_ns;
	u64 ns[ROCE_WATCH_BUCKETS];
};

/**
 * roce_hist_bucket - where a length belongs
 * @bytes: length
 *
 * Return: up to 31 the value itself, then its five highest bits.
 */
static inline unsigned int roce_hist_bucket(u64 bytes)
{
	u32 v = min_t(u64, bytes, U32_MAX);
	unsigned int bits = fls(v), shift;

	shift = bits > ROCE_WATCH_SUB_BITS + 1 ? bits - ROCE_WATCH_SUB_BITS - 1 : 0;
	return (shift << ROCE_WATCH_SUB_BITS) + (v >> shift);
}

/**
 * roce_hist_update - add the time since the last change of the queue
 * @hist: histogram
 * @bytes: length of the queue since then
 * @now_ns: present time
 */
static inline void roce_hist_update(struct roce_hist *hist, u64 bytes, u64 now_ns)
{
	hist->ns[roce_hist_bucket(bytes)] += now_ns - hist->since_ns;
	hist->since_ns = now_ns;
}

#endif /* _ROCE_QUEUE_HISTOGRAM_H */
