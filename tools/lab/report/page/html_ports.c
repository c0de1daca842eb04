// SPDX-License-Identifier: GPL-2.0
/* The page's table of ports that paused, were paused or dropped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/template.h"
#include "report/report.h"

#define RPT_PORT_ROWS 40	/* an algorithm, those with most to say */

struct rpt_port_row {
	const char *name;
	struct json_object *o;
	double weight;			/* ns of pauses, both ways */
};

static const struct {
	const char *key, *head, *help;
	enum rpt_unit unit;
} rpt_port_figures[] = {
	{ "pause_ns", "paused", "time that its peer had paused it, all priorities",
	  RPT_NS },
	{ "pauses_received", "pauses<br>received", "refreshes included",
	  RPT_COUNT },
	{ "xoff_ns", "pausing", "time that it had paused its peer", RPT_NS },
	{ "pauses_sent", "pauses<br>sent", "refreshes included", RPT_COUNT },
	{ "storms", "storms", "pauses that outlasted the watchdog", RPT_COUNT },
	{ "headroom_peak_bytes", "headroom<br>peak", "of what came in here",
	  RPT_BYTES },
	{ "headroom_bytes", "headroom<br>size", "computed or as set",
	  RPT_BYTES },
	{ "queue_peak_bytes", "queue<br>peak", "waiting to leave, wire bytes",
	  RPT_BYTES },
	{ "drops.total", "drops", "packets, all reasons", RPT_COUNT },
};

static double rpt_port_figure(struct json_object *o, const char *key)
{
	double v = rpt_json_double(o, key);

	return isnan(v) ? 0 : v;
}

static int rpt_cmp_row(const void *pa, const void *pb)
{
	const struct rpt_port_row *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return strverscmp(a->name, b->name);
}

/* Ports of @run with something to say. Return: how many. */
static size_t rpt_port_rows(const struct rpt_run *run, struct rpt_port_row **rows)
{
	struct json_object *ports = js_path(run->summary, "ports");
	size_t n = 0;

	*rows = NULL;
	if (!json_object_is_type(ports, json_type_object))
		return 0;
	json_object_object_foreach(ports, name, o) {
		double weight = rpt_port_figure(o, "pause_ns") +
				rpt_port_figure(o, "xoff_ns");

		if (!(weight > 0) && !(rpt_port_figure(o, "storms") > 0) &&
		    !(rpt_port_figure(o, "drops.total") > 0))
			continue;
		*rows = xreallocarray(*rows, n + 1, sizeof(**rows));
		(*rows)[n++] = (struct rpt_port_row){ name, o, weight };
	}
	if (n)
		qsort(*rows, n, sizeof(**rows), rpt_cmp_row);
	return n;
}

static void rpt_html_port(FILE *f, const struct rpt_algo *a, const struct rpt_port_row *row)
{
	char buf[48];
	size_t i;

	rpt_html_cc(f, a);
	fputs("<td>", f);
	rpt_esc(f, row->name);
	for (i = 0; i < ARRAY_SIZE(rpt_port_figures); i++) {
		enum rpt_unit unit = rpt_port_figures[i].unit;
		double v = rpt_port_figure(row->o, rpt_port_figures[i].key);

		rpt_fmt_auto(buf, sizeof(buf), unit, unit == RPT_COUNT ? v : rpt_round3(v));
		fprintf(f, "<td>%s", v > 0 ? buf : "");
	}
	fputs("</tr>\n", f);
}

static int rpt_part_port_table(FILE *f, void *ctx)
{
	const struct rpt_scenario *s = ctx;
	struct rpt_port_row *rows;
	size_t i, k, n;

	fputs("<thead><tr><th>cc<th>port", f);
	for (k = 0; k < ARRAY_SIZE(rpt_port_figures); k++)
		fprintf(f, "<th title=\"%s\">%s", rpt_port_figures[k].help,
			rpt_port_figures[k].head);
	fputs("</tr></thead>\n<tbody>\n", f);
	for (i = 0; i < s->nr_algos; i++) {
		n = rpt_port_rows(&s->algos[i].runs[0], &rows);
		for (k = 0; k < n && k < RPT_PORT_ROWS; k++)
			rpt_html_port(f, &s->algos[i], &rows[k]);
		if (n > RPT_PORT_ROWS) {
			rpt_html_cc(f, &s->algos[i]);
			fprintf(f, "<td colspan=\"%zu\">and %zu more ports</tr>\n",
				ARRAY_SIZE(rpt_port_figures) + 1, n - RPT_PORT_ROWS);
		}
		free(rows);
	}
	fputs("</tbody>", f);
	return 0;
}

/**
 * rpt_html_ports() - what happened at which port, folded away
 * @f: the page
 * @s: scenario
 *
 * Of the lowest seed of each algorithm; nothing when no port has anything to
 * say.
 *
 * Return: 0, or -1 after a message.
 */
int rpt_html_ports(FILE *f, const struct rpt_scenario *s)
{
	static const struct rpt_part parts[] = { { "table", rpt_part_port_table }, { } };
	struct rpt_port_row *rows;
	size_t i, n = 0;

	for (i = 0; i < s->nr_algos && !n; i++) {
		n = rpt_port_rows(&s->algos[i].runs[0], &rows);
		free(rows);
	}
	return n ? rpt_template(f, "ports.html", parts, (void *)s) : 0;
}
