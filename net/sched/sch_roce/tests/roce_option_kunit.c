// SPDX-License-Identifier: GPL-2.0
/*
 * Limits and defaults of the port's options: the first and the last value of each are
 * taken and dumped, their neighbours are not.
 */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/netlink.h>

#include "../roce_port.h"
#include "roce_test_packets.h"

/* Ranges and defaults, written down a second time: what the rows must come to. */
static const struct option_row {
	int type, len;
	bool or_zero;	/* 0 stands for "auto" */
	bool sparse;	/* a default is not dumped */
	u64 min, max, def;
} option_table[] = {
	{ TCA_ROCE_RATE, 8, false, false, 1000000, 800000000000ULL, 100000000000ULL },
	{ TCA_ROCE_OVERHEAD, 4, false, false, (u32)-14, 512, 24 },
	{ TCA_ROCE_DELAY, 8, false, false, 0, 10000000000ULL, 0 },
	{ TCA_ROCE_LIMIT, 4, false, false, 1, U32_MAX, 32 << 20 },
	{ TCA_ROCE_SEED, 8, false, false, 0, U64_MAX, 1 },
	{ TCA_ROCE_BUFFER, 8, false, false, 1, 1ULL << 40, 32 << 20 },
	{ TCA_ROCE_PEER_MTU, 4, true, false, 68, 65535, 0 },
	{ TCA_ROCE_PFC_QUANTA, 2, false, false, 1, 65535, 65535 },
	{ TCA_ROCE_PFC_RESPONSE, 8, false, false, 0, 1000000000, 0 },
	{ TCA_ROCE_PFC_WATCHDOG, 8, true, false, 1000, 100000000000ULL, U64_MAX },
	{ TCA_ROCE_PFC_WATCHDOG_ACTION, 1, false, false, 0, 2, TC_ROCE_WATCHDOG_DROP },
	{ TCA_ROCE_PFC_WATCHDOG_RESTORE, 8, false, false, 0, 100000000000ULL, 200000000 },
	{ TCA_ROCE_PFC_OBEY, 1, false, false, 0, 1, 1 },
	{ TCA_ROCE_DIRECT, 1, false, false, 0, 1, 0 },
	{ TCA_ROCE_WIRE_LIMIT, 8, false, true, 0, 1ULL << 40, 0 },
	{ TCA_ROCE_WIRE_PACKETS, 4, false, true, 0, U32_MAX, 0 },
	{ TCA_ROCE_LOSS, 4, false, true, 0, 1000000000, 0 },
	{ TCA_ROCE_LINK, 1, false, true, 0, 1, TC_ROCE_LINK_UP },
	{ TCA_ROCE_STALL, 1, false, true, 0, 1, 0 },
	{ TCA_ROCE_INT, 1, false, false, 0, 1, 1 },
	{ TCA_ROCE_INT_DSCP, 1, false, false, 0, 63, 27 },
	{ TCA_ROCE_INT_DOMAIN, 2, false, false, 0, U16_MAX, 0x0cc1 },
	{ TCA_ROCE_INT_NODE, 4, false, false, 0, U32_MAX, 0 },
	{ TCA_ROCE_INT_PORT, 2, false, false, 0, U16_MAX, 0 },
	{ TCA_ROCE_INT_CLOCK_OFFSET, 8, false, false, 0, 10000000000ULL, 0 },
	{ TCA_ROCE_INT_CLOCK_JITTER, 8, false, false, 0, 1000000000, 0 },
	{ TCA_ROCE_INT_CLOCK_RATE, 4, false, false, 999000000, 1001000000, 1000000000 },
	{ TCA_ROCE_INT_RESPONSE_INTERVAL, 8, false, false, 0, 1000000000, 10000 },
	{ TCA_ROCE_MERCURY_BASE_RTT, 8, false, true, 1, 1000000000, 12000 },
	{ TCA_ROCE_MERCURY_PERIOD, 8, false, true, 0, 1000000000, 10000 },
	{ TCA_ROCE_MERCURY_INTERVAL, 8, false, true, 0, 1000000000, 0 },
	{ TCA_ROCE_MERCURY_ECN, 1, false, true, 0, 1, 0 },
	{ TCA_ROCE_LSCC_QREF, 4, false, true, 1, U32_MAX, 2000000 },
	{ TCA_ROCE_LSCC_PSEUDO, 4, false, true, 1, U32_MAX, 2000000 },
	{ TCA_ROCE_LSCC_PERIOD, 8, false, true, 1000, 1000000000, 200000 },
	{ TCA_ROCE_LSCC_RTT, 8, false, true, 0, 1000000000, 0 },
	{ TCA_ROCE_LSCC_STEP, 8, false, true, 1, 800000000000ULL, 1000000000 },
	{ TCA_ROCE_LSCC_MIN, 8, false, true, 1000000, 800000000000ULL, 100000000 },
	{ TCA_ROCE_LSCC_MAX, 8, true, true, 1000000, 800000000000ULL, 0 },
	{ TCA_ROCE_LSCC_INTERVAL, 8, false, true, 0, 1000000000, 4000 },
	{ TCA_ROCE_LSCC_THRESHOLD, 8, false, true, 0, U64_MAX, 0 },
	{ TCA_ROCE_LSCC_EXPIRY, 8, true, true, 1000, 10000000000ULL, 0 },
	{ TCA_ROCE_LSCC_REPLY, 1, false, true, 0, TC_ROCE_LSCC_REPLY_INT,
	  TC_ROCE_LSCC_REPLY_CNP },
	{ TCA_ROCE_LSCC_CLEAR, 1, false, true, 0, TC_ROCE_LSCC_CLEAR_LONG,
	  TC_ROCE_LSCC_CLEAR_ALWAYS },
	{ TCA_ROCE_IOFD_LINK, 1, false, true, 0, 2, TC_ROCE_IOFD_NONE },
	{ TCA_ROCE_IOFD_HOLD, 8, false, true, 0, 10000000000ULL, 100000 },
	{ TCA_ROCE_IOFD_IDLE, 8, false, true, 0, 10000000000ULL, 1000000 },
};

