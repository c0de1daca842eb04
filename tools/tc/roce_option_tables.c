// SPDX-License-Identifier: GPL-2.0
/*
 * The rows of options and figures (net/sched/sch_roce/roce_row_macros.h) as tables, in the order in
 * which they are printed, and the words around them in "help".
 */
#include "q_roce.h"

#define ROW(prefix, attr, ctype, how, key, argument, text, wants, ...)		\
	{ .name = (key), .type = prefix##attr, .bytes = sizeof(ctype), .form = (how), \
	  .arg = (argument), .help = (text), .want = (wants), __VA_ARGS__ },
#define ROCE_OPTION(attr, ctype, field, how, key, argument, text, wants, why, ...) \
	ROW(TCA_ROCE_, attr, ctype, how, key, argument, text, wants, __VA_ARGS__)
#define ROCE_OTHER(attr, key, argument, text, wants)				\
	{ .name = (key), .arg = (argument), .help = (text), .want = (wants) },
#define ROCE_TITLE(text, ...)	{ .title = (text), __VA_ARGS__ },

const struct roce_option roce_options[] = {
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
	{ }
};

#undef ROCE_OPTION
#define ROCE_PRIO_OPTION(attr, ctype, field, how, key, argument, text, wants, why, ...) \
	ROW(TCA_ROCE_PRIO_, attr, ctype, how, key, argument, text, wants, __VA_ARGS__)

const struct roce_option roce_prio_options[] = {
#include "prio_rows.h"
	{ }
};

#undef ROCE_PRIO_OPTION
#define FIGURE(prefix, attr, json, text, measure, how)				\
	{ .type = prefix##attr, .key = #json, .label = (text), .unit = (measure), .flags = (how) },
#define ROCE_FIGURE(attr, kind, key, label, unit, flags, help)			\
	FIGURE(TCA_ROCE_XSTATS_, attr, key, label, unit, flags)

const struct roce_figure roce_figures[] = {
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
	{ }
};

#undef ROCE_FIGURE
#define ROCE_PRIO_FIGURE(attr, kind, key, label, unit, flags, help)		\
	FIGURE(TCA_ROCE_PSTATS_, attr, key, label, unit, flags)
#define ROCE_DROP(attr, name, help) FIGURE(TCA_ROCE_PSTATS_, DROP_##attr, drop_##name, #name, "", 0)

const struct roce_figure roce_prio_figures[] = {
#include "prio_rows.h"
	{ }
};

#undef ROCE_PRIO_FIGURE
#undef ROCE_DROP
#define ROCE_SWITCH_FIGURE(attr, key, label, unit, flags, help)			\
	FIGURE(TCA_ROCE_SSTATS_, attr, key, label, unit, flags)

const struct roce_figure roce_switch_figures[] = {
#include <linux/pkt_sched_roce.h>
	{ }
};

static const char head[] =
"Usage: tc qdisc add|change dev DEV root roce [PORT] [prio ID PRIO]...\n"
"A port of a NIC or a switch: line rate, priorities, shared buffer, PFC, ECN,\n"
"INT, propagation delay.\n"
"\n";

static const char tail[] =
"\n"
"Units: rates bit kbit mbit gbit, sizes b kb mb gb (kb = 1024), times ns us ms s;\n"
"a plain number is bit/s, bytes, ns. What is left out keeps its value on change\n"
"and gets the default, in parentheses, on add. A change of dscp starts from the\n"
"default map.\n";

/* Words from column INDENT on; if the text does not say where lines end, before WIDTH. */
static void print_words(const char *text)
{
	enum { INDENT = 18, WIDTH = 82 };
	int width = strchr(text, '\n') ? 1000 : WIDTH, at = INDENT, n;

	for (; *text; text += n + !!text[n]) {
		n = strcspn(text, "\n ");
		if (at > INDENT && (at + n >= width || text[-1] == '\n'))
			at = fprintf(stderr, "\n%*s", INDENT, "") - 1;
		at += fprintf(stderr, "%s%.*s", at > INDENT ? " " : "", n, text);
	}
	fputc('\n', stderr);
}

static void print_help(const struct roce_option *o)
{
	for (; o->name || o->title; o++) {
		char word[80];

		if (o->title) {
			fprintf(stderr, "%s\n", o->title);
			continue;
		}
		snprintf(word, sizeof(word), "  %s %s", o->name, o->arg);
		if (strlen(word) < 18)
			fprintf(stderr, "%-18s", word);
		else
			fprintf(stderr, "%s\n%18s", word, "");
		print_words(o->help);
	}
}

/* What "tc qdisc add ... roce help" says. */
void roce_print_help(void)
{
	fputs(head, stderr);
	print_help(roce_options);
	print_help(roce_prio_options);
	fputs(tail, stderr);
}
