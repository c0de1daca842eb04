// SPDX-License-Identifier: GPL-2.0
/*
 * The keywords and figures of features, and what "help" says of them. All that tc
 * has to know of a feature is one struct roce_group here, and its place in the
 * list at the end.
 */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>

#include "q_roce.h"

static const struct roce_word ecn_words[] = {
	{ "off", TC_ROCE_ECN_OFF }, { "enqueue", TC_ROCE_ECN_ENQUEUE },
	{ "dequeue", TC_ROCE_ECN_DEQUEUE }, { }
};

static const struct roce_word not_ect_words[] = {
	{ "pass", TC_ROCE_NOT_ECT_PASS }, { "drop", TC_ROCE_NOT_ECT_DROP },
	{ }
};

static const struct roce_keyword ecn_keywords[] = {
	{ .name = "ecn", .json = "ecn", .type = TCA_ROCE_PRIO_ECN, .size = 1,
	  .form = ROCE_NAMED, .as_json = ROCE_JSON_STRING, .words = ecn_words,
	  .want = "off, enqueue or dequeue" },
	{ SIZE_OPTION("kmin", "kmin_bytes", TCA_ROCE_PRIO_ECN_KMIN, 0),
	  .want = "a size below 4gb" },
	{ SIZE_OPTION("kmax", "kmax_bytes", TCA_ROCE_PRIO_ECN_KMAX, 0),
	  .want = "a size below 4gb" },
	{ .name = "pmax", .json = "pmax_ppm", .type = TCA_ROCE_PRIO_ECN_PMAX,
	  .size = 4, .form = ROCE_PPM, .units = roce_ppm_units, .max = 1e6,
	  .want = "0..1 or 0%..100%" },
	{ .name = "ecn-not-ect", .json = "ecn_not_ect",
	  .type = TCA_ROCE_PRIO_ECN_NOT_ECT, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_STRING, .words = not_ect_words,
	  .want = "pass or drop", .is_quiet = true,
	  .quiet = TC_ROCE_NOT_ECT_PASS },
	{ }
};

static const struct roce_figure ecn_figures[] = {
	{ TCA_ROCE_PSTATS_ECN_MARKED, "ecn_marked", " marked %" PRIu64, true },
	{ TCA_ROCE_PSTATS_ECN_NOT_ECT, "ecn_not_ect", " not_ect %" PRIu64, false },
	{ TCA_ROCE_PSTATS_ECN_NOMEM, "ecn_nomem", " nomem %" PRIu64, false },
	{ }
};

static const struct roce_group ecn_group = {
	.prio_keywords	= ecn_keywords,
	.prio_help	=
"  ecn WHEN        off, enqueue: by the queue that a packet meets, dequeue: by\n"
"                  the queue that it leaves behind (off)\n"
"  kmin SIZE       up to here no packet is marked (40kb)\n"
"  kmax SIZE       above here every packet is marked (160kb)\n"
"  pmax P          probability at kmax, 0..1 or 0%..100% (0.2)\n"
"  ecn-not-ect pass|drop\n"
"                  a packet to be marked that is not ECT (pass)\n",
	.prio_figures	= { { "    ecn", ecn_figures } },
};

