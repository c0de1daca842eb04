// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: a run from the first guest to the merged rows.
 *
 * The guests do what labinit does in the lab kernel, each for its nodes. Where
 * one needs the others it waits for the word from here: all queue pairs made,
 * all connected, a common start, all flows ended; first for the measurement of
 * what real time is worth (qemu_realtime_measure.c), then for the run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/backend.h"
#include "boot/qemu.h"

#define MEM_MB		384
#define CPUS		2

/* With or without the plan. */
static int check(struct cmd *c)
{
	const struct plan *p = c->plan;

	if (c->clock && !c->o.real)
		return usage_error("--clock virtual: not with --backend qemu: its guests run in real time");
	c->o.real = true;
	if (c->o.debug)
		return usage_error("--debug: not with --backend qemu, which runs the distribution's kernel");
	if (c->o.events_mb)
		return usage_error("--events: not with --backend qemu: events of several kernels have no common order");
	if (!p)
		return 0;
	if (job_get(p->base, J_TIMELINE))
		return usage_error("--at: not with --backend qemu: its guests have no common clock");
	if (p->after.n)
		return usage_error("--backend qemu: flows that wait for others are not run in several guests");
	if (p->n_flows != p->n_listed)
		return usage_error("%s: not with --backend qemu: a workload's queue pairs are made while it runs, with both ends in one kernel",
				   c->sc->name);
	if (scenario_val(c->sc, "verify", 0) != 0)
		return usage_error("--set verify=on: not with --backend qemu: no process has both ends of a flow");
	if (strcmp(scenario_text(c->sc, "transport", "rc"), "rc"))
		return usage_error("--set transport=uc: not with --backend qemu: nobody sees that the network is empty");
	if (scenario_key(c->sc, "lookahead") && !scenario_key(c->sc, "lookahead")->is_auto)
		return usage_error("--set lookahead: not with --backend qemu: an incast's receiver is in another kernel than its senders");
	return 0;
}

/* The job file of all guests; @q receives kernel and guests. */
static int save(struct cmd *c, const char *cc, const char *mode, struct qemu *q)
{
	const struct run_opts *o = &c->o;
	int rc;

	q->c = c;
	q->work = q->u->work_dir;
	q->modules = qemu_modules_dir();
	q->cpus = o->cpus ? o->cpus : CPUS;
	q->mem_mb = o->mem_mb ? o->mem_mb : MEM_MB;
	rc = qemu_find_kernel(q);
	if (!rc)
		rc = qemu_nodes_to_guests(q, o);
	if (rc)
		return rc;
	job_add_str(c->plan->base, J_MODPROBE, "modprobe");
	rc = job_save(c->plan, o, cc, q->modules, q->work, mode);
	if (!rc)
		rc = qemu_write_initrd(q);
	if (!rc)
		q->accel = o->accel && strcmp(o->accel, "auto") ? o->accel : qemu_accel(q);
	return rc;
}

static double since(int64_t ns)
{
	return (now_ns(CLOCK_MONOTONIC) - ns) / 1e9;
}

static int set_up(struct qemu *q)
{
	struct run_times *t = &q->u->times;
	int rc = qemu_start(q);

	if (!rc)
		rc = qemu_until(q, QEMU_BOOT, false);
	qemu_booted(q);
	t->boot_s = since(q->start_ns);
	if (!rc)
		rc = qemu_realtime_measure(q);
	if (!rc)
		rc = qemu_connect(q);
	t->setup_s = since(q->start_ns) - t->boot_s;
	return rc ? rc : qemu_realtime_capability(q);
}

/* -1: one gave up; others may have results all the same. */
static int traffic(struct qemu *q)
{
	int rc, one;

	qemu_say_start(q);
	one = qemu_until(q, QEMU_DONE, true);
	q->u->times.traffic_s = since(q->t0_ns);
	if (one > 0)
		return one;
	qemu_say_all(q, "stop");
	rc = qemu_until(q, QEMU_EXIT, false);
	if (!rc)
		rc = qemu_clocks(q, true);
	qemu_say_all(q, "end");
	return rc;
}

