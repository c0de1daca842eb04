// SPDX-License-Identifier: GPL-2.0
/*
 * RCC: receiver-driven congestion control, with windows that the receiver computes. EWA gives
 * each message an equal share, PID is a controller of the delay. Zhang et al., "RCC: Enabling
 * Receiver-Driven RDMA Congestion Control With Congestion Divide-and-Conquer in Datacenter
 * Networks", IEEE/ACM Transactions on Networking 31(1), 2023.
 *
 * The receiver decides. It knows how many messages are on their way to it, N, what its
 * own link carries, and how long each packet was on its way. With T the round trip of
 * the idle path, C the speed of the port, D the delay of a packet above the idle path's:
 *
 *	fair	W = eta C T / N						EWA
 *	busy	bytes received in the last T >= eta C T
 *	congestion: n delays in a row with D > delta T
 *
 *	busy, or no congestion		W = fair
 *	congestion, not busy: from here to the end of the message	PID
 *
 *		E = D - delta T / 2
 *		U += Kp E + Kd (E - E before)				(4)
 *		W *= 1 - tanh U, at most about fair			(5)
 *
 * once per round trip. W and the rate that belongs to it go with every ACK; the
 * sender puts both into force. E is in seconds.
 *
 * Differences from the paper:
 *  - W = C / N there; its figures have eta C T / N.
 *  - D > delta T, and target delta T / 2 above the idle path, with T the round trip: the
 *    paper's "RTT" is a one-way delay measured against a base of 12 us, its round trip.
 *    A queue is in both once, so the gains hold for either.
 *  - Not busy any more is below eta - eta_hyst: EWA itself sits on eta.
 *  - confirm: congestion counts once it has lasted for a whole T, which "busy" then
 *    covers. A burst fills the last hop's queue long before the T that lies behind it shows
 *    a full line, and PID is for the rest of the message.
 *  - hold: while the last hop is busy a delay is that hop's (III-C), also for flows under PID,
 *    which Algorithm 1 cuts: PID does not cut then, it may raise. Nor does it for delays above
 *    delta T before they are confirmed, for the same reason.
 *  - reach: the bound of W under PID is eta C (T + delta T / 2) / N, with which the share is
 *    reached at the target (Eq. 11); C / N in the paper.
 *  - linger: a message that follows the one before within a round trip, T + D, is the same
 *    flow. The paper's flow is one message; a transfer here is many, and each would begin at
 *    the fair share.
 *  - leak: a part of U is forgotten in each update. U adds up what each flow has seen since it
 *    began; two flows that began at different moments differ in it for ever, and their
 *    windows drift apart, although both see the same queue. The fixed point, E = 0 and U = 0,
 *    is the same.
 *  - U is bounded (umax), so that W at most halves in a round trip, and set to 0 when W is
 *    at its upper bound and U would raise it, or at its lower and U would lower it: else
 *    it winds up while W cannot follow.
 *  - At the start of PID U = 0, E before = E, W is the fair share, which was sent so far.
 *  - The rate is W / T, under PID below the fair share W / (T + D): pacing is all that
 *    READ responses have, and a rate that did not know of the queue would leave that loop
 *    without damping.
 *  - Kp and Kd are for a T of rtt_unit, and scale with 1 / T (see the page).
 *  - side 1: the receiver sends the fair share, N and what its link carries, and the sender
 *    does the rest with its own round trips (III-G). N and busy come with the ACK. side 2:
 *    that where the receiver knows no T and the clocks are two, else the receiver.
 *  - T at the receiver is given, or the flow's own: twice its smallest way here. Where it is
 *    not known no window is sent: the sender takes the rate times its own.
 *
 * Who hears nothing stays as at its start: line rate, and a window of line rate x T.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* Windows have 20 fractional bits: the share of 1000 flows is less than a packet. */
#define RCC_W_SHIFT	20
#define RCC_W_MAX	BIT_ULL(56)
/* E has 16 fractional bits: the target is half of a fraction of T. */
#define RCC_E_SHIFT	16
/* Delays and T, so that products fit: a second. */
#define RCC_MAX_NS	((u64)NSEC_PER_SEC)

enum {
	RCC_EWA,
	RCC_PID,
	RCC_SIDE,
	RCC_ETA,
	RCC_ETA_HYST,
	RCC_DELTA,
	RCC_N,
	RCC_KP,
	RCC_KD,
	RCC_RTT_UNIT,
	RCC_UMAX,
	RCC_LEAK,
	RCC_SCALE,
	RCC_LINGER,
	RCC_CONFIRM,
	RCC_HOLD,
	RCC_REACH,
	RCC_ACKS,
	RCC_FILL_WINDOW,
	RCC_N_MAX,
	RCC_PEER_MAX,
	RCC_N_LINGER,
	RCC_N_IDLE,
	RCC_TOLD_EXPIRY,
	RCC_RESTART,
	RCC_JITTER,
	RCC_OWN_ROUND,
	RCC_RESET,
	RCC_NR_PARAMS,
};

enum {
	RCC_SIDE_RECEIVER,
	RCC_SIDE_SENDER,
	RCC_SIDE_AUTO,		/* the sender where the receiver cannot */
};

enum {
	RCC_SCALE_TANH,		/* 1 - tanh U */
	RCC_SCALE_SIGMOID,	/* 1 - sigmoid U: S1 of the paper's Fig. 13 */
	RCC_SCALE_TWICE,	/* 2 - 2 sigmoid U: S2 */
};

