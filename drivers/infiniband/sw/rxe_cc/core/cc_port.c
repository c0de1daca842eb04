// SPDX-License-Identifier: GPL-2.0
/*
 * A port of an RDMA device: algorithm instances, knobs, counters.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"

LIST_HEAD(rxe_cc_ports);

/* Speed assumed where the network device does not know its own. */
#define RXE_CC_DEF_LINE_RATE_BPS	(100ULL * 1000 * 1000 * 1000)

const struct rxe_cc_param rxe_cc_knobs[RXE_CC_NR_KNOBS] = {
	[RXE_CC_KNOB_LINE_RATE] = {
		"line_rate", "bps", 0, RXE_CC_RATE_MAX_BPS, 0,
		"speed of the port, the ceiling for every QP; 0: as the network device says"
	},
	[RXE_CC_KNOB_MIN_RATE] = {
		"min_rate", "bps", RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS,
		1000000, "floor for the rate of every QP"
	},
	[RXE_CC_KNOB_BURST] = {
		"burst", "bytes", 0, RXE_CC_PACER_MAX_BYTES, 4500,
		"wire bytes that a QP may send late at once to keep its mean rate"
	},
	[RXE_CC_KNOB_BASE_RTT] = {
		"base_rtt", "ns", 0, 10000000000ULL, 0,
		"round-trip time of the idle network; 0: the smallest measured in rtt_window"
	},
	[RXE_CC_KNOB_ACK_EVERY] = {
		"ack_every", "count", 1, RXE_CC_DEF_ACK_LIMIT + 2,
		RXE_CC_DEF_ACK_LIMIT + 2,
		"ask for an ACK every so many packets; holds without an algorithm too"
	},
	[RXE_CC_KNOB_MAX_UNACKED] = {
		"max_unacked_psns", "count", RXE_CC_DEF_MAX_UNACKED_PSNS, 1 << 22,
		RXE_CC_DEF_MAX_UNACKED_PSNS,
		"packets that a QP may have unacknowledged; holds without an algorithm too"
	},
	[RXE_CC_KNOB_MAX_SKBS_OUT] = {
		"max_skbs_out", "count", 4, 1 << 20, RXE_CC_DEF_SKBS_OUT_HIGH,
		"packets of a QP between rxe and the wire; holds without an algorithm too"
	},
	[RXE_CC_KNOB_DATA_DSCP] = {
		"data_dscp", "count", 0, RXE_CC_DSCP_KEEP, 26,
		"DSCP of data under an algorithm; 64: the application's"
	},
	[RXE_CC_KNOB_CNP_DSCP] = {
		"cnp_dscp", "count", 0, RXE_CC_DSCP_KEEP, 48,
		"DSCP of CNPs and reports under an algorithm; 64: the application's"
	},
	[RXE_CC_KNOB_INT] = {
		"int", "mode", RXE_CC_INT_OFF, RXE_CC_INT_ON, RXE_CC_INT_OFF,
		"in-band telemetry for algorithms that need it; auto: to peers that have shown to understand it; on: from the first packet"
	},
	[RXE_CC_KNOB_INT_HOPS] = {
		"int_hops", "count", 1, RXE_CC_INT_MAX_HOPS, 8,
		"ports of a path that may add telemetry; with int, the path MTU leaves room for them"
	},
	[RXE_CC_KNOB_INT_DSCP] = {
		"int_dscp", "count", 0, 63, RXE_CC_INT_DSCP,
		"DSCP of packets with telemetry, as all ports and peers have it"
	},
	[RXE_CC_KNOB_ACK_DSCP] = {
		"ack_dscp", "count", 0, RXE_CC_DSCP_DATA, RXE_CC_DSCP_DATA,
		"DSCP of ACKs under an algorithm; 64: the application's, 65: as data"
	},
	[RXE_CC_KNOB_RTT_WINDOW] = {
		"rtt_window", "ns", NSEC_PER_MSEC, RXE_CC_MAX_RTT_WINDOW_NS,
		RXE_CC_DEF_RTT_WINDOW_NS,
		"how long the smallest round-trip time measured counts as that of the idle network"
	},
	[RXE_CC_KNOB_REPORT_INTERVAL] = {
		"report_interval", "ns", 0, 1000000000, 500,
		"least time between two reports of a QP's algorithm that no ACK carries"
	},
	[RXE_CC_KNOB_SWITCH_FEEDBACK] = {
		"switch_feedback", "bool", 0, 1, 0,
		"believe reports and CNPs of switches; for networks whose switches send them"
	},
	[RXE_CC_KNOB_CAP_EXPIRY] = {
		"cap_expiry", "ns", 1000, 10000000000ULL, 1000000,
		"how long a window that a switch dictates holds"
	},
	[RXE_CC_KNOB_CLOCK_COMMON] = {
		"clock_common", "bool", 0, 1, 0,
		"the CLOCK_TAI of this host is that of all its peers and of their ports, so that one-way delays are known"
	},
	[RXE_CC_KNOB_IOFD_TOKENS] = {
		"iofd_tokens", "count", 0, RXE_CC_TOKENS, 0,
		"how often switches may deflect a packet of a short message; 0: never"
	},
	[RXE_CC_KNOB_IOFD_SHORT] = {
		"iofd_short", "bytes", 1, 1 << 30, 8192,
		"with iofd_tokens: the longest message that is short"
	},
};

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