static const struct roce_keyword int_keywords[] = {
	{ .name = "int", .json = "int", .type = TCA_ROCE_INT, .size = 1,
	  .form = ROCE_NAMED, .as_json = ROCE_JSON_BOOL, .words = roce_on_off_words,
	  .want = "on or off", .is_quiet = true, .quiet = 1 },
	{ .name = "int-dscp", .json = "int_dscp", .type = TCA_ROCE_INT_DSCP,
	  .size = 1, .form = ROCE_NUMBER, .max = TC_ROCE_DSCPS - 1,
	  .want = "0..63", .is_quiet = true, .quiet = 27 },
	{ .name = "int-domain", .json = "int_domain",
	  .type = TCA_ROCE_INT_DOMAIN, .size = 2, .form = ROCE_HEX,
	  .max = 65535, .want = "0..0xffff", .is_quiet = true,
	  .quiet = 0x0cc1 },
	{ .name = "int-node", .json = "int_node", .type = TCA_ROCE_INT_NODE,
	  .size = 4, .form = ROCE_NUMBER, .as_json = ROCE_JSON_NULL,
	  .words = roce_auto_words, .min = 1, .max = UINT_MAX,
	  .want = "auto or 1..4294967295", .is_quiet = true },
	{ .name = "int-port", .json = "int_port", .type = TCA_ROCE_INT_PORT,
	  .size = 2, .form = ROCE_NUMBER, .as_json = ROCE_JSON_NULL,
	  .words = roce_auto_words, .min = 1, .max = 65535,
	  .want = "auto or 1..65535", .is_quiet = true },
	{ .name = "int-clock-offset", .json = "int_clock_offset_ns",
	  .type = TCA_ROCE_INT_CLOCK_OFFSET, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_CLOCK_MAX_NS, .want = "0..10s",
	  .is_quiet = true },
	{ .name = "int-clock-jitter", .json = "int_clock_jitter_ns",
	  .type = TCA_ROCE_INT_CLOCK_JITTER, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_CLOCK_JITTER_MAX_NS, .want = "0..1s",
	  .is_quiet = true },
	{ .name = "int-clock-rate", .json = "int_clock_rate",
	  .type = TCA_ROCE_INT_CLOCK_RATE, .size = 4, .form = ROCE_NUMBER,
	  .min = TC_ROCE_CLOCK_RATE_MIN, .max = TC_ROCE_CLOCK_RATE_MAX,
	  .want = "999000000..1001000000", .is_quiet = true, .quiet = TC_ROCE_CLOCK_RATE },
	{ }
};

/* Not worth reading where no INT packet came. */
static const struct roce_figure int_id_figures[] = {
	{ TCA_ROCE_XSTATS_INT_NODE, "int_node", NULL, false },
	{ TCA_ROCE_XSTATS_INT_PORT, "int_port", NULL, false },
	{ }
};

static const struct roce_figure int_figures[] = {
	{ TCA_ROCE_XSTATS_INT_PUSHED, "int_pushed", " pushed %" PRIu64, true },
	{ TCA_ROCE_XSTATS_INT_HOP_LIMIT, "int_hop_limit",
	  " hop_limit %" PRIu64, false },
	{ TCA_ROCE_XSTATS_INT_MTU, "int_mtu", " mtu %" PRIu64, false },
	{ TCA_ROCE_XSTATS_INT_BAD, "int_bad", " bad %" PRIu64, false },
	{ TCA_ROCE_XSTATS_INT_UNSUPPORTED, "int_unsupported",
	  " unsupported %" PRIu64, false },
	{ TCA_ROCE_XSTATS_INT_NOMEM, "int_nomem", " nomem %" PRIu64, false },
	{ }
};

static void print_int_ids(struct rtattr **tb)
{
	if (!roce_any_figure(int_figures, tb))
		return;
	print_color_u64(PRINT_FP, COLOR_NONE, NULL, " as node %" PRIu64,
			roce_attr_uint(tb[TCA_ROCE_XSTATS_INT_NODE]));
	print_color_uint(PRINT_FP, COLOR_NONE, NULL, " port %u",
			 roce_attr_uint(tb[TCA_ROCE_XSTATS_INT_PORT]));
}

static const struct roce_group int_group = {
	.keywords	= int_keywords,
	.help		=
"PORT, INT:\n"
"  int on|off      push metadata into INT packets (on)\n"
"  int-dscp N      which packets these are, 0..63 (27)\n"
"  int-domain N    domain id of the metadata beyond the standard's (0x0cc1)\n"
"  int-node N      node id; auto: last four bytes of the MAC address (auto)\n"
"  int-port N      port id, 1..65535; auto: interface index (auto)\n"
"  int-clock-offset TIME\n"
"                  the port's INT times are ahead by up to 10s (0)\n"
"  int-clock-jitter TIME\n"
"                  and by a random time up to this, 1s at most (0)\n"
"  int-clock-rate N\n"
"                  ns that its clock counts in a second, 999000000..1001000000\n"
"                  (1000000000)\n",
	.figures	= {
		{ .figures = int_id_figures },
		{ "  int", int_figures },
	},
	.print_more	= print_int_ids,
};

static const struct roce_keyword response_keywords[] = {
	{ .name = "int-response-interval",
	  .json = "int_response_interval_ns",
	  .type = TCA_ROCE_INT_RESPONSE_INTERVAL, .size = 8,
	  .form = ROCE_UNITS, .units = roce_time_units,
	  .max = TC_ROCE_INT_RESPONSE_MAX_NS, .want = "0..1s",
	  .is_quiet = true, .quiet = 10000 },
	{ }
};

