// SPDX-License-Identifier: GPL-2.0
/*
 * Reports that arrive (packets of rxe_cc with feedback where there is no ACK): checks whether
 * each is believed, and gives it to the algorithm.
 *
 * A report that is not believed is counted by reason and changes nothing. It may be
 * forged as easily as an ACK, so it must name a packet that is under way: a report is
 * sent when the packet arrives, or waits in a switch, which is before its ACK is. And it
 * must name a later one than the last report of its kind did: what it says is then no
 * older than what is known, and nobody can say it twice.
 */
#include <rxe_cc/wire.h>

#include "cc_core.h"

/* Which sequence a kind of report is about. A probe names a packet of either side. */
static bool rxe_cc_report_of_resp(const struct rxe_cc_qp *qp, u8 kind)
{
	return kind == RXE_CC_REPORT_RESP ||
	       (kind == RXE_CC_REPORT_PROBE && qp->sparse.resp);
}

/* The PSN of a probe: that of the packet before it, which may be acknowledged when the
 * answer comes. Where nobody knows how long the queues are, older probes count as lost
 * long before they are answered.
 */
static bool rxe_cc_probe_in(const struct rxe_cc_qp *qp, u32 psn, u64 now_ns)
{
	const struct rxe_cc_sparse *p = &qp->sparse;

	if (!qp->int_probe || !p->sent)
		return false;
	return rxe_cc_sparse_is(p, psn) ||
	       (rxe_cc_psn_diff(psn, p->psn) < 0 &&
		rxe_cc_psn_out(qp, p->resp ? RXE_CC_RESPONDER :
					     RXE_CC_REQUESTER, psn, now_ns));
}

/* May somebody report on this packet now? On a probe its receiver does, and switches
 * as on data.
 */
static bool rxe_cc_report_in(const struct rxe_cc_qp *qp, u8 kind, u32 psn,
			     u64 now_ns)
{
	if (kind == RXE_CC_REPORT_PROBE)
		return rxe_cc_probe_in(qp, psn, now_ns);
	if (kind == RXE_CC_REPORT_SWITCH && !qp->sparse.resp &&
	    rxe_cc_probe_in(qp, psn, now_ns))
		return true;
	/* On a path longer than is known, the first. */
	if (kind == RXE_CC_REPORT_RESP && qp->rtt_sampling && qp->rtt_sample_resp &&
	    psn == qp->slot.psn)
		return true;
	return rxe_cc_psn_out(qp, kind == RXE_CC_REPORT_RESP ?
			      RXE_CC_RESPONDER : RXE_CC_REQUESTER, psn, now_ns);
}

/* Is it before the last one that a report of its kind was about, or that one again?
 * Several switches may report on one packet. Two probes have the same PSN when no
 * packet was sent between them.
 */
static bool rxe_cc_report_late(const struct rxe_cc_qp *qp, u8 kind, u32 psn,
			       u64 now_ns)
{
	u32 last = qp->report_psn[kind];
	s32 after = rxe_cc_psn_diff(psn, last);

	/* The last one may be so old that PSNs have come round since. */
	if (!(qp->reports_seen & BIT(kind)) ||
	    !rxe_cc_report_in(qp, kind, last, now_ns))
		return false;
	if (kind == RXE_CC_REPORT_SWITCH ||
	    (kind == RXE_CC_REPORT_PROBE && qp->sparse.out))
		return after < 0;
	return after <= 0;
}

/* What is wrong with it, or RXE_CC_CNT_REPORT_RECEIVED. */
static enum rxe_cc_counter rxe_cc_report_check(const struct rxe_cc_qp *qp,
					       u8 kind, u32 psn, u64 now_ns)
{
	if (!kind || kind >= RXE_CC_NR_REPORT_KINDS)
		return RXE_CC_CNT_REPORT_KIND;
	if (rxe_cc_report_by_switch(kind) &&
	    !rxe_cc_knob(qp->port, RXE_CC_KNOB_SWITCH_FEEDBACK))
		return RXE_CC_CNT_REPORT_REFUSED;
	if (!rxe_cc_report_in(qp, kind, psn, now_ns))
		return RXE_CC_CNT_REPORT_PSN;
	if (rxe_cc_report_late(qp, kind, psn, now_ns))
		return RXE_CC_CNT_REPORT_LATE;
	return RXE_CC_CNT_REPORT_RECEIVED;
}

