// SPDX-License-Identifier: GPL-2.0
/*
 * The page: one file, nothing loaded from elsewhere. What is the same for all results is
 * in templates beside this file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/page/template.h"
#include "report/report.h"

/* What a part of a template is about. */
struct rpt_page {
	struct rpt *r;
	const struct rpt_scenario *s;
	const struct rpt_figure *fig;
};

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

static char *rpt_svg_path(const struct rpt_page *p)
{
	return rpt_text("%s/%s.svg", p->r->outdir, p->fig->file);
}

static int rpt_part_title(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	rpt_esc(f, p->fig->title);
	return 0;
}

static int rpt_part_caption(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	rpt_esc(f, p->fig->caption);
	return 0;
}

static int rpt_part_file(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	rpt_esc(f, p->fig->file);
	return 0;
}

/* Formats of the picture, but for what it is drawn from. */
static int rpt_part_files(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	rpt_esc(f, rpt_text("%s.svg, %s.png", p->fig->file, p->fig->file));
	if (p->r->pdf)
		rpt_esc(f, rpt_text(", %s.pdf", p->fig->file));
	return 0;
}

/* The picture as a data URI: SVG stays sharp and styles cannot collide. */
static int rpt_part_image(FILE *f, void *ctx)
{
	char *path = rpt_svg_path(ctx);
	FILE *svg = fopen(path, "re");

	if (svg) {
		fputs("data:image/svg+xml;base64,", f);
		rpt_base64(f, svg);
		fclose(svg);
	}
	return 0;
}

static int rpt_html_figure(struct rpt *r, FILE *f, const struct rpt_figure *fig)
{
	static const struct rpt_part parts[] = {
		{ "title", rpt_part_title }, { "image", rpt_part_image },
		{ "caption", rpt_part_caption }, { "file", rpt_part_file },
		{ "files", rpt_part_files }, { },
	};
	struct rpt_page p = { .r = r, .fig = fig };
	char *path = rpt_svg_path(&p);
	int rc = 0;

	if (access(path, R_OK))
		rpt_warn(r, "%s: %s", path, strerror(errno));
	else
		rc = rpt_template(f, "figure.html", parts, &p);
	return rc;
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
			m->head[1], *m->head[1] ? "<br>" : "", cols[j].scale.name);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

static void rpt_html_table(FILE *f, const struct rpt_scenario *s, bool mean)
{
	struct rpt_column cols[RPT_M_NR];
	size_t n = rpt_columns(s, cols), i, j;
	char buf[48], *pm;

	rpt_html_head_row(f, cols, n);
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_algo *a = &s->algos[i];
		bool bad;

		rpt_html_cc(f, a);
		rpt_algo_status(buf, sizeof(buf), a);
		bad = strchr(buf, '/');
		fprintf(f, "<td>%zu<td>%s%s%s", a->nr_runs, bad ? "<b class=\"bad\">" : "", buf,
			bad ? "</b>" : "");
		for (j = 0; j < n; j++) {
			rpt_cell(buf, sizeof(buf), a, &cols[j], mean);
			pm = strstr(buf, " ±");
			if (pm)
				*pm++ = '\0';
			fprintf(f, "<td>%s", buf);
			if (pm)
				fprintf(f, " <span>%s</span>", pm);
		}
		fputs("</tr>\n", f);
	}
	fputs("</tbody>", f);
}

static int rpt_part_table(FILE *f, void *ctx)
{
	rpt_html_table(f, ((struct rpt_page *)ctx)->s, false);
	return 0;
}

/* Only of several seeds. */
static int rpt_part_means(FILE *f, void *ctx)
{
	const struct rpt_scenario *s = ((struct rpt_page *)ctx)->s;

	if (rpt_seed_count(s) < 2)
		return 0;
	fputs("<details><summary>Means over the seeds, ± their 95 % confidence interval (Student's t)</summary>\n<div class=\"wide\"><table>\n",
	      f);
	rpt_html_table(f, s, true);
	fputs("\n</table></div></details>\n", f);
	return 0;
}

