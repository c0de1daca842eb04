/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the core does to a flow before and after each call of its algorithm: inputs, round-trip
 * time, clamping, timers. Pure functions, no clock, no lock. Replay uses the same ones, so a
 * recording that is fed to the algorithm again gives what it gave then.
 */
#ifndef _RXE_CC_FLOW_UPDATE_H
#define _RXE_CC_FLOW_UPDATE_H

#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/int_profile.h>

/* A timer of an algorithm fires no more often than this. */
#define RXE_CC_TIMER_MIN_NS	1000

#define RXE_CC_MAX_RTT_WINDOW_NS	(1000 * (u64)NSEC_PER_SEC)
#define RXE_CC_DEF_RTT_WINDOW_NS	(10 * (u64)NSEC_PER_SEC)

/**
 * struct rxe_cc_env - what port and path say to a flow
 * @line_rate_bps: speed of the port
 * @min_rate_bps: floor of the rate, may be above the line rate
 * @base_rtt_ns: given round-trip time of an idle path; 0: the smallest measured
 * @rtt_window_ns: for how long the smallest times count
 * @pkt_bytes: wire bytes of a full packet
 * @clock_common: the peer's clock is the own one
 * @peer_obeys: the peer goes by feedback
 */
struct rxe_cc_env {
	u64 line_rate_bps;
	u64 min_rate_bps;
	u64 base_rtt_ns;
	u64 rtt_window_ns;
	u32 pkt_bytes;
	bool clock_common;
	bool peer_obeys;
};

/**
 * rxe_cc_flow_env() - port or path changed
 * @f: flow
 * @env: what they say now
 */
static inline void rxe_cc_flow_env(struct rxe_cc_flow *f,
				   const struct rxe_cc_env *env)
{
	f->line_rate_bps = env->line_rate_bps;
	f->min_rate_bps = min(env->min_rate_bps, env->line_rate_bps);
	f->pkt_bytes = env->pkt_bytes;
	f->base_rtt_ns = env->base_rtt_ns ? env->base_rtt_ns : f->min_rtt_ns;
	f->clock_common = env->clock_common;
	f->peer_obeys = env->peer_obeys;
	if (!f->clock_common)
		f->min_owd_ns = 0;
}

/**
 * rxe_cc_flow_own_bytes() - what an algorithm remembers of a flow
 * @ops: algorithm
 *
 * Return: bytes of sender's and receiver's state; may be 0.
 */
static inline size_t rxe_cc_flow_own_bytes(const struct rxe_cc_ops *ops)
{
	return ALIGN(ops->priv_size, sizeof(u64)) +
	       ALIGN(ops->rx_priv_size, sizeof(u64));
}

/**
 * rxe_cc_flow_own() - where the algorithm's state of a flow is
 * @f: flow
 * @ops: algorithm
 * @own: rxe_cc_flow_own_bytes(), the caller's
 */
static inline void rxe_cc_flow_own(struct rxe_cc_flow *f, const struct rxe_cc_ops *ops,
				   void *own)
{
	f->priv = ops->priv_size ? own : NULL;
	f->rx_priv = ops->rx_priv_size ?
		     own + ALIGN(ops->priv_size, sizeof(u64)) : NULL;
}

/**
 * rxe_cc_flow_reset() - a flow as its algorithm's init finds it
 * @f: flow, with room for the algorithm's state: rxe_cc_flow_own()
 * @env: port and path
 * @ops: algorithm
 * @params: values of the algorithm's parameters
 * @port_priv: the algorithm's state of the port
 * @peer_priv: its state of the peer
 */
static inline void rxe_cc_flow_reset(struct rxe_cc_flow *f,
				     const struct rxe_cc_env *env,
				     const struct rxe_cc_ops *ops,
				     const u64 *params,
				     void *port_priv, void *peer_priv)
{
	void *priv = f->priv, *rx_priv = f->rx_priv;

	memset(f, 0, sizeof(*f));
	if (ops->priv_size)
		f->priv = memset(priv, 0, ops->priv_size);
	if (ops->rx_priv_size)
		f->rx_priv = memset(rx_priv, 0, ops->rx_priv_size);
	rxe_cc_flow_env(f, env);
	f->params = params;
	f->port_priv = port_priv;
	f->peer_priv = peer_priv;
	f->rate_bps = f->line_rate_bps;
	f->cwnd_bytes = RXE_CC_NO_WINDOW;
	f->timer_ns = RXE_CC_NO_TIMER;
	f->port_timer_ns = RXE_CC_NO_TIMER;
	f->cnp_gap_ns = RXE_CC_CNP_GAP_NS;
	f->wants = (ops->needs & RXE_CC_ALGO_NEED_INT ? RXE_CC_WANT_INT : 0) |
		   (ops->needs & RXE_CC_ALGO_NEED_ACK_EVERY_PACKET ?
		    RXE_CC_WANT_ACKS : 0);
}

/**
 * struct rxe_cc_trip - a round trip that was measured
 * @now_ns: when
 * @took_ns: from the packet's first bit on the wire to the answer's arrival
 * @turnaround_ns: what of it the receiver says it took; 0: it says nothing
 * @given_ns: base round-trip time given by the administrator; 0: the smallest
 *	measured
 * @least_ns: what the idle path takes, as of this one (cc_idle_delay.h); not above @took_ns
 */
struct rxe_cc_trip {
	u64 now_ns;
	u64 took_ns;
	u64 turnaround_ns;
	u64 given_ns;
	u64 least_ns;
};

