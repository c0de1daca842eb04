// SPDX-License-Identifier: GPL-2.0
/*
 * What a feature costs a packet: arrival, departure and delivery at a port in whose queue
 * 10000 others wait. Prints, and asserts nothing: machines differ. In virtual time nothing
 * takes time; see Documentation/devel/testing.md for real time.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>

#include "../roce_switch.h"
#include "roce_feature_cost.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define COST_BLOCK	1000
#define COST_BLOCKS	500

/**
 * roce_cost_config() - a switch of its own, whose priority 3 never fills
 * @test: test
 *
 * Return: its ports' configuration.
 */
struct roce_config *roce_cost_config(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	static u32 next_switch = 3000;

	cfg->switch_id = next_switch++;
	cfg->buffer_bytes = 64 << 20;
	cfg->prio[3].mmu.xoff_bytes = 32 << 20;
	return cfg;
}

static int cost_cmp(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b ? -1 :
	       *(const u64 *)a > *(const u64 *)b;
}

/* One packet goes, and comes again as the last of the queue. */
static u64 cost_block(struct kunit *test, struct roce_port *port, u64 *now_ns)
{
	u64 start_ns = ktime_get_ns();
	int i;

	for (i = 0; i < COST_BLOCK; i++) {
		struct sk_buff *skb;

		*now_ns += COST_LEN;
		skb = roce_port_deliver(port, *now_ns);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		roce_port_arrive(port, skb, *now_ns);
	}
	return ktime_get_ns() - start_ns;
}

static void cost_drain(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;

	while ((skb = roce_port_deliver(port, now_ns)))
		kfree_skb(skb);
}

/**
 * roce_cost_of() - let the packets that wait go round
 * @test: test
 * @port: where COST_PACKETS have come at T0
 * @back: where replies go; drained, as @port is
 *
 * Return: median of the blocks, in ns per 100 packets.
 */
u64 roce_cost_of(struct kunit *test, struct roce_port *port, struct roce_port *back)
{
	u64 *block_ns = kunit_kcalloc(test, COST_BLOCKS, sizeof(u64), GFP_KERNEL);
	u64 now_ns = T0;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, block_ns);
	for (i = 0; i < COST_BLOCKS; i++) {
		preempt_disable();
		block_ns[i] = cost_block(test, port, &now_ns);
		preempt_enable();
	}
	cost_drain(port, now_ns + 2 * COST_PACKETS * COST_LEN);
	cost_drain(back, now_ns + 2 * COST_PACKETS * COST_LEN);
	sort(block_ns, COST_BLOCKS, sizeof(u64), cost_cmp, NULL);
	return block_ns[COST_BLOCKS / 2] / (COST_BLOCK / 100);
}

/**
 * roce_cost_tell() - print it
 * @test: test
 * @what: what was measured
 * @ns: from roce_cost_of()
 */
void roce_cost_tell(struct kunit *test, const char *what, u64 ns)
{
	if (!ns)
		kunit_info(test, "%s: no time passes here", what);
	else
		kunit_info(test, "%s: %llu.%02llu ns a packet, %d waiting (median of %d blocks of %d)",
			   what, ns / 100, ns % 100, COST_PACKETS, COST_BLOCKS, COST_BLOCK);
}
