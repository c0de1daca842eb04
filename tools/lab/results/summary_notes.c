// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "notes" of summary.json: what one must know to read its figures, and
 * figures that are not known.
 */
#include <inttypes.h>
#include <linux/rxe_cc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* The load that is drawn is within this of the one asked for. */
#define LOAD_EXACT	0.01
/* So much longer than that of the busiest port is a queue that one must know of. */
#define QUEUE_TIMES	2
/* Some feedback comes later than the ACK of its packet, or after the end of its flow. */
#define REFUSED_MOST	0.05

static void PRINTF(2, 3) note(struct results *r, const char *fmt, ...)
{
	struct json_object *notes = js_get(r->summary, "notes");
	char *text;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (rc < 0)
		return;
	json_object_array_add(notes, json_object_new_string(text));
	free(text);
}

/* In queues and on links. */
static int64_t lost_packets(struct results *r)
{
	return js_int(js_get(r->summary, "drops"), "total", 0) +
	       js_int(js_get(r->summary, "lost"), "total", 0);
}

static void unreliable(struct results *r)
{
	int64_t lost = lost_packets(r);

	note(r, "uc: completions, and with them FCT and rates.csv, are when packets leave the host; slowdown and Jain index are not known");
	json_object_object_add(js_get(r->summary, "flows"), "slowdown", NULL);
	json_object_object_add(r->summary, "jain", NULL);
	if (js_int(r->totals, "drained_ns", -1) < 0)
		note(r, "uc: the network was not empty at the end");
	if (!lost)
		return;
	note(r, "uc: %" PRId64 " packets were lost, of how many messages is not known, so goodput is not either",
	     lost);
	json_object_object_add(r->summary, "goodput_bps", NULL);
}

/* Flows of less than some round trips, or between two samples, tell nothing. */
static void unseen(struct results *r)
{
	const char *algo = js_str(r->summary, "cc", "");
	int64_t needs = js_int(r->totals, "needs", 0), seen = js_int(r->totals, "flows_seen", 0);
	int64_t without = js_int(r->totals, "flows_without_rtt", 0);
	bool tel = js_int(js_get(r->totals, "counters"), "cc_tel_used", 0) > 0;
	/* With some parameters an algorithm for telemetry goes by round-trip times. */
	bool by_int = js_int(r->totals, "flows_by_int", seen) > 0;

	if (!seen)
		return;
	if (needs & RXE_CC_ALGO_NEED_INT && by_int && !tel)
		note(r, "%s goes by telemetry and got none: these are the figures of flows without control",
		     algo);
	else if (needs & RXE_CC_ALGO_NEED_RTT && without == seen)
		note(r, "%s goes by round-trip times and got none of any flow: these are the figures of flows without control",
		     algo);
	else if (needs & RXE_CC_ALGO_NEED_INT && !by_int && without == seen)
		note(r, "%s goes by round-trip times as it is set and got none of any flow: nothing but what receivers tell controls them",
		     algo);
}

/* Senders that do not believe their feedback are not controlled by it. */
static void disbelieved(struct results *r)
{
	struct json_object *c = js_get(r->totals, "counters");
	int64_t cnps = js_int(c, "rp_cnp_forged", 0), reports = js_int(c, "report_bad_psn", 0);
	int64_t refused = cnps + reports;
	int64_t all = refused + js_int(c, "rp_cnp_handled", 0) + js_int(c, "report_received", 0);

	if (refused <= all * REFUSED_MOST)
		return;
	note(r, "%lld of %lld CNPs and reports were refused, because senders take the packets that they name for no longer under way (rp_cnp_forged %lld, report_bad_psn %lld): these are the figures of flows with less control",
	     (long long)refused, (long long)all, (long long)cnps, (long long)reports);
}

/* Percentiles of what ended say little where much did not. */
static void unmeasured(struct results *r)
{
	struct json_object *m = js_get(r->summary, "measured");
	int64_t flows = js_int(m, "flows", 0), done = js_int(m, "completed", 0);

	if (!r->plan->traffic)
		return;
	if (results_rows(r) < r->plan->n_flows)
		note(r, "flows.csv has %" PRId64 " of %d flows (flows_rows); all figures are over all flows",
		     results_rows(r), r->plan->n_flows);
	if (!flows)
		note(r, "no flow starts in the time that is measured");
	else if (done < flows)
		note(r, "%" PRId64 " of %" PRId64 " measured flows did not complete: completion times and slowdowns are those of the others",
		     flows - done, flows);
}

