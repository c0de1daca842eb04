// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notification packets (CNP, IBTA Annex A17): receive and send.
 *
 * A CNP is no request and no response: it has no PSN of its own and is never
 * queued. It is taken from the receive path before rxe looks up the QP for the
 * packet's transport class, checked, and given to the core.
 */
#include <linux/unaligned.h>

#include "rxe.h"
#include "rxe_loc.h"

/*
 * The reserved field of a CNP. A notification point sends zeros and a compliant
 * receiver ignores it. Ours: a window in bytes, big endian, valid when the flag
 * says so; a flag for CNPs made by a switch, which knows only the QP number of
 * the observed packet, not the sender's. Those are ignored here.
 */
#define RXE_CNP_FLAGS		4	/* offset */
#define RXE_CNP_FORWARD_QPN	BIT(0)
#define RXE_CNP_WINDOW_VALID	BIT(1)

static bool rxe_cnp_from_peer(const struct rxe_qp *qp,
			      const struct sk_buff *skb)
{
	const struct rxe_av *av = &qp->pri_av;

	if (skb->protocol == htons(ETH_P_IP))
		return av->network_type == RXE_NETWORK_TYPE_IPV4 &&
		       ip_hdr(skb)->saddr ==
			       av->dgid_addr._sockaddr_in.sin_addr.s_addr &&
		       ip_hdr(skb)->daddr ==
			       av->sgid_addr._sockaddr_in.sin_addr.s_addr;

	return av->network_type == RXE_NETWORK_TYPE_IPV6 &&
	       ipv6_addr_equal(&ipv6_hdr(skb)->saddr,
			       &av->dgid_addr._sockaddr_in6.sin6_addr) &&
	       ipv6_addr_equal(&ipv6_hdr(skb)->daddr,
			       &av->sgid_addr._sockaddr_in6.sin6_addr);
}

/* The QP that a CNP is for, with a reference; NULL when it is for none. */
static struct rxe_qp *rxe_cnp_get_qp(struct rxe_pkt_info *pkt,
				     const struct sk_buff *skb)
{
	struct rxe_qp *qp = rxe_pool_get_index(&pkt->rxe->qp_pool,
					       bth_qpn(pkt));
	unsigned long flags;
	bool ready;

	if (!qp)
		return NULL;

	spin_lock_irqsave(&qp->state_lock, flags);
	ready = qp->valid && qp_state(qp) >= IB_QPS_RTR;
	spin_unlock_irqrestore(&qp->state_lock, flags);

	/* The flag is set on RC and UC queue pairs only. */
	if (ready && rxe_cc_on(&qp->cc) && pkt->port_num == qp->attr.port_num &&
	    rxe_cnp_from_peer(qp, skb))
		return qp;

	rxe_put(qp);
	return NULL;
}

static bool rxe_cnp_well_formed(struct rxe_pkt_info *pkt,
				const struct sk_buff *skb)
{
	return pkt->paylen == RXE_CNP_PAYLEN && skb->len >= RXE_CNP_PAYLEN &&
	       !bth_pad(pkt) && bth_tver(pkt) == BTH_TVER &&
	       pkey_match(bth_pkey(pkt), IB_DEFAULT_PKEY_FULL);
}

/**
 * rxe_hook_rcv_cnp() - a CNP arrived
 * @pkt: the packet; its QP is not known yet
 * @skb: its buffer; stays the caller's
 *
 * A packet whose ICRC is wrong is dropped without a trace, as rxe does.
 *
 * Context: softirq, or work by loopback.
 */
void rxe_hook_rcv_cnp(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	u64 window_bytes = 0;
	struct rxe_qp *qp;
	const u8 *resv;

	if (!rxe_cnp_well_formed(pkt, skb))
		goto ignored;
	if (rxe_icrc_check(skb, pkt))
		return;

	resv = payload_addr(pkt);
	if (resv[RXE_CNP_FLAGS] & RXE_CNP_FORWARD_QPN)
		goto ignored;
	if (resv[RXE_CNP_FLAGS] & RXE_CNP_WINDOW_VALID)
		window_bytes = max(get_unaligned_be32(resv), 1U);

	qp = rxe_cnp_get_qp(pkt, skb);
	if (!qp)
		goto ignored;

	rxe_cc_rx_cnp(qp->cc.qp, window_bytes);
	rxe_put(qp);
	return;

ignored:
	rxe_cc_rx_cnp_ignored(&pkt->rxe->cc);
}

/**
 * rxe_hook_send_cnp() - send a CNP to a QP's peer
 * @host_qp: the &struct rxe_qp; the caller holds a reference
 *
 * Context: softirq or work, no lock held.
 * Return: 0, or an error when the packet could not be built. A packet lost
 * further down is no error.
 */
int rxe_hook_send_cnp(void *host_qp)
{
	struct rxe_qp *qp = host_qp;
	struct rxe_pkt_info pkt = { };
	struct sk_buff *skb;
	int err;

	skb = rxe_init_packet(to_rdev(qp->ibqp.device), &qp->pri_av,
			      RXE_CNP_PAYLEN, &pkt);
	if (!skb)
		return -ENOMEM;

	pkt.qp = qp;
	pkt.opcode = IB_BTH_OPCODE_CNP;
	pkt.mask |= rxe_opcode[IB_BTH_OPCODE_CNP].mask;
	pkt.paylen = RXE_CNP_PAYLEN;

	bth_init(&pkt, IB_BTH_OPCODE_CNP, 0, 0, 0, IB_DEFAULT_PKEY_FULL,
		 qp->attr.dest_qp_num, 0, 0);
	bth_set_becn(&pkt, 1);
	memset(payload_addr(&pkt), 0, RXE_CNP_RESV_BYTES);

	err = rxe_prepare(&qp->pri_av, &pkt, skb);
	if (err) {
		kfree_skb(skb);
		return err;
	}

	return rxe_xmit_packet(qp, &pkt, skb);
}
