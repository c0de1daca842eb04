// SPDX-License-Identifier: GPL-2.0
/*
 * lab replay: the command line. It feeds a recording of events to an algorithm of the kernel.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/options.h"
#include "replay/events_csv.h"

#define TIMEOUT_S	1800

/* What rxe's own packets have: the values of "lab run" where it is not told. */
#define DEF_MIN_RATE_BPS	1000000
#define DEF_PKT_BYTES		(1024 + ROCE_WIRE_OVERHEAD)

#define AT(m)	.at = offsetof(struct replay, m)
#define MAX_RATE	800000000000

static const struct option_row rows[] = {
	{ "cc", "A", "algorithm", OPTION_TEXT, AT(cc) },
	{ "module", "FILE", "your own module with that algorithm, from \"lab build\"", OPTION_CALL,
	  .call = own_module_option },
	{ "param", "K=V", "parameter; before those that the file names for this algorithm",
	  OPTION_LIST, AT(given) },
	{ "preset", "P", "preset; the file's parameters do not count then", OPTION_TEXT,
	  AT(preset) },
	{ "in", "FILE", "events", OPTION_TEXT, AT(rec.path) },
	{ "out", "FILE", "decisions, in the same format", OPTION_TEXT, AT(out) },
	{ .help =
	  "\nWhat a file may say in its heading or in columns; here it goes before both:\n" },
	{ "line-rate", "R", "speed of the port, the ceiling of every flow", OPTION_RATE,
	  AT(values.line_rate_bps), .min = 1000, .max = MAX_RATE },
	{ "min-rate", "R", "floor of every flow (1mbit)", OPTION_RATE, AT(values.min_rate_bps),
	  .max = MAX_RATE },
	{ "base-rtt", "T", "round-trip time of the idle path (the smallest in the file)",
	  OPTION_TIME, AT(values.base_rtt_ns), .max = 10000000000 },
	{ "rate", "R", "rate that a flow starts with (the line rate)", OPTION_RATE,
	  AT(values.rate_bps), .min = 1000, .max = MAX_RATE },
	{ "cwnd", "SIZE", "window that a flow starts with (none)", OPTION_SIZE,
	  AT(values.cwnd_bytes), .min = 1, .max = 1ULL << 40 },
	{ "pkt", "SIZE", "wire bytes of a full packet (1106)", OPTION_SIZE, AT(values.pkt_bytes),
	  .min = 1, .max = 1 << 17 },
	{ "int-ts-bits", "N", "width of the hops' ts_ns; it wraps (64)", OPTION_COUNT,
	  AT(values.ts_bits), .min = 1, .max = 64 },
	{ "int-tx-bits", "N", "width of the hops' tx_bytes; it wraps (64)", OPTION_COUNT,
	  AT(values.tx_bits), .min = 1, .max = 64 },
	{ "int-tx-unit", "N", "bytes that 1 in tx_bytes stands for (1)", OPTION_COUNT,
	  AT(values.tx_unit), .min = 1, .max = 1 << 20 },
	{ "int-qlen-unit", "N", "bytes that 1 in qlen_bytes stands for (1)", OPTION_COUNT,
	  AT(values.qlen_unit), .min = 1, .max = 1 << 20 },
	{ .help = "\n" },
	{ "check", NULL, "only write the events as the algorithm would get them, INT\n"
	  "counters without their wrapping; --cc is not needed", OPTION_FLAG, AT(check) },
	{ "columns", NULL, "say which columns such files may have, and run nothing", OPTION_FLAG,
	  AT(columns) },
	{ "debug", NULL, "use the debug kernel (build/uml-debug)", OPTION_FLAG, AT(debug) },
	{ "timeout", "S", "give up after S seconds of wall time (1800)", OPTION_COUNT,
	  AT(timeout_s), .min = 1, .max = 1000000 },
	{ "quiet", NULL, "say nothing", OPTION_FLAG, AT(quiet), 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab replay", .rows = rows, .column = 19, .indent = 2,
	.before =
"Usage: lab replay --cc A [--param K=V]... --in FILE --out FILE [OPTIONS]\n"
"       lab replay --columns\n\n"
"Gives the events of a file to an algorithm of the lab kernel and writes what it\n"
"decides. \"lab run --events\" makes such files; Documentation/guide/replay.md describes\n"
"them, so that other programs can. A recording replayed with the algorithm and\n"
"parameters that it was made with gives the same decisions. Exit status: 0 done,\n"
"and all decisions that the file has are the same; 1 the lab failed; 2 bad\n"
"arguments or a bad file, nothing was written; 3 done, but decisions differ.\n\n",
};

static int check_parts(const char *kdir)
{
	static const char *const parts[] = { "linux", "rxe_cc.ko", "rxe_cc_events.ko" };
	char *path;
	size_t i;
	int rc = 0;

	for (i = 0; i < ARRAY_SIZE(parts) && !rc; i++) {
		path = xasprintf("%s/%s", kdir, parts[i]);
		rc = check_built(path);
		free(path);
	}
	return rc;
}

/* Can it be replayed, with what is set. */
static int check_algo(struct replay *r)
{
	int rc = check_parts(r->kdir) ?: cc_check(r->kdir, (char **)&r->cc, 1);

	if (!rc && strchr(r->cc, ':'))
		rc = usage_error("--cc %s: give parameters by --param", r->cc);
	if (!rc && strcmp(r->cc, "none") == 0)
		rc = usage_error("--cc: \"none\" decides nothing");
	return rc ? rc : algo_params_known(r->kdir, r->debug, r->cc, r->params, r->preset);
}

/* Two lines each: name, unit and the events that have it; its meaning. */
static void say_columns(void)
{
	const struct event_column *c;

	for (c = event_columns; c < event_columns + COLUMNS; c++)
		printf("%-17s %-10s %s\n%17s %s\n", c->name, c->unit, c->of, "", c->help);
}

/* What the options must be together; @word: one too many. */
static int check(struct replay *r, const char *word)
{
	size_t i;
	int rc = 0;

	if (word)
		return usage_error("%s: not expected; see \"lab replay --help\"", word);
	if (r->columns)
		return 0;
	if (!r->rec.path)
		return usage_error("--in FILE is missing; see \"lab replay --help\"");
	if (!r->out)
		return usage_error("--out FILE is missing; see \"lab replay --help\"");
	if (!r->cc && !r->check)
		return usage_error("--cc is missing; see \"lab replay --help\"");
	if (r->cc)
		rc = params_check(&r->given, (char **)&r->cc, 1);
	for (i = 0; i < r->given.n && !rc; i++)
		rc = param_option(r->params, "--param", r->given.v[i], r->cc);
	if (!rc && !r->check)
		rc = own_modules_use(r->debug);
	if (!rc && !r->check) {
		r->kdir = kernel_dir(r->debug);
		rc = check_algo(r);
	}
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	struct replay r = {
		.timeout_s = TIMEOUT_S,
		.params = json_object_new_object(),
		.rec.defs = {
			.min_rate_bps = DEF_MIN_RATE_BPS, .pkt_bytes = DEF_PKT_BYTES,
			.ts_bits = 64, .tx_bits = 64, .tx_unit = 1, .qlen_unit = 1,
		},
	};
	int rc;

	memset(&r.values, 0xff, sizeof(r.values));
	rc = options_parse(&options, &r, argc, argv) ?: check(&r, argv[optind]);
	if (!rc && r.columns) {
		say_columns();
	} else if (!rc) {
		recording_values(&r.rec, &r.values);
		rc = replay_run(&r);
	}
	json_object_put(r.params);
	free(r.kdir);
	return rc < 0 ? EXIT_OK : rc;
}
