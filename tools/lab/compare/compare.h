/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab compare: all algorithms over a fixed set of entries. tournament.json has the entries; each is
 * one "lab sweep" (run_entries.c), and one column of the table (rank_table.c) and of the picture.
 */
#ifndef LAB_COMPARE_COMPARE_H
#define LAB_COMPARE_COMPARE_H

#include "lab.h"
#include "lib/stats.h"

struct compare {
	bool quick, json, quiet, list;
	uint64_t seeds;
	const char *out, *ccs, *only;
	struct option_list sweep;	/* options for "lab sweep" */
	struct json_object *doc;	/* tournament.json */
	struct json_object **entries;	/* those that are wanted */
	size_t n_entries;
	struct option_list algos;	/* items of --cc */
	struct stats_spread *cells;	/* of algorithm a and entry e: [a * n_entries + e] */
	unsigned int *ranks;		/* the same; 0: without a value */
	unsigned int failed;		/* runs */
};

/* compare/run_entries.c */
char *compare_dir(const struct compare *c);
int compare_run(struct compare *c);

/* compare/rank_table.c */
void compare_rank(struct compare *c);
struct json_object *compare_json(const struct compare *c);
void compare_print(const struct compare *c);
int compare_picture(const struct compare *c);

#endif /* LAB_COMPARE_COMPARE_H */
