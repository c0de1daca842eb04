/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab sweep: what its files share.
 *
 * sweep.c has the order of things: values_to_runs.c makes the runs of the command line,
 * check_before_runs.c refuses what cannot run and finds what has run already. What is left goes
 * to GNU parallel (gnu_parallel.c) or to Slurm (slurm.c), which start worker.c once for each
 * run, here or elsewhere. A worker leaves one archive; sweep_dir.c unpacks it into the run's
 * place. progress.c tells how far that is, joint_table.c and means_over_seeds.c what came out.
 */
#ifndef LAB_SWEEP_SWEEP_H
#define LAB_SWEEP_SWEEP_H

#include "lib/child.h"
#include "lib/options.h"
#include "run/run.h"

#define SWEEP_DIR	".sweep"	/* in --out, hidden from "lab report" */
#define POLL_NS		(NSEC_PER_SEC / 5)

enum run_state {
	RUN_MISSING,		/* nothing known yet, or to be run again */
	RUN_DONE,		/* results are in their place */
};

struct sweep_run {
	struct option_list args;	/* of "lab run", without --out */
	char *options;			/* those that vary, for messages */
	char *point;			/* KEY=VALUE,... of keys with several values */
	char *name;			/* in tables: point, algorithm, seed */
	char *place;			/* POINT/SCENARIO/CC/seedN */
	char *key;			/* names what belongs to this run in SWEEP_DIR */
	char *line;			/* what the worker is told, JSON on one line */
	char *why;			/* of a run that failed: its last message */
	enum run_state state;
};

/* One --set, --param, --cc or --seed with its values. */
struct dim {
	const char *opt;
	char *prefix;			/* "KEY=" or "" */
	struct option_list values;
};

struct sweep {
	const char *scenario, *out, *jobs, *ssh, *remote_dir;
	char *name;			/* of the scenario, which may be a file */
	char *sshlogin;
	bool dry, force, json, quiet, slurm, no_wait, debug;
	uint64_t retries;		/* tries of a run in all; 0: not given */
	struct dim *dims;
	size_t n_dims;
	struct option_list rest;	/* options for every run */
	struct option_list slurm_opts;
	struct option_list files;	/* that values name, as they are written */
	struct sweep_run *runs;
	size_t n_runs;
	char *commit, *build;		/* what runs here and must run elsewhere */
	char *dir;			/* SWEEP_DIR, absolute */
	int lock_fd;
	bool made_out;			/* --out was not there before */
	struct progress {
		bool tty;
		size_t before;		/* runs that were there at the start */
		int64_t start_ns, shown_ns;
	} progress;
};

/* values_to_runs.c */
struct dim *dim_of(struct sweep *s, const char *opt);
int add_dim(struct sweep *s, const char *opt, const char *arg);
int make_runs(struct sweep *s);
int finish_runs(struct sweep *s);
size_t count_state(const struct sweep *s, enum run_state state);
struct sweep_run **missing_runs(struct sweep *s, const bool *queued, size_t *n);
char *sweep_path(const struct sweep *s, const char *name);
char *shell_quote(const char *text);
void print_commands(struct sweep *s);
const char *lab_program(struct sweep *s);

/* check_before_runs.c */
int check_params(struct sweep *s);
int check_options(struct sweep *s);
int check_results(struct sweep *s);

/* rerun_notes.c */
int rerun_notes_check(struct sweep *s);
int rerun_notes_write(struct sweep *s);
void rerun_notes_add_failed(struct sweep *s, const struct sweep_run *r);
void rerun_notes_load_failed(struct sweep *s);

/* sweep_dir.c */
int sweep_open(struct sweep *s);
void sweep_close(struct sweep *s);
void sweep_forget_archives(struct sweep *s);
void sweep_merge_all(struct sweep *s);
int sweep_wait(struct sweep *s, bool (*ended)(struct sweep *s, void *ctx), void *ctx);
int sweep_write_todo(struct sweep *s, const char *name, struct sweep_run **runs, size_t n);

/* gnu_parallel.c, slurm.c: what starts workers. Runs without results are not its business. */
struct sweep_engine {
	int (*check)(struct sweep *s);	/* can it */
	int (*run)(struct sweep *s);	/* what is missing */
};

extern const struct sweep_engine engine_parallel, engine_slurm;

/* ssh_hosts_check.c */
void set_ssh(struct sweep *s);
int check_hosts(struct sweep *s);

/* sweep.c */
int sweep(struct sweep *s);

/* worker.c */
int sweep_worker(int argc, char **argv);

/* progress.c */
void progress_start(struct sweep *s);
void progress_run(struct sweep *s, const struct sweep_run *r);
void progress_tick(struct sweep *s);
void progress_end(struct sweep *s);

/* joint_table.c */
struct json_object *run_summary(const struct sweep *s, const struct sweep_run *r, char **err);
int print_table(struct sweep *s);

/* means_over_seeds.c */
void means_over_seeds(const struct sweep *s);

/* program_output.c */
int program_output(char *const argv[], const char *dir, char **out);
char *first_line(const char *text);
int program_error(const char *what, const char *out);

#endif /* LAB_SWEEP_SWEEP_H */
