// SPDX-License-Identifier: GPL-2.0
/*
 * From what labinit and flowgen leave of a run to its result files: two senders and a
 * receiver at one switch. The run is made up, all of its figures differ, and each figure of
 * each file is worked out here from those.
 *
 *	flow 0	s0 to r, 30720 bytes, from 1000 to 10000 ns
 *	flow 1	s1 to r, 5000 bytes, from 2000 to 11500 ns
 *
 * Alone either takes 6759 ns (of 30 packets the first takes 89.76 on each of two links, the
 * others follow it in 29 * 88.48; 2 us of cables; 2 * 6.88 and 2 us for the ACK). labinit's clock
 * is 5 ns behind flowgen's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "results/results.h"

#define SPAN	10500.0		/* from 1000 to 11500 */

static char base[] = "/tmp/lab_test.XXXXXX";

/* Sums and maxima over a port's priorities: names in the totals and in the summary. */
static const struct {
	const char *from, *to;
	bool largest;
} figures[] = {
	{ "queue_peak_bytes", "queue_peak_bytes", true },
	{ "ecn_marked", "ecn_marked", false },
	{ "ecn_not_ect", "ecn_not_ect", false },
	{ "pauses_received", "pauses_received", false },
	{ "resumes_received", "resumes_received", false },
	{ "pause_ns", "pause_ns", false },
	{ "storms", "storms", false },
	{ "pauses_sent", "pauses_sent", false },
	{ "resumes_sent", "resumes_sent", false },
	{ "xoff_ns", "xoff_ns", false },
	{ "in_peak_bytes", "in_peak_bytes", true },
	{ "headroom_bytes", "headroom_bytes", true },
	{ "headroom_peak_bytes", "headroom_peak_bytes", true },
	{ "kib_us", NULL, false },
};

enum { PEAK = 0, ECN = 1, PAUSE_NS = 5, STORMS = 6, SENT = 7, RESUMED = 8, HEADROOM = 11,
	HEADROOM_PEAK = 12, KIB_US = 13 };

static const char *const drops[] = {
	"limit", "port_limit", "buffer", "headroom", "watchdog", "not_ect", "feature", "other",
};

/* What leaves: packets and wire bytes of both priorities, and the time that it takes. */
static const struct {
	const char *name;
	int packets[2], bytes[2], busy_ns;
} ports[] = {
	{ "s0-sw", { 30, 10 }, { 33000, 8000 }, 4100 },
	{ "s1-sw", { 4, 5 }, { 344, 430 }, 4200 },	/* 86 bytes each: ACKs alone */
	{ "sw-s0", { 20, 1 }, { 2200, 22 }, 4300 },
	{ "sw-s1", { 20, 2 }, { 2300, 33 }, 4400 },
	{ "sw-r", { 44, 6 }, { 50000, 2000 }, 5250 },
	{ "r-sw", { 30, 1 }, { 3000, 100 }, 4600 },	/* no data goes there */
};

#define PORTS	ARRAY_SIZE(ports)

static const char *const mercury[] = {
	"cnps", "damped", "failed", "no_place", "entered", "congested", "spared", "flows_left",
	"flows_peak",
};

static const char *const iofd[] = {
	"flows", "packets", "bytes", "taken", "full", "no_port", "lost_port", "escaped",
	"no_escape", "failed", "entries_peak",
};

static const char *const lscc[] = {
	"sent", "unsent", "heard", "refused", "late", "expired", "cnps", "damped", "failed",
	"cleared", "uncleared", "marked", "no_place", "ints", "taken", "untaken",
	"queue_peak_bytes",
};

/* Figure k of priority q of port i; the larger priority is the first or the second. */
static int64_t prio_val(size_t i, size_t q, size_t k)
{
	return (k + 1) * 10000 + (i * i + 1) * 100 + ((q ^ i) & 1) * 7 + 3;
}

static int64_t port_val(size_t i, size_t k)
{
	int64_t a = prio_val(i, 0, k), b = prio_val(i, 1, k);

	return figures[k].largest ? (a > b ? a : b) : a + b;
}

static int64_t drop_val(size_t i, size_t q, size_t k)
{
	return (k + 1) * 1000 + i * 10 + q;
}

/* Figure k of a feature of port i. */
static int64_t feature_val(size_t i, size_t k)
{
	return (k + 1) * 1000 + (i * i + 1) * 10 + 1;
}

