// SPDX-License-Identifier: GPL-2.0
/* CSV lines, JSON getters, whole files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../csv.h"
#include "../file.h"
#include "../json.h"
#include "ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

static void test_csv(void)
{
	static const struct {
		const char *line;
		int max, n;
		const char *col[4];
	} lines[] = {
		{ "a,b,c\n", 4, 3, { "a", "b", "c" } },
		{ "a,b,c\r\n", 4, 3, { "a", "b", "c" } },
		{ "a,,c", 4, 3, { "a", "", "c" } },
		{ "a,", 4, 2, { "a", "" } },
		{ "", 4, 1, { "" } },
		{ "1,2,3,4,5\n", 4, 4, { "1", "2", "3", "4" } },
	};
	char line[64], *col[4], name[80];
	size_t i;
	int n, k;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(line, sizeof(line), "%s", lines[i].line);
		n = csv_split(line, col, lines[i].max);
		ok = n == lines[i].n;
		for (k = 0; ok && k < n; k++)
			ok = !strcmp(col[k], lines[i].col[k]);
		snprintf(name, sizeof(name), "csv_split__%zu", i);
		ktap(ok, name, "%d columns", n);
	}
	snprintf(line, sizeof(line), "t_ns,port,bytes");
	n = csv_split(line, col, 4);
	ktap(csv_column(col, n, "t_ns") == 0 && csv_column(col, n, "port") == 1 &&
	     csv_column(col, n, "bytes") == 2, "csv_column__each", "wrong place");
	ktap(csv_column(col, n, "byte") == -1 && csv_column(col, 2, "bytes") == -1,
	     "csv_column__absent", "found");
}

static void test_csv_reader(void)
{
	char dir[] = "/tmp/csv.XXXXXX", *path;
	struct csv c;

	if (!mkdtemp(dir)) {
		ktap(false, "csv_open", "mkdtemp: %s", strerror(errno));
		return;
	}
	path = xasprintf("%s/t.csv", dir);
	ktap(csv_open(&c, path, "a") && errno == ENOENT, "csv_open__no_file", "%s",
	     strerror(errno));
	write_file(path, "%s", "");
	ktap(csv_open(&c, path, "a") && !errno, "csv_open__empty", "%s", strerror(errno));
	/* In another order, with a column more than wanted; one that is not there must be. */
	write_file(path, "%s", "x,b,a\n1,2,3\n\n# 4\n5,6\n");
	ktap(!csv_open(&c, path, "a,?n,?b,m") && c.n == 4, "csv_open__columns", "%d", c.n);
	ktap(!csv_missing(&c, 0) && !csv_missing(&c, 1) && !strcmp(csv_missing(&c, 3), "m"),
	     "csv_missing", "wrong column");
	ktap(csv_next(&c) && c.whole && c.line == 2 && !strcmp(c.field[0], "3") && !*c.field[1] &&
	     !strcmp(c.field[2], "2"), "csv_next__by_name", "%s %s", c.field[0], c.field[2]);
	ktap(csv_next(&c) && !c.whole && c.line == 5 && !*c.field[0] && !strcmp(c.field[2], "6"),
	     "csv_next__cut_off", "line %lu", c.line);
	ktap(!csv_next(&c), "csv_next__end", "a row more");
	csv_close(&c);
	ktap(!csv_open(&c, path, NULL) && c.n == 3 && csv_next(&c) && !strcmp(c.field[2], "3"),
	     "csv_open__all", "%d columns", c.n);
	csv_close(&c);
	ktap(csv_double("-2.5e1") == -25 && isnan(csv_double("")) && isnan(csv_double("1x")) &&
	     isnan(csv_double("x")), "csv_double", "wrong");
	rm_rf(dir);
	free(path);
}

