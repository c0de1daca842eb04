// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: what all parts of a run go by: its state, the clock of a batch of events,
 * what is watched, and deadlines, a binary heap ordered by time, then by order of arrival.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "flowgen.h"

struct fg_engine eng;

/**
 * fg_batch_now() - the clock, read at most once per batch of events
 *
 * A system call, and a nanosecond of virtual time, for each completion would be
 * many: most completions need no time stamp.
 */
u64 fg_batch_now(void)
{
	if (!eng.now_valid) {
		eng.now_ns = fg_now_ns();
		eng.now_valid = true;
	}
	return eng.now_ns;
}

/**
 * fg_conn_dirty() - this connection may have room: refill it after the batch
 * @c: connection
 */
void fg_conn_dirty(struct fg_conn *c)
{
	if (c->dirty)
		return;
	c->dirty = true;
	eng.dirty = fg_grow(eng.dirty, &eng.cap_dirty, eng.ndirty + 1, sizeof(c));
	eng.dirty[eng.ndirty++] = c;
}

/**
 * fg_conn_batch() - messages that are posted together while plenty is queued
 * @c: connection
 */
u32 fg_conn_batch(const struct fg_conn *c)
{
	return (c->depth + 3) / 4;
}

/**
 * fg_engine_watch() - have a descriptor's readability reported
 * @ev: source
 * @fd: descriptor
 * @fn: called when readable
 */
int fg_engine_watch(struct fg_evsrc *ev, int fd, void (*fn)(struct fg_evsrc *ev))
{
	struct epoll_event ee = { .events = EPOLLIN, .data.ptr = ev };

	ev->fd = fd;
	ev->fn = fn;
	if (epoll_ctl(eng.epfd, EPOLL_CTL_ADD, fd, &ee))
		return fg_err("epoll_ctl: %s", strerror(errno));
	return 0;
}

/**
 * fg_engine_unwatch() - stop watching
 * @ev: source
 */
void fg_engine_unwatch(struct fg_evsrc *ev)
{
	epoll_ctl(eng.epfd, EPOLL_CTL_DEL, ev->fd, NULL);
}

static bool before(const struct fg_timer *a, const struct fg_timer *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->seq < b->seq;
}

/**
 * fg_timer_add() - do something at a time
 * @at_ns: CLOCK_MONOTONIC; equal times keep their order
 * @fn: what
 * @arg: to whom
 *
 * Return: its number, by which the timer that fires is known.
 */
u64 fg_timer_add(u64 at_ns, fg_timer_fn fn, void *arg)
{
	struct fg_timer t = { at_ns, eng.timer_seq++, fn, arg };
	u32 i, up;

	eng.heap = fg_grow(eng.heap, &eng.cap_heap, eng.nheap + 1, sizeof(t));
	for (i = eng.nheap++; i; i = up) {
		up = (i - 1) / 2;
		if (!before(&t, &eng.heap[up]))
			break;
		eng.heap[i] = eng.heap[up];
	}
	eng.heap[i] = t;
	return t.seq;
}

/**
 * fg_timer_pop() - take the earliest deadline; there must be one
 */
struct fg_timer fg_timer_pop(void)
{
	struct fg_timer top = eng.heap[0], t = eng.heap[--eng.nheap];
	u32 i = 0, k;

	for (;;) {
		k = 2 * i + 1;
		if (k >= eng.nheap)
			break;
		if (k + 1 < eng.nheap && before(&eng.heap[k + 1], &eng.heap[k]))
			k++;
		if (!before(&eng.heap[k], &t))
			break;
		eng.heap[i] = eng.heap[k];
		i = k;
	}
	eng.heap[i] = t;
	return top;
}