static const struct rxe_cc_param rcc_params[] = {
	[RCC_EWA] = {
		"ewa", "bool", 0, 1, 1,
		"explicit window assignment; 0: PID from the first packet on, up to line rate"
	},
	[RCC_PID] = {
		"pid", "bool", 0, 1, 1,
		"PID for congestion in the network; 0: always the fair share"
	},
	[RCC_SIDE] = {
		"side", "count", 0, 2, RCC_SIDE_AUTO,
		"who judges delays: 0 the receiver, 1 the sender by its round trips, 2 by need; at both ends"
	},
	[RCC_ETA] = {
		"eta", "q24", RXE_CC_Q24(1, 16), RXE_CC_Q24(1, 1), RXE_CC_Q24(95, 100),
		"share of the last hop that is given out, and from which it is busy"
	},
	[RCC_ETA_HYST] = {
		"eta_hyst", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(5, 100),
		"it is busy no longer so far below eta"
	},
	[RCC_DELTA] = {
		"delta", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(16, 1), RXE_CC_Q24(1, 5),
		"queueing that is congestion, in round trips; half of it is PID's target"
	},
	[RCC_N] = {
		"n", "count", 1, 1000, 3,
		"delays in a row above that before it counts"
	},
	[RCC_KP] = {
		"kp", "q24", 0, RXE_CC_Q24(1000000, 1), RXE_CC_Q24(10000, 1),
		"proportional gain, per second"
	},
	[RCC_KD] = {
		"kd", "q24", 0, RXE_CC_Q24(1000000, 1), RXE_CC_Q24(10000, 1),
		"differential gain, per second"
	},
	[RCC_RTT_UNIT] = {
		"rtt_unit", "ns", 0, RCC_MAX_NS, 12000,
		"base RTT for which kp and kd hold: scales them by its inverse; 0 = no scaling"
	},
	[RCC_UMAX] = {
		"umax", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(16, 1), RXE_CC_Q24(55, 100),
		"bound of U; with tanh 0.55 halves a window in a round trip"
	},
	[RCC_LEAK] = {
		"leak", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(1, 4),
		"part of U that is forgotten in each update"
	},
	[RCC_SCALE] = {
		"scale", "count", 0, 2, RCC_SCALE_TANH,
		"W is multiplied by 0: 1 - tanh U; 1: 1 - sigmoid U; 2: 2 - 2 sigmoid U"
	},
	[RCC_LINGER] = {
		"linger", "bool", 0, 1, 1,
		"a message within a round trip of the last one goes on under PID"
	},
	[RCC_CONFIRM] = {
		"confirm", "bool", 0, 1, 1,
		"congestion must last for a round trip before PID begins"
	},
	[RCC_HOLD] = {
		"hold", "bool", 0, 1, 1,
		"PID does not cut while the last hop is busy, whose queue that is; needs ewa"
	},
	[RCC_REACH] = {
		"reach", "bool", 0, 1, 1,
		"the bound of PID is the fair share at its target; 0: on an idle path"
	},
	[RCC_ACKS] = {
		"acks", "bool", 0, 1, 1,
		"every packet asks for an ACK; 0: one in an eighth of the window"
	},
	[RCC_FILL_WINDOW] = {
		"fill_window", "bool", 0, 1, 1,
		"send while less than the window is in flight; 0: a packet must fit"
	},
	[RCC_N_MAX] = {
		"n_max", "count", 1, 1 << 24, 16384,
		"no window is below the share of so many"
	},
	[RCC_PEER_MAX] = {
		"peer_max", "count", 0, 1 << 24, 0,
		"at most so many messages of one host count in N; 0: all"
	},
	[RCC_N_LINGER] = {
		"n_linger", "ns", 0, 10000000000ULL, 0,
		"an ended message counts so long; 0: for what it delivered in a base RTT"
	},
	[RCC_N_IDLE] = {
		"n_idle", "ns", 1000, 100000000000ULL, 2000000000ULL,
		"a message of which nothing comes for so long counts no longer"
	},
	[RCC_TOLD_EXPIRY] = {
		"told_expiry", "ns", 1000, 100000000000ULL, 1000000000ULL,
		"a sender whose ACKs tell nothing for so long is as at its start"
	},
	[RCC_RESTART] = {
		"restart", "bool", 0, 1, 1,
		"a message after a silence of a round trip starts at line rate again"
	},
	[RCC_JITTER] = {
		"jitter", "ns", 0, RCC_MAX_NS, 0,
		"adds up to so much to each delay: clocks that are not quite common"
	},
	[RCC_OWN_ROUND] = {
		"own_round", "bool", 0, 1, 1,
		"PID's round trip is the flow's: with a window below a packet from one to the next"
	},
	[RCC_RESET] = {
		"reset", "bool", 0, 1, 1,
		"U is forgotten when the delay has crossed PID's target"
	},
};

#define RCC_COMMON \
	[RCC_EWA]		= 1, \
	[RCC_PID]		= 1, \
	[RCC_SIDE]		= RCC_SIDE_AUTO, \
	[RCC_ETA]		= RXE_CC_Q24(95, 100), \
	[RCC_DELTA]		= RXE_CC_Q24(1, 5), \
	[RCC_N]			= 3, \
	[RCC_SCALE]		= RCC_SCALE_TANH, \
	[RCC_ACKS]		= 1, \
	[RCC_FILL_WINDOW]	= 1, \
	[RCC_N_MAX]		= 16384, \
	[RCC_PEER_MAX]		= 0, \
	[RCC_N_IDLE]		= 2000000000ULL, \
	[RCC_TOLD_EXPIRY]	= 1000000000ULL, \
	[RCC_RESTART]		= 1, \
	[RCC_JITTER]		= 0

static const u64 rcc_stable[RCC_NR_PARAMS] = {
	RCC_COMMON,
	[RCC_N_LINGER]		= 0,
	[RCC_ETA_HYST]		= RXE_CC_Q24(5, 100),
	[RCC_KP]		= RXE_CC_Q24(10000, 1),
	[RCC_KD]		= RXE_CC_Q24(10000, 1),
	[RCC_RTT_UNIT]		= 12000,
	[RCC_UMAX]		= RXE_CC_Q24(55, 100),
	[RCC_LEAK]		= RXE_CC_Q24(1, 4),
	[RCC_LINGER]		= 1,
	[RCC_CONFIRM]		= 1,
	[RCC_HOLD]		= 1,
	[RCC_REACH]		= 1,
	[RCC_OWN_ROUND]		= 1,
	[RCC_RESET]		= 1,
};

/* As the paper has it: the gains of its section V, no bound and none of our additions. */
static const u64 rcc_paper[RCC_NR_PARAMS] = {
	RCC_COMMON,
	[RCC_N_LINGER]		= 1,
	[RCC_ETA_HYST]		= 0,
	[RCC_KP]		= RXE_CC_Q24(10000, 1),
	[RCC_KD]		= RXE_CC_Q24(100000, 1),
	[RCC_RTT_UNIT]		= 0,
	[RCC_UMAX]		= RXE_CC_Q24(16, 1),
	[RCC_LEAK]		= 0,
	[RCC_LINGER]		= 0,
	[RCC_CONFIRM]		= 0,
	[RCC_HOLD]		= 0,
	[RCC_REACH]		= 0,
	[RCC_OWN_ROUND]		= 0,
	[RCC_RESET]		= 0,
};

