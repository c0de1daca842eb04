// SPDX-License-Identifier: GPL-2.0
/*
 * Key short_prio: short flows have a priority of their own, above the one of all others or, with
 * short_weight, beside it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define SHORT_DSCP	30
#define SHORT_PRIO	5
#define KEEP_DSCP	64	/* knob data_dscp: as the application says */

/**
 * prio_copy() - a priority like another in all but its number
 * @prio: that one, of a port's list "prio"
 * @id: number
 *
 * Return: new object.
 */
struct json_object *prio_copy(struct json_object *prio, int id)
{
	struct json_object *o = js_copy(prio);

	job_add_int(o, J_PRIO_ID, id);
	return o;
}

static int64_t short_bytes(struct scenario *sc)
{
	return llround(scenario_val(sc, "short_prio", 0));
}

/* Of the short flows' priority; 0: it is strict. */
static int64_t short_weight(struct scenario *sc)
{
	return llround(scenario_val(sc, "short_weight", 0));
}

/**
 * short_prio_check() - can short flows have a priority of their own?
 * @sc: scenario with all its settings
 *
 * A queue pair has one traffic class. A deflected packet changes its priority, to one that
 * says nothing of what it had.
 *
 * Return: 0, or the exit status after a message.
 */
int short_prio_check(struct scenario *sc)
{
	if (scenario_val(sc, "data_weight", 0) != 0 && !short_weight(sc))
		return usage_error("--set data_weight: needs short_weight");
	if (!short_bytes(sc) && short_weight(sc))
		return usage_error("--set short_weight: needs short_prio");
	if (!short_bytes(sc))
		return 0;
	if (strcmp(scenario_text(sc, "qp", "flow"), "flow"))
		return usage_error("--set short_prio: needs qp=flow, a queue pair has one priority");
	if (scenario_val(sc, "iofd", 0) != 0)
		return usage_error("--set short_prio: not with iofd=on, both say a packet's priority");
	return 0;
}

/**
 * short_prio_port() - a port has the priority of short flows
 * @p: plan
 * @port: the port, with its list of priorities, of which the first is the data's
 */
void short_prio_port(struct plan *p, struct json_object *port)
{
	struct json_object *prios = job_get(port, J_PORT_PRIO), *data = js_at(prios, 0);
	struct json_object *prio, *o, *map;

	if (!short_bytes(p->sc))
		return;
	o = json_object_new_object();
	map = json_object_new_array();
	prio = prio_copy(data, SHORT_PRIO);
	json_object_array_add(prios, prio);
	if (short_weight(p->sc)) {
		job_add_int(prio, J_PRIO_DWRR, short_weight(p->sc));
		job_add_int(data, J_PRIO_DWRR,
			    llround(fmax(scenario_val(p->sc, "data_weight", 0), 1)));
	}
	job_add_int(o, J_DSCP_DSCP, SHORT_DSCP);
	job_add_int(o, J_DSCP_PRIO, SHORT_PRIO);
	json_object_array_add(map, o);
	job_add(port, J_PORT_DSCP, map);
}

/**
 * short_prio_plan() - what flowgen is told of it
 * @p: plan
 * @plan: flowgen's
 */
void short_prio_plan(struct plan *p, struct json_object *plan)
{
	if (!short_bytes(p->sc))
		return;
	job_add_int(plan, J_PLAN_SMALL_BYTES, short_bytes(p->sc));
	job_add_int(plan, J_PLAN_SMALL_TCLASS, SHORT_DSCP << 2);
}

/**
 * short_prio_check_knobs() - is a priority that a key asks for taken back by a knob
 * @sc: scenario with all its settings
 * @o: options with --knob
 *
 * Under an algorithm rxe gives packets the DSCP that a knob says, whatever the application says.
 *
 * Return: 0, or the exit status after a message.
 */
int short_prio_check_knobs(struct scenario *sc, const struct run_opts *o)
{
	static const struct {
		const char *key, *knob;
		unsigned long dscp;
	} rules[] = {
		{ "short_prio", "data_dscp", KEEP_DSCP },
		{ "ack_prio", "ack_dscp", ACK_DSCP },
	};
	size_t i, k, len;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		len = strlen(rules[i].knob);
		for (k = 0; scenario_val(sc, rules[i].key, 0) > 0 && k < o->knobs.n; k++)
			if (strncmp(o->knobs.v[k], rules[i].knob, len) == 0 &&
			    o->knobs.v[k][len] == '=' &&
			    strtoul(o->knobs.v[k] + len + 1, NULL, 10) != rules[i].dscp)
				return usage_error("--knob %s: takes the priority back that %s asks for; that needs %s=%lu",
						   o->knobs.v[k], rules[i].key, rules[i].knob,
						   rules[i].dscp);
	}
	return 0;
}

/**
 * short_prio_knobs() - hosts leave the data's DSCP as flowgen sets it
 * @p: plan
 * @knobs: of a port of a host
 */
void short_prio_knobs(struct plan *p, struct json_object *knobs)
{
	if (short_bytes(p->sc))
		js_add_int(knobs, "data_dscp", KEEP_DSCP);
}
