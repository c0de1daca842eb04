// SPDX-License-Identifier: GPL-2.0
/*
 * Options and statistics of a port: text for people, JSON for programs.
 * JSON has base units only (bit/s, bytes, ns, ppm), with the unit in the name.
 */
#include <linux/pkt_sched_roce.h>
#include <inttypes.h>
#include <string.h>

#include "q_roce.h"

static const char * const ecn_names[] = {
	[TC_ROCE_ECN_OFF] = "off",
	[TC_ROCE_ECN_ENQUEUE] = "enqueue",
	[TC_ROCE_ECN_DEQUEUE] = "dequeue",
};

static void parse_attrs(struct rtattr **tb, int max, struct rtattr *nest)
{
	struct rtattr *a = RTA_DATA(nest);
	int len = RTA_PAYLOAD(nest);

	memset(tb, 0, sizeof(*tb) * (max + 1));
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		int type = a->rta_type & NLA_TYPE_MASK;

		if (type <= max)
			tb[type] = a;
	}
}

/* An attribute that a newer or older kernel sends differently reads as 0. */
static uint64_t attr_uint(const struct rtattr *a)
{
	uint64_t v = 0;

	if (a && RTA_PAYLOAD(a) <= sizeof(v))
		memcpy(&v, RTA_DATA(a), RTA_PAYLOAD(a));
	return v;
}

static int32_t attr_s32(const struct rtattr *a)
{
	return (int32_t)attr_uint(a);
}

/* "NAME VALUE " with the largest unit that divides VALUE, so that what is
 * printed can be given back to tc.
 */
struct unit {
	const char *name;
	uint64_t scale;
};

static const struct unit rate_units[] = {
	{ "gbit", 1000000000 }, { "mbit", 1000000 }, { "kbit", 1000 },
	{ "bit", 1 }
};

static const struct unit size_units[] = {
	{ "mb", 1 << 20 }, { "kb", 1 << 10 }, { "b", 1 }
};

static const struct unit time_units[] = {
	{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }
};

static void print_scaled(const char *name, const char *key, uint64_t value,
			 const struct unit *u)
{
	char text[64];

	while (u->scale > 1 && (!value || value % u->scale))
		u++;
	snprintf(text, sizeof(text), "%s %" PRIu64 "%s ", name,
		 value / u->scale, u->name);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", text);
	print_color_u64(PRINT_JSON, COLOR_NONE, key, NULL, value);
}

/* As text only what differs from priority 0, and from the defaults, so that
 * the words make the same map again.
 */
static void print_dscp(const struct rtattr *a)
{
	const uint8_t *map = RTA_DATA(a);
	bool uniform = true;
	int i;

	for (i = 1; i < TC_ROCE_DSCPS; i++)
		uniform &= map[i] == map[0];
	if (uniform)
		print_color_uint(PRINT_FP, COLOR_NONE, NULL, "dscp all:%u ",
				 map[0]);

	open_json_array(PRINT_JSON, "dscp_prio");
	for (i = 0; i < TC_ROCE_DSCPS; i++) {
		print_color_uint(PRINT_JSON, COLOR_NONE, NULL, NULL, map[i]);
		if (uniform || is_json_context())
			continue;
		if (map[i] || i == 26 || i == 27 || i == 48)
			printf("dscp %d:%u ", i, map[i]);
	}
	close_json_array(PRINT_JSON, NULL);
}

static void print_pmax(uint32_t ppm)
{
	char text[32];

	snprintf(text, sizeof(text), "pmax %.6g ", ppm / 1e6);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", text);
	print_color_uint(PRINT_JSON, COLOR_NONE, "pmax_ppm", NULL, ppm);
}

static void print_prio(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_PRIO_MAX + 1];
	unsigned int ecn;

	parse_attrs(tb, TCA_ROCE_PRIO_MAX, nest);
	ecn = attr_uint(tb[TCA_ROCE_PRIO_ECN]);

	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", " prio %u ",
			 attr_uint(tb[TCA_ROCE_PRIO_ID]));
	print_scaled("limit", "limit_bytes",
		     attr_uint(tb[TCA_ROCE_PRIO_LIMIT]), size_units);
	print_color_string(PRINT_ANY, COLOR_NONE, "ecn", "ecn %s ",
			   ecn < __TC_ROCE_ECN_MAX ? ecn_names[ecn] : "?");
	print_scaled("kmin", "kmin_bytes",
		     attr_uint(tb[TCA_ROCE_PRIO_ECN_KMIN]), size_units);
	print_scaled("kmax", "kmax_bytes",
		     attr_uint(tb[TCA_ROCE_PRIO_ECN_KMAX]), size_units);
	print_pmax(attr_uint(tb[TCA_ROCE_PRIO_ECN_PMAX]));
	close_json_object();
}