static struct json_object *feature_of(size_t i, const char *const *names, size_t n, int more)
{
	struct json_object *o = json_object_new_object();
	size_t k;

	for (k = 0; k < n; k++)
		js_add_int(o, names[k], feature_val(i, k) + more);
	return o;
}

static struct json_object *prio_of(size_t i, size_t q)
{
	struct json_object *o = json_object_new_object(), *lost = json_object_new_object();
	size_t k;

	js_add_int(o, "tx_packets", ports[i].packets[q]);
	js_add_int(o, "tx_wire_bytes", ports[i].bytes[q]);
	for (k = 0; k < ARRAY_SIZE(figures); k++)
		js_add_int(o, figures[k].from, prio_val(i, q, k));
	for (k = 0; k < ARRAY_SIZE(drops); k++)
		js_add_int(lost, drops[k], drop_val(i, q, k));
	json_object_object_add(o, "drops", lost);
	return o;
}

static struct json_object *ports_of(void)
{
	struct json_object *all = json_object_new_object(), *o, *list;
	size_t i;

	for (i = 0; i < PORTS; i++) {
		o = json_object_new_object();
		list = json_object_new_array();
		js_add_int(o, "rate_bps", 100 + i);
		js_add_int(o, "busy_ns", ports[i].busy_ns);
		json_object_array_add(list, prio_of(i, 0));
		json_object_array_add(list, prio_of(i, 1));
		json_object_object_add(o, "prio", list);
		if (i >= 2 && i <= 4) {
			json_object_object_add(o, "mercury",
					       feature_of(i, mercury, ARRAY_SIZE(mercury), 0));
			json_object_object_add(o, "iofd", feature_of(i, iofd, ARRAY_SIZE(iofd), 2));
			json_object_object_add(o, "lscc", feature_of(i, lscc, ARRAY_SIZE(lscc), 5));
		}
		json_object_object_add(all, ports[i].name, o);
	}
	return all;
}

static const char totals[] =
"{ \"kernel\": \"6.x\", \"t0_ns\": 60000000005, \"drained_ns\": 4, \"needs\": 1, \"tells\": 0,"
" \"mem_setup_kb\": 31, \"mem_total_kb\": 37, \"params\": { \"rai\": \"41\" },"
" \"counters\": { \"np_cnp_sent\": 5, \"rp_cnp_handled\": 3, \"rp_cnp_ignored\": 1,"
"  \"rp_cnp_refused\": 20, \"rp_cnp_forged\": 300, \"rp_cnp_late\": 4000,"
"  \"rp_cnp_limited\": 50000, \"rp_timeouts\": 7, \"rp_retransmits\": 6, \"rx_left\": 2 },"
" \"switches\": { \"sw\": { \"peak_used\": 777 }, \"s2\": { \"peak_used\": 555 } },"
" \"window\": { \"from_ns\": 4000, \"to_ns\": 9000, \"timeouts\": 3, \"ports\": { \"sw-r\": { \"busy_ns\": 1000,"
"  \"prio\": [ { \"tx_packets\": 11, \"tx_wire_bytes\": 1200, \"kib_us\": 3 },"
"   { \"tx_packets\": 2, \"tx_wire_bytes\": 34, \"kib_us\": 2 } ] } } } }";

