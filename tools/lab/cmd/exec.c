// SPDX-License-Identifier: GPL-2.0
/*
 * lab exec, lab mpirun: the command line.
 */
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

#define TIMEOUT_S	1800
/* Shell convention for a program that a signal has ended. */
#define BY_SIGNAL	128

static const struct options exec_options = {
	.command = "lab exec", .rows = run_rows, .in = FOR_EXEC, .indent = 2, .column = 19,
	.before =
"Usage: lab exec SCENARIO [OPTIONS] -- PROGRAM [ARGUMENTS]\n\n"
"Runs a program in virtual time on a host of the scenario's network, under each\n"
"algorithm in turn. The network is set up as for \"lab run\", without its flows\n"
"unless --traffic says so. What the program prints goes to stdout and to a file,\n"
"the table of the network to stderr, results to DIR/SCENARIO/CC/seedN/.\n\n"
"The program is in the network namespace of its host. It finds the RDMA devices of\n"
"all hosts (rxe_HOST, GID index 1), the host's address, and the commands of this\n"
"project in its PATH. The file system is the host's, it begins in the directory of\n"
"the user, standard input is empty. The environment is that of the lab, not yours.\n"
"What it leaves running is ended with it. After 16 MiB of output it is killed, and at\n"
"the key limit it is ended (62 s of virtual time, unless --set limit says otherwise).\n\n"
"Exit status: the program's, 128 + N if signal N ended it, 127 if it is not there;\n"
"1 also if the lab failed or has ended the program, 2 also for bad arguments. Of\n"
"several algorithms the first status that is not 0.\n\n",
};

static const struct options mpirun_options = {
	.command = "lab mpirun", .rows = run_rows, .in = FOR_MPIRUN, .indent = 2, .column = 19,
	.before =
"Usage: lab mpirun SCENARIO [OPTIONS] -- PROGRAM [ARGUMENTS]\n\n"
"Starts the ranks of an MPI program on the hosts of the scenario, in virtual time,\n"
"under each algorithm in turn: as lab exec does with one program. Each rank uses the\n"
"RDMA device of its host by UCX (UCX_NET_DEVICES, UCX_TLS), ranks of one host too.\n"
"For programs of MPICH, and of Open MPI with UCX. If a rank fails, all are ended.\n\n"
"The run fails if less has gone through the port of a host than its ranks must have\n"
"sent to other hosts, or received from them: then it went another way.\n\n"
"Exit status: of the first rank that failed, 128 + N if signal N ended it; else as\n"
"lab exec.\n\n",
};

/* Of the summary that the run has written; 0 if the lab has ended the program. */
static int status_of(const struct cmd *c, const char *cc)
{
	char *name = result_dir_name(c->sc->name, cc, c->o.seed), *err = NULL;
	char *path = xasprintf("%s/%s/summary.json", c->o.out, name);
	struct json_object *s = js_load(path, &err), *list, *p;
	int status;

	list = js_get(s, "programs");
	p = js_at(list, js_len(list) ? js_len(list) - 1 : 0);
	if (js_bool(p, "stopped", false) || js_bool(p, "too_much_output", false))
		p = NULL;
	status = js_get(p, "signal") ? BY_SIGNAL + js_int(p, "signal", 0) :
				       js_int(p, "exit_status", 0);
	json_object_put(s);
	free(err);
	free(path);
	free(name);
	return status;
}

/* The word behind "-d" or "--ib-dev", as programs of libibverbs and perftest have it. */
static const char *device_of(struct json_object *words)
{
	const char *word, *next;
	size_t i;

	for (i = 1; i < js_len(words); i++) {
		word = json_object_get_string(js_at(words, i));
		next = json_object_get_string(js_at(words, i + 1));
		if (strncmp(word, "--ib-dev=", 9) == 0)
			return word + 9;
		if (next && (strcmp(word, "-d") == 0 || strcmp(word, "--ib-dev") == 0))
			return next;
	}
	return NULL;
}

/* A program that has failed may have been given a device that is not there. */
static void check_device(const struct cmd *c)
{
	const char *dev = device_of(c->sc->program), **names, *like;
	const struct plan *p = c->plan;
	bool found = false;
	int i, n = 0;

	if (!dev)
		return;
	names = xcalloc(p->n_hosts, sizeof(*names));
	for (i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].host)
			names[n++] = xasprintf("rxe_%s", p->nodes[i].name);
	for (i = 0; i < n; i++)
		found |= strcmp(names[i], dev) == 0;
	like = nearest(dev, names, n);
	if (!found)
		run_error("no RDMA device \"%s\" in this lab; there are %d, %s to %s%s%s%s", dev, n,
			  names[0], names[n - 1], like ? ", did you mean \"" : "", like ? like : "",
			  like ? "\"?" : "");
	for (i = 0; i < n; i++)
		free((char *)names[i]);
	free(names);
}

static int run(struct cmd *c)
{
	int rc = c->o.dry ? cmd_dry(c) : uml_check_room(cmd_mem_mb(c)), status = 0;
	size_t i;

	if (rc || c->o.dry)
		return rc;
	rc = cmd_run_all(c);
	if (rc && rc != EXIT_RUN_FAILED)
		return rc;
	for (i = 0; i < c->o.n_ccs && !status; i++)
		status = c->ran ? status_of(c, c->o.ccs[i]) : 0;
	if (status && !c->sc->mpi)
		check_device(c);
	return status ? status : rc;
}

static int start(const struct options *options, bool mpi, int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .out = RESULTS_DIR, .timeout_s = TIMEOUT_S } };
	struct json_object *words = json_object_new_array();
	int n = 0, i, rc;

	while (n < argc && strcmp(argv[n], "--"))
		n++;
	for (i = n + 1; i < argc; i++)
		json_object_array_add(words, json_object_new_string(argv[i]));
	rc = cmd_parse(&c, options, n, argv);
	if (rc) {
		json_object_put(words);
		return rc < 0 ? EXIT_OK : rc;
	}
	if (!js_len(words)) {
		rc = usage_error("no program; see \"%s --help\"", options->command);
	} else {
		c.sc->program = json_object_get(words);
		c.sc->program_host = c.on;
		c.sc->mpi = mpi;
		c.sc->mpi_ranks = c.ranks;
		c.sc->mpi_map = c.map;
		c.sc->no_flows = !c.traffic;
		rc = cmd_plan(&c);
		if (!rc)
			rc = run(&c);
	}
	json_object_put(words);
	cmd_free(&c);
	return rc;
}

int cmd_exec(int argc, char **argv)
{
	return start(&exec_options, false, argc, argv);
}

int cmd_mpirun(int argc, char **argv)
{
	return start(&mpirun_options, true, argc, argv);
}
