// SPDX-License-Identifier: GPL-2.0
/*
 * lab: adds up for how long what receivers believed was true, and writes it as JSON.
 */
#include "results/belief_accuracy.h"

/**
 * belief_accuracy_add() - add a time
 * @a: sums
 * @ns: how long
 * @settled: it counts: the truth has not changed just before
 * @right: what was believed is true
 */
void belief_accuracy_add(struct belief_accuracy *a, int64_t ns, bool settled, bool right)
{
	if (!settled)
		a->left_out_ns += ns;
	else
		a->compared_ns += ns;
	if (settled && right)
		a->right_ns += ns;
}

/**
 * belief_accuracy_json() - the sums as in summary.json
 * @a: sums
 *
 * Return: a new object.
 */
struct json_object *belief_accuracy_json(const struct belief_accuracy *a)
{
	struct json_object *o = json_object_new_object();

	if (a->compared_ns)
		js_add_dbl(o, "right", (double)a->right_ns / a->compared_ns, 4);
	else
		json_object_object_add(o, "right", NULL);
	js_add_int(o, "judged_ns", a->compared_ns);
	js_add_int(o, "left_out_ns", a->left_out_ns);
	return o;
}
