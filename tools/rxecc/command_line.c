// SPDX-License-Identifier: GPL-2.0
/* The command line of rxecc: global options and the choice of the object (dev, qp, algo, ...). */
#include <string.h>

#include "rxecc.h"

static const char help_text[] =
"Usage: rxecc [OPTIONS] OBJECT [COMMAND] [ARGUMENTS]\n"
"Controls congestion control of soft-RoCE devices (kernel module rxe_cc).\n"
"\n"
"OBJECT:\n"
"  algo     algorithms, their needs, presets and parameters\n"
"  dev      devices: algorithm, parameters, knobs\n"
"  qp       queue pairs: rate, window, algorithm of one of them\n"
"  param    parameters of a device's algorithm\n"
"  stats    counters of devices\n"
"  top      rates, windows, queues and pauses, again and again\n"
"  monitor  changes as they happen\n"
"\n"
"OPTIONS:\n"
"  -j, --json        JSON, values in base units\n"
"  -p, --pretty      indent the JSON\n"
"  -d, --details     more columns\n"
"  -s, --statistics  counters too\n"
"  -n, --numeric     no unit scaling\n"
"  -V, --version     print the version\n"
"  -h, --help        print this text\n"
"\n"
"\"rxecc OBJECT help\" tells more. Objects and commands may be abbreviated.\n"
"Exit code: 0 done, 1 refused by the kernel, 2 wrong command line.\n";

static const struct cmd objects[] = {
	{ "algo", cmd_algo },
	{ "dev", cmd_dev },
	{ "qp", cmd_qp },
	{ "param", cmd_param },
	{ "stats", cmd_stats },
	{ "top", cmd_top },
	{ "monitor", cmd_monitor },
	{ "help", NULL },
	{ NULL, NULL }
};

enum { OPT_HELP = 1, OPT_VERSION, OPT_BAD };

static int set_option(struct rxecc *rx, char c)
{
	bool *const flag[] = {
		['j'] = &rx->json, ['p'] = &rx->pretty, ['d'] = &rx->details,
		['s'] = &rx->stats, ['n'] = &rx->numeric,
	};

	if (c == 'h')
		return OPT_HELP;
	if (c == 'V')
		return OPT_VERSION;
	if (c < 0 || (size_t)c >= ARRAY_SIZE(flag) || !flag[(int)c])
		return OPT_BAD;
	*flag[(int)c] = true;
	return 0;
}

/* -j, --json, -json, abbreviations of those, and bundles such as -jp. */
static int parse_option(struct rxecc *rx, const char *arg)
{
	static const char * const names[] = {
		"json", "pretty", "details", "statistics", "numeric", "help",
		"Version",
	};
	const char *word = arg + (arg[1] == '-' ? 2 : 1);
	unsigned int i;
	int ret;

	if (!strcmp(word, "version"))
		return OPT_VERSION;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (is_prefix(word, names[i]))
			return set_option(rx, names[i][0]);
	if (arg[1] == '-')
		return OPT_BAD;
	for (; *word; word++) {
		ret = set_option(rx, *word);
		if (ret)
			return ret;
	}
	return 0;
}

int rxecc_run(struct rxecc *rx, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		switch (parse_option(rx, argv[i])) {
		case OPT_HELP:
			fputs(help_text, rx->out);
			return RX_OK;
		case OPT_VERSION:
			fprintf(rx->out, "rxecc %s, netlink family %s version %d\n",
				RXECC_VERSION, RXE_CC_FAMILY_NAME,
				RXE_CC_FAMILY_VERSION);
			return RX_OK;
		case OPT_BAD:
			return rx_usage(rx, "unknown option %s, see rxecc help",
					argv[i]);
		}
	}
	if (i == argc) {
		fputs(help_text, rx->err);
		return RX_USAGE;
	}
	if (!cmd_find(objects, argv[i]))
		return rx_usage(rx, "unknown object %s, see rxecc help",
				argv[i]);
	return cmd_run(rx, "rxecc", objects, help_text, argc - i, argv + i);
}
