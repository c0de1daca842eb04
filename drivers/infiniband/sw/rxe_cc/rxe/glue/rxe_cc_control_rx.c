// SPDX-License-Identifier: GPL-2.0
/*
 * Receive hook that gives a CNP, report or probe, which is neither request nor response, to its
 * handler.
 */
#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

/**
 * rxe_hook_rcv_aside() - a packet arrived that is neither request nor response
 * @pkt: the packet; nothing of it is checked, not even that its opcode is known
 * @skb: its buffer; stays the caller's, who drops it
 *
 * Context: softirq, or work by loopback.
 */
void rxe_hook_rcv_aside(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	switch (pkt->opcode) {
	case IB_BTH_OPCODE_CNP:
		rxe_rcv_cnp(pkt, skb);
		break;
	case RXE_CC_OPCODE_REPORT:
		rxe_rcv_report(pkt, skb);
		break;
	case RXE_CC_OPCODE_PROBE:
		rxe_rcv_probe(pkt, skb);
		break;
	}
}