static const struct rxe_cc_preset rcc_presets[] = {
	{ "stable", rcc_stable },
	{ "paper", rcc_paper },
};

/* Values of a receiver's feedback. A window of 0: rate x the sender's own T. */
enum {
	RCC_FB_WINDOW,
	RCC_FB_RATE,
	RCC_NR_FB,
	/* side 1: both are the fair share */
	RCC_FB_N = RCC_NR_FB,
	RCC_FB_LOAD,		/* bytes of the last T / (C T), Q24 */
	RCC_NR_FB_SIDE,
};

/**
 * struct rcc_meter - what a flow gets, of a span of a round trip and some packets
 * @since_ns: when the span began
 * @bytes: wire bytes since then
 * @over_ns: sum of the delays of @pkts
 * @first_ns: the first of them
 * @pkts: packets of which the delay was measured
 */
struct rcc_meter {
	u64 since_ns;
	u64 bytes;
	u64 over_ns;
	u64 first_ns;
	u32 pkts;
};

/* Packets of a span: with one more or less the rate is off by a 16th. */
#define RCC_METER_PKTS	16

/**
 * struct rcc_pid - who judges the delays of a flow: the receiver, or the sender
 * @u_q48: U
 * @w_q20: W of PID in 2^-20 bytes
 * @rate_bps: rate that goes with @w_q20
 * @e_q16: E of the last update, in 2^-16 ns
 * @due_ns: when the next one is due; with own_round when the last one was
 * @meter: what the flow gets
 * @before_ns: delay of the packet before
 * @since_ns: delays have been too long since then
 * @over: delays in a row that were, at most n
 * @on: PID rules
 * @busy: the last hop is
 * @congested: delays have been too long for long enough
 * @starved: the flow keeps its window full and does not get its share
 */
struct rcc_pid {
	s64 u_q48;
	u64 w_q20;
	u64 rate_bps;
	s64 e_q16;
	u64 due_ns;
	u64 since_ns;
	struct rcc_meter meter;
	u32 before_ns;
	u32 over;
	bool on;
	bool busy;
	bool congested;
	bool starved;
};

/**
 * struct rcc - sender
 * @pid: with side 1
 * @heard_ns: when feedback came last; of a flow that has had none when
 *	its first ACK came
 * @heard_seq: newest packet that feedback was on
 * @sent_seq: newest packet sent
 * @n: N, if that was sent
 * @entries: how often PID has begun
 * @told: a window is in force
 * @judges: the receiver sends its load
 * @asked: @heard_ns is a time
 * @ended: @sent_seq was the last of its message
 */
struct rcc {
	struct rcc_pid pid;
	u64 heard_ns;
	u64 heard_seq;
	u64 sent_seq;
	u32 n;
	u32 entries;
	bool told;
	bool judges;
	bool asked;
	bool ended;
};

/**
 * struct rcc_rx - receiver
 * @pid: judge
 * @t_ns: T; 0: not known
 * @told_ns: when a report was asked for last
 * @told_bps: rate that it sent last
 * @end_ns: when the last packet came, if that was the end of a message; else 0
 * @entries: how often PID has begun
 * @updates: updates of PID
 */
struct rcc_rx {
	struct rcc_pid pid;
	u64 t_ns;
	u64 told_ns;
	u64 told_bps;
	u64 end_ns;
	u32 entries;
	u32 updates;
};

/**
 * struct rcc_ctx - what a delay is judged by
 * @p: parameters
 * @now_ns: time
 * @t_ns: T
 * @least_bps: no rate is below that: the share of n_max
 * @fair_bps: fair share
 * @load_q24: bytes received in the last T, as a part of C T
 * @round_ns: T, or with own_round the time from packet to packet where that is longer
 * @pkt_q20: a full packet, as W
 * @paced: what is sent is bounded by the rate alone
 */
struct rcc_ctx {
	const u64 *p;
	u64 now_ns;
	u64 t_ns;
	u64 least_bps;
	u64 fair_bps;
	u64 load_q24;
	u64 round_ns;
	u64 pkt_q20;
	bool paced;
};

/* W of a rate. */
static u64 rcc_window_q20(u64 rate_bps, u64 ns)
{
	return min(rxe_cc_muldiv(rate_bps << RCC_W_SHIFT, ns,
				 RXE_CC_BIT_NS_PER_BYTE), RCC_W_MAX);
}

static u64 rcc_rate_bps(u64 w_q20, u64 ns)
{
	return rxe_cc_rate_of(w_q20, ns) >> RCC_W_SHIFT;
}

/* Gain x time in Q48. */
static s64 rcc_gain(const struct rcc_ctx *c, u64 k_q24, s64 e_q16)
{
	u64 unit_ns = c->p[RCC_RTT_UNIT], du;

	if (unit_ns)
		k_q24 = rxe_cc_muldiv(k_q24, unit_ns, c->round_ns);
	du = rxe_cc_muldiv((u64)abs(e_q16) << (RXE_CC_Q24_SHIFT - RCC_E_SHIFT), k_q24,
			   NSEC_PER_SEC);
	du = min(du, (u64)S64_MAX / 4);
	return e_q16 < 0 ? -(s64)du : (s64)du;
}

static s64 rcc_part(s64 v, u64 q24)
{
	u64 part = rxe_cc_mul_q(abs(v), q24, RXE_CC_Q24_SHIFT);

	return v < 0 ? -(s64)part : (s64)part;
}

/* By what U multiplies W, in Q62. 2 - 2 sigmoid U is 1 - tanh(U / 2). */
static u64 rcc_factor_q62(const u64 *p, s64 u_q48)
{
	switch (p[RCC_SCALE]) {
	case RCC_SCALE_SIGMOID:
		return rxe_cc_sigmoid_q62(-u_q48);
	case RCC_SCALE_TWICE:
		return 2 * rxe_cc_sigmoid_q62(-u_q48);
	default:
		return RXE_CC_Q62_ONE - rxe_cc_tanh_q62(u_q48);
	}
}

