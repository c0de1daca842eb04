/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides when the next packet with in-band network telemetry (INT) is due where one per round
 * trip is enough. Pure functions, no clock, no lock.
 *
 * One packet with INT, or one probe, is out at a time. The next goes when that one
 * was answered and a base round trip has passed since it left, or when it counts as
 * lost.
 */
#ifndef _RXE_CC_INT_SAMPLING_H
#define _RXE_CC_INT_SAMPLING_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>

/* When nothing is known of the path: an answer that has not come by then will
 * not.
 */
#define RXE_CC_LOST_NS	NSEC_PER_MSEC

/**
 * struct rxe_cc_sparse - the packet with telemetry that is out
 * @sent_ns: when it left
 * @psn: its PSN, valid with @sent
 * @old_psn: PSN of the one before, on the same side, valid with @old
 * @any: there was one
 * @out: it is not answered
 * @building: it is being built: @psn is that of an earlier one
 * @resp: it is a READ response, or a probe before one
 * @sent: one has left
 * @old: and one before that
 */
struct rxe_cc_sparse {
	u64 sent_ns;
	u32 psn;
	u32 old_psn;
	bool any;
	bool out;
	bool building;
	bool resp;
	bool sent;
	bool old;
};

/**
 * rxe_cc_lost_ns() - when a packet without an answer counts as lost
 * @srtt_ns: smoothed round-trip time; 0: not known
 * @base_rtt_ns: round-trip time of the idle path; 0: not known
 *
 * Return: ns after it left.
 */
static inline u64 rxe_cc_lost_ns(u64 srtt_ns, u64 base_rtt_ns)
{
	u64 ns = max(srtt_ns, base_rtt_ns);

	return ns ? rxe_cc_sat_add(ns, ns) : RXE_CC_LOST_NS;
}

/**
 * rxe_cc_sparse_due() - may the next packet have telemetry?
 * @s: state
 * @now_ns: time, not before that of the last packet
 * @srtt_ns: smoothed round-trip time; 0: not known
 * @base_rtt_ns: round-trip time of the idle path; 0: not known
 *
 * Return: true when it may.
 */
static inline bool rxe_cc_sparse_due(const struct rxe_cc_sparse *s, u64 now_ns,
				     u64 srtt_ns, u64 base_rtt_ns)
{
	u64 ago_ns = now_ns - s->sent_ns;

	if (!s->any)
		return true;
	if (s->out)
		return ago_ns >= rxe_cc_lost_ns(srtt_ns, base_rtt_ns);
	return ago_ns >= base_rtt_ns;
}

/**
 * rxe_cc_sparse_begin() - the packet that is being built has telemetry
 * @s: state
 * @now_ns: time
 * @resp: it is a READ response
 */
static inline void rxe_cc_sparse_begin(struct rxe_cc_sparse *s, u64 now_ns,
				       bool resp)
{
	s->any = true;
	s->out = true;
	s->building = true;
	/* The sides number their packets apart. */
	if (s->resp != resp)
		s->sent = false;
	s->resp = resp;
	s->sent_ns = now_ns;
}

/**
 * rxe_cc_sparse_sent() - a packet has left
 * @s: state
 * @now_ns: time
 * @psn: its PSN
 * @resp: it is a READ response
 */
static inline void rxe_cc_sparse_sent(struct rxe_cc_sparse *s, u64 now_ns,
				      u32 psn, bool resp)
{
	if (!s->building || s->resp != resp)
		return;
	s->building = false;
	s->old = s->sent;
	s->old_psn = s->psn;
	s->sent = true;
	s->psn = psn;
	s->sent_ns = now_ns;
}

/**
 * rxe_cc_sparse_is() - is it the packet that is out, or the one before it?
 * @s: state
 * @psn: PSN of a packet
 *
 * A packet that counts as lost may still be answered while the next is out.
 *
 * Return: true when it is.
 */
static inline bool rxe_cc_sparse_is(const struct rxe_cc_sparse *s, u32 psn)
{
	return (s->sent && psn == s->psn) ||
	       (s->sent && s->old && psn == s->old_psn);
}

/**
 * rxe_cc_sparse_answered() - an answer came
 * @s: state
 * @psn: to this packet, and so to all before
 * @resp: that is a READ response
 */
static inline void rxe_cc_sparse_answered(struct rxe_cc_sparse *s, u32 psn,
					  bool resp)
{
	if (!s->building && s->resp == resp &&
	    rxe_cc_psn_diff(psn, s->psn) >= 0)
		s->out = false;
}

#endif /* _RXE_CC_INT_SAMPLING_H */
