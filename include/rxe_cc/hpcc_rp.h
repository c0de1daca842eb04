/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HPCC's reaction to in-band telemetry as a library, for hpcc itself and for
 * algorithms that build on it: at a sender from what ACKs echo, at a receiver
 * (Rx-HPCC) from what data packets bring.
 *
 * Source: "HPCC: High Precision Congestion Control", SIGCOMM 2019, Algorithm 1;
 * draft-pan-tsvwg-hpccplus, sections 4.2 and 6.2.
 *
 * Everything is kept as a rate, R = W / T, which makes one quantity of window,
 * additive increase and limits: W = R x T is formed last, and so stays
 * consistent when T changes.
 *
 * A sender makes a struct rxe_hpcc_ctx on the stack for each call and hands the
 * ACK to rxe_hpcc_ack(), which leaves rate and window in the flow (rxe_hpcc_step()
 * leaves them alone). What a switch reports goes to rxe_hpcc_early(), a window that
 * the receiver computed to rxe_hpcc_feedback(). A receiver calls rxe_hpcc_data(). The
 * library reads no clock and sets no timer. What whole algorithms share is in
 * hpcc_common.h.
 *
 * Context of all functions: any; the caller serialises calls for one state.
 */
#ifndef _RXE_CC_HPCC_RP_H
#define _RXE_CC_HPCC_RP_H

#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/int_path.h>

#define RXE_HPCC_U_SHIFT	RXE_CC_Q36_SHIFT
#define RXE_HPCC_RATE_SHIFT	16
/* U stays below 256, and rates below 1.09 Tbit/s: rxe_hpcc_ai_q16() multiplies one by a
 * fraction in Q24.
 */
#define RXE_HPCC_U_BITS		44
#define RXE_HPCC_U_MAX		(BIT_ULL(RXE_HPCC_U_BITS) - 1)
#define RXE_HPCC_RATE_MAX_BPS	(BIT_ULL(64 - RXE_CC_Q24_SHIFT) - 1)

/* In place of a number of ports: L is void. */
#define RXE_HPCC_VOID		14	/* for want of feedback */
#define RXE_HPCC_FEEDBACK	15	/* the receiver computes */

/**
 * struct rxe_hpcc_round - a T in which the receiver reports windows
 * @since_ns: when its first window came
 * @floor_bps: no window that is reported in it makes the rate lower
 */
struct rxe_hpcc_round {
	u64 since_ns;
	u64 floor_bps;
};

/**
 * struct rxe_hpcc - state of one flow, 232 bytes
 * @rc_q16: reference rate Wc / T in bit/s, Q16
 * @u_q36: U, normalised inflight bytes, Q36
 * @path: L; its number of ports may be RXE_HPCC_VOID or RXE_HPCC_FEEDBACK; its time is that
 *	of the last window reported, too
 * @round: with %RXE_HPCC_FEEDBACK
 * @update: sender: lastUpdateSeq, number of the first packet sent with the present
 *	@rc_q16; receiver: when the last commit shows, in ns
 * @inc_stage: additive increases since the last multiplicative step
 * @busiest: index of the port that decided last
 */
struct rxe_hpcc {
	u64 rc_q16;
	u64 u_q36;
	struct rxe_cc_path path;
	struct rxe_hpcc_round round;
	u64 update;
	u8 inc_stage;
	u8 busiest;
};

/**
 * struct rxe_hpcc_ctx - what a call needs to know besides the state
 * @t_ns: T, base round-trip time, not 0
 * @pseudo_t_ns: not 0: the last port of the samples is a pseudo queue, which is to be gone in
 *	that time: its T in u. Its txBytes are what has come, so its txRate may be above B
 * @line_q16: rate of W_init in bit/s, Q16: upper bound
 * @min_q16: lower bound in bit/s, Q16
 * @ai_q16: W_ai / T in bit/s, Q16
 * @last_ai_q16: the same for while the last port is the busiest; 0: @ai_q16
 * @eta_q24: target utilization, Q24
 * @max_stage: maxStage
 * @fast: react to each ACK; else only when Wc is committed
 */
struct rxe_hpcc_ctx {
	u64 t_ns;
	u64 pseudo_t_ns;
	u64 line_q16;
	u64 min_q16;
	u64 ai_q16;
	u64 last_ai_q16;
	u32 eta_q24;
	u8 max_stage;
	bool fast;
};

#define RXE_HPCC_NR_VARS	6

