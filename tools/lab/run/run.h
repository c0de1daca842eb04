/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: struct cmd: the options, scenario and plan that "lab run", "lab shell", "lab sweep" and
 * the backends share. Also what "lab list" prints.
 */
#ifndef LAB_RUN_RUN_H
#define LAB_RUN_RUN_H

#include "lab.h"

struct cmd {
	struct run_opts o;
	struct scenario *sc;
	struct plan *plan;
	char *kdir;			/* kernel and modules */
	struct option_list sets, ats;
	const char *ccs;		/* --cc, --clock, --backend, if given */
	const char *clock;
	const char *backend;
	bool events;
	const char *on;			/* lab exec: host of the program; NULL: the first */
	bool ran;			/* there are results of this run */
	bool traffic;			/* lab exec: the scenario's flows beside it */
	uint64_t ranks;			/* lab mpirun; 0: not said */
	const char *map;		/* lab mpirun: hosts of the ranks; NULL: not said */
	struct uml_copies *copies;	/* one boot for all runs; NULL: one each */
};

/* run/options.c */
#define FOR_EXEC	1u		/* of run_rows: besides what all commands have */
#define FOR_OTHERS	2u
#define FOR_MPIRUN	4u

extern const struct option_row run_rows[];
int cmd_parse(struct cmd *c, const struct options *options, int argc, char **argv);
int cmd_prepare(struct cmd *c, const struct options *options, int argc, char **argv);
int cmd_plan(struct cmd *c);
void cmd_free(struct cmd *c);

/* boot/uml_backend.c */
int64_t cmd_mem_mb(const struct cmd *c);
bool uml_can_copy(const struct cmd *c);

/* boot/kernel_param_tables.c */
struct json_object *kernel_param_tables(const char *kdir, bool debug);

/* run/check_params_known.c */
int params_known(const struct cmd *c);
int timeline_known(const struct cmd *c);

/* run/describe_algorithm.c */
struct json_object *algo_describe(const char *kdir, const char *algo);
void algo_print(struct json_object *o);
void algo_words(struct json_object *o);

/* run/ask_kernel.c */
struct uml cmd_uml(const struct cmd *c, const char *work, const char *label);
int cmd_ask_kernel(struct cmd *c, const char *label, struct json_object *ccs);
int cmd_dry(struct cmd *c);

/* run/run.c */
int cmd_run_all(struct cmd *c);

/* run/shell.c */
int cmd_shell_in(struct cmd *c);

/* run/list_scenarios_algorithms.c */
int list_all(bool json);
int list_one(const char *name, bool json);

#endif /* LAB_RUN_RUN_H */
