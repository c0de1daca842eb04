/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers of HPCC's suites: a flow under HPCC, its path and its ACKs. */
#ifndef _RXE_CC_HPCC_TEST_H
#define _RXE_CC_HPCC_TEST_H

#include <kunit/test.h>
#include <linux/math64.h>
#include <rxe_cc/hpcc_rp.h>

#include "cc_test.h"

#define GBPS		1000000000ULL
#define T_NS		10000ULL	/* T where it does not matter */
#define NR_HOPS		3
#define U_ONE		BIT_ULL(RXE_HPCC_U_SHIFT)

/**
 * struct hpcc_rig - a flow and the path that it is on
 * @h: state under test
 * @ctx: its parameters
 * @flow: what it writes to
 * @s: next sample
 * @hop: telemetry of @s
 */
struct hpcc_rig {
	struct rxe_hpcc h;
	struct rxe_hpcc_ctx ctx;
	struct rxe_cc_flow flow;
	struct rxe_cc_sample s;
	struct rxe_cc_int_hop hop[RXE_CC_MAX_HOPS + 1];
};

static inline u64 q16(u64 bps)
{
	return bps << RXE_HPCC_RATE_SHIFT;
}

static inline u64 q36(u64 num, u64 den)
{
	return div64_u64(num << RXE_HPCC_U_SHIFT, den);
}

static inline u64 rig_rc(const struct hpcc_rig *rig)
{
	return rig->h.rc_q16;
}

static inline u64 rig_u(const struct hpcc_rig *rig)
{
	return rig->h.u_q36;
}

static inline int rig_stage(const struct hpcc_rig *rig)
{
	return rig->h.inc_stage;
}

/* A flow at 100 Gbit/s over idle ports of that speed; nothing heard yet. */
static inline struct hpcc_rig *rig_new(struct kunit *test)
{
	struct hpcc_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ctx = (struct rxe_hpcc_ctx) {
		.t_ns = T_NS, .line_q16 = q16(100 * GBPS),
		.min_q16 = q16(1000000), .ai_q16 = q16(50000000),
		.eta_q24 = RXE_CC_Q24(95, 100), .max_stage = 5, .fast = true,
	};
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.ts_ns = 5000 + i, .tx_bytes = 1000 * i,
			.rate_bps = 100 * GBPS, .node = 100 + i, .port = i,
		};
	rig->s = (struct rxe_cc_sample) {
		.now_ns = NSEC_PER_SEC, .hops = rig->hop, .nr_hops = NR_HOPS,
		.seq = 10, .next_seq = 60,
	};
	rig->flow.rate_bps = 100 * GBPS;
	rxe_hpcc_init(&rig->h, &rig->ctx);
	return rig;
}

/* Time passes, each port sends at @permille of its speed. */
static inline void rig_pass(struct hpcc_rig *rig, u64 ns, u64 permille)
{
	unsigned int i;

	rig->s.now_ns += ns;
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++) {
		rig->hop[i].ts_ns += ns;
		rig->hop[i].tx_bytes +=
			rxe_cc_bytes_in(rig->hop[i].rate_bps / 1000 * permille,
					ns);
	}
}

static inline enum rxe_cc_telemetry rig_ack(struct hpcc_rig *rig)
{
	rig->flow.base_rtt_ns = rig->ctx.t_ns;
	return rxe_hpcc_ack(&rig->h, &rig->ctx, &rig->flow, &rig->s);
}

/* A round trip passes, and the ACK that ends it comes. */
static inline enum rxe_cc_telemetry rig_round(struct hpcc_rig *rig, u64 permille)
{
	rig_pass(rig, rig->ctx.t_ns, permille);
	rig->s.seq = rig->s.seq + 50;
	rig->s.next_seq = rig->s.seq + 50;
	return rig_ack(rig);
}

/* With the first sample over. */
static inline struct hpcc_rig *rig_started(struct kunit *test)
{
	struct hpcc_rig *rig = rig_new(test);

	KUNIT_ASSERT_EQ(test, rig_ack(rig), RXE_CC_TELEMETRY_FIRST);
	return rig;
}

static inline u64 off_by(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* Is the window what the rate stands for, to the byte? */
static inline void hpcc_expect_consistent(struct kunit *test,
					  const struct hpcc_rig *rig)
{
	u64 w = rxe_cc_bytes_in(rig->flow.rate_bps, rig->ctx.t_ns);

	/* rate_bps is rounded and so is the window: a byte either way. */
	KUNIT_ASSERT_LE_MSG(test, off_by(rig->flow.cwnd_bytes, max(w, 1ULL)),
			    1ULL, "rate %llu", rig->flow.rate_bps);
}

#endif /* _RXE_CC_HPCC_TEST_H */
