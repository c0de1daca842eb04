// SPDX-License-Identifier: GPL-2.0
/*
 * lab list: the command line. It lists scenarios, keys, algorithms.
 */
#include <getopt.h>

#include "run/run.h"

/* They are in the first lines of the help. */
static const struct option_row rows[] = {
	{ "module", "FILE", NULL, OPTION_CALL, .call = own_module_option },
	{ "json", .kind = OPTION_FLAG, .letter = 'j' },
	{ "help", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab list", .rows = rows,
	.before =
"Usage: lab list [-j] [--module FILE]... [SCENARIO | ALGORITHM]\n\n"
"Without a name: all scenarios with their own keys, the keys that all have, and\n"
"the algorithms. Of a scenario: all its keys with units, defaults and limits. Of an\n"
"algorithm: its parameters, as the lab kernel has them, which is started for it.\n"
"With --module also algorithms of your own (lab build).\n",
};

int cmd_list(int argc, char **argv)
{
	bool json = false;
	int rc = options_parse(&options, &json, argc, argv);

	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (optind + 1 < argc)
		return usage_error("list: unexpected \"%s\"; see \"lab list --help\"",
				   argv[optind + 1]);
	rc = own_modules_use(false);
	if (rc)
		return rc;
	return argv[optind] ? list_one(argv[optind], json) : list_all(json);
}
