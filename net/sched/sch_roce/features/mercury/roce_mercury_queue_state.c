// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury's judgement of a queue (Determined or Undetermined, congested or not; Algorithm 1),
 * and the windows that it gives to senders (Algorithm 2). He et al., "Accurate and fast
 * congestion feedback in MEC-enabled RDMA datacenters", J. Cloud Computing 2024.
 *
 * A queue at a port that its peer pauses may be long because more arrives than the
 * line carries, or because of the pauses alone. So from the first pause on it is
 * Undetermined, and no CNP is sent. At the end of the pause:
 *
 *	queue < threshold			Determined: not congested
 *	rxByte > C * T_pause			Determined: more came than the line
 *						would have carried
 *	else					Undetermined: the pause alone explains
 *						the queue
 *
 * After that it is judged at the first packet sent when T has passed, and again after each
 * T: if the queue is still at the threshold or above, and shorter than last time, it
 * stays Undetermined; else it becomes Determined.
 *
 * What the paper leaves open:
 *  - While the port is paused nothing is checked: a paused queue cannot get shorter.
 *  - Repeated pauses of a peer are one pause.
 *  - "Decreases during T" means: shorter than at the last judgement, which is the end of
 *    the pause at first.
 *  - A pause in a pause that is not judged yet begins anew.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <rxe_cc/cc_math.h>

#include "roce_mercury_queue_state.h"

/* Bits in a byte times nanoseconds in a second. */
#define ROCE_MERCURY_BYTE_NS	8000000000ULL

/* What a line carries in a time, wire bytes rounded down. */
static u64 roce_mercury_carried(u64 rate_bps, u64 span_ns)
{
	return rxe_cc_muldiv(rate_bps, span_ns, ROCE_MERCURY_BYTE_NS);
}

/**
 * roce_mercury_pause - the peer has paused a queue that was not paused
 * @s: state
 * @now_ns: present time
 */
void roce_mercury_pause(struct roce_mercury_state *s, u64 now_ns)
{
	s->pause_ns = now_ns;
	s->rx_bytes = 0;
	s->paused = true;
	s->undetermined = true;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_pause);

/**
 * roce_mercury_arrive - a packet has joined the queue
 * @s: state
 * @wire_bytes: its length
 */
void roce_mercury_arrive(struct roce_mercury_state *s, u32 wire_bytes)
{
	if (s->paused)
		s->rx_bytes += wire_bytes;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_arrive);

/**
 * roce_mercury_resume - the pause is over
 * @s: state of a paused queue
 * @rule: what it is judged by
 * @queue_bytes: wire bytes waiting
 * @now_ns: present time
 */
void roce_mercury_resume(struct roce_mercury_state *s,
			 const struct roce_mercury_rule *rule, u64 queue_bytes, u64 now_ns)
{
	s->undetermined = queue_bytes >= rule->threshold_bytes &&
			  s->rx_bytes <= roce_mercury_carried(rule->rate_bps, now_ns - s->pause_ns);
	s->paused = false;
	s->check_ns = now_ns;
	s->check_bytes = queue_bytes;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_resume);

/**
 * roce_mercury_dequeue - a packet has left the queue
 * @s: state
 * @rule: what it is judged by
 * @queue_bytes: wire bytes waiting, without that packet
 * @now_ns: present time
 *
 * Return: true when the queue was Undetermined and is Determined now.
 */
bool roce_mercury_dequeue(struct roce_mercury_state *s, const struct roce_mercury_rule *rule,
			  u64 queue_bytes, u64 now_ns)
{
	if (likely(!s->undetermined) || s->paused || now_ns - s->check_ns < rule->period_ns)
		return false;
	s->undetermined = queue_bytes >= rule->threshold_bytes && queue_bytes < s->check_bytes;
	s->check_ns = now_ns;
	s->check_bytes = queue_bytes;
	return !s->undetermined;
}
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_dequeue);

/**
 * roce_mercury_window - what a flow may have in flight
 * @rate_bps: line rate
 * @base_rtt_ns: round trip without queues
 * @flow_bytes: wire bytes of the flow that wait
 * @queue_bytes: wire bytes of all that wait, not 0
 *
 * C * flow / queue * baseRTT, the flow's share of the queue as its share of the line.
 * The product is rounded down twice, so it is less than 2 bytes below the exact one.
 *
 * Return: bytes, at least 1.
 */
u32 roce_mercury_window(u64 rate_bps, u64 base_rtt_ns, u64 flow_bytes, u64 queue_bytes)
{
	u64 line_bytes = roce_mercury_carried(rate_bps, base_rtt_ns);

	return clamp_t(u64, rxe_cc_muldiv(line_bytes, flow_bytes, queue_bytes), 1, U32_MAX);
}
EXPORT_SYMBOL_IF_KUNIT(roce_mercury_window);
