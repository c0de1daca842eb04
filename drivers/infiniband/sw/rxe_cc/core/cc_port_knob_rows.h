/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All knobs of a port, in the order of dumps. This file is included where KNOB is defined:
 * KNOB(constant, name, unit, min, max, default, help). Netlink, sysfs, rxecc and
 * Documentation/reference/counters.md have them from here.
 */
KNOB(LINE_RATE, line_rate, "bps", 0, RXE_CC_RATE_MAX_BPS, 0, "speed of the port, the ceiling for every QP; 0: as the network device says")
KNOB(MIN_RATE, min_rate, "bps", RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS, 1000000, "floor for the rate of every QP")
KNOB(BURST, burst, "bytes", 0, RXE_CC_PACER_MAX_BYTES, 4500, "wire bytes that a QP may send late at once to keep its mean rate")
KNOB(BASE_RTT, base_rtt, "ns", 0, 10000000000ULL, 0, "round-trip time of the idle network; 0: as measured")
KNOB(ACK_EVERY, ack_every, "count", 1, RXE_CC_DEF_ACK_LIMIT + 2, RXE_CC_DEF_ACK_LIMIT + 2, "ask for an ACK every so many packets; holds without an algorithm too")
KNOB(MAX_UNACKED, max_unacked_psns, "count", RXE_CC_DEF_MAX_UNACKED_PSNS, 1 << 22, RXE_CC_DEF_MAX_UNACKED_PSNS, "packets that a QP may have unacknowledged; holds without an algorithm too")
KNOB(MAX_SKBS_OUT, max_skbs_out, "count", 4, 1 << 20, RXE_CC_DEF_SKBS_OUT_HIGH, "packets of a QP between rxe and the wire; holds without an algorithm too")
KNOB(DATA_DSCP, data_dscp, "count", 0, RXE_CC_DSCP_KEEP, 26, "DSCP of data under an algorithm; 64: the application's")
KNOB(CNP_DSCP, cnp_dscp, "count", 0, RXE_CC_DSCP_KEEP, 48, "DSCP of CNPs and reports under an algorithm; 64: the application's")
KNOB(INT, int, "mode", RXE_CC_INT_OFF, RXE_CC_INT_ON, RXE_CC_INT_OFF, "in-band telemetry for algorithms that need it; auto: to peers that have shown to understand it; on: from the first packet")
KNOB(INT_HOPS, int_hops, "count", 1, RXE_CC_INT_MAX_HOPS, 8, "ports of a path that may add telemetry; with int, the path MTU leaves room for them")
KNOB(INT_DSCP, int_dscp, "count", 0, 63, RXE_CC_INT_DSCP, "DSCP of packets with telemetry, as all ports and peers have it")
KNOB(ACK_DSCP, ack_dscp, "count", 0, RXE_CC_DSCP_DATA, RXE_CC_DSCP_DATA, "DSCP of ACKs under an algorithm; 64: the application's, 65: as data")
KNOB(RTT_WINDOW, rtt_window, "ns", NSEC_PER_MSEC, RXE_CC_MAX_RTT_WINDOW_NS, RXE_CC_DEF_RTT_WINDOW_NS, "how long a flow must meet no idle path before that may become longer")
KNOB(REPORT_INTERVAL, report_interval, "ns", 0, 1000000000, 500, "least time between two reports of a QP's algorithm that no ACK carries")
KNOB(SWITCH_FEEDBACK, switch_feedback, "bool", 0, 1, 0, "believe reports and CNPs of switches; for networks whose switches send them")
KNOB(CAP_EXPIRY, cap_expiry, "ns", 1000, 10000000000ULL, 1000000, "how long a window that a switch dictates holds")
KNOB(CLOCK_COMMON, clock_common, "bool", 0, 1, 0, "the CLOCK_TAI of this host is that of all its peers and of their ports, so that one-way delays are known")
KNOB(IOFD_TOKENS, iofd_tokens, "count", 0, RXE_CC_TOKENS, 0, "how often switches may deflect a packet of a short message; 0: never")
KNOB(IOFD_SHORT, iofd_short, "bytes", 1, 1 << 30, 8192, "with iofd_tokens: the longest message that is short")
KNOB(CAP_LEAST, cap_least, "bool", 0, 1, 0, "of a port's windows the smallest holds until it is lifted; 0: the newest")
