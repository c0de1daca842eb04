// SPDX-License-Identifier: GPL-2.0
/*
 * lab: asks the kernel whether it takes what is to run, before it runs. Also --dry-run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "boot/uml_copies.h"

/**
 * cmd_uml() - a lab kernel for a command
 * @c: after cmd_prepare()
 * @work: from work_dir_make()
 * @label: for messages
 *
 * Return: what uml_run() takes.
 */
struct uml cmd_uml(const struct cmd *c, const char *work, const char *label)
{
	return (struct uml) {
		.kernel_dir = c->kdir, .work_dir = work, .label = label, .real = c->o.real,
		.quiet = c->o.quiet, .tty = isatty(STDERR_FILENO), .timeout_s = c->o.timeout_s,
		.mem_mb = cmd_mem_mb(c), .expect_ns = c->plan->expect_ns, .copies = c->copies,
		.relay = c->sc->program,
	};
}

static bool has_status(const char *raw)
{
	char *path = xasprintf("%s/exit_status", raw);
	bool has = path_exists(path);

	free(path);
	return has;
}

/**
 * cmd_ask_kernel() - would the kernel take what is to run
 * @c: after cmd_prepare()
 * @label: for messages
 * @ccs: settings in the place of those of --cc; NULL: all of --cc
 *
 * Only the kernel knows an algorithm's parameters and what it can run on. It builds
 * the network and takes all algorithms, without traffic.
 *
 * Return: 0, or the exit status after a message. Of several @ccs nobody knows which one it was:
 * then there is no message.
 */
int cmd_ask_kernel(struct cmd *c, const char *label, struct json_object *ccs)
{
	char *work = work_dir_make(), *raw, *path;
	struct uml u;
	int rc;

	if (!work)
		return EXIT_RUN_FAILED;
	u = cmd_uml(c, work, label);
	u.quiet = true;
	u.relay = false;
	raw = xasprintf("%s/raw", work);
	path = xasprintf("%s/job.json", work);
	rc = job_save(c->plan, &c->o, c->o.ccs[0], c->kdir, work, "check");
	if (!rc && ccs) {
		job_add(c->plan->job, J_CCS, ccs);
		rc = js_save(c->plan->job, path) ? run_error("%s: %m", path) : 0;
	}
	/* The network is that of the first algorithm. */
	u.network_again = true;
	if (!rc && u.copies)
		rc = copies_jobs(c, &u);
	if (!rc)
		rc = uml_run(&u);
	if (!rc && js_len(ccs) <= 1)
		rc = uml_status(&u, raw);
	else if (!rc)
		rc = u.error || !has_status(raw) ? EXIT_USAGE : 0;
	work_dir_remove(work);
	free(u.error);
	free(path);
	free(raw);
	return rc;
}

static void print_plan(const struct cmd *c)
{
	const struct plan *p = c->plan;
	int64_t bytes, packets = plan_data_packets(p, &bytes);
	size_t i;

	printf("%s: hosts %d, switches %d, flows %d, bytes %" PRId64 ", data packets %" PRId64
	       "; would run under", c->sc->name, p->n_hosts, p->n_nodes - p->n_hosts,
	       p->n_flows, bytes, packets);
	for (i = 0; i < c->o.n_ccs; i++)
		printf("%s %s", i ? "," : "", c->o.ccs[i]);
	printf("\n");
}

/* The same for programs. */
static void print_json(const struct cmd *c)
{
	struct json_object *o = json_object_new_object(), *ccs = json_object_new_array();
	int64_t bytes, packets = plan_data_packets(c->plan, &bytes);
	size_t i;

	for (i = 0; i < c->o.n_ccs; i++)
		json_object_array_add(ccs, json_object_new_string(c->o.ccs[i]));
	js_add_str(o, "scenario", c->sc->name);
	json_object_object_add(o, "cc", ccs);
	js_add_int(o, "hosts", c->plan->n_hosts);
	js_add_int(o, "switches", c->plan->n_nodes - c->plan->n_hosts);
	js_add_int(o, "flows", c->plan->n_flows);
	js_add_int(o, "bytes", bytes);
	js_add_int(o, "data_packets", packets);
	printf("%s\n", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
	json_object_put(o);
}

/**
 * cmd_dry() - --dry-run: check everything, run and write nothing
 * @c: after cmd_prepare()
 *
 * Return: exit status.
 */
int cmd_dry(struct cmd *c)
{
	int rc = uml_check_room(cmd_mem_mb(c));

	if (!rc)
		rc = cmd_ask_kernel(c, c->sc->name, NULL);
	if (rc)
		return rc;
	if (c->o.json)
		print_json(c);
	else
		print_plan(c);
	return EXIT_OK;
}
