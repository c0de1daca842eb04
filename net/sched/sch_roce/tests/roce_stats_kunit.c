// SPDX-License-Identifier: GPL-2.0
/* Statistics as netlink attributes: what is sent, and that it fits. */
#include <kunit/test.h>
#include <linux/skbuff.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>

#include "features/ecn/roce_ecn.h"
#include "features/int/roce_int_port.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"

/* A port of a switch where all that can happen has happened, @scale times, in
 * all of its priorities, which are lossless.
 */
static struct roce_port *busy_port(struct kunit *test, struct roce_switch *sw,
				   u64 scale)
{
	struct roce_port *port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	struct roce_ecn *ecn = kunit_kzalloc(test, sizeof(*ecn), GFP_KERNEL);
	struct roce_int_port *state = kunit_kzalloc(test, sizeof(*state),
						    GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, port);
	KUNIT_ASSERT_NOT_NULL(test, ecn);
	KUNIT_ASSERT_NOT_NULL(test, state);
	port->feature[roce_ecn_feature.slot] = ecn;
	roce_config_default(&port->cfg);
	port->cfg.switch_id = 7;
	port->cfg.buffer_bytes = U64_MAX;
	port->sw = sw;
	port->tx_wire_bytes = U64_MAX;
	memset(state, 0xff, sizeof(*state));
	port->feature[roce_int_feature.slot] = state;
	port->pfc.paused = 0xff;
	port->pfc.xoff = 0xff;
	port->stats = (struct roce_port_stats){
		.pfc_tx = scale, .pfc_tx_nomem = scale, .pfc_rx = scale, .pfc_bad = scale,
		.pfc_other = scale,
	};
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		struct roce_prio *prio = &port->prio[i];
		struct roce_account acct = {
			.reserved_bytes = scale, .shared_bytes = scale,
			.headroom_bytes = scale, .headroom_size = scale,
			.peak_bytes = scale, .headroom_peak_bytes = scale,
		};

		port->cfg.prio[i].lossless = true;
		prio->bytes = scale;
		prio->queue.qlen = 1000000;
		prio->area.units = U64_MAX;
		prio->stats.tx_packets = scale;
		prio->stats.tx_wire_bytes = U64_MAX;
		ecn->stats[i].marked = scale;
		ecn->stats[i].not_ect = scale;
		prio->stats.drop_headroom = scale;
		prio->stats.drop_watchdog = scale;
		prio->stats.peak_bytes = scale;
		prio->in = acct;
		prio->pause = (struct roce_pause){
			.pause_ns = U64_MAX / 2, .since_ns = 1,
			.indications = scale, .resumed = scale,
			.storms = scale, .until = { .ns = U64_MAX / 2 },
		};
		prio->xoff = (struct roce_xoff){
			.xoff_ns = U64_MAX / 2, .since_ns = 1,
			.requests = scale, .resumes = scale,
		};
	}
	return port;
}

/* Like the kernel's tc_fill_qdisc(), but for its own statistics. */
static int fill(struct sk_buff *msg, struct roce_port *port,
		struct nlattr **stats)
{
	struct nlmsghdr *nlh = nlmsg_put(msg, 0, 0, RTM_NEWQDISC,
					 sizeof(struct tcmsg), 0);
	struct nlattr *opt, *stats2;
	int err;

	if (!nlh || nla_put_string(msg, TCA_KIND, TC_ROCE_KIND))
		return -EMSGSIZE;
	opt = nla_nest_start_noflag(msg, TCA_OPTIONS);
	if (!opt || roce_dump_config(&port->cfg, msg))
		return -EMSGSIZE;
	nla_nest_end(msg, opt);
	stats2 = nla_nest_start_noflag(msg, TCA_STATS2);
	if (!stats2)
		return -EMSGSIZE;
	*stats = (struct nlattr *)skb_tail_pointer(msg);
	err = roce_dump_stats(port, 1000, msg);
	if (err)
		return err;
	nla_nest_end(msg, stats2);
	nlmsg_end(msg, nlh);
	return 0;
}

static struct roce_switch *new_switch(struct kunit *test)
{
	struct roce_switch *sw = kunit_kzalloc(test, sizeof(*sw), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sw);
	sw->id = 7;
	sw->bridge = 5;
	sw->shared = true;
	sw->nr_ports = 64;
	sw->nr_xoff = 512;
	memset(&sw->mmu, 0x7f, sizeof(sw->mmu));
	return sw;
}

static u64 attr_uint(const struct nlattr *attr)
{
	return !attr ? 0 : nla_len(attr) == sizeof(u8) ? nla_get_u8(attr) :
	       nla_get_uint(attr);
}

static int count_prios(const struct nlattr *stats)
{
	const struct nlattr *attr;
	int rem, count = 0;

	nla_for_each_nested(attr, stats, rem)
		count += nla_type(attr) == TCA_ROCE_XSTATS_PRIO;
	return count;
}

static u64 truncated(const struct nlattr *stats)
{
	return attr_uint(nla_find(nla_data(stats), nla_len(stats),
				  TCA_ROCE_XSTATS_TRUNCATED));
}

/* The smallest message that the kernel makes has room for all of a port where
 * every priority is lossless and busy, and for what the kernel adds: 200 bytes
 * are more than its three structures and padding need.
 */
