// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own checks of options: tc refuses most bad values before they
 * get here, other programs may not.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>
#include <net/netlink.h>

#include "../roce_port.h"
#include "roce_kunit.h"

/* An empty TCA_OPTIONS in a message; attributes go behind it. */
static struct nlattr *options(struct kunit *test, struct sk_buff **msg)
{
	struct nlattr *opt;

	*msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, *msg);
	opt = nla_nest_start(*msg, TCA_OPTIONS);
	KUNIT_ASSERT_NOT_NULL(test, opt);
	return opt;
}

static bool same(const struct roce_config *a, const struct roce_config *b)
{
	int i;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		const struct roce_prio_config *p = &a->prio[i];
		const struct roce_prio_config *q = &b->prio[i];

		if (p->limit_bytes != q->limit_bytes || p->ecn != q->ecn ||
		    memcmp(&p->ramp, &q->ramp, sizeof(p->ramp)))
			return false;
	}
	return a->rate_bps == b->rate_bps && a->delay_ns == b->delay_ns &&
	       a->seed == b->seed && a->overhead == b->overhead &&
	       a->limit_bytes == b->limit_bytes &&
	       !memcmp(a->dscp_prio, b->dscp_prio, sizeof(a->dscp_prio));
}

/* What a dump says makes the same port, whatever the port was before. */
static void roce_config__dump_round_trip(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct roce_config *got = kunit_kzalloc(test, sizeof(*got), GFP_KERNEL);
	struct netlink_ext_ack extack = {};
	struct rnd_state rnd;
	struct nlattr *opt;
	struct sk_buff *msg;
	int round, i;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	KUNIT_ASSERT_NOT_NULL(test, got);
	prandom_seed_state(&rnd, 11);
	for (round = 0; round < 50; round++) {
		cfg->rate_bps = TC_ROCE_RATE_MIN_BPS + prandom_u32_state(&rnd);
		cfg->delay_ns = prandom_u32_state(&rnd);
		cfg->seed = (u64)prandom_u32_state(&rnd) << 32 | round;
		cfg->overhead = TC_ROCE_OVERHEAD_MIN + round;
		cfg->limit_bytes = prandom_u32_state(&rnd) | 1;
		for (i = 0; i < TC_ROCE_DSCPS; i++)
			cfg->dscp_prio[i] = prandom_u32_state(&rnd) % 8;
		for (i = 0; i < TC_ROCE_PRIOS; i++) {
			struct roce_prio_config *p = &cfg->prio[i];

			p->limit_bytes = prandom_u32_state(&rnd);
			p->ecn = prandom_u32_state(&rnd) % __TC_ROCE_ECN_MAX;
			p->ramp.kmin_bytes = prandom_u32_state(&rnd) / 2;
			p->ramp.kmax_bytes = U32_MAX - round;
			p->ramp.pmax_ppm = prandom_u32_state(&rnd) % 1000001;
		}
		opt = options(test, &msg);
		KUNIT_ASSERT_EQ(test, roce_dump_config(cfg, msg), 0);
		nla_nest_end(msg, opt);
		roce_config_default(got);
		KUNIT_EXPECT_EQ(test, roce_config_parse(got, opt, &extack), 0);
		KUNIT_EXPECT_TRUE(test, same(cfg, got));
		nlmsg_free(msg);
	}
}

static void roce_config__nothing_keeps_all(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct roce_config *want = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct netlink_ext_ack extack = {};
	struct nlattr *opt;
	struct sk_buff *msg;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	KUNIT_ASSERT_NOT_NULL(test, want);
	roce_config_default(cfg);
	cfg->rate_bps = 12345678;
	cfg->prio[3].ecn = TC_ROCE_ECN_DEQUEUE;
	*want = *cfg;

	opt = options(test, &msg);
	nla_nest_end(msg, opt);
	KUNIT_EXPECT_EQ(test, roce_config_parse(cfg, opt, &extack), 0);
	KUNIT_EXPECT_TRUE(test, same(cfg, want));
	nlmsg_free(msg);
}

/* One bad attribute of the port: refused, and named. */
static void roce_config__bad_port(struct kunit *test)
{
	static const struct {
		int type, len;
		u64 value;
		int err;
	} table[] = {
		{ TCA_ROCE_RATE, 8, TC_ROCE_RATE_MIN_BPS - 1, -ERANGE },
		{ TCA_ROCE_RATE, 8, TC_ROCE_RATE_MAX_BPS + 1, -ERANGE },
		{ TCA_ROCE_RATE, 8, 0, -ERANGE },
		{ TCA_ROCE_RATE, 4, 1000000, -EINVAL },
		{ TCA_ROCE_OVERHEAD, 4, TC_ROCE_OVERHEAD_MAX + 1, -ERANGE },
		{ TCA_ROCE_OVERHEAD, 4, (u32)(TC_ROCE_OVERHEAD_MIN - 1), -ERANGE },
		{ TCA_ROCE_DELAY, 8, TC_ROCE_DELAY_MAX_NS + 1, -ERANGE },
		{ TCA_ROCE_DELAY, 8, U64_MAX, -ERANGE },
		{ TCA_ROCE_LIMIT, 4, 0, -ERANGE },
		{ TCA_ROCE_DSCP_MAP, 8, 0, -ERANGE },
		{ __TCA_ROCE_MAX, 4, 0, -EINVAL },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct netlink_ext_ack extack = {};
		struct roce_config cfg;
		struct nlattr *opt;
		struct sk_buff *msg;

		roce_config_default(&cfg);
		opt = options(test, &msg);
		nla_put(msg, table[i].type, table[i].len, &table[i].value);
		nla_nest_end(msg, opt);
		KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(&cfg, opt, &extack),
				    table[i].err, "row %d", i);
		KUNIT_EXPECT_PTR_EQ_MSG(test, extack.bad_attr,
					(const struct nlattr *)nla_data(opt),
					"row %d", i);
		KUNIT_EXPECT_NOT_NULL_MSG(test, extack._msg, "row %d", i);
		nlmsg_free(msg);
	}
}

