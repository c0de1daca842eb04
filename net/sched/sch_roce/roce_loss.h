/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that a line has sent and that do not arrive. */
#ifndef _ROCE_LOSS_H
#define _ROCE_LOSS_H

#include <linux/prandom.h>
#include <linux/types.h>

struct roce_lost_flows;
struct roce_port;
struct sk_buff;

/**
 * enum roce_lost - why a packet that is sent does not arrive
 * @ROCE_LOST_WIRE_FULL: the wire holds what it may
 * @ROCE_LOST_RANDOM: by the option "loss"
 * @ROCE_LOST_DOWN: the link is down
 */
enum roce_lost {
	ROCE_LOST_WIRE_FULL,
	ROCE_LOST_RANDOM,
	ROCE_LOST_DOWN,
};

/**
 * struct roce_loss - random losses of a port
 * @rnd: random numbers, of nobody else: whether packets are lost moves no other draw
 * @seed: what they started from
 * @seeded: they have
 * @threshold: a packet is lost when a random number of 64 bits is below it
 * @always: every packet is
 * @flows: whose packets were lost, whatever the reason; NULL: nobody wants to know
 */
struct roce_loss {
	struct rnd_state rnd;
	u64 seed;
	u64 threshold;
	bool seeded;
	bool always;
	struct roce_lost_flows *flows;
};

void roce_loss_set(struct roce_loss *loss, u32 loss_ppb, u64 seed);
bool roce_loss_draw(struct roce_loss *loss);
bool roce_loss_takes(struct roce_port *port);
void roce_loss_count(struct roce_port *port, const struct sk_buff *skb, enum roce_lost why,
		     u64 at_ns);

#endif /* _ROCE_LOSS_H */
