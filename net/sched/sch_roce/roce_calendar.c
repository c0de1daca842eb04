// SPDX-License-Identifier: GPL-2.0
/* Which of many ports has the next event, see roce_calendar.h. */
#include <kunit/visibility.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "roce_calendar.h"

#define BRANCHES	4

/* Without a branch: which of two random events comes first is a coin toss. */
static bool roce_calendar_before(const struct roce_calendar_entry *a,
				 const struct roce_calendar_entry *b)
{
	return (a->at_ns < b->at_ns) | ((a->at_ns == b->at_ns) & (a->order < b->order));
}

/* The first of four. */
static unsigned int roce_calendar_first_of(const struct roce_calendar_entry *entry)
{
	unsigned int a = roce_calendar_before(&entry[1], &entry[0]);
	unsigned int b = 2 + roce_calendar_before(&entry[3], &entry[2]);
	unsigned int other = roce_calendar_before(&entry[b], &entry[a]);

	return a + other * (b - a);
}

static void roce_calendar_put(struct roce_calendar *cal, unsigned int i,
			      struct roce_calendar_entry entry)
{
	cal->heap[i] = entry;
	cal->place[roce_calendar_slot(&entry)] = i + 1;
}

/* [i] is free: @entry goes there or towards the first. */
static void roce_calendar_up(struct roce_calendar *cal, unsigned int i,
			     struct roce_calendar_entry entry)
{
	unsigned int before;

	for (; i; i = before) {
		before = (i - 1) / BRANCHES;
		if (!roce_calendar_before(&entry, &cal->heap[before]))
			break;
		roce_calendar_put(cal, i, cal->heap[before]);
	}
	roce_calendar_put(cal, i, entry);
}

/* [i] is free: @entry goes there or away from the first. */
static void roce_calendar_down(struct roce_calendar *cal, unsigned int i,
			       struct roce_calendar_entry entry)
{
	unsigned int next;

	while ((next = BRANCHES * i + 1) < cal->nr) {
		next += roce_calendar_first_of(&cal->heap[next]);
		if (!roce_calendar_before(&cal->heap[next], &entry))
			break;
		roce_calendar_put(cal, i, cal->heap[next]);
		i = next;
	}
	roce_calendar_put(cal, i, entry);
}

/* [i] is free: @entry goes to its place. */
static void roce_calendar_move_to_place(struct roce_calendar *cal, unsigned int i,
					struct roce_calendar_entry entry)
{
	if (i && roce_calendar_before(&entry, &cal->heap[(i - 1) / BRANCHES]))
		roce_calendar_up(cal, i, entry);
	else
		roce_calendar_down(cal, i, entry);
}

/**
 * roce_calendar_init - an empty calendar
 * @cal: calendar
 * @slots: for slots below this, at most %ROCE_CALENDAR_SLOTS
 *
 * Context: may sleep.
 * Return: 0, -ENOSPC or -ENOMEM.
 */
int roce_calendar_init(struct roce_calendar *cal, unsigned int slots)
{
	if (slots > ROCE_CALENDAR_SLOTS)
		return -ENOSPC;
	cal->heap = kvmalloc_array(slots + BRANCHES, sizeof(*cal->heap), GFP_KERNEL);
	cal->place = kvcalloc(slots, sizeof(*cal->place), GFP_KERNEL);
	cal->nr = 0;
	cal->slots = slots;
	cal->count = 0;
	if (cal->heap && cal->place) {
		memset(cal->heap, 0xff, (slots + BRANCHES) * sizeof(*cal->heap));
		return 0;
	}
	roce_calendar_free(cal);
	return -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_init);

/**
 * roce_calendar_free - free a calendar's memory
 * @cal: calendar, not used any more
 */
void roce_calendar_free(struct roce_calendar *cal)
{
	kvfree(cal->heap);
	kvfree(cal->place);
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_free);

/**
 * roce_calendar_move - make room for more slots
 * @cal: calendar
 * @larger: empty, for more slots; gets the memory that @cal had, to be freed
 */
void roce_calendar_move(struct roce_calendar *cal, struct roce_calendar *larger)
{
	memcpy(larger->heap, cal->heap, cal->nr * sizeof(*cal->heap));
	memcpy(larger->place, cal->place, cal->slots * sizeof(*cal->place));
	larger->nr = cal->nr;
	larger->count = cal->count;
	swap(*cal, *larger);
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_move);

/**
 * roce_calendar_set - a port's next event is at this time
 * @cal: calendar
 * @slot: the port's
 * @at_ns: when. If that is when it was set to before, it keeps its place.
 *
 * Return: it was set anew, and is the first of all.
 */
bool roce_calendar_set(struct roce_calendar *cal, u32 slot, u64 at_ns)
{
	struct roce_calendar_entry entry = { .at_ns = at_ns };
	u32 place = cal->place[slot];

	if (place && cal->heap[place - 1].at_ns == at_ns)
		return false;
	entry.order = ++cal->count * ROCE_CALENDAR_SLOTS + slot;
	if (place)
		roce_calendar_move_to_place(cal, place - 1, entry);
	else
		roce_calendar_up(cal, cal->nr++, entry);
	return cal->place[slot] == 1;
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_set);

/**
 * roce_calendar_cancel - a port has no next event
 * @cal: calendar
 * @slot: the port's
 *
 * Return: it had one.
 */
bool roce_calendar_cancel(struct roce_calendar *cal, u32 slot)
{
	struct roce_calendar_entry last;
	u32 place = cal->place[slot];

	if (!place)
		return false;
	cal->place[slot] = 0;
	last = cal->heap[--cal->nr];
	memset(&cal->heap[cal->nr], 0xff, sizeof(last));
	if (place <= cal->nr)
		roce_calendar_move_to_place(cal, place - 1, last);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_cancel);
