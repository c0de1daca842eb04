// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a port. JSON has all of them; text has the figures of the
 * line and of its queues always, the others by subject if one of them counts.
 */
#include <inttypes.h>

#include "q_roce.h"

/* A figure: attribute, key in JSON, text; always = also in text when it is 0 */
struct figure {
	int type;
	const char *key;
	const char *fmt;
	bool always;
};

static const struct figure line_figures[] = {
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

static const struct figure pfc_figures[] = {
	{ TCA_ROCE_XSTATS_PFC_TX, "pfc_tx", " sent %" PRIu64, true },
	{ TCA_ROCE_XSTATS_PFC_RX, "pfc_rx", " received %" PRIu64, true },
	{ TCA_ROCE_XSTATS_PFC_BAD, "pfc_bad", " bad %" PRIu64, false },
	{ TCA_ROCE_XSTATS_PFC_OTHER, "pfc_other", " other %" PRIu64, false },
	{ TCA_ROCE_XSTATS_PFC_TX_NOMEM, "pfc_tx_nomem", " nomem %" PRIu64, false },
	{ }
};

static const struct figure int_figures[] = {
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

static const struct figure response_figures[] = {
	{ TCA_ROCE_XSTATS_INT_RESPONSE_SENT, "int_response_sent",
	  " sent %" PRIu64, true },
	{ TCA_ROCE_XSTATS_INT_RESPONSE_DAMPED, "int_response_damped",
	  " damped %" PRIu64, true },
	{ TCA_ROCE_XSTATS_INT_RESPONSE_FAILED, "int_response_failed",
	  " failed %" PRIu64, true },
	{ }
};

static const struct figure switch_figures[] = {
	{ TCA_ROCE_SSTATS_PORTS, "ports", " ports %" PRIu64, true },
	{ TCA_ROCE_SSTATS_XOFF, "xoff", " paused %" PRIu64, false },
	{ TCA_ROCE_SSTATS_BUFFER, "buffer_bytes", " buffer %" PRIu64 "b",
	  true },
	{ TCA_ROCE_SSTATS_USED, "used_bytes", " used %" PRIu64 "b", true },
	{ TCA_ROCE_SSTATS_PEAK_USED, "peak_used_bytes", " peak %" PRIu64 "b",
	  true },
	{ }
};

/* Of each part of the buffer: how much is used, how much there is. */
static const struct figure part_figures[] = {
	{ TCA_ROCE_SSTATS_SHARED_USED, "shared_used_bytes",
	  " shared %" PRIu64 "b", true },
	{ TCA_ROCE_SSTATS_SHARED, "shared_bytes", " of %" PRIu64 "b", true },
	{ TCA_ROCE_SSTATS_RESERVED_USED, "reserved_used_bytes",
	  " reserved %" PRIu64 "b", true },
	{ TCA_ROCE_SSTATS_RESERVED, "reserved_bytes", " of %" PRIu64 "b",
	  true },
	{ TCA_ROCE_SSTATS_HEADROOM_USED, "headroom_used_bytes",
	  " headroom %" PRIu64 "b", true },
	{ TCA_ROCE_SSTATS_HEADROOM, "headroom_bytes", " of %" PRIu64 "b",
	  true },
	{ }
};

static const struct figure queue_figures[] = {
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

static const struct figure ecn_figures[] = {
	{ TCA_ROCE_PSTATS_ECN_MARKED, "ecn_marked", " marked %" PRIu64, true },
	{ TCA_ROCE_PSTATS_ECN_NOT_ECT, "ecn_not_ect", " not_ect %" PRIu64, false },
	{ TCA_ROCE_PSTATS_ECN_NOMEM, "ecn_nomem", " nomem %" PRIu64, false },
	{ }
};

static const struct figure drop_figures[] = {
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
	{ TCA_ROCE_PSTATS_DROP_OTHER, "drop_other", " other %" PRIu64, false },
	{ }
};

static const struct figure xoff_figures[] = {
	{ TCA_ROCE_PSTATS_PFC_REQUESTS, "pfc_requests", " requests %" PRIu64,
	  true },
	{ TCA_ROCE_PSTATS_PFC_RESUMES, "pfc_resumes", " resumes %" PRIu64,
	  true },
	{ TCA_ROCE_PSTATS_XOFF_NS, "xoff_ns", " time %" PRIu64 "ns", true },
	{ TCA_ROCE_PSTATS_XOFF, "xoff", " now %" PRIu64, true },
	{ }
};

static const struct figure pause_figures[] = {
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

static const struct figure share_figures[] = {
	{ TCA_ROCE_PSTATS_IN_BYTES, "in_bytes", " in %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_IN_PEAK_BYTES, "in_peak_bytes", " peak %" PRIu64 "b",
	  true },
	{ TCA_ROCE_PSTATS_OUT_BYTES, "out_bytes", " out %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_THRESHOLD, "threshold_bytes",
	  " threshold %" PRIu64 "b", true },
	{ }
};

static const struct figure headroom_figures[] = {
	{ TCA_ROCE_PSTATS_HEADROOM_BYTES, "headroom_used_bytes",
	  " %" PRIu64 "b", true },
	{ TCA_ROCE_PSTATS_HEADROOM_SIZE, "headroom_bytes", " of %" PRIu64 "b",
	  true },
	{ TCA_ROCE_PSTATS_HEADROOM_PEAK_BYTES, "headroom_peak_bytes",
	  " peak %" PRIu64 "b", true },
	{ }
};

static bool any(const struct figure *f, struct rtattr **tb)
{
	for (; f->key; f++) {
		if (roce_attr_uint(tb[f->type]))
			return true;
	}
	return false;
}

static void print_figures(const struct figure *f, struct rtattr **tb, bool text)
{
	for (; f->key; f++) {
		uint64_t value = roce_attr_uint(tb[f->type]);

		print_color_u64(PRINT_JSON, COLOR_NONE, f->key, NULL, value);
		if (text && (f->always || value))
			print_color_u64(PRINT_FP, COLOR_NONE, NULL, f->fmt,
					value);
	}
}

/* A line of its own, if anything on it is worth reading. */
static void print_group(const char *title, const struct figure *f,
			struct rtattr **tb)
{
	bool text = any(f, tb);

	if (text && !is_json_context()) {
		print_nl();
		print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s:", title);
	}
	print_figures(f, tb, text);
}

static void print_prio_stats(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_PSTATS_MAX + 1];

	roce_parse_attrs(tb, TCA_ROCE_PSTATS_MAX, nest);
	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", "  prio %u:",
			 roce_attr_uint(tb[TCA_ROCE_PSTATS_ID]));
	print_figures(queue_figures, tb, true);
	print_group("    ecn", ecn_figures, tb);
	print_group("    dropped", drop_figures, tb);
	print_group("    paused by the peer", pause_figures, tb);
	print_group("    pauses the peer", xoff_figures, tb);
	print_group("    buffer", share_figures, tb);
	print_group("    headroom", headroom_figures, tb);
	close_json_object();
}

static void print_switch(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_SSTATS_MAX + 1];
	unsigned int id;

	if (!nest)
		return;
	roce_parse_attrs(tb, TCA_ROCE_SSTATS_MAX, nest);
	id = roce_attr_uint(tb[TCA_ROCE_SSTATS_ID]);
	open_json_object("switch");
	print_nl();
	if (id != TC_ROCE_SWITCH_AUTO) {
		print_color_uint(PRINT_FP, COLOR_NONE, NULL, "  switch %u:",
				 id);
	} else if (tb[TCA_ROCE_SSTATS_BRIDGE]) {
		print_color_uint(PRINT_FP, COLOR_NONE, NULL,
				 "  switch auto, bridge %u:",
				 roce_attr_uint(tb[TCA_ROCE_SSTATS_BRIDGE]));
	} else {
		print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s",
				   "  switch auto:");
	}
	print_color_uint(PRINT_JSON, COLOR_NONE, "id", NULL, id);
	print_color_u64(PRINT_JSON, COLOR_NONE, "bridge_ifindex", NULL,
			roce_attr_uint(tb[TCA_ROCE_SSTATS_BRIDGE]));
	print_figures(switch_figures, tb, true);
	print_group("    used", part_figures, tb);
	close_json_object();
}

