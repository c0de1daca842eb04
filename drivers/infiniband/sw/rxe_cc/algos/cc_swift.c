// SPDX-License-Identifier: GPL-2.0
/*
 * Swift: Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in
 * the Datacenter", SIGCOMM 2020, section 3 (Algorithm 1) for the fabric's window.
 *
 *	delay < target	W = W + ai acked / W			W >= 1 packet
 *			W = W + ai acked			W < 1 packet
 *	otherwise	W = W max(1 - beta (delay - target) / delay, 1 - max_mdf)
 *	NAK, timeout	W = W (1 - max_mdf); W = min_cwnd from the retx_reset-th
 *			timeout in a row on
 *
 *	target = base + hops hop + clamp(a / sqrt(W) + b, 0, fs_range)
 *	a = fs_range / (1 / sqrt(fs_min) - 1 / sqrt(fs_max)), b = -a / sqrt(fs_max)
 *
 * with W in packets. W goes down once a round trip at most. The last term of the target
 * is the flow scaling: a flow that has a small window, because it is one of many, aims
 * at a longer queue, since so many flows need one, and those that have less grow towards
 * those that have more. Below one packet the core paces, a packet each 1 / W round trips.
 *
 * Differences from the paper:
 *  - base, fs_range and the window's limits are multiples of the base RTT of the path
 *    and of what the line carries in it, so that one set of values holds for links of any
 *    speed and length. The paper's are times. base is (1 + queue) base RTTs.
 *  - hop is 0 by default: the base RTT of the path has its hops in it already.
 *  - The window for the host at the other end (ecwnd) is left out: the round-trip time is
 *    already less what the receiver says it took.
 *  - A round trip is not measured by each ACK. What is acknowledged between two
 *    measurements counts at the next.
 *  - The pace is 5/4 of W / RTT, so that a window does not leave at once and READ
 *    responses, which have no window, are held to it as well.
 *  - Flows start with what the line carries in a base RTT.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* Windows have 16 fractional bits of a byte: many small steps add up. */
#define SWIFT_SHIFT		16
#define SWIFT_MAX_Q16		BIT_ULL(56)
#define SWIFT_MAX_ACKED		BIT_ULL(40)

/* Ports of a path that lengthen the target, at most. */
#define SWIFT_MAX_HOPS		16U

/* Packets to start with while nobody knows the base RTT. */
#define SWIFT_START_PKTS	16

enum {
	SWIFT_AI,
	SWIFT_BETA,
	SWIFT_MAX_MDF,
	SWIFT_QUEUE,
	SWIFT_HOP,
	SWIFT_FS_RANGE,
	SWIFT_FS_MIN,
	SWIFT_FS_MAX,
	SWIFT_MIN_CWND,
	SWIFT_RETX_RESET,
	SWIFT_NR_PARAMS,
};

static const struct rxe_cc_param swift_params[] = {
	[SWIFT_AI] = {
		"ai", "q24", 1, RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 1),
		"packets added to the window in a round trip below the target"
	},
	[SWIFT_BETA] = {
		"beta", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(4, 5),
		"part of the excess by which the window goes down"
	},
	[SWIFT_MAX_MDF] = {
		"max_mdf", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(1, 2),
		"largest part of the window that goes at once"
	},
	[SWIFT_QUEUE] = {
		"queue", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 4),
		"queueing delay that a few flows aim at, in base RTTs"
	},
	[SWIFT_HOP] = {
		"hop", "ns", 0, NSEC_PER_SEC, 0,
		"delay added to the target for each port of the path"
	},
	[SWIFT_FS_RANGE] = {
		"fs_range", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(5, 1),
		"delay that the smallest windows aim at besides, in base RTTs"
	},
	[SWIFT_FS_MIN] = {
		"fs_min", "q24", 1, RXE_CC_Q24(65535, 1), RXE_CC_Q24(1, 10),
		"window in packets below which that is added whole"
	},
	[SWIFT_FS_MAX] = {
		"fs_max", "q24", 1, RXE_CC_Q24(65535, 1), RXE_CC_Q24(100, 1),
		"window in packets above which nothing is added"
	},
	[SWIFT_MIN_CWND] = {
		"min_cwnd", "q24", 1, RXE_CC_Q24(65535, 1), RXE_CC_Q24(1, 1000),
		"smallest window, in packets"
	},
	[SWIFT_RETX_RESET] = {
		"retx_reset", "count", 1, 1000, 5,
		"timeouts in a row that leave the smallest window"
	},
};

/**
 * struct swift - state of a sender
 * @cwnd_q16: W in 2^-16 bytes
 * @acked_bytes: acknowledged since the last delay
 * @delay_ns: last delay
 * @target_ns: what it was compared with
 * @cut_ns: when W went down last
 * @cuts: how often it has
 * @inv_fs_min_q24: 1 / sqrt(fs_min)
 * @inv_fs_max_q24: 1 / sqrt(fs_max)
 * @timeouts: in a row
 */
