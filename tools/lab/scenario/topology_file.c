// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a network from the topology.txt of the public HPCC simulator, or of those that come from
 * it, and makes the scenario of it that a JSON file would have been.
 *
 *	HPCC		4 1 3			nodes, switches, links
 *			3			numbers of the switches; other nodes are hosts
 *			0 3 50Gbps 0.002ms 0	two nodes, rate, delay, share of packets lost
 *	inet-tub	4 1 1 3			nodes, switches, those at hosts, links
 *	SimAI		19 4 2 1 24 H100	nodes, hosts of a server, NVSwitches, switches,
 *						links, kind of hosts
 *
 * Hosts are called h and switches s with their numbers in the file. NVSwitches are left out: a
 * host of the lab has one link.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/pkt_sched_roce.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_lines.h"

#define HOSTS_MAX	1024		/* as of the lab's own networks */
#define NODES_MAX	8192
#define RATE_MIN	1e6
#define RATE_MAX	800e9
#define DELAY_MAX_NS	10e9

enum node_kind { NODE_IS_HOST, NODE_IS_SWITCH, NODE_IS_NVSWITCH };

#define bad(rd, ...)	word_lines_bad((rd)->l, __VA_ARGS__)

struct reader {
	struct word_lines *l;
	int64_t nodes, nvswitches, switches, links, n_hosts;
	char kind[NODES_MAX], n_links[NODES_MAX];	/* by node */
	struct json_object *doc;
	double rate_bps, delay_ns;		/* of the first host's link */
};

struct suffix {
	const char *name;
	double factor;
};

/* A number, and a unit of the list or none. */
static bool quantity(const char *text, const struct suffix *units, size_t n, double *val)
{
	char *unit;
	size_t i;

	if (!word_quantity(text, val, &unit))
		return false;
	for (i = 0; i < n; i++) {
		if (strcmp(unit, units[i].name))
			continue;
		*val *= units[i].factor;
		return true;
	}
	return false;
}

static bool rate_of(const char *text, double *bps)
{
	static const struct suffix units[] = {
		{ "", 1 }, { "bps", 1 }, { "b/s", 1 }, { "kbps", 1e3 }, { "Kbps", 1e3 },
		{ "kb/s", 1e3 }, { "Mbps", 1e6 }, { "Mb/s", 1e6 }, { "Gbps", 1e9 },
		{ "Gb/s", 1e9 }, { "Tbps", 1e12 }, { "Tb/s", 1e12 },
	};

	return quantity(text, units, ARRAY_SIZE(units), bps);
}

static bool delay_of(const char *text, double *ns)
{
	static const struct suffix units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
		{ "ps", 0.001 },
	};

	return quantity(text, units, ARRAY_SIZE(units), ns);
}

/* What the words of the first line mean depends on how many there are. */
static int read_head(struct reader *rd)
{
	static const char *const hpcc[] = { "nodes", "switches", "links" };
	static const char *const tors[] = { "nodes", "switches", "switches at hosts", "links" };
	static const char *const simai[] = {
		"nodes", "hosts of a server", "NVSwitches", "switches", "links",
	};
	int64_t val[ARRAY_SIZE(simai)], *v = val;
	const char *const *names = hpcc;
	int n = 3, i;

	if (rd->l->n < 3 || rd->l->n == 5)
		return bad(rd, "%d words; a file of a network begins with \"nodes switches links\"",
			   rd->l->n);
	if (rd->l->n > 5 && !isdigit((unsigned char)*rd->l->word[5])) {
		names = simai;
		n = ARRAY_SIZE(simai);
	} else if (rd->l->n > 3) {
		names = tors;
		n = ARRAY_SIZE(tors);
	}
	for (i = 0; i < n; i++)
		if (!word_number(rd->l->word[i], i == n - 1 ? INT32_MAX : NODES_MAX, v + i))
			return bad(rd, "%s \"%.40s\": not a number%s", names[i], rd->l->word[i],
				   i == n - 1 ? "" : " up to 8192");
	rd->nodes = v[0];
	rd->nvswitches = names == simai ? v[2] : 0;
	rd->switches = v[names == simai ? 3 : 1];
	rd->links = v[n - 1];
	rd->n_hosts = rd->nodes - rd->nvswitches - rd->switches;
	if (rd->n_hosts < 2 || rd->n_hosts > HOSTS_MAX)
		return bad(rd, "%lld nodes with %lld switches: %lld hosts, not 2 to %d",
			   (long long)rd->nodes, (long long)(rd->nvswitches + rd->switches),
			   (long long)rd->n_hosts, HOSTS_MAX);
	return 0;
}

/* On one line or several; those of the NVSwitches come first. */
static int read_switches(struct reader *rd)
{
	int64_t left = rd->nvswitches + rd->switches, nr;
	int i;

	while (left > 0) {
		if (!word_lines_next(rd->l))
			return bad(rd, "the file ends before the numbers of all switches");
		if (rd->l->n > left)
			return bad(rd, "%d numbers, where %lld switches are left", rd->l->n,
				   (long long)left);
		for (i = 0; i < rd->l->n; i++, left--) {
			if (!word_number(rd->l->word[i], rd->nodes - 1, &nr))
				return bad(rd, "switch \"%.40s\": not a number from 0 to %lld",
					   rd->l->word[i], (long long)rd->nodes - 1);
			if (rd->kind[nr] != NODE_IS_HOST)
				return bad(rd, "switch %lld is there twice", (long long)nr);
			rd->kind[nr] = left > rd->switches ? NODE_IS_NVSWITCH : NODE_IS_SWITCH;
		}
	}
	return 0;
}