static int write_status(struct qemu *q, const char *raw)
{
	char *path = xasprintf("%s/exit_status", raw);
	int i, status = 0, rc;

	for (i = 0; i < q->n_guests; i++)
		if (q->guests[i].status > status)
			status = q->guests[i].status;
	rc = write_file(path, "%d\n", status) ? run_error("%s: %s", path, strerror(errno)) : 0;
	free(path);
	return rc;
}

static void first_error(struct qemu *q)
{
	int i;

	for (i = 0; i < q->n_guests; i++) {
		struct qemu_guest *g = &q->guests[i];

		if (g->error && !q->u->error)
			q->u->error = xasprintf("guest %d (%s): %s", g->number, g->nodes,
						g->error);
	}
}

/* Rows and totals of all guests become those of one kernel, in @raw. */
static int run_guests(struct qemu *q, const char *raw)
{
	int rc;

	q->start_ns = now_ns(CLOCK_MONOTONIC);
	q->deadline_ns = q->u->timeout_s ? q->start_ns + q->u->timeout_s * NSEC_PER_SEC :
					   INT64_MAX;
	rc = set_up(q);
	if (!rc)
		rc = traffic(q);
	qemu_stop(q);
	q->u->times.wall_s = since(q->start_ns);
	if (q->u->tty && !q->u->quiet)
		fputc('\n', stderr);
	first_error(q);
	/* It gave up before the traffic: what it said is all there is. */
	if (rc < 0)
		rc = 0;
	rc = rc | qemu_consoles(q);
	if (!rc)
		rc = write_status(q, raw);
	return rc ? rc : qemu_merge(q, raw);
}

/* What run.json says of the guests. */
static struct json_object *describe(const struct qemu *q)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	int64_t error = 0;
	int i, spoiled = 0;

	js_add_str(o, "accelerator", q->accel);
	js_add_int(o, "cpus", q->cpus);
	js_add_int(o, "mem_mb", q->mem_mb);
	for (i = 0; i < q->n_guests; i++) {
		const struct qemu_guest *g = &q->guests[i];
		struct json_object *one = json_object_new_object();
		int64_t took = g->after.at_ns - g->before.at_ns;

		js_add_str(one, "nodes", g->nodes);
		js_add_int(one, "clock_error_ns", g->before.error_ns > g->after.error_ns ?
						  g->before.error_ns : g->after.error_ns);
		js_add_dbl(one, "clock_drift_ppm", took > 0 ?
			   (g->after.ahead_ns - g->before.ahead_ns) * 1e6 / took : 0, 3);
		error = js_int(one, "clock_error_ns", 0) > error ?
			js_int(one, "clock_error_ns", 0) : error;
		json_object_array_add(list, one);
		spoiled += g->boots;
	}
	js_add_int(o, "boots_repeated", spoiled);
	js_add_int(o, "clock_error_ns", error);
	json_object_object_add(o, "guests", list);
	return o;
}

static void done(struct qemu *q)
{
	int i;

	qemu_stop(q);
	for (i = 0; i < q->n_guests; i++) {
		free(q->guests[i].nodes);
		free(q->guests[i].error);
	}
	free(q->guests);
	free(q->release);
	free(q->kernel);
	free(q->initrd);
	free(q->modules);
}

static int run(struct cmd *c, const char *cc, const char *raw, struct uml *u)
{
	struct qemu q = { .u = u };
	int rc = save(c, cc, "run", &q);

	if (!rc)
		rc = run_guests(&q, raw);
	if (!rc)
		u->guests = describe(&q);
	done(&q);
	return rc;
}

static int shell(struct cmd *c, const char *input, struct uml *u)
{
	struct qemu q = { .u = u };
	int rc = save(c, c->o.ccs[0], "shell", &q);

	u->timeout_s = c->o.timeout_s;
	u->tty = isatty(STDERR_FILENO) && !input;
	if (!rc)
		rc = qemu_shell(&q, input);
	done(&q);
	return rc;
}

static char *modules(const struct run_opts *o)
{
	(void)o;
	return qemu_modules_dir();
}

const struct backend qemu_backend = {
	.name = "qemu",
	.variant = "stock",
	.guests = true,
	.modules = modules,
	.check = check,
	.run = run,
	.shell = shell,
};