static const struct {
	const char *name, *text;
} raw[] = {
	{ "console.log", "booted\nWARNING: something\n" },
	{ "raw/flowgen/summary.json", "{ \"t0_ns\": 60000000000 }" },
	{ "raw/flowgen/latency.json",
	  "{ \"probes\": [ { \"bytes\": 64, \"iterations\": 6, \"completed\": 4,"
	  " \"rtt_ns\": { \"p50\": 4200 } } ] }" },
	{ "raw/flowgen/qps.json", "{}" },
	{ "raw/flowgen/flows.csv",
	  "id,src,dst,qpn,dst_qpn,bytes,start_ns,fct_ns,status\n"
	  "1,rxe_s1,rxe_r,18,28,5000,2000,9500,ok\n"
	  "0,rxe_s0,rxe_r,17,27,30720,1000,9000,ok\n" },
	{ "raw/cc.csv",
	  "t_ns,flow,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes,tx_packets,tx_bytes\n"
	  "1995,0,111,,222,1106,4,4424\n"
	  "3995,0,112,333,223,4424,4,4424\n"
	  "3995,1,113,,224,1106,2,2212\n"
	  "4995,0,116,,227,4320,4,4424\n"	/* 3999: less than before, and left out */
	  "10995,0,114,,225,33196,30,33180\n"
	  "11995,0,115,,226,33196,30,33180\n" },
	{ "raw/state.csv",
	  "t_ns,flow,sends,vars\n"
	  "2995,0,1,a=5;b=6\n"
	  "3995,0,0,a=7;rx_u=9\n"
	  "4995,0,0,a=8;rx_u=10\n"
	  "4995,0,1,a=5;b=11;rx_c=12\n" },
	{ "raw/queues.csv",
	  "t_ns,port,prio,bytes,paused\n"
	  "1995,sw-r,0,100,0\n1995,sw-s0,3,5555,0\n"
	  "5995,sw-r,3,800,1\n6995,sw-r,3,0,0\n6995,sw-r,0,50,0\n" },
	{ "raw/pauses.csv", "t_ns,port,prio,pause_ns\n-10,sw-r,3,1\n2995,sw-r,3,51\n" },
	{ "raw/program_qps.csv",
	  "t_ns,device,qpn,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes,tx_packets,tx_bytes,"
	  "state\n" },
	{ "raw/mercury.csv", "t_ns,port,prio,state\n2995,sw-r,3,2\n" },
	{ "raw/lscc.csv",
	  "t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes\n"
	  "2995,sw-r,21,22,23,24,25\n" },
	/* Full is 0.95 us of each, a packet (89.76 ns) less: 1200, not 2060, and 2921. */
	{ "raw/ports.csv",
	  "t_ns,port,busy_ns,bytes\n"
	  "1995,sw-r,0,0\n2995,sw-r,300,0\n3995,sw-r,1200,0\n4995,sw-r,2060,0\n"
	  "5995,sw-r,2921,0\n6995,sw-r,2921,0\n7995,sw-r,2921,0\n8995,sw-r,2921,0\n"
	  "9995,sw-r,2921,0\n10995,sw-r,2921,0\n" },
	{ "raw/types.csv", "t_ns,flow,type\n3495,0,1\n5495,0,2\n" },
	{ "raw/counts.csv",
	  "t_ns,dev,msgs,senders\n2995,rxe_r,1,1\n5995,rxe_r,2,2\n10995,rxe_r,1,1\n" },
};

static const struct {
	const char *name, *text;
} results[] = {
	{ "flows.csv",
	  "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown\n"
	  "0,s0,r,17,30720,1000,9000,6759,1.3316\n"
	  "1,s1,r,18,5000,2000,9500,6759,1.4055\n" },
	/*
	 * Payload done is acknowledged bytes by the mean length of a packet. Flow 0: 1024 at
	 * 2000, 4096 at 4000, 30720 at 10000; flow 1: 1024 at 4000.
	 */
	{ "rates.csv",
	  "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes\n"
	  "2000,0,8192000000,111,,222\n"
	  "4000,0,12288000000,112,333,223\n"
	  "4000,1,4096000000,113,,224\n"
	  "5000,0,35498666667,116,,227\n"
	  "11000,0,35498666667,114,,225\n" },
	/* The other end's first values are not news; its "a" is "rx_a". */
	{ "state.csv",
	  "t_ns,flow,name,value\n3000,0,a,5\n3000,0,b,6\n5000,0,rx_a,8\n5000,0,rx_u,10\n"
	  "5000,0,b,11\n" },
	{ "queues.csv",
	  "t_ns,port,prio,bytes,paused\n2000,sw-r,0,100,0\n2000,sw-s0,3,5555,0\n"
	  "6000,sw-r,3,800,1\n7000,sw-r,3,0,0\n7000,sw-r,0,50,0\n" },
	{ "pauses.csv", "t_ns,port,prio,pause_ns\n3000,sw-r,3,51\n" },
	{ "mercury.csv", "t_ns,port,prio,state\n3000,sw-r,3,2\n" },
	{ "lscc.csv",
	  "t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes\n"
	  "3000,sw-r,21,22,23,24,25\n" },
	{ "types.csv",
	  "t_ns,flow,detected,truth\n"
	  "2000,0,none,none\n4000,0,last_hop,last_hop\n5000,0,last_hop,none\n"
	  "6000,0,network,last_hop\n7000,0,network,none\n"
	  "2000,1,none,none\n4000,1,none,last_hop\n5000,1,none,none\n6000,1,none,last_hop\n"
	  "7000,1,none,none\n" },
	{ "counts.csv",
	  "t_ns,host,messages,true_messages,senders,true_senders\n"
	  "2000,r,0,2,0,2\n3000,r,1,2,1,2\n6000,r,2,2,2,2\n10000,r,2,1,2,1\n11000,r,1,1,1,1\n" },
	{ "console.log", "booted\nWARNING: something\n" },
};

