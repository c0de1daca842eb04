/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: how long receivers believed what is true, for types.csv and counts.csv.
 */
#ifndef LAB_RESULTS_TYPES_CSV_H
#define LAB_RESULTS_TYPES_CSV_H

#include "results/results.h"

/* Times over which what was said was right, was compared, was too near to a change. */
struct judged {
	int64_t right_ns, judged_ns, left_out_ns;
};

void judge(struct judged *j, int64_t ns, bool settled, bool right);
struct json_object *judged_json(const struct judged *j);
int results_counts(struct results *r, const int64_t *t_ns, size_t n);

#endif /* LAB_RESULTS_TYPES_CSV_H */
