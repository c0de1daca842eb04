// SPDX-License-Identifier: GPL-2.0
/*
 * Deficit weighted round robin, on a port with a byte a nanosecond: what each priority gets of the
 * line, against the bound of the algorithm.
 */
#include <kunit/test.h>
#include <net/inet_ecn.h>

#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"

#define BYTE_PER_NS	8000000000ULL
#define T0		1000000ULL
#define PACKETS		64

/* DSCPs of the default map, and their priorities. */
#define LOW_DSCP	0
#define LOW		0
#define DATA_DSCP	26
#define DATA		3
#define HIGH_DSCP	48
#define HIGH		6

static struct roce_port *weighted_port(struct kunit *test, u8 low, u8 data)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	roce_config_default(cfg);
	cfg->rate_bps = BYTE_PER_NS;
	cfg->overhead = 0;
	cfg->prio[LOW].dwrr_weight = low;
	cfg->prio[DATA].dwrr_weight = data;
	cfg->prio[DATA].lossless = true;
	return roce_test_port(test, 1, cfg);
}

static void arrive(struct kunit *test, struct roce_port *port, u8 dscp, u32 len, int n)
{
	while (n--) {
		struct sk_buff *skb = roce_test_ipv4(test, dscp << 2, len);

		KUNIT_ASSERT_EQ(test, roce_port_arrive(port, skb, T0), ROCE_ACCEPTED);
	}
}

/* The line becomes free and takes the next packet. */
static void next_packet(struct roce_port *port)
{
	u64 now_ns = port->line_free.ns;

	roce_switch_advance(port->sw, now_ns);
	consume_skb(roce_port_deliver(port, now_ns));
}

static u64 sent(const struct roce_port *port, int id)
{
	return port->prio[id].stats.tx_wire_bytes;
}

static void purge(struct roce_port *port)
{
	roce_port_purge(port, port->line_free.ns);
	roce_test_bury(port);
}

/* While both wait, at each packet, in units of 1 / @low and 1 / @data: n turns of each, or one more
 * of the one, and less than a packet saved up or overdrawn. The smaller quantum is at least 1 KiB.
 */
static void expect_shares(struct kunit *test, u8 low, u8 data, u32 low_len, u32 data_len)
{
	struct roce_port *port = weighted_port(test, low, data);
	u32 unit = DIV_ROUND_UP(1024, min(low, data));
	s64 bound = (s64)low * data * unit + (s64)data * low_len + (s64)low * data_len;
	u64 low_start, data_start;
	unsigned int i;

	arrive(test, port, HIGH_DSCP, 1000, 1);
	arrive(test, port, LOW_DSCP, low_len, PACKETS);
	arrive(test, port, DATA_DSCP, data_len, PACKETS);
	low_start = sent(port, LOW);
	data_start = sent(port, DATA);
	for (i = 0; port->prio[LOW].queue.head && port->prio[DATA].queue.head; i++) {
		s64 low_sent = sent(port, LOW) - low_start;
		s64 data_sent = sent(port, DATA) - data_start;

		KUNIT_EXPECT_LE(test, abs(low_sent * data - data_sent * low), bound);
		next_packet(port);
	}
	KUNIT_EXPECT_GE(test, i, PACKETS);
	purge(port);
}

static void roce_dwrr__shares(struct kunit *test)
{
	expect_shares(test, 1, 3, 1000, 1000);
	expect_shares(test, 3, 1, 1000, 1000);
	expect_shares(test, 1, 1, 1500, 100);
	expect_shares(test, 25, 75, 1500, 1500);
	expect_shares(test, 33, 67, 300, 1500);
	expect_shares(test, 255, 254, 1500, 1500);
	expect_shares(test, 1, 255, 60, 1500);
}

