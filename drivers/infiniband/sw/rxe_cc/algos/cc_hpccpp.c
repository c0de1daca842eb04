// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC++: "HPCC++: Enhanced High Precision Congestion Control",
 * draft-pan-tsvwg-hpccplus-00, June 2020.
 *
 * HPCC (cc_hpcc_rp.c) with a choice of who computes and of what carries the
 * telemetry:
 *
 *	int_mode 0	every data packet; every ACK echoes (4.2)
 *	int_mode 1	one data packet per round trip (6)
 *	int_mode 2	a probe packet per round trip, data stays plain (6.1)
 *	rx		the receiver computes W from the telemetry of data and
 *			reports it once per T (6.2, Rx-HPCC); nothing is echoed to a
 *			sender that has shown that it takes windows
 *	n_auto		the receiver counts the flows that send to its port; while
 *			the last port of the path is the busiest
 *
 *				W_ai = W_init (1 - eta) / N		(5, 6.2)
 *
 *	delay_acks	every data packet, but few are acknowledged (6.2); the receiver looks
 *			at all, and answers at once where a queue has grown by that much
 *
 * and with the queue that a switch reports by itself (6.3). With telemetry once per
 * round trip tau reaches T, so U = u; each sample commits, and maxStage counts
 * round trips as ever.
 *
 * A sender takes telemetry whatever its parameters, and a window with rx, for which
 * telemetry that comes with it would be the newer. A window is a number that anybody can
 * make up: with rx off nobody has been asked for one. So a receiver with rx looks at what
 * the sender shows, and goes on echoing to one that would not listen.
 *
 * Differences from the draft, besides those of hpcc and the library:
 * - Switch reports: the draft leaves open how to use one. The packet has not left
 *   the port, so there is no txRate; the port sends all the time, hence
 *   u = qlen / (B T) + 1 of that port alone. U rises to it, the rate follows at
 *   once, only downwards, and is committed by the rule for ACKs.
 * - NewINT: L is saved with every packet (the draft forgets to), and nothing is
 *   computed between two commits, since nobody would hear of it. Commits are a round
 *   trip apart, T and the queues, not T: else one long queue is answered many times.
 * - A receiver needs T of its own: knob base_rtt, or measured when it sends too.
 *   As long as it has none it does not compute, and its ACKs echo.
 * - With W goes the T for which it was computed, since the sender's may be another: what
 *   both mean is R = W / T.
 * - W_init at a receiver is that of the slowest port of the path: it does not know
 *   the sender's line.
 * - The sender holds a window that it receives between its floor and line rate.
 * - Where not every packet asks for an ACK, what waits for one comes on top of W.
 * - N: B of the last port in place of the sender's line where it is less: the
 *   increases of all shall fit the headroom of that port.
 * - A flow that hears neither telemetry nor windows for seconds, but gets ACKs, is
 *   as at its start again, see rxe_hpcc_unheard().
 *
 * N is what the core counts at the port (rx_rules): queue pairs from which something came
 * within n_expiry, so flows that end, or vanish, need nobody to take them off. READ requests
 * do not count: the data that they ask for go the other way.
 */
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/time64.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/hpcc_common.h>
#include <rxe_cc/version.h>

enum {
	HPCCPP_INT_MODE = RXE_HPCC_NR_PARAMS,
	HPCCPP_RX,
	HPCCPP_N_AUTO,
	HPCCPP_N_EXPIRY,
	HPCCPP_DELAY_ACKS,
	HPCCPP_NR_PARAMS,
};

enum {
	HPCCPP_INT_ALL,
	HPCCPP_INT_SPARSE,
	HPCCPP_INT_PROBE,
};

static const struct rxe_cc_param hpccpp_params[] =
RXE_HPCC_PARAMS({
	"int_mode", "count", HPCCPP_INT_ALL, HPCCPP_INT_PROBE, HPCCPP_INT_ALL,
	"telemetry: 0 on every packet, 1 on one a round trip, 2 on probe packets"
}, {
	"rx", "bool", 0, 1, 0,
	"the receiver computes windows, if it is set at both ends"
}, {
	"n_auto", "bool", 0, 1, 0,
	"take for n the flows that the receiver counts, while its link is the busiest; at both ends"
}, {
	"n_expiry", "ns", 1000, 10000000000ULL, 200000,
	"a flow that sends nothing for so long no longer counts"
}, {
	"delay_acks", "ns", 0, 1000000000ULL, 0,
	"not every packet asks for an ACK, but one whose queue takes so much longer is answered; 0: each asks"
});

