// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own checks of options: tc refuses most bad values before they
 * get here, other programs may not.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>
#include <net/netlink.h>

#include "features/ecn/roce_ecn.h"
#include "features/int/roce_int_port.h"
#include "../roce_port.h"
#include "features/int/roce_int_response.h"
#include "roce_test_packets.h"

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

static struct roce_config *new_config(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	roce_config_default(cfg);
	return cfg;
}

static void random_prio(struct roce_config *cfg, u8 id, bool on_switch,
			struct rnd_state *rnd)
{
	struct roce_ecn_prio *ecn = &roce_ecn_config(cfg)->prio[id];
	struct roce_prio_config *p = &cfg->prio[id];

	ecn->when = prandom_u32_state(rnd) % __TC_ROCE_ECN_MAX;
	ecn->ramp.kmin_bytes = prandom_u32_state(rnd) / 2;
	ecn->ramp.kmax_bytes = U32_MAX - (u8)prandom_u32_state(rnd);
	ecn->ramp.pmax_ppm = prandom_u32_state(rnd) % 1000001;
	p->lossless = prandom_u32_state(rnd) & 1;
	ecn->not_ect = !p->lossless && (prandom_u32_state(rnd) & 1);
	if (!on_switch || !p->lossless)
		p->limit_bytes = prandom_u32_state(rnd);
	if (!on_switch)
		return;

	p->mmu.reserve_bytes = prandom_u32_state(rnd);
	p->mmu.headroom_bytes = prandom_u32_state(rnd) | 1;
	p->mmu.xon_offset_bytes = prandom_u32_state(rnd);
	if (prandom_u32_state(rnd) & 1) {
		p->mmu.xoff_bytes = prandom_u32_state(rnd) | 1;
		p->mmu.xon_bytes = prandom_u32_state(rnd) % p->mmu.xoff_bytes;
	} else {
		p->mmu.alpha_q16 = prandom_u32_state(rnd) % TC_ROCE_ALPHA_MAX;
	}
}

static void random_config(struct roce_config *cfg, int round,
			  struct rnd_state *rnd)
{
	struct roce_response_config *rsp = roce_response_config(cfg);
	struct roce_int_config *config = roce_int_config(cfg);
	bool on_switch = round & 1;
	int i;

	cfg->rate_bps = TC_ROCE_RATE_MIN_BPS + prandom_u32_state(rnd);
	cfg->delay_ns = prandom_u32_state(rnd);
	cfg->seed = (u64)prandom_u32_state(rnd) << 32 | round;
	cfg->overhead = TC_ROCE_OVERHEAD_MIN + round;
	cfg->limit_bytes = prandom_u32_state(rnd) | 1;
	if (on_switch) {
		cfg->switch_id = prandom_u32_state(rnd) | 1;
		cfg->buffer_bytes = TC_ROCE_BUFFER_MAX - round;
	}
	cfg->peer_mtu = round % 3 ? ETH_MIN_MTU + round : 0;
	cfg->pfc_quanta = prandom_u32_state(rnd) | 1;
	cfg->pfc_response_ns = prandom_u32_state(rnd) % TC_ROCE_RESPONSE_MAX_NS;
	cfg->pfc_watchdog_ns = round % 3 ? TC_ROCE_WATCHDOG_MIN_NS + round : 0;
	cfg->pfc_watchdog_action = round % __TC_ROCE_WATCHDOG_MAX;
	cfg->pfc_restore_ns = round;
	cfg->pfc_obey = round & 1;
	cfg->direct = round >> 1 & 1;
	config->on = prandom_u32_state(rnd) & 1;
	config->dscp = prandom_u32_state(rnd) % TC_ROCE_DSCPS;
	config->domain = prandom_u32_state(rnd);
	config->node = prandom_u32_state(rnd);
	config->port = prandom_u32_state(rnd);
	config->clock_rate = TC_ROCE_CLOCK_RATE_MIN + round;
	config->clock_offset_ns = prandom_u32_state(rnd);
	config->clock_jitter_ns = prandom_u32_state(rnd) % TC_ROCE_CLOCK_JITTER_MAX_NS;
	rsp->interval_ns = prandom_u32_state(rnd) % TC_ROCE_INT_RESPONSE_MAX_NS;
	for (i = 0; i < TC_ROCE_DSCPS; i++)
		cfg->dscp_prio[i] = prandom_u32_state(rnd) % 8;
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		random_prio(cfg, i, on_switch, rnd);
		if (on_switch && config->on)
			rsp->prio[i].bytes = prandom_u32_state(rnd);
	}
}

