// SPDX-License-Identifier: GPL-2.0
/*
 * Reports and probes: receive and send. Formats: <rxe_cc/wire.h>.
 *
 * A report tells what an ACK tells, where there is no ACK: of READ responses, of
 * probes, of data that asked for none, and from a switch. A probe asks for the
 * telemetry of the path of the data, in whose class it goes, and bears nothing
 * else.
 *
 * Both go only to peers that have shown that they know them. Whatever is wrong
 * with one that comes in, it is counted, and nothing else happens.
 */
#include <rxe_cc/wire.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_cc_loc.h"

#define RXE_REPORT_MIN	(RXE_BTH_BYTES + sizeof(struct rxe_cc_report_hdr) + \
			 RXE_ICRC_SIZE)
#define RXE_PROBE_BYTES	(RXE_BTH_BYTES + RXE_ICRC_SIZE)

/* Send what an answer tells as a report of a kind on a packet. */
static void rxe_report_xmit(struct rxe_qp *qp, const struct rxe_cc_answer *a,
			    u8 kind, u32 psn)
{
	struct rxe_cc_report_hdr *hdr;
	struct rxe_pkt_info pkt;
	struct sk_buff *report;

	report = rxe_aside_new(qp, &pkt, RXE_CC_OPCODE_REPORT,
			       sizeof(*hdr) + rxe_answer_bytes(a), psn);
	if (!report)
		return;
	hdr = payload_addr(&pkt);
	*hdr = (struct rxe_cc_report_hdr) { .kind = kind };
	rxe_answer_write(pkt.rxe, a, hdr + 1);
	if (!rxe_aside_xmit(qp, &pkt, report))
		rxe_cc_tx_report(qp->cc.qp,
				 pkt.paylen + rxe_qp_wire_hdr_bytes(qp));
}

/**
 * rxe_send_report() - tell a QP's peer of a packet of its
 * @qp: the QP; the caller holds a reference
 * @kind: enum rxe_cc_report_kind
 * @skb: the packet
 * @arrived_ns: when it came in, CLOCK_MONOTONIC, if the report is to bear its times;
 *	else 0
 *
 * Context: softirq, or work by loopback; no lock held.
 */
void rxe_send_report(struct rxe_qp *qp, u8 kind, struct sk_buff *skb,
		     u64 arrived_ns)
{
	const struct rxe_pkt_info *about = SKB_TO_PKT(skb);
	struct rxe_cc_answer a = { };

	if (!(READ_ONCE(qp->cc.peer) & RXE_CC_CAP_TLV))
		return;

	rxe_cc_tx_feedback(qp->cc.qp, &a.fb);
	/* The own algorithm sees data, not probes. */
	if (about->mask & RXE_INT_MASK &&
	    (kind == RXE_CC_REPORT_PROBE || !a.fb.no_echo))
		rxe_answer_echo(&a, skb);
	if (arrived_ns)
		rxe_answer_time(&a, skb, arrived_ns);

	rxe_report_xmit(qp, &a, kind, about->psn);
}

/**
 * rxe_hook_send_report() - tell a QP's peer what the algorithm has to tell
 * @host_qp: the &struct rxe_qp; the caller holds a reference
 *
 * The report names the last request that was accepted.
 *
 * Context: softirq or work, no lock held.
 */
void rxe_hook_send_report(void *host_qp)
{
	struct rxe_cc_answer a = { };
	struct rxe_qp *qp = host_qp;

	if (!(READ_ONCE(qp->cc.peer) & RXE_CC_CAP_TLV))
		return;
	rxe_cc_tx_feedback(qp->cc.qp, &a.fb);
	if (a.fb.nr_fb)
		rxe_report_xmit(qp, &a, RXE_CC_REPORT_DATA,
				(READ_ONCE(qp->resp.psn) - 1) & BTH_PSN_MASK);
}

/**
 * rxe_rcv_report() - a report arrived
 * @pkt: the packet; its QP is not known yet
 * @skb: its buffer; stays the caller's
 *
 * Context: softirq, or work by loopback.
 */
void rxe_rcv_report(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	const struct rxe_cc_report_hdr *hdr;
	struct rxe_qp *qp = NULL;
	bool from_switch;

	if (rxe_aside_well_formed(pkt, skb, RXE_REPORT_MIN, skb->len) &&
	    !rxe_icrc_check(skb, pkt)) {
		hdr = payload_addr(pkt);
		from_switch = rxe_cc_report_by_switch(hdr->kind);
		qp = rxe_conn_get_qp(pkt, skb, from_switch);
	}
	if (!qp) {
		rxe_cc_rx_report_ignored(&pkt->rxe->cc);
		return;
	}

	rxe_cc_rx_report(qp->cc.qp, hdr->kind, pkt->psn, ktime_get_ns(),
			 hdr + 1, pkt->paylen - RXE_REPORT_MIN);
	rxe_put(qp);
}

/**
 * rxe_rcv_probe() - a probe arrived
 * @pkt: the packet, its INT taken off; its QP is not known yet
 * @skb: its buffer; stays the caller's
 *
 * It is answered at once, with its telemetry and times, to the peer of the QP and
 * nobody else, in a packet that is at most 56 bytes longer: a forged probe costs
 * the peer less than twice the wire bytes that it cost the forger, and its PSN must be
 * one that the peer may have sent.
 *
 * Context: softirq, or work by loopback.
 */
void rxe_rcv_probe(struct rxe_pkt_info *pkt, struct sk_buff *skb)
{
	u64 arrived_ns = ktime_get_ns();
	struct rxe_qp *qp = NULL;

	if (rxe_aside_well_formed(pkt, skb, RXE_PROBE_BYTES, RXE_PROBE_BYTES) &&
	    !rxe_icrc_check(skb, pkt))
		qp = rxe_conn_get_qp(pkt, skb, false);
	if (!qp) {
		rxe_cc_rx_report_ignored(&pkt->rxe->cc);
		return;
	}

	if (rxe_cc_rx_probe(qp->cc.qp, pkt->psn, READ_ONCE(qp->resp.psn)))
		rxe_send_report(qp, RXE_CC_REPORT_PROBE, skb, arrived_ns);
	rxe_put(qp);
}

/**
 * rxe_hook_send_probe() - send a probe to a QP's peer
 * @host_qp: the &struct rxe_qp; the caller holds a reference
 * @psn: its PSN
 *
 * A probe without INT would be of no use, and is not sent.
 *
 * Context: softirq or work, no lock held.
 * Return: its length on the wire, or an error when it was not sent.
 */
int rxe_hook_send_probe(void *host_qp, u32 psn)
{
	struct rxe_qp *qp = host_qp;
	u8 profile = READ_ONCE(qp->cc.int_profile);
	struct rxe_pkt_info pkt;
	struct sk_buff *skb;
	int err;

	skb = rxe_aside_new(qp, &pkt, RXE_CC_OPCODE_PROBE, 0, psn);
	if (!skb)
		return -ENOMEM;

	err = rxe_prepare(&qp->pri_av, &pkt, skb);
	if (!err && (pkt.mask & RXE_LOOPBACK_MASK ||
		     !rxe_int_fits(pkt.rxe, skb, profile)))
		err = -EMSGSIZE;
	if (err) {
		kfree_skb(skb);
		return err;
	}

	rxe_xmit_packet(qp, &pkt, skb);
	return pkt.paylen + rxe_qp_wire_hdr_bytes(qp) + rxe_cc_int_first_link(profile);
}
