// SPDX-License-Identifier: GPL-2.0
/*
 * The port's own keywords and figures, and what "help" says of them. Those of
 * features: roce_features.c.
 */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>

#include "q_roce.h"

const char roce_help_head[] =
"Usage: tc qdisc add|change dev DEV root roce [PORT] [prio ID PRIO]...\n"
"A port of a NIC or a switch: line rate, priorities, shared buffer, PFC, ECN,\n"
"INT, propagation delay.\n"
"\n";

const char roce_help_tail[] =
"\n"
"Units: rates bit kbit mbit gbit, sizes b kb mb gb (kb = 1024), times ns us ms s;\n"
"a plain number is bit/s, bytes, ns. What is left out keeps its value on change\n"
"and gets the default, in parentheses, on add. A change of dscp starts from the\n"
"default map.\n";

/* As in tc itself, bps are bytes per second. */
static const struct unit_suffix tc_rates[] = {
	{ "gbit", 1000000000, 1 }, { "mbit", 1000000, 1 }, { "kbit", 1000, 1 },
	{ "bit", 1, 1 }, { "", 1, 1 }, { "tbit", 1000000000000ULL, 1 },
	{ "kibit", 1 << 10, 1 }, { "mibit", 1 << 20, 1 }, { "gibit", 1 << 30, 1 },
	{ "tibit", 1ULL << 40, 1 },
	{ "bps", 8, 1 }, { "kbps", 8000, 1 }, { "mbps", 8000000, 1 },
	{ "gbps", 8000000000ULL, 1 }, { }
};

const struct roce_units roce_rate_units[] = { { tc_rates, tc_rates } };

/* Printed from mb on, 1024mb and not 1gb: scripts read what tc prints. */
const struct roce_units roce_size_units[] = { { unit_sizes, unit_sizes + 1 } };

const struct roce_units roce_time_units[] = { { unit_times, unit_times } };

static const struct unit_suffix ppm_units[] = {
	{ "", 1000000, 1 }, { "%", 10000, 1 }, { }
};

const struct roce_units roce_ppm_units[] = { { ppm_units, NULL } };

static const struct unit_suffix q16_units[] = {
	{ "", TC_ROCE_ALPHA_ONE, 1 }, { }
};

static const struct roce_units alpha_units[] = { { q16_units, NULL } };

static const struct roce_word switch_words[] = {
	{ "none", TC_ROCE_SWITCH_NONE }, { "auto", TC_ROCE_SWITCH_AUTO },
	{ }
};

const struct roce_word roce_auto_words[] = { { "auto", 0 }, { } };

static const struct roce_word headroom_words[] = {
	{ "auto", TC_ROCE_HEADROOM_AUTO }, { }
};

const struct roce_word roce_off_words[] = {
	{ "off", 0 }, { "0", 0 }, { }
};

const struct roce_word roce_on_off_words[] = {
	{ "off", 0 }, { "on", 1 }, { }
};

static const struct roce_word watchdog_words[] = {
	{ "auto", TC_ROCE_WATCHDOG_AUTO }, { "off", 0 }, { "0", 0 }, { }
};

static const struct roce_word action_words[] = {
	{ "report", TC_ROCE_WATCHDOG_REPORT },
	{ "drop", TC_ROCE_WATCHDOG_DROP },
	{ "ignore", TC_ROCE_WATCHDOG_IGNORE }, { }
};

