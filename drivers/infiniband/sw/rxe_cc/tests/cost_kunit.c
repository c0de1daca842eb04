// SPDX-License-Identifier: GPL-2.0
/*
 * What an ACK costs in each registered algorithm: on_ack with telemetry of two
 * hops, a million times; and what a data packet costs receivers that look at
 * each. Prints, and asserts nothing: machines differ. In virtual
 * time nothing takes time; see Documentation/testing.md for real time.
 */
#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <rxe_cc/cc.h>

#include "cc_test.h"

#define COST_HOPS	2
#define COST_BLOCK	1000
#define COST_BLOCKS	1000
#define COST_LINE_BPS	100000000000ULL
#define COST_PKT_BYTES	1106
#define COST_PKT_NS	90	/* 98 % of the line */

/**
 * struct cost_rig - a flow on a busy path
 * @ops: algorithm
 * @data: on_data is called, not on_ack
 * @flow: the flow
 * @params: defaults
 * @s: next ACK
 * @hop: its telemetry
 * @block_ns: time that each block took
 */
struct cost_rig {
	const struct rxe_cc_ops *ops;
	bool data;
	struct rxe_cc_flow flow;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_sample s;
	struct rxe_cc_int_hop hop[COST_HOPS];
	u64 block_ns[COST_BLOCKS];
};

static void cost_start(struct kunit *test, struct cost_rig *rig)
{
	struct rxe_cc_flow *f = &rig->flow;
	unsigned int i;

	*f = (struct rxe_cc_flow) {
		.rate_bps = COST_LINE_BPS, .line_rate_bps = COST_LINE_BPS,
		.min_rate_bps = 1000000, .base_rtt_ns = 12000,
		.min_rtt_ns = 12000, .srtt_ns = 13000,
		.pkt_bytes = COST_PKT_BYTES, .cwnd_bytes = RXE_CC_NO_WINDOW,
		.timer_ns = RXE_CC_NO_TIMER, .params = rig->params,
	};
	if (rig->ops->port_priv_size)
		f->port_priv = kunit_kzalloc(test, rig->ops->port_priv_size,
					     GFP_KERNEL);
	for (i = 0; i < COST_HOPS; i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.rate_bps = COST_LINE_BPS, .node = i,
		};
	rig->s = (struct rxe_cc_sample) {
		.now_ns = 1000000, .bytes = COST_PKT_BYTES,
		.rtt_ns = 13000, .hops = rig->hop, .nr_hops = COST_HOPS,
		.next_seq = 140, .inflight_bytes = 140 * COST_PKT_BYTES,
	};
	rig->ops->init(f, rig->s.now_ns);
}

/* The next ACK; queues come and go. */
static void cost_next(struct cost_rig *rig, unsigned int n)
{
	unsigned int i;

	rig->s.now_ns += COST_PKT_NS;
	rig->s.seq = rig->s.seq + 1;
	rig->s.next_seq = rig->s.next_seq + 1;
	for (i = 0; i < COST_HOPS; i++) {
		rig->hop[i].ts_ns += COST_PKT_NS;
		rig->hop[i].tx_bytes += COST_PKT_BYTES;
		rig->hop[i].qlen_bytes = n & 256 ? (n & 15) * COST_PKT_BYTES : 0;
	}
}

static u64 cost_block(struct cost_rig *rig, bool call)
{
	u64 start_ns = ktime_get_ns();
	unsigned int n;

	for (n = 0; n < COST_BLOCK; n++) {
		cost_next(rig, n);
		barrier();
		if (!call)
			continue;
		if (rig->data)
			rig->ops->on_data(&rig->flow, &rig->s);
		else
			rig->ops->on_ack(&rig->flow, &rig->s);
	}
	return ktime_get_ns() - start_ns;
}

static int cost_cmp(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Median over the blocks, in hundredths of a ns an event. */
static u64 cost_median(struct cost_rig *rig, bool call)
{
	unsigned int i;

	for (i = 0; i < COST_BLOCKS; i++) {
		preempt_disable();
		rig->block_ns[i] = cost_block(rig, call);
		preempt_enable();
		cond_resched();
	}
	sort(rig->block_ns, COST_BLOCKS, sizeof(u64), cost_cmp, NULL);
	return rig->block_ns[COST_BLOCKS / 2] / (COST_BLOCK / 100);
}

static void cost_print(struct kunit *test, struct cost_rig *rig,
		       const char *what)
{
	u64 loop, all;

	cost_start(test, rig);
	KUNIT_ASSERT_TRUE(test, !rig->ops->port_priv_size || rig->flow.port_priv);
	loop = cost_median(rig, false);
	all = cost_median(rig, true);
	if (!all) {
		kunit_info(test, "%s: no time passes here", rig->ops->name);
		return;
	}
	kunit_info(test, "%s: %llu.%02llu ns %s (median of %d blocks of %d; loop of %llu.%02llu ns taken off)",
		   rig->ops->name, (all - loop) / 100, (all - loop) % 100, what,
		   COST_BLOCKS, COST_BLOCK, loop / 100, loop % 100);
}

static void cost__ack(struct kunit *test)
{
	struct cost_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = test->param_value;
	if (!rig->ops->on_ack)
		kunit_skip(test, "it does not look at ACKs");
	cc_test_defaults(rig->ops, rig->params);
	cost_print(test, rig, "an ACK");
}

/* Receivers that look at every packet, by preset. */
static const struct cost_data {
	const char *algo;
	const char *preset;
} cost_data[] = {
	{ "hpccpp", "draft" },
	{ "hpccpp", "rx" },
	{ "hpccpp", "fair" },
};

KUNIT_ARRAY_PARAM_DESC(cost_data, cost_data, preset);

static void cost__data(struct kunit *test)
{
	struct cost_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	const struct cost_data *d = test->param_value;
	char what[32];
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, d->algo);
	rig->data = true;
	for (i = 0; strcmp(rig->ops->presets[i].name, d->preset); i++)
		KUNIT_ASSERT_LT(test, i + 1, rig->ops->nr_presets);
	memcpy(rig->params, rig->ops->presets[i].values,
	       rig->ops->nr_params * sizeof(u64));
	snprintf(what, sizeof(what), "a data packet, %s", d->preset);
	cost_print(test, rig, what);
}

static struct kunit_case cost_cases[] = {
	KUNIT_CASE_PARAM(cost__ack, cc_test_algo_gen),
	KUNIT_CASE_PARAM(cost__data, cost_data_gen_params),
	{}
};

static struct kunit_suite cost_suite = {
	.name = "rxe_cc_cost",
	.test_cases = cost_cases,
};

kunit_test_suite(cost_suite);
