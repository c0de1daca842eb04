// SPDX-License-Identifier: GPL-2.0
/*
 * "lab mpirun": which hosts the ranks are on. One program of the lab, labmpi, starts them all.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

static int no_hosts(struct plan *p, const char *what)
{
	return usage_error("scenario %s: --map: no host \"%s\"", p->sc->name, what);
}

/* Those of one part of the map, in the order of the scenario, behind the others. */
static int add_part(struct plan *p, const char *part, int **hosts, int *n)
{
	bool *which = xcalloc(p->n_nodes, sizeof(*which));
	char *wrong = plan_nodes_of(p, part, true, which);
	int i, rc = wrong ? no_hosts(p, wrong) : 0;

	for (i = 0; i < p->n_nodes && !rc; i++) {
		if (!which[i])
			continue;
		*hosts = xreallocarray(*hosts, *n + 1, sizeof(**hosts));
		(*hosts)[(*n)++] = i;
	}
	free(wrong);
	free(which);
	return rc;
}

static int read_map(struct plan *p, int **hosts, int *n)
{
	char *text = xstrdup(p->sc->mpi_map ? p->sc->mpi_map : "all"), *rest = text, *part;
	int rc = 0;

	while (!rc && (part = strsep(&rest, ",")))
		rc = add_part(p, part, hosts, n);
	free(text);
	return rc;
}

/**
 * mpi_words() - what starts the ranks of "lab mpirun"
 * @p: plan after topology_expand()
 * @argv: receives the program and its arguments
 * @host: receives the node of the first rank
 *
 * Return: 0, or the exit status after a message.
 */
int mpi_words(struct plan *p, struct json_object **argv, int *host)
{
	struct scenario *sc = p->sc;
	int *hosts = NULL, n = 0, ranks, i, rc = read_map(p, &hosts, &n);
	char *list = xstrdup(""), *more;

	if (!rc) {
		ranks = sc->mpi_ranks ? (int)sc->mpi_ranks : n;
		for (i = 0; i < ranks; i++) {
			more = xasprintf("%s%s%s", list, i ? "," : "", p->nodes[hosts[i % n]].name);
			free(list);
			list = more;
		}
		*host = hosts[0];
		*argv = json_object_new_array();
		more = xasprintf("%s/build/bin/labmpi", lab_root());
		json_object_array_add(*argv, json_object_new_string(more));
		free(more);
		json_object_array_add(*argv, json_object_new_string(list));
		for (i = 0; i < (int)js_len(sc->program); i++)
			json_object_array_add(*argv, json_object_get(js_at(sc->program, i)));
	}
	free(list);
	free(hosts);
	return rc;
}
