// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that run on hosts of the lab: those that a scenario file lists under "programs", and
 * that of "lab exec".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/*
 * Each RDMA device has a directory in sysfs for each node, of 0.7 MB: hosts times nodes of this
 * many take about 1.4 GB.
 */
#define DEVICES_MAX	2048

static void add(struct plan *p, int host, struct json_object *argv, const char *command,
		int64_t start_ns, bool wait, bool show)
{
	struct json_object *o = json_object_new_object(), *list = job_get(p->base, J_PROGRAMS);

	if (!list) {
		list = json_object_new_array();
		job_add(p->base, J_PROGRAMS, list);
	}
	job_add_str(o, J_PROGRAM_HOST, p->nodes[host].name);
	job_add(o, J_PROGRAM_ARGV, argv);
	job_add_str(o, J_PROGRAM_COMMAND, command);
	job_add_int(o, J_PROGRAM_START, start_ns);
	job_add_bool(o, J_PROGRAM_WAIT, wait);
	job_add_bool(o, J_PROGRAM_SHOW, show);
	json_object_array_add(list, o);
}

static int no_host(struct plan *p, const char *name)
{
	const char **names = xcalloc(p->n_hosts, sizeof(*names)), *like;
	int i, n = 0;

	for (i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].host)
			names[n++] = p->nodes[i].name;
	like = nearest(name, names, n);
	usage_error("scenario %s: no host \"%s\" for a program; there are %d: %s%s%s%s%s%s",
		    p->sc->name, name, n, n ? names[0] : "", n > 1 ? " to " : "",
		    n > 1 ? names[n - 1] : "", like ? ", did you mean \"" : "", like ? like : "",
		    like ? "\"?" : "");
	free(names);
	return EXIT_USAGE;
}

static int find_host(struct plan *p, const char *name)
{
	int node = plan_find_node(p, name);

	return node >= 0 && p->nodes[node].host ? node : -1;
}

static int add_listed(struct loop *l, struct json_object *entry)
{
	char *name = plan_name(l, entry, "host"), *command = NULL;
	struct plan *p = l->p;
	struct json_object *argv;
	int host = name ? find_host(p, name) : -1, rc = EXIT_RUN_FAILED;
	double start = 0;

	if (name && host < 0)
		rc = no_host(p, name);
	else if (name)
		command = plan_name(l, entry, "command");
	free(name);
	if (!command)
		return rc;
	if (!*command)
		rc = run_error("scenario %s: a program without \"command\"", p->sc->name);
	else
		rc = plan_number(l, entry, "start", "0", &start);
	if (!rc && start < 0)
		rc = run_error("scenario %s: program: start before 0", p->sc->name);
	if (!rc) {
		argv = json_object_new_array();
		json_object_array_add(argv, json_object_new_string("/bin/sh"));
		json_object_array_add(argv, json_object_new_string("-c"));
		json_object_array_add(argv, json_object_new_string(command));
		add(p, host, argv, command, llround(start), js_bool(entry, "wait", true), false);
	}
	free(command);
	return rc;
}

/* That of "lab exec", on the first host unless another is named. */
static int own_host(struct plan *p)
{
	int host = 0;

	if (p->sc->program_host)
		return find_host(p, p->sc->program_host);
	while (host < p->n_nodes && !p->nodes[host].host)
		host++;
	return host < p->n_nodes ? host : -1;
}

/* As the user wrote it. */
static char *own_command(const struct scenario *sc)
{
	char *command = xstrdup(sc->mpi ? "mpirun" : ""), *more;
	size_t i;

	for (i = 0; i < js_len(sc->program); i++) {
		more = xasprintf("%s%s%s", command, *command ? " " : "",
				 json_object_get_string(js_at(sc->program, i)));
		free(command);
		command = more;
	}
	return command;
}

static int add_own(struct plan *p)
{
	struct scenario *sc = p->sc;
	struct json_object *argv;
	char *command;
	int host, rc;

	if (sc->mpi) {
		rc = mpi_words(p, &argv, &host);
		if (rc)
			return rc;
	} else {
		host = own_host(p);
		if (host < 0)
			return no_host(p, sc->program_host ? sc->program_host : "");
		argv = json_object_get(sc->program);
	}
	command = own_command(sc);
	add(p, host, argv, command, 0, true, true);
	free(command);
	return 0;
}

/**
 * plan_programs() - the programs of a run: they become "programs" of its job
 * @p: plan after topology_expand()
 *
 * Return: 0, or the exit status after a message.
 */
int plan_programs(struct plan *p)
{
	int rc = plan_for_each(p, "programs", add_listed);

	if (!rc && p->sc->program)
		rc = add_own(p);
	if (!rc && js_len(job_get(p->base, J_PROGRAMS)) > PROGRAMS_MAX)
		rc = run_error("scenario %s: more than %d programs", p->sc->name, PROGRAMS_MAX);
	if (!rc && plan_has_programs(p) && (int64_t)p->n_hosts * p->n_nodes > DEVICES_MAX)
		rc = usage_error("scenario %s: programs see the RDMA devices of all hosts, which %d hosts and %d nodes are too many for (at most %d when multiplied)",
				 p->sc->name, p->n_hosts, p->n_nodes, DEVICES_MAX);
	return rc;
}

/* plan_has_programs() - does a run have programs of the user's */
bool plan_has_programs(const struct plan *p)
{
	return job_get(p->base, J_PROGRAMS);
}

/**
 * plan_drop_flows() - of a scenario's traffic only the round trip time is of interest
 * @p: plan with all flows
 */
void plan_drop_flows(struct plan *p)
{
	p->n_flows = 0;
	p->n_listed = 0;
	p->own_groups = false;
	p->stop_ns = 0;
	json_object_put(p->traffic);
	p->traffic = NULL;
}
