// SPDX-License-Identifier: GPL-2.0
/*
 * Checks requests and probes with an unexpected PSN: the transport drops those that the peer
 * cannot have sent.
 *
 * A responder answers a request that is ahead with a NAK, and the requester sends all
 * again that is under way; it answers each probe. Anybody can have it do so with packets
 * whose PSNs are made up. So those that the peer cannot have sent get no answer.
 */
#include "cc_core.h"

/* Packets that the peer may have under way: as many as this port lets its own have. */
static u32 rxe_cc_peer_window(const struct rxe_cc_qp *qp)
{
	return READ_ONCE(qp->port->handle->max_unacked_psns);
}

/**
 * rxe_cc_rx_read() - a READ request was accepted
 * @qp: queue pair
 * @bytes: what it asks for
 *
 * Context: qp->lock held.
 */
void rxe_cc_rx_read(struct rxe_cc_qp *qp, u32 bytes)
{
	u32 psns = bytes / max(qp->info.mtu_bytes, 1U) + 1;

	qp->expect.read_psns = max(qp->expect.read_psns, psns);
}

/**
 * rxe_cc_rx_ahead() - a request is ahead of the expected one
 * @qp: queue pair
 * @psn: its PSN
 * @expected: PSN that is expected
 *
 * Context: work.
 *
 * Return: false when the peer cannot have sent it: it must be dropped without a NAK.
 */
bool rxe_cc_rx_ahead(struct rxe_cc_qp *qp, u32 psn, u32 expected)
{
	bool believed = true;

	spin_lock_bh(&qp->lock);
	if (qp->algo_on)
		believed = rxe_cc_expect_request(&qp->expect, psn, expected,
						 rxe_cc_peer_window(qp),
						 rxe_cc_now(qp));
	spin_unlock_bh(&qp->lock);
	if (!believed)
		rxe_cc_count(qp->port, RXE_CC_CNT_REQUEST_PSN);
	return believed;
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_ahead);

/* May the peer have sent a probe that names this packet? It names the last one that was
 * sent before it: a request, or a response to a READ of ours. Under qp->lock.
 */
static bool rxe_cc_probe_near(const struct rxe_cc_qp *qp, u32 psn, u32 expected)
{
	s32 window = rxe_cc_peer_window(qp);
	const struct rxe_cc_psns *own = &qp->psns;

	if (rxe_cc_expect_near(psn, expected,
			       rxe_cc_expect_reach(&qp->expect, window), window))
		return true;
	return own->valid &&
	       rxe_cc_expect_near(psn, own->una,
				  rxe_cc_psn_diff(own->max, own->una) - 1,
				  window);
}

/**
 * rxe_cc_rx_probe() - a probe arrived
 * @qp: queue pair
 * @psn: packet that it names
 * @expected: PSN of the next request in sequence
 *
 * A peer of which nobody knows how far ahead it may be gets an answer now and then.
 *
 * Context: softirq.
 *
 * Return: true when it is to be answered.
 */
bool rxe_cc_rx_probe(struct rxe_cc_qp *qp, u32 psn, u32 expected)
{
	struct rxe_cc_expect *e = &qp->expect;
	bool answer = false;
	u64 now_ns;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on)
		goto out;
	answer = rxe_cc_probe_near(qp, psn, expected);
	if (answer)
		goto out;
	now_ns = rxe_cc_now(qp);
	if (!e->probe_ns || now_ns - e->probe_ns >= RXE_CC_LOST_NS) {
		e->probe_ns = now_ns;
		answer = true;
	}
out:
	spin_unlock_bh(&qp->lock);
	if (!answer)
		rxe_cc_count(qp->port, RXE_CC_CNT_PROBE_PSN);
	return answer;
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_probe);