static void roce_config__bad_dscp(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	u8 map[TC_ROCE_DSCPS] = { [63] = 8 };
	struct roce_config cfg;
	struct nlattr *opt;
	struct sk_buff *msg;

	roce_config_default(&cfg);
	opt = options(test, &msg);
	nla_put(msg, TCA_ROCE_DSCP_MAP, sizeof(map), map);
	nla_nest_end(msg, opt);
	KUNIT_EXPECT_EQ(test, roce_config_parse(&cfg, opt, &extack), -ERANGE);
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "dscp 63"));
	nlmsg_free(msg);
}

/* One bad attribute of a priority. */
static void roce_config__bad_prio(struct kunit *test)
{
	static const struct {
		int type, len;
		u32 value;
		int err;
	} table[] = {
		{ TCA_ROCE_PRIO_ECN, 1, __TC_ROCE_ECN_MAX, -EINVAL },
		{ TCA_ROCE_PRIO_ECN_KMIN, 4, 163841, -EINVAL },
		{ TCA_ROCE_PRIO_ECN_KMAX, 4, 40959, -EINVAL },
		{ TCA_ROCE_PRIO_ECN_PMAX, 4, 1000001, -ERANGE },
		{ TCA_ROCE_PRIO_LIMIT, 2, 1, -EINVAL },
		{ __TCA_ROCE_PRIO_MAX, 4, 1, -EINVAL },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct netlink_ext_ack extack = {};
		struct nlattr *opt, *nest, *attr;
		struct roce_config cfg;
		struct sk_buff *msg;

		roce_config_default(&cfg);
		opt = options(test, &msg);
		nest = nla_nest_start(msg, TCA_ROCE_PRIO);
		KUNIT_ASSERT_NOT_NULL(test, nest);
		nla_put_u8(msg, TCA_ROCE_PRIO_ID, 3);
		attr = (struct nlattr *)skb_tail_pointer(msg);
		nla_put(msg, table[i].type, table[i].len, &table[i].value);
		nla_nest_end(msg, nest);
		nla_nest_end(msg, opt);
		KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(&cfg, opt, &extack),
				    table[i].err, "row %d", i);
		KUNIT_EXPECT_PTR_EQ_MSG(test, extack.bad_attr,
					(const struct nlattr *)attr, "row %d", i);
		KUNIT_EXPECT_NOT_NULL_MSG(test, extack._msg, "row %d", i);
		nlmsg_free(msg);
	}
}

/* Which priority: missing, out of range, twice. */
static void roce_config__bad_prio_id(struct kunit *test)
{
	static const struct {
		int first, second;
		int err;
	} table[] = {
		{ -1, 3, -EINVAL }, { 3, -1, -EINVAL }, { 8, 3, -ERANGE },
		{ 3, 8, -ERANGE }, { 3, 3, -EINVAL }, { 3, 4, 0 },
	};
	int i, n;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct netlink_ext_ack extack = {};
		struct roce_config cfg;
		struct nlattr *opt;
		struct sk_buff *msg;

		roce_config_default(&cfg);
		opt = options(test, &msg);
		for (n = 0; n < 2; n++) {
			struct nlattr *nest = nla_nest_start(msg, TCA_ROCE_PRIO);
			int id = n ? table[i].second : table[i].first;

			KUNIT_ASSERT_NOT_NULL(test, nest);
			if (id >= 0)
				nla_put_u8(msg, TCA_ROCE_PRIO_ID, id);
			nla_put_u32(msg, TCA_ROCE_PRIO_LIMIT, 1000 + n);
			nla_nest_end(msg, nest);
		}
		nla_nest_end(msg, opt);
		KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(&cfg, opt, &extack),
				    table[i].err, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, !!extack._msg, !!table[i].err,
				    "row %d", i);
		nlmsg_free(msg);
	}
}

static struct kunit_case roce_config_cases[] = {
	KUNIT_CASE(roce_config__dump_round_trip),
	KUNIT_CASE(roce_config__nothing_keeps_all),
	KUNIT_CASE(roce_config__bad_port),
	KUNIT_CASE(roce_config__bad_dscp),
	KUNIT_CASE(roce_config__bad_prio),
	KUNIT_CASE(roce_config__bad_prio_id),
	{}
};

struct kunit_suite roce_config_suite = {
	.name = "roce_config",
	.test_cases = roce_config_cases,
};
