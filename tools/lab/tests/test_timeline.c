// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline: what events become in the job, each kind and each limit of its values, and what is
 * said of bad ones. A scenario's own are named with file and line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tests/ktap.h"
#include "lab.h"

static char dir[] = "/tmp/lab_test.XXXXXX";

/* What was said on stderr until take_errors(). */
static char *said;
static size_t said_len;
static FILE *real_stderr;

static void catch_errors(void)
{
	free(said);
	real_stderr = stderr;
	stderr = open_memstream(&said, &said_len);
}

static void take_errors(void)
{
	fclose(stderr);
	stderr = real_stderr;
}

/* Four hosts at one switch, or two of each at two switches under two routers. */
static struct plan *plan_of(const char *scenario, const char *timeline)
{
	struct scenario *sc = scenario_load(scenario);
	char *set = timeline ? xasprintf("timeline=%s", timeline) : NULL;
	bool spine = strcmp(scenario, "leafspine") == 0;
	struct plan *p = NULL;
	int rc = !sc;

	if (!rc && strcmp(scenario, "star") == 0)
		rc = scenario_set(sc, "n=4");
	if (!rc && spine)
		rc = scenario_set(sc, "leaves=2") || scenario_set(sc, "spines=2") ||
		     scenario_set(sc, "per_leaf=2");
	if (!rc && set)
		rc = scenario_set(sc, set);
	if (!rc)
		rc = plan_resolve(sc) || plan_build(sc, 1, &p);
	if (rc && sc)
		scenario_free(sc);
	free(set);
	return p;
}

static void put_plan(struct plan *p)
{
	struct scenario *sc = p ? p->sc : NULL;

	if (p)
		plan_free(p);
	if (sc)
		scenario_free(sc);
}

