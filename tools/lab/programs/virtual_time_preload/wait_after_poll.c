// SPDX-License-Identifier: GPL-2.0
/*
 * After a poll that has found nothing: wait for as long as polls take until one can find
 * something. What the program has polled lately, in a row of polls that found nothing, ends
 * the wait.
 *
 * A program may poll several queues in turn. After a wait each of them must be looked at before
 * the next one: what ended the wait may be in the one that is polled last. So a wait comes after a
 * round, when a queue is polled that has been polled in this round, and lasts as long as its polls.
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
/* Queues in a round at most. */
#define ROUND_QUEUES	64

static unsigned long queue_ns = QUEUE_POLL_NS, call_ns = CALL_NS, clock_polls = CLOCK_POLLS;

static _Thread_local struct {
	struct pollfd fds[WAIT_FDS];
	unsigned int n_fds;
	bool too_many;	/* descriptors */
	bool fresh;	/* the poll before found something */
	const void *queues[ROUND_QUEUES];	/* of this round */
	unsigned int n_queues;
	struct vtime_words before;	/* what they were when it began */
} row = { .fresh = true };

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
	row.n_queues = 0;
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

static bool is_in_round(const void *queue)
{
	unsigned int i;

	for (i = 0; i < row.n_queues && row.queues[i] != queue; i++)
		;
	return i < row.n_queues;
}

/* @before: what the program's queues were before the poll, by queues_look() */
void poll_empty_queue(const void *queue, const struct vtime_words *before)
{
	bool first = row.fresh && !row.n_queues;

	if (!first && !is_in_round(queue) && row.n_queues < ROUND_QUEUES) {
		row.queues[row.n_queues++] = queue;
		return;
	}
	if (first)
		wait_polls(before, queue_ns);
	else
		wait_polls(&row.before, row.n_queues * queue_ns);
	row.queues[0] = queue;
	row.n_queues = 1;
	queues_look(&row.before);
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
	wait_polls(row.n_queues ? &row.before : &now, call_ns + row.n_queues * queue_ns);
	/* A round begins, in which no queue has been polled. */
	row.n_queues = 0;
}
