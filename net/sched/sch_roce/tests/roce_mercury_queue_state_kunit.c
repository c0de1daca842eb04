// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury: its judgement and its windows against a model in user space
 * (gen_mercury.c).
 */
#include <kunit/test.h>

#include "features/mercury/roce_mercury_queue_state.h"
#include "roce_test_packets.h"
#include "roce_mercury_events.h"
#include "roce_mercury_vectors.h"

/* The port's part: a repeated pause is not told, and an end of none is not either. */
static void mercury_apply(struct roce_mercury_state *s,
			  const struct roce_mercury_rule *rule,
			  const struct mercury_event *e)
{
	switch (e->kind) {
	case MERCURY_ARRIVE:
		roce_mercury_arrive(s, e->bytes);
		break;
	case MERCURY_DEPART:
		roce_mercury_dequeue(s, rule, e->queue_bytes, e->now_ns);
		break;
	case MERCURY_PAUSE:
		if (!s->paused)
			roce_mercury_pause(s, e->now_ns);
		break;
	case MERCURY_RESUME:
		if (s->paused)
			roce_mercury_resume(s, rule, e->queue_bytes, e->now_ns);
		break;
	}
}

static void mercury_sequence(struct mercury_row *row, u32 number)
{
	struct roce_mercury_state state = {};
	struct roce_mercury_rule rule;
	struct mercury_sequence s;
	struct mercury_event e;
	bool congested;
	int i;

	mercury_begin(&s, number);
	rule = (struct roce_mercury_rule) {
		.rate_bps = s.rate_bps, .period_ns = s.period_ns,
		.threshold_bytes = s.threshold_bytes,
	};
	for (i = 0; i < MERCURY_EVENTS; i++) {
		e = mercury_next(&s);
		mercury_apply(&state, &rule, &e);
		congested = e.kind == MERCURY_ARRIVE && !state.undetermined &&
			    e.queue_bytes > rule.threshold_bytes;
		row->digest = mercury_digest(row->digest, state.undetermined,
					     congested);
		row->undetermined += state.undetermined;
		row->congested += congested;
	}
}

/* 120 000 sequences of 48 events: the same answers after every one of them. */
static void roce_mercury_state__sequences(struct kunit *test)
{
	int r, i;

	for (r = 0; r < MERCURY_ROWS; r++) {
		struct mercury_row row = { .digest = MERCURY_DIGEST };

		for (i = 0; i < MERCURY_SEQUENCES; i++)
			mercury_sequence(&row, r * MERCURY_SEQUENCES + i);
		KUNIT_EXPECT_EQ_MSG(test, row.digest, mercury_rows[r].digest,
				    "row %d: undetermined %u, want %u; congested %u, want %u",
				    r, row.undetermined,
				    mercury_rows[r].undetermined, row.congested,
				    mercury_rows[r].congested);
	}
}

/* Rounded down twice: less than two bytes below the exact one, and never above it. */
static void roce_mercury_state__windows(struct kunit *test)
{
	const struct mercury_window_row *w = mercury_windows;
	int i;

	for (i = 0; i < MERCURY_WINDOWS; i++, w++) {
		u64 got = roce_mercury_window(w->rate_bps, w->base_rtt_ns,
					      w->flow_bytes, w->queue_bytes);
		u64 most = clamp_t(u64, w->window_bytes, 1, U32_MAX);
		u64 least = w->window_bytes > U32_MAX ? U32_MAX :
			    max_t(u64, w->window_bytes, 2) - 1;

		KUNIT_EXPECT_LE_MSG(test, got, most, "row %d", i);
		KUNIT_EXPECT_GE_MSG(test, got, least, "row %d", i);
	}
}

static struct kunit_case roce_mercury_state_cases[] = {
	KUNIT_CASE(roce_mercury_state__sequences),
	KUNIT_CASE(roce_mercury_state__windows),
	{}
};

static struct kunit_suite roce_mercury_state_suite = {
	.name = "roce_mercury_state",
	.test_cases = roce_mercury_state_cases,
};

kunit_test_suite(roce_mercury_state_suite);
