/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a port says of itself in telemetry of constant size (<rxe_cc/int_worst.h>): how much of
 * its line it has used, and how long its queue takes.
 *
 * It measures from one packet with such telemetry to another that leaves half of its T later or
 * more, as the packet says it, and ROCE_INT_LOAD_NS at least.
 * Both are at the start of a transmission, so a line that is never idle has a utilization of
 * exactly 1, whatever the sizes of packets. A measurement holds until the next: senders that weigh
 * it by the time it has held get the mean.
 *
 * Half of T is short enough that a flow hears of a change in a round trip, and long enough for
 * one that sends a packet in several T. That one has nothing but this measurement to go by: HPCC
 * averages over T, so a sample of a flow with a longer gap counts alone. Over a time of a few
 * packets the line is full more often than not, above eta as well as below, and such a flow would
 * give way each time while faster ones average the same to less than eta.
 */
#ifndef _ROCE_INT_LOAD_H
#define _ROCE_INT_LOAD_H

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#include <rxe_cc/int_worst.h>

#define ROCE_INT_LOAD_NS	1000U

/**
 * struct roce_int_load - a measurement and the next one's beginning; all zero: none yet
 * @since_ns: when this one began
 * @since_bytes: what the port had sent then
 * @util_q16: the last one's result, Q16
 * @queue_bytes: the queue then
 *
 * A port has one for each priority, so that a queue is compared with what itself was.
 */
struct roce_int_load {
	u64 since_ns;
	u64 since_bytes;
	u32 util_q16;
	u32 queue_bytes;
};

/* Time that bytes take on the line, rounded down, saturated. */
static inline u64 roce_int_line_ns(u64 bytes, u64 rate_bps)
{
	const u64 most = U64_MAX / (8 * NSEC_PER_SEC);

	return div64_u64(min(bytes, most) * (8 * NSEC_PER_SEC), rate_bps);
}

/**
 * roce_int_load() - how loaded a port is, for a packet that it sends
 * @l: measurement of the packet's priority
 * @rate_bps: line rate, not 0
 * @now_ns: start of the packet's transmission
 * @t_ns: T, as the packet says it
 * @tx_bytes: wire bytes that the port sent before it
 * @qlen_bytes: wire bytes that it leaves behind in its queue
 * @drain_ns: set to the time that the queue takes on the line: the smaller one of now and of the
 *	last measurement, as HPCC takes the smaller one of two samples
 *
 * Return: utilization, Q16.
 */
static inline u32 roce_int_load(struct roce_int_load *l, u64 rate_bps, u64 now_ns, u32 t_ns,
				u64 tx_bytes, u64 qlen_bytes, u64 *drain_ns)
{
	u64 ns = now_ns - l->since_ns, used_ns;

	*drain_ns = roce_int_line_ns(min_t(u64, qlen_bytes, l->queue_bytes), rate_bps);
	if (ns < max(t_ns / 2, ROCE_INT_LOAD_NS))
		return l->util_q16;
	used_ns = roce_int_line_ns(tx_bytes - l->since_bytes, rate_bps);
	l->util_q16 = min_t(u64, div64_u64(min(used_ns, U64_MAX >> 16) << 16, ns),
			    RXE_CC_WORST_UTIL_MAX);
	l->since_ns = now_ns;
	l->since_bytes = tx_bytes;
	l->queue_bytes = min_t(u64, qlen_bytes, U32_MAX);
	return l->util_q16;
}

#endif /* _ROCE_INT_LOAD_H */
