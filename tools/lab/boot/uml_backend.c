// SPDX-License-Identifier: GPL-2.0
/*
 * lab, UML (User-Mode Linux) backend: struct backend of a lab in one kernel: memory check, run,
 * shell.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "boot/backend.h"
#include "boot/uml_copies.h"

#define MEM_MB		2048
#define MEM_DEBUG_MB	4096
/* Beside what the kernel, packets and queue pairs take; only what is used is taken. */
#define MEM_HOST_MB	2
/* Measured: 1024 hosts and 6144 ports of a fat-tree take 1854 MB, 320 at one switch 508. */
#define FABRIC_HOST_KB	1424
#define FABRIC_PORT_KB	102
/* With programs, in sysfs of each node for each device: 43 hosts and a switch take 1315 MB. */
#define NODE_DEVICE_KB	720

/**
 * cmd_mem_mb() - memory of the lab kernel
 * @c: from cmd_prepare()
 *
 * Return: megabytes.
 */
int64_t cmd_mem_mb(const struct cmd *c)
{
	const struct run_opts *o = &c->o;

	int64_t devices = plan_has_programs(c->plan) ?
			  (int64_t)c->plan->n_hosts * c->plan->n_nodes * NODE_DEVICE_KB / 1024 : 0;

	if (o->mem_mb)
		return o->mem_mb;
	return (o->debug ? MEM_DEBUG_MB : MEM_MB) + (int64_t)c->plan->n_hosts * MEM_HOST_MB +
	       o->events_mb + devices;
}

/* What the fabric takes of it before any traffic: measured from 16 to 1024 hosts. */
static int64_t fabric_mb(const struct plan *p)
{
	return 32 + (p->n_hosts * FABRIC_HOST_KB + 2LL * p->n_links * FABRIC_PORT_KB) / 1024;
}

static int64_t available_mb(void)
{
	char *text = read_file("/proc/meminfo", NULL), *at;
	int64_t kb = INT64_MAX;

	at = text ? strstr(text, "MemAvailable:") : NULL;
	if (at)
		sscanf(at, "MemAvailable: %" SCNd64, &kb);
	free(text);
	return kb / 1024;
}

/**
 * uml_can_copy() - can one boot serve all runs of a command
 * @c: after cmd_prepare()
 *
 * Not in real time: a kernel's time goes on there, it cannot stand still. A copy has the fabric
 * once more, and then what the traffic takes; the memory that is for that is there once.
 *
 * Return: true if so.
 */
bool uml_can_copy(const struct cmd *c)
{
	int64_t fabric = fabric_mb(c->plan);

	return c->o.n_ccs > 1 && !c->o.qemu && !c->o.real && !plan_has_programs(c->plan) &&
	       available_mb() >= 2 * fabric &&
	       uml_room_mb() >= cmd_mem_mb(c) + fabric;
}

/* Memory: better now than when the kernel runs out of it in the middle of the set-up. */
static int check(struct cmd *c)
{
	const struct run_opts *o = &c->o;
	int64_t need, mem, have;

	if (o->guests || o->cpus || o->accel)
		return usage_error("--guests, --cpus, --accel: only with --backend qemu");
	if (!c->plan)
		return 0;
	need = fabric_mb(c->plan);
	mem = cmd_mem_mb(c);
	have = available_mb();
	if (mem < need)
		return usage_error("--mem %" PRId64 ": %d hosts and %d ports need about %" PRId64
				   " MB", mem, c->plan->n_hosts, 2 * c->plan->n_links, need);
	if (have < need)
		return run_error("%d hosts and %d ports need about %" PRId64
				 " MB of memory, %" PRId64 " MB are available", c->plan->n_hosts,
				 2 * c->plan->n_links, need, have);
	return 0;
}

static char *modules(const struct run_opts *o)
{
	return kernel_dir_of(o);
}

/* Before the job is made: the plan keeps what the last one that was made is set to. */
static bool next_has_same_network(struct cmd *c, const char *cc)
{
	size_t i;

	for (i = 0; i + 1 < c->o.n_ccs; i++)
		if (c->o.ccs[i] == cc)
			return copies_same_network(c, cc, c->o.ccs[i + 1]);
	return false;
}

static int run(struct cmd *c, const char *cc, const char *raw, struct uml *u)
{
	int rc;

	(void)raw;
	u->network_again = u->copies && next_has_same_network(c, cc);
	rc = job_save(c->plan, &c->o, cc, c->kdir, u->work_dir, "run");
	if (!rc && u->copies)
		rc = copies_jobs(c, u);
	return rc ? rc : uml_run(u);
}

/* The kernel and all of its helpers, which are in its process group. */
static int wait_end(pid_t pid)
{
	int status;

	do {
		status = child_wait(pid, true);
	} while (status < 0 && !work_interrupted());
	kill(-pid, SIGKILL);
	if (!work_interrupted())
		return status ? run_error("the lab kernel ended with status %d", status) : 0;
	while (status < 0)
		status = child_wait(pid, true);
	return interrupted_error();
}

/*
 * The lab kernel has the terminal to itself, as a job in the foreground of a shell
 * has: Ctrl-C is for what runs in it.
 */
static int run_terminal(struct uml *u)
{
	pid_t group = tcgetpgrp(STDIN_FILENO), pid;
	bool foreground = group == getpgrp();
	struct termios saved;
	int rc;

	/* Or taking the terminal back would stop this process. */
	signal(SIGTTOU, SIG_IGN);
	tcgetattr(STDIN_FILENO, &saved);
	pid = uml_start(u, &(struct child){ .in = CHILD_OURS, .terminal = foreground });
	if (pid < 0)
		return run_error("fork: %s", strerror(errno));
	rc = wait_end(pid);
	if (foreground)
		tcsetpgrp(STDIN_FILENO, group);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
	return rc;
}

static int run_script(struct cmd *c, struct uml *u)
{
	char *raw = xasprintf("%s/raw", u->work_dir), *path = xasprintf("%s/exit_status", raw);
	char *text;
	int rc;

	u->quiet = true;
	u->relay = true;
	u->timeout_s = c->o.timeout_s;
	rc = uml_run(u);
	text = rc ? NULL : read_file(path, NULL);
	/* Anything but an error of the lab is bash's own, whatever it means elsewhere. */
	if (!rc)
		rc = u->error || !text ? uml_status(u, raw) : atoi(text);
	free(text);
	free(path);
	free(raw);
	return rc;
}

static int shell(struct cmd *c, const char *input, struct uml *u)
{
	char *cwd = getcwd(NULL, 0);
	int rc;

	if (cwd)
		job_add_str(c->plan->base, J_CWD, cwd);
	free(cwd);
	if (input)
		job_add_str(c->plan->base, J_SCRIPT, input);
	rc = job_save(c->plan, &c->o, c->o.ccs[0], c->kdir, u->work_dir, "shell");
	if (!rc)
		rc = uml_check_room(u->mem_mb);
	if (rc)
		return rc;
	return input ? run_script(c, u) : run_terminal(u);
}

const struct backend uml_backend = {
	.name = "uml",
	.modules = modules,
	.check = check,
	.run = run,
	.shell = shell,
};
