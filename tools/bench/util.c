// SPDX-License-Identifier: GPL-2.0
/* Files, numbers and random choices of all benchmarks. */
#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <json-c/json.h>

#include "../lib/file.h"
#include "../lib/json.h"
#include "bench.h"

/**
 * bench_error() - one line on stderr
 * @fmt: printf format, without newline
 *
 * Return: -1, so that callers can return it.
 */
int bench_error(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%sbench: ", bench_cr());
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

/**
 * bench_mkdir() - make @dir/@name, unless it is there
 * @dir: directory
 * @name: of the new one
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_mkdir(const char *dir, const char *name)
{
	char path[700];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!mkdir(path, 0777) || errno == EEXIST)
		return 0;
	return bench_error("%s: %s", path, strerror(errno));
}

/**
 * bench_write_file() - make @dir/@name with @text in it
 * @dir: directory
 * @name: file name
 * @text: contents
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_write_file(const char *dir, const char *name, const char *text)
{
	char path[700];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!write_file(path, "%s", text))
		return 0;
	return bench_error("%s: %s", path, strerror(errno));
}

/**
 * bench_copy() - copy a file, so that a build meanwhile does not change what
 *	is compared
 * @dir: directory of the copy
 * @name: its name
 * @from: the file
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_copy(const char *dir, const char *name, const char *from)
{
	char path[700], buf[65536];
	FILE *in = fopen(from, "re"), *out = NULL;
	int ret = -1;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
	if (in)
		out = fopen(path, "we");
	if (out) {
		while ((n = fread(buf, 1, sizeof(buf), in)) > 0)
			fwrite(buf, 1, n, out);
		ret = ferror(in) || ferror(out) ? -1 : 0;
		ret |= fclose(out) | chmod(path, 0755);
	}
	if (ret)
		bench_error("%s: %s", in ? path : from, strerror(errno));
	if (in)
		fclose(in);
	return ret;
}

/**
 * bench_member() - a number of a JSON file
 * @dir: directory
 * @pattern: glob(7) pattern below it; the first file is read
 * @key: member of its object
 *
 * Return: the number, negative: there is none.
 */
double bench_member(const char *dir, const char *pattern, const char *key)
{
	struct json_object *top = NULL;
	char path[800], *err = NULL;
	double v;
	glob_t g;

	snprintf(path, sizeof(path), "%s/%s", dir, pattern);
	if (!glob(path, 0, NULL, &g)) {
		top = js_load(g.gl_pathv[0], &err);
		globfree(&g);
	}
	v = js_dbl(top, key, -1);
	free(err);
	json_object_put(top);
	return v;
}

/**
 * bench_remove() - remove a directory and all in it
 * @dir: it need not be there
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_remove(const char *dir)
{
	if (!rm_rf(dir) || errno == ENOENT)
		return 0;
	return bench_error("%s: %s", dir, strerror(errno));
}

/**
 * bench_cr() - what a line must begin with that follows progress
 *
 * Return: characters for a terminal, or none.
 */
const char *bench_cr(void)
{
	return isatty(2) ? "\r\033[K" : "";
}

/**
 * bench_random() - next number from a seed: splitmix64, the same everywhere
 * @state: the seed at first
 *
 * Return: 64 random bits.
 */
uint64_t bench_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * bench_draw() - one that was not drawn yet
 * @left: what there is; a drawn one goes behind those that are left
 * @last: place of the last that is left
 * @state: of bench_random()
 *
 * Return: it.
 */
size_t bench_draw(size_t *left, size_t last, uint64_t *state)
{
	size_t pick = bench_random(state) % (last + 1), drawn = left[pick];

	left[pick] = left[last];
	left[last] = drawn;
	return drawn;
}

/**
 * bench_json_num() - add a number with nine digits
 * @o: object
 * @key: its member
 * @v: the number
 */
void bench_json_num(struct json_object *o, const char *key, double v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.9g", v);
	json_object_object_add(o, key, json_object_new_double_s(v, buf));
}

/**
 * bench_json_ratio() - add a median with its interval
 * @o: object
 * @key: its member
 * @r: the median
 */
void bench_json_ratio(struct json_object *o, const char *key, const struct bench_ratio *r)
{
	struct json_object *j = json_object_new_object();

	bench_json_num(j, "median", r->median);
	bench_json_num(j, "low", r->low);
	bench_json_num(j, "high", r->high);
	bench_json_num(j, "confidence", r->confidence);
	json_object_object_add(o, key, j);
}

/**
 * bench_json_out() - write results, and print them
 * @o: results, freed here
 * @dir: directory
 * @name: file name
 * @print: also on stdout
 *
 * Return: 0, or -1 with a message on stderr.
 */
int bench_json_out(struct json_object *o, const char *dir, const char *name, bool print)
{
	const char *text = json_object_to_json_string_ext(o,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
		JSON_C_TO_STRING_NOSLASHESCAPE);
	int ret = bench_write_file(dir, name, text);

	if (print)
		puts(text);
	json_object_put(o);
	return ret;
}

/**
 * bench_verdict() - is a goal met?
 * @r: the median
 * @goal: what it should reach
 * @up: higher is better
 *
 * Return: words; "met" and "missed" when the whole interval says so.
 */
const char *bench_verdict(const struct bench_ratio *r, double goal, bool up)
{
	if (up ? r->low >= goal : r->high <= goal)
		return "met";
	if (up ? r->high < goal : r->low > goal)
		return "missed";
	return up == (r->median >= goal) ? "met, not certain" :
					   "not met, not certain";
}
