// SPDX-License-Identifier: GPL-2.0
/*
 * What real time is worth: what a run may ask of it, at and beyond each limit, and the figures
 * from one side to the other.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "common/realtime_capability.h"

/* A base round trip of 8 ms: 2 ms more, and timers late by 4 ms, are the limits. */
static const struct {
	const char *name;
	int64_t needed, carried, added_ns, late_ns;
	const char *word;	/* of the reason; NULL: kept */
} limits[] = {
	{ "all_at_their_limits", 1000, 2000, 2000000, 4000000, NULL },
	{ "nothing_needed_nothing_carried", 0, 0, 0, 0, NULL },
	{ "one_packet_too_many", 1001, 2001, 0, 0,
	  "1001 packets/s are more than 1/2 of what it carries, 2001" },
	{ "no_packet_got_through", 1, 0, 0, 0, "packets/s" },
	{ "round_trip_too_long", 1000, 2000, 2000001, 0,
	  "adds 2.000 ms to a round trip, more than 1/4 of the base round trip of 8.000 ms" },
	{ "timers_too_late", 1000, 2000, 0, 4000001,
	  "timers are late by 4.000 ms, more than 1/2 of the base round trip of 8.000 ms" },
};

static void test_limits(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		struct realtime_capability w = {
			.needed_packets_per_s = limits[i].needed,
			.packets_per_s = limits[i].carried, .base_rtt_ns = 8000000,
			.rtt_added_ns = limits[i].added_ns, .late_p99_ns = limits[i].late_ns,
			/* One timer in a hundred may be as late as it likes. */
			.late_max_ns = 1000000000,
		};
		char *why = realtime_capability_beyond(&w);

		ktap(limits[i].word ? why && strstr(why, limits[i].word) : !why, limits[i].name,
		     "\"%s\", not \"%s\"", why ? why : "kept",
		     limits[i].word ? limits[i].word : "kept");
		free(why);
	}
}

static void test_json(void)
{
	const struct realtime_capability w = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct json_object *o = realtime_capability_to_json(&w, "too far");
	struct json_object *none = realtime_capability_to_json(&w, NULL);
	struct realtime_capability back = {};

	realtime_capability_from_json(&back, o);
	ktap(!memcmp(&w, &back, sizeof(w)), "json_keeps_all_figures", "%s",
	     json_object_to_json_string(o));
	ktap(!strcmp(js_str(o, "beyond", ""), "too far"), "json_keeps_the_reason", "%s",
	     json_object_to_json_string(o));
	ktap(json_object_object_get_ex(none, "beyond", NULL) && !js_get(none, "beyond"),
	     "json_null_if_kept", "%s", json_object_to_json_string(none));
	ktap(js_int(o, "late_p99_ns", 0) == 2 && js_int(o, "links", 0) == 6, "json_names", "%s",
	     json_object_to_json_string(o));
	json_object_put(o);
	json_object_put(none);
}

static void test_text(void)
{
	const struct realtime_capability w = {
		.late_p50_ns = 1500000, .late_p99_ns = 2500000, .rtt_added_ns = 3500000,
		.packets_per_s = 4567, .links = 3, .needed_packets_per_s = 89,
	};
	char *text = realtime_capability_text(&w);

	ktap(!strcmp(text, "timers late by 1.500 ms (p50), 2.500 ms (p99); a round trip "
		     "takes 3.500 ms more; 4567 packets/s over 3 links, needed are 89"),
	     "text", "%s", text);
	free(text);
}

int main(void)
{
	test_limits();
	test_json();
	test_text();
	return ktap_end();
}
