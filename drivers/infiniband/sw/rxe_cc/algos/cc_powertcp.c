// SPDX-License-Identifier: GPL-2.0
/*
 * PowerTCP and theta-PowerTCP: Addanki, Michel, Schmid, "PowerTCP: Pushing the Performance
 * Limits of Datacenter Networks", NSDI 2022, algorithms 1 and 2.
 *
 * The power of a port is the product of what arrives there (current) and what a window must
 * fill (voltage). Divided by that of a port which is full and has no queue:
 *
 *	P_i = ((dq/dt + txRate) / b) (1 + q / (b T))	algorithm 1, of port i
 *	P_i = (dRTT/dt + 1) RTT / T			algorithm 2 (theta), of the path
 *
 *	P = max P_i, over the time dt of that port, at most T
 *	smooth = (smooth (T - dt) + P dt) / T
 *	W = gamma (W_old / smooth + beta) + (1 - gamma) W
 *
 * on each ACK; theta once per round trip. W_old becomes W once per round trip, beta is
 * line rate x T / n, and the pace is W / T. Where all is steady P is 1 + q / (b T), so N flows
 * keep a queue of N beta and the port is never idle (theorem 1).
 *
 * Differences from the paper:
 * - The largest P_i is taken, not the largest product before it is divided (the listing keeps
 *   the latter, which ports of different speeds do not allow).
 * - A queue that falls by more than was sent, which the queue of one priority can beside the
 *   bytes of the whole port, is an arrival of nothing, not of less than nothing; an RTT that
 *   falls faster than time passes likewise.
 * - smooth begins at 1. W is held between floor x T and line rate x T, W at the start.
 * - The first sample of a path is only remembered, and so is one that contradicts the one
 *   before (int_path.h).
 * - W_old is that of the last update and not of the packet that the ACK is about: the paper's
 *   text has that, its listing would allow both. In a round trip W differs from W_old by what
 *   the ACKs of one round trip have changed. With per_packet it is that of the packet.
 * - theta: an RTT is compared with that of the last update, a round trip ago, as the authors'
 *   code for Linux has it. The listing compares each with the ACK before: then the power is that
 *   of the last T of a round trip, and flows that have stopped together for that long start
 *   together with the largest window. The time of an ACK is when the algorithm hears of it.
 * - A power of 0 leaves W as it is, as in that code: W_old / 0 would be the largest window.
 * - Loss changes nothing. The paper says nothing of it.
 *
 * State is kept as rates, W / T, as in cc_hpcc_rp.c: windows follow T. P in Q36, since it moves
 * by (P - smooth) dt / T; rates in bit/s in Q16.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/hpcc_rp.h>
#include <rxe_cc/int_path.h>
#include <rxe_cc/sent_value.h>
#include <rxe_cc/version.h>

#define POWER_ONE	BIT_ULL(RXE_CC_Q36_SHIFT)
/* What arrives, and a queue, count for 4096 times a full port at most: more than the ports of a
 * switch can bring, and the product of the two fits.
 */
#define POWER_MAX_BITS	12
#define POWER_MAX	(POWER_ONE << POWER_MAX_BITS)

enum {
	POWER_THETA,
	POWER_GAMMA,
	POWER_N,
	POWER_PER_PACKET,
	POWER_NR_PARAMS,
};

static const struct rxe_cc_param power_params[] = {
	[POWER_THETA] = {
		"theta", "bool", 0, 1, 0,
		"theta-PowerTCP: power of the path by round-trip times; 0: of its ports by telemetry"
	},
	[POWER_GAMMA] = {
		"gamma", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(1, 1), RXE_CC_Q24(9, 10),
		"weight of the new window"
	},
	[POWER_N] = {
		"n", "count", 1, 1000000, 10,
		"flows of a host: each adds the window of its line / n, and keeps as long a queue"
	},
	[POWER_PER_PACKET] = {
		"per_packet", "bool", 0, 1, 0,
		"by telemetry: W_old is the window that the packet was sent with; 0: that of its round trip"
	},
};

static const u64 power_paper[POWER_NR_PARAMS] = {
	[POWER_THETA]	= 0,
	[POWER_GAMMA]	= RXE_CC_Q24(9, 10),
	[POWER_N]	= 10,
	[POWER_PER_PACKET] = 0,
};