/* tc's hook: the options, in words that tc takes back. */
int roce_print_opt(struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	struct rtattr *tb[TCA_ROCE_MAX + 1], *a;
	int len;

	(void)qu;
	(void)f;
	if (!opt)
		return 0;
	parse_attrs(tb, TCA_ROCE_MAX, opt);

	print_scaled("rate", "rate_bps", attr_uint(tb[TCA_ROCE_RATE]),
		     rate_units);
	print_color_int(PRINT_ANY, COLOR_NONE, "overhead_bytes", "overhead %d ",
			attr_s32(tb[TCA_ROCE_OVERHEAD]));
	print_scaled("delay", "delay_ns", attr_uint(tb[TCA_ROCE_DELAY]),
		     time_units);
	print_scaled("limit", "limit_bytes", attr_uint(tb[TCA_ROCE_LIMIT]),
		     size_units);
	print_color_u64(PRINT_ANY, COLOR_NONE, "seed", "seed %" PRIu64 " ",
			attr_uint(tb[TCA_ROCE_SEED]));
	a = tb[TCA_ROCE_DSCP_MAP];
	if (a && RTA_PAYLOAD(a) == TC_ROCE_DSCPS)
		print_dscp(a);

	open_json_array(PRINT_JSON, "prios");
	len = RTA_PAYLOAD(opt);
	for (a = RTA_DATA(opt); RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if ((a->rta_type & NLA_TYPE_MASK) == TCA_ROCE_PRIO)
			print_prio(a);
	}
	close_json_array(PRINT_JSON, NULL);
	return 0;
}

/* One counter of a priority: attribute, JSON key, text. */
static const struct {
	int type;
	const char *key;
	const char *fmt;
} prio_stats[] = {
	{ TCA_ROCE_PSTATS_BYTES, "bytes", " queue %" PRIu64 "b" },
	{ TCA_ROCE_PSTATS_PACKETS, "packets", " %" PRIu64 "p" },
	{ TCA_ROCE_PSTATS_PEAK_BYTES, "peak_bytes", " peak %" PRIu64 "b" },
	{ TCA_ROCE_PSTATS_BYTE_NS, "area_kib_us", " area %" PRIu64 "KiB*us" },
	{ TCA_ROCE_PSTATS_TX_PACKETS, "tx_packets", " sent %" PRIu64 "p" },
	{ TCA_ROCE_PSTATS_TX_WIRE_BYTES, "tx_wire_bytes", " %" PRIu64 "b" },
	{ TCA_ROCE_PSTATS_ECN_MARKED, "ecn_marked", " marked %" PRIu64 },
	{ TCA_ROCE_PSTATS_ECN_NOT_ECT, "ecn_not_ect", " not_ect %" PRIu64 },
	{ TCA_ROCE_PSTATS_ECN_NOMEM, "ecn_nomem", " mark_nomem %" PRIu64 },
	{ TCA_ROCE_PSTATS_DROP_LIMIT, "drop_limit", " drop_limit %" PRIu64 },
	{ TCA_ROCE_PSTATS_DROP_PORT_LIMIT, "drop_port_limit",
	  " drop_port_limit %" PRIu64 },
	{ TCA_ROCE_PSTATS_DROP_OTHER, "drop_other", " drop_other %" PRIu64 },
};

static void print_prio_stats(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_PSTATS_MAX + 1];
	unsigned int i;

	parse_attrs(tb, TCA_ROCE_PSTATS_MAX, nest);
	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", "  prio %u:",
			 attr_uint(tb[TCA_ROCE_PSTATS_ID]));
	for (i = 0; i < sizeof(prio_stats) / sizeof(prio_stats[0]); i++)
		print_color_u64(PRINT_ANY, COLOR_NONE, prio_stats[i].key,
				prio_stats[i].fmt,
				attr_uint(tb[prio_stats[i].type]));
	close_json_object();
}

/* tc's hook: statistics, for -s. */
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats)
{
	struct rtattr *tb[TCA_ROCE_XSTATS_MAX + 1], *a;
	int len;

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	parse_attrs(tb, TCA_ROCE_XSTATS_MAX, xstats);

	print_color_u64(PRINT_ANY, COLOR_NONE, "now_ns", "  at %" PRIu64 "ns",
			attr_uint(tb[TCA_ROCE_XSTATS_NOW]));
	print_color_u64(PRINT_ANY, COLOR_NONE, "busy_ns", " busy %" PRIu64 "ns",
			attr_uint(tb[TCA_ROCE_XSTATS_BUSY]));
	print_color_u64(PRINT_ANY, COLOR_NONE, "tx_packets",
			" sent %" PRIu64 "p",
			attr_uint(tb[TCA_ROCE_XSTATS_TX_PACKETS]));
	print_color_u64(PRINT_ANY, COLOR_NONE, "tx_wire_bytes",
			" %" PRIu64 "b",
			attr_uint(tb[TCA_ROCE_XSTATS_TX_WIRE_BYTES]));
	print_color_uint(PRINT_ANY, COLOR_NONE, "in_flight",
			 " in flight %up",
			 attr_uint(tb[TCA_ROCE_XSTATS_IN_FLIGHT]));

	open_json_array(PRINT_JSON, "prios");
	len = RTA_PAYLOAD(xstats);
	for (a = RTA_DATA(xstats); RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if ((a->rta_type & NLA_TYPE_MASK) == TCA_ROCE_XSTATS_PRIO)
			print_prio_stats(a);
	}
	close_json_array(PRINT_JSON, NULL);
	print_nl();
	return 0;
}
