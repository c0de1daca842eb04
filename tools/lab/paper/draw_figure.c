// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: draws a figure, a panel for each measure, with the paper's numbers beside ours.
 *
 * Data and program stay beside the picture, so that it can be changed and drawn again by hand:
 * figure.tsv (place, ours, smallest and largest over the seeds, the paper's from and to),
 * places.tsv, picture.gp, which calls paper.gp.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/child.h"
#include "lib/file.h"
#include "paper/paper.h"
#include "report/report.h"

#define LOG_RATIO	100	/* so many times apart: logarithmic axis */
#define SPREAD		0.75	/* of the distance of two places, for series beside each other */
#define LIGHTEST	0.75	/* so much white in the last series of an algorithm */
#define LETTERS		54	/* of a panel's width */

struct drawing {
	FILE *data, *places, *program;
	struct rpt_scenario styles;	/* an algorithm for each series */
	size_t panels, curves, series, letters;	/* letters: of the longest name in the key */
};

/* "rcc n=4": the algorithm's name is the first word. */
static struct rpt_algo *style_of(struct drawing *d, const char *series)
{
	size_t i, len = strcspn(series, " ");

	for (i = 0; i < d->styles.nr_algos; i++)
		if (strlen(d->styles.algos[i].cc) == len &&
		    strncmp(d->styles.algos[i].cc, series, len) == 0)
			return &d->styles.algos[i];
	return NULL;
}

static void add_styles(struct drawing *d, struct json_object *measures)
{
	struct rpt r = { .scen = &d->styles, .nr_scen = 1 };
	size_t i, k;

	for (i = 0; i < js_len(measures); i++) {
		struct json_object *list = js_get(js_at(measures, i), "series");

		for (k = 0; k < js_len(list); k++) {
			const char *name = js_str(js_at(list, k), "series", "");
			struct rpt_scenario *s = &d->styles;

			if (style_of(d, name))
				continue;
			s->algos = xrealloc(s->algos, (s->nr_algos + 1) * sizeof(*s->algos));
			s->algos[s->nr_algos++] = (struct rpt_algo) {
				.cc = xasprintf("%.*s", (int)strcspn(name, " "), name),
			};
		}
	}
	rpt_styles(&r);
}

static bool is_number(struct json_object *o)
{
	return json_object_is_type(o, json_type_double) || json_object_is_type(o, json_type_int);
}

struct range {
	double min, max;
	size_t n;
};

static void widen(struct range *r, double v)
{
	r->min = r->n ? fmin(r->min, v) : v;
	r->max = r->n ? fmax(r->max, v) : v;
	r->n++;
}

/* Of a number, "2.5 to 3.3" or another text, of which there are no numbers. */
static bool ends_of(struct json_object *o, double *from, double *to)
{
	if (json_object_is_type(o, json_type_string))
		return sscanf(json_object_get_string(o), "%lf to %lf", from, to) == 2;
	*from = *to = json_object_get_double(o);
	return is_number(o);
}

static void put_ends(FILE *f, struct json_object *from, struct json_object *to, struct range *r)
{
	double a, b, none;

	if (!ends_of(from, &a, &none) || !ends_of(to, &none, &b)) {
		fputs("\tNaN\tNaN", f);
		return;
	}
	fprintf(f, "\t%.10g\t%.10g", a, b);
	widen(r, a);
	widen(r, b);
}

/* So many bytes of a text, without what gnuplot takes for more than a letter in quotes. */
static void put_text(FILE *f, const char *text, size_t n)
{
	for (; n; n--, text++)
		if (!strchr("\"\\`", *text))
			fputc(*text, f);
}

/* Words in as many lines as they need. */
static void put_lines(FILE *f, const char *text, size_t letters)
{
	size_t at = 0, word;

	fputc('"', f);
	for (; *text; text += word + (text[word] == ' ')) {
		word = strcspn(text, " ");
		if (at && at + word > letters) {
			fputs("\\n", f);
			at = 0;
		} else if (at) {
			fputc(' ', f);
		}
		put_text(f, text, word);
		at += word + 1;
	}
	fputc('"', f);
}

/* Of all series of a measure, in the order in which they come. */
static size_t place_at(struct json_object *places, const char *name)
{
	size_t i;

	for (i = 0; i < js_len(places); i++)
		if (strcmp(json_object_get_string(js_at(places, i)), name) == 0)
			return i;
	json_object_array_add(places, json_object_new_string(name));
	return i;
}

/* Series of one algorithm are told apart by shades, the first one has its colour. */
static unsigned int rgb_of_series(struct drawing *d, struct json_object *list, size_t k)
{
	struct rpt_algo *mine = style_of(d, js_str(js_at(list, k), "series", ""));
	size_t i, before = 0, all = 0;

	for (i = 0; i < js_len(list); i++) {
		if (style_of(d, js_str(js_at(list, i), "series", "")) != mine)
			continue;
		before += i < k;
		all++;
	}
	return rpt_mix(mine->style.rgb, 0xffffff, LIGHTEST * (double)before / (double)all);
}

static void put_series_name(struct drawing *d, const char *name, unsigned int rgb)
{
	d->series++;
	d->letters = strlen(name) > d->letters ? strlen(name) : d->letters;
	fprintf(d->program, "series_rgb[%zu] = %u; series_name[%zu] = ", d->series, rgb,
		d->series);
	put_lines(d->program, name, SIZE_MAX);
	fputc('\n', d->program);
}

static bool is_named(struct json_object *names, const char *name)
{
	size_t i;

	for (i = 0; i < js_len(names); i++)
		if (strcmp(json_object_get_string(js_at(names, i)), name) == 0)
			return true;
	return false;
}

static void put_curve(struct drawing *d, struct json_object *list, size_t k,
		      struct json_object *places, struct json_object *named, struct range *r)
{
	const char *name = js_str(js_at(list, k), "series", "");
	struct json_object *cells = js_get(js_at(list, k), "cells");
	double shift = SPREAD * ((k + 0.5) / js_len(list) - 0.5);
	unsigned int rgb = rgb_of_series(d, list, k);
	size_t i;

	d->curves++;
	fprintf(d->program, "curve_rgb[%zu] = %u\n", d->curves, rgb);
	for (i = 0; i < js_len(cells); i++) {
		struct json_object *c = js_at(cells, i);

		fprintf(d->data, "%.4f", place_at(places, js_str(c, "x", "")) + shift);
		if (is_number(js_get(c, "ours"))) {
			widen(r, json_object_get_double(js_get(c, "ours")));
			fprintf(d->data, "\t%.10g", json_object_get_double(js_get(c, "ours")));
		} else {
			fputs("\tNaN", d->data);
		}
		put_ends(d->data, js_get(c, "min"), js_get(c, "max"), r);
		put_ends(d->data, js_get(c, "paper"), js_get(c, "paper"), r);
		fputc('\n', d->data);
	}
	fputs("\n\n", d->data);
	if (is_named(named, name))
		return;
	json_object_array_add(named, json_object_new_string(name));
	put_series_name(d, name, rgb);
}

static void put_panel(struct drawing *d, struct json_object *m, struct json_object *named)
{
	struct json_object *list = js_get(m, "series"), *places = json_object_new_array();
	const char *unit = js_str(m, "unit", "");
	struct range r = { 0 };
	size_t i, p = ++d->panels;
	char *title;

	fprintf(d->program, "panel_first[%zu] = %zu\n", p, d->curves + 1);
	for (i = 0; i < js_len(list); i++)
		put_curve(d, list, i, places, named, &r);
	fprintf(d->program, "panel_last[%zu] = %zu; panel_places[%zu] = %zu\n", p, d->curves, p,
		js_len(places));
	fprintf(d->program, "panel_log[%zu] = %d; panel_low[%zu] = %.10g\n", p,
		r.min > 0 && r.max > LOG_RATIO * r.min, p, fmin(r.min, 0));
	title = *unit ? xasprintf("%s (%s)", js_str(m, "label", ""), unit) :
		xstrdup(js_str(m, "label", ""));
	fprintf(d->program, "panel_box[%zu] = %.4f; panel_title[%zu] = ", p,
		SPREAD / js_len(list), p);
	put_lines(d->program, title, LETTERS);
	fprintf(d->program, "; panel_x[%zu] = ", p);
	put_lines(d->program, js_str(m, "places", ""), LETTERS);
	fputc('\n', d->program);
	free(title);
	for (i = 0; i < js_len(places); i++) {
		fprintf(d->places, "%zu\t", i);
		put_lines(d->places, json_object_get_string(js_at(places, i)),
			  LETTERS / js_len(places));
		fputc('\n', d->places);
	}
	fputs("\n\n", d->places);
	json_object_put(places);
}

/* A single number needs no picture, nor do nothing but zeros. */
static bool is_worth_a_panel(struct json_object *m)
{
	struct json_object *list = js_get(m, "series"), *cells;
	size_t i, k, ours = 0, paper = 0;
	bool some = false;
	double none;

	for (i = 0; i < js_len(list); i++) {
		cells = js_get(js_at(list, i), "cells");
		for (k = 0; k < js_len(cells); k++) {
			ours += is_number(js_get(js_at(cells, k), "ours"));
			some |= json_object_get_double(js_get(js_at(cells, k), "ours")) != 0;
			paper += ends_of(js_get(js_at(cells, k), "paper"), &none, &none);
		}
	}
	return some && ours + paper > 1;
}

static void put_program(struct drawing *d, struct json_object *answer)
{
	struct json_object *measures = js_get(answer, "measures"), *named = json_object_new_array();
	static const char *const arrays[] = {
		"panel_first", "panel_last", "panel_places", "panel_log", "panel_low",
		"panel_title", "panel_x", "panel_box",
	}, *const of_curves[] = { "curve_rgb", "series_name", "series_rgb" };
	size_t i, n = 0;
	char *title;

	for (i = 0; i < js_len(measures); i++)
		n += js_len(js_get(js_at(measures, i), "series"));
	for (i = 0; i < ARRAY_SIZE(arrays); i++)
		fprintf(d->program, "array %s[%zu]\n", arrays[i], js_len(measures));
	for (i = 0; i < ARRAY_SIZE(of_curves); i++)
		fprintf(d->program, "array %s[%zu]\n", of_curves[i], n);
	for (i = 0; i < js_len(measures); i++)
		if (is_worth_a_panel(js_at(measures, i)))
			put_panel(d, js_at(measures, i), named);
	title = xasprintf("%s %s: %s", js_str(answer, "paper", ""), js_str(answer, "figure", ""),
			  js_str(answer, "title", ""));
	fprintf(d->program, "panels = %zu; series = %zu; letters = %zu\ntitle = ", d->panels,
		d->series, d->letters);
	put_lines(d->program, title, SIZE_MAX);
	fprintf(d->program, "\nload \"%s/tools/lab/paper/paper.gp\"\n", lab_root());
	free(title);
	json_object_put(named);
}

static FILE *open_in(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "we");

	if (!f)
		run_error("%s: %m", path);
	free(path);
	return f;
}

