// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: many runs side by side. This file: the command line, and the order of
 * things.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

static int take_dim(void *into, const struct option_row *row, char *text)
{
	return add_dim(into, xasprintf("--%s", row->name), text);
}

static int take_hosts(void *into, const struct option_row *row, char *text)
{
	struct sweep *s = into;
	char *all;

	(void)row;
	if (!*text || text[strspn(text, ", ")] == '\0')
		return usage_error("--sshlogin: empty value");
	all = xasprintf("%s%s%s", s->sshlogin ? s->sshlogin : "", s->sshlogin ? "," : "", text);
	free(s->sshlogin);
	s->sshlogin = all;
	return 0;
}

/* For every run. */
static int take_rest(void *into, const struct option_row *row, char *text)
{
	struct sweep *s = into;

	add_word(&s->rest, &s->n_rest, xasprintf("--%s", row->name));
	if (text)
		add_word(&s->rest, &s->n_rest, text);
	return 0;
}

#define AT(m)	.at = offsetof(struct sweep, m)
#define REST(name, arg)	{ name, arg, .kind = OPTION_CALL, .call = take_rest }
static const struct option_row rows[] = {
	{ "set", "KEY=A[,B...]", "values of a key; \"\\,\" is a comma in a value", OPTION_CALL,
	  .call = take_dim },
	{ "param", "K=A[,B...]", "values of a parameter, for the runs of its algorithm",
	  OPTION_CALL, .call = take_dim },
	{ "cc", "A[,B...]", "algorithms, each a run of its own", OPTION_CALL, .call = take_dim },
	{ "seed", "A[,B...]", "seeds; N-M is a range", OPTION_CALL, .call = take_dim },
	{ "out", "DIR", "where results go (./results)", OPTION_TEXT, AT(out) },
	{ "jobs", "N", "runs at a time, on each machine (one per processor)", OPTION_TEXT,
	  AT(jobs) },
	{ "retries", "N", "tries of a run that ends without results: 3 on other machines\n"
	  "and with Slurm, 1 here", OPTION_COUNT, AT(retries), .min = 1, .max = 1000 },
	{ "force", NULL, "make all runs again", OPTION_FLAG, AT(force) },
	{ "dry-run", NULL, "check all values, also with the kernel, and print the commands",
	  OPTION_FLAG, AT(dry) },
	{ "json", NULL, "print the summaries as JSON instead of the table", OPTION_FLAG, AT(json),
	  .letter = 'j' },
	{ "quiet", NULL, "no progress", OPTION_FLAG, AT(quiet), .letter = 'q' },
	{ "help", NULL, "this text", .kind = OPTION_HELP, .letter = 'h' },
	{ .help = "\nOn other machines, which must have the same build:\n" },
	{ "sshlogin", "LIST", "machines, as GNU parallel takes them: a,user@b,4/c; \":\" is this one",
	  OPTION_CALL, .call = take_hosts },
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
	.command = "lab sweep", .rows = rows, .indent = 2, .column = 23,
	.before =
"Usage: lab sweep SCENARIO [OPTIONS]\n\n"
"Runs the scenario with every combination of values, several at a time, by GNU\n"
"parallel or Slurm. Results go to DIR/KEY=VALUE,.../SCENARIO/CC/seedN/, and are the\n"
"same wherever a run was made. All values are checked before the first run. Runs\n"
"whose results are there already are not made again: after an interrupt the same\n"
"command goes on. Exit status: 0 all flows of all runs completed, 1 not so, 2 bad\n"
"arguments.\n\n",
	.after =
"\n"
"--knob, --clock, --beyond, --backend, --debug, --timeout, --mem, --events and\n"
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

/* 0: go on; -1: help was asked for; else an exit status. */
static int parse(struct sweep *s, int argc, char **argv)
{
	int rc = options_parse(&options, s, argc, argv);

	if (rc)
		return rc;
	if (optind != argc - 1)
		return usage_error("exactly one scenario expected; see \"lab sweep --help\"");
	s->scenario = argv[optind];
	return check_combination(s);
}

/* Everything that can be said without a kernel and without a place for results. */
static int check_first(struct sweep *s)
{
	struct scenario *sc = scenario_load(s->scenario);
	int rc;

	if (!sc)
		return EXIT_USAGE;
	s->name = xstrdup(sc->name);
	scenario_free(sc);
	rc = check_params(s);
	if (!rc)
		rc = make_runs(s);
	if (!rc)
		rc = check_options(s);
	return rc;
}

static int check_workers(struct sweep *s)
{
	int rc = s->slurm ? check_slurm(s) : have_parallel(s);

	if (!rc && s->sshlogin)
		rc = check_hosts(s);
	return rc;
}

static int run_all(struct sweep *s)
{
	struct sweep_run **all = xcalloc(s->n_runs, sizeof(*all));
	size_t i;
	int rc;

	for (i = 0; i < s->n_runs; i++)
		all[i] = &s->runs[i];
	rc = write_todo(s, "runs", all, s->n_runs);
	free(all);
	if (!rc)
		rc = note_made_of(s);
	if (rc)
		return rc;
	failed_load(s);
	progress_start(s);
	/* What an interrupted sweep did not get to. */
	if (s->force)
		forget_archives(s);
	merge_all(s);
	if (count_state(s, RUN_MISSING))
		rc = s->slurm ? run_slurm(s) : run_parallel(s);
	progress_end(s);
	if (work_interrupted())
		return run_error("interrupted after %zu of %zu runs; the same command goes on",
				 count_state(s, RUN_DONE), s->n_runs);
	return rc || (s->no_wait && count_state(s, RUN_MISSING)) ? rc : print_table(s);
}

static int sweep(struct sweep *s)
{
	char *kdir;
	int rc = check_first(s);

	if (!rc && s->dry) {
		rc = check_dry(s);
		if (!rc)
			print_commands(s);
		return rc;
	}
	if (rc)
		return rc;
	kdir = kernel_dir(s->debug);
	s->commit = run_commit(kdir);
	s->build = run_build(kdir);
	free(kdir);
	rc = check_workers(s);
	if (rc)
		return rc;
	rc = sweep_open(s);
	if (!rc)
		rc = finish_runs(s);
	if (!rc)
		rc = check_results(s);
	if (!rc)
		rc = run_all(s);
	sweep_close(s);
	return rc;
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep s = { .out = RESULTS_DIR, .lock_fd = -1 };
	int rc;

	if (argc > 1 && strcmp(argv[1], "--worker") == 0)
		return sweep_worker(argc, argv);
	rc = parse(&s, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	work_catch();
	set_ssh(&s);
	return sweep(&s);
}
