// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the table at the end of "lab run".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

#define DASH	"-"
#define KIB	1024.0
#define NAME_WIDTH	12	/* at least */
#define PAUSE_COLUMNS	2
#define RUN		"run"	/* what a sweep calls one */

static char *num(struct json_object *o, const char *name, double scale, const char *fmt)
{
	struct json_object *v = js_get(o, name);
	char text[64];

	if (!v)
		return xstrdup(DASH);
	snprintf(text, sizeof(text), fmt, json_object_get_double(v) / scale);
	return xstrdup(text);
}

/* Of one "lab run" the item of --cc tells which. */
static const char *run_label(struct json_object *s)
{
	return js_str(s, RUN, js_str(s, "label", js_str(s, "cc", "?")));
}

/* What a run is called: the item of --cc and the seed, or as the sweep has it. */
static char *run_name(struct json_object *s)
{
	if (js_get(s, RUN))
		return xstrdup(run_label(s));
	return xasprintf("%s/%" PRId64, run_label(s), js_int(s, "seed", 0));
}

/* "dcqcn/1  842/842", flows completed of those started, as wide in both tables. */
static void print_name(struct json_object *s, struct json_object *flows, int name_width)
{
	char *name = run_name(s), done[48];

	/* Those that were stopped as planned are not waited for. */
	snprintf(done, sizeof(done), "%" PRId64 "/%" PRId64, js_int(flows, "completed", 0),
		 js_int(flows, "count", 0) - js_int(flows, "stopped", 0));
	printf("%-*s %-5s", name_width, name, done);
	free(name);
}

/*
 * Of what the table depends on: two columns more where ports pause each other, and one for
 * the port where the runs have a busiest one of their own each.
 */
struct columns {
	bool pauses, port;
};

static void print_row(struct json_object *s, int name_width, struct columns c)
{
	struct json_object *flows = js_get(s, "flows"), *fct = js_get(flows, "fct_ns");
	struct json_object *b = js_get(s, "bottleneck"), *q = js_get(b, "queue_bytes");
	char *cell[] = {
		num(s, "goodput_bps", 1e9, "%.3f"), num(fct, "p50", 1e3, "%.1f"),
		num(fct, "p99", 1e3, "%.1f"), num(js_get(flows, "slowdown"), "p99", 1, "%.2f"),
		num(s, "jain", 1, "%.3f"), num(b, "utilization", 0.01, "%.2f"),
		num(q, "mean", KIB, "%.1f"), num(q, "p99", KIB, "%.1f"),
		num(q, "max", KIB, "%.1f"), num(b, "ecn_marked", 1, "%.0f"),
		num(js_get(s, "cnp"), "handled", 1, "%.0f"),
		num(js_get(s, "drops"), "total", 1, "%.0f"), num(s, "retransmits", 1, "%.0f"),
		num(js_get(s, "pfc"), "pause_ratio", 0.01, "%.2f"),
		num(js_get(s, "pfc"), "pause_frames", 1, "%.0f"),
	};
	static const int width[] = { 9, 10, 10, 9, 6, 7, 9, 9, 9, 8, 8, 9, 8, 7, 7 };
	size_t i;

	print_name(s, flows, name_width);
	for (i = 0; i < ARRAY_SIZE(cell); i++) {
		if (c.pauses || i < ARRAY_SIZE(cell) - PAUSE_COLUMNS)
			printf(" %*s", width[i], cell[i]);
		free(cell[i]);
	}
	if (c.port)
		printf("  %s", js_str(b, "port", DASH));
	putchar('\n');
}