/* What any port can give to an algorithm. */
#define RXE_CC_PORT_GIVES	(RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT | \
				 RXE_CC_ALGO_NEED_ACK_EVERY_PACKET)

/* Why the algorithm cannot run on a port with these knobs, or NULL. */
const char *rxe_cc_port_refusal(const struct rxe_cc_ops *ops, const u64 *knob)
{
	u32 missing = ops->needs & ~RXE_CC_PORT_GIVES;

	if (knob[RXE_CC_KNOB_INT] != RXE_CC_INT_OFF)
		missing &= ~RXE_CC_ALGO_NEED_INT;
	if (missing & RXE_CC_ALGO_NEED_INT)
		return "it needs in-band telemetry: knob int is off";
	if (missing & RXE_CC_ALGO_NEED_PEER)
		return "it needs peers that run rxe_cc, which is not known of any";
	return missing ? "it needs what this version of rxe_cc does not have" :
			 NULL;
}

/* Why the knobs do not suit a queue pair with an algorithm of its own, or NULL.
 * Under port->mutex.
 */
const char *rxe_cc_port_knob_refusal(struct rxe_cc_port *port, const u64 *knob)
{
	const struct rxe_cc_qp *qp;
	unsigned long qpn;

	xa_for_each(&port->qps, qpn, qp)
		if (qp->override && rxe_cc_port_refusal(qp->inst->ops, knob))
			return "a queue pair runs an algorithm that needs it";
	return NULL;
}

/* Relations between knobs; each is in its own range already. */
const char *rxe_cc_knob_check(const u64 *knob, unsigned int *bad)
{
	if (knob[RXE_CC_KNOB_LINE_RATE] &&
	    knob[RXE_CC_KNOB_LINE_RATE] < RXE_CC_RATE_MIN_BPS) {
		*bad = RXE_CC_KNOB_LINE_RATE;
		return "below 1 kbit/s; 0 means as the network device says";
	}
	if (knob[RXE_CC_KNOB_LINE_RATE] &&
	    knob[RXE_CC_KNOB_MIN_RATE] > knob[RXE_CC_KNOB_LINE_RATE]) {
		*bad = RXE_CC_KNOB_MIN_RATE;
		return "above line_rate";
	}
	return NULL;
}

/**
 * rxe_cc_port_lock() - find the port of a device, for a change or a look
 * @ibdev: device
 *
 * Context: process.
 *
 * Return: the port, for rxe_cc_port_unlock(); or NULL, with nothing locked.
 */
