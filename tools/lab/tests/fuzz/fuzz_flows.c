// SPDX-License-Identifier: GPL-2.0
/* flows_file: a file of flows; and workload: one of a distribution of their sizes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "star_scenario.h"

void fuzz_begin(void)
{
	star_scenario_begin();
}

static int read_as(const char *key)
{
	char *set = xasprintf("%s=%s/in", key, fuzz_dir());
	struct scenario *sc = scenario_load("star");
	struct plan *p = NULL;
	int rc = scenario_set(sc, set) || scenario_set(sc, "n=4");

	if (!rc && strcmp(key, "workload") == 0)
		rc = scenario_set(sc, "flows=20");
	if (!rc)
		rc = plan_resolve(sc) || plan_build(sc, 1, &p);
	if (p)
		plan_free(p);
	scenario_free(sc);
	free(set);
	return rc;
}

void fuzz_one(const char *text, size_t len)
{
	fuzz_file("in", text, len);
	fuzz_one_message(read_as("flows_file"));
	fuzz_quiet();
	fuzz_one_message(read_as("workload"));
}
