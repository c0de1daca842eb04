// SPDX-License-Identifier: GPL-2.0
/*
 * What an ACK costs in each registered algorithm: on_ack with telemetry of two
 * hops, a million times; and what a data packet costs receivers that look at
 * each, and the core for what it counts at the port. Prints, and asserts nothing:
 * machines differ. In virtual time nothing takes time; see Documentation/devel/testing.md for
 * real time.
 */
#include <kunit/test.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <rxe_cc/cc.h>

#include "core/cc_receiver_port.h"
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
 * @call: what is measured
 * @flow: the flow
 * @params: defaults
 * @s: next ACK
 * @hop: its telemetry
 * @rp: the port, as the core counts
 * @peer: a host
 * @ent: queue pairs connected to it
 * @flows: how many of them
 * @msg_pkts: packets of a message
 * @totals: feedback is what has come, and what of it was marked
 * @block_ns: time that each block took
 */
struct cost_rig {
	const struct rxe_cc_ops *ops;
	void (*call)(struct cost_rig *rig);
	struct rxe_cc_flow flow;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_sample s;
	struct rxe_cc_int_hop hop[COST_HOPS];
	struct rxe_cc_rx_port rp;
	struct rxe_cc_rx_peer peer;
	struct rxe_cc_rx_ent *ent;
	u32 flows;
	u32 msg_pkts;
	bool totals;
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
		.peer_obeys = true,
	};
	cc_test_flow_own(test, f, rig->ops);
	if (rig->ops->port_priv_size)
		f->port_priv = kunit_kzalloc(test, rig->ops->port_priv_size,
					     GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, !rig->ops->port_priv_size || f->port_priv);
	if (rig->ops->peer_priv_size)
		f->peer_priv = kunit_kzalloc(test, rig->ops->peer_priv_size,
					     GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, !rig->ops->peer_priv_size || f->peer_priv);
	if (rig->ops->port_init)
		KUNIT_ASSERT_EQ(test, 0, rig->ops->port_init(f->port_priv));
	if (rig->ops->peer_init)
		rig->ops->peer_init(f->peer_priv, f->port_priv);
	for (i = 0; i < COST_HOPS; i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.rate_bps = COST_LINE_BPS, .node = i,
		};
	rig->s = (struct rxe_cc_sample) {
		.now_ns = 1000000, .bytes = COST_PKT_BYTES,
		.rtt_ns = 13000, .hops = rig->hop, .nr_hops = COST_HOPS,
		.next_seq = 140, .inflight_bytes = 140 * COST_PKT_BYTES,
		.kind = RXE_CC_DATA_WRITE, .has_owd = true,
	};
	f->rx = (struct rxe_cc_rx_view) {
		.round_ns = 12000, .base_rtt_ns = 12000, .round_bytes = 75000,
		.msgs = 1, .msgs_all = 1, .senders = 1, .peer_msgs = 1, .peer_counted = 1,
	};
	if (!strcmp(rig->ops->name, "rcc")) {
		rig->s.nr_fb = 2;
		rig->s.fb[0] = 100000;
		rig->s.fb[1] = COST_LINE_BPS / 2;
	}
	rig->totals = !strcmp(rig->ops->name, "dctcp");
	if (rig->totals)
		rig->s.nr_fb = 2;
	if (!strcmp(rig->ops->name, "nscc"))
		rig->s.nr_fb = 1;
	if (!strcmp(rig->ops->name, "dart")) {
		rig->s.nr_fb = 2;
		rig->s.fb[1] = COST_LINE_BPS;
	}
	cc_bh_off_do(rig->ops->init(f, rig->s.now_ns));
}

/* The next ACK; queues come and go. */
static void cost_next(struct cost_rig *rig, unsigned int n)
{
	unsigned int i;

	rig->s.now_ns += COST_PKT_NS;
	rig->s.arrived_ns = rig->s.now_ns;
	rig->s.seq = rig->s.seq + 1;
	rig->s.next_seq = rig->s.next_seq + 1;
	for (i = 0; i < COST_HOPS; i++) {
		rig->hop[i].ts_ns += COST_PKT_NS;
		rig->hop[i].tx_bytes += COST_PKT_BYTES;
		rig->hop[i].qlen_bytes = n & 256 ? (n & 15) * COST_PKT_BYTES : 0;
	}
	/* Congestion, and senders that come and go, for those who hear of it. */
	rig->s.ce = n & 256 && n & 1;
	if (rig->totals) {
		rig->s.fb[0] += COST_PKT_BYTES;
		rig->s.fb[1] += rig->s.ce ? COST_PKT_BYTES : 0;
	}
	if (rig->s.nr_fb == 1)
		rig->s.fb[0] += rig->s.ce ? COST_PKT_BYTES : 0;
	if (rig->s.nr_fb && rig->s.fb[1] == COST_LINE_BPS)
		rig->s.fb[0] = n & 16 ? 3 : 2;
	/* About PID's target, so that windows change once a round trip. */
	rig->s.owd_over_ns = n & 256 ? 2500 : (n & 15) * 160;
}

static u64 cost_block(struct cost_rig *rig, bool call)
{
	u64 start_ns, took_ns;
	unsigned int n;

	/* Softirqs off as in the core, see cc_test.h. */
	local_bh_disable();
	start_ns = ktime_get_ns();
	for (n = 0; n < COST_BLOCK; n++) {
		cost_next(rig, n);
		barrier();
		if (call)
			rig->call(rig);
	}
	took_ns = ktime_get_ns() - start_ns;
	local_bh_enable();
	return took_ns;
}

