// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline of a run: what is changed while it runs, by the key "timeline", which a scenario may
 * have by default and to which --at adds:
 *
 *	TIME:link A-B down|up|rate R|delay T|loss P
 *	TIME:switch S kmin|kmax|xoff|xon SIZE, pmax|alpha X
 *	TIME:host H cc ALGORITHM[:K=V...], param K=V, knob K=V, stall on|off
 *	TIME:flow N stop, TIME:group G stop
 *
 * Events are separated by ";". S and H are a name, several (h0+h3), a range (h0-h7) or "all".
 * Everything is checked here, before the run. An event becomes options of ports ("roce") or of
 * devices (rxe_cc) that the guest sets when it is due, the same that tc and rxecc set.
 */
#include <ctype.h>
#include <linux/pkt_sched_roce.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define EVENTS_MAX	1000
#define WORDS		5

enum noun { LINK, SWITCH, HOST, FLOW, GROUP };

static const char *const nouns[] = {
	[LINK] = "link", [SWITCH] = "switch", [HOST] = "host", [FLOW] = "flow", [GROUP] = "group",
};

/**
 * struct timeline_row - what can be changed
 * @noun: of what
 * @name: word for it
 * @key: of the scenario: the value has its unit and range; NULL: there is no such value
 * @job: option that is set
 * @scale: of the value, in the option
 * @fixed: the option's value, without @key
 */
struct timeline_row {
	enum noun noun;
	const char *name, *key;
	enum job_key job;
	double scale;
	int64_t fixed;
};

static const struct timeline_row rows[] = {
	{ LINK, "down", NULL, J_PORT_LINK, 0, TC_ROCE_LINK_DOWN },
	{ LINK, "up", NULL, J_PORT_LINK, 0, TC_ROCE_LINK_UP },
	{ LINK, "rate", "rate", J_PORT_RATE, 1, 0 },
	{ LINK, "delay", "delay", J_PORT_DELAY, 1, 0 },
	{ LINK, "loss", "loss", J_PORT_LOSS, TC_ROCE_LOSS_ONE, 0 },
	{ SWITCH, "kmin", "kmin", J_PRIO_KMIN, 1, 0 },
	{ SWITCH, "kmax", "kmax", J_PRIO_KMAX, 1, 0 },
	{ SWITCH, "pmax", "pmax", J_PRIO_PMAX, 1e6, 0 },
	{ SWITCH, "xoff", "xoff", J_PRIO_XOFF, 1, 0 },
	{ SWITCH, "xon", "xon", J_PRIO_XON, 1, 0 },
	{ SWITCH, "alpha", "alpha", J_PRIO_ALPHA, 65536, 0 },
	{ HOST, "cc", NULL, J_CC_ALGO, 0, 0 },
	{ HOST, "param", NULL, J_CC_PARAMS, 0, 0 },
	{ HOST, "knob", NULL, J_CC_KNOBS, 0, 0 },
	{ HOST, "stall", NULL, J_PORT_STALL, 0, 0 },
	{ FLOW, "stop", NULL, J_FLOW_STOP, 0, 0 },
	{ GROUP, "stop", NULL, J_FLOW_STOP, 0, 0 },
};

/* One that is being read; @text: all of it, for messages. */
struct reader {
	struct plan *p;
	const char *text;
	double at_ns;
	char *word[WORDS];		/* noun, target, what, value */
	int n_words;
	const struct timeline_row *row;
	struct json_object *job;	/* of the event */
};

