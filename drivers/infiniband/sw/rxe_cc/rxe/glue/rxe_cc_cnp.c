// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion notification packets (CNP, IBTA Annex A17): receive and send.
 *
 * A CNP is no request and no response: it has no PSN of its own and is never
 * queued. It is taken from the receive path before rxe looks up the QP for the
 * packet's transport class, checked, and given to the core.
 */
#include <rxe_cc/cc.h>
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/* BTH, struct rxe_cc_cnp_field, ICRC (IBTA Annex A17) */
#define RXE_CNP_RESV_BYTES	16
#define RXE_CNP_PAYLEN		(RXE_BTH_BYTES + RXE_CNP_RESV_BYTES + RXE_ICRC_SIZE)

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
	const struct rxe_cc_cnp_field *field;
	struct rxe_cc_cnp cnp = { };
	struct rxe_qp *qp;

	if (!rxe_aside_well_formed(pkt, skb, RXE_CNP_PAYLEN, RXE_CNP_PAYLEN))
		goto ignored;
	if (rxe_icrc_check(skb, pkt))
		return;

	field = payload_addr(pkt);
	cnp.forward = field->flags & RXE_CC_CNP_FORWARD;
	cnp.origin = field->origin;
	if (cnp.origin >= RXE_CC_NR_CNP_ORIGINS)
		goto ignored;
	if (field->flags & RXE_CC_CNP_WINDOW)
		cnp.window_bytes = max(be32_to_cpu(field->window), 1U);

	cnp.port = cnp.forward ? be16_to_cpu(field->port) : 0;
	cnp.psn_valid = field->flags & RXE_CC_CNP_PSN;
	cnp.psn = be32_to_cpu(field->psn) & BTH_PSN_MASK;

	qp = rxe_conn_get_qp(pkt, skb, cnp.forward);
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
	struct rxe_cc_cnp_field *field;
	struct sk_buff *skb;

	BUILD_BUG_ON(sizeof(*field) != RXE_CNP_RESV_BYTES);
	skb = rxe_aside_new(qp, &pkt, IB_BTH_OPCODE_CNP, RXE_CNP_RESV_BYTES, 0);
	if (!skb)
		return -ENOMEM;

	bth_set_becn(&pkt, 1);
	field = payload_addr(&pkt);
	memset(field, 0, sizeof(*field));
	field->flags = RXE_CC_CNP_PSN;
	field->psn = cpu_to_be32(psn);
	return rxe_aside_xmit(qp, &pkt, skb);
}