/* Under a workload: what counts are the slowdowns of the flows that are measured. */
static void print_traffic_row(struct json_object *s, int name_width)
{
	struct json_object *m = js_get(s, "measured"), *all = js_get(m, "slowdown");
	char *cell[] = {
		num(m, "flows", 1, "%.0f"),
		num(m, "load_offered", 0.01, "%.2f"), num(m, "load_carried", 0.01, "%.2f"),
		num(all, "p50", 1, "%.3f"), num(all, "p95", 1, "%.3f"), num(all, "p99", 1, "%.2f"),
		num(js_get(m, "short"), "p50", 1, "%.3f"),
		num(js_get(m, "short"), "p99", 1, "%.2f"),
		num(js_get(m, "long"), "p50", 1, "%.2f"), num(js_get(m, "long"), "p99", 1, "%.2f"),
		num(js_get(s, "pfc"), "pause_ratio", 0.01, "%.3f"),
		num(js_get(s, "drops"), "total", 1, "%.0f"), num(s, "retransmits", 1, "%.0f"),
	};
	static const int width[] = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 8, 9, 8 };
	size_t i;

	print_name(s, js_get(s, "flows"), name_width);
	for (i = 0; i < ARRAY_SIZE(cell); i++) {
		printf(" %*s", width[i], cell[i]);
		free(cell[i]);
	}
	putchar('\n');
}

/* Each job of a collective operation, and which flow of those that it waited for was slowest. */
static void print_collectives(struct json_object *all)
{
	bool head = false;
	size_t i, k;

	for (i = 0; i < js_len(all); i++) {
		struct json_object *jobs = js_get(js_at(all, i), "collectives");
		char *name = run_name(js_at(all, i));

		if (jobs && !head)
			printf("\n%-24s %4s %-18s %5s %12s %12s %9s  %s\n", "cc/seed", "job",
			       "collective", "ranks", "complete us", "ideal us", "bus Gbit/s",
			       "slowest step of its path");
		head |= !!jobs;
		for (k = 0; k < js_len(jobs); k++) {
			struct json_object *j = js_at(jobs, k), *path = js_get(j, "path");
			struct json_object *slow = js_get(path, "slowest");
			char *cell[] = { num(j, "completion_ns", 1e3, "%.3f"),
					 num(j, "ideal_ns", 1e3, "%.3f"),
					 num(j, "bus_bandwidth_bps", 1e9, "%.3f"),
					 num(path, "slowdown_max", 1, "%.2f") };

			printf("%-24s %4" PRId64 " %-18s %5" PRId64 " %12s %12s %10s  ", name,
			       js_int(j, "job", 0), js_str(j, "collective", ""),
			       js_int(j, "ranks", 0), cell[0], cell[1], cell[2]);
			if (slow)
				printf("%" PRId64 ", rank %" PRId64 " to %" PRId64 ", slowdown %s\n",
				       js_int(slow, "step", 0), js_int(slow, "rank", 0),
				       js_int(slow, "to", 0), cell[3]);
			else
				printf("%" PRId64 " of %" PRId64 " flows complete\n",
				       js_int(j, "completed", 0), js_int(j, "flows", 0));
			free(cell[0]);
			free(cell[1]);
			free(cell[2]);
			free(cell[3]);
		}
		free(name);
	}
}

static void print_traffic_head(struct json_object *s, int name_width)
{
	struct json_object *t = js_get(s, "traffic");
	const char *what = js_str(t, "workload", "none");

	if (strcmp(what, "none") == 0)
		what = js_get(t, "background") ? "incasts and long flows" : "incasts";
	else if (strcmp(what, "file") == 0)
		what = "flows of a file";
	printf("\n%s, %s clock, %s", js_str(s, "scenario", "?"), js_str(s, "clock", "?"), what);
	if (!js_get(s, "collectives"))
		printf(", load %.3g %% of the %s",
		       100 * js_dbl(t, "load", js_dbl(t, "load_offered", 0)),
		       js_str(t, "load_of", "hosts"));
	putchar('\n');
	printf("%-*s %s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %8s %9s %8s\n", name_width,
	       "cc/seed", "flows", "flows", "load", "load", "slowdown", "", "", "short", "", "long",
	       "", "pause", "drops", "retrans");
	printf("%-*s %s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %8s %9s\n", name_width, "",
	       "     ", "measured", "offered %", "carried %", "p50", "p95", "p99", "p50", "p99",
	       "p50", "p99", "ratio %", "all ports");
}