/* What a dump says makes the same port, whatever the port was before. All of
 * struct roce_config is compared: a field without an attribute fails here.
 */
static void roce_config__dump_round_trip(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	struct rnd_state rnd;
	struct nlattr *opt;
	struct sk_buff *msg;
	int round;

	prandom_seed_state(&rnd, 11);
	for (round = 0; round < 100; round++) {
		struct roce_config *cfg = new_config(test);
		struct roce_config *got = new_config(test);

		random_config(cfg, round, &rnd);
		opt = options(test, &msg);
		KUNIT_ASSERT_EQ(test, roce_dump_config(cfg, msg), 0);
		nla_nest_end(msg, opt);
		KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(got, opt, &extack),
				    0, "round %d: %s", round, extack._msg);
		KUNIT_EXPECT_MEMEQ_MSG(test, cfg, got, sizeof(*cfg),
				       "round %d", round);
		nlmsg_free(msg);
		kunit_kfree(test, cfg);
		kunit_kfree(test, got);
	}
}

static void roce_config__nothing_keeps_all(struct kunit *test)
{
	struct roce_config *want = new_config(test);
	struct roce_config *cfg = new_config(test);
	struct netlink_ext_ack extack = {};
	struct rnd_state rnd;
	struct nlattr *opt;
	struct sk_buff *msg;

	prandom_seed_state(&rnd, 12);
	random_config(cfg, 1, &rnd);
	memcpy(want, cfg, sizeof(*cfg));
	opt = options(test, &msg);
	nla_nest_end(msg, opt);
	KUNIT_EXPECT_EQ(test, roce_config_parse(cfg, opt, &extack), 0);
	KUNIT_EXPECT_MEMEQ(test, cfg, want, sizeof(*cfg));
	nlmsg_free(msg);
}

/* The first attribute of @opt is refused with @err, and named. */
static void expect_refused(struct kunit *test, struct roce_config *cfg,
			   struct nlattr *opt, const void *blame, int err,
			   int row)
{
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack), err,
			    "row %d", row);
	KUNIT_EXPECT_PTR_EQ_MSG(test, (const void *)extack.bad_attr, blame,
				"row %d", row);
	KUNIT_EXPECT_NOT_NULL_MSG(test, extack._msg, "row %d", row);
	/* a longer one is cut off by the kernel */
	if (extack._msg)
		KUNIT_EXPECT_LT_MSG(test, strlen(extack._msg),
				    NETLINK_MAX_FMTMSG_LEN - 1, "row %d", row);
}