struct rxe_cc_port *rxe_cc_port_lock(const struct ib_device *ibdev)
{
	struct rxe_cc_port *port;

	mutex_lock(&rxe_cc_mutex);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (port->ibdev == ibdev) {
			mutex_lock(&port->mutex);
			return port;
		}
	}
	mutex_unlock(&rxe_cc_mutex);
	return NULL;
}

/**
 * rxe_cc_port_unlock() - done with a port
 * @port: port that was locked together with rxe_cc_mutex; NULL: none was
 *
 * Context: process.
 */
void rxe_cc_port_unlock(struct rxe_cc_port *port)
{
	if (!port)
		return;
	mutex_unlock(&port->mutex);
	mutex_unlock(&rxe_cc_mutex);
}

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

/* Under port->mutex. */
static void rxe_cc_port_find_rate(struct rxe_cc_port *port)
{
	u64 bps = port->knob[RXE_CC_KNOB_LINE_RATE];

	if (!bps)
		bps = READ_ONCE(port->link_bps);
	if (!bps)
		bps = RXE_CC_DEF_LINE_RATE_BPS;
	WRITE_ONCE(port->line_rate_bps,
		   clamp(bps, RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS));
}

static void rxe_cc_port_set_limits(struct rxe_cc_port *port)
{
	struct rxe_cc_port_handle *h = port->handle;
	u32 skbs = port->knob[RXE_CC_KNOB_MAX_SKBS_OUT];
	u32 hops = port->knob[RXE_CC_KNOB_INT_HOPS];
	u32 room = 0;

	WRITE_ONCE(port->unacked_psns, max_t(u32, port->unacked_psns,
					     port->knob[RXE_CC_KNOB_MAX_UNACKED]));
	WRITE_ONCE(h->max_unacked_psns, port->knob[RXE_CC_KNOB_MAX_UNACKED]);
	WRITE_ONCE(h->skbs_out_high, skbs);
	WRITE_ONCE(h->skbs_out_low, skbs / (RXE_CC_DEF_SKBS_OUT_HIGH /
					    RXE_CC_DEF_SKBS_OUT_LOW));
	WRITE_ONCE(h->ack_limit, (s32)port->knob[RXE_CC_KNOB_ACK_EVERY] - 2);
	WRITE_ONCE(h->int_dscp, port->knob[RXE_CC_KNOB_INT_DSCP]);
	WRITE_ONCE(h->int_hops, hops);
	WRITE_ONCE(h->tokens, port->knob[RXE_CC_KNOB_IOFD_TOKENS] != 0);
	if (port->knob[RXE_CC_KNOB_INT] != RXE_CC_INT_OFF)
		room = rxe_cc_int_room(RXE_CC_INT_FULL, hops);
	if (room == h->int_room)
		return;
	WRITE_ONCE(h->int_room, room);
	port->host_ops->room_changed(port->host_port);
}

/**
 * rxe_cc_port_commit() - apply a change that was checked
 * @port: port
 * @c: the change
 *
 * Context: process, port->mutex held.
 *
 * Return: 0 or -ENOMEM, which changes nothing.
 */