/*
 * Completion time of each group, where flows wait for others or a file has groups. Those of
 * collective operations have a table of their own.
 */
static void print_groups(struct json_object *all)
{
	bool head = false;
	size_t i;

	for (i = 0; i < js_len(all); i++) {
		struct json_object *groups = js_get(js_at(all, i), "collectives") ? NULL :
					     js_get(js_at(all, i), "group_times");
		char *name = run_name(js_at(all, i));

		if (groups && !head)
			printf("\n%-24s %-20s %13s %14s %14s %9s\n", "cc/seed", "group", "flows",
			       "start us", "complete us", "Gbit/s");
		head |= !!groups;
		if (groups) {
			json_object_object_foreach(groups, group, g) {
				char *cell[] = { num(g, "start_ns", 1e3, "%.3f"),
						 num(g, "completion_ns", 1e3, "%.3f"),
						 num(g, "goodput_bps", 1e9, "%.3f") };

				printf("%-24s %-20s %6" PRId64 "/%-6" PRId64 " %14s %14s %9s\n",
				       name, group, js_int(g, "completed", 0),
				       js_int(g, "flows", 0), cell[0], cell[1], cell[2]);
				free(cell[0]);
				free(cell[1]);
				free(cell[2]);
			}
		}
		free(name);
	}
}

static void print_latency(struct json_object *s)
{
	struct json_object *l = js_get(s, "latency"), *rtt = js_get(l, "rtt_ns");
	int64_t model = js_int(l, "model_ns", 0), p50 = js_int(rtt, "p50", 0);

	if (!rtt)
		return;
	printf("%s: %" PRId64 " B round trip: min %" PRId64 ", p50 %" PRId64 ", max %" PRId64
	       " ns; delays and serialisation add up to %" PRId64 " ns, p50 differs by %+" PRId64
	       " ns\n", run_label(s), js_int(l, "bytes", 0),
	       js_int(rtt, "min", 0), p50, js_int(rtt, "max", 0), model, p50 - model);
}

/* What became of a program, or "-" of one that did not start. */
static char *program_end(struct json_object *p)
{
	if (js_bool(p, "too_much_output", false))
		return xstrdup("killed: too much output");
	if (js_bool(p, "stopped", false))
		return xstrdup("ended by the lab");
	if (js_get(p, "signal"))
		return xasprintf("signal %" PRId64 " (%s)", js_int(p, "signal", 0),
				 strsignal(js_int(p, "signal", 0)));
	return js_get(p, "exit_status") ?
	       xasprintf("status %" PRId64 "%s", js_int(p, "exit_status", 0),
			 js_bool(p, "left_processes", false) ? ", left processes" : "") :
	       xstrdup(DASH);
}

static void print_programs(struct json_object *all)
{
	bool head = false;
	size_t i, k;

	for (i = 0; i < js_len(all); i++) {
		struct json_object *list = js_get(js_at(all, i), "programs");
		char *name = run_name(js_at(all, i));

		if (js_len(list) && !head)
			printf("\n%-24s %-8s %14s %14s %-26s %s\n", "cc/seed", "host", "start us",
			       "end us", "end", "program");
		head |= js_len(list) > 0;
		for (k = 0; k < js_len(list); k++) {
			struct json_object *p = js_at(list, k);
			char *cell[] = { num(p, "start_ns", 1e3, "%.3f"),
					 num(p, "end_ns", 1e3, "%.3f"), program_end(p) };

			printf("%-24s %-8s %14s %14s %-26s %s\n", name, js_str(p, "host", "?"),
			       cell[0], cell[1], cell[2], js_str(p, "command", "?"));
			free(cell[0]);
			free(cell[1]);
			free(cell[2]);
		}
		free(name);
	}
}

