// SPDX-License-Identifier: GPL-2.0
/* All keywords, and what "help" says of them. */
#include <limits.h>
#include <stddef.h>

#include "q_roce.h"

const char roce_help[] =
"Usage: tc qdisc add|change dev DEV root roce [PORT] [prio ID PRIO]...\n"
"A port of a NIC or a switch: line rate, priorities, shared buffer, PFC, ECN,\n"
"INT, propagation delay.\n"
"\n"
"PORT:\n"
"  rate RATE       line rate, 1mbit..800gbit (100gbit)\n"
"  overhead BYTES  on the line but not in the packet, -14..512 (24: preamble 8,\n"
"                  frame check sequence 4, gap 12)\n"
"  delay TIME      propagation delay up to 10s (0)\n"
"  limit SIZE      wire bytes that may wait, all priorities (32mb)\n"
"  seed NUMBER     of the random numbers of ECN marking (1)\n"
"  dscp D:P        packets with DSCP D have priority P; repeat it for more.\n"
"                  \"dscp all:P\" is every DSCP (26:3 27:3 48:6, others 0)\n"
"PORT, switch:\n"
"  switch WHICH    none: a NIC's port; auto: with all ports of the same bridge, or\n"
"                  of this namespace; a number: with all that have it (none)\n"
"  buffer SIZE     of the switch, on whichever port it is set (32mb)\n"
"PORT, PFC:\n"
"  peer-mtu BYTES  longest packet of the peer, 68..65535, for the headroom; auto:\n"
"                  this device's (auto)\n"
"  pfc-quanta N    pause time asked for, 1..65535 times 512 bits (65535)\n"
"  pfc-response TIME\n"
"                  from the end of a PFC frame to its effect, up to 1s (0)\n"
"  pfc-watchdog TIME\n"
"                  a priority paused for so long is a storm, 1us..100s; off (off)\n"
"  pfc-watchdog-action WHAT\n"
"                  report: count storms; drop: and lose what waits; ignore: and\n"
"                  send all the same (report)\n"
"PORT, INT:\n"
"  int on|off      push metadata into INT packets (on)\n"
"  int-dscp N      which packets these are, 0..63 (27)\n"
"  int-domain N    domain id of the metadata beyond the standard's (0x0cc1)\n"
"  int-node N      node id; auto: last four bytes of the MAC address (auto)\n"
"  int-port N      port id, 1..65535; auto: interface index (auto)\n"
"  int-response-interval TIME\n"
"                  from one response to the next of the same flow, up to 1s (10us)\n"
"PRIO, of priority ID 0..7; 7 is served first:\n"
"  limit SIZE      wire bytes that may wait; 0 = only the port's limit (0)\n"
"  ecn WHEN        off, enqueue: by the queue that a packet meets, dequeue: by\n"
"                  the queue that it leaves behind (off)\n"
"  kmin SIZE       up to here no packet is marked (40kb)\n"
"  kmax SIZE       above here every packet is marked (160kb)\n"
"  pmax P          probability at kmax, 0..1 or 0%..100% (0.2)\n"
"  ecn-not-ect pass|drop\n"
"                  a packet to be marked that is not ECT (pass)\n"
"  lossless on|off obeys PFC; on a port of a switch also sends it (off)\n"
"  int-response SIZE\n"
"                  an INT packet of HPCC that meets a queue of SIZE has its sender\n"
"                  told at once; off. Switch only, needs int on (off)\n"
"PRIO, share of the switch's buffer:\n"
"  reserve SIZE    for this priority of this port alone (0)\n"
"  alpha A         may hold A times what is free, 0.00002..256 or 1/8; auto: 8,\n"
"                  lossless 1/8 (auto)\n"
"  xoff SIZE       a fixed threshold instead; auto: by alpha (auto)\n"
"  xon SIZE        with xoff: the peer is resumed at or below (0)\n"
"  xon-offset SIZE with alpha: and so far below the threshold (4kb)\n"
"  headroom SIZE   for what still comes after a pause; auto: computed (auto)\n"
"\n"
"Units: rates bit kbit mbit gbit, sizes b kb mb gb (kb = 1024), times ns us ms s;\n"
"a plain number is bit/s, bytes, ns. What is left out keeps its value on change\n"
"and gets the default, in parentheses, on add. A change of dscp starts from the\n"
"default map.\n";

