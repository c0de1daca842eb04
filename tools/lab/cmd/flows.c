// SPDX-License-Identifier: GPL-2.0
/*
 * lab flows: the command line. It shows the traffic of a scenario, without a run.
 */
#include <getopt.h>
#include <stdlib.h>

#include "lab.h"

struct args {
	const char *out;
	struct option_list sets;
	uint64_t seed;
	bool json;
};

#define AT(m)	.at = offsetof(struct args, m)
static const struct option_row rows[] = {
	{ "set", "KEY=VALUE", "as for \"lab run\"", OPTION_LIST, AT(sets) },
	{ "seed", "N", "as for \"lab run\" (1)", OPTION_COUNT, AT(seed) },
	{ "out", "FILE", "write the flows, id,src,dst,bytes,start_ns, which the key\n"
	  "flows_file takes; - is standard output instead of the table", OPTION_TEXT, AT(out) },
	{ "json", NULL, "print the table as JSON", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab flows", .rows = rows, .indent = 2, .column = 19,
	.before =
"Usage: lab flows SCENARIO [OPTIONS]\n\n"
"Draws the flows that \"lab run\" would run and says what was drawn: the load that\n"
"they offer, their sizes, how they are spread over the hosts. Runs nothing.\n\n",
};

int cmd_flows(int argc, char **argv)
{
	struct args a = { .seed = 1 };
	struct scenario *sc;
	struct plan *p = NULL;
	size_t i;
	int rc;

	rc = options_parse(&options, &a, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (optind != argc - 1)
		return usage_error("exactly one scenario expected; see \"lab flows --help\"");
	sc = scenario_load(argv[optind]);
	if (!sc)
		return EXIT_USAGE;
	for (i = 0; i < a.sets.n && !rc; i++)
		rc = scenario_set(sc, a.sets.v[i]);
	if (!rc)
		rc = plan_resolve(sc);
	if (!rc)
		rc = plan_build(sc, a.seed, &p);
	if (!rc)
		rc = traffic_show(p, a.out, a.json);
	if (p)
		plan_free(p);
	scenario_free(sc);
	free(a.sets.v);
	return rc;
}