static void put_json(FILE *f, const char *what, struct json_object *o)
{
	if (o)
		fprintf(f, " %s%s", what,
			json_object_to_json_string_ext(o, JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* "TIME what: ports and what they get; hosts and what they get", an event a line */
static char *events_text(struct plan *p)
{
	struct json_object *list = job_get(p->base, J_TIMELINE);
	char *text = NULL;
	size_t len, i;
	FILE *f = open_memstream(&text, &len);

	for (i = 0; i < js_len(list); i++) {
		struct json_object *e = js_at(list, i);

		fprintf(f, "%lld %s:", (long long)job_int(e, J_EVENT_AT, -1),
			job_str(e, J_EVENT_WHAT, "?"));
		put_json(f, "", job_get(e, J_EVENT_PORTS));
		put_json(f, "", job_get(e, J_EVENT_PORT));
		put_json(f, "", job_get(e, J_EVENT_HOSTS));
		put_json(f, "", job_get(e, J_EVENT_CC));
		fputc('\n', f);
	}
	fclose(f);
	return text;
}

#define BOTH	" [[\"h0\",\"sw\"],[\"sw\",\"h0\"]]"
#define H1_H2	" [\"h1\",\"h2\"] {\"algo\":\"hpcc\","
#define SWITCH	" [[\"sw\",\"h0\"],[\"sw\",\"h1\"],[\"sw\",\"h2\"],[\"sw\",\"h3\"]]"

static const struct {
	const char *name, *scenario, *timeline, *events;
} good[] = {
	{ "down_up", "star", "1ms:link h0-sw down;2ms:link sw-h0 up",
	  "1000000 link h0-sw down:" BOTH " {\"link\":1}\n"
	  "2000000 link sw-h0 up: [[\"h0\",\"sw\"],[\"sw\",\"h0\"]] {\"link\":0}\n" },
	{ "spaces", "star", " 5ns:link  h0-sw   rate 1gbit ; ;", "5 link  h0-sw   rate 1gbit :"
	  BOTH " {\"rate_bps\":1000000000}\n" },
	{ "by_time", "star", "2us:link h0-sw delay 0ns;1us:link h0-sw delay 10s;2us:link h0-sw up",
	  "1000 link h0-sw delay 10s:" BOTH " {\"delay_ns\":10000000000}\n"
	  "2000 link h0-sw delay 0ns:" BOTH " {\"delay_ns\":0}\n"
	  "2000 link h0-sw up:" BOTH " {\"link\":0}\n" },
	{ "rate_least", "star", "0ns:link h0-sw rate 1mbit",
	  "0 link h0-sw rate 1mbit:" BOTH " {\"rate_bps\":1000000}\n" },
	{ "rate_most", "star", "3600s:link h0-sw rate 800gbit",
	  "3600000000000 link h0-sw rate 800gbit:" BOTH " {\"rate_bps\":800000000000}\n" },
	{ "loss", "star", "1ns:link h0-sw loss 0;2ns:link h0-sw loss 0.1%;3ns:link h0-sw loss 1",
	  "1 link h0-sw loss 0:" BOTH " {\"loss_ppb\":0}\n"
	  "2 link h0-sw loss 0.1%:" BOTH " {\"loss_ppb\":1000000}\n"
	  "3 link h0-sw loss 1:" BOTH " {\"loss_ppb\":1000000000}\n" },
	{ "switch_kmin", "star", "1us:switch all kmin 1kb",
	  "1000 switch all kmin 1kb:" SWITCH " {\"prio\":[{\"id\":3,\"kmin_bytes\":1024}]}\n" },
	{ "switch_pmax", "star", "1us:switch sw pmax 1/8",
	  "1000 switch sw pmax 1/8:" SWITCH " {\"prio\":[{\"id\":3,\"pmax_ppm\":125000}]}\n" },
	{ "hosts_cc", "star", "1us:host h1-h2 cc hpcc:eta=0.9",
	  "1000 host h1-h2 cc hpcc:eta=0.9:" H1_H2 "\"params\":{\"eta\":\"0.9\"}}\n" },
	{ "hosts_param", "star", "1us:host h0+h3 param g=1/256",
	  "1000 host h0+h3 param g=1/256: [\"h0\",\"h3\"] {\"params\":{\"g\":\"1/256\"}}\n" },
	{ "hosts_knob", "star", "1us:host h0 knob line_rate=25gbit",
	  "1000 host h0 knob line_rate=25gbit: [\"h0\"] {\"knobs\":{\"line_rate\":\"25gbit\"}}\n" },
	{ "stall", "star", "1us:host h1-h2 stall on;2us:host h1 stall off",
	  "1000 host h1-h2 stall on: [[\"h1\",\"sw\"],[\"h2\",\"sw\"]] {\"stall\":1}\n"
	  "2000 host h1 stall off: [[\"h1\",\"sw\"]] {\"stall\":0}\n" },
	/* Routers take the link out of their paths a millisecond later, bridges have no others. */
	{ "reroute", "leafspine", "1ms:link l0-s0 down;1.5ms:link l0-s0 up",
	  "1000000 link l0-s0 down: [[\"l0\",\"s0\"],[\"s0\",\"l0\"]] {\"link\":1}\n"
	  "1500000 link l0-s0 up: [[\"l0\",\"s0\"],[\"s0\",\"l0\"]] {\"link\":0}\n"
	  "2000000 reroute:\n2500000 reroute:\n" },
	{ "none", "star", "none", "" },
};

static void test_good(void)
{
	char name[80], *text;
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		snprintf(name, sizeof(name), "good__%s", good[i].name);
		catch_errors();
		p = plan_of(good[i].scenario, good[i].timeline);
		take_errors();
		text = p ? events_text(p) : xstrdup("");
		ktap(p && !*said && strcmp(text, good[i].events) == 0, name, "got %s%s", text,
		     said);
		free(text);
		put_plan(p);
	}
}

static void test_stop(void)
{
	struct plan *p = plan_of("star", "7us:flow 2 stop");

	if (ktap(p, "stop", "no plan"))
		ktap(p->flow_stop_ns && p->flow_stop_ns[2] == 7000 && !p->flow_stop_ns[1] &&
		     p->flows[2].background && !p->flows[3].background, "stop__flow_2",
		     "ends at %lld", p->flow_stop_ns ? (long long)p->flow_stop_ns[2] : -1LL);
	put_plan(p);
}

#define SAYS(event, what)	"timeline: \"" event "\": " what

static const struct {
	const char *name, *timeline, *error;
} bad[] = {
	{ "no_time", "link h0-sw down",
	  SAYS("link h0-sw down", "TIME:WHAT expected, as 1ms:link a-b down") },
	{ "time_word", "soon:link h0-sw down",
	  SAYS("soon:link h0-sw down", "\"soon\" is not a time up to 3600s") },
	{ "time_late", "3600000000001ns:link h0-sw down",
	  SAYS("3600000000001ns:link h0-sw down",
	       "\"3600000000001ns\" is not a time up to 3600s") },
	{ "time_negative", "-1ns:link h0-sw down",
	  SAYS("-1ns:link h0-sw down", "\"-1ns\" is not a time up to 3600s") },
	{ "two_words", "1ms:link h0-sw",
	  SAYS("1ms:link h0-sw",
	       "a thing, its name and what is changed expected behind the time") },
	{ "thing", "1ms:lnk h0-sw down",
	  SAYS("1ms:lnk h0-sw down", "no such thing as \"lnk\", did you mean \"link\"?") },
	{ "change", "1ms:link h0-sw dwn",
	  SAYS("1ms:link h0-sw dwn", "no change \"dwn\", did you mean \"down\"?") },
	{ "change_of_other", "1ms:switch sw rate 1gbit",
	  SAYS("1ms:switch sw rate 1gbit", "no change \"rate\"") },
	{ "value_missing", "1ms:link h0-sw rate",
	  SAYS("1ms:link h0-sw rate", "one value expected behind it") },
	{ "value_more", "1ms:link h0-sw up 1",
	  SAYS("1ms:link h0-sw up 1", "nothing expected behind it") },
	{ "values_two", "1ms:link h0-sw rate 1gbit 2gbit",
	  SAYS("1ms:link h0-sw rate 1gbit 2gbit", "one value expected behind it") },
	{ "link", "1ms:link h0-h1 down", SAYS("1ms:link h0-h1 down", "no link \"h0-h1\"") },
	{ "rate_unit", "1ms:link h0-sw rate 5kb",
	  SAYS("1ms:link h0-sw rate 5kb", "rate \"5kb\": not as --set rate takes it") },
	{ "rate_low", "1ms:link h0-sw rate 999999bit",
	  SAYS("1ms:link h0-sw rate 999999bit", "rate 999999bit: below the minimum of 1mbit") },
	{ "rate_high", "1ms:link h0-sw rate 800000000001bit",
	  SAYS("1ms:link h0-sw rate 800000000001bit",
	       "rate 800000000001bit: above the maximum of 800gbit") },
	{ "delay_high", "1ms:link h0-sw delay 10000000001ns",
	  SAYS("1ms:link h0-sw delay 10000000001ns",
	       "delay 10000000001ns: above the maximum of 10s") },
	{ "loss_high", "1ms:link h0-sw loss 1.01",
	  SAYS("1ms:link h0-sw loss 1.01", "loss 1.01: above the maximum of 1") },
	{ "switch", "1ms:switch h0 kmin 1kb", SAYS("1ms:switch h0 kmin 1kb", "no switch \"h0\"") },
	{ "host", "1ms:host h4-h9 cc none", SAYS("1ms:host h4-h9 cc none", "no host \"h4-h9\"") },
	{ "flow_word", "1ms:flow x stop", SAYS("1ms:flow x stop", "flow \"x\": not a number") },
	{ "flow_beyond", "1ms:flow 4 stop",
	  SAYS("1ms:flow 4 stop", "no flow \"4\" among the 4 of the run") },
	{ "group", "1ms:group a stop",
	  SAYS("1ms:group a stop", "no flow of a group \"a\" among the 4 of the run") },
	{ "stall", "1ms:host h0 stall maybe",
	  SAYS("1ms:host h0 stall maybe", "stall \"maybe\": neither on nor off") },
	{ "second", "1ms:link h0-sw up;2ms:", SAYS("2ms:",
	  "a thing, its name and what is changed expected behind the time") },
};

static void test_bad(void)
{
	char name[80], want[300];
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(name, sizeof(name), "bad__%s", bad[i].name);
		snprintf(want, sizeof(want), "lab: %s\n", bad[i].error);
		catch_errors();
		p = plan_of("star", bad[i].timeline);
		take_errors();
		ktap(!p && strcmp(said, want) == 0, name, "got %s", said);
		put_plan(p);
	}
}

static struct plan *plan_of_many(int n)
{
	char *text = NULL;
	struct plan *p;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	while (n--)
		fprintf(f, "1ms:link h0-sw up;");
	fclose(f);
	catch_errors();
	p = plan_of("star", text);
	take_errors();
	free(text);
	return p;
}

static void test_most(void)
{
	struct plan *p = plan_of_many(1000);

	ktap(p && js_len(job_get(p->base, J_TIMELINE)) == 1000, "most__1000", "got %s", said);
	put_plan(p);
	p = plan_of_many(1001);
	ktap(!p && strcmp(said, "lab: timeline: more than 1000 events\n") == 0, "most__1001",
	     "got %s", said);
	put_plan(p);
}

/* The two braces of "keys" are on one line, and a word "timeline" elsewhere is none of the key. */
#define OWN(timeline)	"{\n  \"help\": \"\\\"defaults\\\": { \\\"timeline\\\": 1 }\",\n" \
	"  \"let\": { \"timeline\": \"1\" },\n  \"defaults\": {\n    \"rate\": \"10gbit\",\n" \
	"    \"timeline\": \"" timeline "\"\n  },\n  \"hosts\": [ { \"name\": \"a\" }, " \
	"{ \"name\": \"b\" } ], \"switches\": [ { \"name\": \"s\" } ],\n  \"links\": [ " \
	"{ \"a\": \"a\", \"b\": \"s\" }, { \"a\": \"b\", \"b\": \"s\" } ],\n" \
	"  \"flows\": [ { \"src\": \"a\", \"dst\": \"b\", \"bytes\": \"64kb\" } ]\n}\n"
#define LINE	":6: timeline: "

static const struct {
	const char *name, *timeline;	/* of the file */
	const char *set;		/* NULL: nothing */
	const char *error;		/* behind the file's name, or all of it */
	bool in_file;
} own[] = {
	{ "thing", OWN("1ms:lnk a-s up"), NULL,
	  LINE "\"1ms:lnk a-s up\": no such thing as \"lnk\", did you mean \"link\"?\n", true },
	{ "second", OWN("1ms:link a-s up; 2ms:link a-b up"), NULL,
	  LINE "\"2ms:link a-b up\": no link \"a-b\"\n", true },
	{ "braces", OWN("{nothing}ns:link a-s up"), NULL,
	  LINE "\"nothing\": unknown name at \"nothing\"\n", true },
	/* As --at puts it. */
	{ "at", OWN("1ms:link a-s up"), "1ms:link a-s up;2ms:link a-b up",
	  "lab: timeline: \"2ms:link a-b up\": no link \"a-b\"\n", false },
	{ "set", OWN("1ms:link a-s up"), "1ms:link a-b up",
	  "lab: timeline: \"1ms:link a-b up\": no link \"a-b\"\n", false },
};

static void test_own(void)
{
	char *path = xasprintf("%s/own.json", dir), name[80];
	const char *got;
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++) {
		snprintf(name, sizeof(name), "own__%s", own[i].name);
		if (write_file(path, "%s", own[i].timeline))
			break;
		catch_errors();
		p = plan_of(path, own[i].set);
		take_errors();
		got = strstr(said, path);
		got = own[i].in_file ? got ? got + strlen(path) : "" : said;
		ktap(!p && strcmp(got, own[i].error) == 0, name, "got %s", said);
		put_plan(p);
	}
	catch_errors();
	usage_error("after it");
	take_errors();
	ktap(strcmp(said, "lab: after it\n") == 0, "own__no_longer", "got %s", said);
	free(path);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_good();
	test_stop();
	test_bad();
	test_most();
	test_own();
	rm_rf(dir);
	return ktap_end();
}