static const u64 power_theta[POWER_NR_PARAMS] = {
	[POWER_THETA]	= 1,
	[POWER_GAMMA]	= RXE_CC_Q24(9, 10),
	[POWER_N]	= 10,
	[POWER_PER_PACKET] = 0,
};

static const struct rxe_cc_preset power_presets[] = {
	{ "paper", power_paper },
	{ "theta", power_theta },
};

/**
 * struct powertcp - state of a sender
 * @rate_q16: W / T in bit/s, Q16
 * @old_q16: W_old / T likewise
 * @smooth_q36: power, averaged over T, Q36
 * @update_seq: first packet sent with the present W_old
 * @updates: how often W_old was replaced
 * @rtt_ns: theta: last RTT; 0: none yet
 * @rtt_at_ns: theta: when it came
 * @path: last telemetry
 * @sent: with per_packet: @rate_q16 by the packets that were sent with it
 * @busiest: index of the port with the largest power in it
 */
struct powertcp {
	u64 rate_q16;
	u64 old_q16;
	u64 smooth_q36;
	u64 update_seq;
	u64 updates;
	u64 rtt_ns;
	u64 rtt_at_ns;
	struct rxe_cc_path path;
	struct rxe_cc_sent_values sent;
	u8 busiest;
};

static u64 power_line_q16(const struct rxe_cc_flow *flow)
{
	return min(flow->line_rate_bps, RXE_HPCC_RATE_MAX_BPS) << RXE_HPCC_RATE_SHIFT;
}

static u64 power_beta_q16(const struct rxe_cc_flow *flow)
{
	return div64_u64(power_line_q16(flow), flow->params[POWER_N]);
}

static u64 power_limit(const struct rxe_cc_flow *flow, u64 rate_q16)
{
	u64 line_q16 = power_line_q16(flow);
	u64 min_q16 = min(flow->min_rate_bps << RXE_HPCC_RATE_SHIFT, line_q16);

	return clamp(rate_q16, min_q16, line_q16);
}

/* While T is not known there is no window. */
static void power_apply(const struct powertcp *st, struct rxe_cc_flow *flow)
{
	rxe_hpcc_apply(flow, st->rate_q16, flow->base_rtt_ns);
	if (!flow->base_rtt_ns)
		flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}

static void power_want(struct rxe_cc_flow *flow)
{
	flow->wants = RXE_CC_WANT_ACKS |
		      (flow->params[POWER_THETA] ? RXE_CC_WANT_RTTS : RXE_CC_WANT_INT);
}

/* With the window that it has, else with its rate, which is the line's unless preset. */
static void power_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct powertcp *st = rxe_cc_priv(flow);
	u64 rate_q16 = min(flow->rate_bps, RXE_HPCC_RATE_MAX_BPS) << RXE_HPCC_RATE_SHIFT;

	if (flow->base_rtt_ns && flow->cwnd_bytes != RXE_CC_NO_WINDOW)
		rate_q16 = rxe_hpcc_window_rate(flow->cwnd_bytes, flow->base_rtt_ns);
	st->rate_q16 = power_limit(flow, rate_q16);
	st->old_q16 = st->rate_q16;
	st->smooth_q36 = POWER_ONE;
	power_apply(st, flow);
	power_want(flow);
}

/* A flow that has not been measured yet goes to the new line rate. */
static void power_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct powertcp *st = rxe_cc_priv(flow);

	st->rate_q16 = power_limit(flow, st->updates ? st->rate_q16 : U64_MAX);
	st->old_q16 = power_limit(flow, st->updates ? st->old_q16 : U64_MAX);
	power_apply(st, flow);
	power_want(flow);
}

/* Averages differences by what passed, so that those of every ACK weigh as much as their time. */
static void power_average(struct powertcp *st, u64 power_q36, u64 dt_ns, u64 t_ns)
{
	if (dt_ns >= t_ns)
		st->smooth_q36 = power_q36;
	else if (power_q36 >= st->smooth_q36)
		st->smooth_q36 += rxe_cc_muldiv(power_q36 - st->smooth_q36, dt_ns, t_ns);
	else
		st->smooth_q36 -= rxe_cc_muldiv(st->smooth_q36 - power_q36, dt_ns, t_ns);
}