/* E of a delay above the idle path's. */
static s64 rcc_error_q16(const struct rcc_ctx *c, u64 over_ns)
{
	u64 target_q16 = c->round_ns * c->p[RCC_DELTA] >>
			 (RXE_CC_Q24_SHIFT - RCC_E_SHIFT + 1);

	return (s64)(over_ns << RCC_E_SHIFT) - (s64)target_q16;
}

/* Is a delay one of congestion? (1) */
static bool rcc_long(const struct rcc_ctx *c, u64 over_ns)
{
	return over_ns > c->round_ns * c->p[RCC_DELTA] >> RXE_CC_Q24_SHIFT;
}

/* An update was made. The next one is due with own_round by a packet that was sent after this
 * one has reached the sender: a queue that was there before says nothing of it. How long that
 * takes shows in the delay of the packet before. By its own, of delays that jitter the short
 * ones would be due first, and E would be that of short delays.
 */
static void rcc_pid_next(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	pid->due_ns = c->now_ns;
	if (!c->p[RCC_OWN_ROUND])
		pid->due_ns += c->t_ns + over_ns;
}

static bool rcc_pid_due(const struct rcc_pid *pid, const struct rcc_ctx *c)
{
	if (!c->p[RCC_OWN_ROUND])
		return c->now_ns >= pid->due_ns;
	return rxe_cc_sat_sub(c->now_ns, pid->due_ns) >= c->round_ns + pid->before_ns;
}

static void rcc_pid_begin(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	pid->on = true;
	pid->u_q48 = 0;
	pid->w_q20 = rcc_window_q20(c->fair_bps, c->t_ns);
	pid->rate_bps = c->fair_bps;
	pid->e_q16 = rcc_error_q16(c, over_ns);
	rcc_pid_next(pid, c, over_ns);
}

/* The bound of W: the fair share at PID's target, so that a flow can reach it there. */
static u64 rcc_pid_most_q20(const struct rcc_ctx *c)
{
	u64 fair_q20 = rcc_window_q20(c->fair_bps, c->t_ns);

	if (!c->p[RCC_REACH])
		return fair_q20;
	return fair_q20 + rxe_cc_mul_q(fair_q20, c->p[RCC_DELTA], RXE_CC_Q24_SHIFT + 1);
}

/* The window that is in force. */
static u64 rcc_w_q20(const struct rcc_pid *pid, const struct rcc_ctx *c)
{
	return pid->on ? min(pid->w_q20, rcc_pid_most_q20(c)) :
			 rcc_window_q20(c->fair_bps, c->t_ns);
}

/* The flow's own round trip. A window W below a packet is one packet in each T packet / W. Such
 * a flow sees and does something that often only, so targets and gains are for this time. The
 * target's queue is then the same for all flows when their windows are.
 */
static void rcc_set_round(struct rcc_ctx *c, const struct rcc_pid *pid)
{
	u64 w_q20;

	c->round_ns = c->t_ns;
	if (!c->p[RCC_OWN_ROUND])
		return;
	w_q20 = max(rcc_w_q20(pid, c), 1ULL);
	if (w_q20 < c->pkt_q20)
		c->round_ns = min(rxe_cc_muldiv(c->t_ns, c->pkt_q20, w_q20), RCC_MAX_NS);
}

/* A rate for W. Where a packet is sent per round trip, that is longer by D as well: so D counts
 * for as much of W as there is of a packet. A window itself waits for longer queues, and
 * they may be gone before the next packet is due; what has no window waits for them here.
 */
static u64 rcc_pid_rate_bps(const struct rcc_ctx *c, u64 w_q20, u64 over_ns)
{
	u64 d_q16 = over_ns << RCC_E_SHIFT;

	if (!c->p[RCC_OWN_ROUND])
		return rcc_rate_bps(w_q20, c->t_ns + over_ns);
	if (w_q20 < c->pkt_q20)
		d_q16 = rxe_cc_muldiv(d_q16, w_q20, c->pkt_q20);
	if (!c->paced)
		d_q16 = min(d_q16, c->t_ns * c->p[RCC_DELTA] >>
				   (RXE_CC_Q24_SHIFT - RCC_E_SHIFT));
	return rxe_cc_muldiv(w_q20, RXE_CC_BIT_NS_PER_BYTE << RCC_E_SHIFT,
			     (c->t_ns << RCC_E_SHIFT) + d_q16) >> RCC_W_SHIFT;
}

/* Is a delay above the target the last hop's, which shares see to, or not known yet? The
 * load covers the T that lies behind it, so congestion must have lasted for one.
 */
static bool rcc_holds(const struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	if (!c->p[RCC_HOLD] || !c->p[RCC_EWA] || rcc_error_q16(c, over_ns) <= 0)
		return false;
	return pid->busy || (rcc_long(c, over_ns) && !pid->congested);
}

/* W stays, and goes at the rate that shares have. */
static void rcc_pid_hold(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	pid->rate_bps = rcc_rate_bps(pid->w_q20, c->t_ns);
	pid->u_q48 = 0;
	pid->e_q16 = rcc_error_q16(c, over_ns);
	rcc_pid_next(pid, c, over_ns);
}

/* Equations 4 and 5. */
static void rcc_pid_update(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	u64 most_q20 = rcc_pid_most_q20(c);
	u64 least_q20 = rcc_window_q20(c->least_bps, c->t_ns) + 1;
	s64 umax_q48 = c->p[RCC_UMAX] << (RXE_CC_Q48_SHIFT - RXE_CC_Q24_SHIFT);
	s64 e_q16 = rcc_error_q16(c, over_ns);

	if (c->p[RCC_RESET] && (e_q16 > 0 ? pid->u_q48 < 0 : pid->u_q48 > 0))
		pid->u_q48 = 0;
	pid->u_q48 -= rcc_part(pid->u_q48, c->p[RCC_LEAK]);
	pid->u_q48 += rcc_gain(c, c->p[RCC_KP], e_q16) +
		      rcc_gain(c, c->p[RCC_KD], e_q16 - pid->e_q16);
	pid->u_q48 = clamp(pid->u_q48, -umax_q48, umax_q48);
	pid->w_q20 = rxe_cc_mul_q(pid->w_q20, rcc_factor_q62(c->p, pid->u_q48),
				  RXE_CC_Q62_SHIFT);
	if (pid->w_q20 >= most_q20) {
		pid->w_q20 = most_q20;
		pid->u_q48 = max(pid->u_q48, 0LL);
	} else if (pid->w_q20 <= least_q20) {
		pid->w_q20 = least_q20;
		pid->u_q48 = min(pid->u_q48, 0LL);
	}
	pid->e_q16 = e_q16;
	pid->rate_bps = rcc_pid_rate_bps(c, pid->w_q20, over_ns);
	rcc_pid_next(pid, c, over_ns);
}

