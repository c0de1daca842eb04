// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the raw tables and totals that labinit and flowgen leave of a run, which become result
 * files. The run is one of three hosts that send to the fourth, or of a workload among them.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "wrap.h"
#include "star_scenario.h"

#define RAW	"work/raw/"

static const char *const names[] = {
	RAW "totals.json", RAW "flowgen/summary.json", RAW "flowgen/latency.json",
	RAW "flowgen/flows.csv", RAW "flowgen/series.csv", RAW "flowgen/qps.json", RAW "cc.csv",
	RAW "state.csv", RAW "queues.csv", RAW "pauses.csv", RAW "mercury.csv", RAW "lscc.csv",
	RAW "ports.csv", RAW "types.csv", RAW "counts.csv", RAW "events.json", RAW "events.bin",
	"work/console.log", "workload",
};

/* What every run has; a file of the input takes its place. */
static const struct {
	const char *name, *text;
} always[] = {
	{ RAW "totals.json", "{ \"t0_ns\": 60000000000 }\n" },
	{ RAW "flowgen/summary.json", "{ \"t0_ns\": 60000000000 }\n" },
	{ RAW "flowgen/flows.csv", "id,src,dst,qpn,dst_qpn,bytes,start_ns,fct_ns,status\n" },
	{ RAW "flowgen/qps.json", "{}\n" },
	{ RAW "events.json", "{}\n" },
	{ RAW "cc.csv",
	  "t_ns,flow,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes,tx_packets,tx_bytes\n" },
	{ RAW "state.csv", "t_ns,flow,sends,vars\n" },
	{ RAW "queues.csv", "t_ns,port,prio,bytes,paused\n" },
	{ RAW "pauses.csv", "t_ns,port,prio,pause_ns\n" },
	{ RAW "mercury.csv", "t_ns,port,prio,state\n" },
	{ RAW "lscc.csv", "t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes\n" },
	{ RAW "ports.csv", "t_ns,port,busy_ns,bytes\n" },
	{ RAW "types.csv", "t_ns,flow,type\n" },
	{ RAW "counts.csv", "t_ns,dev,msgs,senders\n" },
	{ "work/console.log", "\n" },
};

/* Not asked of git each time. */
char *__wrap_build_commit(const char *kdir)
{
	(void)kdir;
	return xstrdup("0");
}

void fuzz_begin(void)
{
	star_scenario_begin();
}

static struct plan *plan_of(bool workload)
{
	struct scenario *sc = scenario_load("star");
	struct plan *p = NULL;

	if (scenario_set(sc, "n=4") || scenario_set(sc, "pfc=on") ||
	    (workload && (scenario_set(sc, "workload=hadoop") || scenario_set(sc, "flows=20"))) ||
	    plan_resolve(sc) || plan_build(sc, 1, &p))
		abort();
	memset(p->feature_mode, 1, sizeof(p->feature_mode));
	return p;
}

void fuzz_one(const char *text, size_t len)
{
	struct run_opts o = { .quiet = true };
	char *raw, *work, *dir;
	struct uml u = { .label = "fuzz" };
	bool wrote;
	struct scenario *sc;
	struct plan *p;
	size_t i;

	fuzz_files(text, len, names, ARRAY_SIZE(names));
	for (i = 0; i < ARRAY_SIZE(always); i++)
		if (!fuzz_has(always[i].name))
			fuzz_file(always[i].name, always[i].text, strlen(always[i].text));
	raw = xasprintf("%s/" RAW, fuzz_dir());
	work = xasprintf("%s/work", fuzz_dir());
	dir = xasprintf("%s/out", fuzz_dir());
	u.work_dir = work;
	p = plan_of(fuzz_has("workload"));
	sc = p->sc;
	fuzz_quiet();
	fuzz_some_message(results_write(p, &o, "none", raw, dir, &u, &wrote));
	run_end_table(&dir, 1, false);
	plan_free(p);
	scenario_free(sc);
	free(raw);
	free(work);
	free(dir);
}
