// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip times, as a NIC that stamps packets measures them: from the first
 * bit of a packet on the wire of the own port to the arrival of its answer there,
 * less the time that the receiver says it took. Of a port that does not tell when
 * a packet left, its queue is in as well: from when it was handed down.
 *
 * One packet at a time, which asks for an answer of its own and was never sent
 * before (Karn: else the answer would not tell which one it is for). A request is
 * answered by an ACK, a READ response with INT by a report. The transport says
 * when it hands the packet down, when the port has let go of it, and when the
 * answer came.
 */
#include <linux/ktime.h>

#include "cc_core.h"

/* qp->probe_left: a PSN above the low bits of a time. */
#define RXE_CC_LEFT_BITS	40
#define RXE_CC_LEFT_MASK	(BIT_ULL(RXE_CC_LEFT_BITS) - 1)

/* A request that asks for an ACK while nothing is measured is measured, and its
 * ACK is to tell how long the receiver took. Under qp->lock.
 */
void rxe_cc_ask_time(struct rxe_cc_qp *qp)
{
	WRITE_ONCE(qp->handle->ask_time,
		   qp->handle->caps & qp->handle->peer & RXE_CC_CAP_TLV &&
		   !qp->probing);
}

/* Measure the RTT of a packet. @wire_bytes is 0 when its departure will not be
 * reported. Under qp->lock.
 */
void rxe_cc_probe_start(struct rxe_cc_qp *qp, bool resp, u32 psn,
			u32 wire_bytes, u64 now_ns)
{
	atomic64_set(&qp->probe_left, (u64)psn << RXE_CC_LEFT_BITS);
	qp->probe_psn = psn;
	qp->probe_ns = now_ns;
	qp->probe_bytes = wire_bytes;
	WRITE_ONCE(qp->probe_resp, resp);
	WRITE_ONCE(qp->probing, true);
	rxe_cc_ask_time(qp);
}

/* No measurement is under way any more. Under qp->lock. */
void rxe_cc_probe_end(struct rxe_cc_qp *qp)
{
	WRITE_ONCE(qp->probing, false);
	rxe_cc_ask_time(qp);
}

/* Is a measurement under way? A lost report is not sent again, so one that waits
 * for it is given up. Under qp->lock.
 */
bool rxe_cc_probing(const struct rxe_cc_qp *qp, u64 now_ns)
{
	const struct rxe_cc_flow *f = &qp->flow;

	if (!qp->probing || !qp->probe_resp)
		return qp->probing;
	return now_ns - qp->probe_ns < rxe_cc_lost_ns(f->srtt_ns,
						      f->base_rtt_ns);
}

/* Is this packet sent for the first time? */
static bool rxe_cc_first_copy(const struct rxe_cc_qp *qp, bool resp, u32 psn)
{
	if (resp)
		return !rxe_cc_resp_again(qp, psn);
	return !qp->psns.valid || rxe_cc_psn_diff(psn, qp->psns.max) >= 0;
}

/**
 * rxe_cc_tx_probe() - a packet that will be answered is about to be handed to the
 *	port
 * @qp: queue pair
 * @kind: %RXE_CC_PKT_DATA: a request that asks for an ACK; %RXE_CC_PKT_RESP: a
 *	READ response with INT
 * @psn: its PSN
 * @wire_bytes: its length on the wire
 *
 * Context: work.
 *
 * Return: true when rxe_cc_tx_left() is wanted once it has left.
 */
bool rxe_cc_tx_probe(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn,
		     u32 wire_bytes)
{
	bool resp = kind == RXE_CC_PKT_RESP;
	u64 now_ns;
	bool probe;

	if (READ_ONCE(qp->probing) && !READ_ONCE(qp->probe_resp))
		return false;
	spin_lock_bh(&qp->lock);
	now_ns = rxe_cc_now(qp);
	probe = qp->algo_on && !qp->info.uc && !rxe_cc_probing(qp, now_ns) &&
		rxe_cc_first_copy(qp, resp, psn);
	if (probe)
		rxe_cc_probe_start(qp, resp, psn, wire_bytes, now_ns);
	spin_unlock_bh(&qp->lock);
	return probe;
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_probe);