int rxe_cc_port_commit(struct rxe_cc_port *port, struct rxe_cc_change *c)
{
	struct rxe_cc_inst *inst = port->def, *none = NULL, *old = NULL;
	struct rxe_cc_inst *i;
	u64 *params = NULL, *old_params = NULL;
	struct rxe_cc_qp *qp;
	unsigned long qpn;
	unsigned int k;

	lockdep_assert_held(&port->mutex);
	if (c->set_params) {
		params = kmemdup(c->params, sizeof(c->params), GFP_KERNEL);
		if (!params)
			goto nomem;
	}
	if (c->ops && c->ops != port->def->ops) {
		/* UC QPs may have to fall back: nothing may fail half-way. */
		__module_get(rxe_cc_none_ops.owner);
		none = rxe_cc_inst_get(port, &rxe_cc_none_ops);
		if (IS_ERR(none))
			goto nomem;
		inst = rxe_cc_inst_get(port, c->ops);
		c->ops = NULL;
		if (IS_ERR(inst)) {
			rxe_cc_inst_put(port, none);
			goto nomem;
		}
		old = port->def;
	} else if (c->ops) {
		module_put(c->ops->owner);
		c->ops = NULL;
	}

	for (k = 0; k < RXE_CC_NR_KNOBS; k++)
		WRITE_ONCE(port->knob[k], c->knob[k]);
	rxe_cc_port_find_rate(port);
	rxe_cc_port_set_limits(port);
	if (params)
		old_params = rxe_cc_inst_set_params(inst, params);
	port->def = inst;
	WRITE_ONCE(port->managed, inst->ops != &rxe_cc_none_ops);
	list_for_each_entry(i, &port->insts, list)
		rxe_cc_inst_rules(i);
	xa_for_each(&port->qps, qpn, qp) {
		if (old && !qp->override) {
			struct rxe_cc_inst *to = inst;

			if (!rxe_cc_qp_may_run(qp, inst->ops))
				to = none;
			if (qp->inst != to) {
				to->users++;
				rxe_cc_qp_switch(qp, to);
				continue;
			}
		}
		rxe_cc_qp_refresh(qp, qp->inst == inst ? inst->params : NULL);
	}
	kfree(old_params);
	if (old) {
		rxe_cc_inst_put(port, old);
		rxe_cc_inst_put(port, none);
	}
	return 0;

nomem:
	kfree(params);
	if (c->ops)
		module_put(c->ops->owner);
	c->ops = NULL;
	return -ENOMEM;
}

/**
 * rxe_cc_test_set() - choose algorithm and knobs of a port, for tests
 * @h: port
 * @ops: algorithm, whose module the caller holds; NULL: as it is
 * @knob: values of all knobs; NULL: as they are
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_cc_test_set(struct rxe_cc_port_handle *h, const struct rxe_cc_ops *ops,
		    const u64 *knob)
{
	struct rxe_cc_change *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int err;

	if (!c)
		return -ENOMEM;
	mutex_lock(&h->port->mutex);
	memcpy(c->knob, knob ? knob : h->port->knob, sizeof(c->knob));
	if (ops)
		__module_get(ops->owner);
	c->ops = ops;
	err = rxe_cc_port_commit(h->port, c);
	mutex_unlock(&h->port->mutex);
	kfree(c);
	return err;
}
EXPORT_SYMBOL_GPL(rxe_cc_test_set);

/* The speed of the link has changed: so have line rate and ceilings, unless the knob says. */
static void rxe_cc_port_relink(struct work_struct *work)
{
	struct rxe_cc_port *port = container_of(work, struct rxe_cc_port,
						link_work);
	u64 before_bps;
	struct rxe_cc_qp *qp;
	unsigned long qpn;

	mutex_lock(&port->mutex);
	before_bps = port->line_rate_bps;
	rxe_cc_port_find_rate(port);
	if (port->line_rate_bps != before_bps) {
		xa_for_each(&port->qps, qpn, qp)
			rxe_cc_qp_refresh(qp, NULL);
		if (port->announced)
			rxe_cc_notify_port(port, RXE_CC_CMD_DEV_NTF);
	}
	mutex_unlock(&port->mutex);
}

/**
 * rxe_cc_port_link() - the speed of a port's link, at first and whenever it may have changed
 * @h: port
 * @bps: speed; 0: unknown
 *
 * Where the knob line_rate is 0 that is the ceiling for every queue pair, soon after.
 *
 * Context: any; not beside rxe_cc_port_del().
 */
void rxe_cc_port_link(struct rxe_cc_port_handle *h, u64 bps)
{
	struct rxe_cc_port *port = h->port;

	if (!port || READ_ONCE(port->link_bps) == bps)
		return;
	WRITE_ONCE(port->link_bps, bps);
	schedule_work(&port->link_work);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_link);

