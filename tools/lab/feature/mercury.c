// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury: what ports of switches that run it are told. Such a port distinguishes a queue of
 * congestion from one of a paused line, and tells senders.
 */
#include <math.h>
#include <string.h>

#include "feature/switch_features.h"

static int mercury_mode(struct plan *p, struct json_object *cc)
{
	bool algo = strcmp(job_str(cc, J_CC_ALGO, "none"), "mercury") == 0;

	return scenario_val(p->sc, "mercury", algo) != 0;
}

/* The threshold goes by kmin, whether or not anything marks. */
static bool mercury_port(struct plan *p, const struct lab_link *l, int node,
			 struct json_object *port)
{
	(void)node;
	job_add_int(port, J_PORT_MERCURY_RTT,
		    llround(scenario_val(p->sc, "mercury_rtt", p->base_rtt_ns)));
	port_keys(p, port, JOB_PORT, "mercury");
	job_add_int(js_at(job_get(port, J_PORT_PRIO), 0), J_PRIO_MERCURY,
		    llround(scenario_val(p->sc, "mercury_threshold", port_kmin(p, l))));
	return true;
}

const struct switch_feature mercury_feature = {
	.name = "mercury",
	.tells_senders = true,
	.mode = mercury_mode,
	.port = mercury_port,
};