static const struct roce_keyword response_prio_keywords[] = {
	{ SIZE_OPTION("int-response", "int_response_bytes",
		      TCA_ROCE_PRIO_INT_RESPONSE, 1),
	  .words = roce_off_words, .want = "off or a size below 4gb",
	  .is_quiet = true },
	{ }
};

static const struct roce_figure response_figures[] = {
	{ TCA_ROCE_XSTATS_INT_RESPONSE_SENT, "int_response_sent",
	  " sent %" PRIu64, true },
	{ TCA_ROCE_XSTATS_INT_RESPONSE_DAMPED, "int_response_damped",
	  " damped %" PRIu64, true },
	{ TCA_ROCE_XSTATS_INT_RESPONSE_FAILED, "int_response_failed",
	  " failed %" PRIu64, true },
	{ }
};

static const struct roce_group response_group = {
	.keywords	= response_keywords,
	.prio_keywords	= response_prio_keywords,
	.same_line	= true,
	.help		=
"  int-response-interval TIME\n"
"                  from one response to the next of the same flow, up to 1s (10us)\n",
	.prio_help	=
"  int-response SIZE\n"
"                  an INT packet of HPCC that meets a queue of SIZE has its sender\n"
"                  told at once; off. Switch only, needs int on (off)\n",
	.figures	= { { "  int responses", response_figures } },
};

static const struct roce_keyword mercury_keywords[] = {
	{ .name = "mercury-rtt", .json = "mercury_rtt_ns",
	  .type = TCA_ROCE_MERCURY_BASE_RTT, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .min = 1, .max = TC_ROCE_MERCURY_MAX_NS,
	  .want = "1ns..1s", .is_quiet = true, .quiet = 12000,
	  .sparse = true },
	{ .name = "mercury-period", .json = "mercury_period_ns",
	  .type = TCA_ROCE_MERCURY_PERIOD, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_MERCURY_MAX_NS,
	  .want = "0..1s", .is_quiet = true, .quiet = 10000, .sparse = true },
	{ .name = "mercury-interval", .json = "mercury_interval_ns",
	  .type = TCA_ROCE_MERCURY_INTERVAL, .size = 8, .form = ROCE_UNITS,
	  .as_json = ROCE_JSON_NULL, .units = roce_time_units,
	  .words = roce_auto_words, .min = 1, .max = TC_ROCE_MERCURY_MAX_NS,
	  .want = "auto or 1ns..1s", .is_quiet = true, .sparse = true },
	{ .name = "mercury-ecn", .json = "mercury_ecn",
	  .type = TCA_ROCE_MERCURY_ECN, .size = 1, .form = ROCE_NAMED,
	  .as_json = ROCE_JSON_BOOL, .words = roce_on_off_words,
	  .want = "on or off", .is_quiet = true, .sparse = true },
	{ }
};

static const struct roce_word mercury_words[] = {
	{ "off", 0 }, { "0", 0 }, { "auto", TC_ROCE_MERCURY_AUTO }, { }
};

static const struct roce_keyword mercury_prio_keywords[] = {
	{ SIZE_OPTION("mercury", "mercury_bytes", TCA_ROCE_PRIO_MERCURY, 1),
	  .words = mercury_words, .want = "off, auto or a size below 4gb",
	  .is_quiet = true, .sparse = true },
	{ }
};

static const struct roce_figure mercury_figures[] = {
	{ TCA_ROCE_XSTATS_MERCURY_CNPS, "mercury_cnps", " cnps %" PRIu64, true },
	{ TCA_ROCE_XSTATS_MERCURY_DAMPED, "mercury_damped",
	  " damped %" PRIu64, true },
	{ TCA_ROCE_XSTATS_MERCURY_FAILED, "mercury_failed",
	  " failed %" PRIu64, false },
	{ TCA_ROCE_XSTATS_MERCURY_FLOWS, "mercury_flows", " flows %" PRIu64,
	  true },
	{ TCA_ROCE_XSTATS_MERCURY_FLOWS_PEAK, "mercury_flows_peak",
	  " peak %" PRIu64, true },
	{ TCA_ROCE_XSTATS_MERCURY_NO_PLACE, "mercury_no_place",
	  " no_place %" PRIu64, false },
	{ }
};

