// SPDX-License-Identifier: GPL-2.0
/* A network from a file of another simulator, from the file to the job. */
#include <stdlib.h>

#include "fuzz.h"
#include "star_scenario.h"

void fuzz_begin(void)
{
	star_scenario_begin();
}

void fuzz_one(const char *text, size_t len)
{
	char *path = xasprintf("%s/in.txt", fuzz_dir());
	struct scenario *sc = NULL;
	struct plan *p = NULL;
	bool failed = true;

	fuzz_file("in.txt", text, len);
	/* What begins otherwise is JSON, of which fuzz_scenario makes more. */
	if (topology_file_is(path)) {
		sc = scenario_load(path);
		failed = !sc || plan_resolve(sc) || plan_build(sc, 1, &p);
		fuzz_one_message(failed);
	}
	if (p)
		plan_free(p);
	if (sc)
		scenario_free(sc);
	free(path);
}