/* What of the traffic is not as its name or its key says. */
static void drawn(struct results *r)
{
	struct json_object *t = r->plan->traffic;
	double load = js_dbl(t, "load", 0), offered = js_dbl(t, "load_offered", 0);
	int64_t lines = js_int(t, "file_lines_left_out", 0);

	if (lines)
		note(r, "%" PRId64 " lines of the flows_file are left out: they come behind as many flows as its first line says",
		     lines);
	if (js_get(t, "size_cap"))
		note(r, "%s: flows larger than %" PRId64 " bytes are made so large (size_cap)",
		     js_str(t, "workload", ""), js_int(t, "size_cap", 0));
	if (load > 0 && fabs(offered / load - 1) > LOAD_EXACT)
		note(r, "load %g was asked for, the flows drawn offer %.4f: there are few of them",
		     load, offered);
}

/* What flowgen says of the notices it gave; other algorithms than dart get none. */
static void lookahead(struct results *r)
{
	struct key *k = scenario_key(r->plan->sc, "lookahead");
	int64_t sent = js_int(r->gen, "notices", -1);
	int64_t refused = js_int(r->gen, "notices_refused", 0);
	struct json_object *o;

	if (k && !k->is_auto && sent < 0)
		note(r, "%s takes no look-ahead: lookahead has changed nothing",
		     js_str(r->summary, "cc", ""));
	if (sent < 0)
		return;
	o = json_object_new_object();
	js_add_int(o, "notices", sent);
	js_add_int(o, "refused", refused);
	json_object_object_add(r->summary, "lookahead", o);
	if (refused)
		note(r, "%" PRId64 " of %" PRId64 " look-ahead notices were refused, the first: %s",
		     refused, sent + refused, js_str(r->gen, "notice_error", ""));
}

/* Packets with telemetry have a DSCP of their own (knob int_dscp), which says their priority. */
static void priority(struct results *r)
{
	const char *algo = js_str(r->summary, "cc", "");

	if (scenario_val(r->plan->sc, "short_prio", 0) > 0 &&
	    scenario_val(r->plan->sc, "int", 0) != 0 &&
	    js_int(r->totals, "needs", 0) & RXE_CC_ALGO_NEED_INT &&
	    (js_int(r->totals, "flows_by_int", 1) > 0 || !js_int(r->totals, "flows_seen", 0)))
		note(r, "short_prio: data of %s bears telemetry, whose DSCP overrides that of the application: such packets are in the priority of all data",
		     algo);
	if (strcmp(js_str(r->plan->traffic, "workload", ""), "file") == 0 && !r->plan->n_listed)
		note(r, "flows of a flows_file have no rows in rates.csv and state.csv; with series=on they have");
}

/*
 * The user's timeout may be below the round trip. And what waits in a queue may wait for longer
 * than it: then packets are sent again of which none was lost. Without an algorithm nobody
 * counts timeouts, but only they lead to that.
 */
static void timeouts(struct results *r)
{
	double ms = r->plan->timeout_ns / 1e6, rtt_ms = r->plan->path_rtt_ns / 1e6;
	int64_t again = js_int(r->summary, "retransmits", 0);
	int exp = (int)scenario_val(r->plan->sc, "ib_timeout", 0);
	bool none = strcmp(js_str(r->summary, "cc", ""), "none") == 0;

	if (results_unreliable(r) || !r->plan->timeout_ns)
		return;
	if (r->plan->timeout_was > 0)
		note(r, "ib_timeout=%d, %.4g ms, in place of %.0f: the base round trip is %.4g ms",
		     exp, ms, r->plan->timeout_was, rtt_ms);
	if (r->plan->timeout_ns < r->plan->path_rtt_ns)
		note(r, "the retransmission timeout, %.4g ms (ib_timeout=%d), is below the base round trip of %.4g ms: what was sent is sent again before it can be acknowledged",
		     ms, exp, rtt_ms);
	else if (again > 0 && !lost_packets(r) &&
		 (none || js_int(r->summary, "timeouts", 0)))
		note(r, "%" PRId64 " packets were sent again and none was lost: acknowledgments took longer than the retransmission timeout, %.4g ms (ib_timeout=%d); the base round trip is %.4g ms",
		     again, ms, exp, rtt_ms);
}

