// SPDX-License-Identifier: GPL-2.0
/*
 * lab shell: on a terminal a prompt, else the commands of standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/backend.h"

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

static int shell(struct cmd *c, char *work)
{
	bool script = !isatty(STDIN_FILENO), measured;
	struct uml u = {
		.kernel_dir = c->kdir, .work_dir = work, .label = "shell", .real = c->o.real,
		.mem_mb = cmd_mem_mb(c),
	};
	char *input = xasprintf("%s/input", work);
	int rc = script ? save_input(input) : 0;

	measured = c->o.real && scenario_val(c->sc, "base_rtt", 0) <= 0;
	if (!rc && measured)
		fprintf(stderr, "lab: real clock: base_rtt is measured by the hosts, not given\n");
	if (!rc)
		rc = backend_of(&c->o)->shell(c, script ? input : NULL, &u);
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
