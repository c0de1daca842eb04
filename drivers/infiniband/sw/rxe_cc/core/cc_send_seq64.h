/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One 64-bit sequence number space for the requests and READ responses that a queue pair sends.
 * Pure functions.
 *
 * It starts at the first PSN that is sent, and never comes round.
 *
 * READ responses bear PSNs of the peer's requests, which have nothing to do with
 * those of the own requests. An algorithm that asks "was this sent after that?"
 * must not see the one beside the other. So each side has a bias that makes its
 * PSNs go on where the other side's ended. A QP that only sends requests has a bias
 * of 0: it sees its PSNs.
 */
#ifndef _RXE_CC_SEND_SEQ64_H
#define _RXE_CC_SEND_SEQ64_H

#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <rxe_cc/cc_host.h>
#include <rxe_cc/cc_math.h>

/* A run so long has no packets before it any more. */
#define RXE_CC_VSEQ_RUN		((s32)BIT(22))

/**
 * struct rxe_cc_vseq_side - one side
 * @bias: what to add to its PSNs, from @from on
 * @from: first PSN of its present, or last, run of packets
 * @old_bias: what to add to those before
 * @used: it has sent something
 */
struct rxe_cc_vseq_side {
	u32 bias;
	u32 from;
	u32 old_bias;
	bool used;
};

/**
 * struct rxe_cc_vseq - the sequence
 * @next: number of what is sent next for the first time
 * @last: side that sent last
 * @valid: something was sent
 * @side: by enum rxe_cc_side
 */
struct rxe_cc_vseq {
	u64 next;
	enum rxe_cc_side last;
	bool valid;
	struct rxe_cc_vseq_side side[2];
};

/* The 64-bit number next to @near whose low 24 bits are those of a PSN. One that
 * would lie before the start is 0.
 */
static inline u64 rxe_cc_seq_near(u64 near, u32 psn)
{
	s32 ahead = rxe_cc_psn_diff(psn, (u32)near & RXE_CC_PSN_MASK);

	return ahead < 0 && (u64)-ahead > near ? 0 : near + ahead;
}

/* Is a number too far from the next one to be compared with it? Between two READs
 * the peer may have used any number of PSNs for other requests.
 */
static inline bool rxe_cc_vseq_jumps(const struct rxe_cc_vseq *v, u32 n)
{
	s32 ahead = rxe_cc_psn_diff(n, (u32)v->next & RXE_CC_PSN_MASK);

	return ahead > RXE_CC_VSEQ_RUN || ahead < -RXE_CC_VSEQ_RUN;
}

/**
 * rxe_cc_vseq_sent() - a packet was sent
 * @v: sequence
 * @who: side that sent it
 * @psn: its PSN
 * @next_psn: what follows on that side
 */
static inline void rxe_cc_vseq_sent(struct rxe_cc_vseq *v, enum rxe_cc_side who,
				    u32 psn, u32 next_psn)
{
	struct rxe_cc_vseq_side *side = &v->side[who];
	u64 end;

	if (!v->valid) {
		v->valid = true;
		v->last = who;
		v->next = psn & RXE_CC_PSN_MASK;
		side->used = true;
	} else if (who != v->last || rxe_cc_vseq_jumps(v, psn + side->bias)) {
		v->last = who;
		side->old_bias = side->bias;
		side->from = psn & RXE_CC_PSN_MASK;
		side->bias = ((u32)v->next - psn) & RXE_CC_PSN_MASK;
		if (!side->used)
			side->old_bias = side->bias;
		side->used = true;
	} else if (rxe_cc_psn_diff(psn, side->from) > RXE_CC_VSEQ_RUN) {
		/* Before PSNs come round to where the run began. */
		side->old_bias = side->bias;
	}
	end = rxe_cc_seq_near(v->next, next_psn + side->bias);
	if (end > v->next)
		v->next = end;
}

/**
 * rxe_cc_vseq_of() - number of a packet
 * @v: sequence
 * @who: side that sent it
 * @psn: its PSN
 *
 * Exact for the last two runs of packets of a side; older ones, and PSNs that a
 * READ request reserves, only keep their order.
 *
 * Return: its number, before @next unless nothing was sent.
 */
static inline u64 rxe_cc_vseq_of(const struct rxe_cc_vseq *v,
				 enum rxe_cc_side who, u32 psn)
{
	const struct rxe_cc_vseq_side *side = &v->side[who];
	bool old = rxe_cc_psn_diff(psn, side->from) < 0;
	u32 n = psn + (old ? side->old_bias : side->bias);

	if (!v->valid)
		return n & RXE_CC_PSN_MASK;
	return min(rxe_cc_seq_near(v->next, n), v->next - !!v->next);
}

#endif /* _RXE_CC_SEND_SEQ64_H */