static void rcc_meter_begin(struct rcc_pid *pid, u64 now_ns)
{
	pid->meter = (struct rcc_meter) { .since_ns = now_ns };
}

/* Does the flow keep its window full, and get less than its share all the same? Then the last
 * hop, where all get theirs, is not what holds it up. One whose application sends little
 * does not get its share either, but has room in its window: with W full, W arrives per
 * T + D. Where there is no window, what came in the time L was sent in L less what D has
 * grown. Both by a tenth, of which a packet more or less is a 16th.
 */
static void rcc_measure(struct rcc_pid *pid, const struct rcc_ctx *c, u64 bytes, bool has_over,
			u64 over_ns)
{
	struct rcc_meter *m = &pid->meter;
	u64 span_ns = c->now_ns - m->since_ns, w_q20, full;

	over_ns = min(over_ns, RCC_MAX_NS);
	m->bytes += bytes;
	if (!has_over)
		return;
	if (!m->pkts++)
		m->first_ns = over_ns;
	m->over_ns += over_ns;
	if (m->pkts < RCC_METER_PKTS || span_ns < c->t_ns ||
	    (span_ns - c->t_ns) * m->pkts < m->over_ns)
		return;
	w_q20 = rcc_w_q20(pid, c);
	if (c->paced)
		full = rxe_cc_bytes_in(rcc_rate_bps(w_q20, c->t_ns),
				       rxe_cc_sat_sub(span_ns + m->first_ns, over_ns));
	else
		full = rxe_cc_muldiv(w_q20 >> RCC_W_SHIFT, span_ns,
				     c->t_ns + div_u64(m->over_ns, m->pkts));
	pid->starved = 10 * m->bytes >= 9 * full &&
		       10 * m->bytes < 9 * rxe_cc_bytes_in(c->fair_bps, span_ns);
	rcc_meter_begin(pid, c->now_ns);
}

/* Is the last hop busy? EWA keeps it at eta, so it leaves that later than it comes. But not for
 * a flow which it does not hold up: the shares that others have leave it below eta then.
 */
static void rcc_judge_load(struct rcc_pid *pid, const struct rcc_ctx *c)
{
	u64 eta_q24 = c->p[RCC_ETA];

	if (pid->busy && !pid->starved)
		eta_q24 -= min(eta_q24, c->p[RCC_ETA_HYST]);
	pid->busy = c->load_q24 >= eta_q24;
}

/* For those who watch: a delay on a busy last hop is that hop's. */
static void rcc_say_type(struct rxe_cc_flow *flow, const struct rcc_pid *pid)
{
	flow->congestion = pid->busy ? RXE_CC_CONGESTION_LAST_HOP :
			   pid->congested ? RXE_CC_CONGESTION_NETWORK :
					    RXE_CC_CONGESTION_NONE;
}

/* n delays in a row, and for a round trip, which the load covers. */
static bool rcc_congested(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	if (!rcc_long(c, over_ns)) {
		pid->over = 0;
		return false;
	}
	if (!pid->over)
		pid->since_ns = c->now_ns;
	pid->over = min_t(u64, pid->over + 1, c->p[RCC_N]);
	return pid->over >= c->p[RCC_N] &&
	       (!c->p[RCC_CONFIRM] || c->now_ns - pid->since_ns >= c->t_ns);
}

/* A delay was measured: Algorithm 1. Returns 1 when PID has begun, 2 when it was updated. */
static unsigned int rcc_judge(struct rcc_pid *pid, const struct rcc_ctx *c, u64 over_ns)
{
	bool due = rcc_pid_due(pid, c);

	over_ns = min(over_ns, RCC_MAX_NS);
	pid->before_ns = over_ns;
	pid->congested = rcc_congested(pid, c, over_ns);
	if (!c->p[RCC_PID])
		return 0;
	if (!pid->on) {
		if (c->p[RCC_EWA] && (!pid->congested || pid->busy))
			return 0;
		rcc_pid_begin(pid, c, over_ns);
		return 1;
	}
	if (!due)
		return 0;
	if (rcc_holds(pid, c, over_ns))
		rcc_pid_hold(pid, c, over_ns);
	else
		rcc_pid_update(pid, c, over_ns);
	return 2;
}

/* What is in force: PID's, or the fair share where that is less. */
static u64 rcc_result(const struct rcc_pid *pid, const struct rcc_ctx *c, u64 *w_q20)
{
	u64 most_q20 = pid->on ? rcc_pid_most_q20(c) : rcc_window_q20(c->fair_bps, c->t_ns);

	if (pid->on && pid->w_q20 < most_q20) {
		*w_q20 = pid->w_q20;
		return min(pid->rate_bps, c->fair_bps);
	}
	*w_q20 = most_q20;
	return c->fair_bps;
}

/* The flow is at its end. */
static void rcc_pid_end(struct rcc_pid *pid)
{
	pid->on = false;
	pid->congested = false;
	pid->starved = false;
	pid->over = 0;
	pid->u_q48 = 0;
}

/* Does the sender of this flow judge delays? With side 2 it follows the receiver's feedback. */
static bool rcc_tx_judges(const struct rxe_cc_flow *flow)
{
	const struct rcc *st = (const void *)flow->priv;
	u64 side = flow->params[RCC_SIDE];

	return side == RCC_SIDE_AUTO ? st->judges : side;
}

/* Does its receiver leave them to the sender? Of two clocks and without T nothing is known
 * here that is a part of T.
 */
static bool rcc_rx_leaves(const struct rxe_cc_flow *flow)
{
	u64 side = flow->params[RCC_SIDE];

	if (side != RCC_SIDE_AUTO)
		return side;
	return !flow->clock_common && !flow->base_rtt_ns;
}

