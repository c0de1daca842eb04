// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: jobs of mode "check" (would the kernel take what runs will set) and "shell": a
 * scenario's network without its traffic.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "guest/setup.h"

#define TCP_TIME_US	1000

/* What an item of a list leaves out is at its default, whatever the item before it has set. */
static int cc_forget(struct lab *l)
{
	struct json_object *none = json_object_new_object();
	int rc;

	job_add_str(none, J_CC_ALGO, "none");
	rc = lab_cc(l, none, 1);
	l->algo = "none";
	json_object_put(none);
	return rc;
}

/**
 * check_job() - would the kernel take all algorithms of a list, as they will be set
 * @job: as lab wrote it, with "ccs"
 *
 * Return: exit status.
 */
int check_job(struct json_object *job)
{
	struct json_object *ccs = job_get(job, J_CCS);
	struct lab l = { .job = job };
	size_t i;
	int rc;

	rc = lab_setup(&l);
	for (i = 0; i < js_len(ccs) && !rc; i++)
		rc = cc_forget(&l) || lab_cc(&l, js_at(ccs, i), 1);
	if (l.refused || l.topo.refused)
		return STATUS_REFUSED;
	return rc ? 125 : 0;
}

/**
 * shell_job() - a shell inside a scenario's topology, without its traffic: a
 *	prompt on the console, or one that runs the job's "script"
 * @job: as lab wrote it
 *
 * Return: exit status.
 */
int shell_job(struct json_object *job)
{
	/* A script has no terminal: bash ends where the file does. */
	char *script[] = { "/bin/sh", "-c", "exec /bin/bash <\"$0\"",
			   (char *)job_str(job, J_SCRIPT, ""), NULL };
	char *prompt[] = { "/bin/bash", "-i", NULL };
	bool tty = !job_get(job, J_SCRIPT);
	struct lab l = { .job = job };
	struct proc p = { .status = -1 };

	if (lab_setup(&l) || topo_name_namespaces(&l.topo) || lab_start_ports(&l, 0, false))
		return 125;
	if (l.flowgen.on)
		return node_commands_serve(&l.topo, job) ? 125 : 0;
	mark("shell");
	/* Where the user is; nothing depends on it where that is no place of this kernel. */
	if (chdir(job_str(job, J_CWD, "/")))
		mark("say %s: %s", job_str(job, J_CWD, ""), strerror(errno));
	/* TCP takes a time stamp of 0 us for none, and warns: no virtual time has passed. */
	usleep(TCP_TIME_US);
	p.pid = sys_spawn(&(struct spawn){
		.argv = tty ? prompt : script, .env = job_get(job, J_ENV), .tty = tty,
	});
	if (p.pid < 0)
		return 125;
	while (sys_wait(&p, 3600 * NSEC_PER_SEC))
		;
	return shell_status(p.status);
}
