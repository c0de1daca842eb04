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
 * Labs that run at the same time must not choose the same one. Each has the name of its processor
 * as that of a socket, which the host takes back when the last process of the lab has ended. With
 * more labs than processors the rest go where they like.
 */
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "boot/one_processor.h"

/* A socket of that name, or -1 if there is one. */
static int claim(int cpu)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), len;

	/* A name in no directory begins with a zero. */
	len = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "rxe-cc-lab-cpu%d", cpu);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&name,
			    offsetof(struct sockaddr_un, sun_path) + 1 + len)) {
		close(fd);
		return -1;
	}
	return fd;
}

/**
 * processor_take() - go to a processor that no other lab has
 * @p: filled in; of what is started now all stays there that gets @p->fd
 *
 * The search begins with the present one.
 *
 * Return: whether there is one.
 */
bool processor_take(struct processor *p)
{
	int here = sched_getcpu(), i, cpu;
	cpu_set_t one;

	if (here < 0 || sched_getaffinity(0, sizeof(p->all), &p->all))
		return false;
	for (i = 0; i < CPU_SETSIZE; i++) {
		cpu = (here + i) % CPU_SETSIZE;
		if (!CPU_ISSET(cpu, &p->all))
			continue;
		p->fd = claim(cpu);
		if (p->fd < 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			return true;
		close(p->fd);
	}
	return false;
}

/**
 * processor_leave() - what was started stays, we do not
 * @p: from processor_take()
 */
void processor_leave(struct processor *p)
{
	sched_setaffinity(0, sizeof(p->all), &p->all);
	close(p->fd);
}
