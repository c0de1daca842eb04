// SPDX-License-Identifier: GPL-2.0
/* The page: one file, nothing loaded from elsewhere. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static const char rpt_css[] =
"body{font:16px/1.45 system-ui,'DejaVu Sans',Verdana,sans-serif;color:#222;\n"
" max-width:1240px;margin:1.5em auto;padding:0 1em;background:#fff}\n"
"h1{font-size:1.6em;margin:0 0 .2em}\n"
"h2{font-size:1.35em;margin:2em 0 .5em;border-bottom:2px solid #ddd}\n"
"h3{font-size:1.05em;margin:1.2em 0 .3em}\n"
"p.meta,figcaption{color:#555;font-size:.88em}\n"
"nav a{margin-right:1em}\n"
/* Narrow screens: what is written in a picture stays legible, the picture scrolls. */
"figure{margin:1.2em 0;overflow-x:auto}figcaption{position:sticky;left:0}\n"
"figure img{width:100%;min-width:640px;max-width:900px;height:auto}\n"
"div.wide{overflow-x:auto}\n"
"table{border-collapse:collapse;font-size:.88em}\n"
"th,td{padding:.3em .55em;text-align:right;white-space:nowrap}\n"
"th:first-child,td:first-child{text-align:left}\n"
"thead th{border-bottom:2px solid #999;vertical-align:bottom;font-weight:600}\n"
"thead span,td span{color:#666;font-weight:400}\n"
"tbody tr:nth-child(even){background:#f6f6f6}\n"
"i.dot{display:inline-block;width:.8em;height:.8em;border-radius:50%;\n"
" margin-right:.45em;vertical-align:-.05em}\n"
"pre{background:#f4f4f4;padding:.7em 1em;overflow-x:auto;font-size:.85em}\n"
"ul.warn{background:#fff4e0;border-left:4px solid #e69f00;padding:.6em 2em}\n"
"b.bad{color:#b00020}details{margin:.6em 0}summary{cursor:pointer}\n";

/* @s as text of the page. */
void rpt_esc(FILE *f, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '&':
			fputs("&amp;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*s, f);
		}
	}
}

static void rpt_base64(FILE *out, FILE *in)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char b[3];
	size_t n;

	while ((n = fread(b, 1, 3, in)) > 0) {
		unsigned int v = b[0] << 16;

		if (n > 1)
			v |= b[1] << 8;
		if (n > 2)
			v |= b[2];
		fputc(digits[v >> 18], out);
		fputc(digits[v >> 12 & 63], out);
		fputc(n > 1 ? digits[v >> 6 & 63] : '=', out);
		fputc(n > 2 ? digits[v & 63] : '=', out);
	}
}

/* The picture as a data URI: SVG stays sharp and styles cannot collide. */
static void rpt_html_figure(struct rpt *r, FILE *f,
			    const struct rpt_figure *fig)
{
	char *path = rpt_printf("%s/%s.svg", r->outdir, fig->file);
	FILE *svg = fopen(path, "re");

	if (!svg) {
		rpt_warn(r, "%s: %s", path, strerror(errno));
		free(path);
		return;
	}
	fputs("<figure><img alt=\"", f);
	rpt_esc(f, fig->title);
	fputs("\" src=\"data:image/svg+xml;base64,", f);
	rpt_base64(f, svg);
	fputs("\">\n<figcaption>", f);
	rpt_esc(f, fig->caption);
	fprintf(f, " Files: %s.svg, %s.png, data/%s.csv, gp/%s.gp.</figcaption></figure>\n",
		fig->file, fig->file, fig->file, fig->file);
	fclose(svg);
	free(path);
}

