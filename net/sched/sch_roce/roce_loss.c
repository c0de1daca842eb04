// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that a line has sent and that do not arrive: random losses, as of a dirty fibre (option
 * "loss"), and all packets while the link is down (option "link").
 *
 * The port treats such a packet as any other until its last byte has left. So the line is as busy,
 * queues drain, and features see what they would see. Then the packet is freed and counted.
 * A link that goes down also loses what is under way, and no pause is in force any more: neither
 * side could hear the end of one. When it is up again the pauses that this port still wants are
 * sent anew.
 *
 * Why not take the device down: the stack would drop the device's routes at once, which in a real
 * network takes as long as the routing protocol needs.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/skbuff.h>

#include "roce_loss.h"
#include "roce_lost_flows.h"
#include "roce_port.h"
#include "roce_trace.h"

/* Another sequence than that of ECN, which starts from the same option "seed". */
#define ROCE_LOSS_SEED		0x9e3779b97f4a7c15ULL

/* The generator's first numbers after a small seed are small: skip them. */
static void roce_loss_seed(struct roce_loss *loss, u64 seed)
{
	int i;

	prandom_seed_state(&loss->rnd, seed ^ ROCE_LOSS_SEED);
	for (i = 0; i < 16; i++)
		prandom_u32_state(&loss->rnd);
	loss->seed = seed;
	loss->seeded = true;
}

/**
 * roce_loss_set - a port's losses have changed, or its seed
 * @loss: random losses
 * @loss_ppb: probability in parts per billion, up to %TC_ROCE_LOSS_ONE
 * @seed: of the port
 *
 * The random numbers start anew only with another seed.
 */
void roce_loss_set(struct roce_loss *loss, u32 loss_ppb, u64 seed)
{
	loss->always = loss_ppb == TC_ROCE_LOSS_ONE;
	/* 2^64 / 10^9 is 18446744073.7: cut off, so at most 4e-11 of the probability too low. */
	loss->threshold = loss->always ? U64_MAX : loss_ppb * (U64_MAX / TC_ROCE_LOSS_ONE);
	if (!loss->seeded || loss->seed != seed)
		roce_loss_seed(loss, seed);
}
EXPORT_SYMBOL_IF_KUNIT(roce_loss_set);

/**
 * roce_loss_draw - is the next packet lost
 * @loss: random losses
 *
 * Return: true with the probability that was set.
 */
bool roce_loss_draw(struct roce_loss *loss)
{
	u64 high = prandom_u32_state(&loss->rnd);

	return (high << 32 | prandom_u32_state(&loss->rnd)) < loss->threshold || loss->always;
}
EXPORT_SYMBOL_IF_KUNIT(roce_loss_draw);

/**
 * roce_loss_takes - will the packet that a lossy port begins to send be lost
 * @port: port with @lossy
 *
 * Return: true if so; @port->lost_why says why.
 */
bool roce_loss_takes(struct roce_port *port)
{
	if (port->cfg.link == TC_ROCE_LINK_DOWN) {
		port->lost_why = ROCE_LOST_DOWN;
		return true;
	}
	if (!roce_loss_draw(&port->loss))
		return false;
	port->lost_why = ROCE_LOST_RANDOM;
	return true;
}

/**
 * roce_loss_count - count and trace a packet that was sent and does not arrive
 * @port: port
 * @skb: packet
 * @why: why
 * @at_ns: when
 */
void roce_loss_count(struct roce_port *port, const struct sk_buff *skb, enum roce_lost why,
		     u64 at_ns)
{
	const struct roce_skb_cb *cb = roce_skb_cb(skb);

	if (why == ROCE_LOST_WIRE_FULL) {
		if (cb->flags & ROCE_SKB_PFC)
			port->stats.pfc_tx_nomem++;
		else
			roce_queue_count_drop(port, skb, at_ns, ROCE_DROP_WIRE_LIMIT);
		return;
	}
	if (why == ROCE_LOST_RANDOM)
		port->stats.lost++;
	else
		port->stats.lost_down++;
	port->stats.lost_wire_bytes += cb->wire_bytes;
	trace_roce_lost(port, skb, at_ns, why);
	if (unlikely(port->loss.flows))
		roce_lost_flows_note(port->loss.flows, port, skb);
}
