// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: colour, dash and label of each algorithm in every picture. Variants of one
 * algorithm are told apart: "hpcc:eta=0.9" is hpcc with a parameter of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/*
 * One look for one algorithm in every picture. The colours are Okabe and Ito's colour-blind safe
 * set as far as it reaches. Dash and point tell it in black and white too: no two algorithms have
 * both alike, and those that are often compared have each another dash. Dashes are numbers of
 * dash_of in gp/common.gp.
 */
static const struct {
	const char *name;
	struct rpt_style style;
} rpt_palette[] = {
	{ "none",     { 0x7f7f7f, 3, 7 } },
	{ "fixed",    { 0x8c5a3c, 4, 5 } },
	{ "dcqcn",    { 0x0072b2, 1, 9 } },
	{ "dctcp",    { 0x1f3d7a, 8, 5 } },
	{ "timely",   { 0xe69f00, 2, 11 } },
	{ "swift",    { 0x56b4e9, 7, 15 } },
	{ "nscc",     { 0x7cb518, 6, 13 } },
	{ "hpcc",     { 0x009e73, 4, 13 } },
	{ "hpccstar", { 0x1b5e20, 2, 13 } },
	{ "hpccpp",   { 0x35b6c6, 5, 5 } },
	{ "powertcp", { 0xa0522d, 7, 7 } },
	{ "rcc",      { 0xd1322b, 6, 7 } },
	{ "dart",     { 0x7b4fa3, 8, 9 } },
	{ "mercury",  { 0xcc79a7, 5, 11 } },
	{ "lscc",     { 0x8a8a00, 3, 13 } },
	{ "template", { 0x000000, 1, 5 } },
};

static const struct rpt_style rpt_spare[] = {
	{ 0x332288, 5, 15 },
	{ 0x117733, 6, 15 },
	{ 0xaa4499, 8, 15 },
	{ 0xb8860b, 2, 15 },
	{ 0x444444, 4, 15 },
};

/* Of the variants, in turn; filled ones, as the hollow mean something else. */
static const int rpt_variant_point[] = { 5, 7, 9, 11, 13 };

/* @share of colour @with mixed into @rgb. */
unsigned int rpt_mix(unsigned int rgb, unsigned int with, double share)
{
	unsigned int out = 0;
	int shift;

	for (shift = 16; shift >= 0; shift -= 8) {
		double a = rgb >> shift & 0xff, b = with >> shift & 0xff;

		out = out << 8 | (unsigned int)(a + (b - a) * share + 0.5);
	}
	return out;
}

/* Dash types that stay legible on curves that move fast. */
int rpt_dash(size_t i)
{
	static const int dash[] = { 1, 2, 4, 5 };

	return dash[i % ARRAY_SIZE(dash)];
}

/* Length of the algorithm's name in a label. */
static size_t rpt_algo_len(const char *label)
{
	return strcspn(label, ":");
}

static bool rpt_same_algo(const char *a, const char *b)
{
	size_t len = rpt_algo_len(a);

	return len == rpt_algo_len(b) && !strncmp(a, b, len);
}

bool rpt_is_algo(const struct rpt_algo *a, const char *name)
{
	return rpt_same_algo(a->cc, name);
}

/* Letters of the longest label. */
size_t rpt_longest_name(const struct rpt_scenario *s)
{
	size_t i, longest = 0;

	for (i = 0; i < s->nr_algos; i++)
		longest = strlen(s->algos[i].cc) > longest ?
			  strlen(s->algos[i].cc) : longest;
	return longest;
}

static unsigned int rpt_style_rank(const char *label)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rpt_palette); i++)
		if (rpt_same_algo(label, rpt_palette[i].name))
			break;
	return i;
}

/* In palette order; an algorithm as it is comes before its variants. */
int rpt_cmp_algo(const void *pa, const void *pb)
{
	const struct rpt_algo *a = pa, *b = pb;
	unsigned int ra = rpt_style_rank(a->cc), rb = rpt_style_rank(b->cc);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	return strverscmp(a->cc, b->cc);
}

/* A name outside the palette gets the same spare colour in every report. */
static struct rpt_style rpt_style_base(const char *label)
{
	unsigned int rank = rpt_style_rank(label), sum = 0;
	size_t i;

	if (rank < ARRAY_SIZE(rpt_palette))
		return rpt_palette[rank].style;
	for (i = 0; i < rpt_algo_len(label); i++)
		sum = sum * 31 + (unsigned char)label[i];
	return rpt_spare[sum % ARRAY_SIZE(rpt_spare)];
}

static int rpt_cmp_label(const void *pa, const void *pb)
{
	return strverscmp(*(char *const *)pa, *(char *const *)pb);
}

/* All labels of the report, each once, in order. */
static const char **rpt_labels(const struct rpt *r, size_t *n)
{
	const char **label = NULL;
	size_t i, j, k = 0;

	*n = 0;
	for (i = 0; i < r->nr_scen; i++) {
		for (j = 0; j < r->scen[i].nr_algos; j++) {
			label = xreallocarray(label, *n + 1, sizeof(*label));
			label[(*n)++] = r->scen[i].algos[j].cc;
		}
	}
	if (*n)
		qsort(label, *n, sizeof(*label), rpt_cmp_label);
	for (i = 0; i < *n; i++)
		if (!i || strcmp(label[i], label[k - 1]))
			label[k++] = label[i];
	*n = k;
	return label;
}

/*
 * The @i'th of @n variants: a shade between dark and light. The algorithm
 * without parameters of its own keeps its colour, so shades near that are left
 * out.
 */
static void rpt_style_variant(struct rpt_style *st, size_t i, size_t n)
{
	size_t dark = (n + 1) / 2;

	if (i < dark)
		st->rgb = rpt_mix(st->rgb, 0, 0.5 - 0.3 * i / dark);
	else
		st->rgb = rpt_mix(st->rgb, 0xffffff, 0.25 + 0.25 * (i - dark) / (n - dark));
	st->dash = rpt_dash(i + 1);
	st->point = rpt_variant_point[i % ARRAY_SIZE(rpt_variant_point)];
}

/**
 * rpt_styles() - give every algorithm and variant its colour, dash and point
 * @r: the report, with all runs read
 *
 * A label looks the same in all pictures of a report.
 */
void rpt_styles(struct rpt *r)
{
	const char **label;
	size_t i, j, k, n;

	label = rpt_labels(r, &n);
	for (i = 0; i < r->nr_scen; i++) {
		for (j = 0; j < r->scen[i].nr_algos; j++) {
			struct rpt_algo *a = &r->scen[i].algos[j];
			size_t nr = 0, mine = 0;

			a->style = rpt_style_base(a->cc);
			for (k = 0; k < n; k++) {
				if (!strcmp(label[k], a->cc))
					mine = nr;
				nr += strchr(label[k], ':') &&
				      rpt_same_algo(label[k], a->cc);
			}
			if (strchr(a->cc, ':'))
				rpt_style_variant(&a->style, mine, nr);
		}
	}
	free(label);
}
