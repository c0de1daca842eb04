// SPDX-License-Identifier: GPL-2.0
/*
 * A processor for a lab kernel in virtual time.
 *
 * The kernel and the programs in it are processes of the host, of which one runs at a time: each
 * system call in the lab is a change from a program to the kernel and back. Left to itself the
 * host wakes up the other one on an idle processor, which takes it several times as long, most of
 * all in a virtual machine. So all of them stay on one processor. Other work moves away from
 * it.
 *
 * Labs that run at the same time must not choose the same one. Each holds a socket with the name of
 * its processor, which the host takes back when "lab" ends, however that may be. With more labs
 * than processors the rest go where they like.
 */
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "boot/one_processor.h"

/* A socket of that name, or -1 if there is one. */
static int claim(int number)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), len;

	/* A name in no directory begins with a zero. */
	len = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "rxe-cc-lab-cpu%d", number);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&name,
			    offsetof(struct sockaddr_un, sun_path) + 1 + len)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Ours, and how many kernels are on it: one that makes copies, and one beside it, take turns. */
static int cpu = -1, name_fd = -1, kernels;

static bool go_to(int to)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(to, &one);
	return !sched_setaffinity(0, sizeof(one), &one);
}

/**
 * processor_take() - go to a processor that no other lab has
 * @before: becomes the set that we may be on; for processor_leave()
 *
 * What is started now stays there. The search begins with the present one.
 *
 * Return: whether there is one.
 */
bool processor_take(cpu_set_t *before)
{
	int here = sched_getcpu(), i;

	if (here < 0 || sched_getaffinity(0, sizeof(*before), before))
		return false;
	for (i = 0; i < CPU_SETSIZE && !kernels && name_fd < 0; i++) {
		cpu = (here + i) % CPU_SETSIZE;
		if (CPU_ISSET(cpu, before))
			name_fd = claim(cpu);
	}
	if (name_fd < 0 || !go_to(cpu))
		return false;
	kernels++;
	return true;
}

/**
 * processor_leave() - what was started stays, we do not
 * @before: from processor_take()
 */
void processor_leave(const cpu_set_t *before)
{
	sched_setaffinity(0, sizeof(*before), before);
}

/**
 * processor_give_back() - a kernel has ended
 */
void processor_give_back(void)
{
	if (!kernels || --kernels)
		return;
	close(name_fd);
	name_fd = -1;
}