#define HPCCPP_ETA	RXE_CC_Q24(95, 100)

/*
 * eta, max_stage, n, ai_rate, fast_react, fill_window, int_profile; int_mode, rx,
 * n_auto, n_expiry, delay_acks
 *
 * Telemetry of one packet per round trip comes with the noise of a packet or so, and
 * no average takes it off. Above eta a flow gives way at once, below it after
 * max_stage round trips, so it settles below eta, the further the larger max_stage.
 */
static const u64 hpccpp_draft[HPCCPP_NR_PARAMS] = {
	HPCCPP_ETA, 5, 100, 0, 1, 0, 0, HPCCPP_INT_ALL, 0, 0, 200000, 0
};

static const u64 hpccpp_sparse[HPCCPP_NR_PARAMS] = {
	HPCCPP_ETA, 3, 100, 0, 1, 0, 0, HPCCPP_INT_SPARSE, 0, 0, 200000, 0
};

static const u64 hpccpp_probe[HPCCPP_NR_PARAMS] = {
	HPCCPP_ETA, 1, 100, 0, 1, 0, 0, HPCCPP_INT_PROBE, 0, 0, 200000, 0
};

static const u64 hpccpp_rx[HPCCPP_NR_PARAMS] = {
	HPCCPP_ETA, 5, 100, 0, 1, 0, 0, HPCCPP_INT_ALL, 1, 0, 200000, 0
};

static const u64 hpccpp_fair[HPCCPP_NR_PARAMS] = {
	HPCCPP_ETA, 5, 100, 0, 1, 0, 0, HPCCPP_INT_ALL, 0, 1, 200000, 0
};

static const struct rxe_cc_preset hpccpp_presets[] = {
	{ "draft", hpccpp_draft },
	{ "sparse", hpccpp_sparse },
	{ "probe", hpccpp_probe },
	{ "rx", hpccpp_rx },
	{ "fair", hpccpp_fair },
};

/* Values of a receiver's feedback. 0, or left out: it says nothing of that. */
enum {
	HPCCPP_FB_WINDOW,
	HPCCPP_FB_SENDERS,
	HPCCPP_FB_T_NS,
	HPCCPP_NR_FB,
};

/* An N that was received holds so long. */
#define HPCCPP_FB_NS		(2 * (u64)NSEC_PER_SEC)

#define HPCCPP_COUNT_MAX	(BIT(20) - 1)

/**
 * struct hpccpp - sender
 * @rp: HPCC
 * @told_ns: when @senders came
 * @senders: N as the receiver sent it last
 */
struct hpccpp {
	struct rxe_hpcc rp;
	u64 told_ns;
	u32 senders;
};

/**
 * struct hpccpp_rx - receiver
 * @rp: HPCC, when it computes, or as it was then; @rp.path.nr is 0 when it cannot
 * @least_ns: delayed ACKs: shortest queue that a packet met, since one was answered for its
 *	queue: longest of its path, as time on the line
 */
struct hpccpp_rx {
	struct rxe_hpcc rp;
	u64 least_ns;
};

static void hpccpp_hear(struct hpccpp *h, const struct rxe_cc_sample *s)
{
	if (s->fb[HPCCPP_FB_SENDERS]) {
		h->senders = min_t(u64, s->fb[HPCCPP_FB_SENDERS],
				   HPCCPP_COUNT_MAX);
		h->told_ns = s->now_ns;
	} else if (h->senders && s->now_ns - h->told_ns > HPCCPP_FB_NS) {
		h->senders = 0;
	}
}

/* W_ai / T for while the last port is the busiest: not more than its headroom. */
static void hpccpp_set_ai(struct rxe_hpcc_ctx *ctx,
			  const struct rxe_cc_sample *s, u32 n)
{
	u64 bps = ctx->line_q16 >> RXE_HPCC_RATE_SHIFT;

	if (n && s->nr_hops)
		ctx->last_ai_q16 =
			rxe_hpcc_ai_q16(min(bps, s->hops[s->nr_hops - 1].rate_bps),
					ctx->eta_q24, n);
}