/* UpdateWindow. Where nothing came the power says nothing of what may be sent. */
static void power_window(struct powertcp *st, const struct rxe_cc_flow *flow, u64 old_q16)
{
	u64 gamma_q24 = flow->params[POWER_GAMMA], goal_q16, keep_q16;

	if (!st->smooth_q36)
		return;
	goal_q16 = rxe_cc_sat_add(rxe_cc_muldiv(old_q16, POWER_ONE, st->smooth_q36),
				  power_beta_q16(flow));
	goal_q16 = rxe_cc_mul_q(goal_q16, gamma_q24, RXE_CC_Q24_SHIFT);
	keep_q16 = rxe_cc_mul_q(st->rate_q16, RXE_CC_Q24_ONE - gamma_q24, RXE_CC_Q24_SHIFT);
	st->rate_q16 = power_limit(flow, rxe_cc_sat_add(goal_q16, keep_q16));
}

static bool power_round_over(const struct powertcp *st, const struct rxe_cc_sample *s)
{
	return s->seq >= st->update_seq;
}

/* UpdateOld */
static void power_update(struct powertcp *st, const struct rxe_cc_sample *s)
{
	st->old_q16 = st->rate_q16;
	st->update_seq = s->next_seq;
	st->updates++;
}

/* Normalised power of a port. dt is not 0. */
static u64 power_of_port(const struct rxe_cc_int_hop *hop, const struct rxe_cc_path_step *step,
			 u64 t_ns)
{
	u64 came_bytes = rxe_cc_sat_sub(step->tx_bytes + hop->qlen_bytes, step->qlen_before);
	u64 current_q36 = rxe_cc_load_q36(came_bytes, hop->rate_bps, step->dt_ns);
	u64 queue_q36;

	current_q36 = min(current_q36, POWER_MAX);
	if (!hop->qlen_bytes)
		return current_q36;
	queue_q36 = min(rxe_cc_load_q36(hop->qlen_bytes, hop->rate_bps, t_ns), POWER_MAX);
	return current_q36 + rxe_cc_mul_q(current_q36, queue_q36, RXE_CC_Q36_SHIFT);
}

/* NormPower, algorithm 1. */
static enum rxe_cc_telemetry power_measure(struct powertcp *st, const struct rxe_cc_sample *s,
					   u64 t_ns)
{
	struct rxe_cc_path_step step[RXE_CC_MAX_HOPS];
	u64 power_q36, most_q36 = 0, dt_ns = 0;
	enum rxe_cc_telemetry verdict;
	unsigned int i;

	verdict = rxe_cc_path_compare(&st->path, s, false, step);
	if (verdict != RXE_CC_TELEMETRY_USED)
		return verdict;
	for (i = 0; i < s->nr_hops; i++) {
		if (!step[i].dt_ns)
			continue;
		power_q36 = power_of_port(&s->hops[i], &step[i], t_ns);
		if (power_q36 > most_q36 || !dt_ns) {
			most_q36 = power_q36;
			dt_ns = step[i].dt_ns;
			st->busiest = i;
		}
	}
	power_average(st, most_q36, dt_ns, t_ns);
	return RXE_CC_TELEMETRY_USED;
}

static void power_by_ports(struct powertcp *st, struct rxe_cc_flow *flow,
			   const struct rxe_cc_sample *s)
{
	if (!s->nr_hops || s->partial)
		return;
	flow->telemetry = power_measure(st, s, flow->base_rtt_ns);
	if (flow->telemetry == RXE_CC_TELEMETRY_FIRST)
		st->update_seq = s->next_seq;
	if (flow->telemetry != RXE_CC_TELEMETRY_USED)
		return;
	power_window(st, flow, rxe_cc_sent_value(&st->sent, s->seq, st->old_q16));
	if (power_round_over(st, s))
		power_update(st, s);
}

