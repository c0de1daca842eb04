// SPDX-License-Identifier: GPL-2.0
/*
 * Detects duplicate READ requests: whether the same READ waits once more further back in the
 * responder's queue.
 */
#include "rxe_again.h"
#include "rxe_loc.h"

static bool is_same(struct rxe_pkt_info *a, struct rxe_pkt_info *b)
{
	return a->psn == b->psn && reth_va(a) == reth_va(b) &&
	       reth_rkey(a) == reth_rkey(b) && reth_len(a) == reth_len(b);
}

/**
 * rxe_read_waits_again() - does the same READ wait behind this one?
 * @qp: whose responder is asked
 * @pkt: a READ request that was carried out before, the first in the queue
 *
 * A requester asks for all of its READs again, in their order, so the copy comes behind as
 * many as it may have. Only repeated READs may lie between. Others would be answered before
 * this one: an ACK of a WRITE, by which the requester sees that it lacks the READ, or what
 * takes the place in which the responder keeps it.
 *
 * PSN, address, key and length are the same. So nobody can put off a READ who could not ask
 * for just that.
 *
 * Context: the responder's task, which alone takes requests out of the queue.
 * Return: true if it does.
 */
bool rxe_read_waits_again(struct rxe_qp *qp, struct rxe_pkt_info *pkt)
{
	struct sk_buff *skb = PKT_TO_SKB(pkt);
	struct rxe_pkt_info *next;
	bool again = false;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&qp->req_pkts.lock, flags);
	for (i = 0; i < qp->attr.max_dest_rd_atomic && !again; i++) {
		if (skb_queue_is_last(&qp->req_pkts, skb))
			break;
		skb = skb_queue_next(&qp->req_pkts, skb);
		next = SKB_TO_PKT(skb);
		if (next->opcode != pkt->opcode || psn_compare(next->psn, qp->resp.psn) >= 0)
			break;
		again = is_same(next, pkt);
	}
	spin_unlock_irqrestore(&qp->req_pkts.lock, flags);
	return again;
}
