// SPDX-License-Identifier: GPL-2.0
/* Command lines: what is taken, refused and shown. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../options.h"
#include "ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))
#define WORDS_MAX	12

struct got {
	bool json, once;
	const char *out, *clock, *called;
	struct option_list sets;
	uint64_t n, time_ns, bytes, bps;
};

static int call(void *into, const struct option_row *row, char *text)
{
	struct got *g = into;

	g->called = row->name;
	return !strcmp(text, "bad");
}

static const char *const clocks[] = { "virtual", "real", NULL };

#define AT(m)	.at = offsetof(struct got, m)
static const struct option_row rows[] = {
	{ "out", "DIR", "results", OPTION_TEXT, AT(out), .letter = 'o' },
	{ "set", "K=V", "setting", OPTION_LIST, AT(sets) },
	{ "clock", "C", "virtual or real,\nas you like", OPTION_TEXT, AT(clock), .words = clocks },
	{ .help = "\nNumbers:\n" },
	{ "n", "NAME", "of others", OPTION_TEXT, AT(called), .in = 1 },
	{ "n", "N", "count", OPTION_COUNT, AT(n), .min = 2, .max = 10 },
	{ "a-long-time", "T", "time", OPTION_TIME, AT(time_ns), .min = 1000 },
	{ "size", "SIZE", "bytes", OPTION_SIZE, AT(bytes), .min = 4096, .max = 1 << 30 },
	{ "rate", "R", NULL, OPTION_RATE, AT(bps) },
	{ "more", "M", "called", OPTION_CALL, .call = call },
	{ "smp", "N", "--cpus", .kind = OPTION_OLD },
	{ "once", NULL, "flag", OPTION_FLAG, AT(once), .in = 6 },
	{ "theirs", "X", "of others", OPTION_TEXT, AT(out), .in = 1, .must = true },
	{ "json", NULL, "letter", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "help", NULL, "this", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

/* Tests change it. */
static struct options options = {
	.command = "prog cmd", .rows = rows, .in = 2, .column = 14, .indent = 2,
	.before = "Usage\n", .after = "End\n",
};

/* The result; what is printed is in @text. */
static int run(struct got *g, const char *line, char *text, size_t len)
{
	static char words[200];
	char *argv[WORDS_MAX] = { "cmd" }, *at = NULL;
	int argc = 1, rc, out = dup(1), err = dup(2), fd[2];
	ssize_t n;

	*g = (struct got){ .n = 5 };
	snprintf(words, sizeof(words), "%s", line);
	argv[1] = strtok_r(words, " ", &at);
	while (argv[argc])
		argv[++argc] = strtok_r(NULL, " ", &at);
	if (pipe(fd))
		exit(1);
	fflush(stdout);
	dup2(fd[1], 1);
	dup2(fd[1], 2);
	rc = options_parse(&options, g, argc, argv);
	fflush(stdout);
	dup2(out, 1);
	dup2(err, 2);
	close(fd[1]);
	n = read(fd[0], text, len - 1);
	text[n > 0 ? n : 0] = '\0';
	close(fd[0]);
	close(out);
	close(err);
	return rc;
}

static void test_refused(void)
{
	static const struct {
		const char *line, *text;
	} bad[] = {
		{ "--bogus", "prog: --bogus: unknown option; see \"prog cmd --help\"\n" },
		{ "-x", "prog: -x: unknown option; see \"prog cmd --help\"\n" },
		{ "--out", "prog: --out: needs a value; see \"prog cmd --help\"\n" },
		{ "--out=", "prog: --out: empty value\n" },
		{ "--clock sun", "prog: --clock sun: must be virtual or real\n" },
		{ "--n 1", "prog: --n 1: not a number from 2 to 10\n" },
		{ "--n 11", "prog: --n 11: not a number from 2 to 10\n" },
		{ "--n -5", "prog: --n -5: not a number from 2 to 10\n" },
		{ "--n 3x", "prog: --n 3x: not a number from 2 to 10\n" },
		{ "--n 0x", "prog: --n 0x: not a number from 2 to 10\n" },
		{ "--n 0xb", "prog: --n 0xb: not a number from 2 to 10\n" },
		{ "--n 0xag", "prog: --n 0xag: not a number from 2 to 10\n" },
		{ "--n 0x-5", "prog: --n 0x-5: not a number from 2 to 10\n" },
		{ "--n 0x10000000000000005",
		  "prog: --n 0x10000000000000005: not a number from 2 to 10\n" },
		{ "--size 0x2000", "prog: --size 0x2000: not a size from 4kb to 1gb\n" },
		{ "--n 2.5", "prog: --n 2.5: not a number from 2 to 10\n" },
		{ "--a-long-time 1ns", "prog: --a-long-time 1ns: not a time of at least 1us\n" },
		{ "--size 2gb", "prog: --size 2gb: not a size from 4kb to 1gb\n" },
		{ "--rate quick", "prog: --rate quick: not a rate\n" },
		{ "--more bad", "" },
		{ "--smp 4", "prog: --smp: is called --cpus now\n" },
		{ "--theirs x", "prog: --theirs: not for \"prog cmd\"\n" },
		{ "--json=1", "prog: --json=1: unknown option; see \"prog cmd --help\"\n" },
	};
	char text[1000], name[80];
	struct got g;
	size_t i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		rc = run(&g, bad[i].line, text, sizeof(text));
		snprintf(name, sizeof(name), "options_parse__refused_%zu", i);
		ktap(rc == OPTIONS_WRONG && !strcmp(text, bad[i].text) && g.n == 5, name,
		     "%s: %d, %s", bad[i].line, rc, text);
	}
}