static void test_json(void)
{
	struct json_object *o = json_tokener_parse("{\"s\": \"text\", \"i\": 41, \"d\": 2.5, \"t\": true, \"n\": null,"
		" \"a\": [1, 2, 3], \"o\": {\"p\": {\"q\": 43}}}");

	ktap(!strcmp(js_str(o, "s", "other"), "text") && !strcmp(js_str(o, "x", "other"), "other"),
	     "js_str", "%s", js_str(o, "s", "other"));
	ktap(js_int(o, "i", 1) == 41 && js_int(o, "x", 7) == 7, "js_int", "%lld",
	     (long long)js_int(o, "i", 1));
	ktap(js_dbl(o, "d", 1) == 2.5 && js_dbl(o, "x", 0.5) == 0.5, "js_dbl", "%g",
	     js_dbl(o, "d", 1));
	ktap(js_bool(o, "t", false) && js_bool(o, "x", true) && !js_bool(o, "x", false), "js_bool",
	     "wrong");
	ktap(js_len(js_get(o, "a")) == 3 && js_len(js_get(o, "o")) == 0 && js_len(NULL) == 0,
	     "js_len", "%zu", js_len(js_get(o, "a")));
	ktap(json_object_get_int(js_at(js_get(o, "a"), 2)) == 3 && !js_at(js_get(o, "a"), 3) &&
	     !js_at(js_get(o, "o"), 0) && !js_at(NULL, 0), "js_at", "found");
	ktap(!js_get(js_get(o, "s"), "s") && !js_get(NULL, "s"), "js_get__no_object", "found");
	ktap(json_object_get_int(js_path(o, "o.p.q")) == 43 &&
	     json_object_get_int(js_path(o, "i")) == 41, "js_path__found", "not found");
	ktap(!js_path(o, "o.q") && !js_path(o, "i.p") && !js_path(o, "o.p.q.r") &&
	     js_path(o, "") == o, "js_path__absent", "found");
	json_object_put(o);
	o = json_object_new_object();
	js_add_str(o, "s", "t");
	js_add_int(o, "i", -3);
	js_add_dbl(o, "d", 0.125, 2);
	js_add_dbl(o, "e", 1.0 / 3, 5);
	ktap(!strcmp(json_object_to_json_string_ext(o, 0),
		     "{\"s\":\"t\",\"i\":-3,\"d\":0.12,\"e\":0.33333}"), "js_add", "%s",
	     json_object_to_json_string_ext(o, 0));
	json_object_put(o);
}

static void test_load(const char *dir)
{
	static const struct {
		const char *text;
		const char *err;	/* NULL: it is read */
	} files[] = {
		{ "{\"a\": 1}\n", NULL },
		{ "\xef\xbb\xbf{\"a\": 1}\n", NULL },
		{ "{\"a\": 1", "byte" },
		{ "null\n", "only null" },
		{ "{\"a\" 1}", "byte 5" },
		{ NULL, "No such file" },
	};
	char *path = xasprintf("%s/in.json", dir), *err, name[80];
	struct json_object *o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		err = NULL;
		unlink(path);
		if (files[i].text)
			write_file(path, "%s", files[i].text);
		o = js_load(path, &err);
		snprintf(name, sizeof(name), "js_load__%zu", i);
		ktap(files[i].err ? !o && err && strstr(err, files[i].err) && strstr(err, path) :
		     js_int(o, "a", 0) == 1, name, "%s", err ? err : "no error");
		json_object_put(o);
		free(err);
	}
	free(path);
}

/* A byte order mark is skipped, and nothing else. */
static void test_text(const char *dir)
{
	static const char *const texts[][2] = {
		{ "\xef\xbb\xbfx", "x" }, { "\xef\xbb\xbf", "" }, { "\xef\xbbx", "\xef\xbbx" },
		{ "\xef", "\xef" }, { "xy", "xy" }, { "", "" },
	};
	char *path = xasprintf("%s/text", dir), got[16], name[80];
	size_t i, len;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		write_file(path, "%s", texts[i][0]);
		f = text_open(path);
		len = f ? fread(got, 1, sizeof(got) - 1, f) : 0;
		got[len] = '\0';
		if (f)
			fclose(f);
		snprintf(name, sizeof(name), "text_open__%zu", i);
		ktap(f && !strcmp(got, texts[i][1]), name, "%zu bytes", len);
	}
	unlink(path);
	ktap(!text_open(path), "text_open__none", "opened");
	free(path);
}

