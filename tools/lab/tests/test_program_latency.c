// SPDX-License-Identifier: GPL-2.0
/*
 * What programs of perftest print: figures of latency, and each message.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "results/results.h"

#define HEAD \
	" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]" \
	"    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
#define LINE \
	" 64      1000          2.03           9.50         2.05               2.06     \t" \
	"   0.01\t\t2.11 \t\t9.41\n"

static const char whole[] =
	"--------\n local address: LID 0000\n"
	"#, usec\n1, 2.063\n2, 9.5\n3, 2\n" HEAD LINE "--------\n";

static const struct {
	const char *name, *text;
	int64_t p99_9_ns;	/* -1: no figures */
} outputs[] = {
	{ "messages_and_figures", whole, 9410 },
	{ "figures_alone", HEAD LINE, 9410 },
	{ "several_sizes_the_last_counts",
	  HEAD " 2 1000 1.00 1.10 1.05 1.06 0.01 1.09 1.10\n" HEAD LINE, 9410 },
	{ "nothing", "", -1 },
	{ "a_head_without_a_line", HEAD, -1 },
	{ "a_head_that_is_cut", " 64 1000 t_typical[usec]", -1 },
	{ "a_line_that_is_cut", HEAD " 64      1000          2.03", -1 },
	{ "bandwidth", " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
	  " 65536      500              97.90              97.89  \t\t   0.186712\n", -1 },
};

static void test_figures(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(outputs); i++) {
		struct json_object *o = results_perftest_latency(outputs[i].text);

		ktap(js_int(o, "p99_9_ns", -1) == outputs[i].p99_9_ns, outputs[i].name, "%s",
		     o ? json_object_to_json_string(o) : "none");
		json_object_put(o);
	}
}

static void test_all_figures(void)
{
	struct json_object *o = results_perftest_latency(whole);

	ktap(js_int(o, "bytes", 0) == 64 && js_int(o, "messages", 0) == 1000 &&
	     js_int(o, "min_ns", 0) == 2030 && js_int(o, "p50_ns", 0) == 2050 &&
	     js_int(o, "p99_ns", 0) == 2110 && js_int(o, "max_ns", 0) == 9500,
	     "all_figures", "%s", json_object_to_json_string(o));
	json_object_put(o);
}

static void test_messages(void)
{
	size_t size = 0;
	char *rows = NULL;
	FILE *f = open_memstream(&rows, &size);

	results_perftest_messages(whole, 7, f);
	results_perftest_messages(HEAD LINE, 8, f);
	fclose(f);
	ktap(strcmp(rows, "7,1,2063\n7,2,9500\n7,3,2000\n") == 0, "messages", "%s", rows);
	free(rows);
}

int main(void)
{
	test_figures();
	test_all_figures();
	test_messages();
	return ktap_end();
}