static const struct roce_keyword line_keywords[] = {
	{ .name = "rate", .json = "rate_bps", .type = TCA_ROCE_RATE, .size = 8,
	  .form = ROCE_UNITS, .units = roce_rate_units, .min = TC_ROCE_RATE_MIN_BPS,
	  .max = TC_ROCE_RATE_MAX_BPS, .want = "1mbit..800gbit" },
	{ .name = "overhead", .json = "overhead_bytes",
	  .type = TCA_ROCE_OVERHEAD, .size = 4, .form = ROCE_SIGNED,
	  .min = TC_ROCE_OVERHEAD_MIN, .max = TC_ROCE_OVERHEAD_MAX,
	  .want = "-14..512" },
	{ .name = "delay", .json = "delay_ns", .type = TCA_ROCE_DELAY,
	  .size = 8, .form = ROCE_UNITS, .units = roce_time_units,
	  .max = TC_ROCE_DELAY_MAX_NS, .want = "0..10s" },
	{ SIZE_OPTION("limit", "limit_bytes", TCA_ROCE_LIMIT, 1),
	  .want = "a size from 1b below 4gb" },
	{ .name = "seed", .json = "seed", .type = TCA_ROCE_SEED, .size = 8,
	  .form = ROCE_NUMBER, .max = (double)ULLONG_MAX,
	  .want = "a whole number of 64 bits" },
	{ .name = "wire-limit", .json = "wire_limit_bytes",
	  .type = TCA_ROCE_WIRE_LIMIT, .size = 8, .form = ROCE_UNITS,
	  .as_json = ROCE_JSON_NULL, .units = roce_size_units,
	  .words = roce_auto_words, .min = 1, .max = TC_ROCE_WIRE_MAX,
	  .want = "auto or 1b..1024gb", .is_quiet = true, .sparse = true },
	{ .name = "wire-packets", .json = "wire_packets",
	  .type = TCA_ROCE_WIRE_PACKETS, .size = 4, .form = ROCE_NUMBER,
	  .as_json = ROCE_JSON_NULL, .words = roce_auto_words, .min = 1,
	  .max = UINT_MAX, .want = "auto or 1..4294967295", .is_quiet = true,
	  .sparse = true },
	{ .name = "direct", .json = "direct", .type = TCA_ROCE_DIRECT,
	  .size = 1, .form = ROCE_NAMED, .as_json = ROCE_JSON_BOOL,
	  .words = roce_on_off_words, .want = "on or off", .is_quiet = true },
	{ }
};

static const struct roce_keyword line_prio_keywords[] = {
	{ SIZE_OPTION("limit", "limit_bytes", TCA_ROCE_PRIO_LIMIT, 0),
	  .want = "a size below 4gb" },
	{ }
};

static const struct roce_figure line_figures[] = {
	{ TCA_ROCE_XSTATS_NOW, "now_ns", "  at %" PRIu64 "ns", true },
	{ TCA_ROCE_XSTATS_BUSY, "busy_ns", " busy %" PRIu64 "ns", true },
	{ TCA_ROCE_XSTATS_TX_PACKETS, "tx_packets", " sent %" PRIu64 "p",
	  true },
	{ TCA_ROCE_XSTATS_TX_WIRE_BYTES, "tx_wire_bytes", " %" PRIu64 "b",
	  true },
	{ TCA_ROCE_XSTATS_IN_FLIGHT, "in_flight", " in flight %" PRIu64 "p",
	  true },
	{ }
};

