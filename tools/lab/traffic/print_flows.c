// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the flows of a plan, as a file that flows_file takes, and what they are in all.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

static int write_flows(struct plan *p, const char *path)
{
	bool out = strcmp(path, "-") == 0;
	char *tmp = xasprintf("%s.%d.tmp", path, (int)getpid());
	FILE *f = out ? stdout : fopen(tmp, "we");
	int i, rc = 0;

	if (f)
		fprintf(f, "id,src,dst,bytes,start_ns%s%s\n",
			p->after.n ? ",after,after_start,delay_ns" : "",
			p->own_groups ? ",group" : "");
	for (i = 0; f && i < p->n_flows; i++) {
		const char *group = p->groups[p->flows[i].group];

		fprintf(f, "%d,%s,%s,%" PRId64 ",%" PRId64, i, p->nodes[p->flows[i].src].name,
			p->nodes[p->flows[i].dst].name, p->flows[i].bytes, p->flows[i].start_ns);
		if (p->after.n)
			plan_after_write(p, i, f);
		if (p->own_groups)
			fprintf(f, ",%s", group ? group : "");
		fputc('\n', f);
	}
	/* Under another name first: a file that is there is whole. Of stdout main() says. */
	if (!out && (!f || file_close(f) || rename(tmp, path))) {
		rc = run_error("--out %s: %s", path, strerror(errno));
		unlink(tmp);
	}
	free(tmp);
	return rc;
}

/* Smallest and largest of what hosts send, or get: flows and bytes. */
static struct json_object *per_host(struct plan *p, bool send)
{
	int64_t *bytes = xcalloc(p->n_nodes, sizeof(*bytes)), *flows, min[2], max[2] = {};
	struct json_object *o = json_object_new_object();
	int i;

	flows = xcalloc(p->n_nodes, sizeof(*flows));
	for (i = 0; i < p->n_flows; i++) {
		bytes[send ? p->flows[i].src : p->flows[i].dst] += p->flows[i].bytes;
		flows[send ? p->flows[i].src : p->flows[i].dst]++;
	}
	min[0] = INT64_MAX;
	min[1] = INT64_MAX;
	for (i = 0; i < p->n_nodes; i++) {
		if (!p->nodes[i].host)
			continue;
		min[0] = flows[i] < min[0] ? flows[i] : min[0];
		max[0] = flows[i] > max[0] ? flows[i] : max[0];
		min[1] = bytes[i] < min[1] ? bytes[i] : min[1];
		max[1] = bytes[i] > max[1] ? bytes[i] : max[1];
	}
	js_add_int(o, "flows_min", min[0]);
	js_add_int(o, "flows_max", max[0]);
	js_add_int(o, "bytes_min", min[1]);
	js_add_int(o, "bytes_max", max[1]);
	free(bytes);
	free(flows);
	return o;
}

static struct json_object *groups_json(struct plan *p)
{
	struct json_object *o = json_object_new_object(), *g;
	int64_t bytes, flows, measured;
	int i, k;

	for (k = 0; k < p->n_groups; k++) {
		bytes = 0;
		flows = 0;
		measured = 0;
		for (i = 0; i < p->n_flows; i++) {
			struct lab_flow *f = &p->flows[i];

			if (f->group != k)
				continue;
			bytes += f->bytes;
			flows++;
			measured += f->start_ns >= p->measure_from_ns &&
				    f->start_ns < p->measure_to_ns;
		}
		if (!flows)
			continue;
		g = json_object_new_object();
		js_add_int(g, "flows", flows);
		js_add_int(g, "measured", measured);
		js_add_int(g, "bytes", bytes);
		json_object_object_add(o, k ? p->groups[k] : "scenario", g);
	}
	return o;
}

static struct json_object *all_json(struct plan *p)
{
	struct json_object *o = json_object_new_object();

	js_add_str(o, "scenario", p->sc->name);
	js_add_int(o, "hosts", p->n_hosts);
	js_add_int(o, "flows", p->n_flows);
	json_object_object_add(o, "traffic", json_object_get(p->traffic));
	json_object_object_add(o, "groups", groups_json(p));
	json_object_object_add(o, "sent", per_host(p, true));
	json_object_object_add(o, "received", per_host(p, false));
	js_add_int(o, "expected_ns", p->expect_ns);
	return o;
}

static void print_hosts(struct json_object *all, const char *what)
{
	struct json_object *o = js_get(all, what);

	printf("%-9s by host %6" PRId64 " .. %-6" PRId64 " flows, %.3f .. %.3f MB\n", what,
	       js_int(o, "flows_min", 0), js_int(o, "flows_max", 0),
	       js_int(o, "bytes_min", 0) / 1e6, js_int(o, "bytes_max", 0) / 1e6);
}

static void print_table(struct json_object *all)
{
	struct json_object *t = js_get(all, "traffic"), *groups = js_get(all, "groups");

	printf("%s: %" PRId64 " hosts, %" PRId64 " flows", js_str(all, "scenario", ""),
	       js_int(all, "hosts", 0), js_int(all, "flows", 0));
	if (t)
		printf(" in %.3f ms", js_int(t, "duration_ns", 0) / 1e6);
	printf("; at least %.3f ms\n", js_int(all, "expected_ns", 0) / 1e6);
	if (t && js_get(t, "load"))
		printf("load %.4f of the %s asked for, %.4f offered\n", js_dbl(t, "load", 0),
		       js_str(t, "load_of", ""), js_dbl(t, "load_offered", 0));
	else if (t)
		printf("load %.4f of the %s offered\n", js_dbl(t, "load_offered", 0),
		       js_str(t, "load_of", ""));
	if (js_get(t, "cdf_mean_bytes"))
		printf("mean size %.1f bytes drawn, %.1f of the distribution\n",
		       js_dbl(t, "mean_bytes", 0), js_dbl(t, "cdf_mean_bytes", 0));
	json_object_object_foreach(groups, name, g)
		printf("%-9s %7" PRId64 " flows, %" PRId64 " measured, %.3f MB\n", name,
		       js_int(g, "flows", 0), js_int(g, "measured", 0),
		       js_int(g, "bytes", 0) / 1e6);
	print_hosts(all, "sent");
	print_hosts(all, "received");
}

/**
 * traffic_show() - what would be sent
 * @p: plan
 * @out: file for the flows, "-" is standard output instead of the table; or NULL
 * @json: the table as JSON
 *
 * Return: 0, or the exit status after a message.
 */
int traffic_show(struct plan *p, const char *out, bool json)
{
	struct json_object *all;

	if (out && write_flows(p, out))
		return EXIT_RUN_FAILED;
	if (out && strcmp(out, "-") == 0)
		return 0;
	all = all_json(p);
	if (json)
		printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	else
		print_table(all);
	json_object_put(all);
	return 0;
}