/**
 * rxe_cc_flow_rtt() - a round trip was measured
 * @f: flow
 * @t: the measurement
 *
 * The turnaround is a claim, which nothing proves. What is proven is that the path
 * and the fastest answer take no longer than the smallest round trip as a whole: a
 * claim takes off what is above that and no more, and one of a whole round trip or
 * more takes off nothing. So no claim makes &rxe_cc_flow.min_rtt_ns smaller, or
 * &rxe_cc_flow.base_rtt_ns, of which windows are made. RFC 6298 smoothing.
 *
 * Return: the round-trip time without the turnaround, ns; not 0.
 */
static inline u64 rxe_cc_flow_rtt(struct rxe_cc_flow *f, const struct rxe_cc_trip *t)
{
	u64 took_ns = max(t->took_ns, 1ULL);
	u64 rtt_ns = took_ns;

	f->min_rtt_ns = clamp(t->least_ns, 1ULL, took_ns);
	f->base_rtt_ns = t->given_ns ? t->given_ns : f->min_rtt_ns;

	if (t->turnaround_ns < took_ns)
		rtt_ns = max(took_ns - t->turnaround_ns, f->min_rtt_ns);
	f->srtt_ns = f->srtt_ns ? f->srtt_ns - f->srtt_ns / 8 + rtt_ns / 8 :
				  rtt_ns;
	f->srtt_ns = max(f->srtt_ns, 1ULL);
	return rtt_ns;
}

/**
 * rxe_cc_flow_settle() - hold what the algorithm left in the flow within bounds
 * @f: flow
 * @now_ns: time of the call
 * @timer_set_ns: what the flow's timer is armed for; updated
 *
 * Return: true when the timer is to be armed anew, or stopped.
 */
static inline bool rxe_cc_flow_settle(struct rxe_cc_flow *f, u64 now_ns,
				      u64 *timer_set_ns)
{
	f->rate_bps = clamp(f->rate_bps, min(f->min_rate_bps, f->line_rate_bps),
			    f->line_rate_bps);
	f->cwnd_bytes = max(f->cwnd_bytes, 1ULL);
	if (f->timer_ns == *timer_set_ns)
		return false;
	if (f->timer_ns != RXE_CC_NO_TIMER)
		f->timer_ns = max(f->timer_ns, now_ns + RXE_CC_TIMER_MIN_NS);
	*timer_set_ns = f->timer_ns;
	return true;
}

/**
 * rxe_cc_flow_expire() - is the timer due, and if so it is off
 * @f: flow
 * @now_ns: time
 * @timer_set_ns: what the flow's timer is armed for; updated
 *
 * Return: true when the algorithm's on_timer is to be called.
 */
static inline bool rxe_cc_flow_expire(struct rxe_cc_flow *f, u64 now_ns,
				      u64 *timer_set_ns)
{
	if (f->timer_ns > now_ns)
		return false;
	f->timer_ns = RXE_CC_NO_TIMER;
	*timer_set_ns = RXE_CC_NO_TIMER;
	return true;
}

/**
 * rxe_cc_flow_fits() - does the window let another packet go?
 * @f: flow
 * @cwnd_bytes: window in force; RXE_CC_NO_WINDOW: none
 * @inflight_bytes: what is in flight
 *
 * Return: true when it does; also when the flow has no window.
 */
static inline bool rxe_cc_flow_fits(const struct rxe_cc_flow *f,
				    u64 cwnd_bytes, u64 inflight_bytes)
{
	if (f->wants & RXE_CC_WANT_FILL_WINDOW)
		return inflight_bytes < cwnd_bytes;
	return inflight_bytes + f->pkt_bytes <= cwnd_bytes;
}

/**
 * rxe_cc_flow_kicked() - what a call has left for state that is shared is done
 * @f: flow
 */
static inline void rxe_cc_flow_kicked(struct rxe_cc_flow *f)
{
	f->port_timer_ns = RXE_CC_NO_TIMER;
	f->kick_peer = false;
	f->kick_port = false;
	f->lift_cap = false;
}

/**
 * rxe_cc_flow_int() - kind of INT that an algorithm wants
 * @f: flow
 *
 * Return: one of RXE_CC_WANT_INT, _INT_SPARSE, _INT_PROBE, or 0. Of several, the
 *	one that says most.
 */
static inline u8 rxe_cc_flow_int(const struct rxe_cc_flow *f)
{
	u16 kinds = f->wants & (RXE_CC_WANT_INT | RXE_CC_WANT_INT_SPARSE |
			       RXE_CC_WANT_INT_PROBE);

	return kinds & -kinds;
}

/**
 * rxe_cc_flow_profile() - INT profile that an algorithm wants
 * @f: flow
 *
 * Return: the profile. Of two, the one that says more.
 */
static inline enum rxe_cc_int_profile
rxe_cc_flow_profile(const struct rxe_cc_flow *f)
{
	if (f->wants & RXE_CC_WANT_INT_COMPACT)
		return RXE_CC_INT_COMPACT;
	if (f->wants & RXE_CC_WANT_INT_WORST)
		return RXE_CC_INT_WORST;
	return f->wants & RXE_CC_WANT_INT_FIRST ? RXE_CC_INT_FIRST :
						  RXE_CC_INT_FULL;
}

/**
 * rxe_cc_flow_hears() - is on_data called for a packet?
 * @f: flow
 * @ops: its algorithm
 * @s: sample of the packet
 *
 * Return: true when it is.
 */
static inline bool rxe_cc_flow_hears(const struct rxe_cc_flow *f,
				     const struct rxe_cc_ops *ops,
				     const struct rxe_cc_sample *s)
{
	return ops->on_data &&
	       (s->ce || ops->all_data ||
		(s->nr_hops && f->wants & (RXE_CC_WANT_RX_HOPS | RXE_CC_WANT_RX_LOOK)));
}

#endif /* _RXE_CC_FLOW_UPDATE_H */