/* What programs of perftest have measured. */
static void print_program_latency(struct json_object *all)
{
	static const char *const of[] = { "p50_ns", "p99_ns", "p99_9_ns" };
	bool head = false;
	size_t i, k, c;

	for (i = 0; i < js_len(all); i++) {
		struct json_object *list = js_get(js_at(all, i), "programs");
		char *name = run_name(js_at(all, i));

		for (k = 0; k < js_len(list); k++) {
			struct json_object *l = js_get(js_at(list, k), "latency");

			if (!l)
				continue;
			if (!head)
				printf("\n%-24s %-8s %9s %9s %12s %12s %12s\n", "cc/seed", "host",
				       "bytes", "messages", "p50 us", "p99 us", "p99.9 us");
			head = true;
			printf("%-24s %-8s %9" PRId64 " %9" PRId64, name,
			       js_str(js_at(list, k), "host", "?"), js_int(l, "bytes", 0),
			       js_int(l, "messages", 0));
			for (c = 0; c < ARRAY_SIZE(of); c++) {
				char *cell = num(l, of[c], 1e3, "%.3f");

				printf(" %12s", cell);
				free(cell);
			}
			putchar('\n');
		}
		free(name);
	}
}

static void print_notes(struct json_object *s)
{
	struct json_object *notes = js_get(s, "notes");
	size_t i;

	for (i = 0; i < js_len(notes); i++)
		printf("%s: note: %s\n", run_label(s), json_object_get_string(js_at(notes, i)));
}

static void count_note(struct json_object *seen, const char *text)
{
	js_add_int(seen, text, js_int(seen, text, 0) + 1);
}

/* Runs of a sweep share most of theirs: each once, with the number of runs. */
static void print_joint_notes(struct json_object *all)
{
	struct json_object *seen = json_object_new_object();
	size_t i, k;

	for (i = 0; i < js_len(all); i++) {
		struct json_object *s = js_at(all, i), *notes;

		notes = js_get(s, "notes");
		for (k = 0; k < js_len(notes); k++)
			count_note(seen, json_object_get_string(js_at(notes, k)));
		if (summary_idle(s))
			count_note(seen, NOTHING_CONGESTED);
	}
	json_object_object_foreach(seen, note, runs)
		printf("%" PRId64 " of %zu runs: note: %s\n", json_object_get_int64(runs),
		       js_len(all), note);
	json_object_put(seen);
}

static void print_head(struct json_object *s, int name_width, struct columns c)
{
	struct json_object *b = js_get(s, "bottleneck");

	printf("\n%s, %s clock", js_str(s, "scenario", "?"), js_str(s, "clock", "?"));
	if (c.port)
		printf(", the busiest port of each run\n");
	else
		printf("%s%s\n", b ? ", bottleneck port " : "", b ? js_str(b, "port", "?") : "");
	printf("%-*s %s %9s %10s %10s %9s %6s %7s %9s %9s %9s %8s %8s %9s %8s%s%s\n",
	       name_width, "cc/seed",
	       "flows", "goodput", "FCT p50", "FCT p99", "slowdown", "Jain", "util", "queue",
	       "queue", "queue", "marks", "CNPs", "drops", "retrans",
	       c.pauses ? "   pause     PFC" : "", c.port ? "  port" : "");
	printf("%-*s %s %9s %10s %10s %9s %6s %7s %9s %9s %9s %8s %8s %9s %8s%s\n",
	       name_width, "", "     ",
	       "Gbit/s", "us", "us", "p99", "", "%", "mean KiB", "p99 KiB", "peak KiB", "",
	       "handled", "all ports", "", c.pauses ? " ratio %  pauses" : "");
}

static bool any_pauses(struct json_object *all)
{
	size_t i;

	for (i = 0; i < js_len(all); i++)
		if (strcmp(js_str(js_get(js_at(all, i), "settings"), "pfc", "off"), "on") == 0)
			return true;
	return false;
}