#define bad(rd, fmt, ...) \
	usage_error("timeline: \"%s\": " fmt, (rd)->text, ##__VA_ARGS__)

static int bad_name(struct reader *rd, const char *what, const char *name, const char **names,
		    size_t n)
{
	const char *like = nearest(name, names, n);

	return bad(rd, "no %s \"%s\"%s%s%s", what, name, like ? ", did you mean \"" : "",
		   like ? like : "", like ? "\"?" : "");
}

static int find_row(struct reader *rd)
{
	const char *names[ARRAY_SIZE(rows)];
	enum noun noun;
	size_t i, n = 0;

	for (noun = 0; noun < ARRAY_SIZE(nouns) && strcmp(nouns[noun], rd->word[0]); noun++)
		;
	if (noun == ARRAY_SIZE(nouns))
		return bad_name(rd, "such thing as", rd->word[0], (const char **)nouns,
				ARRAY_SIZE(nouns));
	for (i = 0; i < ARRAY_SIZE(rows) && !rd->row; i++) {
		if (rows[i].noun != noun)
			continue;
		names[n++] = rows[i].name;
		if (strcmp(rows[i].name, rd->word[2]) == 0)
			rd->row = &rows[i];
	}
	if (!rd->row)
		return bad_name(rd, "change", rd->word[2], names, n);
	n = 3 + (rd->row->key || rd->row->noun == HOST);
	if ((size_t)rd->n_words != n)
		return bad(rd, "%s expected behind it", n == 4 ? "one value" : "nothing");
	return 0;
}

/* The value in the unit and the range of its key. */
static int read_value(struct reader *rd, int64_t *out)
{
	const struct timeline_row *row = rd->row;
	char *wrong;
	double v;

	*out = row->fixed;
	if (!row->key)
		return 0;
	wrong = scenario_value_of(rd->p->sc, row->key, rd->word[3], &v);
	if (wrong) {
		bad(rd, "%s", wrong);
		free(wrong);
		return EXIT_USAGE;
	}
	*out = llround(v * row->scale);
	return 0;
}

static void add_port(struct json_object *list, const struct plan *p, int a, int b)
{
	struct json_object *pair = json_object_new_array();

	json_object_array_add(pair, json_object_new_string(p->nodes[a].name));
	json_object_array_add(pair, json_object_new_string(p->nodes[b].name));
	json_object_array_add(list, pair);
}

/* All ports of some nodes. */
static void add_ports(struct json_object *list, const struct plan *p, const bool *which)
{
	int i;

	for (i = 0; i < p->n_links; i++) {
		const struct lab_link *l = &p->links[i];

		if (which[l->a])
			add_port(list, p, l->a, l->b);
		if (which[l->b])
			add_port(list, p, l->b, l->a);
	}
}

/* Both ends. */
static int link_event(struct reader *rd)
{
	struct json_object *ports = json_object_new_array(), *o = json_object_new_object();
	const struct lab_link *l;
	int64_t val;
	int node;

	job_add(rd->job, J_EVENT_PORTS, ports);
	job_add(rd->job, J_EVENT_PORT, o);
	l = plan_port(rd->p, rd->word[1], &node);
	if (!l)
		return bad(rd, "no link \"%s\"", rd->word[1]);
	if (read_value(rd, &val))
		return EXIT_USAGE;
	add_port(ports, rd->p, l->a, l->b);
	add_port(ports, rd->p, l->b, l->a);
	job_add_int(o, rd->row->job, val);
	return 0;
}

/* The data's priority at all ports of switches. */
static int switch_event(struct reader *rd)
{
	struct json_object *ports = json_object_new_array(), *o = json_object_new_object();
	struct json_object *prios = json_object_new_array(), *prio = json_object_new_object();
	bool *which = xcalloc(rd->p->n_nodes, sizeof(*which));
	char *wrong = plan_nodes_of(rd->p, rd->word[1], false, which);
	int64_t val;
	int rc;

	job_add(rd->job, J_EVENT_PORTS, ports);
	job_add(rd->job, J_EVENT_PORT, o);
	job_add(o, J_PORT_PRIO, prios);
	json_object_array_add(prios, prio);
	rc = wrong ? bad(rd, "no switch \"%s\"", wrong) : read_value(rd, &val);
	if (!rc) {
		add_ports(ports, rd->p, which);
		job_add_int(prio, J_PRIO_ID, DATA_PRIO);
		job_add_int(prio, rd->row->job, val);
	}
	free(wrong);
	free(which);
	return rc;
}

/* What the kernel has to say of parameters and knobs is asked in timeline_known(). */
static int set_hosts(struct reader *rd, const bool *which)
{
	struct json_object *hosts = json_object_new_array(), *cc = json_object_new_object();
	struct run_opts none = {};
	char *algo;
	int i, rc;

	job_add(rd->job, J_EVENT_HOSTS, hosts);
	job_add(rd->job, J_EVENT_CC, cc);
	for (i = 0; i < rd->p->n_nodes; i++)
		if (which[i])
			json_object_array_add(hosts, json_object_new_string(rd->p->nodes[i].name));
	if (rd->row->job == J_CC_ALGO) {
		algo = cc_algo(rd->word[3]);
		job_add_str(cc, J_CC_ALGO, algo);
		rc = cc_params(&none, rd->word[3], algo, NULL, cc);
		free(algo);
		return rc;
	}
	job_add(cc, rd->row->job, json_object_new_object());
	return param_option(job_get(cc, rd->row->job), rd->text, rd->word[3], NULL);
}

/* The hosts' own ports. */
static int stall_hosts(struct reader *rd, const bool *which)
{
	struct json_object *ports = json_object_new_array(), *o = json_object_new_object();
	bool on = strcmp(rd->word[3], "on") == 0;

	job_add(rd->job, J_EVENT_PORTS, ports);
	job_add(rd->job, J_EVENT_PORT, o);
	if (!on && strcmp(rd->word[3], "off"))
		return bad(rd, "stall \"%s\": neither on nor off", rd->word[3]);
	add_ports(ports, rd->p, which);
	job_add_int(o, J_PORT_STALL, on);
	return 0;
}

static int host_event(struct reader *rd)
{
	bool *which = xcalloc(rd->p->n_nodes, sizeof(*which));
	char *wrong = plan_nodes_of(rd->p, rd->word[1], true, which);
	int rc;

	if (wrong)
		rc = bad(rd, "no host \"%s\"", wrong);
	else if (rd->row->job == J_PORT_STALL)
		rc = stall_hosts(rd, which);
	else
		rc = set_hosts(rd, which);
	free(wrong);
	free(which);
	return rc;
}

/* The generator stops it. What would start then or later never does. */
static int flow_event(struct reader *rd)
{
	struct plan *p = rd->p;
	bool group = rd->row->noun == GROUP;
	int64_t at_ns = llround(rd->at_ns);
	int i, stopped = 0;
	long nr = -1;
	char *end;

	if (!group) {
		nr = strtol(rd->word[1], &end, 10);
		if (*end || !isdigit((unsigned char)*rd->word[1]))
			return bad(rd, "flow \"%s\": not a number", rd->word[1]);
	}
	if (!p->flow_stop_ns)
		p->flow_stop_ns = xcalloc(p->n_flows + 1, sizeof(*p->flow_stop_ns));
	for (i = 0; i < p->n_flows; i++) {
		const char *name = p->groups[p->flows[i].group];

		if (group ? !name || strcmp(name, rd->word[1]) : i != nr)
			continue;
		/* The first of several counts. 0 would be none, and nothing goes out in 1 ns. */
		if (!p->flow_stop_ns[i] || at_ns < p->flow_stop_ns[i])
			p->flow_stop_ns[i] = at_ns ? at_ns : 1;
		p->flows[i].background = true;
		stopped++;
	}
	return stopped ? 0 : bad(rd, "no %s \"%s\" among the %d of the run",
				 group ? "flow of a group" : "flow", rd->word[1], p->n_flows);
}

/* "TIME:noun target what [value]"; @text is cut into words. */
static int read_event(struct reader *rd, char *text)
{
	static int (*const read[])(struct reader *rd) = {
		[LINK] = link_event, [SWITCH] = switch_event, [HOST] = host_event,
		[FLOW] = flow_event, [GROUP] = flow_event,
	};
	char *rest = strchr(text, ':'), *word;

	if (!rest)
		return bad(rd, "TIME:WHAT expected, as 1ms:link a-b down");
	*rest++ = '\0';
	text += strspn(text, " ");
	if (unit_parse(UNIT_TIME, text, &rd->at_ns) || rd->at_ns < 0 || rd->at_ns > 3600e9)
		return bad(rd, "\"%s\" is not a time up to 3600s", text);
	while ((word = strsep(&rest, " ")))
		if (*word && rd->n_words < WORDS)
			rd->word[rd->n_words++] = word;
	if (rd->n_words < 3)
		return bad(rd, "a thing, its name and what is changed expected behind the time");
	return find_row(rd) || read[rd->row->noun](rd) ? EXIT_USAGE : 0;
}

/* Routers leave out a link that is down, and take it again, so much later. */
static void add_reroute(struct plan *p, struct json_object *list, double at_ns)
{
	struct json_object *o = json_object_new_object();

	job_add_int(o, J_EVENT_AT, llround(at_ns + scenario_val(p->sc, "reroute", 0)));
	job_add_str(o, J_EVENT_WHAT, "reroute");
	job_add_bool(o, J_EVENT_REROUTE, true);
	json_object_array_add(list, o);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = job_int(*(struct json_object *const *)a, J_EVENT_AT, 0);
	int64_t y = job_int(*(struct json_object *const *)b, J_EVENT_AT, 0);

	return (x > y) - (x < y);
}

/* @place: where it stands, if it is the scenario's */
static int add_event(struct plan *p, struct json_object *list, const char *text, char *place)
{
	struct reader rd = { .p = p, .text = text, .job = json_object_new_object() };
	bool router = strcmp(scenario_text(p->sc, "fabric", "bridge"), "router") == 0;
	char *copy = xstrdup(text);
	int rc = read_event(&rd, copy);

	if (rc) {
		json_object_put(rd.job);
		free(copy);
		return rc;
	}
	job_add_int(rd.job, J_EVENT_AT, llround(rd.at_ns));
	job_add_str(rd.job, J_EVENT_WHAT, strchr(text, ':') + 1);
	json_object_set_userdata(rd.job, place, NULL);
	json_object_array_add(list, rd.job);
	if (router && rd.row->job == J_PORT_LINK)
		add_reroute(p, list, rd.at_ns);
	free(copy);
	return 0;
}

/**
 * timeline_place_of() - where an event stands
 * @event: of the job
 *
 * Return: file and line, for messages; NULL if it is of the command line.
 */
const char *timeline_place_of(struct json_object *event)
{
	return json_object_get_userdata(event);
}

/* The first so many events are the scenario's, those of --at come behind them. */
static size_t own_events(struct scenario *sc)
{
	const struct key *k = scenario_key(sc, "timeline");
	size_t n = 1;
	const char *c;

	if (!k || strcmp(k->def, "none") == 0 || strncmp(k->text, k->def, strlen(k->def)) ||
	    !strchr(";", k->text[strlen(k->def)]))
		return 0;
	for (c = k->def; *c; c++)
		n += *c == ';';
	return n;
}

/**
 * plan_timeline() - read the timeline, and put it into the job
 * @p: plan whose network and flows are known
 *
 * Return: 0, or the exit status after a message.
 */
int plan_timeline(struct plan *p)
{
	struct loop l = { .p = p };
	char *text, *rest, *event, *err = NULL;
	struct json_object *list;
	size_t own, i;
	int rc = 0;

	if (strcmp(scenario_text(p->sc, "timeline", "none"), "none") == 0)
		return 0;
	own = own_events(p->sc);
	if (own)
		p->timeline_place = scenario_place(p->sc, "timeline");
	error_place(p->timeline_place);
	text = expr_expand(scenario_text(p->sc, "timeline", ""), plan_var, &l, &err);
	if (!text) {
		rc = usage_error("timeline: %s", err);
		error_place(NULL);
		free(err);
		return rc;
	}
	list = json_object_new_array();
	rest = text;
	for (i = 0; !rc && (event = strsep(&rest, ";")); i++) {
		char *place = i < own ? p->timeline_place : NULL;

		error_place(place);
		event += strspn(event, " ");
		if (*event && js_len(list) >= EVENTS_MAX)
			rc = usage_error("timeline: more than %d events", EVENTS_MAX);
		else if (*event)
			rc = add_event(p, list, event, place);
	}
	error_place(NULL);
	/* Those of one time stay in the order in which they were given. */
	json_object_array_sort(list, by_time);
	job_add(p->base, J_TIMELINE, list);
	free(text);
	return rc;
}