static int run_gnuplot(const char *dir)
{
	static const char *const formats[] = { "svg", "png" };
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(formats) && !rc; i++) {
		char *set = xasprintf("format='%s'", formats[i]);

		rc = child_gnuplot(dir, set, "picture.gp");
		if (rc)
			rc = run_error("gnuplot: no picture");
		free(set);
	}
	return rc;
}

/**
 * figure_draw() - draw figure.svg and figure.png of a figure that was run
 * @answer: of figures_judge()
 * @dir: where its runs are
 *
 * @drawn: is there a picture; not if no measure has two numbers
 *
 * Return: 0, or the exit status after a message.
 */
int figure_draw(struct json_object *answer, const char *dir, bool *drawn)
{
	struct drawing d = { .data = open_in(dir, "figure.tsv") };
	int rc = 0;
	size_t i;

	d.places = d.data ? open_in(dir, "places.tsv") : NULL;
	d.program = d.places ? open_in(dir, "picture.gp") : NULL;
	if (!d.program)
		rc = EXIT_RUN_FAILED;
	if (!rc) {
		add_styles(&d, js_get(answer, "measures"));
		put_program(&d, answer);
	}
	if (d.data && file_close(d.data))
		rc = run_error("%s/figure.tsv: %m", dir);
	if (d.places && file_close(d.places))
		rc = run_error("%s/places.tsv: %m", dir);
	if (d.program && file_close(d.program))
		rc = run_error("%s/picture.gp: %m", dir);
	for (i = 0; i < d.styles.nr_algos; i++)
		free((char *)d.styles.algos[i].cc);
	free(d.styles.algos);
	if (!rc && d.panels)
		rc = run_gnuplot(dir);
	*drawn = !rc && d.panels;
	return rc;
}
