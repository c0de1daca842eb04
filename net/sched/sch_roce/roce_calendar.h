/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of many ports has the next event, and when.
 *
 * A heap in an array of its own: an rb-tree would have its nodes in the ports, which are a
 * kilobyte each and cold, and look at some of them for each event.
 *
 * Of events of the same time that one comes first which was set first.
 *
 * Context: the owner's lock.
 */
#ifndef _ROCE_CALENDAR_H
#define _ROCE_CALENDAR_H

#include <linux/min_heap.h>
#include <linux/types.h>

/**
 * struct roce_calendar_entry - the next event of a port
 * @at_ns: when
 * @order: among those of the same time; grows with each that is set
 * @slot: the port's number
 */
struct roce_calendar_entry {
	u64 at_ns;
	u64 order;
	u32 slot;
};

DEFINE_MIN_HEAP(struct roce_calendar_entry, roce_calendar_heap);

/**
 * struct roce_calendar - the next events of ports
 * @heap: the events
 * @place: for each slot, from 1 on where in @heap its event is; 0: it has none
 * @order: of the last event that was set
 */
struct roce_calendar {
	struct roce_calendar_heap heap;
	u32 *place;
	u64 order;
};

int roce_calendar_init(struct roce_calendar *cal, unsigned int slots);
void roce_calendar_free(struct roce_calendar *cal);
void roce_calendar_move(struct roce_calendar *cal, struct roce_calendar *larger);
bool roce_calendar_set(struct roce_calendar *cal, u32 slot, u64 at_ns);
bool roce_calendar_cancel(struct roce_calendar *cal, u32 slot);

/**
 * roce_calendar_first - the next event
 * @cal: calendar
 *
 * Return: it, or NULL.
 */
static inline const struct roce_calendar_entry *roce_calendar_first(const struct roce_calendar *cal)
{
	return cal->heap.nr ? cal->heap.data : NULL;
}

#endif /* _ROCE_CALENDAR_H */