static void put_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", base, name), *slash = strrchr(path, '/');

	*slash = '\0';
	mkdir_p(path);
	*slash = '/';
	write_file(path, "%s", text);
	free(path);
}

static void put_run(void)
{
	struct json_object *o = json_tokener_parse(totals);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(raw); i++)
		put_file(raw[i].name, raw[i].text);
	json_object_object_add(o, "ports", ports_of());
	put_file("raw/totals.json", json_object_to_json_string(o));
	json_object_put(o);
}

static struct plan *plan_of(void)
{
	struct scenario *sc = scenario_load("incast");
	struct plan *p = NULL;

	if (!sc || scenario_set(sc, "n=2") || scenario_set(sc, "size=30kb") ||
	    scenario_set(sc, "pfc=on") || plan_resolve(sc) || plan_build(sc, 1, &p))
		return NULL;
	p->sample_ns = 1000;
	p->base_rtt_ns = 1000;
	p->latency_model_ns = 4193;
	memset(p->feature_mode, 1, sizeof(p->feature_mode));
	p->flows[1].group = plan_group(p, "late");
	return p;
}

/* Exit status of results_write(), and what it has written to @dir. */
static int write_run(const char *cc, const char *dir, struct json_object **summary)
{
	char *params[] = { "dcqcn.rai=41", "swift.beta=0.5" }, *knobs[] = { "int=2" };
	struct run_opts o = {
		.quiet = true, .params = { params, 2 }, .knobs = { knobs, 1 },
	};
	char *from = xasprintf("%s/raw", base), *path = xasprintf("%s/summary.json", dir);
	struct uml u = { .work_dir = base, .label = cc,
			 .times = { .wall_s = 1.5, .boot_s = 2.25, .setup_s = 3.125,
				    .traffic_s = 4 } };
	struct plan *p = plan_of();
	struct scenario *sc;
	char *err = NULL;
	bool wrote = false;
	int rc;

	if (!p)
		return -1;
	sc = p->sc;
	rc = results_write(p, &o, cc, from, dir, &u, &wrote);
	ktap(wrote, "results_write__wrote", "not");
	*summary = js_load(path, &err);
	plan_free(p);
	scenario_free(sc);
	free(from);
	free(path);
	free(err);
	return rc;
}

static void is_near(const char *name, struct json_object *o, const char *path, double want,
		    double within)
{
	struct json_object *v = js_path(o, path);
	double got = v ? json_object_get_double(v) : NAN;
	char text[128];

	snprintf(text, sizeof(text), "%s__%s", name, path);
	ktap(v && fabs(got - want) <= within, text, "got %.10g, wanted %.10g", got, want);
}

static void is(const char *name, struct json_object *o, const char *path, double want)
{
	is_near(name, o, path, want, 0);
}

static void is_text(const char *name, struct json_object *o, const char *path, const char *want)
{
	struct json_object *v = js_path(o, path);
	const char *got = v ? json_object_get_string(v) : "nothing";
	char text[128];

	snprintf(text, sizeof(text), "%s__%s", name, path);
	ktap(strcmp(got, want) == 0, text, "got %s, wanted %s", got, want);
}

