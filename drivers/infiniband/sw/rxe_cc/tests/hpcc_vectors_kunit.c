// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC against the table of an independent floating-point model (gen_hpcc.c):
 * rates, U, and the number of updates and commits.
 */
#include "hpcc_configs.h"
#include "hpcc_vector_rows.h"
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
	rig->s.seq = e->seq;
	rig->s.next_seq = e->next_seq;
	rig->ctx.t_ns = e->t_ns;
}

static void hpcc__model(struct kunit *test)
{
	const struct hpcc_table *t = test->param_value;
	const struct hpcc_ev_conf *c = t->c;
	struct hpcc_rig *rig = rig_new(test);
	struct hpcc_ev_source source;
	struct hpcc_tally tally = { .row = t->row };
	u64 eta_q24 = RXE_CC_Q24(c->eta_num, c->eta_den);
	u32 i, verdicts[RXE_CC_NR_TELEMETRY] = {};

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
	for (i = 0; i < HPCC_EV_NR; i++) {
		enum rxe_cc_telemetry verdict;
		u32 before = rig->h.update;

		rig_event(rig, &source);
		verdict = rig_ack(rig);
		verdicts[verdict]++;
		if (verdict == RXE_CC_TELEMETRY_USED) {
			tally.used++;
			/* The next PSN always lies beyond the last update. */
			tally.commits += rig->h.update != before;
		}
		hpcc_expect_consistent(test, rig);
		hpcc_tally(test, &tally, rig->flow.rate_bps, rig_u(rig));
	}
	hpcc_tally_print(test, &tally);
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
