// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: many runs side by side. This file: the order of things.
 */
#include <stdlib.h>

#include "sweep/sweep.h"

static const struct sweep_engine *engine_of(const struct sweep *s)
{
	return s->slurm ? &engine_slurm : &engine_parallel;
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

static int run_all(struct sweep *s)
{
	int rc = sweep_write_todo(s, "runs", NULL, s->n_runs) ?: rerun_notes_write(s);

	if (rc)
		return rc;
	rerun_notes_load_failed(s);
	progress_start(s);
	/* What an interrupted sweep did not get to. */
	if (s->force)
		sweep_forget_archives(s);
	sweep_merge_all(s);
	if (count_state(s, RUN_MISSING))
		rc = engine_of(s)->run(s);
	progress_end(s);
	if (work_interrupted())
		return run_error("interrupted after %zu of %zu runs; the same command goes on",
				 count_state(s, RUN_DONE), s->n_runs);
	return rc || (s->no_wait && count_state(s, RUN_MISSING)) ? rc : print_table(s);
}

static int check_all(struct sweep *s)
{
	char *kdir = kernel_dir_built(s->debug);
	int rc;

	s->commit = build_commit(kdir);
	s->build = build_fingerprint(kdir);
	free(kdir);
	rc = engine_of(s)->check(s);
	if (!rc && s->sshlogin)
		rc = check_hosts(s);
	if (!rc)
		rc = sweep_open(s);
	if (!rc)
		rc = finish_runs(s);
	return rc ? rc : check_results(s);
}

/**
 * sweep() - lab sweep
 * @s: command line
 *
 * Return: exit status, after a message where it is not 0.
 */
int sweep(struct sweep *s)
{
	int rc;

	work_catch();
	set_ssh(s);
	rc = check_first(s);
	if (!rc && s->dry) {
		rc = check_results(s);
		if (!rc)
			print_commands(s);
		return rc;
	}
	if (!rc)
		rc = check_all(s);
	if (!rc)
		rc = run_all(s);
	sweep_close(s);
	return rc;
}