/* Side 1 goes by round trips. */
static u32 rcc_needs_of(const u64 *p)
{
	return RXE_CC_ALGO_NEED_ACK_EVERY_PACKET |
	       (p[RCC_SIDE] == RCC_SIDE_SENDER ? 0 : RXE_CC_ALGO_NEED_INT);
}

/* What packets carry and ask for, for both halves. */
static void rcc_want(struct rxe_cc_flow *flow)
{
	const u64 *p = flow->params;

	flow->wants = rcc_tx_judges(flow) ? RXE_CC_WANT_RTTS :
		      RXE_CC_WANT_INT | RXE_CC_WANT_INT_FIRST;
	if (p[RCC_SIDE] != RCC_SIDE_SENDER)
		flow->wants |= RXE_CC_WANT_RX_HOPS;
	if (p[RCC_ACKS])
		flow->wants |= RXE_CC_WANT_ACKS;
	if (p[RCC_FILL_WINDOW])
		flow->wants |= RXE_CC_WANT_FILL_WINDOW;
}

/* Put a rate and a window into force. Where one packet in each eighth of the window asks
 * for an ACK, what waits for one comes on top: w = W + w / 8 - one packet.
 */
static void rcc_set(struct rxe_cc_flow *flow, u64 rate_bps, u64 w_bytes)
{
	u64 unasked_bytes = 8ULL * flow->pkt_bytes;

	flow->rate_bps = rate_bps;
	flow->cwnd_bytes = max(w_bytes, 1ULL);
	if (!flow->params[RCC_ACKS] && w_bytes > unasked_bytes)
		flow->cwnd_bytes += (w_bytes - unasked_bytes) / 7;
}

/* Line rate, and a window of it once T is known. */
static void rcc_start(struct rxe_cc_flow *flow, u64 rate_bps)
{
	u64 w_q20 = rcc_window_q20(rate_bps, flow->base_rtt_ns);

	flow->rate_bps = rate_bps;
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
	if (w_q20)
		rcc_set(flow, rate_bps, w_q20 >> RCC_W_SHIFT);
}

static void rcc_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	rcc_want(flow);
	/* A replay may give the first rate and window. */
	if (flow->cwnd_bytes == RXE_CC_NO_WINDOW)
		rcc_start(flow, flow->rate_bps);
}

static void rcc_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rcc_rx *rx = rxe_cc_rx_priv(flow);
	struct rcc *st = rxe_cc_priv(flow);

	rcc_want(flow);
	if (!flow->params[RCC_PID]) {
		rcc_pid_end(&rx->pid);
		rcc_pid_end(&st->pid);
	}
	if (!st->told)
		rcc_start(flow, flow->line_rate_bps);
}

/* The delay of a packet, with what clocks that are not common would add. */
static u64 rcc_over_ns(const struct rxe_cc_flow *flow, u64 over_ns, u64 seq)
{
	u64 jitter_ns = flow->params[RCC_JITTER];

	if (!jitter_ns)
		return over_ns;
	/* The high bits of a product with the golden ratio: a number out of a number. */
	seq = (seq + 1) * 0x9e3779b97f4a7c15ULL;
	seq = (seq ^ (seq >> 29)) * 0xbf58476d1ce4e5b9ULL;
	return rxe_cc_sat_add(over_ns, rxe_cc_mul_q(jitter_ns, seq >> 32, 32));
}

/* The round trip of the flow's idle path, at the receiver: given, or the flow's own as a
 * sender, else twice its smallest way here. That of other flows is not its own.
 */
static u64 rcc_rx_base_ns(const struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
			  u64 before_ns)
{
	if (flow->base_rtt_ns)
		return flow->base_rtt_ns;
	if (s->has_owd && s->owd_ns > s->owd_over_ns)
		return 2 * (s->owd_ns - s->owd_over_ns);
	return flow->clock_common ? before_ns : 0;
}

/* What is given out: eta C. */
static u64 rcc_give_bps(const struct rxe_cc_flow *flow)
{
	return rxe_cc_mul_q(flow->line_rate_bps, flow->params[RCC_ETA], RXE_CC_Q24_SHIFT);
}

static struct rcc_ctx rcc_rx_ctx(const struct rxe_cc_flow *flow, u64 now_ns, u64 t_ns)
{
	const struct rxe_cc_rx_view *v = &flow->rx;
	u64 full_bytes = rxe_cc_bytes_in(flow->line_rate_bps, v->round_ns);
	u64 give_bps = rcc_give_bps(flow);
	struct rcc_ctx c = {
		.p = flow->params, .now_ns = now_ns, .t_ns = min(t_ns, RCC_MAX_NS),
		.least_bps = div64_u64(give_bps, flow->params[RCC_N_MAX]),
		.fair_bps = flow->line_rate_bps,
		.pkt_q20 = (u64)flow->pkt_bytes << RCC_W_SHIFT,
	};

	if (c.p[RCC_EWA])
		c.fair_bps = max(rxe_cc_rx_share(v, give_bps), c.least_bps);
	if (v->round_ns)
		c.load_q24 = rxe_cc_ratio_q(v->round_bytes, full_bytes, RXE_CC_Q24_SHIFT);
	return c;
}

/* What the sender is to hear. Returns whether at once. */
static u32 rcc_tell(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
		    const struct rcc_ctx *c, u64 w_q20, u64 rate_bps)
{
	struct rxe_cc_report *r = &flow->report;
	struct rcc_rx *rx = rxe_cc_rx_priv(flow);
	u64 w_bytes = (w_q20 + BIT(RCC_W_SHIFT) - 1) >> RCC_W_SHIFT;
	/* Each message of a host that sends little changes the share a bit. Such a change goes
	 * with the next answer.
	 */
	bool news = abs_diff(rx->told_bps, rate_bps) > rx->told_bps / 32;

	r->fb[RCC_FB_WINDOW] = w_bytes;
	r->fb[RCC_FB_RATE] = rate_bps;
	r->nr = RCC_NR_FB;
	if (rcc_rx_leaves(flow)) {
		r->fb[RCC_FB_N] = max(flow->rx.msgs, 1U);
		r->fb[RCC_FB_LOAD] = c->load_q24;
		r->nr = RCC_NR_FB_SIDE;
	}
	r->always = true;
	/* A READ response has no ACK: one report in an eighth of a round trip. */
	if (!news && (s->kind != RXE_CC_DATA_READ_RESP ||
		      s->now_ns - rx->told_ns < c->t_ns / 8))
		return 0;
	rx->told_ns = s->now_ns;
	rx->told_bps = rate_bps;
	return RXE_CC_RX_REPORT;
}