static void test_head(struct json_object *s)
{
	is_text("summary", s, "scenario", "incast");
	is_text("summary", s, "cc", "dcqcn");
	is_text("summary", s, "label", "dcqcn");
	is("summary", s, "seed", 1);
	is_text("summary", s, "backend", "uml");
	is_text("summary", s, "clock", "virtual");
	is_text("summary", s, "variant", "lab");
	is_text("summary", s, "settings.size", "30kb");
	is_text("summary", s, "settings.n", "2");
	is_text("summary", s, "kernel", "6.x");
	is_text("summary", s, "algo_params.rai", "41");
	is("summary", s, "knobs.base_rtt", 1000);
	is("summary", s, "virtual_ns", 11500);
	is_text("summary", s, "groups", "{ \"late\": [ 1 ] }");
	is("summary", s, "switches.sw.peak_used", 777);
	is("summary", s, "switches.s2.peak_used", 555);
	is_text("summary", s, "notes", "[ \"receivers still count messages or senders in flight:"
		" that is an error of the kernel's\", \"300 of 303 CNPs and reports were refused,"
		" because senders take the packets that they name for no longer under way"
		" (rp_cnp_forged 300, report_bad_psn 0): these are the figures of flows with less"
		" control\" ]");
}

static void test_flows(struct json_object *s)
{
	/* 35 packets of data, 6 of them twice, 8 of the probe: 80 have left the hosts. */
	is("summary", s, "data_packets", 49);
	is("summary", s, "ack_packets", 26);		/* 80 - 49 - 5 CNPs */
	is("summary", s, "packet_hops", 173);
	is("summary", s, "retransmits", 6);
	is("summary", s, "flows.count", 2);
	is("summary", s, "flows.completed", 2);
	is("summary", s, "flows.bytes", 35720);
	is("summary", s, "flows.fct_ns.min", 9000);
	is("summary", s, "flows.fct_ns.max", 9500);
	is("summary", s, "flows.fct_ns.mean", 9250);
	is("summary", s, "flows.slowdown.max", 1.4055);
	is("summary", s, "flows.slowdown.mean", 1.3685);
	is("summary", s, "goodput_bps", 27215238095);	/* 35720 bytes in 10500 ns */
	/* From 2000 to 10000 flow 0 moves 29696 bytes, flow 1 1024 + 3976 * 6 / 7.5. */
	is_near("summary", s, "jain", pow(29696 + 4204.8, 2) / 2 /
		(29696.0 * 29696 + 4204.8 * 4204.8), 0.0000005);
	is("summary", s, "cnp.sent", 5);
	is("summary", s, "cnp.handled", 3);
	is("summary", s, "cnp.ignored", 54321);
	is("summary", s, "timeouts", 7);
	is("summary", s, "latency.completed", 4);
	is("summary", s, "latency.iterations", 6);
	is("summary", s, "latency.bytes", 64);
	is("summary", s, "latency.model_ns", 4193);
	is("summary", s, "latency.rtt_ns.p50", 4200);
	is("summary", s, "types.right", 0.5);		/* 10000 to 11000 of both flows */
	is("summary", s, "types.judged_ns", 2000);
	is("summary", s, "types.left_out_ns", 16000);
	is("summary", s, "counts.right", 0.8);		/* 5000 to 10000, late by 1000 */
	is("summary", s, "counts.judged_ns", 5000);
	is("summary", s, "counts.left_out_ns", 4000);
}

static void test_bottleneck(struct json_object *s)
{
	int64_t lost = 0;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(drops); k++)
		lost += drop_val(4, 0, k) + drop_val(4, 1, k);
	is_text("summary", s, "bottleneck.port", "sw-r");
	is("summary", s, "bottleneck.utilization", 0.5);
	is_near("summary", s, "bottleneck.queue_bytes.mean", port_val(4, KIB_US) * 1024000 / SPAN,
		0.5);
	/* 0 at 1000, 100 from 2000, 800 more at 6000, 50 from 7000 to 11000 */
	is("summary", s, "bottleneck.queue_bytes.p50", 50);
	is("summary", s, "bottleneck.queue_bytes.p99", 900);
	is("summary", s, "bottleneck.queue_bytes.max", port_val(4, PEAK));
	is("summary", s, "bottleneck.ecn_marked", port_val(4, ECN));
	is("summary", s, "bottleneck.drops", lost);
	is("summary", s, "bottleneck.kmin_bytes", 400000);
	is("summary", s, "bottleneck.kmax_bytes", 1600000);
	is("window", s, "window.from_ns", 4000);
	is("window", s, "window.to_ns", 9000);
	is("window", s, "window.timeouts", 3);
	/* 4096 to 26282.67 bytes, 1024 to 3674.67 */
	is_text("window", s, "window.goodput_bps", "[ 35498666667, 4241066667 ]");
	is("window", s, "window.ports.sw-r.utilization", 0.2);
	is("window", s, "window.ports.sw-r.tx_packets", 13);
	is("window", s, "window.ports.sw-r.tx_wire_bytes", 1234);
	is("window", s, "window.ports.sw-r.queue_bytes.mean", 1024);
	is("window", s, "window.ports.sw-r.queue_bytes.p50", 50);	/* 100 100 900 50 50 50 */
	is("window", s, "window.ports.sw-r.queue_bytes.p99", 900);
}