void rxe_hpcc_init(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx);
enum rxe_cc_telemetry rxe_hpcc_measure(struct rxe_hpcc *h,
				       const struct rxe_hpcc_ctx *ctx,
				       const struct rxe_cc_sample *s);
u64 rxe_hpcc_rate(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		  bool commit);
enum rxe_cc_telemetry rxe_hpcc_step(struct rxe_hpcc *h,
				    const struct rxe_hpcc_ctx *ctx,
				    const struct rxe_cc_sample *s,
				    u64 *rate_q16);
enum rxe_cc_telemetry rxe_hpcc_ack(struct rxe_hpcc *h,
				   const struct rxe_hpcc_ctx *ctx,
				   struct rxe_cc_flow *flow,
				   const struct rxe_cc_sample *s);
enum rxe_cc_telemetry rxe_hpcc_early(struct rxe_hpcc *h,
				     const struct rxe_hpcc_ctx *ctx,
				     struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s);
void rxe_hpcc_feedback(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		       struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
		       u64 rate_q16);
void rxe_hpcc_unheard(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		      struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
enum rxe_cc_telemetry rxe_hpcc_data(struct rxe_hpcc *h,
				    const struct rxe_hpcc_ctx *ctx,
				    const struct rxe_cc_sample *s,
				    u64 *rate_q16);
void rxe_hpcc_changed(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx);
extern const struct rxe_cc_signal rxe_hpcc_signal;
unsigned int rxe_hpcc_dump(const struct rxe_hpcc *h, struct rxe_cc_var *vars);

/* bytes = (bit/s in Q16) x ns / (8e9 x 2^16): the factor 2^64 / 8e9 makes a
 * product of it; its error is 1e-10, less than a byte in 8 GB.
 */
#define RXE_HPCC_BYTES_Q64	2305843009ULL
#define RXE_HPCC_BYTES_T_MAX	(U64_MAX / RXE_HPCC_BYTES_Q64)

/**
 * rxe_hpcc_window() - window that a rate stands for
 * @rate_q16: W / T in bit/s, Q16
 * @t_ns: T
 *
 * Return: W in wire bytes to nearest, at least 1, saturated.
 */
static inline u64 rxe_hpcc_window(u64 rate_q16, u64 t_ns)
{
	u64 half;

	if (t_ns > RXE_HPCC_BYTES_T_MAX)
		return max(rxe_cc_bytes_in(rate_q16 >> RXE_HPCC_RATE_SHIFT,
					   t_ns), 1ULL);
	half = mul_u64_u64_shr(rate_q16, t_ns * RXE_HPCC_BYTES_Q64,
			       63 + RXE_HPCC_RATE_SHIFT);
	return max((half + 1) >> 1, 1ULL);
}

/**
 * rxe_hpcc_window_rate() - rate that a window stands for
 * @bytes: W
 * @t_ns: T, not 0
 *
 * Return: W / T in bit/s, Q16, saturated.
 */
static inline u64 rxe_hpcc_window_rate(u64 bytes, u64 t_ns)
{
	return rxe_cc_muldiv(bytes,
			     RXE_CC_BIT_NS_PER_BYTE << RXE_HPCC_RATE_SHIFT,
			     t_ns);
}

/**
 * rxe_hpcc_apply() - put a rate into force as window and pacing rate
 * @flow: flow
 * @rate_q16: W / T in bit/s, Q16
 * @t_ns: T
 */
static inline void rxe_hpcc_apply(struct rxe_cc_flow *flow, u64 rate_q16,
				  u64 t_ns)
{
	flow->rate_bps = (rate_q16 + (1U << (RXE_HPCC_RATE_SHIFT - 1))) >>
			 RXE_HPCC_RATE_SHIFT;
	flow->cwnd_bytes = rxe_hpcc_window(rate_q16, t_ns);
}

/**
 * rxe_hpcc_ai_q16() - W_ai / T by the paper's rule of thumb
 * @line_bps: rate of W_init, at most RXE_HPCC_RATE_MAX_BPS
 * @eta_q24: target utilization, at most 1
 * @n: flows on a link for which no queue shall form, not 0
 *
 * W_ai = W_init (1 - eta) / n (section 3.3).
 *
 * Return: bit/s, Q16.
 */
static inline u64 rxe_hpcc_ai_q16(u64 line_bps, u64 eta_q24, u64 n)
{
	return div64_u64(line_bps * (RXE_CC_Q24_ONE - eta_q24), n) >>
	       (RXE_CC_Q24_SHIFT - RXE_HPCC_RATE_SHIFT);
}

#endif /* _RXE_CC_HPCC_RP_H */
