// SPDX-License-Identifier: GPL-2.0
/*
 * What can be set of a port, and which algorithm goes with which settings.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <rxe_cc/cc_host.h>
#include <rxe_cc/wire.h>

#include "cc_flow.h"
#include "cc_knobs.h"
#include "cc_pacer.h"

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
		"round-trip time of the idle network; 0: as measured"
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
		"how long a flow must meet no idle path before that may become longer"
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
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_knobs);

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
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_port_refusal);

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
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_knob_check);
