// SPDX-License-Identifier: GPL-2.0
/* lab report: writes data and variables for the gnuplot programs in tools/lab/report/gp. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

static const struct picture {
	const char *kind, *program, *columns, *heading, *title;
} pictures[] = {
#define PICTURE(id, ...)	\
	[P_##id] = { __VA_ARGS__ },
#define OF_SCENARIO(...)
#define OF_RUN(...)
#define OF_FLOWS(...)
#include "report/plot/picture_list.h"
};

/* Things of which a picture may have any number, counted by one of their arrays. */
static const struct {
	const char *count, *array;
} pic_counts[] = {
	{ "curves", "curve_rgb" }, { "tics", "tic_text" }, { "lines", "line_at" },
	{ "notes", "note_text" }, { "names", "name_text" }, { "swatches", "swatch_text" },
	{ "ccs", "cc_name" }, { "marks", "mark_at" },
	{ "stories", "story" }, { "nodes", "node_text" }, { "links", "link_text" },
	{ "ends", "end_text" },
};

/* A word of a CSV file. */
static void pic_word(FILE *f, const char *s)
{
	if (!s[strcspn(s, ",\"\n")]) {
		fputs(s, f);
		return;
	}
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', f);
		fputc(*s, f);
	}
	fputc('"', f);
}

/* The stream knows where it is: it must not move. */
static struct pic_array *pic_array_new(const char *name)
{
	struct pic_array *a = xreallocarray(NULL, 1, sizeof(*a));

	*a = (struct pic_array){ .name = rpt_text("%s", name) };
	a->f = open_memstream(&a->text, &a->len);
	if (!a->f)
		abort();
	return a;
}

static void pic_array_free(struct pic_array *a)
{
	fclose(a->f);
	free(a->text);
	free(a);
}

static struct pic_array *pic_array(struct pic *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n_arrays; i++)
		if (!strcmp(p->array[i]->name, name))
			return p->array[i];
	p->array = xreallocarray(p->array, p->n_arrays + 1, sizeof(*p->array));
	p->array[p->n_arrays] = pic_array_new(name);
	return p->array[p->n_arrays++];
}

/* The place of one more element. */
static FILE *pic_element(struct pic *p, const char *name)
{
	struct pic_array *a = pic_array(p, name);

	if (a->n++)
		fputs(", ", a->f);
	return a->f;
}

static void pic_put_num(FILE *f, double v)
{
	if (isnan(v) || isinf(v))
		fputs("NaN", f);
	else
		fprintf(f, "%.9g", v);
}

static void pic_put_text(FILE *f, const char *text)
{
	fputc('"', f);
	rpt_plot_text(f, text ? text : "");
	fputc('"', f);
}

/* pic_set() - a number that the program uses by @name */
void pic_set(struct pic *p, const char *name, double v)
{
	fprintf(p->vars->f, "%s = ", name);
	pic_put_num(p->vars->f, v);
	fputc('\n', p->vars->f);
}

/* pic_say() - a text that the program uses by @name */
void pic_say(struct pic *p, const char *name, const char *text)
{
	fprintf(p->vars->f, "%s = ", name);
	pic_put_text(p->vars->f, text);
	fputc('\n', p->vars->f);
}

/* pic_head() - the picture's title: scenario or point of a sweep, what is drawn */
void pic_head(struct pic *p, const char *name, const char *what)
{
	pic_say(p, "heading", rpt_text("%s: %s", name, what));
}

/* pic_num() - one more number in an array */
void pic_num(struct pic *p, const char *array, double v)
{
	pic_put_num(pic_element(p, array), v);
}

/* pic_text() - one more text in an array */
void pic_text(struct pic *p, const char *array, const char *text)
{
	pic_put_text(pic_element(p, array), text);
}

/* Words that the rows begin with, and numbers: names in lower case without unit or as T_ns. */
static void pic_columns(struct pic *p, const char *columns)
{
	static const char *const words[] = {
		"panel", "cc", "series", "figure", "tier", "text",
	};
	const char *c = columns;
	bool words_end = false;
	size_t i, len;

	for (;; c += len + 1) {
		len = strcspn(c, ",");
		for (i = 0; i < ARRAY_SIZE(words) && !words_end; i++)
			if (len == strlen(words[i]) && !strncmp(c, words[i], len))
				break;
		words_end |= i == ARRAY_SIZE(words);
		p->keys += !words_end;
		p->cols += words_end;
		if (!c[len])
			break;
	}
	fprintf(p->data, "%s\n", columns);
}

