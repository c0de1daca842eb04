/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the KUnit suites of rxe_cc. */
#ifndef _RXE_CC_TEST_H
#define _RXE_CC_TEST_H

#include <kunit/test.h>
#include <linux/string.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>

#include "cc_prng.h"

/* For KUNIT_CASE_PARAM: one run for each registered algorithm. */
static inline const void *cc_test_algo_gen(const void *prev, char *desc)
{
	const struct rxe_cc_ops *ops = rxe_cc_test_next_algo(prev);

	if (ops)
		strscpy(desc, ops->name, KUNIT_PARAM_DESC_SIZE);
	return ops;
}

/* A registered algorithm; the test is skipped when its module is not loaded. */
static inline const struct rxe_cc_ops *cc_test_algo(struct kunit *test,
						    const char *name)
{
	const struct rxe_cc_ops *ops = NULL;

	while ((ops = rxe_cc_test_next_algo(ops))) {
		if (!strcmp(ops->name, name))
			return ops;
	}
	kunit_skip(test, "the module rxe_cc_%s is not loaded", name);
	return NULL;
}

/* Of an algorithm whose values are @params. */
static inline void cc_test_param(struct kunit *test,
				 const struct rxe_cc_ops *ops, u64 *params,
				 const char *name, u64 value)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++) {
		if (strcmp(ops->params[i].name, name))
			continue;
		params[i] = value;
		return;
	}
	KUNIT_FAIL_AND_ABORT(test, "no parameter %s", name);
}

static inline void cc_test_defaults(const struct rxe_cc_ops *ops, u64 *params)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++)
		params[i] = ops->params[i].def;
}

#endif /* _RXE_CC_TEST_H */
