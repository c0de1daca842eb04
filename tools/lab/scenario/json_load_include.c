// SPDX-License-Identifier: GPL-2.0
/*
 * Scenario files: one file, or one that takes nodes and links from a topology. A file of the
 * user's own may be anywhere; keys that it includes are those of the lab.
 *
 * With "topology": "NAME" the lists of scenarios/topologies/NAME.json come
 * before those of the scenario itself, so that a scenario over a known network
 * is little more than its flows. In a file of the user's own NAME may be a file, too, of JSON or
 * of another simulator, or the network itself. With "include": [ "NAME" ] the keys of
 * scenarios/keys/NAME.json come after the others.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

static struct json_object *load_file(const char *path)
{
	struct json_object *doc;
	char *err = NULL;

	doc = js_load(path, &err);
	if (!doc)
		run_error("%s", err);
	else if (!json_object_is_type(doc, json_type_object))
		run_error("%s: not a JSON object", path);
	if (!json_object_is_type(doc, json_type_object)) {
		json_object_put(doc);
		doc = NULL;
	}
	free(err);
	return doc;
}

/* What kind of file it is its beginning tells. */
static struct json_object *load_own(const char *path)
{
	return topology_file_is(path) ? topology_file_load(path) : load_file(path);
}

static struct json_object *load(const char *dir, const char *name)
{
	char *path = xasprintf("%s/tools/lab/scenarios/%s%s.json", lab_root(), dir, name);
	struct json_object *doc = load_file(path);

	free(path);
	return doc;
}

static struct json_object *item_of(struct json_object *list, size_t i)
{
	return json_object_get(js_at(list, i));
}

/* Those of the topology first: the scenario's may refer to them. */
static void join_lists(struct json_object *doc, struct json_object *topo, const char *name)
{
	struct json_object *from[] = { js_get(topo, name), js_get(doc, name) };
	struct json_object *list = json_object_new_array();
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(from); k++)
		for (i = 0; i < js_len(from[k]); i++)
			json_object_array_add(list, item_of(from[k], i));
	json_object_object_add(doc, name, list);
}

/* What the scenario says itself counts. */
static void join_objects(struct json_object *doc, struct json_object *topo, const char *name)
{
	struct json_object *from[] = { js_get(topo, name), js_get(doc, name) };
	struct json_object *all = json_object_new_object();
	size_t k;

	for (k = 0; k < ARRAY_SIZE(from); k++) {
		if (!from[k])
			continue;
		json_object_object_foreach(from[k], key, val)
			json_object_object_add(all, key, json_object_get(val));
	}
	json_object_object_add(doc, name, all);
}

static bool names_key(struct json_object *doc, const char *name)
{
	struct json_object *keys = js_get(doc, "keys");
	size_t i;

	for (i = 0; i < js_len(keys); i++)
		if (strcmp(js_str(js_at(keys, i), "name", ""), name) == 0)
			return true;
	return false;
}

/*
 * "include": [ "traffic" ]: the keys of keys/traffic.json too, after its own. Of two keys of
 * one name the scenario's counts.
 */
static int include_keys(struct json_object *doc)
{
	struct json_object *names = js_get(doc, "include"), *keys, *part, *list, *key;
	size_t i, k;

	if (js_len(names) && !js_get(doc, "keys"))
		json_object_object_add(doc, "keys", json_object_new_array());
	keys = js_get(doc, "keys");
	for (i = 0; i < js_len(names); i++) {
		const char *name = json_object_get_string(js_at(names, i));

		part = load("keys/", name);
		if (!part)
			return -1;
		list = js_get(part, "keys");
		for (k = 0; k < js_len(list); k++) {
			key = item_of(list, k);
			if (names_key(doc, js_str(key, "name", ""))) {
				json_object_put(key);
				continue;
			}
			js_add_str(key, "part", name);
			json_object_array_add(keys, key);
		}
		json_object_put(part);
	}
	return 0;
}

/* Of what kind the members are that are gone through below. */
static int check_types(struct json_object *doc, const char *where)
{
	static const char *const lists[] = {
		"keys", "require", "hosts", "switches", "links", "include", "flows", "latency",
		"bottleneck", "programs",
	};
	static const char *const objects[] = { "defaults", "let", "fixed" };
	struct json_object *o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		o = js_get(doc, lists[i]);
		if (o && !json_object_is_type(o, json_type_array))
			return run_error("scenario %s: %s: not a list", where, lists[i]);
	}
	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		o = js_get(doc, objects[i]);
		if (o && !json_object_is_type(o, json_type_object))
			return run_error("scenario %s: %s: not an object", where, objects[i]);
	}
	return 0;
}

/**
 * json_topology_file() - the file of the network that a scenario names
 * @doc: of the scenario
 * @name: path of its file, as the user wrote it
 *
 * Return: path, to be freed, beside the scenario's file unless it is a full one; or NULL: the
 * network is not in a file of the user's own.
 */
char *json_topology_file(struct json_object *doc, const char *name)
{
	const char *base = js_str(doc, "topology", ""), *slash = strrchr(name, '/');

	/* The network itself is no name. */
	if (!json_object_is_type(js_get(doc, "topology"), json_type_string) ||
	    !scenario_is_file(base))
		return NULL;
	if (*base == '/' || !slash)
		return xstrdup(base);
	return xasprintf("%.*s/%s", (int)(slash - name), name, base);
}

static struct json_object *load_topology(struct json_object *doc, const char *name, bool own)
{
	struct json_object *o = js_get(doc, "topology"), *topo;
	char *path = own ? json_topology_file(doc, name) : NULL;

	if (path)
		topo = load_own(path);
	else if (json_object_is_type(o, json_type_object))
		topo = json_object_get(o);
	else if (json_object_is_type(o, json_type_string))
		topo = load("topologies/", json_object_get_string(o));
	else
		return run_error("scenario %s: topology: neither a name nor a network", name), NULL;
	if (topo && check_types(topo, path ? path : name)) {
		json_object_put(topo);
		topo = NULL;
	}
	free(path);
	return topo;
}

/* Of its flows and programs nothing is taken. */
static int join_topology(struct json_object *doc, const char *name, bool own)
{
	static const char *const lists[] = {
		"keys", "require", "hosts", "switches", "links", "include",
	};
	static const char *const objects[] = { "defaults", "let", "fixed" };
	static const char *const others[] = { TOPOLOGY_NUMBERED, "note", "permutation" };
	struct json_object *topo;
	size_t i;

	if (!js_get(doc, "topology"))
		return 0;
	topo = load_topology(doc, name, own);
	if (!topo)
		return -1;
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		join_lists(doc, topo, lists[i]);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		join_objects(doc, topo, objects[i]);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (js_get(topo, others[i]) && !js_get(doc, others[i]))
			json_object_object_add(doc, others[i],
					       json_object_get(js_get(topo, others[i])));
	json_object_put(topo);
	return 0;
}

/**
 * json_load() - read a scenario file and the topology that it is about
 * @name: scenario of the lab, or path of the user's own as he wrote it
 * @file: full path of the user's own; else NULL
 *
 * Return: the whole scenario, or NULL after a message.
 */
struct json_object *json_load(const char *name, const char *file)
{
	struct json_object *doc = file ? load_own(file) : load("", name);

	if (!doc || (!check_types(doc, file ? file : name) && !join_topology(doc, name, file) &&
		     !include_keys(doc)))
		return doc;
	json_object_put(doc);
	return NULL;
}