static void node_name(const struct reader *rd, int64_t node, char *name, size_t len)
{
	snprintf(name, len, "%c%d", rd->kind[node] == NODE_IS_HOST ? 'h' : 's', (int)node);
}

static void add_nodes(struct reader *rd)
{
	struct json_object *hosts = json_object_new_array(), *switches = json_object_new_array();
	struct json_object *o;
	char name[16];
	int i;

	for (i = 0; i < rd->nodes; i++) {
		if (rd->kind[i] == NODE_IS_NVSWITCH)
			continue;
		o = json_object_new_object();
		node_name(rd, i, name, sizeof(name));
		js_add_str(o, "name", name);
		json_object_array_add(rd->kind[i] == NODE_IS_HOST ? hosts : switches, o);
	}
	json_object_object_add(rd->doc, "hosts", hosts);
	json_object_object_add(rd->doc, "switches", switches);
}

/* What the lab cannot build is said here, where the line is known. */
static int check_ends(struct reader *rd, int64_t a, int64_t b, bool *linked)
{
	int64_t end[] = { a, b };
	size_t i;

	if (a == b)
		return bad(rd, "node %lld is linked to itself", (long long)a);
	if (linked[a * rd->nodes + b])
		return bad(rd, "nodes %lld and %lld are linked twice: the lab has one link between two nodes",
			   (long long)a, (long long)b);
	linked[a * rd->nodes + b] = true;
	linked[b * rd->nodes + a] = true;
	for (i = 0; i < ARRAY_SIZE(end); i++) {
		if (rd->kind[end[i]] == NODE_IS_HOST && rd->n_links[end[i]]++)
			return bad(rd, "host %lld has a second link: a host of the lab has one",
				   (long long)end[i]);
	}
	return 0;
}

static int read_link(struct reader *rd, bool *linked, struct json_object *list)
{
	double rate, delay, loss;
	char **w = rd->l->word, text[32], *rest;
	struct json_object *o;
	int64_t a, b;

	if (rd->l->n != 5)
		return bad(rd, "%d words, not the two nodes, rate, delay and loss of a link",
			   rd->l->n);
	if (!word_number(w[0], rd->nodes - 1, &a) || !word_number(w[1], rd->nodes - 1, &b))
		return bad(rd, "nodes \"%.40s %.40s\": not numbers from 0 to %lld", w[0], w[1],
			   (long long)rd->nodes - 1);
	if (rd->kind[a] == NODE_IS_NVSWITCH || rd->kind[b] == NODE_IS_NVSWITCH)
		return 0;
	if (!rate_of(w[2], &rate) || !(rate >= RATE_MIN && rate <= RATE_MAX))
		return bad(rd, "rate \"%.40s\": not 1Mbps to 800Gbps", w[2]);
	if (!delay_of(w[3], &delay) || !(delay <= DELAY_MAX_NS))
		return bad(rd, "delay \"%.40s\": not a time up to 10s, such as 0.001ms", w[3]);
	if (!word_quantity(w[4], &loss, &rest) || *rest || loss > 1)
		return bad(rd, "loss \"%.40s\": not a share from 0 to 1", w[4]);
	if (loss > 0 && loss * TC_ROCE_LOSS_ONE < 1)
		return bad(rd, "loss \"%.40s\": below 1e-9, the lowest that the lab has", w[4]);
	if (check_ends(rd, a, b, linked))
		return EXIT_USAGE;
	if (!rd->rate_bps) {
		rd->rate_bps = rate;
		rd->delay_ns = delay;
	}
	o = json_object_new_object();
	node_name(rd, a, text, sizeof(text));
	js_add_str(o, "a", text);
	node_name(rd, b, text, sizeof(text));
	js_add_str(o, "b", text);
	snprintf(text, sizeof(text), "%.0f", rate);
	js_add_str(o, "rate", text);
	snprintf(text, sizeof(text), "%.0f", delay);
	js_add_str(o, "delay", text);
	if (loss > 0) {
		snprintf(text, sizeof(text), "%.9f", loss);
		js_add_str(o, "loss", text);
	}
	json_object_array_add(list, o);
	return 0;
}

static int read_links(struct reader *rd)
{
	bool *linked = xcalloc((size_t)rd->nodes * rd->nodes, sizeof(*linked));
	struct json_object *list = json_object_new_array();
	int rc = 0;
	int64_t i;

	for (i = 0; i < rd->links && !rc; i++)
		rc = word_lines_next(rd->l) ? read_link(rd, linked, list) :
		     bad(rd, "the file ends after %lld of %lld links", (long long)i,
			 (long long)rd->links);
	if (!rc && word_lines_next(rd->l))
		rc = bad(rd, "more than the %lld links that the file announces",
			 (long long)rd->links);
	for (i = 0; i < rd->nodes && !rc; i++)
		if (rd->kind[i] == NODE_IS_HOST && !rd->n_links[i])
			rc = bad(rd, "host %lld has no link", (long long)i);
	json_object_object_add(rd->doc, "links", list);
	free(linked);
	return rc;
}

