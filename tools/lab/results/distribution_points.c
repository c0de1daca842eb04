// SPDX-License-Identifier: GPL-2.0
/*
 * lab: distributions in a bounded number of rows.
 *
 * Each row is a point of the exact distribution of all values, whatever their
 * number: a value that occurs, and the share of those that do not exceed it.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"
#include "results/flow_figures.h"

/* The ranks that get a row, ascending: the first, .001 ... .999, .9991 ... .999999, the last. */
static size_t rank_of(size_t n, size_t row)
{
	uint64_t num, den = 1000;

	if (!row)
		return 1;
	if (row < 1000) {
		num = row;
	} else if (row < DISTRIBUTION_ROWS - 1) {
		row -= 1000;
		den = row < 9 ? 10000 : row < 18 ? 100000 : 1000000;
		num = den - 10 + row % 9 + 1;
	} else {
		num = den;
	}
	return (n * num + den - 1) / den;
}

/**
 * distribution_values() - completion times or slowdowns of the measured flows
 * @s: flows
 * @group: index, or ALL_GROUPS
 * @slowdown: slowdowns, in parts per million
 * @out: receives them, ascending; to be freed
 *
 * Return: how many.
 */
size_t distribution_values(const struct flow_set *s, int group, bool slowdown, int64_t **out)
{
	struct flow_outcome f;
	size_t i, n = 0;
	int pass;

	*out = NULL;
	for (pass = 0; pass < 2; pass++) {
		if (pass)
			*out = xcalloc(n ? n : 1, sizeof(**out));
		for (i = 0, n = 0; i < s->n; i++) {
			s->get(s->ctx, i, &f);
			if (!flow_set_counts(s, &f, group) || (slowdown && !f.ideal_ns))
				continue;
			if (pass)
				(*out)[n] = slowdown ? slowdown_ppm(&f) : f.fct_ns;
			n++;
		}
	}
	qsort(*out, n, sizeof(**out), stats_cmp_i64);
	return n;
}

/**
 * distribution_rows() - rows of a distribution
 * @sorted: values, ascending
 * @n: how many
 * @rows: receives the rows, room for DISTRIBUTION_ROWS
 *
 * Return: how many rows; with up to 1000 values there is one for each of them.
 */
size_t distribution_rows(const int64_t *sorted, size_t n, struct distribution_row *rows)
{
	size_t i, rank, used = 0;

	for (i = 0; n && i < DISTRIBUTION_ROWS; i++) {
		rank = rank_of(n, i);
		while (rank < n && sorted[rank] == sorted[rank - 1])
			rank++;
		if (used && rows[used - 1].value == sorted[rank - 1])
			continue;
		rows[used++] = (struct distribution_row){ sorted[rank - 1], (double)rank / n };
	}
	return used;
}