static const struct roce_unit rate_units[] = {
	{ "gbit", 1e9, true }, { "mbit", 1e6, true }, { "kbit", 1e3, true },
	{ "bit", 1, true }, { "", 1, false }, { "tbit", 1e12, false },
	{ "bps", 8, false }, { "kbps", 8e3, false }, { "mbps", 8e6, false },
	{ "gbps", 8e9, false }, { }
};

static const struct roce_unit size_units[] = {
	{ "mb", 1 << 20, true }, { "kb", 1024, true }, { "b", 1, true },
	{ "", 1, false }, { "k", 1024, false }, { "m", 1 << 20, false },
	{ "g", 1 << 30, false }, { "gb", 1 << 30, false }, { }
};

static const struct roce_unit time_units[] = {
	{ "s", 1e9, true }, { "ms", 1e6, true }, { "us", 1e3, true },
	{ "ns", 1, true }, { "", 1, false }, { "nsec", 1, false },
	{ "usec", 1e3, false }, { "msec", 1e6, false }, { "sec", 1e9, false },
	{ }
};

static const struct roce_unit ppm_units[] = {
	{ "", 1e6, false }, { "%", 1e4, false }, { }
};

static const struct roce_unit alpha_units[] = {
	{ "", TC_ROCE_ALPHA_ONE, false }, { }
};

static const struct roce_word switch_words[] = {
	{ "none", TC_ROCE_SWITCH_NONE }, { "auto", TC_ROCE_SWITCH_AUTO },
	{ }
};

static const struct roce_word auto_words[] = { { "auto", 0 }, { } };

static const struct roce_word headroom_words[] = {
	{ "auto", TC_ROCE_HEADROOM_AUTO }, { }
};

static const struct roce_word off_words[] = {
	{ "off", 0 }, { "0", 0 }, { }
};

static const struct roce_word on_off_words[] = {
	{ "off", 0 }, { "on", 1 }, { }
};

static const struct roce_word action_words[] = {
	{ "report", TC_ROCE_WATCHDOG_REPORT },
	{ "drop", TC_ROCE_WATCHDOG_DROP },
	{ "ignore", TC_ROCE_WATCHDOG_IGNORE }, { }
};

static const struct roce_word ecn_words[] = {
	{ "off", TC_ROCE_ECN_OFF }, { "enqueue", TC_ROCE_ECN_ENQUEUE },
	{ "dequeue", TC_ROCE_ECN_DEQUEUE }, { }
};

static const struct roce_word not_ect_words[] = {
	{ "pass", TC_ROCE_NOT_ECT_PASS }, { "drop", TC_ROCE_NOT_ECT_DROP },
	{ }
};

/* Sizes of 32 bits. */
#define SIZE_OPTION(keyword, key, attr, from)				\
	.name = keyword, .json = key, .type = attr, .size = 4,		\
	.form = ROCE_UNITS, .units = size_units, .min = from,		\
	.max = UINT_MAX

