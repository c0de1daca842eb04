/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All counters of "roce" ports that the lab reads, one row each (common/port_counters.h): attribute
 * TCA_ROCE_XSTATS_..., PSTATS_... or SSTATS_..., object of summary.json that it is told in, name
 * there, kind. Objects are "" (the port itself), "drops", or a feature's name. The order is that
 * of summary.json. A row here is all that a counter needs to get there.
 */
#ifndef PORT_COUNTER
#define PORT_COUNTER(...)
#endif
#ifndef PRIO_COUNTER
#define PRIO_COUNTER(...)
#endif
#ifndef SWITCH_COUNTER
#define SWITCH_COUNTER(...)
#endif

PORT_COUNTER(NOW, "", "now_ns", READ)
PORT_COUNTER(BUSY, "", "busy_ns", SUM)
PORT_COUNTER(TX_WIRE_BYTES, "", "tx_wire_bytes", READ)
PORT_COUNTER(TX_PACKETS, "", "tx_packets", READ)
PORT_COUNTER(MERCURY_CNPS, "mercury", "cnps", SUM)
PORT_COUNTER(MERCURY_DAMPED, "mercury", "damped", SUM)
PORT_COUNTER(MERCURY_FAILED, "mercury", "failed", SUM)
PORT_COUNTER(MERCURY_NO_PLACE, "mercury", "no_place", SUM)
PORT_COUNTER(MERCURY_FLOWS, "mercury", "flows_left", LEFT)
PORT_COUNTER(MERCURY_FLOWS_PEAK, "mercury", "flows_peak", PEAK)
PORT_COUNTER(IOFD_FLOWS, "iofd", "flows", SUM)
PORT_COUNTER(IOFD_PACKETS, "iofd", "packets", SUM)
PORT_COUNTER(IOFD_BYTES, "iofd", "bytes", SUM)
PORT_COUNTER(IOFD_TAKEN, "iofd", "taken", SUM)
PORT_COUNTER(IOFD_FULL, "iofd", "full", SUM)
PORT_COUNTER(IOFD_NO_PORT, "iofd", "no_port", SUM)
PORT_COUNTER(IOFD_LOST_PORT, "iofd", "lost_port", SUM)
PORT_COUNTER(IOFD_ESCAPED, "iofd", "escaped", SUM)
PORT_COUNTER(IOFD_NO_ESCAPE, "iofd", "no_escape", SUM)
PORT_COUNTER(IOFD_FAILED, "iofd", "failed", SUM)
PORT_COUNTER(IOFD_ENTRIES_PEAK, "iofd", "entries_peak", PEAK)
PORT_COUNTER(LSCC_SENT, "lscc", "sent", SUM)
PORT_COUNTER(LSCC_UNSENT, "lscc", "unsent", SUM)
PORT_COUNTER(LSCC_HEARD, "lscc", "heard", SUM)
PORT_COUNTER(LSCC_REFUSED, "lscc", "refused", SUM)
PORT_COUNTER(LSCC_LATE, "lscc", "late", SUM)
PORT_COUNTER(LSCC_EXPIRED, "lscc", "expired", SUM)
PORT_COUNTER(LSCC_CNPS, "lscc", "cnps", SUM)
PORT_COUNTER(LSCC_DAMPED, "lscc", "damped", SUM)
PORT_COUNTER(LSCC_FAILED, "lscc", "failed", SUM)
PORT_COUNTER(LSCC_CLEARED, "lscc", "cleared", SUM)
PORT_COUNTER(LSCC_UNCLEARED, "lscc", "uncleared", SUM)
PORT_COUNTER(LSCC_MARKED, "lscc", "marked", SUM)
PORT_COUNTER(LSCC_NO_PLACE, "lscc", "no_place", SUM)
PORT_COUNTER(LSCC_INTS, "lscc", "ints", SUM)
PORT_COUNTER(LSCC_TAKEN, "lscc", "taken", SUM)
PORT_COUNTER(LSCC_UNTAKEN, "lscc", "untaken", SUM)
PORT_COUNTER(LSCC_RATE, "lscc", "rate_bps", LEVEL)
PORT_COUNTER(LSCC_LIMIT, "lscc", "limit_bps", LEVEL)
PORT_COUNTER(LSCC_PSEUDO_PEAK, "lscc", "queue_peak_bytes", PEAK)

