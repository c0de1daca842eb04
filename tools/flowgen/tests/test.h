/* SPDX-License-Identifier: GPL-2.0 */
/* flowgen: a minimal KTAP harness. */
#ifndef FLOWGEN_TEST_H
#define FLOWGEN_TEST_H

#include <math.h>
#include <string.h>

#include "flowgen.h"

/* Ends the running case as failed, saying what was expected. */
#define EXPECT(cond) test_expect(!!(cond), #cond, __FILE__, __LINE__)

void test_expect(bool good, const char *what, const char *file, int line);

struct test_case {
	const char *name;
	bool (*fn)(void);
};

extern const struct test_case dist_cases[];
extern const struct test_case plan_cases[];
extern const struct test_case rows_cases[];

/* The last message of fg_err() while messages are captured. */
const char *test_last_error(void);

#endif
