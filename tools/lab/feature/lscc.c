// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC (Link-Segmented Congestion Control): which ports of switches run it, and what they are
 * told. These are the two ends of a long link, which agree on a rate and tell it to senders.
 */
#include <math.h>
#include <string.h>

#include "feature/switch_features.h"

/* Addresses that LSCC's ports call each other by; nobody else sees them. */
#define LSCC_FIRST_ADDR		0xa9fe0001	/* 169.254.0.1 */
#define LSCC_LEAD_PERIODS	100

#define HPCCSTAR		"hpccstar"

/* Parameter of algorithms. */
#define INTERVAL		"direct_interval"

/* Feedback rates that are under way on the long link: sch_roce remembers so many. */
#define LSCC_UNDER_WAY	1024

/* What the switches answer data with. */
enum {
	LSCC_OFF,
	LSCC_CNP,
	LSCC_DIRECT_INT,
};

/* Only scenarios with a long link have the keys. */
static int lscc_mode(struct plan *p, struct json_object *cc)
{
	const char *algo = job_str(cc, J_CC_ALGO, "none");
	const char *reply = scenario_text(p->sc, "lscc_reply", "auto");
	bool star = strcmp(algo, HPCCSTAR) == 0;

	if (!scenario_key(p->sc, "lscc") ||
	    !scenario_val(p->sc, "lscc", star || strcmp(algo, "lscc") == 0))
		return LSCC_OFF;
	if (strcmp(reply, "auto"))
		star = strcmp(reply, "int") == 0;
	return star ? LSCC_DIRECT_INT : LSCC_CNP;
}

static bool too_long(struct plan *p)
{
	double rtt = scenario_val(p->sc, "lscc_rtt", 0);

	if (!rtt)
		rtt = 2 * scenario_val(p->sc, "long_delay", 0);
	return rtt >= (LSCC_UNDER_WAY + 0.5) * scenario_val(p->sc, "lscc_period", 1);
}

static int lscc_check_cc(struct plan *p, struct json_object *cc)
{
	const char *algo = job_str(cc, J_CC_ALGO, "none");
	int mode = lscc_mode(p, cc);

	if (mode && !scenario_val(p->sc, "pfc", 0))
		return usage_error("lscc: needs pfc=on");
	if (strcmp(algo, "lscc") == 0 && scenario_val(p->sc, "lscc_interval", -1) >= 0)
		return usage_error("--set lscc_interval: lscc has that as its parameter: --param direct_interval=...");
	if (mode == LSCC_DIRECT_INT && !scenario_val(p->sc, "int", 0))
		return usage_error("lscc_reply: int needs int=on");
	if (mode && too_long(p))
		return usage_error("lscc_period: the long link's round trip is more than %d of them",
				   LSCC_UNDER_WAY);
	return 0;
}

/*
 * How far direct CNPs are apart is one thing, of the switch that sends them and of receivers
 * that reckon with it: where the algorithm has it as a parameter, the switches get its value, and
 * the key is not set.
 */
static void add_interval(struct plan *p, struct json_object *port)
{
	const char *algo = job_str(p->cc, J_CC_ALGO, "none"), *text;
	const char *name = job_str(p->cc, J_CC_PRESET, "");
	struct json_object *def, *preset;
	char why[PARAM_WHY_MAX];
	__u64 ns;

	def = js_get(js_get(js_get(js_get(p->tables, "algos"), algo), "params"), INTERVAL);
	preset = js_get(js_get(js_get(p->tables, "presets"), algo), name);
	text = js_str(job_get(p->cc, J_CC_PARAMS), INTERVAL, NULL);
	if (!def || job_get(port, J_PORT_LSCC_INTERVAL))
		return;
	ns = js_int(preset, INTERVAL, js_int(def, "default", 0));
	if (text && !param_parse(PARAM_NS, text, &ns, why, sizeof(why)))
		return;
	job_add_int(port, J_PORT_LSCC_INTERVAL, ns);
}

/*
 * It has something to do all the time, and the set-up takes long in virtual time: it is switched
 * on some periods before the traffic.
 */
static bool lscc_port(struct plan *p, const struct lab_link *l, int node,
		      struct json_object *port)
{
	uint32_t a = LSCC_FIRST_ADDR + 2 * (uint32_t)(l - p->links);
	struct json_object *start;

	if (!l->is_long)
		return false;
	job_add_int(port, J_PORT_LSCC_SELF, node == l->a ? a : a + 1);
	job_add_int(port, J_PORT_LSCC_PEER, node == l->a ? a + 1 : a);
	port_keys(p, port, JOB_PORT, "lscc");
	add_interval(p, port);
	job_add_int(port, J_PORT_LSCC_REPLY, lscc_mode(p, p->cc) == LSCC_DIRECT_INT);
	job_add_int(port, J_PORT_LSCC_CLEAR,
		    strcmp(scenario_text(p->sc, "lscc_clear", "always"), "long") == 0);
	start = json_object_new_object();
	job_add_int(start, J_PRIO_ID, DATA_PRIO);
	job_add_int(start, J_PRIO_LSCC, 1);
	job_add(port, J_PORT_START_PRIO, start);
	job_add_int(port, J_PORT_START_LEAD,
		    llround(LSCC_LEAD_PERIODS * scenario_val(p->sc, "lscc_period", 0)));
	return true;
}

const struct switch_feature lscc_feature = {
	.name = "lscc",
	.tells_senders = true,
	.keeps_queue = true,
	.mode = lscc_mode,
	.check_cc = lscc_check_cc,
	.port = lscc_port,
};
