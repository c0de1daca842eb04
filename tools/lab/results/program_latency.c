// SPDX-License-Identifier: GPL-2.0
/*
 * lab: what a program of perftest has measured: its latency test prints a line of figures, and
 * with -U each message before it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* perftest prints us, with a fraction. */
#define NS_OF_US	1e3

static int64_t ns_of(double us)
{
	return llround(us * NS_OF_US);
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

/* The line behind the one that has @word; the last such one: several sizes have one each. */
static const char *behind_line_with(const char *text, const char *word)
{
	const char *at = text, *line = NULL;

	while ((at = strstr(at, word))) {
		at = next_line(at);
		if (!at)
			break;
		line = at;
	}
	return line;
}

/**
 * results_perftest_latency() - figures of a latency test
 * @text: what a program has printed
 *
 * Return: new object, or NULL if there are none.
 */
struct json_object *results_perftest_latency(const char *text)
{
	const char *line = behind_line_with(text, "t_typical[usec]");
	double min, max, median, mean, deviation, p99, p99_9;
	struct json_object *o;
	long long bytes, n;

	if (!line || sscanf(line, "%lld %lld %lf %lf %lf %lf %lf %lf %lf", &bytes, &n, &min, &max,
			    &median, &mean, &deviation, &p99, &p99_9) != 9)
		return NULL;
	o = json_object_new_object();
	js_add_int(o, "bytes", bytes);
	js_add_int(o, "messages", n);
	js_add_int(o, "min_ns", ns_of(min));
	js_add_int(o, "p50_ns", ns_of(median));
	js_add_int(o, "p99_ns", ns_of(p99));
	js_add_int(o, "p99_9_ns", ns_of(p99_9));
	js_add_int(o, "max_ns", ns_of(max));
	return o;
}

/**
 * results_perftest_messages() - rows of latency.csv: each message that -U printed
 * @text: what a program has printed
 * @program: its number
 * @f: file
 */
void results_perftest_messages(const char *text, size_t program, FILE *f)
{
	const char *line = behind_line_with(text, "#, usec");
	long long message;
	double us;

	for (; line && sscanf(line, "%lld, %lf", &message, &us) == 2; line = next_line(line))
		fprintf(f, "%zu,%lld,%lld\n", program, message, (long long)ns_of(us));
}
