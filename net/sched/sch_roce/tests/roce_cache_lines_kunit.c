// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the CPU cache lines that a packet's hop through a port touches: a data packet that
 * comes to a lossless port of a switch, waits, is sent, crosses the wire and is delivered.
 * Counted by the fields that it reads or writes there, at the port that it leaves by and at that
 * which it came in by.
 */
#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/math.h>
#include <linux/spinlock.h>

#include "../roce_feature.h"
#include "roce_test_packets.h"

#define LINE		64
#define LINES		(round_up(sizeof(struct roce_port), LINE) / LINE)
#define DSCP		26
#define PRIO		3

struct layout_field {
	size_t offset;
	size_t bytes;
};

#define FIELD(name)	{ offsetof(struct roce_port, name), sizeof_field(struct roce_port, name) }

static const struct layout_field layout_leaves[] = {
	FIELD(sw), FIELD(sending), FIELD(line_free), FIELD(backlog), FIELD(bytes), FIELD(hist),
	FIELD(owned), FIELD(wire), FIELD(wire_bytes), FIELD(last_due_ns), FIELD(tx_wire_bytes),
	FIELD(features), FIELD(hooked), FIELD(by_class[DSCP]), FIELD(timer_ns), FIELD(due_ns), FIELD(slot),
	FIELD(kick), FIELD(pfc.paused), FIELD(pfc.storm), FIELD(pfc.to_send),
	FIELD(cfg.rate_bps), FIELD(cfg.overhead), FIELD(cfg.delay_ns), FIELD(cfg.wire_bytes),
	FIELD(cfg.wire_packets), FIELD(cfg.dscp_prio[DSCP]), FIELD(prio[PRIO].queue),
	FIELD(prio[PRIO].bytes), FIELD(prio[PRIO].area), FIELD(prio[PRIO].stats.peak_bytes),
	FIELD(prio[PRIO].stats.tx_packets), FIELD(prio[PRIO].stats.tx_wire_bytes),
};

static const struct layout_field layout_came_in[] = {
	FIELD(slot), FIELD(pfc.xoff), FIELD(cfg.dscp_prio[DSCP]), FIELD(cfg.prio[PRIO]),
	FIELD(prio[PRIO].in),
};

static int layout_lines(struct kunit *test, const struct layout_field *f, size_t n)
{
	unsigned long *lines = kunit_kcalloc(test, BITS_TO_LONGS(LINES), sizeof(long), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, lines);
	for (; n; n--, f++)
		bitmap_set(lines, f->offset / LINE,
			   (f->offset + f->bytes - 1) / LINE - f->offset / LINE + 1);
	return bitmap_weight(lines, LINES);
}

/*
 * Of the port that it leaves by: 169 bytes of state are three lines, 32 of options one, 80 of the
 * queue two, and an entry of each of two tables by DSCP one each. Of the other: an entry of two
 * tables, an account, and its number beside the pauses.
 */
static void roce_cache_lines__hop(struct kunit *test)
{
	int leaves = layout_lines(test, layout_leaves, ARRAY_SIZE(layout_leaves));
	int came_in = layout_lines(test, layout_came_in, ARRAY_SIZE(layout_came_in));

	kunit_info(test, "a hop touches %d lines of cache of the port, %d of the one that it came in by",
		   leaves, came_in);
	/* A queue of packets has a lock in it that nobody takes. */
	if (sizeof(spinlock_t) > sizeof(u32))
		kunit_skip(test, "locks are larger in this kernel");
	KUNIT_EXPECT_LE(test, leaves, 8);
	KUNIT_EXPECT_LE(test, came_in, 4);
}

static struct kunit_case roce_cache_lines_cases[] = {
	KUNIT_CASE(roce_cache_lines__hop),
	{}
};

static struct kunit_suite roce_cache_lines_suite = {
	.name = "roce_cache_lines",
	.test_cases = roce_cache_lines_cases,
};

kunit_test_suite(roce_cache_lines_suite);
