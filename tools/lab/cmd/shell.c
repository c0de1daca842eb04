// SPDX-License-Identifier: GPL-2.0
/*
 * lab shell: the command line.
 */
#include "run/run.h"

/* All that "lab run" takes; the help has what matters. */
static const struct options shell_options = {
	.command = "lab shell", .rows = run_rows, .in = FOR_OTHERS,
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

int cmd_shell(int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .real = true } };
	int rc = cmd_prepare(&c, &shell_options, argc, argv);

	if (!rc && c.o.top)
		rc = usage_error("--top: in a shell it is \"rxecc top -a\"");
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	rc = c.o.dry ? cmd_dry(&c) : cmd_shell_in(&c);
	cmd_free(&c);
	return rc;
}
