// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: finds result directories and reads what summary.json and run.json say.
 *
 * A run is a directory named seed<N> holding at least one of the result files;
 * its two parents name the algorithm and the scenario unless summary.json says
 * otherwise. So DIR may be a whole result tree or any part of it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab.h"
#include "report/report.h"

#define RPT_MAX_DEPTH 4

/* One line on stderr, kept for the page as well; never the same one twice. */
void rpt_warn(struct rpt *r, const char *fmt, ...)
{
	va_list ap;
	size_t i;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	if (!s)
		return;
	for (i = 0; i < r->nr_warnings; i++) {
		if (!strcmp(r->warnings[i], s)) {
			free(s);
			return;
		}
	}
	fflush(stdout);
	fprintf(stderr, "lab report: %s\n", s);
	r->warnings = xreallocarray(r->warnings, r->nr_warnings + 1, sizeof(*r->warnings));
	r->warnings[r->nr_warnings++] = s;
}

/* The number at @path of @o, or NAN. */
double rpt_json_double(struct json_object *o, const char *path)
{
	struct json_object *v = js_path(o, path);

	if (json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double))
		return json_object_get_double(v);
	return NAN;
}

struct json_object *rpt_setting(const struct rpt_run *run, const char *key)
{
	struct json_object *set = js_path(run->summary, "settings");
	struct json_object *v;

	if (set && json_object_is_type(set, json_type_object) &&
	    json_object_object_get_ex(set, key, &v))
		return v;
	return NULL;
}

/* Setting @key as a number in base units; tc's units accepted; else NAN. */
double rpt_setting_num(const struct rpt_run *run, const char *key)
{
	struct json_object *v = rpt_setting(run, key);

	if (!v)
		return NAN;
	if (json_object_is_type(v, json_type_string))
		return rpt_parse_quantity(json_object_get_string(v));
	if (json_object_is_type(v, json_type_int) || json_object_is_type(v, json_type_double))
		return json_object_get_double(v);
	return NAN;
}

static double rpt_metric_value(struct json_object *summary, const char *path)
{
	struct json_object *o = js_path(summary, path);

	switch (json_object_get_type(o)) {
	case json_type_int:
	case json_type_double:
		return json_object_get_double(o);
	case json_type_array:
		return json_object_array_length(o);
	default:
		return NAN;
	}
}

static struct json_object *rpt_read_json(struct rpt *r, const char *dir, const char *file)
{
	struct json_object *o;
	const char *why;
	char *path = rpt_text("%s/%s", dir, file);

	errno = 0;
	o = json_object_from_file(path);
	if (o && !json_object_is_type(o, json_type_object)) {
		rpt_warn(r, "%s: not a JSON object", path);
		json_object_put(o);
		o = NULL;
	} else if (!o) {
		why = access(path, R_OK) ? strerror(errno) : "not valid JSON";
		rpt_warn(r, "%s: %s", path, why);
	}
	return o;
}

static struct rpt_scenario *rpt_scenario_of(struct rpt *r, const char *scenario, const char *point)
{
	size_t i;

	for (i = 0; i < r->nr_scen; i++)
		if (!strcmp(r->scen[i].scenario, scenario) && !strcmp(r->scen[i].point, point))
			return &r->scen[i];
	r->scen = xreallocarray(r->scen, r->nr_scen + 1, sizeof(*r->scen));
	r->scen[i] = (struct rpt_scenario){
		.name = rpt_text("%s%s%s", scenario, *point ? ", " : "", point),
		.scenario = rpt_text("%s", scenario),
		.point = rpt_text("%s", point),
	};
	r->nr_scen++;
	return &r->scen[i];
}

static struct rpt_algo *rpt_algo_of(struct rpt_scenario *s, const char *cc)
{
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		if (!strcmp(s->algos[i].cc, cc))
			return &s->algos[i];
	s->algos = xreallocarray(s->algos, s->nr_algos + 1, sizeof(*s->algos));
	s->algos[i] = (struct rpt_algo){ .cc = rpt_text("%s", cc) };
	s->nr_algos++;
	return &s->algos[i];
}

/* The last but @up'th component of @dir, or @dflt when it has fewer. */
static char *rpt_component(const char *dir, int up, const char *dflt)
{
	char real[PATH_MAX];
	char *slash;

	if (!realpath(dir, real))
		return rpt_text("%s", dflt);
	while ((slash = strrchr(real, '/'))) {
		if (!up--)
			return rpt_text("%s", slash[1] ? slash + 1 : dflt);
		*slash = '\0';
	}
	return rpt_text("%s", dflt);
}