static int64_t sum_of(size_t k)
{
	int64_t all = 0;
	size_t i;

	for (i = 0; i < PORTS; i++)
		all += port_val(i, k);
	return all;
}

static void test_pfc(struct json_object *s)
{
	int64_t all = 0, one;
	char path[64];
	size_t i, k;

	is("pfc", s, "pfc.pause_frames", sum_of(SENT));
	is("pfc", s, "pfc.resume_frames", sum_of(RESUMED));
	is("pfc", s, "pfc.pause_ns", sum_of(PAUSE_NS));
	is("pfc", s, "pfc.storms", sum_of(STORMS));
	/* Of the ports on the way of data, s1-sw had none that was longer than an ACK. */
	is_near("pfc", s, "pfc.pause_ratio", (port_val(0, PAUSE_NS) + port_val(4, PAUSE_NS)) /
		(2 * SPAN), 0.000005);
	is("pfc", s, "pfc.headroom_bytes", port_val(5, HEADROOM));
	is("pfc", s, "pfc.headroom_peak_bytes", port_val(5, HEADROOM_PEAK));
	is_near("pfc", s, "pfc.headroom_ratio",
		(double)port_val(0, HEADROOM_PEAK) / port_val(0, HEADROOM), 0.000005);
	is("pfc", s, "pfc.buffer_peak_bytes", 777);
	for (k = 0; k < ARRAY_SIZE(drops); k++) {
		for (i = 0, one = 0; i < PORTS; i++)
			one += drop_val(i, 0, k) + drop_val(i, 1, k);
		snprintf(path, sizeof(path), "drops.%s", drops[k]);
		is("drops", s, path, one);
		all += one;
	}
	is("drops", s, "drops.total", all);
}

static void test_ports(struct json_object *s)
{
	char path[80];
	size_t i, k;

	for (i = 0; i < PORTS; i++) {
		snprintf(path, sizeof(path), "ports.%s.rate_bps", ports[i].name);
		is("ports", s, path, 100 + i);
		snprintf(path, sizeof(path), "ports.%s.busy_ns", ports[i].name);
		is("ports", s, path, ports[i].busy_ns);
		snprintf(path, sizeof(path), "ports.%s.tx_packets", ports[i].name);
		is("ports", s, path, ports[i].packets[0] + ports[i].packets[1]);
		snprintf(path, sizeof(path), "ports.%s.tx_wire_bytes", ports[i].name);
		is("ports", s, path, ports[i].bytes[0] + ports[i].bytes[1]);
		for (k = 0; k < ARRAY_SIZE(figures); k++) {
			if (!figures[k].to)
				continue;
			snprintf(path, sizeof(path), "ports.%s.%s", ports[i].name, figures[k].to);
			is("ports", s, path, port_val(i, k));
		}
		for (k = 0; k < ARRAY_SIZE(drops); k++) {
			snprintf(path, sizeof(path), "ports.%s.drops.%s", ports[i].name, drops[k]);
			is("ports", s, path, drop_val(i, 0, k) + drop_val(i, 1, k));
		}
	}
	is("ports", s, "ports.sw-s1.mercury.cnps", feature_val(3, 0));
	is("ports", s, "ports.sw-s1.iofd.flows", feature_val(3, 0) + 2);
	is("ports", s, "ports.sw-s1.lscc.sent", feature_val(3, 0) + 5);
}

/* What adds up over ports 2 to 4, and last what only the largest counts of. */
static void test_feature(struct json_object *s, const char *name, const char *const *names,
			 size_t n, int more)
{
	char path[64];
	size_t k;

	for (k = 0; k < n; k++) {
		snprintf(path, sizeof(path), "%s.%s", name, names[k]);
		is("features", s, path, k == n - 1 ? feature_val(4, k) + more :
		   feature_val(2, k) + feature_val(3, k) + feature_val(4, k) + 3 * more);
	}
}

