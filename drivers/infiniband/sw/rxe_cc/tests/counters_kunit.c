// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: what a port has counted is what its queue pairs have, and both are what
 * happened, to the unit.
 */
#include "core_fixture.h"

#define CO_NEEDS	(RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)

/* Counted at both places. */
static const struct {
	const char *port;
	enum rxe_cc_qp_counter qp;
} co_both[] = {
	{ "np_cnp_sent", RXE_CC_QCNT_CNP_SENT },
	{ "np_ecn_marked_roce_packets", RXE_CC_QCNT_RX_CE },
	{ "rp_cnp_handled", RXE_CC_QCNT_CNP_HANDLED },
	{ "rp_retransmits", RXE_CC_QCNT_RETRANSMITS },
	{ "rp_timeouts", RXE_CC_QCNT_TIMEOUTS },
	{ "rp_bad_acks", RXE_CC_QCNT_BAD_ACKS },
	{ "rp_pacing_stalls", RXE_CC_QCNT_PACING_STALLS },
	{ "rp_window_stalls", RXE_CC_QCNT_WINDOW_STALLS },
	{ "int_echo_received", RXE_CC_QCNT_INT_ECHOES },
	{ "report_received", RXE_CC_QCNT_REPORTS_RECEIVED },
	{ "report_sent", RXE_CC_QCNT_REPORTS_SENT },
};

static void co_told(struct rxe_cc_qp *qp, bool echo, u32 psn)
{
	u8 tlv[4 + RXE_CC_INT_HPCC_BYTES] = { RXE_CC_TLV_INT, RXE_CC_INT_HPCC_HOP_ML };

	core_rig_hops(tlv + 4, 1, 1000 + psn);
	if (echo)
		rxe_cc_rx_ack(qp, RXE_CC_ACK, psn, ktime_get_ns(), RXE_CC_CAP_KNOWN, tlv,
			      sizeof(tlv));
	else
		rxe_cc_rx_report(qp, RXE_CC_REPORT_DATA, psn, ktime_get_ns(), tlv,
				 sizeof(tlv));
}

static void co_send(struct rxe_cc_qp *qp, u32 psn, u32 nr)
{
	for (; nr; nr--, psn++)
		core_rig_sent_bytes(qp, RXE_CC_PKT_DATA, psn, RIG_PKT_BYTES + psn, false,
				    false);
}

/* One of each of co_both, and @more of what can be had any number of times. Nothing was
 * sent before. Without a window and at line rate.
 */
static void co_live(struct kunit *test, struct core_rig *rig, struct rxe_cc_qp *qp,
		    unsigned int more)
{
	const struct rxe_cc_cnp cnp = { .psn = 9, .psn_valid = true };
	struct rxe_cc_rx rx = { .kind = RXE_CC_DATA_SEND, .wire_bytes = 100, .ce = true };
	unsigned int i;

	co_send(qp, 0, 10);
	co_told(qp, true, 3);
	co_told(qp, false, 5);
	rxe_cc_rx_cnp(qp, &cnp);
	for (i = 0; i < more; i++) {
		rxe_cc_rx_ack(qp, RXE_CC_ACK, 1000, ktime_get_ns(), 0, NULL, 0);
		rxe_cc_tx_report(qp, 90);
	}
	for (i = 0; i < 1 + more; i++) {
		rx.psn = i;
		rxe_cc_rx_data(qp, &rx);
	}
	/* The pacer holds both sides, and each is counted once however often it asks. */
	qp->pacer.debt_nbit = qp->pacer.rate_bps * 10 * NSEC_PER_MSEC;
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_TRUE(test, core_rig_wait(qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA));
		KUNIT_EXPECT_TRUE(test, core_rig_wait(qp, RXE_CC_RESPONDER, RXE_CC_PKT_RESP));
	}
	qp->pacer.debt_nbit = 0;
	/* So does the window, while an ACK is on its way. */
	rig->cwnd_bytes = RIG_PKT_BYTES;
	core_rig_ack_due(qp, 100);
	co_send(qp, 10, 1);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_TRUE(test, core_rig_wait(qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA));
	rig->cwnd_bytes = RXE_CC_NO_WINDOW;
	rxe_cc_retry(qp, true);
	co_send(qp, 6, 2 + more);
	rxe_cc_rx_ack(qp, RXE_CC_NAK_RNR, 8, ktime_get_ns(), RXE_CC_CAP_KNOWN, NULL, 0);
	rxe_cc_rx_ack(qp, RXE_CC_NAK_SEQ, 8, ktime_get_ns(), RXE_CC_CAP_KNOWN, NULL, 0);
}