/* As receiver: it can, if T is known. */
static bool hpccpp_may_compute(const struct rxe_cc_flow *flow)
{
	return flow->params[HPCCPP_RX] && flow->base_rtt_ns;
}

/* And does, for a sender that goes by windows; the core lets no other's hops through. */
static bool hpccpp_computes(const struct rxe_cc_flow *flow)
{
	return hpccpp_may_compute(flow) && flow->peer_obeys;
}

/* What the packets of both directions are to carry. */
static void hpccpp_want(struct rxe_cc_flow *flow)
{
	static const u8 carrier[] = {
		[HPCCPP_INT_ALL]	= RXE_CC_WANT_INT,
		[HPCCPP_INT_SPARSE]	= RXE_CC_WANT_INT_SPARSE,
		[HPCCPP_INT_PROBE]	= RXE_CC_WANT_INT_PROBE,
	};
	u64 mode = flow->params[HPCCPP_INT_MODE];
	struct hpccpp_rx *rx = rxe_cc_rx_priv(flow);

	flow->wants = carrier[mode] | rxe_hpcc_flow_wants(flow);
	if (flow->params[HPCCPP_DELAY_ACKS])
		flow->wants |= RXE_CC_WANT_RX_LOOK;
	else if (mode == HPCCPP_INT_ALL && !flow->params[HPCCPP_RX])
		flow->wants |= RXE_CC_WANT_ACKS;
	flow->fb_ignore = BIT(HPCCPP_FB_WINDOW) | BIT(HPCCPP_FB_T_NS);
	if (flow->params[HPCCPP_RX]) {
		flow->wants |= RXE_CC_WANT_FB;
		flow->fb_ignore = 0;
	}
	flow->report = (struct rxe_cc_report) {};
	if (hpccpp_may_compute(flow))
		flow->wants |= RXE_CC_WANT_RX_HOPS;
	else
		rx->rp.path.nr = 0;
}

/* The core has a packet ask for an ACK once per eighth of the window. What the
 * receiver has but has not acknowledged is in flight no more, so the window that
 * is put into force is W and that: w = W + w / 8 - one packet.
 */
static void hpccpp_allow(struct rxe_cc_flow *flow)
{
	u64 unasked_bytes = 8ULL * flow->pkt_bytes;

	if (flow->wants & RXE_CC_WANT_ACKS ||
	    flow->cwnd_bytes == RXE_CC_NO_WINDOW ||
	    flow->cwnd_bytes <= unasked_bytes)
		return;
	flow->cwnd_bytes = rxe_cc_sat_add(flow->cwnd_bytes,
					  (flow->cwnd_bytes - unasked_bytes) / 7);
}

static void hpccpp_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_hpcc_flow_init(flow);
	hpccpp_want(flow);
	hpccpp_allow(flow);
}

static void hpccpp_rx_rules(const u64 *params, struct rxe_cc_rx_rules *rules)
{
	rules->on = params[HPCCPP_N_AUTO];
	rules->linger_ns = params[HPCCPP_N_EXPIRY];
	rules->weigh = true;
	rules->idle_ns = params[HPCCPP_N_EXPIRY];
}

static void hpccpp_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_hpcc_flow_changed(flow);
	hpccpp_want(flow);
	hpccpp_allow(flow);
}

/* What a window stands for at the receiver that computed it: W / T, with T its own. One
 * that does not say has the same.
 */
static u64 hpccpp_told_q16(const struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 t_ns = s->fb[HPCCPP_FB_T_NS];

	return rxe_hpcc_window_rate(s->fb[HPCCPP_FB_WINDOW],
				    t_ns ? t_ns : flow->base_rtt_ns);
}