/* Incasts and long flows come beside what the scenario has; a workload or a file does not. */
static void own_flows(struct results *r)
{
	const struct plan *p = r->plan;
	int64_t bytes = 0;
	int i;

	if (!p->traffic || traffic_replaces(p->sc) || !p->n_listed)
		return;
	for (i = 0; i < p->n_listed; i++)
		bytes += p->flows[i].bytes;
	note(r, "the scenario's own %d flows, %" PRId64 " bytes, run besides: load_offered does not count them, load_carried does",
	     p->n_listed, bytes);
}

/* The busiest port need not be where flows wait. */
static void elsewhere(struct results *r)
{
	struct json_object *b = js_get(r->summary, "bottleneck"), *port;
	const char *name = summary_longest_queue(r->summary, &port);
	int64_t peak = js_int(port, "queue_peak_bytes", 0);

	if (r->plan->bottleneck[0] >= 0 || !b || !name ||
	    strcmp(name, js_str(b, "port", "")) == 0 ||
	    peak <= QUEUE_TIMES * js_int(js_get(b, "queue_bytes"), "max", 0))
		return;
	note(r, "the longest queue was that of port %s, %" PRId64 " bytes with %" PRId64
	     " marks; \"bottleneck\" is %s, which was sending longest",
	     name, peak, js_int(port, "ecn_marked", 0), js_str(b, "port", "?"));
}

/*
 * The lab kernel gives time to a program that spins and computes, see its programs.c: "[TIME] NAME:
 * makes no call for long...".
 */
static void given_time(struct results *r)
{
	static const char says[] = ": makes no call for long";
	char *path = xasprintf("%s/kmsg.log", r->raw), *text = read_file(path, NULL);
	const char *at = text, *name = NULL;
	int64_t times = 0;

	while (at && (at = strstr(at, says))) {
		for (name = at; name > text && name[-1] != ' ' && name[-1] != '\n'; name--)
			;
		at += strlen(says);
		times++;
	}
	if (times)
		note(r, "%.*s computed without a call for so long that it was given 1 ms of virtual time, "
		     "%" PRId64 " times in all: when depends on this machine, and so do the results",
		     (int)strcspn(name, ":"), name, times);
	free(text);
	free(path);
}

/**
 * results_note_guests() - where the figures come from, if not from a lab of one kernel
 * @r: results with notes
 * @guests: of run.json; NULL: none
 */
void results_note_guests(struct results *r, struct json_object *guests)
{
	if (guests)
		note(r, "real time in %zu QEMU guests of %" PRId64 " CPUs, accelerator %s",
		     js_len(js_get(guests, "guests")), js_int(guests, "cpus", 0),
		     js_str(guests, "accelerator", ""));
}

/**
 * results_notes() - "notes", and null for figures that are not known
 * @r: results, all figures of the summary being there
 */
void results_notes(struct results *r)
{
	json_object_object_add(r->summary, "notes", json_object_new_array());
	if (!js_get(js_get(r->summary, "knobs"), "base_rtt"))
		note(r, "real clock: base_rtt is measured by the hosts, not given");
	if (js_str(r->real, "beyond", NULL))
		note(r, "real clock: the figures are of this machine rather than of the network: %s",
		     js_str(r->real, "beyond", NULL));
	if (results_unreliable(r))
		unreliable(r);
	if (results_mpi_calls(r) == 0)
		note(r, "the ranks have made no MPI call whose bytes are counted: that they used the network is not checked");
	if (js_int(js_get(r->totals, "counters"), "rx_left", 0))
		note(r, "receivers still count messages or senders in flight: that is an error of the kernel's");
	if (js_get(r->plan->sc->doc, "note"))
		note(r, "%s", js_str(r->plan->sc->doc, "note", ""));
	unseen(r);
	disbelieved(r);
	unmeasured(r);
	lookahead(r);
	priority(r);
	timeouts(r);
	own_flows(r);
	elsewhere(r);
	if (plan_has_programs(r->plan))
		given_time(r);
	if (r->plan->traffic)
		drawn(r);
}