/**
 * pic_begin() - begin a picture
 * @r: the report
 * @p: the picture, filled in
 * @scenario: first part of the files' names
 * @kind: second part
 * @program: gp/PROGRAM.gp draws it
 * @height: pixels
 * @columns: heading of the data; its last @cols are numbers
 *
 * Return: false when there is no gnuplot or the data cannot be written; a warning has
 * been given and pic_end() must not be called.
 */
bool pic_begin(struct rpt *r, struct pic *p, const char *scenario, const char *kind,
	       const char *program, int height, const char *columns)
{
	size_t i;
	char *c;

	if (r->no_gnuplot)
		return false;
	*p = (struct pic){ .r = r, .scenario = scenario, .program = program, .height = height };
	p->base = rpt_text("%s_%s", scenario, kind);
	for (c = p->base; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._=", *c))
			*c = '_';
	p->data_path = rpt_text("%s/data/%s.csv", r->outdir, p->base);
	p->data = fopen(p->data_path, "we");
	if (!p->data) {
		rpt_warn(r, "%s: %s", p->data_path, strerror(errno));
		return false;
	}
	pic_columns(p, columns);
	p->vars = pic_array_new("");
	for (i = 0; i < ARRAY_SIZE(pic_counts); i++)
		pic_array(p, pic_counts[i].array);
	return true;
}

/**
 * pic_open() - begin a picture that picture_list.h has
 * @r: the report
 * @p: the picture, filled in
 * @s: whose it is
 * @c: the run of one of its algorithms; NULL: it is of all
 * @id: which picture
 * @height: pixels
 *
 * Return: as pic_begin(). pic_close() ends it.
 */
bool pic_open(struct rpt *r, struct pic *p, const struct rpt_scenario *s,
	      const struct rpt_course *c, int id, int height)
{
	const struct picture *pic = &pictures[id];
	const char *cc = c ? c->algo->cc : "";

	if (!pic_begin(r, p, s->name, rpt_text("%s%s%s", pic->kind, c ? "_" : "", cc), pic->program,
		       height, pic->columns))
		return false;
	if (pic->title)
		p->title = rpt_text(pic->title, cc);
	if (pic->heading)
		pic_head(p, s->name, pic->heading);
	/* All runs of a scenario have the same settings, so the first tells for all. */
	if (strcmp(pic->columns, PIC_TIME) == 0)
		p->n_events = rpt_events(c ? c->run : &s->algos[0].runs[0], &p->event);
	return true;
}

/* Without a row a block would not count. */
static void pic_block_end(struct pic *p)
{
	size_t i;

	if (!p->blocks || p->rows)
		return;
	fputs(p->key, p->data);
	for (i = 0; i < p->cols; i++)
		fputs(i ? ",NaN" : "NaN", p->data);
	fputc('\n', p->data);
}

static void pic_words(struct pic *p, const char *word, va_list ap)
{
	size_t len, n = 0;
	FILE *f;

	free(p->key);
	p->key = NULL;
	f = open_memstream(&p->key, &len);
	if (!f)
		abort();
	for (; word; word = va_arg(ap, const char *), n++) {
		pic_word(f, word);
		fputc(',', f);
	}
	fclose(f);
	/* As many as the heading has. */
	if (n != p->keys)
		abort();
}

/* pic_key() - what the rows after this begin with */
void pic_key(struct pic *p, const char *word, ...)
{
	va_list ap;

	va_start(ap, word);
	pic_words(p, word, ap);
	va_end(ap);
}

/* pic_block() - the rows after this belong together and begin with these words */
void pic_block(struct pic *p, const char *word, ...)
{
	va_list ap;

	pic_block_end(p);
	va_start(ap, word);
	pic_words(p, word, ap);
	va_end(ap);
	if (p->blocks++)
		fputs("\n\n", p->data);
	p->rows = 0;
}

/* pic_look() - what the block just begun looks like */
void pic_look(struct pic *p, const struct pic_look *look)
{
	p->curves++;
	pic_num(p, "curve_kind", look->kind);
	pic_num(p, "curve_rgb", look->rgb);
	pic_num(p, "curve_dash", look->dash ? look->dash : 1);
	pic_num(p, "curve_point", look->point ? look->point : 7);
	pic_num(p, "curve_width", look->width > 0 ? look->width : 1.8);
	pic_text(p, "curve_name", look->name);
	pic_text(p, "curve_shade", look->shade);
}

/* pic_curve() - the rows after this are a curve of the present panel */
void pic_curve(struct pic *p, const struct pic_look *look, const char *what, const char *cc,
	       const char *series)
{
	pic_block(p, what, cc, series, (const char *)NULL);
	pic_look(p, look);
}

/* pic_row() - @n numbers; those missing in the end stay empty */
void pic_row(struct pic *p, int n, ...)
{
	va_list ap;
	size_t i;

	fputs(p->key, p->data);
	va_start(ap, n);
	for (i = 0; i < p->cols; i++) {
		double v = (int)i < n ? va_arg(ap, double) : NAN;

		if (i)
			fputc(',', p->data);
		if ((int)i < n && isnan(v))
			fputs("NaN", p->data);
		else if ((int)i < n)
			fprintf(p->data, "%.9g", v);
	}
	va_end(ap);
	fputc('\n', p->data);
	p->rows++;
}

/* pic_gap() - the line is broken here */
void pic_gap(struct pic *p)
{
	fputc('\n', p->data);
}

/*
 * pic_panel_end() - the present panel has its last curve. gnuplot looks at the first curve of an
 * empty range, too, so that must be one that there is.
 */
void pic_panel_end(struct pic *p)
{
	bool empty = p->curves < p->panel_first;

	if (!p->panels)
		return;
	pic_num(p, "panel_first", empty ? 1 : p->panel_first);
	pic_num(p, "panel_last", empty ? 0 : p->curves);
}

/* The variables, and the program that uses them. */
static int pic_script(struct pic *p, const char *path)
{
	FILE *f = fopen(path, "we");
	size_t i;

	if (!f)
		return -1;
	fprintf(f, "# In the directory above: gnuplot gp/%s.gp, with -e png=1 for PNG.\n"
		"# gp/%s.gp is what draws it; this only says what is in data/%s.csv.\n"
		"base = \"%s\"\ndata = \"data/%s.csv\"\nwidth = %d\nheight = %d\npanels = %zu\n%s",
		p->base, p->program, p->base, p->base, p->base, rpt_width(), p->height, p->panels,
		p->r->no_title ? "no_title = 1\n" : "");
	fflush(p->vars->f);
	fwrite(p->vars->text, 1, p->vars->len, f);
	for (i = 0; i < ARRAY_SIZE(pic_counts); i++)
		fprintf(f, "%s = %zu\n", pic_counts[i].count, pic_array(p, pic_counts[i].array)->n);
	for (i = 0; i < p->n_arrays; i++) {
		struct pic_array *a = p->array[i];

		fflush(a->f);
		/* gnuplot looks at the first curve of a panel that has none, too. */
		fprintf(f, "array %s[%zu] = [%s%sNaN]\n", a->name, a->n + 1,
			a->n ? a->text : "", a->n ? ", " : "");
	}
	fprintf(f, "load \"gp/%s.gp\"\n", p->program);
	i = ferror(f);
	return fclose(f) || i ? -1 : 0;
}

/* What changed in the run, for the caption. */
static char *pic_events(const struct pic *p)
{
	char *text = rpt_text("%s", p->n_events ? " Dotted lines:" : ""), at[32];
	size_t i;

	for (i = 0; i < p->n_events; i++) {
		rpt_fmt_auto(at, sizeof(at), RPT_NS, p->event[i].at_ns);
		text = rpt_text("%s%s %s %s%s", text, i ? "," : "", at, p->event[i].what,
				i + 1 == p->n_events ? "." : "");
	}
	return text;
}

/**
 * pic_end() - draw the picture and put it on the page
 * @p: the picture, gone after this
 * @title: on the page
 * @fmt: below it
 */
void pic_end(struct pic *p, const char *title, const char *fmt, ...)
{
	char *script = rpt_text("%s/gp/%s.gp", p->r->outdir, p->base);
	bool full, ok = true;
	char *caption;
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	caption = rpt_vtext(fmt, ap);
	va_end(ap);
	caption = rpt_text("%s%s", caption, pic_events(p));
	pic_panel_end(p);
	pic_block_end(p);
	full = ferror(p->data);
	if (fclose(p->data) || full) {
		rpt_warn(p->r, "%s: %s", p->data_path, strerror(errno));
		ok = false;
	} else if (pic_script(p, script)) {
		rpt_warn(p->r, "%s: %s", script, strerror(errno));
		ok = false;
	}
	if (ok)
		rpt_plot_draw(p->r, p->base, p->scenario, title, caption);
	for (i = 0; i < p->n_arrays; i++)
		pic_array_free(p->array[i]);
	pic_array_free(p->vars);
	free(p->array);
	free(p->event);
	free(p->key);
}
