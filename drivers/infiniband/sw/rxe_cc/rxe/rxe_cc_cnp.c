// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notification packets (CNP, IBTA Annex A17): receive and send.
 *
 * A CNP is no request and no response: it has no PSN of its own and is never
 * queued. It is taken from the receive path before rxe looks up the QP for the
 * packet's transport class, checked, and given to the core.
 */
#include <linux/unaligned.h>

#include <rxe_cc/cc.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/* BTH, 16 reserved bytes, ICRC (IBTA Annex A17) */
#define RXE_CNP_RESV_BYTES	16
#define RXE_CNP_PAYLEN		(RXE_BTH_BYTES + RXE_CNP_RESV_BYTES + RXE_ICRC_SIZE)

/*
 * The reserved field of a CNP. A notification point sends zeros and a compliant
 * receiver ignores it. Ours: a window in bytes, big endian, valid when the flag
 * says so; a flag for CNPs made by a switch, which knows only the QP number of
 * the observed packet, not the sender's; the PSN of the packet that caused it, which
 * shows that its author saw the flow.
 */
#define RXE_CNP_FLAGS		4	/* offset */
#define RXE_CNP_ORIGIN		5	/* offset: enum rxe_cc_cnp_origin */
#define RXE_CNP_FORWARD_QPN	BIT(0)
#define RXE_CNP_WINDOW_VALID	BIT(1)
#define RXE_CNP_PSN_VALID	BIT(2)
#define RXE_CNP_PSN		8	/* offset */

/**
 * rxe_rcv_cnp() - a CNP arrived
 * @pkt: the packet; its QP is not known yet
 * @skb: its buffer; stays the caller's
 *
 * A packet whose ICRC is wrong is dropped without a trace, as rxe does.
 *
 * Context: softirq, or work by loopback.
 */
void rxe_rcv_cnp(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	struct rxe_cc_cnp cnp = { };
	struct rxe_qp *qp;
	const u8 *resv;

	if (!rxe_aside_well_formed(pkt, skb, RXE_CNP_PAYLEN, RXE_CNP_PAYLEN))
		goto ignored;
	if (rxe_icrc_check(skb, pkt))
		return;

	resv = payload_addr(pkt);
	cnp.forward = resv[RXE_CNP_FLAGS] & RXE_CNP_FORWARD_QPN;
	cnp.origin = resv[RXE_CNP_ORIGIN];
	if (cnp.origin >= RXE_CC_NR_CNP_ORIGINS)
		goto ignored;
	if (resv[RXE_CNP_FLAGS] & RXE_CNP_WINDOW_VALID)
		cnp.window_bytes = max(get_unaligned_be32(resv), 1U);

	cnp.psn_valid = resv[RXE_CNP_FLAGS] & RXE_CNP_PSN_VALID;
	cnp.psn = get_unaligned_be32(resv + RXE_CNP_PSN) & BTH_PSN_MASK;

	qp = rxe_peer_get_qp(pkt, skb, cnp.forward);
	if (!qp)
		goto ignored;

	rxe_cc_rx_cnp(qp->cc.qp, &cnp);
	rxe_put(qp);
	return;

ignored:
	rxe_cc_rx_cnp_ignored(&pkt->rxe->cc);
}

/**
 * rxe_hook_send_cnp() - send a CNP to a QP's peer
 * @host_qp: the &struct rxe_qp; the caller holds a reference
 * @psn: PSN of the packet that caused it
 *
 * Context: softirq or work, no lock held.
 * Return: 0, or an error when the packet could not be built. A packet lost
 * further down is no error.
 */
int rxe_hook_send_cnp(void *host_qp, u32 psn)
{
	struct rxe_qp *qp = host_qp;
	struct rxe_pkt_info pkt;
	struct sk_buff *skb;
	u8 *resv;

	skb = rxe_aside_new(qp, &pkt, IB_BTH_OPCODE_CNP, RXE_CNP_RESV_BYTES, 0);
	if (!skb)
		return -ENOMEM;

	bth_set_becn(&pkt, 1);
	resv = payload_addr(&pkt);
	memset(resv, 0, RXE_CNP_RESV_BYTES);
	resv[RXE_CNP_FLAGS] = RXE_CNP_PSN_VALID;
	put_unaligned_be32(psn, resv + RXE_CNP_PSN);
	return rxe_aside_xmit(qp, &pkt, skb);
}
