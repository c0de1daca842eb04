/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Row type of the tables of HPCC's floating-point models (such as hpcc_vectors.h), and
 * comparison of a flow with a row.
 */
#ifndef _RXE_CC_HPCC_VECTOR_ROWS_H
#define _RXE_CC_HPCC_VECTOR_ROWS_H

#include "hpcc_events.h"
#include "hpcc_test.h"

/*
 * 0.1 % is asked for. A single rate of a row's 128 that is so far off moves
 * their sum by 0.001 / 128 where the rates of the row are alike. So sums are held
 * to a tenth of that, and rates to the same: 780 ppb.
 */
#define MAX_RATE_PPB	780
/* Each average is rounded towards the old value: U may lag by T / tau steps. */
#define MAX_U_STEPS	10000

/**
 * struct hpcc_row - what a model says after HPCC_EV_ROW more events
 * @rate_16th: rate, sixteenths of a bit/s
 * @sum_bps: sum of the rates after each of the events
 * @u_q32: U
 * @used: how often telemetry was used since the start
 * @commits: how often the reference was committed
 */
struct hpcc_row {
	u64 rate_16th, sum_bps, u_q32;
	u32 used, commits;
};

/**
 * struct hpcc_tally - a flow's behaviour beside the rows
 * @row: of the table
 * @events: so far
 * @used: as in &struct hpcc_row
 * @commits: as there
 * @sum_bps: as there
 * @worst_rate: largest error of a rate, ppb
 * @worst_sum: of a sum, ppb
 * @worst_u: of U, 2^-36
 */
struct hpcc_tally {
	const struct hpcc_row *row;
	u32 events, used, commits;
	u64 sum_bps, worst_rate, worst_sum, worst_u;
};

static inline u64 hpcc_ppb(u64 got, u64 want)
{
	return rxe_cc_muldiv_up(off_by(got, want), NSEC_PER_SEC, want);
}

/* After each event; compares at the end of each row. */
static inline void hpcc_tally(struct kunit *test, struct hpcc_tally *t,
			      u64 rate_bps, u64 u_q36)
{
	const struct hpcc_row *row = t->row;

	t->sum_bps += rate_bps;
	if (++t->events % HPCC_EV_ROW)
		return;
	t->worst_rate = max(t->worst_rate, hpcc_ppb(rate_bps * 16,
						    row->rate_16th));
	t->worst_sum = max(t->worst_sum, hpcc_ppb(t->sum_bps, row->sum_bps));
	t->worst_u = max(t->worst_u, off_by(u_q36, row->u_q32 << 4));
	KUNIT_ASSERT_EQ_MSG(test, t->used, row->used, "event %u", t->events);
	KUNIT_ASSERT_EQ_MSG(test, t->commits, row->commits, "event %u",
			    t->events);
	KUNIT_ASSERT_LE_MSG(test, t->worst_rate, (u64)MAX_RATE_PPB,
			    "event %u: %llu bit/s, expected %llu", t->events,
			    rate_bps, row->rate_16th / 16);
	KUNIT_ASSERT_LE_MSG(test, t->worst_sum, (u64)MAX_RATE_PPB,
			    "event %u: sum %llu, expected %llu", t->events,
			    t->sum_bps, row->sum_bps);
	KUNIT_ASSERT_LE_MSG(test, t->worst_u, (u64)MAX_U_STEPS,
			    "event %u: U %llu, expected %llu in Q36", t->events,
			    u_q36, row->u_q32 << 4);
	t->sum_bps = 0;
	t->row++;
}

static inline void hpcc_tally_print(struct kunit *test,
				    const struct hpcc_tally *t)
{
	kunit_info(test, "%u events, %u used, %u commits; worst error: rate %llu ppb, sum %llu ppb, U %llu x 2^-36",
		   t->events, t->used, t->commits, t->worst_rate, t->worst_sum,
		   t->worst_u);
}

#endif /* _RXE_CC_HPCC_VECTOR_ROWS_H */