/* The port's, but for dscp and prio. */
const struct roce_keyword roce_port_keywords[] = {
	{ .name = "rate", .json = "rate_bps", .type = TCA_ROCE_RATE, .size = 8,
	  .form = ROCE_UNITS, .units = rate_units, .min = TC_ROCE_RATE_MIN_BPS,
	  .max = TC_ROCE_RATE_MAX_BPS, .want = "1mbit..800gbit" },
	{ .name = "overhead", .json = "overhead_bytes",
	  .type = TCA_ROCE_OVERHEAD, .size = 4, .form = ROCE_SIGNED,
	  .min = TC_ROCE_OVERHEAD_MIN, .max = TC_ROCE_OVERHEAD_MAX,
	  .want = "-14..512" },
	{ .name = "delay", .json = "delay_ns", .type = TCA_ROCE_DELAY,
	  .size = 8, .form = ROCE_UNITS, .units = time_units,
	  .max = TC_ROCE_DELAY_MAX_NS, .want = "0..10s" },
	{ SIZE_OPTION("limit", "limit_bytes", TCA_ROCE_LIMIT, 1),
	  .want = "a size from 1b below 4gb" },
	{ .name = "seed", .json = "seed", .type = TCA_ROCE_SEED, .size = 8,
	  .form = ROCE_NUMBER, .max = (double)ULLONG_MAX,
	  .want = "a whole number of 64 bits" },
	{ .name = "switch", .json = "switch",
	  .line = ROCE_LINE_SWITCH, .type = TCA_ROCE_SWITCH,
	  .size = 4, .form = ROCE_NUMBER, .as_json = ROCE_JSON_STRING,
	  .words = switch_words, .min = 1, .max = UINT_MAX - 1.0,
	  .want = "none, auto or 1..4294967294",
	  .is_quiet = true, .quiet = TC_ROCE_SWITCH_NONE },
	{ .name = "buffer", .json = "buffer_bytes",
	  .line = ROCE_LINE_SWITCH, .type = TCA_ROCE_BUFFER,
	  .size = 8, .form = ROCE_UNITS, .units = size_units, .min = 1,
	  .max = TC_ROCE_BUFFER_MAX, .want = "1b..1024gb" },
	{ .name = "peer-mtu", .json = "peer_mtu_bytes",
	  .line = ROCE_LINE_PFC,
	  .type = TCA_ROCE_PEER_MTU, .size = 4, .form = ROCE_NUMBER,
	  .as_json = ROCE_JSON_NULL, .words = auto_words, .min = 68,
	  .max = TC_ROCE_PEER_MTU_MAX, .want = "auto or 68..65535",
	  .is_quiet = true },
	{ .name = "pfc-quanta", .json = "pfc_quanta",
	  .line = ROCE_LINE_PFC,
	  .type = TCA_ROCE_PFC_QUANTA, .size = 2, .form = ROCE_NUMBER,
	  .min = 1, .max = 65535, .want = "1..65535",
	  .is_quiet = true, .quiet = 65535 },
	{ .name = "pfc-response", .json = "pfc_response_ns",
	  .line = ROCE_LINE_PFC,
	  .type = TCA_ROCE_PFC_RESPONSE, .size = 8, .form = ROCE_UNITS,
	  .units = time_units, .max = TC_ROCE_RESPONSE_MAX_NS,
	  .want = "0..1s", .is_quiet = true },
	{ .name = "pfc-watchdog", .json = "pfc_watchdog_ns",
	  .line = ROCE_LINE_PFC,
	  .type = TCA_ROCE_PFC_WATCHDOG, .size = 8, .form = ROCE_UNITS,
	  .units = time_units, .words = off_words,
	  .min = TC_ROCE_WATCHDOG_MIN_NS, .max = TC_ROCE_WATCHDOG_MAX_NS,
	  .want = "off or 1us..100s", .is_quiet = true },
	{ .name = "pfc-watchdog-action", .json = "pfc_watchdog_action",
	  .line = ROCE_LINE_PFC,
	  .type = TCA_ROCE_PFC_WATCHDOG_ACTION, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_STRING, .words = action_words,
	  .want = "report, drop or ignore", .is_quiet = true,
	  .quiet = TC_ROCE_WATCHDOG_REPORT },
	{ .name = "int", .json = "int",
	  .line = ROCE_LINE_INT, .type = TCA_ROCE_INT, .size = 1,
	  .form = ROCE_NAMED, .as_json = ROCE_JSON_BOOL, .words = on_off_words,
	  .want = "on or off", .is_quiet = true, .quiet = 1 },
	{ .name = "int-dscp", .json = "int_dscp",
	  .line = ROCE_LINE_INT, .type = TCA_ROCE_INT_DSCP,
	  .size = 1, .form = ROCE_NUMBER, .max = TC_ROCE_DSCPS - 1,
	  .want = "0..63", .is_quiet = true, .quiet = 27 },
	{ .name = "int-domain", .json = "int_domain",
	  .line = ROCE_LINE_INT,
	  .type = TCA_ROCE_INT_DOMAIN, .size = 2, .form = ROCE_HEX,
	  .max = 65535, .want = "0..0xffff", .is_quiet = true,
	  .quiet = 0x0cc1 },
	{ .name = "int-node", .json = "int_node",
	  .line = ROCE_LINE_INT, .type = TCA_ROCE_INT_NODE,
	  .size = 4, .form = ROCE_NUMBER, .as_json = ROCE_JSON_NULL,
	  .words = auto_words, .min = 1, .max = UINT_MAX,
	  .want = "auto or 1..4294967295", .is_quiet = true },
	{ .name = "int-port", .json = "int_port",
	  .line = ROCE_LINE_INT, .type = TCA_ROCE_INT_PORT,
	  .size = 2, .form = ROCE_NUMBER, .as_json = ROCE_JSON_NULL,
	  .words = auto_words, .min = 1, .max = 65535,
	  .want = "auto or 1..65535", .is_quiet = true },
	{ .name = "int-response-interval",
	  .json = "int_response_interval_ns", .line = ROCE_LINE_INT,
	  .type = TCA_ROCE_INT_RESPONSE_INTERVAL, .size = 8,
	  .form = ROCE_UNITS, .units = time_units,
	  .max = TC_ROCE_INT_RESPONSE_MAX_NS, .want = "0..1s",
	  .is_quiet = true, .quiet = 10000 },
	{ }
};

