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

static int shell(struct cmd *c, const char *work)
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

/**
 * cmd_shell_in() - a shell in the scenario's network
 * @c: after cmd_prepare()
 *
 * Return: exit status.
 */
int cmd_shell_in(struct cmd *c)
{
	char *work = work_dir_make();
	int rc = work ? shell(c, work) : EXIT_RUN_FAILED;

	if (work)
		work_dir_remove(work);
	return rc;
}
