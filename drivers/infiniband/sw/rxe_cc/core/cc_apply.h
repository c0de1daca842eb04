/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of an algorithm, and what they lead to.
 */
#ifndef _RXE_CC_APPLY_H
#define _RXE_CC_APPLY_H

#include "cc_qp.h"

void rxe_cc_qp_timers_init(struct rxe_cc_qp *qp);
bool rxe_cc_window_full(const struct rxe_cc_qp *qp);
void rxe_cc_pace_arm(struct rxe_cc_qp *qp);
unsigned long rxe_cc_qp_apply(struct rxe_cc_qp *qp, u64 now_ns, u8 event);
void rxe_cc_qp_kick(struct rxe_cc_qp *qp, u64 now_ns);
unsigned long rxe_cc_qp_pace(struct rxe_cc_qp *qp, u64 now_ns);
unsigned long rxe_cc_call(struct rxe_cc_qp *qp, u8 event,
			  void (*fn)(struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s),
			  const struct rxe_cc_sample *s);
unsigned long rxe_cc_call_ack(struct rxe_cc_qp *qp,
			      const struct rxe_cc_sample *s);
int rxe_cc_qp_cmd(struct rxe_cc_qp *qp, const struct rxe_cc_cmd *cmd,
		  struct rxe_cc_cmd_call *c);
void rxe_cc_congested(struct rxe_cc_qp *qp, u8 before, u64 now_ns);

/**
 * rxe_cc_congestion() - what the algorithm is about to change if it sees another type
 * @qp: queue pair
 *
 * Context: qp->lock held.
 *
 * Return: for rxe_cc_congestion_done().
 */
static inline u8 rxe_cc_congestion(struct rxe_cc_qp *qp)
{
	if (qp->inst->ops->port_congestion)
		qp->flow.congestion = READ_ONCE(qp->inst->congestion);
	return qp->flow.congestion;
}

/**
 * rxe_cc_congestion_done() - it has been called
 * @qp: queue pair
 * @before: from rxe_cc_congestion()
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
static inline void rxe_cc_congestion_done(struct rxe_cc_qp *qp, u8 before, u64 now_ns)
{
	if (unlikely(qp->flow.congestion != before))
		rxe_cc_congested(qp, before, now_ns);
}

#endif /* _RXE_CC_APPLY_H */