/**
 * rxe_cc_tx_left() - the last bit of a packet has left the port
 * @qp: queue pair
 * @psn: its PSN; rxe_cc_tx_probe() wanted to know
 * @left_ns: when, by the port's word; ignored when that cannot be a time of
 *	CLOCK_MONOTONIC
 *
 * Takes no lock: PSN and time, of which the low 40 bits are enough, fit into one
 * word, and it is written only while it has the same PSN and no time.
 *
 * Context: any, within the port's transmission too.
 */
void rxe_cc_tx_left(struct rxe_cc_qp *qp, u32 psn, u64 left_ns)
{
	s64 waiting = (u64)psn << RXE_CC_LEFT_BITS;

	/* A clock of a device, from the future or from long ago. */
	if (ktime_get_ns() - left_ns > RXE_CC_LEFT_MASK / 2)
		return;
	left_ns &= RXE_CC_LEFT_MASK;
	atomic64_cmpxchg(&qp->probe_left, waiting, waiting | max(left_ns, 1ULL));
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_left);

/* When the first bit was on the wire. When the packet was handed down, if the port
 * told no departure, or one from before that.
 */
static u64 rxe_cc_probe_sent_ns(struct rxe_cc_qp *qp, u64 now_ns)
{
	u64 left = atomic64_read(&qp->probe_left) & RXE_CC_LEFT_MASK;
	u64 left_ago_ns = (now_ns - left) & RXE_CC_LEFT_MASK;
	u64 ago_ns = now_ns - qp->probe_ns;

	if (!left || !qp->probe_bytes || left_ago_ns > ago_ns)
		return qp->probe_ns;
	left_ago_ns += rxe_cc_ns_for(qp->probe_bytes, qp->flow.line_rate_bps);
	/* A line rate that is not the port's must not make it older than it is. */
	return now_ns - min(left_ago_ns, ago_ns);
}

/**
 * rxe_cc_probe_answered() - an answer came: does it end the measurement?
 * @qp: queue pair
 * @resp: to a READ response
 * @psn: to this packet; an ACK also to all before
 * @arrived_ns: when it came in from the port
 * @now_ns: time, not before the measurement's start
 * @fb: what it tells
 *
 * An ACK that covers the packet without being its own still bounds the time it
 * took. A report on a later response does not.
 *
 * Context: qp->lock held.
 *
 * Return: the round-trip time, ns; 0 when there is none.
 */
u64 rxe_cc_probe_answered(struct rxe_cc_qp *qp, bool resp, u32 psn,
			  u64 arrived_ns, u64 now_ns,
			  const struct rxe_cc_feedback *fb)
{
	s32 after = rxe_cc_psn_diff(psn, qp->probe_psn);
	const u64 *knob = qp->port->knob;
	struct rxe_cc_trip trip = {
		.now_ns = now_ns,
		.given_ns = READ_ONCE(knob[RXE_CC_KNOB_BASE_RTT]),
		.window_ns = READ_ONCE(knob[RXE_CC_KNOB_RTT_WINDOW]),
	};
	u64 sent_ns;

	if (!qp->probing || qp->probe_resp != resp || after < 0)
		return 0;
	rxe_cc_probe_end(qp);
	if (resp && after)
		return 0;
	sent_ns = rxe_cc_probe_sent_ns(qp, now_ns);
	trip.took_ns = clamp(arrived_ns, sent_ns, now_ns) - sent_ns;
	if (!after && fb->has_time)
		trip.turnaround_ns = fb->turnaround_ns;
	return rxe_cc_flow_rtt(&qp->flow, &qp->least_rtt, &trip);
}
