// SPDX-License-Identifier: GPL-2.0
/*
 * Deficit weighted round robin (M. Shreedhar, G. Varghese: Efficient Fair Queuing Using Deficit
 * Round Robin, SIGCOMM 1995): the priorities of a port that have a weight take turns on what the
 * strict ones leave of the line, as the traffic classes with a bandwidth share of IEEE 802.1Qaz.
 *
 * When its turn comes a priority may send a quantum more, in proportion to its weight. What is
 * too little for its next packet it keeps for its next turn. One that waits for nothing has no
 * credit. A paused one is passed over and keeps what it has.
 *
 * The smallest quantum is about 1 KiB, less than a packet, whatever the numbers: so weights of 75
 * and 25 are served just as finely as 3 and 1. While two priorities wait, the bytes that they have
 * sent, divided by their quanta, differ by at most 1 + p / q of the one and the other, with p the
 * longest packet and q the quantum.
 *
 * Context of everything here: lock of the switch held, bottom halves off.
 */
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/module.h>

#include "roce_dwrr.h"
#include "roce_port.h"

/* Of the priority with the smallest weight, in wire bytes. */
#define ROCE_DWRR_SMALLEST	1024

/**
 * roce_dwrr_set_weights - the configuration has changed
 * @port: port
 *
 * What had been saved up by the old weights is no longer worth what it was.
 */
void roce_dwrr_set_weights(struct roce_port *port)
{
	const struct roce_prio_config *prio = port->cfg.prio;
	struct roce_dwrr *dwrr = &port->dwrr;
	u32 least = U32_MAX, unit;
	int id;

	port->weighted = 0;
	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		if (!prio[id].dwrr_weight)
			continue;
		port->weighted |= BIT(id);
		least = min_t(u32, least, prio[id].dwrr_weight);
	}
	unit = DIV_ROUND_UP(ROCE_DWRR_SMALLEST, least);
	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		u32 quantum_bytes = prio[id].dwrr_weight * unit;

		if (dwrr->quantum_bytes[id] != quantum_bytes)
			dwrr->deficit_bytes[id] = 0;
		dwrr->quantum_bytes[id] = quantum_bytes;
	}
}
EXPORT_SYMBOL_IF_KUNIT(roce_dwrr_set_weights);

static u8 roce_dwrr_after(u8 id, unsigned long ready)
{
	unsigned long later = ready & ~GENMASK(id, 0);

	return __ffs(later ?: ready);
}

/**
 * roce_dwrr_next - whose packet is sent next
 * @port: port
 * @ready: bit per priority that has a weight, waits and is not paused; at least one
 *
 * A packet of 64 KiB has its turn after 64 rounds, one of 4 KiB after four.
 *
 * Return: priority.
 */
u8 roce_dwrr_next(struct roce_port *port, unsigned long ready)
{
	struct roce_dwrr *dwrr = &port->dwrr;
	const struct sk_buff *head;
	u8 id = dwrr->turn;

	for (;;) {
		head = port->prio[id].queue.head;
		if (ready & BIT(id) &&
		    dwrr->deficit_bytes[id] >= (s64)roce_skb_cb(head)->wire_bytes)
			break;
		id = roce_dwrr_after(id, ready);
		dwrr->deficit_bytes[id] += dwrr->quantum_bytes[id];
	}
	dwrr->turn = id;
	return id;
}

/**
 * roce_dwrr_sent - a packet of a weighted priority has started
 * @port: port
 * @id: its priority
 * @wire_bytes: its length, what features have added included
 *
 * Of one that went without waiting, or was the last, nothing is to be charged.
 */
void roce_dwrr_sent(struct roce_port *port, u8 id, u32 wire_bytes)
{
	if (port->backlog & BIT(id))
		port->dwrr.deficit_bytes[id] -= wire_bytes;
}

/**
 * roce_dwrr_emptied - nothing waits any more in a weighted priority
 * @port: port
 * @id: priority
 */
void roce_dwrr_emptied(struct roce_port *port, u8 id)
{
	port->dwrr.deficit_bytes[id] = 0;
}