static void roce_stats__all_fit(struct kunit *test)
{
	struct roce_port *port = busy_port(test, new_switch(test), 4000000000);
	/* the options of the test feature, which only tests have */
	int probe = nla_total_size(sizeof(u64)) +
		    TC_ROCE_PRIOS * nla_total_size(sizeof(u32));
	struct nlattr *stats;
	struct sk_buff *msg;

	msg = alloc_skb(NLMSG_GOODSIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, msg);
	KUNIT_ASSERT_EQ(test, fill(msg, port, &stats), 0);
	KUNIT_EXPECT_EQ(test, truncated(stats), 0);
	KUNIT_EXPECT_EQ(test, count_prios(stats), 8);
	KUNIT_EXPECT_GE(test, skb_tailroom(msg) + probe, 200);
	nlmsg_free(msg);
}

/* What does not fit is named, and room for the kernel's own remains (the
 * attributes of the three structures make 88 bytes, padding up to 12 more),
 * whatever the size of the message.
 */
static void roce_stats__truncated(struct kunit *test)
{
	struct roce_port *port = busy_port(test, new_switch(test), U64_MAX / 4);
	struct nlattr *stats;
	struct sk_buff *msg;
	int room;

	for (room = 2000; room < 3600; room += 12) {
		u64 lost;

		msg = nlmsg_new(4000, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, msg);
		skb_reserve(msg, skb_tailroom(msg) - room);
		KUNIT_ASSERT_EQ(test, fill(msg, port, &stats), 0);
		lost = truncated(stats);
		KUNIT_EXPECT_NE(test, lost, 0);
		KUNIT_EXPECT_EQ(test, count_prios(stats) + hweight8(lost), 8);
		KUNIT_EXPECT_GE_MSG(test, skb_tailroom(msg), 100, "room %d",
				    room);
		nlmsg_free(msg);
	}
}

/* Behind another message nothing is truncated: it goes into the next one. */
static void roce_stats__not_first(struct kunit *test)
{
	struct roce_port *port = busy_port(test, new_switch(test), 1);
	struct nlattr *stats;
	struct sk_buff *msg;

	msg = nlmsg_new(4000, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, msg);
	skb_reserve(msg, skb_tailroom(msg) - 6000);
	KUNIT_ASSERT_EQ(test, fill(msg, port, &stats), 0);
	KUNIT_EXPECT_EQ(test, fill(msg, port, &stats), -EMSGSIZE);
	nlmsg_free(msg);
}

/* Nothing has happened: only priorities that a DSCP maps to or that are
 * lossless, and next to nothing in them. Then one figure at a time.
 */
static void roce_stats__figures(struct kunit *test)
{
	struct nlattr *stats, *tb[TCA_ROCE_PSTATS_MAX + 1];
	struct roce_switch *sw = new_switch(test);
	struct roce_port *port;
	struct nlattr *attr;
	struct sk_buff *msg;
	int rem, n = 0;
	static const u8 want[] = { 0, 3, 5, 6, 7 };

	sw->shared = false;
	port = kunit_kzalloc(test, sizeof(*port), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, port);
	roce_config_default(&port->cfg);
	port->sw = sw;
	port->cfg.prio[5].lossless = true;
	port->prio[7].pause.ignored = 9;
	port->prio[5].pause = (struct roce_pause){
		.pause_ns = 100, .since_ns = 700, .indications = 1ULL << 32,
		.until = { .ns = 5000 },
	};
	port->pfc.paused = BIT(5);

	msg = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, msg);
	KUNIT_ASSERT_EQ(test, fill(msg, port, &stats), 0);
	nla_for_each_nested(attr, stats, rem) {
		KUNIT_EXPECT_NE(test, nla_type(attr), TCA_ROCE_XSTATS_SWITCH);
		if (nla_type(attr) != TCA_ROCE_XSTATS_PRIO)
			continue;
		KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(want));
		KUNIT_ASSERT_EQ(test, nla_parse_nested_deprecated(tb, TCA_ROCE_PSTATS_MAX,
								  attr, NULL, NULL), 0);
		KUNIT_EXPECT_EQ(test, attr_uint(tb[TCA_ROCE_PSTATS_ID]),
				want[n++]);
		if (want[n - 1] == 5) {
			/* 1000 is now */
			KUNIT_EXPECT_EQ(test, attr_uint(tb[TCA_ROCE_PSTATS_PAUSE_NS]),
					400);
			KUNIT_EXPECT_EQ(test, attr_uint(tb[TCA_ROCE_PSTATS_PAUSED]), 1);
			KUNIT_EXPECT_EQ(test, attr_uint(tb[TCA_ROCE_PSTATS_PFC_INDICATIONS]),
					1ULL << 32);
		} else if (want[n - 1] == 0) {
			KUNIT_EXPECT_EQ(test, nla_len(attr), nla_total_size(1));
		}
	}
	KUNIT_EXPECT_EQ(test, n, ARRAY_SIZE(want));
	nlmsg_free(msg);
}

static struct kunit_case roce_stats_cases[] = {
	KUNIT_CASE(roce_stats__all_fit),
	KUNIT_CASE(roce_stats__truncated),
	KUNIT_CASE(roce_stats__not_first),
	KUNIT_CASE(roce_stats__figures),
	{}
};

static struct kunit_suite roce_stats_suite = {
	.name = "roce_stats",
	.test_cases = roce_stats_cases,
};

kunit_test_suite(roce_stats_suite);
