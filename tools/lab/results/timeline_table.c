// SPDX-License-Identifier: GPL-2.0
/* lab: what changed in a run, and figures of the spans between, below the table at its end. */
#include "results/results.h"

static double ms(struct json_object *o, const char *name)
{
	return js_int(o, name, 0) / 1e6;
}

static void print_event(struct json_object *e)
{
	struct json_object *back = js_get(e, "recover_ns"), *hit = js_get(e, "flows_hit");
	int64_t flows = hit ? json_object_get_int64(hit) : 0;
	const char *sep = ": ";

	printf("%12.6g ms  %s", ms(e, "at_ns"), js_str(e, "what", ""));
	if (flows) {
		printf("%s%lld flow%s hit", sep, (long long)flows, flows == 1 ? "" : "s");
		sep = ", ";
	}
	if (!back)
		printf("%snot as before until the end", sep);
	else if (json_object_get_int64(back))
		printf("%sas before after %.6g ms", sep, json_object_get_int64(back) / 1e6);
	printf("\n");
}

static void print_span(struct json_object *s)
{
	printf("%12.6g to %-12.6g ms %12.3f %10lld %12.1f %9lld %9lld %9lld\n", ms(s, "from_ns"),
	       ms(s, "to_ns"), js_int(s, "to_hosts_bps", 0) / 1e9,
	       (long long)js_int(s, "lost", 0), js_int(s, "lost_wire_bytes", 0) / 1024.0,
	       (long long)js_int(s, "drops", 0), (long long)js_int(s, "retransmits", 0),
	       (long long)js_int(s, "timeouts", 0));
}

/**
 * timeline_table() - print a run's timeline, if it has one
 * @summary: of the run
 * @name: of the run
 */
void timeline_table(struct json_object *summary, const char *name)
{
	struct json_object *o = js_get(summary, "timeline"), *events = js_get(o, "events");
	struct json_object *spans = js_get(o, "spans");
	size_t i;

	if (!o)
		return;
	printf("\n%s: timeline\n", name);
	for (i = 0; i < js_len(events); i++)
		print_event(js_at(events, i));
	printf("%12s    %-12s    %12s %10s %12s %9s %9s %9s\n", "from", "to", "to hosts", "lost",
	       "lost KiB", "drops", "retrans", "timeouts");
	printf("%12s    %-12s    %12s\n", "", "", "Gbit/s");
	for (i = 0; i < js_len(spans); i++)
		print_span(js_at(spans, i));
}
