/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of many ports has the next event, and when.
 *
 * A heap in an array of its own: an rb-tree would have its nodes in the ports, which are six
 * kilobytes each and cold, and look at some of them for each event. It has four branches and
 * compares without branching; the kernel's min_heap, with two and an exchange by a call on each
 * level, took some more time.
 *
 * Of events of the same time that one comes first which was set first.
 *
 * Context: the owner's lock.
 */
#ifndef _ROCE_CALENDAR_H
#define _ROCE_CALENDAR_H

#include <linux/types.h>

/* Slots are below this. */
#define ROCE_CALENDAR_SLOTS	65536

/**
 * struct roce_calendar_entry - the next event of a port
 * @at_ns: when
 * @order: among those of the same time: the count of all that were set before, 48 bits, and
 *	below it the port's slot
 */
struct roce_calendar_entry {
	u64 at_ns;
	u64 order;
};

/**
 * struct roce_calendar - the next events of ports
 * @heap: the events; the first is at [0], those after [i] are at [4 i + 1] to [4 i + 4]. Behind
 *	the last one are four that never come
 * @nr: length of @heap
 * @slots: room in @heap and @place
 * @place: for each slot, from 1 on where in @heap its event is; 0: it has none
 * @count: events that were set
 */
struct roce_calendar {
	struct roce_calendar_entry *heap;
	unsigned int nr;
	unsigned int slots;
	u32 *place;
	u64 count;
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
	return cal->nr ? cal->heap : NULL;
}

/* Whose event it is. */
static inline u32 roce_calendar_slot(const struct roce_calendar_entry *entry)
{
	return entry->order % ROCE_CALENDAR_SLOTS;
}

#endif /* _ROCE_CALENDAR_H */
