/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Round-trip times and one-way delays.
 */
#ifndef _RXE_CC_RTT_H
#define _RXE_CC_RTT_H

#include "cc_qp.h"
#include "cc_wire.h"

void rxe_cc_rtts_forget(struct rxe_cc_qp *qp);
void rxe_cc_rtts_wanted(struct rxe_cc_qp *qp);
bool rxe_cc_asks_time(const struct rxe_cc_qp *qp);
bool rxe_cc_rtt_sample_next(struct rxe_cc_qp *qp, bool resp, u32 psn, u64 now_ns);
void rxe_cc_rtt_sample_resp(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, u64 now_ns);
void rxe_cc_rtt_sample_req(struct rxe_cc_qp *qp, const struct rxe_cc_sent *p, bool asks,
			   bool again, u64 now_ns);
void rxe_cc_rtt_sample_end(struct rxe_cc_qp *qp);
void rxe_cc_rtt_sample_expire(struct rxe_cc_qp *qp, u64 now_ns);
bool rxe_cc_rtt_sampling(const struct rxe_cc_qp *qp, u64 now_ns);
bool rxe_cc_measuring(const struct rxe_cc_qp *qp, u64 now_ns);
void rxe_cc_ack_rtt(struct rxe_cc_qp *qp, u32 psn, bool own, u64 arrived_ns,
		    struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_resp_rtt(struct rxe_cc_qp *qp, u32 psn, u64 arrived_ns,
		     struct rxe_cc_sample *s, const struct rxe_cc_feedback *fb);
void rxe_cc_rx_owd(struct rxe_cc_qp *qp, struct rxe_cc_sample *s, const struct rxe_cc_rx *rx);

#endif /* _RXE_CC_RTT_H */
