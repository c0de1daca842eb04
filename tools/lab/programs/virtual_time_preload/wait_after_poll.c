// SPDX-License-Identifier: GPL-2.0
/*
 * After a poll that has found nothing: wait for as long as polls take until one can find
 * something. What the program has polled lately, in a row of polls that found nothing, ends
 * the wait.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

/*
 * A poll of an empty completion queue is a lock, some twenty loads from the first cache and
 * jumps: about 20 cycles of an atomic instruction and 100 of the rest, 50 ns at 2.4 GHz.
 */
#define QUEUE_POLL_NS	50
/* A system call that finds nothing: with the protections that are usual now 200 to 500 ns. */
#define CALL_NS		300
/* While the program reads a clock between polls it is late by at most so many. */
#define CLOCK_POLLS	64
#define POLL_NS_MAX	1000000

static unsigned long queue_ns = QUEUE_POLL_NS, call_ns = CALL_NS, clock_polls = CLOCK_POLLS;

static _Thread_local struct {
	struct pollfd fds[WAIT_FDS];
	unsigned int n_fds;
	bool too_many;	/* descriptors */
	bool fresh;	/* the poll before found something */
} row;

/* A number of ns or of polls in the environment. */
void setting(const char *name, unsigned long *to)
{
	const char *text = getenv(name);
	unsigned long val = text ? strtoul(text, NULL, 10) : 0;

	if (val && val <= POLL_NS_MAX)
		*to = val;
}

/* From the environment; the page "programs" explains them. */
void wait_settings(void)
{
	setting("VTIME_QUEUE_POLL_NS", &queue_ns);
	setting("VTIME_CALL_NS", &call_ns);
	setting("VTIME_CLOCK_POLLS", &clock_polls);
}

/* The poll has found something, or has slept: a row of polls begins anew. */
void poll_found(void)
{
	row.fresh = true;
	row.n_fds = 0;
	row.too_many = false;
}

static void wait_polls(const struct vtime_words *before, unsigned long poll_ns)
{
	struct program_wait w = {
		.words = (uintptr_t)before->words, .n_words = before->n,
		.fds = (uintptr_t)row.fds, .n_fds = row.n_fds,
		.clock_polls = clock_polls, .poll_ns = poll_ns,
		/* What it cannot be woken up by it must look at in each poll. */
		.fresh = row.fresh || row.too_many,
	};
	struct timespec one = { .tv_nsec = poll_ns };
	int before_errno = errno;

	w.n_devices = queues_devices(w.devices);
	row.fresh = false;
	if (syscall(SYS_arch_prctl, ARCH_PROGRAM_WAIT, &w))
		nanosleep(&one, NULL);
	errno = before_errno;
}

/* @before: what the program's queues were before the poll, by queues_look() */
void poll_empty_queue(const struct vtime_words *before)
{
	wait_polls(before, queue_ns);
}

static void add_fd(const struct pollfd *fd)
{
	unsigned int i;

	for (i = 0; i < row.n_fds; i++) {
		if (row.fds[i].fd == fd->fd) {
			row.fds[i].events |= fd->events;
			return;
		}
	}
	if (row.n_fds == WAIT_FDS)
		row.too_many = true;
	else
		row.fds[row.n_fds++] = *fd;
}

/* Of a call: @fds are what would have made it return otherwise */
void poll_empty_fds(const struct pollfd *fds, size_t n)
{
	struct vtime_words now;
	size_t i;

	for (i = 0; i < n; i++)
		if (fds[i].fd >= 0)
			add_fd(&fds[i]);
	queues_look(&now);
	wait_polls(&now, call_ns);
}
