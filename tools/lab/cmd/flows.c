// SPDX-License-Identifier: GPL-2.0
/*
 * lab flows: the traffic of a scenario, without a run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

static const char flows_help[] =
"Usage: lab flows SCENARIO [OPTIONS]\n\n"
"Draws the flows that \"lab run\" would run and says what was drawn: the load that\n"
"they offer, their sizes, how they are spread over the hosts. Runs nothing.\n\n"
"  --set KEY=VALUE  as for \"lab run\"\n"
"  --seed N         as for \"lab run\" (1)\n"
"  --out FILE       write the flows, id,src,dst,bytes,start_ns, which the key\n"
"                   flows_file takes; - is standard output instead of the table\n"
"  -j, --json       print the table as JSON\n"
"  -h, --help       this text\n";

struct args {
	const char *scenario, *out;
	char **sets;
	size_t n_sets;
	uint64_t seed;
	bool json, help;
};

static int parse_seed(const char *text, uint64_t *seed)
{
	char *end;

	errno = 0;
	*seed = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || *seed > INT64_MAX)
		return usage_error("--seed %s: not a whole number of at least 0", text);
	return 0;
}

static int parse(struct args *a, int argc, char **argv)
{
	int i, rc;

	for (i = 1; i < argc; i++) {
		bool set = strcmp(argv[i], "--set") == 0, seed = strcmp(argv[i], "--seed") == 0;
		bool out = strcmp(argv[i], "--out") == 0;

		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			a->help = true;
			return 0;
		}
		if ((set || seed || out) && i + 1 == argc)
			return usage_error("%s: missing value; see \"lab flows --help\"", argv[i]);
		if (set) {
			a->sets = xrealloc(a->sets, (a->n_sets + 1) * sizeof(*a->sets));
			a->sets[a->n_sets++] = argv[++i];
		} else if (seed) {
			rc = parse_seed(argv[++i], &a->seed);
			if (rc)
				return rc;
		} else if (out) {
			a->out = argv[++i];
		} else if (strcmp(argv[i], "-j") == 0 || strcmp(argv[i], "--json") == 0) {
			a->json = true;
		} else if (argv[i][0] != '-' && !a->scenario) {
			a->scenario = argv[i];
		} else {
			return usage_error("unexpected \"%s\"; see \"lab flows --help\"", argv[i]);
		}
	}
	if (!a->scenario)
		return usage_error("exactly one scenario expected; see \"lab flows --help\"");
	return 0;
}

static int write_flows(struct plan *p, const char *path)
{
	bool out = strcmp(path, "-") == 0;
	char *tmp = xasprintf("%s.%d.tmp", path, (int)getpid());
	FILE *f = out ? stdout : fopen(tmp, "we");
	int i, rc = 0;

	if (f)
		fprintf(f, "id,src,dst,bytes,start_ns\n");
	for (i = 0; f && i < p->n_flows; i++)
		fprintf(f, "%d,%s,%s,%" PRId64 ",%" PRId64 "\n", i, p->nodes[p->flows[i].src].name,
			p->nodes[p->flows[i].dst].name, p->flows[i].bytes, p->flows[i].start_ns);
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

static int show(struct args *a, struct plan *p)
{
	struct json_object *all;

	if (a->out && write_flows(p, a->out))
		return EXIT_RUN_FAILED;
	if (a->out && strcmp(a->out, "-") == 0)
		return 0;
	all = all_json(p);
	if (a->json)
		printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	else
		print_table(all);
	json_object_put(all);
	return 0;
}

int cmd_flows(int argc, char **argv)
{
	struct args a = { .seed = 1 };
	struct scenario *sc;
	struct plan *p = NULL;
	size_t i;
	int rc;

	rc = parse(&a, argc, argv);
	if (a.help)
		fputs(flows_help, stdout);
	if (rc || a.help)
		return rc;
	sc = scenario_load(a.scenario);
	if (!sc)
		return EXIT_USAGE;
	for (i = 0; i < a.n_sets && !rc; i++)
		rc = scenario_set(sc, a.sets[i]);
	if (!rc)
		rc = plan_resolve(sc);
	if (!rc)
		rc = plan_build(sc, a.seed, &p);
	if (!rc)
		rc = show(&a, p);
	if (p)
		plan_free(p);
	scenario_free(sc);
	free(a.sets);
	return rc;
}