/* One bad attribute of the port. */
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
		{ TCA_ROCE_SWITCH, 8, 1, -EINVAL },
		{ TCA_ROCE_BUFFER, 8, 0, -ERANGE },
		{ TCA_ROCE_BUFFER, 8, TC_ROCE_BUFFER_MAX + 1, -ERANGE },
		{ TCA_ROCE_BUFFER, 4, 1, -EINVAL },
		/* without a switch */
		{ TCA_ROCE_BUFFER, 8, TC_ROCE_BUFFER_DEFAULT, -EINVAL },
		{ TCA_ROCE_PEER_MTU, 4, 1, -ERANGE },
		{ TCA_ROCE_PEER_MTU, 4, ETH_MIN_MTU - 1, -ERANGE },
		{ TCA_ROCE_PEER_MTU, 4, TC_ROCE_PEER_MTU_MAX + 1, -ERANGE },
		{ TCA_ROCE_PFC_QUANTA, 2, 0, -ERANGE },
		{ TCA_ROCE_PFC_QUANTA, 4, 1, -EINVAL },
		{ TCA_ROCE_PFC_RESPONSE, 8, TC_ROCE_RESPONSE_MAX_NS + 1, -ERANGE },
		{ TCA_ROCE_PFC_WATCHDOG, 8, TC_ROCE_WATCHDOG_MIN_NS - 1, -ERANGE },
		{ TCA_ROCE_PFC_WATCHDOG, 8, TC_ROCE_WATCHDOG_MAX_NS + 1, -ERANGE },
		{ TCA_ROCE_PFC_WATCHDOG, 8, TC_ROCE_WATCHDOG_AUTO - 1, -ERANGE },
		{ TCA_ROCE_PFC_WATCHDOG_ACTION, 1, __TC_ROCE_WATCHDOG_MAX, -ERANGE },
		{ TCA_ROCE_PFC_WATCHDOG_RESTORE, 8, TC_ROCE_WATCHDOG_MAX_NS + 1, -ERANGE },
		{ TCA_ROCE_PFC_OBEY, 1, 2, -ERANGE },
		{ TCA_ROCE_DIRECT, 1, 2, -ERANGE },
		{ TCA_ROCE_WIRE_LIMIT, 8, TC_ROCE_WIRE_MAX + 1, -ERANGE },
		{ TCA_ROCE_WIRE_LIMIT, 4, 1, -EINVAL },
		{ TCA_ROCE_WIRE_PACKETS, 8, 1, -EINVAL },
		{ TCA_ROCE_LOSS, 4, TC_ROCE_LOSS_ONE + 1, -ERANGE },
		{ TCA_ROCE_LOSS, 8, 1, -EINVAL },
		{ TCA_ROCE_LINK, 1, __TC_ROCE_LINK_MAX, -ERANGE },
		{ TCA_ROCE_STALL, 1, 2, -ERANGE },
		{ TCA_ROCE_INT, 1, 2, -ERANGE },
		{ TCA_ROCE_INT_DSCP, 1, 64, -ERANGE },
		{ TCA_ROCE_INT_DOMAIN, 4, 0, -EINVAL },
		{ TCA_ROCE_INT_NODE, 2, 0, -EINVAL },
		{ TCA_ROCE_INT_PORT, 4, 0, -EINVAL },
		{ TCA_ROCE_INT_CLOCK_OFFSET, 8, TC_ROCE_CLOCK_MAX_NS + 1, -ERANGE },
		{ TCA_ROCE_INT_CLOCK_JITTER, 8, TC_ROCE_CLOCK_JITTER_MAX_NS + 1,
		  -ERANGE },
		{ TCA_ROCE_INT_CLOCK_RATE, 4, TC_ROCE_CLOCK_RATE_MIN - 1, -ERANGE },
		{ TCA_ROCE_INT_CLOCK_RATE, 4, TC_ROCE_CLOCK_RATE_MAX + 1, -ERANGE },
		{ TCA_ROCE_INT_CLOCK_RATE, 8, TC_ROCE_CLOCK_RATE, -EINVAL },
		{ TCA_ROCE_INT_RESPONSE_INTERVAL, 8, TC_ROCE_INT_RESPONSE_MAX_NS + 1,
		  -ERANGE },
		{ TCA_ROCE_INT_RESPONSE_INTERVAL, 4, 1, -EINVAL },
		{ __TCA_ROCE_MAX, 4, 0, -EINVAL },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_config *cfg = new_config(test);
		struct nlattr *opt;
		struct sk_buff *msg;

		opt = options(test, &msg);
		nla_put(msg, table[i].type, table[i].len, &table[i].value);
		nla_nest_end(msg, opt);
		expect_refused(test, cfg, opt, nla_data(opt), table[i].err, i);
		nlmsg_free(msg);
	}
}

static void roce_config__bad_dscp(struct kunit *test)
{
	struct roce_config *cfg = new_config(test);
	struct netlink_ext_ack extack = {};
	u8 map[TC_ROCE_DSCPS] = { [63] = 8 };
	struct nlattr *opt;
	struct sk_buff *msg;

	opt = options(test, &msg);
	nla_put(msg, TCA_ROCE_DSCP_MAP, sizeof(map), map);
	nla_nest_end(msg, opt);
	KUNIT_EXPECT_EQ(test, roce_config_parse(cfg, opt, &extack), -ERANGE);
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "dscp 63"));
	nlmsg_free(msg);
}

/* Options of priority 3, each right on its own: of a switch port (or not),
 * with what is set already and what the request brings. 0 as error: taken.
 */
struct prio_row {
	bool on_switch;
	struct {
		int type, len;
		u32 value;
	} before, request;
	int err;
};

#define ID(name)	TCA_ROCE_PRIO_##name

