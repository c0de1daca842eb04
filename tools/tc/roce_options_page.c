// SPDX-License-Identifier: GPL-2.0
/* Writes Documentation/reference/qdisc-options.md from the rows of options and figures. */
#include <stdio.h>

#include "q_roce.h"

struct page_option {
	const char *attr;
	struct roce_option row;
};

struct page_figure {
	const char *title;
	const char *attr;
	const char *key;
	const char *help;
};

#define ROCE_TITLE(text, ...)	{ .row = { .title = (text) } },
#define ROCE_OTHER(name_, key, argument, text, wants)				\
	{ "TCA_ROCE_" #name_, { .name = (key), .help = (text), .want = (wants) } },
#define ROW(prefix, name_, ctype, how, key, text, wants, ...)			\
	{ prefix #name_, { .name = (key), .type = 1, .bytes = sizeof(ctype), .form = (how), \
			   .help = (text), .want = (wants), __VA_ARGS__ } },
#define ROCE_OPTION(attr, ctype, field, how, key, arg, text, wants, why, ...)	\
	ROW("TCA_ROCE_", attr, ctype, how, key, text, wants, __VA_ARGS__)

static const struct page_option options[] = {
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
#undef ROCE_OPTION
#define ROCE_PRIO_OPTION(attr, ctype, field, how, key, arg, text, wants, why, ...) \
	ROW("TCA_ROCE_PRIO_", attr, ctype, how, key, text, wants, __VA_ARGS__)
#include "prio_rows.h"
#undef ROCE_PRIO_OPTION
};

#undef ROCE_TITLE
#define ROCE_TITLE(text, ...)	{ .title = (text) },
#define FIGURE(prefix, attr, key, text)	{ NULL, prefix #attr, #key, (text) },

static const struct page_figure figures[] = {
#define ROCE_FIGURE(attr, kind, key, label, unit, flags, help)			\
	FIGURE("TCA_ROCE_XSTATS_", attr, key, help)
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
#undef ROCE_FIGURE
	{ .title = "a priority" },
#define ROCE_PRIO_FIGURE(attr, kind, key, label, unit, flags, help)		\
	FIGURE("TCA_ROCE_PSTATS_", attr, key, help)
#define ROCE_DROP(attr, name, help) FIGURE("TCA_ROCE_PSTATS_DROP_", attr, drop_##name, help)
#include "prio_rows.h"
#undef ROCE_PRIO_FIGURE
#undef ROCE_DROP
	{ .title = "a switch" },
#define ROCE_SWITCH_FIGURE(attr, key, label, unit, flags, help)			\
	FIGURE("TCA_ROCE_SSTATS_", attr, key, help)
#include <linux/pkt_sched_roce.h>
};

/* On one line. */
static void print_help(const char *text)
{
	for (; *text; text++)
		putchar(*text == '\n' ? ' ' : *text);
	puts(" |");
}

static void print_option(const struct page_option *o)
{
	char name[64], text[64];

	if (o->row.title) {
		printf("| **%.*s** | | | | |\n", (int)strcspn(o->row.title, ":"), o->row.title);
		return;
	}
	printf("| `%s` | `%s` | %s | ", o->row.name, o->attr, o->row.want);
	if (o->row.type)
		printf("%s | `%s` | ", roce_text(&o->row, o->row.value, text, sizeof(text)),
		       roce_json_name(&o->row, name, sizeof(name)));
	else
		printf("| `%s_prio` | ", o->row.name);
	print_help(o->row.help);
}

static void print_figure(const struct page_figure *f)
{
	if (f->title) {
		printf("| **%s** | | |\n", f->title + strspn(f->title, " "));
	} else if (f->help) {
		printf("| `%s` | `%s` | ", f->key, f->attr);
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
	     "[qdisc.md](qdisc.md) says how they work together. Values are as `tc` takes and prints them.\n"
	     "\n"
	     "## Options\n"
	     "| keyword | attribute | values | default | in JSON | meaning (default) |\n"
	     "| --- | --- | --- | --- | --- | --- |");
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		print_option(&options[i]);
	puts("\n## Figures\n"
	     "Those of a port (`TCA_ROCE_XSTATS_`), of a priority (`TCA_ROCE_PSTATS_`, in JSON below `prios`)\n"
	     "and of a switch (`TCA_ROCE_SSTATS_`, below `switch`; the same on all its ports).\n"
	     "\n"
	     "| in JSON | attribute | meaning |\n"
	     "| --- | --- | --- |");
	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		print_figure(&figures[i]);
	return 0;
}
