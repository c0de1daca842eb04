// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "mpi" of summary.json: what the ranks of "lab mpirun" must have sent and received, beside
 * what the ports of their hosts have counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* Bytes on the wire, of all links of a host: from it, or to it. */
static int64_t wire_bytes(struct results *r, const char *host, bool from)
{
	struct json_object *ports = js_get(r->totals, "ports");
	struct plan *p = r->plan;
	int node = plan_find_node(p, host), i;
	int64_t all = 0;

	for (i = 0; i < p->n_links; i++) {
		const struct lab_link *l = &p->links[i];
		int other = l->a == node ? l->b : l->a;
		char *name;

		if (l->a != node && l->b != node)
			continue;
		name = xasprintf("%s-%s", p->nodes[from ? node : other].name,
				 p->nodes[from ? other : node].name);
		all += port_figure(js_get(ports, name), "tx_wire_bytes", false);
		free(name);
	}
	return all;
}

/**
 * results_mpi() - "mpi": hosts with ranks, and by their ports
 * @r: results, with the totals
 *
 * Ranks that have not called MPI_Finalize() have told nothing.
 *
 * Return: 0, or the exit status after a message.
 */
int results_mpi(struct results *r)
{
	char *path = xasprintf("%s/" MPI_FILE, r->raw), *err = NULL;
	struct json_object *o = NULL, *hosts, *h;
	size_t i;
	int rc = 0;

	if (r->plan->sc->mpi && path_exists(path)) {
		o = js_load(path, &err);
		if (!o)
			rc = run_error("%s", err);
	}
	hosts = js_get(o, "hosts");
	for (i = 0; i < js_len(hosts); i++) {
		h = js_at(hosts, i);
		js_add_int(h, "port_sent_bytes", wire_bytes(r, js_str(h, "host", ""), true));
		js_add_int(h, "port_got_bytes", wire_bytes(r, js_str(h, "host", ""), false));
	}
	if (o)
		json_object_object_add(r->summary, "mpi", o);
	free(err);
	free(path);
	return rc;
}

static bool missed(struct json_object *host, const char *told, const char *port, const char *label,
		   const char *what)
{
	int64_t least = js_int(host, told, 0), seen = js_int(host, port, 0);

	if (seen >= least)
		return false;
	run_error("%s: ranks of %s must have %s at least %" PRId64 " bytes, and %" PRId64
		  " have gone through its port: the rest went another way, as shared memory", label,
		  js_str(host, "host", "?"), what, least, seen);
	return true;
}

/**
 * results_mpi_missed() - say which hosts' ranks did not use the network
 * @r: results
 * @label: of the run, for messages
 *
 * Return: is there one?
 */
bool results_mpi_missed(const struct results *r, const char *label)
{
	struct json_object *hosts = js_get(js_get(r->summary, "mpi"), "hosts");
	bool any = false;
	size_t i;

	for (i = 0; i < js_len(hosts) && !any; i++)
		any = missed(js_at(hosts, i), "sent_bytes", "port_sent_bytes", label, "sent") ||
		      missed(js_at(hosts, i), "got_bytes", "port_got_bytes", label, "received");
	return any;
}

/* results_mpi_calls() - calls that ranks have told of; -1: there are no ranks */
int64_t results_mpi_calls(const struct results *r)
{
	struct json_object *hosts = js_get(js_get(r->summary, "mpi"), "hosts");
	int64_t calls = 0;
	size_t i;

	if (!hosts)
		return -1;
	for (i = 0; i < js_len(hosts); i++)
		calls += js_int(js_at(hosts, i), "calls", 0);
	return calls;
}