static const struct prio_row prio_table[] = {
	/* by itself */
	{ true, {}, { ID(ECN), 1, __TC_ROCE_ECN_MAX }, -ERANGE },
	{ true, {}, { ID(ECN_KMIN), 4, 163841 }, -EINVAL },
	{ true, {}, { ID(ECN_KMIN), 4, 163840 }, 0 },
	{ true, {}, { ID(ECN_KMAX), 4, 40959 }, -EINVAL },
	{ true, {}, { ID(ECN_PMAX), 4, 1000001 }, -ERANGE },
	{ true, {}, { ID(ECN_NOT_ECT), 1, __TC_ROCE_NOT_ECT_MAX }, -ERANGE },
	{ true, {}, { ID(LIMIT), 2, 1 }, -EINVAL },
	{ true, {}, { ID(LOSSLESS), 1, 2 }, -ERANGE },
	{ true, {}, { ID(ALPHA), 4, TC_ROCE_ALPHA_MAX + 1 }, -ERANGE },
	{ true, {}, { ID(ALPHA), 4, TC_ROCE_ALPHA_MAX }, 0 },
	{ true, {}, { ID(RESERVE), 8, 1 }, -EINVAL },
	{ true, {}, { ID(XOFF), 1, 1 }, -EINVAL },
	{ true, {}, { ID(INT_RESPONSE), 4, 100 }, 0 },
	{ true, {}, { ID(INT_RESPONSE), 2, 100 }, -EINVAL },
	{ true, {}, { __TCA_ROCE_PRIO_MAX, 4, 1 }, -EINVAL },
	/* against each other, in either order */
	{ true, {}, { ID(XON), 4, 1 }, -EINVAL },
	{ true, { ID(XOFF), 4, 1000 }, { ID(XON), 4, 1001 }, -EINVAL },
	{ true, { ID(XOFF), 4, 1000 }, { ID(XON), 4, 1000 }, 0 },
	{ true, { ID(XOFF), 4, 1000 }, { ID(ALPHA), 4, 1 }, -EINVAL },
	{ true, { ID(ALPHA), 4, 1 }, { ID(XOFF), 4, 1000 }, -EINVAL },
	{ true, { ID(LOSSLESS), 1, 1 }, { ID(HEADROOM), 4, 0 }, -EINVAL },
	{ true, { ID(HEADROOM), 4, 0 }, { ID(LOSSLESS), 1, 1 }, -EINVAL },
	{ true, { ID(HEADROOM), 4, 1 }, { ID(LOSSLESS), 1, 1 }, 0 },
	{ true, { ID(LOSSLESS), 1, 1 }, { ID(ECN_NOT_ECT), 1, 1 }, -EINVAL },
	{ false, { ID(ECN_NOT_ECT), 1, 1 }, { ID(LOSSLESS), 1, 1 }, -EINVAL },
	{ true, { ID(LOSSLESS), 1, 1 }, { ID(LIMIT), 4, 1 }, -EINVAL },
	{ true, { ID(LIMIT), 4, 1 }, { ID(LOSSLESS), 1, 1 }, -EINVAL },
	{ false, { ID(LIMIT), 4, 1 }, { ID(LOSSLESS), 1, 1 }, 0 },
	/* against the buffer of 1 MB that the switch has */
	{ true, {}, { ID(RESERVE), 4, 1000001 }, -EINVAL },
	{ true, {}, { ID(RESERVE), 4, 1000000 }, 0 },
	{ true, {}, { ID(HEADROOM), 4, 1000001 }, -EINVAL },
	{ true, {}, { ID(HEADROOM), 4, TC_ROCE_HEADROOM_AUTO }, 0 },
	{ true, {}, { ID(XOFF), 4, 1000001 }, -EINVAL },
	{ true, {}, { ID(XOFF), 4, 1000000 }, 0 },
	/* against there being no switch */
	{ false, {}, { ID(RESERVE), 4, 1 }, -EINVAL },
	{ false, {}, { ID(ALPHA), 4, 1 }, -EINVAL },
	{ false, {}, { ID(XOFF), 4, 1 }, -EINVAL },
	{ false, {}, { ID(XON_OFFSET), 4, 4095 }, -EINVAL },
	{ false, {}, { ID(XON_OFFSET), 4, 4096 }, 0 },
	{ false, {}, { ID(HEADROOM), 4, 1 }, -EINVAL },
	{ false, {}, { ID(INT_RESPONSE), 4, 1 }, -EINVAL },
	{ false, {}, { ID(INT_RESPONSE), 4, 0 }, 0 },
	{ false, {}, { ID(LOSSLESS), 1, 1 }, 0 },
};

static struct sk_buff *prio_request(struct kunit *test, int id, int type,
				    int len, u32 value, struct nlattr **opt,
				    const void **attr)
{
	/* a longer one than the value is only there to be refused */
	u32 data[2] = { value };
	struct nlattr *nest;
	struct sk_buff *msg;

	*opt = options(test, &msg);
	nest = nla_nest_start(msg, TCA_ROCE_PRIO);
	KUNIT_ASSERT_NOT_NULL(test, nest);
	nla_put_u8(msg, TCA_ROCE_PRIO_ID, id);
	*attr = skb_tail_pointer(msg);
	nla_put(msg, type, len, data);
	nla_nest_end(msg, nest);
	nla_nest_end(msg, *opt);
	return msg;
}

