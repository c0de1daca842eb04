// SPDX-License-Identifier: GPL-2.0
/*
 * Scenario files, from the file to the job: === scenario, === common, === topology and
 * === traffic, the keys that it may include. Without common there are the keys that every
 * scenario needs.
 */

#include "fuzz.h"

#define DIR	"tools/lab/scenarios/"

static const char *const names[] = {
	DIR "f.json", DIR "common.json", DIR "topologies/t.json", DIR "keys/k.json",
};

static const char common[] =
"{ \"keys\": [ { \"name\": \"rate\", \"unit\": \"rate\", \"default\": \"100gbit\" },"
" { \"name\": \"delay\", \"unit\": \"time\", \"default\": \"1us\" },"
" { \"name\": \"size\", \"unit\": \"size\", \"default\": \"10kb\" },"
" { \"name\": \"buffer\", \"unit\": \"size\", \"default\": \"1mb\" },"
" { \"name\": \"mtu\", \"unit\": \"count\", \"default\": \"1024\" } ] }";

void fuzz_begin(void)
{
}

static int read_it(struct scenario *sc)
{
	struct plan *p = NULL;
	int rc = plan_resolve(sc);

	if (!rc)
		rc = plan_build(sc, 1, &p);
	if (p)
		plan_free(p);
	return rc;
}

void fuzz_one(const char *text, size_t len)
{
	struct scenario *sc;
	bool failed = true;

	fuzz_files(text, len, names, ARRAY_SIZE(names));
	if (!fuzz_has(names[1]))
		fuzz_file(names[1], common, sizeof(common) - 1);
	sc = scenario_load("f");
	if (sc) {
		failed = read_it(sc);
		scenario_free(sc);
	}
	fuzz_one_message(failed);
}
