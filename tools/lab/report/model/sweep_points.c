// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: which points of a sweep make a line. "lab sweep" puts each combination of
 * values into a directory KEY=VALUE,..., so points that differ in one key's number are the
 * places of that key's axis, and all that they have in common is one picture.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"

#define SWEPT_MIN	3	/* values that make a line */

/* The end of "KEY=VALUE" at @s: a comma without "KEY=" behind it belongs to the value. */
static const char *pair_end(const char *s)
{
	size_t key;

	while (*s) {
		s += strcspn(s, ",/");
		key = strcspn(s + !!*s, "=,/");
		if (!*s || s[1 + key] == '=')
			break;
		s++;
	}
	return s;
}

/* The value of @key in @point, and in @rest all but that pair; NULL: has no such key. */
static char *point_value(const char *point, const char *key, char **rest)
{
	size_t len = strlen(key);
	const char *s, *end;

	for (s = point; *s; s = end + !!*end) {
		end = pair_end(s);
		if (strncmp(s, key, len) != 0 || s[len] != '=')
			continue;
		if (rest && s == point)
			*rest = rpt_text("%s", end + !!*end);
		else if (rest)
			*rest = rpt_text("%.*s%s", (int)(s - 1 - point), point, end);
		return rpt_text("%.*s", (int)(end - s - len - 1), s + len + 1);
	}
	return NULL;
}

static int cmp_place(const void *pa, const void *pb)
{
	const struct rpt_swept_value *a = pa, *b = pb;

	return (a->x > b->x) - (a->x < b->x);
}

static void swept_free(struct rpt_swept *w)
{
	free(w->place);
	free(w->algo);
}

/* All labels of all points, each once, in the order of every table. */
static void swept_algos(struct rpt_swept *w)
{
	size_t i, j, k;

	for (i = 0; i < w->n; i++) {
		const struct rpt_scenario *s = w->place[i].s;

		for (j = 0; j < s->nr_algos; j++) {
			for (k = 0; k < w->n_algos; k++)
				if (strcmp(w->algo[k].cc, s->algos[j].cc) == 0)
					break;
			if (k < w->n_algos)
				continue;
			w->algo = xreallocarray(w->algo, w->n_algos + 1, sizeof(*w->algo));
			w->algo[w->n_algos++] = s->algos[j];
		}
	}
	qsort(w->algo, w->n_algos, sizeof(*w->algo), rpt_cmp_algo);
}

/*
 * The points of @r that differ from @first in nothing but @key. Return: the number of
 * values, 0 when one is no number.
 */
static size_t swept_read(const struct rpt *r, const struct rpt_scenario *first, const char *key,
			 struct rpt_swept *w)
{
	char *value = point_value(first->point, key, &w->rest), *rest;
	bool number = true;
	size_t i;

	w->scenario = first->scenario;
	w->key = key;
	if (!value)
		return 0;
	for (i = 0; i < r->nr_scen; i++) {
		const struct rpt_scenario *s = &r->scen[i];
		struct rpt_swept_value p = { .s = s };

		rest = NULL;
		p.text = point_value(s->point, key, &rest);
		if (p.text && strcmp(s->scenario, first->scenario) == 0 &&
		    strcmp(rest, w->rest) == 0) {
			p.x = rpt_parse_quantity(p.text);
			number &= isfinite(p.x);
			w->place = xreallocarray(w->place, w->n + 1, sizeof(*w->place));
			w->place[w->n++] = p;
		}
	}
	if (!number)
		return 0;
	qsort(w->place, w->n, sizeof(*w->place), cmp_place);
	swept_algos(w);
	return w->n;
}

/* Is @s the first of its points? Then it is the one that the picture is drawn for. */
static bool is_first(const struct rpt_swept *w, const struct rpt *r, size_t s)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->place[i].s < &r->scen[s])
			return false;
	return true;
}

/* The only key of @s over which there is a line; NULL: none, or several. */
static char *only_key(const struct rpt *r, const struct rpt_scenario *s)
{
	const char *pos, *end;
	char *key = NULL;
	size_t keys = 0;

	for (pos = s->point; *pos; pos = end + !!*end) {
		struct rpt_swept w = { 0 };
		char *name = rpt_text("%.*s", (int)strcspn(pos, "=,/"), pos);

		end = pair_end(pos);
		if (swept_read(r, s, name, &w) >= SWEPT_MIN && !keys++)
			key = name;
		swept_free(&w);
	}
	return keys == 1 ? key : NULL;
}

/**
 * rpt_swept_each() - call a function for each scenario that was swept
 * @r: the report
 * @fn: draws figures over the swept key
 *
 * A key makes a picture when three of its values or more, all numbers, were run. Of several
 * such keys the report's @over says which; without it there is none.
 */
void rpt_swept_each(struct rpt *r, void (*fn)(struct rpt *r, const struct rpt_swept *w))
{
	size_t i;

	for (i = 0; i < r->nr_scen; i++) {
		struct rpt_swept w = { 0 };
		char *key = r->over ? rpt_text("%s", r->over) : only_key(r, &r->scen[i]);

		if (key && swept_read(r, &r->scen[i], key, &w) >= SWEPT_MIN && is_first(&w, r, i))
			fn(r, &w);
		swept_free(&w);
	}
}

/**
 * rpt_over_check() - is there a line over the key that was asked for
 * @r: the report, with all runs read
 *
 * Return: 0, or -1 after one line on stderr that says why not.
 */
int rpt_over_check(const struct rpt *r)
{
	const char *point = NULL;
	size_t i, most = 0;

	for (i = 0; r->over && i < r->nr_scen && most < SWEPT_MIN; i++) {
		struct rpt_swept w = { 0 };
		size_t n = swept_read(r, &r->scen[i], r->over, &w);

		most = n > most ? n : most;
		if (w.n)
			point = r->scen[i].point;
		swept_free(&w);
	}
	if (!r->over || most >= SWEPT_MIN)
		return 0;
	if (!point)
		fprintf(stderr, "lab report: --over %s: nothing below %s was swept over it\n",
			r->over, r->dir);
	else if (most)
		fprintf(stderr, "lab report: --over %s: %zu value%s, a line takes %d\n", r->over,
			most, most > 1 ? "s" : "", SWEPT_MIN);
	else
		fprintf(stderr, "lab report: --over %s: not all of its values are numbers (%s)\n",
			r->over, point);
	return -1;
}
