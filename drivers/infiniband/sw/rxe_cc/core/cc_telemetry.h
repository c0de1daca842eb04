/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Telemetry and what else answers tell.
 */
#ifndef _RXE_CC_TELEMETRY_H
#define _RXE_CC_TELEMETRY_H

#include <linux/percpu.h>

#include "cc_qp.h"
#include "cc_wire.h"

/**
 * struct rxe_cc_hops - telemetry of the call under way: too much for a stack
 * @hop: as the algorithm sees it
 *
 * One for each CPU: whoever uses it holds a queue pair's lock with bottom halves off until the
 * call is over, and no call is made from within another.
 */
struct rxe_cc_hops {
	struct rxe_cc_int_hop hop[RXE_CC_INT_MAX_HOPS];
};

DECLARE_PER_CPU(struct rxe_cc_hops, rxe_cc_hops);

bool rxe_cc_qp_feedback(struct rxe_cc_qp *qp, struct rxe_cc_feedback *fb,
			const void *tlv, unsigned int tlv_bytes);
bool rxe_cc_qp_hops(struct rxe_cc_qp *qp, struct rxe_cc_extend *e,
		    const struct rxe_cc_feedback *fb, u64 now_ns);
void rxe_cc_sample_feedback(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
			    const struct rxe_cc_feedback *fb);
void rxe_cc_qp_echo(struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		    const struct rxe_cc_feedback *fb);
void rxe_cc_tel_count(struct rxe_cc_qp *qp);
void rxe_cc_learn_caps(struct rxe_cc_qp *qp, u8 caps, u64 now_ns);
void rxe_cc_tel_heard(struct rxe_cc_qp *qp, const struct rxe_cc_feedback *fb);
void rxe_cc_tel_timeout(struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_ack_path(const struct rxe_cc_qp *qp, struct rxe_cc_sample *s,
		     const struct rxe_cc_feedback *fb);

#endif /* _RXE_CC_TELEMETRY_H */
