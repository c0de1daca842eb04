// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: jobs one after the other, each in a copy of the kernel that begins as this one is now
 * (tools/lab/kernel/0014-um-copies.patch). The host side, boot/uml_copies.c, says which.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "guest/setup.h"

#define COPIES_FILE	"/proc/um_copies"

/* The file of the next job. Without one the kernel ends here. */
static int next_file(char *path, size_t size)
{
	int fd = open(COPIES_FILE, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, path, size - 1);
	int error = errno;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return fail(COPIES_FILE ": %s", strerror(error));
	path[n] = '\0';
	return 0;
}

/**
 * copies_next() - wait for the next job of a job of mode "copies"
 * @job: that one; its network, if it has one, is set up for all jobs, and its program has run
 *
 * Return: in a copy: its job. NULL after fail().
 */
struct json_object *copies_next(struct json_object *job)
{
	struct json_object *next;
	char path[512], *err = NULL;

	if (job_get(job, J_NODES) && lab_share(job))
		return NULL;
	if (next_file(path, sizeof(path)))
		return NULL;
	mark("job");
	next = js_load(path, &err);
	if (!next)
		fail("%s", err);
	return next;
}
