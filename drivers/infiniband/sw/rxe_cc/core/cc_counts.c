// SPDX-License-Identifier: GPL-2.0
/*
 * Names of counters, and what all CPUs have counted.
 */
#include <kunit/visibility.h>
#include <linux/export.h>

#include "cc_qp.h"

/* Names as mlx5 has them, where it has them. */
const char *const rxe_cc_counter_names[RXE_CC_NR_COUNTERS] = {
	[RXE_CC_CNT_NP_CNP_SENT]	= "np_cnp_sent",
	[RXE_CC_CNT_NP_ECN_MARKED]	= "np_ecn_marked_roce_packets",
	[RXE_CC_CNT_NP_CNP_FAILED]	= "np_cnp_failed",
	[RXE_CC_CNT_RP_CNP_HANDLED]	= "rp_cnp_handled",
	[RXE_CC_CNT_RP_CNP_IGNORED]	= "rp_cnp_ignored",
	[RXE_CC_CNT_PACING_STALLS]	= "rp_pacing_stalls",
	[RXE_CC_CNT_WINDOW_STALLS]	= "rp_window_stalls",
	[RXE_CC_CNT_RETRANSMITS]	= "rp_retransmits",
	[RXE_CC_CNT_TIMEOUTS]		= "rp_timeouts",
	[RXE_CC_CNT_BAD_ACKS]		= "rp_bad_acks",
	[RXE_CC_CNT_UNMANAGED]		= "rp_unmanaged_packets",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_SENT]	= "int_sent",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_NO_ROOM] = "int_no_room",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_RECEIVED] = "int_received",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_SHORT]	= "int_bad_short",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_SHIM]	= "int_bad_shim",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_VERSION] = "int_bad_version",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_LENGTH]	= "int_bad_length",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_DISCARD] = "int_discarded",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_NOMEM]	= "int_no_memory",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_FOREIGN] = "int_foreign",
	[RXE_CC_CNT_INT + RXE_CC_INT_EV_ECHOED]	= "int_echo_sent",
	[RXE_CC_CNT_ECHO]		= "int_echo_received",
	[RXE_CC_CNT_ECHO_PARTIAL]	= "int_echo_partial",
	[RXE_CC_CNT_ECHO_BAD_HOP]	= "int_echo_bad_hop",
	[RXE_CC_CNT_ECHO_UNUSED]	= "int_echo_unused",
	[RXE_CC_CNT_TLV_UNKNOWN]	= "ack_tlv_unknown",
	[RXE_CC_CNT_TLV_SHORT]		= "ack_tlv_bad_short",
	[RXE_CC_CNT_TLV_LENGTH]		= "ack_tlv_bad_length",
	[RXE_CC_CNT_TLV_TWICE]		= "ack_tlv_bad_twice",
	[RXE_CC_CNT_TLV_OTHER_ALGO]	= "ack_tlv_other_algo",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_USED)] = "cc_tel_used",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_FIRST)] = "cc_tel_first",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_SAME)] = "cc_tel_same",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_PATH)] = "cc_tel_path",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_HOPS)] = "cc_tel_hops",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_TIME)] = "cc_tel_time",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_BYTES)] = "cc_tel_bytes",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_SPEED)] = "cc_tel_speed",
	[RXE_CC_CNT_TEL_OF(RXE_CC_TELEMETRY_COUNT)] = "cc_tel_count",
	[RXE_CC_CNT_REPORT_SENT]	= "report_sent",
	[RXE_CC_CNT_REPORT_BYTES]	= "report_sent_bytes",
	[RXE_CC_CNT_REPORT_RECEIVED]	= "report_received",
	[RXE_CC_CNT_REPORT_IGNORED]	= "report_ignored",
	[RXE_CC_CNT_REPORT_KIND]	= "report_bad_kind",
	[RXE_CC_CNT_REPORT_PSN]		= "report_bad_psn",
	[RXE_CC_CNT_REPORT_LATE]	= "report_late",
	[RXE_CC_CNT_REPORT_TLV]		= "report_bad_tlv",
	[RXE_CC_CNT_REPORT_UNUSED]	= "report_unused",
	[RXE_CC_CNT_PROBE_SENT]		= "probe_sent",
	[RXE_CC_CNT_PROBE_BYTES]	= "probe_sent_bytes",
	[RXE_CC_CNT_PROBE_FAILED]	= "probe_failed",
	[RXE_CC_CNT_RX_BAD_HOP]		= "int_rx_bad_hop",
	[RXE_CC_CNT_COMPACT_FAR]	= "int_compact_far",
	[RXE_CC_CNT_PEER_ADDED]		= "peer_added",
	[RXE_CC_CNT_PEER_EXPIRED]	= "peer_expired",
	[RXE_CC_CNT_REPORT_REFUSED]	= "report_refused",
	[RXE_CC_CNT_RP_CNP_REFUSED]	= "rp_cnp_refused",
	[RXE_CC_CNT_RP_CNP_FORGED]	= "rp_cnp_forged",
	[RXE_CC_CNT_RP_CNP_LATE]	= "rp_cnp_late",
	[RXE_CC_CNT_RP_CNP_LIMITED]	= "rp_cnp_limited",
	[RXE_CC_CNT_TOLD_UNUSED]	= "told_unused",
	[RXE_CC_CNT_TAKEN_BACK]		= "int_taken_back",
	[RXE_CC_CNT_CAP_SET]		= "rp_cap_set",
	[RXE_CC_CNT_CAP_LIFTED]		= "rp_cap_lifted",
	[RXE_CC_CNT_CAP_EXPIRED]	= "rp_cap_expired",
	[RXE_CC_CNT_OWD_REFUSED]	= "owd_refused",
	[RXE_CC_CNT_REQUEST_PSN]	= "request_bad_psn",
	[RXE_CC_CNT_PROBE_PSN]		= "probe_bad_psn",
	[RXE_CC_CNT_RX_MSG_EXPIRED]	= "rx_msg_expired",
	[RXE_CC_CNT_IOFD_BURSTS]	= "iofd_bursts",
	[RXE_CC_CNT_IOFD_WAITS]		= "iofd_waits",
};