/* What one must know to read a run's figures is on the page beside them. */
static void rpt_read_notes(struct rpt *r, const struct rpt_run *run)
{
	struct json_object *notes = js_path(run->summary, "notes");
	size_t i, n = 0;

	if (notes && json_object_is_type(notes, json_type_array))
		n = json_object_array_length(notes);
	for (i = 0; i < n; i++)
		rpt_warn(r, "%s: %s", run->dir,
			 json_object_get_string(json_object_array_get_idx(notes, i)));
}

static char *rpt_identity(struct json_object *summary, const char *key, const char *dir, int up)
{
	struct json_object *o = js_path(summary, key);

	if (o && json_object_is_type(o, json_type_string))
		return rpt_text("%s", json_object_get_string(o));
	return rpt_component(dir, up, "unknown");
}

/* Is there a member @path, be it null, or be what it is a part of null? */
static bool rpt_has(struct json_object *o, const char *path)
{
	size_t len = strcspn(path, ".");
	char *name = rpt_text("%.*s", (int)len, path);
	struct json_object *v = NULL;
	bool has;

	has = json_object_is_type(o, json_type_object) && json_object_object_get_ex(o, name, &v);
	return has && (!v || !path[len] || rpt_has(v, path + len + 1));
}

/*
 * The figures of summary.json. null is an absence on purpose; without flows,
 * as when only round trips are measured, there is nothing to say about any.
 */
static void rpt_read_metrics(struct rpt *r, struct rpt_run *run)
{
	double flows = rpt_metric_value(run->summary, "flows.count");
	int i;

	for (i = 0; i < RPT_M_NR; i++) {
		const char *path = rpt_metrics[i].path;

		if (flows == 0 && i <= RPT_M_JAIN) {
			run->m[i] = NAN;
			continue;
		}
		run->m[i] = rpt_metric_value(run->summary, path);
		if (run->summary && isnan(run->m[i]) &&
		    !rpt_metrics[i].quiet && !rpt_has(run->summary, path))
			rpt_warn(r, "%s/summary.json: no figure '%s'", run->dir, path);
	}
}

/*
 * What is between the report's directory and <scenario>/<cc>/seed<N>: a sweep
 * puts each combination of values into a directory of its own.
 */
static char *rpt_point(const struct rpt *r, const char *dir)
{
	size_t len = strlen(r->dir);
	char *point;
	int up;

	if (strncmp(dir, r->dir, len) || dir[len] != '/')
		return rpt_text("%s", "");
	point = rpt_text("%s", dir + len);
	for (up = 0; up < 3 && *point; up++)
		*strrchr(point, '/') = '\0';
	if (*point)
		memmove(point, point + 1, strlen(point));
	return point;
}

static void rpt_add_run(struct rpt *r, const char *dir, unsigned long seed)
{
	struct rpt_run run = { .dir = rpt_text("%s", dir), .seed = seed };
	char *scenario, *cc, *point;
	struct rpt_algo *a;

	run.summary = rpt_read_json(r, dir, "summary.json");
	run.info = rpt_read_json(r, dir, "run.json");
	rpt_read_metrics(r, &run);
	rpt_read_notes(r, &run);
	scenario = rpt_identity(run.summary, "scenario", dir, 2);
	cc = rpt_identity(run.summary, rpt_has(run.summary, "label") ? "label" : "cc", dir, 1);
	point = rpt_point(r, dir);
	a = rpt_algo_of(rpt_scenario_of(r, scenario, point), cc);
	a->runs = xreallocarray(a->runs, a->nr_runs + 1, sizeof(*a->runs));
	a->runs[a->nr_runs++] = run;
}

static bool rpt_is_seed(const char *name, unsigned long *seed)
{
	char *end;

	if (strncmp(name, "seed", 4) || !isdigit((unsigned char)name[4]))
		return false;
	*seed = strtoul(name + 4, &end, 10);
	return !*end;
}

static bool rpt_has_results(const char *dir)
{
	static const char *const files[] = {
		"summary.json", "flows.csv", "rates.csv", "queues.csv",
	};
	bool found = false;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files) && !found; i++) {
		char *path = rpt_text("%s/%s", dir, files[i]);

		found = !access(path, F_OK);
	}
	return found;
}

static int rpt_walk(struct rpt *r, const char *dir, int depth)
{
	struct dirent **list;
	int i, n;

	n = scandir(dir, &list, NULL, alphasort);
	if (n < 0) {
		rpt_warn(r, "%s: %s", dir, strerror(errno));
		return -1;
	}
	for (i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		char *path = rpt_text("%s/%s", dir, name);
		unsigned long seed;
		struct stat st;

		if (name[0] == '.' || stat(path, &st) || !S_ISDIR(st.st_mode))
			;
		else if (rpt_is_seed(name, &seed) && rpt_has_results(path))
			rpt_add_run(r, path, seed);
		else if (depth < RPT_MAX_DEPTH && strcmp(name, "report"))
			rpt_walk(r, path, depth + 1);
		free(list[i]);
	}
	free(list);
	return 0;
}