PRIO_COUNTER(BYTES, "", "bytes", READ)
PRIO_COUNTER(PAUSED, "", "paused", READ)
PRIO_COUNTER(BYTE_NS, "", "kib_us", RAW)
PRIO_COUNTER(TX_PACKETS, "", "tx_packets", SUM)
PRIO_COUNTER(TX_WIRE_BYTES, "", "tx_wire_bytes", SUM)
PRIO_COUNTER(PEAK_BYTES, "", "queue_peak_bytes", PEAK)
PRIO_COUNTER(ECN_MARKED, "", "ecn_marked", SUM)
PRIO_COUNTER(ECN_NOT_ECT, "", "ecn_not_ect", SUM)
PRIO_COUNTER(PFC_INDICATIONS, "", "pauses_received", SUM)
PRIO_COUNTER(PFC_RESUMED, "", "resumes_received", SUM)
PRIO_COUNTER(PAUSE_NS, "", "pause_ns", SUM)
PRIO_COUNTER(STORMS, "", "storms", SUM)
PRIO_COUNTER(PFC_REQUESTS, "", "pauses_sent", SUM)
PRIO_COUNTER(PFC_RESUMES, "", "resumes_sent", SUM)
PRIO_COUNTER(XOFF_NS, "", "xoff_ns", SUM)
PRIO_COUNTER(IN_PEAK_BYTES, "", "in_peak_bytes", PEAK)
PRIO_COUNTER(HEADROOM_SIZE, "", "headroom_bytes", PEAK)
PRIO_COUNTER(HEADROOM_PEAK_BYTES, "", "headroom_peak_bytes", PEAK)
PRIO_COUNTER(DROP_LIMIT, "drops", "limit", SUM)
PRIO_COUNTER(DROP_PORT_LIMIT, "drops", "port_limit", SUM)
PRIO_COUNTER(DROP_BUFFER, "drops", "buffer", SUM)
PRIO_COUNTER(DROP_HEADROOM, "drops", "headroom", SUM)
PRIO_COUNTER(DROP_WATCHDOG, "drops", "watchdog", SUM)
PRIO_COUNTER(DROP_NOT_ECT, "drops", "not_ect", SUM)
PRIO_COUNTER(DROP_FEATURE, "drops", "feature", SUM)
PRIO_COUNTER(DROP_OTHER, "drops", "other", SUM)
PRIO_COUNTER(DROP_WIRE_LIMIT, "drops", "wire_limit", SOME)
PRIO_COUNTER(MERCURY_ENTERED, "mercury", "entered", SUM)
PRIO_COUNTER(MERCURY_CONGESTED, "mercury", "congested", SUM)
PRIO_COUNTER(MERCURY_SPARED, "mercury", "spared", SUM)

SWITCH_COUNTER(PORTS, "", "ports", LEVEL)
SWITCH_COUNTER(BUFFER, "", "buffer", LEVEL)
SWITCH_COUNTER(RESERVED, "", "reserved", LEVEL)
SWITCH_COUNTER(HEADROOM, "", "headroom", LEVEL)
SWITCH_COUNTER(SHARED, "", "shared", LEVEL)
SWITCH_COUNTER(USED, "", "used", LEVEL)
SWITCH_COUNTER(RESERVED_USED, "", "reserved_used", LEVEL)
SWITCH_COUNTER(HEADROOM_USED, "", "headroom_used", LEVEL)
SWITCH_COUNTER(SHARED_USED, "", "shared_used", LEVEL)
SWITCH_COUNTER(PEAK_USED, "", "peak_used", LEVEL)
SWITCH_COUNTER(XOFF, "", "xoff", LEVEL)

#undef PORT_COUNTER
#undef PRIO_COUNTER
#undef SWITCH_COUNTER