static void test_tables(const char *dir)
{
	char *path, *text;
	char name[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(results); i++) {
		path = xasprintf("%s/%s", dir, results[i].name);
		text = read_file(path, NULL);
		snprintf(name, sizeof(name), "results__%s", results[i].name);
		ktap(text && strcmp(text, results[i].text) == 0, name, "got\n%s", text);
		free(text);
		free(path);
	}
}

static void test_run_json(const char *dir)
{
	char *path = xasprintf("%s/run.json", dir), *err = NULL;
	struct json_object *o = js_load(path, &err), *command;
	const char *text;

	is("run", o, "wall_s", 1.5);
	is("run", o, "boot_s", 2.25);
	is("run", o, "setup_s", 3.125);
	is("run", o, "traffic_s", 4);
	is("run", o, "mem_setup_kb", 31);
	is("run", o, "mem_total_kb", 37);
	is("run", o, "data_packets_per_s", 12);		/* 49 / 4 */
	/* What concerns this algorithm, and nothing else. */
	command = js_get(o, "command");
	text = command ? json_object_to_json_string_ext(command, JSON_C_TO_STRING_PLAIN) : "";
	ktap(!strcmp(text, "[\"lab\",\"run\",\"incast\",\"--cc\",\"dcqcn\",\"--seed\",\"1\","
		     "\"--set\",\"n=2\",\"--set\",\"size=30kb\",\"--set\",\"pfc=on\","
		     "\"--param\",\"dcqcn.rai=41\",\"--knob\",\"int=2\"]"),
	     "run__command", "got %s", text);
	json_object_put(o);
	free(path);
	free(err);
}

/* Objects of the summary with their members, in order; of lists of ports the first. */
static const char members[] =
": scenario cc label seed backend clock variant commit settings params knobs types "
"counts kernel virtual_ns algo_params data_packets ack_packets packet_hops "
"retransmits flows goodput_bps jain bottleneck window latency pfc drops cnp timeouts "
"mercury iofd lscc errors groups switches ports congested notes\n"
".params: rai\n"
".types: right judged_ns left_out_ns\n"
".counts: right judged_ns left_out_ns\n"
".algo_params: rai\n"
".flows: count completed bytes fct_ns slowdown\n"
".flows.fct_ns: min mean p50 p95 p99 max\n"
".flows.slowdown: mean p50 p95 p99 max\n"
".bottleneck: port utilization queue_bytes ecn_marked drops kmin_bytes kmax_bytes\n"
".bottleneck.queue_bytes: mean p50 p99 max\n"
".window: from_ns to_ns goodput_bps jain timeouts ports\n"
".window.ports: sw-r\n"
".window.ports.sw-r: utilization tx_packets tx_wire_bytes queue_bytes\n"
".window.ports.sw-r.queue_bytes: mean p50 p99\n"
".latency: bytes iterations completed model_ns rtt_ns\n"
".latency.rtt_ns: p50\n"
".pfc: pause_frames resume_frames pause_ns pause_ratio storms headroom_bytes "
"headroom_peak_bytes headroom_ratio buffer_peak_bytes\n"
".drops: total limit port_limit buffer headroom watchdog not_ect feature other\n"
".cnp: sent handled ignored\n"
".mercury: cnps damped failed no_place entered congested spared flows_left flows_peak\n"
".iofd: flows packets bytes taken full no_port lost_port escaped no_escape failed "
"entries_peak\n"
".lscc: sent unsent heard refused late expired cnps damped failed cleared uncleared "
"marked no_place ints taken untaken queue_peak_bytes\n"
".groups: late\n"
".switches: sw s2\n"
".switches.sw: peak_used\n"
".switches.s2: peak_used\n"
".ports: s0-sw s1-sw sw-s0 sw-s1 sw-r r-sw\n"
".ports.s0-sw: rate_bps busy_ns tx_packets tx_wire_bytes queue_peak_bytes ecn_marked "
"ecn_not_ect pauses_received resumes_received pause_ns storms pauses_sent "
"resumes_sent xoff_ns in_peak_bytes headroom_bytes headroom_peak_bytes drops\n"
".ports.s0-sw.drops: total limit port_limit buffer headroom watchdog not_ect feature "
"other\n";