/* Those behind "prio ID". */
const struct roce_keyword roce_prio_keywords[] = {
	{ SIZE_OPTION("limit", "limit_bytes", TCA_ROCE_PRIO_LIMIT, 0),
	  .want = "a size below 4gb" },
	{ .name = "ecn", .json = "ecn", .type = TCA_ROCE_PRIO_ECN, .size = 1,
	  .form = ROCE_NAMED, .as_json = ROCE_JSON_STRING, .words = ecn_words,
	  .want = "off, enqueue or dequeue" },
	{ SIZE_OPTION("kmin", "kmin_bytes", TCA_ROCE_PRIO_ECN_KMIN, 0),
	  .want = "a size below 4gb" },
	{ SIZE_OPTION("kmax", "kmax_bytes", TCA_ROCE_PRIO_ECN_KMAX, 0),
	  .want = "a size below 4gb" },
	{ .name = "pmax", .json = "pmax_ppm", .type = TCA_ROCE_PRIO_ECN_PMAX,
	  .size = 4, .form = ROCE_PPM, .units = ppm_units, .max = 1e6,
	  .want = "0..1 or 0%..100%" },
	{ .name = "ecn-not-ect", .json = "ecn_not_ect",
	  .type = TCA_ROCE_PRIO_ECN_NOT_ECT, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_STRING, .words = not_ect_words,
	  .want = "pass or drop", .is_quiet = true,
	  .quiet = TC_ROCE_NOT_ECT_PASS },
	{ .name = "lossless", .json = "lossless",
	  .type = TCA_ROCE_PRIO_LOSSLESS, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_BOOL, .words = on_off_words,
	  .want = "on or off", .is_quiet = true },
	{ SIZE_OPTION("int-response", "int_response_bytes",
		      TCA_ROCE_PRIO_INT_RESPONSE, 1),
	  .words = off_words, .want = "off or a size below 4gb",
	  .is_quiet = true },
	{ SIZE_OPTION("reserve", "reserve_bytes", TCA_ROCE_PRIO_RESERVE, 0),
	  .want = "a size below 4gb", .is_quiet = true },
	{ .name = "alpha", .json = "alpha_q16", .type = TCA_ROCE_PRIO_ALPHA,
	  .size = 4, .form = ROCE_ALPHA, .as_json = ROCE_JSON_NULL,
	  .units = alpha_units, .words = auto_words, .min = 1,
	  .max = TC_ROCE_ALPHA_MAX, .want = "auto, 0.00002..256 or 1/8",
	  .is_quiet = true },
	{ SIZE_OPTION("xoff", "xoff_bytes", TCA_ROCE_PRIO_XOFF, 1),
	  .as_json = ROCE_JSON_NULL, .words = auto_words,
	  .want = "auto or a size from 1b below 4gb", .is_quiet = true },
	{ SIZE_OPTION("xon", "xon_bytes", TCA_ROCE_PRIO_XON, 0),
	  .want = "a size below 4gb", .is_quiet = true },
	{ SIZE_OPTION("xon-offset", "xon_offset_bytes",
		      TCA_ROCE_PRIO_XON_OFFSET, 0),
	  .want = "a size below 4gb", .is_quiet = true, .quiet = 4096 },
	{ .name = "headroom", .json = "headroom_bytes",
	  .type = TCA_ROCE_PRIO_HEADROOM, .size = 4, .form = ROCE_UNITS,
	  .as_json = ROCE_JSON_NULL, .units = size_units,
	  .words = headroom_words, .max = UINT_MAX - 1.0,
	  .want = "auto or a size below 4gb", .is_quiet = true,
	  .quiet = TC_ROCE_HEADROOM_AUTO },
	{ }
};
