// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a port. JSON has all of them; text has the figures of the
 * line and of its queues always, the others by subject if one of them counts.
 */
#include <inttypes.h>

#include "q_roce.h"

static bool is_end(const struct roce_figure *f)
{
	return f->title || !f->key;
}

/* Is one of the figures of a line not 0? */
static bool any_figure(const struct roce_figure *f, struct rtattr **tb)
{
	for (; !is_end(f); f++) {
		if (f->label && !(f->flags & ROCE_TEXT) && roce_attr_uint(tb[f->type]))
			return true;
	}
	return false;
}

static void print_figure(const struct roce_figure *f, struct rtattr **tb, bool text)
{
	uint64_t value = roce_attr_uint(tb[f->type]);
	char out[80];

	if (!(f->flags & ROCE_TEXT))
		print_color_u64(PRINT_JSON, COLOR_NONE, f->key, NULL, value);
	if (!text || !f->label || (!(f->flags & ROCE_ALWAYS) && !value))
		return;
	snprintf(out, sizeof(out), " %s%s%" PRIu64 "%s", f->label, *f->label ? " " : "", value,
		 f->unit);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", out);
}

/* With a title, a line of its own, if anything on it is worth reading. */
static void print_figures(const struct roce_figure *f, struct rtattr **tb)
{
	bool text = true, all = true;

	for (; f->title || f->key; f++) {
		if (!f->title) {
			if (all)
				print_figure(f, tb, text);
			continue;
		}
		text = any_figure(f + 1, tb);
		all = text || !f->optional;
		if (text && !is_json_context()) {
			print_nl();
			print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s:", f->title);
		}
	}
}

static void print_prio_stats(struct rtattr *nest)
{
	struct rtattr *tb[TCA_ROCE_PSTATS_MAX + 1];

	roce_parse_attrs(tb, TCA_ROCE_PSTATS_MAX, nest);
	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", "  prio %u:",
			 roce_attr_uint(tb[TCA_ROCE_PSTATS_ID]));
	print_figures(roce_prio_figures, tb);
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
	print_figures(roce_switch_figures, tb);
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

/* tc's hook: statistics, for -s. */
int roce_print_xstats(struct qdisc_util *qu, FILE *f, struct rtattr *xstats)
{
	struct rtattr *tb[TCA_ROCE_XSTATS_MAX + 1];

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	roce_parse_attrs(tb, TCA_ROCE_XSTATS_MAX, xstats);

	print_figures(roce_figures, tb);
	print_switch(tb[TCA_ROCE_XSTATS_SWITCH]);
	roce_print_prios(xstats, TCA_ROCE_XSTATS_PRIO, print_prio_stats);
	print_truncated(roce_attr_uint(tb[TCA_ROCE_XSTATS_TRUNCATED]));
	print_nl();
	return 0;
}