static void add_default(struct json_object *o, const char *name, double val)
{
	char text[32];

	snprintf(text, sizeof(text), "%.0f", val);
	js_add_str(o, name, text);
}

/* What a scenario has beside its graph. Its own flows are as those of the lab's "fattree". */
static void add_rest(struct reader *rd)
{
	static const char rest[] =
	"{ \"include\": [ \"traffic\" ], \"" TOPOLOGY_NUMBERED "\": true,"
	"  \"let\": { \"n_hosts\": \"%d\" },"
	"  \"fixed\": { \"rate\": \"each link has its own\","
	"    \"delay\": \"each link has its own\" },"
	"  \"keys\": [ { \"name\": \"size\", \"unit\": \"size\", \"default\": \"1mb\","
	"    \"min\": \"1b\", \"max\": \"1000gb\","
	"    \"help\": \"bytes of each flow, unless there is a workload or a flows_file\" } ],"
	"  \"permutation\": \"n_hosts\","
	"  \"flows\": [ { \"for\": \"n_hosts\", \"src\": \"h{i}\", \"dst\": \"h{perm}\","
	"    \"bytes\": \"size\" } ] }";
	int n_hosts = rd->n_hosts, i;
	struct json_object *o, *def = json_object_new_object();
	char *text = xasprintf(rest, n_hosts);

	o = json_tokener_parse(text);
	free(text);
	json_object_object_foreach(o, key, val)
		json_object_object_add(rd->doc, key, json_object_get(val));
	json_object_put(o);
	/* In files of which hosts are not the first nodes they have no such names. */
	for (i = 0; i < n_hosts && rd->kind[i] == NODE_IS_HOST; i++)
		;
	if (i < n_hosts)
		json_object_object_del(rd->doc, "flows");
	js_add_str(def, "fabric", "router");
	add_default(def, "rate", rd->rate_bps);
	add_default(def, "delay", rd->delay_ns);
	json_object_object_add(rd->doc, "defaults", def);
	text = xasprintf("%d hosts and %d switches of a simulator's file%s; a random permutation, or a workload",
			 n_hosts, (int)rd->switches,
			 rd->nvswitches ? ", without its NVSwitches" : "");
	js_add_str(rd->doc, "help", text);
	free(text);
	if (rd->nvswitches)
		js_add_str(rd->doc, "note",
			   "NVSwitches and their links are left out: flows within a server take the network");
}

/* Names of such files are long and have characters that names of scenarios cannot have. */
static void add_name(struct reader *rd)
{
	const char *slash = strrchr(rd->l->path, '/');
	char *name = xstrdup(slash ? slash + 1 : rd->l->path), *c;

	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && (c == name || !strchr("_.-", *c)))
			*c = '_';
	if (*name == '_')
		*name = 't';
	if (strlen(name) > SCENARIO_NAME_MAX)
		name[SCENARIO_NAME_MAX] = '\0';
	js_add_str(rd->doc, "name", name);
	free(name);
}

static int read_network(struct reader *rd)
{
	int rc;

	if (!word_lines_next(rd->l))
		return bad(rd, "empty");
	rc = read_head(rd);
	if (!rc)
		rc = read_switches(rd);
	if (rc)
		return rc;
	add_name(rd);
	add_nodes(rd);
	rc = read_links(rd);
	if (!rc)
		rc = word_lines_end(rd->l);
	if (!rc)
		add_rest(rd);
	return rc;
}

/**
 * topology_file_is() - does a file have a network as simulators write it
 * @path: the file
 *
 * Return: true if what comes first but comments is a digit; scenarios in JSON begin otherwise.
 */
bool topology_file_is(const char *path)
{
	FILE *f = text_open(path);
	int c = f ? getc(f) : EOF;

	while (c != EOF && (isspace(c) || c == '#')) {
		while (c == '#' && (c = getc(f)) != EOF && c != '\n')
			c = '#';
		c = c == EOF ? EOF : getc(f);
	}
	if (f)
		fclose(f);
	return c != EOF && isdigit(c);
}

/**
 * topology_file_load() - the scenario of such a file
 * @path: the file
 *
 * Return: the scenario, or NULL after a message that names file and line.
 */
struct json_object *topology_file_load(const char *path)
{
	struct reader *rd = xcalloc(1, sizeof(*rd));
	struct json_object *doc;
	int rc;

	rd->doc = json_object_new_object();
	rd->l = word_lines_open(path);
	rc = rd->l ? read_network(rd) : usage_error("%s: %s", path, strerror(errno));
	doc = rd->doc;
	if (rc) {
		json_object_put(doc);
		doc = NULL;
	}
	word_lines_close(rd->l);
	free(rd);
	return doc;
}