/* Whether weights are 3 and 1 or 75 and 25: never more than a few packets of one behind another. */
static void roce_dwrr__fine(struct kunit *test)
{
	static const u8 weights[][2] = { { 1, 3 }, { 25, 75 }, { 85, 255 } };
	unsigned int i, run, longest;

	for (i = 0; i < ARRAY_SIZE(weights); i++) {
		struct roce_port *port = weighted_port(test, weights[i][0], weights[i][1]);
		u64 was = 0;

		arrive(test, port, HIGH_DSCP, 1000, 1);
		arrive(test, port, LOW_DSCP, 1500, PACKETS);
		arrive(test, port, DATA_DSCP, 1500, PACKETS);
		for (run = longest = 0; port->prio[DATA].queue.head;) {
			next_packet(port);
			run = sent(port, DATA) > was ? run + 1 : 0;
			was = sent(port, DATA);
			longest = max(longest, run);
		}
		/* LOW has its packet after two turns at most. So DATA has two quanta of up to
		 * 3 * 1025 bytes, and less than a packet saved: 7650 at most. On average three.
		 */
		KUNIT_EXPECT_LE(test, longest, 5);
		KUNIT_EXPECT_GE(test, longest, 3);
		purge(port);
	}
}

/* Strict ones go first, also if their number is the lowest. */
static void roce_dwrr__strict_first(struct kunit *test)
{
	struct roce_port *port = weighted_port(test, 0, 5);

	port->cfg.prio[HIGH].dwrr_weight = 1;
	roce_dwrr_set_weights(port);
	arrive(test, port, HIGH_DSCP, 1000, 3);
	arrive(test, port, DATA_DSCP, 1000, 2);
	arrive(test, port, LOW_DSCP, 1000, 2);
	next_packet(port);
	next_packet(port);
	KUNIT_EXPECT_EQ(test, sent(port, LOW), 2000);
	KUNIT_EXPECT_EQ(test, sent(port, DATA) + sent(port, HIGH), 1000);
	purge(port);
}

/* What is paused is passed over, does not hold up others and does not collect. */
static void roce_dwrr__paused(struct kunit *test)
{
	struct roce_port *port = weighted_port(test, 1, 3);
	s32 saved;

	arrive(test, port, HIGH_DSCP, 1000, 1);
	arrive(test, port, LOW_DSCP, 1000, 20);
	arrive(test, port, DATA_DSCP, 1000, 20);
	port->prio[DATA].pause.until.ns = T0 + 1000000;
	port->pfc.paused |= BIT(DATA);
	saved = port->dwrr.deficit_bytes[DATA];
	for (int i = 0; i < 10; i++)
		next_packet(port);
	KUNIT_EXPECT_EQ(test, sent(port, DATA), 0);
	KUNIT_EXPECT_EQ(test, sent(port, LOW), 10000);
	KUNIT_EXPECT_EQ(test, port->dwrr.deficit_bytes[DATA], saved);
	purge(port);
}

/* Who has waited for nothing has no credit, however often its turn could have come. */
static void roce_dwrr__no_credit(struct kunit *test)
{
	struct roce_port *port = weighted_port(test, 1, 3);

	arrive(test, port, HIGH_DSCP, 1000, 1);
	arrive(test, port, LOW_DSCP, 1000, 40);
	while (port->prio[LOW].queue.qlen > 20)
		next_packet(port);
	KUNIT_EXPECT_EQ(test, port->dwrr.deficit_bytes[DATA], 0);
	arrive(test, port, DATA_DSCP, 1000, 1);
	while (port->prio[DATA].queue.head)
		next_packet(port);
	KUNIT_EXPECT_EQ(test, port->dwrr.deficit_bytes[DATA], 0);
	purge(port);
	KUNIT_EXPECT_EQ(test, port->dwrr.deficit_bytes[LOW], 0);
}

static struct kunit_case roce_dwrr_cases[] = {
	KUNIT_CASE(roce_dwrr__shares),
	KUNIT_CASE(roce_dwrr__fine),
	KUNIT_CASE(roce_dwrr__strict_first),
	KUNIT_CASE(roce_dwrr__paused),
	KUNIT_CASE(roce_dwrr__no_credit),
	{}
};

static struct kunit_suite roce_dwrr_suite = {
	.name = "roce_dwrr",
	.test_cases = roce_dwrr_cases,
};

kunit_test_suite(roce_dwrr_suite);
