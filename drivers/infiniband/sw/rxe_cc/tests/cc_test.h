/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the KUnit suites of rxe_cc. */
#ifndef _RXE_CC_TEST_H
#define _RXE_CC_TEST_H

#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/string.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>

#include "cc_prng.h"
#include "core/cc_flow_update.h"

/* For KUNIT_CASE_PARAM: one run for each registered algorithm. */
#ifdef RXE_CC_HAS_KUNIT_PARAMS_OF_TEST
static inline const void *cc_test_algo_gen(struct kunit *test, const void *prev, char *desc)
#else
static inline const void *cc_test_algo_gen(const void *prev, char *desc)
#endif
{
	const struct rxe_cc_ops *ops = rxe_cc_test_next_algo(prev);

	if (ops)
		strscpy(desc, ops->name, KUNIT_PARAM_DESC_SIZE);
	return ops;
}

/* A registered algorithm; the test is skipped when its module is not loaded. */
static inline const struct rxe_cc_ops *cc_test_algo(struct kunit *test,
						    const char *name)
{
	const struct rxe_cc_ops *ops = NULL;

	while ((ops = rxe_cc_test_next_algo(ops))) {
		if (!strcmp(ops->name, name))
			return ops;
	}
	kunit_skip(test, "the module rxe_cc_%s is not loaded", name);
	return NULL;
}

/* Of an algorithm whose values are @params. */
static inline void cc_test_param(struct kunit *test,
				 const struct rxe_cc_ops *ops, u64 *params,
				 const char *name, u64 value)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++) {
		if (strcmp(ops->params[i].name, name))
			continue;
		params[i] = value;
		return;
	}
	KUNIT_FAIL_AND_ABORT(test, "no parameter %s", name);
}

/* Zeroed memory for what an algorithm remembers of a flow; not NULL when that is nothing. */
static inline void *cc_test_own(struct kunit *test, const struct rxe_cc_ops *ops)
{
	void *own = kunit_kzalloc(test, rxe_cc_flow_own_bytes(ops) + sizeof(u64), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, own);
	return own;
}

/* A flow gets that. */
static inline void cc_test_flow_own(struct kunit *test, struct rxe_cc_flow *f,
				    const struct rxe_cc_ops *ops)
{
	rxe_cc_flow_own(f, ops, cc_test_own(test, ops));
}

static inline void cc_test_defaults(const struct rxe_cc_ops *ops, u64 *params)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++)
		params[i] = ops->params[i].def;
}

/**
 * struct cc_test_flow - a flow under an algorithm, without the core
 * @flow: what the algorithm sees. Between cc_test_flow_new() and
 *	cc_test_flow_start() the test sets line rate, base RTT and the like; packets are
 *	1106 bytes, the line has 100 Gbit/s and the path 10 us if it does not
 * @ops: algorithm
 * @params: what @flow points to
 */
struct cc_test_flow {
	struct rxe_cc_flow flow;
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
};

/* The test is skipped when the algorithm's module is not loaded. */
static inline void cc_test_flow_new(struct kunit *test, struct cc_test_flow *t,
				    const char *algo)
{
	t->ops = cc_test_algo(test, algo);
	cc_test_defaults(t->ops, t->params);
	cc_test_flow_own(test, &t->flow, t->ops);
	t->flow.params = t->params;
	t->flow.line_rate_bps = 100000000000ULL;
	t->flow.min_rate_bps = RXE_CC_RATE_MIN_BPS;
	t->flow.base_rtt_ns = 10000;
	t->flow.pkt_bytes = 1106;
	t->flow.timer_ns = RXE_CC_NO_TIMER;
}

/* Calls of an algorithm as the core makes them, with softirqs off: lockdep would take its
 * locks for ones that a softirq may find held. The first is for calls that return a value.
 */
#define cc_bh_off(call) ({					\
	typeof(call) cc_val;					\
								\
	local_bh_disable();					\
	cc_val = (call);					\
	local_bh_enable();					\
	cc_val;							\
})

#define cc_bh_off_do(call) do {					\
	local_bh_disable();					\
	call;							\
	local_bh_enable();					\
} while (0)

static inline void cc_test_flow_start(struct cc_test_flow *t, u64 now_ns)
{
	t->flow.rate_bps = t->flow.line_rate_bps;
	t->flow.cwnd_bytes = RXE_CC_NO_WINDOW;
	cc_bh_off_do(t->ops->init(&t->flow, now_ns));
}

static inline void cc_test_flow_param(struct kunit *test, struct cc_test_flow *t,
				      const char *name, u64 value)
{
	cc_test_param(test, t->ops, t->params, name, value);
}

/* What dump() tells; U64_MAX: there is none of that name. */
static inline u64 cc_test_flow_var(const struct cc_test_flow *t, const char *name)
{
	struct rxe_cc_var vars[RXE_CC_MAX_VARS];
	unsigned int i, n = t->ops->dump(&t->flow, vars);

	for (i = 0; i < n; i++)
		if (!strcmp(vars[i].name, name))
			return vars[i].value;
	return U64_MAX;
}

/**
 * struct cc_test_rig - a flow, and what its next ACK says
 * @t: flow
 * @s: next ACK; feedback of @nr_fb values
 */
struct cc_test_rig {
	struct cc_test_flow t;
	struct rxe_cc_sample s;
};

static inline struct cc_test_rig *cc_test_rig_new(struct kunit *test, const char *algo,
						  u64 line_bps, u64 base_ns, u32 pkt_bytes,
						  u8 nr_fb)
{
	struct cc_test_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	cc_test_flow_new(test, &rig->t, algo);
	rig->t.flow.line_rate_bps = line_bps;
	rig->t.flow.base_rtt_ns = base_ns;
	rig->t.flow.pkt_bytes = pkt_bytes;
	rig->s.nr_fb = nr_fb;
	return rig;
}

static inline u64 cc_test_cwnd(const struct cc_test_rig *rig)
{
	return rig->t.flow.cwnd_bytes;
}

#endif /* _RXE_CC_TEST_H */