/**
 * rxe_cc_port_add() - a port of the transport comes into being
 * @h: handle in the transport's device, its limits set to the defaults
 * @ibdev: device, not registered yet
 * @port_num: port number
 * @ifindex: network device
 * @ops: transport's callbacks
 * @host_port: comes back in callbacks
 *
 * The port starts with algorithm "none".
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_cc_port_add(struct rxe_cc_port_handle *h, struct ib_device *ibdev,
		    u32 port_num, int ifindex,
		    const struct rxe_cc_host_ops *ops, void *host_port)
{
	struct rxe_cc_port *port;
	unsigned int i;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->counts = alloc_percpu(struct rxe_cc_counts);
	if (!port->counts)
		goto nomem;
	INIT_LIST_HEAD(&port->insts);
	mutex_init(&port->mutex);
	xa_init(&port->qps);
	INIT_WORK(&port->link_work, rxe_cc_port_relink);
	port->handle = h;
	port->ibdev = ibdev;
	port->port_num = port_num;
	port->ifindex = ifindex;
	port->host_ops = ops;
	port->host_port = host_port;
	port->line_rate_bps = RXE_CC_DEF_LINE_RATE_BPS;
	for (i = 0; i < RXE_CC_NR_KNOBS; i++)
		port->knob[i] = rxe_cc_knobs[i].def;
	rxe_cc_port_set_limits(port);
	rxe_cc_peers_init(port);

	__module_get(rxe_cc_none_ops.owner);
	port->def = rxe_cc_inst_get(port, &rxe_cc_none_ops);
	if (IS_ERR(port->def))
		goto nomem;
	mutex_lock(&rxe_cc_mutex);
	list_add_tail(&port->list, &rxe_cc_ports);
	atomic_inc(&rxe_cc_generation);
	h->port = port;
	mutex_unlock(&rxe_cc_mutex);
	return 0;

nomem:
	free_percpu(port->counts);
	kfree(port);
	return -ENOMEM;
}
EXPORT_SYMBOL_GPL(rxe_cc_port_add);

/**
 * rxe_cc_port_announce() - the device of a port is registered
 * @h: handle
 *
 * Context: process.
 */
void rxe_cc_port_announce(struct rxe_cc_port_handle *h)
{
	struct rxe_cc_port *port = h->port;

	if (!port)
		return;
	mutex_lock(&rxe_cc_mutex);
	mutex_lock(&port->mutex);
	port->announced = true;
	atomic_inc(&rxe_cc_generation);
	rxe_cc_port_find_rate(port);
	rxe_cc_notify_port(port, RXE_CC_CMD_DEV_NTF);
	rxe_cc_port_unlock(port);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_announce);

/**
 * rxe_cc_port_del() - a port goes away
 * @h: handle; one that was never added is fine
 *
 * Context: process; all its queue pairs are gone.
 */
void rxe_cc_port_del(struct rxe_cc_port_handle *h)
{
	struct rxe_cc_port *port = h->port;

	if (!port)
		return;
	mutex_lock(&rxe_cc_mutex);
	mutex_lock(&port->mutex);
	if (port->announced)
		rxe_cc_notify_port(port, RXE_CC_CMD_DEV_DEL_NTF);
	list_del(&port->list);
	atomic_inc(&rxe_cc_generation);
	h->port = NULL;
	rxe_cc_port_unlock(port);

	/* Nobody finds it any more. */
	cancel_work_sync(&port->link_work);
	cancel_delayed_work_sync(&port->peer_work);
	mutex_lock(&port->mutex);
	rxe_cc_inst_put(port, port->def);
	WARN_ON_ONCE(!list_empty(&port->insts));
	rxe_cc_peers_exit(port);
	mutex_unlock(&port->mutex);
	xa_destroy(&port->qps);
	mutex_destroy(&port->mutex);
	free_percpu(port->counts);
	kfree(port);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_del);

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