const char *const rxe_cc_qp_counter_names[RXE_CC_NR_QP_COUNTERS] = {
	[RXE_CC_QCNT_TX_PACKETS]	= "tx_packets",
	[RXE_CC_QCNT_TX_BYTES]		= "tx_bytes",
	[RXE_CC_QCNT_ACKED_BYTES]	= "acked_bytes",
	[RXE_CC_QCNT_RX_CE]		= "rx_ce",
	[RXE_CC_QCNT_CNP_SENT]		= "cnp_sent",
	[RXE_CC_QCNT_CNP_HANDLED]	= "cnp_handled",
	[RXE_CC_QCNT_RETRANSMITS]	= "retransmits",
	[RXE_CC_QCNT_NAKS]		= "naks",
	[RXE_CC_QCNT_TIMEOUTS]		= "timeouts",
	[RXE_CC_QCNT_RNR_NAKS]		= "rnr_naks",
	[RXE_CC_QCNT_BAD_ACKS]		= "bad_acks",
	[RXE_CC_QCNT_PACING_STALLS]	= "pacing_stalls",
	[RXE_CC_QCNT_WINDOW_STALLS]	= "window_stalls",
	[RXE_CC_QCNT_INT_PACKETS]	= "int_packets",
	[RXE_CC_QCNT_INT_ECHOES]	= "int_echoes",
	[RXE_CC_QCNT_PROBES_SENT]	= "probes_sent",
	[RXE_CC_QCNT_REPORTS_SENT]	= "reports_sent",
	[RXE_CC_QCNT_REPORTS_RECEIVED]	= "reports_received",
};

/**
 * rxe_cc_port_counter() - value of a counter
 * @port: port
 * @c: which
 *
 * Context: any. Where 64 bits are not read at once, a value beside a carry may be off.
 *
 * Return: what all CPUs have counted.
 */
u64 rxe_cc_port_counter(const struct rxe_cc_port *port, enum rxe_cc_counter c)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(port->counts, cpu)->n[c]);
	return sum;
}

/**
 * rxe_cc_nr_hw_counters() - how many counters `rdma statistic` gets
 *
 * Return: number of counters.
 */
unsigned int rxe_cc_nr_hw_counters(void)
{
	static_assert(RXE_CC_NR_COUNTERS <= RXE_CC_MAX_HW_COUNTERS);

	return RXE_CC_NR_COUNTERS;
}
EXPORT_SYMBOL_GPL(rxe_cc_nr_hw_counters);

/**
 * rxe_cc_hw_counter_name() - name of a counter
 * @i: which
 *
 * Return: the name, valid as long as the module.
 */
const char *rxe_cc_hw_counter_name(unsigned int i)
{
	return i < RXE_CC_NR_COUNTERS ? rxe_cc_counter_names[i] : NULL;
}
EXPORT_SYMBOL_GPL(rxe_cc_hw_counter_name);

/**
 * rxe_cc_hw_counter() - value of a counter
 * @h: port
 * @i: which
 *
 * Return: the value.
 */
u64 rxe_cc_hw_counter(const struct rxe_cc_port_handle *h, unsigned int i)
{
	if (!h->port || i >= RXE_CC_NR_COUNTERS)
		return 0;
	return rxe_cc_port_counter(h->port, i);
}
EXPORT_SYMBOL_GPL(rxe_cc_hw_counter);

/**
 * rxe_cc_rx_cnp_ignored() - a CNP that is malformed or for no QP under CC
 * @h: port
 *
 * Context: softirq.
 */
void rxe_cc_rx_cnp_ignored(struct rxe_cc_port_handle *h)
{
	if (h->port)
		rxe_cc_count(h->port, RXE_CC_CNT_RP_CNP_IGNORED);
}
EXPORT_SYMBOL_GPL(rxe_cc_rx_cnp_ignored);

/**
 * rxe_cc_tx_unmanaged() - a UD or multicast packet was sent
 * @h: port
 *
 * Context: work.
 */
void rxe_cc_tx_unmanaged(struct rxe_cc_port_handle *h)
{
	if (h->port && READ_ONCE(h->port->managed))
		rxe_cc_count(h->port, RXE_CC_CNT_UNMANAGED);
}
EXPORT_SYMBOL_GPL(rxe_cc_tx_unmanaged);

/**
 * rxe_cc_qp_count() - value of a counter
 * @qp: queue pair
 * @c: which
 *
 * Context: qp->lock held.
 *
 * Return: it.
 */
u64 rxe_cc_qp_count(const struct rxe_cc_qp *qp, enum rxe_cc_qp_counter c)
{
	switch (c) {
	case RXE_CC_QCNT_CNP_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_CNP]);
	case RXE_CC_QCNT_REPORTS_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_REPORT]);
	case RXE_CC_QCNT_PROBES_SENT:
		return atomic64_read(&qp->made[RXE_CC_MADE_PROBE]);
	case RXE_CC_QCNT_INT_PACKETS:
		return qp->counter[c] + atomic64_read(&qp->made[RXE_CC_MADE_PROBE]);
	default:
		return qp->counter[c];
	}
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_qp_count);