static void test_files(const char *dir)
{
	char *deep = xasprintf("%s/a/b/c", dir), *path = xasprintf("%s/a/b/c/f", dir), *text;
	struct json_object *o = json_object_new_object();
	size_t len = 0;

	ktap(!mkdir_p(deep) && !mkdir_p(deep) && path_exists(deep), "mkdir_p", "%s",
	     strerror(errno));
	ktap(!write_file(path, "%d %s\n", 42, "words"), "write_file", "%s", strerror(errno));
	text = read_file(path, &len);
	ktap(text && len == 9 && !strcmp(text, "42 words\n"), "read_file", "%s",
	     text ? text : "none");
	free(text);
	errno = EIO;
	ktap(!write_file(path, "%s", ""), "write_file__empty", "%s", strerror(errno));
	write_file(path, "x");
	text = read_file(path, &len);
	ktap(text && len == 1, "write_file__shorter", "%zu", len);
	free(text);
	text = xcalloc(1, 100001);
	memset(text, 'y', 100000);
	ktap(!write_file(path, "%s", text), "write_file__long", "%s", strerror(errno));
	free(text);
	text = read_file(path, &len);
	ktap(text && len == 100000 && text[99999] == 'y' && !text[100000], "read_file__long",
	     "%zu", len);
	free(text);
	errno = 0;
	ktap(write_file(deep, "x") && errno == EISDIR, "write_file__directory", "%s",
	     strerror(errno));
	errno = 0;
	ktap(write_file("/dev/full", "x") && errno == ENOSPC, "write_file__full_disk", "%s",
	     strerror(errno));
	errno = 0;
	ktap(js_save(o, "/dev/full") && errno == ENOSPC, "js_save__full_disk", "%s",
	     strerror(errno));
	errno = 0;
	ktap(mkdir_p(path) && errno == ENOTDIR, "mkdir_p__file_in_the_way", "made");
	ktap(!read_file("/nonexistent", NULL) && errno == ENOENT, "read_file__absent", "%s",
	     strerror(errno));
	ktap(!rm_rf(dir) && !path_exists(dir), "rm_rf", "%s", strerror(errno));
	json_object_put(o);
	free(deep);
	free(path);
}

/* A write that failed long before the file is closed, when errno is that of something else. */
static void test_close(const char *dir)
{
	char *path = xasprintf("%s/closed", dir), *text;
	FILE *f = fopen("/dev/full", "we");
	int i, rc;

	setvbuf(f, NULL, _IOFBF, 16);
	for (i = 0; i < 100; i++)
		fputs("0123456789", f);
	errno = ENOENT;
	rc = file_close(f);
	ktap(rc == -1 && errno == ENOSPC, "file_close__full_disk", "%d, %s", rc, strerror(errno));
	f = fopen(path, "we");
	fputs("abc", f);
	rc = file_close(f);
	text = read_file(path, NULL);
	ktap(!rc && text && !strcmp(text, "abc"), "file_close__whole", "%d, \"%s\"", rc,
	     text ? text : "");
	unlink(path);
	free(text);
	free(path);
}

static void test_missing(const char *dir)
{
	char *path = xasprintf("%s/nothing", dir);

	ktap(path_missing(path) && !path_missing(dir), "path_missing", "there, or not");
	free(path);
}

int main(void)
{
	char dir[] = "/tmp/lib_test.XXXXXX";

	if (!mkdtemp(dir))
		return 1;
	test_csv();
	test_csv_reader();
	test_json();
	test_text(dir);
	test_load(dir);
	test_close(dir);
	test_missing(dir);
	test_files(dir);
	return ktap_end();
}