static void test_taken(void)
{
	static const struct option_row needed[] = {
		{ "out", "DIR", .kind = OPTION_TEXT, AT(out), .must = true },
		{ "help", .kind = OPTION_HELP },
		{ }
	};
	char text[1000];
	struct got g;
	int rc;

	rc = run(&g, "a -jo d --set x=1 --set=y", text, sizeof(text));
	ktap(!rc && g.json && !g.once && !strcmp(g.out, "d") && g.sets.n == 2 &&
	     !strcmp(g.sets.v[0], "x=1") && !strcmp(g.sets.v[1], "y") && optind == 6 && !*text,
	     "options_parse__texts", "%d %s", rc, text);
	rc = run(&g, "--n 10 --a-long 1ms --size 4kb --rate 1gbit --once", text, sizeof(text));
	ktap(!rc && g.n == 10 && g.time_ns == 1000000 && g.bytes == 4096, "options_parse__numbers",
	     "%d %s", rc, text);
	rc = run(&g, "--n 0xA", text, sizeof(text));
	ktap(!rc && g.n == 10, "options_parse__hexadecimal", "%d %s", rc, text);
	rc = run(&g, "--rate 1gbit --once --clock real --more x", text, sizeof(text));
	ktap(!rc && g.bps == 1000000000 && g.once && !strcmp(g.clock, "real") &&
	     !strcmp(g.called, "more"), "options_parse__others", "%d %s", rc, text);
	options.first = true;
	rc = run(&g, "-j word -o d", text, sizeof(text));
	ktap(!rc && g.json && !g.out && optind == 2, "options_parse__first", "%d %d", rc, optind);
	options.first = false;
	options.rows = needed;
	rc = run(&g, "word", text, sizeof(text));
	ktap(rc == OPTIONS_WRONG &&
	     !strcmp(text, "prog: --out DIR is missing; see \"prog cmd --help\"\n"),
	     "options_parse__missing", "%d %s", rc, text);
	rc = run(&g, "--help", text, sizeof(text));
	ktap(rc == OPTIONS_HELP, "options_parse__help_alone", "%d %s", rc, text);
	rc = run(&g, "--out x", text, sizeof(text));
	ktap(!rc && !*text, "options_parse__there", "%d %s", rc, text);
	options.rows = rows;
}

static void test_shown(void)
{
	static const char help[] =
		"Usage\n"
		"  -o, --out DIR  results\n"
		"  --set K=V   setting\n"
		"  --clock C   virtual or real,\n"
		"              as you like\n"
		"\nNumbers:\n"
		"  --n N       count\n"
		"  --a-long-time T  time\n"
		"  --size SIZE bytes\n"
		"  --more M    called\n"
		"  --once      flag\n"
		"  -j, --json  letter\n"
		"  -h, --help  this\n"
		"End\n";
	static const char words[] = "--out\n--set\n--clock virtual real\n--n\n--a-long-time\n--size\n"
		"--rate\n--more\n--once\n--json\n--help\n";
	char text[2000];
	struct got g;

	ktap(run(&g, "--n 3 --help --bogus", text, sizeof(text)) == OPTIONS_HELP &&
	     !strcmp(text, help), "options_help", "%s", text);
	ktap(run(&g, "--complete", text, sizeof(text)) == OPTIONS_HELP && !strcmp(text, words),
	     "options_parse__complete", "%s", text);
}

int main(void)
{
	test_refused();
	test_taken();
	test_shown();
	return ktap_end();
}