static void hpccpp_on_ack(struct rxe_cc_flow *flow,
			  const struct rxe_cc_sample *s)
{
	struct hpccpp *h = rxe_cc_priv(flow);
	struct rxe_hpcc_ctx ctx;

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	hpccpp_hear(h, s);
	if (!flow->base_rtt_ns)
		return;
	ctx = rxe_hpcc_flow_ctx(flow);
	if (flow->params[HPCCPP_N_AUTO])
		hpccpp_set_ai(&ctx, s, h->senders);
	if (s->partial) {
		flow->telemetry = rxe_hpcc_early(&h->rp, &ctx, flow, s);
		if (flow->telemetry != RXE_CC_TELEMETRY_USED)
			return;
	} else if (s->nr_hops) {
		flow->telemetry = rxe_hpcc_ack(&h->rp, &ctx, flow, s);
	} else if (s->fb[HPCCPP_FB_WINDOW]) {
		rxe_hpcc_feedback(&h->rp, &ctx, flow, s, hpccpp_told_q16(flow, s));
	} else {
		rxe_hpcc_unheard(&h->rp, &ctx, flow, s);
	}
	hpccpp_allow(flow);
}

/* NewINT: returns whether there is a window to report. */
static bool hpccpp_compute(struct rxe_cc_flow *flow, struct rxe_hpcc *h,
			   const struct rxe_cc_sample *s, u32 n)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	u64 rate_q16, bps;
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++) {
		bps = s->hops[i].rate_bps;
		if (bps && bps < ctx.line_q16 >> RXE_HPCC_RATE_SHIFT)
			ctx.line_q16 = bps << RXE_HPCC_RATE_SHIFT;
	}
	ctx.min_q16 = min(ctx.min_q16, ctx.line_q16);
	hpccpp_set_ai(&ctx, s, n);
	if (!h->path.nr)
		rxe_hpcc_init(h, &ctx);
	flow->telemetry = rxe_hpcc_data(h, &ctx, s, &rate_q16);
	if (!rate_q16)
		return false;
	flow->report.fb[HPCCPP_FB_WINDOW] =
		rxe_hpcc_window(rate_q16, ctx.t_ns);
	flow->report.fb[HPCCPP_FB_T_NS] = ctx.t_ns;
	flow->report.nr = HPCCPP_NR_FB;
	return true;
}

/* Delayed ACKs: a packet that asks for none is answered all the same when its sender must hear
 * of a queue. What that knows of was not shorter than the shortest since the last such answer, so
 * it is behind by delay_acks at most, and a queue has to grow by that for each answer.
 */
static bool hpccpp_grown(struct hpccpp_rx *rx, const struct rxe_cc_sample *s, u64 most_ns)
{
	u64 queue_ns = 0;
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++)
		queue_ns = max(queue_ns, rxe_cc_ns_for(s->hops[i].qlen_bytes,
						       s->hops[i].rate_bps));
	if (queue_ns >= rxe_cc_sat_add(rx->least_ns, most_ns)) {
		rx->least_ns = queue_ns;
		return true;
	}
	rx->least_ns = min(rx->least_ns, queue_ns);
	return false;
}

static u32 hpccpp_on_data(struct rxe_cc_flow *flow,
			  const struct rxe_cc_sample *s)
{
	struct hpccpp_rx *rx = rxe_cc_rx_priv(flow);
	u32 n = 0;

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	/* T may have become known, without a call. */
	if (hpccpp_may_compute(flow) != !!(flow->wants & RXE_CC_WANT_RX_HOPS))
		hpccpp_want(flow);
	if (flow->params[HPCCPP_N_AUTO])
		n = clamp_t(u64, flow->rx.parts_q16 ? rxe_cc_rx_whole(flow->rx.parts_q16) :
						     flow->rx.msgs, 1, HPCCPP_COUNT_MAX);
	/* What was computed stays: one packet of a stranger must not undo it. */
	if (!hpccpp_computes(flow)) {
		flow->report = (struct rxe_cc_report) {
			.fb = { [HPCCPP_FB_SENDERS] = n },
			.nr = n ? HPCCPP_FB_SENDERS + 1 : 0, .always = n,
		};
		return flow->params[HPCCPP_DELAY_ACKS] && s->nr_hops &&
		       hpccpp_grown(rx, s, flow->params[HPCCPP_DELAY_ACKS]) ?
		       RXE_CC_RX_REPORT : 0;
	}
	if (flow->report.always)
		flow->report = (struct rxe_cc_report) {};
	if (!s->nr_hops || !hpccpp_compute(flow, &rx->rp, s, n))
		return 0;
	return RXE_CC_RX_REPORT;
}

