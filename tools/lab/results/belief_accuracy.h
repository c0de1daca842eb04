/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: for how much of the time what receivers believed was true: "types" and "counts" of
 * summary.json.
 */
#ifndef LAB_RESULTS_BELIEF_ACCURACY_H
#define LAB_RESULTS_BELIEF_ACCURACY_H

#include "common/util.h"

/* Times over which a belief was right, was compared, was too near to a change of the truth. */
struct belief_accuracy {
	int64_t right_ns, compared_ns, left_out_ns;
};

void belief_accuracy_add(struct belief_accuracy *a, int64_t ns, bool settled, bool right);
struct json_object *belief_accuracy_json(const struct belief_accuracy *a);

#endif /* LAB_RESULTS_BELIEF_ACCURACY_H */
