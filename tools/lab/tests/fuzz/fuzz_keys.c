// SPDX-License-Identifier: GPL-2.0
/*
 * Keys and their values, above all those of traffic: each line is an assignment to a key of
 * a small network with the keys of this checkout.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "star_scenario.h"

void fuzz_begin(void)
{
	star_scenario_begin();
}

static int set_all(struct scenario *sc, char *lines)
{
	char *line;
	int rc = 0;

	while (!rc && (line = strsep(&lines, "\n")))
		if (*line)
			rc = scenario_set(sc, line);
	return rc;
}

/* Many and large flows are allowed, and take long: not what is looked for here. */
static bool is_slow(struct scenario *sc)
{
	return scenario_val(sc, "duration", 0) > 1e6 || scenario_val(sc, "flows", 0) > 1000 ||
	       scenario_val(sc, "n", 0) > 20 || scenario_val(sc, "hosts", 0) > 20;
}

void fuzz_one(const char *text, size_t len)
{
	struct scenario *sc = scenario_load("star");
	char *lines = xstrdup(text);
	struct plan *p = NULL;
	int rc;

	(void)len;
	if (!sc)
		abort();
	rc = set_all(sc, lines);
	if (!rc)
		rc = plan_resolve(sc);
	if (!rc && !is_slow(sc))
		rc = plan_build(sc, 1, &p);
	if (p)
		plan_free(p);
	scenario_free(sc);
	free(lines);
	fuzz_one_message(rc);
}