static void roce_config__prio(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(prio_table); i++) {
		const struct prio_row *row = &prio_table[i];
		struct roce_config *cfg = new_config(test);
		struct netlink_ext_ack extack = {};
		struct nlattr *opt;
		struct sk_buff *msg;
		const void *attr;

		if (row->on_switch) {
			cfg->switch_id = 7;
			cfg->buffer_bytes = 1000000;
		}
		if (row->before.type) {
			msg = prio_request(test, 3, row->before.type,
					   row->before.len, row->before.value,
					   &opt, &attr);
			KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack),
					    0, "row %d: %s", i, extack._msg);
			nlmsg_free(msg);
		}
		msg = prio_request(test, 3, row->request.type, row->request.len,
				   row->request.value, &opt, &attr);
		if (row->err)
			expect_refused(test, cfg, opt, attr, row->err, i);
		else
			KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack),
					    0, "row %d: %s", i, extack._msg);
		nlmsg_free(msg);
	}
}

/* The port's options make a priority wrong that is not in the request. */
static void roce_config__port_against_prios(struct kunit *test)
{
	static const struct {
		u32 reserve, headroom, limit;
		bool lossless;
		u32 id_before, id;
		u64 buffer;
		int err;
	} table[] = {
		{ 0, 1000, 0, true, 7, 7, 8000, 0 },
		{ 0, 1000, 0, true, 7, 7, 7999, -EINVAL },
		{ 0, 1000, 0, true, 7, 7, 999, -EINVAL },
		{ 1000, TC_ROCE_HEADROOM_AUTO, 0, true, 7, 7, 8000, 0 },
		{ 1000, TC_ROCE_HEADROOM_AUTO, 0, true, 7, 7, 7999, -EINVAL },
		{ 1000, 2000, 0, true, 7, 7, 23999, -EINVAL },
		/* a lossy priority has no headroom */
		{ 1000, 2000, 0, false, 7, 7, 8000, 0 },
		{ 0, TC_ROCE_HEADROOM_AUTO, 5, true, 0, 7, 0, -EINVAL },
		{ 0, TC_ROCE_HEADROOM_AUTO, 5, false, 0, 7, 0, 0 },
		{ 5, TC_ROCE_HEADROOM_AUTO, 0, false, 7, 0, 0, -EINVAL },
		{ 0, TC_ROCE_HEADROOM_AUTO, 0, false, 7, 0, 0, 0 },
		/* the buffer of the switch that is left does not count */
		{ 2000, TC_ROCE_HEADROOM_AUTO, 0, false, 7, 8, 0, 0 },
		{ 2000, TC_ROCE_HEADROOM_AUTO, 0, false, 7, 7, 0, -EINVAL },
	};
	int i, n;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_config *cfg = new_config(test);
		struct netlink_ext_ack extack = {};
		struct nlattr *opt;
		struct sk_buff *msg;

		cfg->switch_id = table[i].id_before;
		cfg->buffer_bytes = cfg->switch_id ? 10000 : 0;
		for (n = 0; n < TC_ROCE_PRIOS; n++) {
			cfg->prio[n].limit_bytes = table[i].limit;
			cfg->prio[n].lossless = table[i].lossless;
			cfg->prio[n].mmu.reserve_bytes = table[i].reserve;
			cfg->prio[n].mmu.headroom_bytes = table[i].headroom;
		}
		opt = options(test, &msg);
		if (table[i].buffer)
			nla_put_u64_64bit(msg, TCA_ROCE_BUFFER, table[i].buffer,
					  TCA_ROCE_PAD);
		nla_put_u32(msg, TCA_ROCE_SWITCH, table[i].id);
		nla_nest_end(msg, opt);
		if (table[i].err)
			expect_refused(test, cfg, opt,
				       nla_find(nla_data(opt), nla_len(opt),
						table[i].buffer ?
						TCA_ROCE_BUFFER :
						TCA_ROCE_SWITCH),
				       table[i].err, i);
		else
			KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack),
					    0, "row %d: %s", i, extack._msg);
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
		struct roce_config *cfg = new_config(test);
		struct netlink_ext_ack extack = {};
		struct nlattr *opt;
		struct sk_buff *msg;

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
		KUNIT_EXPECT_EQ_MSG(test, roce_config_parse(cfg, opt, &extack),
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
	KUNIT_CASE(roce_config__prio),
	KUNIT_CASE(roce_config__port_against_prios),
	KUNIT_CASE(roce_config__bad_prio_id),
	{}
};

static struct kunit_suite roce_config_suite = {
	.name = "roce_config",
	.test_cases = roce_config_cases,
};

kunit_test_suite(roce_config_suite);