struct swift {
	u64 cwnd_q16;
	u64 acked_bytes;
	u64 delay_ns;
	u64 target_ns;
	u64 cut_ns;
	u64 cuts;
	u64 inv_fs_min_q24;
	u64 inv_fs_max_q24;
	u32 timeouts;
};

/* 1 / sqrt(x), @x_q24 at least 1. */
static u64 swift_inv_sqrt_q24(u64 x_q24)
{
	return div64_u64(1ULL << (2 * RXE_CC_Q24_SHIFT), rxe_cc_sqrt_q24(x_q24));
}

/* So that products with the largest parameters fit. */
static u64 swift_base_ns(const struct rxe_cc_flow *flow)
{
	return clamp(flow->base_rtt_ns, 1ULL, (u64)NSEC_PER_SEC);
}

/* A number of packets in 2^-16 bytes. */
static u64 swift_pkts_q16(const struct rxe_cc_flow *flow, u64 pkts_q24)
{
	return rxe_cc_mul_q((u64)flow->pkt_bytes << SWIFT_SHIFT, pkts_q24,
			    RXE_CC_Q24_SHIFT);
}

/* clamp((1 / sqrt(W) - 1 / sqrt(fs_max)) / (1 / sqrt(fs_min) - 1 / sqrt(fs_max)), 0, 1) */
static u64 swift_scaling_q24(const struct swift *st, const struct rxe_cc_flow *flow)
{
	u64 pkts_q24 = rxe_cc_muldiv(st->cwnd_q16, RXE_CC_Q24_ONE >> SWIFT_SHIFT,
				     flow->pkt_bytes);
	u64 inv_q24;

	if (pkts_q24 <= flow->params[SWIFT_FS_MIN])
		return RXE_CC_Q24_ONE;
	if (pkts_q24 >= flow->params[SWIFT_FS_MAX])
		return 0;
	inv_q24 = clamp(swift_inv_sqrt_q24(pkts_q24), st->inv_fs_max_q24,
			st->inv_fs_min_q24);
	return min(rxe_cc_ratio_q(inv_q24 - st->inv_fs_max_q24,
				  st->inv_fs_min_q24 - st->inv_fs_max_q24,
				  RXE_CC_Q24_SHIFT), RXE_CC_Q24_ONE);
}

static u64 swift_target_ns(const struct swift *st, const struct rxe_cc_flow *flow,
			   unsigned int hops)
{
	const u64 *p = flow->params;
	u64 base_ns = swift_base_ns(flow);
	u64 more_q24 = p[SWIFT_QUEUE] + rxe_cc_mul_q(p[SWIFT_FS_RANGE],
						     swift_scaling_q24(st, flow),
						     RXE_CC_Q24_SHIFT);

	return base_ns + min(hops, SWIFT_MAX_HOPS) * p[SWIFT_HOP] +
	       rxe_cc_mul_q(base_ns, more_q24, RXE_CC_Q24_SHIFT);
}

/* What the line carries in the longest delay that is aimed at: no flow needs more. */
static u64 swift_max_q16(const struct rxe_cc_flow *flow)
{
	const u64 *p = flow->params;
	u64 base_ns = swift_base_ns(flow);
	u64 ns = base_ns + p[SWIFT_HOP] * SWIFT_MAX_HOPS +
		 rxe_cc_mul_q(base_ns, p[SWIFT_QUEUE] + p[SWIFT_FS_RANGE],
			      RXE_CC_Q24_SHIFT);
	u64 bytes = max(rxe_cc_bytes_in(flow->line_rate_bps, ns),
			(u64)flow->pkt_bytes * SWIFT_START_PKTS);

	return min(bytes, SWIFT_MAX_Q16 >> SWIFT_SHIFT) << SWIFT_SHIFT;
}

/* Limit the window and hand it to the core. */
static void swift_set(struct swift *st, struct rxe_cc_flow *flow, u64 cwnd_q16)
{
	u64 max_q16 = swift_max_q16(flow);
	u64 min_q16 = min(swift_pkts_q16(flow, flow->params[SWIFT_MIN_CWND]), max_q16);
	u64 bps = flow->line_rate_bps;

	st->cwnd_q16 = clamp(cwnd_q16, max(min_q16, BIT_ULL(SWIFT_SHIFT)), max_q16);
	flow->cwnd_bytes = st->cwnd_q16 >> SWIFT_SHIFT;
	if (st->delay_ns)
		bps = rxe_cc_rate_of(rxe_cc_muldiv(flow->cwnd_bytes, 5, 4), st->delay_ns);
	flow->rate_bps = min(bps, flow->line_rate_bps);
}

static void swift_limits(struct swift *st, const u64 *p)
{
	st->inv_fs_min_q24 = swift_inv_sqrt_q24(p[SWIFT_FS_MIN]);
	st->inv_fs_max_q24 = swift_inv_sqrt_q24(p[SWIFT_FS_MAX]);
}

static void swift_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 bytes = rxe_cc_bytes_in(flow->line_rate_bps, flow->base_rtt_ns);
	struct swift *st = rxe_cc_priv(flow);

	if (!flow->base_rtt_ns)
		bytes = (u64)flow->pkt_bytes * SWIFT_START_PKTS;
	swift_limits(st, flow->params);
	swift_set(st, flow, min(bytes, SWIFT_MAX_Q16 >> SWIFT_SHIFT) << SWIFT_SHIFT);
}

