// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC++ against the table of an independent floating-point model (gen_hpccpp.c),
 * variant by variant: rates, U, and the number of updates and commits.
 */
#include "hpcc_vector_rows.h"
#include "hpccpp_events.h"
#include "hpccpp_vectors.h"

static const struct hpccpp_table {
	const struct hpccpp_ev_conf *c;
	const struct hpcc_row *row;
} hpccpp_tables[] = {
	{ &hpccpp_ev_confs[0], hpccpp_switch_100g },
	{ &hpccpp_ev_confs[1], hpccpp_sparse_100g },
	{ &hpccpp_ev_confs[2], hpccpp_rx_100g },
	{ &hpccpp_ev_confs[3], hpccpp_rx_10g },
	{ &hpccpp_ev_confs[4], hpccpp_n_25g },
	{ &hpccpp_ev_confs[5], hpccpp_mixed_400g },
};

static void hpccpp_table_desc(const struct hpccpp_table *t, char *desc)
{
	strscpy(desc, t->c->c.name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(hpccpp_table, hpccpp_tables, hpccpp_table_desc);

/**
 * struct model_rig - both ends of a flow
 * @ops: hpccpp
 * @params: of both
 * @tx: sender
 * @rx: receiver; only with HPCCPP_EV_RX
 * @tally: comparison
 * @verdicts: how often which
 * @source: of events
 * @e: the last one
 */
struct model_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_flow tx;
	struct rxe_cc_flow rx;
	struct hpcc_tally tally;
	u32 verdicts[RXE_CC_NR_TELEMETRY];
	struct hpccpp_ev_source source;
	struct hpccpp_ev e;
};

static void model_flow(struct kunit *test, struct model_rig *rig,
		       struct rxe_cc_flow *flow, const struct hpcc_ev_conf *c)
{
	*flow = (struct rxe_cc_flow) {
		.rate_bps = c->line_bps, .line_rate_bps = c->line_bps,
		.min_rate_bps = c->min_bps, .base_rtt_ns = c->t_ns,
		.pkt_bytes = 1106, .cwnd_bytes = RXE_CC_NO_WINDOW,
		.timer_ns = RXE_CC_NO_TIMER, .params = rig->params,
		.peer_obeys = true,
	};
	cc_test_flow_own(test, flow, rig->ops);
	rig->ops->init(flow, 1000);
}

static struct model_rig *model_new(struct kunit *test,
				   const struct hpccpp_table *t)
{
	const struct hpcc_ev_conf *c = &t->c->c;
	const struct {
		const char *name;
		u64 value;
	} set[] = {
		{ "eta", RXE_CC_Q24(c->eta_num, c->eta_den) },
		{ "max_stage", c->max_stage }, { "n", c->n },
		{ "ai_rate", c->ai_bps }, { "fast_react", c->fast },
		{ "rx", t->c->kind == HPCCPP_EV_RX },
		{ "n_auto", t->c->kind == HPCCPP_EV_N ||
			    t->c->kind == HPCCPP_EV_MIXED },
	};
	struct model_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, "hpccpp");
	cc_test_defaults(rig->ops, rig->params);
	for (i = 0; i < ARRAY_SIZE(set); i++)
		cc_test_param(test, rig->ops, rig->params, set[i].name,
			      set[i].value);
	rig->tally.row = t->row;
	model_flow(test, rig, &rig->tx, c);
	model_flow(test, rig, &rig->rx, c);
	return rig;
}

static void model_ack(struct kunit *test, struct model_rig *rig,
		      const struct rxe_cc_sample *s)
{
	struct rxe_hpcc *h = rig->tx.priv;
	u64 before = h->update;

	rig->ops->on_ack(&rig->tx, s);
	rig->verdicts[rig->tx.telemetry]++;
	if (rig->tx.telemetry == RXE_CC_TELEMETRY_USED) {
		rig->tally.used++;
		rig->tally.commits += h->update != before;
	}
	hpcc_tally(test, &rig->tally, rig->tx.rate_bps, h->u_q36);
}