static const char *hpccpp_check_params(const u64 *params, unsigned int *bad)
{
	if (params[HPCCPP_RX] && params[HPCCPP_INT_MODE] == HPCCPP_INT_PROBE) {
		*bad = HPCCPP_RX;
		return "of 1 needs telemetry on data: set int_mode to 0 or 1";
	}
	if (params[HPCCPP_DELAY_ACKS] &&
	    (params[HPCCPP_RX] || params[HPCCPP_INT_MODE] != HPCCPP_INT_ALL)) {
		*bad = HPCCPP_DELAY_ACKS;
		return "but 0 is for telemetry on every packet that is echoed: set int_mode and rx to 0";
	}
	/* A receiver to which compact hops come too rarely cannot ask for others, and of the worst
	 * hop it could not tell which is the slowest port.
	 */
	if (params[HPCCPP_RX] && params[RXE_HPCC_INT_PROFILE]) {
		*bad = RXE_HPCC_INT_PROFILE;
		return "but 0 is for senders that compute: set it or rx to 0";
	}
	return rxe_hpcc_flow_check(params, bad);
}

static unsigned int hpccpp_dump(const struct rxe_cc_flow *flow,
				struct rxe_cc_var *vars)
{
	const struct hpccpp *h = (const struct hpccpp *)flow->priv;
	const struct hpccpp_rx *rx = (const struct hpccpp_rx *)flow->rx_priv;
	u8 rx_hops = hpccpp_computes(flow) ? rx->rp.path.nr : 0;
	const struct rxe_cc_var more[] = {
		{ "senders", h->senders },
		{ "told", h->rp.path.nr == RXE_HPCC_FEEDBACK },
		{ "rx_reference_bps", rx->rp.rc_q16 >> RXE_HPCC_RATE_SHIFT },
		{ "rx_u_q24", rx->rp.u_q36 >>
			      (RXE_HPCC_U_SHIFT - RXE_CC_Q24_SHIFT) },
		{ "rx_hops", rx_hops },
		{ "port_flows", flow->rx.msgs },
	};
	unsigned int n = rxe_hpcc_flow_dump(flow, vars), i;

	BUILD_BUG_ON(RXE_HPCC_FLOW_VARS + ARRAY_SIZE(more) > RXE_CC_MAX_VARS);
	/* Of a QP that only receives, what it computes is what there is to see. */
	if (rx_hops && !h->rp.path.nr)
		rxe_hpcc_dump(&rx->rp, vars);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		vars[n++] = more[i];
	return n;
}

/* In rx mode the receiver computes U, and the sender has none. */
static const struct rxe_cc_signal hpccpp_signals[] = {
	{ "rx_u_q24", "U", "q24", ", as its receiver computes it", { "eta" } },
	{ "u_q24", "U", "q24", ", how full the fullest port on its way is", { "eta" } },
};

static struct rxe_cc_ops hpccpp_ops = {
	.on_ack		= hpccpp_on_ack,
	.on_data	= hpccpp_on_data,
	.init		= hpccpp_init,
	.rx_rules	= hpccpp_rx_rules,
	.params_changed	= hpccpp_params_changed,
	.check_params	= hpccpp_check_params,
	.dump		= hpccpp_dump,
	.params		= hpccpp_params,
	.presets	= hpccpp_presets,
	.nr_params	= ARRAY_SIZE(hpccpp_params),
	.nr_presets	= ARRAY_SIZE(hpccpp_presets),
	.signals	= hpccpp_signals,
	.nr_signals	= ARRAY_SIZE(hpccpp_signals),
	.needs		= RXE_CC_ALGO_NEED_INT,
	.priv_size	= sizeof(struct hpccpp),
	.rx_priv_size	= sizeof(struct hpccpp_rx),
	.all_data	= true,
	.name		= "hpccpp",
	.owner		= THIS_MODULE,
};

static int __init hpccpp_module_init(void)
{
	BUILD_BUG_ON(offsetof(struct hpccpp, rp));
	BUILD_BUG_ON(ARRAY_SIZE(hpccpp_params) != HPCCPP_NR_PARAMS);
	return rxe_cc_register(&hpccpp_ops);
}

static void __exit hpccpp_module_exit(void)
{
	rxe_cc_unregister(&hpccpp_ops);
}

module_init(hpccpp_module_init);
module_exit(hpccpp_module_exit);

MODULE_DESCRIPTION("HPCC++ congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("hpccpp");
