// SPDX-License-Identifier: GPL-2.0
/*
 * Reports that arrive: what an ACK tells, where there is no ACK.
 *
 * A report that is not believed is counted by reason and changes nothing. It may be
 * forged as easily as an ACK, so it must name a packet that was sent not long ago,
 * and none before the last one reported on: what it says is then no older than what
 * is known.
 */
#include <rxe_cc/wire.h>

#include "cc_core.h"

/* So many packets before the oldest unacknowledged one a report may come late. */
#define RXE_CC_REPORT_BACK	BIT(15)

/* Which sequence a kind of report is about. A probe names a packet of either side. */
static bool rxe_cc_report_of_resp(const struct rxe_cc_qp *qp, u8 kind)
{
	return kind == RXE_CC_REPORT_RESP ||
	       (kind == RXE_CC_REPORT_PROBE && qp->sparse.resp);
}

/* Is the packet within [oldest that is still believed, newest sent]? Nobody
 * acknowledges READ responses: all that were sent count as acknowledged.
 */
static bool rxe_cc_report_in(const struct rxe_cc_qp *qp, bool resp, u32 psn)
{
	u32 end = resp ? qp->resp_max : qp->psns.max;
	u32 una = resp ? qp->resp_max : qp->psns.una;

	return rxe_cc_psn_diff(psn, end) < 0 &&
	       rxe_cc_psn_diff(psn, una) >= -(s32)RXE_CC_REPORT_BACK;
}

/* What is wrong with it, or RXE_CC_CNT_REPORT_RECEIVED. */
static enum rxe_cc_counter rxe_cc_report_check(const struct rxe_cc_qp *qp,
					       u8 kind, u32 psn)
{
	bool resp;
	u32 last;

	if (!kind || kind >= RXE_CC_NR_REPORT_KINDS)
		return RXE_CC_CNT_REPORT_KIND;
	resp = rxe_cc_report_of_resp(qp, kind);
	if (!(resp ? qp->resp_sent : qp->psns.valid) ||
	    !rxe_cc_report_in(qp, resp, psn))
		return RXE_CC_CNT_REPORT_PSN;
	if (kind == RXE_CC_REPORT_PROBE &&
	    (!qp->int_probe || !qp->sparse.any ||
	     rxe_cc_psn_diff(psn, qp->sparse.psn) > 0))
		return RXE_CC_CNT_REPORT_PSN;
	/* The last one may be so old that PSNs have come round since. */
	last = qp->report_psn[kind];
	if (qp->reports_seen & BIT(kind) &&
	    rxe_cc_report_in(qp, resp, last) && rxe_cc_psn_diff(psn, last) < 0)
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
		.partial = kind == RXE_CC_REPORT_SWITCH,
	};

	qp->reports_seen |= BIT(kind);
	qp->report_psn[kind] = psn;
	s.now_ns = rxe_cc_now(qp);
	/* A probe stands for the packet that it went before. */
	s.seq += to_probe;
	if (kind == RXE_CC_REPORT_RESP)
		s.rtt_ns = rxe_cc_probe_answered(qp, true, psn, arrived_ns,
						 s.now_ns, fb);
	/* A report on a data packet is no answer to a probe. */
	if (kind != RXE_CC_REPORT_SWITCH &&
	    to_probe == qp->int_probe)
		rxe_cc_sparse_answered(&qp->sparse, psn, resp);
	rxe_cc_qp_told(qp, &s, fb);
	if (fb->hops)
		rxe_cc_qp_echo(qp, &s, fb);
	if (!s.nr_hops && !s.nr_told && !s.rtt_ns)
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
	what = rxe_cc_report_check(qp, kind, psn);
	if (what != RXE_CC_CNT_REPORT_RECEIVED)
		goto out;
	what = RXE_CC_CNT_REPORT_TLV;
	if (rxe_cc_qp_feedback(qp, &fb, tlv, tlv_bytes))
		what = rxe_cc_report_use(qp, kind, psn, arrived_ns, &fb, &wake);
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