/* A message begins: is it still the flow that PID rules? With a queue on the way a round trip
 * is T + D, and a slow flow may need longer than that from packet to packet.
 */
static void rcc_rx_start(struct rcc_rx *rx, const struct rcc_ctx *c, u64 over_ns,
			 u32 pkt_bytes)
{
	u64 round_ns = rxe_cc_sat_add(c->t_ns, over_ns);
	u64 gap_ns = c->now_ns - rx->end_ns;

	if (!rx->end_ns || gap_ns <= round_ns)
		return;
	/* A pause of the application: it shows nothing of what the flow could have had. */
	rcc_meter_begin(&rx->pid, c->now_ns);
	if (rx->pid.on && gap_ns - round_ns > rxe_cc_ns_for(pkt_bytes, rx->pid.rate_bps))
		rcc_pid_end(&rx->pid);
}

static u32 rcc_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rcc_rx *rx = rxe_cc_rx_priv(flow);
	bool leaves = rcc_rx_leaves(flow);
	unsigned int what = 0;
	struct rcc_ctx c;
	u64 w_q20 = 0, rate_bps;

	/* Its data will go the other way. */
	if (s->kind == RXE_CC_DATA_READ_REQ)
		return 0;
	rx->t_ns = rcc_rx_base_ns(flow, s, rx->t_ns);
	c = rcc_rx_ctx(flow, s->now_ns, rx->t_ns);
	c.paced = s->kind == RXE_CC_DATA_READ_RESP;
	rate_bps = c.fair_bps;
	if (c.t_ns) {
		u64 over_ns = rcc_over_ns(flow, s->owd_over_ns, s->seq);

		if (leaves && rx->pid.on)
			rcc_pid_end(&rx->pid);
		if (s->start)
			rcc_rx_start(rx, &c, s->has_owd ? over_ns : 0, flow->pkt_bytes);
		rcc_set_round(&c, &rx->pid);
		if (!leaves)
			rcc_measure(&rx->pid, &c, s->bytes, s->has_owd, over_ns);
		rcc_judge_load(&rx->pid, &c);
		if (s->has_owd && !leaves)
			what = rcc_judge(&rx->pid, &c, over_ns);
		if (!leaves)
			rcc_say_type(flow, &rx->pid);
		rx->entries += what == 1;
		rx->updates += what == 2;
		if (s->nr_hops)
			flow->telemetry = s->has_owd ? RXE_CC_TELEMETRY_USED :
						       RXE_CC_TELEMETRY_TIME;
		rate_bps = rcc_result(&rx->pid, &c, &w_q20);
	}
	rx->end_ns = s->end ? s->now_ns : 0;
	if (s->end && !c.p[RCC_LINGER])
		rcc_pid_end(&rx->pid);
	return rcc_tell(flow, s, &c, w_q20, rate_bps);
}

/* The receiver has sent the fair share, N and its load: judge the round trip here. */
static void rcc_judge_here(struct rxe_cc_flow *flow, struct rcc *st,
			   const struct rxe_cc_sample *s, u64 fair_bps)
{
	u64 idle_ns = flow->min_rtt_ns ? flow->min_rtt_ns : flow->base_rtt_ns;
	struct rcc_ctx c = {
		.p = flow->params, .now_ns = s->now_ns,
		.t_ns = min(flow->base_rtt_ns, RCC_MAX_NS),
		.least_bps = div64_u64(rcc_give_bps(flow), flow->params[RCC_N_MAX]),
		.fair_bps = fair_bps,
		.load_q24 = s->fb[RCC_FB_LOAD],
		.pkt_q20 = (u64)flow->pkt_bytes << RCC_W_SHIFT,
	};
	u64 over_ns = rcc_over_ns(flow, rxe_cc_sat_sub(s->rtt_ns, idle_ns), s->seq);
	u64 w_q20, rate_bps;

	/* The message is at its end. A window below a packet is empty after each ACK. */
	if (!c.p[RCC_LINGER] && !s->inflight_bytes && st->ended)
		rcc_pid_end(&st->pid);
	rcc_set_round(&c, &st->pid);
	rcc_measure(&st->pid, &c, s->bytes, s->rtt_ns, over_ns);
	rcc_judge_load(&st->pid, &c);
	if (s->rtt_ns && rcc_judge(&st->pid, &c, over_ns) == 1)
		st->entries++;
	rcc_say_type(flow, &st->pid);
	rate_bps = rcc_result(&st->pid, &c, &w_q20);
	rcc_set(flow, rate_bps, w_q20 >> RCC_W_SHIFT);
}

static void rcc_hear(struct rxe_cc_flow *flow, struct rcc *st,
		     const struct rxe_cc_sample *s)
{
	u64 rate_bps = clamp(s->fb[RCC_FB_RATE], 1ULL, flow->line_rate_bps);
	u64 w_bytes = min(s->fb[RCC_FB_WINDOW], RCC_W_MAX >> RCC_W_SHIFT);
	bool loaded = s->nr_fb > RCC_FB_LOAD;

	st->told = true;
	st->n = s->nr_fb > RCC_FB_N ? min_t(u64, s->fb[RCC_FB_N], U32_MAX) : 0;
	if (st->judges != loaded) {
		st->judges = loaded;
		rcc_want(flow);
	}
	if (loaded && flow->base_rtt_ns) {
		rcc_judge_here(flow, st, s, rate_bps);
		return;
	}
	rcc_pid_end(&st->pid);
	if (!w_bytes)
		w_bytes = rcc_window_q20(rate_bps, flow->base_rtt_ns) >> RCC_W_SHIFT;
	if (w_bytes) {
		rcc_set(flow, rate_bps, w_bytes);
	} else {
		flow->rate_bps = rate_bps;
		flow->cwnd_bytes = RXE_CC_NO_WINDOW;
	}
}

