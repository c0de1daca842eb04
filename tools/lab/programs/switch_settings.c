// SPDX-License-Identifier: GPL-2.0
/*
 * lab perftest, lab judge: --set, the settings of the switch between the devices, and --cc, the
 * algorithms.
 */
#include <stdlib.h>
#include <string.h>

#include "programs/test_cases.h"

#define INT_DEV_MTU_MIN	1024
#define INT_DEV_MTU_MAX	9000

static const struct program_set defaults[PROGRAM_SETS] = {
	{ "rate", "of all four ports", "10gbit", UNIT_RATE, 1e6, 800e9 },
	{ "delay", "propagation delay of each of the two cables", "1us", UNIT_TIME, 0, 1e9 },
	/* RoCE's 4096 with all headers, and room for telemetry: or ours had a smaller one. */
	{ "mtu", "of the network devices, with IP and RoCE headers", "5000", UNIT_COUNT,
	  INT_DEV_MTU_MIN, INT_DEV_MTU_MAX },
	{ "buffer", "of the switch", "16mb", UNIT_SIZE, 65536, 1e9 },
	{ "kmin", "of the switch's ports: marks begin", "100kb", UNIT_SIZE, 0, 1e9 },
	{ "kmax", "everything is marked", "400kb", UNIT_SIZE, 0, 1e9 },
	{ "pmax", "part that is marked at kmax", "0.2", UNIT_FRACTION, 0, 1 },
	/* As scenarios have it; stock rxe has 128. In real time ours does, too. */
	{ "max_unacked", "in virtual time: packets that a sender of ours may have unacknowledged",
	  "4096", UNIT_COUNT, 1, 4194304 },
	{ "host_post", "processor time for each request", "0ns", UNIT_TIME, 0, 1e6 },
	{ "host_completion", "for each completion", "0ns", UNIT_TIME, 0, 1e6 },
	{ "host_interrupt", "for each event of a completion queue", "0ns", UNIT_TIME, 0, 1e6 },
};

void programs_defaults(struct programs *p)
{
	memcpy(p->sets, defaults, sizeof(defaults));
}

/**
 * programs_set() - an option --set
 * @p: command line
 * @arg: NAME=VALUE
 *
 * Return: 0, or the exit status after a message.
 */
int programs_set(struct programs *p, const char *arg)
{
	const char *names[PROGRAM_SETS], *like, *eq = strchr(arg, '=');
	size_t i, len = eq ? (size_t)(eq - arg) : 0;
	struct program_set *s;
	char *name;
	double val;
	int rc;

	if (!len || !eq[1])
		return usage_error("--set %s: NAME=VALUE expected", arg);
	for (i = 0; i < PROGRAM_SETS; i++) {
		s = &p->sets[i];
		names[i] = s->name;
		if (strlen(s->name) != len || strncmp(s->name, arg, len))
			continue;
		if (unit_parse(s->unit, eq + 1, &val))
			return usage_error("--set %s: not a value in the unit \"%s\"", arg,
					   unit_name(s->unit));
		if (val < s->min || val > s->max)
			return usage_error("--set %s: not in %.0f..%.0f", arg, s->min, s->max);
		s->text = eq + 1;
		return 0;
	}
	name = xasprintf("%.*s", (int)len, arg);
	like = nearest(name, names, PROGRAM_SETS);
	rc = usage_error("--set %s: unknown name%s%s%s", arg, like ? ", did you mean \"" : "",
			 like ? like : "", like ? "\"?" : "");
	free(name);
	return rc;
}

/**
 * programs_value() - a setting
 * @p: command line
 * @name: of the setting
 *
 * Return: its value, in the base unit.
 */
double programs_value(const struct programs *p, const char *name)
{
	double val = 0;
	size_t i;

	for (i = 0; strcmp(p->sets[i].name, name); i++)
		;
	unit_parse(p->sets[i].unit, p->sets[i].text, &val);
	return val;
}

/**
 * programs_get() - a setting
 * @p: command line
 * @name: of the setting
 *
 * Return: its text.
 */
const char *programs_get(const struct programs *p, const char *name)
{
	size_t i;

	for (i = 0; strcmp(p->sets[i].name, name); i++)
		;
	return p->sets[i].text;
}

static void add_cc(struct programs *p, const char *name)
{
	p->ccs = xrealloc(p->ccs, (p->n_ccs + 1) * sizeof(*p->ccs));
	p->ccs[p->n_ccs++] = xstrdup(name);
}

/**
 * programs_ccs() - algorithms of --cc
 * @p: command line
 *
 * Stock rxe is always among them: all others are compared with it. Then comes "none", the first
 * to be looked at.
 *
 * Return: 0, or the exit status after a message.
 */
int programs_ccs(struct programs *p)
{
	char *list = p->cc ? xstrdup(p->cc) : NULL, *rest = list, *name, **all;
	size_t i, n;

	add_cc(p, STOCK);
	while (rest && (name = strsep(&rest, ",")))
		if (strcmp(name, STOCK))
			add_cc(p, name);
	free(list);
	if (p->cc)
		return p->n_ccs > 1 ? cc_check(p->kdir, p->ccs + 1, p->n_ccs - 1) : 0;
	all = cc_names(p->kdir, &n);
	add_cc(p, "none");
	for (i = 0; i < n; i++) {
		if (strcmp(all[i], "none"))
			add_cc(p, all[i]);
		free(all[i]);
	}
	free(all);
	return 0;
}
