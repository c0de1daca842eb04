// SPDX-License-Identifier: GPL-2.0
/*
 * lab compare: ranks, the table, its files and the picture. There is no sum of ranks: which
 * entries matter is the reader's business.
 */
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

#define CELL	12	/* letters of a column */

static const struct stats_spread *cell(const struct compare *c, size_t a, size_t e)
{
	return &c->cells[a * c->n_entries + e];
}

/* As the table prints it; what is printed the same has the same rank. */
static char *value_text(const struct compare *c, size_t a, size_t e)
{
	struct json_object *entry = c->entries[e];
	const struct stats_spread *g = cell(c, a, e);

	if (!g->n)
		return xstrdup("-");
	return xasprintf("%.*f", (int)js_int(entry, "digits", 2),
			 g->mean / js_dbl(entry, "scale", 1));
}

/* Is the first value better than the second, as far as the table shows. */
static bool is_better(const struct compare *c, size_t e, size_t a, size_t b)
{
	char *x = value_text(c, a, e), *y = value_text(c, b, e);
	double d = atof(x) - atof(y);

	free(x);
	free(y);
	return strcmp(js_str(c->entries[e], "better", "less"), "more") ? d < 0 : d > 0;
}

/**
 * compare_rank() - the place of each algorithm in each entry
 * @c: after compare_run()
 */
void compare_rank(struct compare *c)
{
	size_t a, b, e;

	for (e = 0; e < c->n_entries; e++) {
		for (a = 0; a < c->algos.n; a++) {
			unsigned int rank = 1;

			if (!cell(c, a, e)->n)
				continue;
			for (b = 0; b < c->algos.n; b++)
				rank += cell(c, b, e)->n && is_better(c, e, b, a);
			c->ranks[a * c->n_entries + e] = rank;
		}
	}
}

/**
 * compare_json() - the table for programs
 * @c: after compare_rank()
 *
 * Return: new object.
 */
struct json_object *compare_json(const struct compare *c)
{
	struct json_object *o = json_object_new_object(), *columns = json_object_new_array();
	struct json_object *rows = json_object_new_array(), *row, *values, *v;
	static const char *const members[] = { "name", "help", "measure", "unit", "better" };
	size_t a, e, i;

	js_add_str(o, "form", c->quick ? "quick" : "full");
	js_add_int(o, "seeds", c->seeds);
	js_add_int(o, "failed", c->failed);
	for (e = 0; e < c->n_entries; e++) {
		v = json_object_new_object();
		for (i = 0; i < ARRAY_SIZE(members); i++)
			js_add_str(v, members[i], js_str(c->entries[e], members[i], ""));
		json_object_array_add(columns, v);
	}
	for (a = 0; a < c->algos.n; a++) {
		row = json_object_new_object();
		values = json_object_new_array();
		js_add_str(row, "cc", c->algos.v[a]);
		for (e = 0; e < c->n_entries; e++) {
			const struct stats_spread *g = cell(c, a, e);
			double scale = js_dbl(c->entries[e], "scale", 1);

			v = NULL;
			if (g->n) {
				v = json_object_new_object();
				js_add_dbl(v, "mean", g->mean / scale, 6);
				js_add_dbl(v, "ci95", g->n > 1 ? g->ci95 / scale : 0, 6);
				js_add_int(v, "rank", c->ranks[a * c->n_entries + e]);
			}
			json_object_array_add(values, v);
		}
		json_object_object_add(row, "values", values);
		json_object_array_add(rows, row);
	}
	json_object_object_add(o, "columns", columns);
	json_object_object_add(o, "rows", rows);
	return o;
}

static size_t longest_name(const struct compare *c)
{
	size_t a, len = 0;

	for (a = 0; a < c->algos.n; a++)
		len = strlen(c->algos.v[a]) > len ? strlen(c->algos.v[a]) : len;
	return len;
}

static void print_heads(const struct compare *c, int width)
{
	size_t e;

	printf("%-*s", width, "");
	for (e = 0; e < c->n_entries; e++)
		printf(" %*s", CELL, js_str(c->entries[e], "name", ""));
	printf("\n%-*s", width, "");
	for (e = 0; e < c->n_entries; e++)
		printf(" %*s", CELL, js_str(c->entries[e], "unit", ""));
	putchar('\n');
}

/**
 * compare_print() - the table for people: the mean over the seeds, and the rank behind it
 * @c: after compare_rank()
 */
void compare_print(const struct compare *c)
{
	int width = longest_name(c);
	size_t a, e;

	print_heads(c, width);
	for (a = 0; a < c->algos.n; a++) {
		printf("%-*s", width, c->algos.v[a]);
		for (e = 0; e < c->n_entries; e++) {
			unsigned int rank = c->ranks[a * c->n_entries + e];
			char *text = value_text(c, a, e);

			if (rank)
				printf(" %*s (%2u)", CELL - 5, text, rank);
			else
				printf(" %*s     ", CELL - 5, text);
			free(text);
		}
		putchar('\n');
	}
}

/* What compare.gp reads: cells, names of columns, their units, names of rows. */
static int save_cells(const struct compare *c, const char *path)
{
	FILE *f = fopen(path, "we");
	size_t a, e;

	if (!f)
		return -1;
	for (a = 0; a < c->algos.n; a++) {
		for (e = 0; e < c->n_entries; e++) {
			unsigned int rank = c->ranks[a * c->n_entries + e];
			char *text = value_text(c, a, e);

			fprintf(f, "%zu\t%zu\t%u\t%s\n", e, a, rank, text);
			free(text);
		}
	}
	fprintf(f, "\n\n");
	for (e = 0; e < c->n_entries; e++)
		fprintf(f, "%zu\t%s\n", e, js_str(c->entries[e], "name", ""));
	fprintf(f, "\n\n");
	/* Only those that there are: gnuplot takes an empty field for that of another line. The
	 * first is outside of the picture, so that the block is never empty.
	 */
	fprintf(f, "-9\t-\n");
	for (e = 0; e < c->n_entries; e++)
		if (*js_str(c->entries[e], "unit", ""))
			fprintf(f, "%zu\t%s\n", e, js_str(c->entries[e], "unit", ""));
	fprintf(f, "\n\n");
	for (a = 0; a < c->algos.n; a++)
		fprintf(f, "%zu\t%s\n", a, c->algos.v[a]);
	return file_close(f);
}

/**
 * compare_picture() - compare.svg and compare.png: a cell for each value, coloured by its rank
 * @c: after compare_rank()
 *
 * Return: 0, or the exit status after a message.
 */
int compare_picture(const struct compare *c)
{
	static const char *const formats[] = { "svg", "png" };
	char *dir = compare_dir(c), *cells = xasprintf("%s/compare.tsv", dir);
	char *script = xasprintf("%s/tools/lab/compare/compare.gp", lab_root());
	int rc = save_cells(c, cells) ? run_error("%s: %m", cells) : 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats) && !rc; i++) {
		char *set = xasprintf("format='%s'; rows=%zu; columns=%zu; letters=%zu",
				      formats[i], c->algos.n, c->n_entries, longest_name(c));

		rc = child_gnuplot(dir, set, script);
		if (rc)
			rc = run_error("gnuplot: no picture");
		free(set);
	}
	free(script);
	free(cells);
	free(dir);
	return rc;
}