static void rcc_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rcc *st = rxe_cc_priv(flow);

	if (s->nr_fb && s->fb[RCC_FB_RATE]) {
		rcc_hear(flow, st, s);
		st->heard_ns = s->now_ns;
		st->heard_seq = s->seq;
		st->asked = true;
		return;
	}
	if (!st->asked) {
		st->heard_ns = s->now_ns;
		st->asked = true;
	}
	/* A peer that never sent feedback, or sends none any more. T may have become known. */
	if (st->told && s->now_ns - st->heard_ns >= flow->params[RCC_TOLD_EXPIRY]) {
		st->told = false;
		rcc_pid_end(&st->pid);
	}
	if (!st->told)
		rcc_start(flow, flow->line_rate_bps);
}

/* Has nothing been under way for a round trip before this packet? A slow flow leaves longer
 * gaps than that between two packets. READ responses are never acknowledged: the requester
 * reports one in an eighth of a round trip, and a report may be lost, so of a quarter nothing
 * may be known. More than that is still on its way, as in a port that is paused.
 */
static bool rcc_silent(const struct rxe_cc_flow *flow, const struct rcc *st,
		       const struct rxe_cc_sample *s)
{
	u64 unheard = st->sent_seq > st->heard_seq ? st->sent_seq - st->heard_seq : 0;

	if (s->inflight_bytes > flow->pkt_bytes ||
	    unheard > 1 + div_u64(rxe_cc_bytes_in(flow->rate_bps, flow->base_rtt_ns / 4),
				  max(flow->pkt_bytes, 1U)))
		return false;
	return s->now_ns - st->heard_ns >
	       rxe_cc_sat_add(flow->base_rtt_ns,
			      rxe_cc_ns_for(flow->pkt_bytes, flow->rate_bps));
}

/* Every flow of the paper starts at line rate. Feedback on the last message says
 * nothing any more after a silence, and the sender's PID has ended.
 */
static void rcc_on_sent(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rcc *st = rxe_cc_priv(flow);

	if (s->retransmit)
		return;
	if (s->start && st->told && rcc_silent(flow, st, s)) {
		rcc_pid_end(&st->pid);
		rcc_meter_begin(&st->pid, s->now_ns);
		if (flow->params[RCC_RESTART])
			rcc_start(flow, flow->line_rate_bps);
	}
	st->sent_seq = s->seq;
	st->ended = s->end;
}

static void rcc_rx_rules(const u64 *params, struct rxe_cc_rx_rules *r)
{
	r->linger_ns = params[RCC_N_LINGER];
	r->weigh = !params[RCC_N_LINGER];
	r->idle_ns = params[RCC_N_IDLE];
	r->peer_max = params[RCC_PEER_MAX];
	r->on = true;
	r->round = true;
}

static const char *rcc_check(const u64 *p, unsigned int *bad)
{
	if (p[RCC_ETA_HYST] >= p[RCC_ETA]) {
		*bad = RCC_ETA_HYST;
		return "must be less than eta";
	}
	return NULL;
}

static unsigned int rcc_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct rcc *st = (const void *)flow->priv;
	const struct rcc_rx *rx = (const void *)flow->rx_priv;
	const struct rcc_pid *pid = rcc_tx_judges(flow) ? &st->pid : &rx->pid;
	u64 u_q24 = abs(pid->u_q48) >> (RXE_CC_Q48_SHIFT - RXE_CC_Q24_SHIFT);
	const struct rxe_cc_var all[] = {
		/* Of the sender. 0: nobody tells, line rate. */
		{ "told", st->told },
		{ "told_n", st->n },
		/* Who judges what this end sends and receives: 0 the receiver, 1 the sender. */
		{ "side", rcc_tx_judges(flow) },
		{ "rx_side", rcc_rx_leaves(flow) },
		/* Of the receiver. */
		{ "rx_n", flow->rx.msgs },
		{ "rx_parts_q16", flow->rx.parts_q16 },
		{ "rx_base_rtt_ns", rx->t_ns },
		{ "rx_window_bytes", flow->report.fb[RCC_FB_WINDOW] },
		{ "rx_rate_bps", flow->report.fb[RCC_FB_RATE] },
		/* Of who judges. */
		{ "busy", pid->busy },
		{ "starved", pid->starved },
		{ "pid", pid->on },
		{ "pid_window_bytes", pid->w_q20 >> RCC_W_SHIFT },
		{ "pid_cut_q24", pid->u_q48 > 0 ? u_q24 : 0 },
		{ "pid_raise_q24", pid->u_q48 < 0 ? u_q24 : 0 },
		{ "pid_entries", rcc_tx_judges(flow) ? st->entries : rx->entries },
		{ "pid_updates", rx->updates },
	};
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(all) > RXE_CC_MAX_VARS);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		vars[i] = all[i];
	return i;
}

static const struct rxe_cc_signal rcc_signals[] = { {
	.var	= "rx_n",
	.name	= "N",
	.unit	= "count",
	.help	= ", messages in flight that its receiver counts",
} };

static struct rxe_cc_ops rcc_ops = {
	.on_ack		= rcc_on_ack,
	.on_sent	= rcc_on_sent,
	.on_data	= rcc_on_data,
	.init		= rcc_init,
	.params_changed	= rcc_params_changed,
	.check_params	= rcc_check,
	.rx_rules	= rcc_rx_rules,
	.needs_of	= rcc_needs_of,
	.dump		= rcc_dump,
	.params		= rcc_params,
	.presets	= rcc_presets,
	.nr_params	= ARRAY_SIZE(rcc_params),
	.nr_presets	= ARRAY_SIZE(rcc_presets),
	.signals	= rcc_signals,
	.nr_signals	= ARRAY_SIZE(rcc_signals),
	.needs		= RXE_CC_ALGO_NEED_INT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.priv_size	= sizeof(struct rcc),
	.rx_priv_size	= sizeof(struct rcc_rx),
	.all_data	= true,
	.obeys		= true,
	.name		= "rcc",
	.owner		= THIS_MODULE,
};

static int __init rcc_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(rcc_params) != RCC_NR_PARAMS);
	return rxe_cc_register(&rcc_ops);
}

static void __exit rcc_module_exit(void)
{
	rxe_cc_unregister(&rcc_ops);
}

module_init(rcc_module_init);
module_exit(rcc_module_exit);

MODULE_DESCRIPTION("RCC congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("rcc");
