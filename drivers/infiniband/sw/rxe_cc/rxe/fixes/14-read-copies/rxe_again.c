// SPDX-License-Identifier: GPL-2.0
/*
 * READs that a responder is asked for more than once. A requester that does not hear in
 * time asks for all that waits once more, so the copy of a READ comes behind at most as
 * many requests as may be unacknowledged.
 */
#include "rxe_again.h"
#include "rxe_loc.h"

static bool is_same(struct rxe_pkt_info *a, struct rxe_pkt_info *b)
{
	return a->opcode == b->opcode && a->psn == b->psn && reth_va(a) == reth_va(b) &&
	       reth_rkey(a) == reth_rkey(b) && reth_len(a) == reth_len(b);
}

/**
 * rxe_read_waits_again() - does the same READ wait behind this one?
 * @qp: whose responder is asked
 * @pkt: a READ request, the first in its queue
 *
 * One that differs in anything does not count, so nobody can replace a READ who could
 * not ask for just that.
 *
 * Context: the responder's task, which alone takes requests out of the queue.
 * Return: true if it does.
 */
bool rxe_read_waits_again(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	struct sk_buff *skb = PKT_TO_SKB(pkt);
	bool again = false;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&qp->req_pkts.lock, flags);
	for (i = 0; i < RXE_MAX_UNACKED_PSNS && !again; i++) {
		if (skb_queue_is_last(&qp->req_pkts, skb))
			break;
		skb = skb_queue_next(&qp->req_pkts, skb);
		again = is_same(SKB_TO_PKT(skb), pkt);
	}
	spin_unlock_irqrestore(&qp->req_pkts.lock, flags);
	return again;
}
