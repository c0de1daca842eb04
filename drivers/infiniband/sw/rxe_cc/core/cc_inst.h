/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An algorithm in use on a port.
 */
#ifndef _RXE_CC_INST_H
#define _RXE_CC_INST_H

#include <linux/cache.h>
#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <rxe_cc/cc.h>

#include "cc_group.h"

struct in6_addr;
struct rxe_cc_peer_priv;
struct rxe_cc_port;
struct rxe_cc_qp;

/**
 * struct rxe_cc_inst - an algorithm in use on a port
 * @ops: the algorithm; its module is pinned
 * @params: current values; QPs point to them, so they are replaced, then freed
 * @priv: the algorithm's port state
 * @port: where it runs
 * @rx: what its flows receive at the port; NULL when it never wants to know
 * @algo_id: its number in packets
 * @congestion: enum rxe_cc_congestion, with &rxe_cc_ops.port_congestion. Without a lock
 * @lock: guards the next two, and @params while the timer's handler runs
 * @timer: of the algorithm's port state
 * @timer_ns: what it is armed for, or RXE_CC_NO_TIMER
 * @ready: port_init was called
 * @users: QPs, and one for the port when it is the default
 * @list: in &rxe_cc_port.insts
 * @group: flows that run it
 */
struct rxe_cc_inst {
	__cacheline_group_begin(rxe_cc_inst_read);

	const struct rxe_cc_ops *ops;
	u64 *params;
	void *priv;
	struct rxe_cc_port *port;
	struct rxe_cc_rx_port *rx;
	u32 algo_id;
	u8 congestion;

	__cacheline_group_end(rxe_cc_inst_read);

	spinlock_t lock ____cacheline_aligned; /* see above */
	struct hrtimer timer;
	u64 timer_ns;
	bool ready;
	unsigned int users;
	struct list_head list;
	struct rxe_cc_group group;
};

/* cc_inst_call.c */
void rxe_cc_inst_timer_init(struct rxe_cc_inst *inst);
void rxe_cc_inst_timer(struct rxe_cc_inst *inst, u64 at_ns, u64 now_ns);
int rxe_cc_inst_cmd(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		    const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c);
int rxe_cc_inst_check(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		      const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c);

/* cc_inst_life.c */
struct rxe_cc_inst *rxe_cc_inst_get(struct rxe_cc_port *port,
				    const struct rxe_cc_ops *ops);
void rxe_cc_inst_put(struct rxe_cc_port *port, struct rxe_cc_inst *inst);
u64 *rxe_cc_inst_set_params(struct rxe_cc_inst *inst, u64 *params);
void rxe_cc_inst_rules(struct rxe_cc_inst *inst);
struct rxe_cc_inst *rxe_cc_inst_find(struct rxe_cc_port *port, const char *name);
int rxe_cc_test_cmd(struct rxe_cc_qp *qp, const struct in6_addr *addr,
		    const char *name, struct rxe_cc_cmd_call *c);

#endif /* _RXE_CC_INST_H */
