// SPDX-License-Identifier: GPL-2.0
/* Writes Documentation/reference/qdisc-options.md from the rows of options and figures. */
#include <stdio.h>

#include "q_roce.h"

struct page_figure {
	const char *title;
	const char *key;
	const char *help;
};

#define ROCE_TITLE(text, ...)	{ .title = (text) },
#define ROCE_OTHER(attr, key, argument, text, want)				\
	{ .name = (key), .help = (text) },
#define ROW(ctype, how, key, text, ...)						\
	{ .name = (key), .type = 1, .bytes = sizeof(ctype), .form = (how),	\
	  .help = (text), __VA_ARGS__ },
#define ROCE_OPTION(attr, ctype, field, how, key, arg, text, want, why, ...)	\
	ROW(ctype, how, key, text, __VA_ARGS__)

static const struct roce_option options[] = {
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
#undef ROCE_OPTION
#define ROCE_PRIO_OPTION(attr, ctype, field, how, key, arg, text, want, why, ...) \
	ROW(ctype, how, key, text, __VA_ARGS__)
#include "prio_rows.h"
#undef ROCE_PRIO_OPTION
};

#undef ROCE_TITLE
#define ROCE_TITLE(text, ...)	{ .title = (text) },
#define FIGURE(key, text)	{ NULL, #key, (text) },

static const struct page_figure figures[] = {
#define ROCE_FIGURE(attr, kind, key, label, unit, flags, help)			\
	FIGURE(key, help)
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
#undef ROCE_FIGURE
	{ .title = "a priority" },
#define ROCE_PRIO_FIGURE(attr, kind, key, label, unit, flags, help)		\
	FIGURE(key, help)
#define ROCE_DROP(attr, name, help) FIGURE(drop_##name, help)
#include "prio_rows.h"
#undef ROCE_PRIO_FIGURE
#undef ROCE_DROP
	{ .title = "a switch" },
#define ROCE_SWITCH_FIGURE(attr, key, label, unit, flags, help)			\
	FIGURE(key, help)
#include <linux/pkt_sched_roce.h>
};

/* On one line. */
static void print_help(const char *text)
{
	for (; *text; text++)
		putchar(*text == '\n' ? ' ' : *text);
	puts(" |");
}

/* Nobody but the tests of sch_roce has this feature. */
static bool for_tests(const char *name)
{
	return strstr(name, "testfeat");
}

static void print_option(const struct roce_option *o)
{
	if (o->title) {
		if (!for_tests(o->title))
			printf("| **%.*s** | |\n", (int)strcspn(o->title, ":"), o->title);
		return;
	}
	if (for_tests(o->name))
		return;
	printf("| `%s` | ", o->name);
	print_help(o->help);
}

/* What the page says once, of all that have such a name. */
static bool said_once(const char *key)
{
	return strstr(key, "peak") || strstr(key, "_damped") || strstr(key, "_nomem");
}

static void print_figure(const struct page_figure *f)
{
	if (f->title && !for_tests(f->title)) {
		printf("| **%s** | |\n", f->title + strspn(f->title, " "));
	} else if (f->help && !for_tests(f->key) && !said_once(f->key)) {
		printf("| `%s` | ", f->key);
		print_help(f->help);
	}
}

int main(void)
{
	size_t i;

	printf("<!-- SPDX-%s: GPL-2.0 -->\n", "License-Identifier");
	puts("<!-- make -C tools/tc page writes this from the rows of options and figures. -->\n"
	     "# Options and figures of the `roce` queueing discipline\n"
	     "\n"
	     "[qdisc.md](qdisc.md) says how they work together. `tc qdisc add dev DEV root roce help` prints\n"
	     "the options, too. The netlink attributes are in `include/uapi/linux/pkt_sched_roce.h`.\n"
	     "\n"
	     "## Options\n"
	     "In JSON a keyword has `_` in place of `-`, and its unit at the end: `_bps`, `_bytes`, `_ns`, `_ppm`;\n"
	     "`alpha_q16`, `loss_ppb`, `iofd_escape_dscp`. The list `dscp_prio` has the priority of each DSCP.\n"
	     "\n"
	     "| keyword | meaning (default) |\n"
	     "| --- | --- |");
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		print_option(&options[i]);
	puts("\n## Figures\n"
	     "Those of a port, of a priority (in JSON below `prios`) and of a switch (below `switch`; the same\n"
	     "on all its ports), as `tc -s -j` names them. Besides, `peak` in a name is the largest value so\n"
	     "far, `_damped` counts what was not sent because the flow's last one was less than the interval\n"
	     "ago, and `_nomem` what was not done because there was no memory.\n"
	     "\n"
	     "| in JSON | meaning |\n"
	     "| --- | --- |");
	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		print_figure(&figures[i]);
	return 0;
}