static const struct roce_figure mercury_prio_figures[] = {
	{ TCA_ROCE_PSTATS_MERCURY_UNDETERMINED, "mercury_undetermined",
	  " undetermined now %" PRIu64, true },
	{ TCA_ROCE_PSTATS_MERCURY_ENTERED, "mercury_entered",
	  " times %" PRIu64, true },
	{ TCA_ROCE_PSTATS_MERCURY_CONGESTED, "mercury_congested",
	  " congested %" PRIu64, true },
	{ TCA_ROCE_PSTATS_MERCURY_SPARED, "mercury_spared",
	  " spared %" PRIu64, true },
	{ }
};

static const struct roce_group mercury_group = {
	.keywords	= mercury_keywords,
	.prio_keywords	= mercury_prio_keywords,
	.help		=
"PORT, Mercury:\n"
"  mercury-rtt TIME\n"
"                  round trip without queues, 1ns..1s, for windows (12us)\n"
"  mercury-period TIME\n"
"                  T, from one look at an undetermined queue to the next, up to 1s\n"
"                  (10us)\n"
"  mercury-interval TIME\n"
"                  from one CNP to the next of the same flow, 1ns..1s; auto:\n"
"                  mercury-rtt (auto)\n"
"  mercury-ecn on|off\n"
"                  mark in Mercury's priorities all the same (off)\n",
	.prio_help	=
"  mercury SIZE    from a longer queue on senders are told windows, unless PFC may\n"
"                  be the reason for it; auto: kmin; off. Switch only (off)\n",
	.figures	= { { "  mercury", mercury_figures } },
	.prio_figures	= { { "    mercury", mercury_prio_figures } },
};

static const struct roce_word iofd_link_words[] = {
	{ "none", TC_ROCE_IOFD_NONE }, { "up", TC_ROCE_IOFD_UP },
	{ "down", TC_ROCE_IOFD_DOWN }, { }
};

static const struct roce_keyword iofd_keywords[] = {
	{ .name = "iofd-link", .json = "iofd_link", .type = TCA_ROCE_IOFD_LINK,
	  .size = 1, .form = ROCE_NAMED, .as_json = ROCE_JSON_STRING,
	  .words = iofd_link_words, .want = "none, up or down",
	  .is_quiet = true, .quiet = TC_ROCE_IOFD_NONE, .sparse = true },
	{ .name = "iofd-hold", .json = "iofd_hold_ns",
	  .type = TCA_ROCE_IOFD_HOLD, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_IOFD_MAX_NS,
	  .want = "0..10s", .is_quiet = true, .quiet = 100000, .sparse = true },
	{ .name = "iofd-idle", .json = "iofd_idle_ns",
	  .type = TCA_ROCE_IOFD_IDLE, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .max = TC_ROCE_IOFD_MAX_NS,
	  .want = "0..10s", .is_quiet = true, .quiet = 1000000, .sparse = true },
	{ }
};

static const struct roce_keyword iofd_prio_keywords[] = {
	{ SIZE_OPTION("iofd", "iofd_bytes", TCA_ROCE_PRIO_IOFD, 1),
	  .words = roce_off_words, .want = "off or a size below 4gb",
	  .is_quiet = true, .sparse = true },
	{ .name = "iofd-escape", .json = "iofd_escape_dscp",
	  .type = TCA_ROCE_PRIO_IOFD_ESCAPE, .size = 1, .form = ROCE_NUMBER,
	  .as_json = ROCE_JSON_NULL, .words = roce_off_words, .min = 1,
	  .max = TC_ROCE_DSCPS - 1, .want = "off or 1..63",
	  .is_quiet = true, .sparse = true },
	{ }
};

