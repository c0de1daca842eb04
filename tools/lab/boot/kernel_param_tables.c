// SPDX-License-Identifier: GPL-2.0
/*
 * lab: tables of what the kernel's algorithms and devices can be set to: parameters, presets,
 * knobs, with units and limits. Only the modules have these tables. So the lab kernel is
 * started once for each build of the modules, and rxecc asks it for all of them. The answer is
 * kept beside the modules or, where that cannot be written, in the user's cache.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/run.h"

#define SCENARIO	"two"
#define DEVICE		"rxe_h0/1"	/* of any host: all have the same knobs */
#define FILE_NAME	"tables.json"
#define FORMAT		"2"	/* of what is in it */
#define MEM_MB		256
#define MEM_DEBUG_MB	1024
#define TIMEOUT_S	600	/* the debug kernel on a busy machine */

/*
 * The answer to "rxecc algo show NAME" goes to NAME.json, what it complains of to NAME.why. What
 * a preset sets is seen at a device that has it: NAME:PRESET.
 */
static char *script_text(const char *kdir, const char *work)
{
	char *text, *list = xstrdup(""), *more;
	char **names;
	size_t n, i;

	names = cc_names(kdir, &n);
	for (i = 0; i < n; i++) {
		more = xasprintf("%s %s", list, names[i]);
		free(list);
		free(names[i]);
		list = more;
	}
	free(names);
	text = xasprintf("cd %s\nr=%s/build/bin/rxecc\n$r -j dev show " DEVICE " >knobs 2>/dev/null\n"
			 "for a in%s; do\n"
			 "$r -j algo show $a >$a.json 2>$a.why\n"
			 "all=$(sed -n 's/.*\"presets\":\\[\\([^]]*\\)\\].*/\\1/p' $a.json)\n"
			 "for p in ${all//[\\\",]/ }; do\n"
			 "$r dev set " DEVICE " algo $a preset $p && $r -j dev show " DEVICE " >$a:$p\n"
			 "done\ndone >/dev/null 2>&1\n", work, lab_root(), list);
	free(list);
	return text;
}

/* Runs the script in the smallest scenario. */
static int ask(struct plan *p, const char *kdir, bool debug, const char *work)
{
	struct run_opts o = { .seed = 1, .quiet = true };
	char *script = xasprintf("%s/input", work), *none = xstrdup("none");
	char *text = script_text(kdir, work);
	struct uml u = {
		.kernel_dir = kdir, .work_dir = work, .label = "list", .quiet = true,
		.mem_mb = debug ? MEM_DEBUG_MB : MEM_MB, .timeout_s = TIMEOUT_S,
	};
	int rc;

	if (write_file(script, "%s", text))
		rc = run_error("%s: %s", script, strerror(errno));
	else
		rc = uml_check_room(u.mem_mb);
	job_add_str(p->base, J_SCRIPT, script);
	o.ccs = &none;
	o.n_ccs = 1;
	if (!rc)
		rc = job_save(p, &o, none, kdir, work, "shell");
	if (!rc)
		rc = uml_run(&u);
	if (!rc && u.error)
		rc = run_error("list: %s", u.error);
	free(u.error);
	free(text);
	free(none);
	free(script);
	return rc;
}

/* The one element of a list in a file of @work; NULL if there is none. */
static struct json_object *answer(const char *work, const char *file)
{
	char *path = xasprintf("%s/%s", work, file), *err = NULL;
	struct json_object *list = js_load(path, &err), *o = NULL;

	if (js_len(list) == 1)
		o = json_object_get(js_at(list, 0));
	json_object_put(list);
	free(err);
	free(path);
	return o;
}

/* Limits of knobs, without the values that they happened to have. */
static struct json_object *knobs_of(struct json_object *dev)
{
	struct json_object *knobs = js_get(dev, "knobs");

	if (!knobs)
		return json_object_new_object();
	json_object_object_foreach(knobs, name, knob) {
		(void)name;
		json_object_object_del(knob, "value");
	}
	return json_object_get(knobs);
}

/* Parameters under each preset: name to value. */
static struct json_object *presets_of(const char *work, const char *name, struct json_object *algo)
{
	struct json_object *all = json_object_new_object(), *list = js_get(algo, "presets");
	struct json_object *dev, *o;
	const char *preset;
	char *file;
	size_t i;

	for (i = 0; i < js_len(list); i++) {
		preset = json_object_get_string(js_at(list, i));
		file = xasprintf("%s:%s", name, preset);
		dev = answer(work, file);
		free(file);
		if (js_get(dev, "params")) {
			o = json_object_new_object();
			json_object_object_foreach(js_get(dev, "params"), param, val)
				json_object_object_add(o, param,
						       json_object_get(js_get(val, "value")));
			json_object_object_add(all, preset, o);
		}
		json_object_put(dev);
	}
	return all;
}

