// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest: what perftest measured.
 *
 * The file of --out_json is no JSON in perftest 4.5: names have no quotes, and a comma stands
 * before the closing brace. Each figure has a line of its own, "NAME: VALUE,".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair/pair.h"

/* The last of that name: several sizes, as "-a" runs them, have a line each. */
static double figure(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *at = text;
	double val = NAN;

	while ((at = strstr(at, name))) {
		if ((at == text || at[-1] == '\n' || at[-1] == ' ') && at[len] == ':')
			val = strtod(at + len + 1, NULL);
		at += len;
	}
	return val;
}

/**
 * perf_read() - figures of one run
 * @path: file of --out_json
 * @lat: latency, else bandwidth
 * @f: receives the figures
 *
 * Return: 0, or -1 if they are not there, or are none, as when perftest could not measure the
 * cycle counter's rate.
 */
int perf_read(const char *path, bool lat, struct perf_figures *f)
{
	char *text = read_file(path, NULL);

	if (!text)
		return -1;
	if (lat) {
		f->a = figure(text, "t_typical") * 1e3;
		f->b = figure(text, "percentile_99") * 1e3;
	} else {
		f->a = figure(text, "BW_average") * 1e9;
		f->b = figure(text, "MsgRate") * 1e6;
	}
	free(text);
	return isfinite(f->a) && isfinite(f->b) && f->a > 0 && f->b >= 0 ? 0 : -1;
}
