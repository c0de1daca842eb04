// SPDX-License-Identifier: GPL-2.0
/*
 * lab, QEMU backend: lab shell. The shell runs here, on the host; "on NODE
 * COMMAND" runs a command in a node.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/qemu.h"

/* A directory with "on" in it, to be found first. */
static int make_bin(struct qemu *q)
{
	char *dir = xasprintf("%s/bin", q->work), *on = xasprintf("%s/on", dir);
	char *script = xasprintf("%s/tools/lab/stage/on.sh", lab_root());
	char *path = xasprintf("%s:%s/build/bin:%s", dir, lab_root(), getenv("PATH") ?: "");
	int rc = 0;

	if (mkdir_p(dir) || symlink(script, on))
		rc = run_error("%s: %s", on, strerror(errno));
	setenv("PATH", path, 1);
	setenv("LAB_ON", q->work, 1);
	free(dir);
	free(on);
	free(script);
	free(path);
	return rc;
}

/* @input: commands, or NULL: a prompt */
static pid_t start_shell(const char *input)
{
	char *prompt[] = { "bash", "-i", NULL };
	char *script[] = { "sh", "-c", "exec bash <\"$0\"", (char *)input, NULL };
	char **argv = input ? script : prompt;

	return child_start(&(struct child){ .argv = argv, .in = CHILD_OURS });
}

/* Until it ends, or a guest does. Ctrl-C at a prompt is the prompt's. */
static int wait_shell(struct qemu *q, pid_t pid, bool prompt)
{
	int status, rc;

	while ((status = child_wait(pid, false)) < 0) {
		rc = qemu_poll(q, !prompt);
		if (!rc)
			continue;
		kill(pid, SIGHUP);
		kill(pid, SIGTERM);
		while (child_wait(pid, true) < 0)
			;
		return rc;
	}
	return status;
}

/**
 * qemu_shell() - a prompt, or a script, beside the nodes' guests
 * @q: after its job is saved, with u
 * @input: file with the script, NULL: a prompt
 *
 * Return: its exit status, or that of the lab after a message.
 */
int qemu_shell(struct qemu *q, const char *input)
{
	int i, rc;

	q->start_ns = now_ns(CLOCK_MONOTONIC);
	q->deadline_ns = q->u->timeout_s ? q->start_ns + q->u->timeout_s * NSEC_PER_SEC :
					   INT64_MAX;
	rc = make_bin(q);
	if (!rc)
		rc = qemu_start(q);
	if (!rc)
		rc = qemu_until(q, QEMU_SHELL, false);
	qemu_booted(q);
	if (rc < 0)
		rc = run_error("shell: %s", q->u->error ? q->u->error : "a guest has ended");
	else if (!rc)
		rc = wait_shell(q, start_shell(input), !input);
	for (i = 0; i < q->n_guests; i++)
		qemu_say(&q->guests[i], "end");
	qemu_stop(q);
	return rc;
}
