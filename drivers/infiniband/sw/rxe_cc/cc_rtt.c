// SPDX-License-Identifier: GPL-2.0
/*
 * Round-trip times, as a NIC that stamps packets measures them: from the first
 * bit of a packet on the wire of the own port to the arrival of its ACK there.
 *
 * One packet at a time, which asks for an ACK of its own and was never sent before
 * (Karn: else the ACK would not tell which one it is for). The transport says when
 * it hands the packet down, when the port has let go of it, and when the ACK came.
 */
#include <linux/ktime.h>

#include "cc_core.h"

/* qp->probe_left: a PSN above the low bits of a time. */
#define RXE_CC_LEFT_BITS	40
#define RXE_CC_LEFT_MASK	(BIT_ULL(RXE_CC_LEFT_BITS) - 1)

/* Measure the RTT of a packet. @wire_bytes is 0 when its departure will not be
 * reported. Under qp->lock.
 */
void rxe_cc_probe_start(struct rxe_cc_qp *qp, u32 psn, u32 wire_bytes,
			u64 now_ns)
{
	atomic64_set(&qp->probe_left, (u64)psn << RXE_CC_LEFT_BITS);
	qp->probe_psn = psn;
	qp->probe_ns = now_ns;
	qp->probe_bytes = wire_bytes;
	WRITE_ONCE(qp->probing, true);
}

/**
 * rxe_cc_tx_probe() - a request is about to be handed to the port
 * @qp: queue pair
 * @kind: what it is
 * @psn: its PSN; it asks for an ACK and is not a READ
 * @wire_bytes: its length on the wire
 *
 * Context: work.
 *
 * Return: true when rxe_cc_tx_left() is wanted once it has left.
 */
bool rxe_cc_tx_probe(struct rxe_cc_qp *qp, enum rxe_cc_pkt kind, u32 psn,
		     u32 wire_bytes)
{
	bool probe;

	if (READ_ONCE(qp->probing))
		return false;
	spin_lock_bh(&qp->lock);
	probe = qp->algo_on && !qp->info.uc && !qp->probing &&
		(!qp->psns.valid || rxe_cc_psn_diff(psn, qp->psns.max) >= 0);
	if (probe)
		rxe_cc_probe_start(qp, psn, wire_bytes, ktime_get_ns());
	spin_unlock_bh(&qp->lock);
	return probe;
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_probe);

/**
 * rxe_cc_tx_left() - the last bit of a packet has left the port
 * @qp: queue pair
 * @psn: its PSN; rxe_cc_tx_probe() wanted to know
 *
 * Takes no lock: PSN and time, of which the low 40 bits are enough, fit into one
 * word, and it is written only while it has the same PSN and no time.
 *
 * Context: any, within the port's transmission too.
 */
void rxe_cc_tx_left(struct rxe_cc_qp *qp, u32 psn)
{
	s64 waiting = (u64)psn << RXE_CC_LEFT_BITS;
	u64 now_ns = ktime_get_ns() & RXE_CC_LEFT_MASK;

	atomic64_cmpxchg(&qp->probe_left, waiting, waiting | max(now_ns, 1ULL));
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_left);

/* When the first bit was on the wire; when the packet was handed down, if its
 * departure was not seen.
 */
static u64 rxe_cc_probe_sent_ns(struct rxe_cc_qp *qp, u64 now_ns)
{
	u64 left = atomic64_read(&qp->probe_left) & RXE_CC_LEFT_MASK;
	u64 ago_ns;

	if (!left || !qp->probe_bytes)
		return qp->probe_ns;
	ago_ns = ((now_ns - left) & RXE_CC_LEFT_MASK) +
		 rxe_cc_ns_for(qp->probe_bytes, qp->flow.line_rate_bps);
	/* A line rate that is not the port's must not make it older than it is. */
	return now_ns - min(ago_ns, now_ns - qp->probe_ns);
}

/* Round-trip time of the probe, whose ACK came at @arrived_ns. Under qp->lock;
 * @now_ns is not before the probe's start.
 */
u64 rxe_cc_probe_rtt_ns(struct rxe_cc_qp *qp, u64 arrived_ns, u64 now_ns)
{
	u64 sent_ns = rxe_cc_probe_sent_ns(qp, now_ns);

	return max(clamp(arrived_ns, sent_ns, now_ns) - sent_ns, 1ULL);
}