/* @whole: false if an algorithm did not answer: "why" has the reason. */
static struct json_object *collect(const char *kdir, const char *work, bool *whole)
{
	struct json_object *t = json_object_new_object(), *algos = json_object_new_object(), *o;
	struct json_object *why = json_object_new_object(), *presets = json_object_new_object();
	char **names, *file, *text;
	size_t n, i;

	*whole = true;
	o = answer(work, "knobs");
	json_object_object_add(t, "knobs", knobs_of(o));
	json_object_put(o);
	json_object_object_add(t, "algos", algos);
	json_object_object_add(t, "presets", presets);
	json_object_object_add(t, "why", why);
	names = cc_names(kdir, &n);
	for (i = 0; i < n; i++) {
		file = xasprintf("%s.json", names[i]);
		o = answer(work, file);
		free(file);
		file = xasprintf("%s/%s.why", work, names[i]);
		text = read_file(file, NULL);
		if (o) {
			json_object_object_add(algos, names[i], o);
			json_object_object_add(presets, names[i], presets_of(work, names[i], o));
		} else if (strcmp(names[i], "none")) {
			if (text)
				text[strcspn(text, "\n")] = '\0';
			js_add_str(why, names[i], text && *text ? text : "no answer");
			*whole = false;
		}
		free(text);
		free(file);
		free(names[i]);
	}
	free(names);
	return t;
}

static struct json_object *ask_kernel(const char *kdir, bool debug, bool *whole)
{
	struct scenario *sc = scenario_load(SCENARIO);
	struct json_object *t = NULL;
	struct plan *p = NULL;
	char *work = NULL;

	if (!sc || plan_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	work = work_dir_make();
	if (work && !ask(p, kdir, debug, work))
		t = collect(kdir, work, whole);
	if (work)
		work_dir_remove(work);
	plan_free(p);
	scenario_free(sc);
	return t;
}

/* Of all that the answer depends on. */
static char *digest_of(const char *kdir)
{
	char *path = xasprintf("%s/build/bin/rxecc", lab_root()), *digest;
	uint64_t hash = hash_file(HASH_START, path);

	free(path);
	hash = hash_files(hash, kdir, "r*_cc*.ko", "*kunit*");
	digest = xasprintf(FORMAT "-%016" PRIx64, hash);
	return digest;
}

/* Beside the modules, and in the user's cache. */
static char *place_of(const char *kdir, int nth)
{
	const char *debug = strrchr(kdir, '-');
	char *cache, *place;

	if (nth == 0)
		return xasprintf("%s/" FILE_NAME, kdir);
	cache = cache_dir();
	place = cache ? xasprintf("%s/lab%s-" FILE_NAME, cache, debug ? debug : "") : NULL;
	free(cache);
	return place;
}

static struct json_object *load(const char *kdir, const char *digest)
{
	struct json_object *t = NULL;
	char *path, *err;
	int i;

	for (i = 0; i < 2 && !t; i++) {
		path = place_of(kdir, i);
		err = NULL;
		t = path ? js_load(path, &err) : NULL;
		if (t && strcmp(js_str(t, "digest", ""), digest)) {
			json_object_put(t);
			t = NULL;
		}
		free(err);
		free(path);
	}
	return t;
}

/* Under another name first: several may ask at once. A cache that cannot be written is none. */
static void keep(struct json_object *t, const char *kdir)
{
	bool done = false;
	char *path, *tmp, *end;
	int i;

	for (i = 0; i < 2 && !done; i++) {
		path = place_of(kdir, i);
		if (!path)
			continue;
		end = strrchr(path, '/');
		*end = '\0';
		if (i)
			mkdir_p(path);
		*end = '/';
		tmp = xasprintf("%s.%d", path, (int)getpid());
		done = !js_save(t, tmp) && !rename(tmp, path);
		if (!done)
			unlink(tmp);
		free(tmp);
		free(path);
	}
}

/**
 * kernel_param_tables() - the tables of a kernel
 * @kdir: kernel and modules
 * @debug: it is the debug kernel
 *
 * Return: an object with "algos" (what "rxecc -j algo show" says, by name), "why" (of an
 * algorithm that did not answer, by name), "presets" (what each sets, by algorithm and preset)
 * and "knobs"; it is not for the caller to free.
 * NULL after a message.
 */
struct json_object *kernel_param_tables(const char *kdir, bool debug)
{
	static struct json_object *last;
	static char *last_kdir;
	char *digest;
	bool whole;

	if (last && strcmp(last_kdir, kdir) == 0)
		return last;
	json_object_put(last);
	free(last_kdir);
	last_kdir = xstrdup(kdir);
	digest = digest_of(kdir);
	last = load(kdir, digest);
	if (!last) {
		last = ask_kernel(kdir, debug, &whole);
		if (last) {
			js_add_str(last, "digest", digest);
			if (whole)
				keep(last, kdir);
		}
	}
	free(digest);
	return last;
}
