// SPDX-License-Identifier: GPL-2.0
/*
 * Deflection tokens of in-order flow deflection (IOFD): which packets bear them, which says that
 * it is the first, who waits.
 */
#include "core_fixture.h"

#define TOKENS_SHORT	4096
#define FIRST		RXE_CC_TOKENS_FIRST

static struct core_rig *tokens_new(struct kunit *test, u64 tokens)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS);

	core_rig_knob(test, rig, RXE_CC_KNOB_IOFD_SHORT, TOKENS_SHORT);
	core_rig_knob(test, rig, RXE_CC_KNOB_IOFD_TOKENS, tokens);
	return rig;
}

static bool tokens_go(struct core_rig *rig, u32 bytes)
{
	return core_rig_message(rig->h.qp, RXE_CC_PKT_DATA, bytes);
}

/* The port says whether the transport has to ask at all. */
static void tokens__off(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, RXE_CC_WANT_ACKS);

	KUNIT_EXPECT_FALSE(test, rig->ph.tokens);
	core_rig_knob(test, rig, RXE_CC_KNOB_IOFD_TOKENS, 4);
	KUNIT_EXPECT_TRUE(test, rig->ph.tokens);
	core_rig_knob(test, rig, RXE_CC_KNOB_IOFD_TOKENS, 0);
	KUNIT_EXPECT_FALSE(test, rig->ph.tokens);
}

/* A burst of short messages: one first bit, at its first packet, until all is
 * acknowledged.
 */
static void tokens__burst(struct kunit *test)
{
	struct core_rig *rig = tokens_new(test, 4);

	KUNIT_EXPECT_TRUE(test, tokens_go(rig, TOKENS_SHORT));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
	/* It had to wait for the pacer, and is asked about again. */
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, TOKENS_SHORT));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
	core_rig_send(rig, 0, 1);
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4);
	core_rig_send(rig, 1, 3);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4);
	core_rig_send(rig, 4, 1);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4);
	core_rig_send(rig, 5, 1);
	core_rig_ack(rig, 5);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
	core_rig_send(rig, 6, 1);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "iofd_bursts"), 2ULL);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "iofd_waits"), 0ULL);
}

/* A long message has none, and what is sent behind it neither. */
static void tokens__long_first(struct kunit *test)
{
	struct core_rig *rig = tokens_new(test, 4);

	KUNIT_EXPECT_TRUE(test, tokens_go(rig, TOKENS_SHORT + 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	core_rig_send(rig, 0, 5);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	core_rig_send(rig, 5, 1);
	core_rig_ack(rig, 5);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
}

/* A long message behind short ones waits until they are acknowledged, and no longer. */
static void tokens__long_waits(struct kunit *test)
{
	struct core_rig *rig = tokens_new(test, 7);
	struct rxe_cc_qp *qp = rig->h.qp;

	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	core_rig_send(rig, 0, 2);
	KUNIT_EXPECT_FALSE(test, tokens_go(rig, TOKENS_SHORT + 1));
	KUNIT_EXPECT_TRUE(test, qp->win_waiting);
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 7);
	/* A READ request is short whatever it asks for. */
	KUNIT_EXPECT_TRUE(test, core_rig_message(qp, RXE_CC_PKT_READ_REQ, 1 << 20));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 7);
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_FALSE(test, qp->win_waiting);
	KUNIT_EXPECT_FALSE(test, tokens_go(rig, TOKENS_SHORT + 1));
	core_rig_ack(rig, 1);
	KUNIT_EXPECT_FALSE(test, qp->win_waiting);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, TOKENS_SHORT + 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "iofd_waits"), 2ULL);
}

/* What is sent again belongs to its burst: it does not say that it is the first, for what
 * was sent before it may still arrive.
 */
static void tokens__again(struct kunit *test)
{
	struct core_rig *rig = tokens_new(test, 4);

	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	core_rig_send(rig, 0, 3);
	rxe_cc_retry(rig->h.qp, true);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4);
	core_rig_send(rig, 0, 1);
	core_rig_ack(rig, 0);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4);
	core_rig_send(rig, 1, 2);
	core_rig_ack(rig, 2);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
}

/* Nor is it known to be the first while packets may be out that were sent before the
 * algorithm came: until one is acknowledged that was sent since.
 */
static void tokens__algorithm_came_late(struct kunit *test)
{
	const struct rxe_cc_ops *none = rxe_cc_algo_get("none");
	struct core_rig *rig = tokens_new(test, 4);

	KUNIT_ASSERT_NOT_NULL(test, none);
	core_rig_send(rig, 0, 3);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, none, NULL));
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &rig->ops, NULL));
	module_put(none->owner);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	core_rig_send(rig, 3, 1);
	core_rig_ack(rig, 2);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	core_rig_ack(rig, 3);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 4 | FIRST);
}

/* READs of an idle queue pair bear none: nobody acknowledges their responses to the side
 * that sends them.
 */
static void tokens__reads(struct kunit *test)
{
	struct core_rig *rig = tokens_new(test, 4);

	KUNIT_EXPECT_TRUE(test, core_rig_message(rig->h.qp, RXE_CC_PKT_READ_REQ, 100));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
	core_rig_read(rig, 0, 4);
	KUNIT_EXPECT_TRUE(test, tokens_go(rig, 1));
	KUNIT_EXPECT_EQ(test, rig->h.qp->resv6, 0);
}

static void tokens_init(struct rxe_cc_flow *flow, u64 now_ns)
{
}

static int tokens_register(u8 tokens)
{
	static const struct rxe_cc_param params[] = {
		{ "one", "count", 0, 1, 0, "a parameter" },
	};
	static const u64 values[ARRAY_SIZE(params)];
	const struct rxe_cc_preset presets[] = { { "first", values, "iofd_tokens", tokens } };
	struct rxe_cc_ops ops = {
		.init = tokens_init, .params = params, .nr_params = ARRAY_SIZE(params),
		.presets = presets, .nr_presets = ARRAY_SIZE(presets),
		.name = "tokens", .owner = THIS_MODULE,
	};
	int err = rxe_cc_register(&ops);

	if (!err)
		rxe_cc_unregister(&ops);
	return err;
}

/* What a preset sets the knob to is in the knob's range. */
static void tokens__preset(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, tokens_register(RXE_CC_TOKENS));
	KUNIT_EXPECT_EQ(test, -EINVAL, tokens_register(RXE_CC_TOKENS + 1));
}

static struct kunit_case tokens_cases[] = {
	KUNIT_CASE(tokens__off),
	KUNIT_CASE(tokens__burst),
	KUNIT_CASE(tokens__long_first),
	KUNIT_CASE(tokens__long_waits),
	KUNIT_CASE(tokens__again),
	KUNIT_CASE(tokens__algorithm_came_late),
	KUNIT_CASE(tokens__reads),
	KUNIT_CASE(tokens__preset),
	{}
};

static struct kunit_suite tokens_suite = {
	.name = "rxe_cc_tokens",
	.test_cases = tokens_cases,
};

kunit_test_suite(tokens_suite);
