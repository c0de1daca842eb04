// SPDX-License-Identifier: GPL-2.0
/*
 * What a packet costs in the core under each registered algorithm: at its sender, before
 * and after it is handed down; what its ACK costs there; and what it costs at its receiver,
 * with the ACK's TLVs. All of the core is in it, and the algorithm; the transport is not.
 * Prints, and asserts nothing: machines differ. The blocks of the calls and of an empty
 * loop come in turn, so that what the machine does besides hits all alike. In virtual time
 * nothing takes time; see Documentation/devel/testing.md for real time.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>

#include "cc_test.h"
#include "core_fixture.h"

#define PATH_BLOCK	200
#define PATH_BLOCKS	500
#define PATH_HOPS	2
#define PATH_LINE_BPS	800000000000ULL

enum path_part {
	PATH_LOOP,
	PATH_SEND,
	PATH_ACK,
	PATH_RECEIVE,
	PATH_PARTS,
};

/**
 * struct path_rig - a queue pair that sends and receives
 * @core: port and queue pair
 * @hops: telemetry of a packet, as received
 * @psn: next packet that it sends
 * @rx_psn: next packet that it receives
 * @ts_ns: time in the next telemetry
 * @ns: time that each block took
 */
struct path_rig {
	struct core_rig *core;
	u8 hops[PATH_HOPS * RXE_CC_INT_HPCC_BYTES];
	u32 psn;
	u32 rx_psn;
	u64 ts_ns;
	u64 ns[PATH_PARTS][PATH_BLOCKS];
};

static void path_send(struct path_rig *p)
{
	struct rxe_cc_qp *qp = p->core->h.qp;
	const struct rxe_cc_next next = {
		.psn = p->psn, .side = RXE_CC_REQUESTER, .kind = RXE_CC_PKT_DATA,
		.payload = true,
	};
	struct rxe_cc_sent sent = {
		.psn = p->psn, .next_psn = (p->psn + 1) & RXE_CC_PSN_MASK,
		.unsent_psn = (p->psn + 1) & RXE_CC_PSN_MASK,
		.wire_bytes = RIG_PKT_BYTES, .kind = RXE_CC_PKT_DATA,
	};
	struct rxe_cc_tx tx;

	rxe_cc_tx_next(qp, &next, &tx);
	if (tx.measure)
		sent.handed_ns = ktime_get_ns();
	sent.ack = tx.ack;
	sent.int_md = tx.int_md;
	rxe_cc_tx_sent(qp, &sent);
	p->psn = sent.next_psn;
}

/* An ACK for all that is out, with telemetry where that was asked for. */
static void path_ack(struct path_rig *p)
{
	core_rig_ack(p->core, p->psn - 1);
}

static void path_receive(struct path_rig *p)
{
	bool telemetry = p->core->h.int_tx != RXE_CC_INT_TX_NONE;
	const struct rxe_cc_rx rx = {
		.psn = p->rx_psn, .wire_bytes = RIG_PKT_BYTES, .kind = RXE_CC_DATA_WRITE,
		.arrived_ns = ktime_get_ns(), .hops = telemetry ? p->hops : NULL,
		.nr_hops = telemetry ? PATH_HOPS : 0, .ack = true,
	};
	struct rxe_cc_tx_fb fb;

	rxe_cc_rx_data(p->core->h.qp, &rx);
	rxe_cc_tx_feedback(p->core->h.qp, &fb);
	p->rx_psn = (p->rx_psn + 1) & RXE_CC_PSN_MASK;
}

/* What the test does between two packets: nothing that it sent holds the next one back. */
static void path_between(struct path_rig *p)
{
	struct rxe_cc_pacer *pacer = &p->core->h.qp->pacer;

	pacer->debt_nbit = 0;
	pacer->since_ns = ktime_get_ns();
	p->ts_ns += 1000;
	core_rig_hops(p->hops, PATH_HOPS, p->ts_ns);
	if (p->core->h.int_tx != RXE_CC_INT_TX_NONE)
		core_rig_tlv_hops(p->core, PATH_HOPS, p->ts_ns);
}

static void path_round(struct path_rig *p, unsigned int block)
{
	u64 at[PATH_PARTS + 1];
	unsigned int i, part;

	for (i = 0; i < PATH_BLOCK; i++) {
		path_between(p);
		at[PATH_LOOP] = ktime_get_ns();
		at[PATH_SEND] = ktime_get_ns();
		path_send(p);
		at[PATH_ACK] = ktime_get_ns();
		path_ack(p);
		at[PATH_RECEIVE] = ktime_get_ns();
		path_receive(p);
		at[PATH_PARTS] = ktime_get_ns();
		for (part = 0; part < PATH_PARTS; part++)
			p->ns[part][block] += at[part + 1] - at[part];
	}
}

static int path_cmp(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Median over the blocks, in tenths of a ns a packet. */
static u64 path_median(struct path_rig *p, enum path_part part)
{
	sort(p->ns[part], PATH_BLOCKS, sizeof(u64), path_cmp, NULL);
	return p->ns[part][PATH_BLOCKS / 2] * 10 / PATH_BLOCK;
}

static void cost__path(struct kunit *test)
{
	struct path_rig *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	const struct rxe_cc_ops *ops = test->param_value;
	u64 ns[PATH_PARTS];
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->core = core_rig_new(test, 0, 0);
	p->ts_ns = 1000000;
	core_rig_knob(test, p->core, RXE_CC_KNOB_LINE_RATE, PATH_LINE_BPS);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&p->core->ph, ops, NULL));
	for (i = 0; i < PATH_BLOCKS; i++) {
		path_round(p, i);
		cond_resched();
	}
	for (i = 0; i < PATH_PARTS; i++)
		ns[i] = path_median(p, i);
	if (!ns[PATH_SEND]) {
		kunit_info(test, "%s: no time passes here", ops->name);
		return;
	}
	for (i = PATH_SEND; i < PATH_PARTS; i++)
		ns[i] -= min(ns[i], ns[PATH_LOOP]);
	kunit_info(test,
		   "%s: sender %llu ns, its ACK %llu ns, receiver and answer %llu ns (medians of %d blocks of %d; a reading of the clock, %llu ns, taken off)",
		   ops->name, ns[PATH_SEND] / 10, ns[PATH_ACK] / 10,
		   ns[PATH_RECEIVE] / 10, PATH_BLOCKS, PATH_BLOCK, ns[PATH_LOOP] / 10);
}

static struct kunit_case path_cost_cases[] = {
	KUNIT_CASE_PARAM_ATTR(cost__path, cc_test_algo_gen, { .speed = KUNIT_SPEED_SLOW }),
	{}
};

static struct kunit_suite path_cost_suite = {
	.name = "rxe_cc_path_cost",
	.test_cases = path_cost_cases,
};

kunit_test_suite(path_cost_suite);