/* An empty TCA_OPTIONS in a message; attributes go behind it. */
static struct nlattr *option_start(struct kunit *test, struct sk_buff **msg)
{
	struct nlattr *opt;

	*msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, *msg);
	opt = nla_nest_start(*msg, TCA_OPTIONS);
	KUNIT_ASSERT_NOT_NULL(test, opt);
	return opt;
}

static struct roce_config *option_config(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	roce_config_default(cfg);
	/* Of a switch, which the buffer needs. */
	cfg->switch_id = 7;
	return cfg;
}

/* What a dump of @cfg has of an option; the default when that is what it leaves out. */
static u64 option_dumped(struct kunit *test, const struct roce_config *cfg,
			 const struct option_row *o)
{
	struct nlattr *opt, *attr;
	struct sk_buff *msg;
	u64 value = o->def;

	opt = option_start(test, &msg);
	KUNIT_EXPECT_EQ(test, roce_dump_config(cfg, msg), 0);
	nla_nest_end(msg, opt);
	attr = nla_find(nla_data(opt), nla_len(opt), o->type);
	KUNIT_EXPECT_TRUE_MSG(test, attr || o->sparse, "option %d is not dumped", o->type);
	if (attr)
		nla_memcpy(&value, attr, sizeof(value));
	nlmsg_free(msg);
	return value;
}

/* @value is taken, and dumped; or it is out of range. */
static void option_expect(struct kunit *test, const struct option_row *o, u64 value,
			  int err)
{
	struct roce_config *cfg = option_config(test);
	struct netlink_ext_ack extack = {};
	struct nlattr *opt;
	struct sk_buff *msg;

	opt = option_start(test, &msg);
	nla_put(msg, o->type, o->len, &value);
	nla_nest_end(msg, opt);
	KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack), err,
			    "option %d, %llu: %s", o->type, value, extack._msg);
	if (!err)
		KUNIT_EXPECT_EQ_MSG(test, option_dumped(test, cfg, o), value, "option %d",
				    o->type);
	nlmsg_free(msg);
}

/* The first and the last value of each option are taken, their neighbours are not. */
static void roce_options__limits(struct kunit *test)
{
	struct roce_config *cfg = option_config(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(option_table); i++) {
		const struct option_row *o = &option_table[i];
		u64 most = U64_MAX >> (64 - 8 * o->len);

		KUNIT_EXPECT_EQ_MSG(test, option_dumped(test, cfg, o), o->def,
				    "default of option %d", o->type);
		option_expect(test, o, o->min, 0);
		option_expect(test, o, o->max, 0);
		if (o->or_zero)
			option_expect(test, o, 0, 0);
		if (o->min && !(o->or_zero && o->min == 1))
			option_expect(test, o, o->min - 1, -ERANGE);
		if (o->max < most)
			option_expect(test, o, o->max + 1, -ERANGE);
	}
}

static struct kunit_case roce_options_cases[] = {
	KUNIT_CASE(roce_options__limits),
	{}
};

static struct kunit_suite roce_options_suite = {
	.name = "roce_options",
	.test_cases = roce_options_cases,
};

kunit_test_suite(roce_options_suite);