/* NormPower and the rest, algorithm 2. */
static void power_by_rtt(struct powertcp *st, struct rxe_cc_flow *flow,
			 const struct rxe_cc_sample *s)
{
	u64 dt_ns = s->now_ns - st->rtt_at_ns, came_ns, current_q36, power_q36;

	if (!s->rtt_ns || (st->rtt_ns && (!dt_ns || !power_round_over(st, s))))
		return;
	if (st->rtt_ns) {
		came_ns = rxe_cc_sat_sub(rxe_cc_sat_add(dt_ns, s->rtt_ns), st->rtt_ns);
		current_q36 = min(rxe_cc_ratio_q(came_ns, dt_ns, RXE_CC_Q36_SHIFT), POWER_MAX);
		power_q36 = rxe_cc_muldiv(current_q36, s->rtt_ns, flow->base_rtt_ns);
		power_average(st, min(power_q36, POWER_MAX << POWER_MAX_BITS), dt_ns,
			      flow->base_rtt_ns);
		power_window(st, flow, st->old_q16);
		power_update(st, s);
	}
	st->update_seq = s->next_seq;
	st->rtt_ns = s->rtt_ns;
	st->rtt_at_ns = s->now_ns;
}

static void power_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct powertcp *st = rxe_cc_priv(flow);

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	if (!flow->base_rtt_ns)
		return;
	if (flow->params[POWER_THETA])
		power_by_rtt(st, flow, s);
	else
		power_by_ports(st, flow, s);
	if (flow->params[POWER_PER_PACKET])
		rxe_cc_sent_note(&st->sent, s, st->rate_q16);
	else
		st->sent.nr = 0;
	power_apply(st, flow);
}

static u32 power_needs_of(const u64 *p)
{
	return RXE_CC_ALGO_NEED_ACK_EVERY_PACKET |
	       (p[POWER_THETA] ? RXE_CC_ALGO_NEED_RTT : RXE_CC_ALGO_NEED_INT);
}

static unsigned int power_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct powertcp *st = (const void *)flow->priv;

	vars[0] = (struct rxe_cc_var) {
		"power_q24", st->smooth_q36 >> (RXE_CC_Q36_SHIFT - RXE_CC_Q24_SHIFT)
	};
	vars[1] = (struct rxe_cc_var) { "reference_bps", st->old_q16 >> RXE_HPCC_RATE_SHIFT };
	vars[2] = (struct rxe_cc_var) { "updates", st->updates };
	vars[3] = (struct rxe_cc_var) { "update_seq", st->update_seq };
	vars[4] = (struct rxe_cc_var) { "rtt_ns", st->rtt_ns };
	vars[5] = (struct rxe_cc_var) { "hops", st->path.nr };
	vars[6] = (struct rxe_cc_var) { "busiest_hop", st->busiest };
	vars[7] = (struct rxe_cc_var) {
		"beta_bps", power_beta_q16(flow) >> RXE_HPCC_RATE_SHIFT
	};
	vars[8] = (struct rxe_cc_var) { "base_rtt_ns", flow->base_rtt_ns };
	return 9;
}

static const struct rxe_cc_signal power_signals[] = { {
	.var	= "power_q24",
	.name	= "Power",
	.unit	= "q24",
	.help	= ": 1 is a full port without a queue",
} };

static struct rxe_cc_ops power_ops = {
	.on_ack		= power_on_ack,
	.init		= power_init,
	.params_changed	= power_params_changed,
	.needs_of	= power_needs_of,
	.dump		= power_dump,
	.params		= power_params,
	.presets	= power_presets,
	.nr_params	= ARRAY_SIZE(power_params),
	.nr_presets	= ARRAY_SIZE(power_presets),
	.signals	= power_signals,
	.nr_signals	= ARRAY_SIZE(power_signals),
	.needs		= RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_RTT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.priv_size	= sizeof(struct powertcp),
	.name		= "powertcp",
	.owner		= THIS_MODULE,
};

static int __init power_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(power_params) != POWER_NR_PARAMS);
	return rxe_cc_register(&power_ops);
}

static void __exit power_module_exit(void)
{
	rxe_cc_unregister(&power_ops);
}

module_init(power_module_init);
module_exit(power_module_exit);

MODULE_DESCRIPTION("PowerTCP congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("powertcp");