/* Take in a report whose packet is right. Returns the counter that it belongs to. */
static enum rxe_cc_counter rxe_cc_report_use(struct rxe_cc_qp *qp, u8 kind,
					     u32 psn, u64 arrived_ns,
					     const struct rxe_cc_feedback *fb,
					     unsigned long *wake)
{
	bool resp = rxe_cc_report_of_resp(qp, kind);
	bool to_probe = kind == RXE_CC_REPORT_PROBE;
	struct rxe_cc_sample s = {
		.seq = rxe_cc_vseq_of(&qp->vseq, resp ? RXE_CC_RESPONDER :
							RXE_CC_REQUESTER, psn),
		.next_seq = qp->vseq.next,
		.inflight_bytes = rxe_cc_inflight_bytes(qp),
		.partial = rxe_cc_report_by_switch(kind),
		.direct = kind == RXE_CC_REPORT_DIRECT,
	};

	qp->reports_seen |= BIT(kind);
	qp->report_psn[kind] = psn;
	/* What an algorithm does not ask for it would take for something else. */
	if (s.direct && !(qp->flow.wants & RXE_CC_WANT_DIRECT))
		return RXE_CC_CNT_REPORT_UNUSED;
	s.now_ns = rxe_cc_now(qp);
	/* A probe stands for the packet that it went before. */
	s.seq += to_probe;
	if (kind == RXE_CC_REPORT_RESP)
		rxe_cc_resp_rtt(qp, psn, arrived_ns, &s, fb);
	/* A report on a data packet is no answer to a probe. */
	if (!s.partial && to_probe == qp->int_probe)
		rxe_cc_sparse_answered(&qp->sparse, psn, resp);
	if (!s.partial)
		rxe_cc_tel_heard(qp, fb);
	rxe_cc_sample_feedback(qp, &s, fb);
	if (fb->hops)
		rxe_cc_qp_echo(qp, &s, fb);
	rxe_cc_ack_path(qp, &s, fb);
	if (!s.nr_hops && !s.nr_fb && !s.rtt_ns)
		return RXE_CC_CNT_REPORT_UNUSED;
	qp->counter[RXE_CC_QCNT_REPORTS_RECEIVED]++;
	*wake = rxe_cc_call_ack(qp, &s);
	return RXE_CC_CNT_REPORT_RECEIVED;
}

/**
 * rxe_cc_rx_report() - a report arrived
 * @qp: queue pair that it is for
 * @kind: enum rxe_cc_report_kind
 * @psn: packet that it reports on
 * @arrived_ns: when it came in from the port, CLOCK_MONOTONIC
 * @tlv: its TLVs
 * @tlv_bytes: their length
 *
 * Context: softirq.
 */
void rxe_cc_rx_report(struct rxe_cc_qp *qp, u8 kind, u32 psn, u64 arrived_ns,
		      const void *tlv, unsigned int tlv_bytes)
{
	enum rxe_cc_counter what = RXE_CC_CNT_REPORT_UNUSED;
	struct rxe_cc_feedback fb;
	unsigned long wake = 0;

	spin_lock_bh(&qp->lock);
	if (!qp->algo_on)
		goto out;
	what = rxe_cc_report_check(qp, kind, psn, rxe_cc_now(qp));
	if (what != RXE_CC_CNT_REPORT_RECEIVED)
		goto out;
	what = RXE_CC_CNT_REPORT_TLV;
	if (rxe_cc_qp_feedback(qp, &fb, tlv, tlv_bytes)) {
		fb.tlv_bytes = min_t(unsigned int, tlv_bytes, U16_MAX);
		what = rxe_cc_report_use(qp, kind, psn, arrived_ns, &fb, &wake);
	}
out:
	rxe_cc_count(qp->port, what);
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_report);

/**
 * rxe_cc_rx_report_ignored() - a report or probe that is malformed or for no QP
 *	under CC
 * @h: port
 *
 * Context: softirq.
 */
void rxe_cc_rx_report_ignored(struct rxe_cc_port_handle *h)
{
	if (h->port)
		rxe_cc_count(h->port, RXE_CC_CNT_REPORT_IGNORED);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_report_ignored);