static char *members_of(struct json_object *o, const char *path, char *text)
{
	char *more, *sub;

	if (!json_object_is_type(o, json_type_object) || strstr(path, "settings") ||
	    strstr(path, "knobs") ||
	    (!strncmp(path, ".ports.", 7) && strncmp(path, ".ports.s0-sw", 12)))
		return text;
	more = xasprintf("%s%s:", text, path);
	free(text);
	text = more;
	json_object_object_foreach(o, name, unused) {
		(void)unused;
		more = xasprintf("%s %s", text, name);
		free(text);
		text = more;
	}
	more = xasprintf("%s\n", text);
	free(text);
	text = more;
	json_object_object_foreach(o, key, val) {
		sub = xasprintf("%s.%s", path, key);
		text = members_of(val, sub, text);
		free(sub);
	}
	return text;
}

/* Files of two versions can be compared as texts. */
static void test_members(struct json_object *s)
{
	char *text = members_of(s, "", xstrdup(""));

	ktap(strcmp(text, members) == 0, "summary__order_of_members", "got\n%s", text);
	free(text);
}

/* What is printed of the run. */
static void test_table(char *dir)
{
	char *text = NULL, row[256];
	FILE *out = stdout;
	size_t len;

	stdout = open_memstream(&text, &len);
	run_end_table(&dir, 1, false);
	fclose(stdout);
	stdout = out;
	/* Queues in KiB; the mean is KiB us over the time in us. */
	snprintf(row, sizeof(row),
		 "\ndcqcn/1      2/2      27.215        9.0        9.5      1.41  0.639   50.00 %9.1f"
		 "       0.9 %9.1f    43413        3    434448        6 1160.12  972278\n",
		 port_val(4, KIB_US) * 1000 / SPAN, port_val(4, PEAK) / 1024.0);
	ktap(strstr(text, row), "table__row", "got\n%s\nwant%s", text, row);
	ktap(strstr(text, " flows   goodput ") && strstr(text, "  mean KiB   p99 KiB  peak KiB") &&
	     strstr(text, "  retrans ") && strstr(text, " handled all ports"), "table__columns",
	     "got\n%s", text);
	ktap(strstr(text, "dcqcn: 64 B round trip: min 0, p50 4200, max 0 ns; delays and serialisation"
		    " add up to 4193 ns, p50 differs by +7 ns\n"),
	     "table__latency", "got\n%s", text);
	ktap(strstr(text, "\nincast, virtual clock, bottleneck port sw-r\n"), "table__heading",
	     "got\n%s", text);
	free(text);
}

int main(void)
{
	struct json_object *s = NULL;
	char *dir;
	int rc;

	if (!mkdtemp(base))
		return 1;
	put_run();
	dir = xasprintf("%s/dcqcn", base);
	rc = write_run("dcqcn", dir, &s);
	ktap(rc == EXIT_RUN_FAILED && s, "results_write__of_a_kernel_that_warns", "%d", rc);
	/* Two that a receiver still counts, a probe, a warning, flows left in Mercury's ports. */
	is("summary", s, "errors", 2 + 1 + 1 +
	   feature_val(2, 7) + feature_val(3, 7) + feature_val(4, 7));
	test_head(s);
	test_flows(s);
	test_bottleneck(s);
	test_pfc(s);
	test_ports(s);
	test_feature(s, "mercury", mercury, ARRAY_SIZE(mercury), 0);
	test_feature(s, "iofd", iofd, ARRAY_SIZE(iofd), 2);
	test_feature(s, "lscc", lscc, ARRAY_SIZE(lscc), 5);
	test_members(s);
	test_tables(dir);
	test_run_json(dir);
	test_table(dir);
	json_object_put(s);
	free(dir);

	/*
	 * Nobody counts what is sent again: 80 packets and 44874 bytes have left the hosts, of
	 * data 35 and 38622 were needed, an ACK has 86: 44874 - 38622 - 45 * 86 = 2382, and a
	 * full packet is 1020 longer than an ACK.
	 */
	dir = xasprintf("%s/none", base);
	write_run("none", dir, &s);
	is("summary_none", s, "retransmits", 2);
	is("summary_none", s, "data_packets", 45);
	is("summary_none", s, "ack_packets", 30);
	json_object_put(s);
	free(dir);
	rm_rf(base);
	return ktap_end();
}
