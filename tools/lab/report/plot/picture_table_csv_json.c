// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: writes what a picture shows as a table beside it, in CSV and JSON, by the same
 * name.
 */
#include <errno.h>
#include <string.h>
#include <stdlib.h>

#include "report/plot/workload_pictures.h"

/**
 * rpt_table_begin() - begin a table
 * @r: the report
 * @base: file name of the picture, without extension
 * @heading: names of the columns; NULL: the caller writes them
 *
 * Return: file, or NULL after a warning.
 */
FILE *rpt_table_begin(struct rpt *r, const char *base, const char *heading)
{
	char *path = rpt_text("%s/%s.csv", r->outdir, base);
	FILE *f = fopen(path, "we");

	if (f && heading)
		fprintf(f, "%s\n", heading);
	else if (!f)
		rpt_warn(r, "%s: %s", path, strerror(errno));
	return f;
}

/* A cell as JSON: a number as it is, else a word. */
static struct json_object *cell(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (!*text)
		return NULL;
	return *end || end == text ? json_object_new_string(text) :
	       json_object_new_double_s(v, text);
}

/* The same as a list of objects. */
static int write_json(const char *csv, const char *json)
{
	struct json_object *list = json_object_new_array();
	char *line = NULL, *name[32], *heading = NULL, *text, *rest;
	FILE *f = fopen(csv, "re");
	size_t size = 0;
	int n = 0, i, rc;

	if (f && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		heading = rpt_text("%s", line);
		for (rest = heading; rest && n < (int)ARRAY_SIZE(name); n++)
			name[n] = strsep(&rest, ",");
	}
	while (f && getline(&line, &size, f) > 0) {
		struct json_object *o = json_object_new_object();

		line[strcspn(line, "\n")] = '\0';
		for (rest = line, i = 0; i < n && (text = strsep(&rest, ",")); i++)
			json_object_object_add(o, name[i], cell(text));
		json_object_array_add(list, o);
	}
	rc = js_save(list, json);
	if (f)
		fclose(f);
	json_object_put(list);
	free(line);
	return rc;
}

/**
 * rpt_table_end() - end a table, and write it as JSON too
 * @r: the report
 * @f: from rpt_table_begin(), may be NULL
 * @base: file name of the picture, without extension
 */
void rpt_table_end(struct rpt *r, FILE *f, const char *base)
{
	char *csv, *json;
	bool bad;

	if (!f)
		return;
	csv = rpt_text("%s/%s.csv", r->outdir, base);
	json = rpt_text("%s/%s.json", r->outdir, base);
	bad = ferror(f);
	if (fclose(f) || bad)
		rpt_warn(r, "%s: %s", csv, strerror(errno));
	else if (write_json(csv, json))
		rpt_warn(r, "%s: %s", json, strerror(errno));
}
