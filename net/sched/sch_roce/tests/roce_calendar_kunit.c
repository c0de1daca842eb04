// SPDX-License-Identifier: GPL-2.0
/*
 * The calendar of ports against a list that is searched from end to end: random events are set,
 * moved, cancelled and taken, many of them at the same time, while the calendar grows.
 */
#include <kunit/test.h>
#include <linux/prandom.h>

#include "../roce_calendar.h"
#include "../roce_port.h"

#define SLOTS		300
#define STEPS		200000
#define TIMES		50	/* few, so that many are equal */

struct reference {
	u64 at_ns[SLOTS];	/* ROCE_NEVER: none */
	u64 order[SLOTS];
	u64 last;
};

static void reference_set(struct reference *ref, u32 slot, u64 at_ns)
{
	if (ref->at_ns[slot] == at_ns)
		return;
	ref->at_ns[slot] = at_ns;
	ref->order[slot] = ++ref->last;
}

static u32 reference_first(const struct reference *ref)
{
	u32 first = 0, i;

	for (i = 1; i < SLOTS; i++) {
		if (ref->at_ns[i] < ref->at_ns[first] ||
		    (ref->at_ns[i] == ref->at_ns[first] && ref->order[i] < ref->order[first]))
			first = i;
	}
	return first;
}

static void calendar_check(struct kunit *test, const struct roce_calendar *cal,
			   const struct reference *ref)
{
	const struct roce_calendar_entry *first = roce_calendar_first(cal);
	u32 slot = reference_first(ref);

	if (ref->at_ns[slot] == ROCE_NEVER) {
		KUNIT_ASSERT_NULL(test, first);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_EQ(test, roce_calendar_slot(first), slot);
	KUNIT_ASSERT_EQ(test, first->at_ns, ref->at_ns[slot]);
}

static void calendar_grow(struct kunit *test, struct roce_calendar *cal, unsigned int slots)
{
	struct roce_calendar larger;

	KUNIT_ASSERT_EQ(test, roce_calendar_init(&larger, slots), 0);
	roce_calendar_move(cal, &larger);
	roce_calendar_free(&larger);
}

static void roce_calendar__random(struct kunit *test)
{
	struct reference *ref = kunit_kzalloc(test, sizeof(*ref), GFP_KERNEL);
	unsigned int slots = 2, i, slot;
	struct roce_calendar cal;
	struct rnd_state rnd;
	bool had;
	u64 at_ns;

	KUNIT_ASSERT_NOT_NULL(test, ref);
	KUNIT_ASSERT_EQ(test, roce_calendar_init(&cal, slots), 0);
	memset(ref->at_ns, 0xff, sizeof(ref->at_ns));
	prandom_seed_state(&rnd, 1);

	for (i = 0; i < STEPS; i++) {
		if (slots < SLOTS && i % 100 == 0) {
			slots = min(2 * slots, SLOTS);
			calendar_grow(test, &cal, slots);
		}
		slot = prandom_u32_state(&rnd) % slots;
		at_ns = i / 1000 + prandom_u32_state(&rnd) % TIMES;
		had = ref->at_ns[slot] != ROCE_NEVER;
		switch (prandom_u32_state(&rnd) % 4) {
		case 0:
			KUNIT_ASSERT_EQ(test, roce_calendar_cancel(&cal, slot), had);
			ref->at_ns[slot] = ROCE_NEVER;
			break;
		case 1:		/* as if it were its turn */
			slot = reference_first(ref);
			if (ref->at_ns[slot] == ROCE_NEVER)
				break;
			KUNIT_ASSERT_TRUE(test, roce_calendar_cancel(&cal, slot));
			ref->at_ns[slot] = ROCE_NEVER;
			break;
		default:
			had = ref->at_ns[slot] == at_ns;
			reference_set(ref, slot, at_ns);
			KUNIT_ASSERT_EQ(test, roce_calendar_set(&cal, slot, at_ns),
					!had && reference_first(ref) == slot);
		}
		calendar_check(test, &cal, ref);
	}
	roce_calendar_free(&cal);
}

static struct kunit_case roce_calendar_cases[] = {
	KUNIT_CASE(roce_calendar__random),
	{}
};

static struct kunit_suite roce_calendar_suite = {
	.name = "roce_calendar",
	.test_cases = roce_calendar_cases,
};

kunit_test_suite(roce_calendar_suite);