static int rpt_part_commands(FILE *f, void *ctx)
{
	const struct rpt_scenario *s = ((struct rpt_page *)ctx)->s;
	size_t i, j;

	for (i = 0; i < s->nr_algos; i++) {
		for (j = 0; j < s->algos[i].nr_runs; j++) {
			char *text = rpt_command(s, &s->algos[i], &s->algos[i].runs[j]);

			rpt_esc(f, text);
			fputc('\n', f);
		}
	}
	return 0;
}

static void rpt_html_pairs(FILE *f, struct json_object *o)
{
	bool first = true;

	if (!json_object_is_type(o, json_type_object) || !json_object_object_length(o)) {
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

static int rpt_part_settings(FILE *f, void *ctx)
{
	const struct rpt_scenario *s = ((struct rpt_page *)ctx)->s;
	size_t i;

	fputs("<tr><td>settings<td class=\"text\">", f);
	rpt_html_pairs(f, js_path(s->algos[0].runs[0].summary, "settings"));
	fputs("</tr>\n", f);
	for (i = 0; i < s->nr_algos; i++) {
		fputs("<tr><td>", f);
		rpt_esc(f, s->algos[i].cc);
		fputs("<td class=\"text\">", f);
		rpt_html_pairs(f, js_path(s->algos[i].runs[0].summary, "params"));
		if (js_path(s->algos[i].runs[0].summary, "knobs")) {
			fputs("<br>port: ", f);
			rpt_html_pairs(f, js_path(s->algos[i].runs[0].summary, "knobs"));
		}
		fputs("</tr>\n", f);
	}
	return 0;
}

/* "name value" for a member of summary.json or run.json, when it is there. */
static void rpt_html_fact(FILE *f, struct json_object *o, const char *key, const char *name)
{
	struct json_object *v = js_path(o, key);

	if (!v)
		return;
	fprintf(f, "%s ", name);
	rpt_esc(f, json_object_get_string(v));
	fputs(" · ", f);
}

static int rpt_part_versions(FILE *f, void *ctx)
{
	const struct rpt_scenario *s = ((struct rpt_page *)ctx)->s;
	const struct rpt_run *run = &s->algos[0].runs[0];
	double wall = 0, v_ns = 0, packets = 0, x;
	char buf[48];
	size_t i, j;

	rpt_html_fact(f, run->summary, "kernel", "kernel");
	rpt_html_fact(f, run->summary, "commit", "commit");
	rpt_html_fact(f, run->summary, "backend", "backend");
	rpt_html_fact(f, run->summary, "clock", "clock");
	rpt_html_fact(f, run->info, "date", "run on");
	for (i = 0; i < s->nr_algos; i++) {
		for (j = 0; j < s->algos[i].nr_runs; j++) {
			const struct rpt_run *a = &s->algos[i].runs[j];

			x = json_object_get_double(js_path(a->info, "wall_s"));
			wall += x;
			v_ns += json_object_get_double(js_path(a->summary, "virtual_ns"));
			packets += json_object_get_double(js_path(a->summary, "data_packets"));
		}
	}
	rpt_fmt_auto(buf, sizeof(buf), RPT_NS, v_ns);
	fprintf(f, "all runs: %s simulated, %.0f data packets", buf, packets);
	if (wall > 0)
		fprintf(f, ", %.1f s of wall time", wall);
	return 0;
}

static int rpt_part_id(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	fprintf(f, "s%zu", (size_t)(p->s - p->r->scen));
	return 0;
}

static int rpt_part_name(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	rpt_esc(f, p->s->name);
	return 0;
}

static int rpt_part_figures(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;
	int rc = 0;
	size_t i;

	for (i = 0; i < p->r->nr_figs && !rc; i++)
		if (!strcmp(p->r->figs[i].scenario, p->s->name))
			rc = rpt_html_figure(p->r, f, &p->r->figs[i]);
	return rc;
}

static int rpt_part_ports(FILE *f, void *ctx)
{
	const struct rpt_page *p = ctx;

	return rpt_html_ports(f, p->s);
}

static int rpt_part_scenarios(FILE *f, void *ctx)
{
	static const struct rpt_part parts[] = {
		{ "id", rpt_part_id }, { "name", rpt_part_name },
		{ "versions", rpt_part_versions }, { "table", rpt_part_table },
		{ "means", rpt_part_means },
		{ "figures", rpt_part_figures }, { "ports", rpt_part_ports },
		{ "settings", rpt_part_settings }, { "commands", rpt_part_commands }, { },
	};
	struct rpt_page p = *(struct rpt_page *)ctx;
	int rc = 0;
	size_t i;

	for (i = 0; i < p.r->nr_scen && !rc; i++) {
		p.s = &p.r->scen[i];
		rc = rpt_template(f, "scenario.html", parts, &p);
	}
	return rc;
}

/* Pictures of several points of a sweep belong to none of them. */
static int rpt_part_joint(FILE *f, void *ctx)
{
	struct rpt *r = ((struct rpt_page *)ctx)->r;
	int rc = 0;
	size_t i, k;

	for (i = 0; i < r->nr_figs && !rc; i++) {
		for (k = 0; k < r->nr_scen; k++)
			if (!strcmp(r->figs[i].scenario, r->scen[k].name))
				break;
		if (k == r->nr_scen)
			rc = rpt_html_figure(r, f, &r->figs[i]);
	}
	return rc;
}

static int rpt_part_contents(FILE *f, void *ctx)
{
	const struct rpt *r = ((struct rpt_page *)ctx)->r;
	size_t i;

	if (r->nr_scen < 2)
		return 0;
	fputs("<nav>", f);
	for (i = 0; i < r->nr_scen; i++) {
		fprintf(f, "<a href=\"#s%zu\">", i);
		rpt_esc(f, r->scen[i].name);
		fputs("</a>", f);
	}
	fputs("</nav>", f);
	return 0;
}

static int rpt_part_warnings(FILE *f, void *ctx)
{
	const struct rpt *r = ((struct rpt_page *)ctx)->r;
	size_t i;

	if (!r->nr_warnings)
		return 0;
	fputs("<ul class=\"warn\">\n", f);
	for (i = 0; i < r->nr_warnings; i++) {
		fputs("<li>", f);
		rpt_esc(f, r->warnings[i]);
		fputc('\n', f);
	}
	fputs("</ul>", f);
	return 0;
}

static int rpt_part_style(FILE *f, void *ctx)
{
	char *text = rpt_template_text("style.css");

	(void)ctx;
	if (!text)
		return -1;
	fputs(text, f);
	free(text);
	return 0;
}

/**
 * rpt_write_html() - write OUT/index.html
 * @r: the report, plots drawn
 *
 * Return: 0, or -1 with a message when the page could not be written: what was there
 * before stays.
 */
int rpt_write_html(struct rpt *r)
{
	static const struct rpt_part parts[] = {
		{ "style", rpt_part_style }, { "contents", rpt_part_contents },
		{ "warnings", rpt_part_warnings }, { "joint", rpt_part_joint },
		{ "scenarios", rpt_part_scenarios }, { },
	};
	char *path = rpt_text("%s/index.html", r->outdir), *made = rpt_text("%s.new", path);
	struct rpt_page p = { .r = r };
	FILE *f = fopen(made, "we");
	bool said = false, bad;
	int ret = -1;

	if (f) {
		said = rpt_template(f, "page.html", parts, &p);
		bad = ferror(f);
		if (!fclose(f) && !bad && !said && !rename(made, path))
			ret = 0;
	}
	if (ret && !said)
		fprintf(stderr, "lab report: %s: %s\n", path, strerror(errno));
	if (ret)
		unlink(made);
	return ret;
}
