// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a port. JSON has all of them; text has the figures of the
 * line and of its queues always, the others by subject if one of them counts.
 */
#include <inttypes.h>

#include "q_roce.h"

/**
 * roce_any_figure - is one of them not 0?
 * @f: table
 * @tb: attributes
 *
 * Return: true if so.
 */
bool roce_any_figure(const struct roce_figure *f, struct rtattr **tb)
{
	for (; f->key; f++) {
		if (roce_attr_uint(tb[f->type]))
			return true;
	}
	return false;
}

static void print_figures(const struct roce_figure *f, struct rtattr **tb,
			  bool text)
{
	for (; f->key; f++) {
		uint64_t value = roce_attr_uint(tb[f->type]);

		print_color_u64(PRINT_JSON, COLOR_NONE, f->key, NULL, value);
		if (text && f->fmt && (f->always || value))
			print_color_u64(PRINT_FP, COLOR_NONE, NULL, f->fmt,
					value);
	}
}

/* With a title, a line of its own, if anything on it is worth reading. */
static void print_titled(const struct roce_figures *list, struct rtattr **tb)
{
	bool text = !list->title || roce_any_figure(list->figures, tb);

	if (list->title && text && !is_json_context()) {
		print_nl();
		print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s:",
				   list->title);
	}
	print_figures(list->figures, tb, text);
}

static void print_list(const struct roce_figures *list, bool optional,
		       struct rtattr **tb)
{
	int i;

	for (i = 0; i < ROCE_FIGURES_MAX && list[i].figures; i++) {
		if (!optional || roce_any_figure(list[i].figures, tb))
			print_titled(&list[i], tb);
	}
}

static void print_prio_stats(struct rtattr *nest)
{
	const struct roce_group *const *group;
	struct rtattr *tb[TCA_ROCE_PSTATS_MAX + 1];

	roce_parse_attrs(tb, TCA_ROCE_PSTATS_MAX, nest);
	open_json_object(NULL);
	print_nl();
	print_color_uint(PRINT_ANY, COLOR_NONE, "prio", "  prio %u:",
			 roce_attr_uint(tb[TCA_ROCE_PSTATS_ID]));
	for (group = roce_groups; *group; group++)
		print_list((*group)->prio_figures, (*group)->optional, tb);
	close_json_object();
}

static const struct roce_figure switch_figures[] = {
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
static const struct roce_figure part_figures[] = {
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

static const struct roce_figures switch_list[ROCE_FIGURES_MAX] = {
	{ .figures = switch_figures },
	{ "    used", part_figures },
};

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
	print_list(switch_list, false, tb);
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
	const struct roce_group *const *group;
	struct rtattr *tb[TCA_ROCE_XSTATS_MAX + 1];

	(void)qu;
	(void)f;
	if (!xstats)
		return 0;
	roce_parse_attrs(tb, TCA_ROCE_XSTATS_MAX, xstats);

	for (group = roce_groups; *group; group++) {
		print_list((*group)->figures, (*group)->optional, tb);
		if ((*group)->print_more)
			(*group)->print_more(tb);
	}
	print_switch(tb[TCA_ROCE_XSTATS_SWITCH]);
	roce_print_prios(xstats, TCA_ROCE_XSTATS_PRIO, print_prio_stats);
	print_truncated(roce_attr_uint(tb[TCA_ROCE_XSTATS_TRUNCATED]));
	print_nl();
	return 0;
}
