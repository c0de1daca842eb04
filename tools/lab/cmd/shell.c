// SPDX-License-Identifier: GPL-2.0
/*
 * lab shell: on a terminal a prompt, else the commands of standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "boot/qemu.h"

/* All that "lab run" takes; the help has what matters. */
static const struct options shell_options = {
	.command = "lab shell", .rows = run_rows,
	.before =
"Usage: lab shell SCENARIO [--cc A] [--set KEY=VALUE]... [--clock real|virtual]\n"
"       lab shell SCENARIO [OPTIONS] <FILE\n\n"
"Builds the scenario's topology and starts a shell in the lab kernel, in real\n"
"time unless --clock says otherwise. \"ip netns exec NODE COMMAND\" runs a command\n"
"in a host or switch. The file system is the host's. \"exit\" ends the lab.\n\n"
"When standard input is no terminal it is read to its end, then bash runs it.\n"
"What the commands print, also on stderr, and warnings of the kernel go to\n"
"stdout; the exit status is bash's, 1 if the lab failed. --timeout S ends it after\n"
"S seconds of wall time, --dry-run only checks the arguments.\n\n"
"With --backend qemu the nodes are in QEMU guests and the shell is here, on the\n"
"host: \"on NODE COMMAND...\" runs a command in a node, with its output and status.\n"
"RDMA devices (rxe_NODE) are seen in the nodes.\n",
};

/* All of standard input into a file that bash in the lab kernel can read. */
static int save_input(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t n = fd < 0 ? -1 : 1;
	char buf[65536];

	while (n > 0) {
		n = read(STDIN_FILENO, buf, sizeof(buf));
		if (work_interrupted())
			break;
		if (n > 0 && write(fd, buf, n) != n)
			n = -1;
	}
	if (work_interrupted())
		interrupted_error();
	else if (n < 0)
		run_error("standard input to %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return n < 0 || work_interrupted() ? EXIT_RUN_FAILED : 0;
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

static int shell_in_guests(struct cmd *c, const char *work, const char *input, struct uml *u)
{
	struct qemu q = { .u = u };
	int rc = qemu_job_save(c, c->o.ccs[0], work, "shell", &q);

	u->timeout_s = c->o.timeout_s;
	u->tty = isatty(STDERR_FILENO) && !input;
	if (!rc)
		rc = qemu_shell(&q, input);
	qemu_free(&q);
	return rc;
}

static int shell_in_kernel(struct cmd *c, const char *work, bool script, struct uml *u)
{
	int rc = job_save(c->plan, &c->o, c->o.ccs[0], c->kdir, work, "shell");

	if (!rc)
		rc = uml_check_room(u->mem_mb);
	if (rc)
		return rc;
	return script ? run_script(c, u) : run_terminal(u);
}

static int shell(struct cmd *c, char *work)
{
	bool script = !isatty(STDIN_FILENO), measured;
	struct uml u = {
		.kernel_dir = c->kdir, .work_dir = work, .label = "shell", .real = c->o.real,
		.mem_mb = cmd_mem_mb(c),
	};
	char *input = xasprintf("%s/input", work), *cwd = getcwd(NULL, 0);
	int rc = 0;

	if (cwd && !c->o.qemu)
		job_add_str(c->plan->base, J_CWD, cwd);
	free(cwd);

	if (script) {
		rc = save_input(input);
		if (!c->o.qemu)
			job_add_str(c->plan->base, J_SCRIPT, input);
	}
	measured = c->o.real && scenario_val(c->sc, "base_rtt", 0) <= 0;
	if (!rc && measured)
		fprintf(stderr, "lab: real clock: base_rtt is measured by the hosts, not given\n");
	if (!rc)
		rc = c->o.qemu ? shell_in_guests(c, work, script ? input : NULL, &u) :
				 shell_in_kernel(c, work, script, &u);
	free(u.error);
	free(input);
	return rc;
}

int cmd_shell(int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .real = true } };
	char *work;
	int rc;

	rc = cmd_prepare(&c, &shell_options, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (c.o.dry) {
		rc = cmd_dry(&c);
		cmd_free(&c);
		return rc;
	}
	work = work_dir_make();
	rc = work ? shell(&c, work) : EXIT_RUN_FAILED;
	if (work)
		work_dir_remove(work);
	cmd_free(&c);
	return rc;
}
