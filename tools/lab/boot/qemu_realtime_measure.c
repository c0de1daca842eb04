// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: what real time is worth in these guests, measured before the run.
 *
 * tools/lab/guest/realtime_measure_multi_guest.c is the other side. The guests hear the words
 * of a run, and then those of the run itself. Nothing is refused: software emulation adds
 * milliseconds to each round trip, and who runs guests wants to see shapes all the same. A note
 * of summary.json says what is beyond.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/realtime_capability.h"
#include "boot/qemu.h"

/* What they said of the measurement they will say of the run. */
static void forget(struct qemu *q)
{
	static const enum qemu_said again[] = { QEMU_ENDS, QEMU_READY, QEMU_DONE };
	size_t k;
	int i;

	for (i = 0; i < q->n_guests; i++)
		for (k = 0; k < ARRAY_SIZE(again); k++)
			q->guests[i].said[again[k]] = false;
}

/**
 * qemu_realtime_measure() - have the guests measure what real time is worth
 * @q: guests, all booted
 *
 * Return: 0, -1 if one has given up, or the exit status after a message.
 */
int qemu_realtime_measure(struct qemu *q)
{
	int rc;

	if (!job_get(q->c->plan->job, J_REAL))
		return 0;
	rc = qemu_connect(q);
	if (rc)
		return rc;
	qemu_say_start(q);
	rc = qemu_until(q, QEMU_DONE, true);
	q->t0_ns = 0;
	forget(q);
	qemu_say_all(q, "stop");
	return rc;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Timers: the worst of any guest. The path: the one guest that has measured it. */
static int take_part(struct qemu *q, const struct qemu_guest *g, struct realtime_capability *w)
{
	char *path = xasprintf("%s/part%d/" REALTIME_FILE, job_str(q->c->plan->job, J_OUT, ""),
			       g->number), *err = NULL;
	struct json_object *o = js_load(path, &err);
	struct realtime_capability one;
	int rc = 0;

	if (o) {
		realtime_capability_from_json(&one, o);
		w->late_p50_ns = larger(w->late_p50_ns, one.late_p50_ns);
		w->late_p99_ns = larger(w->late_p99_ns, one.late_p99_ns);
		w->late_max_ns = larger(w->late_max_ns, one.late_max_ns);
		w->rtt_added_ns = larger(w->rtt_added_ns, one.rtt_added_ns);
		w->packets_per_s = larger(w->packets_per_s, one.packets_per_s);
		w->links = one.links;
		w->needed_packets_per_s = one.needed_packets_per_s;
		w->base_rtt_ns = one.base_rtt_ns;
	} else {
		rc = run_error("%s", err);
	}
	json_object_put(o);
	free(err);
	free(path);
	return rc;
}

/**
 * qemu_realtime_capability() - put together what the guests have measured, and say it
 * @q: guests, after qemu_realtime_measure(), when all have gone on to the run
 *
 * Return: 0, or the exit status after a message.
 */
int qemu_realtime_capability(struct qemu *q)
{
	struct json_object *job = q->c->plan->job, *o;
	struct realtime_capability w = {};
	char *text, *why, *path;
	int i, rc = 0;

	if (!job_get(job, J_REAL))
		return 0;
	for (i = 0; i < q->n_guests && !rc; i++)
		rc = take_part(q, &q->guests[i], &w);
	if (rc)
		return rc;
	text = realtime_capability_text(&w);
	why = realtime_capability_beyond(&w);
	if (!q->u->quiet)
		fprintf(stderr, "%slab: %s: real time here: %s%s%s\n",
			q->u->tty ? "\r\033[K" : "", q->u->label, text,
			why ? "; beyond it: " : "", why ? why : "");
	o = realtime_capability_to_json(&w, why);
	path = xasprintf("%s/" REALTIME_FILE, job_str(job, J_OUT, ""));
	if (js_save(o, path))
		rc = run_error("%s: %s", path, strerror(errno));
	json_object_put(o);
	free(path);
	free(text);
	free(why);
	return rc;
}