static const struct roce_figure queue_figures[] = {
	{ TCA_ROCE_PSTATS_BYTES, "bytes", " queue %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_PACKETS, "packets", " %" PRIu64 "p", true },
	{ TCA_ROCE_PSTATS_PEAK_BYTES, "peak_bytes", " peak %" PRIu64 "b",
	  true },
	{ TCA_ROCE_PSTATS_BYTE_NS, "area_kib_us", " area %" PRIu64 "KiB*us",
	  true },
	{ TCA_ROCE_PSTATS_TX_PACKETS, "tx_packets", " sent %" PRIu64 "p",
	  true },
	{ TCA_ROCE_PSTATS_TX_WIRE_BYTES, "tx_wire_bytes", " %" PRIu64 "b",
	  true },
	{ }
};

const struct roce_group roce_line_group = {
	.keywords	= line_keywords,
	.prio_keywords	= line_prio_keywords,
	.help		=
"PORT:\n"
"  rate RATE       line rate, 1mbit..800gbit (100gbit)\n"
"  overhead BYTES  on the line but not in the packet, -14..512 (24: preamble 8,\n"
"                  frame check sequence 4, gap 12)\n"
"  delay TIME      propagation delay up to 10s (0)\n"
"  limit SIZE      wire bytes that may wait, all priorities (32mb)\n"
"  seed NUMBER     of the random numbers of ECN marking (1)\n"
"  wire-limit SIZE under way to the peer at most, what is beyond is lost (auto:\n"
"                  256mb, or 1/8 of the memory)\n"
"  wire-packets N  the same in packets (auto: 262144, or less)\n"
"  direct on|off   hand packets to the veth peer, for networks in one kernel (off)\n"
"  dscp D:P        packets with DSCP D have priority P; repeat it for more.\n"
"                  \"dscp all:P\" is every DSCP (26:3 27:3 48:6, others 0)\n",
	.prio_help	=
"PRIO, of priority ID 0..7; 7 is served first:\n"
"  limit SIZE      wire bytes that may wait; 0 = only the port's limit (0)\n",
	.figures	= { { .figures = line_figures } },
	.prio_figures	= { { .figures = queue_figures } },
};

static const struct roce_figure drop_figures[] = {
	{ TCA_ROCE_PSTATS_DROP_LIMIT, "drop_limit", " limit %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_PORT_LIMIT, "drop_port_limit",
	  " port_limit %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_BUFFER, "drop_buffer", " buffer %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_HEADROOM, "drop_headroom",
	  " headroom %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_WATCHDOG, "drop_watchdog",
	  " watchdog %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_NOT_ECT, "drop_not_ect", " not_ect %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_FEATURE, "drop_feature", " feature %" PRIu64,
	  false },
	{ TCA_ROCE_PSTATS_DROP_WIRE_LIMIT, "drop_wire_limit",
	  " wire_limit %" PRIu64, false },
	{ TCA_ROCE_PSTATS_DROP_OTHER, "drop_other", " other %" PRIu64, false },
	{ }
};

const struct roce_group roce_drop_group = {
	.prio_figures	= { { "    dropped", drop_figures } },
};

static const struct roce_keyword switch_keywords[] = {
	{ .name = "switch", .json = "switch", .type = TCA_ROCE_SWITCH,
	  .size = 4, .form = ROCE_NUMBER, .as_json = ROCE_JSON_STRING,
	  .words = switch_words, .min = 1, .max = UINT_MAX - 1.0,
	  .want = "none, auto or 1..4294967294",
	  .is_quiet = true, .quiet = TC_ROCE_SWITCH_NONE },
	{ .name = "buffer", .json = "buffer_bytes", .type = TCA_ROCE_BUFFER,
	  .size = 8, .form = ROCE_UNITS, .units = roce_size_units, .min = 1,
	  .max = TC_ROCE_BUFFER_MAX, .want = "1b..1024gb" },
	{ }
};

const struct roce_group roce_switch_group = {
	.keywords	= switch_keywords,
	.help		=
"PORT, switch:\n"
"  switch WHICH    none: a NIC's port; auto: with all ports of the same bridge, or\n"
"                  of this namespace; a number: with all that have it (none)\n"
"  buffer SIZE     of the switch, on whichever port it is set (32mb)\n",
};

static const struct roce_keyword pfc_keywords[] = {
	{ .name = "peer-mtu", .json = "peer_mtu_bytes",
	  .type = TCA_ROCE_PEER_MTU, .size = 4, .form = ROCE_NUMBER,
	  .as_json = ROCE_JSON_NULL, .words = roce_auto_words, .min = 68,
	  .max = TC_ROCE_PEER_MTU_MAX, .want = "auto or 68..65535",
	  .is_quiet = true },
	{ .name = "pfc-quanta", .json = "pfc_quanta",
	  .type = TCA_ROCE_PFC_QUANTA, .size = 2, .form = ROCE_NUMBER,
	  .min = 1, .max = 65535, .want = "1..65535",
	  .is_quiet = true, .quiet = 65535 },
	{ .name = "pfc-response", .json = "pfc_response_ns",
	  .type = TCA_ROCE_PFC_RESPONSE, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_RESPONSE_MAX_NS,
	  .want = "0..1s", .is_quiet = true },
	{ .name = "pfc-watchdog", .json = "pfc_watchdog_ns",
	  .type = TCA_ROCE_PFC_WATCHDOG, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .words = watchdog_words,
	  .as_json = ROCE_JSON_NULL,
	  .min = TC_ROCE_WATCHDOG_MIN_NS, .max = TC_ROCE_WATCHDOG_MAX_NS,
	  .want = "auto, off or 1us..100s", .is_quiet = true,
	  .quiet = TC_ROCE_WATCHDOG_AUTO },
	{ .name = "pfc-watchdog-action", .json = "pfc_watchdog_action",
	  .type = TCA_ROCE_PFC_WATCHDOG_ACTION, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_STRING, .words = action_words,
	  .want = "report, drop or ignore", .is_quiet = true,
	  .quiet = TC_ROCE_WATCHDOG_DROP },
	{ .name = "pfc-watchdog-restore", .json = "pfc_watchdog_restore_ns",
	  .type = TCA_ROCE_PFC_WATCHDOG_RESTORE, .size = 8,
	  .form = ROCE_UNITS, .units = roce_time_units,
	  .max = TC_ROCE_WATCHDOG_MAX_NS, .want = "0..100s",
	  .is_quiet = true, .quiet = 200000000 },
	{ .name = "pfc-obey", .json = "pfc_obey", .type = TCA_ROCE_PFC_OBEY,
	  .size = 1, .form = ROCE_NAMED, .as_json = ROCE_JSON_BOOL,
	  .words = roce_on_off_words, .want = "on or off",
	  .is_quiet = true, .quiet = 1 },
	{ }
};

static const struct roce_keyword pfc_prio_keywords[] = {
	{ .name = "lossless", .json = "lossless",
	  .type = TCA_ROCE_PRIO_LOSSLESS, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_BOOL, .words = roce_on_off_words,
	  .want = "on or off", .is_quiet = true },
	{ }
};

static const struct roce_figure pfc_figures[] = {
	{ TCA_ROCE_XSTATS_PFC_TX, "pfc_tx", " sent %" PRIu64, true },
	{ TCA_ROCE_XSTATS_PFC_RX, "pfc_rx", " received %" PRIu64, true },
	{ TCA_ROCE_XSTATS_PFC_BAD, "pfc_bad", " bad %" PRIu64, false },
	{ TCA_ROCE_XSTATS_PFC_OTHER, "pfc_other", " other %" PRIu64, false },
	{ TCA_ROCE_XSTATS_PFC_TX_NOMEM, "pfc_tx_nomem", " nomem %" PRIu64, false },
	{ }
};

static const struct roce_figure pfc_more_figures[] = {
	{ TCA_ROCE_XSTATS_PFC_WATCHDOG, "pfc_watchdog_ns", NULL, false },
	{ }
};

static const struct roce_figure pause_figures[] = {
	{ TCA_ROCE_PSTATS_PFC_INDICATIONS, "pfc_indications",
	  " indications %" PRIu64, true },
	{ TCA_ROCE_PSTATS_PFC_RESUMED, "pfc_resumed", " resumes %" PRIu64,
	  true },
	{ TCA_ROCE_PSTATS_PAUSE_NS, "pause_ns", " time %" PRIu64 "ns", true },
	{ TCA_ROCE_PSTATS_PAUSED, "paused", " now %" PRIu64, true },
	{ TCA_ROCE_PSTATS_PFC_IGNORED, "pfc_ignored", " ignored %" PRIu64, false },
	{ TCA_ROCE_PSTATS_STORMS, "storms", " storms %" PRIu64, false },
	{ }
};

static const struct roce_figure xoff_figures[] = {
	{ TCA_ROCE_PSTATS_PFC_REQUESTS, "pfc_requests", " requests %" PRIu64,
	  true },
	{ TCA_ROCE_PSTATS_PFC_RESUMES, "pfc_resumes", " resumes %" PRIu64,
	  true },
	{ TCA_ROCE_PSTATS_XOFF_NS, "xoff_ns", " time %" PRIu64 "ns", true },
	{ TCA_ROCE_PSTATS_XOFF, "xoff", " now %" PRIu64, true },
	{ }
};

const struct roce_group roce_pfc_group = {
	.keywords	= pfc_keywords,
	.prio_keywords	= pfc_prio_keywords,
	.help		=
"PORT, PFC:\n"
"  peer-mtu BYTES  longest packet of the peer, 68..65535, for the headroom; auto:\n"
"                  this device's (auto)\n"
"  pfc-quanta N    pause time asked for, 1..65535 times 512 bits (65535)\n"
"  pfc-response TIME\n"
"                  from the end of a PFC frame to its effect, up to 1s (0)\n"
"  pfc-watchdog TIME\n"
"                  a priority paused for so long is a storm, 1us..100s; off; auto:\n"
"                  a switch 200ms or what five buffers take to drain (auto)\n"
"  pfc-watchdog-action WHAT\n"
"                  report: only count storms; drop: discard the waiting\n"
"                  packets; ignore: send in spite of the pause (drop)\n"
"  pfc-watchdog-restore TIME\n"
"                  a pause so soon after a storm's is that storm again, up to\n"
"                  100s (200ms)\n"
"  pfc-obey on|off pauses of the peer have an effect (on)\n",
	.prio_help	=
"  lossless on|off obeys PFC; on a port of a switch also sends it (off)\n",
	.figures	= {
		{ "  pfc", pfc_figures },
		{ .figures = pfc_more_figures },
	},
	.prio_figures	= {
		{ "    paused by the peer", pause_figures },
		{ "    pauses the peer", xoff_figures },
	},
};

static const struct roce_keyword share_prio_keywords[] = {
	{ SIZE_OPTION("reserve", "reserve_bytes", TCA_ROCE_PRIO_RESERVE, 0),
	  .want = "a size below 4gb", .is_quiet = true },
	{ .name = "alpha", .json = "alpha_q16", .type = TCA_ROCE_PRIO_ALPHA,
	  .size = 4, .form = ROCE_ALPHA, .as_json = ROCE_JSON_NULL,
	  .units = alpha_units, .words = roce_auto_words, .min = 1,
	  .max = TC_ROCE_ALPHA_MAX, .want = "auto, 0.00002..256 or 1/8",
	  .is_quiet = true },
	{ SIZE_OPTION("xoff", "xoff_bytes", TCA_ROCE_PRIO_XOFF, 1),
	  .as_json = ROCE_JSON_NULL, .words = roce_auto_words,
	  .want = "auto or a size from 1b below 4gb", .is_quiet = true },
	{ SIZE_OPTION("xon", "xon_bytes", TCA_ROCE_PRIO_XON, 0),
	  .want = "a size below 4gb", .is_quiet = true },
	{ SIZE_OPTION("xon-offset", "xon_offset_bytes",
		      TCA_ROCE_PRIO_XON_OFFSET, 0),
	  .want = "a size below 4gb", .is_quiet = true, .quiet = 4096 },
	{ .name = "headroom", .json = "headroom_bytes",
	  .type = TCA_ROCE_PRIO_HEADROOM, .size = 4, .form = ROCE_UNITS,
	  .as_json = ROCE_JSON_NULL, .units = roce_size_units,
	  .words = headroom_words, .max = UINT_MAX - 1.0,
	  .want = "auto or a size below 4gb", .is_quiet = true,
	  .quiet = TC_ROCE_HEADROOM_AUTO },
	{ }
};

static const struct roce_figure share_figures[] = {
	{ TCA_ROCE_PSTATS_IN_BYTES, "in_bytes", " in %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_IN_PEAK_BYTES, "in_peak_bytes", " peak %" PRIu64 "b",
	  true },
	{ TCA_ROCE_PSTATS_OUT_BYTES, "out_bytes", " out %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_THRESHOLD, "threshold_bytes",
	  " threshold %" PRIu64 "b", true },
	{ }
};

static const struct roce_figure headroom_figures[] = {
	{ TCA_ROCE_PSTATS_HEADROOM_BYTES, "headroom_used_bytes",
	  " %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_HEADROOM_SIZE, "headroom_bytes", " of %" PRIu64 "b",
	  true },
	{ TCA_ROCE_PSTATS_HEADROOM_PEAK_BYTES, "headroom_peak_bytes",
	  " peak %" PRIu64 "b", true },
	{ }
};

const struct roce_group roce_share_group = {
	.prio_keywords	= share_prio_keywords,
	.prio_help	=
"PRIO, share of the switch's buffer:\n"
"  reserve SIZE    for this priority of this port alone (0)\n"
"  alpha A         may hold A times what is free, 0.00002..256 or 1/8; auto: 8,\n"
"                  lossless 1/8 (auto)\n"
"  xoff SIZE       a fixed threshold instead; auto: by alpha (auto)\n"
"  xon SIZE        with xoff: the peer is resumed at or below (0)\n"
"  xon-offset SIZE with alpha: and so far below the threshold (4kb)\n"
"  headroom SIZE   for what still comes after a pause; auto: computed (auto)\n",
	.prio_figures	= {
		{ "    buffer", share_figures },
		{ "    headroom", headroom_figures },
	},
};
