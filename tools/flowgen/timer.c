// SPDX-License-Identifier: GPL-2.0
/* flowgen: deadlines, a binary heap ordered by time, then by order of arrival. */
#include "flowgen.h"

static bool before(const struct fg_timer *a, const struct fg_timer *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->seq < b->seq;
}

/**
 * fg_timer_add() - do something at a time
 * @at_ns: CLOCK_MONOTONIC; equal times keep their order
 * @kind: what
 * @arg: to whom
 *
 * Return: its number, by which the timer that fires is known.
 */
u64 fg_timer_add(u64 at_ns, enum fg_timer_kind kind, void *arg)
{
	struct fg_timer t = { at_ns, eng.timer_seq++, kind, arg };
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
