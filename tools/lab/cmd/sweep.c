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

static const char sweep_help[] =
"Usage: lab sweep SCENARIO [OPTIONS]\n\n"
"Runs the scenario with every combination of values, several at a time, by GNU\n"
"parallel or Slurm. Results go to DIR/KEY=VALUE,.../SCENARIO/CC/seedN/, and are the\n"
"same wherever a run was made. All values are checked before the first run. Runs\n"
"whose results are there already are not made again: after an interrupt the same\n"
"command goes on. Exit status: 0 all flows of all runs completed, 1 not so, 2 bad\n"
"arguments.\n\n"
"  --set KEY=A[,B...]   values of a key; \"\\,\" is a comma in a value\n"
"  --param K=A[,B...]   values of a parameter, for the runs of its algorithm\n"
"  --cc A[,B...]        algorithms, each a run of its own\n"
"  --seed A[,B...]      seeds; N-M is a range\n"
"  --out DIR            where results go (./results)\n"
"  --jobs N             runs at a time, on each machine (one per processor)\n"
"  --retries N          tries of a run that ends without results: 3 on other machines\n"
"                       and with Slurm, 1 here\n"
"  --force              make all runs again\n"
"  --dry-run            check all values, also with the kernel, and print the commands\n"
"  -j, --json           print the summaries as JSON instead of the table\n"
"  -q, --quiet          no progress\n"
"  -h, --help           this text\n\n"
"On other machines, which must have the same build:\n"
"  --sshlogin LIST      machines, as GNU parallel takes them: a,user@b,4/c; \":\" is this one\n"
"  --ssh COMMAND        instead of ssh, for instance \"ssh -F FILE\"\n"
"  --remote-dir DIR     where the built checkout is there (the same path as here)\n\n"
"By Slurm, whose nodes must see DIR and the built checkout:\n"
"  --slurm              submit job arrays, and wait for them\n"
"  --slurm-opt OPTION   for sbatch, any number: --slurm-opt=--mem=4G\n"
"  --no-wait            only submit; the same command without it fetches the results\n\n"
"--knob, --clock, --beyond, --backend, --debug, --timeout, --mem, --events and\n"
"--events-mb go to every run, see \"lab run --help\".\n";

enum {
	OPT_SET = 256, OPT_PARAM, OPT_CC, OPT_SEED, OPT_OUT, OPT_JOBS, OPT_RETRIES, OPT_FORCE,
	OPT_DRY, OPT_SSHLOGIN, OPT_SSH, OPT_REMOTE_DIR, OPT_SLURM, OPT_SLURM_OPT, OPT_NO_WAIT,
	OPT_REST, OPT_REST_ARG,
};

static const struct option options[] = {
	{ "set", required_argument, NULL, OPT_SET },
	{ "param", required_argument, NULL, OPT_PARAM },
	{ "cc", required_argument, NULL, OPT_CC },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "out", required_argument, NULL, OPT_OUT },
	{ "jobs", required_argument, NULL, OPT_JOBS },
	{ "retries", required_argument, NULL, OPT_RETRIES },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "dry-run", no_argument, NULL, OPT_DRY },
	{ "sshlogin", required_argument, NULL, OPT_SSHLOGIN },
	{ "ssh", required_argument, NULL, OPT_SSH },
	{ "remote-dir", required_argument, NULL, OPT_REMOTE_DIR },
	{ "slurm", no_argument, NULL, OPT_SLURM },
	{ "slurm-opt", required_argument, NULL, OPT_SLURM_OPT },
	{ "no-wait", no_argument, NULL, OPT_NO_WAIT },
	{ "json", no_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	/* For "lab run". */
	{ "knob", required_argument, NULL, OPT_REST_ARG },
	{ "clock", required_argument, NULL, OPT_REST_ARG },
	{ "backend", required_argument, NULL, OPT_REST_ARG },
	{ "timeout", required_argument, NULL, OPT_REST_ARG },
	{ "mem", required_argument, NULL, OPT_REST_ARG },
	{ "events-mb", required_argument, NULL, OPT_REST_ARG },
	{ "debug", no_argument, NULL, OPT_REST },
	{ "beyond", no_argument, NULL, OPT_REST },
	{ "events", no_argument, NULL, OPT_REST },
	{ }
};

static int parse_retries(struct sweep *s)
{
	char *end;

	s->retries = strtol(optarg, &end, 10);
	if (*end || end == optarg || s->retries < 1 || s->retries > 1000)
		return usage_error("--retries %s: not a number from 1 to 1000", optarg);
	return 0;
}

static int parse_list(struct sweep *s)
{
	char *all;

	if (!*optarg || optarg[strspn(optarg, ", ")] == '\0')
		return usage_error("--sshlogin: empty value");
	all = xasprintf("%s%s%s", s->sshlogin ? s->sshlogin : "", s->sshlogin ? "," : "", optarg);
	free(s->sshlogin);
	s->sshlogin = all;
	return 0;
}

static int parse_text(const char *opt, const char **to)
{
	if (!*optarg)
		return usage_error("--%s: empty value", opt);
	*to = optarg;
	return 0;
}

/* @at: in the table of options. */
static int parse_option(struct sweep *s, int opt, const struct option *at)
{
	switch (opt) {
	case OPT_SET:
		return add_dim(s, "--set", optarg);
	case OPT_PARAM:
		return add_dim(s, "--param", optarg);
	case OPT_CC:
		return add_dim(s, "--cc", optarg);
	case OPT_SEED:
		return add_dim(s, "--seed", optarg);
	case OPT_OUT:
		return parse_text(at->name, &s->out);
	case OPT_JOBS:
		return parse_text(at->name, &s->jobs);
	case OPT_SSH:
		return parse_text(at->name, &s->ssh);
	case OPT_REMOTE_DIR:
		return parse_text(at->name, &s->remote_dir);
	case OPT_RETRIES:
		return parse_retries(s);
	case OPT_SSHLOGIN:
		return parse_list(s);
	case OPT_SLURM_OPT:
		add_word(&s->slurm_opts, &s->n_slurm_opts, optarg);
		return 0;
	case OPT_FORCE:
		s->force = true;
		return 0;
	case OPT_DRY:
		s->dry = true;
		return 0;
	case OPT_SLURM:
		s->slurm = true;
		return 0;
	case OPT_NO_WAIT:
		s->no_wait = true;
		return 0;
	case 'j':
		s->json = true;
		return 0;
	case 'q':
		s->quiet = true;
		return 0;
	}
	add_word(&s->rest, &s->n_rest, xasprintf("--%s", at->name));
	if (opt == OPT_REST_ARG)
		add_word(&s->rest, &s->n_rest, optarg);
	return 0;
}

static int check_combination(const struct sweep *s)
{
	if (s->slurm && s->sshlogin)
		return usage_error("--slurm and --sshlogin: one or the other");
	if (s->no_wait && !s->slurm)
		return usage_error("--no-wait: only with --slurm");
	if (s->n_slurm_opts && !s->slurm)
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
	int opt, at = 0, rc;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, "jqh", options, &at)) != -1) {
		if (opt == 'h') {
			fputs(sweep_help, stdout);
			return -1;
		}
		if (opt == '?')
			return usage_error("%s: unknown option or no value; see \"lab sweep -h\"",
					   argv[optind - 1]);
		rc = parse_option(s, opt, &options[at]);
		if (rc)
			return rc;
	}
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