static void swift_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct swift *st = rxe_cc_priv(flow);

	swift_limits(st, flow->params);
	swift_set(st, flow, st->cwnd_q16);
}

static void swift_raise(struct swift *st, struct rxe_cc_flow *flow)
{
	u64 acked_q16 = min(st->acked_bytes, SWIFT_MAX_ACKED) << SWIFT_SHIFT;
	u64 step_q16 = rxe_cc_mul_q(acked_q16, flow->params[SWIFT_AI], RXE_CC_Q24_SHIFT);

	if (st->cwnd_q16 >= (u64)flow->pkt_bytes << SWIFT_SHIFT)
		step_q16 = rxe_cc_muldiv(step_q16, (u64)flow->pkt_bytes << SWIFT_SHIFT,
					 st->cwnd_q16);
	swift_set(st, flow, rxe_cc_sat_add(st->cwnd_q16, step_q16));
}

/* Take a part of the window, in Q62, unless the last time is less than @rtt_ns ago. */
static void swift_cut(struct swift *st, struct rxe_cc_flow *flow, u64 part, u64 now_ns,
		      u64 rtt_ns)
{
	if (st->cuts && now_ns - st->cut_ns < rtt_ns)
		return;
	st->cut_ns = now_ns;
	st->cuts++;
	part = min(part, flow->params[SWIFT_MAX_MDF] << (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT));
	swift_set(st, flow, rxe_cc_mul_q(st->cwnd_q16, RXE_CC_Q62_ONE - part,
					 RXE_CC_Q62_SHIFT));
}

static void swift_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct swift *st = rxe_cc_priv(flow);
	u64 over;

	st->timeouts = 0;
	st->acked_bytes = rxe_cc_sat_add(st->acked_bytes, s->bytes);
	if (!s->rtt_ns)
		return;
	st->delay_ns = s->rtt_ns;
	st->target_ns = swift_target_ns(st, flow, s->path_hops);
	if (s->rtt_ns < st->target_ns) {
		swift_raise(st, flow);
	} else {
		over = rxe_cc_ratio_q(s->rtt_ns - st->target_ns, s->rtt_ns, RXE_CC_Q62_SHIFT);
		swift_cut(st, flow, rxe_cc_mul_q(over, flow->params[SWIFT_BETA],
						 RXE_CC_Q24_SHIFT), s->now_ns, s->rtt_ns);
	}
	st->acked_bytes = 0;
}

static void swift_on_loss(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct swift *st = rxe_cc_priv(flow);

	if (s->loss == RXE_CC_LOSS_RNR)
		return;
	st->timeouts = s->loss == RXE_CC_LOSS_TIMEOUT ? st->timeouts + 1 : 0;
	if (st->timeouts >= flow->params[SWIFT_RETX_RESET]) {
		st->timeouts = flow->params[SWIFT_RETX_RESET];
		swift_set(st, flow, 0);
		return;
	}
	swift_cut(st, flow, RXE_CC_Q62_ONE, s->now_ns, st->delay_ns);
}

static const char *swift_check(const u64 *p, unsigned int *bad)
{
	if (p[SWIFT_FS_MIN] >= p[SWIFT_FS_MAX]) {
		*bad = SWIFT_FS_MIN;
		return "is not below fs_max";
	}
	return NULL;
}

static unsigned int swift_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct swift *st = (const void *)flow->priv;

	vars[0] = (struct rxe_cc_var) { "rtt_ns", st->delay_ns };
	vars[1] = (struct rxe_cc_var) { "target_ns", st->target_ns };
	vars[2] = (struct rxe_cc_var) { "cuts", st->cuts };
	vars[3] = (struct rxe_cc_var) { "timeouts", st->timeouts };
	return 4;
}

static const struct rxe_cc_signal swift_signals[] = { {
	.var	= "rtt_ns",
	.name	= "RTT",
	.unit	= "ns",
	.help	= ", the last round trip measured",
} };

static struct rxe_cc_ops swift_ops = {
	.on_ack		= swift_on_ack,
	.on_loss	= swift_on_loss,
	.init		= swift_init,
	.params_changed	= swift_params_changed,
	.check_params	= swift_check,
	.dump		= swift_dump,
	.params		= swift_params,
	.nr_params	= ARRAY_SIZE(swift_params),
	.signals	= swift_signals,
	.nr_signals	= ARRAY_SIZE(swift_signals),
	.needs		= RXE_CC_ALGO_NEED_RTT,
	.priv_size	= sizeof(struct swift),
	.name		= "swift",
	.owner		= THIS_MODULE,
};

static int __init swift_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(swift_params) != SWIFT_NR_PARAMS);
	return rxe_cc_register(&swift_ops);
}

static void __exit swift_module_exit(void)
{
	rxe_cc_unregister(&swift_ops);
}

module_init(swift_module_init);
module_exit(swift_module_exit);

MODULE_DESCRIPTION("Swift congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("swift");