/* Priorities that the kernel had no room for: say so instead of nothing. */
static void print_truncated(unsigned int mask)
{
	unsigned int i;

	open_json_array(PRINT_JSON, "truncated_prios");
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (!(mask & (1U << i)))
			continue;
		print_nl();
		print_color_uint(PRINT_FP, COLOR_NONE, NULL,
				 "  prio %u: no room in the message", i);
		print_color_uint(PRINT_JSON, COLOR_NONE, NULL, NULL, i);
	}
	close_json_array(PRINT_JSON, NULL);
}

static void print_int_ids(struct rtattr **tb)
{
	uint64_t node = roce_attr_uint(tb[TCA_ROCE_XSTATS_INT_NODE]);
	unsigned int port = roce_attr_uint(tb[TCA_ROCE_XSTATS_INT_PORT]);

	print_color_u64(PRINT_JSON, COLOR_NONE, "int_node", NULL, node);
	print_color_uint(PRINT_JSON, COLOR_NONE, "int_port", NULL, port);
	print_group("  int", int_figures, tb);
	if (any(int_figures, tb)) {
		print_color_u64(PRINT_FP, COLOR_NONE, NULL,
				" as node %" PRIu64, node);
		print_color_uint(PRINT_FP, COLOR_NONE, NULL, " port %u", port);
	}
}

/* tc's hook: statistics, for -s. */
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats)
{
	struct rtattr *tb[TCA_ROCE_XSTATS_MAX + 1];

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	roce_parse_attrs(tb, TCA_ROCE_XSTATS_MAX, xstats);

	print_figures(line_figures, tb, true);
	print_group("  pfc", pfc_figures, tb);
	print_int_ids(tb);
	print_group("  int responses", response_figures, tb);
	print_switch(tb[TCA_ROCE_XSTATS_SWITCH]);
	roce_print_prios(xstats, TCA_ROCE_XSTATS_PRIO, print_prio_stats);
	print_truncated(roce_attr_uint(tb[TCA_ROCE_XSTATS_TRUNCATED]));
	print_nl();
	return 0;
}
