// SPDX-License-Identifier: GPL-2.0
/*
 * The keys "senders" and "receivers": lists of hosts, h1+h2, by name or number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/traffic.h"

/* "role" of a host of the scenario: it only sends flows of a workload, or only gets them. */
#define ROLE_SENDER	's'
#define ROLE_RECEIVER	'r'

static const char *name_of(struct traffic *t, int host)
{
	return t->p->nodes[t->host[host]].name;
}

/* Its number among the hosts, or -1. */
static int host_of(struct traffic *t, const char *text)
{
	char *end;
	long num;
	int i;

	errno = 0;
	num = strtol(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return num < t->n ? (int)num : -1;
	for (i = 0; i < t->n; i++)
		if (strcmp(name_of(t, i), text) == 0)
			return i;
	return -1;
}

static int add_host(struct traffic *t, struct host_list *l, const char *key, const char *text)
{
	int host = host_of(t, text);

	if (host < 0)
		return usage_error("--set %s: no host \"%.40s\"; there are %s to %s, or 0 to %d",
				   key, text, name_of(t, 0), name_of(t, t->n - 1), t->n - 1);
	if (l->is[host])
		return usage_error("--set %s: host %s is named twice", key, name_of(t, host));
	l->is[host] = true;
	return 0;
}

/*
 * Without the key all hosts, but for those that the scenario has for the other part only. In
 * order of the hosts, whatever the order of the names. A key of the scenario's own that has
 * the same name is something else.
 */
static int read_list(struct traffic *t, struct host_list *l, const char *name, char other)
{
	struct key *k = scenario_key(t->sc, name);
	const char *text = k && k->part ? scenario_text(t->sc, name, NULL) : NULL;
	bool all = !t->name || !text || strcmp(text, "all") == 0;
	char *copy = xstrdup(all ? "" : text), *rest = copy, *one;
	int i, rc = 0;

	l->is = xcalloc(t->n, sizeof(*l->is));
	l->host = xcalloc(t->n, sizeof(*l->host));
	l->some = !all;
	while (!all && !rc && (one = strsep(&rest, "+")))
		rc = add_host(t, l, name, one);
	free(copy);
	for (i = 0; i < t->n && !rc; i++) {
		bool left_out = t->name && t->p->nodes[t->host[i]].role == other;

		l->is[i] |= all && !left_out;
		l->some |= left_out;
		if (l->is[i])
			l->host[l->n++] = i;
	}
	return rc;
}

/**
 * host_lists_read() - which hosts send flows of the workload, and which get them
 * @t: with hosts
 *
 * Return: 0, or the exit status after a message.
 */
int host_lists_read(struct traffic *t)
{
	int rc = read_list(t, &t->senders, "senders", ROLE_RECEIVER), i;

	if (!rc)
		rc = read_list(t, &t->receivers, "receivers", ROLE_SENDER);
	if (rc || (!t->senders.some && !t->receivers.some))
		return rc;
	if (t->policy != POLICY_UNIFORM)
		return usage_error("--set %s: only with policy=uniform",
				   t->senders.some ? "senders" : "receivers");
	/* A list of one may be the sender itself. */
	for (i = 0; i < t->senders.n && t->receivers.n == 1; i++)
		if (t->receivers.is[t->senders.host[i]])
			return usage_error("--set receivers: %s sends too, and there is nobody else that it could send to",
					   name_of(t, t->senders.host[i]));
	return 0;
}

/**
 * host_list_draw() - one host of a list, but not a certain one
 * @l: hosts
 * @but: this one not
 * @r: random stream
 *
 * Return: number of the host.
 */
int host_list_draw(const struct host_list *l, int but, struct fg_rng *r)
{
	int k = fg_rng_below(r, l->n - l->is[but]);

	/* The last one stands in for it. */
	return l->is[but] && l->host[k] == but ? l->host[l->n - 1] : l->host[k];
}

/**
 * host_list_json() - a list as names
 * @t: traffic
 * @l: hosts
 *
 * Return: new array.
 */
struct json_object *host_list_json(struct traffic *t, const struct host_list *l)
{
	struct json_object *list = json_object_new_array();
	int i;

	for (i = 0; i < l->n; i++)
		json_object_array_add(list, json_object_new_string(name_of(t, l->host[i])));
	return list;
}

void host_list_free(struct host_list *l)
{
	free(l->is);
	free(l->host);
}
