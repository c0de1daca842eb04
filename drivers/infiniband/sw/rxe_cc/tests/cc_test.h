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

#endif /* _RXE_CC_TEST_H */
