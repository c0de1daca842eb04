// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: the command line.
 */
#include <getopt.h>
#include <string.h>

#include "lib/options.h"
#include "sweep/sweep.h"

static int dim(void *into, const struct option_row *row, char *text)
{
	return add_dim(into, xasprintf("--%s", row->name), text);
}

static int sshlogin(void *into, const struct option_row *row, char *text)
{
	struct sweep *s = into;

	(void)row;
	if (!*text || text[strspn(text, ", ")] == '\0')
		return usage_error("--sshlogin: empty value");
	s->sshlogin = s->sshlogin ? xasprintf("%s,%s", s->sshlogin, text) : text;
	return 0;
}

/* For "lab run", on other machines too, and for what is checked here. */
static int module(void *into, const struct option_row *row, char *path)
{
	struct sweep *s = into;

	list_add(&s->files, path);
	return own_module_option(into, row, path) ?: option_words(into, row, path);
}

#define AT(m)	.at = offsetof(struct sweep, m)
#define REST(name, arg)	OPTION_HAND_ON(name, arg, offsetof(struct sweep, rest))

static const struct option_row rows[] = {
	{ "set", "KEY=A[,B...]", "values of a key; \"\\,\" is a comma in a value", OPTION_CALL,
	  .call = dim },
	{ "param", "K=A[,B...]", "values of a parameter, for the runs of its algorithm",
	  OPTION_CALL, .call = dim },
	{ "cc", "A[,B...]", "algorithms, each a run of its own", OPTION_CALL, .call = dim },
	{ "seed", "A[,B...]", "seeds; N-M is a range", OPTION_CALL, .call = dim },
	{ "module", "FILE", "your own module with an algorithm, from \"lab build\"; any number",
	  OPTION_CALL, AT(rest), .call = module },
	{ "out", "DIR", "where results go (./results)", OPTION_TEXT, AT(out) },
	{ "jobs", "N", "runs at a time, on each machine (one per processor)", OPTION_TEXT,
	  AT(jobs) },
	{ "retries", "N", "tries of a run that ends without results: 3 on other machines\n"
	  "and with Slurm, 1 here", OPTION_COUNT, AT(retries), .min = 1, .max = 1000 },
	{ "force", NULL, "make all runs again", OPTION_FLAG, AT(force) },
	{ "dry-run", NULL, "check all values, also with the kernel, and print the commands",
	  OPTION_FLAG, AT(dry) },
	{ "json", NULL, "print the summaries as JSON instead of the table", OPTION_FLAG, AT(json),
	  'j' },
	{ "quiet", NULL, "no progress", OPTION_FLAG, AT(quiet), 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	{ .help = "\nOn other machines, which must have the same build:\n" },
	{ "sshlogin", "LIST", "machines, as GNU parallel takes them: a,user@b,4/c; \":\" is this one",
	  OPTION_CALL, .call = sshlogin },
	{ "ssh", "COMMAND", "instead of ssh, for instance \"ssh -F FILE\"", OPTION_TEXT, AT(ssh) },
	{ "remote-dir", "DIR", "where the built checkout is there (the same path as here)",
	  OPTION_TEXT, AT(remote_dir) },
	{ .help = "\nBy Slurm, whose nodes must see DIR and the built checkout:\n" },
	{ "slurm", NULL, "submit job arrays, and wait for them", OPTION_FLAG, AT(slurm) },
	{ "slurm-opt", "OPTION", "for sbatch, any number: --slurm-opt=--mem=4G", OPTION_LIST,
	  AT(slurm_opts) },
	{ "no-wait", NULL, "only submit; the same command without it fetches the results",
	  OPTION_FLAG, AT(no_wait) },
	REST("knob", "K=V"), REST("clock", "C"), REST("backend", "B"), REST("timeout", "S"),
	REST("mem", "MB"), REST("events-mb", "MB"), REST("debug", NULL), REST("beyond", NULL),
	REST("events", NULL),
	{ }
};

static const struct options options = {
	.command = "lab sweep", .rows = rows, .column = 23, .indent = 2,
	.before =
"Usage: lab sweep SCENARIO [OPTIONS]\n\n"
"Runs the scenario with every combination of values, several at a time, by GNU\n"
"parallel or Slurm. Results go to DIR/KEY=VALUE,.../SCENARIO/CC/seedN/, and are the\n"
"same wherever a run was made. All values are checked before the first run. Runs\n"
"whose results are there already are not made again: after an interrupt the same\n"
"command goes on. Exit status: 0 all flows of all runs completed, 1 not so, 2 bad\n"
"arguments.\n\n",
	.after =
"\n--knob, --clock, --beyond, --backend, --debug, --timeout, --mem, --events and\n"
"--events-mb go to every run, see \"lab run --help\".\n",
};

static int check_combination(const struct sweep *s)
{
	if (s->slurm && s->sshlogin)
		return usage_error("--slurm and --sshlogin: one or the other");
	if (s->no_wait && !s->slurm)
		return usage_error("--no-wait: only with --slurm");
	if (s->slurm_opts.n && !s->slurm)
		return usage_error("--slurm-opt: only with --slurm");
	if (s->ssh && !s->sshlogin)
		return usage_error("--ssh: only with --sshlogin");
	if (s->remote_dir && !s->sshlogin && !s->slurm)
		return usage_error("--remote-dir: only with --sshlogin or --slurm");
	if (s->remote_dir && s->remote_dir[0] != '/')
		return usage_error("--remote-dir %s: not a full path", s->remote_dir);
	return 0;
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep s = { .out = RESULTS_DIR, .lock_fd = -1 };
	int rc;

	if (argc > 1 && strcmp(argv[1], "--worker") == 0)
		return sweep_worker(argc, argv);
	rc = options_parse(&options, &s, argc, argv);
	if (!rc && optind != argc - 1)
		rc = usage_error("exactly one scenario expected; see \"lab sweep --help\"");
	if (!rc)
		rc = check_combination(&s);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	s.scenario = argv[optind];
	return sweep(&s);
}