static void cost_call_ack(struct cost_rig *rig)
{
	rig->ops->on_ack(&rig->flow, &rig->s);
}

static void cost_call_data(struct cost_rig *rig)
{
	rig->ops->on_data(&rig->flow, &rig->s);
}

/* A packet of each flow in turn, as cc_receiver.c has it. */
static void cost_call_rx(struct cost_rig *rig)
{
	u64 now_ns = rig->s.now_ns, n = rig->s.seq / rig->flows;
	struct rxe_cc_rx_ent *ent = &rig->ent[rig->s.seq % rig->flows];

	rxe_cc_rxp_rtt(&rig->rp, 12000, now_ns);
	rxe_cc_rxp_owd(&rig->rp, 5000, now_ns);
	rxe_cc_rxp_packet(&rig->rp, ent, &rig->peer, RXE_CC_DATA_WRITE, COST_PKT_BYTES,
			  n % rig->msg_pkts == rig->msg_pkts - 1, now_ns);
	rxe_cc_rxp_bytes(&rig->rp, COST_PKT_BYTES, now_ns);
	rxe_cc_rxp_view(&rig->rp, &rig->peer, &rig->flow.rx, now_ns);
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

static void cost_print(struct kunit *test, struct cost_rig *rig, const char *who,
		       const char *what)
{
	u64 loop, all;

	loop = cost_median(rig, false);
	all = cost_median(rig, true);
	if (!all) {
		kunit_info(test, "%s: no time passes here", who);
		return;
	}
	kunit_info(test, "%s: %llu.%02llu ns %s (median of %d blocks of %d; loop of %llu.%02llu ns taken off)",
		   who, (all - loop) / 100, (all - loop) % 100, what,
		   COST_BLOCKS, COST_BLOCK, loop / 100, loop % 100);
}

static void cost__ack(struct kunit *test)
{
	struct cost_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = test->param_value;
	if (!rig->ops->on_ack)
		kunit_skip(test, "it does not look at ACKs");
	rig->call = cost_call_ack;
	cc_test_defaults(rig->ops, rig->params);
	cost_start(test, rig);
	cost_print(test, rig, rig->ops->name, "an ACK");
}

/* Receivers that look at every packet, by preset. */
static const struct cost_data {
	const char *algo;
	const char *preset;
} cost_data[] = {
	{ "hpccpp", "draft" },
	{ "hpccpp", "rx" },
	{ "hpccpp", "fair" },
	{ "rcc", "stable" },
	{ "dart", "paper" },
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
	rig->call = cost_call_data;
	for (i = 0; strcmp(rig->ops->presets[i].name, d->preset); i++)
		KUNIT_ASSERT_LT(test, i + 1, rig->ops->nr_presets);
	memcpy(rig->params, rig->ops->presets[i].values,
	       rig->ops->nr_params * sizeof(u64));
	snprintf(what, sizeof(what), "a data packet, %s", d->preset);
	cost_start(test, rig);
	cost_print(test, rig, rig->ops->name, what);
}

/* What a packet costs the core where it counts. */
static const struct cost_rx {
	const char *name;
	u32 flows;
	u32 msg_pkts;
	bool round;
} cost_rx[] = {
	{ "1 flow, long messages, no bytes", 1, 1000000000, false },
	{ "1 flow, long messages", 1, 1000000000, true },
	{ "1000 flows, long messages", 1000, 1000000000, true },
	{ "10000 flows, long messages", 10000, 1000000000, true },
	{ "1 flow, messages of a packet", 1, 1, true },
	{ "1000 flows, messages of a packet", 1000, 1, true },
	{ "1000 flows, messages of two packets", 1000, 2, true },
	{ "10000 flows, messages of two packets", 10000, 2, true },
};

KUNIT_ARRAY_PARAM_DESC(cost_rx, cost_rx, name);

static void cost__rxport(struct kunit *test)
{
	struct cost_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	const struct cost_rx *c = test->param_value;
	const struct rxe_cc_rx_rules rules = { .on = true, .round = c->round, .weigh = true };

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ent = kunit_kcalloc(test, c->flows, sizeof(*rig->ent), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rig->ent);
	rig->flows = c->flows;
	rig->msg_pkts = c->msg_pkts;
	rig->call = cost_call_rx;
	rig->s.now_ns = 1000000;
	rxe_cc_rxp_init(&rig->rp, NULL);
	rig->rp.line_bps = 100000000000ULL;
	rxe_cc_rxp_peer_init(&rig->peer, 1);
	rxe_cc_rxp_set(&rig->rp, &rules, 12000, NSEC_PER_SEC, rig->s.now_ns);
	cost_print(test, rig, "rxport", c->name);
}

static struct kunit_case cost_cases[] = {
	KUNIT_CASE_PARAM_ATTR(cost__ack, cc_test_algo_gen, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(cost__data, cost_data_gen_params, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM_ATTR(cost__rxport, cost_rx_gen_params, { .speed = KUNIT_SPEED_SLOW }),
	{}
};

static struct kunit_suite cost_suite = {
	.name = "rxe_cc_cost",
	.test_cases = cost_cases,
};

kunit_test_suite(cost_suite);