static const struct roce_figure iofd_figures[] = {
	{ TCA_ROCE_XSTATS_IOFD_FLOWS, "iofd_flows", " flows %" PRIu64, true },
	{ TCA_ROCE_XSTATS_IOFD_PACKETS, "iofd_packets", " packets %" PRIu64, true },
	{ TCA_ROCE_XSTATS_IOFD_BYTES, "iofd_bytes", " bytes %" PRIu64, true },
	{ TCA_ROCE_XSTATS_IOFD_TAKEN, "iofd_taken", " taken %" PRIu64, true },
	{ TCA_ROCE_XSTATS_IOFD_FULL, "iofd_full", " full %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_NO_PORT, "iofd_no_port", " no_port %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_LOST_PORT, "iofd_lost_port",
	  " lost_port %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_ESCAPED, "iofd_escaped", " escaped %" PRIu64, true },
	{ TCA_ROCE_XSTATS_IOFD_NO_ESCAPE, "iofd_no_escape",
	  " no_escape %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_FAILED, "iofd_failed", " failed %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_ENTRIES, "iofd_entries", " entries %" PRIu64, false },
	{ TCA_ROCE_XSTATS_IOFD_ENTRIES_PEAK, "iofd_entries_peak",
	  " peak %" PRIu64, false },
	{ }
};

static const struct roce_group iofd_group = {
	.keywords	= iofd_keywords,
	.prio_keywords	= iofd_prio_keywords,
	.help		=
"PORT, IOFD:\n"
"  iofd-link none|up|down\n"
"                  behind the port is no switch, one nearer to the core, or one\n"
"                  farther from it (none)\n"
"  iofd-hold TIME  a flow is deflected until so long after the last packet of a\n"
"                  message, up to 10s (100us)\n"
"  iofd-idle TIME  or so long after any other, up to 10s (1ms)\n",
	.prio_help	=
"  iofd SIZE       flows with tokens that come with more than SIZE ahead of them\n"
"                  leave by another port; off. Switch only (off)\n"
"  iofd-escape DSCP\n"
"                  what packets get that turn from a port that leads up to one\n"
"                  that leads up; off: none are sent where they must. Switch only\n"
"                  (off)\n",
	.figures	= { { "  iofd", iofd_figures } },
};

#define LSCC_OPTION(keyword, key, attr, width, kind)			\
	.name = "lscc-" keyword, .json = "lscc_" key,			\
	.type = TCA_ROCE_LSCC_##attr, .size = (width), .form = (kind),	\
	.is_quiet = true, .sparse = true
#define LSCC_TIME(keyword, key, attr)					\
	LSCC_OPTION(keyword, key, attr, 8, ROCE_UNITS), .units = roce_time_units
#define LSCC_RATE(keyword, key, attr)					\
	LSCC_OPTION(keyword, key, attr, 8, ROCE_UNITS), .units = roce_rate_units
#define LSCC_SIZE(keyword, key, attr, width)				\
	LSCC_OPTION(keyword, key, attr, width, ROCE_UNITS), .units = roce_size_units

static const struct roce_word none_words[] = { { "none", 0 }, { } };

static const struct roce_word lscc_reply_words[] = {
	{ "cnp", TC_ROCE_LSCC_REPLY_CNP }, { "int", TC_ROCE_LSCC_REPLY_INT }, { }
};

static const struct roce_word lscc_clear_words[] = {
	{ "always", TC_ROCE_LSCC_CLEAR_ALWAYS }, { "long", TC_ROCE_LSCC_CLEAR_LONG }, { }
};

static const struct roce_keyword lscc_keywords[] = {
	{ LSCC_OPTION("self", "self", SELF, 4, ROCE_IPV4), .words = none_words,
	  .as_json = ROCE_JSON_NULL, .want = "none or an IPv4 address" },
	{ LSCC_OPTION("peer", "peer", PEER, 4, ROCE_IPV4), .words = none_words,
	  .as_json = ROCE_JSON_NULL, .want = "none or an IPv4 address" },
	{ LSCC_SIZE("qref", "qref_bytes", QREF, 4), .min = 1, .max = UINT_MAX,
	  .want = "a size from 1b below 4gb", .quiet = 2000000 },
	{ LSCC_SIZE("pseudo", "pseudo_bytes", PSEUDO, 4), .min = 1, .max = UINT_MAX,
	  .want = "a size from 1b below 4gb", .quiet = 2000000 },
	{ LSCC_TIME("period", "period_ns", PERIOD), .min = TC_ROCE_LSCC_MIN_NS,
	  .max = TC_ROCE_LSCC_MAX_NS, .want = "1us..1s", .quiet = 200000 },
	{ LSCC_TIME("rtt", "rtt_ns", RTT), .words = roce_auto_words,
	  .as_json = ROCE_JSON_NULL, .min = 1, .max = TC_ROCE_LSCC_MAX_NS,
	  .want = "auto or 1ns..1s" },
	{ LSCC_RATE("step", "step_bps", STEP), .min = 1,
	  .max = TC_ROCE_RATE_MAX_BPS, .want = "1bit..800gbit", .quiet = 1000000000 },
	{ LSCC_RATE("min", "min_bps", MIN), .min = TC_ROCE_RATE_MIN_BPS,
	  .max = TC_ROCE_RATE_MAX_BPS, .want = "1mbit..800gbit", .quiet = 100000000 },
	{ LSCC_RATE("max", "max_bps", MAX), .words = roce_auto_words,
	  .as_json = ROCE_JSON_NULL, .min = TC_ROCE_RATE_MIN_BPS,
	  .max = TC_ROCE_RATE_MAX_BPS, .want = "auto or 1mbit..800gbit" },
	{ LSCC_TIME("interval", "interval_ns", INTERVAL),
	  .max = TC_ROCE_LSCC_MAX_NS, .want = "0..1s", .quiet = 4000 },
	{ LSCC_SIZE("threshold", "threshold_bytes", THRESHOLD, 8),
	  .words = roce_auto_words, .as_json = ROCE_JSON_NULL, .min = 1,
	  .max = 1e15, .want = "auto or a size from 1b" },
	{ LSCC_TIME("expiry", "expiry_ns", EXPIRY), .words = roce_auto_words,
	  .as_json = ROCE_JSON_NULL, .min = TC_ROCE_LSCC_MIN_NS,
	  .max = 10 * TC_ROCE_LSCC_MAX_NS, .want = "auto or 1us..10s" },
	{ LSCC_OPTION("reply", "reply", REPLY, 1, ROCE_NAMED), .words = lscc_reply_words,
	  .as_json = ROCE_JSON_STRING, .want = "cnp or int" },
	{ LSCC_OPTION("clear", "clear", CLEAR, 1, ROCE_NAMED), .words = lscc_clear_words,
	  .as_json = ROCE_JSON_STRING, .want = "always or long" },
	{ }
};

static const struct roce_keyword lscc_prio_keywords[] = {
	{ .name = "lscc", .json = "lscc", .type = TCA_ROCE_PRIO_LSCC, .size = 1,
	  .form = ROCE_NAMED, .as_json = ROCE_JSON_BOOL, .words = roce_on_off_words,
	  .want = "on or off", .is_quiet = true, .sparse = true },
	{ }
};

static const struct roce_figure lscc_told_figures[] = {
	{ TCA_ROCE_XSTATS_LSCC_RATE, "lscc_rate_bps", " rate %" PRIu64 "bit", true },
	{ TCA_ROCE_XSTATS_LSCC_SENT, "lscc_sent", " sent %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_UNSENT, "lscc_unsent", " unsent %" PRIu64, false },
	{ }
};

static const struct roce_figure lscc_heard_figures[] = {
	{ TCA_ROCE_XSTATS_LSCC_LIMIT, "lscc_limit_bps", " limit %" PRIu64 "bit", true },
	{ TCA_ROCE_XSTATS_LSCC_PSEUDO, "lscc_queue_bytes", " queue %" PRIu64 "b", true },
	{ TCA_ROCE_XSTATS_LSCC_PSEUDO_PEAK, "lscc_queue_peak_bytes",
	  " peak %" PRIu64 "b", true },
	{ TCA_ROCE_XSTATS_LSCC_HEARD, "lscc_heard", " heard %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_REFUSED, "lscc_refused", " refused %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_LATE, "lscc_late", " late %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_EXPIRED, "lscc_expired", " expired %" PRIu64, false },
	{ }
};

static const struct roce_figure lscc_cnp_figures[] = {
	{ TCA_ROCE_XSTATS_LSCC_CNPS, "lscc_cnps", " cnps %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_INTS, "lscc_ints", " ints %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_DAMPED, "lscc_damped", " damped %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_FAILED, "lscc_failed", " failed %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_CLEARED, "lscc_cleared", " cleared %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_UNCLEARED, "lscc_uncleared",
	  " uncleared %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_MARKED, "lscc_marked", " marked %" PRIu64, true },
	{ TCA_ROCE_XSTATS_LSCC_TAKEN, "lscc_taken", " taken %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_UNTAKEN, "lscc_untaken", " untaken %" PRIu64, false },
	{ TCA_ROCE_XSTATS_LSCC_NO_PLACE, "lscc_no_place", " no_place %" PRIu64, false },
	{ }
};

static const struct roce_group lscc_group = {
	.keywords	= lscc_keywords,
	.prio_keywords	= lscc_prio_keywords,
	.help		=
"PORT, LSCC:\n"
"  lscc-self ADDR  this switch's IPv4 address, or none (none)\n"
"  lscc-peer ADDR  that of the switch at the other end of the link (none)\n"
"  lscc-qref SIZE  queue to aim at, of what came by the link (2000000b)\n"
"  lscc-pseudo SIZE\n"
"                  pseudo queue from which on senders are told (2000000b)\n"
"  lscc-period TIME\n"
"                  T, from one feedback rate to the next, 1us..1s (200us)\n"
"  lscc-rtt TIME   round trip of the link, up to 1s; auto: twice the delay (auto)\n"
"  lscc-step RATE  from one feedback rate to the next at most (1gbit)\n"
"  lscc-min RATE   lowest feedback rate (100mbit)\n"
"  lscc-max RATE   highest; auto: the line's (auto)\n"
"  lscc-interval TIME\n"
"                  from one direct CNP or INT of a flow to the next, up to 1s (4us)\n"
"  lscc-threshold SIZE\n"
"                  flows that have sent less are told, marked or not; auto: what\n"
"                  the link carries in lscc-rtt (auto)\n"
"  lscc-expiry TIME\n"
"                  a feedback rate holds so long, up to 10s; auto: 10 T (auto)\n"
"  lscc-reply cnp|int\n"
"                  senders are told by CNPs; int: those of packets with full telemetry\n"
"                  by direct INT, which takes it off (cnp)\n"
"  lscc-clear always|long\n"
"                  CE of flows with a place ends here while there is a rate; long: only\n"
"                  while the pseudo queue is long (always)\n",
	.prio_help	=
"  lscc on|off     the port is at a long link: it tells the other end a rate, and\n"
"                  keeps to the one that it is told. Switch only, lossless (off)\n",
	.figures	= {
		{ "  lscc", lscc_told_figures },
		{ "    limit", lscc_heard_figures },
		{ "    direct", lscc_cnp_figures },
	},
};

static const struct roce_keyword testfeat_keywords[] = {
	{ .name = "testfeat-interval", .json = "testfeat_interval_ns",
	  .type = TCA_ROCE_TESTFEAT_INTERVAL, .size = 8, .form = ROCE_UNITS,
	  .units = roce_time_units, .words = roce_off_words, .min = 1000,
	  .max = 1e9, .want = "off or 1us..1s", .is_quiet = true },
	{ }
};

static const struct roce_keyword testfeat_prio_keywords[] = {
	{ .name = "testfeat", .json = "testfeat", .type = TCA_ROCE_PRIO_TESTFEAT,
	  .size = 4, .form = ROCE_HEX, .max = TC_ROCE_TESTFEAT_ALL,
	  .want = "0..0x1ff", .is_quiet = true },
	{ }
};

static const struct roce_figure testfeat_figures[] = {
	{ TCA_ROCE_XSTATS_TESTFEAT_CALLS, "testfeat_calls", " calls %" PRIu64, true },
	{ TCA_ROCE_XSTATS_TESTFEAT_TIMERS, "testfeat_timers", " timers %" PRIu64,
	  true },
	{ TCA_ROCE_XSTATS_TESTFEAT_REPLIES, "testfeat_replies", " replies %" PRIu64,
	  true },
	{ TCA_ROCE_XSTATS_TESTFEAT_WRONG, "testfeat_wrong", " wrong %" PRIu64,
	  false },
	{ }
};

static const struct roce_figure testfeat_prio_figures[] = {
	{ TCA_ROCE_PSTATS_TESTFEAT_BYTES, "testfeat_bytes", " waiting %" PRIu64 "b",
	  true },
	{ }
};

static const struct roce_group testfeat_group = {
	.optional	= true,
	.keywords	= testfeat_keywords,
	.prio_keywords	= testfeat_prio_keywords,
	.help		=
"PORT, for tests (module sch_roce_testfeat):\n"
"  testfeat-interval TIME\n"
"                  timer of the test feature, 1us..1s; off (off)\n",
	.prio_help	=
"  testfeat BITS   what the test feature does, TC_ROCE_TESTFEAT_* (0)\n",
	.figures	= { { "  testfeat", testfeat_figures } },
	.prio_figures	= { { "    testfeat", testfeat_prio_figures } },
};

/* In the order in which they are printed. */
const struct roce_group *const roce_groups[] = {
	&roce_line_group,
	&ecn_group,
	&roce_drop_group,
	&roce_switch_group,
	&roce_pfc_group,
	&int_group,
	&response_group,
	&mercury_group,
	&iofd_group,
	&lscc_group,
	&testfeat_group,
	&roce_share_group,
	NULL
};