/* What a window stands for, once more: W / T within floor and line rate. */
static u64 model_told_bps(const struct rxe_cc_flow *f, u64 bytes)
{
	u64 bps = rxe_cc_div_round(bytes * RXE_CC_BIT_NS_PER_BYTE,
				   f->base_rtt_ns);

	return clamp(bps, f->min_rate_bps, f->line_rate_bps);
}

/* The receiver by the rows; what it tells is its rate to the byte, and the sender
 * does that.
 */
static void model_data(struct kunit *test, struct model_rig *rig,
		       const struct rxe_cc_sample *s)
{
	struct rxe_hpcc *h = rig->rx.rx_priv;
	struct rxe_cc_sample told = {
		.now_ns = s->now_ns, .seq = s->seq, .next_seq = s->next_seq,
	};
	u64 rate_bps, u_q36;
	u32 flags;

	flags = rig->ops->on_data(&rig->rx, s);
	KUNIT_ASSERT_FALSE(test, rig->rx.report.always);
	rig->verdicts[rig->rx.telemetry]++;
	rig->tally.used += rig->rx.telemetry == RXE_CC_TELEMETRY_USED;
	rate_bps = (h->rc_q16 + BIT(15)) >> RXE_HPCC_RATE_SHIFT;
	u_q36 = h->u_q36;
	if (flags & RXE_CC_RX_REPORT) {
		rig->tally.commits++;
		memcpy(told.fb, rig->rx.report.fb, sizeof(told.fb));
		told.nr_fb = rig->rx.report.nr;
		KUNIT_ASSERT_EQ(test, told.fb[0],
				rxe_hpcc_window(h->rc_q16, rig->rx.base_rtt_ns));
		rig->ops->on_ack(&rig->tx, &told);
		KUNIT_ASSERT_LE(test, off_by(rig->tx.rate_bps,
					     model_told_bps(&rig->tx,
							    told.fb[0])),
				1ULL);
	}
	hpcc_tally(test, &rig->tally, rate_bps, u_q36);
}

static void hpccpp__model(struct kunit *test)
{
	const struct hpccpp_table *t = test->param_value;
	struct model_rig *rig = model_new(test, t);
	bool rx = t->c->kind == HPCCPP_EV_RX;
	struct hpcc_ev *e = &rig->e.e;
	unsigned int i;

	hpccpp_ev_start(&rig->source, t->c);
	for (i = 0; i < HPCC_EV_NR; i++) {
		struct rxe_cc_sample s = {};

		hpccpp_ev_next(&rig->source, &rig->e);
		s.now_ns = e->now_ns;
		s.hops = e->nr ? e->hop : NULL;
		s.nr_hops = e->nr;
		s.seq = e->seq;
		s.next_seq = e->next_seq;
		s.fb[0] = rig->e.window_bytes;
		s.fb[1] = rig->e.senders;
		s.fb[2] = rig->e.window_t_ns;
		s.nr_fb = 3;
		s.partial = rig->e.partial;
		rig->tx.base_rtt_ns = e->t_ns;
		rig->rx.base_rtt_ns = e->t_ns;
		if (rx)
			model_data(test, rig, &s);
		else
			model_ack(test, rig, &s);
	}
	hpcc_tally_print(test, &rig->tally);
	/* Sparse telemetry: a commit each, none left out. */
	if (t->c->kind == HPCCPP_EV_SPARSE)
		KUNIT_EXPECT_EQ(test, rig->tally.commits, rig->tally.used);
	/* Every way to be of no use has been met; between two that bring telemetry a
	 * sparse flow's ports never stand still.
	 */
	for (i = RXE_CC_TELEMETRY_USED; i < RXE_CC_NR_TELEMETRY; i++) {
		if (i == RXE_CC_TELEMETRY_SAME &&
		    t->c->kind == HPCCPP_EV_SPARSE)
			continue;
		KUNIT_EXPECT_NE_MSG(test, rig->verdicts[i], 0U, "verdict %u", i);
	}
}

static struct kunit_case hpccpp_model_cases[] = {
	KUNIT_CASE_PARAM(hpccpp__model, hpccpp_table_gen_params),
	{}
};

static struct kunit_suite hpccpp_model_suite = {
	.name = "rxe_cc_hpccpp_model",
	.test_cases = hpccpp_model_cases,
};

kunit_test_suite(hpccpp_model_suite);
