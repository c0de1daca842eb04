// SPDX-License-Identifier: GPL-2.0
/*
 * Copies the checkout's scenario "star" and its keys into the scratch directory: the network of
 * fuzzed inputs.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "star_scenario.h"

#define DIR	"tools/lab/scenarios/"

static void copy(const char *name)
{
	char *path = xasprintf("%s/" DIR "%s", LAB_CHECKOUT, name), *to, *text;
	size_t len;

	text = read_file(path, &len);
	if (!text) {
		perror(path);
		exit(1);
	}
	to = xasprintf(DIR "%s", name);
	fuzz_file(to, text, len);
	free(to);
	free(text);
	free(path);
}

void star_scenario_begin(void)
{
	copy("common.json");
	copy("star.json");
	copy("topologies/star.json");
	copy("keys/traffic.json");
}
