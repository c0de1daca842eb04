/* SPDX-License-Identifier: GPL-2.0 */
/* Deficit weighted round robin between priorities; see roce_dwrr.c. */
#ifndef _ROCE_DWRR_H
#define _ROCE_DWRR_H

#include <linux/types.h>

#include <linux/pkt_sched_roce.h>

struct roce_port;

/**
 * struct roce_dwrr - turns of the weighted priorities of a port
 * @turn: the priority whose turn it is
 * @quantum_bytes: per priority, what it may send more each time its turn comes
 * @deficit_bytes: per priority, what it may still send in this turn, or has sent beyond it
 */
struct roce_dwrr {
	u8 turn;
	u32 quantum_bytes[TC_ROCE_PRIOS];
	s32 deficit_bytes[TC_ROCE_PRIOS];
};

void roce_dwrr_set_weights(struct roce_port *port);
u8 roce_dwrr_next(struct roce_port *port, unsigned long ready);
void roce_dwrr_sent(struct roce_port *port, u8 id, u32 wire_bytes);
void roce_dwrr_emptied(struct roce_port *port, u8 id);

#endif /* _ROCE_DWRR_H */