static const char *port_of(struct json_object *s)
{
	return js_str(js_get(s, "bottleneck"), "port", "");
}

static bool ports_differ(struct json_object *all)
{
	size_t i;

	for (i = 1; i < js_len(all); i++)
		if (strcmp(port_of(js_at(all, i)), port_of(js_at(all, 0))))
			return true;
	return false;
}

/* What only all runs together show. */
static void print_idle(struct json_object *all)
{
	struct json_object **s = xcalloc(js_len(all), sizeof(*s));
	char *text;
	size_t i;

	for (i = 0; i < js_len(all); i++)
		s[i] = js_at(all, i);
	text = summaries_idle(s, js_len(all));
	if (text)
		printf("note: %s\n", text);
	free(text);
	free(s);
}

static int widest_name(struct json_object *all)
{
	size_t i, width = NAME_WIDTH;

	for (i = 0; i < js_len(all); i++) {
		char *name = run_name(js_at(all, i));

		width = strlen(name) > width ? strlen(name) : width;
		free(name);
	}
	return (int)width;
}

static void print_all(struct json_object *all)
{
	struct json_object *s = js_at(all, 0);
	struct columns columns = { .pauses = any_pauses(all), .port = ports_differ(all) };
	bool joint = js_get(s, RUN);
	int width = widest_name(all);
	size_t i;

	if (js_get(s, "measured"))
		print_traffic_head(s, width);
	else if (js_int(js_get(s, "flows"), "count", 0))
		print_head(s, width, columns);
	for (i = 0; i < js_len(all); i++) {
		s = js_at(all, i);
		if (js_get(s, "measured"))
			print_traffic_row(s, width);
		else if (js_int(js_get(s, "flows"), "count", 0))
			print_row(s, width, columns);
		print_latency(s);
	}
	print_collectives(all);
	print_groups(all);
	print_programs(all);
	print_program_latency(all);
	for (i = 0; i < js_len(all); i++) {
		char *name = run_name(js_at(all, i));

		cc_groups_table(js_at(all, i), name);
		timeline_table(js_at(all, i), name);
		free(name);
	}
	for (i = 0; i < js_len(all) && !joint; i++)
		print_notes(js_at(all, i));
	if (joint)
		print_joint_notes(all);
	else
		print_idle(all);
}

/* With names, if there are any, as the member RUN. */
static struct json_object *load_all(char **dirs, char **names, size_t n)
{
	struct json_object *all = json_object_new_array(), *s;
	char *path, *err = NULL;
	size_t i;

	for (i = 0; i < n && !err; i++) {
		path = xasprintf("%s/summary.json", dirs[i]);
		s = js_load(path, &err);
		free(path);
		if (s && names)
			js_add_str(s, RUN, names[i]);
		if (s)
			json_object_array_add(all, s);
	}
	if (!err)
		return all;
	run_error("%s", err);
	free(err);
	json_object_put(all);
	return NULL;
}

/**
 * run_end_table() - figures of several runs
 * @dirs: result directories, of one scenario
 * @n: how many
 * @json: print a JSON array of the summaries instead
 *
 * Return: 0, or the exit status after a message.
 */
int run_end_table(char **dirs, size_t n, bool json)
{
	struct json_object *all = load_all(dirs, NULL, n);

	if (!all)
		return EXIT_RUN_FAILED;
	if (json)
		printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY |
			JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	else if (n)
		print_all(all);
	json_object_put(all);
	return 0;
}

/**
 * run_end_table_named() - figures of the runs of a sweep
 * @dirs: result directories, of one scenario
 * @names: what to call each
 * @n: how many, at least 1
 *
 * Return: 0, or the exit status after a message.
 */
int run_end_table_named(char **dirs, char **names, size_t n)
{
	struct json_object *all = load_all(dirs, names, n);

	if (!all)
		return EXIT_RUN_FAILED;
	print_all(all);
	json_object_put(all);
	return 0;
}
