// SPDX-License-Identifier: GPL-2.0
/* Which of many ports has the next event, see roce_calendar.h. */
#include <kunit/visibility.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "roce_calendar.h"

static bool roce_calendar_less(const void *lhs, const void *rhs, void *place)
{
	const struct roce_calendar_entry *a = lhs, *b = rhs;

	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

/* They change places, and so what is known of their places. */
static void roce_calendar_swap(void *lhs, void *rhs, void *args)
{
	struct roce_calendar_entry *a = lhs, *b = rhs;
	u32 *place = args;

	swap(place[a->slot], place[b->slot]);
	swap(*a, *b);
}

static const struct min_heap_callbacks roce_calendar_ops = {
	.less = roce_calendar_less,
	.swp = roce_calendar_swap,
};

/**
 * roce_calendar_init - an empty calendar
 * @cal: calendar
 * @slots: for slots below this
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int roce_calendar_init(struct roce_calendar *cal, unsigned int slots)
{
	struct roce_calendar_entry *data = kvmalloc_array(slots, sizeof(*data), GFP_KERNEL);

	cal->place = kvcalloc(slots, sizeof(*cal->place), GFP_KERNEL);
	cal->order = 0;
	min_heap_init(&cal->heap, data, slots);
	if (data && cal->place)
		return 0;
	kvfree(data);
	kvfree(cal->place);
	return -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_init);

/**
 * roce_calendar_free - free a calendar's memory
 * @cal: calendar, not used any more
 */
void roce_calendar_free(struct roce_calendar *cal)
{
	kvfree(cal->heap.data);
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
	memcpy(larger->heap.data, cal->heap.data, cal->heap.nr * sizeof(*cal->heap.data));
	memcpy(larger->place, cal->place, cal->heap.size * sizeof(*cal->place));
	larger->heap.nr = cal->heap.nr;
	larger->order = cal->order;
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
	struct roce_calendar_entry entry = { .at_ns = at_ns, .slot = slot };
	u32 place = cal->place[slot];

	if (place && cal->heap.data[place - 1].at_ns == at_ns)
		return false;
	entry.order = ++cal->order;
	if (!place) {
		cal->place[slot] = cal->heap.nr + 1;
		min_heap_push(&cal->heap, &entry, &roce_calendar_ops, cal->place);
	} else {
		cal->heap.data[place - 1] = entry;
		min_heap_sift_up(&cal->heap, place - 1, &roce_calendar_ops, cal->place);
		place = cal->place[slot];
		min_heap_sift_down(&cal->heap, place - 1, &roce_calendar_ops, cal->place);
	}
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
	u32 place = cal->place[slot];

	if (!place)
		return false;
	min_heap_del(&cal->heap, place - 1, &roce_calendar_ops, cal->place);
	cal->place[slot] = 0;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(roce_calendar_cancel);
