// SPDX-License-Identifier: GPL-2.0
/* Fuzzes the expressions of scenario files, alone and in names. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_begin(void)
{
}

static int var(void *ctx, const char *name, double *val)
{
	(void)ctx;
	*val = strlen(name);
	return strcmp(name, "none") == 0 ? -1 : 0;
}

static void check(bool failed, const char *err)
{
	if (failed != !!err)
		abort();
}

void fuzz_one(const char *text, size_t len)
{
	char *err = NULL, *name;
	double val;
	int rc;

	(void)len;
	rc = expr_eval(text, var, NULL, &val, &err);
	check(rc, err);
	free(err);
	err = NULL;
	name = expr_expand(text, var, NULL, &err);
	check(!name, err);
	free(name);
	free(err);
}
