// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC against the table of an independent floating-point model (gen_hpcc.c):
 * rates, U, and the number of updates and commits.
 */
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

struct hpcc_row {
	u64 rate_16th, sum_bps, u_q32;
	u32 used, commits;
};

#include "hpcc_vectors.h"

static const struct hpcc_table {
	const struct hpcc_ev_conf *c;
	const struct hpcc_row *row;
} hpcc_tables[] = {
	{ &hpcc_ev_confs[0], hpcc_paper_100g },
	{ &hpcc_ev_confs[1], hpcc_ns3_10g },
	{ &hpcc_ev_confs[2], hpcc_slow_100g },
	{ &hpcc_ev_confs[3], hpcc_eta_400g },
	{ &hpcc_ev_confs[4], hpcc_far_25g },
	{ &hpcc_ev_confs[5], hpcc_all_800g },
};

static void hpcc_table_desc(const struct hpcc_table *t, char *desc)
{
	strscpy(desc, t->c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(hpcc_table, hpcc_tables, hpcc_table_desc);

static void rig_event(struct hpcc_rig *rig, struct hpcc_ev_source *source)
{
	struct hpcc_ev event, *e = &event;

	hpcc_ev_next(source, e);
	memcpy(rig->hop, e->hop, sizeof(rig->hop));
	rig->s.now_ns = e->now_ns;
	rig->s.nr_hops = e->nr;
	rig->s.psn = e->seq & RXE_CC_PSN_MASK;
	rig->s.next_psn = e->next_seq & RXE_CC_PSN_MASK;
	rig->ctx.t_ns = e->t_ns;
}

static void hpcc__model(struct kunit *test)
{
	const struct hpcc_table *t = test->param_value;
	const struct hpcc_ev_conf *c = t->c;
	struct hpcc_rig *rig = rig_new(test);
	struct hpcc_ev_source source;
	u64 eta_q24 = RXE_CC_Q24(c->eta_num, c->eta_den), sum = 0;
	u64 worst_rate = 0, worst_sum = 0, worst_u = 0;
	u32 i, used = 0, commits = 0, verdicts[RXE_CC_NR_TELEMETRY] = {};

	rig->ctx = (struct rxe_hpcc_ctx) {
		.t_ns = c->t_ns, .line_q16 = q16(c->line_bps),
		.min_q16 = q16(c->min_bps), .eta_q24 = eta_q24,
		.ai_q16 = c->ai_bps ? q16(c->ai_bps) :
			  rxe_hpcc_ai_q16(c->line_bps, eta_q24, c->n),
		.max_stage = c->max_stage, .fast = c->fast,
	};
	rxe_hpcc_init(&rig->h, &rig->ctx);
	rig->flow.rate_bps = c->line_bps;
	hpcc_ev_start(&source, c);
	for (i = 1; i <= HPCC_EV_NR; i++) {
		const struct hpcc_row *row = &t->row[(i - 1) / HPCC_EV_ROW];
		enum rxe_cc_telemetry verdict;
		u32 before = rig->h.update;
		u64 rate;

		rig_event(rig, &source);
		verdict = rig_ack(rig);
		verdicts[verdict]++;
		if (verdict == RXE_CC_TELEMETRY_USED) {
			used++;
			/* The next PSN always lies beyond the last update. */
			commits += rig->h.update != before;
		}
		hpcc_expect_consistent(test, rig);
		sum += rig->flow.rate_bps;
		if (i % HPCC_EV_ROW)
			continue;
		rate = rig->flow.rate_bps * 16;
		worst_rate = max(worst_rate,
				 rxe_cc_muldiv_up(off_by(rate, row->rate_16th),
						  NSEC_PER_SEC, row->rate_16th));
		worst_sum = max(worst_sum,
				rxe_cc_muldiv_up(off_by(sum, row->sum_bps),
						 NSEC_PER_SEC, row->sum_bps));
		worst_u = max(worst_u, off_by(rig_u(rig), row->u_q32 << 4));
		KUNIT_ASSERT_EQ_MSG(test, used, row->used, "event %u", i);
		KUNIT_ASSERT_EQ_MSG(test, commits, row->commits, "event %u", i);
		KUNIT_ASSERT_LE_MSG(test, worst_rate, (u64)MAX_RATE_PPB,
				    "event %u: %llu bit/s, expected %llu", i,
				    rate / 16, row->rate_16th / 16);
		KUNIT_ASSERT_LE_MSG(test, worst_sum, (u64)MAX_RATE_PPB,
				    "event %u: sum %llu, expected %llu", i, sum,
				    row->sum_bps);
		KUNIT_ASSERT_LE_MSG(test, worst_u, (u64)MAX_U_STEPS,
				    "event %u: U %llu, expected %llu in Q36", i,
				    rig_u(rig), row->u_q32 << 4);
		sum = 0;
	}
	kunit_info(test, "%d events, %u used, %u commits; worst error: rate %llu ppb, sum %llu ppb, U %llu x 2^-36",
		   HPCC_EV_NR, used, commits, worst_rate, worst_sum, worst_u);
	if (!c->fast)
		return;
	/* Every way to be of no use has been met. */
	for (i = RXE_CC_TELEMETRY_USED; i < RXE_CC_NR_TELEMETRY; i++)
		KUNIT_EXPECT_NE_MSG(test, verdicts[i], 0U, "verdict %u", i);
}

static struct kunit_case hpcc_model_cases[] = {
	KUNIT_CASE_PARAM(hpcc__model, hpcc_table_gen_params),
	{}
};

static struct kunit_suite hpcc_model_suite = {
	.name = "rxe_cc_hpcc_model",
	.test_cases = hpcc_model_cases,
};

kunit_test_suite(hpcc_model_suite);
