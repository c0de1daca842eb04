/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic of LSCC (link-segmented congestion control): the rate that one end of a long link
 * tells the other, and the pseudo queue that the other end limits its senders by. No port, no
 * packet, no clock.
 */
#ifndef _ROCE_LSCC_RATE_H
#define _ROCE_LSCC_RATE_H

#include <linux/types.h>

/* Adjustments that may be under way, the paper's N at most: 0.2 s at 200 us, which is a link
 * of 20 000 km.
 */
#define ROCE_LSCC_LIST		1024

/**
 * struct roce_lscc_rule - what a feedback rate is calculated by
 * @period_ns: the paper's T, not 0
 * @qref_bytes: queue to aim at, the paper's Qref
 * @step_bps: from one rate to the next at most, the paper's dR
 * @min_bps: lowest rate, the paper's Rmin
 * @max_bps: highest, not below @min_bps, below 2^42; the paper's Rmax
 * @in_flight: adjustments under way, the paper's N: 1 .. %ROCE_LSCC_LIST
 */
struct roce_lscc_rule {
	u64 period_ns;
	u64 qref_bytes;
	u64 step_bps;
	u64 min_bps;
	u64 max_bps;
	u32 in_flight;
};

/**
 * struct roce_lscc_calc - a rate calculation
 * @list: the last adjustments, bit/s, the paper's Ra_list; a ring
 * @sum: of @list
 * @head: its oldest entry
 * @last_bps: the last rate
 */
struct roce_lscc_calc {
	s64 list[ROCE_LSCC_LIST];
	s64 sum;
	u32 head;
	u64 last_bps;
};

/**
 * struct roce_lscc_limit - the pseudo queue, and the rate that it is served at
 * @rate_bps: the feedback rate in force; 0 = none, and no queue
 * @heard_ns: when it came
 * @peer_ns: time in its message
 * @seq: number of its message
 * @at_ns: the queue is as of then
 * @bytes: wire bytes in the queue, and up to one byte more
 * @rem: what of the first byte has left, in 1/8e9 byte
 */
struct roce_lscc_limit {
	u64 rate_bps;
	u64 heard_ns;
	u64 peer_ns;
	u32 seq;
	u64 at_ns;
	u64 bytes;
	u64 rem;
};

/**
 * struct roce_lscc_flow - a flow that goes out by a long link
 * @cnp_ns: when its sender was sent the last CNP; 0 = never
 * @tx_bytes: wire bytes since the flow is known, or since it was idle
 * @sent_ns: when it sent the last of them; 0 = never
 * @marked: period in which it was marked last, from 1; 0 = never
 */
struct roce_lscc_flow {
	u64 cnp_ns;
	u64 tx_bytes;
	u64 sent_ns;
	u64 marked;
};

/**
 * struct roce_lscc_whom - which flows are told
 * @qref_bytes: pseudo queue from which on anybody is, the paper's Q*ref
 * @threshold_bytes: flows that have sent less are, marked or not
 * @idle_ns: a flow that has sent nothing for so long has sent nothing yet
 * @interval_ns: from one CNP to the next of a flow, at least
 */
struct roce_lscc_whom {
	u64 qref_bytes;
	u64 threshold_bytes;
	u64 idle_ns;
	u64 interval_ns;
};

/**
 * enum roce_lscc_due - is the sender of a packet to be told?
 * @ROCE_LSCC_NOT: no: the queue is short, or the flow is long and not marked
 * @ROCE_LSCC_DAMPED: so soon after the last CNP not again
 * @ROCE_LSCC_TELL: yes
 */
enum roce_lscc_due {
	ROCE_LSCC_NOT,
	ROCE_LSCC_DAMPED,
	ROCE_LSCC_TELL,
};

void roce_lscc_calc_init(struct roce_lscc_calc *calc, u64 rate_bps);
u64 roce_lscc_calc_rate(struct roce_lscc_calc *calc,
			const struct roce_lscc_rule *rule, u64 queue_bytes, u64 out_bps);
u64 roce_lscc_mean_bps(u64 bytes, u64 span_ns);
u64 roce_lscc_in_flight(u64 rtt_ns, u64 period_ns);

bool roce_lscc_settle(struct roce_lscc_limit *limit, u64 expiry_ns, u64 now_ns);
bool roce_lscc_is_new(const struct roce_lscc_limit *limit, u32 seq, u64 peer_ns);
void roce_lscc_hear(struct roce_lscc_limit *limit, u32 seq, u64 peer_ns, u64 rate_bps, u64 now_ns);
void roce_lscc_add(struct roce_lscc_limit *limit, u32 wire_bytes);
bool roce_lscc_is_long(const struct roce_lscc_limit *limit, u64 qref_bytes);
u64 roce_lscc_period(u64 since_ns, u64 period_ns, u64 now_ns);
void roce_lscc_count(struct roce_lscc_flow *flow, const struct roce_lscc_whom *whom,
		     u32 wire_bytes, u64 now_ns);
enum roce_lscc_due roce_lscc_due(struct roce_lscc_flow *flow,
				 const struct roce_lscc_whom *whom, bool marked, u64 now_ns);

#endif /* _ROCE_LSCC_RATE_H */