/* Two queue pairs, of which the second does two more of what can be repeated. */
static void counters__sums(struct kunit *test)
{
	static const struct {
		enum rxe_cc_qp_counter what;
		u64 first;
		u64 more; /* for each of @more */
	} want[] = {
		{ RXE_CC_QCNT_CNP_SENT, 1, 1 },
		{ RXE_CC_QCNT_RX_CE, 1, 1 },
		{ RXE_CC_QCNT_CNP_HANDLED, 1, 0 },
		{ RXE_CC_QCNT_RETRANSMITS, 2, 1 },
		{ RXE_CC_QCNT_TIMEOUTS, 1, 0 },
		{ RXE_CC_QCNT_BAD_ACKS, 0, 1 },
		{ RXE_CC_QCNT_PACING_STALLS, 2, 0 },
		{ RXE_CC_QCNT_WINDOW_STALLS, 1, 0 },
		{ RXE_CC_QCNT_INT_ECHOES, 2, 0 },
		{ RXE_CC_QCNT_REPORTS_RECEIVED, 1, 0 },
		{ RXE_CC_QCNT_REPORTS_SENT, 0, 1 },
		{ RXE_CC_QCNT_NAKS, 1, 0 },
		{ RXE_CC_QCNT_RNR_NAKS, 1, 0 },
		{ RXE_CC_QCNT_TX_PACKETS, 13, 1 },
		/* 0 to 10 and 6, 7; the next is 8. */
		{ RXE_CC_QCNT_TX_BYTES, 13 * RIG_PKT_BYTES + 55 + 13, RIG_PKT_BYTES + 8 },
	};
	struct core_rig *rig = core_rig_new(test, CO_NEEDS, RXE_CC_WANT_INT | RXE_CC_WANT_ACKS);
	struct rxe_cc_qp_handle other = {};
	struct rxe_cc_qp *qp[2];
	const u64 more[2] = { 0, 2 };
	u64 sum;
	unsigned int i, j;

	rig->verdict = RXE_CC_RX_CNP;
	core_rig_other(test, rig, &other);
	qp[0] = rig->h.qp;
	qp[1] = other.qp;
	for (i = 0; i < 2; i++) {
		rxe_cc_peer_caps(qp[i], RXE_CC_CAP_KNOWN);
		co_live(test, rig, qp[i], more[i]);
		for (j = 0; j < ARRAY_SIZE(want); j++) {
			/* The second is the one packet of bytes more that the row tells of. */
			sum = want[j].first + more[i] * want[j].more +
			      (i && want[j].what == RXE_CC_QCNT_TX_BYTES);
			KUNIT_EXPECT_EQ_MSG(test, rxe_cc_qp_count(qp[i], want[j].what), sum,
					    "queue pair %u, row %u", i, j);
		}
	}
	for (i = 0; i < ARRAY_SIZE(co_both); i++) {
		sum = rxe_cc_qp_count(qp[0], co_both[i].qp) +
		      rxe_cc_qp_count(qp[1], co_both[i].qp);
		KUNIT_EXPECT_EQ_MSG(test, core_rig_counter(rig, co_both[i].port), sum,
				    "%s", co_both[i].port);
	}
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "report_sent_bytes"), 2ULL * 90);
	/* What is acknowledged counts as full packets: 0 to 3 by the ACK, to 7 by the NAKs. */
	KUNIT_EXPECT_EQ(test, qp[0]->counter[RXE_CC_QCNT_ACKED_BYTES],
			8ULL * qp[0]->flow.pkt_bytes);
	rxe_cc_qp_del(&other);
}

static struct kunit_case counters_cases[] = {
	KUNIT_CASE(counters__sums),
	{ }
};

static struct kunit_suite counters_suite = {
	.name = "rxe_cc_counters",
	.test_cases = counters_cases,
};

kunit_test_suite(counters_suite);
