/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A group of flows that share the algorithm's state on a port or for a peer.
 */
#ifndef _RXE_CC_FLOW_GROUP_H
#define _RXE_CC_FLOW_GROUP_H

#include <linux/list.h>
#include <linux/workqueue.h>

/* Whose state they share. */
enum rxe_cc_group_kind {
	RXE_CC_GROUP_PORT,
	RXE_CC_GROUP_PEER,
	RXE_CC_NR_GROUPS,
};

/**
 * struct rxe_cc_group - flows that share state
 * @qps: queue pairs, by &rxe_cc_qp.in_group; changed under port->mutex, read under
 *	RCU by @work
 * @work: calls on_group of each
 * @kind: which entry of &rxe_cc_qp.in_group
 */
struct rxe_cc_group {
	struct list_head qps;
	struct work_struct work;
	enum rxe_cc_group_kind kind;
};

void rxe_cc_group_init(struct rxe_cc_group *g, enum rxe_cc_group_kind kind);

/**
 * rxe_cc_group_kick() - have on_group called for all who are in a group, soon
 * @g: group
 *
 * Context: any.
 */
static inline void rxe_cc_group_kick(struct rxe_cc_group *g)
{
	queue_work(system_bh_wq, &g->work);
}

#endif /* _RXE_CC_FLOW_GROUP_H */