static void rpt_html_head_row(FILE *f, const struct rpt_column *cols, size_t n)
{
	size_t j;

	fputs("<thead><tr><th>cc<th>seeds<th>flows", f);
	for (j = 0; j < n; j++) {
		const struct rpt_metric *m = &rpt_metrics[cols[j].id];

		fputs("<th title=\"", f);
		rpt_esc(f, m->help);
		fprintf(f, "\">%s<br>%s%s<span>%s</span>", m->head[0],
			m->head[1], *m->head[1] ? "<br>" : "",
			cols[j].scale.name);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

/* Begin a row with the algorithm and its colour. */
void rpt_html_cc(FILE *f, const struct rpt_algo *a)
{
	fprintf(f, "<tr><td><i class=\"dot\" style=\"background:#%06x\"></i>",
		a->style.rgb);
	rpt_esc(f, a->cc);
}

static void rpt_html_table(FILE *f, const struct rpt_scenario *s)
{
	struct rpt_column cols[RPT_M_NR];
	size_t n = rpt_columns(s, cols), i, j;
	char buf[48], *pm;

	fputs("<div class=\"wide\"><table>\n", f);
	rpt_html_head_row(f, cols, n);
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_algo *a = &s->algos[i];
		bool bad;

		rpt_html_cc(f, a);
		rpt_algo_status(buf, sizeof(buf), a);
		bad = strchr(buf, '/');
		fprintf(f, "<td>%zu<td>%s%s%s", a->nr_runs,
			bad ? "<b class=\"bad\">" : "", buf,
			bad ? "</b>" : "");
		for (j = 0; j < n; j++) {
			rpt_cell(buf, sizeof(buf), a, &cols[j], "±");
			pm = strstr(buf, " ±");
			if (pm)
				*pm++ = '\0';
			fprintf(f, "<td>%s", buf);
			if (pm)
				fprintf(f, " <span>%s</span>", pm);
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
	fputs("<p class=\"meta\">Medians over the seeds, ± half the range over them.\n"
	      "Hover over a heading for its meaning. KiB = 1024 bytes.\n"
	      "Rates, queue and utilization count wire bytes, goodput counts payload.</p>\n",
	      f);
}

static void rpt_html_commands(FILE *f, const struct rpt_scenario *s)
{
	size_t i, j;

	fputs("<details><summary>Commands that reproduce each run</summary>\n<pre>",
	      f);
	for (i = 0; i < s->nr_algos; i++) {
		for (j = 0; j < s->algos[i].nr_runs; j++) {
			char *text = rpt_command(s, &s->algos[i], &s->algos[i].runs[j]);

			rpt_esc(f, text);
			fputc('\n', f);
			free(text);
		}
	}
	fputs("</pre></details>\n", f);
}

static void rpt_html_pairs(FILE *f, struct json_object *o)
{
	bool first = true;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_length(o)) {
		fputs("none", f);
		return;
	}
	json_object_object_foreach(o, key, val) {
		fputs(first ? "" : ", ", f);
		rpt_esc(f, key);
		fputc('=', f);
		rpt_esc(f, val ? json_object_get_string(val) : "null");
		first = false;
	}
}

static void rpt_html_settings(FILE *f, const struct rpt_scenario *s)
{
	size_t i;

	fputs("<details><summary>Settings and parameters</summary>\n"
	      "<div class=\"wide\"><table>\n",
	      f);
	fputs("<tr><td>settings<td style=\"white-space:normal;text-align:left\">",
	      f);
	rpt_html_pairs(f, rpt_get(s->algos[0].runs[0].summary, "settings"));
	fputs("</tr>\n", f);
	for (i = 0; i < s->nr_algos; i++) {
		fputs("<tr><td>", f);
		rpt_esc(f, s->algos[i].cc);
		fputs("<td style=\"white-space:normal;text-align:left\">", f);
		rpt_html_pairs(f, rpt_get(s->algos[i].runs[0].summary,
					  "params"));
		if (rpt_get(s->algos[i].runs[0].summary, "knobs")) {
			fputs("<br>port: ", f);
			rpt_html_pairs(f, rpt_get(s->algos[i].runs[0].summary,
						  "knobs"));
		}
		fputs("</tr>\n", f);
	}
	fputs("</table></div></details>\n", f);
}

/* "name value" for a member of summary.json or run.json, when it is there. */
static void rpt_html_fact(FILE *f, struct json_object *o, const char *key,
			  const char *name)
{
	struct json_object *v = rpt_get(o, key);

	if (!v)
		return;
	fprintf(f, "%s ", name);
	rpt_esc(f, json_object_get_string(v));
	fputs(" · ", f);
}

static void rpt_html_versions(FILE *f, const struct rpt_scenario *s)
{
	const struct rpt_run *run = &s->algos[0].runs[0];
	double wall = 0, v_ns = 0, packets = 0, x;
	char buf[48];
	size_t i, j;

	fputs("<p class=\"meta\">", f);
	rpt_html_fact(f, run->summary, "kernel", "kernel");
	rpt_html_fact(f, run->summary, "commit", "commit");
	rpt_html_fact(f, run->summary, "backend", "backend");
	rpt_html_fact(f, run->summary, "clock", "clock");
	rpt_html_fact(f, run->info, "date", "run on");
	for (i = 0; i < s->nr_algos; i++) {
		for (j = 0; j < s->algos[i].nr_runs; j++) {
			const struct rpt_run *a = &s->algos[i].runs[j];

			x = json_object_get_double(rpt_get(a->info, "wall_s"));
			wall += x;
			v_ns += json_object_get_double(rpt_get(a->summary,
							       "virtual_ns"));
			packets += json_object_get_double(rpt_get(a->summary,
								  "data_packets"));
		}
	}
	rpt_fmt_auto(buf, sizeof(buf), RPT_NS, v_ns);
	fprintf(f, "all runs: %s simulated, %.0f data packets", buf, packets);
	if (wall > 0)
		fprintf(f, ", %.1f s of wall time", wall);
	fputs("</p>\n", f);
}

static void rpt_html_scenario(struct rpt *r, FILE *f,
			      const struct rpt_scenario *s)
{
	size_t i;

	fprintf(f, "<h2 id=\"s%zu\">", (size_t)(s - r->scen));
	rpt_esc(f, s->name);
	fputs("</h2>\n", f);
	rpt_html_versions(f, s);
	rpt_html_table(f, s);
	for (i = 0; i < r->nr_figs; i++)
		if (!strcmp(r->figs[i].scenario, s->name))
			rpt_html_figure(r, f, &r->figs[i]);
	rpt_html_ports(f, s);
	rpt_html_settings(f, s);
	rpt_html_commands(f, s);
}

/* Pictures of several points of a sweep belong to none of them. */
static void rpt_html_joint(struct rpt *r, FILE *f)
{
	size_t i, k;

	for (i = 0; i < r->nr_figs; i++) {
		for (k = 0; k < r->nr_scen; k++)
			if (!strcmp(r->figs[i].scenario, r->scen[k].name))
				break;
		if (k == r->nr_scen)
			rpt_html_figure(r, f, &r->figs[i]);
	}
}

static void rpt_html_body(struct rpt *r, FILE *f)
{
	size_t i;

	fputs("<h1>rxe-cc: results</h1>\n"
	      "<p class=\"meta\">Real soft-RoCE hosts under congestion control.\n"
	      "Written by <code>lab report</code>.</p>\n",
	      f);
	if (r->nr_scen > 1) {
		fputs("<nav>", f);
		for (i = 0; i < r->nr_scen; i++) {
			fprintf(f, "<a href=\"#s%zu\">", i);
			rpt_esc(f, r->scen[i].name);
			fputs("</a>", f);
		}
		fputs("</nav>\n", f);
	}
	if (r->nr_warnings) {
		fputs("<ul class=\"warn\">\n", f);
		for (i = 0; i < r->nr_warnings; i++) {
			fputs("<li>", f);
			rpt_esc(f, r->warnings[i]);
			fputc('\n', f);
		}
		fputs("</ul>\n", f);
	}
	rpt_html_joint(r, f);
	for (i = 0; i < r->nr_scen; i++)
		rpt_html_scenario(r, f, &r->scen[i]);
}

/**
 * rpt_write_html() - write OUT/index.html
 * @r: the report, plots drawn
 *
 * Return: 0, or -1 with a message when the page could not be written.
 */
int rpt_write_html(struct rpt *r)
{
	char *path = rpt_printf("%s/index.html", r->outdir);
	FILE *f = fopen(path, "we");
	int ret = -1;
	bool bad;

	if (f) {
		fprintf(f,
			"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width\">\n"
			"<title>rxe-cc: results</title>\n<style>\n%s</style></head>\n<body>\n",
			rpt_css);
		rpt_html_body(r, f);
		fputs("</body>\n</html>\n", f);
		bad = ferror(f);
		if (!fclose(f) && !bad)
			ret = 0;
	}
	if (ret)
		fprintf(stderr, "lab report: %s: %s\n", path, strerror(errno));
	free(path);
	return ret;
}