static int rpt_cmp_run(const void *pa, const void *pb)
{
	const struct rpt_run *a = pa, *b = pb;

	if (a->seed != b->seed)
		return a->seed < b->seed ? -1 : 1;
	return strcmp(a->dir, b->dir);
}

static int rpt_cmp_scenario(const void *pa, const void *pb)
{
	const struct rpt_scenario *a = pa, *b = pb;

	return strverscmp(a->name, b->name);
}

/* A comparison of runs under different settings would mislead: say so. */
static void rpt_check_settings(struct rpt *r, const struct rpt_scenario *s)
{
	const struct rpt_run *ref = &s->algos[0].runs[0];
	struct json_object *set = js_path(ref->summary, "settings");
	size_t i, j;

	if (!json_object_is_type(set, json_type_object))
		return;
	json_object_object_foreach(set, key, val) {
		for (i = 0; i < s->nr_algos; i++) {
			for (j = 0; j < s->algos[i].nr_runs; j++) {
				const struct rpt_run *run;
				struct json_object *o;

				run = &s->algos[i].runs[j];
				if (!run->summary)
					continue;
				o = rpt_setting(run, key);
				if (o && json_object_equal(o, val))
					continue;
				rpt_warn(r, "%s: setting '%s' differs: %s here, %s in %s",
					 run->dir, key, o ? json_object_to_json_string(o) : "none",
					 json_object_to_json_string(val), ref->dir);
			}
		}
	}
}

/* What only all runs of a scenario together show. */
static void rpt_check_idle(struct rpt *r, const struct rpt_scenario *s)
{
	struct json_object **all = NULL;
	size_t i, k, n = 0;
	char *text;

	for (i = 0; i < s->nr_algos; i++) {
		for (k = 0; k < s->algos[i].nr_runs; k++) {
			if (!s->algos[i].runs[k].summary)
				continue;
			all = xreallocarray(all, n + 1, sizeof(*all));
			all[n++] = s->algos[i].runs[k].summary;
		}
	}
	text = n ? summaries_idle(all, n) : NULL;
	if (text)
		rpt_warn(r, "%s: %s", s->name, text);
	free(text);
	free(all);
}

/**
 * rpt_scan() - find and read all runs below the report's directory
 * @r: the report
 *
 * Return: number of runs of which something can be reported, negative when
 * the directory itself cannot be read.
 */
int rpt_scan(struct rpt *r)
{
	unsigned long seed;
	char *name;
	size_t i, j;
	int n = 0;

	name = rpt_component(r->dir, 0, "");
	if (rpt_is_seed(name, &seed) && rpt_has_results(r->dir))
		rpt_add_run(r, r->dir, seed);
	else if (rpt_walk(r, r->dir, 0))
		n = -1;
	if (n)
		return n;

	if (r->nr_scen)
		qsort(r->scen, r->nr_scen, sizeof(*r->scen), rpt_cmp_scenario);
	for (i = 0; i < r->nr_scen; i++) {
		struct rpt_scenario *s = &r->scen[i];

		qsort(s->algos, s->nr_algos, sizeof(*s->algos), rpt_cmp_algo);
		for (j = 0; j < s->nr_algos; j++) {
			struct rpt_algo *a = &s->algos[j];

			qsort(a->runs, a->nr_runs, sizeof(*a->runs), rpt_cmp_run);
			n += a->nr_runs;
		}
		rpt_check_settings(r, s);
		rpt_check_idle(r, s);
	}
	rpt_styles(r);
	return n;
}

static void rpt_free_scenario(struct rpt_scenario *s)
{
	size_t i, j;

	for (i = 0; i < s->nr_algos; i++) {
		struct rpt_algo *a = &s->algos[i];

		for (j = 0; j < a->nr_runs; j++) {
			json_object_put(a->runs[j].summary);
			json_object_put(a->runs[j].info);
		}
		free(a->runs);
	}
	free(s->algos);
}

void rpt_free(struct rpt *r)
{
	size_t i;

	for (i = 0; i < r->nr_scen; i++)
		rpt_free_scenario(&r->scen[i]);
	for (i = 0; i < r->nr_warnings; i++)
		free(r->warnings[i]);
	free(r->scen);
	free(r->figs);
	free(r->warnings);
	rpt_texts_free();
}
