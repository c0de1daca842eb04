// SPDX-License-Identifier: GPL-2.0
/*
 * With what a packet was sent (<rxe_cc/sent_value.h>), against a table of all packets.
 */
#include <kunit/test.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/sent_value.h>

#include "cc_prng.h"

#define SENT_ACKS	25000
#define SENT_MOST	3999	/* in flight */
/* An ACK is for a packet or two. */
#define SENT_PACKETS	(2 * SENT_ACKS + SENT_MOST + 1)

/**
 * struct sent_case - how much is in flight
 * @name: for people
 * @least: packets, when an ACK has come
 * @most: likewise; no more than twice @least where that is a whole row of places
 */
struct sent_case {
	const char *name;
	u32 least;
	u32 most;
};

static const struct sent_case sent_cases[] = {
	{ "one", 1, 1 }, { "few", 1, 31 }, { "hundred", 60, 119 }, { "thousands", 2000, SENT_MOST },
};

KUNIT_ARRAY_PARAM_DESC(sent, sent_cases, name);

/* Some packet was sent with @value not more than a 16th of what is in flight before the first
 * that was sent as @seq was.
 */
static bool sent_near(const u64 *sent, u64 seq, u32 most, u64 value)
{
	u32 back;

	if (sent[seq] == value)
		return true;
	while (seq && sent[seq - 1] == sent[seq])
		seq--;
	for (back = 0; back <= most / RXE_CC_SENT_PARTS && back <= seq; back++)
		if (sent[seq - back] == value)
			return true;
	return false;
}

static void sent_value__model(struct kunit *test)
{
	const struct sent_case *c = test->param_value;
	u64 *sent = kunit_kcalloc(test, SENT_PACKETS, sizeof(*sent), GFP_KERNEL);
	struct rxe_cc_sent_values *v = kunit_kzalloc(test, sizeof(*v), GFP_KERNEL);
	u32 off = c->most < RXE_CC_SENT_PLACES ? 0 : c->most;
	struct cc_test_prng r = { .state = 45 };
	struct rxe_cc_sample s = {};
	u64 value = 1, wrong = 0, next;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_ASSERT_NOT_NULL(test, v);
	for (i = 0; i < SENT_ACKS; i++) {
		s.seq += 1 + cc_test_below(&r, 2);
		/* What goes before the ACK goes with the value as it is. */
		next = s.seq + c->least + cc_test_below(&r, c->most - c->least + 1);
		for (; s.next_seq < next; s.next_seq++)
			sent[s.next_seq] = value;
		wrong += !sent_near(sent, s.seq, off, rxe_cc_sent_value(v, s.seq, value));
		/* Every other ACK changes it; the first does not, as the first sample of a path. */
		value += i % 2;
		rxe_cc_sent_note(v, &s, value);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0ULL);
}

/* Nothing noted: as the caller says. Before all that is kept: the oldest. */
static void sent_value__ends(struct kunit *test)
{
	struct rxe_cc_sent_values v = {};
	struct rxe_cc_sample s = { .seq = 90, .next_seq = 100 };

	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 100, 7), 7ULL);
	rxe_cc_sent_note(&v, &s, 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 3, 7), 1ULL);
	rxe_cc_sent_note(&v, &s, 8);
	/* No packet went with the 8. */
	rxe_cc_sent_note(&v, &s, 2);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 99, 7), 1ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 100, 7), 2ULL);
	KUNIT_EXPECT_EQ(test, (int)v.nr, 2);
	s.next_seq = 101;
	rxe_cc_sent_note(&v, &s, 3);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 100, 7), 2ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, 101, 7), 3ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_sent_value(&v, U64_MAX, 7), 3ULL);
}

static struct kunit_case sent_value_test_cases[] = {
	KUNIT_CASE_PARAM(sent_value__model, sent_gen_params),
	KUNIT_CASE(sent_value__ends),
	{}
};

static struct kunit_suite sent_value_suite = {
	.name = "rxe_cc_sent_value",
	.test_cases = sent_value_test_cases,
};

kunit_test_suite(sent_value_suite);
